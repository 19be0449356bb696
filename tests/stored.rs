//! Solutions that BurrTools files store: checked, compared, there and back. `tests/other_reader.rs` reads what is written
//! without the program.

#[path = "support/xmpuzzle.rs"]
mod samples;

use std::ops::ControlFlow;

use cubewright::convert::{self, to_burr};
use cubewright::puzzle::packing_rules::Merge;
use cubewright::puzzle::parse::parse;
use cubewright::puzzle::xmpuzzle::{Apart, State, Stored};
use cubewright::solve::disassemble::{Disassembler, Effort, Method, Verdict};
use cubewright::solve::{Options, solve_apart};
use cubewright::stored::verdicts;
use cubewright::stored_report::comparison;
use samples::{outcome, packed, sample};

#[test]
fn stored_solutions_are_checked() {
    let checked_of = |name: &str, choice: Option<&str>| {
        let opened = sample(name);
        let item = opened.single(choice).expect(name);
        let verdicts = verdicts(item.puzzle.expect(name), item.problem.expect(name));
        verdicts.into_iter().map(|verdict| (verdict.assembly, verdict.moves, verdict.level)).collect::<Vec<_>>()
    };
    let checked = |name: &str| checked_of(name, None);
    let level = |level: &str| Some(level.to_owned());
    assert_eq!(checked("dominoes"), [(None, None, None)]);
    assert_eq!(checked("hotspot"), [(None, None, None)]);
    assert_eq!(checked("odd"), [(None, None, None)]);
    assert_eq!(checked("moves"), [(None, None, level("1"))]);
    assert_eq!(checked("moves-counts"), [(None, None, level("1"))]);
    assert_eq!(checked("unused"), [(None, None, None)]);
    let blocked = Some("a move of -20000 along x is blocked".to_owned());
    assert_eq!(checked("moves-wrong"), [(None, blocked, level("1"))]);
    assert_eq!(checked("moves-tree"), [(None, None, level("2.2"))]);
    // Two rings that hang in each other, and a bead.
    let stays = Some("2 pieces stay together that no group allows".to_owned());
    assert_eq!(checked_of("groups-moves", Some("1")), [(None, None, level("1"))]);
    assert_eq!(checked_of("groups-moves", Some("2")), [(None, stays, level("1"))]);
}

/// How many assemblies of a problem come apart, and how the counts that are stored compare.
fn compared(name: &str, choice: &str) -> (u64, Option<(Option<bool>, String)>) {
    let opened = sample(name);
    let item = opened.single(Some(choice)).expect(name);
    let outcome = solve_apart(item.puzzle.expect(name), &Options::ALL, Method::First, 1_000_000).expect(name);
    let comparison = comparison(&item.problem.expect(name).stored, &outcome, Merge::Mirrors);
    (outcome.apart.expect("taken apart").solutions, comparison.map(|comparison| (comparison.equal, comparison.text)))
}

/// Pairs of rings that hang in each other come apart only as far as groups allow it.
#[test]
fn groups_take_so_many_copies() {
    let solutions = ["two and two", "two and one", "all in one"].map(|choice| compared("groups-limits", choice).0);
    assert_eq!(solutions, [1, 0, 1]);
    assert_eq!([compared("groups-moves", "1").0, compared("groups-moves", "2").0], [1, 0]);
}

#[test]
fn stored_counts_are_compared() {
    let said = |equal, text: &str| (1, Some((equal, text.to_owned())));
    let mirrors = "BurrTools stored 2, here are 1: its run kept mirror images, as --keep-mirrors does";
    let apart = "BurrTools stored the same count, 1, and as many that come apart, 1";
    let interrupted = "BurrTools was interrupted at 1 assembly, so it has no count to compare";
    assert_eq!(compared("stored-mirrors", "mirrors kept"), said(Some(false), mirrors));
    assert_eq!(compared("stored-mirrors", "taken apart"), said(Some(true), apart));
    assert_eq!(compared("stored-mirrors", "interrupted"), said(None, interrupted));
    let not_apart = "BurrTools stored the same count, 1, but 1 that come apart where here are 0";
    assert_eq!(compared("groups-moves", "may not"), (0, Some((Some(false), not_apart.to_owned()))));
    assert_eq!(compared("groups-limits", "two and two"), (1, None));
    // The two cells may stay empty, and are then an assembly of no piece.
    assert_eq!(compared("nothing", "1"), (2, None));
}

#[test]
fn stored_solutions_go_there_and_back() {
    for name in ["dominoes", "moves", "moves-counts", "moves-tree", "unused", "hotspot"] {
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
