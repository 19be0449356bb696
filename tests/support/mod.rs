//! Puzzles to solve, without a file.

#![allow(dead_code, reason = "the tests and the bench use different parts")]

pub(crate) mod brute;
pub(crate) mod models;

use std::collections::BTreeMap;

use cubewright::puzzle::colour::Colour;
use cubewright::puzzle::grid::{Cell, Shape, Side, Square, Turn};
use cubewright::puzzle::piece::{Mark, Piece};
use cubewright::puzzle::rules::Rules;
use cubewright::puzzle::settings::Settings;
use cubewright::puzzle::{Credits, Puzzle, Target};

/// Name, colour, and the marks in front, right, back, left, on top and at the bottom with their turns.
const FOUR_D_SUDOKU: [(&str, &str, &str); 27] = [
    ("@", "orange", "- 2 4 6v 5v 1"),
    ("A", "orange", "- 4 6v 6 1v 5"),
    ("B", "orange", "- 7 1 2 6v 6v"),
    ("C", "orange", "- 7 7 6v 3v 8v"),
    ("D", "orange", "- 6v 8 4 6 3v"),
    ("E", "orange", "1 5 2 3 7v 6"),
    ("F", "orange", "1 7 5 3 6> 2<"),
    ("G", "orange", "1 8 5 6 5 6v"),
    ("H", "orange", "2 3 7 8 8 7v"),
    ("I", "orange", "2 4 8 8 1< 3>"),
    ("J", "orange", "2 6 6v 6 1> 8<"),
    ("K", "orange", "3 4 6 8 3 2"),
    ("L", "orange", "3 8 4 6 4 5"),
    ("M", "orange", "4 4 5 8 5< 4>"),
    ("N", "white", "- 3 2 7 8v 7v"),
    ("O", "white", "- 3 6 1 3v 8"),
    ("P", "white", "- 4 3 7 2v 7v"),
    ("Q", "white", "- 6v 5 7 6v 2v"),
    ("R", "white", "1 1 6v 7 2 4v"),
    ("S", "white", "1 6 5 3 2v 4v"),
    ("T", "white", "1 7 3 7 6> 3>"),
    ("U", "white", "1 8 6 2 4< 1>"),
    ("V", "white", "1 6v 6 4 6> 1>"),
    ("W", "white", "2 5 5 8 7> 5<"),
    ("X", "white", "2 6 5 6v 4< 6>"),
    ("Y", "white", "2 8 5 4 7v 6v"),
    ("Z", "white", "3 5 6v 6v 8v 6"),
];

/// 27 cubies, one assembly.
pub(crate) fn four_d_sudoku() -> Puzzle {
    let pieces = FOUR_D_SUDOKU.iter().map(|(name, colour, faces)| cubie(name, colour, faces)).collect();
    let rules = Rules {
        latin_planes: true,
        symbols: "123456789".chars().map(String::from).collect(),
        blank_plane: true,
        turned: vec![("6".into(), "9".into())],
        chequered: Some([colour("orange"), colour("white")]),
        ..Rules::default()
    };
    puzzle(Cell::new(3, 3, 3), pieces, rules)
}

/// A puzzle that fills a box.
pub(crate) fn puzzle(size: Cell, pieces: Vec<Piece>, rules: Rules) -> Puzzle {
    let (credits, settings) = (Credits::default(), Settings::default());
    Puzzle { name: "test".into(), credits, target: Target::full_box(size), pieces, rules, settings }
}

/// A cubie with these marks, `-` for none; a turn follows its mark.
pub(crate) fn cubie(name: &str, body: &str, faces: &str) -> Piece {
    let sides = [Side::Front, Side::Right, Side::Back, Side::Left, Side::Top, Side::Bottom];
    let mut marks = BTreeMap::new();
    for (side, face) in sides.into_iter().zip(faces.split(' ')).filter(|(_, face)| *face != "-") {
        let turn = Turn::ALL.into_iter().find(|turn| face.ends_with(turn.symbol())).unwrap_or_default();
        let text = face.trim_end_matches(turn.symbol()).to_string();
        marks.insert(Square { cell: Cell::ZERO, side }, Mark::new(text, turn));
    }
    Piece { name: name.into(), colour: colour(body), shape: Shape::cube(), marks, count: 1..=1, twin_of: None }
}

fn colour(name: &str) -> Colour {
    Colour::parse(name).expect("a colour name")
}
