//! A piece as an exact solid and as a mesh, in its own frame: the centre of cell `c` is at pitch times `c`.
//!
//! Nothing leaves here unchecked: the modelling crate looks at topology alone, so that a hole turned the wrong way or an
//! inside-out solid would pass it. Volumes are found in three ways that share no step, and must agree.

use std::collections::BTreeMap;
use std::fmt;

use super::Role;
use super::brep::{Brep, Curve, Face, Surface, Use};
use super::dims::Dims;
use super::lettering::Lettering;
use super::mesh::{Facts, Mesh, MeshError, chorded_volume};
use super::outline::signed_area;
use super::polycube::{Polycube, PolycubeError};
use super::relief::{Frame, Ring, raise};
use super::shell::{self, Refusal, Solid};
use super::split::Split;
use super::vector::{add, cross, scale, sub, unit, vector};
use crate::puzzle::colour::Colour;
use crate::puzzle::grid::{Cell, Square, Turn};
use crate::puzzle::piece::{Mark, Piece};

/// A piece, built and meshed once.
///
/// # Guarantees
/// When made by [`Model::build`]: the solid is closed and turned outwards, its mesh too, and both enclose the volume
/// that formulas say.
#[derive(Clone, Debug)]
pub struct Model {
    /// The exact solid.
    pub solid: Solid,
    /// What each face of the solid is for, in the order of its shells.
    pub roles: Vec<Role>,
    /// Its triangles.
    pub mesh: Mesh,
    /// The triangles once more, as a closed body and closed digits.
    pub split: Split,
    /// The few triangles of the piece without its marks: enough to tell what it hides.
    pub plain: Mesh,
    /// What can be said of the mesh.
    pub facts: Facts,
    /// Of the exact solid, in cubic millimetres.
    pub volume: f64,
}

/// Why a piece cannot be built.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelError {
    /// The name of the piece.
    pub piece: String,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a piece.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// Its cells cannot be made.
    Polycube(PolycubeError),
    /// A mark is on a square that is covered, or not of the piece.
    Covered(Square),
    /// A mark was not among the texts that were cut.
    NotCut(String),
    /// The modelling crate refused the boundary.
    Refused(Refusal),
    /// The mesh could not be made.
    Mesh(MeshError),
    /// A check failed: this is a fault of the program.
    Gate(Gate),
}

/// A check of a finished solid or mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gate {
    /// An edge is not used exactly once each way.
    OpenEdge(usize),
    /// The solid holds a curve or surface that was never put in.
    Unreadable,
    /// The solid does not enclose the volume of the formula.
    Volume {
        /// By formula.
        formula: f64,
        /// Of the solid.
        solid: f64,
    },
    /// The mesh is not closed, or not in as many parts as the solid.
    Mesh(Facts),
    /// The mesh does not enclose the volume of the solid with chords for curves.
    MeshVolume {
        /// Of the solid with chords.
        solid: f64,
        /// Of the mesh.
        mesh: f64,
    },
    /// Body and digits are not closed, or do not make up the mesh.
    Split {
        /// The volume of both.
        parts: f64,
        /// Of the mesh.
        mesh: f64,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "piece '{}': ", self.piece)?;
        match &self.problem {
            Problem::Polycube(error) => error.fmt(f),
            Problem::Covered(Square { cell: Cell { x, y, z }, side }) => {
                write!(f, "there is no open {} side at cell {x} {y} {z} for a mark to stand on", side.name())
            }
            Problem::NotCut(text) => write!(f, "the mark '{text}' was not cut"),
            Problem::Refused(Refusal(reason)) => write!(f, "the solid is not sound ({reason}); please report this"),
            Problem::Mesh(error) => write!(f, "the mesh cannot be made: {error}"),
            Problem::Gate(gate) => write!(f, "{gate}; please report this"),
        }
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gate::OpenEdge(edge) => write!(f, "edge {edge} of the solid is open"),
            Gate::Unreadable => write!(f, "the solid cannot be read back"),
            Gate::Volume { formula, solid } => {
                write!(f, "the solid encloses {solid:.6} mm3 and should enclose {formula:.6} mm3")
            }
            Gate::Mesh(facts) => write!(f, "the mesh is not sound: {facts}"),
            Gate::MeshVolume { solid, mesh } => {
                write!(f, "the mesh encloses {mesh:.6} mm3 and should enclose {solid:.6} mm3")
            }
            Gate::Split { parts, mesh } => {
                write!(f, "body and digits enclose {parts:.6} mm3 and should enclose {mesh:.6} mm3")
            }
        }
    }
}

