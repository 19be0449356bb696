//! A piece: a set of cells with optional marks on its exposed squares.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::colour::Colour;
use super::grid::{Orientation, Shape, Square, Turn};

/// The number of a piece in its puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(pub usize);

/// A digit or other text on a square, or a colour with the symbol that tells it from others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    /// What is written; never empty.
    pub text: String,
    /// How it is turned on its side. Of a colour it says only how the symbol is drawn.
    pub turn: Turn,
    /// The colour of the whole square; `None` for a digit, which stands on the colour of the body.
    pub paint: Option<Colour>,
}

impl Mark {
    /// A digit or other text, so turned.
    pub fn new(text: impl Into<String>, turn: Turn) -> Mark {
        Mark { text: text.into(), turn, paint: None }
    }

    /// The colour of the square around it, on a body of that colour.
    pub fn ground(&self, body: Colour) -> Colour {
        self.paint.unwrap_or(body)
    }
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
    /// The marks after turning the piece about the origin, in the turned frame. Colours stay upright: they look the same
    /// however they are turned.
    pub fn marks_turned(&self, orientation: Orientation) -> BTreeMap<Square, Mark> {
        let turned = |(square, mark): (&Square, &Mark)| {
            let (side, turn) = orientation.mark(square.side, mark.turn);
            let turn = if mark.paint.is_some() { Turn::Upright } else { turn };
            (Square { cell: orientation.turn(square.cell), side }, Mark { turn, ..mark.clone() })
        };
        self.marks.iter().map(turned).collect()
    }
}
