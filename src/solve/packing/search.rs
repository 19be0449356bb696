//! The search of one subtree: branch on the item with fewest options, all children of a node tested at once.
//!
//! No recursion: open items, list and children of a node stand in one vector behind those of its parent, so that neither
//! stack nor allocator is touched while searching.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::branch::{Items, Options, branch, filter, gather};
use super::lanes::Instructions;
use super::list::{Basis, PAD, count, padded, words_for};
use super::problem::{Counted, Problem};

/// A subtree.
#[derive(Clone, Default)]
pub(super) struct Start {
    /// The placements chosen already.
    pub(super) chosen: Vec<u32>,
    /// Placements that are not to be tried, sorted.
    pub(super) banned: Arc<[u32]>,
}

/// What the search comes to; the function gives the placements.
pub(super) enum Leaf<'a> {
    /// Placements that solve the puzzle.
    Solution(&'a dyn Fn() -> Vec<u32>),
    /// Placements below which the search was told not to go.
    Deeper(&'a dyn Fn() -> Vec<u32>),
}

/// The state of a search, kept to be used again.
pub(super) struct Search<'a> {
    problem: &'a Problem,
    instructions: Instructions,
    interrupted: &'a AtomicBool,
    /// With ever fewer words.
    bases: Vec<Basis>,
    words: Vec<u64>,
    pub(super) frames: Vec<Frame>,
    /// The placements chosen at the start, and the masks chosen since.
    start: Vec<u32>,
    chosen: Vec<Chosen>,
    /// How often each counted kind is used.
    used: Vec<u32>,
    /// Cells of the target left for counted pieces, and of those that must come.
    room: u64,
    need: u64,
    /// The items that options do not share where the search is.
    once: Vec<u64>,
    /// What a choice rules out.
    conflicts: Vec<u64>,
    /// Options tested.
    pub(super) nodes: u64,
}

/// A node: its open items begin at `at`, its list behind them.
#[derive(Clone, Copy)]
pub(super) struct Node {
    at: usize,
    basis: usize,
    stride: usize,
    count: usize,
}

/// A node whose children wait.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    node: Node,
    /// The masks of the children begin here.
    children: usize,
    pub(super) next: usize,
    pub(super) count: usize,
    pub(super) chosen: usize,
    /// The masks of one child, when it is chosen: all of them where they are forced.
    together: usize,
    /// All that must be filled is filled; a child goes on with the options behind it.
    is_solved: bool,
}

/// A mask: where it begins, and in which basis it is.
#[derive(Clone, Copy)]
struct Chosen {
    at: usize,
    basis: usize,
    kind: Option<u32>,
}

