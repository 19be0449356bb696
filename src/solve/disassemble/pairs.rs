//! How far one turned piece can go until it meets another, for every position of the two: one table a pair of turned
//! pieces, made when first asked for and shared by all assemblies.

use super::blocking::SIDES;
use crate::puzzle::Puzzle;
use crate::puzzle::assembly::Placement;
use crate::puzzle::grid::{Cell, Orientation, Shape};

/// No table yet.
const UNKNOWN: u32 = u32::MAX;

/// More positions than this are not kept for the next assembly: 128 MB.
const MOST_LISTED: usize = 1 << 24;

/// The turned pieces met so far, and the tables of their pairs.
#[derive(Default)]
pub(super) struct Pairs {
    /// For each piece the orientations met so far, at most 24, each with the number of the shape so turned.
    turned: Vec<Vec<(Orientation, usize)>>,
    /// The turned shape, and the corner of its box as the turning leaves it,
    shapes: Vec<(Shape, Cell)>,
    /// and the size of that.
    sizes: Vec<Cell>,
    /// The number of the table of each pair, by first and second; [`UNKNOWN`] where none was asked for yet.
    numbers: Vec<Vec<u32>>,
    tables: Vec<Table>,
    /// Positions and numbers listed so far.
    listed: usize,
}

impl Pairs {
    /// Whether so much is listed that it is better to begin anew, whatever the number of pieces and assemblies.
    pub(super) fn is_full(&self) -> bool {
        self.listed > MOST_LISTED
    }

    /// The number of a turned piece, and the corner of the box of a placement of it.
    pub(super) fn turned(&mut self, puzzle: &Puzzle, placement: &Placement) -> (usize, Cell) {
        let (piece, orientation) = (placement.piece.0, placement.orientation);
        if self.turned.len() <= piece {
            self.turned.resize_with(piece + 1, Vec::new);
        }
        let known = self.turned[piece].iter().find(|known| known.0 == orientation);
        let number = known.map_or(self.shapes.len(), |known| known.1);
        if known.is_none() {
            let cells = puzzle.piece(placement.piece).shape.cells().iter().map(|&cell| orientation.turn(cell));
            let corner = cells.clone().reduce(Cell::least).expect("a shape has at least one cell");
            let shape = Shape::new(cells).expect("turning keeps cells apart");
            self.sizes.push(shape.size());
            self.shapes.push((shape, corner));
            self.turned[piece].push((orientation, number));
        }
        (number, self.shapes[number].1 + placement.offset)
    }

    /// Makes the tables of all pairs of those turned pieces, each with those after it.
    pub(super) fn prepare(&mut self, turned: &[(usize, Cell)]) {
        self.numbers.resize_with(self.shapes.len(), Vec::new);
        for (at, &(first, _)) in turned.iter().enumerate() {
            let numbers = &mut self.numbers[first];
            self.listed += self.shapes.len() - numbers.len();
            numbers.resize(self.shapes.len(), UNKNOWN);
            for &(second, _) in &turned[at + 1..] {
                if numbers[second] == UNKNOWN {
                    numbers[second] = self.tables.len() as u32;
                    let table = Table::new(&self.shapes[first].0, &self.shapes[second].0);
                    self.listed += table.ways.len();
                    self.tables.push(table);
                }
            }
        }
    }

    /// The number of the table of two turned pieces that is [prepared](Self::prepare).
    pub(super) fn number(&self, first: usize, second: usize) -> u32 {
        self.numbers[first][second]
    }

    pub(super) fn table(&self, number: u32) -> &Table {
        &self.tables[number as usize]
    }

    /// The size of the box of a turned piece.
    pub(super) fn size(&self, number: usize) -> Cell {
        self.sizes[number]
    }
}

/// How far the first of two pieces can go until it meets the second, by the place of the corner of the second relative to
/// that of the first.
pub(super) struct Table {
    /// The least place that is listed, and how many are along each axis: beyond those the boxes are apart, and nothing new
    /// comes.
    least: [i32; 3],
    counts: [i32; 3],
    ways: Vec<Ways>,
}

/// How far one piece can go towards each side until it meets another, a byte a side in the order of [`SIDES`]: [`FREE`] when
/// it never does, and no more than [`FAR`]. What the other can do is the same with opposite sides exchanged.
#[derive(Clone, Copy)]
pub(super) struct Ways(u64);

/// One in each byte.
pub(super) const ONES: u64 = of_bytes(1);
/// Every other byte.
const EVEN: u64 = 0x00FF_00FF_00FF_00FF;

/// That number in each byte.
pub(super) const fn of_bytes(byte: u64) -> u64 {
    byte * 0x0101_0101_0101_0101
}

