//! A puzzle file (TOML, version 1) -> `Puzzle`. Every complaint points into the file and says how to mend it.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::colour::Colour;
use super::grid::{Cell, Shape, Side, Square, Turn};
use super::parse_pieces::{read_pieces, read_target_layers};
use super::piece::{Mark, Piece};
use super::rules::Rules;
use super::settings::{FITS, Settings, Style};
pub use super::table::ParseError;
use super::table::{Document, Table, Value};
use super::{Credits, Puzzle, Target};
use crate::nearest::nearest;

/// The keys of `[model]`.
const SETTINGS: [&str; 9] = ["pitch", "fit", "inset", "bevel", "style", "relief", "digit_height", "tolerance", "font"];

/// The most cells that a target may have.
pub const MOST_CELLS: i64 = 1_000_000;

/// Reads the text of a puzzle file.
pub fn parse(text: &str) -> Result<Puzzle, ParseError> {
    if text.trim().is_empty() {
        return Err(ParseError::new(&(0..0), "the file is empty", "a puzzle file begins with: cubewright = 1"));
    }
    let document = Document::parse(text)?;
    // The version first, so that a file of a later version is not blamed for keys that are new in it.
    let known = [
        "cubewright",
        "name",
        "author",
        "year",
        "source",
        "licence",
        "notes",
        "target",
        "rules",
        "model",
        "cubie",
        "piece",
    ];
    let file = match document.table(text, &known) {
        Ok(file) => file,
        Err(error) => return Err(document.value("cubewright").and_then(|v| check_version(&v).err()).unwrap_or(error)),
    };
    let version = file.require("cubewright", "begin the file with: cubewright = 1")?;
    check_version(&version)?;

    let rules = match file.get("rules") {
        Some(rules) => read_rules(&rules)?,
        None => Rules::default(),
    };
    let target = file.require("target", "add a [target] with box = [3, 3, 3]")?;
    let (target, target_span) = read_target(&target)?;
    let pieces = match (file.get("cubie"), file.get("piece")) {
        (Some(cubies), None) => {
            let pieces = read_cubies(&cubies.array()?, &rules)?;
            check_number(pieces.len(), &target, &target_span)?;
            pieces
        }
        (None, Some(pieces)) => {
            if let Some(rules) = file.get("rules") {
                let help = "leave [rules] out: pieces have no marks; fill the target is all they do";
                return Err(ParseError::new(&rules.span, "rules are for cubies, this puzzle has pieces", help));
            }
            read_pieces(&pieces.array()?, &target, &target_span)?
        }
        (Some(_), Some(pieces)) => {
            let help = "write either [[piece]] or [[cubie]]";
            return Err(ParseError::new(&pieces.span, "a puzzle has pieces or cubies, not both", help));
        }
        (None, None) => {
            let help = "add a [[piece]] for every piece, or a [[cubie]] for every cubie";
            return Err(ParseError::new(&file.span, "the puzzle has no pieces", help));
        }
    };
    Ok(Puzzle {
        name: name(&file)?,
        credits: Credits {
            author: optional_text(&file, "author")?,
            year: optional_year(&file)?,
            source: optional_text(&file, "source")?,
            licence: optional_text(&file, "licence")?,
            notes: optional_text(&file, "notes")?,
        },
        target,
        pieces,
        rules,
        settings: match file.get("model") {
            Some(model) => read_settings(&model)?,
            None => Settings::default(),
        },
    })
}

/// Where the `[model]` of a puzzle file says something about that setting, if it does.
pub fn place_of_setting(text: &str, setting: &str) -> Option<Range<usize>> {
    let document = Document::parse(text).ok()?;
    let model = document.value("model")?.table(&SETTINGS).ok()?;
    let key = if setting == "inset" && model.get("inset").is_none() { "fit" } else { setting };
    model.get(key).map(|value| value.span)
}

fn check_version(version: &Value<'_>) -> Result<(), ParseError> {
    match version.integer()? {
        1 => Ok(()),
        other => Err(ParseError::new(
            &version.span,
            format!("this file is of version {other}, this program reads version 1"),
            match other > 1 {
                true => "get a newer cubewright",
                false => "write cubewright = 1",
            },
        )),
    }
}

