//! Any set of cells with clearance and bevel: planar faces with shared vertices, and the exact volume.
//!
//! What is left by the clearance (erosion.rs) has only five kinds of vertex: the solid boxes around one are closed under
//! leaving gaps out. By their convex (x) and concave (v) edges: 3x, 2x1v, 1x2v, 3v and 3x3v. A single cell is no special
//! case.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::dims::Dims;
use super::erosion::{Corner, Grid, Node, Patch, moved, step, turn};
use super::groups::Groups;
use super::vector::{Vector, add, cross, dot, sub};
use crate::puzzle::grid::{Cell, Shape, Side, Square};

/// The faces of a polycube.
///
/// # Guarantees
/// Every two points that follow each other in a loop do so in one other loop, the other way round.
#[derive(Clone, Debug, PartialEq)]
pub struct Polycube {
    /// In millimetres; the centre of cell `c` is at pitch times `c`.
    pub points: Vec<Vector>,
    /// Shell by shell, the outer one first, then enclosed cavities.
    pub faces: Vec<Polygon>,
    /// How many faces each shell has.
    pub shells: Vec<usize>,
    /// The face in which each exposed square lies.
    pub squares: BTreeMap<Square, usize>,
    /// In cubic millimetres, by formula.
    pub volume: f64,
}

/// A planar face.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    /// Numbers of points: the outer loop counter-clockwise as seen from outside, then inner loops clockwise.
    pub loops: Vec<Vec<usize>>,
    /// Perpendicular, outward, of any length.
    pub normal: [i32; 3],
}

/// Why a shape cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolycubeError {
    /// The cells do not hang together by whole faces.
    Disconnected {
        /// A cell.
        cell: Cell,
        /// One that cannot be reached from it.
        apart: Cell,
    },
    /// Without an inset, two parts touch only along an edge or at a corner.
    Touching(Cell),
    /// Without a bevel, a face touches itself at a corner.
    Pinched(Cell),
    /// Without an inset, an edge turns from convex to concave at a corner, where no chamfer can follow.
    Twisted(Cell),
}

impl fmt::Display for PolycubeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |cell: &Cell| format!("{} {} {}", cell.x, cell.y, cell.z);
        match self {
            PolycubeError::Disconnected { cell, apart } => {
                write!(f, "cells {} and {} do not hang together by whole faces", at(cell), at(apart))
            }
            PolycubeError::Touching(cell) => write!(
                f,
                "with inset 0, cells near {} touch only along an edge or at a corner: use an inset of at least 0.001 mm",
                at(cell)
            ),
            PolycubeError::Pinched(cell) => write!(
                f,
                "with bevel 0, a face near cell {} touches itself at a corner: use a bevel of at least 0.001 mm",
                at(cell)
            ),
            PolycubeError::Twisted(cell) => write!(
                f,
                "with inset 0, an edge near cell {} turns from outer to inner, where no bevel can follow: use an inset of at least 0.001 mm, or bevel 0",
                at(cell)
            ),
        }
    }
}

impl std::error::Error for PolycubeError {}

