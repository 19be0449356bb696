//! Polycube pieces and drawn layers: `[[piece]]` and `layers = ["XX/X."]`, the bottom layer first, rows back to front.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};

use super::Target;
use super::colour::Colour;
use super::grid::{Cell, Orientation, Shape, ShapeError};
use super::parse::{MOST_CELLS, ParseError, name, read_colour};
use super::piece::{Piece, PieceId};
use super::table::{Table, Value};
use crate::words::plural;

/// The most copies of a piece, and the most cells of all copies together.
pub(super) const MOST_COPIES: i64 = MOST_CELLS;

/// The keys of `[target]`.
pub(super) const TARGET: [&str; 3] = ["box", "layers", "tints"];
/// The keys of `[[piece]]`.
pub(super) const PIECE: [&str; 9] =
    ["name", "colour", "layers", "cells", "tints", "count", "mirror", "disconnected", "weight"];

/// The pieces of a packing puzzle, checked against what they are to fill.
pub(super) fn read_pieces(
    values: &[Value<'_>],
    target: &Target,
    target_span: &Range<usize>,
) -> Result<Vec<Piece>, ParseError> {
    let looks = std::cell::Cell::new(0);
    let room = Room::new(target, &looks);
    let mut names = BTreeMap::new();
    let mut pieces: Vec<Piece> = Vec::with_capacity(values.len());
    let mut volumes = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let table = value.table(&PIECE)?;
        let name = name(&table)?;
        let name_span = table.get("name").map_or(value.span.clone(), |value| value.span);
        let mut take_name = |name: &str| match names.insert(name.to_owned(), index + 1) {
            None => Ok(()),
            Some(first) => Err(ParseError::new(
                &name_span,
                format!("two pieces are named '{name}': number {first} and number {}", index + 1),
                "give each a name of its own; a mirror image is named after its piece",
            )),
        };
        take_name(&name)?;
        let colour = table.get("colour").map(|colour| read_colour(&colour)).transpose()?;
        let (shape, shape_span) = read_shape(&table)?;
        check_connected(&name, &shape, &shape_span, &table)?;
        let count = table.get("count").map_or(Ok(1..=1), |count| read_count(&count))?;
        let mirrored = match table.get("mirror").map(|mirror| mirror.flag()).transpose()? {
            Some(true) => Some(shape.mirrored()).filter(|mirrored| !is_turned(mirrored, &shape)),
            _ => None,
        };
        // One that need not be used may be of no use.
        if *count.start() > 0 && !room.fits(&shape) && !mirrored.as_ref().is_some_and(|mirrored| room.fits(mirrored)) {
            let message = format!("the piece '{name}' does not fit into the target in any orientation");
            return Err(ParseError::new(&shape_span, message, "make the target larger, or mend the piece"));
        }
        volumes.push((shape.cells().len(), count.clone()));
        let id = PieceId(pieces.len());
        let piece = Piece {
            name,
            colour: colour.unwrap_or(Colour::of_palette(index)),
            shape,
            marks: BTreeMap::new(),
            count,
            twin_of: None,
        };
        let twin = mirrored.map(|shape| {
            let name = format!("{} mirrored", piece.name);
            Piece { name, shape, twin_of: Some(id), ..piece.clone() }
        });
        pieces.push(piece);
        if let Some(twin) = twin {
            take_name(&twin.name)?;
            pieces.push(twin);
        }
    }
    check_volumes(&volumes, target, target_span)?;
    Ok(pieces)
}

/// A target as drawn: `X` is filled, `+` may stay empty, `.` is outside.
pub(super) fn read_target_layers(value: &Value<'_>) -> Result<Target, ParseError> {
    let drawing = read_layers(value, "X+.", "X is filled, + may stay empty, . is outside")?;
    let with = |wanted: char| drawing.cells.iter().filter(move |cell| cell.1 == wanted).map(|cell| cell.0);
    let target = Target { filled: with('X').collect(), optional: with('+').collect(), size: drawing.size };
    if target.filled.is_empty() && target.optional.is_empty() {
        return Err(ParseError::new(&value.span, "the target has no cell to fill", "mark cells with X or +"));
    }
    Ok(target)
}

/// Cells and what is drawn there.
pub(super) struct Drawing {
    pub(super) cells: Vec<(Cell, char)>,
    size: Cell,
}

