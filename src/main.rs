//! Arguments in, exit code out. Results go to stdout, messages to stderr.

mod argument;
mod check_command;
mod cli;
mod console;
mod convert_command;

use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cubewright::batch::{self, Animation, BatchError, Request, Stages};
use cubewright::collection::COLLECTION;
use cubewright::explain;
use cubewright::input;
use cubewright::net::svg;
use cubewright::output::{PAGE, write_file};
use cubewright::progress::{Forecast, Progress, printable};
use cubewright::puzzle::Puzzle;
use cubewright::puzzle::assembly::Assembly;
use cubewright::puzzle::settings::Settings;
use cubewright::puzzle::xmpuzzle::Stored;
use cubewright::report;
use cubewright::solve::disassemble::{Disassembler, Effort, Method};
use cubewright::solve::graph::graph;
use cubewright::solve::{self, Each, Limit, Options, Outcome, formulate};
use cubewright::stored_report;
use cubewright::text;
use cubewright::words;

use argument::{on_puzzle, on_puzzles};
use check_command::check;
use cli::{Command, OutputArgs, SearchArgs};
use console::{Failed, blame, complain, note, say, warn};
use convert_command::convert;

/// Set by Ctrl-C: searches end with what they have, builds end with what is whole.
static STOP: AtomicBool = AtomicBool::new(false);

/// Solutions that `solve` prints when neither --first nor --all is given.
const PRINTED: usize = 100;

/// A search that takes longer, in seconds, is warned of.
const LONG: f64 = 600.0;

