//! How long it takes to find every assembly of the packings of the collection, on one core.

use std::hint::black_box;
use std::num::NonZero;
use std::ops::ControlFlow;

use criterion::{Criterion, criterion_group, criterion_main};
use cubewright::collection::find;
use cubewright::puzzle::parse::parse;
use cubewright::solve::{Instructions, Limit, Options, solve_with};

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
    let watch = |_| ControlFlow::Continue(());
    let options = Options { limit: Limit::All, keep: 0, watch: &watch, threads: NonZero::<usize>::MIN, each: None };
    for name in PUZZLES {
        let puzzle = find(name).map(parse).expect("a name of the collection").expect("the collection is right");
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        for instructions in Instructions::available() {
            let run = || solve_with(black_box(&puzzle), &options, instructions);
            group.bench_function(format!("{instructions:?}"), |bencher| bencher.iter(run));
        }
        group.finish();
    }
}

criterion_group!(benches, exhaust);
criterion_main!(benches);
