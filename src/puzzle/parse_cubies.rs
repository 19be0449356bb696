//! Cubies: `[[cubie]]` with a mark on each face, and `[cubies]` for all that six letters make.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};

use super::colour::Colour;
use super::grid::{Cell, Orientation, Shape, Side, Square, Turn};
use super::parse::{ParseError, name, read_colour};
use super::parse_palette::{BODY, Colours, Palette};
use super::parse_pieces::read_count;
use super::parse_rules::outside;
use super::piece::{Mark, Piece};
use super::rules::Rules;
use super::table::{Table, Value};

/// The cubies of a file: those that it lists, then those that it has made.
pub(super) fn read_cubies(file: &Table<'_>, rules: &Rules, palette: &Palette) -> Result<Vec<Piece>, ParseError> {
    let mut cubies = Cubies { rules, palette, names: BTreeMap::new(), pieces: Vec::new() };
    for cubie in file.get("cubie").map(|list| list.array()).transpose()?.unwrap_or_default() {
        cubies.read(&cubie)?;
    }
    if let Some(made) = file.get("cubies") {
        cubies.make(&made)?;
    }
    Ok(cubies.pieces)
}

struct Cubies<'a> {
    rules: &'a Rules,
    palette: &'a Palette,
    /// The number of the cubie with each name.
    names: BTreeMap<String, usize>,
    pieces: Vec<Piece>,
}

impl Cubies<'_> {
    /// One cubie, face by face or by six letters.
    fn read(&mut self, cubie: &Value<'_>) -> Result<(), ParseError> {
        let table = cubie.table(&["name", "colour", "faces", "colours", "order", "count"])?;
        let name = name(&table)?;
        let name_span = table.get("name").map_or(cubie.span.clone(), |value| value.span);
        let count = table.get("count").map_or(Ok(1..=1), |count| read_count(&count))?;
        let marks = match (table.get("faces"), table.get("colours")) {
            (Some(faces), None) => read_faces(&faces, self.rules)?,
            (None, Some(colours)) => self.marks(self.palette.colours(&colours, Some(&table))?),
            (Some(_), Some(colours)) => {
                let message = "a cubie has faces or colours, not both";
                return Err(ParseError::new(&colours.span, message, "leave one of them out"));
            }
            (None, None) => {
                let help = match self.palette.is_empty() {
                    true => "write faces = { front = \"1\", right = \"\", ... }",
                    false => "write colours = { front = \"R\", right = \"G\", ... }",
                };
                let missing = if self.palette.is_empty() { "faces" } else { "colours" };
                return Err(ParseError::new(&table.span, format!("'{missing}' is missing"), help));
            }
        };
        self.push(name, &name_span, &table, marks, count)
    }

    /// Every cubie that six letters make, one a face: those that no turn makes equal. Each is named by its letters as it
    /// first stands in the order of the file.
    fn make(&mut self, made: &Value<'_>) -> Result<(), ParseError> {
        let table = made.table(&["all", "order", "colour", "count"])?;
        let all = table.require("all", "write six letters of the palette, as in: all = \"123456\"")?;
        let count = table.get("count").map_or(Ok(1..=1), |count| read_count(&count))?;
        let (letters, order) = (self.palette.letters(&all)?, self.palette.order(&all, Some(&table))?);
        for colours in all_cubies(letters, order) {
            let key = |side: Side| colours[side as usize].map_or(".", |colour| self.palette.key(colour));
            let name = order.map(key).concat();
            self.push(name, &all.span, &table, self.marks(colours), count.clone())?;
        }
        Ok(())
    }

    fn push(
        &mut self,
        name: String,
        span: &Range<usize>,
        table: &Table<'_>,
        marks: BTreeMap<Square, Mark>,
        count: RangeInclusive<u32>,
    ) -> Result<(), ParseError> {
        let number = self.pieces.len() + 1;
        if let Some(first) = self.names.insert(name.clone(), number) {
            let message = format!("two cubies are named '{name}': number {first} and number {number}");
            return Err(ParseError::new(span, message, "give each a name of its own"));
        }
        let colour = table.get("colour").map(|colour| read_colour(&colour)).transpose()?;
        if let (None, Some([first, second])) = (colour, self.rules.chequered) {
            let help = format!("the rule chequered asks for one: write colour = \"{first}\" or \"{second}\"");
            return Err(ParseError::new(&table.span, format!("cubie '{name}' has no colour"), help));
        }
        let is_painted = marks.values().any(|mark| mark.paint.is_some());
        let default = if is_painted { BODY } else { Colour::of_palette(number - 1) };
        let (colour, shape) = (colour.unwrap_or(default), Shape::cube());
        self.pieces.push(Piece { name, colour, shape, marks, count, twin_of: None });
        Ok(())
    }

    /// The symbols of colours, upright.
    fn marks(&self, colours: Colours) -> BTreeMap<Square, Mark> {
        let mark = |side: Side| {
            let paint = &self.palette.paints[colours[side as usize]?];
            let mark = Mark { paint: Some(paint.colour), ..Mark::new(&paint.symbol, Turn::Upright) };
            Some((Square { cell: Cell::ZERO, side }, mark))
        };
        Side::ALL.into_iter().filter_map(mark).collect()
    }
}

