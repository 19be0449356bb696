//! The states of a search, in few bytes each: three a piece but the first, and eight for its place in the tree.

use super::blocking::Shifts;

/// States, each once, in the order in which they were found.
///
/// A state is how far the pieces have moved relative to the first, so moving one set of pieces and moving all others
/// the other way are the same.
pub(super) struct States {
    width: usize,
    bytes: Vec<u8>,
    parents: Vec<u32>,
    /// Open addressing: the number of a state plus one, or 0.
    table: Vec<u32>,
}

/// The pieces have moved further apart than a byte can say.
pub(super) struct TooFar;

impl States {
    /// None yet, of that many pieces.
    pub(super) fn new(pieces: usize) -> States {
        let width = 3 * (pieces - 1);
        States { width, bytes: Vec::new(), parents: Vec::new(), table: vec![0; 64] }
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// Adds the state of those shifts unless it is known.
    pub(super) fn insert(&mut self, shifts: &Shifts, parent: u32) -> Result<bool, TooFar> {
        let start = self.bytes.len();
        for shift in &shifts[1..] {
            for axis in 0..3 {
                self.bytes.push(shift[axis].checked_sub(shifts[0][axis]).ok_or(TooFar)? as u8);
            }
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(&self.bytes[start..]) as usize & mask;
        while self.table[slot] != 0 {
            let other = (self.table[slot] - 1) as usize * self.width;
            if self.bytes[other..other + self.width] == self.bytes[start..] {
                self.bytes.truncate(start);
                return Ok(false);
            }
            slot = (slot + 1) & mask;
        }
        self.parents.push(parent);
        self.table[slot] = self.parents.len() as u32;
        if self.parents.len() * 3 > self.table.len() * 2 {
            self.grow();
        }
        Ok(true)
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        self.table.clear();
        self.table.resize(mask + 1, 0);
        for (number, bytes) in (1..).zip(self.bytes.chunks_exact(self.width)) {
            let mut slot = hash(bytes) as usize & mask;
            while self.table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = number;
        }
    }

    /// The shifts of a state, the first piece at rest.
    pub(super) fn read(&self, number: usize, shifts: &mut Shifts) {
        shifts.clear();
        shifts.push([0; 3]);
        let bytes = &self.bytes[number * self.width..][..self.width];
        shifts.extend(bytes.chunks_exact(3).map(|xyz| [xyz[0] as i8, xyz[1] as i8, xyz[2] as i8]));
    }

    /// The states from the first to that one.
    pub(super) fn path(&self, number: usize) -> Vec<Shifts> {
        let mut numbers = vec![number];
        while let Some(&last) = numbers.last().filter(|&&last| last != 0) {
            numbers.push(self.parents[last] as usize);
        }
        let mut states = Vec::with_capacity(numbers.len());
        for &number in numbers.iter().rev() {
            let mut shifts = Vec::new();
            self.read(number, &mut shifts);
            states.push(shifts);
        }
        states
    }
}

/// Eight bytes at a time, folded by a multiplication with an odd constant (that of Knuth's multiplicative hashing).
fn hash(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * 0x9E37_79B9_7F4A_7C15;
        (product as u64) ^ (product >> 64) as u64
    };
    let mut words = bytes.chunks_exact(8);
    let whole = words.by_ref().fold(0x2545_F491_4F6C_DD1D, |hash, word| {
        mix(hash, u64::from_le_bytes(word.try_into().expect("chunks of eight bytes")))
    });
    let rest = words.remainder().iter().fold(0, |rest, &byte| rest << 8 | u64::from(byte));
    mix(whole, rest)
}

impl From<TooFar> for super::Unknown {
    fn from(TooFar: TooFar) -> super::Unknown {
        super::Unknown::FarMoves
    }
}
