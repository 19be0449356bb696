//! Facts of whole pieces: every kind of corner, digit, style and turn, and whatever sizes a user may give.

use std::collections::BTreeMap;

use super::Role;
use super::dims::Dims;
use super::lettering::{Lettering, LetteringError};
use super::model::{Model, ModelError, Problem};
use super::outline::signed_area;
use super::polycube::PolycubeError;
use super::vector::{Vector, add, cross, dot, scale, sub};
use crate::glyph::Font;
use crate::puzzle::colour::Colour;
use crate::puzzle::grid::{Cell, Shape, Side, Square, Turn};
use crate::puzzle::parse::parse;
use crate::puzzle::piece::{Mark, Piece};
use crate::puzzle::rules::Rules;
use crate::puzzle::settings::{Length, Settings, Style};

fn dims_of(settings: &Settings) -> Dims {
    Dims::resolve(settings, Length::of_micrometres(20_000)).expect("sizes that work")
}

fn styled(style: Style) -> Dims {
    dims_of(&Settings { style: Some(style), ..Settings::default() })
}

fn piece(cells: &[[i32; 3]]) -> Piece {
    let shape = Shape::new(cells.iter().map(|&[x, y, z]| Cell::new(x, y, z))).expect("cells");
    Piece { name: "P".to_owned(), colour: Colour::INK, shape, marks: BTreeMap::new(), count: 1..=1, twin_of: None }
}

fn cubie(marks: [(Side, &str, Turn); 6]) -> Piece {
    let mark = |(side, text, turn): (Side, &str, Turn)| (Square { cell: Cell::ZERO, side }, Mark::new(text, turn));
    let marks = marks.into_iter().filter(|(_, text, _)| !text.is_empty()).map(mark).collect();
    Piece { marks, ..piece(&[[0, 0, 0]]) }
}

fn way(side: Side) -> Vector {
    let Cell { x, y, z } = side.step();
    [x, y, z].map(f64::from)
}

fn lettering(dims: &Dims) -> Lettering {
    let texts = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "12"].into();
    Lettering::of_texts(&texts, &Rules::default(), dims, &Font::built_in()).expect("the built-in font has digits")
}

#[test]
fn every_kind_of_vertex_is_closed_and_has_the_volume_of_the_formula() {
    let tripod = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let screw = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]];
    let ring = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0], [2, 2, 0], [1, 2, 0], [0, 2, 0], [0, 1, 0]];
    let pillar_in_corner = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]];
    let seven = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]];
    let touching = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1]];
    let none = Lettering::default();
    for cells in [&tripod[..], &screw, &ring, &pillar_in_corner, &seven, &touching] {
        for (inset, bevel) in [(100, 600), (1, 600), (2500, 0), (2500, 3750), (100, 0)] {
            let length = |micrometres| Some(Length::of_micrometres(micrometres));
            let settings = Settings { inset: length(inset), bevel: length(bevel), ..Settings::default() };
            let model = Model::build(&piece(cells), &dims_of(&settings), &none);
            assert!(model.is_ok(), "{cells:?} {inset} {bevel}: {}", model.expect_err("an error"));
        }
    }
}

#[test]
fn soma_and_random_pieces_are_sound() {
    let soma: [&[[i32; 3]]; 7] = [
        &[[0, 0, 0], [1, 0, 0], [0, 1, 0]],
        &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]],
        &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]],
        &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]],
        &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]],
        &[[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 1]],
        &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    ];
    let dims = styled(Style::Embossed);
    for cells in soma {
        Model::build(&piece(cells), &dims, &Lettering::default()).unwrap_or_else(|error| panic!("{error}"));
    }
    // Grown cell by cell, so that all touch face to face; every square of every third piece is marked.
    let lettering = lettering(&dims);
    let inset = Some(Length::of_micrometres(0));
    let tight = [0, 600].map(|bevel| {
        let bevel = Some(Length::of_micrometres(bevel));
        dims_of(&Settings { inset, bevel, ..Settings::default() })
    });
    let mut built = 0;
    let mut state = 12_345u32;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    for number in 0..60 {
        let mut cells = vec![Cell::ZERO];
        while cells.len() < 10 {
            let next = cells[random(cells.len())] + Side::ALL[random(6)].step();
            if !cells.contains(&next) {
                cells.push(next);
            }
        }
        let shape = Shape::new(cells).expect("ten cells");
        let mark = |square| (square, Mark::new("8", Turn::Left));
        let marks = if number % 3 == 0 { shape.exposed().map(mark).collect() } else { BTreeMap::new() };
        let piece = Piece { shape, marks, ..piece(&[[0, 0, 0]]) };
        Model::build(&piece, &dims, &lettering).unwrap_or_else(|error| panic!("{number}: {error}"));
        for tight in &tight {
            let bare = Piece { marks: BTreeMap::new(), ..piece.clone() };
            match Model::build(&bare, tight, &Lettering::default()) {
                Ok(_) => built += 1,
                Err(ModelError { problem: Problem::Polycube(_), .. }) => {}
                Err(error) => panic!("{number}: {error}"),
            }
        }
    }
    assert!(built > 20, "{built} of 120 can be built without an inset");
}

