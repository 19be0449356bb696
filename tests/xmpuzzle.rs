//! BurrTools files: counts, there and back, what is stored, and what is wrong. The samples in `tests/xmpuzzle/` are this
//! project's own; the assemblies written are read by a reader of these tests, which shares nothing with the program.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;

use cubewright::collection::find;
use cubewright::convert::{self, to_burr, to_toml};
use cubewright::gzip;
use cubewright::input::{self, Source};
use cubewright::opened::{Item, Opened};
use cubewright::puzzle::Puzzle;
use cubewright::puzzle::packing_rules::Merge;
use cubewright::puzzle::parse::parse;
use cubewright::puzzle::xmpuzzle::{self, Apart, Grid, State, Stored};
use cubewright::solve::disassemble::{Disassembler, Effort, Method, Verdict};
use cubewright::solve::{Limit, Options, Outcome, solve};
use cubewright::stored::verdicts;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn sample(name: &str) -> Opened {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/xmpuzzle").join(format!("{name}.xmpuzzle"));
    let source = input::puzzle(&path.display().to_string()).expect(name);
    Opened::of(&source).expect(name)
}

fn puzzle(name: &str) -> Puzzle {
    sample(name).single(None).expect(name).puzzle.expect(name).clone()
}

fn outcome(puzzle: &Puzzle, merge: Merge) -> Outcome {
    let mut puzzle = puzzle.clone();
    puzzle.rules.packing.merge = merge;
    let watch = |_| ControlFlow::Continue(());
    let options = Options { limit: Limit::All, keep: 9999, watch: &watch, threads: NonZero::<usize>::MIN, each: None };
    let outcome = solve(&puzzle, &options).expect("a packing");
    let different: BTreeSet<_> = outcome.found.iter().collect();
    assert_eq!((different.len(), outcome.found.len() as u64), (outcome.found.len(), outcome.assemblies));
    outcome
}

/// Assemblies as BurrTools counts them, with mirrors kept, and all.
#[track_caller]
fn expect(name: &str, merged: u64, mirrors: u64, all: u64) {
    let puzzle = puzzle(name);
    let count = |merge| outcome(&puzzle, merge).assemblies;
    assert_eq!(
        [count(Merge::Mirrors), count(Merge::Rotations), count(Merge::Nothing)],
        [merged, mirrors, all],
        "{name}"
    );
}

#[test]
fn samples_have_the_counts_that_can_be_counted_by_hand() {
    expect("dominoes", 1, 1, 2);
    // The third cell may stay empty, the first two may not.
    expect("optional", 1, 1, 1);
    expect("optional-all", 1, 1, 4);
    // 1111, 112, 121, 211, 22; the middle one is its own image.
    expect("ranges", 4, 4, 5);
    // One bar at three places, or two; none at all would leave four cells empty.
    expect("max-holes", 3, 3, 4);
    // Exchanging equal pieces that are listed apart makes another assembly, and a half turn brings it back.
    expect("equal", 1, 1, 4);
    expect("equal-three", 3, 3, 6);
    // The mirror image of one is the other: both sets of pieces count as one (the mirror paradox).
    expect("mirror-twins", 1, 2, 24);
    expect("mirror-one", 1, 1, 12);
    // The end on the red cell is red or bare; without the pair not even red may lie on red. Blue never may.
    expect("colours", 2, 2, 2);
    expect("colours-none", 1, 1, 1);
    // One end is red: each way round is a placement of its own.
    expect("colours-free", 1, 1, 2);
    // Two bars side by side in two ways, each either way round; 8 motions of the square.
    expect("colours-loop", 2, 2, 8);
}

#[test]
fn a_file_with_several_problems_is_several_puzzles() {
    let opened = sample("several");
    let names = |items: Vec<Item<'_>>| -> Vec<String> {
        items.iter().map(|item| item.puzzle.expect("a puzzle").name.clone()).collect()
    };
    assert_eq!(names(opened.items(None).expect("all")), ["square", "several 2", "bars"]);
    assert_eq!(names(opened.items(Some("3")).expect("by number")), ["bars"]);
    assert_eq!(names(opened.items(Some("square")).expect("by name")), ["square"]);
    let wrong = |choice| opened.single(choice).map(|item| item.number).expect_err("none").to_string();
    assert!(wrong(Some("bears")).contains("did you mean 'bars'?"));
    assert!(wrong(Some("4")).contains("#1 square, #2 problem 2, #3 bars"));
    assert!(wrong(None).contains("3 puzzles; choose one"));
}

