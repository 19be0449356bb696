//! Which assemblies are the same: the motions of the target that keep every rule.
//!
//! A motion carries cells to cells and turns every cubie alike. Rotations of the target are motions; so are, where each
//! plane shows each symbol once, exchanges of layers, since they carry planes to planes and leave each cubie upright.

use std::ops::RangeInclusive;

use super::cubies::{Cubies, Look, Pattern};
use crate::puzzle::grid::{Cell, Orientation, Side};
use crate::puzzle::rules::{Outside, Rules};

/// Permutations of layers beyond this many are not tried: there are 216 for 3x3x3 and 13,824 for 4x4x4.
const MOST_PERMUTATIONS: usize = 1000;

/// The motions that keep the target and every rule.
pub(super) struct Symmetry {
    /// All rotations, the identity first.
    pub(super) rotations: Vec<Motion>,
    /// All exchanges of opposite outer layers, together along any of the axes, the identity first.
    pub(super) exchanges: Vec<Motion>,
    /// The axes along which each of them exchanges layers.
    pub(super) exchanged: Vec<Vec<usize>>,
    /// All products of rotations and exchanges that keep the rules: the group under which assemblies are merged. In a
    /// chequered 2x2x2 there are more than products of the above, since each factor alone may break the chequer.
    pub(super) motions: Vec<Motion>,
    /// Whether the order of the cubies makes no difference either, so that patterns are in order.
    is_stack: bool,
}

/// What happens to an assembly as a whole.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Motion {
    /// How every cubie is turned.
    pub(super) orientation: Orientation,
    /// Where each cell goes, by its number.
    pub(super) to: Vec<u32>,
    /// Where each cell comes from.
    pub(super) from: Vec<u32>,
}

impl Symmetry {
    /// The symmetry of the cells under the rules.
    pub(super) fn new(cubies: &Cubies, rules: &Rules) -> Symmetry {
        let cells = &cubies.cells;
        let (least, most) = bounds(cells);
        let (sum, span) = (least + most, most - least);
        // Doubled, so that the middle of the target is a whole place to turn about.
        let turned = |by: Orientation, cell: Cell| {
            let twice = by.turn(cell + cell - sum) + sum;
            Cell::new(twice.x / 2, twice.y / 2, twice.z / 2)
        };
        let exchanged = |axes: &[usize], cell: Cell| {
            let is_outer = |axis: usize, c: i32| c == least.along(axis) || c == most.along(axis);
            let moves = |axis: usize, c: i32| axes.contains(&axis) && is_outer(axis, c);
            let along = |axis: usize, c: i32| if moves(axis, c) { sum.along(axis) - c } else { c };
            Cell::new(along(0, cell.x), along(1, cell.y), along(2, cell.z))
        };
        let mut symmetry =
            Symmetry { rotations: vec![], exchanges: vec![], exchanged: vec![], motions: vec![], is_stack: false };
        symmetry.is_stack = cubies.views.is_stack;
        for by in Orientation::all() {
            let turned_span = by.turn(span);
            if (0..3).any(|axis| turned_span.along(axis).abs() != span.along(axis)) {
                continue;
            }
            let first = symmetry.motions.len();
            if !keeps_outside(rules, by) {
                continue;
            }
            for set in 0..if may_exchange(rules) { 8 } else { 1 } {
                let axes: Vec<usize> = (0..3).filter(|axis| set >> axis & 1 == 1).collect();
                let Some(mut motion) = Motion::new(cells, rules, by, |cell| turned(by, exchanged(&axes, cell))) else {
                    continue;
                };
                if cubies.views.is_stack {
                    // Its cubies stay where they are: the order that a turn brings them to makes no difference.
                    motion.to = (0..cells.len() as u32).collect();
                    motion.from.clone_from(&motion.to);
                }
                if symmetry.motions[first..].contains(&motion) {
                    continue;
                }
                if axes.is_empty() {
                    symmetry.rotations.push(motion.clone());
                }
                if by == Orientation::IDENTITY {
                    symmetry.exchanges.push(motion.clone());
                    symmetry.exchanged.push(axes);
                }
                symmetry.motions.push(motion);
            }
        }
        symmetry
    }

    /// Permutations of whole layers that keep the rules, one of each set that differs by exchanges of opposite outer layers
    /// only; `None` when the rules do not allow any, or they are too many to be tried on every assembly.
    pub(super) fn layer_permutations(&self, cubies: &Cubies, rules: &Rules) -> Option<Vec<Motion>> {
        if !may_exchange(rules) {
            return None;
        }
        let (least, most) = bounds(&cubies.cells);
        let along = |axis: usize| permutations(least.along(axis)..=most.along(axis));
        let (xs, ys, zs) = (along(0)?, along(1)?, along(2)?);
        if xs.len() * ys.len() * zs.len() > MOST_PERMUTATIONS {
            return None;
        }
        let (ys, zs) = (&ys, &zs);
        let triples = xs.iter().flat_map(|x| ys.iter().flat_map(move |y| zs.iter().map(move |z| (x, y, z))));
        let permuted = |(x, y, z): (&Vec<i32>, &Vec<i32>, &Vec<i32>)| {
            let place = |line: &[i32], offset: i32| line[offset as usize];
            let there = |cell: Cell| {
                let Cell { x: i, y: j, z: k } = cell - least;
                Cell::new(place(x, i), place(y, j), place(z, k))
            };
            Motion::new(&cubies.cells, rules, Orientation::IDENTITY, there)
        };
        let is_least = |motion: &Motion| self.exchanges.iter().all(|exchange| exchange.after(motion).to >= motion.to);
        Some(triples.filter_map(permuted).filter(is_least).collect())
    }

