//! Boundary representation: what a solid is made of, as plain data. Built from shapes and outlines, handed to the
//! modelling crate, and read back from it by mesh and STEP.
//!
//! Faces are seen from outside: outer loops run counter-clockwise, inner loops clockwise. Edges and vertices are shared
//! by number, so that two faces that meet do so in the same edge.

use std::ops::Range;

use super::vector::{Vector, add, cross, dot, scale};

/// The boundary of a solid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Brep {
    /// Points in millimetres.
    pub vertices: Vec<Vector>,
    /// Curves between vertices.
    pub edges: Vec<Edge>,
    /// Faces, shell by shell.
    pub faces: Vec<Face>,
    /// The faces of each shell; the outer one first, then those of enclosed cavities.
    pub shells: Vec<Range<usize>>,
}

/// A curve from one vertex to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Numbers of the vertices where it starts and ends.
    pub ends: [usize; 2],
    /// How it runs between them.
    pub curve: Curve,
}

/// A Bezier curve, by the control points between its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Curve {
    /// Straight.
    Line,
    /// Of degree two.
    Quadratic(Vector),
    /// Of degree three.
    Cubic([Vector; 2]),
}

/// An edge as a loop runs along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The number of the edge.
    pub edge: usize,
    /// Whether the loop runs from its start to its end.
    pub forward: bool,
}

impl Use {
    /// The same edge the other way.
    pub fn reversed(self) -> Use {
        Use { forward: !self.forward, ..self }
    }
}

/// A part of a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// The outer loop, then the inner ones.
    pub loops: Vec<Vec<Use>>,
    /// What it is a part of.
    pub surface: Surface,
}

/// A surface whose normal points out of the solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Surface {
    /// The plane through `origin` along the unit vectors `x` and `y`; its normal is their cross product.
    Plane {
        /// A point of the plane.
        origin: Vector,
        /// The first direction.
        x: Vector,
        /// The second, at a right angle to it.
        y: Vector,
    },
    /// What the first edge of the loop, which is used forward, sweeps when it is moved by `along`. The loop is that
    /// edge, a riser, the moved edge backwards, a riser downwards.
    Extrusion {
        /// The way of the sweep and its length.
        along: Vector,
    },
}

impl Brep {
    /// The number of a new vertex.
    pub fn vertex(&mut self, point: Vector) -> usize {
        self.vertices.push(point);
        self.vertices.len() - 1
    }

    /// A new edge, used forward.
    pub fn edge(&mut self, start: usize, end: usize, curve: Curve) -> Use {
        self.edges.push(Edge { ends: [start, end], curve });
        Use { edge: self.edges.len() - 1, forward: true }
    }

    /// The vertex where a use of an edge begins.
    pub fn start(&self, along: Use) -> usize {
        self.edges[along.edge].ends[usize::from(!along.forward)]
    }

    /// The vertex where a use of an edge ends.
    pub fn end(&self, along: Use) -> usize {
        self.start(along.reversed())
    }

    /// Start, controls and end of an edge.
    pub fn points(&self, edge: usize) -> Vec<Vector> {
        let Edge { ends: [start, end], curve } = self.edges[edge];
        let (start, end) = (self.vertices[start], self.vertices[end]);
        match curve {
            Curve::Line => vec![start, end],
            Curve::Quadratic(control) => vec![start, control, end],
            Curve::Cubic([a, b]) => vec![start, a, b, end],
        }
    }

    /// The enclosed volume in cubic millimetres, exact up to rounding (divergence theorem).
    pub fn volume(&self) -> f64 {
        self.volume_by(|edge| swept(&self.points(edge)))
    }

    /// The enclosed volume, where `swept` tells of every edge the vector area that it sweeps about the origin.
    pub fn volume_by(&self, swept: impl Fn(usize) -> Vector) -> f64 {
        let areas: Vec<Vector> = (0..self.edges.len()).map(swept).collect();
        self.faces.iter().map(|face| self.share(face, &areas)).sum::<f64>() / 3.0
    }

