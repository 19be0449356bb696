//! What can move where the pieces of a part lie now: who is in whose way, and which sets of pieces can go together.
//!
//! A set can go a step along a side when it is closed: whoever is nearer than that step in front of one of its pieces
//! belongs to it. So the closures of single pieces and their unions are all there is.

use super::Unknown;
use super::pairs::{Pairs, Ways};
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
pub(super) struct Part {
    /// Their corners, in cells.
    pub(super) corners: Vec<[i32; 3]>,
    /// The sizes of their boxes,
    pub(super) sizes: Vec<[i32; 3]>,
    /// and how long all in a row would be along each axis.
    pub(super) row: [i32; 3],
    /// The numbers of the tables of each piece and each after it, piece after piece.
    pub(super) tables: Vec<u32>,
}

/// How far the pieces have been moved, along each axis.
pub(super) type Shifts = Vec<[i8; 3]>;

/// Who is in whose way.
#[derive(Default)]
pub(super) struct Blocking {
    pieces: usize,
    /// How far each piece can go until it meets each one after it, piece after piece.
    ways: Vec<Ways>,
    /// Who must go along when a piece goes by one cell, by two, and so on, as far as that was asked.
    along: Vec<Along>,
    asked: usize,
    /// The same when it goes for ever.
    ahead: Along,
    /// The sets that can slide along a side, by step from 1.
    sliding: Vec<Vec<Set>>,
}

impl Blocking {
    /// Looks at a part with its pieces so shifted. Whether anything can move at all.
    pub(super) fn look(&mut self, part: &Part, pairs: &Pairs, shifts: &Shifts) -> bool {
        self.pieces = part.corners.len();
        self.ways.clear();
        let mut tables = part.tables.iter();
        for first in 0..self.pieces {
            let from = part.at(first, shifts);
            let others = (first + 1..self.pieces).zip(tables.by_ref()).map(|(second, &table)| {
                let to = part.at(second, shifts);
                pairs.table(table).ways([to[0] - from[0], to[1] - from[1], to[2] - from[2]])
            });
            self.ways.extend(others);
        }
        self.asked = 0;
        self.along(1).small.iter().any(|&sides| sides != 0)
    }

    /// Who must go along with each piece that goes by that many cells.
    fn along(&mut self, step: u8) -> &Along {
        while self.asked < usize::from(step) {
            if self.along.len() == self.asked {
                self.along.push(Along::default());
            }
            let step = self.asked as u8 + 1;
            self.along[self.asked].find(self.pieces, &self.ways, |ways| ways.blocked(step));
            self.asked += 1;
        }
        &self.along[usize::from(step) - 1]
    }

    /// The first set that can leave in the order of BurrTools: single pieces side by side, then groups.
    pub(super) fn first_to_leave(&mut self) -> Option<(Set, Side)> {
        self.ahead.find(self.pieces, &self.ways, Ways::meets);
        self.ahead.first(&self.ahead.single).or_else(|| self.ahead.first(&self.ahead.small))
    }

    /// Every set of at most half of the pieces that can leave: the closures and their unions. To be asked after the first.
    pub(super) fn all_to_leave(&self) -> Result<Vec<(Set, Side)>, ManySets> {
        let mut found: Vec<(Set, Side)> = Vec::new();
        for (side, to) in SIDES.into_iter().enumerate() {
            let mut here: Vec<Set> = Vec::new();
            let sets = (0..self.pieces).map(|piece| self.ahead.set(side, piece));
            for set in sets.filter(|&set| is_small(set, self.pieces)) {
                with_unions(set, &mut here, |union| is_small(union, self.pieces))?;
            }
            found.extend(here.into_iter().map(|set| (set, to)));
        }
        Ok(found)
    }

