//! What decides in a packing: the table `[packing]`, and the keys `tints` and `weight` of target and pieces.
//!
//! Tints are drawn beside the layers, letter by letter: a cell with a letter may lie only where `may_lie_on` says.

use std::collections::BTreeSet;

use super::Target;
use super::grid::Cell;
use super::packing_rules::{PackingRules, TintId, Tints};
use super::parse::{ParseError, read_colour};
use super::parse_pieces::{PIECE, TARGET, read_layers};
use super::piece::{Piece, PieceId};
use super::table::{Table, Value};

/// The keys of `[packing]`.
const PACKING: [&str; 3] = ["equal_pieces", "most_empty", "tints"];

/// Reads them; `pieces` and `target` are those of the file.
pub(super) fn read_packing(file: &Table<'_>, target: &Target, pieces: &[Piece]) -> Result<PackingRules, ParseError> {
    let mut rules = PackingRules { equal_apart: is_equal_apart(file)?, ..PackingRules::default() };
    let mut letters = Vec::new();
    if let Some(packing) = file.get("packing") {
        let table = packing.table(&PACKING)?;
        if file.get("piece").or(file.get("burr")).is_none() {
            let help = "leave [packing] out, or list pieces with [[piece]]";
            return Err(ParseError::new(&packing.span, "[packing] is for pieces, this puzzle has none", help));
        }
        if let Some(most) = table.get("most_empty") {
            let number = u32::try_from(most.integer()?);
            let help = "write how many + cells may stay empty at most, such as 3";
            rules.most_empty =
                Some(number.map_err(|_| ParseError::new(&most.span, "this is no number of cells", help))?);
        }
        if let Some(tints) = table.get("tints") {
            letters = read_tints(&tints, &mut rules.tints)?;
        }
    }
    let drawn = |table: &Table<'_>, is_cell: &dyn Fn(Cell) -> bool| draw(table, &letters, is_cell);
    if let Some(value) = file.get("target") {
        let is_cell = |cell: Cell| target.filled.contains(&cell) || target.optional.contains(&cell);
        rules.tints.target = drawn(&value.table(&TARGET)?, &is_cell)?.into_iter().collect();
    }
    let own = (0..pieces.len()).filter(|&index| pieces[index].twin_of.is_none());
    let values = file.get("piece").map_or(Ok(Vec::new()), |pieces| pieces.array())?;
    for (index, value) in own.zip(&values) {
        let table = value.table(&PIECE)?;
        let twin = pieces.iter().position(|piece| piece.twin_of == Some(PieceId(index)));
        let ids: Vec<PieceId> = [Some(index), twin].into_iter().flatten().map(PieceId).collect();
        if let Some(weight) = table.get("weight") {
            let number = i32::try_from(weight.integer()?);
            let number = number.map_err(|_| ParseError::new(&weight.span, "this is no weight", "write weight = 2"))?;
            rules.weights.extend(ids.iter().filter(|_| number != 1).map(|&id| (id, number)));
        }
        // The shape begins at its corner, wherever it is drawn.
        let corner = drawn_corner(&table)?;
        let shape = &pieces[index].shape;
        for (cell, tint) in drawn(&table, &|cell| shape.contains(cell - corner))? {
            let cell = cell - corner;
            rules.tints.pieces.insert((ids[0], cell), tint);
            if let Some(&twin) = ids.get(1) {
                let mirrored = Cell::new(shape.size().x - 1 - cell.x, cell.y, cell.z);
                rules.tints.pieces.insert((twin, mirrored), tint);
            }
        }
    }
    Ok(rules)
}

/// Whether the file tells equal pieces that are listed apart from each other.
pub(super) fn is_equal_apart(file: &Table<'_>) -> Result<bool, ParseError> {
    let Some(packing) = file.get("packing") else { return Ok(false) };
    let Some(equal) = packing.table(&PACKING)?.get("equal_pieces") else { return Ok(false) };
    match equal.text()? {
        "different" => Ok(true),
        "same" => Ok(false),
        other => {
            let help = "write \"same\", or \"different\" to count the exchange of two as another solution";
            Err(ParseError::new(&equal.span, format!("equal pieces cannot be '{other}'"), help))
        }
    }
}

