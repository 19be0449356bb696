//! Boundary -> triangles. Every edge is sampled once and its points are shared by both faces, and coordinates become
//! f32 once a vertex: so the mesh is closed by construction, also in a file of f32. The only file that names the
//! triangulation crate.

use std::collections::VecDeque;
use std::fmt;

use spade::handles::FixedFaceHandle;
use spade::{ConstrainedDelaunayTriangulation, HasPosition, Point2, Triangulation};

use super::Role;
use super::brep::{Brep, Surface, Use, bezier, chords, swept};
use super::groups::Groups;
use super::vector::{Vector, add, cross, dot, sub};

/// Triangles that enclose a solid.
///
/// # Guarantees
/// When made by [`Mesh::of`]: no two vertices are equal, and every edge of a triangle is one of exactly one other, the
/// other way round. Triangles run counter-clockwise as seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// In millimetres.
    pub vertices: Vec<[f32; 3]>,
    /// Numbers of vertices.
    pub triangles: Vec<[u32; 3]>,
    /// What each triangle is for.
    pub roles: Vec<Role>,
}

/// What can be said of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// How many.
    pub triangles: usize,
    /// Whether every edge is used exactly once each way.
    pub closed: bool,
    /// Parts that hang together by vertices.
    pub shells: usize,
    /// Enclosed, in cubic millimetres.
    pub volume: f64,
    /// The least and the greatest coordinates.
    pub bounds: [[f32; 3]; 2],
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let closed = if self.closed { "closed" } else { "not closed" };
        let plural = if self.shells == 1 { "" } else { "s" };
        write!(f, "{} triangles, {closed}, {} shell{plural}, {:.3} mm3", self.triangles, self.shells, self.volume)
    }
}

/// Why a boundary cannot be meshed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshError {
    /// The loops of this face cross, or lie outside each other.
    Loops(usize),
    /// Two vertices become one when rounded.
    Collapse,
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshError::Loops(face) => write!(
                f,
                "outlines on face {face} are nearer to each other than the tolerance: use a finer one, or another font"
            ),
            MeshError::Collapse => {
                write!(f, "two points fall together: use a smaller pitch, or a larger inset or bevel")
            }
        }
    }
}

impl std::error::Error for MeshError {}

impl Mesh {
    /// The mesh of a boundary; `roles` are those of its faces, `tolerance` is in millimetres.
    pub fn of(brep: &Brep, roles: &[Role], tolerance: f64) -> Result<Mesh, MeshError> {
        let samples = Samples::of(brep, tolerance);
        let mut mesh = Mesh { vertices: samples.vertices.clone(), ..Mesh::default() };
        if !are_distinct(&mesh.vertices) {
            return Err(MeshError::Collapse);
        }
        for (number, (face, &role)) in brep.faces.iter().zip(roles).enumerate() {
            let loops: Vec<Vec<u32>> = face.loops.iter().map(|ring| samples.ring(brep, ring)).collect();
            match face.surface {
                Surface::Extrusion { .. } => {
                    mesh.triangles.extend(strip(&loops[0], samples.counts[face.loops[0][0].edge]));
                }
                Surface::Plane { x, y, .. } => {
                    let flat = |&i: &u32| {
                        let point = mesh.vertices[i as usize].map(f64::from);
                        [dot(point, x), dot(point, y)]
                    };
                    let points: Vec<Vec<[f64; 2]>> = loops.iter().map(|ring| ring.iter().map(flat).collect()).collect();
                    let triangles = fill(&loops, &points).ok_or(MeshError::Loops(number))?;
                    mesh.triangles.extend(triangles);
                }
            }
            mesh.roles.resize(mesh.triangles.len(), role);
        }
        Ok(mesh)
    }

    /// What can be said of it.
    pub fn facts(&self) -> Facts {
        let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        for vertex in &self.vertices {
            for k in 0..3 {
                bounds[0][k] = bounds[0][k].min(vertex[k]);
                bounds[1][k] = bounds[1][k].max(vertex[k]);
            }
        }
        let (closed, shells) = (self.is_closed(), self.shells());
        Facts { triangles: self.triangles.len(), closed, shells, volume: self.volume(), bounds }
    }