fn main() -> ExitCode {
    let command = cli::arguments();
    // A second Ctrl-C is for those who do not want to wait.
    let on_interrupt = || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
    };
    if let Err(error) = ctrlc::set_handler(on_interrupt) {
        complain(format!("Ctrl-C will not stop cleanly: {error}"));
    }
    let done = match command {
        Command::Build { puzzles, output, net, model, animate, first } => {
            let animation = animate.map(Animation::from);
            build(&puzzles, &output, net.dpi, &model.settings(), Stages::ALL, animation, limit(first)).map(drop)
        }
        Command::Net { puzzle, output, net, model } => {
            build(&[puzzle], &output, net.dpi, &model.settings(), Stages::NETS, None, Limit::All).map(drop)
        }
        Command::Models { puzzle, output, model, animate, first } => {
            let animation = animate.map(Animation::from);
            build(&[puzzle], &output, cli::DPI, &model.settings(), Stages::MODELS, animation, limit(first)).map(drop)
        }
        Command::Page { puzzle, output, model, first, open } => {
            let built = build(&[puzzle], &output, cli::DPI, &model.settings(), Stages::PAGE, None, limit(first));
            built.and_then(|folders| match folders.first().filter(|_| open) {
                Some(folder) => show(&output.out.join(folder).join(PAGE)),
                None => Ok(()),
            })
        }
        Command::Solve { puzzle, search, json, variants, explain, from } => {
            on_puzzle(&puzzle, |_, puzzle, item| match from {
                Some(path) => answer(puzzle, &path, json),
                None => {
                    let stored = item.problem.map(|problem| &problem.stored);
                    let outcome = solve(puzzle, stored, &search, json, variants)?;
                    explain.map_or(Ok(()), |drawing| explain_stack(puzzle, &outcome, drawing.as_deref()))
                }
            })
        }
        Command::Formulate { puzzle, output } => on_puzzle(&puzzle, |_, puzzle, _| {
            let text = formulate::formulate(puzzle).map_err(complain)?;
            if puzzle.rules.apart {
                note(
                    "the programme is for assemblies, whether or not they come apart; `solve --from` tells of the answer",
                );
            }
            match output.filter(|path| path.as_os_str() != "-") {
                Some(path) => write_file(&path, text.as_bytes()).map_err(complain),
                None => say(&text),
            }
        }),
        Command::Check { puzzle, model } => check(&puzzle, &model.settings()),
        Command::Convert { input, output, solve, apart } => convert(&input, &output, solve, apart),
        Command::List { puzzles } => list(&puzzles),
        Command::Show { name } => on_puzzle_text(&name),
    };
    match done {
        Ok(()) if !STOP.load(Ordering::Relaxed) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn method(thorough: bool) -> Method {
    if thorough { Method::Thorough } else { Method::First }
}

fn limit(first: bool) -> Limit {
    if first { Limit::First } else { Limit::All }
}

/// Builds puzzles; the names of the folders that were written.
fn build(
    puzzles: &[String],
    output: &OutputArgs,
    dpi: u32,
    settings: &Settings,
    stages: Stages,
    animation: Option<Animation>,
    limit: Limit,
) -> Result<Vec<String>, Failed> {
    let all = || COLLECTION.iter().map(|entry| entry.0.to_owned()).collect();
    let puzzles: Vec<String> = if puzzles.is_empty() { all() } else { puzzles.to_vec() };
    let mut done = Ok(());
    let mut folders: Vec<String> = Vec::new();
    for argument in &puzzles {
        let one = on_puzzles(argument, |source, puzzle| {
            let (out, overwrite) = (output.out.as_path(), output.overwrite);
            let request = Request { out, overwrite, dpi, settings, stages, animation, limit, stop: &STOP };
            let built = batch::build(source, puzzle, &request, &folders).map_err(|error| match error {
                BatchError::Stopped => {
                    complain("stopped; puzzles that were finished are whole, of this one nothing was written")
                }
                error => blame(source, settings, &error),
            })?;
            built.warnings.iter().for_each(|warning| warn(&format!("{}: {warning}", source.label)));
            say(&format!("{}\n", printable(&built.summary)))?;
            folders.push(built.slug);
            Ok(())
        });
        done = done.and(one);
        if STOP.load(Ordering::Relaxed) {
            return Err(Failed);
        }
    }
    if stages.page && !folders.is_empty() {
        done = done.and(batch::shelve(&output.out, output.overwrite).map_err(complain));
    }
    done.map(|()| folders)
}

/// Opens a page in the browser.
fn show(page: &Path) -> Result<(), Failed> {
    let path = page.canonicalize().unwrap_or_else(|_| page.to_owned());
    open::that_detached(&path).map_err(|error| complain(format!("cannot open {}: {error}", page.display())))
}

fn solve(
    puzzle: &Puzzle,
    stored: Option<&Stored>,
    search: &SearchArgs,
    json: bool,
    variants: bool,
) -> Result<Outcome, Failed> {
    let mut puzzle = puzzle.clone();
    puzzle.rules.packing.merge = search.merge();
    let puzzle = &puzzle;
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
            progress.aside(|| {
                warn(&format!(
                    "{}: about {nodes} nodes are to be searched, which takes about {left} on this computer; --first stops at \
                     the first solution, Ctrl-C shows what was found so far",
                    printable(&puzzle.name)
                ));
            });
        }
        if STOP.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let is_apart = puzzle.rules.apart || search.apart || search.thorough;
    // All of them go out as they come, so that memory does not grow with their number.
    let streams = search.all && !json && !is_apart;
    let keep = match () {
        () if streams || search.count => 0,
        () if search.all => usize::MAX,
        () => PRINTED,
    };
    let (streamed, failed) = (Cell::new(0), Cell::new(false));
    let print = |assembly: &Assembly| {
        streamed.set(streamed.get() + 1);
        match print_solution(puzzle, assembly, streamed.get(), None, variants) {
            Ok(()) if !STOP.load(Ordering::Relaxed) => ControlFlow::Continue(()),
            Ok(()) => ControlFlow::Break(()),
            Err(Failed) => {
                failed.set(true);
                ControlFlow::Break(())
            }
        }
    };
    let each: Option<Each<'_>> = if streams { Some(&print) } else { None };
    let limit = limit(search.first);
    let start = Instant::now();
    let threads = search.threads.unwrap_or_else(batch::threads);
    let options = Options { limit, keep, watch: &watch, threads, each, clock: &|| start.elapsed() };
    let outcome = match is_apart {
        true => solve::solve_apart(puzzle, &options, method(search.thorough), search.max_states),
        false => solve::solve(puzzle, &options),
    };
    let seconds = start.elapsed().as_secs_f64();
    drop(progress);
    let outcome = outcome.map_err(complain)?;
    if failed.get() {
        return Err(Failed);
    }
    let comparison = stored.and_then(|stored| stored_report::comparison(stored, &outcome, search.merge()));
    if json {
        say(&format!("{}\n", report::solve_json(puzzle, &outcome, seconds, comparison.as_ref())))?;
        return Ok(outcome);
    }
    text::notices(puzzle, &outcome).iter().for_each(|notice| warn(notice));
    say(&format!("{}: {}\n", printable(&puzzle.name), text::counts(puzzle, &outcome)))?;
    outcome.apart.iter().for_each(|apart| note(&text::effort(apart)));
    if let Some(comparison) = comparison {
        say(&format!("{}\n", comparison.text))?;
    }
    let of = outcome.complete.then_some(outcome.solutions());
    for (index, assembly) in outcome.found.iter().enumerate() {
        say("\n")?;
        print_solution(puzzle, assembly, index as u64 + 1, of, variants)?;
        if let Some(verdict) = outcome.verdict(index) {
            say(&text::verdict(puzzle, assembly, verdict))?;
        }
    }
    let left = outcome.solutions().saturating_sub(outcome.found.len() as u64);
    if left > 0 && !search.count && !streams {
        say(&format!("{left} more; print them with --all\n"))?;
    }
    Ok(outcome)
}

