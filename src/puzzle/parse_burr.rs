//! `[burr]`: six-piece burrs by their sticks; target and pieces are implied.

use std::collections::BTreeMap;

use super::Target;
use super::burr::{Stick, StickError, target};
use super::colour::Colour;
use super::grid::{Cell, Shape, Side, Square, Turn};
use super::parse::ParseError;
use super::piece::{Mark, Piece};
use super::table::{Table, Value};

/// More sticks than this are refused; the whole of all notchable sticks has fewer.
const MOST_STICKS: usize = 1000;

/// The target and the sticks. Of more than six, any six are to be chosen. A number that is listed again is another copy
/// of the same stick, unless equal sticks are told apart.
pub(super) fn read_burr(value: &Value<'_>, is_equal_apart: bool) -> Result<(Target, Vec<Piece>), ParseError> {
    let table = value.table(&["sticks", "length"])?;
    let length = table.get("length").map_or(Ok(6), |length| read_length(&length))?;
    let sticks = table.require("sticks", "write sticks = [\"0001/0110/1001/1111\", 975, ...]")?;
    let values = sticks.array()?;
    if values.len() < 6 {
        let message = format!("a six-piece burr has six sticks, here are {}", values.len());
        return Err(ParseError::new(&sticks.span, message, format!("add {}", 6 - values.len())));
    }
    if values.len() > MOST_STICKS {
        return Err(ParseError::new(&sticks.span, "more than 1000 sticks", "leave some out"));
    }
    let chosen = values.len() > 6;
    let mut pieces: Vec<Piece> = Vec::with_capacity(values.len());
    let mut numbered: BTreeMap<i64, usize> = BTreeMap::new();
    for value in &values {
        let stick = match value.is_text() {
            true => read_rows(value)?,
            false => {
                let number = value.integer()?;
                if let Some(&first) = numbered.get(&number).filter(|_| !is_equal_apart) {
                    let count = &mut pieces[first].count;
                    *count = if chosen { 0 } else { count.start() + 1 }..=count.end() + 1;
                    continue;
                }
                numbered.insert(number, pieces.len());
                read_number(value, number)?
            }
        };
        // Letters, as numbers are too long to stand on an end.
        let name = letters(pieces.len());
        let shape = read_shape(value, stick, length)?;
        pieces.push(Piece {
            marks: label(&name, &shape),
            name,
            colour: Colour::of_palette(pieces.len()),
            shape,
            count: if chosen { 0..=1 } else { 1..=1 },
            twin_of: None,
        });
    }
    Ok((target(length), pieces))
}

/// A burr implies what other puzzles say.
pub(super) fn only_burr(file: &Table<'_>) -> Result<(), ParseError> {
    for key in ["target", "rules", "palette", "order", "cubie", "cubies", "piece"] {
        if let Some(value) = file.get(key) {
            let message = format!("a [burr] has no '{key}' of its own");
            let help = "leave it out: the target is that of the six-piece burr, the pieces are its sticks";
            return Err(ParseError::new(&value.span, message, help));
        }
    }
    Ok(())
}

/// A, B, ... Z, A2, B2, ...
fn letters(index: usize) -> String {
    let letter = char::from(b'A' + (index % 26) as u8);
    if index < 26 { letter.to_string() } else { format!("{letter}{}", index / 26 + 1) }
}

fn read_length(value: &Value<'_>) -> Result<i32, ParseError> {
    match value.integer()? {
        length @ (4 | 6 | 8) => Ok(length as i32),
        length => {
            let message = format!("sticks of length {length} make no burr");
            let help = "write length = 4, 6 or 8: the middle of 4, and as much beyond it at either end";
            Err(ParseError::new(&value.span, message, help))
        }
    }
}

fn read_number(value: &Value<'_>, number: i64) -> Result<Stick, ParseError> {
    let stick = u32::try_from(number).ok().and_then(Stick::from_number);
    stick.ok_or_else(|| {
        let message = format!("there is no stick number {number}");
        ParseError::new(&value.span, message, "standard numbers go from 1 (the solid stick) to 1024")
    })
}

fn read_rows(value: &Value<'_>) -> Result<Stick, ParseError> {
    let text = value.text()?;
    if text.parse::<i64>().is_ok() {
        let help = format!("write the number without quotes: {text}");
        return Err(ParseError::new(&value.span, "the number of a stick is not a text", help));
    }
    Stick::from_rows(text).map_err(|error| {
        let message = match error {
            StickError::Rows(rows) => format!("a stick is written as four rows, here are {rows}"),
            StickError::Columns(row, columns) => format!("row {row} of this stick has {columns} characters, not four"),
            StickError::Character(c) => format!("unknown character '{c}' in a stick"),
        };
        let help = "write \"0001/0110/1001/1111\": upper front, upper back, lower front, lower back; 1 is a cell, 0 a \
                    notch";
        ParseError::new(&value.span, message, help)
    })
}

/// The stick at that length, which must hang together.
fn read_shape(value: &Value<'_>, stick: Stick, length: i32) -> Result<Shape, ParseError> {
    let cells = stick.cells(length);
    let corner = cells.iter().copied().reduce(Cell::least).unwrap_or_default();
    let shape = Shape::new(cells)
        .map_err(|_| ParseError::new(&value.span, "this stick has no cells", "write 1 for each cell that is there"))?;
    let parts = shape.components();
    if parts.len() == 1 {
        return Ok(shape);
    }
    // Drawn with its ends, each part in its own letter.
    let letter =
        |cell: Cell| (b'A'..).zip(&parts).find(|(_, part)| part.contains(&cell)).map_or('0', |(c, _)| c.into());
    let row = |row: i32| (0..length).map(|x| letter(Cell::new(x, row % 2, 1 - row / 2) - corner)).collect::<String>();
    let drawing = (0..4).map(row).collect::<Vec<_>>().join("/");
    let message = format!("this stick is in {} parts: {drawing}", parts.len());
    let help = "join them, face to face: each letter is a part, ends included, 0 is a notch; rows are upper front, upper \
                back, lower front, lower back";
    Err(ParseError::new(&value.span, message, help))
}

/// The name on an end of the stick, on the first of its squares there that has a cell.
fn label(name: &str, shape: &Shape) -> BTreeMap<Square, Mark> {
    let place = |cell: &Cell| (cell.x, -cell.z, cell.y);
    let first = shape.cells().iter().copied().min_by_key(place).expect("a shape has at least one cell");
    let mark = Mark::new(name, Turn::Upright);
    BTreeMap::from([(Square { cell: first, side: Side::Left }, mark)])
}
