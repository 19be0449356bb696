//! Burrs as known from the literature: how many assemblies there are, which come apart, at which level.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;

use cubewright::puzzle::Puzzle;
use cubewright::puzzle::parse::parse;
use cubewright::solve::disassemble::{Disassembler, Effort, Method, Verdict};
use cubewright::solve::{self, Limit, Options};

fn burr(sticks: &[&str]) -> Puzzle {
    let sticks: Vec<String> = sticks.iter().map(|rows| format!("{:?}", rows.replace(' ', "/"))).collect();
    parse(&format!("cubewright = 1\nname = \"Burr\"\n[burr]\nsticks = [{}]", sticks.join(", "))).expect("a burr")
}

const LOVES_DOZEN: [&str; 6] = [
    "1000 0000 1111 1001",
    "0000 0000 1111 1011",
    "0010 0000 1111 1101",
    "0100 0000 1111 1001",
    "0101 0001 1111 1111",
    "0010 0000 1111 1001",
];

#[test]
fn loves_dozen_has_the_levels_of_the_reference() {
    let puzzle = burr(&LOVES_DOZEN);
    let watch = |_| ControlFlow::Continue(());
    let options =
        Options { limit: Limit::All, keep: usize::MAX, watch: &watch, threads: NonZero::<usize>::MIN, each: None };
    let outcome = solve::solve(&puzzle, &options).expect("a burr can be solved");
    assert_eq!((outcome.raw, outcome.assemblies), (5736, 478));
    let mut disassembler = Disassembler::new(&puzzle);
    let watch = || ControlFlow::Continue(());
    let effort = Effort { method: Method::First, most_states: u64::MAX, watch: &watch };
    let mut first: BTreeMap<u32, u32> = BTreeMap::new();
    let (mut locked, mut stuck) = (0, 0);
    for assembly in &outcome.found {
        match disassembler.take_apart(assembly, &effort) {
            Verdict::Apart(way) => *first.entry(way.level.0[0]).or_default() += 1,
            Verdict::Locked { separates: None } => locked += 1,
            Verdict::Locked { separates: Some(_) } => stuck += 1,
            Verdict::Unknown(why) => panic!("{why}"),
        }
    }
    // As many as BurrTools 0.7.1 finds.
    assert_eq!(first, BTreeMap::from([(1, 163), (2, 30), (3, 15), (4, 6), (5, 2), (6, 5), (12, 1)]));
    assert_eq!((locked, stuck), (252, 4));
}
