//! A piece: a set of cells with optional marks on its exposed squares.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::colour::Colour;
use super::grid::{Orientation, Shape, Square, Turn};

/// The number of a piece in its puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(pub usize);

/// A digit or other text on a square. Two marks are the same when text and turn are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    /// What is written; never empty.
    pub text: String,
    /// How it is turned on its side.
    pub turn: Turn,
}

/// One kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The name, as written in the puzzle file.
    pub name: String,
    /// The colour of its body.
    pub colour: Colour,
    /// Its cells, in its own frame.
    pub shape: Shape,
    /// What stands on its exposed squares; a square that is not listed is blank.
    pub marks: BTreeMap<Square, Mark>,
    /// How many of it are used; of a piece with a mirror twin, how many of both together.
    pub count: RangeInclusive<u32>,
    /// The piece whose mirror image this is, where the file lets that piece be mirrored. A mirror image is another
    /// solid, so it is a piece of its own; its copies are counted with those of the first.
    pub twin_of: Option<PieceId>,
}

impl Piece {
    /// The marks after turning the piece about the origin, in the turned frame.
    pub fn marks_turned(&self, orientation: Orientation) -> BTreeMap<Square, Mark> {
        let turned = |(square, mark): (&Square, &Mark)| {
            let (side, turn) = orientation.mark(square.side, mark.turn);
            (Square { cell: orientation.turn(square.cell), side }, Mark { text: mark.text.clone(), turn })
        };
        self.marks.iter().map(turned).collect()
    }
}
