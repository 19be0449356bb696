//! How far one turned piece can go until it meets another, for every position of the two: one table a pair of turned
//! pieces, made when first asked for and shared by all assemblies.

use std::collections::HashMap;

use crate::puzzle::Puzzle;
use crate::puzzle::assembly::Placement;
use crate::puzzle::grid::{Cell, Orientation, Shape};
use crate::puzzle::piece::PieceId;

/// It never meets the other.
pub(super) const FREE: u16 = u16::MAX;

/// No table yet.
const UNKNOWN: u32 = u32::MAX;

/// The turned pieces met so far, and the tables of their pairs.
#[derive(Default)]
pub(super) struct Pairs {
    turned: HashMap<(PieceId, Orientation), usize>,
    /// The turned shape, and the corner of its box as the turning leaves it.
    shapes: Vec<(Shape, Cell)>,
    /// The number of the table of each pair, by mover and other; [`UNKNOWN`] where none was asked for yet.
    numbers: Vec<Vec<u32>>,
    tables: Vec<Table>,
}

impl Pairs {
    /// The number of a turned piece, and the corner of the box of a placement of it.
    pub(super) fn turned(&mut self, puzzle: &Puzzle, placement: &Placement) -> (usize, Cell) {
        let key = (placement.piece, placement.orientation);
        let number = *self.turned.entry(key).or_insert_with(|| {
            let cells =
                puzzle.piece(placement.piece).shape.cells().iter().map(|&cell| placement.orientation.turn(cell));
            let corner = cells.clone().reduce(Cell::least);
            let shape = Shape::new(cells).expect("turning keeps cells apart");
            self.shapes.push((shape, corner.expect("a shape has at least one cell")));
            self.shapes.len() - 1
        });
        (number, self.shapes[number].1 + placement.offset)
    }

    /// Makes the tables of all pairs of those turned pieces.
    pub(super) fn prepare(&mut self, turned: &[(usize, Cell)]) {
        self.numbers.resize_with(self.shapes.len(), Vec::new);
        for (at, &(mover, _)) in turned.iter().enumerate() {
            let numbers = &mut self.numbers[mover];
            numbers.resize(self.shapes.len(), UNKNOWN);
            for (_, &(other, _)) in turned.iter().enumerate().filter(|other| other.0 != at) {
                if numbers[other] == UNKNOWN {
                    numbers[other] = self.tables.len() as u32;
                    self.tables.push(Table::new(&self.shapes[mover].0, &self.shapes[other].0));
                }
            }
        }
    }

    /// The table of two turned pieces that is [prepared](Self::prepare).
    pub(super) fn table(&self, mover: usize, other: usize) -> &Table {
        &self.tables[self.numbers[mover][other] as usize]
    }

    /// The size of the box of a turned piece.
    pub(super) fn size(&self, number: usize) -> Cell {
        self.shapes[number].0.size()
    }
}

/// How far the first of two pieces can go towards larger x, y and z until it meets the second, by the place of the
/// corner of the second relative to that of the first.
pub(super) struct Table {
    /// The least and the greatest places that are listed: there the boxes touch. Beyond, nothing new comes.
    least: [i32; 3],
    most: [i32; 3],
    strides: [i32; 2],
    reach: Vec<[u16; 3]>,
}

impl Table {
    fn new(mover: &Shape, other: &Shape) -> Table {
        let (own, its) = (mover.size(), other.size());
        let (least, most) = ((-its).coordinates(), own.coordinates());
        let counts: [i32; 3] = std::array::from_fn(|axis| most[axis] - least[axis] + 1);
        let strides = [counts[1] * counts[2], counts[2]];
        let cells = (counts[0] * strides[0]) as usize;
        let mut table = Table { least, most, strides, reach: vec![[FREE; 3]; cells] };
        let mut collides = vec![false; cells];
        for (&a, &b) in mover.cells().iter().flat_map(|a| other.cells().iter().map(move |b| (a, b))) {
            collides[table.index((a - b).coordinates())] = true;
        }
        // One step towards the other makes its place less by one.
        let steps = [strides[0], strides[1], 1].map(|stride| stride as usize);
        for index in 0..cells {
            let place = [index / steps[0], index / steps[1] % counts[1] as usize, index % counts[2] as usize];
            for axis in (0..3).filter(|&axis| place[axis] > 0) {
                let nearer = index - steps[axis];
                table.reach[index][axis] = match collides[nearer] {
                    true => 0,
                    // FREE stays FREE.
                    false => table.reach[nearer][axis].saturating_add(1),
                };
            }
        }
        table
    }

    fn index(&self, place: [i32; 3]) -> usize {
        let [x, y, z]: [i32; 3] = std::array::from_fn(|axis| place[axis] - self.least[axis]);
        (x * self.strides[0] + y * self.strides[1] + z) as usize
    }

    /// How far it can go along each axis; [`FREE`] when it never meets the other.
    #[inline]
    pub(super) fn reach(&self, place: [i32; 3]) -> [u16; 3] {
        let near = std::array::from_fn(|axis| place[axis].clamp(self.least[axis], self.most[axis]));
        let mut reach = self.reach[self.index(near)];
        for axis in 0..3 {
            let beyond = (place[axis] - near[axis]).max(0) as u16;
            // FREE stays FREE.
            reach[axis] = reach[axis].saturating_add(beyond);
        }
        reach
    }
}