impl<'a> Search<'a> {
    pub(super) fn new(problem: &'a Problem, instructions: Instructions, interrupted: &'a AtomicBool) -> Search<'a> {
        Search {
            problem,
            instructions,
            interrupted,
            bases: vec![problem.basis.clone()],
            words: Vec::new(),
            frames: Vec::new(),
            start: Vec::new(),
            chosen: Vec::new(),
            used: Vec::new(),
            room: 0,
            need: 0,
            once: Vec::new(),
            conflicts: Vec::new(),
            nodes: 0,
        }
    }

    /// Visits the leaves below `start` in order; solutions and nodes `depth` branches below it are not gone into when
    /// `depth` is less than the greatest number.
    pub(super) fn run(
        &mut self,
        start: &Start,
        depth: usize,
        mut visit: impl FnMut(Leaf<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let root = self.enter(start);
        self.arrive(root, depth, &mut visit)?;
        let mut steps = 0_u32;
        while let Some(frame) = self.frames.last_mut() {
            let (here, child) = (*frame, frame.next);
            frame.next += 1;
            self.undo(here.chosen);
            if child == here.count {
                self.frames.pop();
                continue;
            }
            if let Some(node) = self.descend(&here, child) {
                self.arrive(node, depth, &mut visit)?;
            }
            steps += 1;
            if steps.is_multiple_of(1024) && self.interrupted.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// The first node of a subtree.
    pub(super) fn enter(&mut self, start: &Start) -> Node {
        let wide = &self.problem.basis;
        self.frames.clear();
        self.chosen.clear();
        self.start.clone_from(&start.chosen);
        self.used.clear();
        self.used.resize(self.problem.counted.len(), 0);
        (self.room, self.need) = (self.problem.room, self.problem.need);
        let mut conflicts = vec![0; wide.words];
        let mut open: Vec<u64> = (0..wide.words).map(|word| wide.open(word)).collect();
        for &placement in &start.chosen {
            self.set_once(wide.items, wide.words);
            for word in 0..wide.words {
                let mask = wide.mask(placement as usize, word);
                open[word] &= !mask;
                conflicts[word] |= mask & self.once[word];
            }
            self.count(self.problem.counted_of[placement as usize]);
        }
        self.reserve(wide.words + wide.words * wide.stride);
        let (to, list) = self.words.split_at_mut(wide.words);
        to.copy_from_slice(&open);
        let options = Options { masks: &wide.masks, stride: wide.stride, count: wide.options };
        let mut count = filter(self.instructions, options, &conflicts, list);
        if !start.banned.is_empty() {
            // Both are in the order of their placements.
            let is_banned = |mask: &[u64]| {
                start
                    .banned
                    .iter()
                    .any(|&option| (0..wide.words).all(|word| wide.mask(option as usize, word) == mask[word]))
            };
            let mut kept = 0;
            for option in 0..count {
                let mask: Vec<u64> = (0..wide.words).map(|word| list[word * wide.stride + option]).collect();
                if !is_banned(&mask) {
                    (0..wide.words).for_each(|word| list[word * wide.stride + kept] = mask[word]);
                    kept += 1;
                }
            }
            for word in 0..wide.words {
                list[word * wide.stride + kept..(word + 1) * wide.stride].fill(0);
            }
            count = kept;
        }
        let stride = if wide.words == 1 { padded(count) } else { wide.stride };
        Node { at: 0, basis: 0, stride, count }
    }

    /// Writes the first node of a basis.
    fn place(&mut self, basis: usize, at: usize) -> Node {
        let Basis { words, stride, options, .. } = self.bases[basis];
        self.reserve(at + words + words * stride);
        (0..words).for_each(|word| self.words[at + word] = self.bases[basis].open(word));
        self.words[at + words..][..words * stride].copy_from_slice(&self.bases[basis].masks);
        Node { at, basis, stride, count: options }
    }

    fn arrive(
        &mut self,
        node: Node,
        depth: usize,
        visit: &mut impl FnMut(Leaf<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let is_solved = self.is_solved(&node);
        if depth < usize::MAX && (is_solved || self.frames.len() == depth) {
            return visit(Leaf::Deeper(&|| self.placements()));
        }
        if !is_solved {
            let frame = self.expand(node);
            self.frames.push(frame);
            return ControlFlow::Continue(());
        }
        if self.need == 0 {
            visit(Leaf::Solution(&|| self.placements()))?;
        }
        if node.count > 0 {
            let frame = self.fill(node);
            self.frames.push(frame);
        }
        ControlFlow::Continue(())
    }

    pub(super) fn is_solved(&self, node: &Node) -> bool {
        self.words[node.at..][..self.bases[node.basis].words].iter().all(|&word| word == 0)
    }

    /// Tests the children of a node.
    pub(super) fn expand(&mut self, node: Node) -> Frame {
        let node = self.pack(node);
        let words = self.bases[node.basis].words;
        let children = node.at + words + words * node.stride;
        self.reserve(children + words * node.count);
        self.set_once(self.bases[node.basis].items, words);
        let (list, behind) = self.words.split_at_mut(children);
        let (open, masks) = list[node.at..].split_at(words);
        let options = Options { masks, stride: node.stride, count: node.count };
        let items = Items { open, once: &self.once, are_independent: self.used.is_empty() };
        let branches = branch(self.instructions, options, items, behind);
        self.nodes += branches.tested as u64;
        let together = if branches.are_forced { branches.written.max(1) } else { 1 };
        let count = branches.written / together;
        Frame { node, children, next: 0, count, chosen: self.chosen.len(), together, is_solved: false }
    }

    /// Cells that may stay empty can take more placements: each set of them is one solution, in the order of its
    /// options.
    #[cold]
    fn fill(&mut self, node: Node) -> Frame {
        let words = self.bases[node.basis].words;
        let children = node.at + words + words * node.stride;
        self.reserve(children + words * node.count);
        for option in 0..node.count {
            for word in 0..words {
                self.words[children + option * words + word] =
                    self.words[node.at + words + word * node.stride + option];
            }
        }
        self.nodes += node.count as u64;
        Frame { node, children, next: 0, count: node.count, chosen: self.chosen.len(), together: 1, is_solved: true }
    }

    /// Chooses a child; its node, or `None` when the pieces that must come no longer fit.
    pub(super) fn descend(&mut self, frame: &Frame, child: usize) -> Option<Node> {
        let Node { at, basis, stride, count } = frame.node;
        let Basis { words, items, exact, .. } = self.bases[basis];
        let mask = frame.children + child * words;
        let next = frame.children + frame.count * frame.together * words;
        self.reserve(next + 2 * words + words * stride);
        self.set_once(items, words);
        let (before, after) = self.words.split_at_mut(next);
        let (open, rest) = after.split_at_mut(words);
        self.conflicts.clear();
        for word in 0..words {
            let chosen = (0..frame.together).fold(0, |all, i| all | before[mask + i * words + word]);
            open[word] = before[at + word] & !chosen;
            self.conflicts.push(self.once[word] & chosen);
        }
        let is_solved = open.iter().all(|&word| word == 0);
        let masks = &before[at + words..frame.children];
        let options = Options { masks, stride, count };
        let count = match frame.is_solved {
            // Nothing can be left where all items are to be used exactly once.
            false if is_solved && items == exact => 0,
            false => filter(self.instructions, options, &self.conflicts, rest),
            true => filter_behind(options, child, &self.conflicts, rest),
        };
        (0..frame.together).for_each(|i| self.choose(mask + i * words, basis));
        let stride = if words == 1 { padded(count) } else { stride };
        (self.need <= self.room).then_some(Node { at: next, basis, stride, count })
    }

    /// Uses fewer words where they are enough for the items left.
    fn pack(&mut self, node: Node) -> Node {
        let Basis { words, items, exact, .. } = self.bases[node.basis];
        if words == 1 {
            return node;
        }
        let open = &self.words[node.at..][..words];
        if words_for(count(open) + items - exact) >= words {
            return node;
        }
        let mut kept = open.to_vec();
        (exact..items).for_each(|item| kept[item / 64] |= 1 << (item % 64));
        let from = Options { masks: &self.words[node.at + words..], stride: node.stride, count: node.count };
        if self.bases.len() == node.basis + 1 {
            self.bases.push(Basis::default());
        }
        self.bases[node.basis + 1].pack_list(
            exact,
            from.masks,
            from.stride,
            from.count,
            &kept,
            gather(self.instructions),
        );
        self.place(node.basis + 1, node.at + words + words * node.stride)
    }

    /// The placements chosen, found again by their masks.
    fn placements(&self) -> Vec<u32> {
        let chosen = self.chosen.iter().map(|chosen| {
            let mut mask = self.words[chosen.at..][..self.bases[chosen.basis].words].to_vec();
            for basis in self.bases[..=chosen.basis].iter().rev() {
                let option = basis.find(&mask).expect("a mask that is chosen is in its basis");
                match basis.wider(option) {
                    Some(wider) => mask = wider,
                    None => return basis.placements[option],
                }
            }
            unreachable!("the first basis knows its placements")
        });
        self.start.iter().copied().chain(chosen).collect()
    }

    /// A counted kind is shared until its last copy.
    fn set_once(&mut self, items: usize, words: usize) {
        if self.used.is_empty() && self.once.len() == words {
            return;
        }
        self.once.clear();
        self.once.resize(words, u64::MAX);
        for (item, (used, kind)) in (items - self.used.len()..).zip(self.used.iter().zip(&self.problem.counted)) {
            if used + 1 < *kind.count.end() {
                self.once[item / 64] &= !(1 << (item % 64));
            }
        }
    }

    fn choose(&mut self, mask: usize, basis: usize) {
        let first = self.bases[basis].items - self.used.len();
        let is_kind = |kind: &usize| self.words[mask + (first + kind) / 64] >> ((first + kind) % 64) & 1 == 1;
        let kind = (0..self.used.len()).find(is_kind).map(|kind| kind as u32);
        self.count(kind);
        self.chosen.push(Chosen { at: mask, basis, kind });
    }

    fn count(&mut self, kind: Option<u32>) {
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
    pub(super) fn undo(&mut self, chosen: usize) {
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

    fn reserve(&mut self, words: usize) {
        if self.words.len() < words + PAD {
            self.words.resize(2 * (words + PAD), 0);
        }
    }
}

/// The options behind one that have none of these items.
fn filter_behind(options: Options<'_>, behind: usize, items: &[u64], kept: &mut [u64]) -> usize {
    let mut count = 0;
    let mask = |word: usize, option: usize| options.masks[word * options.stride + option];
    for option in behind + 1..options.count {
        if (0..items.len()).all(|word| mask(word, option) & items[word] == 0) {
            (0..items.len()).for_each(|word| kept[word * options.stride + count] = mask(word, option));
            count += 1;
        }
    }
    count
}
