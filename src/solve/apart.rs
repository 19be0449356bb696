//! All assemblies of a puzzle, each taken apart: how many come apart, and at which levels.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::disassemble::{Disassembler, Effort, Kept, Method, Unknown, Verdict};
use super::{Limit, Options, Outcome, Progress, SolveError, solve};
use crate::puzzle::Puzzle;
use crate::puzzle::assembly::Assembly;
use crate::puzzle::moves::Level;

/// Assemblies that wait to be taken apart, at most: enough to keep all threads busy, few enough to be nothing in memory.
const WAITING: usize = 1024;

/// What became of the assemblies of a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Apart {
    /// How separations were chosen.
    pub method: Method,
    /// Assemblies that come apart.
    pub solutions: u64,
    /// How many of them have which level.
    pub levels: BTreeMap<Level, u64>,
    /// Assemblies of which nothing comes off, or that no order of separations takes apart.
    pub locked: u64,
    /// Assemblies that separate, but a part is then stuck.
    pub stuck: u64,
    /// Assemblies of which it was not found out.
    pub unknown: u64,
    /// Why not, of the first of those.
    pub why_unknown: Option<Unknown>,
    /// States of the pieces looked at.
    pub states: u64,
    /// What the search for one separation kept, of all of them the one that kept the most states.
    pub deepest: Kept,
    /// How long it took.
    pub spent: Spent,
    /// One for each assembly of [`Outcome::found`]: those that come apart, or when there are none, the others.
    pub verdicts: Vec<Verdict>,
}

/// How long assembling and taking apart took, by the clock of the [`Options`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// The search for assemblies, without waiting for them to be taken apart.
    pub assembling: Duration,
    /// Taking apart, summed over all threads.
    pub taking_apart: Duration,
}

/// Solves a puzzle and takes every assembly apart, each with at most so many states. With [`Limit::First`] it stops at
/// the first that comes apart.
pub fn solve_apart(
    puzzle: &Puzzle,
    options: &Options<'_>,
    method: Method,
    most_states: u64,
) -> Result<Outcome, SolveError> {
    let last = Mutex::new(Progress::default());
    let is_stopped = AtomicBool::new(false);
    let stops = |at: Progress| {
        let next = (options.watch)(at);
        is_stopped.fetch_or(next.is_break(), Ordering::Relaxed);
        next
    };
    let watch_search = |at: Progress| {
        *locked(&last) = at;
        stops(at)
    };
    let watch_states = || stops(*locked(&last));
    let effort = Effort { method, most_states, watch: &watch_states };
    let results = Mutex::new(Results { apart: Apart { method, ..Apart::default() }, ..Results::default() });
    let search = Options { limit: Limit::All, keep: 0, watch: &watch_search, each: None, ..*options };
    let outcome = match options.limit {
        Limit::First => until_one_comes_apart(puzzle, &search, &effort, &results),
        Limit::All => all_taken_apart(puzzle, &search, &effort, &results, options.keep),
    };
    let mut outcome = outcome?;
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let kept = if results.solutions.is_empty() { results.others } else { results.solutions };
    (outcome.found, results.apart.verdicts) = kept.into_values().unzip();
    outcome.complete &= !is_stopped.load(Ordering::Relaxed);
    outcome.apart = Some(results.apart);
    Ok(outcome)
}

