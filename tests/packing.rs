//! Packings: known counts, every assembly checked, and random small puzzles against plain enumeration.

#[path = "support/known.rs"]
mod known;
#[path = "support/packing.rs"]
mod plain;

use std::cell::{Cell as Counter, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::ops::ControlFlow;

use cubewright::collection::find;
use cubewright::puzzle::assembly::Assembly;
use cubewright::puzzle::colour::Colour;
use cubewright::puzzle::grid::{Cell, Orientation, Shape};
use cubewright::puzzle::parse::parse;
use cubewright::puzzle::piece::{Piece, PieceId};
use cubewright::puzzle::rules::Rules;
use cubewright::puzzle::settings::Settings;
use cubewright::puzzle::{Credits, Puzzle, Target};
use cubewright::solve::{Instructions, Limit, Options, Outcome, Progress, solve, solve_with};
use known::as_the_file_says;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn built_in(name: &str) -> Puzzle {
    parse(find(name).expect(name)).expect(name)
}

/// Solves with every instruction set, checks every assembly, and expects the same outcome each time.
fn solved(puzzle: &Puzzle) -> Outcome {
    let outcomes: Vec<Outcome> = Instructions::available()
        .into_iter()
        .map(|instructions| {
            let seen = RefCell::new(BTreeSet::new());
            let each = |assembly: &_, _: Option<&_>| {
                plain::check(puzzle, assembly).expect("an assembly is right");
                assert!(seen.borrow_mut().insert(assembly.clone()), "an assembly is found once");
                ControlFlow::Continue(())
            };
            let outcome =
                solve_with(puzzle, &Options { each: Some(&each), ..Options::ALL }, instructions).expect("a packing");
            assert!(outcome.complete);
            assert_eq!(seen.borrow().len() as u64, outcome.assemblies);
            outcome
        })
        .collect();
    assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]));
    outcomes.into_iter().next().expect("every computer has some instructions")
}

/// Raw, up to rotations, up to what the puzzle merges.
#[track_caller]
fn expect(name: &str, raw: u64, rotations: u64, assemblies: u64) {
    let puzzle = built_in(name);
    let outcome = solved(&puzzle);
    assert_eq!((outcome.raw, outcome.up_to_rotations, outcome.assemblies), (raw, rotations, assemblies), "{name}");
    as_the_file_says(&puzzle, &outcome, outcome.assemblies);
}

/// The same with the fastest instructions only, for puzzles that take their time.
#[track_caller]
fn expect_fast(name: &str, raw: u64, rotations: u64, assemblies: u64) {
    expect_seen(name, raw, rotations, assemblies, |_| {});
}

#[track_caller]
fn expect_seen(name: &str, raw: u64, rotations: u64, assemblies: u64, see: impl Fn(&Assembly)) {
    let puzzle = built_in(name);
    let each = |assembly: &_, _: Option<&_>| {
        plain::check(&puzzle, assembly).expect("an assembly is right");
        see(assembly);
        ControlFlow::Continue(())
    };
    let options = Options { each: Some(&each), threads: NonZero::new(2).expect("some"), ..Options::ALL };
    let outcome = solve(&puzzle, &options).expect("a packing");
    assert_eq!((outcome.raw, outcome.up_to_rotations, outcome.assemblies), (raw, rotations, assemblies), "{name}");
    as_the_file_says(&puzzle, &outcome, outcome.assemblies);
}

#[test]
fn soma_has_240_assemblies() {
    expect("soma", 11_520, 480, 240);
    assert_eq!(solved(&built_in("soma")).merged, "24 rotations, 24 mirrors");
}

/// Polyform Puzzler by D. Goodger counts 158, 2800 and 32, mirror images apart.
#[test]
fn soma_figures_have_their_known_counts() {
    expect("soma-bathtub", 316, 158, 79);
    expect("soma-crystal", 2800, 2800, 1400);
    expect("soma-sofa", 64, 32, 16);
}

#[test]
fn small_cubes_have_their_known_counts() {
    expect("steinhaus", 48, 2, 2);
    expect("slothouber-graatsma", 8, 1, 1);
}

#[test]
fn pentominoes_have_their_known_counts() {
    expect("pentominoes-2x3x10", 96, 24, 12);
    expect("pentominoes-2x5x6", 2112, 528, 264);
    expect("pentominoes-3x20", 8, 2, 2);
    expect("pentominoes-4x15", 1472, 368, 368);
    expect("pentominoes-5x12", 4040, 1010, 1010);
    expect("pentominoes-6x10", 9356, 2339, 2339);
    expect("pentominoes-8x8", 520, 65, 65);
    expect_fast("pentominoes-3x4x5", 31_520, 7880, 3940);
}

