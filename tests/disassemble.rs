//! Taking apart against brute force, which shares nothing with it but the puzzle, and ways apart carried out cell by cell.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::num::NonZero;
use std::ops::ControlFlow;

use cubewright::collection;
use cubewright::puzzle::Puzzle;
use cubewright::puzzle::assembly::{Assembly, Placement};
use cubewright::puzzle::grid::{Cell, Orientation, Shape};
use cubewright::puzzle::groups::Group;
use cubewright::puzzle::moves::WayApart;
use cubewright::puzzle::parse::parse;
use cubewright::puzzle::piece::PieceId;
use cubewright::solve::disassemble::{Disassembler, Effort, Method, Unknown, Verdict, disassemble};
use cubewright::solve::{self, Limit, Options};

/// Random numbers that are the same every time (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }
}

/// A box cut at random into so many pieces that each hang together, with some cells left out. The pieces are grown, then
/// many cells change hands one at a time, so that the pieces wind around each other.
fn random_pieces(random: &mut Random, size: [i32; 3], count: usize) -> Vec<BTreeSet<Cell>> {
    let cells: Vec<Cell> = (0..size[0] * size[1] * size[2])
        .map(|k| Cell::new(k % size[0], k / size[0] % size[1], k / size[0] / size[1]))
        .collect();
    let mut of: BTreeMap<Cell, usize> = BTreeMap::new();
    while of.len() < count {
        let piece = of.len();
        of.entry(cells[random.below(cells.len())]).or_insert(piece);
    }
    let pieces = |of: &BTreeMap<Cell, usize>| -> Vec<BTreeSet<Cell>> {
        let cells = |piece: usize| of.iter().filter(move |(_, of)| **of == piece).map(|(&cell, _)| cell).collect();
        (0..count).map(cells).collect()
    };
    let hangs_together = |cells: &BTreeSet<Cell>| {
        cells.len() > 1 && Shape::new(cells.iter().copied()).is_ok_and(|shape| shape.components().len() == 1)
    };
    for round in 0.. {
        let cell = cells[random.below(cells.len())];
        let around: Vec<usize> = cell.neighbours().filter_map(|(_, other)| of.get(&other).copied()).collect();
        let mut changed = of.clone();
        match random.below(8) {
            0 => changed.remove(&cell),
            _ if around.is_empty() => continue,
            _ => changed.insert(cell, around[random.below(around.len())]),
        };
        let now = pieces(&changed);
        if now.iter().all(hangs_together) || round < 200 && changed.len() > of.len() {
            of = changed;
        }
        if round > 600 && pieces(&of).iter().all(hangs_together) {
            break;
        }
    }
    pieces(&of)
}

/// The puzzle and the assembly of pieces as they lie.
fn assembled(pieces: &[BTreeSet<Cell>], size: [i32; 3]) -> (Puzzle, Assembly) {
    let cells: BTreeSet<Cell> = pieces.iter().flatten().copied().collect();
    let row = |y: i32, z: i32| -> String {
        (0..size[0]).map(|x| if cells.contains(&Cell::new(x, y, z)) { 'X' } else { '.' }).collect()
    };
    let layer = |z: i32| (0..size[1]).rev().map(|y| row(y, z)).collect::<Vec<_>>().join("/");
    let layers: Vec<String> = (0..size[2]).map(layer).collect();
    let mut text = format!("cubewright = 1\nname = \"Random\"\n[target]\nlayers = {layers:?}\n");
    let mut placements = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        let list: Vec<[i32; 3]> = piece.iter().map(|cell| [cell.x, cell.y, cell.z]).collect();
        text += &format!("[[piece]]\nname = \"{number}\"\ncells = {list:?}\n");
        let least = |k: usize| list.iter().map(|cell| cell[k]).min().expect("a piece has cells");
        let offset = Cell::new(least(0), least(1), least(2));
        placements.push(Placement { piece: PieceId(number), orientation: Orientation::IDENTITY, offset });
    }
    (parse(&text).expect("a right file"), Assembly { placements })
}

