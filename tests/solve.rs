//! Numbered cubies: known counts, and counts against plain enumeration by a checker that shares no code with the solver.

mod support;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use cubewright::puzzle::Puzzle;
use cubewright::puzzle::assembly::Assembly;
use cubewright::puzzle::grid::{Cell, Orientation, Side};
use cubewright::puzzle::rules::Rules;
use cubewright::solve::reason::Reason;
use cubewright::solve::remarks::remarks;
use cubewright::solve::{Limit, Options, Outcome, Progress, SolveError, solve, variants};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use support::{brute, cubie, four_d_sudoku, puzzle};

const ALL: Options<'_> = Options { keep: 10_000, ..Options::ALL };

fn solved(puzzle: &Puzzle) -> Outcome {
    solve(puzzle, &ALL).expect("numbered cubies")
}

#[test]
fn four_d_sudoku_has_one_assembly() {
    let puzzle = four_d_sudoku();
    let outcome = solved(&puzzle);
    assert!(outcome.complete);
    assert_eq!((outcome.raw, outcome.assemblies, outcome.up_to_rotations), (192, 1, 8));
    assert_eq!((outcome.up_to_layers, outcome.nodes), (Some(1), 52));
    assert_eq!(outcome.merged, "24 rotations, 8 exchanges of opposite outer layers");
    brute::check(&puzzle, &outcome.found[0]);
    let variants = variants(&puzzle, &outcome.found[0]).expect("numbered cubies");
    assert_eq!(variants.len(), 8);
    variants.iter().for_each(|variant| brute::check(&puzzle, variant));
}

#[test]
fn without_the_chequer_the_other_layer_permutations_appear() {
    let mut puzzle = four_d_sudoku();
    puzzle.rules.chequered = None;
    let outcome = solved(&puzzle);
    assert_eq!((outcome.raw, outcome.assemblies, outcome.up_to_rotations), (5184, 27, 216));
    assert_eq!((outcome.up_to_layers, outcome.nodes), (Some(1), 2272));
    outcome.found.iter().for_each(|assembly| brute::check(&puzzle, assembly));
}

#[test]
fn the_first_assembly_is_enough_when_asked() {
    let mut puzzle = four_d_sudoku();
    let first = Options { limit: Limit::First, ..ALL };
    let outcome = solve(&puzzle, &first).expect("numbered cubies");
    assert!(!outcome.complete);
    assert_eq!(outcome.found, solved(&puzzle).found);
    puzzle.rules = Rules::default();
    let outcome = solve(&puzzle, &first).expect("numbered cubies");
    assert_eq!((outcome.assemblies, outcome.merged.as_str()), (1, "24 rotations"));
    let stops =
        |progress: Progress| if progress.nodes > 1000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let outcome = solve(&puzzle, &Options { watch: &stops, keep: 3, ..ALL }).expect("numbered cubies");
    assert!(!outcome.complete && outcome.found.len() == 3 && outcome.raw > 100);
}

#[test]
fn remarks_name_the_magic_face_and_the_blank_plane() {
    let puzzle = four_d_sudoku();
    let assembly = &solved(&puzzle).found[0];
    // Among the variants is the published one: the blank face in front, the magic one behind.
    let texts: Vec<String> = variants(&puzzle, assembly)
        .expect("numbered cubies")
        .iter()
        .map(|variant| remarks(&puzzle, variant).to_string())
        .collect();
    assert!(
        texts.contains(
            &"The back face is a magic square: as seen from behind, top row first, 3 8 4 / 5 1 9 / 7 6 2. Every row and \
              every column sums to 15; the diagonals do not.\nThe front face of the whole is blank; exchange the front \
              layer with the back one to hide it inside."
                .to_string()
        ),
        "{texts:#?}"
    );
    assert_eq!(texts.iter().filter(|text| text.contains("hidden inside")).count(), 4);
}

