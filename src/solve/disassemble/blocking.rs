//! What can move where the pieces of a part lie now: who is in whose way, and which sets of pieces can go together.
//!
//! A set can go a step along a side when it is closed: whoever is nearer than that step in front of one of its pieces
//! belongs to it. So the closures of single pieces and their unions are all there is.

use super::Unknown;
use super::front::{Closed, Front, bits};
use super::pairs::Pairs;
use crate::puzzle::grid::Side;

/// A set of pieces of a part, by bits.
pub(super) type Set = u64;
/// More pieces than a [`Set`] has bits are not taken apart.
pub(super) const MOST_PIECES: usize = Set::BITS as usize;

/// More sets that can go along one side by one step are not looked at.
const MOST_SETS: usize = 1 << 16;

/// There are more than [`MOST_SETS`].
pub(super) struct ManySets;

/// The order in which sides are tried, as in BurrTools.
pub(super) const SIDES: [Side; 6] = [Side::Right, Side::Left, Side::Back, Side::Front, Side::Top, Side::Bottom];

/// The pieces that are to be separated, as they lie before any move.
#[derive(Default)]
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

/// The moves there are.
#[derive(Default)]
pub(super) struct Blocking {
    front: Front,
    leaving: Closed,
    /// The sets that can slide along a side, by step from 1.
    sliding: Vec<Unions>,
}

impl Blocking {
    /// Looks at a part with its pieces so shifted. Whether anything can move at all.
    pub(super) fn look(&mut self, part: &Part, pairs: &Pairs, shifts: &Shifts) -> bool {
        self.front.look(part, pairs, shifts)
    }

    /// The first set that can leave in the order of BurrTools: single pieces side by side, then groups.
    pub(super) fn first_to_leave(&mut self) -> Option<(Set, Side)> {
        if let Some((set, side)) = self.front.single_to_leave() {
            return Some((set, SIDES[side]));
        }
        self.front.to_leave(&mut self.leaving);
        let side = (0..6).find(|&side| self.leaving.small[side] != 0)?;
        let piece = self.leaving.small[side].trailing_zeros() as usize;
        Some((self.leaving.set(side, piece), SIDES[side]))
    }

    /// Every set of at most half of the pieces that can leave: the closures and their unions.
    pub(super) fn all_to_leave(&mut self, part: &Part) -> Result<Vec<(Set, Side)>, ManySets> {
        self.front.to_leave(&mut self.leaving);
        let mut found: Vec<(Set, Side)> = Vec::new();
        let mut here = Unions::default();
        for (side, to) in SIDES.into_iter().enumerate() {
            here.clear();
            for piece in bits(self.leaving.small[side]) {
                let set = self.leaving.set(side, piece);
                here.add(piece, set, |union| union.count_ones() as usize <= part.corners.len() / 2)?;
            }
            found.extend(here.sets.iter().map(|&set| (set, to)));
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
        let all = Set::MAX >> (MOST_PIECES - part.corners.len());
        let spans = [0, 1, 2].map(|axis| part.span(shifts, axis, |_| 0));
        for side in 0..6 {
            self.sliding.iter_mut().for_each(Unions::clear);
            for piece in bits(self.front.along().small[side]) {
                let mut set = self.front.along().set(side, piece);
                for step in 1..i8::MAX {
                    // As a rule even the longest way that a slide can make it leaves it short.
                    let may_be_far = spans[side / 2] + i32::from(step) > part.row[side / 2];
                    if may_be_far && part.is_far(shifts, set, side, step) {
                        break;
                    }
                    if self.sliding.len() < step as usize {
                        self.sliding.push(Unions::default());
                    }
                    let known = &mut self.sliding[step as usize - 1];
                    let before = known.sets.len();
                    known.add(piece, set, |union| union != all)?;
                    known.sets[before..].iter().try_for_each(|&set| slide(set, side, step))?;
                    match self.front.grown(side, set, step as u8 + 1) {
                        Some(grown) => set = grown,
                        None => break,
                    }
                }
            }
        }
        Ok(())
    }
}

impl Part {
    /// The number of two pieces among all pairs.
    #[inline]
    pub(super) fn pair(&self, first: usize, second: usize) -> usize {
        // Each piece before the first has a pair fewer than the one before it.
        first * (2 * self.corners.len() - first - 1) / 2 + second - first - 1
    }

    /// Where the corner of a piece is.
    #[inline]
    pub(super) fn place(&self, piece: usize, shifts: &Shifts) -> [i32; 3] {
        let (corner, shift) = (self.corners[piece], shifts[piece]);
        [corner[0] + i32::from(shift[0]), corner[1] + i32::from(shift[1]), corner[2] + i32::from(shift[2])]
    }

    /// Whether the pieces reach further than all in a row after that slide.
    fn is_far(&self, shifts: &Shifts, set: Set, side: usize, step: i8) -> bool {
        let by = if SIDES[side].is_positive() { i32::from(step) } else { -i32::from(step) };
        self.span(shifts, side / 2, |piece| if set >> piece & 1 == 1 { by } else { 0 }) > self.row[side / 2]
    }

    /// How far the pieces reach along an axis when each is moved by that much more.
    fn span(&self, shifts: &Shifts, axis: usize, by: impl Fn(usize) -> i32) -> i32 {
        let ends = (0..self.corners.len()).map(|piece| {
            let from = self.corners[piece][axis] + i32::from(shifts[piece][axis]) + by(piece);
            (from, from + self.sizes[piece][axis])
        });
        let (least, beyond) = ends.fold((i32::MAX, i32::MIN), |all, ends| (all.0.min(ends.0), all.1.max(ends.1)));
        beyond - least
    }
}

/// Sets that can go along one side by one step, and all their unions.
#[derive(Default)]
struct Unions {
    sets: Vec<Set>,
    /// The pieces whose sets have been added.
    of: Set,
}

impl Unions {
    fn clear(&mut self) {
        self.sets.clear();
        self.of = 0;
    }

    /// Adds the set that must go along with a piece, and its unions with the known ones, as far as they are new and taken.
    fn add(&mut self, piece: usize, set: Set, takes: impl Fn(Set) -> bool) -> Result<(), ManySets> {
        // All are closed: one with the piece in it has the whole set in it. Those without it make different unions where
        // the set has none of the pieces added before: what is left of a union without the set is all that was known.
        let is_apart = set & self.of == 0;
        self.of |= 1 << piece;
        let known = self.sets.len();
        if !is_apart && self.sets.contains(&set) {
            return Ok(());
        }
        self.sets.push(set);
        for number in 0..known {
            let other = self.sets[number];
            let union = other | set;
            if other >> piece & 1 == 0 && union != set && takes(union) && (is_apart || !self.sets.contains(&union)) {
                self.sets.push(union);
            }
        }
        if self.sets.len() > MOST_SETS { Err(ManySets) } else { Ok(()) }
    }
}

impl From<ManySets> for Unknown {
    fn from(ManySets: ManySets) -> Unknown {
        Unknown::ManyMoves
    }
}
