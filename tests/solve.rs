//! Numbered cubies: known counts, and counts against plain enumeration.

mod support;

use std::ops::ControlFlow;

use cubewright::solve::{Limit, Options, Outcome, solve};
use support::four_d_sudoku;

const ALL: Options<'_> = Options { limit: Limit::All, keep: 10_000, watch: &|_| ControlFlow::Continue(()) };

#[test]
fn four_d_sudoku_has_one_assembly() {
    let outcome: Outcome = solve(&four_d_sudoku(), &ALL).expect("numbered cubies");
    println!(
        "{} {} {} {:?} {}",
        outcome.nodes, outcome.raw, outcome.up_to_rotations, outcome.up_to_layers, outcome.merged
    );
    assert!(outcome.complete);
    assert_eq!((outcome.raw, outcome.assemblies), (192, 1));
    let mut p = four_d_sudoku();
    p.rules.chequered = None;
    let outcome: Outcome = solve(&p, &ALL).expect("numbered cubies");
    println!(
        "{} {} {} {:?} {}",
        outcome.nodes, outcome.raw, outcome.up_to_rotations, outcome.up_to_layers, outcome.merged
    );
}
