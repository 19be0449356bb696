//! Burrs on one core: how long it takes to find the assemblies of a set of sticks, and to take all assemblies of Love's
//! Dozen apart; how many raw assemblies and states that is a second.

use std::hint::black_box;
use std::ops::ControlFlow;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cubewright::collection::find;
use cubewright::puzzle::parse::parse;
use cubewright::solve::disassemble::{Disassembler, Effort, Method};
use cubewright::solve::{Options, solve};

/// The different sticks of five burrs with voids: Love's Dozen, Piston, Computer's Choice, Dubois, Tenyo.
const STICKS: [u32; 23] = [
    88, 120, 160, 256, 463, 512, 564, 624, 702, 704, 760, 768, 880, 883, 909, 922, 927, 960, 992, 1008, 1015, 1016,
    1024,
];

fn assemble(criterion: &mut Criterion) {
    let puzzle = parse(&format!("cubewright = 1\nname = \"Set\"\n[burr]\nsticks = {STICKS:?}")).expect("a set");
    let run = || solve(black_box(&puzzle), &Options::ALL).expect("a burr can be solved").raw;
    let mut group = criterion.benchmark_group("any six of 23 sticks");
    group.throughput(Throughput::Elements(run()));
    group.sample_size(10);
    group.bench_function("raw assemblies", |bencher| bencher.iter(run));
    group.finish();
}

fn take_apart(criterion: &mut Criterion) {
    let puzzle = find("loves-dozen").map(parse).expect("a name of the collection").expect("the collection is right");
    let options = Options { keep: usize::MAX, ..Options::ALL };
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

criterion_group!(benches, assemble, take_apart);
criterion_main!(benches);
