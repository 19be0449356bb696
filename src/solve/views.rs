//! Which faces make a difference: those that can be seen and those that a rule speaks of. Arrangements that differ in
//! others alone are one.
//!
//! A stack is a line of cubies under rules that speak of its long sides alone. There the order of the cubies makes no
//! difference, and so neither do the faces along the line: each of them may come to the end.

use std::collections::BTreeMap;

use super::cubies::{Faces, Kind, Look, Pattern};
use crate::puzzle::Puzzle;
use crate::puzzle::grid::{Orientation, Side};
use crate::puzzle::rules::{Outside, Rules};

/// Which faces make a difference, and where cubies may be exchanged.
pub(super) struct Views {
    /// The number of the view at each cell.
    of_cell: Vec<usize>,
    /// For each view and kind the least look that cannot be told from a look.
    least: Vec<Vec<[u8; Orientation::COUNT]>>,
    /// Whether the order of the cubies makes no difference.
    pub(super) is_stack: bool,
}

impl Views {
    pub(super) fn new(puzzle: &Puzzle, kinds: &[Kind]) -> Views {
        let (rules, target) = (&puzzle.rules, &puzzle.target);
        let along = stack_axis(puzzle);
        let counts = |cell, side: Side| {
            let is_inside = target.filled.contains(&(cell + side.step()));
            along != Some(side.axis()) && !(is_inside && rules.ignore_inside())
        };
        let mut numbers: BTreeMap<[bool; 6], usize> = BTreeMap::new();
        let mut views = Views { of_cell: Vec::new(), least: Vec::new(), is_stack: along.is_some() };
        for &cell in &target.filled {
            let sides = Side::ALL.map(|side| counts(cell, side));
            let number = *numbers.entry(sides).or_insert(views.least.len());
            if number == views.least.len() {
                views.least.push(kinds.iter().map(|kind| least_looks(kind, sides)).collect());
            }
            views.of_cell.push(number);
        }
        views
    }

    /// The look that stands for all that cannot be told from this one in that cell.
    pub(super) fn seen(&self, Look { kind, look }: Look, cell: usize) -> Look {
        Look { kind, look: self.least[self.of_cell[cell]][usize::from(kind)][usize::from(look)] }
    }

    /// The pattern with its cubies in the order that stands for all orders that make no difference.
    pub(super) fn in_order(&self, mut pattern: Pattern) -> Pattern {
        if self.is_stack {
            pattern.sort_unstable();
        }
        pattern
    }
}

fn least_looks(kind: &Kind, sides: [bool; 6]) -> [u8; Orientation::COUNT] {
    let seen = |faces: &Faces| {
        let mut seen = *faces;
        seen.iter_mut().zip(sides).filter(|(_, counts)| !counts).for_each(|(face, _)| *face = None);
        seen
    };
    let mut least = [0; Orientation::COUNT];
    for (look, faces) in kind.looks.iter().enumerate() {
        let first = kind.looks.iter().position(|other| seen(other) == seen(faces));
        least[look] = first.unwrap_or(look) as u8;
    }
    least
}

/// The axis along which the target is a stack.
pub(super) fn stack_axis(puzzle: &Puzzle) -> Option<usize> {
    let (rules, size) = (&puzzle.rules, puzzle.target.size);
    let axis = (0..3).max_by_key(|&axis| size.along(axis))?;
    let is_line = size.along(axis) > 1 && (0..3).all(|other| other == axis || size.along(other) == 1);
    let is_full = puzzle.target.filled.len() == size.along(axis) as usize;
    (is_line && is_full && speak_of_long_sides_alone(rules, axis)).then_some(axis)
}

fn speak_of_long_sides_alone(rules: &Rules, along: usize) -> bool {
    let names_an_end = match &rules.outside {
        Some(Outside::Given(given)) => given.iter().any(|(side, _)| side.axis() == along),
        Some(Outside::OneColourASide) => true,
        None => false,
    };
    rules.ignore_inside() && rules.chequered.is_none() && !names_an_end
}