/// Explains the first solution of a stack, and draws its graphs where that is asked.
fn explain_stack(puzzle: &Puzzle, outcome: &Outcome, drawing: Option<&Path>) -> Result<(), Failed> {
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
    number: u64,
    of: Option<u64>,
    variants: bool,
) -> Result<(), Failed> {
    say(&text::solution(puzzle, assembly, number, of))?;
    let variants = if variants { solve::variants(puzzle, assembly).map_err(complain)? } else { Vec::new() };
    for (number, variant) in variants.iter().enumerate().skip(1) {
        say(&format!("Variant {number}\n\n{}", text::layers(puzzle, variant)))?;
    }
    Ok(())
}

/// Checks what a solver of integer programmes answered, and prints it like any solution.
fn answer(puzzle: &Puzzle, path: &Path, json: bool) -> Result<(), Failed> {
    let answer = input::answer(path).map_err(complain)?;
    let assembly =
        formulate::read_solution(puzzle, &answer).map_err(|error| complain(format!("{}: {error}", path.display())))?;
    let outcome = Outcome::of_one(assembly);
    if json {
        return say(&format!("{}\n", report::solve_json(puzzle, &outcome, 0.0, None)));
    }
    let what = if puzzle.rules.apart { "an assembly" } else { "a solution" };
    say(&format!("{}: the answer in {} is {what}\n", printable(&puzzle.name), path.display()))?;
    say("\n")?;
    let assembly = &outcome.found[0];
    print_solution(puzzle, assembly, 1, None, false)?;
    if !puzzle.rules.apart {
        return Ok(());
    }
    let effort =
        Effort { method: Method::First, most_states: Effort::MOST_STATES, watch: &|| ControlFlow::Continue(()) };
    let verdict = Disassembler::new(puzzle).take_apart(assembly, &effort);
    say(&format!("\n{}", text::verdict(puzzle, assembly, &verdict)))
}

/// Lists the puzzles of files, or where none is named those that are built in.
fn list(arguments: &[String]) -> Result<(), Failed> {
    let all = || COLLECTION.iter().map(|entry| entry.0.to_owned()).collect();
    let arguments: Vec<String> = if arguments.is_empty() { all() } else { arguments.to_vec() };
    let mut puzzles: Vec<(String, Puzzle)> = Vec::new();
    let mut done = Ok(());
    for argument in &arguments {
        let one = on_puzzles(argument, |source, puzzle| {
            let name = match &source.choice {
                Some(choice) => format!("{}#{choice}", source.label),
                None => source.label.clone(),
            };
            puzzles.push((name, puzzle.clone()));
            Ok(())
        });
        done = done.and(one);
    }
    say(&text::list(puzzles.iter().map(|(name, puzzle)| (name.as_str(), puzzle)))).and(done)
}

fn on_puzzle_text(name: &str) -> Result<(), Failed> {
    match cubewright::collection::find(name) {
        Some(text) => say(text),
        None => Err(complain(input::InputError::Unknown(name.to_owned()))),
    }
}
