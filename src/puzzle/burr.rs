//! Six-piece burrs: notched sticks, their standard numbers, and the target that six of them fill.
//!
//! A stick lies along x. Of its middle, 4 x 2 x 2 cells, any may be missing; its ends are whole. The middle is written as
//! four rows from left to right: upper front, upper back, lower front, lower back; `1` is a cell, `0` a notch.

use std::collections::{BTreeMap, BTreeSet};

use super::grid::{Cell, Orientation, Shape};
use super::{Puzzle, Target};

/// Which cells of the notched middle are there, row by row.
///
/// The standard number, in general use for six-piece burrs, is that of Jürg von Känel (IBM Research, "Burr puzzles", 1997):
/// one plus a power of two for each missing cell, 2^0 to 2^3 along the upper front row, 2^4 to 2^7 along the upper back
/// row, 2^8 and 2^9 for the inner two of the lower front row. (<http://robspuzzlepage.com/interlocking.htm#identifying>)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stick {
    /// Bit `4 * row + column` is set when that cell is missing.
    missing: u16,
}

/// The bit of each cell by place in the standard numbering.
const NUMBER_BITS: [u16; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 12, 8, 9, 13, 14, 10, 11, 15];

/// Why a text is not the middle of a stick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StickError {
    /// There are not four rows but so many.
    Rows(usize),
    /// This row, from 1, has so many characters instead of four.
    Columns(usize, usize),
    /// This is neither `0` nor `1`.
    Character(char),
}

impl Stick {
    /// The greatest standard number.
    pub const MOST: u32 = 1024;

    /// Reads rows such as `0001/0110/1001/1111`.
    pub fn from_rows(text: &str) -> Result<Stick, StickError> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != 4 {
            return Err(StickError::Rows(rows.len()));
        }
        let mut missing = 0;
        for (number, row) in rows.iter().enumerate() {
            if row.chars().count() != 4 {
                return Err(StickError::Columns(number + 1, row.chars().count()));
            }
            for (column, c) in row.chars().enumerate() {
                match c {
                    '1' => {}
                    '0' => missing |= 1 << (4 * number + column),
                    other => return Err(StickError::Character(other)),
                }
            }
        }
        Ok(Stick { missing })
    }

    /// The stick of that standard number; `None` when it is not from 1 to [`Stick::MOST`].
    pub fn from_number(number: u32) -> Option<Stick> {
        let removed = number.checked_sub(1).filter(|&removed| removed < Stick::MOST)?;
        let bit = |place: usize| (removed >> NUMBER_BITS[place] & 1) << place;
        Some(Stick { missing: (0..16).map(bit).sum::<u32>() as u16 })
    }

    /// The least of the standard numbers of the ways to hold it; `None` for a stick that has none.
    pub fn number(self) -> Option<u32> {
        let number = |stick: Stick| {
            let bit = |place: usize| u32::from(stick.missing >> place & 1) << NUMBER_BITS[place];
            let number = 1 + (0..16).map(bit).sum::<u32>();
            (number <= Stick::MOST).then_some(number)
        };
        self.held().into_iter().filter_map(number).min()
    }

    /// The rows as they are written.
    pub fn rows(self) -> String {
        let cell = |place: usize| if self.missing >> place & 1 == 1 { '0' } else { '1' };
        let row = |row: usize| (0..4).map(|column| cell(4 * row + column)).collect::<String>();
        (0..4).map(row).collect::<Vec<_>>().join("/")
    }

    /// The stick in a mirror.
    pub fn mirrored(self) -> Stick {
        self.with(|[row, column]| [row, 3 - column])
    }

    /// Whether it can be made with a saw and notches straight across: in every slice across the stick what is missing is
    /// a half, or two halves that overlap.
    pub fn is_notchable(self) -> bool {
        (0..4).all(|column| {
            let missing = |row: usize| self.missing >> (4 * row + column) & 1 == 1;
            let rows = [0, 1, 3, 2].map(missing);
            let count = rows.iter().filter(|&&missing| missing).count();
            count == 0 || count == 3 || (count == 2 && rows[0] != rows[2])
        })
    }

    /// How many of the eight ways to hold it look the same as it does.
    pub fn symmetry(self) -> u64 {
        self.held().iter().filter(|&&held| held == self).count() as u64
    }

    /// The cells of the stick at that length, which is even and at least 4.
    pub fn cells(self, length: i32) -> Vec<Cell> {
        let end = (length - 4) / 2;
        let is_there = |cell: &Cell| {
            let (row, column) = (2 * (1 - cell.z) + cell.y, cell.x - end);
            !(0..4).contains(&column) || self.missing >> (4 * row + column) & 1 == 0
        };
        let bar = (0..length).flat_map(|x| (0..4).map(move |k| Cell::new(x, k / 2, k % 2)));
        bar.filter(is_there).collect()
    }

    /// The stick, and its length, that has this shape; `None` when it has another.
    pub fn of_shape(shape: &Shape) -> Option<(Stick, i32)> {
        let size = |shape: &Shape| (shape.size().x, shape.size().y, shape.size().z);
        let turned = Orientation::all().map(|orientation| shape.turned(orientation));
        let lying = turned.into_iter().find(|shape| {
            let (x, y, z) = size(shape);
            x % 2 == 0 && (4..=8).contains(&x) && (y, z) == (2, 2)
        })?;
        let length = lying.size().x;
        let mut stick = Stick { missing: 0 };
        for place in 0..16 {
            let (row, column) = (place / 4, place % 4);
            let cell = Cell::new((length - 4) / 2 + column, row % 2, 1 - row / 2);
            stick.missing |= u16::from(!lying.contains(cell)) << place;
        }
        (stick.cells(length).len() == lying.cells().len()).then_some((stick, length))
    }

    /// The stick of length 4 that has this shape. Without ends a whole slice of it may be missing, so that it is smaller
    /// than a stick and can lie in several places of one; of those the one with the least number is taken.
    fn without_ends(shape: &Shape) -> Option<Stick> {
        let turned = Orientation::all().map(|orientation| shape.turned(orientation));
        let lying = turned.filter(|shape| {
            let size = shape.size();
            size.x <= 4 && size.y <= 2 && size.z <= 2
        });
        let sticks = lying.flat_map(|shape| {
            (0..16).map(move |place| {
                let corner = Cell::new(place % 4, place / 4 % 2, place / 8);
                let is_there = |place: usize| {
                    let (row, column) = (place as i32 / 4, place as i32 % 4);
                    shape.contains(Cell::new(column, row % 2, 1 - row / 2) - corner)
                };
                let missing = (0..16).map(|place| u16::from(!is_there(place)) << place).sum::<u16>();
                (missing.count_zeros() as usize == shape.cells().len()).then_some(Stick { missing })
            })
        });
        sticks.flatten().min_by_key(|stick| (stick.number().unwrap_or(u32::MAX), *stick))
    }

    /// The stick as it looks in each of the eight ways to hold it.
    fn held(self) -> [Stick; 8] {
        // A quarter turn about x: front goes to the top.
        let quarter = |stick: Stick| stick.with(|[row, column]| [[1, 3, 0, 2][row], column]);
        // End for end, about z.
        let flipped = |stick: Stick| stick.with(|[row, column]| [row ^ 1, 3 - column]);
        let mut all = [self; 8];
        for k in 1..8 {
            all[k] = if k == 4 { flipped(self) } else { quarter(all[k - 1]) };
        }
        all
    }

    /// The stick whose cell at each place is this one's at another.
    fn with(self, from: impl Fn([usize; 2]) -> [usize; 2]) -> Stick {
        let bit = |place: usize| {
            let [row, column] = from([place / 4, place % 4]);
            (self.missing >> (4 * row + column) & 1) << place
        };
        Stick { missing: (0..16).map(bit).sum() }
    }
}

