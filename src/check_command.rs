//! `check`: is a file right, what is in it, do the solutions that it stores hold.

use cubewright::input::Source;
use cubewright::opened::{Item, Opened};
use cubewright::puzzle::settings::Settings;
use cubewright::puzzle::xmpuzzle::Grid;
use cubewright::{batch, check, stored, stored_report};

use crate::argument::{chosen, opened};
use crate::console::{Failed, about, blame, point, say, warn};

/// Says whether the puzzles of a file are right, and whether the solutions that it stores are.
pub(crate) fn check(argument: &str, settings: &Settings) -> Result<(), Failed> {
    let (source, opened) = opened(argument)?;
    if let Opened::Burr(file) = &opened {
        say(&stored_report::burr_file(&source.label, file))?;
        if file.grid != Grid::Cubes {
            return say(&stored_report::other_grid(file.grid));
        }
        if file.problems.is_empty() && source.choice.is_none() {
            return say("It has shapes only, and no problem to solve.\n");
        }
    }
    let items = chosen(&source, &opened)?;
    // One that is wrong does not stop the others.
    let mut done = Ok(());
    for item in &items {
        done = done.and(check_item(&source, item, settings));
    }
    done
}

fn check_item(source: &Source, item: &Item<'_>, settings: &Settings) -> Result<(), Failed> {
    let puzzle = item.puzzle.map_err(|error| point(source, error))?;
    let checked = batch::check(source, puzzle, settings).map_err(|error| blame(source, settings, &error))?;
    checked.iter().for_each(|warning| warn(warning));
    if item.problem.is_some() {
        say("\n")?;
    }
    say(&check::table(puzzle))?;
    let Some(problem) = item.problem else { return Ok(()) };
    let verdicts = stored::verdicts(puzzle, problem);
    say(&stored_report::checked(&problem.stored, &verdicts, problem.broken.is_some()))?;
    if let Some(error) = &problem.broken {
        return Err(point(source, error));
    }
    match verdicts.iter().any(|verdict| verdict.assembly.is_some() || verdict.moves.is_some()) {
        true => Err(about(source, "not every stored solution holds")),
        false => Ok(()),
    }
}
