//! Taking apart against brute force, which shares nothing with it but the puzzle, and ways apart carried out cell by cell.

#[path = "support/taking_apart.rs"]
mod taking_apart;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::ops::ControlFlow;

use cubewright::collection;
use cubewright::puzzle::Puzzle;
use cubewright::puzzle::assembly::Assembly;
use cubewright::puzzle::grid::Cell;
use cubewright::puzzle::groups::Group;
use cubewright::puzzle::parse::parse;
use cubewright::puzzle::piece::PieceId;
use cubewright::solve::disassemble::{Disassembler, Effort, Method, Unknown, Verdict, disassemble};
use cubewright::solve::{self, Limit, Options};
use taking_apart::{Random, assembled, carry_out, fewest_in_all, fewest_to_separate, random_pieces};

fn verdict(puzzle: &Puzzle, assembly: &Assembly, method: Method) -> Verdict {
    let watch = || ControlFlow::Continue(());
    disassemble(puzzle, assembly, &Effort { method, most_states: 1_000_000, watch: &watch })
}

#[test]
fn the_first_separation_takes_the_fewest_moves() {
    let mut random = Random(20_261_129);
    let mut counts: BTreeMap<Option<u32>, u32> = BTreeMap::new();
    for (size, count, cases) in [([3, 3, 3], 2, 40), ([3, 3, 3], 3, 40), ([4, 3, 3], 4, 15)] {
        for _ in 0..cases {
            let pieces = random_pieces(&mut random, size, count);
            let (puzzle, assembly) = assembled(&pieces, size);
            let expected = fewest_to_separate(&pieces.iter().collect::<Vec<_>>(), 6);
            let found = match verdict(&puzzle, &assembly, Method::First) {
                Verdict::Apart(way) => {
                    carry_out(&puzzle, &assembly, &way);
                    Some(way.level.0[0])
                }
                Verdict::Locked { separates } => separates,
                Verdict::Unknown(why) => panic!("{why}"),
            };
            assert_eq!(found, expected, "{pieces:?}");
            *counts.entry(found).or_default() += 1;
        }
    }
    assert_eq!(counts, BTreeMap::from([(None, 14), (Some(1), 81)]));
}

/// Those of more than two moves, among them the one of level 12, and every thirtieth of the others.
#[test]
fn the_first_levels_of_loves_dozen_are_the_fewest_moves() {
    let (puzzle, found) = assemblies("loves-dozen", 478);
    let mut counts: BTreeMap<Option<u32>, u32> = BTreeMap::new();
    for assembly in &found {
        let (level, rare) = match verdict(&puzzle, assembly, Method::First) {
            Verdict::Apart(way) => (Some(way.level.0[0]), way.level.0[0] > 2),
            Verdict::Locked { separates } => (separates, separates.is_some()),
            Verdict::Unknown(why) => panic!("{why}"),
        };
        let count = counts.entry(level).or_default();
        *count += 1;
        if rare || count.is_multiple_of(30) {
            let pieces: Vec<BTreeSet<Cell>> = assembly
                .placements
                .iter()
                .map(|placement| placement.cells(&puzzle.piece(placement.piece).shape).collect())
                .collect();
            assert_eq!(fewest_to_separate(&pieces.iter().collect::<Vec<_>>(), 13), level);
        }
    }
    assert_eq!(counts[&None], 252);
}

#[test]
fn thorough_ways_are_the_shortest_of_all() {
    let mut random = Random(42);
    let mut counts: BTreeMap<Option<u32>, u32> = BTreeMap::new();
    for (size, count, cases) in [([3, 3, 2], 3, 20), ([3, 3, 3], 2, 20), ([3, 3, 3], 3, 15)] {
        for _ in 0..cases {
            let pieces = random_pieces(&mut random, size, count);
            let (puzzle, assembly) = assembled(&pieces, size);
            let all: Vec<usize> = (0..count).collect();
            let expected = fewest_in_all(&pieces, &all, &vec![[0; 3]; count], 3, &mut BTreeMap::new());
            let found = match verdict(&puzzle, &assembly, Method::Thorough) {
                Verdict::Apart(way) => {
                    carry_out(&puzzle, &assembly, &way);
                    Some(way.steps.len() as u32)
                }
                Verdict::Locked { .. } => None,
                Verdict::Unknown(why) => panic!("{why}"),
            };
            assert_eq!(found, expected, "{pieces:?}");
            *counts.entry(found).or_default() += 1;
        }
    }
    assert_eq!(counts, BTreeMap::from([(None, 5), (Some(1), 17), (Some(2), 33)]));
}

