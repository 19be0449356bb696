//! Taking apart by trying everything: every set of pieces, every way, as far as it goes, in every order. Shares nothing with
//! the search for moves but what a puzzle is.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use cubewright::puzzle::Puzzle;
use cubewright::puzzle::assembly::{Assembly, Placement};
use cubewright::puzzle::grid::{Cell, Orientation, Shape};
use cubewright::puzzle::moves::WayApart;
use cubewright::puzzle::parse::parse;
use cubewright::puzzle::piece::PieceId;

/// Random numbers that are the same every time (Marsaglia's xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }
}

/// A box cut at random into so many pieces that each hang together, with some cells left out.
pub(crate) fn random_pieces(random: &mut Random, size: [i32; 3], count: usize) -> Vec<BTreeSet<Cell>> {
    loop {
        // Pieces that were walled in before they had two cells never hang together.
        if let Some(pieces) = grown_pieces(random, size, count) {
            return pieces;
        }
    }
}

/// The pieces are grown, then many cells change hands one at a time, so that the pieces wind around each other.
fn grown_pieces(random: &mut Random, size: [i32; 3], count: usize) -> Option<Vec<BTreeSet<Cell>>> {
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
    for round in 0..5000 {
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
            return Some(pieces(&of));
        }
    }
    None
}

/// The puzzle and the assembly of pieces as they lie.
pub(crate) fn assembled(pieces: &[BTreeSet<Cell>], size: [i32; 3]) -> (Puzzle, Assembly) {
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

pub(crate) type Shifts = Vec<[i32; 3]>;

/// Whether pieces so shifted share no cell.
pub(crate) fn is_free(pieces: &[&BTreeSet<Cell>], shifts: &Shifts) -> bool {
    let moved = pieces.iter().zip(shifts).flat_map(|(piece, s)| piece.iter().map(|&c| c + Cell::new(s[0], s[1], s[2])));
    let mut all: Vec<Cell> = moved.collect();
    all.sort_unstable();
    all.windows(2).all(|pair| pair[0] != pair[1])
}

/// Relative to the first piece.
pub(crate) fn relative(shifts: &Shifts) -> Shifts {
    shifts.iter().map(|s| [s[0] - shifts[0][0], s[1] - shifts[0][1], s[2] - shifts[0][2]]).collect()
}

/// All moves of any set of pieces any way: the new states, and the sets that can leave.
pub(crate) fn moves(pieces: &[&BTreeSet<Cell>], shifts: &Shifts, far: i32) -> (Vec<Shifts>, Vec<u32>) {
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
pub(crate) fn fewest_to_separate(pieces: &[&BTreeSet<Cell>], far: i32) -> Option<u32> {
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
pub(crate) fn fewest_in_all(
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

/// Carries a way out cell by cell: nothing ever collides, and at its end all parts are apart.
pub(crate) fn carry_out(puzzle: &Puzzle, assembly: &Assembly, way: &WayApart) {
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
