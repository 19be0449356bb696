//! Designs an interlocking cube: `cargo run --release --example design_burr [SEED [STEPS]]` prints its puzzle file.
//!
//! A cube of 5 x 5 x 5 cells is cut at random into pieces with some voids between them. Then one cell at a time changes
//! hands, to another piece or to a void, and the change stays when the level is no lower than before. The built-in puzzle
//! `bramble` was found in this way.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints what it finds")]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use cubewright::puzzle::assembly::{Assembly, Placement};
use cubewright::puzzle::colour::Colour;
use cubewright::puzzle::grid::{Cell, Orientation, Shape};
use cubewright::puzzle::piece::{Piece, PieceId};
use cubewright::puzzle::rules::Rules;
use cubewright::puzzle::settings::Settings;
use cubewright::puzzle::{Credits, Puzzle, Target};
use cubewright::solve::disassemble::{Effort, Method, Verdict, disassemble};

const SIZE: i32 = 5;
const PIECES: usize = 7;
/// More states than this are not worth waiting for.
const MOST_STATES: u64 = 20_000;

/// The piece that each cell belongs to; a void where there is none.
type Cut = BTreeMap<Cell, usize>;

fn main() {
    let argument = |number: usize| std::env::args().nth(number).and_then(|text| text.parse::<u64>().ok());
    let mut random = Random(argument(1).unwrap_or(1) | 1);
    let mut cut = random_cut(&mut random);
    let mut best = score(&cut);
    for step in 0..argument(2).unwrap_or(20_000) {
        let Some(changed) = change(&cut, &mut random) else { continue };
        let score = score(&changed);
        if score >= best {
            if score > best {
                eprintln!("step {step}: {} moves, the first piece after {}", score.1, score.0);
            }
            (cut, best) = (changed, score);
        }
    }
    print!("{}", file(&cut));
}

/// Random numbers that are the same every time (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        from.get((self.0 % from.len().max(1) as u64) as usize).copied()
    }
}

fn cells() -> Vec<Cell> {
    let line = |k: i32| Cell::new(k % SIZE, k / SIZE % SIZE, k / SIZE / SIZE);
    (0..SIZE * SIZE * SIZE).map(line).collect()
}

fn random_cut(random: &mut Random) -> Cut {
    let cells = cells();
    let mut cut = Cut::new();
    while cut.len() < PIECES {
        if let Some(cell) = random.pick(&cells).filter(|cell| !cut.contains_key(cell)) {
            cut.insert(cell, cut.len());
        }
    }
    while cut.len() < cells.len() {
        let Some(cell) = random.pick(&cells).filter(|cell| !cut.contains_key(cell)) else { continue };
        let around: Vec<usize> = cell.neighbours().filter_map(|(_, other)| cut.get(&other).copied()).collect();
        if let Some(piece) = random.pick(&around) {
            cut.insert(cell, piece);
        }
    }
    cut
}

/// One cell goes to a neighbouring piece or becomes void; `None` when a piece would fall in two.
fn change(cut: &Cut, random: &mut Random) -> Option<Cut> {
    let cell = random.pick(&cells())?;
    let mut to: Vec<Option<usize>> = cell.neighbours().map(|(_, other)| cut.get(&other).copied()).collect();
    // Voids only inside, so that the cube looks whole.
    let is_inside = (0..3).all(|axis| (1..SIZE - 1).contains(&cell.along(axis)));
    to.retain(|piece| piece.is_some() || is_inside);
    let mut changed = cut.clone();
    match random.pick(&to)? {
        Some(piece) => changed.insert(cell, piece),
        None => changed.remove(&cell),
    };
    let pieces = pieces(&changed);
    let hangs_together =
        |cells: &BTreeSet<Cell>| Shape::new(cells.iter().copied()).is_ok_and(|s| s.components().len() == 1);
    (changed != *cut && pieces.len() == PIECES && pieces.iter().all(hangs_together)).then_some(changed)
}

fn pieces(cut: &Cut) -> Vec<BTreeSet<Cell>> {
    let mut pieces: BTreeMap<usize, BTreeSet<Cell>> = BTreeMap::new();
    cut.iter().for_each(|(&cell, &piece)| {
        pieces.entry(piece).or_default().insert(cell);
    });
    pieces.into_values().collect()
}

/// Moves until the first piece is out, and moves in all; zero when it does not come apart.
fn score(cut: &Cut) -> (u32, usize) {
    let pieces = pieces(cut);
    let piece = |(number, cells): (usize, &BTreeSet<Cell>)| Piece {
        name: number.to_string(),
        colour: Colour::of_palette(number),
        shape: Shape::new(cells.iter().copied()).expect("a piece has cells"),
        marks: BTreeMap::new(),
        count: 1..=1,
        twin_of: None,
    };
    let puzzle = Puzzle {
        name: "Design".to_owned(),
        credits: Credits::default(),
        target: Target::full_box(Cell::new(SIZE, SIZE, SIZE)),
        pieces: pieces.iter().enumerate().map(piece).collect(),
        rules: Rules::default(),
        settings: Settings::default(),
    };
    let corner = |cells: &BTreeSet<Cell>| {
        cells.iter().copied().reduce(|a, b| Cell::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z))).unwrap_or_default()
    };
    let place = |(number, cells): (usize, &BTreeSet<Cell>)| Placement {
        piece: PieceId(number),
        orientation: Orientation::IDENTITY,
        offset: corner(cells),
    };
    let assembly = Assembly { placements: pieces.iter().enumerate().map(place).collect() };
    let watch = || ControlFlow::Continue(());
    match disassemble(&puzzle, &assembly, &Effort { method: Method::First, most_states: MOST_STATES, watch: &watch }) {
        Verdict::Apart(way) => (way.level.0[0], way.steps.len()),
        _ => (0, 0),
    }
}

fn file(cut: &Cut) -> String {
    let letters = |filled: &dyn Fn(Cell) -> char| -> String {
        let row = |y: i32, z: i32| (0..SIZE).map(|x| filled(Cell::new(x, y, z))).collect::<String>();
        let layer = |z: i32| format!("\"{}\"", (0..SIZE).rev().map(|y| row(y, z)).collect::<Vec<_>>().join("/"));
        (0..SIZE).map(layer).collect::<Vec<_>>().join(", ")
    };
    let target = letters(&|cell| if cut.contains_key(&cell) { 'X' } else { '+' });
    let mut text =
        format!("cubewright = 1\nname = \"Design\"\n\n[target]\nlayers = [{target}]\n\n[rules]\napart = true\n");
    for piece in 0..PIECES {
        let layers = letters(&|cell| if cut.get(&cell) == Some(&piece) { 'X' } else { '.' });
        let name = char::from(b'A' + piece as u8);
        text += &format!("\n[[piece]]\nname = \"{name}\"\nlayers = [{layers}]\n");
    }
    text
}
