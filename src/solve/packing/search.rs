//! The search of one subtree: branch on the item with fewest options, all children of a node tested at once.
//!
//! No recursion: open items, list and children of a node stand in one vector behind those of its parent, so that neither
//! stack nor allocator is touched while searching.

// Masks run side by side by word.
#![allow(clippy::needless_range_loop)]

mod chosen;

use std::ops::ControlFlow;
use std::sync::Arc;

use super::branch::{Branches, Items, Options, branch, filter};
use super::general;
use super::lanes::{Instructions, Lanes, Work};
use super::list::{Basis, PAD, count, padded, words_for};
use super::problem::Problem;
use super::signal::Signal;

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
    pub(super) instructions: Instructions,
    pub(super) signal: &'a Signal,
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
    /// Options tested.
    pub(super) nodes: u64,
}

/// A node: its open items begin at `at`, its list behind them.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) at: usize,
    pub(super) basis: usize,
    pub(super) stride: usize,
    pub(super) count: usize,
}

/// A node whose children wait.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) node: Node,
    /// The masks of the children begin here.
    pub(super) children: usize,
    pub(super) next: usize,
    pub(super) count: usize,
    pub(super) chosen: usize,
    /// The masks of one child, when it is chosen: all of them where they are forced.
    pub(super) together: usize,
    /// All that must be filled is filled; a child goes on with the options behind it.
    pub(super) is_solved: bool,
}

/// A mask: where it begins, and in which basis it is.
#[derive(Clone, Copy)]
struct Chosen {
    at: usize,
    basis: usize,
    kind: Option<u32>,
}

