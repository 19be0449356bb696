//! What is wrong in a BurrTools file is said with its place, and files of both formats with bytes changed at random are
//! read or refused.

#[path = "support/xmpuzzle.rs"]
mod samples;

use std::path::Path;

use cubewright::convert::{to_burr, to_toml};
use cubewright::input::{self, Source};
use cubewright::opened::Opened;
use cubewright::puzzle::parse::parse;
use cubewright::puzzle::xmpuzzle::{self, Problem, Stored};
use cubewright::solve::disassemble::Method;
use cubewright::solve::{Options, solve_apart};
use cubewright::stored::verdicts;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use samples::{ALL, packed, path, puzzle};

#[test]
fn what_is_wrong_is_shown_with_its_place() {
    let good = include_str!("xmpuzzle/moves.xmpuzzle");
    let refuse = |from: &str, to: &str, said: &str| {
        assert!(good.contains(from), "{from}");
        let text = good.replacen(from, to, 1);
        let wrong = |problem: &Problem| problem.broken.clone().map_or(problem.puzzle.clone(), Err);
        let error = xmpuzzle::read(&text, "n").and_then(|file| wrong(&file.problems[0])).expect_err(said);
        assert!(error.message.contains(said), "{}", error.message);
        assert!(error.span.end <= text.len() && !error.help.is_empty(), "{said}");
    };
    refuse("version=\"2\"", "version=\"3\"", "version is out of range");
    refuse("<puzzle", "<!DOCTYPE a [<!ENTITY a \"b\">]><puzzle", "XML with DTD detected");
    refuse("x=\"4\"", "x=\"1000\" ", "the drawing ends after 4 cells");
    refuse("x=\"4\" y=\"1\"", "x=\"100000\" y=\"100000\"", "at most 1,000,000 cells");
    refuse("x=\"4\"", "x=\"-4\"", "x is out of range");
    refuse("x=\"4\"", "x=\"four\"", "x is not a whole number");
    refuse("####", "#####", "more cells than the box has");
    refuse("####", "##X#", "'X' is no cell");
    refuse("####", "###9#", "there is no colour 9");
    refuse("id=\"1\" count=\"2\"", "id=\"7\" count=\"2\"", "there is no shape 7");
    refuse("count=\"2\"/>", "count=\"-2\"/>", "count is out of range");
    refuse("count=\"2\"/>", "min=\"3\" max=\"2\"/>", "is above the most");
    refuse("count=\"2\"/>", "count=\"3\"/>", "too much volume");
    refuse("<result id=\"0\"/>", "<result id=\"4294967295\"/>", "no shape is chosen as the goal");
    refuse("<assembly>0 0 0 0 ", "<assembly>", "an assembly of 2 pieces has 1 of them");
    refuse("2 0 0 0<", "2 0 0 24<", "there is no orientation 24");
    refuse("2 0 0 0<", "2 0 zero 0<", "a number is wanted in this assembly, found zero");
    refuse(">0 1<", ">1 0<", "these are not pieces that can come apart here");
    refuse("<pieces count=\"2\"", "<pieces count=\"3\"", "count says 3 pieces, but 2 are listed");
    refuse("state=\"2\"", "state=\"4\"", "state is out of range");
    refuse("time=\"0\"", "time=\"1.5\"", "time is not a whole number");
    refuse("<dx>0 2<", "<dx>0<", "a state has one number for each piece");
    let cut = xmpuzzle::read(&good[..good.len() / 2], "n").expect_err("cut off");
    assert_eq!(cut.help, "the file was cut off; get it again");
    let many: String = (0..1000).map(|number| format!(" a{number}=\"\"")).collect();
    refuse("<colors", &format!("<a{many}/><colors"), "at most 200 attributes");
}

/// Cases of the test below; `CASES=1000000 cargo test --release --test mutated` runs more.
fn cases() -> u32 {
    std::env::var("CASES").map_or(3000, |cases| cases.parse().expect("a number of cases"))
}

fn mutated(mut bytes: Vec<u8>, edits: &[(prop::sample::Index, prop::sample::Index, u8, u8)]) -> Vec<u8> {
    for (at, to, kind, byte) in edits {
        let (a, b) = (at.index(bytes.len()), to.index(bytes.len()));
        match kind {
            0 => bytes[a] = *byte,
            1 => {
                bytes.remove(a);
            }
            2 => bytes.insert(a, b"0123456789-<>#\"+_x"[usize::from(*byte) % 18]),
            3 => {
                let part = bytes[a.min(b)..a.max(b)].to_vec();
                bytes.splice(a..a, part);
            }
            4 => {
                let digits = (a..bytes.len()).find(|&at| bytes[at].is_ascii_digit()).unwrap_or(a);
                bytes[digits] = b"0129"[usize::from(*byte) % 4];
            }
            _ => bytes.truncate(bytes.len() - bytes.len().min(a / 8)),
        }
        if bytes.is_empty() {
            bytes.push(b' ');
        }
    }
    bytes
}

/// What is done with a file that can be read: what it stores is checked, a small puzzle is solved, and what is written of
/// it reads as the same puzzle.
fn use_it(opened: &Opened) {
    for item in opened.items(None).into_iter().flatten() {
        let Ok(puzzle) = item.puzzle else { continue };
        let stored = item.problem.map_or(Stored::default(), |problem| problem.stored.clone());
        if let Some(problem) = item.problem {
            verdicts(puzzle, problem);
            if let Ok(converted) = to_toml(puzzle, &item) {
                let again = parse(&String::from_utf8(converted.bytes).expect("text"));
                assert_eq!(again.as_ref().map(|again| &again.pieces), Ok(&puzzle.pieces));
                assert_eq!(again.as_ref().map(|again| &again.rules), Ok(&puzzle.rules));
            }
        }
        if let Ok(converted) = to_burr(&[(puzzle, &stored)], false) {
            let again = packed(&converted.bytes);
            let again = again.single(None).expect("one problem").puzzle.expect("a puzzle");
            assert_eq!((&again.pieces.len(), &again.target), (&puzzle.pieces.len(), &puzzle.target));
            if item.problem.is_some() {
                // Moves that cannot be read say so too, but are not written; the loss is said.
                let is_said =
                    converted.left_out.iter().any(|clause| clause.starts_with("that a solution must come apart"));
                let mut puzzle = puzzle.clone();
                puzzle.rules.apart &= !is_said;
                assert!(*again == puzzle, "{}", converted.left_out.join(", "));
            }
        }
        let cells = puzzle.target.filled.len() + puzzle.target.optional.len();
        if cells <= 12 && puzzle.pieces.iter().all(|piece| *piece.count.end() < 20) {
            let outcome = solve_apart(puzzle, &Options::ALL, Method::First, 1000).expect("a packing");
            assert!(outcome.complete && outcome.assemblies <= outcome.raw);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    /// Files with bytes changed, removed, doubled and cut off never end the program, and what is read can be used.
    #[test]
    fn mutated_files_are_read_or_refused(
        name in prop::sample::select(&ALL[..]),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..6_u8, any::<u8>()), 1..5),
    ) {
        let own = std::fs::read(path(name)).expect("a sample");
        let toml = cubewright::puzzle::write::write(&puzzle(name)).into_bytes();
        for bytes in [own, toml] {
            let Ok((text, ignored)) = input::puzzle_text(mutated(bytes, &edits), Path::new("n")) else { continue };
            let source = Source { label: String::new(), stem: "n".into(), choice: None, text, ignored, folder: Default::default() };
            match Opened::of(&source) {
                Err(error) => { error.line_column(&source.text); }
                Ok(opened) => use_it(&opened),
            }
        }
    }
}
