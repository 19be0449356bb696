//! Burrs as known from the literature: how many assemblies there are, which come apart, at which level.

#[path = "support/known.rs"]
mod known;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;

use cubewright::puzzle::Puzzle;
use cubewright::puzzle::assembly::Placement;
use cubewright::puzzle::burr::{self, Stick};
use cubewright::puzzle::grid::{Cell, Orientation};
use cubewright::puzzle::packing_rules::Merge;
use cubewright::puzzle::parse::parse;
use cubewright::solve::disassemble::{Kept, Method, Verdict};
use cubewright::solve::{Apart, Options, Outcome, solve, solve_apart};
use cubewright::text;
use cubewright::{check, collection};
use known::as_the_file_says;

fn built_in(name: &str) -> Puzzle {
    parse(collection::find(name).expect("built in")).expect("a right file")
}

fn taken_apart(puzzle: &Puzzle, method: Method, threads: usize) -> (Outcome, Apart) {
    let threads = NonZero::new(threads).expect("some threads");
    let options = Options { keep: usize::MAX, threads, ..Options::ALL };
    let outcome = solve_apart(puzzle, &options, method, u64::MAX).expect("a burr can be solved");
    let apart = outcome.apart.clone().expect("it was asked");
    (outcome, apart)
}

fn levels(apart: &Apart) -> Vec<(String, u64)> {
    apart.levels.iter().map(|(level, &count)| (level.to_string(), count)).collect()
}

/// How many solutions take so many moves to the first separation.
fn first_moves(apart: &Apart) -> BTreeMap<u32, u64> {
    let mut first = BTreeMap::new();
    apart.levels.iter().for_each(|(level, count)| *first.entry(level.0[0]).or_default() += count);
    first
}

/// Stated levels: Philippe Dubois 6.4, Piston 9.3, Computer's Choice 10, Artifactory 5.4, Burr 305 1; the sources stand in the files.
#[test]
fn well_known_burrs_have_their_levels() {
    let burrs: [(&str, u64, &[&str]); 15] = [
        ("artifactory-5-4", 258, &["1.2", "5.4"]),
        ("blue-burr", 1, &["1"]),
        ("burr-305", 1, &["1"]),
        ("burr-without-voids", 1, &["1.2"]),
        ("chinese-cross", 1, &["1"]),
        ("computers-choice-unique-10", 10, &["10"]),
        ("diabolical-structure", 1, &["1.2"]),
        ("double-cross", 1, &["1"]),
        ("hoffmann-burr", 2, &["1", "1.2"]),
        ("philippe-dubois-burr", 2, &["6.4"]),
        ("piston-burr", 26, &["9.3"]),
        ("six-way-set", 4, &["1", "1", "1"]),
        ("stretched-burr", 1, &["6.2.4.3"]),
        ("tenyo-brother", 1, &["1"]),
        ("yamato-block", 1, &["1"]),
    ];
    for (name, assemblies, expected) in burrs {
        let puzzle = built_in(name);
        let (outcome, apart) = taken_apart(&puzzle, Method::First, 2);
        assert_eq!(outcome.assemblies, assemblies, "{name}");
        let level = |(level, count): (String, u64)| std::iter::repeat_n(level, count as usize);
        assert_eq!(levels(&apart).into_iter().flat_map(level).collect::<Vec<_>>(), expected, "{name}");
        assert_eq!(apart.locked, assemblies - expected.len() as u64, "{name}");
        as_the_file_says(&puzzle, &outcome, apart.solutions);
    }
}

#[test]
fn the_length_of_the_sticks_changes_the_level() {
    let with_length = |name: &str, length: &str| {
        let file = collection::find(name).expect("built in").replace("length = 8\n", "");
        let file = file.replace("[burr]\n", &format!("[burr]\nlength = {length}\n"));
        levels(&taken_apart(&parse(&file).expect("a right file"), Method::First, 2).1)
    };
    assert_eq!(with_length("computers-choice-unique-10", "6"), [("5.2".to_owned(), 1)]);
    assert_eq!(with_length("piston-burr", "8"), []);
    assert_eq!(with_length("philippe-dubois-burr", "8"), []);
}

