//! Why pieces cannot fill a target at all, where counting proves it.

use std::collections::BTreeSet;

use super::super::reason::Reason;
use super::placements::Placements;
use crate::puzzle::Puzzle;

/// The first reason that counting finds.
pub(super) fn why_none(puzzle: &Puzzle, placements: &Placements) -> Option<Reason> {
    let kinds = &placements.kinds;
    let places = placements.cells.len();
    let volume = |count: fn(&std::ops::RangeInclusive<u32>) -> u32| -> usize {
        kinds.iter().map(|kind| kind.volume.saturating_mul(count(&kind.count) as usize)).fold(0, usize::saturating_add)
    };
    let least = volume(|count| *count.start());
    if least > places {
        return Some(Reason::Volume { cells: least, places });
    }
    let (most, needed) = (volume(|count| *count.end()), placements.filled.max(placements.fewest));
    if most < needed {
        return Some(Reason::Volume { cells: most, places: needed });
    }
    let is_needed = |kind: &usize| *kinds[*kind].count.start() > 0;
    if let Some(kind) = (0..kinds.len()).filter(is_needed).find(|&kind| placements.of_kind(kind).is_empty()) {
        return Some(Reason::Nowhere { piece: puzzle.piece(kinds[kind].members[0].piece).name.clone() });
    }
    let covered: BTreeSet<u32> =
        (0..placements.len() as u32).flat_map(|placement| placements.covered(placement)).copied().collect();
    let bare = (0..placements.filled as u32).find(|cell| !covered.contains(cell))?;
    Some(Reason::Bare { cell: placements.cells[bare as usize] })
}
