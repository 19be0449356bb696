//! Counts and solutions as text: one grid a layer, from the top, the back row first.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::Duration;

use crate::progress::printable;
use crate::puzzle::Puzzle;
use crate::puzzle::assembly::{Assembly, Placement};
use crate::puzzle::burr;
use crate::puzzle::grid::{Cell, Side, Square, Turn};
use crate::puzzle::moves::{Step, WayApart};
use crate::puzzle::piece::{Mark, Piece, PieceId};
use crate::solve::disassemble::{Method, Verdict};
use crate::solve::remarks::remarks;
use crate::solve::{Apart, Outcome};
use crate::words;

/// What a search found, in one line.
pub fn counts(puzzle: &Puzzle, outcome: &Outcome) -> String {
    let so_far = if outcome.complete { "" } else { " so far, the search was not finished" };
    let nodes = words::plural(outcome.nodes, "node");
    let equal_bars = how_equal_bars_count(puzzle);
    let how = format!("({} raw{equal_bars}; merged: {}; {nodes})", outcome.raw, outcome.merged);
    if let Some(apart) = outcome.apart.as_ref().filter(|_| outcome.assemblies > 0) {
        return format!("{}{so_far} {how}: {}", words::assemblies(outcome.assemblies), taken_apart(apart));
    }
    match (outcome.assemblies, &outcome.reason) {
        (0, Some(reason)) => format!("no solution: {reason}"),
        (0, None) if outcome.complete => format!("no solution; all was tried ({nodes})"),
        (0, None) if outcome.raw == 0 => format!("no solution{so_far} ({nodes})"),
        (0, None) => format!("{}{so_far} ({nodes})", words::plural(outcome.raw, "raw solution")),
        (assemblies, _) => format!("{}{so_far} {how}", words::plural(assemblies, "solution")),
    }
}

/// Whether the exchange of equal bars of a burr makes another assembly; nothing where no two are equal.
fn how_equal_bars_count(puzzle: &Puzzle) -> &'static str {
    if !is_burr(puzzle) {
        return "";
    }
    let packing = &puzzle.rules.packing;
    let are_some_equal = packing.tints.leave_equal(&puzzle.pieces);
    match packing.equal_apart {
        true if are_some_equal => ", equal bars told apart",
        false if are_some_equal || puzzle.pieces.iter().any(|piece| *piece.count.end() > 1) => ", equal bars alike",
        _ => "",
    }
}

fn is_burr(puzzle: &Puzzle) -> bool {
    puzzle.pieces.iter().all(|piece| burr::stick_of(puzzle, &piece.shape).is_some())
}

/// The names of pieces that are equal though listed apart.
pub fn equal_names<'a>(puzzle: &'a Puzzle, outcome: &Outcome) -> Vec<Vec<&'a str>> {
    outcome.equal.iter().map(|equal| equal.iter().map(|&id| puzzle.piece(id).name.as_str()).collect()).collect()
}

/// What a reader should know of the counts, a line each: equal pieces, and counts that the file states otherwise.
pub fn notices(puzzle: &Puzzle, outcome: &Outcome) -> Vec<String> {
    let equal = |names: Vec<&str>| {
        let names: Vec<String> = names.into_iter().map(printable).collect();
        format!(
            "the pieces {} are equal and count as one kind: exchanging them makes no other solution",
            names.join(", ")
        )
    };
    let mut notices: Vec<String> = equal_names(puzzle, outcome).into_iter().map(equal).collect();
    notices.extend(bound_not_asked(puzzle));
    let known = &puzzle.credits.known;
    let is_decided = outcome.apart.as_ref().is_none_or(|apart| apart.unknown == 0);
    let solutions = outcome.apart.as_ref().map_or(outcome.assemblies, |apart| apart.solutions);
    for (what, known, found, is_whole) in [
        ("solutions", known.solutions, solutions, outcome.complete && is_decided),
        ("raw ones", known.raw, outcome.raw, outcome.complete),
    ] {
        if let Some(known) = known.filter(|&known| is_whole && known != found) {
            notices.push(format!("found {found} {what}, but [known] in the puzzle file says {known}"));
        }
    }
    notices
}

