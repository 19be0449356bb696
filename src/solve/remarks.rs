//! What is worth knowing of an assembly of numbered cubies: magic squares on its faces, and where a plane is blank.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::cubies::Cubies;
use super::symmetry::Symmetry;
use crate::puzzle::Puzzle;
use crate::puzzle::assembly::Assembly;
use crate::puzzle::grid::{Cell, Side, Turn};
use crate::puzzle::piece::Mark;

/// What is remarkable in an assembly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    /// Outer faces that are magic squares, in the order of [`Side::ALL`].
    pub magic: Vec<MagicFace>,
    /// Blank planes, in the order of [`Side::ALL`] and of layers.
    pub blank: Vec<BlankPlane>,
}

/// An outer face with different numbers that sum to the same in every row and every column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MagicFace {
    /// Which face.
    pub side: Side,
    /// The side that is up when it is read.
    pub top: Side,
    /// The numbers as the reader sees them, top row first.
    pub rows: Vec<Vec<i64>>,
    /// The sum of every row and column.
    pub sum: i128,
    /// How many of the two diagonals have that sum too.
    pub diagonals: usize,
}

/// A plane whose faces are all blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlankPlane {
    /// The side of the cubies that is blank.
    pub side: Side,
    /// The layer, counted from 0 at the least coordinate.
    pub layer: i32,
    /// Whether it can be seen from outside.
    pub sight: Sight,
}

/// Whether a plane can be seen from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// It lies between two layers.
    Hidden,
    /// It is an outer face, and these axes' opposite layers are to be exchanged to hide it; none when nothing does.
    Seen {
        /// 0 for x, 1 for y, 2 for z.
        exchange: Vec<usize>,
    },
}

/// Looks at an assembly; finds nothing in puzzles of other kinds.
pub fn remarks(puzzle: &Puzzle, assembly: &Assembly) -> Remarks {
    // Where nothing is marked, being blank is nothing remarkable.
    if !puzzle.has_marks() {
        return Remarks::default();
    }
    let Ok(cubies) = Cubies::new(puzzle) else { return Remarks::default() };
    let (size, symmetry) = (puzzle.target.size, Symmetry::new(&cubies, &puzzle.rules));
    let mut marks: BTreeMap<(Cell, Side), Mark> = BTreeMap::new();
    for placement in &assembly.placements {
        let turned = puzzle.piece(placement.piece).marks_turned(placement.orientation);
        marks.extend(turned.into_iter().map(|(square, mark)| ((placement.offset, square.side), mark)));
    }
    let layers = |side: Side| (0..size.along(side.axis())).map(move |layer| (side, layer));
    let is_blank = |&(side, layer): &(Side, i32)| {
        let mut cells = cubies.cells.iter().filter(|cell| cell.along(side.axis()) == layer).peekable();
        cells.peek().is_some() && cells.all(|&cell| !marks.contains_key(&(cell, side)))
    };
    let sight = |side: Side, layer: i32| {
        let outermost = if side.is_positive() { size.along(side.axis()) - 1 } else { 0 };
        let hides = |axes: &&Vec<usize>| axes.contains(&side.axis());
        match layer == outermost {
            true => Sight::Seen { exchange: symmetry.exchanged.iter().find(hides).cloned().unwrap_or_default() },
            false => Sight::Hidden,
        }
    };
    let blank = Side::ALL.into_iter().flat_map(layers).filter(is_blank);
    Remarks {
        magic: Side::ALL.into_iter().filter_map(|side| magic_face(puzzle, &marks, side)).collect(),
        blank: blank.map(|(side, layer)| BlankPlane { side, layer, sight: sight(side, layer) }).collect(),
    }
}