    /// The integral of position times outward normal over a face.
    fn share(&self, face: &Face, areas: &[Vector]) -> f64 {
        let along = |u: &Use| scale(areas[u.edge], if u.forward { 1.0 } else { -1.0 });
        match face.surface {
            Surface::Plane { origin, .. } => dot(origin, face.loops.iter().flatten().map(along).fold([0.0; 3], add)),
            Surface::Extrusion { along: way } => 2.0 * dot(way, along(&face.loops[0][0])),
        }
    }

    /// The first edge that is not used exactly once each way, if any.
    pub fn open_edge(&self) -> Option<usize> {
        let mut uses = vec![[0u32; 2]; self.edges.len()];
        for along in self.faces.iter().flat_map(|face| face.loops.iter().flatten()) {
            uses[along.edge][usize::from(along.forward)] += 1;
        }
        uses.iter().position(|&both| both != [1, 1])
    }
}

/// The vector area that a Bezier curve sweeps about the origin: half the integral of position cross direction.
pub(super) fn swept(points: &[Vector]) -> Vector {
    let sum = |terms: &[(f64, usize, usize)], all: f64| {
        let term = |&(weight, i, j): &(f64, usize, usize)| scale(cross(points[i], points[j]), weight / all);
        terms.iter().map(term).fold([0.0; 3], add)
    };
    match points.len() {
        2 => sum(&[(1.0, 0, 1)], 2.0),
        3 => sum(&[(2.0, 0, 1), (1.0, 0, 2), (2.0, 1, 2)], 6.0),
        _ => sum(&[(6.0, 0, 1), (3.0, 0, 2), (1.0, 0, 3), (3.0, 1, 2), (3.0, 1, 3), (6.0, 2, 3)], 20.0),
    }
}

/// The point of a Bezier curve of degree 3 at most at `t` from 0 to 1.
pub(super) fn bezier<const N: usize>(points: &[[f64; N]], t: f64) -> [f64; N] {
    let mut between = [[0.0; N]; 4];
    between[..points.len()].copy_from_slice(points);
    for count in (1..points.len()).rev() {
        for i in 0..count {
            let [a, b] = [between[i], between[i + 1]];
            between[i] = std::array::from_fn(|k| a[k] + t * (b[k] - a[k]));
        }
    }
    between[0]
}

/// How many chords keep within `tolerance` of a Bezier curve.
pub(super) fn chords<const N: usize>(points: &[[f64; N]], tolerance: f64) -> usize {
    let bend = |w: &[[f64; N]]| (0..N).map(|k| (w[0][k] - 2.0 * w[1][k] + w[2][k]).powi(2)).sum::<f64>().sqrt();
    let most = points.windows(3).map(bend).fold(0.0, f64::max);
    // Second derivative: degree (degree - 1) times the bend; a chord of 1/n is off by at most an eighth of it / n^2.
    let degree = points.len().saturating_sub(1);
    let square = (degree * degree.saturating_sub(1)) as f64 * most / (8.0 * tolerance);
    (square.sqrt() - 1e-9).ceil().max(1.0) as usize
}

#[cfg(test)]
mod tests {
    use super::super::vector::sub;
    use super::*;

    #[test]
    fn a_curve_sweeps_what_its_chords_do_in_the_limit() {
        let curves: [&[Vector]; 3] = [
            &[[1.0, 2.0, 3.0], [4.0, -1.0, 0.5]],
            &[[1.0, 2.0, 3.0], [4.0, -1.0, 0.5], [0.0, 7.0, 1.0]],
            &[[1.0, 2.0, 3.0], [4.0, -1.0, 0.5], [0.0, 7.0, 1.0], [-3.0, 0.0, 2.0]],
        ];
        for points in curves {
            let n = 20_000;
            let at: Vec<Vector> = (0..=n).map(|i| bezier(points, f64::from(i) / f64::from(n))).collect();
            let sum = at.windows(2).map(swept).fold([0.0; 3], add);
            assert!(sub(sum, swept(points)).iter().all(|d| d.abs() < 1e-6));
        }
    }
}
