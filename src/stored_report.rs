//! What is in a BurrTools file, and what it stores of its solutions, as text.

use std::fmt::Write;

use crate::json::Serialize;
use crate::progress::printable;
use crate::puzzle::packing_rules::Merge;
use crate::puzzle::xmpuzzle::{BurrFile, Grid, ShapeLine, State, Stored};
use crate::solve::Outcome;
use crate::stored::Verdict;
use crate::words;

/// What is in a BurrTools file, whatever its shapes are made of.
pub fn burr_file(label: &str, file: &BurrFile) -> String {
    let shapes = words::plural(file.shapes.len() as u64, "shape");
    let problems = words::plural(file.problems.len() as u64, "problem");
    let mut text = format!("{}: a BurrTools file of {}, {shapes}, {problems}\n\n", printable(label), file.grid);
    let widest = file.shapes.iter().map(|shape| shape.name.chars().count()).max().unwrap_or(0).clamp(5, 40);
    let _ = writeln!(text, "{:widest$}{:>14}{:>8}{:>13}", "shape", "box", "filled", "may be empty");
    for ShapeLine { name, size: [x, y, z], filled, variable } in &file.shapes {
        let (name, size) = (printable(name), format!("{x}x{y}x{z}"));
        let _ = writeln!(text, "{name:widest$}{size:>14}{filled:>8}{variable:>13}");
    }
    text.push('\n');
    for (number, (name, problem)) in (1..).zip(file.names().iter().zip(&file.problems)) {
        let pieces = match problem.puzzle {
            Ok(_) => words::plural(problem.pieces.len() as u64, "piece"),
            Err(_) => "no puzzle for this program".to_owned(),
        };
        let _ = writeln!(text, "#{number} {}: {pieces}; {}", printable(name), summary(&problem.stored));
    }
    text
}

/// That puzzles in another grid cannot be solved here.
pub fn other_grid(grid: Grid) -> String {
    format!("\nIt can be looked at, but this program solves puzzles of cubes only, not of {grid}; BurrTools can.\n")
}

/// Which of the stored solutions hold; where something of them is broken, of those before that.
pub fn checked(stored: &Stored, verdicts: &[Verdict], is_broken: bool) -> String {
    let mut text = format!("stored: {}\n", summary(stored));
    if verdicts.is_empty() {
        return if is_broken { text } else { text + "no solution is stored\n" };
    }
    for (number, verdict) in (1..).zip(verdicts) {
        let holds = match (&verdict.assembly, &verdict.moves) {
            (Some(wrong), _) => format!("is wrong: {}", printable(wrong)),
            (None, Some(wrong)) => format!("holds, but its moves are wrong: {}", printable(wrong)),
            (None, None) => "holds".to_owned(),
        };
        let level = verdict.level.as_ref().map(|level| format!(", level {level}")).unwrap_or_default();
        let _ = writeln!(text, "stored solution {number} {holds}{level}");
    }
    let right = verdicts.iter().filter(|verdict| verdict.assembly.is_none() && verdict.moves.is_none()).count();
    let _ = writeln!(text, "{right} of {} stored solutions hold", verdicts.len());
    text
}

/// What is stored, in one line: counts and how far BurrTools came.
pub fn summary(stored: &Stored) -> String {
    let assemblies = stored.assemblies.map_or("no number of assemblies".to_owned(), words::assemblies);
    let apart = match stored.solutions {
        Some(0) | None => "taking apart not asked or not possible".to_owned(),
        Some(1) => "1 comes apart".to_owned(),
        Some(solutions) => format!("{solutions} come apart"),
    };
    let counts = format!("{assemblies}, {apart}");
    match stored.state {
        State::Unsolved => "BurrTools has not solved it".to_owned(),
        State::Interrupted => format!("BurrTools was interrupted at {counts}"),
        State::Solved => format!("BurrTools found {counts}"),
        State::Unknown => "it was changed after BurrTools solved it".to_owned(),
    }
}

/// The counts that BurrTools stored beside those found here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Whether its search came to its end.
    pub complete: bool,
    /// How many assemblies it found.
    pub assemblies: u64,
    /// How many of them come apart; null when it did not take them apart, or none does.
    pub solutions: Option<u64>,
    /// Whether they are the same as here; null when one of the searches was not finished.
    pub equal: Option<bool>,
    /// The same in words, and where the counts differ, why that may be.
    pub text: String,
}

/// Compares them; nothing where there is nothing to compare.
pub fn comparison(stored: &Stored, outcome: &Outcome, merge: Merge) -> Option<Comparison> {
    let assemblies = stored.assemblies?;
    let solutions = stored.solutions.filter(|&solutions| solutions > 0);
    let compared = |complete: bool, equal: Option<bool>, text: String| {
        Some(Comparison { complete, assemblies, solutions, equal, text })
    };
    match stored.state {
        State::Unsolved | State::Unknown => None,
        State::Interrupted => {
            let at = words::assemblies(assemblies);
            compared(false, None, format!("BurrTools was interrupted at {at}, so it has no count to compare"))
        }
        State::Solved if !outcome.complete => {
            compared(true, None, format!("BurrTools stored {assemblies}; the search here was not finished"))
        }
        State::Solved if assemblies == outcome.assemblies => {
            let (clause, equal) = match (solutions, &outcome.apart) {
                (_, None) => (String::new(), true),
                (None, Some(_)) => (", and does not say how many come apart".to_owned(), true),
                (Some(there), Some(here)) if there == here.solutions => {
                    (format!(", and as many that come apart, {there}"), true)
                }
                (Some(there), Some(here)) => {
                    (format!(", but {there} that come apart where here are {}", here.solutions), false)
                }
            };
            compared(true, Some(equal), format!("BurrTools stored the same count, {assemblies}{clause}"))
        }
        State::Solved => {
            let why = why_other(assemblies, outcome, merge);
            let text = format!("BurrTools stored {assemblies}, here are {}: {why}", outcome.assemblies);
            compared(true, Some(false), text)
        }
    }
}

/// Why BurrTools may have found that other count.
fn why_other(theirs: u64, outcome: &Outcome, merge: Merge) -> &'static str {
    match theirs {
        _ if merge != Merge::Mirrors => "its run kept less apart than was asked here",
        theirs if theirs == outcome.up_to_rotations => "its run kept mirror images, as --keep-mirrors does",
        theirs if theirs == outcome.raw => "its run kept rotations, as --keep-rotations does",
        theirs if theirs > outcome.assemblies && theirs < outcome.raw => {
            "its run may have kept mirror images or some of the rotations; the file does not say"
        }
        theirs if theirs < outcome.assemblies => {
            "its run may have merged more (\"complete\" rotation checks), or the file was changed; it does not say"
        }
        _ => "no option of BurrTools is known to give that; the file may have been changed after it was solved",
    }
}
