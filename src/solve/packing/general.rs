//! The two innermost steps of the search for any number of words, for targets too large for the fast path.

use super::lanes::Options;

/// See [`branch`](super::lanes::branch).
pub(super) fn branch(options: Options<'_>, open: &[u64], once: &[u64], children: &mut [u64]) -> (usize, usize) {
    let words = open.len();
    let mut counts = vec![0_u32; 64 * words];
    for option in 0..options.count {
        items(words, |word| mask(&options, word, option)).for_each(|item| counts[item] += 1);
    }
    let item = items(words, |word| open[word]).min_by_key(|&item| counts[item]);
    let Some(item) = item.filter(|&item| counts[item] > 0) else { return (0, 0) };
    let (mut tested, mut written) = (0, 0);
    let mut covered = vec![0; words];
    for option in (0..options.count).filter(|&option| mask(&options, item / 64, option) >> (item % 64) & 1 == 1) {
        covered.fill(0);
        for other in 0..options.count {
            if (0..words).all(|word| mask(&options, word, option) & once[word] & mask(&options, word, other) == 0) {
                (0..words).for_each(|word| covered[word] |= mask(&options, word, other));
            }
        }
        tested += 1;
        if (0..words).all(|word| open[word] & !mask(&options, word, option) & !covered[word] == 0) {
            (0..words).for_each(|word| children[written * words + word] = mask(&options, word, option));
            written += 1;
        }
    }
    (tested, written)
}

/// See [`filter`](super::lanes::filter).
pub(super) fn filter(options: Options<'_>, items: &[u64], kept: &mut [u64]) -> usize {
    let mut count = 0;
    for option in 0..options.count {
        if (0..items.len()).all(|word| mask(&options, word, option) & items[word] == 0) {
            (0..items.len()).for_each(|word| kept[word * options.stride + count] = mask(&options, word, option));
            count += 1;
        }
    }
    count
}

fn mask(options: &Options<'_>, word: usize, option: usize) -> u64 {
    options.masks[word * options.stride + option]
}

fn items(words: usize, bits: impl Fn(usize) -> u64) -> impl Iterator<Item = usize> {
    (0..words).flat_map(move |word| {
        let mut left = bits(word);
        std::iter::from_fn(move || {
            let item = (left != 0).then(|| word * 64 + left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(item)
        })
    })
}

/// See [`gather`](super::lanes::gather) (Warren, Hacker's Delight, section 7-4, bit by bit).
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
