//! Who is in front of whom, and who must go along with whom: kept from one state to the next, of which most pieces lie as
//! they lay.

use super::blocking::{Part, Set, Shifts};
use super::pairs::{ONES, Pairs, Ways, of_bytes};

/// Of the pieces of a part, in one state of them.
#[derive(Default)]
pub(super) struct Front {
    pieces: usize,
    /// The tables of the pieces, as in the part that all this is of, and where their corners are.
    tables: Vec<u32>,
    places: Vec<[i32; 3]>,
    /// How far each piece can go until it meets each other one, a row a piece.
    ways: Vec<Ways>,
    /// Who is right in front of each piece, itself included,
    near: Sets,
    /// and whom it never gets past.
    ahead: Sets,
    /// The pieces that can go by one cell with at most half of all, and who must go along.
    along: Closed,
}

impl Front {
    /// Looks at a part with its pieces so shifted. Whether anything can move at all.
    pub(super) fn look(&mut self, part: &Part, pairs: &Pairs, shifts: &Shifts) -> bool {
        let is_same = self.tables == part.tables;
        if !is_same {
            self.begin(part);
        }
        let mut moved: Set = 0;
        for piece in 0..self.pieces {
            let place = part.place(piece, shifts);
            let before = std::mem::replace(&mut self.places[piece], place);
            moved |= Set::from(!is_same || before != place) << piece;
        }
        for first in bits(moved) {
            for second in (0..self.pieces).filter(|&second| second > first || moved >> second & 1 == 0) {
                let (a, b) = (first.min(second), first.max(second));
                let (from, to) = (self.places[a], self.places[b]);
                let table = pairs.table(self.tables[part.pair(a, b)]);
                let ways = table.ways([to[0] - from[0], to[1] - from[1], to[2] - from[2]]);
                self.put(a, b, ways);
                self.put(b, a, ways.reversed());
            }
        }
        let all = Set::MAX >> (Set::BITS as usize - self.pieces);
        self.along.close(&self.near, [all; 6]);
        self.along.small.iter().any(|&small| small != 0)
    }

    fn begin(&mut self, part: &Part) {
        self.tables.clone_from(&part.tables);
        self.pieces = part.corners.len();
        self.places.resize(self.pieces, [0; 3]);
        self.ways.clear();
        self.ways.resize(self.pieces * self.pieces, Ways::FREE);
        self.near.begin(self.pieces);
        self.ahead.begin(self.pieces);
    }

    /// Enters how far a piece can go until it meets another.
    #[inline]
    fn put(&mut self, piece: usize, other: usize, ways: Ways) {
        let before = std::mem::replace(&mut self.ways[piece * self.pieces + other], ways);
        self.near.change(piece, other, before.blocked(1) ^ ways.blocked(1));
        self.ahead.change(piece, other, before.meets() ^ ways.meets());
    }

    /// The pieces that can go by one cell with at most half of all, and who must go along.
    pub(super) fn along(&self) -> &Closed {
        &self.along
    }

    /// Who must go along with a set that goes that far; `None` when it is more than half of all.
    pub(super) fn grown(&self, side: usize, set: Set, step: u8) -> Option<Set> {
        closed(set, 0, self.pieces, |piece| {
            let row = &self.ways[piece * self.pieces..][..self.pieces];
            row.iter().rev().fold(0, |set, ways| set << 1 | Set::from(ways.towards(side) < step))
        })
    }

    /// The first single piece that can leave, side by side.
    pub(super) fn single_to_leave(&self) -> Option<(Set, usize)> {
        let alone = |side: usize| {
            bits(self.along.small[side]).map(|piece| self.ahead.get(side, piece)).find(|set| set.is_power_of_two())
        };
        (0..6).find_map(|side| alone(side).map(|set| (set, side)))
    }

    /// The pieces that can leave with at most half of all, and who must go along.
    pub(super) fn to_leave(&self, leaving: &mut Closed) {
        leaving.close(&self.ahead, self.along.small);
    }
}

/// A set for each side and piece.
#[derive(Default)]
struct Sets {
    pieces: usize,
    /// Of few pieces: a word a piece, in it a byte a side, in that a bit a piece.
    words: Vec<u64>,
    /// Of more, by side and piece.
    wide: [Vec<Set>; 6],
}

/// As many pieces as a byte has bits.
const FEW: usize = u8::BITS as usize;