#[test]
fn the_blue_burr_splits_into_two_halves_of_three() {
    let (outcome, apart) = taken_apart(&built_in("blue-burr"), Method::First, 1);
    assert_eq!((outcome.raw, outcome.assemblies, apart.solutions), (12, 1, 1));
    assert_eq!(levels(&apart), [("1".to_owned(), 1)]);
    let Verdict::Apart(way) = &apart.verdicts[0] else { panic!("it comes apart") };
    assert_eq!((way.steps[0].moved.len(), way.steps[0].leaves), (3, true));
    assert_eq!(way.steps.len(), 5);
}

#[test]
fn a_symmetric_stick_counts_in_each_of_the_ways_to_hold_it() {
    let (outcome, apart) = taken_apart(&built_in("burr-without-voids"), Method::First, 1);
    assert_eq!((outcome.raw, outcome.assemblies, apart.solutions), (192, 1, 1));
    assert_eq!(first_moves(&apart), BTreeMap::from([(1, 1)]));
}

/// As many as BurrTools 0.7.1 finds.
#[test]
fn loves_dozen_has_the_levels_of_the_reference() {
    let puzzle = built_in("loves-dozen");
    let (outcome, apart) = taken_apart(&puzzle, Method::First, 2);
    assert_eq!((outcome.raw, outcome.assemblies), (5736, 478));
    assert_eq!((apart.solutions, apart.locked, apart.stuck, apart.unknown), (222, 252, 4, 0));
    assert_eq!(first_moves(&apart), BTreeMap::from([(1, 163), (2, 30), (3, 15), (4, 6), (5, 2), (6, 5), (12, 1)]));
    as_the_file_says(&puzzle, &outcome, apart.solutions);
    // A state is a word of 15 coordinates of 3 bits, its place in the tree, and entries of a table that is never fuller
    // than two thirds.
    let Kept { states, bytes } = apart.deepest;
    let table = (states * 3 / 2 + 1).next_power_of_two().max(64);
    assert_eq!(bytes, states * (8 + 4) + 4 * table);
    // Whatever the number of threads.
    assert_eq!(taken_apart(&puzzle, Method::First, 1), (outcome, apart));
}

#[test]
fn trying_all_orders_decides_those_that_get_stuck() {
    let puzzle = built_in("loves-dozen");
    let (first, thorough) = (taken_apart(&puzzle, Method::First, 2).1, taken_apart(&puzzle, Method::Thorough, 2).1);
    // The four that get stuck are locked for good.
    assert_eq!((thorough.solutions, thorough.locked, thorough.stuck, thorough.unknown), (222, 256, 0, 0));
    assert_eq!(first_moves(&thorough), first_moves(&first));
    // The solutions are the same, so their ways can be compared.
    let moves = |apart: &Apart| -> Vec<usize> {
        apart.verdicts.iter().filter_map(Verdict::way).map(|way| way.steps.len()).collect()
    };
    let pairs: Vec<(usize, usize)> = moves(&thorough).into_iter().zip(moves(&first)).collect();
    assert_eq!(pairs.len(), 222);
    assert!(pairs.iter().all(|(best, first)| best <= first) && pairs.iter().any(|(best, first)| best < first));
}

#[test]
fn of_more_than_six_sticks_any_six_are_chosen() {
    let text = "cubewright = 1\nname = \"Set\"\n[burr]\nsticks = [1, 256, 888, 911, 928, 1024, 1024, 1]";
    let (outcome, apart) = taken_apart(&parse(text).expect("a set"), Method::First, 1);
    let used = |assembly: &cubewright::puzzle::assembly::Assembly| assembly.placements.len();
    assert!(outcome.found.iter().all(|assembly| used(assembly) == 6));
    assert!(apart.solutions >= 1);
}

/// A labelled assembly: which bar fills which cells.
type Labelled = BTreeSet<(usize, BTreeSet<[i32; 3]>)>;

/// Every way to label the bars, each with the place of a number equal to its own.
fn exchanged(bars: &[BTreeSet<[i32; 3]>], numbers: &[u32], taken: &mut Vec<usize>, all: &mut BTreeSet<Labelled>) {
    if taken.len() == bars.len() {
        all.insert(taken.iter().zip(bars).map(|(&label, cells)| (label, cells.clone())).collect());
        return;
    }
    for label in 0..numbers.len() {
        if numbers[label] == numbers[taken.len()] && !taken.contains(&label) {
            taken.push(label);
            exchanged(bars, numbers, taken, all);
            taken.pop();
        }
    }
}

