//! Options as bit masks over the items that are left, in lists: what the search works on.
//!
//! An option is a placement; its items are its cells and its kind. A list holds the options that are still possible,
//! one array a word of the masks, each array padded with zeros, so that vector instructions run over it. A choice keeps
//! the options that share no item with it. When fewer words would do for the items left, the masks are packed anew.

use std::sync::OnceLock;

use super::branch::{gather, scatter};
use super::lanes::Lanes;

/// Options are read in groups of so many; there are as many zeros behind the last one at least. Few long steps are faster
/// than many short ones, since how often a loop runs is hard to predict.
pub(super) const GROUP: usize = 32;

/// How items are numbered: first those to be used exactly once, then those to be used at most once, then the counted
/// kinds.
#[derive(Clone, Default)]
pub(super) struct Items {
    pub(super) count: usize,
    /// How many of them, from the first, are to be used exactly once.
    pub(super) exact: usize,
    /// Words of a mask.
    pub(super) words: usize,
    /// The items of the numbering before that are left; empty where there is none before.
    kept: Vec<u64>,
}

impl Items {
    pub(super) fn new(exact: usize, count: usize) -> Items {
        Items { count, exact, words: words_for(count), kept: Vec::new() }
    }

    /// The items that are left when of those to be used exactly once only some are open.
    pub(super) fn left(&self, open: &[u64]) -> Items {
        let exact = count(open);
        let mut kept = open.to_vec();
        (self.exact..self.count).for_each(|item| kept[item / 64] |= 1 << (item % 64));
        Items { kept, ..Items::new(exact, exact + self.count - self.exact) }
    }

    /// The items to be used exactly once.
    pub(super) fn open(&self, word: usize) -> u64 {
        ones(self.exact.saturating_sub(word * 64))
    }

    /// The number of an item of the numbering before.
    pub(super) fn number(&self, item: usize) -> usize {
        count(&self.kept[..item / 64]) + count(&[self.kept[item / 64] & ones(item % 64)])
    }

    /// Writes the masks of options of the numbering before, and zeros behind.
    #[inline(always)]
    pub(super) fn pack<V: Lanes>(&self, list: &[u64], stride: usize, options: usize, to: &mut [u64], to_stride: usize) {
        to[..self.words * to_stride].fill(0);
        let mut filled = 0;
        for (word, &kept) in self.kept.iter().enumerate() {
            let (at, shift, bits) = (filled / 64, filled % 64, kept.count_ones() as usize);
            if bits == 0 {
                continue;
            }
            let from = &list[word * stride..][..options];
            for (&mask, to) in from.iter().zip(&mut to[at * to_stride..]) {
                *to |= gather::<V>(mask, kept) << shift;
            }
            if shift + bits > 64 {
                for (&mask, to) in from.iter().zip(&mut to[(at + 1) * to_stride..]) {
                    *to |= gather::<V>(mask, kept) >> (64 - shift);
                }
            }
            filled += bits;
        }
    }

    /// Writes the mask that items have in the numbering before.
    #[inline(always)]
    pub(super) fn unpack<V: Lanes>(&self, mask: &[u64], to: &mut [u64]) {
        let mut filled = 0;
        for (&kept, to) in self.kept.iter().zip(to) {
            let (at, shift, bits) = (filled / 64, filled % 64, kept.count_ones() as usize);
            filled += bits;
            let high = if shift + bits > 64 { mask[at + 1] << (64 - shift) } else { 0 };
            *to = if bits > 0 { scatter::<V>(mask[at] >> shift | high, kept) } else { 0 };
        }
    }
}

/// All options; option `p` is placement `p`.
#[derive(Default)]
pub(super) struct Basis {
    pub(super) items: Items,
    pub(super) options: usize,
    /// Words of an array.
    pub(super) stride: usize,
    /// Word `w` of the mask of option `o` is at `w * stride + o`.
    pub(super) masks: Vec<u64>,
    /// The options by their masks, once they are looked up: see [`Basis::find`].
    slots: OnceLock<Vec<u32>>,
}

impl Basis {
    /// The basis of options with those items.
    pub(super) fn new(items: Items, options: impl ExactSizeIterator<Item = Vec<u32>>) -> Basis {
        let (count, stride) = (options.len(), padded(options.len()));
        let mut masks = vec![0; items.words * stride];
        for (option, items) in options.enumerate() {
            for item in items {
                masks[item as usize / 64 * stride + option] |= 1 << (item % 64);
            }
        }
        Basis { items, options: count, stride, masks, slots: OnceLock::new() }
    }

    /// One word of the mask of an option.
    pub(super) fn mask(&self, option: usize, word: usize) -> u64 {
        self.masks[word * self.stride + option]
    }

    /// The option with that mask; of two with one mask the first.
    pub(super) fn find(&self, mask: &[u64]) -> Option<u32> {
        let slots = self.slots.get_or_init(|| self.slots());
        let mut slot = first_slot(mask.iter().copied(), slots.len());
        while slots[slot] != EMPTY {
            if self.words(slots[slot]).eq(mask.iter().copied()) {
                return Some(slots[slot]);
            }
            slot = (slot + 1) & (slots.len() - 1);
        }
        None
    }

    /// A hash table of the options by their masks, at most half full, with linear probing.
    fn slots(&self) -> Vec<u32> {
        let mut slots = vec![EMPTY; (2 * self.options).next_power_of_two().max(2)];
        for option in 0..self.options as u32 {
            let mut slot = first_slot(self.words(option), slots.len());
            while slots[slot] != EMPTY {
                slot = (slot + 1) & (slots.len() - 1);
            }
            slots[slot] = option;
        }
        slots
    }

    fn words(&self, option: u32) -> impl Iterator<Item = u64> {
        (0..self.items.words).map(move |word| self.mask(option as usize, word))
    }
}

/// Where words are looked for first in a table of that size, a power of two and at least two (Knuth, The Art of Computer
/// Programming 3, 6.4: multiplicative hashing).
pub(super) fn first_slot(words: impl Iterator<Item = u64>, slots: usize) -> usize {
    let hash = words.fold(0_u64, |hash, word| (hash.rotate_left(32) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    (hash >> (u64::BITS - slots.ilog2())) as usize
}

/// No option.
const EMPTY: u32 = u32::MAX;

/// Words of the masks of that many items, among those numbers of words that there are instructions for.
pub(super) fn words_for(items: usize) -> usize {
    match items.div_ceil(64) {
        0 => 1,
        3 => 4,
        words => words,
    }
}

/// The length of an array for that many options.
pub(super) fn padded(options: usize) -> usize {
    (options.div_ceil(GROUP) + 1) * GROUP
}

/// A word with its lowest `count` bits set.
pub(super) fn ones(count: usize) -> u64 {
    if count < 64 { (1 << count) - 1 } else { u64::MAX }
}

/// How many bits are set.
pub(super) fn count(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}