    /// Every set that can slide, by which step: side by side, piece by piece, step by step, the unions with sets found
    /// before that go by the same step right behind each. Slides that leave a gap right through the pieces are left out:
    /// they are apart then, and further apart makes no difference.
    pub(super) fn slides(
        &mut self,
        part: &Part,
        shifts: &Shifts,
        mut slide: impl FnMut(Set, usize, i8) -> Result<(), Unknown>,
    ) -> Result<(), Unknown> {
        let (pieces, all) = (self.pieces, Set::MAX >> (MOST_PIECES - self.pieces));
        let mut sliding = std::mem::take(&mut self.sliding);
        for side in 0..6 {
            if !self.along(1).small.iter().any(|sides| sides >> (8 * side) & 1 == 1) {
                continue;
            }
            sliding.iter_mut().for_each(Vec::clear);
            for piece in 0..pieces {
                for step in 1..i8::MAX {
                    let along = self.along(step as u8);
                    let set = along.set(side, piece);
                    if along.small[piece] >> (8 * side) & 1 == 0 || part.is_far(shifts, set, side, step) {
                        break;
                    }
                    if sliding.len() < step as usize {
                        sliding.push(Vec::new());
                    }
                    let known = &mut sliding[step as usize - 1];
                    let before = known.len();
                    with_unions(set, known, |union| union != all)?;
                    known[before..].iter().try_for_each(|&set| slide(set, side, step))?;
                }
            }
        }
        self.sliding = sliding;
        Ok(())
    }
}

impl Part {
    /// Of no piece yet.
    pub(super) fn with_room(pieces: usize) -> Part {
        Part {
            corners: Vec::with_capacity(pieces),
            sizes: Vec::with_capacity(pieces),
            row: [0; 3],
            tables: Vec::with_capacity(pieces * (pieces - 1) / 2),
        }
    }

    /// The corner of a piece.
    fn at(&self, piece: usize, shifts: &Shifts) -> [i32; 3] {
        let (corner, shift) = (self.corners[piece], shifts[piece]);
        [corner[0] + i32::from(shift[0]), corner[1] + i32::from(shift[1]), corner[2] + i32::from(shift[2])]
    }

    /// Whether the pieces reach further than all in a row after that slide.
    fn is_far(&self, shifts: &Shifts, set: Set, side: usize, step: i8) -> bool {
        let axis = side / 2;
        let by = if SIDES[side].is_positive() { i32::from(step) } else { -i32::from(step) };
        let ends = (0..self.corners.len()).map(|piece| {
            let moved = if set >> piece & 1 == 1 { by } else { 0 };
            let from = self.corners[piece][axis] + i32::from(shifts[piece][axis]) + moved;
            (from, from + self.sizes[piece][axis])
        });
        let (least, beyond) = ends.fold((i32::MAX, i32::MIN), |all, ends| (all.0.min(ends.0), all.1.max(ends.1)));
        beyond - least > self.row[axis]
    }
}

/// At most half of the pieces: when more have to go, the others can go the other way.
fn is_small(set: Set, pieces: usize) -> bool {
    set.count_ones() as usize <= pieces / 2
}

/// For each side and piece the set that must go along with it, itself with it.
#[derive(Default)]
struct Along {
    pieces: usize,
    /// Of few pieces: a word a piece, in it a byte a side, in that a bit a piece.
    packed: [u64; PACKED],
    /// Of more.
    wide: Vec<[Set; 6]>,
    /// For each piece a one in the byte of each side of which the set is small,
    small: Vec<u64>,
    /// and of which it is the piece alone.
    single: Vec<u64>,
}

/// As many pieces as a byte has bits.
const PACKED: usize = 8;
/// One in each byte that stands for a side.
const OF_SIDES: u64 = 0x0000_0101_0101_0101;
/// Every other byte.
const EVEN: u64 = 0x00FF_00FF_00FF_00FF;
/// One in each byte.
pub(super) const ONES: u64 = of_bytes(1);

/// That number in each byte.
pub(super) const fn of_bytes(byte: u64) -> u64 {
    byte * 0x0101_0101_0101_0101
}