#[test]
fn what_cannot_be_assembled_has_a_reason() {
    let reason = |change: &dyn Fn(&mut Puzzle)| {
        let mut puzzle = four_d_sudoku();
        change(&mut puzzle);
        let outcome = solved(&puzzle);
        assert!(outcome.complete && outcome.raw == 0 && outcome.found.is_empty());
        outcome.reason.as_ref().map(Reason::to_string).unwrap_or_default()
    };
    assert_eq!(reason(&|puzzle| drop(puzzle.pieces.pop())), "26 cubies for 27 places");
    let white = |puzzle: &mut Puzzle| puzzle.pieces[0].colour = puzzle.pieces[26].colour;
    assert_eq!(reason(&white), "the colours cannot alternate: 13 cubies of colour #FFA500 for 14 places");
    assert_eq!(
        reason(&|puzzle| puzzle.rules.blank_plane = false),
        "no plane may be blank, but there are 9 blank faces"
    );
    assert_eq!(reason(&|puzzle| puzzle.rules.turned.clear()), "no face shows \"9\"");
    let bare = |puzzle: &mut Puzzle| puzzle.pieces[0].marks.clear();
    assert_eq!(reason(&bare), "14 blank faces cannot make whole planes of 9");
    let other = |puzzle: &mut Puzzle| {
        puzzle.pieces[0].marks.values_mut().take(1).for_each(|mark| mark.text = "x".into());
    };
    assert_eq!(reason(&other), "a face shows \"x\", which is not one of the symbols");
    // Nothing to count: one digit lies on its side.
    let lying = |puzzle: &mut Puzzle| {
        puzzle.pieces[0].marks.values_mut().take(1).for_each(|mark| mark.turn = cubewright::puzzle::grid::Turn::Left);
    };
    assert_eq!(reason(&lying), "");
}

#[test]
fn rules_that_make_no_sense_are_refused() {
    let latin = Rules { latin_planes: true, ..Rules::default() };
    let bar = || vec![cubie("a", "red", "1 2 1 2 1 2"), cubie("b", "red", "1 2 1 2 1 2")];
    let flat = puzzle(Cell::new(2, 1, 1), bar(), latin.clone());
    assert_eq!(solve(&flat, &ALL), Err(SolveError::PlaneSize { side: Side::Left, squares: 1, symbols: 2 }));
    let turned = vec![("6".into(), "9".into()), ("b".into(), "6".into())];
    let twice = puzzle(Cell::new(2, 1, 1), bar(), Rules { turned, ..latin });
    assert_eq!(solve(&twice, &ALL), Err(SolveError::TurnedTwice { symbol: "6".into() }));
    let free = puzzle(Cell::new(2, 1, 1), bar(), Rules::default());
    agrees_with_enumeration(&free);
    let none = puzzle(Cell::ZERO, Vec::new(), Rules::default());
    assert_eq!((solved(&none).raw, solved(&none).assemblies), (1, 1));
}

/// A small random number below `below`.
fn draw(seed: &mut u64, below: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % below
}

