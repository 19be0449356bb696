//! Takes assemblies apart, in moves: which sets of pieces go where until every piece is alone.
//!
//! How far one piece can go before it meets another comes from tables (`pairs`); what can move in one state of the
//! pieces follows from those (`blocking`). Breadth first over the states (`states`) the first separation is found, then
//! those of both parts (`tree`); or the best of all separations (`thorough`). The tree of separations is at last laid out
//! as moves one after the other (`way`). Only straight moves by whole cells are known, and pieces never turn.

mod blocking;
mod front;
mod pairs;
mod states;
mod thorough;
mod tree;
mod way;

use std::fmt;
use std::ops::ControlFlow;

use crate::puzzle::Puzzle;
use crate::puzzle::assembly::Assembly;
use crate::puzzle::grid::Cell;
use crate::puzzle::groups;
use crate::puzzle::moves::{Level, WayApart};
use crate::puzzle::piece::PieceId;
use blocking::{Blocking, MOST_PIECES, Part};
use pairs::Pairs;
use tree::{Ending, Room};

/// How to search, and how long.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// How separations are chosen.
    pub method: Method,
    /// At most this many states are looked at for one assembly, and kept for one part of it; of six pieces each takes
    /// about 20 bytes of memory.
    pub most_states: u64,
    /// Called now and then; the search stops when it breaks.
    pub watch: &'a (dyn Fn() -> ControlFlow<()> + Sync),
}

impl Effort<'_> {
    /// As many states as are enough for almost any assembly, and half a gigabyte or so of memory on each thread.
    pub const MOST_STATES: u64 = 20_000_000;
}

/// How separations are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The first separation found in the fewest moves is taken and never given up, as in BurrTools; levels and counts
    /// agree with those of that program.
    #[default]
    First,
    /// The way with the fewest moves in all, over all orders of separations. The same assemblies come apart.
    Thorough,
}

/// What became of an assembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It comes apart.
    Apart(WayApart),
    /// It does not.
    Locked {
        /// After how many moves it separates into two parts one of which is then stuck; `None` when nothing comes off,
        /// or when all orders of separations were tried.
        separates: Option<u32>,
    },
    /// It was not found out.
    Unknown(Unknown),
}

impl Verdict {
    /// The way apart, if there is one.
    pub fn way(&self) -> Option<&WayApart> {
        match self {
            Verdict::Apart(way) => Some(way),
            _ => None,
        }
    }
}

/// Why it was not found out whether an assembly comes apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// It was stopped.
    Stopped,
    /// It has more states than were allowed.
    ManyStates,
    /// It has more pieces than can be taken apart.
    ManyPieces,
    /// In one of its states the pieces can move in more ways than can be followed.
    ManyMoves,
    /// Its pieces move further than can be followed.
    FarMoves,
    /// Which copies may stay together in which group is more than can be followed.
    GroupLimits,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Stopped => f.write_str("it was stopped"),
            Unknown::ManyStates => f.write_str("it has more states than were allowed; raise --max-states"),
            Unknown::ManyPieces => write!(f, "it has more than {MOST_PIECES} pieces"),
            Unknown::ManyMoves => f.write_str("its pieces can move together in more ways than can be followed"),
            Unknown::FarMoves => f.write_str("its pieces move further than 127 cells"),
            Unknown::GroupLimits => {
                f.write_str("its groups take so many copies only, in more ways than can be followed")
            }
        }
    }
}

/// States that a search keeps, and how many bytes of memory they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kept {
    /// How many states of the pieces.
    pub states: u64,
    /// With their places in the tree, and the table that finds them.
    pub bytes: u64,
}

/// Takes one assembly apart.
pub fn disassemble(puzzle: &Puzzle, assembly: &Assembly, effort: &Effort<'_>) -> Verdict {
    Disassembler::new(puzzle).take_apart(assembly, effort)
}

/// Takes assemblies of one puzzle apart; what is learnt of its pieces is kept from one to the next.
pub struct Disassembler<'a> {
    puzzle: &'a Puzzle,
    pairs: Pairs,
    blocking: Blocking,
    room: Room,
    /// States looked at so far.
    states: u64,
    deepest: Kept,
}

