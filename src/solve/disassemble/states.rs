//! The states of a search, in few bytes each: as many bits for each coordinate as the way it has gone needs, and eight
//! bytes for its place in the tree.

use super::Kept;
use super::blocking::{SIDES, Set, Shifts};
use super::front::bits;

/// States, each once, in the order in which they were found.
///
/// A state is how far the pieces have moved relative to the first, so moving one set of pieces and moving all others
/// the other way are the same.
#[derive(Default)]
pub(super) struct States {
    /// Of the pieces but the first, three each.
    fields: Vec<Field>,
    /// Words of a state.
    words: usize,
    keys: Vec<u64>,
    parents: Vec<u32>,
    /// Open addressing: the number of a state plus one, or 0.
    table: Vec<u32>,
    /// The state at hand.
    key: Vec<u64>,
}

/// Where a coordinate is kept, and from which value on; a power of two of values.
#[derive(Clone, Copy)]
struct Field {
    least: i32,
    bits: u32,
    word: usize,
    shift: u32,
}

/// At first a coordinate may be less by four than in the first state, or more by three.
const FIRST: Field = Field { least: -4, bits: 3, word: 0, shift: 0 };

/// How large the table is at first.
const FIRST_SIZE: usize = 64;

/// The pieces have moved further apart than can be followed.
pub(super) struct TooFar;

impl States {
    /// Of those shifts alone.
    pub(super) fn new(shifts: &[[i8; 3]]) -> Result<States, TooFar> {
        let mut states = States::default();
        states.begin(shifts)?;
        Ok(states)
    }

    /// Forgets all states and begins with that of those shifts.
    pub(super) fn begin(&mut self, shifts: &[[i8; 3]]) -> Result<(), TooFar> {
        self.keys.clear();
        self.parents.clear();
        self.fields.clear();
        for (shift, axis) in shifts[1..].iter().flat_map(|shift| (0..3).map(move |axis| (shift, axis))) {
            let value = i32::from(shift[axis]) - i32::from(shifts[0][axis]);
            i8::try_from(value).map_err(|_| TooFar)?;
            self.fields.push(Field { least: value + FIRST.least, ..FIRST });
        }
        self.lay_out();
        self.table.truncate(FIRST_SIZE);
        self.index(FIRST_SIZE);
        self.key.fill(0);
        for field in &self.fields {
            self.key[field.word] |= (-FIRST.least as u64) << field.shift;
        }
        self.insert_key(0);
        Ok(())
    }