impl Polycube {
    /// The shape with the clearance and the bevel of `dims`.
    pub fn build(shape: &Shape, dims: &Dims) -> Result<Polycube, PolycubeError> {
        if let [one, other, ..] = shape.components().as_slice() {
            return Err(PolycubeError::Disconnected { cell: one[0], apart: other[0] });
        }
        let grid = Grid::erode(shape, dims);
        let patches = grid.patches()?;
        let kinds = Kinds::of(&patches);
        if let Some((&vertex, _)) = kinds.at.iter().find(|(_, kind)| kind.is_pinched()) {
            return Err(PolycubeError::Touching(grid.cell(vertex)));
        }
        if let Some((&vertex, _)) = kinds.at.iter().find(|(_, kind)| dims.bevel() > 0.0 && kind.is_twisted()) {
            return Err(PolycubeError::Twisted(grid.cell(vertex)));
        }

        let mut points = Points { grid: &grid, bevel: dims.bevel(), numbers: BTreeMap::new(), points: Vec::new() };
        let mut chamfers: BTreeMap<[Node; 2], Vec<Bevelled>> = BTreeMap::new();
        let mut faces = Vec::new();
        let mut squares = BTreeMap::new();
        for (index, patch) in patches.iter().enumerate() {
            let normal = step(patch.side);
            let mut loops = Vec::new();
            for corners in &patch.loops {
                let ends: Vec<[usize; 2]> = corners.iter().map(|c| points.corner(c, normal, &kinds)).collect();
                for (i, corner) in corners.iter().enumerate().filter(|(_, corner)| corner.out_convex) {
                    let next = (i + 1) % corners.len();
                    let (from, to) = (corner.vertex, corners[next].vertex);
                    let strip = Bevelled { from, start: ends[i][1], end: ends[next][0], normal };
                    chamfers.entry([from.min(to), from.max(to)]).or_default().push(strip);
                }
                let mut numbers: Vec<usize> = ends.into_iter().flatten().collect();
                numbers.dedup();
                loops.push(numbers);
            }
            let mut seen = BTreeSet::new();
            if let Some(twice) = loops.iter().flatten().find(|&&point| !seen.insert(point)) {
                return Err(PolycubeError::Pinched(grid.cell(points.vertex(*twice))));
            }
            let area = |numbers: &Vec<usize>| signed_area(&points.points, numbers, normal);
            loops.sort_by(|a, b| area(b).total_cmp(&area(a)));
            faces.push(Polygon { loops, normal });
            squares.extend(patch.boxes.iter().filter_map(|&b| Some((grid.square(b, patch.side)?, index))));
        }
        let volume = grid.volume() - chamfered_away(&grid, &chamfers, &kinds, dims.bevel());
        if dims.bevel() > 0.0 {
            for ([a, b], strips) in &chamfers {
                let [one, other] = [&strips[0], &strips[1]];
                let mut numbers = vec![one.end, one.start];
                numbers.extend(points.meeting(one.from, &kinds));
                numbers.extend([other.end, other.start]);
                numbers.extend(points.meeting(other.from, &kinds));
                debug_assert!(one.from != other.from && [*a, *b].contains(&one.from));
                let normal = std::array::from_fn(|k| one.normal[k] + other.normal[k]);
                faces.push(Polygon { loops: vec![numbers], normal });
            }
        }
        let mut polycube = Polycube { points: points.points, faces, shells: Vec::new(), squares, volume };
        polycube.sort_into_shells();
        Ok(polycube)
    }

    /// Faces that share a point belong to one shell; the outer shell is the one with the point farthest left.
    fn sort_into_shells(&mut self) {
        let mut shells = Groups::new(self.points.len());
        for face in &self.faces {
            face.loops.iter().flatten().for_each(|&point| shells.join(face.loops[0][0], point));
        }
        let of_face: Vec<usize> = self.faces.iter().map(|face| shells.of(face.loops[0][0])).collect();
        let left = (0..self.points.len()).min_by(|&a, &b| self.points[a][0].total_cmp(&self.points[b][0]));
        let outer = left.map(|point| shells.of(point));
        let mut order: Vec<usize> = (0..self.faces.len()).collect();
        let first_face = |shell: usize| of_face.iter().position(|&s| s == shell);
        order.sort_by_key(|&face| (Some(of_face[face]) != outer, first_face(of_face[face]), face));
        self.shells = order.chunk_by(|&a, &b| of_face[a] == of_face[b]).map(<[usize]>::len).collect();
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(to, &from)| place[from] = to);
        self.faces = order.iter().map(|&face| self.faces[face].clone()).collect();
        self.squares.values_mut().for_each(|face| *face = place[*face]);
    }
}

