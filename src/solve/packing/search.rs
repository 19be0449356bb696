//! The search of one subtree: branch on the item with fewest options, all children of a node tested at once.
//!
//! No recursion: open items, list and children of a node stand in one vector behind those of its parent, so that neither
//! stack nor allocator is touched while searching.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::lanes::{Instructions, Options, branch, filter, gather};
use super::list::{Basis, PAD, count, padded, words_for};
use super::placements::Placements;

/// Walks that tell how many nodes there are at each depth.
const WALKS: u64 = 8;

/// What is searched: all options, and the kinds that are counted.
pub(super) struct Problem {
    /// Option `p` is placement `p`.
    basis: Basis,
    /// The number of each placement's kind among the counted ones.
    counted_of: Vec<Option<u32>>,
    counted: Vec<Counted>,
    /// Cells of the target that the pieces used exactly once leave.
    room: u64,
    /// Cells of the counted pieces that must come.
    need: u64,
}

struct Counted {
    count: RangeInclusive<u32>,
    volume: u64,
}

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
    frames: Vec<Frame>,
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
struct Node {
    at: usize,
    basis: usize,
    stride: usize,
    count: usize,
}

/// A node whose children wait.
#[derive(Clone, Copy)]
struct Frame {
    node: Node,
    /// The masks of the children begin here.
    children: usize,
    next: usize,
    count: usize,
    chosen: usize,
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

impl Problem {
    pub(super) fn new(placements: &Placements) -> Problem {
        let mut problem = Problem {
            basis: Basis::default(),
            counted_of: Vec::new(),
            counted: Vec::new(),
            room: placements.cells.len() as u64,
            need: 0,
        };
        // Exact: kinds used exactly once, then cells to fill; of items with equally few options a kind is the better one
        // to branch on, by some per cent. Then cells that may stay empty, and kinds used at most once.
        let is_exact = |count: &RangeInclusive<u32>| *count == (1..=1);
        let is_at_most_once = |count: &RangeInclusive<u32>| *count == (0..=1);
        let filled = placements.filled as u32;
        let optional = placements.cells.len() as u32 - filled;
        let single = placements.kinds.iter().filter(|kind| is_exact(&kind.count)).count() as u32;
        let exact = single + filled;
        let mut next_exact = 0;
        let mut next = exact + optional;
        let mut items: Vec<u32> = vec![0; placements.kinds.len()];
        for (item, kind) in items.iter_mut().zip(&placements.kinds) {
            let into = match is_exact(&kind.count) {
                true => &mut next_exact,
                false => &mut next,
            };
            if is_exact(&kind.count) || is_at_most_once(&kind.count) {
                *item = *into;
                *into += 1;
            }
            if is_exact(&kind.count) {
                problem.room = problem.room.saturating_sub(kind.volume as u64);
            }
        }
        for (item, kind) in items.iter_mut().zip(&placements.kinds) {
            let is_counted = !is_exact(&kind.count) && !is_at_most_once(&kind.count);
            problem.counted_of.push(is_counted.then_some(problem.counted.len() as u32));
            if is_counted {
                *item = next;
                next += 1;
                problem.need += u64::from(*kind.count.start()) * kind.volume as u64;
                problem.counted.push(Counted { count: kind.count.clone(), volume: kind.volume as u64 });
            }
        }
        let item_of_cell = |&cell: &u32| cell + if cell < filled { single } else { exact - filled };
        let options = (0..placements.len() as u32).map(|placement| {
            let cells = placements.covered(placement).iter().map(item_of_cell);
            (placement, cells.chain([items[placements.kind(placement)]]).collect())
        });
        problem.basis = Basis::new(exact as usize, next as usize, options);
        problem.counted_of =
            (0..placements.len() as u32).map(|placement| problem.counted_of[placements.kind(placement)]).collect();
        problem
    }
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