#[test]
fn large_cubes_have_their_known_counts() {
    // The printed solution is one of them, once.
    let printed: BTreeSet<String> = (0..Orientation::COUNT).map(turned_print).collect();
    assert_eq!(printed.len(), 24);
    let (bedlam, seen) = (built_in("bedlam"), Counter::new(0_usize));
    let see = |assembly: &Assembly| seen.set(seen.get() + usize::from(printed.contains(&letters(&bedlam, assembly))));
    expect_seen("bedlam", 460_464, 19_186, 19_186, see);
    assert_eq!(seen.get(), 1);
    expect_fast("tetris-cube", 236_136, 9839, 9839);
    expect_fast("conway", 27_456, 1144, 572);
    expect_fast("y-pentominoes", 60_672, 2528, 1264);
}

/// A solution that is printed with the Bedlam cube: the piece in each cell, x first, then y, then z.
const PRINTED: &str = "CCHHIIBHIAEHIEEEGCCHJBBBAAADIKEDGGCMJGBMKFALKKDDGJMMJJLLKFFLFFDL";

/// The printed solution turned, as a text of the same kind.
fn turned_print(orientation: usize) -> String {
    let orientation = Orientation::from_index(orientation).expect("one of 24");
    let turned = Cell::of_box(Cell::new(4, 4, 4)).zip(PRINTED.chars()).map(|(cell, letter)| {
        // About the middle of the cube, in half cells.
        let [x, y, z] = cell.coordinates().map(|c| 2 * c - 3);
        let [x, y, z] = orientation.turn(Cell::new(x, y, z)).coordinates().map(|c| (c + 3) / 2);
        (x + 4 * (y + 4 * z), letter)
    });
    turned.collect::<BTreeMap<i32, char>>().into_values().collect()
}

/// The piece in each cell of a cube, in the same order.
fn letters(puzzle: &Puzzle, assembly: &Assembly) -> String {
    let cells = assembly.placements.iter().flat_map(|placement| {
        let piece = puzzle.piece(placement.piece);
        placement.cells(&piece.shape).map(|cell| (cell.x + 4 * (cell.y + 4 * cell.z), piece.name.as_str()))
    });
    cells.collect::<BTreeMap<i32, &str>>().into_values().collect()
}

/// The search takes the same way on every computer and with every instruction set; a change of these numbers is a
/// change of the algorithm.
#[test]
fn the_number_of_nodes_is_known() {
    for (name, nodes) in NODES {
        assert_eq!(solved(&built_in(name)).nodes, nodes, "{name}");
    }
}

const NODES: [(&str, u64); 3] = [("soma", 5093), ("pentominoes-2x5x6", 542_432), ("conway", 697_492)];

#[test]
fn targets_of_any_size_have_the_same_answers() {
    // Bars of two cells and one of one cell in a strip: it stands before, between or behind the bars. 64, 128 and 256
    // items are the widths of the masks.
    for length in [9, 63, 65, 127, 189, 257] {
        let text = format!(
            "cubewright = 1\nname = \"n\"\n[target]\nbox = [{length}, 1, 1]\n\
             [[piece]]\nname = \"unit\"\nlayers = [\"X\"]\n\
             [[piece]]\nname = \"bar\"\nlayers = [\"XX\"]\ncount = [1, 400]\n"
        );
        let outcome = solved(&parse(&text).expect("a puzzle"));
        let places = u64::div_ceil(length, 2);
        assert_eq!((outcome.raw, outcome.assemblies), (places, places.div_ceil(2)), "{length}");
    }
}

#[test]
fn the_outcome_is_the_same_whatever_the_number_of_threads() {
    // Distinct pieces, and copies, where dead ends are remembered.
    same_whatever_the_threads("pentominoes-2x5x6", 264);
    same_whatever_the_threads("conway", 572);
}

fn same_whatever_the_threads(name: &str, assemblies: usize) {
    let puzzle = built_in(name);
    let streamed = |threads: usize| {
        let order = RefCell::new(Vec::new());
        let each = |assembly: &_, _: Option<&_>| {
            order.borrow_mut().push(Clone::clone(assembly));
            ControlFlow::Continue(())
        };
        let options =
            Options { threads: NonZero::new(threads).expect("some"), each: Some(&each), keep: 5, ..Options::ALL };
        let outcome = solve(&puzzle, &options).expect("a packing");
        assert_eq!(outcome.found, order.borrow()[..5]);
        (outcome, order.into_inner())
    };
    let one = streamed(1);
    assert_eq!(one.1.len(), assemblies);
    assert!(streamed(2) == one && streamed(7) == one, "{name}");
}

#[test]
fn a_search_ends_at_the_first_assembly_or_when_it_is_told_to() {
    let puzzle = built_in("pentominoes-6x10");
    let first = solve(&puzzle, &Options { limit: Limit::First, keep: 9, ..Options::ALL }).expect("a packing");
    let again = Options { limit: Limit::First, keep: 9, threads: NonZero::new(3).expect("some"), ..Options::ALL };
    assert_eq!(solve(&puzzle, &again).expect("a packing"), first);
    assert_eq!((first.assemblies, first.complete, first.found.len()), (1, false, 1));
    plain::check(&puzzle, &first.found[0]).expect("an assembly is right");

    let stop = |_: Progress| ControlFlow::Break(());
    let stopped = solve(&puzzle, &Options { watch: &stop, ..Options::ALL }).expect("a packing");
    assert!(!stopped.complete && stopped.assemblies < 2339);
}

