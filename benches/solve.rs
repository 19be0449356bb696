//! How long it takes to try everything.

#[path = "../tests/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::num::NonZero;
use std::ops::ControlFlow;

use criterion::{Criterion, criterion_group, criterion_main};
use cubewright::solve::{Limit, Options, solve};

fn exhaust(criterion: &mut Criterion) {
    let options = Options {
        limit: Limit::All,
        keep: 10_000,
        watch: &|_| ControlFlow::Continue(()),
        threads: NonZero::<usize>::MIN,
        each: None,
    };
    let mut puzzle = support::four_d_sudoku();
    criterion.bench_function("4D Sudoku", |bencher| bencher.iter(|| solve(black_box(&puzzle), &options)));
    puzzle.rules.chequered = None;
    criterion.bench_function("4D Sudoku in one colour", |bencher| bencher.iter(|| solve(black_box(&puzzle), &options)));
}

criterion_group!(benches, exhaust);
criterion_main!(benches);
