//! Bytes -> SHA-256. The only file that names the crates for it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// In hexadecimal digits.
pub fn fingerprint(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// As a content security policy wants it: `sha256-` and base64.
pub fn source_hash(bytes: &[u8]) -> String {
    format!("sha256-{}", base64(&Sha256::digest(bytes)))
}

/// Bytes as base64 text, padded.
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}
