//! What can move where the pieces of a part lie now: who is in whose way, and which sets of pieces can go together.
//!
//! A set can go a step along a side when it is closed: whoever is nearer than that step in front of one of its pieces
//! belongs to it. So the closures of single pieces and their unions are all there is.

use super::Unknown;
use super::pairs::{FREE, Table};
use crate::puzzle::grid::Side;

/// A set of pieces of a part, by bits.
pub(super) type Set = u64;
/// More pieces than a [`Set`] has bits are not taken apart.
pub(super) const MOST_PIECES: usize = Set::BITS as usize;

/// More sets that can go along one side by one step are not looked at.
const MOST_SETS: usize = 4096;

/// There are more than [`MOST_SETS`].
pub(super) struct ManySets;

/// The order in which sides are tried, as in BurrTools.
pub(super) const SIDES: [Side; 6] = [Side::Right, Side::Left, Side::Back, Side::Front, Side::Top, Side::Bottom];

/// The pieces that are to be separated, as they lie before any move.
pub(super) struct Part<'a> {
    /// Their corners, in cells.
    pub(super) corners: Vec<[i32; 3]>,
    /// The sizes of their boxes.
    pub(super) sizes: Vec<[i32; 3]>,
    /// The tables of each piece moving towards each other, piece after piece.
    pub(super) tables: Vec<&'a Table>,
}

impl Part<'_> {
    pub(super) fn len(&self) -> usize {
        self.corners.len()
    }
}

/// How far the pieces have been moved, along each axis.
pub(super) type Shifts = Vec<[i8; 3]>;

/// Who is in whose way.
#[derive(Default)]
pub(super) struct Blocking {
    pieces: usize,
    /// How far piece `i` can go towards larger coordinates until it meets `j`, at `i * pieces + j`, along each axis.
    reach: Vec<[u16; 3]>,
    /// For each side and piece the set that must go along when it goes by one cell, itself with it.
    touching: [Vec<Set>; 6],
    /// The same when it goes for ever.
    ahead: [Vec<Set>; 6],
    /// Where each piece begins and ends along each axis.
    spans: Vec<[(i32, i32); 3]>,
    /// How long all pieces in a row would be along each axis.
    row: [i32; 3],
    /// The sets that can slide along a side, by step from 1.
    sliding: Vec<Vec<Set>>,
}

impl Blocking {
    /// Looks at a part with its pieces so shifted. Whether anything can move at all.
    pub(super) fn look(&mut self, part: &Part<'_>, shifts: &Shifts) -> bool {
        let pieces = part.len();
        self.pieces = pieces;
        self.reach.resize(pieces * pieces, [FREE; 3]);
        for sets in self.touching.iter_mut().chain(&mut self.ahead) {
            sets.clear();
            sets.extend((0..pieces).map(|piece| 1 << piece));
        }
        self.spans.clear();
        let mut tables = part.tables.iter();
        for mover in 0..pieces {
            let from: [i32; 3] = std::array::from_fn(|k| part.corners[mover][k] + i32::from(shifts[mover][k]));
            self.spans.push(std::array::from_fn(|k| (from[k], from[k] + part.sizes[mover][k])));
            for other in (0..pieces).filter(|&other| other != mover) {
                let to = part.corners[other];
                let place = std::array::from_fn(|k| to[k] + i32::from(shifts[other][k]) - from[k]);
                let Some(table) = tables.next() else { unreachable!("there is a table for each pair") };
                let reach = table.reach(place);
                self.reach[mover * pieces + other] = reach;
                for (axis, &reach) in reach.iter().enumerate() {
                    // What is ahead of a piece on one side has that piece ahead of it on the other.
                    let (touches, meets) = (Set::from(reach == 0), Set::from(reach != FREE));
                    self.touching[2 * axis][mover] |= touches << other;
                    self.touching[2 * axis + 1][other] |= touches << mover;
                    self.ahead[2 * axis][mover] |= meets << other;
                    self.ahead[2 * axis + 1][other] |= meets << mover;
                }
            }
        }
        self.row = std::array::from_fn(|k| self.spans.iter().map(|span| span[k].1 - span[k].0).sum());
        self.touching.iter_mut().for_each(|sets| close(sets));
        self.touching.iter().flatten().any(|&set| self.is_small(set))
    }

    /// At most half of the pieces: when more have to go, the others can go the other way.
    fn is_small(&self, set: Set) -> bool {
        set.count_ones() as usize <= self.pieces / 2
    }

    /// The first set that can leave in the order of BurrTools: single pieces side by side, then groups.
    pub(super) fn first_to_leave(&mut self) -> Option<(Set, Side)> {
        let alone = |side: usize| self.ahead[side].iter().copied().find(|set| set.count_ones() == 1);
        if let Some(found) = (0..6).find_map(|side| Some((alone(side)?, SIDES[side]))) {
            return Some(found);
        }
        self.close_ahead();
        let group = |side: usize| self.ahead[side].iter().copied().find(|&set| self.is_small(set));
        (0..6).find_map(|side| Some((group(side)?, SIDES[side])))
    }

