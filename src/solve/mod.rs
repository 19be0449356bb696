//! Finds every assembly of a puzzle, in options: what a piece can do, and what the rules allow it to do beside others.
//!
//! [`solve`] turns cubies into small numbers (`cubies`), says which faces make a difference (`views`), finds what may be
//! merged (`symmetry`) and what need not be searched because of it (`lock`), writes it all as items and options (`encode`,
//! with `squares` and `stack`) for an engine that knows no puzzle ([`exact_cover`]), and counts what that finds. [`remarks`] says what is worth knowing of one assembly.

mod apart;
mod cubies;
pub mod disassemble;
mod encode;
pub mod exact_cover;
pub mod graph;
mod lock;
mod packing;
pub mod reason;
pub mod remarks;
mod squares;
mod stack;
mod symmetry;
mod views;

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::time::Duration;

use crate::puzzle::Puzzle;
use crate::puzzle::assembly::Assembly;
use crate::puzzle::burr;
use crate::puzzle::grid::Side;
use crate::puzzle::moves::WayApart;
use crate::puzzle::packing_rules::Merge;
use crate::puzzle::piece::PieceId;
use cubies::{Cubies, Look, Pattern};
use disassemble::Verdict;
use encode::Encoded;
use exact_cover::Ended;
use lock::Lock;
use reason::Reason;
use symmetry::{Motion, Symmetry};

pub use apart::{Apart, Spent, solve_apart};
pub use exact_cover::Progress;
pub use packing::{Instructions, equal_pieces, formulate, solve_with};

/// How much to search, and how to tell how far it is.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// When to stop.
    pub limit: Limit,
    /// At most this many assemblies are kept; all are counted.
    pub keep: usize,
    /// Called every few milliseconds; the search stops when it breaks.
    pub watch: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync),
    /// Over how many threads a packing is spread; the outcome is the same whatever the number.
    pub threads: NonZero<usize>,
    /// Called on this thread with one assembly of each class as it is found, in an order that is always the same; the
    /// search stops when it breaks. [`solve_apart`] calls it with those that come apart.
    pub each: Option<Each<'a>>,
    /// The time since some beginning, to tell how long things took; it may stand still.
    pub clock: &'a (dyn Fn() -> Duration + Sync),
}

impl Options<'_> {
    /// All assemblies counted, none kept, on one thread and to the end.
    pub const ALL: Options<'static> = Options {
        limit: Limit::All,
        keep: 0,
        watch: &|_| ControlFlow::Continue(()),
        threads: NonZero::<usize>::MIN,
        each: None,
        clock: &|| Duration::ZERO,
    };
}

/// What is done with each assembly as it is found, and with the way that takes it apart where that was asked.
pub type Each<'a> = &'a dyn Fn(&Assembly, Option<&WayApart>) -> ControlFlow<()>;

/// When to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// At the first assembly.
    First,
    /// When everything has been tried.
    #[default]
    All,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether everything was tried, so that the counts are final.
    pub complete: bool,
    /// Assemblies that differ to the eye, with equal pieces unlabelled; of six-piece burrs those are other assemblies too
    /// where a symmetric stick is held otherwise.
    pub raw: u64,
    /// Assemblies when those that `merged` carries into each other are one.
    pub assemblies: u64,
    /// What was merged, in words: `24 rotations, 8 exchanges of opposite outer layers`.
    pub merged: String,
    /// Assemblies when only rotations of the whole are merged.
    pub up_to_rotations: u64,
    /// Assemblies when all permutations of layers that keep the rules are merged too; `None` where the rules do not
    /// speak of layers or there are too many permutations.
    pub up_to_layers: Option<u64>,
    /// Which of the assemblies come apart; `None` when that was not asked.
    pub apart: Option<Apart>,
    /// Options chosen while searching.
    pub nodes: u64,
    /// One of each of the `assemblies`, in an order that is always the same.
    pub found: Vec<Assembly>,
    /// Why there is none, where that can be proven without a search.
    pub reason: Option<Reason>,
    /// Pieces that are equal, so that exchanging them makes no other assembly; only those listed apart in the file.
    pub equal: Vec<Vec<PieceId>>,
}

impl Outcome {
    /// How many assemblies solve the puzzle: those that come apart, where that was asked and some do.
    pub fn solutions(&self) -> u64 {
        let apart = self.apart.as_ref().map(|apart| apart.solutions).filter(|&solutions| solutions > 0);
        apart.unwrap_or(self.assemblies)
    }

    /// What became of that one of [`Outcome::found`]; `None` when that was not asked.
    pub fn verdict(&self, number: usize) -> Option<&Verdict> {
        self.apart.as_ref()?.verdicts.get(number)
    }