impl<'a> Search<'a> {
    pub(super) fn new(problem: &'a Problem, instructions: Instructions, signal: &'a Signal) -> Search<'a> {
        Search {
            problem,
            instructions,
            signal,
            bases: vec![problem.basis.clone()],
            words: Vec::new(),
            frames: Vec::new(),
            start: Vec::new(),
            chosen: Vec::new(),
            used: Vec::new(),
            room: 0,
            need: 0,
            once: Vec::new(),
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
        self.instructions.perform(Run { search: self, start, depth, visit: &mut visit })
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
        let mut count = general::filter(options, &conflicts, list);
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

    #[inline(always)]
    fn arrive<V: Lanes>(&mut self, node: Node, depth: usize, visit: Visit<'_>) -> ControlFlow<()> {
        let is_solved = self.is_solved(&node);
        if depth < usize::MAX && (is_solved || self.frames.len() == depth) {
            return visit(Leaf::Deeper(&|| self.placements()));
        }
        if !is_solved {
            let frame = self.expand::<V>(node);
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

    #[inline(always)]
    pub(super) fn is_solved(&self, node: &Node) -> bool {
        self.words[node.at..][..self.bases[node.basis].words].iter().all(|&word| word == 0)
    }

    /// Tests the children of a node.
    #[inline(always)]
    pub(super) fn expand<V: Lanes>(&mut self, node: Node) -> Frame {
        let node = self.pack::<V>(node);
        let words = self.bases[node.basis].words;
        let children = node.at + words + words * node.stride;
        self.reserve(children + words * node.count);
        self.set_once(self.bases[node.basis].items, words);
        let (list, behind) = self.words.split_at_mut(children);
        let (open, masks) = list[node.at..].split_at(words);
        let options = Options { masks, stride: node.stride, count: node.count };
        let items = Items { open, once: &self.once, are_independent: self.used.is_empty() };
        let branches = match words {
            1 => branch::<V, 1>(options, items, behind),
            2 => branch::<V, 2>(options, items, behind),
            4 => branch::<V, 4>(options, items, behind),
            _ => general::branch(options, items, behind),
        };
        let Branches { tested, written, are_forced } = branches;
        self.nodes += tested as u64;
        let together = if are_forced { written.max(1) } else { 1 };
        let count = if are_forced { usize::from(written > 0) } else { written };
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
    #[inline(always)]
    pub(super) fn descend<V: Lanes>(&mut self, frame: &Frame, child: usize) -> Option<Node> {
        let words = self.bases[frame.node.basis].words;
        let next = frame.children + frame.count * frame.together * words;
        self.reserve(next + 2 * words + words * frame.node.stride);
        self.set_once(self.bases[frame.node.basis].items, words);
        let (before, after) = self.words.split_at_mut(next);
        let exact_only = self.bases[frame.node.basis].items == self.bases[frame.node.basis].exact;
        let count = match words {
            _ if frame.is_solved => general::descend(before, after, frame, child, &self.once, words, exact_only),
            1 => descend::<V, 1>(before, after, frame, child, &self.once, exact_only),
            2 => descend::<V, 2>(before, after, frame, child, &self.once, exact_only),
            4 => descend::<V, 4>(before, after, frame, child, &self.once, exact_only),
            _ => general::descend(before, after, frame, child, &self.once, words, exact_only),
        };
        let (first, basis) = (frame.children + child * words, frame.node.basis);
        for i in 0..frame.together {
            self.choose(first + i * words, basis);
        }
        let stride = if words == 1 { padded(count) } else { frame.node.stride };
        (self.need <= self.room).then_some(Node { at: next, basis, stride, count })
    }

    /// Uses fewer words where they are enough for the items left.
    #[inline(always)]
    fn pack<V: Lanes>(&mut self, node: Node) -> Node {
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
        let from = &self.words[node.at + words..][..words * node.stride];
        if self.bases.len() == node.basis + 1 {
            self.bases.push(Basis::default());
        }
        self.bases[node.basis + 1].pack_list::<V>(exact, from, node.stride, node.count, &kept);
        self.place(node.basis + 1, node.at + words + words * node.stride)
    }

    #[inline(always)]
    fn reserve(&mut self, words: usize) {
        if self.words.len() < words + PAD {
            self.words.resize(2 * (words + PAD), 0);
        }
    }
}

/// Called with what the search comes to.
type Visit<'s> = &'s mut dyn FnMut(Leaf<'_>) -> ControlFlow<()>;

struct Run<'s, 'a> {
    search: &'s mut Search<'a>,
    start: &'s Start,
    depth: usize,
    visit: Visit<'s>,
}

impl Work for Run<'_, '_> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn perform<V: Lanes>(self) -> ControlFlow<()> {
        let Run { search, start, depth, visit } = self;
        let mut next = Some(search.enter(start));
        let (mut steps, mut told) = (0_u32, search.nodes);
        loop {
            if let Some(node) = next.take() {
                search.arrive::<V>(node, depth, visit)?;
            }
            let Some(frame) = search.frames.last_mut() else { break };
            let (here, child) = (*frame, frame.next);
            frame.next += 1;
            search.undo(here.chosen);
            if child == here.count {
                search.frames.pop();
            } else {
                next = search.descend::<V>(&here, child);
            }
            steps += 1;
            if steps.is_multiple_of(256) {
                search.signal.add(search.nodes - told);
                told = search.nodes;
                if search.signal.is_stopped() {
                    return ControlFlow::Break(());
                }
            }
        }
        search.signal.add(search.nodes - told);
        ControlFlow::Continue(())
    }
}

/// What is left of the open items and of the options of a node when a child is chosen; how many options.
#[inline(always)]
fn descend<V: Lanes, const W: usize>(
    before: &[u64],
    after: &mut [u64],
    frame: &Frame,
    child: usize,
    once: &[u64],
    is_exact: bool,
) -> usize {
    let Node { at, stride, count, .. } = frame.node;
    let (open, masks) = before[at..frame.children].split_at(W);
    let chosen = &before[frame.children + child * W..][..frame.together * W];
    let (left, kept) = after.split_at_mut(W);
    let mut conflicts = [0; W];
    for mask in chosen.chunks_exact(W) {
        for word in 0..W {
            conflicts[word] |= mask[word];
        }
    }
    let mut any = 0;
    for word in 0..W {
        left[word] = open[word] & !conflicts[word];
        any |= left[word];
        conflicts[word] &= once[word];
    }
    // Nothing can be left where all items are to be used exactly once.
    if any == 0 && is_exact {
        return 0;
    }
    filter::<V, W>(Options { masks, stride, count }, conflicts, kept)
}
