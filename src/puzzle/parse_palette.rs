//! Coloured faces: the `[palette]`, the `order` of six letters, and the colours of a cube.

use std::collections::BTreeSet;

use super::colour::Colour;
use super::grid::Side;
use super::parse::{ParseError, read_colour};
use super::parse_cubies::check_text;
use super::rules::Paint;
use super::table::{Table, Value};
use crate::nearest::nearest;

/// A blank face among six letters.
const BLANK: char = '.';

/// Symbols that become each other when a cube is turned. 6 and 9 are told apart by the bar below them.
const LOOK_ALIKE: [&str; 8] = ["NZ", "MW", "nu", "bq", "dp", "-|I", "^v<>", "▲▶▼◀"];

/// The colours of a puzzle and the order in which six of them are listed.
#[derive(Default)]
pub(super) struct Palette {
    /// What a cube calls them, in the order of the file.
    keys: Vec<String>,
    /// The colours, in the same order.
    pub(super) paints: Vec<Paint>,
    /// The sides in the order of six letters, when the file states one.
    order: Option<[Side; 6]>,
}

/// What six faces show, a colour of the palette by its number or nothing, in the order of [`Side::ALL`].
pub(super) type Colours = [Option<usize>; 6];

impl Palette {
    /// Reads `[palette]` and `order` of a puzzle file.
    pub(super) fn read(file: &Table<'_>) -> Result<Palette, ParseError> {
        let mut palette = Palette { order: read_order(file)?, ..Palette::default() };
        let Some(table) = file.get("palette") else { return Ok(palette) };
        for (key, value) in table.entries()? {
            check_text(key, &value)?;
            palette.add(key, &value)?;
        }
        Ok(palette)
    }

    fn add(&mut self, key: &str, value: &Value<'_>) -> Result<(), ParseError> {
        let paint = match value.is_text() {
            true => Paint { symbol: key.to_owned(), name: called(value.text()?, key), colour: read_colour(value)? },
            false => {
                let table = value.table(&["colour", "name", "symbol"])?;
                let colour = table.require("colour", "write colour = \"red\", or hex such as \"#D02020\"")?;
                let text = |of: &str, other: &str| match table.get(of) {
                    Some(value) => value.text().map(str::to_owned),
                    None => Ok(other.to_owned()),
                };
                let symbol = text("symbol", key)?;
                check_text(&symbol, &table.get("symbol").unwrap_or_else(|| value.clone()))?;
                Paint { symbol, name: text("name", &called(colour.text()?, key))?, colour: read_colour(&colour)? }
            }
        };
        if paint.symbol.is_empty() {
            let help = "write a letter or a shape such as \"●\"";
            return Err(ParseError::new(&value.span, "a colour has a symbol of at least one character", help));
        }
        for other in &self.paints {
            let clash = |message: String, help: &str| Err(ParseError::new(&value.span, message, help));
            if other.colour == paint.colour {
                return clash(format!("'{key}' and '{}' are the same colour", other.symbol), "choose another colour");
            }
            let pair = [other.symbol.as_str(), paint.symbol.as_str()];
            if pair[0] == pair[1] || LOOK_ALIKE.iter().any(|alike| pair.iter().all(|symbol| alike.contains(symbol))) {
                return clash(
                    format!("the symbols '{}' and '{}' look alike on a cube that is turned", pair[0], pair[1]),
                    "give one of them another: Z = { colour = \"red\", symbol = \"X\" }",
                );
            }
        }
        self.keys.push(key.to_owned());
        self.paints.push(paint);
        Ok(())
    }

    /// Six colours: letters in the stated order, that of `table` before that of the file, or side by side.
    pub(super) fn colours(&self, value: &Value<'_>, table: Option<&Table<'_>>) -> Result<Colours, ParseError> {
        let mut colours = Colours::default();
        if value.is_text() {
            let order = self.order(value, table)?;
            for (side, letter) in order.into_iter().zip(self.letters(value)?) {
                colours[side as usize] = letter;
            }
            return Ok(colours);
        }
        let sides = value.table(&Side::ALL.map(Side::name))?;
        for side in Side::ALL {
            let help = format!("write {} = \"\" for a blank face", side.name());
            colours[side as usize] = self.colour(&sides.require(side.name(), &help)?)?;
        }
        Ok(colours)
    }

    /// Whether the file has colours.
    pub(super) fn is_empty(&self) -> bool {
        self.paints.is_empty()
    }

