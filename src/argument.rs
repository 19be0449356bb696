//! A PUZZLE of the command line -> its puzzles. What is wrong with it has been said when there is none.

use std::sync::atomic::Ordering;

use cubewright::input::{self, Source};
use cubewright::opened::{Item, Opened};
use cubewright::puzzle::Puzzle;

use crate::STOP;
use crate::console::{Failed, about, complain, point, warn};

/// Reads the file that an argument names.
pub(crate) fn opened(argument: &str) -> Result<(Source, Opened), Failed> {
    let source = input::puzzle(argument).map_err(complain)?;
    if source.ignored > 0 {
        warn(&format!("{}: the last {} bytes are no gzip and are passed over", source.label, source.ignored));
    }
    let opened = Opened::of(&source).map_err(|error| point(&source, &error))?;
    Ok((source, opened))
}

/// The puzzles of a file that are chosen, at least one.
pub(crate) fn chosen<'a>(source: &Source, opened: &'a Opened) -> Result<Vec<Item<'a>>, Failed> {
    opened.items(source.choice.as_deref()).map_err(|error| about(source, error))
}

/// Reads the single puzzle that an argument names, then does something with it.
pub(crate) fn on_puzzle(
    argument: &str,
    act: impl FnOnce(&Source, &Puzzle, Item<'_>) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let (source, opened) = opened(argument)?;
    let item = opened.single(source.choice.as_deref()).map_err(|error| about(&source, error))?;
    act(&source, item.puzzle.map_err(|error| point(&source, error))?, item)
}

/// Reads the puzzles that an argument names, then does something with each; one that is wrong does not stop the others.
pub(crate) fn on_puzzles(
    argument: &str,
    mut act: impl FnMut(&Source, &Puzzle) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let (mut source, opened) = opened(argument)?;
    let items = chosen(&source, &opened)?;
    let mut done = Ok(());
    for item in items {
        source.choice = item.number.map(|number| number.to_string());
        let one = item.puzzle.map_err(|error| point(&source, error)).and_then(|puzzle| act(&source, puzzle));
        done = done.and(one);
        if STOP.load(Ordering::Relaxed) {
            return Err(Failed);
        }
    }
    done
}
