//! Designs a large six-piece burr: `cargo run --release --example design_burr [SEED [STEPS]]` prints its puzzle file.
//!
//! Its bars are 4 x 3 x 8 cells instead of 2 x 2 x 6. Every cell that several bars could have belongs to one of them or is
//! void. At first it is the burr of Philippe Dubois, stretched. Then one such cell at a time changes hands, and the change
//! stays when the level is no lower than before.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it prints what it finds")]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use cubewright::collection;
use cubewright::puzzle::assembly::{Assembly, Placement};
use cubewright::puzzle::colour::Colour;
use cubewright::puzzle::grid::{Cell, Orientation, Shape};
use cubewright::puzzle::parse::parse;
use cubewright::puzzle::piece::{Piece, PieceId};
use cubewright::puzzle::rules::Rules;
use cubewright::puzzle::settings::Settings;
use cubewright::puzzle::{Credits, Puzzle, Target};
use cubewright::solve::disassemble::{Effort, Method, Verdict, disassemble};
use cubewright::solve::{Options, solve};

/// The length of a bar; it is 4 wide and 3 high, and two of a direction lie one above the other.
const SIZE: i32 = 8;
const PIECES: usize = 6;
/// More states than this are not worth waiting for.
const MOST_STATES: u64 = 5_000;

/// The bar that each cell belongs to; a void where there is none.
type Cut = BTreeMap<Cell, usize>;

fn main() {
    let argument = |number: usize| std::env::args().nth(number).and_then(|text| text.parse::<u64>().ok());
    let mut random = Random(argument(1).unwrap_or(1) | 1);
    let claims = claims();
    let shared: Vec<(Cell, Vec<usize>)> = claims.clone().into_iter().filter(|(_, bars)| bars.len() > 1).collect();
    let mut cut = first_cut(&claims);
    let mut best = score(&cut);
    for step in 0..argument(2).unwrap_or(150) {
        let changed = change(&cut, &shared, &mut random);
        let score = score(&changed);
        if score >= best {
            if score > best {
                eprintln!("change {step}: level and moves {:?}", score.unwrap_or_default());
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

/// The bars that could have each cell.
fn claims() -> BTreeMap<Cell, Vec<usize>> {
    let middle = SIZE / 2;
    let mut claims: BTreeMap<Cell, Vec<usize>> = BTreeMap::new();
    for (axis, half) in (0..3).flat_map(|axis| [(axis, 0), (axis, 1)]) {
        for k in 0..SIZE * 4 * 3 {
            let mut place = [0; 3];
            place[axis] = k % SIZE;
            place[(axis + 1) % 3] = middle - 2 + k / SIZE % 4;
            place[(axis + 2) % 3] = middle - 3 + 3 * half + k / SIZE / 4;
            claims.entry(Cell::new(place[0], place[1], place[2])).or_default().push(2 * axis + half as usize);
        }
    }
    claims
}

/// The burr of Philippe Dubois, in its first assembly and stretched: its bars are 2 x 2 x 6, and what lies second from their ends and sides is doubled.
fn first_cut(claims: &BTreeMap<Cell, Vec<usize>>) -> Cut {
    const DOUBLED: [i32; SIZE as usize] = [0, 1, 2, 2, 3, 3, 4, 5];
    let small = collection::find("philippe-dubois-burr").map(parse).expect("built in").expect("a right file");
    let options = Options { keep: usize::MAX, ..Options::ALL };
    let assembly = solve(&small, &options).expect("a burr can be solved").found.remove(0);
    let mut owners: BTreeMap<Cell, usize> = BTreeMap::new();
    for (number, placement) in assembly.placements.iter().enumerate() {
        owners.extend(placement.cells(&small.piece(placement.piece).shape).map(|cell| (cell, number)));
    }
    let owner = |cell: &Cell| {
        let [x, y, z] = [cell.x, cell.y, cell.z].map(|k| DOUBLED[k as usize]);
        owners.get(&Cell::new(x, y, z)).copied()
    };
    let bars: BTreeMap<usize, usize> = claims
        .iter()
        .filter(|(_, bars)| bars.len() == 1)
        .filter_map(|(cell, bars)| Some((owner(cell)?, bars[0])))
        .collect();
    claims.keys().filter_map(|cell| Some((*cell, bars[&owner(cell)?]))).collect()
}

/// One cell goes to another of its bars or becomes void.
fn change(cut: &Cut, shared: &[(Cell, Vec<usize>)], random: &mut Random) -> Cut {
    let mut changed = cut.clone();
    let Some((cell, bars)) = random.pick(&(0..shared.len()).collect::<Vec<_>>()).map(|k| &shared[k]) else {
        return changed;
    };
    let mut choices: Vec<Option<usize>> = bars.iter().copied().map(Some).collect();
    choices.push(None);
    match random.pick(&choices).flatten() {
        Some(bar) => changed.insert(*cell, bar),
        None => changed.remove(cell),
    };
    changed
}

fn pieces(cut: &Cut) -> Vec<BTreeSet<Cell>> {
    let mut pieces: BTreeMap<usize, BTreeSet<Cell>> = BTreeMap::new();
    cut.iter().for_each(|(&cell, &piece)| {
        pieces.entry(piece).or_default().insert(cell);
    });
    pieces.into_values().collect()
}

/// The moves until the first piece is out, and the moves in all; `None` when a bar is in parts or it does not come apart.
fn score(cut: &Cut) -> Option<[usize; 2]> {
    let pieces = pieces(cut);
    let whole =
        |cells: &BTreeSet<Cell>| Shape::new(cells.iter().copied()).is_ok_and(|shape| shape.components().len() == 1);
    if !pieces.iter().all(whole) {
        return None;
    }
    let piece = |(number, cells): (usize, &BTreeSet<Cell>)| Piece {
        name: number.to_string(),
        colour: Colour::of_palette(number),
        shape: Shape::new(cells.iter().copied()).expect("a piece has cells"),
        marks: BTreeMap::new(),
        count: 1..=1,
        twin_of: None,
    };
    let puzzle = Puzzle {
        name: "Stretched Burr".to_owned(),
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
    let effort = Effort { method: Method::First, most_states: MOST_STATES, watch: &watch };
    match disassemble(&puzzle, &assembly, &effort) {
        Verdict::Apart(way) => Some([way.level.0[0] as usize, way.steps.len()]),
        _ => None,
    }
}

fn file(cut: &Cut) -> String {
    let letters = |filled: &dyn Fn(Cell) -> char| -> String {
        let row = |y: i32, z: i32| (0..SIZE).map(|x| filled(Cell::new(x, y, z))).collect::<String>();
        let layer = |z: i32| format!("\"{}\"", (0..SIZE).rev().map(|y| row(y, z)).collect::<Vec<_>>().join("/"));
        (0..SIZE).map(layer).collect::<Vec<_>>().join(", ")
    };
    let claims = claims();
    let target = letters(&|cell| match claims.get(&cell).map_or(0, Vec::len) {
        0 => '.',
        1 => 'X',
        _ => '+',
    });
    let mut text = format!(
        "cubewright = 1\nname = \"Stretched Burr\"\n\n[target]\nlayers = [{target}]\n\n[rules]\napart = true\n"
    );
    for piece in 0..PIECES {
        let layers = letters(&|cell| if cut.get(&cell) == Some(&piece) { 'X' } else { '.' });
        let name = char::from(b'A' + piece as u8);
        text += &format!("\n[[piece]]\nname = \"{name}\"\nlayers = [{layers}]\n");
    }
    text
}
