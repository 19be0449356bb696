//! Text -> HTML.

use std::borrow::Cow;

pub(super) use crate::net::svg::number;

/// Text that shows as it is written, in an element as in a quoted attribute. What HTML cannot hold is replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {
                out.push(char::REPLACEMENT_CHARACTER);
            }
            c => out.push(c),
        }
    }
    out
}

/// A name from a puzzle file: it may run from right to left without turning around what stands beside it. Plain ones need
/// no mark for that, which a page with many pieces would feel.
pub(super) fn name(text: &str) -> String {
    match text.bytes().all(|b| b.is_ascii_alphanumeric()) {
        true => text.to_owned(),
        false => format!("<bdi>{}</bdi>", escaped(text)),
    }
}

/// A path below this page as a link to it. No colon is left, which could make it an address of another kind.
pub(super) fn href(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/-_.".contains(&b);
    let encoded = path.bytes().map(|b| match plain(b) {
        true => Cow::Owned(char::from(b).to_string()),
        false => Cow::Owned(format!("%{b:02X}")),
    });
    encoded.collect()
}

/// Fills `{{key}}` in a template with what the key stands for. What is put in is not looked at again.
///
/// # Panics
/// When the template names a key that is not given: templates are built in.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let (first, rest) = template.split_once("{{").unwrap_or((template, ""));
    let mut out = first.to_owned();
    for part in rest.split("{{").filter(|part| !part.is_empty()) {
        let (key, after) = part.split_once("}}").expect("a key is closed");
        let value = values.iter().find(|value| value.0 == key).map(|value| value.1);
        out.push_str(value.unwrap_or_else(|| panic!("the template wants {key}")));
        out.push_str(after);
    }
    out
}

/// Bytes as a person says them.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// A whole number in groups of three.
pub(super) fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().map(|g| std::str::from_utf8(g).unwrap_or("")).collect();
    // A narrow space that does not break.
    groups.join("\u{202F}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_text() {
        assert_eq!(escaped("</script><b a='\"'>&\0"), "&lt;/script&gt;&lt;b a=&#39;&quot;&#39;&gt;&amp;\u{FFFD}");
        assert_eq!(href("pieces/@ é.stl"), "pieces/%40%20%C3%A9.stl");
        assert_eq!(fill("a{{b}}c", &[("b", "{{d}}")]), "a{{d}}c");
    }

    #[test]
    fn numbers_are_short() {
        let sizes = [0, 999, 1000, 1001, 999_999, 1_000_000, 22_812_345].map(size);
        assert_eq!(sizes, ["0 B", "999 B", "1 kB", "2 kB", "1000 kB", "1.0 MB", "22.8 MB"]);
        assert_eq!([number(19.8, 2), number(0.0, 1), number(10.0, 0)], ["19.8", "0", "10"]);
        assert_eq!(grouped(30_550_642), "30\u{202F}550\u{202F}642");
    }
}