impl std::error::Error for ModelError {}

/// Volumes that should be equal may differ by this share: what rounding to f32 does to a mesh.
const ROUNDING: f64 = 1e-6;

impl Model {
    /// Builds, meshes and checks a piece with the texts of its puzzle.
    pub fn build(piece: &Piece, dims: &Dims, lettering: &Lettering) -> Result<Model, ModelError> {
        let build = || -> Result<Model, Problem> {
            let polycube = Polycube::build(&piece.shape, dims).map_err(Problem::Polycube)?;
            let marks = stand_marks(piece, dims, lettering, &polycube)?;
            let (brep, roles) = assemble(&polycube, &marks);
            let formula = polycube.volume + marks.iter().map(|mark| raised_volume(mark.rings, 0.0)).sum::<f64>();
            let (bare, bare_roles) = assemble(&polycube, &[]);
            let plain = Mesh::of(&bare, &bare_roles, dims.tolerance()).map_err(Problem::Mesh)?;
            finish(&brep, roles, plain, formula, dims)
        };
        build().map_err(|problem| ModelError { piece: piece.name.clone(), problem })
    }
}

/// A text and where it stands.
struct Stand<'a> {
    face: usize,
    frame: Frame,
    rings: &'a [Ring],
    paint: Option<Colour>,
}

fn stand_marks<'a>(
    piece: &Piece,
    dims: &Dims,
    lettering: &'a Lettering,
    polycube: &Polycube,
) -> Result<Vec<Stand<'a>>, Problem> {
    let stand = |(&square, mark): (&Square, &Mark)| {
        let face = *polycube.squares.get(&square).ok_or(Problem::Covered(square))?;
        let rings = lettering.rings(&mark.text).ok_or_else(|| Problem::NotCut(mark.text.clone()))?;
        Ok(Stand { face, frame: frame(square, mark.turn, dims), rings, paint: mark.paint })
    };
    let name = lettering.name(&piece.name).map(|(field, rings)| {
        let face = *polycube.squares.get(&field.square()).ok_or(Problem::Covered(field.square()))?;
        Ok(Stand { face, frame: field.frame(dims), rings, paint: None })
    });
    piece.marks.iter().map(stand).chain(name).collect()
}

/// The middle of a square, with the top of the mark up.
fn frame(square: Square, turn: Turn, dims: &Dims) -> Frame {
    let (normal, y) = (vector(square.side.step()), vector(turn.up(square.side).step()));
    let origin = add(scale(vector(square.cell), dims.pitch()), scale(normal, dims.core() / 2.0));
    Frame { origin, x: cross(y, normal), y, normal }
}

