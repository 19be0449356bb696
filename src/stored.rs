//! What a BurrTools file says of its solutions, held against the rules and against what was found here.
//!
//! Nothing here searches: each stored assembly is laid out cell by cell, and each move is made cell by cell.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::puzzle::Puzzle;
use crate::puzzle::assembly::Placement;
use crate::puzzle::grid::Cell;
use crate::puzzle::groups;
use crate::puzzle::piece::PieceId;
use crate::puzzle::xmpuzzle::{Apart, Kept, Problem, Separation};

/// How a stored solution stands up to the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What is wrong with the assembly, if anything.
    pub assembly: Option<String>,
    /// What is wrong with the moves, if anything; nothing where none are stored.
    pub moves: Option<String>,
    /// The moves of each separation: `5.3`; `None` when it is not said.
    pub level: Option<String>,
}

/// Checks every stored solution of a problem that is a puzzle.
pub fn verdicts(puzzle: &Puzzle, problem: &Problem) -> Vec<Verdict> {
    let verdict = |kept: &Kept| {
        let assembly = wrong_assembly(puzzle, &kept.placements);
        let (moves, steps) = match &kept.apart {
            Apart::Unsaid => (None, None),
            Apart::Moves(separation) => (wrong_moves(puzzle, kept, separation), Some(Steps::of(separation))),
            Apart::Counts(counts) => match Steps::of_counts(counts) {
                Some(steps) => (None, Some(steps)),
                None => (Some("its numbers of states are no tree of steps".to_owned()), None),
            },
        };
        Verdict { moves: moves.filter(|_| assembly.is_none()), assembly, level: steps.map(|steps| steps.to_string()) }
    };
    problem.stored.kept.iter().map(verdict).collect()
}

/// What is wrong with placements, in one clause.
fn wrong_assembly(puzzle: &Puzzle, placements: &[Option<Placement>]) -> Option<String> {
    let (target, packing) = (&puzzle.target, &puzzle.rules.packing);
    let mut taken: BTreeMap<Cell, &str> = BTreeMap::new();
    for placement in placements.iter().flatten() {
        let piece = puzzle.piece(placement.piece);
        for (own, cell) in piece.shape.cells().iter().zip(placement.cells(&piece.shape)) {
            let place = format!("{}, {}, {}", cell.x, cell.y, cell.z);
            if !target.filled.contains(&cell) && !target.optional.contains(&cell) {
                return Some(format!("'{}' is outside of the goal at {place}", piece.name));
            }
            if let Some(other) = taken.insert(cell, &piece.name) {
                return Some(format!("'{other}' and '{}' are both at {place}", piece.name));
            }
            let tints = (packing.tints.pieces.get(&(placement.piece, *own)), packing.tints.target.get(&cell));
            if !packing.tints.allows(tints.0.copied(), tints.1.copied()) {
                return Some(format!("'{}' may not lie at {place} with its colour", piece.name));
            }
        }
    }
    if let Some(cell) = target.filled.iter().find(|cell| !taken.contains_key(cell)) {
        return Some(format!("nothing is at {}, {}, {}", cell.x, cell.y, cell.z));
    }
    puzzle.ids().zip(&puzzle.pieces).find_map(|(id, piece)| {
        let used = placements.iter().flatten().filter(|placement| placement.piece == id).count() as u32;
        (!piece.count.contains(&used)).then(|| format!("'{}' is used {used} times", piece.name))
    })
}

/// What is wrong with the moves of a solution, in one clause.
fn wrong_moves(puzzle: &Puzzle, kept: &Kept, separation: &Separation) -> Option<String> {
    let start: BTreeMap<usize, Cell> = (kept.placements.iter().enumerate())
        .filter_map(|(piece, placement)| placement.map(|placement| (piece, placement.offset)))
        .collect();
    // Steps behind steps, each with where its pieces are when it begins.
    let mut waiting = vec![(separation, start)];
    let mut together: Vec<Vec<PieceId>> = Vec::new();
    let ids = |pieces: &BTreeSet<usize>| {
        pieces.iter().filter_map(|&piece| kept.placements[piece].map(|placement| placement.piece)).collect::<Vec<_>>()
    };
    while let Some((step, before)) = waiting.pop() {
        let states: Vec<BTreeMap<usize, Cell>> =
            step.states.iter().map(|state| step.pieces.iter().copied().zip(state.iter().copied()).collect()).collect();
        if states[0] != before {
            return Some("a step does not begin where the one before ended".to_owned());
        }
        let last = states.len() - 1;
        for (number, pair) in states.windows(2).enumerate() {
            if let Some(wrong) = wrong_move(puzzle, kept, &pair[0], &pair[1], number + 1 == last) {
                return Some(wrong);
            }
        }
        let removed = step.part(true);
        if removed.is_empty() || removed.len() == step.pieces.len() {
            return Some("a step takes no piece away".to_owned());
        }
        for (part, behind) in [(removed, &step.removed), (step.part(false), &step.left)] {
            let at: BTreeMap<usize, Cell> = part.iter().map(|&piece| (piece, states[last - 1][&piece])).collect();
            match behind {
                Some(behind) => waiting.push((behind, at)),
                None if part.len() > 1 && !groups::must_stay(&puzzle.rules.groups, &ids(&part)) => {
                    together.push(ids(&part));
                }
                None => {}
            }
        }
    }
    match groups::may_stay(&puzzle.rules.groups, &together) {
        Some(true) => None,
        _ => {
            let most = together.iter().map(Vec::len).max().unwrap_or(0);
            Some(format!("{most} pieces stay together that no group allows"))
        }
    }
}

