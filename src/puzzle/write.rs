//! A packing -> the text of a puzzle file that reads as the same puzzle.

use std::fmt::Write;

use super::colour::Colour;
use super::grid::Cell;
use super::packing_rules::TintId;
use super::piece::{Piece, PieceId};
use super::{Credits, Puzzle, Target};

/// The text of the puzzle file. Of the settings and the rules of numbered cubies it says nothing, nor of what is
/// known of its solutions, nor of mirror images that may be used: BurrTools files, which this is for, have none.
pub fn write(puzzle: &Puzzle) -> String {
    let mut text = format!("cubewright = 1\nname = {}\n", quoted(&puzzle.name));
    let Credits { author, year, source, licence, notes, known: _ } = &puzzle.credits;
    for (key, value) in [("author", author), ("year", year), ("source", source), ("licence", licence), ("notes", notes)]
    {
        if let Some(value) = value {
            let _ = writeln!(text, "{key} = {}", quoted(value));
        }
    }
    if puzzle.rules.apart {
        text += "\n[rules]\napart = true\n";
    }
    let letters = letters(puzzle.rules.packing.tints.palette.len());
    text += &packing(puzzle, &letters);
    text += &target(puzzle, &letters);
    for (id, piece) in puzzle.ids().zip(&puzzle.pieces) {
        text += &self::piece(puzzle, id, piece, &letters);
    }
    for group in &puzzle.rules.groups {
        let names = group.most.keys().map(|&id| quoted(&puzzle.piece(id).name));
        let _ = writeln!(text, "\n[[group]]\npieces = {}", list(names));
        if group.most.iter().any(|(&id, most)| most != puzzle.piece(id).count.end()) {
            let _ = writeln!(text, "most = {}", list(group.most.values().map(u32::to_string)));
        }
    }
    text
}

/// Letters for so many tints.
fn letters(count: usize) -> Vec<char> {
    ('A'..='Z').chain('a'..='z').chain('α'..='ω').take(count).collect()
}

fn packing(puzzle: &Puzzle, letters: &[char]) -> String {
    let rules = &puzzle.rules.packing;
    let mut text = String::new();
    if rules.equal_apart {
        text += "equal_pieces = \"different\"\n";
    }
    if let Some(most) = rules.most_empty {
        let _ = writeln!(text, "most_empty = {most}");
    }
    if !letters.is_empty() {
        let letter = |tint: &TintId| letters[usize::from(tint.0)];
        let colours = rules.tints.palette.iter().map(|colour| quoted(&colour.to_string()));
        let pairs = rules.tints.pairs.iter().map(|(piece, goal)| quoted(&format!("{}{}", letter(piece), letter(goal))));
        let _ = writeln!(
            text,
            "\n[packing.tints]\nletters = {}\ncolours = {}\nmay_lie_on = {}",
            quoted(&letters.iter().collect::<String>()),
            list(colours),
            list(pairs)
        );
    }
    match text.is_empty() {
        true => text,
        false => format!("\n[packing]\n{text}"),
    }
}

fn target(puzzle: &Puzzle, letters: &[char]) -> String {
    let Target { filled, optional, size } = &puzzle.target;
    let mut text = "\n[target]\n".to_owned();
    if puzzle.target == Target::full_box(*size) {
        let _ = writeln!(text, "box = [{}, {}, {}]", size.x, size.y, size.z);
    } else {
        let state = |cell: Cell| match (filled.contains(&cell), optional.contains(&cell)) {
            (true, _) => 'X',
            (_, true) => '+',
            _ => '.',
        };
        let _ = writeln!(text, "layers = {}", drawn(*size, &state));
    }
    let tints = &puzzle.rules.packing.tints.target;
    if !tints.is_empty() {
        let _ = writeln!(text, "tints = {}", drawn(*size, &|cell| letter(letters, tints.get(&cell))));
    }
    text
}

fn piece(puzzle: &Puzzle, id: PieceId, piece: &Piece, letters: &[char]) -> String {
    let rules = &puzzle.rules.packing;
    let mut text = format!("\n[[piece]]\nname = {}\n", quoted(&piece.name));
    if piece.colour != Colour::of_palette(id.0) {
        let _ = writeln!(text, "colour = \"{}\"", piece.colour);
    }
    let size = piece.shape.size();
    let state = |cell: Cell| if piece.shape.contains(cell) { 'X' } else { '.' };
    let _ = writeln!(text, "layers = {}", drawn(size, &state));
    if piece.shape.cells().iter().any(|&cell| rules.tints.pieces.contains_key(&(id, cell))) {
        let tint = |cell: Cell| letter(letters, rules.tints.pieces.get(&(id, cell)));
        let _ = writeln!(text, "tints = {}", drawn(size, &tint));
    }
    match (piece.count.start(), piece.count.end()) {
        (1, 1) => {}
        (least, most) if least == most => text += &format!("count = {most}\n"),
        (least, most) => text += &format!("count = [{least}, {most}]\n"),
    }
    if let Some(weight) = rules.weights.get(&id) {
        let _ = writeln!(text, "weight = {weight}");
    }
    if piece.shape.components().len() > 1 {
        text += "disconnected = true\n";
    }
    text
}

fn letter(letters: &[char], tint: Option<&TintId>) -> char {
    tint.map_or('.', |tint| letters[usize::from(tint.0)])
}

/// The layers, the bottom one first, rows back to front.
fn drawn(size: Cell, look: &dyn Fn(Cell) -> char) -> String {
    let row = |y: i32, z: i32| (0..size.x).map(|x| look(Cell::new(x, y, z))).collect::<String>();
    let layer = |z: i32| (0..size.y).rev().map(|y| row(y, z)).collect::<Vec<_>>().join("/");
    list((0..size.z).map(|z| quoted(&layer(z))))
}

/// A list on one line, or an item a line where that would be long.
fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    let length: usize = items.iter().map(|item| item.len() + 2).sum();
    match length {
        0..=100 => format!("[{}]", items.join(", ")),
        _ => format!("[\n  {},\n]", items.join(",\n  ")),
    }
}

/// Text in quotes, over several lines where it has some.
fn quoted(text: &str) -> String {
    let escape = |c: char| match c {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\n' => "\n".to_owned(),
        '\t' => "\\t".to_owned(),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    };
    let escaped: String = text.chars().map(escape).collect();
    match text.contains('\n') {
        true => format!("\"\"\"\n{escaped}\"\"\""),
        false => format!("\"{escaped}\""),
    }
}
