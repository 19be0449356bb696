//! An isometric drawing as SVG: what is seen before and without WebGL, and the pictures of pieces in the lists.
//!
//! Seen from the front, the right and above. Cells are painted from the back; in this projection a cell can only cover
//! cells that are farther from the eye by whole steps, so that the order is right for any set of cells.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::Page;
use super::html::{escaped, number};
use crate::net::layout::Layout;
use crate::puzzle::Puzzle;
use crate::puzzle::assembly::{Assembly, Placement};
use crate::puzzle::colour::Colour;
use crate::puzzle::corner::best_corner;
use crate::puzzle::grid::{Cell, Orientation, Side, Square, Turn};
use crate::puzzle::piece::PieceId;
use crate::solid::vector::{Vector, scale, vector};

/// The first assembly.
pub(super) fn of_whole(page: &Page<'_>, shown: &Assembly) -> String {
    let corner = best_corner(page.puzzle, shown);
    let (view, shapes) = drawing(page.puzzle, &turned(&shown.placements, corner.quarters()), None);
    let what = if page.outcome.found.is_empty() { "its pieces" } else { "solved" };
    format!(
        "<svg class=\"still\" viewBox=\"{view}\" role=\"img\" aria-label=\"{}, {what}, drawn from the {} and above\">\
         {shapes}</svg>",
        escaped(&page.puzzle.name),
        corner.name()
    )
}

/// The placements turned about the vertical, so that this corner is at the front right.
fn turned(placements: &[Placement], corner: usize) -> Vec<Placement> {
    let quarter = Orientation::QUARTER.inverse();
    let turn = |place: &Placement| Placement {
        piece: place.piece,
        orientation: place.orientation.then(quarter),
        offset: quarter.turn(place.offset),
    };
    (0..corner).fold(placements.to_vec(), |placements, _| placements.iter().map(turn).collect())
}

/// One piece as it stands in its file.
pub(super) fn of_piece(puzzle: &Puzzle, id: PieceId) -> String {
    let placement = Placement { piece: id, orientation: Orientation::IDENTITY, offset: Cell::ZERO };
    let colour = puzzle.piece(id).colour;
    let (view, shapes) = drawing(puzzle, &[placement], Some(colour));
    let ink = colour.ink();
    format!("<svg aria-hidden=\"true\" viewBox=\"{view}\" color=\"{colour}\" fill=\"{ink}\">{shapes}</svg>")
}

/// The outline of every mark, upright around the origin, as symbols to be used. One unit is a cell.
pub(super) fn symbols(puzzle: &Puzzle, layout: &Layout) -> String {
    let path = |(number, text)| format!("<path id=\"m{number}\" d=\"{}\"/>", layout.mark_path(text, &puzzle.rules));
    marks(puzzle).into_iter().enumerate().map(path).collect()
}

/// The same drawing with symbols of other names, for a page with the drawings of many puzzles.
pub(super) fn renamed(svg: &str, prefix: &str) -> String {
    // No text of a puzzle holds a quotation mark here.
    let renamed = |text: String, letter: char| {
        let renamed = |start: &str| format!("{start}{prefix}-{letter}");
        ["href=\"#", "id=\""]
            .iter()
            .fold(text, |text, start| text.replace(&format!("{start}{letter}"), &renamed(start)))
    };
    ['m', 'q'].into_iter().fold(svg.to_owned(), renamed)
}

/// The texts that stand on the pieces; a symbol has the number of its text.
pub(super) fn marks(puzzle: &Puzzle) -> Vec<&str> {
    let texts: BTreeSet<&str> = puzzle
        .pieces
        .iter()
        .flat_map(|piece| piece.marks.values().map(|mark| mark.text.as_str()))
        .filter(|text| !text.is_empty())
        .collect();
    texts.into_iter().collect()
}

/// The sides that are seen.
const SEEN: [Side; 3] = [Side::Top, Side::Front, Side::Right];