/// Seeds, out of three thousand each, of which something must slide before the last piece is free, or that separate and are
/// locked then, whatever comes off first. In none of them the first separation is the wrong one.
#[test]
fn slides_and_parts_that_stay_locked_are_as_brute_force_has_them() {
    for (size, count, seeds, expected) in [
        ([3, 3, 3], 3, [344, 447, 579, 1693], [Some(3), Some(3), Some(3), Some(4)]),
        ([3, 3, 3], 3, [2, 7, 15, 17], [None; 4]),
    ] {
        let all: Vec<usize> = (0..count).collect();
        for (seed, expected) in seeds.into_iter().zip(expected) {
            let pieces = random_pieces(&mut Random(seed * 0x9E37_79B9), size, count);
            let (puzzle, assembly) = assembled(&pieces, size);
            let fewest = fewest_in_all(&pieces, &all, &vec![[0; 3]; count], 3, &mut BTreeMap::new());
            assert_eq!(fewest, expected, "{size:?} {seed}");
            let verdicts = [Method::First, Method::Thorough].map(|method| verdict(&puzzle, &assembly, method));
            match (expected, &verdicts) {
                (Some(moves), [Verdict::Apart(first), Verdict::Apart(best)]) => {
                    assert_eq!((first.steps.len() as u32, best.steps.len() as u32), (moves, moves), "{size:?} {seed}");
                    carry_out(&puzzle, &assembly, best);
                }
                (None, [Verdict::Locked { separates: Some(1) }, Verdict::Locked { separates: None }]) => {}
                _ => panic!("{size:?} {seed}: {verdicts:?}"),
            }
        }
    }
}

/// Slides can be undone, so a part that has come off can do so and then follow any way in which all come apart.
#[test]
fn no_other_order_takes_apart_what_gets_stuck() {
    let mut counts = [0; 3];
    for (size, count) in [([3, 3, 3], 3), ([4, 3, 3], 4)] {
        for seed in 1..30 {
            let pieces = random_pieces(&mut Random(seed * 0x9E37_79B9), size, count);
            let (puzzle, assembly) = assembled(&pieces, size);
            match [Method::First, Method::Thorough].map(|method| verdict(&puzzle, &assembly, method)) {
                [Verdict::Apart(_), Verdict::Apart(_)] => counts[0] += 1,
                [Verdict::Locked { separates }, Verdict::Locked { separates: None }] => {
                    counts[1 + usize::from(separates.is_some())] += 1;
                }
                other => panic!("{size:?} {seed}: {other:?}"),
            }
        }
    }
    // Those that come apart, those of which nothing comes off, and those that get stuck.
    assert_eq!(counts, [49, 0, 9]);
}

/// Three pieces, found by a search. The first separation found takes two moves and leaves two pieces that need two more;
/// another that takes two moves leaves two that part at once.
#[test]
fn another_order_takes_fewer_moves() {
    // Bottom layer first, rows back to front.
    let layers = ["A.../ACBB/AAA.", "AA.B/CCCB/B.AB", ".AA./C.AB/BBBB"];
    let cells = |piece: char| -> BTreeSet<Cell> {
        let rows = (0..).zip(layers).flat_map(|(z, rows)| (0..).zip(rows.rsplit('/')).map(move |(y, row)| (y, z, row)));
        let all = rows.flat_map(|(y, z, row)| (0..).zip(row.chars()).map(move |(x, c)| (Cell::new(x, y, z), c)));
        all.filter(|&(_, c)| c == piece).map(|(cell, _)| cell).collect()
    };
    let pieces = ['A', 'B', 'C'].map(cells);
    let (puzzle, assembly) = assembled(&pieces, [4, 3, 3]);
    let levels = [Method::First, Method::Thorough].map(|method| {
        let Verdict::Apart(way) = verdict(&puzzle, &assembly, method) else { panic!("it comes apart") };
        carry_out(&puzzle, &assembly, &way);
        (way.level.to_string(), way.steps.len())
    });
    assert_eq!(levels, [("2.2".to_owned(), 4), ("2".to_owned(), 3)]);
    assert_eq!(fewest_to_separate(&pieces.iter().collect::<Vec<_>>(), 7), Some(2));
    let start = vec![[0; 3]; 3];
    assert_eq!(fewest_in_all(&pieces, &[0, 1, 2], &start, 4, &mut BTreeMap::new()), Some(3));
}

