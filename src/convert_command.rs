//! `convert`: a puzzle file as a BurrTools file, or back.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;

use cubewright::opened::Opened;
use cubewright::output::write_file;
use cubewright::progress::Progress;
use cubewright::puzzle::Puzzle;
use cubewright::puzzle::xmpuzzle::Stored;
use cubewright::solve;
use cubewright::{batch, convert};

use crate::STOP;
use crate::argument::opened;
use crate::console::{Failed, about, complain, point, warn};

/// Converts the puzzles of a file, and says what the other format does not hold.
pub(crate) fn convert(argument: &str, output: &Path, solves: bool, apart: bool) -> Result<(), Failed> {
    let (source, opened) = opened(argument)?;
    let is_toml = output.extension().is_some_and(|ending| ending == "toml");
    if is_toml && solves {
        return Err(about(&source, "a puzzle file holds no solutions; leave out --solve"));
    }
    let choice = source.choice.as_deref();
    let items = if is_toml { opened.single(choice).map(|item| vec![item]) } else { opened.items(choice) };
    let items = items.map_err(|error| about(&source, error))?;
    let mut puzzles: Vec<(&Puzzle, Stored)> = Vec::new();
    for item in &items {
        let puzzle = item.puzzle.map_err(|error| point(&source, error))?;
        let stored = match (solves, item.problem) {
            (true, _) => solved(puzzle, apart || puzzle.rules.apart)?,
            (false, Some(problem)) => problem.stored.clone(),
            (false, None) => Stored::default(),
        };
        puzzles.push((puzzle, stored));
    }
    let converted = if is_toml {
        convert::to_toml(puzzles[0].0, &items[0])
    } else {
        let pops_up = matches!(&opened, Opened::Burr(file) if file.pops_up);
        convert::to_burr(&puzzles.iter().map(|(puzzle, stored)| (*puzzle, stored)).collect::<Vec<_>>(), pops_up)
    };
    let mut converted = converted.map_err(|error| about(&source, error))?;
    if !is_toml {
        converted.left_out.extend(convert::left_out(&items));
    }
    let unsaid = |clause: &String| warn(&format!("{} does not say {clause}", output.display()));
    converted.left_out.iter().for_each(unsaid);
    write_file(output, &converted.bytes).map_err(complain)?;
    if solves && STOP.load(Ordering::Relaxed) {
        warn(&format!("stopped; {} holds what was found so far, and says that it may not be all", output.display()));
    }
    Ok(())
}

fn solved(puzzle: &Puzzle, takes_apart: bool) -> Result<Stored, Failed> {
    let progress = Progress::new(&puzzle.name);
    progress.search();
    let watch = |at: solve::Progress| {
        progress.searched(at.millionths.into(), at.nodes, at.expected);
        if STOP.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    convert::solved(puzzle, takes_apart, batch::threads(), &watch).map_err(complain)
}
