//! What decides in a packing beside the cells, and which assemblies count as one.

use std::collections::{BTreeMap, BTreeSet};

use super::colour::Colour;
use super::grid::{Cell, Orientation};
use super::look::Look;
use super::piece::{Piece, PieceId};

/// What decides in a packing beside the cells. The default decides nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackingRules {
    /// Equal pieces that are listed apart are told apart: exchanging them makes another assembly, as BurrTools counts.
    pub equal_apart: bool,
    /// At most so many cells that may stay empty do.
    pub most_empty: Option<u32>,
    /// Tinted cells and where they may lie.
    pub tints: Tints,
    /// How heavy pieces are that do not weigh 1; the heaviest stays where it is when the puzzle is taken apart.
    pub weights: BTreeMap<PieceId, i32>,
    /// Which assemblies count as one.
    pub merge: Merge,
}

/// Which assemblies count as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Merge {
    /// Those that a rotation or a mirror carries into each other, where the pieces are there for both.
    #[default]
    Mirrors,
    /// Those that a rotation of the whole carries into each other.
    Rotations,
    /// None: each counts by itself.
    Nothing,
}

/// A tint by its place in [`Tints::palette`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TintId(pub u8);

/// Cells of pieces and of the target that are tinted, so that not every piece may lie everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tints {
    /// What the tints look like.
    pub palette: Vec<Colour>,
    /// The tinted cells of pieces, in the frame of the shape.
    pub pieces: BTreeMap<(PieceId, Cell), TintId>,
    /// The tinted cells of the target.
    pub target: BTreeMap<Cell, TintId>,
    /// A cell of a piece in the first tint may lie on a cell of the target in the second. Bare cells may lie anywhere,
    /// and on a bare cell any may lie.
    pub pairs: BTreeSet<(TintId, TintId)>,
}

impl Tints {
    /// The most tints that there may be.
    pub const MOST: usize = 63;

    /// Whether two pieces look the same, so that it makes a difference whether they are told apart.
    pub fn leave_equal(&self, pieces: &[Piece]) -> bool {
        let look = |(index, piece): (usize, &Piece)| {
            let own = Look::of_piece(PieceId(index), &piece.shape, self);
            Orientation::all().map(|orientation| own.turned(orientation, false)).min()
        };
        // Turning takes long where there are very many cells, so that only pieces of one volume are turned.
        let mut of_volume: BTreeMap<usize, Vec<(usize, &Piece)>> = BTreeMap::new();
        for (index, piece) in pieces.iter().enumerate() {
            of_volume.entry(piece.shape.cells().len()).or_default().push((index, piece));
        }
        of_volume.into_values().filter(|alike| alike.len() > 1).any(|alike| {
            let count = alike.len();
            alike.into_iter().map(look).collect::<BTreeSet<_>>().len() < count
        })
    }

    /// Whether a cell of a piece may lie on a cell of the target.
    pub fn allows(&self, piece: Option<TintId>, target: Option<TintId>) -> bool {
        piece.zip(target).is_none_or(|pair| self.pairs.contains(&pair))
    }
}
