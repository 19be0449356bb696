//! Cells, sides, turns and the 24 orientations of a cube, all in whole cells.
//!
//! x runs left to right, y front to back, z bottom to top. A turn counts quarter turns counter-clockwise as seen from
//! outside the side; turn 0 is upright: on the four sides the top of the mark points up, on top and bottom its base is
//! towards the front.

use std::collections::BTreeSet;
use std::ops::{Add, Neg, Sub};

/// A place on the grid, or a step between two places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Cells from left to right.
    pub x: i32,
    /// Cells from front to back.
    pub y: i32,
    /// Cells from bottom to top.
    pub z: i32,
}

impl Cell {
    /// The cell at the origin.
    pub const ZERO: Cell = Cell::new(0, 0, 0);

    /// The cell at `x`, `y`, `z`.
    pub const fn new(x: i32, y: i32, z: i32) -> Cell {
        Cell { x, y, z }
    }

    /// The coordinate along axis 0 (x), 1 (y) or 2 (z).
    ///
    /// # Panics
    /// When `axis` is above 2.
    pub fn along(self, axis: usize) -> i32 {
        self.coordinates()[axis]
    }

    /// x, y and z.
    pub const fn coordinates(self) -> [i32; 3] {
        [self.x, self.y, self.z]
    }

    /// The cells of a box of that size at the origin: along x, then y, then z.
    pub fn of_box(size: Cell) -> impl Iterator<Item = Cell> {
        (0..size.z).flat_map(move |z| (0..size.y).flat_map(move |y| (0..size.x).map(move |x| Cell::new(x, y, z))))
    }

    /// The lesser coordinate of both along each axis: of all cells of a box, the corner where it begins.
    pub fn least(self, other: Cell) -> Cell {
        Cell::new(self.x.min(other.x), self.y.min(other.y), self.z.min(other.z))
    }

    /// The greater coordinate of both along each axis.
    pub fn most(self, other: Cell) -> Cell {
        Cell::new(self.x.max(other.x), self.y.max(other.y), self.z.max(other.z))
    }

    /// The six cells that share a face with this one, in the order of [`Side::ALL`].
    pub fn neighbours(self) -> impl Iterator<Item = (Side, Cell)> {
        Side::ALL.into_iter().map(move |side| (side, self + side.step()))
    }
}

impl Add for Cell {
    type Output = Cell;
    fn add(self, other: Cell) -> Cell {
        Cell::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl Sub for Cell {
    type Output = Cell;
    fn sub(self, other: Cell) -> Cell {
        Cell::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Neg for Cell {
    type Output = Cell;
    fn neg(self) -> Cell {
        Cell::ZERO - self
    }
}

/// One of the six directions of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Side {
    /// Towards smaller x.
    Left,
    /// Towards larger x.
    Right,
    /// Towards smaller y.
    Front,
    /// Towards larger y.
    Back,
    /// Towards smaller z.
    Bottom,
    /// Towards larger z.
    Top,
}

impl Side {
    /// All six, an axis and its two directions at a time.
    pub const ALL: [Side; 6] = [Side::Left, Side::Right, Side::Front, Side::Back, Side::Bottom, Side::Top];

    /// 0 for x, 1 for y, 2 for z.
    pub const fn axis(self) -> usize {
        self as usize / 2
    }

    /// Whether it points towards larger coordinates.
    pub const fn is_positive(self) -> bool {
        self as usize % 2 == 1
    }

    /// The side across the cell.
    pub const fn opposite(self) -> Side {
        Side::ALL[self as usize ^ 1]
    }

    /// The step of one cell in this direction.
    pub const fn step(self) -> Cell {
        match self {
            Side::Left => Cell::new(-1, 0, 0),
            Side::Right => Cell::new(1, 0, 0),
            Side::Front => Cell::new(0, -1, 0),
            Side::Back => Cell::new(0, 1, 0),
            Side::Bottom => Cell::new(0, 0, -1),
            Side::Top => Cell::new(0, 0, 1),
        }
    }

    /// Where the top of an upright mark on this side points.
    pub const fn up(self) -> Side {
        match self {
            Side::Top | Side::Bottom => Side::Back,
            _ => Side::Top,
        }
    }

    /// The word of the puzzle file.
    pub const fn name(self) -> &'static str {
        ["left", "right", "front", "back", "bottom", "top"][self as usize]
    }

    fn of_step(step: Cell) -> Side {
        Side::ALL.into_iter().find(|side| side.step() == step).expect("a rotation maps unit steps to unit steps")
    }

    /// The direction a quarter turn counter-clockwise from `up`, as seen from outside this side.
    fn quarter(self, up: Side) -> Side {
        let (n, u) = (self.step(), up.step());
        Side::of_step(Cell::new(n.y * u.z - n.z * u.y, n.z * u.x - n.x * u.z, n.x * u.y - n.y * u.x))
    }
}

/// Quarter turns of a mark on its side, counter-clockwise as seen from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Turn {
    /// `^`: upright.
    #[default]
    Upright,
    /// `<`: the top of the mark points to the left.
    Left,
    /// `v`: upside down.
    UpsideDown,
    /// `>`: the top of the mark points to the right.
    Right,
}

impl Turn {
    /// All four, counter-clockwise.
    pub const ALL: [Turn; 4] = [Turn::Upright, Turn::Left, Turn::UpsideDown, Turn::Right];