#[test]
fn text_may_be_latin_1_and_old() {
    assert_eq!(puzzle("latin-1").name, "Würfel");
    assert_eq!(puzzle("version-1").name, "old");
    let groups = puzzle("groups");
    assert_eq!(groups.credits.notes.as_deref(), Some("Two & one <three>"));
    assert_eq!(groups.rules.packing.weights.values().copied().collect::<Vec<_>>(), [3]);
    assert_eq!(groups.rules.groups.iter().map(|group| group.most.len()).collect::<Vec<_>>(), [2, 1]);
    let Opened::Burr(file) = sample("groups") else { panic!("a BurrTools file") };
    assert!(file.pops_up);
}

#[test]
fn other_grids_are_refused_by_name_but_can_be_looked_at() {
    for (name, grid, word) in [("spheres", Grid::Spheres, "spheres"), ("prisms", Grid::Prisms, "triangular prisms")] {
        let opened = sample(name);
        let error = opened.single(None).expect(name).puzzle.expect_err(name);
        assert_eq!(error.message, format!("the shapes are made of {word}; this program knows cubes"));
        let Opened::Burr(file) = opened else { panic!("a BurrTools file") };
        assert_eq!((file.grid, file.shapes.len(), file.problems.len(), file.shapes[0].filled), (grid, 2, 1, 4));
    }
}

#[test]
fn stored_solutions_are_checked() {
    let checked = |name: &str| {
        let opened = sample(name);
        let item = opened.single(None).expect(name);
        let verdicts = verdicts(item.puzzle.expect(name), item.problem.expect(name));
        verdicts.into_iter().map(|verdict| (verdict.assembly, verdict.moves, verdict.level)).collect::<Vec<_>>()
    };
    let level = |level: &str| Some(level.to_owned());
    assert_eq!(checked("dominoes"), [(None, None, None)]);
    assert_eq!(checked("hotspot"), [(None, None, None)]);
    assert_eq!(checked("moves"), [(None, None, level("1"))]);
    assert_eq!(checked("moves-counts"), [(None, None, level("1"))]);
    assert_eq!(checked("unused"), [(None, None, None)]);
    let blocked = Some("a move of -20000 along x is blocked".to_owned());
    assert_eq!(checked("moves-wrong"), [(None, blocked, level("1"))]);
}

const ALL: [&str; 19] = [
    "colours",
    "colours-free",
    "colours-loop",
    "dominoes",
    "equal",
    "equal-three",
    "groups",
    "hotspot",
    "latin-1",
    "max-holes",
    "mirror-one",
    "mirror-twins",
    "moves",
    "moves-counts",
    "optional",
    "optional-all",
    "ranges",
    "unused",
    "version-1",
];

#[test]
fn there_and_back_is_an_equal_puzzle() {
    let built_in =
        ["soma", "bedlam", "conway", "steinhaus", "pentominoes-6x10"].map(|name| parse(find(name).expect(name)));
    let own = built_in.into_iter().map(|puzzle| {
        let mut puzzle = puzzle.expect("built in");
        // What BurrTools cannot hold, and is said.
        puzzle.credits = Default::default();
        for (index, piece) in puzzle.pieces.iter_mut().enumerate() {
            piece.colour = cubewright::puzzle::colour::Colour::of_palette(index);
        }
        puzzle
    });
    for puzzle in own.chain(ALL.iter().map(|name| puzzle(name))) {
        let stored = Stored { solutions: Some(u64::from(puzzle.rules.apart)), ..Stored::default() };
        let stored = Stored { state: if puzzle.rules.apart { State::Solved } else { State::Unsolved }, ..stored };
        let written = to_burr(&[(&puzzle, &stored)], false).expect("a packing");
        assert_eq!(written.left_out, [""; 0], "{}", puzzle.name);
        let opened = packed(&written.bytes);
        let item = opened.single(None).expect("one problem");
        assert_eq!(item.puzzle, Ok(&puzzle));
        let toml = to_toml(item.puzzle.expect("a puzzle"), &item).expect("a packing");
        assert_eq!(parse(&String::from_utf8(toml.bytes).expect("text")), Ok(puzzle.clone()));
    }
}

