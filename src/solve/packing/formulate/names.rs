//! Names that every reader of LP text takes: letters, digits and underscores, the first a letter but no `e`, which
//! would read as an exponent; short enough for CBC, which renames everything when one name has more than 100 letters.

use std::collections::BTreeSet;

/// The most letters that are kept of the name of a piece.
const LONGEST: usize = 40;
/// What the names of rows begin with; no name of a variable does.
const ROWS: [&str; 5] = ["count_", "least_", "most_", "cell_", "filled_"];

/// A name for each kind of piece.
pub(super) struct Names(Vec<String>);

impl Names {
    /// From the names in the puzzle file; those that would be the same get `_2`, `_3`, ... behind them.
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Names {
        let mut taken = BTreeSet::new();
        let mut distinct = |name: String| {
            let numbered = (2..).map(|number| format!("{name}_{number}"));
            let free = std::iter::once(name.clone()).chain(numbered).find(|name| taken.insert(name.clone()));
            free.expect("there is always a next number")
        };
        Names(names.map(|name| distinct(identifier(name))).collect())
    }

    pub(super) fn kind(&self, number: usize) -> &str {
        &self.0[number]
    }
}

/// Whether that is the name of a row.
pub(super) fn is_row(name: &str) -> bool {
    name == "filled" || ROWS.iter().any(|row| name.starts_with(row))
}

/// A name in one line that shows as what it is: no control characters, none that turn the direction of the line.
pub(super) fn plain(name: &str) -> String {
    let is_plain = |c: char| {
        !c.is_control() && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    name.chars().map(|c| if is_plain(c) { c } else { '?' }).collect()
}

fn identifier(name: &str) -> String {
    let mut identifier = String::new();
    for character in name.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' => identifier.push(character),
            _ if identifier.ends_with('_') => {}
            _ => identifier.push('_'),
        }
        if identifier.len() == LONGEST {
            break;
        }
    }
    let identifier = identifier.trim_matches('_');
    let is_safe = identifier.starts_with(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E'));
    if is_safe && !is_row(&format!("{identifier}_")) { identifier.to_owned() } else { format!("p_{identifier}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_whatever_the_piece_is_called() {
        let names = [
            "V", "e5", "Edge", "5", "", "🧩", "a b", "a-b", "a_b_2", "st", "cell", "count_x", "cells", "x\ny", "p_",
            "é",
        ];
        let expected = [
            "V",
            "p_e5",
            "p_Edge",
            "p_5",
            "p_",
            "p__2",
            "a_b",
            "a_b_2",
            "a_b_2_2",
            "st",
            "p_cell",
            "p_count_x",
            "cells",
            "x_y",
            "p",
            "p__3",
        ];
        let Names(made) = Names::new(names.into_iter());
        assert_eq!(made, expected);
        assert_eq!(identifier(&"x".repeat(1000)).len(), LONGEST);
    }

    #[test]
    fn a_name_cannot_end_its_comment() {
        assert_eq!(plain("a\nEnd\u{202e}\u{85}b"), "a?End??b");
    }
}