/// The faces of the polycube, each after what stands on it.
fn assemble(polycube: &Polycube, marks: &[Stand<'_>]) -> (Brep, Vec<Role>) {
    let mut brep = Brep { vertices: polycube.points.clone(), ..Brep::default() };
    let mut roles = Vec::new();
    let mut lines: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    let mut line = |brep: &mut Brep, from: usize, to: usize| {
        let new = || brep.edge(from, to, Curve::Line).edge;
        let edge = *lines.entry([from.min(to), from.max(to)]).or_insert_with(new);
        Use { edge, forward: brep.edges[edge].ends[0] == from }
    };
    let mut numbers = 0..polycube.faces.len();
    for &count in &polycube.shells {
        let first = brep.faces.len();
        for number in numbers.by_ref().take(count) {
            let mut loops: Vec<Vec<Use>> = Vec::new();
            for ring in &polycube.faces[number].loops {
                loops.push((0..ring.len()).map(|i| line(&mut brep, ring[i], ring[(i + 1) % ring.len()])).collect());
            }
            for mark in marks.iter().filter(|mark| mark.face == number) {
                let first = roles.len();
                loops.extend(raise(&mut brep, &mut roles, &mark.frame, 0.0, Role::Body, mark.rings));
                if let Some(paint) = mark.paint {
                    roles[first..].iter_mut().for_each(|role| *role = painted(*role, paint));
                }
            }
            brep.faces.push(Face { loops, surface: plane(polycube, number) });
            roles.push(whole_face(polycube, marks, number));
        }
        brep.shells.push(first..brep.faces.len());
    }
    (brep, roles)
}

/// What a face on a square of that colour shows: the colour, or the ink that stands out from it.
fn painted(role: Role, paint: Colour) -> Role {
    if role == Role::Digit { Role::Inked(paint.ink()) } else { Role::Painted(paint) }
}

/// A face of one square has its colour; where squares lie in one plane, only the panels of their marks have theirs.
fn whole_face(polycube: &Polycube, marks: &[Stand<'_>], face: usize) -> Role {
    let is_one_square = polycube.squares.values().filter(|&&other| other == face).count() == 1;
    let paint = marks.iter().find(|mark| mark.face == face).and_then(|mark| mark.paint);
    paint.filter(|_| is_one_square).map_or(Role::Body, Role::Painted)
}

fn plane(polycube: &Polycube, face: usize) -> Surface {
    let polygon = &polycube.faces[face];
    let [a, b] = [polygon.loops[0][0], polygon.loops[0][1]].map(|i| polycube.points[i]);
    let (x, normal) = (unit(sub(b, a)), unit(polygon.normal.map(f64::from)));
    Surface::Plane { origin: a, x, y: cross(normal, x) }
}

/// What the rings add to a face at `level`, in cubic millimetres.
fn raised_volume(rings: &[Ring], level: f64) -> f64 {
    let of = |ring: &Ring| signed_area(&ring.contour) * (ring.level - level) + raised_volume(&ring.inner, ring.level);
    rings.iter().map(of).sum()
}

/// Hands the boundary to the modelling crate, reads it back, meshes it, and checks all of them.
fn finish(brep: &Brep, roles: Vec<Role>, plain: Mesh, formula: f64, dims: &Dims) -> Result<Model, Problem> {
    let solid = shell::solid(brep).map_err(Problem::Refused)?;
    let brep = shell::boundary(&solid).ok_or(Problem::Gate(Gate::Unreadable))?;
    if let Some(edge) = brep.open_edge() {
        return Err(Problem::Gate(Gate::OpenEdge(edge)));
    }
    let volume = brep.volume();
    if !agree(volume, formula) {
        return Err(Problem::Gate(Gate::Volume { formula, solid: volume }));
    }
    let mesh = Mesh::of(&brep, &roles, dims.tolerance()).map_err(Problem::Mesh)?;
    let facts = mesh.facts();
    if !facts.closed || facts.shells != brep.shells.len() {
        return Err(Problem::Gate(Gate::Mesh(facts)));
    }
    let chorded = chorded_volume(&brep, dims.tolerance());
    if !agree(facts.volume, chorded) {
        return Err(Problem::Gate(Gate::MeshVolume { solid: chorded, mesh: facts.volume }));
    }
    let split = mesh.split();
    let parts: Vec<Facts> = std::iter::once(&split.body).chain(split.coloured.values()).map(Mesh::facts).collect();
    let volume_of_parts = parts.iter().map(|part| part.volume).sum::<f64>();
    if !parts.iter().all(|part| part.closed) || !agree(volume_of_parts, facts.volume) {
        return Err(Problem::Gate(Gate::Split { parts: volume_of_parts, mesh: facts.volume }));
    }
    Ok(Model { solid, roles, mesh, split, plain, facts, volume })
}

fn agree(one: f64, other: f64) -> bool {
    (one - other).abs() <= ROUNDING * other.abs()
}