/// Labels are given by hand here, and the classes are those under all turns of the cube.
#[test]
fn equal_bars_can_be_told_apart() {
    for (numbers, exchanges) in [([1, 256, 256, 256, 928, 928], 12), ([88, 512, 768, 922, 1008, 1008], 2)] {
        let file = |more: &str| format!("cubewright = 1\nname = \"Set\"\n{more}[burr]\nsticks = {numbers:?}\n");
        let mut alike = parse(&file("")).expect("a set");
        let apart = parse(&file("[packing]\nequal_pieces = \"different\"\n")).expect("a set");
        assert_eq!(apart.pieces.len(), 6);
        let solved = |puzzle: &Puzzle| solve(puzzle, &Options { keep: usize::MAX, ..Options::ALL }).expect("a burr");
        let (one, other) = (solved(&alike), solved(&apart));
        assert_eq!(other.raw, one.raw * exchanges);
        assert!(text::counts(&alike, &one).contains(" raw, equal bars alike; "), "{}", text::counts(&alike, &one));
        assert!(text::counts(&apart, &other).contains(" raw, equal bars told apart; "));

        alike.rules.packing.merge = Merge::Nothing;
        let mut all: BTreeSet<Labelled> = BTreeSet::new();
        for assembly in solved(&alike).found {
            // Placements come piece by piece, as the numbers do.
            let cells = |placement: &Placement| -> BTreeSet<[i32; 3]> {
                placement.cells(&alike.piece(placement.piece).shape).map(Cell::coordinates).collect()
            };
            let bars: Vec<_> = assembly.placements.iter().map(cells).collect();
            exchanged(&bars, &numbers, &mut Vec::new(), &mut all);
        }
        let size = apart.target.size.x;
        let turned = |assembly: &Labelled, orientation: Orientation| -> Labelled {
            let m = orientation.matrix();
            // About the centre of the cube.
            let turn = |cell: &[i32; 3]| {
                let c = cell.map(|k| 2 * k + 1 - size);
                m.map(|row| (row[0] * c[0] + row[1] * c[1] + row[2] * c[2] - 1 + size) / 2)
            };
            assembly.iter().map(|(label, cells)| (*label, cells.iter().map(turn).collect())).collect()
        };
        let least = |assembly: &Labelled| Orientation::all().map(|orientation| turned(assembly, orientation)).min();
        let classes: BTreeSet<Option<Labelled>> = all.iter().map(least).collect();
        assert_eq!(other.up_to_rotations, classes.len() as u64);
        assert_eq!(other.raw, all.len() as u64 * burr::ways_to_hold(&apart));
    }
}

/// The sticks 256, 512, 768 and 1024 of length 4 are plates of a single layer.
#[test]
fn sticks_of_length_4_may_lack_a_layer() {
    let file = "cubewright = 1\nname = \"Four\"\n[burr]\nlength = 4\nsticks = [1, 256, 512, 911, 928, 1024]";
    let puzzle = parse(file).expect("a set");
    let table = check::table(&puzzle);
    for line in [
        "stick B: number 256, length 4, notchable, its own mirror image",
        "stick C: number 512, length 4, notchable, its own mirror image",
        "stick F: number 1024, length 4, notchable, its own mirror image",
    ] {
        assert!(table.contains(line), "{table}");
    }
    // The solid stick looks the same in eight ways, 256 in two, as at any other length.
    assert_eq!(burr::ways_to_hold(&puzzle), 8 * 2);
}

#[test]
fn every_stick_of_the_collection_has_its_number() {
    let numbers = |name: &str| -> Vec<Option<u32>> {
        let stick =
            |piece: &cubewright::puzzle::piece::Piece| Stick::of_shape(&piece.shape).and_then(|(s, _)| s.number());
        built_in(name).pieces.iter().map(stick).collect()
    };
    assert_eq!(numbers("loves-dozen"), [896, 768, 480, 960, 118, 992].map(Some));
    assert_eq!(numbers("blue-burr"), [920, 461, 511, 788, 1023, 568].map(Some));
    assert_eq!(numbers("burr-without-voids"), [1, 256, 888, 911, 928, 1024].map(Some));
}