    fn volume(&self) -> f64 {
        let Some(origin) = self.vertices.first().map(|v| v.map(f64::from)) else { return 0.0 };
        let six_fold = |&[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|i| sub(self.vertices[i as usize].map(f64::from), origin));
            dot(a, cross(b, c))
        };
        self.triangles.iter().map(six_fold).sum::<f64>() / 6.0
    }

    fn is_closed(&self) -> bool {
        // The two uses of an edge get numbers that differ in the last bit alone.
        let key = |a: u32, b: u32| u64::from(a.min(b)) << 33 | u64::from(a.max(b)) << 1 | u64::from(a < b);
        let sides = self.triangles.iter().flat_map(|&[a, b, c]| [key(a, b), key(b, c), key(c, a)]);
        let mut sides: Vec<u64> = sides.collect();
        sides.sort_unstable();
        let (pairs, rest) = sides.as_chunks::<2>();
        let is_pair = |&[one, other]: &[u64; 2]| one % 2 == 0 && one + 1 == other;
        rest.is_empty() && pairs.iter().all(is_pair) && pairs.windows(2).all(|two| two[0] != two[1])
    }

    fn shells(&self) -> usize {
        let mut groups = Groups::new(self.vertices.len());
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|i| i as usize);
            groups.join(a, b);
            groups.join(b, c);
        }
        groups.count()
    }
}

/// The volume of a boundary when every curve is replaced by the chords that [`Mesh::of`] takes: what the mesh must
/// enclose, found without its triangles.
pub fn chorded_volume(brep: &Brep, tolerance: f64) -> f64 {
    let counts = counts(brep, tolerance);
    brep.volume_by(|edge| {
        let points = brep.points(edge);
        let at: Vec<Vector> = (0..=counts[edge]).map(|i| bezier(&points, i as f64 / counts[edge] as f64)).collect();
        at.windows(2).map(swept).fold([0.0; 3], add)
    })
}

/// How many chords each edge gets. A wall has the same number at its base and at its top, also where rounding differs.
fn counts(brep: &Brep, tolerance: f64) -> Vec<usize> {
    let mut counts: Vec<usize> = (0..brep.edges.len()).map(|edge| chords(&brep.points(edge), tolerance)).collect();
    for face in brep.faces.iter().filter(|face| matches!(face.surface, Surface::Extrusion { .. })) {
        let [base, top] = [face.loops[0][0].edge, face.loops[0][2].edge];
        let most = counts[base].max(counts[top]);
        (counts[base], counts[top]) = (most, most);
    }
    counts
}

/// The points on all edges.
struct Samples {
    vertices: Vec<[f32; 3]>,
    counts: Vec<usize>,
    /// The number of the first point inside each edge.
    inside: Vec<u32>,
}

impl Samples {
    fn of(brep: &Brep, tolerance: f64) -> Samples {
        let counts = counts(brep, tolerance);
        // Adding 0 makes -0 into 0, so that equal coordinates have equal bits.
        let round = |point: Vector| point.map(|k| k as f32 + 0.0);
        let mut vertices: Vec<[f32; 3]> = brep.vertices.iter().map(|&point| round(point)).collect();
        let mut inside = Vec::with_capacity(counts.len());
        for (edge, &count) in counts.iter().enumerate() {
            inside.push(vertices.len() as u32);
            if count > 1 {
                let points = brep.points(edge);
                vertices.extend((1..count).map(|i| round(bezier(&points, i as f64 / count as f64))));
            }
        }
        Samples { vertices, counts, inside }
    }

    /// The vertices of a loop.
    fn ring(&self, brep: &Brep, ring: &[Use]) -> Vec<u32> {
        let mut numbers = Vec::new();
        for &along in ring {
            numbers.push(brep.start(along) as u32);
            let inner = (0..self.counts[along.edge] as u32 - 1).map(|i| self.inside[along.edge] + i);
            if along.forward { numbers.extend(inner) } else { numbers.extend(inner.rev()) }
        }
        numbers
    }
}

/// The triangles of a wall: `count` chords, up, `count` chords back, down.
fn strip(ring: &[u32], count: usize) -> impl Iterator<Item = [u32; 3]> + '_ {
    let top = move |i: usize| ring[(2 * count + 1 - i) % ring.len()];
    (0..count).flat_map(move |i| [[ring[i], ring[i + 1], top(i + 1)], [ring[i], top(i + 1), top(i)]])
}

