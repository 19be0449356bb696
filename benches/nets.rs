//! Nets of 27 cubies with six digits each at 300 dpi: what `build` draws for 4D Sudoku.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use cubewright::glyph::Font;
use cubewright::net::{draw, layout::Layout, svg};
use cubewright::puzzle::colour::Colour;
use cubewright::puzzle::grid::{Cell, Shape, Side, Square, Turn};
use cubewright::puzzle::piece::{Mark, Piece};
use cubewright::puzzle::settings::Length;
use cubewright::puzzle::{Credits, Puzzle, Target, rules::Rules, settings::Settings};

fn puzzle() -> Puzzle {
    let pieces = (0..27).map(|n| {
        let mark = |k: usize| Mark::new(((n * 7 + k * 5) % 8 + 1).to_string(), Turn::ALL[(n + k) % 4]);
        let marks = Side::ALL.into_iter().enumerate().map(|(k, side)| (Square { cell: Cell::ZERO, side }, mark(k)));
        let colour = if n < 14 { Colour::new(255, 165, 0) } else { Colour::new(255, 255, 255) };
        Piece {
            name: format!("{n}"),
            colour,
            shape: Shape::cube(),
            marks: marks.collect(),
            count: 1..=1,
            twin_of: None,
        }
    });
    Puzzle {
        name: "Cubies".to_owned(),
        credits: Credits::default(),
        target: Target::full_box(Cell::new(3, 3, 3)),
        pieces: pieces.collect(),
        rules: Rules::default(),
        settings: Settings::default(),
    }
}

fn nets(criterion: &mut Criterion) {
    let (puzzle, font) = (puzzle(), Font::built_in());
    let layout = || Layout::new(&puzzle, Length::of_micrometres(20_000), None, &font).expect("digits");
    let laid = layout();
    let png = |drawing| draw::png(&drawing, 300).expect("a picture").len();
    let mut group = criterion.benchmark_group("nets of 27 cubies");
    group.sample_size(10);
    group.bench_function("layout", |b| b.iter(|| black_box(layout()).pages().len()));
    group.bench_function("27 PNG", |b| b.iter(|| puzzle.ids().map(|id| png(laid.piece(id))).sum::<usize>()));
    group.bench_function("sheet PNG", |b| b.iter(|| png(laid.sheet())));
    group.bench_function("4 pages PNG", |b| b.iter(|| laid.pages().into_iter().map(png).sum::<usize>()));
    group
        .bench_function("27 SVG", |b| b.iter(|| puzzle.ids().map(|id| svg::svg(&laid.piece(id)).len()).sum::<usize>()));
    group.finish();
}

criterion_group!(benches, nets);
criterion_main!(benches);