impl<'a> Disassembler<'a> {
    /// For the assemblies of that puzzle.
    pub fn new(puzzle: &'a Puzzle) -> Disassembler<'a> {
        Disassembler {
            puzzle,
            pairs: Pairs::default(),
            blocking: Blocking::default(),
            room: Room::default(),
            states: 0,
            deepest: Kept::default(),
        }
    }

    /// States looked at so far, over all assemblies.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// What the search for one separation kept, of all so far the one that kept the most states.
    pub fn deepest(&self) -> Kept {
        self.deepest
    }

    /// Takes one apart.
    pub fn take_apart(&mut self, assembly: &Assembly, effort: &Effort<'_>) -> Verdict {
        let count = assembly.placements.len();
        if count > MOST_PIECES {
            return Verdict::Unknown(Unknown::ManyPieces);
        }
        // All cells may stay empty, and all pieces be left out.
        if count == 0 {
            return Verdict::Apart(WayApart { steps: Vec::new(), level: Level(vec![0]), together: Vec::new() });
        }
        if self.pairs.is_full() {
            // The numbers of the tables begin anew, and what was found by them is of no use.
            (self.pairs, self.blocking) = (Pairs::default(), Blocking::default());
        }
        let turned: Vec<(usize, Cell)> =
            assembly.placements.iter().map(|placement| self.pairs.turned(self.puzzle, placement)).collect();
        self.pairs.prepare(&turned);
        let mut search = Search {
            puzzle: self.puzzle,
            assembly,
            turned: &turned,
            pairs: &self.pairs,
            effort,
            blocking: &mut self.blocking,
            room: &mut self.room,
            together: Vec::new(),
            looked: 0,
            deepest: Kept::default(),
        };
        let all: Vec<usize> = (0..count).collect();
        let start = vec![[0; 3]; count];
        let ending = match effort.method {
            Method::First => search.part(all, &start),
            Method::Thorough => search.part_thorough(&all, &start),
        };
        let looked = search.looked;
        self.states += looked;
        self.deepest = self.deepest.max(search.deepest);
        match ending {
            Ok(Ending::Done(branch)) => {
                let boxes = turned.iter().map(|&(number, corner)| (corner, self.pairs.size(number))).collect();
                Verdict::Apart(way::lay_out(&branch, boxes))
            }
            Ok(Ending::Stuck { separates }) => Verdict::Locked { separates },
            Err(unknown) => Verdict::Unknown(unknown),
        }
    }
}

/// One assembly on its way apart.
struct Search<'a> {
    puzzle: &'a Puzzle,
    assembly: &'a Assembly,
    /// The placements: which turned piece, and the corner of its box.
    turned: &'a [(usize, Cell)],
    pairs: &'a Pairs,
    effort: &'a Effort<'a>,
    blocking: &'a mut Blocking,
    room: &'a mut Room,
    /// The sets found so far that cannot be parted.
    together: Vec<Vec<PieceId>>,
    looked: u64,
    deepest: Kept,
}

impl Search<'_> {
    /// Makes those placements a part of their own.
    fn lay(&self, part: &mut Part, pieces: &[usize]) {
        part.corners.clear();
        part.sizes.clear();
        part.tables.clear();
        part.row = [0; 3];
        for (at, &first) in pieces.iter().enumerate() {
            let (number, corner) = self.turned[first];
            let size = self.pairs.size(number).coordinates();
            part.corners.push(corner.coordinates());
            part.sizes.push(size);
            (0..3).for_each(|axis| part.row[axis] += size[axis]);
            part.tables.extend(pieces[at + 1..].iter().map(|&second| self.pairs.number(number, self.turned[second].0)));
        }
    }

    /// Counts a state, and stops when it is one too many.
    fn count_state(&mut self) -> Result<(), Unknown> {
        self.looked += 1;
        if self.looked > self.effort.most_states {
            return Err(Unknown::ManyStates);
        }
        if self.looked.is_multiple_of(256) && (self.effort.watch)().is_break() {
            return Err(Unknown::Stopped);
        }
        Ok(())
    }

    /// Which pieces those placements are of.
    fn ids(&self, pieces: &[usize]) -> Vec<PieceId> {
        pieces.iter().map(|&piece| self.assembly.placements[piece].piece).collect()
    }

    /// Whether those are all pieces; the whole is to be parted, whatever its groups.
    fn is_whole(&self, pieces: &[usize]) -> bool {
        pieces.len() == self.assembly.placements.len()
    }

    /// Whether the puzzle allows those placements to stay together, beside the sets that do so already.
    fn may_stay(&self, pieces: &[usize], others: &[Vec<PieceId>]) -> Result<bool, Unknown> {
        let groups = &self.puzzle.rules.groups;
        if groups.is_empty() || self.is_whole(pieces) {
            return Ok(false);
        }
        let sets: Vec<Vec<PieceId>> = others.iter().cloned().chain([self.ids(pieces)]).collect();
        groups::may_stay(groups, &sets).ok_or(Unknown::GroupLimits)
    }

    /// Whether no search is needed: for a piece alone, or pieces that stay together anyway.
    fn is_done(&self, pieces: &[usize]) -> bool {
        let groups = &self.puzzle.rules.groups;
        let may_stay = !groups.is_empty() && !self.is_whole(pieces);
        pieces.len() == 1 || may_stay && groups::must_stay(groups, &self.ids(pieces))
    }
}