    /// How much is kept.
    pub(super) fn kept(&self) -> Kept {
        let bytes = 8 * self.keys.len() + 4 * self.parents.len() + 4 * self.table.len();
        Kept { states: self.len() as u64, bytes: bytes as u64 }
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// Adds the state that a slide leads to from the state of that number, whose shifts those are, unless it is known.
    pub(super) fn insert_slide(
        &mut self,
        number: usize,
        shifts: &Shifts,
        set: Set,
        side: usize,
        step: i8,
    ) -> Result<bool, TooFar> {
        let (axis, by) = (side / 2, if SIDES[side].is_positive() { i32::from(step) } else { -i32::from(step) });
        // The first piece stays: when it is to move, the others go the other way.
        let (set, by) = if set & 1 == 1 { (!set, -by) } else { (set, by) };
        let moved = set & Set::MAX >> (Set::BITS as usize - shifts.len());
        let field = |piece: usize| 3 * (piece - 1) + axis;
        for piece in bits(moved) {
            let value = i32::from(shifts[piece][axis]) + by;
            while !self.fields[field(piece)].holds(value) {
                self.widen(field(piece), value)?;
            }
        }
        self.key.copy_from_slice(&self.keys[number * self.words..][..self.words]);
        for piece in bits(moved) {
            let Field { word, shift, .. } = self.fields[field(piece)];
            // What a field holds stays within it, so that nothing is carried over for good.
            self.key[word] = self.key[word].wrapping_add((i64::from(by) as u64) << shift);
        }
        Ok(self.insert_key(number as u32))
    }

    /// Adds the state at hand unless it is known.
    fn insert_key(&mut self, parent: u32) -> bool {
        let mask = self.table.len() - 1;
        let mut slot = hash(&self.key) as usize & mask;
        while self.table[slot] != 0 {
            // A few words: comparing them here is quicker than calling for it.
            if self.key_of((self.table[slot] - 1) as usize).iter().zip(&self.key).all(|(a, b)| a == b) {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        self.keys.extend_from_slice(&self.key);
        self.parents.push(parent);
        self.table[slot] = self.parents.len() as u32;
        if self.parents.len() * 3 > self.table.len() * 2 {
            self.index(self.table.len() * 2);
        }
        true
    }

    /// Makes a field hold that value as well.
    fn widen(&mut self, field: usize, value: i32) -> Result<(), TooFar> {
        i8::try_from(value).map_err(|_| TooFar)?;
        let before = self.fields.clone();
        let Field { least, bits, .. } = &mut self.fields[field];
        let beyond = *least + (1 << *bits);
        let from = value.min(*least);
        while from + (1 << *bits) < beyond.max(value + 1) {
            *bits += 1;
        }
        // What is left over is for more of the same direction.
        *least = if value < *least { beyond - (1 << *bits) } else { *least };
        let words = self.words;
        self.lay_out();
        let keys = std::mem::take(&mut self.keys);
        self.keys.reserve(keys.len() / words * self.words);
        for key in keys.chunks_exact(words) {
            self.key.fill(0);
            for (old, new) in before.iter().zip(&self.fields) {
                self.key[new.word] |= ((old.value(key) - new.least) as u64) << new.shift;
            }
            self.keys.extend_from_slice(&self.key);
        }
        self.index(self.table.len());
        Ok(())
    }

    /// Gives each field its bits.
    fn lay_out(&mut self) {
        let (mut word, mut shift) = (0, 0);
        for field in &mut self.fields {
            if shift + field.bits > u64::BITS {
                (word, shift) = (word + 1, 0);
            }
            (field.word, field.shift) = (word, shift);
            shift += field.bits;
        }
        self.words = word + 1;
        self.key.resize(self.words, 0);
    }

    /// Enters all states into a table of that size anew.
    fn index(&mut self, size: usize) {
        self.table.clear();
        self.table.resize(size, 0);
        for (number, key) in (1..).zip(self.keys.chunks_exact(self.words)) {
            let mut slot = hash(key) as usize & (size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = number;
        }
    }

    fn key_of(&self, number: usize) -> &[u64] {
        &self.keys[number * self.words..][..self.words]
    }

    /// The shifts of a state, the first piece at rest.
    pub(super) fn read(&self, number: usize, shifts: &mut Shifts) {
        shifts.clear();
        self.append(number, shifts);
    }

    fn append(&self, number: usize, shifts: &mut Shifts) {
        shifts.push([0; 3]);
        let key = self.key_of(number);
        for xyz in self.fields.chunks_exact(3) {
            shifts.push([xyz[0].value(key) as i8, xyz[1].value(key) as i8, xyz[2].value(key) as i8]);
        }
    }

    /// The states from the first to that one.
    pub(super) fn path(&self, number: usize) -> Path {
        let parent = |&number: &usize| (number != 0).then(|| self.parents[number] as usize);
        let mut numbers: Vec<usize> = std::iter::successors(Some(number), parent).collect();
        numbers.reverse();
        let pieces = self.fields.len() / 3 + 1;
        let mut shifts = Vec::with_capacity(pieces * numbers.len());
        numbers.into_iter().for_each(|number| self.append(number, &mut shifts));
        Path { pieces, shifts }
    }
}

/// States one after the other.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pieces: usize,
    /// Of all pieces, state after state.
    shifts: Shifts,
}

impl Path {
    pub(super) fn states(&self) -> impl DoubleEndedIterator<Item = &[[i8; 3]]> + ExactSizeIterator + Clone {
        self.shifts.chunks_exact(self.pieces)
    }

    /// The last state.
    pub(super) fn last(&self) -> &[[i8; 3]] {
        &self.shifts[self.shifts.len() - self.pieces..]
    }
}

impl Field {
    fn holds(&self, value: i32) -> bool {
        (value - self.least) as u32 >> self.bits == 0
    }

    fn value(&self, key: &[u64]) -> i32 {
        let above = key[self.word] >> self.shift & ((1 << self.bits) - 1);
        self.least + above as i32
    }
}

/// Folded by multiplications with an odd constant (that of Knuth's multiplicative hashing).
fn hash(key: &[u64]) -> u64 {
    let mix = |hash: u64, &word: &u64| {
        let product = u128::from(hash ^ word) * 0x9E37_79B9_7F4A_7C15;
        (product as u64) ^ (product >> 64) as u64
    };
    key.iter().fold(0x2545_F491_4F6C_DD1D, mix)
}

impl From<TooFar> for super::Unknown {
    fn from(TooFar: TooFar) -> super::Unknown {
        super::Unknown::FarMoves
    }
}