pub(super) fn read_layers(value: &Value<'_>, known: &str, help: &str) -> Result<Drawing, ParseError> {
    let layers = value.array()?;
    let mut drawing = Drawing { cells: Vec::new(), size: Cell::ZERO };
    let mut first: Option<(usize, usize)> = None;
    for (z, layer) in layers.iter().enumerate() {
        let rows: Vec<&str> = layer.text()?.split('/').collect();
        let lengths: Vec<usize> = rows.iter().map(|row| row.chars().count()).collect();
        let (columns, depth) = *first.get_or_insert((lengths[0], rows.len()));
        if let Some(row) = lengths.iter().position(|&length| length != lengths[0]) {
            let (a, b) = (lengths[0], lengths[row]);
            let message = format!("row 1 of this layer has {a} characters, row {} has {b}", row + 1);
            return Err(ParseError::new(&layer.span, message, "draw all rows equally long; . is a place outside"));
        }
        if (lengths[0], rows.len()) != (columns, depth) {
            let size = |rows: usize, length: usize| format!("{} of {length}", plural(rows as u64, "row"));
            let (own, first) = (size(rows.len(), lengths[0]), size(depth, columns));
            let message = format!("this layer has {own}, the first has {first}");
            return Err(ParseError::new(&layer.span, message, "draw all layers equally large; . is a place outside"));
        }
        for (row, text) in rows.iter().enumerate() {
            for (x, c) in text.chars().enumerate() {
                if !known.contains(c) {
                    return Err(ParseError::new(&layer.span, format!("unknown character '{c}' in a layer"), help));
                }
                // The back row is drawn first.
                drawing.cells.push((Cell::new(x as i32, (depth - 1 - row) as i32, z as i32), c));
            }
        }
        if drawing.cells.len() as i64 > MOST_CELLS {
            return Err(ParseError::new(&value.span, "a drawing has at most 1,000,000 places", "draw a smaller one"));
        }
    }
    let (columns, depth) = first.unwrap_or((0, 0));
    drawing.size = Cell::new(columns as i32, depth as i32, layers.len() as i32);
    Ok(drawing)
}

fn read_shape(table: &Table<'_>) -> Result<(Shape, Range<usize>), ParseError> {
    let help = "write layers = [\"XX/X.\"], or cells = [[0, 0, 0], [1, 0, 0]]";
    let (value, cells) = match (table.get("layers"), table.get("cells")) {
        (Some(layers), None) => {
            let drawing = read_layers(&layers, "X.", "X is a cell of the piece, . is none")?;
            (layers, drawing.cells.into_iter().filter(|cell| cell.1 == 'X').map(|cell| cell.0).collect())
        }
        (None, Some(cells)) => {
            let list: Vec<Cell> = cells.array()?.iter().map(read_cell).collect::<Result<_, _>>()?;
            (cells, list)
        }
        (Some(layers), Some(_)) => {
            return Err(ParseError::new(&layers.span, "layers and cells say the same thing", "leave one of them out"));
        }
        (None, None) => return Err(ParseError::new(&table.span, "the piece has no cells", help)),
    };
    match Shape::new(cells) {
        Ok(shape) => Ok((shape, value.span)),
        Err(ShapeError::Empty) => Err(ParseError::new(&value.span, "the piece has no cells", help)),
        Err(ShapeError::Twice(cell)) => {
            let message = format!("the cell {}, {}, {} is listed twice", cell.x, cell.y, cell.z);
            Err(ParseError::new(&value.span, message, "list each cell once"))
        }
    }
}

fn read_cell(value: &Value<'_>) -> Result<Cell, ParseError> {
    let wanted = |message: &str| ParseError::new(&value.span, message, "write x, y, z such as [0, 1, 0]");
    let numbers: Vec<i64> = value.array()?.iter().map(Value::integer).collect::<Result<_, _>>()?;
    let [x, y, z] = numbers[..] else { return Err(wanted("a cell has three coordinates")) };
    if numbers.iter().any(|c| c.unsigned_abs() > MOST_CELLS as u64) {
        return Err(wanted("a coordinate is at most 1,000,000"));
    }
    Ok(Cell::new(x as i32, y as i32, z as i32))
}

/// A number of copies, or a range of them.
pub(super) fn read_count(value: &Value<'_>) -> Result<RangeInclusive<u32>, ParseError> {
    let wanted = |message: &str| ParseError::new(&value.span, message, "write count = 3, or a range: count = [0, 5]");
    let (least, most) = match value.integer() {
        Ok(count) => (count, count),
        Err(error) => match value.array().map_err(|_| error)?[..] {
            [ref least, ref most] => (least.integer()?, most.integer()?),
            _ => return Err(wanted("a range of counts has two numbers")),
        },
    };
    match (least, most) {
        _ if least < 0 => Err(wanted("a count is not below 0")),
        _ if least > most => Err(wanted("the range of counts is empty: its first number is above its second")),
        (_, 0) => Err(wanted("the piece is never used")),
        _ if most > MOST_COPIES => Err(wanted("a count is at most 1,000,000")),
        _ => Ok(least as u32..=most as u32),
    }
}

