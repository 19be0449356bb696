//! The two innermost steps of the search for any number of words, for targets too large for the fast path.

use super::branch::{Branches, Items, Options};
use super::search::Frame;

/// See [`branch`](super::branch::branch).
pub(super) fn branch(options: Options<'_>, items: Items<'_>, children: &mut [u64]) -> Branches {
    let Items { open, once, are_independent } = items;
    let words = open.len();
    let mut counts = vec![0_u32; 64 * words];
    for option in 0..options.count {
        ones(words, |word| mask(&options, word, option)).for_each(|item| counts[item] += 1);
    }
    let fewest = ones(words, |word| open[word]).min_by_key(|&item| counts[item]);
    let mut branches = Branches { tested: 0, written: 0, are_forced: fewest.is_some_and(|item| counts[item] == 1) };
    let Some(fewest) = fewest.filter(|&item| counts[item] > 0) else { return branches };
    let mut wanted = vec![0; words];
    ones(words, |word| open[word])
        .filter(|&item| if branches.are_forced { counts[item] == 1 } else { item == fewest })
        .for_each(|item| wanted[item / 64] |= 1 << (item % 64));
    let has_any = |&option: &usize| (0..words).any(|word| mask(&options, word, option) & wanted[word] != 0);
    let mut tried: Vec<usize> = (0..options.count).filter(has_any).collect();
    if branches.are_forced && !are_independent {
        tried.truncate(1);
    }
    branches.tested = tried.len();
    // Forced options are tested together, others one by one.
    let together = if branches.are_forced { tried.len() } else { 1 };
    for tried in tried.chunks(together) {
        let (mut all, mut clash) = (vec![0; words], false);
        for &option in tried {
            for word in 0..words {
                clash |= all[word] & mask(&options, word, option) & once[word] != 0;
                all[word] |= mask(&options, word, option);
            }
        }
        let mut covered = all.clone();
        for other in 0..options.count {
            if (0..words).all(|word| all[word] & once[word] & mask(&options, word, other) == 0) {
                (0..words).for_each(|word| covered[word] |= mask(&options, word, other));
            }
        }
        if !clash && (0..words).all(|word| open[word] & !covered[word] == 0) {
            for &option in tried {
                (0..words).for_each(|word| children[branches.written * words + word] = mask(&options, word, option));
                branches.written += 1;
            }
        }
    }
    branches
}

/// See [`filter`](super::branch::filter).
pub(super) fn filter(options: Options<'_>, items: &[u64], kept: &mut [u64]) -> usize {
    filter_behind(options, 0, items, kept)
}

fn filter_behind(options: Options<'_>, first: usize, items: &[u64], kept: &mut [u64]) -> usize {
    let mut count = 0;
    for option in first..options.count {
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

/// What is left of the open items and of the options of a node when a child is chosen; how many options. Where all that
/// must be filled is filled, a child goes on with the options behind it.
pub(super) fn descend(
    before: &[u64],
    after: &mut [u64],
    frame: &Frame,
    child: usize,
    once: &[u64],
    words: usize,
    is_exact: bool,
) -> usize {
    let (open, masks) = before[frame.node.at..frame.children].split_at(words);
    let chosen = &before[frame.children + child * words..][..frame.together * words];
    let (left, kept) = after.split_at_mut(words);
    let union = |word: usize| chosen.iter().skip(word).step_by(words).fold(0, |all, mask| all | mask);
    (0..words).for_each(|word| left[word] = open[word] & !union(word));
    if is_exact && left.iter().all(|&word| word == 0) {
        return 0;
    }
    let conflicts: Vec<u64> = (0..words).map(|word| union(word) & once[word]).collect();
    let options = Options { masks, stride: frame.node.stride, count: frame.node.count };
    filter_behind(options, if frame.is_solved { child + 1 } else { 0 }, &conflicts, kept)
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
