//! Words that begin with a line of the cache.

use std::ops::{Deref, DerefMut};

/// Words of a line of the cache. Vectors that cross lines take twice as long to load.
const LINE: usize = 8;

/// Words the first of which begins a line of the cache.
#[derive(Default)]
pub(super) struct Arena {
    all: Vec<u64>,
    first: usize,
}

impl Arena {
    /// Makes sure that there are so many words.
    #[inline(always)]
    pub(super) fn reserve(&mut self, words: usize) {
        if self.len() < words {
            self.grow(2 * words);
        }
    }

    #[cold]
    fn grow(&mut self, words: usize) {
        let mut all = vec![0_u64; words + LINE];
        let first = all.as_ptr().align_offset(size_of::<u64>() * LINE);
        all[first..][..self.len()].copy_from_slice(self);
        *self = Arena { all, first };
    }
}

impl Deref for Arena {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        &self.all[self.first..]
    }
}

impl DerefMut for Arena {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.all[self.first..]
    }
}

/// The first number from `at` on where a line begins.
#[inline(always)]
pub(super) fn aligned(at: usize) -> usize {
    at.next_multiple_of(LINE)
}
