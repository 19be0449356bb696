//! The search of one subtree: branch on the item with fewest options, all children of a node tested at once.
//!
//! No recursion: open items, list and children of a node stand in one vector behind those of its parent, so that neither
//! stack nor allocator is touched while searching.

// Masks run side by side by word.
#![allow(clippy::needless_range_loop)]

mod chosen;
mod dead;
mod settle;

use std::ops::ControlFlow;
use std::sync::Arc;

use dead::Dead;
use settle::List;

use super::arena::{Arena, aligned};
use super::branch::{Options, branch};
use super::general;
use super::lanes::{Instructions, Lanes, Work};
use super::list::{Basis, GROUP, Items};
use super::problem::Problem;
use super::signal::Signal;

/// A subtree.
#[derive(Clone, Default)]
pub(super) struct Start {
    /// The placements chosen already.
    pub(super) chosen: Vec<u32>,
    /// Placements that are not to be tried.
    pub(super) banned: Arc<[u32]>,
}

/// What the search comes to; the function gives the placements.
pub(super) enum Leaf<'a> {
    /// Placements that solve the puzzle, and how many options were tested till then.
    Solution(&'a dyn Fn() -> Vec<u32>, u64),
    /// Placements below which the search was told not to go.
    Deeper(&'a dyn Fn() -> Vec<u32>),
}

/// The state of a search, kept to be used again.
pub(super) struct Search<'a> {
    problem: &'a Problem,
    pub(super) instructions: Instructions,
    pub(super) signal: &'a Signal,
    /// Numberings of items, with ever fewer words.
    items: Vec<Items>,
    words: Arena,
    /// The nodes from the start to where the search is.
    pub(super) path: Vec<Node>,
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
    dead: Dead,
    /// Solutions found.
    found: u64,
    /// Options tested.
    pub(super) nodes: u64,
    /// Words of masks that were read, once for each list.
    pub(super) read: u64,
}

/// A node: nothing is forced there, and every open item has two options at least.
pub(super) struct Node {
    pub(super) numbering: usize,
    pub(super) words: usize,
    /// Its list begins here, just behind its open items.
    pub(super) at: usize,
    pub(super) stride: usize,
    pub(super) options: usize,
    pub(super) next: Next,
    /// The masks of its children begin here, when it is expanded.
    pub(super) children: usize,
    pub(super) count: usize,
    /// The next child.
    pub(super) child: usize,
    /// How many masks are chosen, and how many solutions were found before.
    pub(super) chosen: usize,
    found: u64,
}

/// What is to be done at a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// To branch on this item.
    Item(u32),
    /// To branch on the item with fewest options, each of which has four at least.
    Fewest,
    /// All that must be filled is filled.
    Solved,
}

/// A mask: where it begins, and in which numbering it is.
#[derive(Clone, Copy)]
struct Chosen {
    at: usize,
    numbering: usize,
    kind: Option<u32>,
}