    /// The character of the puzzle file.
    pub const fn symbol(self) -> char {
        ['^', '<', 'v', '>'][self as usize]
    }

    /// Where the top of a mark so turned on `side` points.
    pub fn up(self, side: Side) -> Side {
        (0..self as u8).fold(side.up(), |up, _| side.quarter(up))
    }

    /// The turn of a mark on `side` whose top points to `up`; `None` when `up` is not a direction along `side`.
    pub fn from_up(side: Side, up: Side) -> Option<Turn> {
        Turn::ALL.into_iter().find(|turn| turn.up(side) == up)
    }
}

/// One of the 24 rotations that map the grid to itself, about the origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Orientation(u8);

impl Orientation {
    /// As the piece stands in its file.
    pub const IDENTITY: Orientation = Orientation(0);
    /// How many there are.
    pub const COUNT: usize = 24;
    /// A quarter turn about the vertical, counter-clockwise as seen from above.
    pub const QUARTER: Orientation = find([[0, -1, 0], [1, 0, 0], [0, 0, 1]]);

    /// All 24, the identity first.
    pub fn all() -> impl Iterator<Item = Orientation> {
        (0..Orientation::COUNT as u8).map(Orientation)
    }

    /// The number of this orientation, below [`Orientation::COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The orientation of that number; `None` from [`Orientation::COUNT`] up.
    pub const fn from_index(index: usize) -> Option<Orientation> {
        if index < Orientation::COUNT { Some(Orientation(index as u8)) } else { None }
    }

    /// Rows of the rotation matrix: `rows[i]` dotted with a vector is its new coordinate `i`.
    pub const fn matrix(self) -> [[i32; 3]; 3] {
        MATRICES[self.0 as usize]
    }

    /// The cell turned about the origin.
    pub fn turn(self, cell: Cell) -> Cell {
        let row = |r: [i32; 3]| r[0] * cell.x + r[1] * cell.y + r[2] * cell.z;
        let [x, y, z] = self.matrix();
        Cell::new(row(x), row(y), row(z))
    }

    /// Where a side comes to lie.
    pub fn side(self, side: Side) -> Side {
        Side::of_step(self.turn(side.step()))
    }

    /// Where a mark on `side` comes to lie, and how it is turned there.
    pub fn mark(self, side: Side, turn: Turn) -> (Side, Turn) {
        let to = self.side(side);
        let turn = Turn::from_up(to, self.side(turn.up(side))).expect("a rotation keeps right angles");
        (to, turn)
    }

    /// First this, then `next`.
    pub const fn then(self, next: Orientation) -> Orientation {
        find(multiply(MATRICES[next.0 as usize], MATRICES[self.0 as usize]))
    }