#[test]
fn an_enclosed_cavity_is_a_shell_of_its_own_and_can_carry_marks() {
    let cells = (0..27).map(|i| Cell::new(i % 3, i / 3 % 3, i / 9)).filter(|&c| c != Cell::new(1, 1, 1));
    let shape = Shape::new(cells).expect("26 cells");
    let square = Square { cell: Cell::new(1, 1, 0), side: Side::Top };
    let marks = [(square, Mark::new("4", Turn::Upright))].into();
    let dims = styled(Style::Proud);
    let model = Model::build(&Piece { shape, marks, ..piece(&[[0, 0, 0]]) }, &dims, &lettering(&dims));
    let model = model.expect("a hollow cube");
    assert_eq!((model.facts.shells, model.solid.boundaries().len()), (2, 2));
    // Outer cube 59.8 with 0.6 chamfers, cavity 20.2 with sharp edges.
    let hollow = 59.8f64.powi(3) - 12.0 * 59.8 * 0.18 + 6.0 * 0.216 - 20.2f64.powi(3);
    let digit = model.volume - hollow;
    let lettering = lettering(&dims);
    let four = &lettering.rings("4").expect("cut")[0];
    let drawn = 0.6 * (signed_area(&four.contour) - signed_area(&four.inner[0].contour));
    assert!((digit - drawn).abs() < 1e-6, "{digit} {drawn}");
}

#[test]
fn a_face_that_touches_itself_is_refused_without_a_bevel_only() {
    let ring = (0..9).map(|i| [i % 3, i / 3, 0]).filter(|&c| c != [2, 2, 0]);
    let cells: Vec<[i32; 3]> = ring.chain([[1, 1, 1]]).collect();
    let settings = |bevel| Settings { bevel: Some(Length::of_micrometres(bevel)), ..Settings::default() };
    let none = Lettering::default();
    assert!(Model::build(&piece(&cells), &dims_of(&settings(1)), &none).is_ok());
    let error = Model::build(&piece(&cells), &dims_of(&settings(0)), &none).expect_err("pinched");
    assert!(matches!(error.problem, Problem::Polycube(PolycubeError::Pinched(_))), "{error}");
}

#[test]
fn every_mark_reads_upright_from_outside_in_the_turn_that_the_grid_says() {
    // The ink of an L is to the left of and below the middle of its box: so its middle tells turn and mirroring.
    let dims = styled(Style::Engraved);
    let lettering = Lettering::of_texts(&["L"].into(), &Rules::default(), &dims, &Font::built_in()).expect("an L");
    for turn in Turn::ALL {
        let model = Model::build(&cubie(Side::ALL.map(|side| (side, "L", turn))), &dims, &lettering);
        let mesh = model.expect("a cubie").mesh;
        for side in Side::ALL {
            let (normal, up) = (way(side), way(turn.up(side)));
            let right = cross(up, normal);
            let floor = 9.9 - 0.4;
            let (mut middle, mut area) = ([0.0; 3], 0.0);
            for (triangle, role) in mesh.triangles.iter().zip(&mesh.roles) {
                let [a, b, c] = triangle.map(|i| mesh.vertices[i as usize].map(f64::from));
                let is_floor = [a, b, c].iter().all(|&p| (dot(p, normal) - floor).abs() < 1e-4);
                if *role == Role::Digit && is_floor {
                    let share = dot(cross(sub(b, a), sub(c, a)), normal) / 2.0;
                    assert!(share > 0.0, "faces outwards");
                    middle = add(middle, scale(add(a, add(b, c)), share / 3.0));
                    area += share;
                }
            }
            let at = |way: Vector| dot(middle, way) / area;
            assert!(at(right) < -0.5 && at(up) < -0.5, "{side:?} {turn:?}: {} {}", at(right), at(up));
        }
    }
}

#[test]
fn an_island_in_a_counter_is_raised_again() {
    let settings = Settings { pitch: Some(Length::of_micrometres(80_000)), ..Settings::default() };
    for style in Style::ALL {
        let dims = dims_of(&Settings { style: Some(style), ..settings.clone() });
        let text = "\u{a9}";
        let lettering = Lettering::of_texts(&[text].into(), &Rules::default(), &dims, &Font::built_in());
        let lettering = lettering.unwrap_or_else(|error| panic!("{error}"));
        let model = Model::build(&cubie(Side::ALL.map(|side| (side, text, Turn::Upright))), &dims, &lettering);
        let model = model.unwrap_or_else(|error| panic!("{error}"));
        // Two faces of ink a side: the ring and the letter in it.
        let flat = |role: &&Role| **role == Role::Digit;
        assert_eq!(lettering.contours(text) - usize::from(style == Style::Embossed), 3);
        assert!(model.roles.iter().filter(flat).count() > 12);
    }
}

