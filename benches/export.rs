//! How long the writers take: a cubie with six digits, and 27 of them placed.

#![allow(missing_docs)] // criterion_group! makes public items

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};

use cubewright::export::{step, stl};
use cubewright::glyph::Font;
use cubewright::puzzle::colour::Colour;
use cubewright::puzzle::grid::{Cell, Shape, Side, Square, Turn};
use cubewright::puzzle::piece::{Mark, Piece};
use cubewright::puzzle::rules::Rules;
use cubewright::puzzle::settings::{Length, Settings};
use cubewright::solid::dims::Dims;
use cubewright::solid::lettering::Lettering;
use cubewright::solid::model::Model;
use cubewright::solid::scene::{Instance, Scene, Transform};

fn export(c: &mut Criterion) {
    let texts = ["1", "2", "3", "4", "5", "8"];
    let mark = |(&side, text): (&Side, &str)| (Square { cell: Cell::ZERO, side }, Mark::new(text, Turn::Upright));
    let marks = Side::ALL.iter().zip(texts).map(mark).collect();
    let piece = Piece {
        name: "A".to_owned(),
        colour: Colour::of_palette(1),
        shape: Shape::cube(),
        marks,
        count: 1..=1,
        twin_of: None,
    };
    let pitch = Length::of_micrometres(20_000);
    let dims = Dims::resolve(&Settings::default(), pitch).expect("the defaults work");
    let lettering = Lettering::of_texts(&texts.into(), &Rules::default(), &dims, &Font::built_in()).expect("digits");
    let model = Model::build(&piece, &dims, &lettering).expect("a cubie");

    let one = Scene::of_piece(&piece, &model);
    c.bench_function("step of a cubie", |b| b.iter(|| step::write(black_box(&one))));
    c.bench_function("stl of a cubie", |b| b.iter(|| stl::write(black_box(&one))));

    let copies = (0..27).map(|i| Instance {
        part: i,
        name: i.to_string(),
        transform: Transform { translation: [i as f64 * dims.pitch(), 0.0, 0.0], ..Transform::default() },
    });
    let all = Scene { parts: vec![one.parts[0].clone(); 27], instances: copies.collect(), ..one };
    c.bench_function("step of 27 cubies", |b| b.iter(|| step::write(black_box(&all))));
    c.bench_function("stl of 27 cubies", |b| b.iter(|| stl::write(black_box(&all))));
}

criterion_group!(benches, export);
criterion_main!(benches);
