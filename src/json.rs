//! Values as JSON text and back. The only file that names the crates for it.

use serde::de::DeserializeOwned;

pub use serde::{Deserialize, Serialize};
pub use serde_json::Value;

/// On one line.
///
/// # Panics
/// When the value has keys that are no text, as have the others here; no type of this program has.
pub fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect(TEXT_KEYS)
}

/// On many lines, with a newline behind the last.
pub fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect(TEXT_KEYS) + "\n"
}

/// As a value that can be looked into.
pub fn value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect(TEXT_KEYS)
}

/// Reads a value; `None` when the bytes are not one of its type.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(bytes).ok()
}

const TEXT_KEYS: &str = "all keys are texts";
