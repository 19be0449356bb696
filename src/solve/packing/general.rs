//! The innermost steps of the search for any number of words, for targets too large for the fast path.
//!
//! They go word by word, and leave out the words in which nothing is asked: most are, since options have few items.

use super::branch::Options;
use super::list::GROUP;

/// Tests the options of one item, see [`branch`](super::branch::branch).
pub(super) fn branch(
    options: Options<'_>,
    open: &[u64],
    once: &[u64],
    item: Option<usize>,
    children: &mut [u64],
) -> (usize, usize) {
    let words = open.len();
    let Some(item) = item.or_else(|| fewest(options, open).map(|(item, _)| item)) else { return (0, 0) };
    let (mut tested, mut written) = (0, 0);
    for tried in with(options, item) {
        let tried: Vec<u64> = (0..words).map(|word| mask(&options, word, tried)).collect();
        let ruled_out: Vec<u64> = tried.iter().zip(once).map(|(tried, once)| tried & once).collect();
        let kept = kept(options, &ruled_out);
        let is_covered = |word: usize| {
            let wanted = open[word] & !tried[word];
            let covered = |all: u64, &option: &usize| all | mask(&options, word, option);
            wanted == 0 || wanted & !kept.iter().fold(0, covered) == 0
        };
        tested += 1;
        if (0..words).all(is_covered) {
            children[written * words..][..words].copy_from_slice(&tried);
            written += 1;
        }
    }
    (tested, written)
}

/// Writes all masks; how many there are, twice.
pub(super) fn copy(options: Options<'_>, words: usize, masks: &mut [u64]) -> (usize, usize) {
    for option in 0..options.count {
        (0..words).for_each(|word| masks[option * words + word] = mask(&options, word, option));
    }
    (options.count, options.count)
}

/// The first of the open items with fewest options, and how many those are.
pub(super) fn fewest(options: Options<'_>, open: &[u64]) -> Option<(usize, u32)> {
    let words = open.len();
    let mut counts = vec![0_u32; 64 * words];
    for word in (0..words).filter(|&word| open[word] != 0) {
        for &mask in &options.masks[word * options.stride..][..options.count] {
            ones(1, |_| mask & open[word]).for_each(|item| counts[word * 64 + item] += 1);
        }
    }
    ones(words, |word| open[word]).map(|item| (item, counts[item])).min_by_key(|&(_, count)| count)
}

/// The options that have an item.
pub(super) fn with(options: Options<'_>, item: usize) -> impl Iterator<Item = usize> {
    (0..options.count).filter(move |&option| mask(&options, item / 64, option) >> (item % 64) & 1 == 1)
}

/// The options that have none of these items, in order.
pub(super) fn kept(options: Options<'_>, items: &[u64]) -> Vec<usize> {
    let mut is_kept = vec![true; options.count];
    for (word, &items) in items.iter().enumerate().filter(|(_, items)| **items != 0) {
        let masks = &options.masks[word * options.stride..][..options.count];
        is_kept.iter_mut().zip(masks).for_each(|(is_kept, mask)| *is_kept &= mask & items == 0);
    }
    (0..options.count).filter(|&option| is_kept[option]).collect()
}

/// Writes the options of a list that are kept, and zeros behind.
pub(super) fn write(options: Options<'_>, kept: &[usize], words: usize, stride: usize, list: &mut [u64]) {
    for (word, to) in (0..words).zip(list.chunks_exact_mut(stride)) {
        to.iter_mut().zip(kept).for_each(|(to, &option)| *to = mask(&options, word, option));
        to[kept.len()..][..GROUP].fill(0);
    }
}

fn mask(options: &Options<'_>, word: usize, option: usize) -> u64 {
    options.masks[word * options.stride + option]
}

fn ones(words: usize, bits: impl Fn(usize) -> u64) -> impl Iterator<Item = usize> {
    (0..words).flat_map(move |word| {
        let mut left = bits(word);
        std::iter::from_fn(move || {
            let item = (left != 0).then(|| word * 64 + left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(item)
        })
    })
}

/// The bits of a word that a mask selects, moved together (Warren, Hacker's Delight, section 7-4, bit by bit).
pub(super) fn gather(bits: u64, mask: u64) -> u64 {
    let (mut left, mut gathered) = (bits & mask, 0);
    // Options have few items, so that it is faster to go through those than through the mask.
    while left != 0 {
        let lowest = left & left.wrapping_neg();
        gathered |= 1 << (mask & (lowest - 1)).count_ones();
        left ^= lowest;
    }
    gathered
}

/// The bits of a word moved apart to where a mask is set: what gathering undoes.
pub(super) fn scatter(mut bits: u64, mut mask: u64) -> u64 {
    let mut scattered = 0;
    while bits != 0 && mask != 0 {
        let lowest = mask & mask.wrapping_neg();
        scattered |= if bits & 1 == 1 { lowest } else { 0 };
        (bits, mask) = (bits >> 1, mask ^ lowest);
    }
    scattered
}
