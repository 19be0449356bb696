//! `solve`: every solution, as text or as JSON, each as it is found where all are wanted.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cubewright::net::svg;
use cubewright::output::write_file;
use cubewright::progress::{Forecast, Progress, printable};
use cubewright::puzzle::Puzzle;
use cubewright::puzzle::assembly::Assembly;
use cubewright::puzzle::moves::WayApart;
use cubewright::puzzle::xmpuzzle::Stored;
use cubewright::solve::disassemble::{Disassembler, Effort, Method, Verdict};
use cubewright::solve::graph::graph;
use cubewright::solve::{self, Each, Options, Outcome, formulate};
use cubewright::{batch, explain, input, solved, stored_report, text, words};

use crate::cli::SearchArgs;
use crate::console::{Failed, complain, note, say, warn};
use crate::{STOP, limit};

/// Solutions that are printed when neither --first nor --all is given, and assemblies when none comes apart.
const PRINTED: usize = 100;

/// A search that takes longer, in seconds, is warned of.
const LONG: f64 = 600.0;

/// Solves a puzzle and prints what was found.
pub(crate) fn solve(
    puzzle: &Puzzle,
    stored: Option<&Stored>,
    search: &SearchArgs,
    json: bool,
    variants: bool,
) -> Result<Outcome, Failed> {
    let mut puzzle = puzzle.clone();
    if search.merge() != puzzle.rules.packing.merge {
        // What is known was counted as the file says.
        puzzle.credits.known.solutions = None;
        puzzle.rules.packing.merge = search.merge();
    }
    let printer = Printer { puzzle: &puzzle, json, variants, printed: Cell::new(0), failed: Cell::new(false) };
    let start = Instant::now();
    let outcome = searched(&puzzle, search, &printer)?;
    let seconds = start.elapsed().as_secs_f64();
    if printer.failed.get() {
        return Err(Failed);
    }
    let comparison = stored.and_then(|stored| stored_report::comparison(stored, &outcome, search.merge()));
    if json {
        printer.print_kept(&outcome, None)?;
        printer.begin()?;
        say(&solved::end(&puzzle, &outcome, seconds, comparison.as_ref()))?;
    } else {
        text::notices(&puzzle, &outcome).iter().for_each(|notice| warn(notice));
        say(&format!("{}: {}\n", printable(&puzzle.name), text::counts(&puzzle, &outcome)))?;
        outcome.apart.iter().for_each(|apart| note(&text::effort(apart)));
        if let Some(comparison) = comparison {
            say(&format!("{}\n", comparison.text))?;
        }
        printer.print_kept(&outcome, outcome.complete.then_some(outcome.solutions()))?;
        let left = outcome.solutions().saturating_sub(printer.printed.get());
        match &outcome.apart {
            _ if left == 0 || search.count => {}
            _ if !search.all => say(&format!("{left} more; print them with --all\n"))?,
            Some(apart) if apart.solutions == 0 => say(&format!("{left} more, none of which comes apart\n"))?,
            _ => {}
        }
    }
    if json && STOP.load(Ordering::Relaxed) {
        warn(&format!("{}: stopped; what was found so far is printed whole", printable(&puzzle.name)));
    }
    Ok(outcome)
}

/// Searches as the command line says; all solutions, where they are wanted, are printed as they come, so that memory does
/// not grow with their number.
fn searched(puzzle: &Puzzle, search: &SearchArgs, printer: &Printer<'_>) -> Result<Outcome, Failed> {
    let progress = Progress::new(&puzzle.name);
    progress.search();
    let is_told = AtomicBool::new(search.first);
    let watch = |at: solve::Progress| {
        let forecast = progress.searched(at.millionths.into(), at.nodes, at.expected);
        if let (Some(nodes), Some(Forecast { left, .. })) = (at.expected, forecast)
            && left > LONG
            && !is_told.swap(true, Ordering::Relaxed)
        {
            let (nodes, left) = (words::number(nodes), words::time(left));
            let about = if at.is_most { "at most about" } else { "about" };
            progress.aside(|| {
                warn(&format!(
                    "{}: {about} {nodes} nodes are to be searched, which takes {about} {left} on this computer; --first \
                     stops at the first solution, Ctrl-C shows what was found so far",
                    printable(&puzzle.name)
                ));
            });
        }
        if STOP.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let is_apart = puzzle.rules.apart || search.apart || search.thorough;
    let keep = match () {
        // Should none come apart, the first that do not are printed instead.
        () if search.count || (search.all && !is_apart) => 0,
        () => PRINTED,
    };
    let print = |assembly: &Assembly, way: Option<&WayApart>| printer.print_next(assembly, way);
    let each: Option<Each<'_>> = if search.all { Some(&print) } else { None };
    let threads = search.threads.unwrap_or_else(batch::threads);
    let start = Instant::now();
    let options =
        Options { limit: limit(search.first), keep, watch: &watch, threads, each, clock: &|| start.elapsed() };
    let method = if search.thorough { Method::Thorough } else { Method::First };
    let outcome = match is_apart {
        true => solve::solve_apart(puzzle, &options, method, search.max_states),
        false => solve::solve(puzzle, &options),
    };
    drop(progress);
    outcome.map_err(complain)
}

/// Prints solutions one after the other.
struct Printer<'a> {
    puzzle: &'a Puzzle,
    json: bool,
    variants: bool,
    /// How many so far.
    printed: Cell<u64>,
    /// Whether stdout takes no more; that has been said.
    failed: Cell<bool>,
}