    /// The least of the images of a pattern under all motions.
    pub(super) fn least(&self, cubies: &Cubies, pattern: &[Look]) -> Pattern {
        let images = self.motions.iter().map(|motion| motion.image(cubies, pattern));
        images.min().expect("the identity is a motion")
    }

    /// What is merged, in words.
    pub(super) fn words(&self) -> String {
        let (rotations, exchanges) = (self.rotations.len(), self.exchanges.len());
        // A rotation and an exchange that each break the chequer may keep it together.
        let others = self.motions.len() - rotations * exchanges;
        let parts = [
            (rotations > 1).then(|| format!("{rotations} rotations")),
            (exchanges > 1).then(|| format!("{exchanges} exchanges of opposite outer layers")),
            (others > 0).then(|| format!("{others} rotations with such an exchange")),
            self.is_stack.then(|| "the order in the stack".to_owned()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { "nothing".to_string() } else { parts.join(", ") }
    }
}

impl Motion {
    /// The motion that carries each cell there; `None` when it leaves the target or breaks the chequer.
    fn new(cells: &[Cell], rules: &Rules, orientation: Orientation, there: impl Fn(Cell) -> Cell) -> Option<Motion> {
        let mut motion = Motion { orientation, to: Vec::with_capacity(cells.len()), from: vec![0; cells.len()] };
        for (number, &cell) in (0..).zip(cells) {
            let to = there(cell);
            if rules.chequered.is_some() && is_even(to) != is_even(cell) {
                return None;
            }
            let to = cells.binary_search(&to).ok()?;
            motion.to.push(to as u32);
            motion.from[to] = number;
        }
        Some(motion)
    }

    /// First `first`, then this.
    fn after(&self, first: &Motion) -> Motion {
        Motion {
            orientation: first.orientation.then(self.orientation),
            to: first.to.iter().map(|&cell| self.to[cell as usize]).collect(),
            from: self.from.iter().map(|&cell| first.from[cell as usize]).collect(),
        }
    }

    /// The pattern after the motion.
    pub(super) fn image(&self, cubies: &Cubies, pattern: &[Look]) -> Pattern {
        let moved = |(cell, &from): (usize, &u32)| {
            cubies.views.seen(cubies.turned(pattern[from as usize], self.orientation), cell)
        };
        cubies.views.in_order(self.from.iter().enumerate().map(moved).collect())
    }

    /// Where the motion takes a look in a cell, and what it is then.
    pub(super) fn moved(&self, cubies: &Cubies, look: Look, cell: u32) -> (Look, u32) {
        let to = self.to[cell as usize];
        (cubies.views.seen(cubies.turned(look, self.orientation), to as usize), to)
    }
}

/// Whether layers may be exchanged: each plane shows each symbol once wherever it is, and no rule speaks of places.
fn may_exchange(rules: &Rules) -> bool {
    rules.latin_planes && !rules.speak_of_squares()
}

/// Whether a turn of the whole takes each side to one that is to show the same.
fn keeps_outside(rules: &Rules, by: Orientation) -> bool {
    let Some(Outside::Given(given)) = &rules.outside else { return true };
    let wanted = |side: Side| given.iter().find(|(of, _)| *of == side).map(|(_, symbol)| symbol);
    Side::ALL.into_iter().all(|side| wanted(side) == wanted(by.side(side)))
}

/// The least and greatest coordinates along each axis.
fn bounds(cells: &[Cell]) -> (Cell, Cell) {
    let first = cells.first().copied().unwrap_or_default();
    let fold = |choose: fn(Cell, Cell) -> Cell| cells.iter().copied().fold(first, choose);
    (fold(Cell::least), fold(Cell::most))
}

/// All orders of these coordinates; `None` when there are more than [`MOST_PERMUTATIONS`].
fn permutations(line: RangeInclusive<i32>) -> Option<Vec<Vec<i32>>> {
    let mut all = vec![Vec::new()];
    for next in line {
        if all.len() * (all[0].len() + 1) > MOST_PERMUTATIONS {
            return None;
        }
        let longer = |shorter: &Vec<i32>| {
            let inserted = |at: usize| [&shorter[..at], &[next], &shorter[at..]].concat();
            (0..=shorter.len()).map(inserted).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    Some(all)
}

/// Whether the place takes the first of two chequered colours.
pub(super) fn is_even(cell: Cell) -> bool {
    (cell.x + cell.y + cell.z) % 2 == 0
}
