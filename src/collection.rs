//! The puzzles built into the program: the files of `puzzles/`, by name.

/// Name and puzzle file of each, sorted by name.
pub const COLLECTION: [(&str, &str); 28] = [
    ("4d-sudoku", include_str!("../puzzles/4d-sudoku.toml")),
    ("bedlam", include_str!("../puzzles/bedlam.toml")),
    ("blue-burr", include_str!("../puzzles/blue-burr.toml")),
    ("burr-without-voids", include_str!("../puzzles/burr-without-voids.toml")),
    ("conway", include_str!("../puzzles/conway.toml")),
    ("great-tantalizer", include_str!("../puzzles/great-tantalizer.toml")),
    ("instant-insanity", include_str!("../puzzles/instant-insanity.toml")),
    ("key-burr", include_str!("../puzzles/key-burr.toml")),
    ("keyless-burr", include_str!("../puzzles/keyless-burr.toml")),
    ("loves-dozen", include_str!("../puzzles/loves-dozen.toml")),
    ("mayblox", include_str!("../puzzles/mayblox.toml")),
    ("pentominoes-2x3x10", include_str!("../puzzles/pentominoes-2x3x10.toml")),
    ("pentominoes-2x5x6", include_str!("../puzzles/pentominoes-2x5x6.toml")),
    ("pentominoes-3x20", include_str!("../puzzles/pentominoes-3x20.toml")),
    ("pentominoes-3x4x5", include_str!("../puzzles/pentominoes-3x4x5.toml")),
    ("pentominoes-4x15", include_str!("../puzzles/pentominoes-4x15.toml")),
    ("pentominoes-5x12", include_str!("../puzzles/pentominoes-5x12.toml")),
    ("pentominoes-6x10", include_str!("../puzzles/pentominoes-6x10.toml")),
    ("pentominoes-8x8", include_str!("../puzzles/pentominoes-8x8.toml")),
    ("slothouber-graatsma", include_str!("../puzzles/slothouber-graatsma.toml")),
    ("soma", include_str!("../puzzles/soma.toml")),
    ("soma-bathtub", include_str!("../puzzles/soma-bathtub.toml")),
    ("soma-crystal", include_str!("../puzzles/soma-crystal.toml")),
    ("soma-sofa", include_str!("../puzzles/soma-sofa.toml")),
    ("steinhaus", include_str!("../puzzles/steinhaus.toml")),
    ("tetris-cube", include_str!("../puzzles/tetris-cube.toml")),
    ("tick-4", include_str!("../puzzles/tick-4.toml")),
    ("y-pentominoes", include_str!("../puzzles/y-pentominoes.toml")),
];

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