/// Numbered cubies fill every place, one each.
fn check_number(found: usize, target: &Target, span: &Range<usize>) -> Result<(), ParseError> {
    let wanted = target.filled.len();
    if found == wanted && target.optional.is_empty() {
        return Ok(());
    }
    let size = target.size;
    let mend = match found.cmp(&wanted) {
        Ordering::Less => format!("add {}", wanted - found),
        Ordering::Equal => "leave out the places that may stay empty".to_owned(),
        Ordering::Greater => format!("leave out {}", found - wanted),
    };
    Err(ParseError::new(
        span,
        format!("{found} cubies for {wanted} places"),
        format!("a target within {} x {} x {} takes one cubie a place: {mend}", size.x, size.y, size.z),
    ))
}

pub(super) fn name(table: &Table<'_>) -> Result<String, ParseError> {
    let value = table.require("name", "give it a name: name = \"...\"")?;
    match value.text()? {
        blank if blank.trim().is_empty() => Err(ParseError::new(&value.span, "the name is empty", "write a name")),
        long if long.chars().count() > 200 => {
            Err(ParseError::new(&value.span, "the name is longer than 200 characters", "write a shorter one"))
        }
        name => Ok(name.to_owned()),
    }
}

fn optional_text(table: &Table<'_>, key: &str) -> Result<Option<String>, ParseError> {
    table.get(key).map(|value| value.text().map(str::to_owned)).transpose()
}

/// Text, or a number as people write a year.
fn optional_year(table: &Table<'_>) -> Result<Option<String>, ParseError> {
    let year =
        |value: Value<'_>| value.integer().map(|year| year.to_string()).or_else(|_| value.text().map(str::to_owned));
    table.get("year").map(year).transpose()
}

fn read_target(value: &Value<'_>) -> Result<(Target, Range<usize>), ParseError> {
    let table = value.table(&["box", "layers"])?;
    match (table.get("box"), table.get("layers")) {
        (Some(size), None) => Ok((read_box(&size)?, size.span)),
        (None, Some(layers)) => Ok((read_target_layers(&layers)?, layers.span)),
        (Some(size), Some(_)) => {
            Err(ParseError::new(&size.span, "box and layers say the same thing", "leave one of them out"))
        }
        (None, None) => {
            let help = "write box = [3, 3, 3], or layers = [\"XX/XX\", ...]";
            Err(ParseError::new(&table.span, "the target has neither box nor layers", help))
        }
    }
}

fn read_box(size: &Value<'_>) -> Result<Target, ParseError> {
    let wanted = |message: &str| ParseError::new(&size.span, message, "write cells along x, y, z: box = [3, 3, 3]");
    let sides: Vec<i64> = size.array()?.iter().map(Value::integer).collect::<Result<_, _>>()?;
    let [x, y, z] = sides[..] else { return Err(wanted("a box has three sizes")) };
    if sides.iter().any(|&side| side < 1) {
        return Err(wanted("each size of a box is at least 1"));
    }
    let cells = x.checked_mul(y).and_then(|xy| xy.checked_mul(z)).filter(|&cells| cells <= MOST_CELLS);
    if cells.is_none() {
        return Err(wanted("a box has at most 1,000,000 cells"));
    }
    Ok(Target::full_box(Cell::new(x as i32, y as i32, z as i32)))
}

fn read_rules(value: &Value<'_>) -> Result<Rules, ParseError> {
    let table = value.table(&["planes", "symbols", "blank_plane", "turned", "chequered"])?;
    let mut rules = Rules::default();
    if let Some(planes) = table.get("planes") {
        rules.latin_planes = match planes.text()? {
            "latin" => true,
            other => {
                let message = format!("unknown rule '{other}' for planes");
                return Err(ParseError::new(&planes.span, message, "write planes = \"latin\", or leave it out"));
            }
        };
    }
    if let Some(symbols) = table.get("symbols") {
        rules.symbols = read_symbols(&symbols)?;
    }
    if let Some(blank) = table.get("blank_plane") {
        rules.blank_plane = blank.flag()?;
    }
    if let Some(turned) = table.get("turned") {
        let mut seen = BTreeSet::new();
        for pair in turned.array()? {
            let symbols = if pair.is_text() { characters(pair.text()?) } else { texts(&pair)? };
            let help = "write two symbols such as \"69\"; the first upside down reads as the second";
            let Ok([first, second]) = <[String; 2]>::try_from(symbols) else {
                return Err(ParseError::new(&pair.span, "a pair of turned symbols has two", help));
            };
            for symbol in [&first, &second] {
                if !rules.symbols.is_empty() && !rules.symbols.contains(symbol) {
                    return Err(outside(&pair.span, symbol, &rules.symbols));
                }
            }
            if !seen.insert(first.clone()) | (first != second && !seen.insert(second.clone())) {
                let message = "a symbol has two ways to read upside down";
                return Err(ParseError::new(&pair.span, message, "name each symbol in one pair only"));
            }
            rules.turned.push((first, second));
        }
    }
    if let Some(chequered) = table.get("chequered") {
        let colours: Vec<Colour> = chequered.array()?.iter().map(read_colour).collect::<Result<_, _>>()?;
        let help = "write the colour of the corners, then the other: chequered = [\"orange\", \"white\"]";
        rules.chequered = match colours[..] {
            [first, second] if first != second => Some([first, second]),
            [_, _] => return Err(ParseError::new(&chequered.span, "the two colours are the same", help)),
            _ => return Err(ParseError::new(&chequered.span, "a chequered pattern has two colours", help)),
        };
    }
    Ok(rules)
}

