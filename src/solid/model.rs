//! A piece as an exact solid and as a mesh, in its own frame: the centre of cell `c` is at pitch times `c`.
//!
//! Nothing leaves here unchecked: the modelling crate looks at topology alone, so that a hole turned the wrong way or an
//! inside-out solid would pass it. Volumes are found in three ways that share no step, and must agree.

use std::fmt;

use super::Role;
use super::brep::{Brep, Face, Surface, Use};
use super::dims::Dims;
use super::lettering::Lettering;
use super::mesh::{Facts, Mesh, MeshError, chorded_volume};
use super::outline::signed_area;
use super::polycube::{Polycube, PolycubeError};
use super::relief::{Frame, Ring, raise};
use super::shell::{self, Refusal, Solid};
use super::vector::{Vector, add, cross, scale, sub, unit};
use crate::puzzle::grid::{Cell, Square, Turn};
use crate::puzzle::piece::Piece;

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
            Problem::Mesh(error) => write!(f, "the mesh cannot be made, {error}; please report this"),
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
            finish(&brep, roles, formula, dims)
        };
        build().map_err(|problem| ModelError { piece: piece.name.clone(), problem })
    }
}

/// A text and where it stands.
struct Stand<'a> {
    face: usize,
    frame: Frame,
    rings: &'a [Ring],
}

fn stand_marks<'a>(
    piece: &Piece,
    dims: &Dims,
    lettering: &'a Lettering,
    polycube: &Polycube,
) -> Result<Vec<Stand<'a>>, Problem> {
    let stand = |(&square, mark): (&Square, &crate::puzzle::piece::Mark)| {
        let face = *polycube.squares.get(&square).ok_or(Problem::Covered(square))?;
        let rings = lettering.rings(&mark.text).ok_or_else(|| Problem::NotCut(mark.text.clone()))?;
        Ok(Stand { face, frame: frame(square, mark.turn, dims), rings })
    };
    piece.marks.iter().map(stand).collect()
}

/// The middle of a square, with the top of the mark up.
fn frame(square: Square, turn: Turn, dims: &Dims) -> Frame {
    let (normal, y) = (vector(square.side.step()), vector(turn.up(square.side).step()));
    let origin = add(scale(vector(square.cell), dims.pitch()), scale(normal, dims.core() / 2.0));
    Frame { origin, x: cross(y, normal), y, normal }
}

fn vector(cell: Cell) -> Vector {
    [cell.x, cell.y, cell.z].map(f64::from)
}

