//! The samples in `tests/xmpuzzle/`, which are this project's own.

#![allow(dead_code, reason = "the tests use different parts")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cubewright::gzip;
use cubewright::input::{self, Source};
use cubewright::opened::Opened;
use cubewright::puzzle::Puzzle;
use cubewright::puzzle::packing_rules::Merge;
use cubewright::solve::{Options, Outcome, solve};

/// Those with a single problem that is a puzzle.
pub(crate) const ALL: [&str; 29] = [
    "colours",
    "colours-free",
    "colours-loop",
    "colours-none",
    "dominoes",
    "equal",
    "equal-three",
    "groups",
    "hotspot",
    "latin-1",
    "max-holes",
    "max-holes-fixed",
    "max-holes-two",
    "mirror-one",
    "mirror-twins",
    "moves",
    "moves-counts",
    "moves-tree",
    "odd",
    "optional",
    "optional-all",
    "packed",
    "ranges",
    "ranges-least",
    "unused",
    "utf-8",
    "version-1",
    "version-1-skew",
    "weights",
];

pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/xmpuzzle").join(format!("{name}.xmpuzzle"))
}

pub(crate) fn sample(name: &str) -> Opened {
    let source = input::puzzle(&path(name).display().to_string()).expect(name);
    Opened::of(&source).expect(name)
}

pub(crate) fn puzzle(name: &str) -> Puzzle {
    sample(name).single(None).expect(name).puzzle.expect(name).clone()
}

pub(crate) fn outcome(puzzle: &Puzzle, merge: Merge) -> Outcome {
    let mut puzzle = puzzle.clone();
    puzzle.rules.packing.merge = merge;
    let outcome = solve(&puzzle, &Options { keep: 9999, ..Options::ALL }).expect("a packing");
    let different: BTreeSet<_> = outcome.found.iter().collect();
    assert_eq!((different.len(), outcome.found.len() as u64), (outcome.found.len(), outcome.assemblies));
    outcome
}

/// Reads what was written as the program reads a file.
pub(crate) fn packed(bytes: &[u8]) -> Opened {
    let (text, ignored) = gzip::unpack(bytes, 1 << 24).expect("gzip");
    let text = String::from_utf8(text).expect("text");
    let source =
        Source { label: String::new(), stem: "puzzle".into(), choice: None, text, ignored, folder: Default::default() };
    Opened::of(&source).expect("what is written can be read")
}
