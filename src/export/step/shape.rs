//! Boundary of a solid -> entities. Vertices, edges and curves are written once and shared by the faces that meet there;
//! points and directions are shared by all that have the same value.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::solid::brep::{Brep, Face, Surface, Use};
use crate::solid::vector::{Vector, cross, sub, unit};

use super::part21::{Id, List, Part21, Real, Text};

/// What shapes may share, by the bits of its value.
#[derive(Default)]
pub(super) struct Shapes {
    points: BTreeMap<[u64; 3], Id>,
    directions: BTreeMap<[u64; 3], Id>,
    vectors: BTreeMap<Id, Id>,
}

/// A solid that was written.
pub(super) struct Solid {
    pub(super) id: Id,
    /// One a face of the boundary, in its order.
    pub(super) faces: Vec<Id>,
}

/// An edge that was written, and the curve on which it lies.
struct Curved {
    edge: Id,
    curve: Id,
}

impl Shapes {
    /// Writes a solid; its first shell is the outer one, any other bounds a cavity.
    pub(super) fn solid(&mut self, file: &mut Part21, name: &str, brep: &Brep) -> Solid {
        let vertex = |&point: &Vector| {
            let point = self.point(file, point);
            file.add(format_args!("VERTEX_POINT('',{point})"))
        };
        let vertices: Vec<Id> = brep.vertices.iter().map(vertex).collect();
        let edges: Vec<Curved> = (0..brep.edges.len()).map(|edge| self.edge(file, brep, &vertices, edge)).collect();
        let faces: Vec<Id> = brep.faces.iter().map(|face| self.face(file, &edges, face)).collect();
        let shell = |range: &Range<usize>| file.add(format_args!("CLOSED_SHELL('',{})", List(&faces[range.clone()])));
        let shells: Vec<Id> = brep.shells.iter().map(shell).collect();
        let (outer, cavities) = shells.split_first().expect("a solid has an outer shell");
        let id = if cavities.is_empty() {
            file.add(format_args!("MANIFOLD_SOLID_BREP({},{outer})", Text(name)))
        } else {
            // The faces of a cavity look into it, away from the material, as the standard wants: the sense is .T.
            let void = |shell: &Id| file.add(format_args!("ORIENTED_CLOSED_SHELL('',*,{shell},.T.)"));
            let voids: Vec<Id> = cavities.iter().map(void).collect();
            file.add(format_args!("BREP_WITH_VOIDS({},{outer},{})", Text(name), List(&voids)))
        };
        Solid { id, faces }
    }

    /// A right-handed frame: its origin, its z axis, its x axis.
    pub(super) fn axes(&mut self, file: &mut Part21, origin: Vector, z: Vector, x: Vector) -> Id {
        let (origin, z, x) = (self.point(file, origin), self.direction(file, z), self.direction(file, x));
        file.add(format_args!("AXIS2_PLACEMENT_3D('',{origin},{z},{x})"))
    }

    fn edge(&mut self, file: &mut Part21, brep: &Brep, vertices: &[Id], edge: usize) -> Curved {
        let points = brep.points(edge);
        let curve = if let [start, end] = points[..] {
            let (start, along) = (self.point(file, start), self.vector(file, sub(end, start)));
            file.add(format_args!("LINE('',{start},{along})"))
        } else {
            let controls: Vec<Id> = points.iter().map(|&point| self.point(file, point)).collect();
            let degree = points.len() - 1;
            file.add(format_args!(
                "B_SPLINE_CURVE_WITH_KNOTS('',{degree},{},.UNSPECIFIED.,.F.,.F.,({ends},{ends}),(0.,1.),\
                 .UNSPECIFIED.)",
                List(&controls),
                ends = degree + 1
            ))
        };
        let [start, end] = brep.edges[edge].ends.map(|end| vertices[end]);
        Curved { edge: file.add(format_args!("EDGE_CURVE('',{start},{end},{curve},.T.)")), curve }
    }

    fn face(&mut self, file: &mut Part21, edges: &[Curved], face: &Face) -> Id {
        let surface = match face.surface {
            Surface::Plane { origin, x, y } => {
                let axes = self.axes(file, origin, cross(x, y), x);
                file.add(format_args!("PLANE('',{axes})"))
            }
            // The first edge is used forward, so the normal, curve cross sweep, looks out of the solid.
            Surface::Extrusion { along } => {
                let (curve, along) = (edges[face.loops[0][0].edge].curve, self.vector(file, along));
                file.add(format_args!("SURFACE_OF_LINEAR_EXTRUSION('',{curve},{along})"))
            }
        };
        let bound = |(i, edge_loop): (usize, &Vec<Use>)| {
            let side = |used: &Use| {
                let sense = if used.forward { 'T' } else { 'F' };
                file.add(format_args!("ORIENTED_EDGE('',*,*,{},.{sense}.)", edges[used.edge].edge))
            };
            let sides: Vec<Id> = edge_loop.iter().map(side).collect();
            let path = file.add(format_args!("EDGE_LOOP('',{})", List(&sides)));
            let kind = if i == 0 { "FACE_OUTER_BOUND" } else { "FACE_BOUND" };
            file.add(format_args!("{kind}('',{path},.T.)"))
        };
        let bounds: Vec<Id> = face.loops.iter().enumerate().map(bound).collect();
        file.add(format_args!("ADVANCED_FACE('',{},{surface},.T.)", List(&bounds)))
    }

    fn point(&mut self, file: &mut Part21, point: Vector) -> Id {
        let write = || file.add(format_args!("CARTESIAN_POINT('',{})", List(&point.map(Real))));
        *self.points.entry(bits(point)).or_insert_with(write)
    }

    fn direction(&mut self, file: &mut Part21, along: Vector) -> Id {
        let cosines = unit(along).map(|c| (c * COSINE).round() / COSINE);
        let write = || file.add(format_args!("DIRECTION('',{})", List(&cosines.map(Real))));
        *self.directions.entry(bits(cosines)).or_insert_with(write)
    }

    fn vector(&mut self, file: &mut Part21, along: Vector) -> Id {
        let direction = self.direction(file, along);
        *self.vectors.entry(direction).or_insert_with(|| file.add(format_args!("VECTOR('',{direction},1.)")))
    }
}

/// One over the step to which cosines are rounded, so that what is parallel is written once and as 1, not as
/// 0.9999999999999999. Over a metre the step is 1e-9 mm.
const COSINE: f64 = 1e12;

/// A value as a key; 0 and -0 are one.
fn bits(value: Vector) -> [u64; 3] {
    value.map(|c| (c + 0.0).to_bits())
}