fn magic_face(puzzle: &Puzzle, marks: &BTreeMap<(Cell, Side), Mark>, side: Side) -> Option<MagicFace> {
    let size = puzzle.target.size;
    Turn::ALL.into_iter().find_map(|turn| {
        let (top, left) = (turn.up(side), Turn::ALL[(turn as usize + 1) % 4].up(side));
        let (height, width) = (size.along(top.axis()), size.along(left.axis()));
        // From the corner at the top left of the face, as the reader sees it.
        let outermost = |side: Side| if side.is_positive() { size.along(side.axis()) - 1 } else { 0 };
        let number = |row: i32, column: i32| {
            let mut cell = [0; 3];
            let inwards = |from: Side, steps: i32| outermost(from) + if from.is_positive() { -steps } else { steps };
            cell[side.axis()] = outermost(side);
            cell[top.axis()] = inwards(top, row);
            cell[left.axis()] = inwards(left, column);
            let mark = marks.get(&(Cell::new(cell[0], cell[1], cell[2]), side)).filter(|mark| mark.paint.is_none())?;
            let text = match mark.turn.up(side) {
                up if up == top => Some(mark.text.as_str()),
                up if up == top.opposite() => puzzle.rules.upside_down(&mark.text),
                _ => None,
            };
            text?.parse::<i64>().ok()
        };
        if height != width || height < 2 {
            return None;
        }
        let row = |row: i32| (0..width).map(|column| number(row, column)).collect::<Option<Vec<i64>>>();
        let rows = (0..height).map(row).collect::<Option<Vec<Vec<i64>>>>()?;
        let total = |line: &mut dyn Iterator<Item = i64>| line.map(i128::from).sum::<i128>();
        let sum = total(&mut rows[0].iter().copied());
        let is_even = rows.iter().all(|row| total(&mut row.iter().copied()) == sum)
            && (0..rows.len()).all(|column| total(&mut rows.iter().map(|row| row[column])) == sum);
        let different: BTreeSet<i64> = rows.iter().flatten().copied().collect();
        let falling = total(&mut rows.iter().enumerate().map(|(index, row)| row[index]));
        let rising = total(&mut rows.iter().enumerate().map(|(index, row)| row[rows.len() - 1 - index]));
        let diagonals = usize::from(falling == sum) + usize::from(rising == sum);
        let is_magic = is_even && different.len() == rows.len() * rows.len();
        is_magic.then_some(MagicFace { side, top, rows, sum, diagonals })
    })
}

/// A sentence each, one a line.
impl fmt::Display for Remarks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magic = self.magic.iter().map(MagicFace::to_string);
        let sentences: Vec<String> = magic.chain(self.blank.iter().map(BlankPlane::to_string)).collect();
        f.write_str(&sentences.join("\n"))
    }
}

impl fmt::Display for MagicFace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seen = ["from the left", "from the right", "from the front", "from behind", "from below", "from above"];
        let row = |row: &Vec<i64>| row.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        let rows = self.rows.iter().map(row).collect::<Vec<_>>().join(" / ");
        write!(f, "The {} face is a magic square: as seen {}", self.side.name(), seen[self.side as usize])?;
        if self.top != self.side.up() {
            write!(f, " with the {} up", self.top.name())?;
        }
        write!(f, ", top row first, {rows}. Every row and every column sums to {}; ", self.sum)?;
        f.write_str(["the diagonals do not.", "so does one of the diagonals.", "so do both diagonals."][self.diagonals])
    }
}

impl fmt::Display for BlankPlane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.side.name();
        let layers = |axis: &usize| {
            let (low, high) = (Side::ALL[2 * axis], Side::ALL[2 * axis + 1]);
            format!("the {} layer with the {} one", low.name(), high.name())
        };
        match &self.sight {
            Sight::Hidden => {
                let from = Side::ALL[2 * self.side.axis()].name();
                write!(f, "The {name} faces in layer {} from the {from} are blank, hidden inside.", self.layer + 1)
            }
            Sight::Seen { exchange } if exchange.is_empty() => write!(f, "The {name} face of the whole is blank."),
            Sight::Seen { exchange } => {
                let exchange = exchange.iter().map(layers).collect::<Vec<_>>().join(" and ");
                write!(f, "The {name} face of the whole is blank; exchange {exchange} to hide it inside.")
            }
        }
    }
}
