//! All assemblies of a puzzle, each taken apart: how many come apart, and at which levels.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ScopedJoinHandle;
use std::time::Duration;

use super::disassemble::{Disassembler, Effort, Kept, Method, Unknown, Verdict};
use super::{Each, Limit, Options, Outcome, Progress, SolveError, solve};
use crate::puzzle::Puzzle;
use crate::puzzle::assembly::Assembly;
use crate::puzzle::moves::{Level, WayApart};

/// Assemblies that are being taken apart or wait for it, or for one before them, at most: enough to keep all threads busy,
/// few enough to be nothing in memory.
const WAITING: u64 = 1024;

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
        is_stopped.fetch_or((options.watch)(at).is_break(), Ordering::Relaxed);
        if is_stopped.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let watch_search = |at: Progress| {
        *locked(&last) = at;
        stops(at)
    };
    let watch_states = || stops(*locked(&last));
    let effort = Effort { method, most_states, watch: &watch_states };
    let search = Options { limit: Limit::All, keep: 0, watch: &watch_search, each: None, ..*options };
    let mut results = Results::new(method, options);
    let outcome = match options.limit {
        Limit::First => until_one_comes_apart(puzzle, &search, &effort, &mut results),
        Limit::All => all_taken_apart(puzzle, &search, &effort, &mut results, &is_stopped),
    };
    let mut outcome = outcome?;
    let kept = if results.solutions.is_empty() { results.others } else { results.solutions };
    (outcome.found, results.apart.verdicts) = kept.into_iter().unzip();
    outcome.complete &= !is_stopped.load(Ordering::Relaxed);
    outcome.apart = Some(results.apart);
    Ok(outcome)
}

fn until_one_comes_apart(
    puzzle: &Puzzle,
    search: &Options<'_>,
    effort: &Effort<'_>,
    results: &mut Results<'_>,
) -> Result<Outcome, SolveError> {
    let (begin, worker) = ((search.clock)(), RefCell::new(Worker::new(puzzle, search.clock, effort)));
    let results = RefCell::new(results);
    let take_apart = |assembly: &Assembly, _: Option<&WayApart>| {
        let verdict = worker.borrow_mut().take_apart(assembly);
        let found = verdict.way().is_some();
        // Whether more are wanted does not matter: the first is the last.
        let _ = results.borrow_mut().add(assembly.clone(), verdict);
        if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let outcome = solve(puzzle, &Options { each: Some(&take_apart), ..*search });
    let worker = worker.into_inner();
    let apart = &mut results.into_inner().apart;
    apart.spent.assembling = ((search.clock)() - begin).saturating_sub(worker.spent);
    apart.count(&worker);
    outcome
}

/// The search goes on while other threads take apart what it has found.
fn all_taken_apart(
    puzzle: &Puzzle,
    search: &Options<'_>,
    effort: &Effort<'_>,
    results: &mut Results<'_>,
    is_stopped: &AtomicBool,
) -> Result<Outcome, SolveError> {
    let (sender, assemblies) = channel::<(u64, Assembly)>();
    let assemblies = Mutex::new(assemblies);
    let (done, verdicts) = channel();
    let line = RefCell::new(Line { results, verdicts, early: BTreeMap::new(), taken: 0, is_stopped });
    let (outcome, workers, assembling) = std::thread::scope(|scope| {
        let start_worker = |_| {
            let (done, assemblies, clock) = (done.clone(), &assemblies, search.clock);
            scope.spawn(move || Worker::new(puzzle, clock, effort).work(assemblies, &done))
        };
        let workers: Vec<_> = (0..search.threads.get()).map(start_worker).collect();
        drop(done);
        let (number, begin, waited) = (Cell::new(0), (search.clock)(), Cell::new(Duration::ZERO));
        let pass_on = |assembly: &Assembly, _: Option<&WayApart>| {
            let start = (search.clock)();
            // They are there as long as the sender is, but for one that has panicked.
            let is_sent = sender.send((number.get(), assembly.clone())).is_ok();
            number.set(number.get() + 1);
            let mut line = line.borrow_mut();
            line.take_those_there();
            while number.get() - line.taken >= WAITING && !workers.iter().any(ScopedJoinHandle::is_finished) {
                line.take_next();
            }
            waited.set(waited.get() + ((search.clock)() - start));
            match is_sent && !is_stopped.load(Ordering::Relaxed) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        let outcome = solve(puzzle, &Options { each: Some(&pass_on), ..*search });
        let assembling = ((search.clock)() - begin).saturating_sub(waited.get());
        drop(sender);
        while line.borrow_mut().take_next() {}
        let mut joined = Vec::new();
        for worker in workers {
            joined.push(worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        (outcome, joined, assembling)
    });
    let apart = &mut line.into_inner().results.apart;
    apart.spent.assembling = assembling;
    workers.iter().for_each(|worker| apart.count(worker));
    outcome
}

/// What becomes of the assembly of that number, counted from 0.
type Numbered = (u64, Assembly, Verdict);

/// Takes what the threads find in the order of the assemblies, whichever of them was faster.
struct Line<'a, 'r, 'o> {
    results: &'r mut Results<'o>,
    verdicts: Receiver<Numbered>,
    /// Those that wait for one before them.
    early: BTreeMap<u64, (Assembly, Verdict)>,
    taken: u64,
    is_stopped: &'a AtomicBool,
}

impl Line<'_, '_, '_> {
    fn take(&mut self, (number, assembly, verdict): Numbered) {
        self.early.insert(number, (assembly, verdict));
        while let Some((assembly, verdict)) = self.early.remove(&self.taken) {
            self.taken += 1;
            let next = self.results.add(assembly, verdict);
            self.is_stopped.fetch_or(next.is_break(), Ordering::Relaxed);
        }
    }

    fn take_those_there(&mut self) {
        while let Ok(verdict) = self.verdicts.try_recv() {
            self.take(verdict);
        }
    }

    /// Waits for the next, a moment at most; whether there may be more.
    fn take_next(&mut self) -> bool {
        match self.verdicts.recv_timeout(Duration::from_millis(100)) {
            Ok(verdict) => self.take(verdict),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return false,
        }
        true
    }
}

/// One thread that takes assemblies apart.
struct Worker<'a> {
    disassembler: Disassembler<'a>,
    effort: &'a Effort<'a>,
    clock: Clock<'a>,
    spent: Duration,
}

/// The time since some beginning.
type Clock<'a> = &'a (dyn Fn() -> Duration + Sync);

impl<'a> Worker<'a> {
    fn new(puzzle: &'a Puzzle, clock: Clock<'a>, effort: &'a Effort<'a>) -> Worker<'a> {
        Worker { disassembler: Disassembler::new(puzzle), effort, clock, spent: Duration::ZERO }
    }

    fn take_apart(&mut self, assembly: &Assembly) -> Verdict {
        let start = (self.clock)();
        let verdict = self.disassembler.take_apart(assembly, self.effort);
        self.spent += (self.clock)() - start;
        verdict
    }

    /// Until no more assemblies come.
    fn work(mut self, assemblies: &Mutex<Receiver<(u64, Assembly)>>, done: &Sender<Numbered>) -> Worker<'a> {
        while let Some((number, assembly)) = next_of(assemblies) {
            let verdict = self.take_apart(&assembly);
            if done.send((number, assembly, verdict)).is_err() {
                break;
            }
        }
        self
    }
}

