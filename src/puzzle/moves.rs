//! How an assembly comes apart: straight moves of sets of pieces, in whole cells. No piece ever turns.

use std::fmt;

use super::grid::{Cell, Side};

/// The moves that take an assembly apart, in order.
///
/// They can be carried out one after the other as they stand: parts that have left are far enough away never to be in
/// the way of what comes after, and are taken apart where they then are. Between two steps a move goes straight, so
/// positions in between are free of collisions as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayApart {
    /// The moves.
    pub steps: Vec<Step>,
    /// How many moves each separation takes.
    pub level: Level,
    /// Parts of several pieces that stay together because the puzzle allows it: numbers of placements.
    pub together: Vec<Vec<usize>>,
}

/// One move: some pieces go together along one side, the others stay where they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The placements of the assembly that move, by number, ascending.
    pub moved: Vec<usize>,
    /// Towards which side.
    pub side: Side,
    /// How far, in cells; for pieces that leave, as far as makes room for all that follows.
    pub cells: u32,
    /// Whether these pieces part from those that they were with.
    pub leaves: bool,
}

impl Step {
    /// The step as a shift in cells.
    pub fn shift(&self) -> Cell {
        let (step, cells) = (self.side.step(), self.cells as i32);
        Cell::new(step.x * cells, step.y * cells, step.z * cells)
    }
}

impl WayApart {
    /// How far each of that many placements is from where it lay in the assembly, in cells: first before any step (all
    /// zero), then after each one.
    pub fn shifts(&self, placements: usize) -> Vec<Vec<Cell>> {
        let mut now = vec![Cell::ZERO; placements];
        let mut all = vec![now.clone()];
        for step in &self.steps {
            step.moved.iter().for_each(|&moved| now[moved] = now[moved] + step.shift());
            all.push(now.clone());
        }
        all
    }
}

/// Moves until the first pieces leave, then those of the parts: `5.3`. A part is listed only when somewhere in it a
/// separation takes more than one move; the part that stays comes before the part that left (as in BurrTools).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(pub Vec<u32>);

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&moves.join("."))
    }
}