fn until_one_comes_apart(
    puzzle: &Puzzle,
    search: &Options<'_>,
    effort: &Effort<'_>,
    results: &Mutex<Results>,
) -> Result<Outcome, SolveError> {
    let (disassembler, number) = (RefCell::new(Disassembler::new(puzzle)), Cell::new(0));
    let (begin, apart_for) = ((search.clock)(), Cell::new(Duration::ZERO));
    let take_apart = |assembly: &Assembly| {
        number.set(number.get() + 1);
        let start = (search.clock)();
        let verdict = disassembler.borrow_mut().take_apart(assembly, effort);
        apart_for.set(apart_for.get() + ((search.clock)() - start));
        let found = matches!(verdict, Verdict::Apart(_));
        locked(results).add(number.get(), assembly.clone(), verdict, 1);
        if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let outcome = solve(puzzle, &Options { each: Some(&take_apart), ..*search });
    let apart = &mut locked(results).apart;
    apart.count_effort(&disassembler.borrow(), apart_for.get());
    apart.spent.assembling = ((search.clock)() - begin).saturating_sub(apart_for.get());
    outcome
}

/// The search goes on while other threads take apart what it has found.
fn all_taken_apart(
    puzzle: &Puzzle,
    search: &Options<'_>,
    effort: &Effort<'_>,
    results: &Mutex<Results>,
    keep: usize,
) -> Result<Outcome, SolveError> {
    let (sender, receiver) = sync_channel::<(u64, Assembly)>(WAITING);
    let receiver = Mutex::new(receiver);
    std::thread::scope(|scope| {
        // Dropped when the search ends, so that the others end as well.
        let sender = sender;
        for _ in 0..search.threads.get() {
            scope.spawn(|| {
                let (mut disassembler, mut apart_for) = (Disassembler::new(puzzle), Duration::ZERO);
                while let Some((number, assembly)) = next_of(&receiver) {
                    let start = (search.clock)();
                    let verdict = disassembler.take_apart(&assembly, effort);
                    apart_for += (search.clock)() - start;
                    locked(results).add(number, assembly, verdict, keep);
                }
                locked(results).apart.count_effort(&disassembler, apart_for);
            });
        }
        let (number, begin, waited) = (Cell::new(0), (search.clock)(), Cell::new(Duration::ZERO));
        let pass_on = |assembly: &Assembly| {
            number.set(number.get() + 1);
            let start = (search.clock)();
            let sent = sender.send((number.get(), assembly.clone()));
            waited.set(waited.get() + ((search.clock)() - start));
            if sent.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let outcome = solve(puzzle, &Options { each: Some(&pass_on), ..*search });
        locked(results).apart.spent.assembling = ((search.clock)() - begin).saturating_sub(waited.get());
        outcome
    })
}

impl Apart {
    /// Adds what one disassembler has done in that time.
    fn count_effort(&mut self, disassembler: &Disassembler<'_>, time: Duration) {
        self.states += disassembler.states();
        self.deepest = self.deepest.max(disassembler.deepest());
        self.spent.taking_apart += time;
    }
}

/// What a mutex guards. A thread that panics ends the program anyway.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The next that waits; `None` when no more come.
fn next_of(receiver: &Mutex<Receiver<(u64, Assembly)>>) -> Option<(u64, Assembly)> {
    locked(receiver).recv().ok()
}

/// What the threads have found. It does not depend on which of them was faster: of the assemblies those with the least
/// numbers are kept.
#[derive(Default)]
struct Results {
    apart: Apart,
    solutions: BTreeMap<u64, (Assembly, Verdict)>,
    others: BTreeMap<u64, (Assembly, Verdict)>,
}

impl Results {
    fn add(&mut self, number: u64, assembly: Assembly, verdict: Verdict, keep: usize) {
        let apart = &mut self.apart;
        let list = match &verdict {
            Verdict::Apart(way) => {
                apart.solutions += 1;
                *apart.levels.entry(way.level.clone()).or_default() += 1;
                &mut self.solutions
            }
            Verdict::Locked { separates: None } => {
                apart.locked += 1;
                &mut self.others
            }
            Verdict::Locked { separates: Some(_) } => {
                apart.stuck += 1;
                &mut self.others
            }
            Verdict::Unknown(why) => {
                apart.unknown += 1;
                apart.why_unknown = apart.why_unknown.or(Some(*why));
                &mut self.others
            }
        };
        list.insert(number, (assembly, verdict));
        if list.len() > keep {
            list.pop_last();
        }
    }
}
