//! Lays a tree of separations out as moves one after the other, each part where it does not hinder the others.

use super::tree::{Branch, Separation};
use crate::puzzle::grid::{Cell, Side};
use crate::puzzle::moves::{Level, Step, WayApart};

/// Between two parts that have parted, in cells.
const GAP: i32 = 1;

/// The moves of a tree; for each placement the corner of its box and the size of that.
pub(super) fn lay_out(tree: &Branch, boxes: Vec<(Cell, Cell)>) -> WayApart {
    let shifts = vec![Cell::ZERO; boxes.len()];
    let mut layout = Layout { boxes, shifts, steps: Vec::new(), together: Vec::new() };
    layout.branch(tree);
    let mut level = Vec::new();
    add_level(tree, &mut level);
    WayApart { steps: layout.steps, level: Level(level), together: layout.together }
}

/// Moves of the separation, then those of the parts where they are worth mentioning.
fn add_level(branch: &Branch, level: &mut Vec<u32>) {
    let Branch::Separation(separation) = branch else { return level.push(0) };
    level.push(separation.path.states().len() as u32);
    for part in [&separation.staying, &separation.left] {
        if has_more_than_one(part) {
            add_level(part, level);
        }
    }
}

fn has_more_than_one(branch: &Branch) -> bool {
    let Branch::Separation(separation) = branch else { return false };
    separation.path.states().len() > 1 || has_more_than_one(&separation.staying) || has_more_than_one(&separation.left)
}

struct Layout {
    /// Of each placement the corner of its box as it lies in the assembly, and the size of that,
    boxes: Vec<(Cell, Cell)>,
    /// and how far it has moved.
    shifts: Vec<Cell>,
    steps: Vec<Step>,
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

impl Layout {
    /// Adds the moves of a part; the room that they need.
    fn branch(&mut self, branch: &Branch) -> Room {
        if let Branch::Separation(separation) = branch {
            return self.separation(separation);
        }
        if let Branch::Together(pieces) = branch {
            self.together.push(pieces.clone());
        }
        self.room(branch.pieces())
    }

    fn separation(&mut self, separation: &Separation) -> Room {
        let Separation { pieces, path, side, staying, left } = separation;
        let mut room = self.room(pieces);
        for (from, to) in path.states().zip(path.states().skip(1)) {
            let step = slide(pieces, from, to);
            step.moved.iter().for_each(|&moved| self.shifts[moved] = self.shifts[moved] + step.shift());
            room = room.with(self.room(pieces));
            self.steps.push(step);
        }
        let parting = self.steps.len();
        let leaving = left.pieces();
        self.steps.push(Step { moved: leaving.to_vec(), side: *side, cells: 0, leaves: true });
        let (room_of_others, room_of_leaving) = (self.branch(staying), self.branch(left));
        let axis = side.axis();
        let short = match side.is_positive() {
            true => room_of_others.beyond.along(axis) - room_of_leaving.least.along(axis),
            false => room_of_leaving.beyond.along(axis) - room_of_others.least.along(axis),
        };
        self.steps[parting].cells = (short + GAP).max(1) as u32;
        let by = self.steps[parting].shift();
        leaving.iter().for_each(|&piece| self.shifts[piece] = self.shifts[piece] + by);
        // What leaves passes through all that lies between.
        room.with(room_of_others).with(room_of_leaving).with(room_of_leaving.moved(by))
    }

    /// The box around some pieces as they lie.
    fn room(&self, pieces: &[usize]) -> Room {
        let of = |&piece: &usize| {
            let (corner, size) = self.boxes[piece];
            let least = corner + self.shifts[piece];
            Room { least, beyond: least + size }
        };
        pieces.iter().map(of).reduce(Room::with).expect("a part has a piece")
    }
}

/// The slide from one state to the next: the smaller of the two sets that may be said to have moved, and of equally large
/// ones the one without the first piece.
fn slide(pieces: &[usize], from: &[[i8; 3]], to: &[[i8; 3]]) -> Step {
    let has_moved = |piece: usize| from[piece] != to[piece];
    let count = (0..pieces.len()).filter(|&piece| has_moved(piece)).count();
    let first = (0..pieces.len()).find(|&piece| has_moved(piece)).expect("two states of a path differ");
    let axis = (0..3).find(|&axis| from[first][axis] != to[first][axis]).expect("it has moved");
    let by = i32::from(to[first][axis]) - i32::from(from[first][axis]);
    let (moved, by) = if count * 2 <= pieces.len() { (true, by) } else { (false, -by) };
    let side = Side::ALL.into_iter().find(|side| side.axis() == axis && side.is_positive() == (by > 0));
    let mut step = Step {
        moved: Vec::with_capacity(pieces.len() / 2),
        side: side.expect("there are two sides along an axis"),
        cells: by.unsigned_abs(),
        leaves: false,
    };
    step.moved.extend((0..pieces.len()).filter(|&piece| has_moved(piece) == moved).map(|piece| pieces[piece]));
    step
}