/// View box and shapes. What has the colour that is given, or its ink, does not name it again.
fn drawing(puzzle: &Puzzle, placements: &[Placement], given: Option<Colour>) -> (String, String) {
    let owners: BTreeMap<Cell, usize> = (placements.iter().enumerate())
        .flat_map(|(owner, place)| place.cells(&puzzle.piece(place.piece).shape).map(move |cell| (cell, owner)))
        .collect();
    let filled: BTreeSet<Cell> = owners.keys().copied().collect();
    let top = filled.iter().map(|cell| cell.z).max().unwrap_or(0);
    let texts = marks(puzzle);
    let mut faces = BTreeMap::new();
    for place in placements {
        for (square, mark) in puzzle.piece(place.piece).marks_turned(place.orientation) {
            let number = texts.binary_search(&mark.text.as_str()).expect("the texts are those of the pieces");
            faces.insert((square.cell + place.offset, square.side), (number, mark.turn, mark.paint));
        }
    }
    let mut cells: Vec<(&Cell, &usize)> = owners.iter().collect();
    cells.sort_by_key(|(cell, _)| cell.x - cell.y + cell.z);
    let mut shapes = String::new();
    let mut around = [[f64::MAX; 2], [f64::MIN; 2]];
    for (&cell, &owner) in cells {
        let (mut squares, mut marks) = (Vec::new(), String::new());
        for side in SEEN.into_iter().filter(|&side| !is_covered(&Square { cell, side }, &filled, top)) {
            let face = faces.get(&(cell, side));
            let body = puzzle.piece(placements[owner].piece).colour;
            let colour = face.and_then(|face| face.2).unwrap_or(body);
            let square = Projected { cell, side };
            for corner in square.corners() {
                around = [0, 1].map(|k| {
                    [0, 1].map(|axis| {
                        if k == 0 { around[0][axis].min(corner[axis]) } else { around[1][axis].max(corner[axis]) }
                    })
                });
            }
            let named = Some(colour).filter(|_| given != Some(colour));
            let edges =
                square.edges(|beside, above| owners.get(&beside) == Some(&owner) && !owners.contains_key(&above));
            if let Some(&(number, turn, _)) = face {
                square.mark(&mut marks, number, turn, named.map(Colour::ink));
            }
            squares.push((square, edges, named));
        }
        match squares.as_slice() {
            [(_, EDGED, one), (_, EDGED, two), (_, EDGED, three)] if one == two && two == three => {
                place(&mut shapes, "k", vector(cell), *one);
            }
            _ => squares.iter().for_each(|(square, edges, named)| square.paint(&mut shapes, *edges, *named)),
        }
        shapes += &marks;
    }
    let [[x, y], [right, bottom]] = [around[0].map(|c| c - EDGE), around[1].map(|c| c + EDGE)];
    let view = [x, y, right - x, bottom - y].map(|c| number(c, 2)).join(" ");
    (view, shapes)
}

/// Whether cells stand before all of a square. The eye sees each of its two triangles through a row of cells of its own:
/// out of the square, then through one of the other seen sides, then through the other one, and again.
fn is_covered(square: &Square, filled: &BTreeSet<Cell>, top: i32) -> bool {
    let out = square.side.step();
    let mut others = SEEN.into_iter().filter(|&side| side != square.side).map(Side::step);
    let [Some(one), Some(other)] = [others.next(), others.next()] else { return false };
    let towards_eye = |cell: &Cell| Some(*cell + out + one + other);
    let row: Vec<Cell> =
        std::iter::successors(Some(square.cell), towards_eye).take_while(|cell| cell.z <= top).collect();
    let is_filled = |cell: Cell| filled.contains(&cell);
    [one, other].into_iter().all(|first| {
        row[1..].iter().any(|&cell| is_filled(cell))
            || row.iter().any(|&cell| is_filled(cell + out) || is_filled(cell + out + first))
    })
}

/// All four edges of a square.
const EDGED: u8 = 0b1111;

/// The name of a square with these edges. Those without and with all edges, and a cube of the latter, `k`, are shapes of
/// `viewer/icons.svg`.
fn shape(side: Side, edges: u8) -> String {
    match (edges, side as u8) {
        (0, side) => format!("f{side}"),
        (EDGED, side) => format!("c{side}"),
        (_, side) => format!("q{side}{edges:x}"),
    }
}

/// The other squares that a drawing uses, around the origin.
pub(super) fn squares(drawings: &[&str]) -> String {
    let mut out = String::new();
    for (side, edges) in SEEN.into_iter().flat_map(|side| (1..EDGED).map(move |edges| (side, edges))) {
        let name = shape(side, edges);
        if drawings.iter().any(|drawing| drawing.contains(&format!("#{name}\""))) {
            let corners = Projected { cell: Cell::ZERO, side }.corners();
            let middle = seen(scale(vector(side.step()), 0.5));
            let at = |k: usize| [0, 1].map(|axis| number(corners[k % 4][axis] - middle[axis], 2)).join(" ");
            let lines: String =
                (0..4).filter(|k| edges >> k & 1 == 1).map(|k| format!("M{}L{}", at(k), at(k + 3))).collect();
            let _ = write!(
                out,
                "<g id=\"{name}\"><use href=\"#f{}\"/><path class=\"edge\" d=\"{lines}\"/></g>",
                side as u8
            );
        }
    }
    out
}

/// Puts a shape where its middle is seen.
fn place(out: &mut String, shape: &str, middle: Vector, colour: Option<Colour>) {
    let colour = colour.map(|colour| format!(" color=\"{colour}\"")).unwrap_or_default();
    let _ = write!(out, "<use href=\"#{shape}\"{}{colour}/>", attributes(seen(middle)));
}

/// Where something stands; what is 0 need not be said.
fn attributes(place: [f64; 2]) -> String {
    let place = place.map(|length| number(length, 2));
    let said = ["x", "y"].into_iter().zip(place).filter(|(_, length)| length != "0");
    said.map(|(axis, length)| format!(" {axis}=\"{length}\"")).collect()
}

/// The width of a line.
const EDGE: f64 = 0.45;
/// Units of the drawing a cell: across, every corner is then at a whole number.
const UNIT: f64 = 8.0 * std::f64::consts::SQRT_2;

/// A unit square as it is seen.
struct Projected {
    cell: Cell,
    side: Side,
}