impl Along {
    fn set(&self, side: usize, piece: usize) -> Set {
        if self.pieces <= PACKED { self.packed[piece] >> (8 * side) & 0xFF } else { self.wide[piece][side] }
    }

    /// The first of the sets that those bytes mark, side by side.
    fn first(&self, marked: &[u64]) -> Option<(Set, Side)> {
        let sides = marked.iter().fold(0, |all, sides| all | sides);
        let side = (0..6).find(|side| sides >> (8 * side) & 1 == 1)?;
        let piece = marked.iter().position(|sides| sides >> (8 * side) & 1 == 1)?;
        Some((self.set(side, piece), SIDES[side]))
    }

    /// Marks the small sets and the single pieces.
    fn mark(&mut self) {
        self.small.clear();
        self.single.clear();
        if self.pieces > PACKED {
            let bytes = |sets: &[Set; 6], is: &dyn Fn(Set) -> bool| {
                (0..6).map(|side| u64::from(is(sets[side])) << (8 * side)).sum::<u64>()
            };
            self.small.extend(self.wide.iter().map(|sets| bytes(sets, &|set| is_small(set, self.pieces))));
            self.single.extend(self.wide.iter().map(|sets| bytes(sets, &Set::is_power_of_two)));
            return;
        }
        for &sets in &self.packed[..self.pieces] {
            // The number of bits of each byte (Warren, Hacker's Delight, 5-1), then the upper bit where it is small enough.
            let pairs = sets - (sets >> 1 & of_bytes(0x55));
            let fours = (pairs & of_bytes(0x33)) + (pairs >> 2 & of_bytes(0x33));
            let counts = (fours + (fours >> 4)) & of_bytes(0x0F);
            let at_most = |most: u64| (of_bytes(0x80 + most) - counts) >> 7 & OF_SIDES;
            self.small.push(at_most(self.pieces as u64 / 2));
            self.single.push(at_most(1));
        }
    }

    /// Finds them where `blocked` has a one in the byte of each side towards which the first of two pieces has the second in
    /// its way. Then the second has the first in its way towards the opposite side.
    fn find(&mut self, pieces: usize, ways: &[Ways], blocked: impl Fn(Ways) -> u64) {
        self.pieces = pieces;
        let mut ways = ways.iter();
        if pieces > PACKED {
            self.wide.clear();
            self.wide.extend((0..pieces).map(|piece| [1 << piece; 6]));
            for first in 0..pieces {
                for (second, &ways) in (first + 1..pieces).zip(ways.by_ref()) {
                    let blocked = blocked(ways).to_le_bytes();
                    for (side, blocked) in blocked.into_iter().enumerate().take(6) {
                        self.wide[first][side] |= Set::from(blocked) << second;
                        self.wide[second][side ^ 1] |= Set::from(blocked) << first;
                    }
                }
            }
            close(&mut self.wide);
            return self.mark();
        }
        let sets = &mut self.packed[..pieces];
        for (piece, sets) in sets.iter_mut().enumerate() {
            *sets = ONES << piece;
        }
        for first in 0..pieces {
            for (second, &ways) in (first + 1..pieces).zip(ways.by_ref()) {
                let blocked = blocked(ways);
                let opposite = (blocked & EVEN) << 8 | blocked >> 8 & EVEN;
                sets[first] |= blocked << second;
                sets[second] |= opposite << first;
            }
        }
        // As in `close`, all sides at once.
        for through in 0..pieces {
            let reached = sets[through];
            for sets in &mut *sets {
                let all_of_sides = (*sets >> through & ONES) * 0xFF;
                *sets |= all_of_sides & reached;
            }
        }
        self.mark();
    }
}

/// Adds to each set those of its members, and theirs (Warshall, Journal of the ACM 9 (1962), 11).
fn close(sets: &mut [[Set; 6]]) {
    for through in 0..sets.len() {
        let reached = sets[through];
        for (set, reached) in sets.iter_mut().flat_map(|sets| sets.iter_mut().zip(reached)) {
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
