//! Names of puzzles and pieces -> names of files that every system takes, no two of them alike.

use std::collections::BTreeSet;

/// The most characters that a file name made here has, before its ending.
const LONGEST: usize = 60;

/// A folder name for a puzzle: `4D Sudoku` -> `4d-sudoku`. Letters and digits of any script are kept. Never empty, never
/// a reserved name.
pub fn slug(name: &str) -> String {
    let mut slug = String::new();
    for character in name.chars().flat_map(char::to_lowercase).take(LONGEST) {
        match character {
            _ if character.is_alphanumeric() => slug.push(character),
            // An apostrophe stands inside a word.
            '\'' | '’' => {}
            _ if slug.ends_with('-') || slug.is_empty() => {}
            _ => slug.push('-'),
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "puzzle".to_owned() } else { unreserved(slug.to_owned()) }
}

/// A file name for each name, in order: letters, digits and what every file system takes are kept, the rest becomes `_`;
/// names that then differ in case alone, or not at all, get `-2`, `-3`, ... behind them.
pub fn file_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut distinct = |name: String| {
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| taken.insert(name.to_lowercase()));
        free.expect("there is always a next number")
    };
    names.into_iter().map(|name| distinct(safe(name))).collect()
}

fn safe(name: &str) -> String {
    let keep = |c: char| if c.is_alphanumeric() || "@+-_=.".contains(c) { c } else { '_' };
    let name: String = name.chars().take(LONGEST).map(keep).collect();
    // A leading dot hides a file, a trailing one is dropped by Windows, a leading minus looks like a flag.
    let name = match name.strip_prefix(['.', '-']) {
        Some(rest) => format!("_{rest}"),
        None => name,
    };
    match name.strip_suffix('.') {
        Some(rest) => format!("{rest}_"),
        None if name.is_empty() => "_".to_owned(),
        None => unreserved(name),
    }
}

/// Windows takes none of its device names as a file name, whatever the ending.
fn unreserved(name: String) -> String {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered =
        |device: &str| stem.strip_prefix(device).is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit());
    let reserved = ["con", "prn", "aux", "nul"].contains(&stem.as_str()) || numbered("com") || numbered("lpt");
    if reserved { format!("_{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_plain() {
        assert_eq!(slug("4D Sudoku"), "4d-sudoku");
        assert_eq!(slug("  Soma -- cube! "), "soma-cube");
        assert_eq!(slug("Love's Dozen"), "loves-dozen");
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("🧩"), "puzzle");
        assert_eq!(slug("Würfel Куб 立方体"), "würfel-куб-立方体");
        assert_eq!(slug("CON"), "_con");
        assert_eq!(slug(&"x".repeat(500)).len(), 60);
    }

    #[test]
    fn file_names_are_safe_and_distinct() {
        let names =
            ["@", "a/b", "a\\b", "A_B", "..", "", "nul", "NUL.txt", "com7", "🧩", "-rf", "é", "x.", "\u{202e}abc"];
        let expected =
            ["@", "a_b", "a_b-2", "A_B-3", "__", "_", "_nul", "_NUL.txt", "_com7", "_-2", "_rf", "é", "x_", "_abc"];
        assert_eq!(file_names(names), expected);
    }

    #[test]
    fn a_number_put_behind_a_name_meets_no_name_of_its_own() {
        assert_eq!(file_names(["a", "a-2", "A"]), ["a", "a-2", "A-3"]);
    }
}