/// Where the counts of the pieces are fixed, so is the number of cells that stay empty, and the bound on it is not asked, as
/// in BurrTools; said where that makes a difference.
fn bound_not_asked(puzzle: &Puzzle) -> Option<String> {
    let most = puzzle.rules.packing.most_empty? as usize;
    let is_fixed = puzzle.pieces.iter().all(|piece| piece.count.start() == piece.count.end());
    let volume = |piece: &Piece| piece.shape.cells().len() * *piece.count.end() as usize;
    let filled: usize = puzzle.pieces.iter().filter(|piece| piece.twin_of.is_none()).map(volume).sum();
    let empty = (puzzle.target.filled.len() + puzzle.target.optional.len()).saturating_sub(filled);
    (is_fixed && empty > most).then(|| {
        format!(
            "{empty} cells stay empty however the pieces lie, more than the {most} that may; with fixed counts that bound is \
             not asked, as in BurrTools"
        )
    })
}

/// The collection, a line a puzzle: its name, how many pieces it has, how many solutions, how hard they are to find,
/// and who made it when.
pub fn list<'a>(puzzles: impl Iterator<Item = (&'a str, &'a Puzzle)>) -> String {
    let mut text = format!("{:27}{:>6}{:>11}{:>14}  by\n", "name", "pieces", "solutions", "nodes");
    for (name, puzzle) in puzzles {
        let most = |piece: &Piece| u64::from(*piece.count.end());
        let pieces: u64 = puzzle.pieces.iter().filter(|piece| piece.twin_of.is_none()).map(most).sum();
        let known = |count: Option<u64>| count.map_or("?".to_owned(), words::number);
        let (solutions, nodes) = (puzzle.credits.known.solutions, puzzle.credits.known.nodes);
        let solutions = solutions.map_or("?".to_owned(), |count| count.to_string());
        let by: Vec<&str> =
            [&puzzle.credits.author, &puzzle.credits.year].into_iter().flatten().map(String::as_str).collect();
        let line = format!("{name:27}{pieces:>6}{solutions:>11}{:>14}  {}", known(nodes), printable(&by.join(", ")));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// How many assemblies come apart, at which levels.
fn taken_apart(apart: &Apart) -> String {
    let mut parts = Vec::new();
    match apart.solutions {
        0 if apart.unknown > 0 => parts.push("no solution found".to_owned()),
        0 => parts.push("no solution, none comes apart".to_owned()),
        solutions => {
            let comes = if solutions == 1 { "solution, it comes" } else { "solutions, they come" };
            let levels = apart.levels.iter().map(|(level, count)| match count {
                1 => level.to_string(),
                count => format!("{level} ({count} times)"),
            });
            let levels: Vec<String> = levels.collect();
            let word = if levels.len() == 1 { "level" } else { "levels" };
            parts.push(format!("{solutions} {comes} apart at {word} {}", levels.join(", ")));
        }
    }
    let mut other = |count: u64, what: &str| {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    };
    other(
        apart.locked,
        match apart.method {
            Method::First => "locked",
            Method::Thorough => "locked, whatever comes off first",
        },
    );
    other(apart.stuck, "separated with a part then stuck, as in every order");
    if let Some(why) = apart.why_unknown {
        other(apart.unknown, &format!("not decided: {why}"));
    }
    parts.join("; ")
}

/// What it took to find that out, in one line.
pub fn effort(apart: &Apart) -> String {
    let states = words::plural(apart.states, "state");
    let (deepest, seconds) = (apart.deepest, |time: Duration| time.as_secs_f64());
    format!(
        "{states} of the pieces looked at; the deepest search kept {} of them in {:.1} kB; {:.3} s to assemble, {:.3} s of \
         all threads to take apart",
        deepest.states,
        deepest.bytes as f64 / 1000.0,
        seconds(apart.spent.assembling),
        seconds(apart.spent.taking_apart)
    )
}

/// The moves of a way apart in plain words, a sentence each: `bars A and C together up by 2`.
pub fn moves(puzzle: &Puzzle, assembly: &Assembly, way: &WayApart) -> Vec<String> {
    let [one, many] = if is_burr(puzzle) { ["bar", "bars"] } else { ["piece", "pieces"] };
    let sentence = |step: &Step| {
        let names: Vec<String> = step.moved.iter().map(|&number| placed_name(puzzle, assembly, number)).collect();
        let who = match &names[..] {
            [alone] => format!("{one} {alone}"),
            [first @ .., last] => format!("{many} {} and {last} together", first.join(", ")),
            [] => String::new(),
        };
        let to = match step.side {
            Side::Left => "to the left",
            Side::Right => "to the right",
            Side::Front => "to the front",
            Side::Back => "to the back",
            Side::Bottom => "down",
            Side::Top => "up",
        };
        if step.leaves { format!("{who} {to} and out") } else { format!("{who} {to} by {}", step.cells) }
    };
    way.steps.iter().map(sentence).collect()
}

/// The name of a piece where it lies; of several copies each has its number.
fn placed_name(puzzle: &Puzzle, assembly: &Assembly, number: usize) -> String {
    let id = assembly.placements[number].piece;
    let copy = assembly.placements[..number].iter().filter(|other| other.piece == id).count() + 1;
    let name = printable(&puzzle.piece(id).name);
    if assembly.count(id) == 1 { name } else { format!("{name} ({copy})") }
}

/// How an assembly comes apart, or why not: a numbered list of moves.
pub fn verdict(puzzle: &Puzzle, assembly: &Assembly, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Apart(way) => {
            let moves_needed = words::plural(way.steps.len() as u64, "move");
            let mut text = format!("It comes apart in {moves_needed}, level {}:\n", way.level);
            for (number, sentence) in (1..).zip(moves(puzzle, assembly, way)) {
                let _ = writeln!(text, "{number:3}. {sentence}");
            }
            for together in &way.together {
                let names: Vec<String> = together.iter().map(|&number| placed_name(puzzle, assembly, number)).collect();
                let _ = writeln!(text, "     {} stay together, as the file allows", names.join(", "));
            }
            text
        }
        Verdict::Locked { separates: None } => "It is locked: it does not come apart.\n".to_owned(),
        Verdict::Locked { separates: Some(moves) } => {
            format!("It separates after {moves} moves, but a part is then stuck, whatever comes off first.\n")
        }
        Verdict::Unknown(why) => format!("Whether it comes apart was not found out: {why}.\n"),
    }
}

