//! Pieces that fill a target.
//!
//! All placements of all pieces are found (`placements`), and the motions of the target that carry the pieces to
//! themselves (`symmetry`). One piece is tried only in ways that differ (`roots`); below each of those the search
//! branches on the item with fewest options (`search`), on lists of bit masks (`list`, `branch`), spread over threads
//! (`tasks`).

mod arena;
mod branch;
mod estimate;
pub mod formulate;
mod general;
mod lanes;
mod list;
mod placements;
mod problem;
mod reason;
mod roots;
mod search;
mod signal;
mod symmetry;
mod tasks;

use std::num::NonZero;
use std::ops::ControlFlow;

use super::{Limit, Options, Outcome, SolveError};
use crate::puzzle::Puzzle;
use crate::puzzle::packing_rules::Merge;
use crate::puzzle::piece::PieceId;
pub use lanes::Instructions;
use placements::{Placements, TooMany};
use problem::Problem;
use roots::{Root, roots};
use signal::Signal;
use symmetry::Symmetry;

/// Whether this engine solves the puzzle.
pub(super) fn is_packing(puzzle: &Puzzle) -> bool {
    puzzle.is_packing() && !puzzle.pieces.is_empty()
}

/// The pieces of a packing that are equal though listed apart; none where marks or rules may tell them apart.
pub fn equal_pieces(puzzle: &Puzzle) -> Vec<Vec<PieceId>> {
    if is_packing(puzzle) { placements::equal(puzzle) } else { Vec::new() }
}

impl SolveError {
    fn many_placements(puzzle: &Puzzle, &TooMany(piece): &TooMany) -> SolveError {
        SolveError::ManyPlacements { piece: puzzle.piece(piece).name.clone() }
    }
}

/// Solves a packing with those instructions, which must be [available](Instructions::available); the outcome is the
/// same with all of them, node for node. Marks and rules are not looked at.
pub fn solve_with(puzzle: &Puzzle, options: &Options<'_>, instructions: Instructions) -> Result<Outcome, SolveError> {
    let signal = Signal::default();
    let means = (instructions, options.threads);
    let packing = signal.wait(options.watch, || Packing::new(puzzle, means, &signal))?;
    let merge = puzzle.rules.packing.merge;
    let mut found = Vec::new();
    let mut visit = |chosen: &[u32]| {
        for chosen in packing.symmetry.told_apart(&packing.placements, chosen, merge) {
            let assembly = packing.placements.assembly(puzzle, &chosen);
            let next = options.each.map_or(ControlFlow::Continue(()), |each| each(&assembly, None));
            if found.len() < options.keep {
                found.push(assembly);
            }
            if options.limit == Limit::First {
                return ControlFlow::Break(());
            }
            next?;
        }
        ControlFlow::Continue(())
    };
    let is_asked = options.each.is_some() || options.keep > 0 || options.limit == Limit::First;
    let visit: Option<tasks::Visit<'_>> = if is_asked { Some(&mut visit) } else { None };
    let (totals, complete) = tasks::search(&packing, instructions, options.threads, &signal, options.watch, visit);
    Ok(Outcome {
        complete,
        raw: totals.raw,
        assemblies: match merge {
            Merge::Mirrors => totals.assemblies,
            Merge::Rotations => totals.up_to_rotations,
            Merge::Nothing => totals.raw,
        },
        merged: packing.symmetry.words(merge),
        up_to_rotations: totals.up_to_rotations,
        up_to_layers: None,
        apart: None,
        nodes: totals.nodes,
        found,
        reason: (complete && totals.raw == 0).then(|| reason::why_none(puzzle, &packing.placements)).flatten(),
        equal: placements::equal(puzzle),
    })
}

/// A puzzle, made ready to be searched.
struct Packing {
    placements: Placements,
    symmetry: Symmetry,
    problem: Problem,
    roots: Vec<Root>,
    /// About how many nodes there are.
    nodes: u64,
}

impl Packing {
    fn new(puzzle: &Puzzle, means: (Instructions, NonZero<usize>), signal: &Signal) -> Result<Packing, SolveError> {
        let placements = Placements::new(puzzle).map_err(|too_many| SolveError::many_placements(puzzle, &too_many))?;
        let bytes = memory(&placements);
        if bytes > MOST_MEMORY {
            return Err(SolveError::Memory { bytes, most: MOST_MEMORY });
        }
        let symmetry = Symmetry::new(&placements);
        let problem = Problem::new(&placements);
        let (roots, nodes) = roots(&placements, &symmetry, &problem, means, signal);
        Ok(Packing { placements, symmetry, problem, roots, nodes })
    }
}

/// A search that needs more bytes than this is refused.
const MOST_MEMORY: u64 = 2_000_000_000;

/// About how many bytes a search takes: the masks of all placements, and for each piece that is chosen those that it
/// leaves, which are the fewer and the shorter the fuller the target is.
fn memory(placements: &Placements) -> u64 {
    let items = placements.cells.len() + placements.kinds.len();
    let masks = 8 * items.div_ceil(64) as u64 * placements.len() as u64;
    let smallest = placements.kinds.iter().map(|kind| kind.volume).min().unwrap_or(1);
    let most = placements.kinds.iter().map(|kind| u64::from(*kind.count.end())).fold(0, u64::saturating_add);
    let pieces = most.min((placements.cells.len() / smallest) as u64);
    masks.saturating_mul(4 + pieces / 3)
}