impl Projected {
    /// From one corner counter-clockwise: towards up, then left, down, right of the upright side.
    fn corners(&self) -> [[f64; 2]; 4] {
        Turn::ALL.map(|turn| {
            let [up, left] = [turn, next(turn)].map(|turn| vector(turn.up(self.side).step()));
            seen(self.point([0, 1, 2].map(|k| (up[k] + left[k]) / 2.0)))
        })
    }

    /// A point so far from the middle of the square.
    fn point(&self, from_middle: [f64; 3]) -> [f64; 3] {
        let (cell, out) = (vector(self.cell), vector(self.side.step()));
        [0, 1, 2].map(|k| cell[k] + out[k] / 2.0 + from_middle[k])
    }

    /// Along which edges the surface does not go on, a bit each: `goes_on` is asked about the cell beside and the cell above
    /// that.
    fn edges(&self, goes_on: impl Fn(Cell, Cell) -> bool) -> u8 {
        let ends = Turn::ALL.into_iter().filter(|turn| {
            let beside = self.cell + turn.up(self.side).step();
            !goes_on(beside, beside + self.side.step())
        });
        ends.map(|turn| 1 << turn as u8).sum()
    }

    fn paint(&self, out: &mut String, edges: u8, colour: Option<Colour>) {
        place(out, &shape(self.side, edges), self.point([0.0; 3]), colour);
    }

    /// The symbol of that number with its top where the turn says. How its plane is seen is a class of `viewer/style.css`,
    /// so that only the place in that plane is left to say: a step out of it is seen as one right and up, or the like.
    fn mark(&self, out: &mut String, symbol: usize, turn: Turn, ink: Option<Colour>) {
        let [[a, b], [c, d]] = self.axes(turn);
        let [x, y] = seen(self.point([0.0; 3]));
        let area = a * d - b * c;
        let place = [(d * x - c * y) / area, (a * y - b * x) / area];
        // The two inks are classes of `viewer/style.css`.
        let ink = ink.map(|ink| if ink == Colour::INK { " d" } else { " w" }).unwrap_or_default();
        let (side, turn) = (self.side as u8, turn as u8);
        let _ = write!(out, "<use href=\"#m{symbol}\" class=\"t{side}{turn}{ink}\"{}/>", attributes(place));
    }

    /// How a step to the right and one down are seen by who reads the square with its top there.
    fn axes(&self, turn: Turn) -> [[f64; 2]; 2] {
        [next(turn), turn].map(|turn| seen(vector(turn.up(self.side).step()).map(|c| -c)))
    }
}

/// A quarter turn counter-clockwise.
fn next(turn: Turn) -> Turn {
    Turn::ALL[(turn as usize + 1) % 4]
}

/// Isometric projection, y down.
fn seen([x, y, z]: [f64; 3]) -> [f64; 2] {
    [UNIT * (x + y) / 2f64.sqrt(), UNIT * (x - y - 2.0 * z) / 6f64.sqrt()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_sheet_turns_marks_as_the_projection_does() {
        assert!(include_str!("viewer/style.css").contains(&format!(".d {{ fill: {}; }}", Colour::INK)));
        for side in SEEN {
            for turn in Turn::ALL {
                let axes = Projected { cell: Cell::ZERO, side }.axes(turn).concat();
                let numbers: Vec<String> = axes.into_iter().map(|c| number(c, 2)).collect();
                let (side, numbers) = (format!(".t{}{}", side as u8, turn as u8), numbers.join(", "));
                let rule = format!("{side} {{ transform: matrix({numbers}, 0, 0); }}");
                assert!(include_str!("viewer/style.css").contains(&rule), "{rule}");
            }
        }
    }

    #[test]
    fn a_square_is_covered_where_every_ray_from_it_to_the_eye_meets_a_cell() {
        let cells = |bits: u32| (0..27).filter(move |k| bits >> k & 1 == 1).map(|k| Cell::new(k % 3, k / 3 % 3, k / 9));
        for bits in (1..1 << 27).step_by(1_048_573) {
            let filled: BTreeSet<Cell> = cells(bits).collect();
            for (cell, side) in cells(bits).flat_map(|cell| SEEN.map(|side| (cell, side))) {
                let square = Projected { cell, side };
                let axes = [Turn::ALL[0], Turn::ALL[1]].map(|turn| vector(turn.up(side).step()));
                // One point in each of the four quarters of the square that its diagonals make.
                let points = [[0.3, 0.0], [0.0, 0.3], [-0.3, 0.0], [0.0, -0.3]];
                let meets = |[u, v]: [f64; 2]| {
                    let from = square.point([0, 1, 2].map(|k| u * axes[0][k] + v * axes[1][k]));
                    (1..400).any(|step| {
                        let at = |k: usize| (from[k] + [1.0, -1.0, 1.0][k] * f64::from(step) * 0.01).round() as i32;
                        filled.contains(&Cell::new(at(0), at(1), at(2)))
                    })
                };
                assert_eq!(
                    is_covered(&Square { cell, side }, &filled, 2),
                    points.into_iter().all(meets),
                    "{bits} {cell:?}"
                );
            }
        }
    }
}