/// One solution: its layers and what is remarkable about it. `number` counts from 1, up to `of` where that is known. One
/// that does not come apart is called an assembly.
pub fn solution(
    puzzle: &Puzzle,
    assembly: &Assembly,
    verdict: Option<&Verdict>,
    (number, of): (u64, Option<u64>),
) -> String {
    let of = of.map(|of| format!(" of {of}")).unwrap_or_default();
    let what = if verdict.is_some_and(|verdict| verdict.way().is_none()) { "assembly" } else { "solution" };
    let mut text = format!("{}, {what} {number}{of}\n", printable(&puzzle.name));
    if is_cubies(puzzle) {
        text += "Behind each cubie stand the sides of its net that face the front and the top.\n";
    }
    text.push('\n');
    text += &layers(puzzle, assembly);
    for remark in remarks(puzzle, assembly).to_string().lines() {
        let _ = writeln!(text, "{remark}");
    }
    text
}

/// What stands for a cell that stays empty.
const EMPTY: &str = ".";

/// Beside copies, pieces with longer names have letters as well.
const SHORT: usize = 2;

/// The layers of an assembly: the piece in each cell, and for pieces of one cell how it is turned. Copies are told apart
/// by letters, which are explained below.
pub fn layers(puzzle: &Puzzle, assembly: &Assembly) -> String {
    let target = &puzzle.target;
    let mut words: BTreeMap<Cell, String> = target.optional.iter().map(|&cell| (cell, EMPTY.to_owned())).collect();
    let mut shown: Vec<String> =
        assembly.placements.iter().map(|placement| printable(&puzzle.piece(placement.piece).name)).collect();
    let mut lettered: BTreeMap<PieceId, Vec<String>> = BTreeMap::new();
    let is_clear = |id: PieceId| assembly.count(id) == 1 && puzzle.piece(id).name != EMPTY;
    if !is_cubies(puzzle) && !assembly.placements.iter().all(|placement| is_clear(placement.piece)) {
        let keeps = |id: PieceId| is_clear(id) && puzzle.piece(id).name.chars().count() <= SHORT;
        let names: BTreeSet<String> = puzzle.pieces.iter().map(|piece| printable(&piece.name)).collect();
        let mut letters = letters().filter(|letter| !names.contains(letter));
        for (placement, shown) in assembly.placements.iter().zip(&mut shown).filter(|(at, _)| !keeps(at.piece)) {
            *shown = letters.next().unwrap_or_default();
            lettered.entry(placement.piece).or_default().push(shown.clone());
        }
    }
    for (placement, mut word) in assembly.placements.iter().zip(shown) {
        if is_cubies(puzzle) {
            let own = placement.orientation.inverse();
            let _ = write!(word, " {}/{}", own.side(Side::Front).name(), own.side(Side::Top).name());
        }
        words.extend(placement.cells(&puzzle.piece(placement.piece).shape).map(|cell| (cell, word.clone())));
    }
    let size = target.size;
    let title = |z: i32| match (z, size.z) {
        (_, 1) => "Back row first\n".to_owned(),
        (0, _) => "Bottom layer, back row first\n".to_owned(),
        (z, n) if z == n - 1 => "Top layer, back row first\n".to_owned(),
        (z, _) => format!("Layer {} from the bottom\n", z + 1),
    };
    let width = words.values().map(|word| word.chars().count()).max().unwrap_or(0);
    let gap = if width > 1 { "   " } else { " " };
    let mut text = String::new();
    for z in (0..size.z).rev() {
        text += &title(z);
        for y in (0..size.y).rev() {
            let word = |x: i32| words.get(&Cell::new(x, y, z)).map_or("", String::as_str);
            let row: Vec<String> = (0..size.x).map(|x| format!("{:width$}", word(x))).collect();
            let _ = writeln!(text, "  {}", row.join(gap).trim_end());
        }
        text.push('\n');
    }
    for (&piece, letters) in &lettered {
        let _ = writeln!(text, "{}: {}", printable(&puzzle.piece(piece).name), letters.join(" "));
    }
    text += if lettered.is_empty() { "" } else { "\n" };
    text
}