    /// What the file calls a colour.
    pub(super) fn key(&self, colour: usize) -> &str {
        &self.keys[colour]
    }

    /// Six letters, whatever the order.
    pub(super) fn letters(&self, value: &Value<'_>) -> Result<[Option<usize>; 6], ParseError> {
        let written = value.text()?;
        let letters: Vec<Option<usize>> = written
            .chars()
            .map(|letter| match letter {
                BLANK => Ok(None),
                letter => self.number(letter.encode_utf8(&mut [0; 4]), value).map(Some),
            })
            .collect::<Result<_, _>>()?;
        <[Option<usize>; 6]>::try_from(letters).map_err(|letters| {
            let message = format!("'{written}' has {}, a cube has 6 faces", faces(letters.len()));
            ParseError::new(&value.span, message, "write one letter a face; . is a blank one")
        })
    }

    /// The order of six letters.
    pub(super) fn order(&self, value: &Value<'_>, table: Option<&Table<'_>>) -> Result<[Side; 6], ParseError> {
        let own = table.map(read_order).transpose()?.flatten();
        own.or(self.order).ok_or_else(|| {
            let help = "say it above [target], as in: order = \"top left front right back bottom\"";
            ParseError::new(&value.span, "in which order are these six faces?", help)
        })
    }

    /// One colour, or nothing for a blank face.
    pub(super) fn colour(&self, value: &Value<'_>) -> Result<Option<usize>, ParseError> {
        match value.text()? {
            "" => Ok(None),
            key => self.number(key, value).map(Some),
        }
    }

    fn number(&self, key: &str, value: &Value<'_>) -> Result<usize, ParseError> {
        self.keys.iter().position(|known| known == key).ok_or_else(|| {
            let help = match nearest(key, self.keys.iter().map(String::as_str)) {
                Some(near) => format!("did you mean '{near}'?"),
                None => {
                    let (known, colour) = (self.keys.join(" "), example(key));
                    match known.as_str() {
                        "" => format!("add a [palette] with {key} = \"{colour}\""),
                        _ => format!("write one of {known}, or add {key} = \"{colour}\" to [palette]"),
                    }
                }
            };
            ParseError::new(&value.span, format!("the colour '{key}' is not in [palette]"), help)
        })
    }
}

/// What people call a colour: its CSS name, or its key where it has none.
fn called(colour: &str, key: &str) -> String {
    if colour.starts_with('#') { key.to_owned() } else { colour.to_owned() }
}

/// A colour name that begins like the key, so that advice reads naturally.
fn example(key: &str) -> &'static str {
    let initial = key.to_lowercase();
    let names = ["red", "green", "blue", "white", "yellow", "orange", "purple", "black", "cyan", "magenta"];
    names.into_iter().find(|name| !initial.is_empty() && name.starts_with(&initial)).unwrap_or("red")
}

fn read_order(table: &Table<'_>) -> Result<Option<[Side; 6]>, ParseError> {
    let Some(value) = table.get("order") else { return Ok(None) };
    let mut sides = Vec::new();
    let help = "write each side once: order = \"top left front right back bottom\"";
    for word in value.text()?.split_whitespace() {
        let known = Side::ALL.into_iter().find(|side| side.name() == word);
        let side = known.ok_or_else(|| {
            let near = nearest(word, Side::ALL.map(Side::name)).map(|near| format!("did you mean '{near}'?"));
            let help = near.unwrap_or_else(|| help.to_owned());
            ParseError::new(&value.span, format!("'{word}' is not a side"), help)
        })?;
        if sides.contains(&side) {
            return Err(ParseError::new(&value.span, format!("the order names '{word}' twice"), help));
        }
        sides.push(side);
    }
    let named: BTreeSet<Side> = sides.iter().copied().collect();
    let missing: Vec<&str> = Side::ALL.into_iter().filter(|side| !named.contains(side)).map(Side::name).collect();
    let order = <[Side; 6]>::try_from(sides);
    let missing = format!("the order leaves out {}", missing.join(", "));
    order.map(Some).map_err(|_| ParseError::new(&value.span, missing, help))
}

fn faces(count: usize) -> String {
    if count == 1 { "1 face".to_owned() } else { format!("{count} faces") }
}

/// The body of a cube whose faces all have colours of their own.
pub(super) const BODY: Colour = Colour::new(0xF0, 0xF0, 0xF0);