    /// What is known when one assembly is given and nothing was searched.
    pub fn of_one(assembly: Assembly) -> Outcome {
        Outcome {
            complete: false,
            raw: 1,
            assemblies: 1,
            merged: "nothing".to_owned(),
            up_to_rotations: 1,
            up_to_layers: None,
            apart: None,
            nodes: 0,
            found: vec![assembly],
            reason: None,
            equal: Vec::new(),
        }
    }
}

/// Solves a puzzle.
pub fn solve(puzzle: &Puzzle, options: &Options<'_>) -> Result<Outcome, SolveError> {
    if packing::is_packing(puzzle) {
        let mut outcome = solve_with(puzzle, options, Instructions::best())?;
        // Burr solvers count a stick that looks the same held otherwise as another.
        outcome.raw = outcome.raw.saturating_mul(burr::ways_to_hold(puzzle));
        return Ok(outcome);
    }
    if puzzle.rules.packing.merge != Merge::Mirrors {
        return Err(SolveError::MergeOfCubies);
    }
    let cubies = Cubies::new(puzzle)?;
    let symmetry = Symmetry::new(&cubies, &puzzle.rules);
    let lock = Lock::new(&cubies, &symmetry);
    let encoded = Encoded::new(&cubies, puzzle, &lock)?;
    let reason = reason::why_none(&cubies, &puzzle.rules);
    let mut count = Count::new(puzzle, &cubies, &symmetry, &lock, options);
    let mut pattern = vec![Look::default(); cubies.cells.len()];
    let visit = |chosen: &[u32]| {
        encoded.pattern(chosen, &mut pattern);
        count.add(&pattern)
    };
    let ended = match reason {
        Some(_) => Ended { complete: true, nodes: 0 },
        None => encoded.problem.search(options.watch, visit),
    };
    count.found.sort_unstable();
    Ok(Outcome {
        complete: ended.complete,
        raw: count.raw,
        assemblies: count.assemblies,
        merged: symmetry.words(),
        up_to_rotations: count.up_to_rotations,
        up_to_layers: (ended.complete && count.permutations.is_some()).then_some(count.up_to_layers),
        apart: None,
        nodes: ended.nodes,
        found: count.found.iter().map(|pattern| cubies.assembly(puzzle, pattern)).collect(),
        reason,
        equal: Vec::new(),
    })
}

/// The images of an assembly under the exchanges of opposite outer layers, itself first; none when it is not one of this
/// puzzle's.
pub fn variants(puzzle: &Puzzle, assembly: &Assembly) -> Result<Vec<Assembly>, SolveError> {
    let cubies = Cubies::new(puzzle)?;
    let Some(pattern) = cubies.pattern(puzzle, assembly) else { return Ok(Vec::new()) };
    let mut images: Vec<Pattern> = Vec::new();
    for exchange in &Symmetry::new(&cubies, &puzzle.rules).exchanges {
        let image = exchange.image(&cubies, &pattern);
        images.extend((!images.contains(&image)).then_some(image));
    }
    Ok(images.iter().map(|image| cubies.assembly(puzzle, image)).collect())
}

/// Counts what the search finds, in memory that does not grow with it.
struct Count<'a> {
    puzzle: &'a Puzzle,
    cubies: &'a Cubies,
    symmetry: &'a Symmetry,
    lock: &'a Lock,
    options: &'a Options<'a>,
    permutations: Option<Vec<Motion>>,
    raw: u64,
    assemblies: u64,
    up_to_rotations: u64,
    up_to_layers: u64,
    found: Vec<Pattern>,
}

impl<'a> Count<'a> {
    fn new(
        puzzle: &'a Puzzle,
        cubies: &'a Cubies,
        symmetry: &'a Symmetry,
        lock: &'a Lock,
        options: &'a Options<'a>,
    ) -> Count<'a> {
        Count {
            puzzle,
            cubies,
            symmetry,
            lock,
            options,
            permutations: symmetry.layer_permutations(cubies, &puzzle.rules),
            raw: 0,
            assemblies: 0,
            up_to_rotations: 0,
            up_to_layers: 0,
            found: Vec::new(),
        }
    }

    /// Each class is counted once: at the least of its patterns that can be found under the lock.
    fn add(&mut self, pattern: &[Look]) -> ControlFlow<()> {
        let is_first = self.raw == 0;
        self.raw += self.lock.orbit(pattern);
        let least = self.lock.least(self.cubies, self.symmetry, pattern);
        let stops = self.options.limit == Limit::First;
        if least == pattern || (stops && is_first) {
            self.assemblies += 1;
            self.up_to_rotations += self.classes_under_rotations(&least);
            self.up_to_layers += u64::from(self.is_least_under_layers(&least));
            if let Some(each) = self.options.each {
                each(&self.cubies.assembly(self.puzzle, &least), None)?;
            }
            if self.found.len() < self.options.keep {
                self.found.push(least);
            }
        }
        if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Into how many classes this one falls when rotations alone are merged.
    fn classes_under_rotations(&self, pattern: &[Look]) -> u64 {
        let image = |motion: &Motion| motion.image(self.cubies, pattern);
        let images: BTreeSet<Pattern> = self.symmetry.motions.iter().map(image).collect();
        let is_least = |pattern: &&Pattern| {
            let turned = |by: &Motion| by.image(self.cubies, pattern) < **pattern;
            !self.symmetry.rotations.iter().any(turned)
        };
        images.iter().filter(is_least).count() as u64
    }

    /// Whether no permutation of layers leads to a class that comes before this one.
    fn is_least_under_layers(&self, pattern: &[Look]) -> bool {
        let Some(permutations) = self.permutations.as_deref().filter(|all| all.len() > 1) else { return true };
        let least = self.symmetry.least(self.cubies, pattern);
        let permuted = |by: &Motion| by.image(self.cubies, pattern);
        permutations.iter().all(|by| self.symmetry.least(self.cubies, &permuted(by)) >= least)
    }
}