/// Where six sticks of that length lie: the ends must be filled, places of the notched middles may stay empty. Sticks of
/// length 4 have no ends; of those the places that belong to a single stick must be filled.
pub fn target(length: i32) -> Target {
    let middle = length / 2;
    let mut sticks: BTreeMap<Cell, u32> = BTreeMap::new();
    for axis in 0..3 {
        // Along x, the two sticks lie one above the other; the others follow by turning x to y to z.
        for (along, across, up) in bar(length, middle) {
            let mut place = [0; 3];
            (place[axis], place[(axis + 1) % 3], place[(axis + 2) % 3]) = (along, across, up);
            *sticks.entry(Cell::new(place[0], place[1], place[2])).or_default() += 1;
        }
    }
    let is_end = |cell: &Cell| cell.coordinates().iter().any(|&k| k < middle - 2 || k >= middle + 2);
    let is_filled = |cell: &Cell| if length == 4 { sticks[cell] == 1 } else { is_end(cell) };
    let (filled, optional) = sticks.keys().partition::<BTreeSet<Cell>, _>(|cell| is_filled(cell));
    Target { filled, optional, size: Cell::new(length, length, length) }
}

/// The stick, and its length, that has this shape among the pieces of the puzzle.
pub fn stick_of(puzzle: &Puzzle, shape: &Shape) -> Option<(Stick, i32)> {
    let without_ends = || Stick::without_ends(shape).filter(|_| puzzle.target == target(4)).map(|stick| (stick, 4));
    Stick::of_shape(shape).or_else(without_ends)
}

/// In how many ways the sticks of a six-piece burr can be held without a difference, all together; 1 for every other
/// puzzle, and where sticks are to be chosen.
pub fn ways_to_hold(puzzle: &Puzzle) -> u64 {
    let ways = puzzle.pieces.iter().map(|piece| {
        let (stick, length) = stick_of(puzzle, &piece.shape)?;
        let is_fixed = piece.count.start() == piece.count.end();
        (is_fixed && puzzle.target.size == Cell::new(length, length, length))
            .then(|| stick.symmetry().saturating_pow(*piece.count.end()))
    });
    let ways: Option<Vec<u64>> = ways.collect();
    let count: u32 = puzzle.pieces.iter().map(|piece| *piece.count.end()).fold(0, u32::saturating_add);
    ways.filter(|_| count == 6).map_or(1, |ways| ways.into_iter().product())
}