impl<'a> Search<'a> {
    pub(super) fn new(problem: &'a Problem, instructions: Instructions, signal: &'a Signal) -> Search<'a> {
        Search {
            problem,
            instructions,
            signal,
            items: vec![problem.basis.items.clone()],
            words: Arena::default(),
            path: Vec::new(),
            start: Vec::new(),
            chosen: Vec::new(),
            used: Vec::new(),
            room: 0,
            need: 0,
            once: Vec::new(),
            dead: Dead::default(),
            found: 0,
            nodes: 0,
            read: 0,
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

    /// Goes to the first node of a subtree; whether there is one.
    #[inline(always)]
    pub(super) fn enter<V: Lanes>(&mut self, start: &Start) -> bool {
        let (open, ruled_out) = self.begin(&start.chosen);
        let list = self.lay_out(&start.banned);
        match list.words {
            1 => self.settle::<V, 1>(list, array(&open), array(&ruled_out)),
            2 => self.settle::<V, 2>(list, array(&open), array(&ruled_out)),
            4 => self.settle::<V, 4>(list, array(&open), array(&ruled_out)),
            _ => self.settle_general::<V>(list, open, ruled_out),
        }
    }

    /// Chooses the placements of a start; the open items, and those ruled out.
    fn begin(&mut self, chosen: &[u32]) -> (Vec<u64>, Vec<u64>) {
        let wide = &self.problem.basis;
        let words = wide.items.words;
        self.path.clear();
        self.chosen.clear();
        self.start = chosen.to_vec();
        self.used.clear();
        self.used.resize(self.problem.counted.len(), 0);
        (self.room, self.need) = (self.problem.room, self.problem.need);
        let mut ruled_out = vec![0; words];
        let mut open: Vec<u64> = (0..words).map(|word| wide.items.open(word)).collect();
        for &placement in chosen {
            self.set_once(wide.items.count, words);
            for word in 0..words {
                let mask = wide.mask(placement as usize, word);
                open[word] &= !mask;
                ruled_out[word] |= mask & self.once[word];
            }
            self.count(self.problem.counted_of[placement as usize]);
        }
        (open, ruled_out)
    }

    /// The list of all options but some. That of all options stays where it was written first.
    fn lay_out(&mut self, banned: &[u32]) -> List {
        let Basis { items, options, stride, masks, .. } = &self.problem.basis;
        let (words, stride) = (items.words, *stride);
        if self.words.is_empty() {
            self.words.reserve(2 * masks.len());
            self.words[..masks.len()].copy_from_slice(masks);
        }
        let all = List { numbering: 0, words, at: 0, stride, count: *options, behind: masks.len() };
        if banned.is_empty() {
            return all;
        }
        let at = aligned(masks.len());
        self.words.reserve(at + masks.len());
        self.words[at..][..masks.len()].fill(0);
        let mut is_banned = vec![false; *options];
        banned.iter().for_each(|&option| is_banned[option as usize] = true);
        let mut count = 0;
        for option in (0..*options).filter(|&option| !is_banned[option]) {
            (0..words).for_each(|word| self.words[at + word * stride + count] = masks[word * stride + option]);
            count += 1;
        }
        List { at, count, behind: at + masks.len(), ..all }
    }

    /// Tests the children of the node where the search is.
    #[inline(always)]
    pub(super) fn expand<V: Lanes>(&mut self) {
        let Some(&Node { numbering, words, at, stride, options, next, .. }) = self.path.last() else { return };
        let children = at + words * stride;
        self.words.reserve(children + words * options + GROUP);
        self.set_once(self.items[numbering].count, words);
        let (before, behind) = self.words.split_at_mut(children);
        let (open, masks) = (&before[at - words..], &before[at..]);
        let list = Options { masks, stride, count: options };
        let (tested, written) = match words {
            _ if next == Next::Solved => general::copy(list, words, behind),
            1 => branch::<V, 1>(list, array(open), array(&self.once), next.item(), behind),
            2 => branch::<V, 2>(list, array(open), array(&self.once), next.item(), behind),
            4 => branch::<V, 4>(list, array(open), array(&self.once), next.item(), behind),
            _ => general::branch(list, &open[..words], &self.once, next.item(), behind),
        };
        self.nodes += tested as u64;
        if let Some(node) = self.path.last_mut() {
            (node.children, node.count) = (children, written);
        }
    }

    /// Takes back what was chosen below the node where the search is, and leaves it when it has no other child; whether
    /// it has one.
    #[inline(always)]
    pub(super) fn back(&mut self) -> bool {
        let Some(&Node { child, count, chosen, .. }) = self.path.last() else { return false };
        self.undo(chosen);
        if child == count {
            self.path.pop();
        }
        child < count
    }

    /// Goes to the next child of the node where the search is; whether there is one, when the choice does not come to
    /// nothing.
    #[inline(always)]
    pub(super) fn descend<V: Lanes>(&mut self) -> bool {
        let Some(node) = self.path.last_mut() else { return false };
        let Node { numbering, words, at, stride, options, next, children, count, child, .. } = *node;
        node.child += 1;
        // Where all that must be filled is filled, a child goes on with the options behind it.
        let skipped = if next == Next::Solved { child + 1 } else { 0 };
        let behind = children + count * words;
        let list = List { numbering, words, at: at + skipped, stride, count: options - skipped, behind };
        let chosen = children + child * words;
        match words {
            1 => self.choose_one::<V, 1>(list, at, chosen),
            2 => self.choose_one::<V, 2>(list, at, chosen),
            4 => self.choose_one::<V, 4>(list, at, chosen),
            _ => self.choose_general::<V>(list, at, chosen),
        }
    }

    /// Leaves out the next child of the node where the search is.
    pub(super) fn skip(&mut self) {
        if let Some(node) = self.path.last_mut() {
            node.child += 1;
        }
    }
}

impl Next {
    /// The item to branch on, if it is known.
    #[inline(always)]
    fn item(self) -> Option<usize> {
        match self {
            Next::Item(item) => Some(item as usize),
            _ => None,
        }
    }
}

#[inline(always)]
fn array<const W: usize>(words: &[u64]) -> [u64; W] {
    *words.first_chunk().expect("as many words as a mask has")
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
        // Where a subtree is left out, all below it would look dead.
        let remembers = depth == usize::MAX && search.problem.has_copies;
        if remembers {
            search.dead.begin(search.problem.basis.items.words, search.problem.counted.len());
        }
        let mut is_new = search.enter::<V>(start);
        let (mut steps, mut told) = (0_u32, search.nodes);
        while let Some(node) = search.path.last() {
            if is_new {
                let is_solved = node.next == Next::Solved;
                if depth < usize::MAX && (is_solved || search.path.len() > depth) {
                    visit(Leaf::Deeper(&|| search.placements::<V>()))?;
                } else if !(remembers && search.is_dead::<V>()) {
                    if is_solved && search.need == 0 {
                        search.found += 1;
                        visit(Leaf::Solution(&|| search.placements::<V>(), search.nodes))?;
                    }
                    search.expand::<V>();
                }
            }
            if remembers {
                search.bury::<V>();
            }
            is_new = search.back() && search.descend::<V>();
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
