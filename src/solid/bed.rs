//! How a piece is best laid on the bed of a printer.

use std::cmp::Reverse;

use super::lettering::Lettering;
use super::model::Model;
use super::scene::{Scene, Transform};
use crate::puzzle::grid::{Orientation, Side, Square};
use crate::puzzle::piece::Piece;

/// The turn and shift that lay a piece on z = 0, its middle over the origin: on the side with the most squares; of those
/// on a blank one, or on the one whose digits have the fewest contours; as it stands in its frame where that is as good.
pub fn on_bed(piece: &Piece, model: &Model, lettering: &Lettering) -> Transform {
    let contours = |square: &Square| {
        let name = lettering.name(&piece.name).filter(|(field, _)| field.square() == *square);
        let mark = piece.marks.get(square).map_or(0, |mark| lettering.contours(&mark.text));
        mark + usize::from(name.is_some())
    };
    let down = down_side(piece, contours);
    let rotation = Orientation::all().find(|turn| turn.side(down) == Side::Bottom).unwrap_or_default();
    let mut scene = Scene::of_piece(piece, model);
    scene.instances[0].transform.rotation = rotation;
    Transform { rotation, translation: scene.to_bed() }
}

/// The side that a piece is best laid on, when its squares have that many contours.
pub(super) fn down_side(piece: &Piece, contours: impl Fn(&Square) -> usize) -> Side {
    let rank = |&side: &Side| {
        let depth = |square: &Square| {
            let along = square.cell.along(side.axis());
            if side.is_positive() { along } else { -along }
        };
        let squares: Vec<_> = piece.shape.exposed().filter(|square| square.side == side).collect();
        let lowest = squares.iter().map(depth).max();
        let standing = || squares.iter().filter(|&square| Some(depth(square)) == lowest);
        let contours: usize = standing().map(&contours).sum();
        (Reverse(standing().count()), contours, side != Side::Bottom)
    };
    Side::ALL.into_iter().min_by_key(rank).unwrap_or(Side::Bottom)
}