/// The first assemblies of a built-in puzzle.
fn assemblies(name: &str, count: usize) -> (Puzzle, Vec<Assembly>) {
    let puzzle = parse(collection::find(name).expect("built in")).expect("a right file");
    let (limit, threads) = if count == 1 { (Limit::First, 1) } else { (Limit::All, 2) };
    let threads = NonZero::new(threads).expect("some threads");
    let options = Options { limit, keep: count, threads, ..Options::ALL };
    let found = solve::solve(&puzzle, &options).expect("it can be solved").found;
    (puzzle, found)
}

#[test]
fn every_way_apart_can_be_carried_out() {
    for (name, count) in [("loves-dozen", 478), ("blue-burr", 1), ("soma", 40), ("steinhaus", 2)] {
        let (puzzle, found) = assemblies(name, count);
        assert_eq!(found.len(), count, "{name}");
        for assembly in &found {
            if let Verdict::Apart(way) = verdict(&puzzle, assembly, Method::First) {
                carry_out(&puzzle, assembly, &way);
            }
        }
    }
}

#[test]
fn pieces_stay_together_where_the_file_allows_it() {
    // Two rings that hang in each other, and a cube: nothing parts the rings.
    let text = |group: &str| {
        let target = r#"layers = ["XXX.X/X.X../XXX..", ".X.../.X.../....."]"#;
        format!(
            "cubewright = 1\nname = \"Chain\"\n[target]\n{target}\n[rules]\napart = true\n{group}\n\
             [[piece]]\nname = \"ring\"\nlayers = [\"XXX/X.X/XXX\"]\n\
             [[piece]]\nname = \"cube\"\nlayers = [\"X\"]\n\
             [[piece]]\nname = \"pin\"\nlayers = [\"X/X\"]\n"
        )
    };
    let puzzle = parse(&text("")).expect("a right file");
    assert!(puzzle.rules.apart && puzzle.rules.groups.is_empty());
    let puzzle = parse(&text("[[group]]\npieces = [\"ring\", \"pin\"]")).expect("a right file");
    assert_eq!(puzzle.rules.groups, [Group { most: [(PieceId(0), 1), (PieceId(2), 1)].into() }]);
    let options = Options { keep: 9, ..Options::ALL };
    let found = solve::solve(&puzzle, &options).expect("it can be solved").found;
    let Verdict::Apart(way) = verdict(&puzzle, &found[0], Method::Thorough) else { panic!("it comes apart") };
    carry_out(&puzzle, &found[0], &way);
    assert_eq!((way.steps.len(), way.together.len()), (1, 1));
}

/// A block with a tunnel in steps, and a ball in it: so many moves until it is out, as the tunnel turns after each cell
/// and goes two cells straight on at its end.
fn ball_in_tunnel(moves: usize) -> (Vec<BTreeSet<Cell>>, [i32; 3]) {
    let ball = Cell::new(1, 1, 1);
    let (mut at, mut tunnel) = ([1, 1], BTreeSet::from([ball]));
    let end = (moves - 1) % 2;
    for axis in (0..moves).map(|turn| turn % 2) {
        at[axis] += 1;
        tunnel.insert(Cell::new(at[0], at[1], 1));
    }
    let mut size = [at[0] + 2, at[1] + 2, 3];
    size[end] = at[end] + 1;
    let all = (0..size[0] * size[1] * 3).map(|k| Cell::new(k % size[0], k / size[0] % size[1], k / size[0] / size[1]));
    (vec![all.filter(|cell| !tunnel.contains(cell)).collect(), BTreeSet::from([ball])], size)
}

