//! What follows from a choice: options that are forced are chosen too, before anything is built.

use super::{Next, Node, Search, array};
use crate::solve::packing::arena::aligned;
use crate::solve::packing::branch::{Options, filter, lowest, with_any};
use crate::solve::packing::general;
use crate::solve::packing::lanes::Lanes;
use crate::solve::packing::list::{GROUP, Items, count, padded, words_for};

/// Options among which a choice is made.
#[derive(Clone, Copy)]
pub(super) struct List {
    pub(super) numbering: usize,
    pub(super) words: usize,
    pub(super) at: usize,
    pub(super) stride: usize,
    pub(super) count: usize,
    /// Where there is room for more.
    pub(super) behind: usize,
}

/// With any number of words, one takes about so many times as long.
const SLOW: u64 = 16;

impl Search<'_> {
    /// Chooses an option at a node whose open items end at `open`, and settles; whether there is a node then.
    #[inline(always)]
    pub(super) fn choose_one<V: Lanes, const W: usize>(&mut self, list: List, open: usize, chosen: usize) -> bool {
        let (mut open, mask): ([u64; W], [u64; W]) = (array(&self.words[open - W..]), array(&self.words[chosen..]));
        let mut ruled_out = [0; W];
        self.set_once(self.items[list.numbering].count, W);
        for word in 0..W {
            open[word] &= !mask[word];
            ruled_out[word] = mask[word] & self.once[word];
        }
        self.choose(chosen, list.numbering);
        self.settle::<V, W>(list, open, ruled_out)
    }

    /// Chooses all options that are forced, and goes to the node where nothing is; whether there is one: `false` when the
    /// rest cannot be filled.
    #[inline(always)]
    pub(super) fn settle<V: Lanes, const W: usize>(
        &mut self,
        list: List,
        mut open: [u64; W],
        mut ruled_out: [u64; W],
    ) -> bool {
        let List { numbering, mut at, mut stride, count: mut options, mut behind, .. } = list;
        let Items { count, exact, .. } = self.items[numbering];
        loop {
            if self.need > self.room {
                return false;
            }
            let is_solved = open == [0; W];
            let to = aligned(behind + W);
            // Nothing can be left where all items are to be used exactly once.
            if is_solved && count == exact {
                return self.arrive(numbering, W, to, stride, 0, Next::Solved);
            }
            self.words.reserve(to + W * stride + GROUP);
            self.read += (W * options) as u64;
            let (before, kept) = self.words.split_at_mut(to);
            let left = filter::<V, W>(Options { masks: &before[at..], stride, count: options }, ruled_out, open, kept);
            if left.none != [0; W] {
                return false;
            }
            (at, options) = (to, left.count);
            if W == 1 {
                stride = padded(options);
            }
            behind = to + W * stride;
            if left.ones == [0; W] {
                before[to - W..].copy_from_slice(&open);
                let item = lowest(if left.twos != [0; W] { left.twos } else { left.threes });
                let next = match item {
                    _ if is_solved => Next::Solved,
                    Some(item) => Next::Item(item as u32),
                    None => Next::Fewest,
                };
                if W > 1 && !is_solved && self.is_wide(numbering, &open) {
                    return self.pack::<V>(numbering, at, stride, options, next);
                }
                return self.arrive(numbering, W, at, stride, options, next);
            }
            self.words.reserve(behind + W * options + GROUP);
            let (before, after) = self.words.split_at_mut(behind);
            let list = Options { masks: &before[at..], stride, count: options };
            let forced = with_any::<V, W>(list, left.ones, after);
            self.nodes += forced as u64;
            ruled_out = [0; W];
            let (mut all, mut clash) = ([0; W], 0);
            for _ in 0..forced {
                self.set_once(count, W);
                for word in 0..W {
                    let (mask, once) = (self.words[behind + word], self.once[word]);
                    clash |= ruled_out[word] & mask;
                    all[word] |= mask;
                    ruled_out[word] |= mask & once;
                }
                // Most often two of them clash.
                if clash != 0 {
                    return false;
                }
                self.choose(behind, numbering);
                behind += W;
            }
            for word in 0..W {
                open[word] &= !all[word];
            }
        }
    }

    /// See [`choose_one`](Self::choose_one).
    #[cold]
    pub(super) fn choose_general<V: Lanes>(&mut self, list: List, open: usize, chosen: usize) -> bool {
        let mut open = self.words[open - list.words..open].to_vec();
        let ruled_out = self.choose_wide(list.numbering, &mut open, chosen);
        self.settle_general::<V>(list, open, ruled_out)
    }

    /// Chooses an option of any number of words; the items that it rules out.
    fn choose_wide(&mut self, numbering: usize, open: &mut [u64], chosen: usize) -> Vec<u64> {
        self.set_once(self.items[numbering].count, open.len());
        let mask = &self.words[chosen..][..open.len()];
        open.iter_mut().zip(mask).for_each(|(open, mask)| *open &= !mask);
        let ruled_out = mask.iter().zip(&self.once).map(|(mask, once)| mask & once).collect();
        self.choose(chosen, numbering);
        ruled_out
    }

    /// See [`settle`](Self::settle).
    #[cold]
    pub(super) fn settle_general<V: Lanes>(&mut self, list: List, mut open: Vec<u64>, mut ruled_out: Vec<u64>) -> bool {
        let List { numbering, words, mut at, mut stride, count: mut options, mut behind } = list;
        let Items { count, exact, .. } = self.items[numbering];
        loop {
            if self.need > self.room {
                return false;
            }
            let is_solved = open.iter().all(|&word| word == 0);
            let to = aligned(behind + words);
            if is_solved && count == exact {
                return self.arrive(numbering, words, to, stride, 0, Next::Solved);
            }
            self.read += SLOW * (words * options) as u64;
            let from = stride;
            let kept = general::kept(Options { masks: &self.words[at..], stride, count: options }, &ruled_out);
            stride = padded(kept.len());
            behind = to + words * stride;
            self.words.reserve(behind + words + GROUP);
            let (before, list) = self.words.split_at_mut(to);
            general::write(Options { masks: &before[at..], stride: from, count: options }, &kept, words, stride, list);
            before[to - words..].copy_from_slice(&open);
            (at, options) = (to, kept.len());
            let left = Options { masks: list, stride, count: options };
            let next = match general::fewest(left, &open) {
                None => Next::Solved,
                Some((_, 0)) => return false,
                Some((item, 1)) => {
                    let Some(forced) = general::with(left, item).next() else { return false };
                    (0..words).for_each(|word| self.words[behind + word] = self.words[at + word * stride + forced]);
                    self.nodes += 1;
                    ruled_out = self.choose_wide(numbering, &mut open, behind);
                    behind += words;
                    continue;
                }
                Some((item, _)) => Next::Item(item as u32),
            };
            if !is_solved && self.is_wide(numbering, &open) {
                return self.pack::<V>(numbering, at, stride, options, next);
            }
            return self.arrive(numbering, words, at, stride, options, next);
        }
    }

    /// Goes to a node; `true`.
    #[inline(always)]
    fn arrive(&mut self, numbering: usize, words: usize, at: usize, stride: usize, options: usize, next: Next) -> bool {
        let (chosen, found) = (self.chosen.len(), self.found);
        let node = Node { numbering, words, at, stride, options, next, children: 0, count: 0, child: 0, chosen, found };
        self.path.push(node);
        true
    }

    /// Whether fewer words are enough for the items left.
    #[inline(always)]
    fn is_wide(&self, numbering: usize, open: &[u64]) -> bool {
        let Items { words, count: items, exact, .. } = self.items[numbering];
        words_for(count(open) + items - exact) < words
    }

    /// Goes to a node with fewer words than it has now; `true`.
    #[inline(always)]
    fn pack<V: Lanes>(&mut self, numbering: usize, at: usize, stride: usize, options: usize, next: Next) -> bool {
        let before = &self.items[numbering];
        let items = before.left(&self.words[at - before.words..at]);
        let (words, to_stride) = (items.words, padded(options));
        let to = aligned(at + before.words * stride + words);
        self.words.reserve(to + words * to_stride);
        let (list, packed) = self.words.split_at_mut(to);
        items.pack::<V>(&list[at..], stride, options, packed, to_stride);
        (0..words).for_each(|word| list[to - words + word] = items.open(word));
        let next = match next {
            Next::Item(item) => Next::Item(items.number(item as usize) as u32),
            other => other,
        };
        self.items.truncate(numbering + 1);
        self.items.push(items);
        self.arrive(numbering + 1, words, to, to_stride, options, next)
    }
}
