//! How long it takes to try everything.

#[path = "../tests/support/mod.rs"]
mod support;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use cubewright::puzzle::parse::parse;
use cubewright::solve::{Options, solve};

fn exhaust(criterion: &mut Criterion) {
    let options = Options { keep: 10_000, ..Options::ALL };
    let mut puzzle = support::four_d_sudoku();
    criterion.bench_function("4D Sudoku", |bencher| bencher.iter(|| solve(black_box(&puzzle), &options)));
    puzzle.rules.chequered = None;
    criterion.bench_function("4D Sudoku in one colour", |bencher| bencher.iter(|| solve(black_box(&puzzle), &options)));
}

fn exhaust_colours(criterion: &mut Criterion) {
    let options = Options { keep: 10_000, ..Options::ALL };
    let mayblox = include_str!("../puzzles/mayblox.toml");
    let cubie = |letters: &str| format!("[[cubie]]\nname = \"{letters}\"\ncolours = \"{letters}\"\n");
    let seven = format!("{SEVEN_RULES}{}", SEVEN.map(cubie).concat());
    for (name, file) in [
        ("Instant Insanity", include_str!("../puzzles/instant-insanity.toml").to_owned()),
        ("a stack of seven", seven),
        ("Mayblox", mayblox.to_owned()),
        ("Mayblox, all targets", mayblox.replacen("outside = \"123456\"", "outside = \"one-colour-a-side\"", 1)),
    ] {
        let puzzle = parse(&file).expect("a puzzle");
        criterion.bench_function(name, |bencher| bencher.iter(|| solve(black_box(&puzzle), &options)));
    }
}

/// Seven cubes in seven colours with 23 solutions.
const SEVEN: [&str; 7] = ["124766", "556421", "417656", "232114", "661371", "575242", "743534"];

const SEVEN_RULES: &str = r#"
cubewright = 1
name = "seven"
order = "top left front right back bottom"
[target]
box = [1, 1, 7]
[palette]
1 = "red"
2 = "green"
3 = "blue"
4 = "white"
5 = "black"
6 = "orange"
7 = "yellow"
[rules]
sides = "all-different"
"#;

criterion_group!(benches, exhaust, exhaust_colours);
criterion_main!(benches);
