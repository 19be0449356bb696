//! How long it takes to take all assemblies of Love's Dozen apart, on one core; and how many states that looks at.

use std::hint::black_box;
use std::num::NonZero;
use std::ops::ControlFlow;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cubewright::collection::find;
use cubewright::puzzle::parse::parse;
use cubewright::solve::disassemble::{Disassembler, Effort, Method};
use cubewright::solve::{Limit, Options, solve};

fn take_apart(criterion: &mut Criterion) {
    let puzzle = find("loves-dozen").map(parse).expect("a name of the collection").expect("the collection is right");
    let watch = |_| ControlFlow::Continue(());
    let options =
        Options { limit: Limit::All, keep: usize::MAX, watch: &watch, threads: NonZero::<usize>::MIN, each: None };
    let assemblies = solve(&puzzle, &options).expect("a burr can be solved").found;
    let never = || ControlFlow::Continue(());
    for method in [Method::First, Method::Thorough] {
        let effort = Effort { method, most_states: u64::MAX, watch: &never };
        let mut disassembler = Disassembler::new(&puzzle);
        let mut all = || {
            assemblies.iter().for_each(|assembly| drop(disassembler.take_apart(black_box(assembly), &effort)));
            disassembler.states()
        };
        let states = all();
        let mut group = criterion.benchmark_group(format!("{method:?}"));
        group.throughput(Throughput::Elements(states));
        group.bench_function("states", |bencher| bencher.iter(&mut all));
        group.finish();
    }
}

criterion_group!(benches, take_apart);
criterion_main!(benches);