/// The cells of two sticks one above the other.
fn bar(length: i32, middle: i32) -> impl Iterator<Item = (i32, i32, i32)> {
    (0..length).flat_map(move |along| {
        (middle - 1..=middle).flat_map(move |across| (middle - 2..middle + 2).map(move |up| (along, across, up)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sticks, by the twelve cells that may be missing.
    fn all() -> impl Iterator<Item = Stick> {
        (0..4096u32).map(|removed| {
            let bit = |place: usize| (removed >> NUMBER_BITS[place] & 1) << place;
            Stick { missing: (0..16).map(bit).sum::<u32>() as u16 }
        })
    }

    fn shape(stick: Stick) -> Shape {
        Shape::new(stick.cells(6)).expect("a stick has cells")
    }

    #[test]
    fn known_numbers_are_known_sticks() {
        let rows = |number: u32| Stick::from_number(number).map(Stick::rows);
        assert_eq!(rows(1).as_deref(), Some("1111/1111/1111/1111"));
        assert_eq!(rows(1024).as_deref(), Some("0000/0000/1001/1111"));
        assert_eq!(rows(256).as_deref(), Some("0000/0000/1111/1111"));
        assert_eq!(rows(103).as_deref(), Some("1001/1001/1111/1111"));
        assert_eq!((rows(0), rows(1025)), (None, None));
        for number in 1..=Stick::MOST {
            let stick = Stick::from_number(number).expect("a number in range");
            assert!(stick.number().is_some_and(|least| least <= number));
            assert_eq!(Stick::from_rows(&stick.rows()), Ok(stick));
        }
    }

    /// 2225 of the 4096 subsets hang together, and they are 837 different sticks (Bill Cutler, "A Computer Analysis of All
    /// 6-Piece Burrs", Definitions); 59 of those are notchable.
    #[test]
    fn there_are_as_many_sticks_as_published() {
        let connected: Vec<Stick> = all().filter(|&stick| shape(stick).components().len() == 1).collect();
        assert_eq!(connected.len(), 2225);
        let least = |stick: &Stick| stick.held().into_iter().min();
        let different: BTreeSet<_> = connected.iter().map(least).collect();
        assert_eq!(different.len(), 837);
        let notchable: BTreeSet<_> = connected.iter().filter(|stick| stick.is_notchable()).map(least).collect();
        assert_eq!(notchable.len(), 59);
    }

    #[test]
    fn a_stick_is_known_however_it_lies() {
        for number in [1, 2, 52, 154, 412, 615, 911, 928, 1024] {
            let stick = Stick::from_number(number).expect("a number in range");
            for (length, orientation) in [4, 6, 8].into_iter().flat_map(|l| Orientation::all().map(move |o| (l, o))) {
                let Ok(shape) = Shape::new(stick.cells(length)) else { panic!("no cells") };
                if shape.size() != Cell::new(length, 2, 2) {
                    continue;
                }
                let (found, found_length) = Stick::of_shape(&shape.turned(orientation)).expect("a stick");
                assert_eq!((found.number(), found_length), (stick.number(), length));
                let (mirrored, _) = Stick::of_shape(&shape.mirrored().turned(orientation)).expect("a stick");
                assert_eq!(mirrored.number(), stick.mirrored().number());
            }
        }
        assert_eq!(Stick::of_shape(&Shape::cube()), None);
    }

    /// Of the connected sticks of length 4 those without a slice have the number of another that has the same shape.
    #[test]
    fn a_stick_without_ends_may_lack_a_slice() {
        for number in 1..=Stick::MOST {
            let stick = Stick::from_number(number).expect("a number in range");
            let shape = Shape::new(stick.cells(4)).expect("a stick has cells");
            let found = Stick::without_ends(&shape).expect("it has a number");
            let turned = |shape: &Shape| Orientation::all().map(|orientation| shape.turned(orientation)).min();
            assert_eq!(turned(&Shape::new(found.cells(4)).expect("a stick has cells")), turned(&shape));
            let is_whole = shape.size() == Cell::new(4, 2, 2);
            assert!(if is_whole { found.number() == stick.number() } else { found.number() <= stick.number() });
            assert_eq!(Stick::of_shape(&shape).is_some(), is_whole);
        }
        // The lower half alone: 256, as at any other length.
        let half = Shape::new((0..8).map(|k| Cell::new(k % 4, k / 4, 0))).expect("it has cells");
        assert_eq!(Stick::without_ends(&half).and_then(Stick::number), Some(256));
        let long = Shape::new((0..5).map(|x| Cell::new(x, 0, 0))).expect("it has cells");
        assert_eq!(Stick::without_ends(&long), None);
    }

    #[test]
    fn six_sticks_share_32_places() {
        for (length, ends) in [(4, 24), (6, 48), (8, 96)] {
            let target = target(length);
            assert_eq!(target.filled.len(), ends);
            assert_eq!(target.filled.len() + target.optional.len(), 56 + (length as usize - 4) * 24);
        }
    }
}