    /// The orientation that undoes this one.
    pub const fn inverse(self) -> Orientation {
        let m = self.matrix();
        find([[m[0][0], m[1][0], m[2][0]], [m[0][1], m[1][1], m[2][1]], [m[0][2], m[1][2], m[2][2]]])
    }
}

/// Ordered by the images of +x and +y: +x, -x, +y, ... with the identity first.
const MATRICES: [[[i32; 3]; 3]; Orientation::COUNT] = {
    let mut all = [[[0; 3]; 3]; Orientation::COUNT];
    let (mut count, mut i) = (0, 0);
    while i < 36 {
        let (a, b) = (i / 6, i % 6);
        if a / 2 != b / 2 {
            let (mut x, mut y) = ([0, 0, 0], [0, 0, 0]);
            x[a / 2] = 1 - 2 * (a as i32 % 2);
            y[b / 2] = 1 - 2 * (b as i32 % 2);
            let z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
            all[count] = [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]];
            count += 1;
        }
        i += 1;
    }
    all
};

const fn multiply(a: [[i32; 3]; 3], b: [[i32; 3]; 3]) -> [[i32; 3]; 3] {
    let mut c = [[0; 3]; 3];
    let mut i = 0;
    while i < 27 {
        c[i / 9][i / 3 % 3] += a[i / 9][i % 3] * b[i % 3][i / 3 % 3];
        i += 1;
    }
    c
}

const fn find(m: [[i32; 3]; 3]) -> Orientation {
    let mut k = 0;
    while k < Orientation::COUNT {
        let (mut same, mut i) = (true, 0);
        while i < 9 {
            same &= MATRICES[k][i / 3][i % 3] == m[i / 3][i % 3];
            i += 1;
        }
        if same {
            return Orientation(k as u8);
        }
        k += 1;
    }
    panic!("a product of rotations is a rotation")
}

/// A set of cells up to translation.
///
/// # Guarantees
/// At least one cell; sorted; no cell twice; the least coordinate along each axis is 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    cells: Vec<Cell>,
}

/// Why cells are not a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeError {
    /// There is no cell.
    Empty,
    /// This cell is listed twice.
    Twice(Cell),
}

impl Shape {
    /// The shape of these cells, moved so that the least coordinate along each axis is 0.
    pub fn new(cells: impl IntoIterator<Item = Cell>) -> Result<Shape, ShapeError> {
        let mut cells: Vec<Cell> = cells.into_iter().collect();
        cells.sort_unstable();
        if let Some(pair) = cells.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(ShapeError::Twice(pair[0]));
        }
        let least = cells.iter().copied().reduce(Cell::least);
        let least = least.ok_or(ShapeError::Empty)?;
        cells.iter_mut().for_each(|cell| *cell = *cell - least);
        Ok(Shape { cells })
    }

    /// The shape of one cell.
    pub fn cube() -> Shape {
        Shape { cells: vec![Cell::ZERO] }
    }

    /// The cells, sorted.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Whether the cell belongs to the shape.
    pub fn contains(&self, cell: Cell) -> bool {
        self.cells.binary_search(&cell).is_ok()
    }

    /// The size of the bounding box in cells along x, y, z.
    pub fn size(&self) -> Cell {
        let most = self.cells.iter().copied().reduce(Cell::most);
        most.expect("a shape has at least one cell") + Cell::new(1, 1, 1)
    }

    /// The shape turned.
    pub fn turned(&self, orientation: Orientation) -> Shape {
        Shape::new(self.cells.iter().map(|&cell| orientation.turn(cell))).expect("turning keeps cells apart")
    }

    /// The shape in a mirror, left and right exchanged.
    pub fn mirrored(&self) -> Shape {
        Shape::new(self.cells.iter().map(|cell| Cell::new(-cell.x, cell.y, cell.z)))
            .expect("mirroring keeps cells apart")
    }

    /// The squares that no cell of the shape covers: cell by cell, the sides in the order of [`Side::ALL`].
    pub fn exposed(&self) -> impl Iterator<Item = Square> {
        let squares = |&cell: &Cell| Side::ALL.into_iter().map(move |side| Square { cell, side });
        self.cells.iter().flat_map(squares).filter(|square| !self.contains(square.cell + square.side.step()))
    }

    /// The parts that hang together by whole faces, each sorted.
    pub fn components(&self) -> Vec<Vec<Cell>> {
        let mut left: BTreeSet<Cell> = self.cells.iter().copied().collect();
        let mut parts = Vec::new();
        while let Some(first) = left.pop_first() {
            let mut part = vec![first];
            let mut next = 0;
            while next < part.len() {
                part.extend(
                    part[next].neighbours().map(|(_, cell)| cell).filter(|cell| left.remove(cell)).collect::<Vec<_>>(),
                );
                next += 1;
            }
            part.sort_unstable();
            parts.push(part);
        }
        parts
    }
}