type Shifts = Vec<[i32; 3]>;

/// Whether pieces so shifted share no cell.
fn is_free(pieces: &[&BTreeSet<Cell>], shifts: &Shifts) -> bool {
    let moved = pieces.iter().zip(shifts).flat_map(|(piece, s)| piece.iter().map(|&c| c + Cell::new(s[0], s[1], s[2])));
    let mut all: Vec<Cell> = moved.collect();
    all.sort_unstable();
    all.windows(2).all(|pair| pair[0] != pair[1])
}

/// Relative to the first piece.
fn relative(shifts: &Shifts) -> Shifts {
    shifts.iter().map(|s| [s[0] - shifts[0][0], s[1] - shifts[0][1], s[2] - shifts[0][2]]).collect()
}

/// All moves of any set of pieces any way: the new states, and the sets that can leave.
fn moves(pieces: &[&BTreeSet<Cell>], shifts: &Shifts, far: i32) -> (Vec<Shifts>, Vec<u32>) {
    let (mut slides, mut leaving) = (Vec::new(), Vec::new());
    for set in 1u32..(1 << pieces.len()) - 1 {
        for (axis, by) in (0..3).flat_map(|axis| [(axis, 1), (axis, -1)]) {
            let mut now = shifts.clone();
            for step in 1.. {
                (0..pieces.len()).filter(|piece| set >> piece & 1 == 1).for_each(|piece| now[piece][axis] += by);
                if !is_free(pieces, &now) {
                    break;
                }
                if step == far {
                    leaving.push(set);
                    break;
                }
                slides.push(relative(&now));
            }
        }
    }
    (slides, leaving)
}

/// The fewest moves until something has left; `None` when nothing ever does.
fn fewest_to_separate(pieces: &[&BTreeSet<Cell>], far: i32) -> Option<u32> {
    let start = vec![[0; 3]; pieces.len()];
    let mut queue = VecDeque::from([(start.clone(), 0)]);
    let mut known = BTreeSet::from([start]);
    while let Some((state, depth)) = queue.pop_front() {
        let (slides, leaving) = moves(pieces, &state, far);
        if !leaving.is_empty() {
            return Some(depth + 1);
        }
        queue.extend(slides.into_iter().filter(|state| known.insert(state.clone())).map(|state| (state, depth + 1)));
    }
    None
}

/// The fewest moves that take all apart, by trying everything; slides that spread the pieces beyond `far` are left out.
fn fewest_in_all(
    all: &[BTreeSet<Cell>],
    which: &[usize],
    shifts: &Shifts,
    far: i32,
    known: &mut BTreeMap<(Vec<usize>, Shifts), Option<u32>>,
) -> Option<u32> {
    if which.len() == 1 {
        return Some(0);
    }
    let start = relative(shifts);
    if let Some(&found) = known.get(&(which.to_vec(), start.clone())) {
        return found;
    }
    let pieces: Vec<&BTreeSet<Cell>> = which.iter().map(|&piece| &all[piece]).collect();
    let mut best: Option<u32> = None;
    let mut queue = VecDeque::from([(start.clone(), 0)]);
    let mut seen = BTreeSet::from([start.clone()]);
    while let Some((state, depth)) = queue.pop_front() {
        // Every piece but one has to leave.
        if best.is_some_and(|best| depth + which.len() as u32 > best) {
            break;
        }
        let (slides, leaving) = moves(&pieces, &state, 3 * far);
        for set in leaving.into_iter().collect::<BTreeSet<_>>() {
            let half = |is_in: bool| -> (Vec<usize>, Shifts) {
                let chosen = (0..which.len()).filter(|piece| (set >> piece & 1 == 1) == is_in);
                chosen.map(|piece| (which[piece], state[piece])).unzip()
            };
            let ((a, at_a), (b, at_b)) = (half(true), half(false));
            let both = fewest_in_all(all, &a, &at_a, far, known).zip(fewest_in_all(all, &b, &at_b, far, known));
            if let Some((a, b)) = both {
                best = Some(best.unwrap_or(u32::MAX).min(depth + 1 + a + b));
            }
        }
        let near = |state: &Shifts| state.iter().flatten().all(|shift| shift.abs() <= far);
        let new = slides.into_iter().filter(near).filter(|state| seen.insert(state.clone()));
        queue.extend(new.map(|state| (state, depth + 1)));
    }
    known.insert((which.to_vec(), start), best);
    best
}