/// Reads what was written as the program reads a file.
fn packed(bytes: &[u8]) -> Opened {
    let text = String::from_utf8(gzip::unpack(bytes, 1 << 24).expect("gzip")).expect("text");
    let source = Source { label: String::new(), stem: "puzzle".into(), choice: None, text, folder: Default::default() };
    Opened::of(&source).expect("what is written can be read")
}

#[test]
fn stored_solutions_go_there_and_back() {
    for name in ["dominoes", "moves", "moves-counts", "unused", "hotspot"] {
        let opened = sample(name);
        let item = opened.single(None).expect(name);
        let (puzzle, problem) = (item.puzzle.expect(name), item.problem.expect(name));
        let again = packed(&to_burr(&[(puzzle, &problem.stored)], false).expect(name).bytes);
        let item = again.single(None).expect(name);
        let back = &item.problem.expect(name).stored;
        if problem.stored.state != State::Interrupted {
            assert_eq!(
                Stored { kept: Vec::new(), ..back.clone() },
                Stored { kept: Vec::new(), ..problem.stored.clone() }
            );
        }
        assert_eq!(back.kept.len(), problem.stored.kept.len());
        assert!(verdicts(puzzle, item.problem.expect(name)).iter().all(|v| v.assembly.is_none() && v.moves.is_none()));
    }
}

/// Every written assembly of Soma, laid out by section 7 of the format's description alone: 27 different cells each.
#[test]
fn written_assemblies_fill_the_cube_for_another_reader() {
    let soma = parse(find("soma").expect("soma")).expect("soma");
    let found = outcome(&soma, Merge::Mirrors).found;
    let kept = (0..).zip(&found).map(|(number, assembly)| convert::kept(&soma, assembly, None, [number, 0])).collect();
    let stored = Stored { state: State::Solved, assemblies: Some(240), kept, ..Stored::default() };
    let written = to_burr(&[(&soma, &stored)], false).expect("a packing");
    let text = String::from_utf8(gzip::unpack(&written.bytes, 1 << 24).expect("gzip")).expect("text");
    let shapes: Vec<Vec<[i32; 3]>> = text.split("<voxel ").skip(1).map(plain_shape).collect();
    let assemblies: Vec<&str> =
        text.split("<assembly>").skip(1).map(|rest| rest.split('<').next().expect("text")).collect();
    assert_eq!(assemblies.len(), 240);
    for assembly in assemblies {
        let numbers: Vec<i32> = assembly.split(' ').map(|word| word.parse().expect("a number")).collect();
        let place = |(piece, at): (usize, &[i32])| {
            shapes[piece + 1]
                .iter()
                .map(|&cell| plain_turn(cell, at[3]))
                .map(|c| [c[0] + at[0], c[1] + at[1], c[2] + at[2]])
                .collect::<Vec<_>>()
        };
        let cells: BTreeSet<[i32; 3]> = numbers.chunks(4).enumerate().flat_map(place).collect();
        assert_eq!(cells.len(), 27);
        assert!(cells.iter().flatten().all(|c| (0..3).contains(c)));
    }
}

fn plain_shape(text: &str) -> Vec<[i32; 3]> {
    let number = |name: &str| -> i32 {
        let value = text.split(&format!("{name}=\"")).nth(1).expect(name);
        value.split('"').next().expect(name).parse().expect(name)
    };
    let (x, y) = (number("x"), number("y"));
    let drawing = text.split('>').nth(1).expect("a drawing").split('<').next().expect("a drawing");
    let filled = (0..).zip(drawing.chars()).filter(|cell| cell.1 == '#');
    filled.map(|(at, _): (i32, char)| [at % x, at / x % y, at / x / y]).collect()
}

fn plain_turn([x, y, z]: [i32; 3], number: i32) -> [i32; 3] {
    let [x, y, z] = (0..number % 4).fold([x, y, z], |[x, y, z], _| [x, -z, y]);
    match number / 4 {
        0 => [x, y, z],
        1 => [-z, y, x],
        2 => [-x, y, -z],
        3 => [z, y, -x],
        4 => [-y, x, z],
        _ => [y, -x, z],
    }
}