/// Why a puzzle cannot be solved as numbered cubies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// A piece has more than one cell.
    ManyCells {
        /// Its name.
        piece: String,
        /// How many cells it has.
        cells: usize,
    },
    /// Some cells of the target may stay empty.
    OptionalCells,
    /// A plane has more or fewer squares than there are symbols.
    PlaneSize {
        /// The side that the plane is on.
        side: Side,
        /// How many squares it has.
        squares: usize,
        /// How many symbols there are.
        symbols: usize,
    },
    /// A symbol is listed twice.
    SymbolTwice {
        /// Which.
        symbol: String,
    },
    /// A symbol turns into two different ones.
    TurnedTwice {
        /// Which.
        symbol: String,
    },
    /// The search would not fit into memory.
    TooLarge {
        /// How many kinds of cubie there are.
        cubies: usize,
        /// How many cells there are.
        cells: usize,
    },
    /// The pieces can lie in more ways than can be searched.
    ManyPlacements {
        /// The piece with which they are too many.
        piece: String,
    },
    /// The search would take more memory than is allowed.
    Memory {
        /// About how many bytes it would take.
        bytes: u64,
        /// How many are allowed.
        most: u64,
    },
    /// What counts as one can be chosen for packings only.
    MergeOfCubies,
    /// An integer programme cannot say what the rules ask.
    RulesInProgramme {
        /// Their keys in the puzzle file.
        rules: Vec<&'static str>,
    },
    /// The integer programme is too long to be written.
    ManyTerms {
        /// How many terms its rows have.
        terms: u64,
        /// How many are taken.
        most: u64,
    },
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::ManyCells { piece, cells } => {
                write!(f, "piece {piece:?} has {cells} cells; numbered cubies have one each")
            }
            SolveError::OptionalCells => {
                f.write_str("the target has cells that may stay empty; numbered cubies are solved in a target without")
            }
            SolveError::PlaneSize { side, squares, symbols } => write!(
                f,
                "a plane of {} faces has {squares} squares, but there are {symbols} symbols; planes = \"latin\" needs \
                 as many symbols as squares, so make the box a cube and give that many, or remove the rule",
                side.name()
            ),
            SolveError::SymbolTwice { symbol } => write!(f, "symbol {symbol:?} is listed twice; list it once"),
            SolveError::TurnedTwice { symbol } => {
                write!(f, "{symbol:?} is in two pairs of turned symbols; upside down it can read as one only")
            }
            SolveError::TooLarge { cubies, cells } => write!(
                f,
                "{cubies} different cubies for {cells} cells are too many to search; a box of about 300 cells is the most"
            ),
            SolveError::ManyPlacements { piece } => write!(
                f,
                "up to piece {piece:?} the pieces can lie in more ways than this program can search; a smaller target or \
                 smaller pieces have fewer"
            ),
            SolveError::Memory { bytes, most } => write!(
                f,
                "the search would take about {} GB of memory, more than the {} GB that are allowed; a target of fewer cells, \
                 or pieces that can lie in fewer ways, take less",
                bytes.div_ceil(1_000_000_000),
                most / 1_000_000_000
            ),
            SolveError::MergeOfCubies => f.write_str(
                "mirrors and rotations can be kept of packings only; of numbered cubies `raw` counts all assemblies",
            ),
            SolveError::RulesInProgramme { rules } => write!(
                f,
                "an integer programme is made of cells and pieces alone and cannot say what this puzzle asks of faces ({}); \
                 solve it with `cubewright solve`",
                rules.join(", ")
            ),
            SolveError::ManyTerms { terms, most } => write!(
                f,
                "the integer programme would have {terms} terms, more than the {most} that are written; a smaller target has \
                 fewer"
            ),
        }
    }
}

impl std::error::Error for SolveError {}
