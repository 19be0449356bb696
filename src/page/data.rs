//! What the viewer works on, as JSON that is safe inside HTML.
//!
//! A mesh is base64 of little-endian numbers: vertices in steps of a 65535th of the piece's longest side, and corners of
//! triangles by colour. Two bytes a number, four where there are more vertices than that.

use super::{Page, net, still};
use crate::fingerprint::base64;
use crate::json::{self, Serialize};
use crate::puzzle::assembly::Assembly;
use crate::puzzle::colour::Colour;
use crate::puzzle::corner::best_corner;
use crate::puzzle::grid::{Cell, Orientation};
use crate::puzzle::moves;
use crate::puzzle::piece::Piece;
use crate::solid::model::Model;

#[derive(Serialize)]
struct Data<'a> {
    name: &'a str,
    /// In millimetres.
    pitch: f64,
    spread: f64,
    size: [i32; 3],
    /// Rotation matrices, row by row.
    orientations: Vec<[i32; 9]>,
    pieces: Vec<PieceData<'a>>,
    /// Five numbers a placement: piece, orientation, offset.
    solutions: Vec<Vec<i32>>,
    /// How each comes apart: the placements that move, to which side, by how many cells, and whether they leave.
    ways: Vec<Option<Vec<Step<'a>>>>,
    /// Quarter turns from the front right corner to the one from which it is best seen.
    corner: usize,
    /// The texts on the pieces, in the order of their outlines.
    texts: Vec<&'a str>,
    /// Whether they are solutions, and not the pieces side by side.
    solved: bool,
    /// How many there are.
    total: u64,
    /// Whether that is final.
    complete: bool,
}

type Step<'a> = (&'a [usize], u8, u32, bool);

fn step(step: &moves::Step) -> Step<'_> {
    (&step.moved, step.side as u8, step.cells, step.leaves)
}

#[derive(Serialize)]
struct PieceData<'a> {
    name: &'a str,
    cells: Vec<[i32; 3]>,
    /// Cell and side of each exposed square, the text on it, and its colour and ink where they are its own.
    squares: Vec<(usize, u8, &'a str, Option<[String; 2]>)>,
    colour: String,
    ink: String,
    /// The parts of the net.
    net: Vec<net::Part>,
    mesh: Mesh,
}

#[derive(Serialize)]
struct Mesh {
    origin: [f32; 3],
    step: f32,
    vertices: String,
    /// Bytes a corner.
    width: u8,
    corners: String,
    /// Colour and number of triangles.
    parts: Vec<(String, usize)>,
}

/// The JSON text. `<` occurs in texts only and is escaped there, so that no text can end the element around it.
pub(super) fn json(page: &Page<'_>, shown: &Assembly) -> String {
    let puzzle = page.puzzle;
    let found = &page.outcome.found;
    let solutions: Vec<&Assembly> = if found.is_empty() { vec![shown] } else { found.iter().collect() };
    let data = Data {
        name: &puzzle.name,
        pitch: page.dims.pitch(),
        spread: page.spread,
        size: puzzle.target.size.coordinates(),
        orientations: Orientation::all().map(rows).collect(),
        pieces: puzzle.pieces.iter().zip(page.models).map(|(piece, model)| piece_data(piece, model)).collect(),
        solutions: solutions.into_iter().map(numbers).collect(),
        ways: page.ways.iter().map(|way| way.as_ref().map(|way| way.steps.iter().map(step).collect())).collect(),
        texts: still::marks(puzzle),
        corner: best_corner(puzzle, shown).quarters(),
        solved: !found.is_empty(),
        total: page.outcome.solutions(),
        complete: page.outcome.complete,
    };
    json::line(&data).replace('<', "\\u003c")
}

fn rows(orientation: Orientation) -> [i32; 9] {
    let [[a, b, c], [d, e, f], [g, h, i]] = orientation.matrix();
    [a, b, c, d, e, f, g, h, i]
}

fn numbers(assembly: &Assembly) -> Vec<i32> {
    let placements = assembly.placements.iter();
    let five = |place: &crate::puzzle::assembly::Placement| {
        let [x, y, z] = place.offset.coordinates();
        [place.piece.0 as i32, place.orientation.index() as i32, x, y, z]
    };
    placements.flat_map(five).collect()
}

fn piece_data<'a>(piece: &'a Piece, model: &Model) -> PieceData<'a> {
    let cells = piece.shape.cells();
    let squares = piece.shape.exposed().map(|square| {
        let cell = cells.iter().position(|&cell| cell == square.cell).expect("a square is one of a cell");
        let mark = piece.marks.get(&square);
        let paint = mark.and_then(|mark| mark.paint).map(|paint| [paint, paint.ink()].map(|colour| colour.to_string()));
        (cell, square.side as u8, mark.map_or("", |mark| mark.text.as_str()), paint)
    });
    PieceData {
        name: &piece.name,
        cells: cells.iter().copied().map(Cell::coordinates).collect(),
        squares: squares.collect(),
        colour: piece.colour.to_string(),
        ink: piece.colour.ink().to_string(),
        net: net::parts(piece),
        mesh: mesh(piece, model),
    }
}

fn mesh(piece: &Piece, model: &Model) -> Mesh {
    let [low, high] = model.facts.bounds;
    let longest = (0..3).map(|k| high[k] - low[k]).fold(f32::MIN_POSITIVE, f32::max);
    let step = longest / f32::from(u16::MAX);
    let coordinate = |k: usize, value: f32| ((value - low[k]) / step).round() as u16;
    let vertices = model.mesh.vertices.iter().flat_map(|v| [0, 1, 2].map(|k| coordinate(k, v[k]).to_le_bytes()));
    let vertices: Vec<u8> = vertices.flatten().collect();

    let is_narrow = model.mesh.vertices.len() <= usize::from(u16::MAX) + 1;
    let mut parts: Vec<(Colour, Vec<u8>, usize)> = Vec::new();
    for (corners, &role) in model.mesh.triangles.iter().zip(&model.mesh.roles) {
        let colour = role.colour(piece.colour, piece.colour.ink());
        let at = parts.iter().position(|part| part.0 == colour).unwrap_or_else(|| {
            parts.push((colour, Vec::new(), 0));
            parts.len() - 1
        });
        for corner in corners {
            if is_narrow {
                parts[at].1.extend((*corner as u16).to_le_bytes());
            } else {
                parts[at].1.extend(corner.to_le_bytes());
            }
        }
        parts[at].2 += 1;
    }
    let corners: Vec<u8> = parts.iter().flat_map(|part| part.1.iter().copied()).collect();
    Mesh {
        origin: low,
        step,
        vertices: base64(&vertices),
        width: if is_narrow { 2 } else { 4 },
        corners: base64(&corners),
        parts: parts.iter().map(|part| (part.0.to_string(), part.2)).collect(),
    }
}