/// The triangles of a planar face; `None` when its loops cross or lie outside each other.
fn fill(loops: &[Vec<u32>], points: &[Vec<[f64; 2]>]) -> Option<Vec<[u32; 3]>> {
    if let ([ring], [polygon]) = (loops, points)
        && is_convex(polygon)
    {
        return Some((1..ring.len() - 1).map(|i| [ring[0], ring[i], ring[i + 1]]).collect());
    }
    let area: f64 = points.iter().map(|polygon| signed_area(polygon)).sum();
    let (triangles, filled) = triangulate(loops, points)?;
    let is_turned_right = points.iter().enumerate().all(|(i, polygon)| (signed_area(polygon) > 0.0) == (i == 0));
    (is_turned_right && (filled - area).abs() <= 1e-9 * area).then_some(triangles)
}

/// A point of a face, with its number in the mesh.
#[derive(Clone, Copy)]
struct Corner {
    position: Point2<f64>,
    number: u32,
}

impl HasPosition for Corner {
    type Scalar = f64;
    fn position(&self) -> Point2<f64> {
        self.position
    }
}

/// Triangles and their area.
fn triangulate(loops: &[Vec<u32>], points: &[Vec<[f64; 2]>]) -> Option<(Vec<[u32; 3]>, f64)> {
    let corners = loops.iter().flatten().zip(points.iter().flatten());
    let corners = corners.map(|(&number, &[x, y])| Corner { position: Point2::new(x, y), number }).collect();
    let mut edges = Vec::new();
    let mut first = 0;
    for ring in loops {
        edges.extend((0..ring.len()).map(|i| [first + i, first + (i + 1) % ring.len()]));
        first += ring.len();
    }
    let mut conflicts = false;
    let net =
        ConstrainedDelaunayTriangulation::<Corner>::try_bulk_load_cdt(corners, edges, |_| conflicts = true).ok()?;
    if conflicts {
        return None;
    }
    let inside = inside(&net);
    let mut triangles = Vec::new();
    let mut area = 0.0;
    for face in net.inner_faces().filter(|face| inside[face.fix().index()] == Some(true)) {
        triangles.push(face.vertices().map(|vertex| vertex.data().number));
        area += face.area();
    }
    Some((triangles, area))
}

/// Whether each face lies inside: crossing a loop changes that, beginning outside all.
fn inside(net: &ConstrainedDelaunayTriangulation<Corner>) -> Vec<Option<bool>> {
    let mut inside = vec![None; net.num_all_faces()];
    let outer: FixedFaceHandle<_> = net.outer_face().fix();
    inside[outer.index()] = Some(false);
    let mut reached = VecDeque::new();
    for edge in net.convex_hull() {
        let face = edge.rev().face();
        if inside[face.fix().index()].is_none() {
            inside[face.fix().index()] = Some(edge.is_constraint_edge());
            reached.extend(face.as_inner());
        }
    }
    while let Some(face) = reached.pop_front() {
        let here = inside[face.fix().index()] == Some(true);
        for edge in face.adjacent_edges() {
            let beyond = edge.rev().face();
            if inside[beyond.fix().index()].is_none() {
                inside[beyond.fix().index()] = Some(here != edge.is_constraint_edge());
                reached.extend(beyond.as_inner());
            }
        }
    }
    inside
}

fn is_convex(polygon: &[[f64; 2]]) -> bool {
    let n = polygon.len();
    n <= 12
        && (0..n).all(|i| {
            let [a, b, c] = [polygon[i], polygon[(i + 1) % n], polygon[(i + 2) % n]];
            (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 1e-9
        })
}

fn signed_area(polygon: &[[f64; 2]]) -> f64 {
    let side = |i: usize| [polygon[i], polygon[(i + 1) % polygon.len()]];
    (0..polygon.len()).map(side).map(|[a, b]| a[0] * b[1] - a[1] * b[0]).sum::<f64>() / 2.0
}

fn are_distinct(vertices: &[[f32; 3]]) -> bool {
    let mut bits: Vec<[u32; 3]> = vertices.iter().map(|vertex| vertex.map(f32::to_bits)).collect();
    bits.sort_unstable();
    bits.windows(2).all(|pair| pair[0] != pair[1])
}
