//! Cubies: `[[cubie]]` with a mark on each face.

use std::collections::BTreeMap;

use super::colour::Colour;
use super::grid::{Cell, Shape, Side, Square, Turn};
use super::parse::{ParseError, name, read_colour};
use super::parse_rules::outside;
use super::piece::{Mark, Piece};
use super::rules::Rules;
use super::table::Value;

/// The cubies, in the order of the file.
pub(super) fn read_cubies(cubies: &[Value<'_>], rules: &Rules) -> Result<Vec<Piece>, ParseError> {
    let mut names = BTreeMap::new();
    let mut pieces = Vec::with_capacity(cubies.len());
    for (index, cubie) in cubies.iter().enumerate() {
        let table = cubie.table(&["name", "colour", "faces"])?;
        let name = name(&table)?;
        if let Some(first) = names.insert(name.clone(), index + 1) {
            let span = table.get("name").map_or(cubie.span.clone(), |value| value.span);
            let message = format!("two cubies are named '{name}': number {first} and number {}", index + 1);
            return Err(ParseError::new(&span, message, "give each a name of its own"));
        }
        let colour = table.get("colour").map(|colour| read_colour(&colour)).transpose()?;
        if let (None, Some([first, second])) = (colour, rules.chequered) {
            let help = format!("the rule chequered asks for one: write colour = \"{first}\" or \"{second}\"");
            return Err(ParseError::new(&cubie.span, format!("cubie '{name}' has no colour"), help));
        }
        let faces = table.require("faces", "write faces = { front = \"1\", right = \"\", ... }")?;
        pieces.push(Piece {
            name,
            colour: colour.unwrap_or(Colour::of_palette(index)),
            shape: Shape::cube(),
            marks: read_faces(&faces, rules)?,
            count: 1..=1,
            twin_of: None,
        });
    }
    Ok(pieces)
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
    if written.chars().any(|c| c.is_control() || c.is_whitespace() || is_invisible(c)) || written.chars().count() > 12 {
        let message = "a face shows at most 12 characters, without spaces";
        return Err(ParseError::new(&value.span, message, "write a digit or a short text, or \"\" for a blank face"));
    }
    let is_symbol = |text: &str| rules.symbols.iter().any(|symbol| symbol == text);
    let body = &written[..written.len() - last.len_utf8()];
    let turn = Turn::ALL.into_iter().find(|turn| turn.symbol() == last);
    let (text, turn) = match turn {
        // A text that is a symbol as it stands is that symbol, even if it ends like a turn.
        Some(turn) if !body.is_empty() && !is_symbol(written) => (body, turn),
        _ => (written, Turn::Upright),
    };
    if rules.symbols.is_empty() || is_symbol(text) {
        return Ok(Some(Mark { text: text.to_owned(), turn }));
    }
    if is_symbol(body) {
        let help = "write ^ or nothing for upright, < top to the left, v upside down, > top to the right";
        return Err(ParseError::new(&value.span, format!("unknown turn '{last}'"), help));
    }
    Err(outside(&value.span, text, &rules.symbols))
}

/// Characters that turn the direction of text around or show nothing at all.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