/// What is wrong with one move.
fn wrong_move(
    puzzle: &Puzzle,
    kept: &Kept,
    before: &BTreeMap<usize, Cell>,
    after: &BTreeMap<usize, Cell>,
    is_last: bool,
) -> Option<String> {
    let shift = |piece: &usize| after[piece] - before[piece];
    let moved: BTreeSet<usize> = before.keys().copied().filter(|piece| shift(piece) != Cell::ZERO).collect();
    let shifts: BTreeSet<Cell> = moved.iter().map(shift).collect();
    let (Some(&by), 1) = (shifts.first(), shifts.len()) else {
        return Some("pieces move in different ways at once, or not at all".to_owned());
    };
    let is_along = |axis: &usize| (0..3).all(|other| (by.along(other) != 0) == (other == *axis));
    let straight = (0..3).find(is_along);
    let Some(axis) = straight else { return Some("a move is not along an axis".to_owned()) };
    if moved.len() == before.len() {
        return Some("all pieces move at once".to_owned());
    }
    if !is_last && by.along(axis).abs() > Separation::AWAY {
        return Some("pieces leave before the last move".to_owned());
    }
    let cells = |piece: usize| {
        let placement = kept.placements[piece].as_ref().expect("pieces that come apart are used");
        let at = Placement { offset: before[&piece], ..*placement };
        at.cells(&puzzle.piece(placement.piece).shape).collect::<Vec<_>>()
    };
    let (moving, rest): (Vec<usize>, Vec<usize>) = before.keys().partition(|piece| moved.contains(piece));
    // Cells by line: those in the way lie on the line of a moving cell, no further than it goes.
    let far = by.along(axis);
    let on_line = |cell: Cell| (cell.along((axis + 1) % 3), cell.along((axis + 2) % 3), cell.along(axis));
    let rest: BTreeSet<(i32, i32, i32)> = rest.into_iter().flat_map(cells).map(on_line).collect();
    moving.into_iter().flat_map(cells).find_map(|cell| {
        let (u, v, at) = on_line(cell);
        let way = if far > 0 { at + 1..=at + far } else { at + far..=at - 1 };
        let blocked = rest.range((u, v, *way.start())..=(u, v, *way.end())).next();
        blocked.map(|_| format!("a move of {far} along {} is blocked", ["x", "y", "z"][axis]))
    })
}

/// How many moves each separation of a solution takes.
#[derive(Debug, PartialEq, Eq)]
struct Steps {
    moves: u32,
    left: Option<Box<Steps>>,
    removed: Option<Box<Steps>>,
}

/// Steps behind steps behind steps: more than this no puzzle has.
const DEEPEST: usize = 2000;

impl Steps {
    fn of(separation: &Separation) -> Steps {
        let behind = |step: &Option<Box<Separation>>| step.as_ref().map(|step| Box::new(Steps::of(step)));
        Steps {
            moves: separation.states.len() as u32 - 1,
            left: behind(&separation.left),
            removed: behind(&separation.removed),
        }
    }

    /// States of each step, that of the staying part, that of the removed one; 0 for none.
    fn of_counts(counts: &[u32]) -> Option<Steps> {
        fn next(counts: &mut std::slice::Iter<'_, u32>, depth: usize) -> Option<Option<Box<Steps>>> {
            match *counts.next()? {
                0 => Some(None),
                states if states < 2 || depth == DEEPEST => None,
                states => {
                    let (left, removed) = (next(counts, depth + 1)?, next(counts, depth + 1)?);
                    Some(Some(Box::new(Steps { moves: states - 1, left, removed })))
                }
            }
        }
        let mut counts = counts.iter();
        let steps = next(&mut counts, 0)??;
        (counts.len() == 0).then_some(*steps)
    }

    fn is_worth_saying(&self) -> bool {
        let behind = [&self.left, &self.removed];
        self.moves > 1 || behind.into_iter().flatten().any(|step| step.is_worth_saying())
    }
}

/// The moves of the first separation, then those of the staying and the removed part where somewhere in it there is a
/// step with more than one.
impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.moves)?;
        let behind = [&self.left, &self.removed].into_iter().flatten();
        behind.filter(|step| step.is_worth_saying()).try_for_each(|step| write!(f, ".{step}"))
    }
}