/// A 2x2x2 cut from planes drawn at random, so that it has an assembly unless `spoilt`; the pieces are shuffled, turned
/// and coloured at random. (Spoilt planes of 6, 9, 8 and 0 take plain enumeration a minute.)
fn planted(seed: &mut u64, spoilt: bool) -> Puzzle {
    let symbols =
        [["1", "2", "3", "4"], ["6", "9", "1", "2"], ["6", "9", "8", "0"]][draw(seed, if spoilt { 2 } else { 3 })];
    let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
    let turned = if symbols[0] == "6" { vec![pair("6", "9"), pair("8", "8"), pair("0", "0")] } else { Vec::new() };
    let blank_plane = draw(seed, 2) == 0;
    let is_regular = draw(seed, 3) == 0;
    let mut pieces: Vec<_> = (0..8).map(|_| cubie("c", "orange", "- - - - - -")).collect();
    for side in Side::ALL {
        for layer in 0..2 {
            let (first, turn) = (if is_regular { 0 } else { draw(seed, 24) }, draw(seed, 4));
            if blank_plane && draw(seed, 6) == 0 {
                continue;
            }
            let mut left = symbols.to_vec();
            let mut order = first;
            for (number, piece) in pieces.iter_mut().enumerate() {
                let cell = [number & 1, number >> 1 & 1, number >> 2];
                if cell[side.axis()] != layer {
                    continue;
                }
                let text = left.remove(order % left.len());
                order /= left.len() + 1;
                let turn = cubewright::puzzle::grid::Turn::ALL[if is_regular { 0 } else { turn }];
                let square = cubewright::puzzle::grid::Square { cell: Cell::ZERO, side };
                piece.marks.insert(square, cubewright::puzzle::piece::Mark::new(text, turn));
            }
        }
    }
    let chequered = draw(seed, 2) == 0;
    let [orange, white] = ["orange", "white"].map(|name| cubie("c", name, "-").colour);
    for (number, piece) in pieces.iter_mut().enumerate() {
        let is_even = if chequered { number.count_ones() % 2 == 0 } else { draw(seed, 4) > 0 };
        piece.colour = if is_even { orange } else { white };
        piece.marks = piece.marks_turned(Orientation::from_index(draw(seed, 24)).expect("below 24"));
    }
    if spoilt {
        let (one, other) = (draw(seed, 8), draw(seed, 8));
        let marks: Vec<_> = pieces[one].marks.keys().copied().collect();
        if let Some(square) = marks.get(draw(seed, 6)) {
            let text = symbols[draw(seed, 4)].to_string();
            pieces[one].marks.entry(*square).and_modify(|mark| mark.text = text);
        }
        pieces[other].colour = orange;
    }
    (1..8).rev().for_each(|last| pieces.swap(last, draw(seed, last + 1)));
    let symbols = symbols.map(String::from).to_vec();
    let chequered = chequered.then_some([orange, white]);
    puzzle(
        Cell::new(2, 2, 2),
        pieces,
        Rules { latin_planes: true, symbols, blank_plane, turned, chequered, ..Rules::default() },
    )
}

/// A few cubies with few marks and no rule of planes, in a box of at most three cells or in a ring of four.
fn unruled(seed: &mut u64) -> Puzzle {
    let size = [(1, 1, 1), (2, 1, 1), (1, 3, 1), (1, 2, 2), (1, 1, 3)][draw(seed, 5)];
    let size = Cell::new(size.0, size.1, size.2);
    let chequered = draw(seed, 3) == 0;
    let kinds = ["- - - - - -", "1 - - - - -", "8 - 8 - - -", "6 - 9 - - -", "1 2 - - - -"];
    let pieces = (0..size.x * size.y * size.z).map(|number| {
        let body = if if chequered { number % 2 == 0 } else { draw(seed, 2) == 0 } { "orange" } else { "white" };
        cubie("c", body, kinds[draw(seed, if size.y * size.z == 4 { 2 } else { 5 })])
    });
    let pieces = pieces.collect();
    let turned = [vec![], vec![("6".into(), "9".into()), ("8".into(), "8".into())]][draw(seed, 2)].clone();
    let chequered = chequered.then(|| ["orange", "white"].map(|name| cubie("c", name, "-").colour));
    puzzle(size, pieces, Rules { turned, chequered, ..Rules::default() })
}

fn agrees_with_enumeration(puzzle: &Puzzle) {
    let outcome = solved(puzzle);
    if outcome.raw > 2000 {
        // Plain enumeration would take minutes; planes that are all alike give up to a million.
        return;
    }
    let (raw, classes) = brute::count(puzzle);
    assert!(outcome.complete);
    assert_eq!((outcome.raw, outcome.assemblies), (raw as u64, classes as u64));
    assert_eq!(outcome.found.len(), classes.min(ALL.keep));
    outcome.found.iter().for_each(|assembly: &Assembly| brute::check(puzzle, assembly));
    let different: BTreeSet<&Assembly> = outcome.found.iter().collect();
    assert_eq!(different.len(), outcome.found.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn planted_cubes_are_counted_as_by_enumeration(seed: u64) {
        let puzzle = planted(&mut seed.clone(), false);
        agrees_with_enumeration(&puzzle);
        prop_assert!(solved(&puzzle).raw > 0);
    }

    #[test]
    fn spoilt_cubes_are_counted_as_by_enumeration(seed: u64) {
        agrees_with_enumeration(&planted(&mut seed.clone(), true));
    }

    #[test]
    fn cubies_without_planes_are_counted_as_by_enumeration(seed: u64) {
        agrees_with_enumeration(&unruled(&mut seed.clone()));
    }
}