    fn close_ahead(&mut self) {
        self.ahead.iter_mut().for_each(|sets| close(sets));
    }

    /// Every set of at most half of the pieces that can leave: the closures and their unions.
    pub(super) fn all_to_leave(&mut self) -> Result<Vec<(Set, Side)>, ManySets> {
        self.close_ahead();
        let mut found: Vec<(Set, Side)> = Vec::new();
        for (sets, side) in self.ahead.iter().zip(SIDES) {
            let mut here: Vec<Set> = Vec::new();
            for &set in sets.iter().filter(|&&set| self.is_small(set)) {
                with_unions(set, &mut here, |union| self.is_small(union))?;
            }
            found.extend(here.into_iter().map(|set| (set, side)));
        }
        Ok(found)
    }

    /// Every set that can slide, by which step: side by side, piece by piece, step by step, the unions with sets found
    /// before that go by the same step right behind each. Slides that leave a gap right through the pieces are left out:
    /// they are apart then, and further apart makes no difference.
    pub(super) fn slides(&mut self, slide: impl FnMut(Set, usize, i8) -> Result<(), Unknown>) -> Result<(), Unknown> {
        let mut found = std::mem::take(&mut self.sliding);
        let done = self.slides_in(&mut found, slide);
        self.sliding = found;
        done
    }

    fn slides_in(
        &self,
        found: &mut Vec<Vec<Set>>,
        mut slide: impl FnMut(Set, usize, i8) -> Result<(), Unknown>,
    ) -> Result<(), Unknown> {
        let all = Set::MAX >> (MOST_PIECES - self.pieces);
        for (side, touching) in self.touching.iter().enumerate() {
            found.iter_mut().for_each(Vec::clear);
            for (piece, &first) in touching.iter().enumerate() {
                let (mut step, mut set) = (1, first);
                while self.is_small(set) && !self.is_far(set, side, step) {
                    if found.len() < step as usize {
                        found.push(Vec::new());
                    }
                    let known = &mut found[step as usize - 1];
                    let before = known.len();
                    with_unions(set, known, |union| union != all)?;
                    known[before..].iter().try_for_each(|&set| slide(set, side, step))?;
                    step += 1;
                    set = self.closure(piece, side, step as u16);
                }
            }
        }
        Ok(())
    }

    /// Whether the pieces reach further than all in a row after that slide.
    fn is_far(&self, set: Set, side: usize, step: i8) -> bool {
        let axis = side / 2;
        let by = if SIDES[side].is_positive() { i32::from(step) } else { -i32::from(step) };
        let ends = self.spans.iter().enumerate().map(|(piece, span)| {
            let by = if set >> piece & 1 == 1 { by } else { 0 };
            (span[axis].0 + by, span[axis].1 + by)
        });
        let (least, beyond) = ends.fold((i32::MAX, i32::MIN), |all, ends| (all.0.min(ends.0), all.1.max(ends.1)));
        beyond - least > self.row[axis] || step == i8::MAX
    }

    /// Who must go along when a piece goes that far.
    fn closure(&self, piece: usize, side: usize, step: u16) -> Set {
        let (mut set, mut new): (Set, Set) = (1 << piece, 1 << piece);
        while new != 0 {
            let mover = new.trailing_zeros() as usize;
            new &= new - 1;
            for other in 0..self.pieces {
                let pair =
                    if side.is_multiple_of(2) { mover * self.pieces + other } else { other * self.pieces + mover };
                if set >> other & 1 == 0 && self.reach[pair][side / 2] < step {
                    set |= 1 << other;
                    new |= 1 << other;
                }
            }
        }
        set
    }
}

/// Adds to each set those of its members, and theirs (Warshall, Journal of the ACM 9 (1962), 11).
fn close(sets: &mut [Set]) {
    for through in 0..sets.len() {
        let reached = sets[through];
        for set in &mut *sets {
            *set |= reached & (0 as Set).wrapping_sub(*set >> through & 1);
        }
    }
}

/// Adds a set and its unions with the known ones, as far as they are new and taken.
fn with_unions(set: Set, known: &mut Vec<Set>, takes: impl Fn(Set) -> bool) -> Result<(), ManySets> {
    if known.contains(&set) {
        return Ok(());
    }
    known.push(set);
    let mut next = 0;
    while next < known.len() {
        let union = known[next] | set;
        if union != set && union != known[next] && takes(union) && !known.contains(&union) {
            known.push(union);
        }
        next += 1;
    }
    if known.len() > MOST_SETS { Err(ManySets) } else { Ok(()) }
}

impl From<ManySets> for Unknown {
    fn from(ManySets: ManySets) -> Unknown {
        Unknown::ManyMoves
    }
}
