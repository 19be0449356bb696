//! Where the pieces lie: what the solver finds and everything downstream works on.

use super::grid::{Cell, Orientation, Shape};
use super::piece::PieceId;

/// A piece, turned and moved: cell `c` of the piece comes to lie at `orientation.turn(c) + offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// Which piece of the puzzle.
    pub piece: PieceId,
    /// How it is turned about the origin of its own frame.
    pub orientation: Orientation,
    /// How it is then moved, in cells.
    pub offset: Cell,
}

impl Placement {
    /// The cells that the piece fills, in the order of the cells of its shape.
    pub fn cells(&self, shape: &Shape) -> impl Iterator<Item = Cell> {
        shape.cells().iter().map(|&cell| self.orientation.turn(cell) + self.offset)
    }
}

/// Placements that fill the target and keep every rule, in the order of their pieces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Assembly {
    /// One a piece used.
    pub placements: Vec<Placement>,
}

impl Assembly {
    /// How many of that piece it takes.
    pub fn count(&self, piece: PieceId) -> usize {
        self.placements.iter().filter(|placement| placement.piece == piece).count()
    }
}