#[test]
fn levels_up_to_98_are_found() {
    for moves in [1, 2, 3, 10, 53, 98] {
        let (pieces, size) = ball_in_tunnel(moves);
        let (puzzle, assembly) = assembled(&pieces, size);
        for method in [Method::First, Method::Thorough] {
            let Verdict::Apart(way) = verdict(&puzzle, &assembly, method) else { panic!("it comes apart") };
            assert_eq!((way.level.to_string(), way.steps.len()), (moves.to_string(), moves));
            carry_out(&puzzle, &assembly, &way);
        }
    }
}

/// A block with such a tunnel and a ball in it, and with eighteen bolts of which so many have one free cell. All but the
/// ball may stay together.
fn ball_and_bolts(moves: usize, free: usize) -> (Puzzle, Assembly) {
    let (mut pieces, [x, y, _]) = ball_in_tunnel(moves);
    let (x, y) = (x.max(7), y.max(7));
    let [block, ball] = &mut pieces[..] else { panic!("a block and a ball") };
    block.extend((0..7 * x * y).map(|k| Cell::new(k % x, k / x % y, 3 + k / x / y)));
    let bolts: Vec<Cell> = (0..18).map(|k| Cell::new(1 + k % 2 * 3, 1 + k / 2 % 3 * 2, 4 + k / 6 * 2)).collect();
    for (number, bolt) in bolts.iter().enumerate() {
        block.remove(bolt);
        if number < free {
            block.remove(&(*bolt + Cell::new(1, 0, 0)));
        }
    }
    assert!(ball.is_disjoint(block));
    pieces.extend(bolts.into_iter().map(|bolt| BTreeSet::from([bolt])));
    let (mut puzzle, assembly) = assembled(&pieces, [x, y, 10]);
    let most = (0..20).filter(|&piece| piece != 1).map(|piece| (PieceId(piece), 1)).collect();
    puzzle.rules.groups = vec![Group { most }];
    (puzzle, assembly)
}

/// Each place of the ball is met in 2^7 states.
#[test]
fn twenty_pieces_with_thousands_of_states_are_followed() {
    let (puzzle, assembly) = ball_and_bolts(12, 7);
    let watch = || ControlFlow::Continue(());
    let effort = Effort { method: Method::First, most_states: 1_000_000, watch: &watch };
    let mut disassembler = Disassembler::new(&puzzle);
    let Verdict::Apart(way) = disassembler.take_apart(&assembly, &effort) else { panic!("it comes apart") };
    // All places of the ball but the last, and of that the first state.
    assert_eq!((way.level.to_string(), disassembler.states()), ("12".to_owned(), 11 * 128 + 1));
    let few = Effort { most_states: 1000, ..effort };
    assert_eq!(disassembler.take_apart(&assembly, &few), Verdict::Unknown(Unknown::ManyStates));
    let stops = || ControlFlow::Break(());
    let stopped = Effort { watch: &stops, ..effort };
    assert_eq!(disassembler.take_apart(&assembly, &stopped), Verdict::Unknown(Unknown::Stopped));
}

/// The ball and fourteen bolts, or any of them together: 2^15 moves from the first state.
#[test]
fn pieces_that_move_in_thousands_of_ways_are_followed() {
    let (puzzle, assembly) = ball_and_bolts(2, 14);
    let watch = || ControlFlow::Continue(());
    let effort = Effort { method: Method::First, most_states: 100_000, watch: &watch };
    let mut disassembler = Disassembler::new(&puzzle);
    let Verdict::Apart(way) = disassembler.take_apart(&assembly, &effort) else { panic!("it comes apart") };
    // The first of these moves is that of the ball alone.
    assert_eq!((way.level.to_string(), disassembler.states()), ("2".to_owned(), 2));
    assert_eq!(disassembler.deepest().states, 1 << 15);
    let (puzzle, assembly) = ball_and_bolts(2, 18);
    let effort = Effort { most_states: 1_000_000, ..effort };
    let verdict = Disassembler::new(&puzzle).take_apart(&assembly, &effort);
    assert_eq!(verdict, Verdict::Unknown(Unknown::ManyMoves));
}