#[test]
fn moves_are_written_so_that_they_can_be_checked() {
    let text = "cubewright = 1\nname = \"n\"\n[target]\nbox = [4, 2, 1]\n\
        [[piece]]\nname = \"hook\"\nlayers = [\"X.../XXXX\"]\n[[piece]]\nname = \"bar\"\nlayers = [\"XXX\"]\n";
    let puzzle = parse(text).expect("a puzzle");
    let found = outcome(&puzzle, Merge::Mirrors).found;
    let effort = Effort { method: Method::First, most_states: 1000, watch: &|| ControlFlow::Continue(()) };
    let Verdict::Apart(way) = Disassembler::new(&puzzle).take_apart(&found[0], &effort) else {
        panic!("it comes apart")
    };
    let kept = convert::kept(&puzzle, &found[0], Some(&way), [0, 0]);
    assert!(matches!(&kept.apart, Apart::Moves(separation) if separation.states.len() == 2));
    let stored =
        Stored { state: State::Solved, assemblies: Some(1), solutions: Some(1), kept: vec![kept], seconds: None };
    let again = packed(&to_burr(&[(&puzzle, &stored)], false).expect("a packing").bytes);
    let item = again.single(None).expect("one");
    let verdicts = verdicts(item.puzzle.expect("a puzzle"), item.problem.expect("a problem"));
    assert_eq!((verdicts[0].assembly.clone(), verdicts[0].moves.clone()), (None, None));
    assert_eq!(verdicts[0].level, Some(way.level.to_string()));
}

#[test]
fn what_is_wrong_is_shown_with_its_place() {
    let good = include_str!("xmpuzzle/moves.xmpuzzle");
    let refuse = |from: &str, to: &str, said: &str| {
        assert!(good.contains(from), "{from}");
        let text = good.replacen(from, to, 1);
        let error = xmpuzzle::read(&text, "n").and_then(|file| file.problems[0].puzzle.clone()).expect_err(said);
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
    refuse("<dx>0 2<", "<dx>0<", "a state has one number for each piece");
    let cut = xmpuzzle::read(&good[..good.len() / 2], "n").expect_err("cut off");
    assert_eq!(cut.help, "the file was cut off; get it again");
    let many: String = (0..1000).map(|number| format!(" a{number}=\"\"")).collect();
    refuse("<colors", &format!("<a{many}/><colors"), "at most 200 attributes");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    /// Files with bytes changed, removed, doubled and cut off never end the program, and what is read can be looked at.
    #[test]
    fn mutated_files_are_read_or_refused(
        name in prop::sample::select(&ALL[..]),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..5_u8, any::<u8>()), 1..5),
    ) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/xmpuzzle").join(format!("{name}.xmpuzzle"));
        let own = String::from_utf8_lossy(&std::fs::read(path).expect("a sample")).into_owned();
        let toml = cubewright::puzzle::write::write(&puzzle(name));
        for text in [own, toml] {
            let mut bytes = text.into_bytes();
            for (at, to, kind, byte) in &edits {
                let (a, b) = (at.index(bytes.len()), to.index(bytes.len()));
                match kind {
                    0 => bytes[a] = *byte & 0x7F,
                    1 => { bytes.remove(a); }
                    2 => bytes.insert(a, b"0123456789-<>#\""[usize::from(*byte) % 15]),
                    3 => { let part = bytes[a.min(b)..a.max(b)].to_vec(); bytes.splice(a..a, part); }
                    _ => bytes.truncate(bytes.len() - bytes.len().min(a / 8)),
                }
                if bytes.is_empty() { bytes.push(b' '); }
            }
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let source = Source { label: String::new(), stem: "n".into(), choice: None, text, folder: Default::default() };
            match Opened::of(&source) {
                Err(error) => { error.line_column(&source.text); }
                Ok(opened) => {
                    for item in opened.items(None).into_iter().flatten() {
                        if let (Ok(puzzle), Some(problem)) = (item.puzzle, item.problem) {
                            verdicts(puzzle, problem);
                        }
                    }
                }
            }
        }
    }
}
