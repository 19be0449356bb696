//! Outlines raised from or sunk into a planar face, nested to any depth.
//!
//! A region lies at a level, its distance outward from the face. A ring cuts a region out of the one around it and gives
//! it a level of its own, so that embossed, proud and engraved digits, panels, counters and what stands inside counters
//! are all the same thing.

use super::Role;
use super::brep::{Brep, Curve, Face, Surface, Use};
use super::vector::{Vector, add, scale, sub, unit};
use crate::glyph::Segment;

/// A closed outline and what is inside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ring {
    /// Counter-clockwise, in millimetres on the plane of the face; whatever is inside.
    pub contour: Vec<Segment>,
    /// Of the region inside: millimetres outward from the face.
    pub level: f64,
    /// What the region inside is for.
    pub role: Role,
    /// Rings within the region inside.
    pub inner: Vec<Ring>,
}

/// Where outlines stand in space: orthonormal, `x` cross `y` is `normal`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Where (0, 0) of the outlines comes to lie.
    pub origin: Vector,
    /// To the right of the outlines.
    pub x: Vector,
    /// Up.
    pub y: Vector,
    /// Out of the face.
    pub normal: Vector,
}

impl Frame {
    fn at(&self, [x, y]: [f64; 2], level: f64) -> Vector {
        add(add(self.origin, scale(self.normal, level)), add(scale(self.x, x), scale(self.y, y)))
    }
}

/// Builds what stands on a region at `level`: all faces but the region itself, whose new inner loops it gives back.
/// `roles` gains one role a face.
pub fn raise(
    brep: &mut Brep,
    roles: &mut Vec<Role>,
    frame: &Frame,
    level: f64,
    role: Role,
    rings: &[Ring],
) -> Vec<Vec<Use>> {
    let mut inner_loops = Vec::with_capacity(rings.len());
    for ring in rings {
        let base = outline(brep, frame, level, &ring.contour);
        let top = outline(brep, frame, ring.level, &ring.contour);
        let risers: Vec<Use> =
            (0..base.len()).map(|i| brep.edge(brep.start(base[i]), brep.start(top[i]), Curve::Line)).collect();
        let along = scale(frame.normal, ring.level - level);
        for i in 0..base.len() {
            let next = (i + 1) % base.len();
            let loops = vec![vec![base[i], risers[next], top[i].reversed(), risers[i].reversed()]];
            let surface = match brep.edges[base[i].edge].curve {
                Curve::Line => {
                    let origin = brep.vertices[brep.start(base[i])];
                    let x = unit(sub(brep.vertices[brep.end(base[i])], origin));
                    Surface::Plane { origin, x, y: unit(along) }
                }
                _ => Surface::Extrusion { along },
            };
            brep.faces.push(Face { loops, surface });
            roles.push(wall(role, level, ring));
        }
        let mut loops = vec![top];
        loops.extend(raise(brep, roles, frame, ring.level, ring.role, &ring.inner));
        let surface = Surface::Plane { origin: frame.at([0.0, 0.0], ring.level), x: frame.x, y: frame.y };
        brep.faces.push(Face { loops, surface });
        roles.push(ring.role);
        inner_loops.push(base.iter().rev().map(|along| along.reversed()).collect());
    }
    inner_loops
}

/// Walls of digits show the colour of the ink, also where a digit is cut in; other walls belong to what is higher.
fn wall(outside: Role, level: f64, ring: &Ring) -> Role {
    match (outside, ring.role) {
        (Role::Digit, _) | (_, Role::Digit) => Role::Digit,
        (outside, inside) => {
            if ring.level > level {
                inside
            } else {
                outside
            }
        }
    }
}

/// The edges of a contour at a level, in its order.
fn outline(brep: &mut Brep, frame: &Frame, level: f64, contour: &[Segment]) -> Vec<Use> {
    let corners: Vec<usize> = contour.iter().map(|s| brep.vertex(frame.at(s.points()[0], level))).collect();
    let edge = |(i, segment): (usize, &Segment)| {
        let curve = match *segment {
            Segment::Line(_) => Curve::Line,
            Segment::Quadratic([_, control, _]) => Curve::Quadratic(frame.at(control, level)),
            Segment::Cubic([_, a, b, _]) => Curve::Cubic([frame.at(a, level), frame.at(b, level)]),
        };
        brep.edge(corners[i], corners[(i + 1) % corners.len()], curve)
    };
    contour.iter().enumerate().map(edge).collect()
}