/// The faces of the polycube, each followed by what stands on it.
fn assemble(polycube: &Polycube, marks: &[Stand<'_>]) -> (Brep, Vec<Role>) {
    let mut brep = Brep { vertices: polycube.points.clone(), ..Brep::default() };
    let mut roles = Vec::new();
    let mut lines = std::collections::BTreeMap::new();
    let mut line = |brep: &mut Brep, from: usize, to: usize| -> Use {
        let new = |brep: &mut Brep| brep.edge(from, to, super::brep::Curve::Line).edge;
        let edge = *lines.entry([from.min(to), from.max(to)]).or_insert_with(|| new(brep));
        Use { edge, forward: brep.edges[edge].ends[0] == from }
    };
    let mut shell_ends = polycube.shells.iter().scan(0, |end, &faces| {
        *end += faces;
        Some(*end)
    });
    let mut shell_end = shell_ends.next();
    let mut first = 0;
    for (number, polygon) in polycube.faces.iter().enumerate() {
        let mut loops: Vec<Vec<Use>> = Vec::new();
        for ring in &polygon.loops {
            loops.push((0..ring.len()).map(|i| line(&mut brep, ring[i], ring[(i + 1) % ring.len()])).collect());
        }
        for mark in marks.iter().filter(|mark| mark.face == number) {
            loops.extend(raise(&mut brep, &mut roles, &mark.frame, 0.0, Role::Body, mark.rings));
        }
        let surface = plane(polycube, number);
        brep.faces.push(Face { loops, surface });
        roles.push(Role::Body);
        if Some(number + 1) == shell_end {
            brep.shells.push(first..brep.faces.len());
            first = brep.faces.len();
            shell_end = shell_ends.next();
        }
    }
    (brep, roles)
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
fn finish(brep: &Brep, roles: Vec<Role>, formula: f64, dims: &Dims) -> Result<Model, Problem> {
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
    Ok(Model { solid, roles, mesh, facts, volume })
}

fn agree(one: f64, other: f64) -> bool {
    (one - other).abs() <= ROUNDING * other.abs()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::vector::dot;
    use super::*;
    use crate::glyph::Font;
    use crate::puzzle::colour::Colour;
    use crate::puzzle::grid::{Shape, Side};
    use crate::puzzle::piece::Mark;
    use crate::puzzle::rules::Rules;
    use crate::puzzle::settings::{Length, Settings, Style};

    fn dims(settings: &Settings) -> Dims {
        Dims::resolve(settings, Length::of_micrometres(20_000)).expect("sizes that work")
    }

    fn styled(style: Style) -> Dims {
        dims(&Settings { style: Some(style), ..Settings::default() })
    }

    fn piece(cells: &[[i32; 3]]) -> Piece {
        let shape = Shape::new(cells.iter().map(|&[x, y, z]| Cell::new(x, y, z))).expect("cells");
        Piece { name: "P".to_owned(), colour: Colour::INK, shape, marks: BTreeMap::new() }
    }

    fn cubie(marks: [(Side, &str, Turn); 6]) -> Piece {
        let mark = |(side, text, turn): (Side, &str, Turn)| {
            (Square { cell: Cell::ZERO, side }, Mark { text: text.to_owned(), turn })
        };
        let marks = marks.into_iter().filter(|(_, text, _)| !text.is_empty()).map(mark).collect();
        Piece { marks, ..piece(&[[0, 0, 0]]) }
    }

    fn lettering(dims: &Dims) -> Lettering {
        let texts = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "12"].into();
        Lettering::of_texts(&texts, &Rules::default(), dims, &Font::built_in()).expect("the built-in font has digits")
    }

    #[test]
    fn every_kind_of_vertex_is_closed_and_has_the_volume_of_the_formula() {
        let tripod = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
        let screw = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]];
        let ring = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0], [2, 2, 0], [1, 2, 0], [0, 2, 0], [0, 1, 0]];
        let pillar_in_corner = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]];
        let seven = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]];
        let touching = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1]];
        let none = Lettering::default();
        for cells in [&tripod[..], &screw, &ring, &pillar_in_corner, &seven, &touching] {
            for (inset, bevel) in [(100, 600), (1, 600), (2500, 0), (2500, 3750), (100, 0)] {
                let length = |micrometres| Some(Length::of_micrometres(micrometres));
                let settings = Settings { inset: length(inset), bevel: length(bevel), ..Settings::default() };
                let model = Model::build(&piece(cells), &dims(&settings), &none);
                assert!(model.is_ok(), "{cells:?} {inset} {bevel}: {}", model.expect_err("an error"));
            }
        }
    }

    #[test]
    fn soma_and_random_pieces_are_sound() {
        let soma: [&[[i32; 3]]; 7] = [
            &[[0, 0, 0], [1, 0, 0], [0, 1, 0]],
            &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]],
            &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]],
            &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]],
            &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]],
            &[[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 1]],
            &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        ];
        let dims = styled(Style::Embossed);
        for cells in soma {
            Model::build(&piece(cells), &dims, &Lettering::default()).unwrap_or_else(|error| panic!("{error}"));
        }
        // Grown cell by cell, so that all touch face to face; every square of every third piece is marked.
        let lettering = lettering(&dims);
        let inset = Some(Length::of_micrometres(0));
        let tight = [0, 600].map(|bevel| {
            let bevel = Some(Length::of_micrometres(bevel));
            super::tests::dims(&Settings { inset, bevel, ..Settings::default() })
        });
        let mut built = 0;
        let mut state = 12_345u32;
        let mut random = move |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        for number in 0..60 {
            let mut cells = vec![Cell::ZERO];
            while cells.len() < 10 {
                let next = cells[random(cells.len())] + Side::ALL[random(6)].step();
                if !cells.contains(&next) {
                    cells.push(next);
                }
            }
            let shape = Shape::new(cells).expect("ten cells");
            let mark = |square| (square, Mark { text: "8".to_owned(), turn: Turn::Left });
            let marks = if number % 3 == 0 { shape.exposed().map(mark).collect() } else { BTreeMap::new() };
            let piece = Piece { shape, marks, ..piece(&[[0, 0, 0]]) };
            Model::build(&piece, &dims, &lettering).unwrap_or_else(|error| panic!("{number}: {error}"));
            for tight in &tight {
                let bare = Piece { marks: BTreeMap::new(), ..piece.clone() };
                match Model::build(&bare, tight, &Lettering::default()) {
                    Ok(_) => built += 1,
                    Err(ModelError { problem: Problem::Polycube(_), .. }) => {}
                    Err(error) => panic!("{number}: {error}"),
                }
            }
        }
        assert!(built > 20, "{built} of 120 can be built without an inset");
    }

    #[test]
    fn an_enclosed_cavity_is_a_shell_of_its_own_and_can_carry_marks() {
        let cells = (0..27).map(|i| Cell::new(i % 3, i / 3 % 3, i / 9)).filter(|&c| c != Cell::new(1, 1, 1));
        let shape = Shape::new(cells).expect("26 cells");
        let square = Square { cell: Cell::new(1, 1, 0), side: Side::Top };
        let marks = [(square, Mark { text: "4".to_owned(), turn: Turn::Upright })].into();
        let dims = styled(Style::Proud);
        let model = Model::build(&Piece { shape, marks, ..piece(&[[0, 0, 0]]) }, &dims, &lettering(&dims));
        let model = model.expect("a hollow cube");
        assert_eq!((model.facts.shells, model.solid.boundaries().len()), (2, 2));
        // Outer cube 59.8 with 0.6 chamfers, cavity 20.2 with sharp edges.
        let hollow = 59.8f64.powi(3) - 12.0 * 59.8 * 0.18 + 6.0 * 0.216 - 20.2f64.powi(3);
        let digit = model.volume - hollow;
        let drawn = raised_volume(lettering(&dims).rings("4").expect("cut"), 0.0);
        assert!((digit - drawn).abs() < 1e-6, "{digit} {drawn}");
    }

    #[test]
    fn a_face_that_touches_itself_is_refused_without_a_bevel_only() {
        let ring = (0..9).map(|i| [i % 3, i / 3, 0]).filter(|&c| c != [2, 2, 0]);
        let cells: Vec<[i32; 3]> = ring.chain([[1, 1, 1]]).collect();
        let settings = |bevel| Settings { bevel: Some(Length::of_micrometres(bevel)), ..Settings::default() };
        let none = Lettering::default();
        assert!(Model::build(&piece(&cells), &dims(&settings(1)), &none).is_ok());
        let error = Model::build(&piece(&cells), &dims(&settings(0)), &none).expect_err("pinched");
        assert!(matches!(error.problem, Problem::Polycube(PolycubeError::Pinched(_))), "{error}");
    }

    #[test]
    fn every_mark_reads_upright_from_outside_in_the_turn_that_the_grid_says() {
        // The ink of an L is to the left of and below the middle of its box: so its middle tells turn and mirroring.
        let dims = styled(Style::Engraved);
        let lettering = Lettering::of_texts(&["L"].into(), &Rules::default(), &dims, &Font::built_in()).expect("an L");
        for turn in Turn::ALL {
            let model = Model::build(&cubie(Side::ALL.map(|side| (side, "L", turn))), &dims, &lettering);
            let mesh = model.expect("a cubie").mesh;
            for side in Side::ALL {
                let (normal, up) = (vector(side.step()), vector(turn.up(side).step()));
                let right = cross(up, normal);
                let floor = 9.9 - 0.4;
                let (mut middle, mut area) = ([0.0; 3], 0.0);
                for (triangle, role) in mesh.triangles.iter().zip(&mesh.roles) {
                    let [a, b, c] = triangle.map(|i| mesh.vertices[i as usize].map(f64::from));
                    let is_floor = [a, b, c].iter().all(|&p| (dot(p, normal) - floor).abs() < 1e-4);
                    if *role == Role::Digit && is_floor {
                        let share = dot(cross(sub(b, a), sub(c, a)), normal) / 2.0;
                        assert!(share > 0.0, "faces outwards");
                        middle = add(middle, scale(add(a, add(b, c)), share / 3.0));
                        area += share;
                    }
                }
                let at = |way| dot(middle, way) / area;
                assert!(at(right) < -0.5 && at(up) < -0.5, "{side:?} {turn:?}: {} {}", at(right), at(up));
            }
        }
    }

    #[test]
    fn an_island_in_a_counter_is_raised_again() {
        let settings = Settings { pitch: Some(Length::of_micrometres(80_000)), ..Settings::default() };
        for style in Style::ALL {
            let dims = dims(&Settings { style: Some(style), ..settings.clone() });
            let text = "\u{a9}";
            let lettering = Lettering::of_texts(&[text].into(), &Rules::default(), &dims, &Font::built_in());
            let lettering = lettering.unwrap_or_else(|error| panic!("{error}"));
            let model = Model::build(&cubie(Side::ALL.map(|side| (side, text, Turn::Upright))), &dims, &lettering);
            let model = model.unwrap_or_else(|error| panic!("{error}"));
            // Two faces of ink a side: the ring and the letter in it.
            let flat = |role: &&Role| **role == Role::Digit;
            assert_eq!(lettering.contours(text) - usize::from(style == Style::Embossed), 3);
            assert!(model.roles.iter().filter(flat).count() > 12);
        }
    }

    #[test]
    fn every_digit_in_every_style_and_turn_is_sound() {
        let texts = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "10", "12"];
        for style in Style::ALL {
            let dims = styled(style);
            let lettering = lettering(&dims);
            for first in 0..texts.len() {
                let mark = |k: usize| (Side::ALL[k], texts[(first + k) % texts.len()], Turn::ALL[(first + k) % 4]);
                let piece = cubie(std::array::from_fn(mark));
                let model = Model::build(&piece, &dims, &lettering).unwrap_or_else(|error| panic!("{style:?} {error}"));
                assert!(model.facts.closed && model.facts.shells == 1);
                // Chords of a convex outline lie inside it: the mesh differs from the solid by little.
                assert!((model.facts.volume - model.volume).abs() < 0.5, "{} {}", model.facts, model.volume);
            }
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config { cases: 200, failure_persistence: None, ..Default::default() })]

        /// Whatever numbers a user gives: refused at the door, or built; never a failed check, never a panic.
        #[test]
        fn sizes_that_are_accepted_can_be_built(
            wild in [size(), size(), size(), size(), size(), size()],
            style in 0usize..3,
            digit in 0usize..12,
        ) {
            let length = |k: usize| wild[k].map(Length::of_micrometres);
            let settings = Settings {
                pitch: length(0),
                inset: length(1),
                bevel: length(2),
                relief: length(3),
                digit_height: length(4),
                tolerance: length(5),
                style: Some(Style::ALL[style]),
                font: None,
            };
            if let Ok(dims) = Dims::resolve(&settings, Length::of_micrometres(20_000)) {
                let text = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "68"][digit];
                let none = Lettering::default();
                let stairs = piece(&[[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [2, 1, 1], [0, 0, 1]]);
                match Model::build(&stairs, &dims, &none) {
                    Ok(_) | Err(ModelError { problem: Problem::Polycube(_), .. }) => {}
                    Err(error) => panic!("{dims:?}: {error}"),
                }
                if let Ok(lettering) = Lettering::of_texts(&[text].into(), &Rules::default(), &dims, &Font::built_in()) {
                    let cubie = cubie(Side::ALL.map(|side| (side, text, Turn::Left)));
                    Model::build(&cubie, &dims, &lettering).unwrap_or_else(|error| panic!("{dims:?}: {error}"));
                }
            }
        }
    }

    /// Nothing, a likely size, or anything, in micrometres.
    fn size() -> impl proptest::strategy::Strategy<Value = Option<i32>> {
        use proptest::prelude::*;
        prop_oneof![4 => Just(None), 4 => (0i32..12).prop_flat_map(|k| Just(Some(3i32.pow(k as u32)))), 1 => any::<i32>().prop_map(Some), 4 => (0i32..30_000).prop_map(Some)]
    }
}
