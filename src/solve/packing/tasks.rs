//! Subtrees over threads: the tree is cut at a fixed depth and the pieces are handed out in order; what they find is
//! taken in the same order, so that the outcome does not depend on the number of threads.
//!
//! A thread that is ahead waits when it has found much or is far ahead, so that memory does not grow with the number of
//! assemblies.

use std::collections::VecDeque;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::Packing;
use super::lanes::Instructions;
use super::roots::{Class, Root};
use super::search::{Leaf, Search, Start};
use super::signal::{Signal, WATCH, Watch};
use super::symmetry::Images;
use crate::solve::Progress;

/// Called with the placements of an assembly.
pub(super) type Visit<'a> = &'a mut dyn FnMut(&[u32]) -> ControlFlow<()>;

/// What a search has found so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) raw: u64,
    pub(super) assemblies: u64,
    pub(super) up_to_rotations: u64,
    pub(super) nodes: u64,
}

/// One assembly of each class, and the totals of its subtree up to it.
struct Found {
    placements: Vec<u32>,
    totals: Totals,
}

/// Trees of fewer nodes are not worth a cut.
const WORTH_A_CUT: u64 = 100_000;

/// The tree is cut deeper until there are so many pieces.
const PIECES: usize = 512;

/// How many subtrees threads may be ahead of the one that is taken, and how many assemblies they may hold for each.
const AHEAD: usize = 256;
const HELD: usize = 1024;

/// Searches below all roots. `visit` is called with one assembly of each class, if it is asked for.
pub(super) fn search(
    packing: &Packing,
    instructions: Instructions,
    threads: NonZero<usize>,
    signal: &Signal,
    watch: Watch<'_>,
    visit: Option<Visit<'_>>,
) -> (Totals, bool) {
    let (tasks, nodes) = signal.wait(watch, || cut(packing, instructions, signal));
    if signal.is_stopped() {
        return (Totals::default(), false);
    }
    let line = Line {
        tasks: &tasks,
        state: Mutex::new(State { claimed: 0, taken: 0, done: 0, waiting: VecDeque::new(), is_stopped: false }),
        changed: Condvar::new(),
        signal,
        expected: packing.nodes,
        is_most: packing.problem.has_copies,
        keeps: visit.is_some(),
    };
    let threads = if packing.nodes < WORTH_A_CUT { 1 } else { threads.get().min(tasks.len().max(1)) };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| line.work(packing, instructions));
        }
        // Should `watch` or `visit` panic, the threads must not wait for ever.
        let _stop = StopOnDrop(&line);
        line.take(Totals { nodes, ..Totals::default() }, watch, visit)
    })
}

/// A subtree, and the root it is below.
struct Task<'a> {
    root: &'a Root,
    start: Start,
}

/// The subtrees in order, and the nodes above them.
fn cut<'a>(packing: &'a Packing, instructions: Instructions, signal: &Signal) -> (Vec<Task<'a>>, u64) {
    let whole = |root: &'a Root| Task { root, start: root.start.clone() };
    let mut tasks: Vec<Task<'a>> = packing.roots.iter().map(whole).collect();
    if packing.nodes < WORTH_A_CUT {
        return (tasks, 0);
    }
    let mut nodes = 0;
    for depth in 1.. {
        if tasks.len() >= PIECES {
            break;
        }
        let mut search = Search::new(&packing.problem, instructions, signal);
        let mut deeper = Vec::new();
        for root in &packing.roots {
            if signal.is_stopped() {
                return (Vec::new(), 0);
            }
            let _ = search.run(&root.start, depth, |leaf| {
                if let Leaf::Deeper(chosen) = leaf {
                    let start = Start { chosen: chosen(), banned: root.start.banned.clone() };
                    deeper.push(Task { root, start });
                }
                ControlFlow::Continue(())
            });
        }
        // Forced choices make a level that has no more pieces than the one above; a tree that ends has none.
        let is_over = deeper.is_empty() || depth > 64;
        if is_over {
            break;
        }
        (tasks, nodes) = (deeper, search.nodes);
    }
    (tasks, nodes)
}

/// The queue between the threads that search and the one that takes what they find.
struct Line<'a> {
    tasks: &'a [Task<'a>],
    state: Mutex<State>,
    changed: Condvar,
    signal: &'a Signal,
    /// About how many nodes there are.
    expected: u64,
    is_most: bool,
    keeps: bool,
}

struct State {
    /// Tasks given out, tasks taken, and tasks done in any order.
    claimed: usize,
    taken: usize,
    done: usize,
    /// What the tasks from `taken` to `claimed` found.
    waiting: VecDeque<Waiting>,
    is_stopped: bool,
}

#[derive(Default)]
struct Waiting {
    found: Vec<Found>,
    /// When the task is done.
    totals: Option<Totals>,
}

