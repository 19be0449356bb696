//! Options as bit masks over the items that are left, in lists: what the search works on.
//!
//! An option is a placement; its items are its cells and its kind. A list holds the options that are still possible,
//! one array a word of the masks, each array padded with zeros, so that vector instructions run over it. A choice keeps
//! the options that share no item with it. When fewer words would do for the items left, the masks are packed anew.

use super::branch::gather;
use super::lanes::Lanes;

/// Arrays are padded to a multiple of this many words, and there are as many zeros behind the last option at least.
pub(super) const PAD: usize = 16;

/// Items, and the options as they are numbered with those items.
#[derive(Clone, Default)]
pub(super) struct Basis {
    /// How many items there are: first those to be used exactly once, then those to be used at most once, then the
    /// counted kinds.
    pub(super) items: usize,
    /// How many of the items, from the first, are to be used exactly once.
    pub(super) exact: usize,
    /// Words of a mask.
    pub(super) words: usize,
    /// How many options there are.
    pub(super) options: usize,
    /// Words of an array.
    pub(super) stride: usize,
    /// Word `w` of the mask of option `o` is at `w * stride + o`.
    pub(super) masks: Vec<u64>,
    /// The placement that each option is; empty when only the basis before knows.
    pub(super) placements: Vec<u32>,
    /// The masks of the options in the basis before, word after word.
    wider: Vec<u64>,
    wider_words: usize,
}

impl Basis {
    /// The basis of `options`, each a placement and its items.
    pub(super) fn new(exact: usize, items: usize, options: impl ExactSizeIterator<Item = (u32, Vec<u32>)>) -> Basis {
        let mut basis = Basis { exact, items, ..Basis::default() };
        basis.resize(options.len());
        for (option, (placement, items)) in options.enumerate() {
            basis.placements.push(placement);
            for item in items {
                basis.masks[item as usize / 64 * basis.stride + option] |= 1 << (item % 64);
            }
        }
        basis
    }

    /// Becomes the basis of a list, with only those items that are `kept`; `exact` of them were to be used exactly once.
    #[inline(always)]
    pub(super) fn pack_list<V: Lanes>(
        &mut self,
        exact: usize,
        list: &[u64],
        stride: usize,
        options: usize,
        kept: &[u64],
    ) {
        self.items = count(kept);
        self.exact = (0..exact).filter(|item| kept[item / 64] >> (item % 64) & 1 == 1).count();
        self.resize(options);
        self.wider.clear();
        self.wider_words = kept.len();
        let mut filled = 0;
        for (word, &kept) in kept.iter().enumerate() {
            let from = &list[word * stride..][..options];
            self.wider.extend_from_slice(from);
            let (at, shift, bits) = (filled / 64, filled % 64, kept.count_ones() as usize);
            for (option, &mask) in from.iter().enumerate() {
                let gathered = gather::<V>(mask, kept);
                if bits > 0 {
                    self.masks[at * self.stride + option] |= gathered << shift;
                }
                if shift + bits > 64 {
                    self.masks[(at + 1) * self.stride + option] |= gathered >> (64 - shift);
                }
            }
            filled += bits;
        }
    }

    /// The mask that an option has in the basis before; `None` in one that knows its placements.
    pub(super) fn wider(&self, option: usize) -> Option<Vec<u64>> {
        let word = |word: usize| self.wider[word * self.options + option];
        self.placements.is_empty().then(|| (0..self.wider_words).map(word).collect())
    }

    /// One word of the mask of an option.
    pub(super) fn mask(&self, option: usize, word: usize) -> u64 {
        self.masks[word * self.stride + option]
    }

    /// The option with that mask.
    pub(super) fn find(&self, mask: &[u64]) -> Option<usize> {
        (0..self.options).find(|&option| (0..self.words).all(|word| self.mask(option, word) == mask[word]))
    }

    /// The items to be used exactly once.
    pub(super) fn open(&self, word: usize) -> u64 {
        ones(self.exact.saturating_sub(word * 64))
    }

    fn resize(&mut self, options: usize) {
        self.options = options;
        self.words = words_for(self.items);
        self.stride = padded(options);
        self.masks.clear();
        self.masks.resize(self.words * self.stride, 0);
        self.placements.clear();
    }
}

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
    (options / PAD + 1) * PAD
}

/// A word with its lowest `count` bits set.
pub(super) fn ones(count: usize) -> u64 {
    if count < 64 { (1 << count) - 1 } else { u64::MAX }
}

/// How many bits are set.
pub(super) fn count(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}