/// A to Z, a to z, and the same again with a number.
fn letters() -> impl Iterator<Item = String> {
    let letter = |round: usize, letter: char| if round == 0 { letter.to_string() } else { format!("{letter}{round}") };
    (0..).flat_map(move |round| ('A'..='Z').chain('a'..='z').map(move |char| letter(round, char)))
}

/// Whether every piece is a single cubie and some are marked, so that their turns say something.
fn is_cubies(puzzle: &Puzzle) -> bool {
    puzzle.has_marks() && puzzle.pieces.iter().all(|piece| piece.shape.cells().len() == 1)
}

/// Every plane of faces as a reader in front of it sees it, marks turned to read upright where all agree; only the outer
/// ones where the faces inside make no difference. Nothing where no piece is marked.
pub fn planes(puzzle: &Puzzle, assembly: &Assembly) -> String {
    if !puzzle.has_marks() {
        return String::new();
    }
    let by_cell = by_cell(assembly);
    let size = puzzle.target.size;
    let mut text = String::new();
    for side in [Side::Front, Side::Back, Side::Left, Side::Right, Side::Top, Side::Bottom] {
        let outermost = if side.is_positive() { size.along(side.axis()) - 1 } else { 0 };
        for layer in 0..size.along(side.axis()) {
            if puzzle.rules.ignore_inside() && layer != outermost {
                continue;
            }
            let marks = plane(puzzle, &by_cell, side, layer);
            let ups: Vec<Side> = marks.values().flatten().filter_map(|(_, up)| *up).collect();
            let _ = writeln!(text, "{} faces of {}", capital(side.name()), layer_name(side, layer, size));
            if marks.values().all(Option::is_none) {
                text += "  blank\n\n";
                continue;
            }
            let up = if ups.is_empty() { side.up() } else { most_common(&ups) };
            for row in rows(side, up, &marks) {
                let symbols = row.iter().map(|cell| match &marks[cell] {
                    None => ".".to_owned(),
                    Some((mark, mark_up)) if mark_up.is_none_or(|mark_up| mark_up == up) => mark.clone(),
                    Some((mark, mark_up)) => match puzzle.rules.upside_down(mark) {
                        Some(read) if *mark_up == Some(up.opposite()) => read.to_owned(),
                        _ => format!("({mark})"),
                    },
                });
                let _ = writeln!(text, "  {}", symbols.collect::<Vec<_>>().join(" "));
            }
            text.push('\n');
        }
    }
    text
}