    /// How many nodes there are below some starts, estimated: of the nodes at each depth about `width` are gone into,
    /// chosen at random (Chen, Heuristic sampling, 1992, with depth as the stratum).
    pub(super) fn estimate(&mut self, starts: &[&Start], width: u64, random: &mut Random) -> u64 {
        // Nodes at each depth, estimated by walks that take one child each (Knuth, Estimating the efficiency of
        // backtrack programs, 1975): good enough to tell how many to leave out.
        let mut at_depth: Vec<u128> = Vec::new();
        for _ in 0..WALKS {
            let start = starts[random.below(starts.len() as u64) as usize];
            let (mut node, mut weight) = (Some(self.enter(start)), starts.len() as u128);
            for depth in 0.. {
                let Some(at) = node.filter(|node| !self.is_solved(node)) else { break };
                if at_depth.len() == depth {
                    at_depth.push(0);
                }
                at_depth[depth] = at_depth[depth].saturating_add(weight);
                let frame = self.expand(at);
                weight = weight.saturating_mul(frame.count as u128);
                let child = (frame.count > 0).then(|| random.below(frame.count as u64) as usize);
                node = child.and_then(|child| self.descend(&frame, child));
            }
        }
        // One in so many is gone into at each depth, counted from the start; a power of two, so that one depth's number
        // divides the next one's.
        let one_in = |depth: usize| {
            let nodes = at_depth.iter().take(depth + 1).max().map_or(0, |nodes| nodes / u128::from(WALKS * width));
            1_u64 << u64::try_from(nodes).map_or(63, |nodes| nodes.max(1).ilog2())
        };
        let mut sum = 0_u128;
        for start in starts {
            if random.below(one_in(0)) > 0 {
                continue;
            }
            let root = self.enter(start);
            let mut waiting = Some(root);
            loop {
                let depth = self.frames.len();
                if let Some(node) = waiting.take().filter(|node| !self.is_solved(node)) {
                    let before = self.nodes;
                    let frame = self.expand(node);
                    sum = sum.saturating_add(u128::from(self.nodes - before) * u128::from(one_in(depth)));
                    self.frames.push(frame);
                }
                let depth = self.frames.len();
                let Some(frame) = self.frames.last_mut() else { break };
                let (here, child) = (*frame, frame.next);
                frame.next += 1;
                self.undo(here.chosen);
                if child == here.count {
                    self.frames.pop();
                } else if random.below(one_in(depth) / one_in(depth - 1)) == 0 {
                    waiting = self.descend(&here, child);
                }
            }
        }
        u64::try_from(sum).unwrap_or(u64::MAX)
    }

    /// The first node of a subtree.
    fn enter(&mut self, start: &Start) -> Node {
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

    fn is_solved(&self, node: &Node) -> bool {
        self.words[node.at..][..self.bases[node.basis].words].iter().all(|&word| word == 0)
    }

    /// Tests the children of a node.
    fn expand(&mut self, node: Node) -> Frame {
        let node = self.pack(node);
        let words = self.bases[node.basis].words;
        let children = node.at + words + words * node.stride;
        self.reserve(children + words * node.count);
        self.set_once(self.bases[node.basis].items, words);
        let (list, behind) = self.words.split_at_mut(children);
        let (open, masks) = list[node.at..].split_at(words);
        let options = Options { masks, stride: node.stride, count: node.count };
        let (tested, count) = branch(self.instructions, options, open, &self.once, behind);
        self.nodes += tested as u64;
        Frame { node, children, next: 0, count, chosen: self.chosen.len(), is_solved: false }
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
        Frame { node, children, next: 0, count: node.count, chosen: self.chosen.len(), is_solved: true }
    }

    /// Chooses a child; its node, or `None` when the pieces that must come no longer fit.
    fn descend(&mut self, frame: &Frame, child: usize) -> Option<Node> {
        let Node { at, basis, stride, count } = frame.node;
        let Basis { words, items, exact, .. } = self.bases[basis];
        let mask = frame.children + child * words;
        let next = frame.children + frame.count * words;
        self.reserve(next + 2 * words + words * stride);
        self.set_once(items, words);
        let (before, after) = self.words.split_at_mut(next);
        let (open, rest) = after.split_at_mut(words);
        self.conflicts.clear();
        for word in 0..words {
            open[word] = before[at + word] & !before[mask + word];
            self.conflicts.push(self.once[word] & before[mask + word]);
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
        self.choose(mask, basis);
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
    fn undo(&mut self, chosen: usize) {
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

/// Numbers that look random and are always the same (Steele, Lea, Flood: SplitMix, 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(z ^ (z >> 31)) * u128::from(bound)) >> 64) as u64
    }
}