/// An exposed unit face: a side of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// The cell, in the frame of its piece.
    pub cell: Cell,
    /// The side of that cell.
    pub side: Side,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_orientations_are_a_group_of_24_proper_rotations() {
        let all: BTreeSet<[[i32; 3]; 3]> = Orientation::all().map(Orientation::matrix).collect();
        assert_eq!(all.len(), 24);
        assert_eq!(Orientation::IDENTITY.matrix(), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
        for a in Orientation::all() {
            let m = a.matrix();
            let minor = |i: usize, j: usize| m[1][i] * m[2][j] - m[1][j] * m[2][i];
            assert_eq!(m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1), 1);
            assert_eq!(a.then(a.inverse()), Orientation::IDENTITY);
            for b in Orientation::all() {
                let cell = Cell::new(1, 2, 3);
                assert_eq!(a.then(b).turn(cell), b.turn(a.turn(cell)));
            }
        }
    }

    #[test]
    fn turning_about_the_vertical_turns_top_marks_one_way_and_bottom_marks_the_other() {
        // Front goes to the right: counter-clockwise seen from above (DESIGN: the sense of top and bottom).
        let spin = Orientation::all().find(|o| o.side(Side::Front) == Side::Right && o.side(Side::Top) == Side::Top);
        let spin = spin.expect("the quarter turn about the vertical");
        assert_eq!(spin.mark(Side::Front, Turn::Upright), (Side::Right, Turn::Upright));
        assert_eq!(spin.mark(Side::Back, Turn::UpsideDown), (Side::Left, Turn::UpsideDown));
        assert_eq!(spin.mark(Side::Top, Turn::Upright), (Side::Top, Turn::Left));
        assert_eq!(spin.mark(Side::Bottom, Turn::Upright), (Side::Bottom, Turn::Right));
    }

    #[test]
    fn a_mark_turned_left_points_left_as_seen_from_outside() {
        assert_eq!(Turn::Left.up(Side::Front), Side::Left);
        assert_eq!(Turn::Left.up(Side::Right), Side::Front);
        assert_eq!(Turn::Left.up(Side::Back), Side::Right);
        assert_eq!(Turn::Left.up(Side::Left), Side::Back);
        assert_eq!(Turn::Left.up(Side::Top), Side::Left);
        assert_eq!(Turn::Left.up(Side::Bottom), Side::Right);
    }

    #[test]
    fn a_shape_starts_at_the_origin_and_names_a_cell_listed_twice() {
        let shape = Shape::new([Cell::new(5, 1, -2), Cell::new(4, 1, -2)]).expect("two cells");
        assert_eq!(shape.cells(), [Cell::new(0, 0, 0), Cell::new(1, 0, 0)]);
        assert_eq!(shape.size(), Cell::new(2, 1, 1));
        assert_eq!(shape.exposed().count(), 10);
        assert_eq!(Shape::new([Cell::ZERO, Cell::ZERO]), Err(ShapeError::Twice(Cell::ZERO)));
        assert_eq!(Shape::new([]), Err(ShapeError::Empty));
    }

    #[test]
    fn cells_that_touch_along_an_edge_do_not_hang_together() {
        let shape = Shape::new([Cell::new(0, 0, 0), Cell::new(1, 1, 0), Cell::new(1, 2, 0)]).expect("three cells");
        assert_eq!(shape.components().iter().map(Vec::len).collect::<Vec<_>>(), [1, 2]);
    }
}
