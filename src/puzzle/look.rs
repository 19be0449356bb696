//! What a piece looks like as it lies: its cells, and the tint of each.

use std::collections::BTreeSet;

use super::grid::{Cell, Orientation, Shape};
use super::packing_rules::{TintId, Tints};
use super::piece::PieceId;

/// Cells from the corner of the box around them, sorted, each with its tint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Look(Vec<(Cell, Option<TintId>)>);

impl Look {
    /// A piece as it stands in its file.
    pub fn of_piece(id: PieceId, shape: &Shape, tints: &Tints) -> Look {
        Look::new(shape.cells().iter().map(|&cell| (cell, tints.pieces.get(&(id, cell)).copied())))
    }

    fn new(cells: impl Iterator<Item = (Cell, Option<TintId>)>) -> Look {
        let mut cells: Vec<(Cell, Option<TintId>)> = cells.collect();
        let corner = cells.iter().map(|cell| cell.0).reduce(Cell::least).unwrap_or_default();
        cells.iter_mut().for_each(|cell| cell.0 = cell.0 - corner);
        cells.sort_unstable();
        Look(cells)
    }

    /// The cells, each with its tint.
    pub fn cells(&self) -> &[(Cell, Option<TintId>)] {
        &self.0
    }

    /// The look turned, after a mirror where that is asked.
    pub fn turned(&self, orientation: Orientation, is_mirror: bool) -> Look {
        Look::new(self.0.iter().map(|&(cell, tint)| (turned(cell, orientation, is_mirror), tint)))
    }

    /// Every way that it can be turned and looks different, in order.
    pub fn all(&self) -> BTreeSet<Look> {
        Orientation::all().map(|orientation| self.turned(orientation, false)).collect()
    }

    /// The size of the box around it.
    pub fn size(&self) -> Cell {
        self.0.iter().map(|cell| cell.0).fold(Cell::ZERO, Cell::most) + Cell::new(1, 1, 1)
    }
}

/// A cell turned about the origin, after a mirror where that is asked.
pub fn turned(cell: Cell, orientation: Orientation, is_mirror: bool) -> Cell {
    orientation.turn(if is_mirror { Cell::new(-cell.x, cell.y, cell.z) } else { cell })
}
