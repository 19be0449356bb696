//! Where the name of a piece stands: in the middle of its largest flat face, over several squares where there are some.

use std::collections::BTreeSet;

use super::bed::down_side;
use super::dims::Dims;
use super::relief::Frame;
use super::vector::{Vector, add, cross, scale, vector};
use crate::puzzle::grid::{Side, Square, Turn};
use crate::puzzle::piece::Piece;

/// A rectangle of squares of one flat face, as a reader sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The squares in its lower left and upper right corners.
    corners: [Square; 2],
    /// How the name is turned.
    turn: Turn,
    /// How many squares it is wide and high.
    size: [i32; 2],
}

impl Field {
    /// On the face with the most squares of those that do not lie on the bed of the printer: the largest rectangle, best
    /// one that is wide, best near the middle of the face.
    pub fn of(piece: &Piece) -> Field {
        let down = down_side(piece, |_| 0);
        let faces = faces(piece);
        let rank = |face: &&Vec<Square>| (face[0].side != down, face.len(), face[0].side == down.opposite());
        // The last of equals would be taken, so that the first is looked at last.
        let face = faces.iter().rev().max_by_key(rank).expect("a piece has faces");
        let fields = [Turn::Upright, Turn::Left].into_iter().flat_map(|turn| rectangles(face, turn));
        let off_middle = |field: &Field| (0..3).map(|k| field.off(face, k)).sum::<i32>();
        let rank = |field: &Field| {
            let [width, height] = field.size;
            (-width * height, -width, off_middle(field), field.turn, field.corners)
        };
        fields.min_by_key(rank).expect("a square is a rectangle")
    }

    /// One of its squares.
    pub fn square(&self) -> Square {
        self.corners[0]
    }

    /// Half its width and height, as far as a name may reach, in millimetres.
    pub fn half(&self, dims: &Dims) -> [f64; 2] {
        self.size.map(|squares| f64::from(squares - 1) * dims.pitch() / 2.0 + dims.field())
    }

    /// Its middle, with the top of the name up.
    pub fn frame(&self, dims: &Dims) -> Frame {
        let [low, high] = self.corners.map(|square| vector(square.cell));
        let (normal, y) = (vector(self.square().side.step()), vector(self.turn.up(self.square().side).step()));
        let middle: Vector = scale(add(low, high), dims.pitch() / 2.0);
        Frame { origin: add(middle, scale(normal, dims.core() / 2.0)), x: cross(y, normal), y, normal }
    }

    /// How far it is off the middle of a face along an axis, in parts that are the same for all fields of the face.
    fn off(&self, face: &[Square], axis: usize) -> i32 {
        let along = |square: &Square| square.cell.along(axis);
        let all: i32 = face.iter().map(along).sum();
        (face.len() as i32 * (along(&self.corners[0]) + along(&self.corners[1])) - 2 * all).abs()
    }
}

/// The flat faces of a piece: exposed squares of one plane that hang together.
fn faces(piece: &Piece) -> Vec<Vec<Square>> {
    let mut left: BTreeSet<Square> = piece.shape.exposed().collect();
    let mut faces = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut face = vec![first];
        let mut next = 0;
        while next < face.len() {
            let Square { cell, side } = face[next];
            next += 1;
            for step in Side::ALL.into_iter().filter(|step| step.axis() != side.axis()) {
                face.extend(left.take(&Square { cell: cell + step.step(), side }));
            }
        }
        face.sort_unstable();
        faces.push(face);
    }
    faces
}

/// All rectangles of squares of a face, for names turned so.
fn rectangles(face: &[Square], turn: Turn) -> Vec<Field> {
    let side = face[0].side;
    let up = turn.up(side);
    let right =
        Side::ALL.into_iter().find(|right| cross(vector(up.step()), vector(side.step())) == vector(right.step()));
    let right = right.expect("the right of a face is a side");
    let squares: BTreeSet<Square> = face.iter().copied().collect();
    let all_there = |low: Square, width: i32, height: i32| {
        let at = |column: i32, row: i32| {
            let (mut cell, steps) = (low.cell, [(right, column), (up, row)]);
            steps.into_iter().for_each(|(way, count)| (0..count).for_each(|_| cell = cell + way.step()));
            Square { cell, side }
        };
        let is_whole = (0..width).all(|column| (0..height).all(|row| squares.contains(&at(column, row))));
        is_whole.then(|| Field { corners: [low, at(width - 1, height - 1)], turn, size: [width, height] })
    };
    let mut fields = Vec::new();
    for &low in face {
        // A rectangle that is not whole is not whole with more columns or rows either.
        for height in (1..).take_while(|&height| all_there(low, 1, height).is_some()) {
            fields.extend((1..).map_while(|width| all_there(low, width, height)));
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::grid::Cell;
    use crate::puzzle::parse::parse;

    fn field(layers: &str) -> (Side, [i32; 2], Turn, [i32; 3]) {
        let text = format!(
            "cubewright = 1\nname = \"n\"\n[target]\nbox = [9, 9, 9]\n[[piece]]\nname = \"p\"\nlayers = {layers}\n\
             [[piece]]\nname = \"u\"\nlayers = [\"X\"]\ncount = [1, 800]\n"
        );
        let puzzle = parse(&text).expect("a puzzle");
        let Field { corners: [low, high], turn, size } = Field::of(&puzzle.pieces[0]);
        let Cell { x, y, z } = low.cell + high.cell;
        (low.side, size, turn, [x, y, z])
    }

    #[test]
    fn names_stand_on_the_largest_face_that_is_not_on_the_bed() {
        // The sum of the corners is twice the middle.
        assert_eq!(field("[\"X\"]"), (Side::Top, [1, 1], Turn::Upright, [0, 0, 0]));
        assert_eq!(field("[\"XXXXX\"]"), (Side::Top, [5, 1], Turn::Upright, [4, 0, 0]));
        assert_eq!(field("[\"X/X/X\"]"), (Side::Top, [3, 1], Turn::Left, [0, 2, 0]));
        assert_eq!(field("[\".X./XXX/.X.\"]"), (Side::Top, [3, 1], Turn::Upright, [2, 2, 0]));
        assert_eq!(field("[\"XX./XX./XXX\"]"), (Side::Top, [3, 2], Turn::Left, [1, 2, 0]));
        // It lies on five squares and has five at the back.
        assert_eq!(field("[\"XXX/X.X\", \"X.X/...\"]"), (Side::Back, [3, 1], Turn::Upright, [2, 2, 0]));
    }
}