/// The letters of the tints; colours and pairs go into `tints`.
fn read_tints(value: &Value<'_>, tints: &mut Tints) -> Result<Vec<char>, ParseError> {
    let table = value.table(&["letters", "colours", "may_lie_on"])?;
    let written = table.require("letters", "write the letters that stand for tints: letters = \"AB\"")?;
    let letters: Vec<char> = written.text()?.chars().collect();
    let different: BTreeSet<char> = letters.iter().copied().collect();
    let is_wrong = |letter: &char| matches!(letter, '.' | '/') || letter.is_whitespace() || letter.is_control();
    if letters.is_empty() || different.len() < letters.len() || letters.iter().any(is_wrong) {
        let help = "write each letter once; not . or /";
        return Err(ParseError::new(&written.span, "these are not letters that can be told apart", help));
    }
    if letters.len() > Tints::MOST {
        return Err(ParseError::new(&written.span, "a puzzle has at most 63 tints", "leave some out"));
    }
    let colours = table.require("colours", "write a colour for each letter: colours = [\"red\", \"blue\"]")?;
    tints.palette = colours.array()?.iter().map(read_colour).collect::<Result<_, _>>()?;
    if tints.palette.len() != letters.len() {
        let message = format!("{} colours for {} letters", tints.palette.len(), letters.len());
        return Err(ParseError::new(&colours.span, message, "write one colour for each letter"));
    }
    let pairs = table.get("may_lie_on").map_or(Ok(Vec::new()), |pairs| pairs.array())?;
    for pair in pairs {
        let found: Vec<TintId> = pair.text()?.chars().filter_map(|letter| tint(&letters, letter)).collect();
        let &[piece, goal] = &found[..] else {
            let help = "write two letters: \"AB\" lets a cell A of a piece lie on a cell B of the target";
            return Err(ParseError::new(&pair.span, "this is not a pair of tints", help));
        };
        tints.pairs.insert((piece, goal));
    }
    Ok(letters)
}

fn tint(letters: &[char], letter: char) -> Option<TintId> {
    letters.iter().position(|&known| known == letter).map(|index| TintId(index as u8))
}

/// The tinted cells of a drawing.
fn draw(
    table: &Table<'_>,
    letters: &[char],
    is_cell: &dyn Fn(Cell) -> bool,
) -> Result<Vec<(Cell, TintId)>, ParseError> {
    let Some(value) = table.get("tints") else { return Ok(Vec::new()) };
    if letters.is_empty() {
        let help = "add tints = { letters = \"AB\", colours = [\"red\", \"blue\"] } to [packing]";
        return Err(ParseError::new(&value.span, "the puzzle has no tints", help));
    }
    let known: String = letters.iter().chain(&['.']).collect();
    let drawing = read_layers(&value, &known, "draw the letters of [packing] tints, . for none")?;
    let tinted = drawing.cells.iter().filter_map(|&(cell, letter)| tint(letters, letter).map(|tint| (cell, tint)));
    let tinted: Vec<(Cell, TintId)> = tinted.collect();
    match tinted.iter().find(|&&(cell, _)| !is_cell(cell)) {
        None => Ok(tinted),
        Some((cell, _)) => {
            let message = format!("there is no cell at {}, {}, {} to be tinted", cell.x, cell.y, cell.z);
            Err(ParseError::new(&value.span, message, "draw as large as in layers, with letters where cells are"))
        }
    }
}

/// The corner of what a piece draws in its layers.
fn drawn_corner(table: &Table<'_>) -> Result<Cell, ParseError> {
    let (Some(layers), Some(_)) = (table.get("layers"), table.get("tints")) else { return Ok(Cell::ZERO) };
    let drawing = read_layers(&layers, "X.", "X is a cell of the piece, . is none")?;
    let cells = drawing.cells.into_iter().filter(|cell| cell.1 == 'X').map(|cell| cell.0);
    Ok(cells.reduce(Cell::least).unwrap_or_default())
}