/// Every way to put six letters on a cube, one of each set that turns make equal: the first of them in that order.
fn all_cubies(letters: [Option<usize>; 6], order: [Side; 6]) -> Vec<Colours> {
    let mut all = vec![Vec::new()];
    for (next, &letter) in letters.iter().enumerate() {
        let longer = |shorter: &Vec<Option<usize>>| {
            let inserted = |at: usize| [&shorter[..at], &[letter], &shorter[at..]].concat();
            (0..=next).map(inserted).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    let first = |colours: Vec<Option<usize>>| {
        let turned = |by: Orientation| order.map(|side| colours[by.side(side) as usize]);
        Orientation::all().map(turned).min().expect("there are 24 of them")
    };
    let listed: BTreeSet<[Option<usize>; 6]> = all.into_iter().map(first).collect();
    let by_side = |listed: [Option<usize>; 6]| {
        let mut colours = Colours::default();
        order.iter().zip(listed).for_each(|(&side, letter)| colours[side as usize] = letter);
        colours
    };
    listed.into_iter().map(by_side).collect()
}

fn read_faces(value: &Value<'_>, rules: &Rules) -> Result<BTreeMap<Square, Mark>, ParseError> {
    let table = value.table(&Side::ALL.map(Side::name))?;
    let mut marks = BTreeMap::new();
    for side in Side::ALL {
        let help = format!("write {} = \"\" for a blank face", side.name());
        let face = table.require(side.name(), &help)?;
        if let Some(mark) = read_mark(&face, rules)? {
            marks.insert(Square { cell: Cell::ZERO, side }, mark);
        }
    }
    Ok(marks)
}

/// Text and an optional turn: `6`, `6v`, `10<`. A turn character alone is a text.
fn read_mark(value: &Value<'_>, rules: &Rules) -> Result<Option<Mark>, ParseError> {
    let written = value.text()?;
    let Some(last) = written.chars().next_back() else { return Ok(None) };
    check_text(written, value)?;
    let is_symbol = |text: &str| rules.symbols.iter().any(|symbol| symbol == text);
    let body = &written[..written.len() - last.len_utf8()];
    let turn = Turn::ALL.into_iter().find(|turn| turn.symbol() == last);
    let (text, turn) = match turn {
        // A text that is a symbol as it stands is that symbol, even if it ends like a turn.
        Some(turn) if !body.is_empty() && !is_symbol(written) => (body, turn),
        _ => (written, Turn::Upright),
    };
    if rules.symbols.is_empty() || is_symbol(text) {
        return Ok(Some(Mark::new(text, turn)));
    }
    if is_symbol(body) {
        let help = "write ^ or nothing for upright, < top to the left, v upside down, > top to the right";
        return Err(ParseError::new(&value.span, format!("unknown turn '{last}'"), help));
    }
    Err(outside(&value.span, text, &rules.symbols))
}

/// Whether a text can stand on a face.
pub(super) fn check_text(written: &str, value: &Value<'_>) -> Result<(), ParseError> {
    if written.chars().any(|c| c.is_control() || c.is_whitespace() || is_invisible(c)) || written.chars().count() > 12 {
        let message = "a face shows at most 12 characters, without spaces";
        return Err(ParseError::new(&value.span, message, "write a digit or a short text, or \"\" for a blank face"));
    }
    Ok(())
}

/// Characters that turn the direction of text around or show nothing at all.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
