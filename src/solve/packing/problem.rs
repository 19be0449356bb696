//! A packing as items and options: one option a placement, its items its cells and its kind.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::list::{Basis, Items};
use super::placements::{Kind, Placements};

/// What is searched: all options, and the kinds that are counted.
pub(super) struct Problem {
    /// Option `p` is placement `p`.
    pub(super) basis: Basis,
    /// The number of each placement's kind among the counted ones.
    pub(super) counted_of: Vec<Option<u32>>,
    pub(super) counted: Vec<Counted>,
    /// Whether some piece is used more than once, and all that is left is told by open items and counts.
    pub(super) has_copies: bool,
    /// Cells of the target that the pieces used exactly once leave.
    pub(super) room: u64,
    /// Cells of the counted pieces that must come.
    pub(super) need: u64,
}

/// A kind that is used more than once, or a varying number of times.
pub(super) struct Counted {
    pub(super) count: RangeInclusive<u32>,
    pub(super) volume: u64,
}

impl Problem {
    pub(super) fn new(placements: &Placements) -> Problem {
        let mut problem = Problem {
            basis: Basis::default(),
            counted_of: Vec::new(),
            counted: Vec::new(),
            has_copies: false,
            room: placements.cells.len() as u64,
            need: 0,
        };
        // Exact: kinds used exactly once, then cells to fill; of items with equally few options a kind is the better one
        // to branch on, by some per cent. Then cells that may stay empty, and kinds used at most once.
        let is_exact = |count: &RangeInclusive<u32>| *count == (1..=1);
        let is_at_most_once = |count: &RangeInclusive<u32>| *count == (0..=1);
        let filled = placements.filled as u32;
        let optional = placements.cells.len() as u32 - filled;
        let single = placements.kinds.iter().filter(|kind| is_exact(&kind.count)).count() as u32;
        let exact = single + filled;
        let mut next_exact = 0;
        let mut next = exact + optional;
        let mut items: Vec<Option<u32>> = vec![None; placements.kinds.len()];
        for (item, kind) in items.iter_mut().zip(&placements.kinds) {
            let into = match is_exact(&kind.count) {
                true => &mut next_exact,
                false => &mut next,
            };
            if is_exact(&kind.count) || is_at_most_once(&kind.count) {
                *item = Some(*into);
                *into += 1;
            }
            if is_exact(&kind.count) {
                problem.room = problem.room.saturating_sub(kind.volume as u64);
            }
        }
        let tags = tags(placements, &mut next);
        // Where every cell is filled and all other kinds are used exactly once, the room tells how often this one is.
        let is_told = |kind: &Kind| {
            let (room, volume) = (problem.room, kind.volume as u64);
            let copies = u32::try_from(room / volume).ok().filter(|_| room.is_multiple_of(volume));
            optional == 0
                && single as usize + 1 == placements.kinds.len()
                && copies.is_some_and(|copies| kind.count.contains(&copies))
        };
        let is_told: Vec<bool> = placements.kinds.iter().map(is_told).collect();
        for ((item, kind), is_told) in items.iter_mut().zip(&placements.kinds).zip(is_told) {
            let is_counted = item.is_none() && !is_told;
            problem.counted_of.push(is_counted.then_some(problem.counted.len() as u32));
            if is_counted {
                *item = Some(next);
                next += 1;
                problem.need += u64::from(*kind.count.start()) * kind.volume as u64;
                problem.counted.push(Counted { count: kind.count.clone(), volume: kind.volume as u64 });
            }
        }
        let item_of_cell = |&cell: &u32| cell + if cell < filled { single } else { exact - filled };
        let options = (0..placements.len() as u32).map(|placement| {
            let cells = placements.covered(placement).iter().map(item_of_cell);
            let kind = items[placements.kind(placement)];
            cells.chain(kind).chain(tags.get(&placement).into_iter().flatten().copied()).collect()
        });
        let is_several = |count: &RangeInclusive<u32>| *count.end() > 1;
        problem.has_copies = placements.kinds.iter().any(|kind| is_several(&kind.count))
            && next as usize == exact as usize + problem.counted.len();
        problem.basis = Basis::new(Items::new(exact as usize, next as usize), options);
        problem.counted_of =
            (0..placements.len() as u32).map(|placement| problem.counted_of[placements.kind(placement)]).collect();
        problem
    }
}

/// What placements of one kind on the same cells, which look different, have in their masks beside cells and kind, so
/// that masks differ: an item for each bit of their number among those, for each first cell. Placements that share such
/// an item share that cell anyway.
fn tags(placements: &Placements, next: &mut u32) -> BTreeMap<u32, Vec<u32>> {
    let mut items: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut tags: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut number = 0_u32;
    for placement in 1..placements.len() as u32 {
        let covered = placements.covered(placement);
        let is_again = placements.kind(placement) == placements.kind(placement - 1)
            && covered == placements.covered(placement - 1);
        number = if is_again { number + 1 } else { 0 };
        for bit in (0..u32::BITS).filter(|bit| number >> bit & 1 == 1) {
            let item = *items.entry((covered[0], bit)).or_insert_with(|| {
                *next += 1;
                *next - 1
            });
            tags.entry(placement).or_default().push(item);
        }
    }
    tags
}
