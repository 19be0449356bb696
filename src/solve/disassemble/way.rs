//! Lays a tree of separations out as moves one after the other, each part where it does not hinder the others.

use super::blocking::Shifts;
use super::tree::{Branch, Separation};
use crate::puzzle::grid::{Cell, Side};
use crate::puzzle::moves::{Level, Step, WayApart};

/// Between two parts that have parted, in cells.
const GAP: i32 = 1;

/// The moves of a tree. `corners` and `sizes` are those of the boxes of the placements.
pub(super) fn lay_out(tree: &Branch, corners: &[Cell], sizes: &[Cell]) -> WayApart {
    let mut layout = Layout { corners, sizes, together: Vec::new() };
    let all: Vec<usize> = (0..corners.len()).collect();
    let (steps, _) = layout.branch(tree, &all, &mut vec![Cell::ZERO; corners.len()]);
    WayApart { steps, level: Level(level(tree)), together: layout.together }
}

/// Moves of the separation, then those of the parts where they are worth mentioning.
fn level(branch: &Branch) -> Vec<u32> {
    let Branch::Separation(separation) = branch else { return vec![0] };
    let mut moves = vec![separation.states.len() as u32];
    for part in [&separation.staying, &separation.left] {
        if has_more_than_one(part) {
            moves.extend(level(part));
        }
    }
    moves
}

fn has_more_than_one(branch: &Branch) -> bool {
    let Branch::Separation(separation) = branch else { return false };
    separation.states.len() > 1 || has_more_than_one(&separation.staying) || has_more_than_one(&separation.left)
}

struct Layout<'a> {
    corners: &'a [Cell],
    sizes: &'a [Cell],
    together: Vec<Vec<usize>>,
}

/// The box that some pieces need while they are taken apart: its least cell and the cell beyond its greatest.
#[derive(Clone, Copy)]
struct Room {
    least: Cell,
    beyond: Cell,
}

impl Room {
    fn with(self, other: Room) -> Room {
        let pick = |f: fn(i32, i32) -> i32, a: Cell, b: Cell| Cell::new(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z));
        Room { least: pick(i32::min, self.least, other.least), beyond: pick(i32::max, self.beyond, other.beyond) }
    }

    fn moved(self, by: Cell) -> Room {
        Room { least: self.least + by, beyond: self.beyond + by }
    }
}

impl Layout<'_> {
    /// The moves of a part whose pieces have moved so far, and the room that they need. Afterwards `shifts` says where
    /// its pieces are.
    fn branch(&mut self, branch: &Branch, pieces: &[usize], shifts: &mut Vec<Cell>) -> (Vec<Step>, Room) {
        let room = self.room(pieces, shifts);
        match branch {
            Branch::Piece => (Vec::new(), room),
            Branch::Together(pieces) => {
                self.together.push(pieces.clone());
                (Vec::new(), room)
            }
            Branch::Separation(separation) => self.separation(separation, shifts),
        }
    }

    fn separation(&mut self, separation: &Separation, shifts: &mut Vec<Cell>) -> (Vec<Step>, Room) {
        let pieces = &separation.pieces;
        let mut room = self.room(pieces, shifts);
        let mut steps = Vec::new();
        for pair in separation.states.windows(2) {
            let step = slide(pieces, &pair[0], &pair[1]);
            step.moved.iter().for_each(|&moved| shifts[moved] = shifts[moved] + step.shift());
            room = room.with(self.room(pieces, shifts));
            steps.push(step);
        }
        let side = separation.side;
        let leaving = &separation.leaving;
        let others: Vec<usize> = pieces.iter().copied().filter(|piece| !leaving.contains(piece)).collect();
        let (after, room_of_others) = self.branch(&separation.staying, &others, shifts);
        let (then, room_of_leaving) = self.branch(&separation.left, leaving, shifts);
        let axis = side.axis();
        let short = match side.is_positive() {
            true => room_of_others.beyond.along(axis) - room_of_leaving.least.along(axis),
            false => room_of_leaving.beyond.along(axis) - room_of_others.least.along(axis),
        };
        let parting = Step { moved: leaving.clone(), side, cells: (short + GAP).max(1) as u32, leaves: true };
        let by = parting.shift();
        leaving.iter().for_each(|&piece| shifts[piece] = shifts[piece] + by);
        // What leaves passes through all that lies between.
        room = room.with(room_of_others).with(room_of_leaving).with(room_of_leaving.moved(by));
        steps.push(parting);
        steps.extend(after);
        steps.extend(then);
        (steps, room)
    }

    /// The box around some pieces as they lie.
    fn room(&self, pieces: &[usize], shifts: &[Cell]) -> Room {
        let of = |&piece: &usize| {
            let least = self.corners[piece] + shifts[piece];
            Room { least, beyond: least + self.sizes[piece] }
        };
        pieces.iter().map(of).reduce(Room::with).expect("a part has a piece")
    }
}

/// The slide from one state to the next: the smaller of the two sets that may be said to have moved, and of equally large
/// ones the one without the first piece.
fn slide(pieces: &[usize], from: &Shifts, to: &Shifts) -> Step {
    let by: Vec<Cell> = from.iter().zip(to).map(|(a, b)| difference(*a, *b)).collect();
    let moved: Vec<usize> = (0..pieces.len()).filter(|&piece| by[piece] != Cell::ZERO).collect();
    let by = by[moved[0]];
    let (chosen, by) = match moved.len() * 2 <= pieces.len() {
        true => (moved, by),
        false => ((0..pieces.len()).filter(|piece| !moved.contains(piece)).collect(), -by),
    };
    let side = Side::ALL.into_iter().find(|side| by.along(side.axis()) * side.step().along(side.axis()) > 0);
    let side = side.expect("two states of a path differ");
    Step {
        moved: chosen.into_iter().map(|piece| pieces[piece]).collect(),
        side,
        cells: by.along(side.axis()).unsigned_abs(),
        leaves: false,
    }
}

fn difference(from: [i8; 3], to: [i8; 3]) -> Cell {
    let along = |axis: usize| i32::from(to[axis]) - i32::from(from[axis]);
    Cell::new(along(0), along(1), along(2))
}