/// One of the two faces along a convex edge: the edge from the vertex `from`, moved inwards.
struct Bevelled {
    from: Node,
    start: usize,
    end: usize,
    normal: [i32; 3],
}

/// What meets at each vertex.
struct Kinds {
    at: BTreeMap<Node, Kind>,
}

#[derive(Clone, Copy, Default)]
struct Kind {
    convex: u8,
    concave: u8,
    /// The sum of the distinct normals of the faces.
    normals: [i32; 3],
}

impl Kind {
    /// Of the vertices with more than four edges only the tripod is one of a single surface.
    fn is_pinched(self) -> bool {
        self.convex + self.concave > 4 && (self.convex, self.concave) != (3, 3)
    }

    fn is_twisted(self) -> bool {
        !matches!((self.convex, self.concave), (3, 0) | (2, 1) | (1, 2) | (0, 3) | (3, 3))
    }

    /// Whether three chamfers meet in a point of their own.
    fn has_meeting(self) -> bool {
        self.convex == 3
    }
}

impl Kinds {
    fn of(patches: &[Patch]) -> Kinds {
        let mut at: BTreeMap<Node, Kind> = BTreeMap::new();
        let mut sides: BTreeSet<(Node, Side)> = BTreeSet::new();
        for patch in patches {
            for corner in patch.loops.iter().flatten() {
                // Of the two faces along an edge, one loop leaves the vertex by it and the other arrives.
                let kind = at.entry(corner.vertex).or_default();
                *(if corner.out_convex { &mut kind.convex } else { &mut kind.concave }) += 1;
                if sides.insert((corner.vertex, patch.side)) {
                    kind.normals = moved(kind.normals, step(patch.side));
                }
            }
        }
        Kinds { at }
    }
}

/// Points by the vertex that they belong to and their way from it in half bevels: so they are shared exactly.
struct Points<'a> {
    grid: &'a Grid,
    bevel: f64,
    numbers: BTreeMap<(Node, [i32; 3]), usize>,
    points: Vec<Vector>,
}

impl Points<'_> {
    fn number(&mut self, vertex: Node, half_bevels: [i32; 3]) -> usize {
        let half_bevels = if self.bevel > 0.0 { half_bevels } else { [0; 3] };
        let at = |k: usize| self.grid.plane(vertex[k]) + f64::from(half_bevels[k]) * self.bevel / 2.0;
        *self.numbers.entry((vertex, half_bevels)).or_insert_with(|| {
            self.points.push([at(0), at(1), at(2)]);
            self.points.len() - 1
        })
    }

    /// Where a face ends its edge into a corner, and where it begins the edge out of it: most often the same point.
    fn corner(&mut self, corner: &Corner, normal: [i32; 3], kinds: &Kinds) -> [usize; 2] {
        let inward = |way, convex: bool| turn(normal, way).map(|k| if convex { 2 * k } else { 0 });
        let stands_on_it = !corner.in_convex && !corner.out_convex && kinds.at[&corner.vertex].convex > 0;
        if stands_on_it {
            // A bevelled edge rises from this corner: the face shows at its foot, which cuts the corner off.
            let back = corner.way_in.map(|k| -2 * k);
            let on = corner.way_out.map(|k| 2 * k);
            return [self.number(corner.vertex, back), self.number(corner.vertex, on)];
        }
        let both = moved(inward(corner.way_in, corner.in_convex), inward(corner.way_out, corner.out_convex));
        [self.number(corner.vertex, both); 2]
    }

    /// The vertex that a point belongs to.
    fn vertex(&self, number: usize) -> Node {
        let found = self.numbers.iter().find(|&(_, &point)| point == number);
        found.expect("every point is numbered by its vertex").0.0
    }

    /// The point where three chamfers meet, if they do at this vertex.
    fn meeting(&mut self, vertex: Node, kinds: &Kinds) -> Option<usize> {
        let kind = kinds.at[&vertex];
        kind.has_meeting().then(|| self.number(vertex, kind.normals.map(|k| -k)))
    }
}

