//! Time of solids and meshes: 27 cubies of 20 mm with six digits each, and one piece of twelve cells without.

use std::collections::BTreeMap;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use cubewright::glyph::Font;
use cubewright::puzzle::colour::Colour;
use cubewright::puzzle::grid::{Cell, Shape, Side, Square, Turn};
use cubewright::puzzle::piece::{Mark, Piece};
use cubewright::puzzle::rules::Rules;
use cubewright::puzzle::settings::{Length, Settings};
use cubewright::solid::dims::Dims;
use cubewright::solid::lettering::Lettering;
use cubewright::solid::model::Model;

const DIGITS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

fn cubie(number: usize) -> Piece {
    let mark = |(k, side): (usize, Side)| {
        let mark = Mark::new(DIGITS[(number + k) % 9].to_owned(), Turn::ALL[k % 4]);
        (Square { cell: Cell::ZERO, side }, mark)
    };
    let marks = Side::ALL.into_iter().enumerate().map(mark).collect();
    Piece { name: number.to_string(), colour: Colour::INK, shape: Shape::cube(), marks, count: 1..=1, twin_of: None }
}

fn stick() -> Piece {
    let cells = (0..12).map(|i| Cell::new(i % 6, i / 6, 0));
    let shape = Shape::new(cells).expect("twelve cells");
    Piece { name: "stick".to_owned(), colour: Colour::INK, shape, marks: BTreeMap::new(), count: 1..=1, twin_of: None }
}

fn solids(criterion: &mut Criterion) {
    let dims = Dims::resolve(&Settings::default(), Length::of_micrometres(20_000)).expect("the defaults work");
    let font = Font::built_in();
    let cut = || Lettering::of_texts(&DIGITS.into(), &Rules::default(), &dims, &font).expect("digits");
    let lettering = cut();
    let cubies: Vec<Piece> = (0..27).map(cubie).collect();
    criterion.bench_function("lettering of nine digits", |bencher| bencher.iter(|| black_box(cut())));
    criterion.bench_function("27 cubies with six digits", |bencher| {
        bencher.iter(|| {
            for cubie in &cubies {
                black_box(Model::build(cubie, &dims, &lettering).expect("a cubie"));
            }
        });
    });
    let stick = stick();
    criterion.bench_function("a piece of twelve cells", |bencher| {
        bencher.iter(|| black_box(Model::build(&stick, &dims, &lettering).expect("a stick")));
    });
}

criterion_group!(benches, solids);
criterion_main!(benches);