/// What is seen at each place: a text and where its top points, if that says anything.
type Marks = BTreeMap<Cell, Option<(String, Option<Side>)>>;

fn by_cell(assembly: &Assembly) -> BTreeMap<Cell, Placement> {
    assembly.placements.iter().map(|placement| (placement.offset, *placement)).collect()
}

/// What each place shows on `side` in that layer.
fn plane(puzzle: &Puzzle, by_cell: &BTreeMap<Cell, Placement>, side: Side, layer: i32) -> Marks {
    let in_layer = by_cell.iter().filter(|(cell, _)| cell.along(side.axis()) == layer);
    let shown = in_layer.map(|(&cell, placement)| {
        let own = placement.orientation.inverse().side(side);
        let mark = puzzle.piece(placement.piece).marks.get(&Square { cell: Cell::ZERO, side: own });
        let up = |mark: &Mark| mark.paint.is_none().then(|| placement.orientation.side(mark.turn.up(own)));
        (cell, mark.map(|mark| (mark.text.clone(), up(mark))))
    });
    shown.collect()
}

fn most_common(ups: &[Side]) -> Side {
    let count = |up: Side| ups.iter().filter(|&&other| other == up).count();
    // The first of equals, so that the same assembly always reads the same.
    Side::ALL.into_iter().rev().max_by_key(|&up| count(up)).expect("there are six sides")
}

/// The cells of a plane as a reader sees them who holds `up` upwards: row by row, from the top, left to right.
fn rows(side: Side, up: Side, marks: &Marks) -> Vec<Vec<Cell>> {
    let right = Turn::ALL.into_iter().find(|turn| turn.up(side) == up).map(|turn| {
        let quarter_clockwise = Turn::ALL[(turn as usize + 3) % 4];
        quarter_clockwise.up(side)
    });
    let right = right.expect("the top of a mark points along its side");
    let along = |cell: Cell, to: Side| if to.is_positive() { cell.along(to.axis()) } else { -cell.along(to.axis()) };
    let mut rows: BTreeMap<i32, Vec<Cell>> = BTreeMap::new();
    for &cell in marks.keys() {
        rows.entry(-along(cell, up)).or_default().push(cell);
    }
    rows.into_values()
        .map(|mut row| {
            row.sort_by_key(|&cell| along(cell, right));
            row
        })
        .collect()
}

fn layer_name(side: Side, layer: i32, size: Cell) -> String {
    let last = size.along(side.axis()) - 1;
    let [low, high] = [["left", "right"], ["front", "back"], ["bottom", "top"]][side.axis()];
    match layer {
        0 => format!("the {low} layer"),
        layer if layer == last => format!("the {high} layer"),
        1 if last == 2 => "the middle layer".to_owned(),
        layer => format!("layer {} from the {low}", layer + 1),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
}
