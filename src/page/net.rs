//! The net of a piece as numbers, from which the viewer draws it.

use std::collections::BTreeMap;

use crate::net::unfold::{self, Crease, Edge, unfold};
use crate::puzzle::grid::Square;
use crate::puzzle::piece::Piece;

/// A part of a net: its squares.
pub(super) type Part = Vec<Tile>;

/// Number of the square, column, row, quarter turns of its mark counter-clockwise on the sheet, and a letter for each edge
/// from the top counter-clockwise: mountain, flat, valley, cut.
pub(super) type Tile = (usize, i32, i32, u8, String);

/// The parts of the net.
pub(super) fn parts(piece: &Piece) -> Vec<Part> {
    let numbers: BTreeMap<Square, usize> = piece.shape.exposed().enumerate().map(|(k, square)| (square, k)).collect();
    let tile = |tile: &unfold::Tile| {
        let turn = piece.marks.get(&tile.square).map_or(0, |mark| tile.turn_on_sheet(mark.turn) as u8);
        (numbers[&tile.square], tile.column, tile.row, turn, tile.edges.map(letter).iter().collect())
    };
    unfold(&piece.shape).parts().iter().map(|part| part.tiles.iter().map(tile).collect()).collect()
}

fn letter(edge: Edge) -> char {
    match edge {
        Edge::Fold(Crease::Mountain) => 'm',
        Edge::Fold(Crease::Flat) => 'f',
        Edge::Fold(Crease::Valley) => 'v',
        Edge::Tab { .. } | Edge::Bare { .. } => 'c',
    }
}