fn read_symbols(value: &Value<'_>) -> Result<Vec<String>, ParseError> {
    let symbols = if value.is_text() { characters(value.text()?) } else { texts(value)? };
    let mut seen = BTreeSet::new();
    if let Some(twice) = symbols.iter().find(|symbol| !seen.insert(symbol.as_str())) {
        let message = format!("the symbol '{twice}' is listed twice");
        return Err(ParseError::new(&value.span, message, "list each symbol once"));
    }
    if symbols.is_empty() || seen.contains("") {
        let help = "write symbols = \"123456789\", or a list such as [\"1\", \"10\"]";
        return Err(ParseError::new(&value.span, "a symbol is at least one character", help));
    }
    Ok(symbols)
}

fn characters(text: &str) -> Vec<String> {
    text.chars().map(String::from).collect()
}

fn texts(value: &Value<'_>) -> Result<Vec<String>, ParseError> {
    value.array()?.iter().map(|text| text.text().map(str::to_owned)).collect()
}

fn outside(span: &Range<usize>, symbol: &str, symbols: &[String]) -> ParseError {
    let message = format!("'{symbol}' is not one of the puzzle's symbols");
    ParseError::new(span, message, format!("write one of {}, or add it to symbols", symbols.join(" ")))
}

pub(super) fn read_colour(value: &Value<'_>) -> Result<Colour, ParseError> {
    let written = value.text()?;
    Colour::parse(written).ok_or_else(|| {
        let help = match nearest(written, Colour::names()) {
            Some(near) => format!("did you mean '{near}'?"),
            None => "write a CSS colour name such as \"orange\", or hex such as \"#FF3030\"".to_owned(),
        };
        ParseError::new(&value.span, format!("unknown colour '{written}'"), help)
    })
}

fn read_cubies(cubies: &[Value<'_>], rules: &Rules) -> Result<Vec<Piece>, ParseError> {
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

fn read_settings(value: &Value<'_>) -> Result<Settings, ParseError> {
    let table =
        value.table(&["pitch", "fit", "inset", "bevel", "style", "relief", "digit_height", "tolerance", "font"])?;
    let length = |key: &str| table.get(key).map(|length| length.length()).transpose();
    let mut inset = length("inset")?;
    if let Some(fit) = table.get("fit") {
        let name = fit.text()?;
        if inset.is_some() {
            return Err(ParseError::new(&fit.span, "fit and inset say the same thing", "leave one of them out"));
        }
        let preset = FITS.into_iter().find(|preset| preset.0 == name);
        inset = Some(preset.ok_or_else(|| unknown_word(&fit, "fit", FITS.map(|(name, _)| name)))?.1);
    }
    let style = table.get("style").map(|style| {
        let name = style.text()?;
        let known = Style::ALL.into_iter().find(|known| known.name() == name);
        known.ok_or_else(|| unknown_word(&style, "style", Style::ALL.map(Style::name)))
    });
    Ok(Settings {
        pitch: length("pitch")?,
        inset,
        bevel: length("bevel")?,
        style: style.transpose()?,
        relief: length("relief")?,
        digit_height: length("digit_height")?,
        tolerance: length("tolerance")?,
        font: optional_text(&table, "font")?,
    })
}

fn unknown_word<const N: usize>(value: &Value<'_>, what: &str, known: [&str; N]) -> ParseError {
    let written = value.text().unwrap_or_default();
    ParseError::new(&value.span, format!("unknown {what} '{written}'"), format!("write one of {}", known.join(", ")))
}
