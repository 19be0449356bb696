//! From puzzle files to BurrTools files and back, and what gets lost on the way.

use std::cell::{self, RefCell};
use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZero;
use std::ops::ControlFlow;

use crate::gzip;
use crate::opened::Item;
use crate::puzzle::assembly::{Assembly, Placement};
use crate::puzzle::grid::Cell;
use crate::puzzle::moves::{Step, WayApart};
use crate::puzzle::parse::{ParseError, parse};
use crate::puzzle::xmpuzzle::{self, Apart, Kept, Separation, State, Stored, WriteError};
use crate::puzzle::{Puzzle, write};
use crate::solve::disassemble::{Disassembler, Effort, Method, Unknown, Verdict};
use crate::solve::{Limit, Options, Progress, SolveError, solve};

/// The bytes of a file, and what it does not say, a clause each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// What goes into the file.
    pub bytes: Vec<u8>,
    /// What was left out or is said otherwise.
    pub left_out: Vec<String>,
}

/// Why a puzzle cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConvertError {
    /// It is a puzzle file already.
    SameFormat,
    /// BurrTools cannot say it.
    Write(WriteError),
    /// The puzzle file would be refused.
    Refused(ParseError),
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConvertError::SameFormat => f.write_str("is a puzzle file already; copy it"),
            ConvertError::Write(error) => error.fmt(f),
            ConvertError::Refused(error) => write!(f, "cannot be said in a puzzle file: {error}"),
        }
    }
}

impl std::error::Error for ConvertError {}

/// A problem of a BurrTools file as a puzzle file.
pub fn to_toml(puzzle: &Puzzle, item: &Item<'_>) -> Result<Converted, ConvertError> {
    let Some(problem) = item.problem else { return Err(ConvertError::SameFormat) };
    let text = write::write(puzzle);
    parse(&text).map_err(ConvertError::Refused)?;
    let mut left_out = left_out(&[*item]);
    if item.file.is_some_and(|file| file.pops_up && !file.comment.is_empty()) {
        left_out.push("that BurrTools shows the comment when it opens the file".to_owned());
    }
    if !problem.stored.kept.is_empty() || problem.stored.state != State::Unsolved {
        left_out.push(format!("what BurrTools stored ({} solutions); solve it again", problem.stored.kept.len()));
    }
    Ok(Converted { bytes: text.into_bytes(), left_out })
}

/// Puzzles of one file as a BurrTools file, each with what is known of its solutions.
pub fn to_burr(puzzles: &[(&Puzzle, &Stored)], pops_up: bool) -> Result<Converted, ConvertError> {
    let written = xmpuzzle::write(puzzles, pops_up).map_err(ConvertError::Write)?;
    Ok(Converted { bytes: gzip::pack(written.text.as_bytes()), left_out: written.left_out })
}

