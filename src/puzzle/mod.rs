//! What a puzzle is, in cells: grid, pieces, marks, rules, placements. No floating point, no file system.

pub mod assembly;
pub mod burr;
mod check_rules;
pub mod colour;
pub mod corner;
pub mod grid;
pub mod groups;
pub mod look;
pub mod moves;
pub mod packing_rules;
pub mod parse;
mod parse_burr;
mod parse_cubies;
mod parse_groups;
mod parse_packing;
mod parse_palette;
mod parse_pieces;
mod parse_rules;
pub mod piece;
pub mod rules;
pub mod settings;
mod table;
pub mod write;
pub mod xmpuzzle;

use std::collections::{BTreeMap, BTreeSet};

use grid::{Cell, Side};
use look::Look;
use piece::{Piece, PieceId};
use rules::Rules;
use settings::Settings;

/// A puzzle, as its file describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// What people call it.
    pub name: String,
    /// Who made it, and where the file has its facts from.
    pub credits: Credits,
    /// The cells to fill.
    pub target: Target,
    /// The kinds of piece, in the order of the file; a mirror twin right behind its piece.
    pub pieces: Vec<Piece>,
    /// What decides beside filling the target.
    pub rules: Rules,
    /// How the pieces are to be made.
    pub settings: Settings,
}

impl Puzzle {
    /// The piece of that number.
    ///
    /// # Panics
    /// When the number is not one of this puzzle's.
    pub fn piece(&self, id: PieceId) -> &Piece {
        &self.pieces[id.0]
    }

    /// What that piece looks like as it stands in its file.
    pub fn look(&self, id: PieceId) -> Look {
        Look::of_piece(id, &self.piece(id).shape, &self.rules.packing.tints)
    }

    /// The numbers of the pieces, in order.
    pub fn ids(&self) -> impl Iterator<Item = PieceId> + use<> {
        (0..self.pieces.len()).map(PieceId)
    }

    /// Whether anything stands on the squares of some piece.
    pub fn has_marks(&self) -> bool {
        self.pieces.iter().any(|piece| !piece.marks.is_empty())
    }

    /// Whether nothing but the cells decides which assemblies there are. What stands on the squares of polycubes are
    /// labels.
    pub fn is_packing(&self) -> bool {
        let is_bare = |piece: &Piece| piece.marks.is_empty() || piece.shape.cells().len() > 1;
        self.rules.are_of_packing() && self.pieces.iter().all(is_bare)
    }
}

/// Who made a puzzle and where its facts come from; every line is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credits {
    /// Who invented it.
    pub author: Option<String>,
    /// When, as written: `2007/8`.
    pub year: Option<String>,
    /// Where the data come from.
    pub source: Option<String>,
    /// Under which terms the puzzle may be used.
    pub licence: Option<String>,
    /// Anything else a reader should know.
    pub notes: Option<String>,
    /// What is known of its solutions.
    pub known: Known,
}

/// What is known of the solutions of a puzzle, as its file states it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// How many there are, counted as `solve` counts them.
    pub solutions: Option<u64>,
    /// How many assemblies differ to the eye.
    pub raw: Option<u64>,
    /// About how many nodes a search for all of them has: how hard the puzzle is for a computer.
    pub nodes: Option<u64>,
}

/// The cells to fill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Cells that must be filled.
    pub filled: BTreeSet<Cell>,
    /// Cells that may stay empty.
    pub optional: BTreeSet<Cell>,
    /// The size of the box around them; every cell has coordinates from 0 to below this.
    pub size: Cell,
}

impl Target {
    /// A box of this size, to be filled wholly.
    pub fn full_box(size: Cell) -> Target {
        Target { filled: Cell::of_box(size).collect(), optional: BTreeSet::new(), size }
    }

    /// The cells that one sees who looks straight at a side of the whole: the outermost of each line.
    pub fn seen_from(&self, side: Side) -> impl Iterator<Item = Cell> {
        let mut outermost: BTreeMap<Cell, Cell> = BTreeMap::new();
        for &cell in &self.filled {
            let step = side.step();
            let flat = Cell::new(cell.x * (1 - step.x.abs()), cell.y * (1 - step.y.abs()), cell.z * (1 - step.z.abs()));
            let seen = outermost.entry(flat).or_insert(cell);
            // Cells come in order of their coordinates.
            if side.is_positive() {
                *seen = cell;
            }
        }
        outermost.into_values()
    }
}
