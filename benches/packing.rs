//! How long it takes to find every assembly of the packings of the collection, on one core.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use cubewright::collection::find;
use cubewright::puzzle::parse::parse;
use cubewright::solve::{Instructions, Options, solve_with};

const PUZZLES: [&str; 8] = [
    "soma",
    "pentominoes-6x10",
    "pentominoes-2x5x6",
    "pentominoes-3x4x5",
    "conway",
    "y-pentominoes",
    "bedlam",
    "tetris-cube",
];

fn exhaust(criterion: &mut Criterion) {
    for name in PUZZLES {
        let puzzle = find(name).map(parse).expect("a name of the collection").expect("the collection is right");
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        for instructions in Instructions::available() {
            let run = || solve_with(black_box(&puzzle), &Options::ALL, instructions);
            group.bench_function(format!("{instructions:?}"), |bencher| bencher.iter(run));
        }
        group.finish();
    }
}

criterion_group!(benches, exhaust);
criterion_main!(benches);
