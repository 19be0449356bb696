//! The innermost steps of the search for any number of words, for targets too large for the fast path.

use super::branch::Options;

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
        let mut lost: Vec<u64> = (0..words).map(|word| open[word] & !tried[word]).collect();
        for other in 0..options.count {
            if (0..words).all(|word| tried[word] & once[word] & mask(&options, word, other) == 0) {
                (0..words).for_each(|word| lost[word] &= !mask(&options, word, other));
            }
        }
        tested += 1;
        if lost.iter().all(|&word| word == 0) {
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
    for option in 0..options.count {
        ones(words, |word| mask(&options, word, option)).for_each(|item| counts[item] += 1);
    }
    ones(words, |word| open[word]).map(|item| (item, counts[item])).min_by_key(|&(_, count)| count)
}

/// The options that have an item.
pub(super) fn with(options: Options<'_>, item: usize) -> impl Iterator<Item = usize> {
    (0..options.count).filter(move |&option| mask(&options, item / 64, option) >> (item % 64) & 1 == 1)
}

/// Writes the options that have none of these items, in order and with arrays as long; how many there are.
pub(super) fn filter(options: Options<'_>, items: &[u64], kept: &mut [u64]) -> usize {
    let mut count = 0;
    for option in 0..options.count {
        if (0..items.len()).all(|word| mask(&options, word, option) & items[word] == 0) {
            (0..items.len()).for_each(|word| kept[word * options.stride + count] = mask(&options, word, option));
            count += 1;
        }
    }
    for word in 0..items.len() {
        kept[word * options.stride + count..(word + 1) * options.stride].fill(0);
    }
    count
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