impl Sets {
    /// Each piece alone.
    fn begin(&mut self, pieces: usize) {
        self.pieces = pieces;
        self.words.clear();
        self.wide.iter_mut().for_each(Vec::clear);
        if pieces <= FEW {
            self.words.extend((0..pieces).map(|piece| ONES << piece));
        } else {
            self.wide.iter_mut().for_each(|sets| sets.extend((0..pieces).map(|piece| (1 as Set) << piece)));
        }
    }

    /// Puts a piece into the sets of another, or takes it out, where the byte of the side has a one.
    #[inline]
    fn change(&mut self, of: usize, piece: usize, sides: u64) {
        if self.pieces <= FEW {
            self.words[of] ^= sides << piece;
            return;
        }
        for bit in bits(sides) {
            self.wide[bit / 8][of] ^= 1 << piece;
        }
    }

    #[inline]
    fn get(&self, side: usize, of: usize) -> Set {
        if self.pieces <= FEW { self.words[of] >> (8 * side) & 0xFF } else { self.wide[side][of] }
    }
}

/// Who must go along with each piece, as far as that is at most half of all.
#[derive(Default)]
pub(super) struct Closed {
    /// By side: of which pieces it is,
    pub(super) small: [Set; 6],
    /// and who it is then.
    sets: Sets,
}

impl Closed {
    pub(super) fn set(&self, side: usize, piece: usize) -> Set {
        self.sets.get(side, piece)
    }

    /// Closes the sets of those candidates; all others are known to be large.
    fn close(&mut self, front: &Sets, candidates: [Set; 6]) {
        self.sets.pieces = front.pieces;
        if front.pieces <= FEW {
            self.sets.words.clone_from(&front.words);
            self.small = close_words(&mut self.sets.words);
            return;
        }
        for (side, along) in self.sets.wide.iter_mut().enumerate() {
            along.resize(front.pieces, 0);
            self.small[side] = close(&front.wide[side], candidates[side], along);
        }
    }
}

/// Adds to the sets of up to eight pieces those of their members, and theirs (Warshall, Journal of the ACM 9 (1962), 11),
/// all sides at once. Which are then at most half of all.
fn close_words(sets: &mut [u64]) -> [Set; 6] {
    for through in 0..sets.len() {
        let reached = sets[through];
        for sets in &mut *sets {
            let all_of_sides = (*sets >> through & ONES) * 0xFF;
            *sets |= all_of_sides & reached;
        }
    }
    let half = sets.len() as u64 / 2;
    let small = sets.iter().enumerate().fold(0, |small, (piece, sets)| {
        // The number of bits of each byte (Warren, Hacker's Delight, 5-1), then the upper bit where it is small enough.
        let pairs = sets - (sets >> 1 & of_bytes(0x55));
        let fours = (pairs & of_bytes(0x33)) + (pairs >> 2 & of_bytes(0x33));
        let counts = (fours + (fours >> 4)) & of_bytes(0x0F);
        small | ((of_bytes(0x80 + half) - counts) >> 7 & ONES) << piece
    });
    std::array::from_fn(|side| small >> (8 * side) & 0xFF)
}

/// Closes those candidates' sets of who is in front, as far as they stay small; which do. All others are taken for large.
fn close(front: &[Set], candidates: Set, along: &mut [Set]) -> Set {
    let (mut small, mut large): (Set, Set) = (0, !candidates);
    for piece in bits(candidates) {
        let next = |piece: usize| if small >> piece & 1 == 1 { along[piece] } else { front[piece] };
        match closed(front[piece], large, front.len(), next) {
            Some(set) => {
                along[piece] = set;
                small |= 1 << piece;
            }
            None => large |= 1 << piece,
        }
    }
    small
}

/// A set with all that must go along; `None` when that is more than half of the pieces, as it is with each of the large.
fn closed(set: Set, large: Set, pieces: usize, next: impl Fn(usize) -> Set) -> Option<Set> {
    let (mut set, mut asked): (Set, Set) = (set, 0);
    loop {
        if set & large != 0 || set.count_ones() as usize > pieces / 2 {
            return None;
        }
        let new = set & !asked;
        if new == 0 {
            return Some(set);
        }
        let piece = new.trailing_zeros();
        asked |= 1 << piece;
        set |= next(piece as usize);
    }
}

/// The numbers of the pieces of a set.
pub(super) fn bits(set: Set) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(set), |set| Some(set & set.wrapping_sub(1)))
        .take_while(|&set| set != 0)
        .map(|set| set.trailing_zeros() as usize)
}
