//! The puzzles built into the program: the files of `puzzles/`, by name.

/// Name and puzzle file of each, sorted by name.
pub const COLLECTION: [(&str, &str); 39] = [
    ("4d-sudoku", include_str!("../puzzles/4d-sudoku.toml")),
    ("artifactory-5-4", include_str!("../puzzles/artifactory-5-4.toml")),
    ("bedlam", include_str!("../puzzles/bedlam.toml")),
    ("blue-burr", include_str!("../puzzles/blue-burr.toml")),
    ("burr-305", include_str!("../puzzles/burr-305.toml")),
    ("burr-without-voids", include_str!("../puzzles/burr-without-voids.toml")),
    ("chinese-cross", include_str!("../puzzles/chinese-cross.toml")),
    ("computers-choice-unique-10", include_str!("../puzzles/computers-choice-unique-10.toml")),
    ("conway", include_str!("../puzzles/conway.toml")),
    ("diabolical-structure", include_str!("../puzzles/diabolical-structure.toml")),
    ("double-cross", include_str!("../puzzles/double-cross.toml")),
    ("great-tantalizer", include_str!("../puzzles/great-tantalizer.toml")),
    ("hoffmann-burr", include_str!("../puzzles/hoffmann-burr.toml")),
    ("instant-insanity", include_str!("../puzzles/instant-insanity.toml")),
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
    ("philippe-dubois-burr", include_str!("../puzzles/philippe-dubois-burr.toml")),
    ("piston-burr", include_str!("../puzzles/piston-burr.toml")),
    ("six-way-set", include_str!("../puzzles/six-way-set.toml")),
    ("slothouber-graatsma", include_str!("../puzzles/slothouber-graatsma.toml")),
    ("soma", include_str!("../puzzles/soma.toml")),
    ("soma-bathtub", include_str!("../puzzles/soma-bathtub.toml")),
    ("soma-crystal", include_str!("../puzzles/soma-crystal.toml")),
    ("soma-sofa", include_str!("../puzzles/soma-sofa.toml")),
    ("steinhaus", include_str!("../puzzles/steinhaus.toml")),
    ("stretched-burr", include_str!("../puzzles/stretched-burr.toml")),
    ("tenyo-brother", include_str!("../puzzles/tenyo-brother.toml")),
    ("tetris-cube", include_str!("../puzzles/tetris-cube.toml")),
    ("tick-4", include_str!("../puzzles/tick-4.toml")),
    ("y-pentominoes", include_str!("../puzzles/y-pentominoes.toml")),
    ("yamato-block", include_str!("../puzzles/yamato-block.toml")),
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
