//! Boundary representation -> `Solid` of the modelling crate and back. The only file that names that crate.
//!
//! The crate checks topology alone: a hole turned the wrong way passes. So [`Brep`] is checked before (gate.rs), and
//! what is read back is what meshes and files are made of. Its `new` panics where `try_new` does not.

use std::collections::HashMap;

use truck_modeling::{
    BSplineCurve, BSplineSurface, Curve as TruckCurve, Edge as TruckEdge, EdgeID, Face as TruckFace, KnotVec, Line,
    Plane, Point3, Shell, Surface as TruckSurface, Vertex, VertexID, Wire,
};

use super::brep::{Brep, Curve, Edge, Face, Surface, Use};
use super::vector::{Vector, add, cross, sub, unit};

/// A solid of the modelling crate.
pub type Solid = truck_modeling::Solid;

/// What the modelling crate said against a boundary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

/// The solid of this boundary: the same faces in the same order, with the same sharing.
pub fn solid(brep: &Brep) -> Result<Solid, Refusal> {
    build(brep).map_err(|error| Refusal(error.to_string()))
}

fn build(brep: &Brep) -> truck_modeling::Result<Solid> {
    let vertices: Vec<Vertex> = brep.vertices.iter().map(|&p| Vertex::new(point(p))).collect();
    let mut edges = Vec::with_capacity(brep.edges.len());
    for (number, edge) in brep.edges.iter().enumerate() {
        let [start, end] = edge.ends.map(|end| &vertices[end]);
        edges.push(TruckEdge::try_new(start, end, curve(&brep.points(number)))?);
    }
    let edge = |along: &Use| if along.forward { edges[along.edge].clone() } else { edges[along.edge].inverse() };
    let mut faces = Vec::with_capacity(brep.faces.len());
    for face in &brep.faces {
        let wires = face.loops.iter().map(|ring| ring.iter().map(edge).collect::<Wire>()).collect();
        faces.push(TruckFace::try_new(wires, surface(brep, face))?);
    }
    let shells = brep.shells.iter().map(|range| faces[range.clone()].iter().cloned().collect::<Shell>()).collect();
    Ok(Solid::try_new(shells)?)
}

/// The boundary of a solid: faces in the order of its shells, vertices and edges in the order of their first use.
/// `None` when it holds curves or surfaces that [`Brep`] has no word for.
pub fn boundary(solid: &Solid) -> Option<Brep> {
    let mut brep = Brep::default();
    let mut vertices: HashMap<VertexID, usize> = HashMap::new();
    let mut edges: HashMap<EdgeID, usize> = HashMap::new();
    for shell in solid.boundaries() {
        let first = brep.faces.len();
        for face in shell.face_iter() {
            // Faces are never turned over here, so that their loops can be read in place.
            if !face.orientation() {
                return None;
            }
            let mut loops = Vec::with_capacity(face.absolute_boundaries().len());
            for wire in face.absolute_boundaries() {
                let mut ring = Vec::with_capacity(wire.len());
                for edge in wire.edge_iter() {
                    let number = match edges.get(&edge.id()) {
                        Some(&number) => number,
                        None => {
                            let ends = [edge.absolute_front(), edge.absolute_back()].map(|vertex| {
                                *vertices.entry(vertex.id()).or_insert_with(|| brep.vertex(vector(vertex.point())))
                            });
                            brep.edges.push(Edge { ends, curve: read_curve(&edge.curve())? });
                            edges.insert(edge.id(), brep.edges.len() - 1);
                            brep.edges.len() - 1
                        }
                    };
                    ring.push(Use { edge: number, forward: edge.orientation() });
                }
                loops.push(ring);
            }
            brep.faces.push(Face { loops, surface: read_surface(&face.surface())? });
        }
        brep.shells.push(first..brep.faces.len());
    }
    Some(brep)
}

fn curve(points: &[Vector]) -> TruckCurve {
    match points {
        [start, end] => TruckCurve::Line(Line(point(*start), point(*end))),
        _ => TruckCurve::BSplineCurve(spline(points)),
    }
}

fn spline(points: &[Vector]) -> BSplineCurve<Point3> {
    // Cannot panic: a Bezier knot vector fits any number of control points from two up.
    BSplineCurve::new(KnotVec::bezier_knot(points.len() - 1), points.iter().map(|&p| point(p)).collect())
}

fn surface(brep: &Brep, face: &Face) -> TruckSurface {
    match face.surface {
        // Given explicitly: the crate's own search for a plane fails far from the origin.
        Surface::Plane { origin, x, y } => {
            TruckSurface::Plane(Plane::new(point(origin), point(add(origin, x)), point(add(origin, y))))
        }
        Surface::Extrusion { along } => {
            let base = brep.points(face.loops[0][0].edge);
            let moved: Vec<Vector> = base.iter().map(|&p| add(p, along)).collect();
            TruckSurface::BSplineSurface(BSplineSurface::homotopy(spline(&base), spline(&moved)))
        }
    }
}

fn read_curve(curve: &TruckCurve) -> Option<Curve> {
    match curve {
        TruckCurve::Line(_) => Some(Curve::Line),
        TruckCurve::BSplineCurve(spline) => match spline.control_points().as_slice() {
            [_, control, _] => Some(Curve::Quadratic(vector(*control))),
            [_, a, b, _] => Some(Curve::Cubic([vector(*a), vector(*b)])),
            _ => None,
        },
        _ => None,
    }
}

fn read_surface(surface: &TruckSurface) -> Option<Surface> {
    match surface {
        TruckSurface::Plane(plane) => {
            let (origin, x) = (vector(plane.origin()), unit(plane.u_axis().into()));
            let normal: Vector = plane.normal().into();
            Some(Surface::Plane { origin, x, y: cross(normal, x) })
        }
        TruckSurface::BSplineSurface(spline) => {
            let [start, end] = [spline.control_point(0, 0), spline.control_point(0, 1)].map(|&p| vector(p));
            Some(Surface::Extrusion { along: sub(end, start) })
        }
        _ => None,
    }
}

fn point([x, y, z]: Vector) -> Point3 {
    Point3::new(x, y, z)
}

fn vector(point: Point3) -> Vector {
    [point.x, point.y, point.z]
}
