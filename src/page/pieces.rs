//! The pieces as HTML: the list beside the model, the table for printing.

use std::fmt::Write;

use super::html::{name, number};
use super::{Page, still};
use crate::puzzle::assembly::Assembly;
use crate::puzzle::grid::{Side, Square};
use crate::puzzle::piece::{Piece, PieceId};

/// Grams a cubic centimetre of the usual filament, PLA.
const PLA: f64 = 1.24;

/// The list beside the model: picture, name, count. The viewer adds what can be done with a piece.
pub(super) fn legend(page: &Page<'_>, shown: &Assembly) -> String {
    let mut out = String::new();
    for (id, piece) in page.puzzle.ids().zip(&page.puzzle.pieces) {
        let count = shown.count(id);
        let many = if count == 1 { String::new() } else { format!("×{count}") };
        // HTML closes items by itself. The name stands first: browsers look for what to read aloud in so many elements only.
        let _ = write!(
            out,
            "<li><button class=\"pick\"><span class=\"name\">{}</span><span class=\"count\">{many}</span>{}</button>",
            name(&piece.name),
            still::of_piece(page.puzzle, id),
        );
    }
    out
}

/// What a person at a printer wants to know of all pieces.
pub(super) fn printing(page: &Page<'_>, shown: &Assembly) -> String {
    let all: Vec<Facts> = page.puzzle.ids().map(|id| Facts::new(page, id, shown)).collect();
    let total = |of: fn(&Facts) -> f64| all.iter().map(|facts| of(facts) * facts.copies as f64).sum::<f64>();
    let count: usize = all.iter().map(|facts| facts.copies).sum();
    let mut out = String::new();
    for (piece, facts) in page.puzzle.pieces.iter().zip(&all) {
        // HTML closes cells and rows by itself.
        let _ = write!(
            out,
            "<tr><th>{}<td>{}<td>{}<td>{}<td>{}<td>{}",
            name(&piece.name),
            facts.copies,
            facts.size,
            number(facts.volume, 2),
            number(facts.grams, 1),
            facts.down
        );
    }
    let dims = page.dims;
    format!(
        "<p>{count} piece{} on cells of {} mm, {} mm taken off each outer face, {} mm bevels. Printed solid they weigh \
         <strong>{} g</strong> in PLA; with 15 % infill less than half of that.</p>\
         <div class=\"scroll printing\" tabindex=\"0\" role=\"region\" aria-label=\"Facts for printing\"><table><thead><tr>\
         <th scope=\"col\">Piece</th><th scope=\"col\">Copies</th><th scope=\"col\">Size, mm</th><th scope=\"col\">cm³</th>\
         <th scope=\"col\">g</th><th scope=\"col\">Face down</th></tr></thead><tbody>{out}</tbody><tfoot><tr>\
         <th scope=\"row\">All</th><td>{count}</td><td></td><td>{}</td><td>{}</td><td></td></tr></tfoot></table></div>",
        if count == 1 { "" } else { "s" },
        number(dims.pitch(), 3),
        number(dims.inset(), 3),
        number(dims.bevel(), 3),
        number(total(|facts| facts.grams), 0),
        number(total(|facts| facts.volume), 1),
        number(total(|facts| facts.grams), 1),
    )
}

/// What is known of a piece as a thing.
struct Facts {
    copies: usize,
    /// Width, depth and height on the bed, in millimetres.
    size: String,
    /// Cubic centimetres.
    volume: f64,
    grams: f64,
    /// Which side lies on the bed, and what stands on it.
    down: String,
}

impl Facts {
    fn new(page: &Page<'_>, id: PieceId, shown: &Assembly) -> Facts {
        let (model, bed) = (&page.models[id.0], &page.beds[id.0]);
        let [least, most] = bed.bounds(model);
        let size = [0, 1, 2].map(|k| number(most[k] - least[k], 2));
        let volume = model.volume / 1000.0;
        let down = bed.rotation.inverse().side(Side::Bottom);
        Facts {
            copies: shown.count(id),
            size: size.join(" × "),
            volume,
            grams: volume * PLA,
            down: face_down(page.puzzle.piece(id), down),
        }
    }
}

fn face_down(piece: &Piece, side: Side) -> String {
    let cell = piece.shape.cells()[0];
    match (piece.shape.cells().len(), piece.marks.get(&Square { cell, side })) {
        (1, None) if piece.marks.is_empty() => "any".to_owned(),
        (1, None) => format!("{}, blank", side.name()),
        (1, Some(mark)) => format!("{}, {}", side.name(), name(&mark.text)),
        _ => side.name().to_owned(),
    }
}