struct StopOnDrop<'a>(&'a Line<'a>);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Line<'_> {
    fn work(&self, packing: &Packing, instructions: Instructions) {
        let mut search = Search::new(&packing.problem, instructions, self.signal);
        let mut images = Images::new(&packing.placements, &packing.symmetry);
        while let Some(number) = self.claim() {
            let Task { root, start } = &self.tasks[number];
            let mut totals = Totals::default();
            let mut found = Vec::new();
            let before = search.nodes;
            let _ = search.run(start, usize::MAX, |leaf| {
                let Leaf::Solution(chosen, nodes) = leaf else { return ControlFlow::Continue(()) };
                let class = root.class(&mut images, chosen);
                if let Some(Class { images, up_to_rotations }) = class {
                    totals.raw += images;
                    totals.assemblies += 1;
                    totals.up_to_rotations += up_to_rotations;
                    totals.nodes = nodes - before;
                    if self.keeps {
                        found.push(Found { placements: chosen(), totals });
                        // The first is handed over at once: it may be all that is wanted.
                        if found.len() == HELD || totals.assemblies == 1 {
                            return self.hand_over(number, &mut found, None);
                        }
                    }
                }
                ControlFlow::Continue(())
            });
            totals.nodes = search.nodes - before;
            let _ = self.hand_over(number, &mut found, Some(totals));
        }
    }

    fn claim(&self) -> Option<usize> {
        let mut state = self.lock();
        while state.claimed >= state.taken + AHEAD && !state.is_stopped {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_stopped || state.claimed == self.tasks.len() {
            return None;
        }
        state.claimed += 1;
        state.waiting.push_back(Waiting::default());
        Some(state.claimed - 1)
    }

    fn hand_over(&self, task: usize, found: &mut Vec<Found>, totals: Option<Totals>) -> ControlFlow<()> {
        let mut state = self.lock();
        while !state.is_stopped && state.waiting[task - state.taken].found.len() >= HELD {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let taken = state.taken;
        let waiting = &mut state.waiting[task - taken];
        waiting.found.append(found);
        waiting.totals = totals;
        state.done += usize::from(totals.is_some());
        let is_stopped = state.is_stopped;
        drop(state);
        self.changed.notify_all();
        if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Takes what the tasks find, in their order; the totals, and whether everything was tried.
    fn take(&self, above: Totals, watch: Watch<'_>, mut visit: Option<Visit<'_>>) -> (Totals, bool) {
        // Of the tasks taken, and of the one at hand as far as it was taken.
        let (mut before, mut at_hand) = (above, Totals::default());
        let mut state = self.lock();
        while state.taken < self.tasks.len() {
            let Some(first) =
                state.waiting.front_mut().filter(|first| !first.found.is_empty() || first.totals.is_some())
            else {
                let progress = self.progress(state.done);
                drop(state);
                if watch(progress).is_break() {
                    return (before.plus(at_hand).plus(self.untaken()), false);
                }
                // Looked at again under the lock, so that no change in between is missed for longer than this.
                state = self.changed.wait_timeout(self.lock(), WATCH).unwrap_or_else(PoisonError::into_inner).0;
                continue;
            };
            let (found, totals) = (std::mem::take(&mut first.found), first.totals);
            let progress = self.progress(state.done);
            drop(state);
            // Asked here as well: where `visit` is slower than the search there is always something to take.
            if watch(progress).is_break() {
                return (before.plus(at_hand).plus(self.untaken()), false);
            }
            for Found { placements, totals } in &found {
                at_hand = *totals;
                if visit.as_mut().is_some_and(|visit| visit(placements).is_break()) {
                    return (before.plus(at_hand), false);
                }
            }
            state = self.lock();
            if let Some(totals) = totals {
                (before, at_hand) = (before.plus(totals), Totals::default());
                state.waiting.pop_front();
                state.taken += 1;
            }
            self.changed.notify_all();
        }
        (before, true)
    }

    /// How far the search is. At first the estimate of all nodes counts, later more and more what the tasks that are
    /// done had.
    fn progress(&self, done: usize) -> Progress {
        let nodes = u128::from(self.signal.nodes());
        let (tasks, undone) = (self.tasks.len() as u128, (self.tasks.len() - done) as u128);
        let expected = nodes + (u128::from(self.expected) * undone / tasks + nodes) * undone / tasks;
        let millionths = nodes * 1_000_000 / expected.max(1);
        let expected = Some(u64::try_from(expected).unwrap_or(u64::MAX));
        Progress { nodes: nodes as u64, millionths: millionths as u32, expected, is_most: self.is_most }
    }

    /// Ends all threads; what they counted in tasks that were not taken, the unfinished ones too. Nothing where assemblies
    /// are kept: those that are not visited do not count.
    fn untaken(&self) -> Totals {
        self.stop();
        if self.keeps {
            return Totals::default();
        }
        let mut state = self.lock();
        while state.waiting.iter().any(|waiting| waiting.totals.is_none()) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting.iter().filter_map(|waiting| waiting.totals).fold(Totals::default(), Totals::plus)
    }

    /// Ends all threads.
    fn stop(&self) {
        self.signal.stop();
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Totals {
    fn plus(self, other: Totals) -> Totals {
        Totals {
            raw: self.raw.saturating_add(other.raw),
            assemblies: self.assemblies + other.assemblies,
            up_to_rotations: self.up_to_rotations + other.up_to_rotations,
            nodes: self.nodes + other.nodes,
        }
    }
}