/// It never meets the other.
const FREE: u8 = u8::MAX;
/// As far or further: no piece is ever moved by more than 127.
const FAR: u8 = FREE - 1;

impl Ways {
    /// Two that never meet.
    pub(super) const FREE: Ways = Ways(u64::MAX);

    fn new([a, b, c, d, e, f]: [u8; 6]) -> Ways {
        Ways(u64::from_le_bytes([a, b, c, d, e, f, FREE, FREE]))
    }

    /// What the other can do.
    #[inline]
    pub(super) fn reversed(self) -> Ways {
        Ways((self.0 & EVEN) << 8 | self.0 >> 8 & EVEN)
    }

    /// How far it can go towards a side.
    #[inline]
    pub(super) fn towards(self, side: usize) -> u8 {
        (self.0 >> (8 * side)) as u8
    }

    /// One in the byte of each side towards which it cannot go that far, from 1 to 127.
    #[inline]
    pub(super) fn blocked(self, step: u8) -> u64 {
        // The upper bit of each byte becomes 1 where the byte is not below the step; nothing is carried over.
        let is_enough = self.0 | ((self.0 & of_bytes(0x7F)) + of_bytes(u64::from(0x80 - step)));
        !is_enough >> 7 & ONES
    }

    /// One in the byte of each side towards which it never gets past the other.
    #[inline]
    pub(super) fn meets(self) -> u64 {
        let is_free = Ways(!self.0).blocked(1);
        is_free ^ ONES
    }
}

impl Table {
    fn new(first: &Shape, second: &Shape) -> Table {
        let (own, its) = (first.size().coordinates(), second.size().coordinates());
        let mut table = Table {
            least: its.map(|size| -size),
            counts: std::array::from_fn(|axis| own[axis] + its[axis] + 1),
            ways: Vec::new(),
        };
        let cells = table.counts.iter().product::<i32>() as usize;
        let mut collides = vec![false; cells];
        for (&a, &b) in first.cells().iter().flat_map(|a| second.cells().iter().map(move |b| (a, b))) {
            collides[table.index((a - b).coordinates()).expect("their boxes meet")] = true;
        }
        let mut reach = vec![[FREE; 6]; cells];
        let [x, y, z] = table.counts.map(|count| count as usize);
        for (side, (count, step)) in [(x, y * z), (x, y * z), (y, z), (y, z), (z, 1), (z, 1)].into_iter().enumerate() {
            for layer in 1..count {
                // A step to a positive side makes the place less by one.
                let (place, nearer) = match SIDES[side].is_positive() {
                    true => (layer, layer - 1),
                    false => (count - 1 - layer, count - layer),
                };
                for line in (0..cells).step_by(count * step) {
                    for (at, near) in (line + place * step..).zip(line + nearer * step..).take(step) {
                        reach[at][side] = if collides[near] { 0 } else { further(reach[near][side], 1) };
                    }
                }
            }
        }
        table.ways = reach.into_iter().map(Ways::new).collect();
        table
    }

    /// Where a place is listed, if it is.
    #[inline]
    fn index(&self, place: [i32; 3]) -> Option<usize> {
        let [x, y, z]: [u32; 3] = std::array::from_fn(|axis| (place[axis] - self.least[axis]) as u32);
        let counts = self.counts.map(|count| count as u32);
        let is_listed = x < counts[0] && y < counts[1] && z < counts[2];
        is_listed.then(|| ((x * counts[1] + y) * counts[2] + z) as usize)
    }

    /// How far the first can go where the second is at that place.
    #[inline]
    pub(super) fn ways(&self, place: [i32; 3]) -> Ways {
        match self.index(place) {
            Some(index) => self.ways[index],
            None => self.ways_beyond(place),
        }
    }

    #[cold]
    fn ways_beyond(&self, place: [i32; 3]) -> Ways {
        let most: [i32; 3] = std::array::from_fn(|axis| self.least[axis] + self.counts[axis] - 1);
        let near = std::array::from_fn(|axis| place[axis].clamp(self.least[axis], most[axis]));
        let reach = self.ways[self.index(near).expect("it is no further than what is listed")].0.to_le_bytes();
        Ways::new(std::array::from_fn(|side| {
            let beyond = place[side / 2] - near[side / 2];
            further(reach[side], if SIDES[side].is_positive() { beyond } else { -beyond })
        }))
    }
}

/// So many cells further; nearer is as near.
fn further(reach: u8, by: i32) -> u8 {
    if reach == FREE { FREE } else { (i32::from(reach) + by.max(0)).min(FAR.into()) as u8 }
}
