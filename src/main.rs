//! Arguments in, exit code out. Results go to stdout, messages to stderr.

mod argument;
mod check_command;
mod cli;
mod console;
mod convert_command;
mod solve_command;

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use cubewright::batch::{self, Animation, BatchError, Request, Stages};
use cubewright::collection::COLLECTION;
use cubewright::input;
use cubewright::output::{PAGE, write_file};
use cubewright::progress::printable;
use cubewright::puzzle::Puzzle;
use cubewright::puzzle::settings::Settings;
use cubewright::solve::{Limit, formulate};
use cubewright::text;

use argument::{on_puzzle, on_puzzles};
use check_command::check;
use cli::{Command, OutputArgs};
use console::{Failed, blame, complain, note, say, warn};
use convert_command::convert;
use solve_command::{answer, explain_stack, solve};

/// Set by Ctrl-C: searches end with what they have, builds end with what is whole.
static STOP: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let command = cli::arguments();
    // What only reads, or writes a file at its very end, has nothing to leave whole. A second Ctrl-C is for those who do not
    // want to wait.
    let ends_at_once = matches!(
        command,
        Command::Formulate { .. } | Command::Check { .. } | Command::List { .. } | Command::Show { .. }
    );
    let on_interrupt = move || {
        if STOP.swap(true, Ordering::Relaxed) || ends_at_once {
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
                    if item.problem.is_some_and(|problem| problem.broken.is_some()) {
                        warn("not everything that BurrTools stored can be read; `check` says where and why");
                    }
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

/// How much `--first` searches.
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