/// The volume that the chamfers take: half the square of the bevel along each convex edge, corrected where they meet.
fn chamfered_away(grid: &Grid, chamfers: &BTreeMap<[Node; 2], Vec<Bevelled>>, kinds: &Kinds, bevel: f64) -> f64 {
    let length = |ends: &[Node; 2]| -> f64 { (0..3).map(|k| grid.plane(ends[1][k]) - grid.plane(ends[0][k])).sum() };
    let edges: f64 = chamfers.keys().map(|ends| length(ends).abs()).sum();
    let corner = |kind: &Kind| match (kind.convex, kind.concave) {
        (3, 0) => 3.0 / 4.0,
        (2, 1) => -1.0 / 3.0,
        (3, 3) => -1.0 / 4.0,
        _ => 0.0,
    };
    let corners: f64 = kinds.at.values().map(corner).sum();
    edges * bevel.powi(2) / 2.0 - corners * bevel.powi(3)
}

fn signed_area(points: &[Vector], numbers: &[usize], normal: [i32; 3]) -> f64 {
    let origin = points[numbers[0]];
    let at = |i: usize| sub(points[numbers[i % numbers.len()]], origin);
    let sum = (0..numbers.len()).map(|i| cross(at(i), at(i + 1))).fold([0.0; 3], add);
    dot(sum, normal.map(f64::from)) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::settings::{Length, Settings};

    fn dims(pitch: i32, inset: i32, bevel: i32) -> Dims {
        let length = |micrometres| Some(Length::of_micrometres(micrometres));
        let settings = Settings { inset: length(inset), bevel: length(bevel), ..Settings::default() };
        Dims::resolve(&settings, Length::of_micrometres(pitch)).expect("sizes that work")
    }

    fn shape(cells: &[[i32; 3]]) -> Shape {
        Shape::new(cells.iter().map(|&[x, y, z]| Cell::new(x, y, z))).expect("cells")
    }

    #[test]
    fn a_chamfered_cube_has_26_faces_and_the_volume_that_one_works_out_by_hand() {
        // 20^3 - 12 edges of 20 x 1/2, each corner counted three times: + 8 x 3/4.
        let cube = Polycube::build(&Shape::cube(), &dims(20_000, 0, 1_000)).expect("a cube");
        assert!((cube.volume - 7886.0).abs() < 1e-9, "{}", cube.volume);
        assert_eq!((cube.faces.len(), cube.points.len(), cube.shells.as_slice()), (18, 32, &[18][..]));
        let sharp = Polycube::build(&Shape::cube(), &dims(20_000, 100, 0)).expect("a cube");
        assert_eq!((sharp.faces.len(), sharp.points.len()), (6, 8));
        assert!((sharp.volume - 19.8f64.powi(3)).abs() < 1e-9);
    }

    #[test]
    fn without_an_inset_cells_that_touch_along_an_edge_are_refused() {
        let corner = shape(&[[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1]]);
        assert!(Polycube::build(&corner, &dims(20_000, 1, 600)).is_ok());
        let error = Polycube::build(&corner, &dims(20_000, 0, 600)).expect_err("two cells touch along an edge");
        assert!(matches!(error, PolycubeError::Touching(_)), "{error}");
        let screw = shape(&[[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]);
        let error = Polycube::build(&screw, &dims(20_000, 0, 600)).expect_err("the screw twists");
        assert!(matches!(error, PolycubeError::Twisted(_)), "{error}");
        assert!(Polycube::build(&screw, &dims(20_000, 0, 0)).is_ok());
        let apart = shape(&[[0, 0, 0], [2, 0, 0]]);
        let error = Polycube::build(&apart, &dims(20_000, 100, 600)).expect_err("two parts");
        assert_eq!(error, PolycubeError::Disconnected { cell: Cell::ZERO, apart: Cell::new(2, 0, 0) });
    }
}
