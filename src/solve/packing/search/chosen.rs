//! What a search has chosen: the placements, and how often each counted kind is used.

use super::{Chosen, Search};
use crate::solve::packing::lanes::Lanes;
use crate::solve::packing::list::Items;
use crate::solve::packing::problem::Counted;

/// Writes the mask that items of the last of some numberings have in the first.
#[inline(always)]
pub(super) fn unpack<V: Lanes>(numberings: &[Items], mask: &[u64], to: &mut [u64]) {
    match numberings {
        [] | [_] => to.copy_from_slice(mask),
        [_, items] => items.unpack::<V>(mask, to),
        _ => {
            let mut mask = mask.to_vec();
            for step in numberings.windows(2).rev() {
                let mut before = vec![0; step[0].words];
                step[1].unpack::<V>(&mask, &mut before);
                mask = before;
            }
            to.copy_from_slice(&mask);
        }
    }
}

impl Search<'_> {
    /// The placements chosen, found again by their masks.
    #[inline(always)]
    pub(super) fn placements<V: Lanes>(&self) -> Vec<u32> {
        let chosen = self.chosen.iter().map(|&Chosen { at, numbering, .. }| {
            let mut mask = vec![0; self.items[0].words];
            unpack::<V>(&self.items[..=numbering], &self.words[at..][..self.items[numbering].words], &mut mask);
            self.problem.basis.find(&mask).expect("a mask that is chosen is that of an option")
        });
        self.start.iter().copied().chain(chosen).collect()
    }

    /// A counted kind is shared until its last copy.
    #[inline(always)]
    pub(super) fn set_once(&mut self, items: usize, words: usize) {
        if !self.used.is_empty() || self.once.len() != words {
            self.renew_once(items, words);
        }
    }

    fn renew_once(&mut self, items: usize, words: usize) {
        self.once.clear();
        self.once.resize(words, u64::MAX);
        for (item, (used, kind)) in (items - self.used.len()..).zip(self.used.iter().zip(&self.problem.counted)) {
            if used + 1 < *kind.count.end() {
                self.once[item / 64] &= !(1 << (item % 64));
            }
        }
    }

    #[inline(always)]
    pub(super) fn choose(&mut self, mask: usize, numbering: usize) {
        let kind = if self.used.is_empty() { None } else { self.counted_kind(mask, numbering) };
        self.count(kind);
        self.chosen.push(Chosen { at: mask, numbering, kind });
    }

    fn counted_kind(&self, mask: usize, numbering: usize) -> Option<u32> {
        let first = self.items[numbering].count - self.used.len();
        let is_kind = |kind: &usize| self.words[mask + (first + kind) / 64] >> ((first + kind) % 64) & 1 == 1;
        (0..self.used.len()).find(is_kind).map(|kind| kind as u32)
    }

    #[inline(always)]
    pub(super) fn count(&mut self, kind: Option<u32>) {
        if let Some(kind) = kind {
            let Counted { count, volume } = &self.problem.counted[kind as usize];
            let used = &mut self.used[kind as usize];
            *used += 1;
            self.room = self.room.wrapping_sub(*volume);
            if *used <= *count.start() {
                self.need -= volume;
            }
        }
    }

    /// Takes back all choices from that number on.
    #[inline(always)]
    pub(in super::super) fn undo(&mut self, chosen: usize) {
        if self.used.is_empty() {
            self.chosen.truncate(chosen);
        } else {
            self.undo_counted(chosen);
        }
    }

    fn undo_counted(&mut self, chosen: usize) {
        for Chosen { kind, .. } in self.chosen.drain(chosen..) {
            if let Some(kind) = kind {
                let Counted { count, volume } = &self.problem.counted[kind as usize];
                let used = &mut self.used[kind as usize];
                if *used <= *count.start() {
                    self.need += volume;
                }
                self.room = self.room.wrapping_add(*volume);
                *used -= 1;
            }
        }
    }
}