impl Apart {
    /// Adds what one thread has done.
    fn count(&mut self, worker: &Worker<'_>) {
        self.states += worker.disassembler.states();
        self.deepest = self.deepest.max(worker.disassembler.deepest());
        self.spent.taking_apart += worker.spent;
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

/// What was found, in the order of the assemblies.
struct Results<'a> {
    apart: Apart,
    solutions: Vec<(Assembly, Verdict)>,
    others: Vec<(Assembly, Verdict)>,
    keep: usize,
    each: Option<Each<'a>>,
    /// Whether nobody wants more.
    is_over: bool,
}

impl<'a> Results<'a> {
    fn new(method: Method, options: &Options<'a>) -> Results<'a> {
        let (keep, each) = match options.limit {
            Limit::First => (1, None),
            Limit::All => (options.keep, options.each),
        };
        let apart = Apart { method, ..Apart::default() };
        Results { apart, solutions: Vec::new(), others: Vec::new(), keep, each, is_over: false }
    }

    /// Adds the next; whether more are wanted.
    fn add(&mut self, assembly: Assembly, verdict: Verdict) -> ControlFlow<()> {
        // What was taken apart meanwhile is not shown any more, so it must not count as found either.
        let verdict = if self.is_over { Verdict::Unknown(Unknown::Stopped) } else { verdict };
        let apart = &mut self.apart;
        let list = match &verdict {
            Verdict::Apart(way) => {
                apart.solutions += 1;
                *apart.levels.entry(way.level.clone()).or_default() += 1;
                self.is_over = self.each.is_some_and(|each| each(&assembly, Some(way)).is_break());
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
        if list.len() < self.keep {
            list.push((assembly, verdict));
        }
        if self.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