#[test]
fn a_count_that_is_stopped_tells_of_all_that_was_found_till_then() {
    // 258,584,046,368 raw ones: not one subtree that a thread takes is done for a long time.
    let text = "cubewright = 1\nname = \"n\"\n[target]\nbox = [10, 10, 1]\n\
        [[piece]]\nname = \"domino\"\nlayers = [\"XX\"]\ncount = 50\n";
    let stop = |at: Progress| if at.nodes < 100_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let two = NonZero::new(2).expect("some");
    let stopped = solve(&parse(text).expect("a puzzle"), &Options { watch: &stop, threads: two, ..Options::ALL });
    let stopped = stopped.expect("a packing");
    assert!(!stopped.complete && stopped.assemblies > 0 && stopped.nodes > stopped.assemblies, "{stopped:?}");
}

#[test]
fn equal_pieces_listed_apart_are_one_kind() {
    let text = "cubewright = 1\nname = \"n\"\n[target]\nbox = [4, 2, 1]\n\
        [[piece]]\nname = \"a\"\nlayers = [\"XX\"]\ncount = 2\n[[piece]]\nname = \"b\"\nlayers = [\"X/X\"]\ncount = 2\n";
    let outcome = solve(&parse(text).expect("a puzzle"), &Options { keep: 9, ..Options::ALL }).expect("a packing");
    assert_eq!((outcome.raw, outcome.equal), (5, vec![vec![PieceId(0), PieceId(1)]]));
    let pieces: Vec<usize> = outcome.found[0].placements.iter().map(|placement| placement.piece.0).collect();
    assert_eq!(pieces, [0, 0, 1, 1]);
}

/// A puzzle of at most twelve cells.
fn small() -> impl Strategy<Value = Puzzle> {
    let sizes = prop_oneof![Just([3, 2, 2]), Just([2, 2, 2]), Just([3, 3, 1]), Just([4, 3, 1]), Just([5, 2, 1])];
    let cells = proptest::collection::vec(prop_oneof![6 => Just('X'), 1 => Just('+'), 1 => Just('.')], 12);
    let target = (sizes, any::<bool>(), cells).prop_map(|(size, is_box, drawn)| {
        let mut target = Target::full_box(Cell::new(size[0], size[1], size[2]));
        if !is_box {
            for (cell, drawn) in target.filled.clone().into_iter().zip(drawn) {
                match drawn {
                    'X' => {}
                    drawn => {
                        target.filled.remove(&cell);
                        target.optional.extend((drawn == '+').then_some(cell));
                    }
                }
            }
        }
        target
    });
    let shape = prop_oneof![
        2 => Just(vec![[0, 0, 0]]),
        2 => Just(vec![[0, 0, 0], [1, 0, 0]]),
        1 => Just(vec![[0, 0, 0], [2, 0, 0]]),
        2 => Just(vec![[0, 0, 0], [1, 0, 0], [0, 1, 0]]),
        1 => Just(vec![[0, 0, 0], [1, 0, 0], [2, 0, 0]]),
        2 => Just(vec![[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        2 => Just(vec![[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]),
        2 => Just(vec![[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, -1]]),
        1 => Just(vec![[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]]),
        1 => Just(vec![[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]]),
    ];
    let counts = prop_oneof![3 => Just(1..=1), 1 => Just(0..=1), 1 => Just(2..=2), 1 => Just(0..=3), 1 => Just(1..=4)];
    let piece = (shape, counts, any::<bool>(), 0..Orientation::COUNT);
    (target, proptest::collection::vec(piece, 1..5)).prop_map(|(target, drawn)| {
        let mut pieces: Vec<Piece> = Vec::new();
        for (cells, count, may_mirror, turn) in drawn {
            let shape = Shape::new(cells.into_iter().map(|[x, y, z]| Cell::new(x, y, z))).expect("cells apart");
            let shape = shape.turned(Orientation::from_index(turn).expect("one of 24"));
            let mirrored = shape.mirrored();
            let is_chiral = Orientation::all().all(|o| shape.turned(o) != mirrored);
            let id = PieceId(pieces.len());
            let (marks, colour) = (Default::default(), Colour::INK);
            let piece = Piece { name: format!("{}", id.0), colour, shape, marks, count, twin_of: None };
            let twin = Piece { shape: mirrored, twin_of: Some(id), ..piece.clone() };
            pieces.push(piece);
            pieces.extend((may_mirror && is_chiral).then_some(twin));
        }
        let (credits, settings) = (Credits::default(), Settings::default());
        Puzzle { name: "small".into(), credits, target, pieces, rules: Rules::default(), settings }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn small_puzzles_have_as_many_assemblies_as_plain_enumeration_finds(puzzle in small()) {
        let outcome = solved(&puzzle);
        let plain = plain::count(&puzzle);
        let found = plain::Counts {
            raw: outcome.raw,
            assemblies: outcome.assemblies,
            up_to_rotations: outcome.up_to_rotations,
        };
        prop_assert_eq!(found, plain);
    }
}