/// What the puzzles leave out of the BurrTools file that they come from, a clause each.
pub fn left_out(items: &[Item<'_>]) -> Vec<String> {
    let problems = || items.iter().filter_map(|item| item.problem);
    let Some(file) = items.iter().find_map(|item| item.file) else { return Vec::new() };
    let mut clauses: Vec<String> = problems().flat_map(|problem| problem.left_out.iter().cloned()).collect();
    let is_unused = |id: &usize| problems().all(|problem| problem.unused.contains(id));
    clauses.extend(unused(
        &(0..file.shapes.len()).filter(is_unused).map(|id| file.shapes[id].name.as_str()).collect::<Vec<_>>(),
    ));
    clauses.extend(file.left_out.iter().cloned());
    clauses.extend(
        problems()
            .filter_map(|problem| problem.broken.as_ref())
            .map(|error| format!("the stored solutions from that on which cannot be read ({})", error.message)),
    );
    let mut seen = BTreeSet::new();
    clauses.retain(|clause| seen.insert(clause.clone()));
    clauses
}

/// Which shapes no puzzle uses, in one clause.
fn unused(names: &[&str]) -> Option<String> {
    let shown: Vec<String> = names.iter().take(5).map(|name| format!("'{name}'")).collect();
    let shown = shown.join(", ");
    match names.len() {
        0 => None,
        1 => Some(format!("the shape {shown}, which is not used")),
        2..=5 => Some(format!("the shapes {shown}, which are not used")),
        more => Some(format!("the shapes {shown} and {} more, which are not used", more - 5)),
    }
}

/// What BurrTools would store of a puzzle: at most 100 solutions, those that come apart where that is asked. `watch` is
/// called every few milliseconds, and what was found so far is returned when it breaks.
pub fn solved(
    puzzle: &Puzzle,
    takes_apart: bool,
    threads: NonZero<usize>,
    watch: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
) -> Result<Stored, SolveError> {
    let effort =
        Effort { method: Method::First, most_states: Effort::MOST_STATES, watch: &|| watch(Progress::default()) };
    let disassembler = RefCell::new(Disassembler::new(puzzle));
    let found = RefCell::new((0, 0, Vec::new()));
    let is_decided = cell::Cell::new(true);
    let each = |assembly: &Assembly, _: Option<&WayApart>| {
        let verdict = takes_apart.then(|| disassembler.borrow_mut().take_apart(assembly, &effort));
        match verdict {
            Some(Verdict::Unknown(Unknown::Stopped)) => return ControlFlow::Break(()),
            Some(Verdict::Unknown(_)) => is_decided.set(false),
            _ => {}
        }
        let way = verdict.as_ref().and_then(Verdict::way);
        let (assemblies, solutions, kept) = &mut *found.borrow_mut();
        if (way.is_some() || !takes_apart) && kept.len() < MOST_KEPT {
            kept.push(self::kept(puzzle, assembly, way, [*assemblies, *solutions]));
        }
        *solutions += u64::from(way.is_some());
        *assemblies += 1;
        ControlFlow::Continue(())
    };
    let options = Options { limit: Limit::All, keep: 0, watch, threads, each: Some(&each), ..Options::ALL };
    let outcome = solve(puzzle, &options)?;
    let (assemblies, solutions, kept) = found.into_inner();
    Ok(Stored {
        state: if outcome.complete && is_decided.get() { State::Solved } else { State::Unknown },
        assemblies: Some(assemblies),
        solutions: Some(solutions),
        // The time that it took would make other bytes of the same puzzle.
        seconds: None,
        kept,
    })
}

/// Solutions that are stored, as many as BurrTools keeps.
const MOST_KEPT: usize = 100;

/// A solution as BurrTools stores it, with the way apart where that is known. Numbers count from 0.
pub fn kept(puzzle: &Puzzle, assembly: &Assembly, way: Option<&WayApart>, numbers: [u64; 2]) -> Kept {
    let numbered = by_piece_number(puzzle, assembly);
    let placements: Vec<Option<Placement>> =
        numbered.iter().map(|index| index.map(|index| assembly.placements[index])).collect();
    let apart = way.and_then(|way| {
        let tree = Tree { together: &way.together, numbered: &numbered };
        let pieces: Vec<usize> = (0..placements.len()).filter(|&piece| placements[piece].is_some()).collect();
        let at =
            placements.iter().map(|placement| placement.map_or(Cell::ZERO, |placement| placement.offset)).collect();
        tree.separation(pieces, at, &mut way.steps.iter())
    });
    Kept {
        assembly_number: numbers[0],
        solution_number: numbers[1],
        apart: apart.map_or(Apart::Unsaid, Apart::Moves),
        placements,
    }
}

/// Moves one after the other -> steps that each take a part away.
struct Tree<'a> {
    together: &'a [Vec<usize>],
    /// The place in the assembly of each piece number.
    numbered: &'a [Option<usize>],
}

impl Tree<'_> {
    /// How some pieces, which are `at` their offsets, come apart with the next of the moves; `None` when they stay
    /// together.
    fn separation(
        &self,
        pieces: Vec<usize>,
        mut at: Vec<Cell>,
        moves: &mut std::slice::Iter<'_, Step>,
    ) -> Option<Separation> {
        let places: BTreeSet<usize> = pieces.iter().filter_map(|&piece| self.numbered[piece]).collect();
        let stays = |group: &Vec<usize>| group.iter().copied().collect::<BTreeSet<_>>() == places;
        if pieces.len() < 2 || self.together.iter().any(stays) {
            return None;
        }
        let state = |at: &[Cell]| pieces.iter().map(|&piece| at[piece]).collect::<Vec<_>>();
        let mut states = vec![state(&at)];
        loop {
            let step = moves.next()?;
            let is_moved = |piece: &usize| self.numbered[*piece].is_some_and(|place| step.moved.contains(&place));
            let (unit, far) = (step.side.step(), if step.leaves { FAR } else { step.cells as i32 });
            let shift = Cell::new(unit.x * far, unit.y * far, unit.z * far);
            let before = at.clone();
            pieces.iter().filter(|piece| is_moved(piece)).for_each(|&piece| at[piece] = at[piece] + shift);
            states.push(state(&at));
            if step.leaves {
                let (removed, left): (Vec<usize>, Vec<usize>) = pieces.iter().partition(|piece| is_moved(piece));
                let left = self.separation(left, before.clone(), moves).map(Box::new);
                let removed = self.separation(removed, before, moves).map(Box::new);
                return Some(Separation { pieces, states, left, removed });
            }
        }
    }
}

/// How far BurrTools puts away what leaves.
const FAR: i32 = 20_000;

/// The place in the assembly of each piece, copy by copy; `None` for copies that are not used, which come last of their
/// piece.
fn by_piece_number(puzzle: &Puzzle, assembly: &Assembly) -> Vec<Option<usize>> {
    let mut all = Vec::new();
    for (id, piece) in puzzle.ids().zip(&puzzle.pieces) {
        let before = all.len();
        all.extend((0..assembly.placements.len()).filter(|&index| assembly.placements[index].piece == id).map(Some));
        all.resize(before + *piece.count.end() as usize, None);
    }
    all
}
