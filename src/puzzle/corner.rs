//! From which corner an assembly is best looked at.

use std::collections::BTreeSet;

use super::Puzzle;
use super::assembly::{Assembly, Placement};
use super::grid::{Cell, Side, Square};

/// One of the four upright edges around which somebody sees two sides of an assembly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Corner {
    /// The usual one.
    #[default]
    FrontRight,
    /// A quarter turn counter-clockwise from it, as seen from above.
    BackRight,
    /// Across.
    BackLeft,
    /// A quarter turn clockwise.
    FrontLeft,
}

impl Corner {
    /// All four, counter-clockwise.
    pub const ALL: [Corner; 4] = [Corner::FrontRight, Corner::BackRight, Corner::BackLeft, Corner::FrontLeft];

    /// Quarter turns counter-clockwise from the front right.
    pub const fn quarters(self) -> usize {
        self as usize
    }

    /// As one says it.
    pub const fn name(self) -> &'static str {
        ["front right", "back right", "back left", "front left"][self as usize]
    }

    /// What is seen beside the top.
    const fn sides(self) -> [Side; 2] {
        [[Side::Front, Side::Right], [Side::Right, Side::Back], [Side::Back, Side::Left], [Side::Left, Side::Front]]
            [self as usize]
    }
}

/// The corner from which most marks are seen; the usual one where it makes no difference.
pub fn best_corner(puzzle: &Puzzle, shown: &Assembly) -> Corner {
    let filled: BTreeSet<Cell> =
        shown.placements.iter().flat_map(|place| place.cells(&puzzle.piece(place.piece).shape)).collect();
    let marks = |corner: Corner| {
        let is_seen = |place: &Placement, square: &Square| {
            let beside = square.cell + place.offset + square.side.step();
            corner.sides().contains(&square.side) && !filled.contains(&beside)
        };
        let of = |place: &Placement| {
            let squares = puzzle.piece(place.piece).marks_turned(place.orientation);
            squares.keys().filter(|square| is_seen(place, square)).count()
        };
        shown.placements.iter().map(of).sum::<usize>()
    };
    Corner::ALL.into_iter().max_by_key(|&corner| (marks(corner), std::cmp::Reverse(corner))).unwrap_or_default()
}