fn verdict(puzzle: &Puzzle, assembly: &Assembly, method: Method) -> Verdict {
    let watch = || ControlFlow::Continue(());
    disassemble(puzzle, assembly, &Effort { method, most_states: 1_000_000, watch: &watch })
}

/// Carries a way out cell by cell: nothing ever collides, and at its end all parts are apart.
fn carry_out(puzzle: &Puzzle, assembly: &Assembly, way: &WayApart) {
    let pieces: Vec<BTreeSet<Cell>> = assembly
        .placements
        .iter()
        .map(|placement| placement.cells(&puzzle.piece(placement.piece).shape).collect())
        .collect();
    let references: Vec<&BTreeSet<Cell>> = pieces.iter().collect();
    let mut now: Shifts = vec![[0; 3]; pieces.len()];
    for step in &way.steps {
        for _ in 0..step.cells {
            let by = step.side.step();
            for &piece in &step.moved {
                now[piece] = [now[piece][0] + by.x, now[piece][1] + by.y, now[piece][2] + by.z];
            }
            assert!(is_free(&references, &now), "{step:?}");
        }
    }
    let last: Shifts =
        way.shifts(pieces.len()).pop().expect("a way has a start").iter().map(|c| [c.x, c.y, c.z]).collect();
    assert_eq!(now, last);
    let span = |piece: usize, axis: usize| {
        let along = pieces[piece].iter().map(|cell| cell.along(axis) + now[piece][axis]);
        (along.clone().min().expect("a piece has cells"), along.max().expect("a piece has cells"))
    };
    let together = |a: usize, b: usize| way.together.iter().any(|part| part.contains(&a) && part.contains(&b));
    for (a, b) in (0..pieces.len()).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|&(a, b)| !together(a, b)) {
        let is_apart = |axis: usize| span(a, axis).1 < span(b, axis).0 || span(b, axis).1 < span(a, axis).0;
        assert!((0..3).any(is_apart), "{a} and {b} are not apart");
    }
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

/// Of twenty pieces seven are bolts with one free cell, so each place of the ball is met in 2^7 states.
#[test]
fn twenty_pieces_with_thousands_of_states_are_followed() {
    let (mut pieces, [x, y, _]) = ball_in_tunnel(12);
    let [block, _] = &mut pieces[..] else { panic!("a block and a ball") };
    block.extend((0..7 * x * y).map(|k| Cell::new(k % x, k / x % y, 3 + k / x / y)));
    let bolts: Vec<Cell> = (0..18).map(|k| Cell::new(1 + k % 2 * 3, 1 + k / 2 % 3 * 2, 4 + k / 6 * 2)).collect();
    for (number, bolt) in bolts.iter().enumerate() {
        block.remove(bolt);
        if number < 7 {
            block.remove(&(*bolt + Cell::new(1, 0, 0)));
        }
    }
    pieces.extend(bolts.into_iter().map(|bolt| BTreeSet::from([bolt])));
    let (mut puzzle, assembly) = assembled(&pieces, [x, y, 10]);
    let most = (0..20).filter(|&piece| piece != 1).map(|piece| (PieceId(piece), 1)).collect();
    puzzle.rules.groups = vec![Group { most }];
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