impl Printer<'_> {
    /// Prints one as it is found; the search goes on unless Ctrl-C was pressed.
    fn print_next(&self, assembly: &Assembly, way: Option<&WayApart>) -> ControlFlow<()> {
        let verdict = way.map(|way| Verdict::Apart(way.clone()));
        let gap = if verdict.is_some() && !self.json && self.printed.get() > 0 { say("\n") } else { Ok(()) };
        let printed = gap.and_then(|()| self.print(assembly, verdict.as_ref(), None));
        self.failed.set(printed.is_err());
        match printed.is_ok() && !STOP.load(Ordering::Relaxed) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    /// Prints those that were kept, unless others have been printed as they were found.
    fn print_kept(&self, outcome: &Outcome, of: Option<u64>) -> Result<(), Failed> {
        if self.printed.get() > 0 {
            return Ok(());
        }
        for (index, assembly) in outcome.found.iter().enumerate() {
            if !self.json {
                say("\n")?;
            }
            self.print(assembly, outcome.verdict(index), of)?;
        }
        Ok(())
    }

    fn print(&self, assembly: &Assembly, verdict: Option<&Verdict>, of: Option<u64>) -> Result<(), Failed> {
        if self.json {
            self.begin()?;
            let comma = if self.printed.get() > 0 { "," } else { "" };
            let way = verdict.and_then(Verdict::way);
            say(&format!("{comma}{}", solved::found(self.puzzle, assembly, way)))?;
        } else {
            print_solution(self.puzzle, assembly, verdict, (self.printed.get() + 1, of), self.variants)?;
            verdict.map_or(Ok(()), |verdict| say(&text::verdict(self.puzzle, assembly, verdict)))?;
        }
        self.printed.set(self.printed.get() + 1);
        Ok(())
    }

    /// Begins the JSON object, unless it has begun: not before there is something to say, since a search may be refused.
    fn begin(&self) -> Result<(), Failed> {
        if self.printed.get() > 0 { Ok(()) } else { say(&solved::begin(self.puzzle)) }
    }
}

/// Explains the first solution of a stack, and draws its graphs where that is asked.
pub(crate) fn explain_stack(puzzle: &Puzzle, outcome: &Outcome, drawing: Option<&Path>) -> Result<(), Failed> {
    let Some(assembly) = outcome.found.first() else { return Ok(()) };
    let Some(graph) = graph(puzzle, assembly) else {
        return Err(complain(
            "the graph method is for a stack of cubies whose sides are all different, and this is none",
        ));
    };
    say(&format!("\n{}", explain::text(puzzle, &graph)))?;
    let drawn = || svg::svg(&explain::drawing(puzzle, &graph));
    drawing.map_or(Ok(()), |path| write_file(path, drawn().as_bytes()).map_err(complain))
}

fn print_solution(
    puzzle: &Puzzle,
    assembly: &Assembly,
    verdict: Option<&Verdict>,
    which: (u64, Option<u64>),
    variants: bool,
) -> Result<(), Failed> {
    say(&text::solution(puzzle, assembly, verdict, which))?;
    let variants = if variants { solve::variants(puzzle, assembly).map_err(complain)? } else { Vec::new() };
    for (number, variant) in variants.iter().enumerate().skip(1) {
        say(&format!("Variant {number}\n\n{}", text::layers(puzzle, variant)))?;
    }
    Ok(())
}

/// Checks what a solver of integer programmes answered, and prints it like any solution.
pub(crate) fn answer(puzzle: &Puzzle, path: &Path, json: bool) -> Result<(), Failed> {
    let answer = input::answer(path).map_err(complain)?;
    let assembly =
        formulate::read_solution(puzzle, &answer).map_err(|error| complain(format!("{}: {error}", path.display())))?;
    let outcome = Outcome::of_one(assembly);
    if json {
        say(&solved::begin(puzzle))?;
        say(&solved::found(puzzle, &outcome.found[0], None))?;
        return say(&solved::end(puzzle, &outcome, 0.0, None));
    }
    let what = if puzzle.rules.apart { "an assembly" } else { "a solution" };
    say(&format!("{}: the answer in {} is {what}\n", printable(&puzzle.name), path.display()))?;
    say("\n")?;
    let assembly = &outcome.found[0];
    print_solution(puzzle, assembly, None, (1, None), false)?;
    if !puzzle.rules.apart {
        return Ok(());
    }
    let effort =
        Effort { method: Method::First, most_states: Effort::MOST_STATES, watch: &|| ControlFlow::Continue(()) };
    let verdict = Disassembler::new(puzzle).take_apart(assembly, &effort);
    say(&format!("\n{}", text::verdict(puzzle, assembly, &verdict)))
}
