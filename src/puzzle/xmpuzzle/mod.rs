//! BurrTools files (`.xmpuzzle`): shapes, and problems made of them, with the solutions that BurrTools stored.
//!
//! A file is XML, mostly packed with gzip (`crate::gzip` unpacks it). Shapes are numbered from 0; a problem lists the
//! shapes that are its pieces and the one that is their goal, so that each problem is a [`Puzzle`]. Pieces are numbered
//! too, copy by copy in the order of the list: that is how stored solutions name them.

mod problem;
mod read;
mod shape;
mod stored;
mod turns;
mod write;
mod xml;

use std::collections::BTreeSet;
use std::fmt;

use super::Puzzle;
use super::assembly::Placement;
use super::grid::Cell;
use super::parse::ParseError;
use super::piece::PieceId;

pub use read::read;
pub use write::{WriteError, Written, write};

/// What is in a BurrTools file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BurrFile {
    /// What the shapes are made of.
    pub grid: Grid,
    /// The shapes by number.
    pub shapes: Vec<ShapeLine>,
    /// The problems, in their order.
    pub problems: Vec<Problem>,
    /// The text that goes with the file; empty when there is none.
    pub comment: String,
    /// Whether BurrTools shows that text when it opens the file.
    pub pops_up: bool,
    /// What of the file belongs to none of these, a clause each.
    pub left_out: Vec<String>,
}

/// What shapes are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// Cubes.
    Cubes,
    /// Equilateral triangular prisms, stacked.
    Prisms,
    /// Close-packed spheres.
    Spheres,
    /// Cubes cut into 24 tetrahedra each.
    Rhombic,
    /// Tetrahedra and octahedra.
    TetraOctahedral,
}

impl BurrFile {
    /// What the problems are called, those without a name `problem` and their number from 1.
    pub fn names(&self) -> Vec<String> {
        let name = |(index, problem): (usize, &Problem)| match problem.name.is_empty() {
            true => format!("problem {}", index + 1),
            false => problem.name.clone(),
        };
        self.problems.iter().enumerate().map(name).collect()
    }
}

impl Grid {
    const ALL: [Grid; 5] = [Grid::Cubes, Grid::Prisms, Grid::Spheres, Grid::Rhombic, Grid::TetraOctahedral];
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Grid::Cubes => "cubes",
            Grid::Prisms => "triangular prisms",
            Grid::Spheres => "spheres",
            Grid::Rhombic => "rhombic tetrahedra",
            Grid::TetraOctahedral => "tetrahedra and octahedra",
        })
    }
}

/// What there is to say of a shape, whatever it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeLine {
    /// The name in the file, else `S` and its number from 1, as BurrTools shows it.
    pub name: String,
    /// The size of its box, along x, y, z.
    pub size: [i32; 3],
    /// Cells that are filled.
    pub filled: usize,
    /// Cells that may be empty.
    pub variable: usize,
}

/// A problem of a BurrTools file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The name in the file; empty when it has none.
    pub name: String,
    /// The puzzle, or why it is none that this program can solve.
    pub puzzle: Result<Puzzle, ParseError>,
    /// The piece of each piece number.
    pub pieces: Vec<PieceId>,
    /// What BurrTools found.
    pub stored: Stored,
    /// What is wrong with what it stored, if anything; solutions from there on are not [kept](Stored::kept).
    pub broken: Option<ParseError>,
    /// What the puzzle leaves out of the file, a clause each.
    pub left_out: Vec<String>,
    /// The numbers of the shapes that it does not use.
    pub unused: BTreeSet<usize>,
}

/// What BurrTools found when it solved a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// How far it came.
    pub state: State,
    /// How many assemblies it found.
    pub assemblies: Option<u64>,
    /// How many of them come apart; 0 when that was not asked.
    pub solutions: Option<u64>,
    /// How long it took, in whole seconds.
    pub seconds: Option<u64>,
    /// The solutions that are kept, often fewer than were found.
    pub kept: Vec<Kept>,
}

/// How far BurrTools came with a problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// It did not begin.
    #[default]
    Unsolved,
    /// It was interrupted; its counts are partial.
    Interrupted,
    /// Its counts are final.
    Solved,
    /// The problem was changed afterwards; its counts mean nothing.
    Unknown,
}

/// A stored solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its number among all assemblies, from 0.
    pub assembly_number: u64,
    /// Its number among those that come apart, from 0.
    pub solution_number: u64,
    /// Where each piece lies, by piece number; `None` for a copy that is not used.
    pub placements: Vec<Option<Placement>>,
    /// How it comes apart.
    pub apart: Apart,
}

/// How a stored solution comes apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apart {
    /// Nothing is said.
    Unsaid,
    /// The moves.
    Moves(Separation),
    /// Only how many: states of each step, the staying part, then the removed one; 0 where there is none.
    Counts(Vec<u32>),
}

/// A step of taking apart: some pieces move until one part is away from the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Separation {
    /// The numbers of the pieces that are still together.
    pub pieces: Vec<usize>,
    /// The [offset](Placement::offset) of each of these pieces, at least two times; in the last state the part that is
    /// away is further than 10,000 cells off.
    pub states: Vec<Vec<Cell>>,
    /// How the staying part comes apart further.
    pub left: Option<Box<Separation>>,
    /// How the removed part does.
    pub removed: Option<Box<Separation>>,
}
