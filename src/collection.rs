//! The puzzles built into the program: the files of `puzzles/`, by name.

/// Name and puzzle file of each, sorted by name.
pub const COLLECTION: [(&str, &str); 1] = [("4d-sudoku", include_str!("../puzzles/4d-sudoku.toml"))];

/// The puzzle file of that name.
pub fn find(name: &str) -> Option<&'static str> {
    COLLECTION.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{file_names::slug, puzzle::parse::parse};

    #[test]
    fn every_built_in_puzzle_is_right_and_named_after_itself() {
        assert!(COLLECTION.is_sorted());
        for (name, text) in COLLECTION {
            assert_eq!(slug(&parse(text).expect(name).name), name);
        }
    }
}