fn check_connected(name: &str, shape: &Shape, span: &Range<usize>, table: &Table<'_>) -> Result<(), ParseError> {
    let may_be_apart = table.get("disconnected").map(|flag| flag.flag()).transpose()?.unwrap_or(false);
    match shape.components().len() {
        1 => Ok(()),
        _ if may_be_apart => Ok(()),
        parts => Err(ParseError::new(
            span,
            format!("the piece '{name}' is in {parts} parts that do not share a face"),
            "join them, or allow it with disconnected = true",
        )),
    }
}

/// Whether the total volume of some numbers of copies fits the target.
pub(super) fn check_volumes(
    volumes: &[(usize, RangeInclusive<u32>)],
    target: &Target,
    span: &Range<usize>,
) -> Result<(), ParseError> {
    let sum = |count: fn(&RangeInclusive<u32>) -> u32| {
        volumes.iter().map(|(cells, range)| *cells as u64 * u64::from(count(range))).sum::<u64>()
    };
    let (least, most) = (sum(|range| *range.start()), sum(|range| *range.end()));
    let (filled, room) = (target.filled.len() as u64, (target.filled.len() + target.optional.len()) as u64);
    let places = match room == filled {
        true => format!("the target has {room}"),
        false => format!("the target has {filled} to {room}"),
    };
    if least > room {
        let at_least = if least == most { "" } else { "at least " };
        let message = format!("too much volume: the pieces have {at_least}{least} cells, {places}");
        let spare = least - room;
        let help = format!("leave out {}, or make the target larger", plural(spare, "cell"));
        return Err(ParseError::new(span, message, help));
    }
    if most < filled {
        let at_most = if least == most { "" } else { "at most " };
        let message = format!("too little volume: the pieces have {at_most}{most} cells, {places}");
        let missing = filled - most;
        let help = format!("add {}, or make the target smaller", plural(missing, "cell"));
        return Err(ParseError::new(span, message, help));
    }
    if !reaches(volumes, (room - least) as usize, (filled.saturating_sub(least)) as usize) {
        let message = format!("no choice of counts fills the target: {places} cells, and no sum of volumes is that");
        return Err(ParseError::new(span, message, "change the ranges of the counts"));
    }
    Ok(())
}

/// Whether copies above the least numbers can have `wanted` to `room` cells together.
fn reaches(volumes: &[(usize, RangeInclusive<u32>)], room: usize, wanted: usize) -> bool {
    let mut reached = vec![false; room + 1];
    reached[0] = true;
    for (cells, range) in volumes {
        let spare = range.end() - range.start();
        // How many copies the sum at each volume needs; the fewest are kept.
        let mut used: Vec<Option<u32>> = reached.iter().map(|&is| is.then_some(0)).collect();
        for volume in *cells..=room {
            if used[volume].is_none() {
                used[volume] = used[volume - cells].filter(|&copies| copies < spare).map(|copies| copies + 1);
            }
        }
        reached = used.iter().map(Option::is_some).collect();
    }
    reached[wanted..].contains(&true)
}

fn is_turned(a: &Shape, b: &Shape) -> bool {
    Orientation::all().any(|orientation| a.turned(orientation) == *b)
}

/// The cells of the target, for a quick look whether a shape fits somewhere.
pub(super) struct Room<'a> {
    size: Cell,
    inside: Vec<bool>,
    /// Cells looked at so far.
    looks: &'a std::cell::Cell<usize>,
}

/// When so many cells have been looked at, every shape may fit: a quick look must stay one.
const MOST_LOOKS: usize = 200_000_000;

impl<'a> Room<'a> {
    pub(super) fn new(target: &Target, looks: &'a std::cell::Cell<usize>) -> Room<'a> {
        let size = target.size;
        let inside = vec![false; size.x as usize * size.y as usize * size.z as usize];
        let mut room = Room { size, inside, looks };
        for &cell in target.filled.iter().chain(&target.optional) {
            let index = room.index(cell);
            room.inside[index] = true;
        }
        room
    }

    fn index(&self, cell: Cell) -> usize {
        (cell.z as usize * self.size.y as usize + cell.y as usize) * self.size.x as usize + cell.x as usize
    }

    pub(super) fn fits(&self, shape: &Shape) -> bool {
        let turned: BTreeSet<Shape> = Orientation::all().map(|orientation| shape.turned(orientation)).collect();
        turned.iter().any(|shape| {
            let room = self.size - shape.size();
            let offsets = (0..=room.z)
                .flat_map(|z| (0..=room.y).flat_map(move |y| (0..=room.x).map(move |x| Cell::new(x, y, z))));
            offsets.into_iter().any(|at| {
                let cells = shape.cells();
                let inside = cells.iter().take_while(|&&cell| self.inside[self.index(cell + at)]).count();
                self.looks.set(self.looks.get() + inside + 1);
                inside == cells.len() || self.looks.get() > MOST_LOOKS
            })
        })
    }
}