#[test]
fn every_digit_in_every_style_and_turn_is_sound() {
    let texts = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "10", "12"];
    for style in Style::ALL {
        let dims = styled(style);
        let lettering = lettering(&dims);
        for first in 0..texts.len() {
            let mark = |k: usize| (Side::ALL[k], texts[(first + k) % texts.len()], Turn::ALL[(first + k) % 4]);
            let piece = cubie(std::array::from_fn(mark));
            let model = Model::build(&piece, &dims, &lettering).unwrap_or_else(|error| panic!("{style:?} {error}"));
            assert!(model.facts.closed && model.facts.shells == 1);
            // Chords of a convex outline lie inside it: the mesh differs from the solid by little.
            assert!((model.facts.volume - model.volume).abs() < 0.5, "{} {}", model.facts, model.volume);
        }
    }
}

#[test]
fn names_stand_on_the_faces_of_polycubes() {
    let pieces = [
        ("I", "[\"XXXXX\"]"),
        ("Q9", "[\"XX/XX\"]"),
        ("corner", "[\"X./XX\", \"X./..\"]"),
        ("6", "[\".XX/XX.\", \"..X/...\"]"),
    ];
    let mut text = "cubewright = 1\nname = \"n\"\n[target]\nbox = [9, 9, 9]\n".to_owned();
    text += "[[piece]]\nname = \"u\"\nlayers = [\"X\"]\ncount = [1, 999]\n";
    for (name, layers) in pieces {
        text += &format!("[[piece]]\nname = \"{name}\"\nlayers = {layers}\n");
    }
    let puzzle = parse(&text).expect("a puzzle");
    for style in [Style::Embossed, Style::Engraved] {
        let dims = styled(style);
        let named = Lettering::default().with_names(&puzzle, &dims, &Font::built_in()).expect("names that fit");
        for piece in &puzzle.pieces {
            let bare = Model::build(piece, &dims, &Lettering::default()).unwrap_or_else(|error| panic!("{error}"));
            let model = Model::build(piece, &dims, &named).unwrap_or_else(|error| panic!("{style:?} {error}"));
            assert!(model.roles.contains(&Role::Digit), "{}", piece.name);
            // Names are cut in, so that nothing stands out: the box is the same, the volume less.
            assert_eq!(model.facts.bounds, bare.facts.bounds);
            assert!(model.volume < bare.volume && model.volume > 0.9 * bare.volume, "{}", piece.name);
        }
    }
    let error = Lettering::default().with_names(&puzzle, &styled(Style::Proud), &Font::built_in());
    assert_eq!(error, Err(LetteringError::ProudNames));
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 200, failure_persistence: None, ..Default::default() })]

    /// Whatever numbers a user gives: refused at the door, or built; never a failed check, never a panic.
    #[test]
    fn sizes_that_are_accepted_can_be_built(
        wild in [size(), size(), size(), size(), size(), size()],
        style in 0usize..3,
        digit in 0usize..12,
    ) {
        let length = |k: usize| wild[k].map(Length::of_micrometres);
        let settings = Settings {
            pitch: length(0),
            inset: length(1),
            bevel: length(2),
            relief: length(3),
            digit_height: length(4),
            tolerance: length(5),
            style: Some(Style::ALL[style]),
            names: None,
            font: None,
            bed: None,
        };
        if let Ok(dims) = Dims::resolve(&settings, Length::of_micrometres(20_000)) {
            let text = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "68"][digit];
            let none = Lettering::default();
            let stairs = piece(&[[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [2, 1, 1], [0, 0, 1]]);
            match Model::build(&stairs, &dims, &none) {
                Ok(_) | Err(ModelError { problem: Problem::Polycube(_), .. }) => {}
                Err(error) => panic!("{dims:?}: {error}"),
            }
            if let Ok(lettering) = Lettering::of_texts(&[text].into(), &Rules::default(), &dims, &Font::built_in()) {
                let cubie = cubie(Side::ALL.map(|side| (side, text, Turn::Left)));
                Model::build(&cubie, &dims, &lettering).unwrap_or_else(|error| panic!("{dims:?}: {error}"));
            }
        }
    }
}

/// Nothing, a likely size, or anything, in micrometres.
fn size() -> impl proptest::strategy::Strategy<Value = Option<i32>> {
    use proptest::prelude::*;
    prop_oneof![4 => Just(None), 4 => (0i32..12).prop_flat_map(|k| Just(Some(3i32.pow(k as u32)))), 1 => any::<i32>().prop_map(Some), 4 => (0i32..30_000).prop_map(Some)]
}
