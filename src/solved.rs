//! What `solve --json` prints: one object on one line.
//!
//! The solutions stand before the counts, so that each can go out as it is found and none has to be kept.

use crate::json::{self, Serialize};
use crate::puzzle::Puzzle;
use crate::puzzle::assembly::{Assembly, Placement};
use crate::puzzle::grid::Cell;
use crate::puzzle::moves::{Step, WayApart};
use crate::report::Counts;
use crate::solve::Outcome;
use crate::stored_report::Comparison;
use crate::text;

/// The beginning, up to the first solution; [`found`] and commas between them follow, then [`end`].
pub fn begin(puzzle: &Puzzle) -> String {
    format!("{{\"puzzle\":{},\"found\":[", json::line(&puzzle.name))
}

/// One solution, with the way apart where there is one.
pub fn found(puzzle: &Puzzle, assembly: &Assembly, way: Option<&WayApart>) -> String {
    #[derive(Serialize)]
    struct Found<'a> {
        /// Null for an assembly that does not come apart, and when it was not asked.
        level: Option<String>,
        placements: Vec<Placed<'a>>,
        moves: Option<Vec<Moved>>,
    }
    /// One move of the way apart.
    #[derive(Serialize)]
    struct Moved {
        /// Places in `placements`, from 0.
        moved: Vec<usize>,
        side: &'static str,
        cells: u32,
        leaves: bool,
        /// The move in plain words.
        text: String,
    }
    #[derive(Serialize)]
    struct Placed<'a> {
        piece: &'a str,
        copy: usize,
        /// Rows of the rotation matrix.
        orientation: [[i32; 3]; 3],
        offset: [i32; 3],
        cells: Vec<[i32; 3]>,
    }
    let place = |(index, placement): (usize, &Placement)| {
        let piece = puzzle.piece(placement.piece);
        Placed {
            piece: &piece.name,
            copy: assembly.placements[..index].iter().filter(|other| other.piece == placement.piece).count(),
            orientation: placement.orientation.matrix(),
            offset: placement.offset.coordinates(),
            cells: placement.cells(&piece.shape).map(Cell::coordinates).collect(),
        }
    };
    let moves = way.map(|way| {
        let texts = text::moves(puzzle, assembly, way);
        let moved = |(step, text): (&Step, String)| Moved {
            moved: step.moved.clone(),
            side: step.side.name(),
            cells: step.cells,
            leaves: step.leaves,
            text,
        };
        way.steps.iter().zip(texts).map(moved).collect()
    });
    json::line(&Found {
        level: way.map(|way| way.level.to_string()),
        placements: assembly.placements.iter().enumerate().map(place).collect(),
        moves,
    })
}

/// The end, behind the last solution: the counts; `seconds` is the time that the search took, `stored` what a BurrTools
/// file says.
pub fn end(puzzle: &Puzzle, outcome: &Outcome, seconds: f64, stored: Option<&Comparison>) -> String {
    #[derive(Serialize)]
    struct End<'a> {
        #[serde(flatten)]
        counts: Counts<'a>,
        seconds: f64,
        /// Of these the search for assemblies, and what all threads together took to take them apart; null when nothing was.
        seconds_assembling: Option<f64>,
        seconds_apart: Option<f64>,
        /// Null where nothing is stored that could be compared.
        stored: Option<&'a Comparison>,
    }
    let keys = json::line(&End {
        counts: Counts::new(puzzle, outcome),
        seconds,
        seconds_assembling: outcome.apart.as_ref().map(|apart| apart.spent.assembling.as_secs_f64()),
        seconds_apart: outcome.apart.as_ref().map(|apart| apart.spent.taking_apart.as_secs_f64()),
        stored,
    });
    format!("],{}\n", &keys[1..])
}
