//! A puzzle file (TOML, version 1) -> `Puzzle`. Every complaint points into the file and says how to mend it.

use std::ops::Range;

use super::check_rules::check_rules;
use super::colour::Colour;
use super::grid::Cell;
use super::parse_burr::{only_burr, read_burr};
use super::parse_cubies::read_cubies;
use super::parse_groups::read_groups;
use super::parse_packing::{is_equal_apart, read_packing};
use super::parse_palette::Palette;
use super::parse_pieces::{TARGET, read_pieces, read_target_layers};
use super::parse_rules::read_rules;
use super::piece::Piece;
use super::rules::Rules;
use super::settings::{FITS, Length, Settings, Style};
pub use super::table::ParseError;
use super::table::{Document, Table, Value};
use super::{Credits, Known, Puzzle, Target};
use crate::nearest::nearest;

/// The keys of `[model]`.
const SETTINGS: [&str; 11] =
    ["pitch", "fit", "inset", "bevel", "style", "relief", "digit_height", "tolerance", "names", "font", "bed"];

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
        "known",
        "target",
        "palette",
        "order",
        "rules",
        "packing",
        "model",
        "cubie",
        "cubies",
        "piece",
        "burr",
        "group",
    ];
    let file = match document.table(text, &known) {
        Ok(file) => file,
        Err(error) => return Err(document.value("cubewright").and_then(|v| check_version(&v).err()).unwrap_or(error)),
    };
    let version = file.require("cubewright", "begin the file with: cubewright = 1")?;
    check_version(&version)?;

    let palette = Palette::read(&file)?;
    let mut rules = match file.get("rules") {
        Some(rules) => read_rules(&rules, &palette)?,
        None => Rules { palette: palette.paints.clone(), ..Rules::default() },
    };
    let (target, pieces) = match file.get("burr") {
        Some(burr) => {
            rules.apart = true;
            only_burr(&file)?;
            read_burr(&burr, is_equal_apart(&file)?)?
        }
        None => read_target_and_pieces(&file, &rules, &palette)?,
    };
    if let Some(groups) = file.get("group") {
        rules.groups = read_groups(&groups, &pieces)?;
    }
    rules.packing = read_packing(&file, &target, &pieces)?;
    Ok(Puzzle {
        name: name(&file)?,
        credits: Credits {
            author: optional_text(&file, "author")?,
            year: optional_year(&file)?,
            source: optional_text(&file, "source")?,
            licence: optional_text(&file, "licence")?,
            notes: optional_text(&file, "notes")?,
            known: file.get("known").map(|known| read_known(&known)).transpose()?.unwrap_or_default(),
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

fn read_target_and_pieces(
    file: &Table<'_>,
    rules: &Rules,
    palette: &Palette,
) -> Result<(Target, Vec<Piece>), ParseError> {
    let target = file.require("target", "add a [target] with box = [3, 3, 3]")?;
    let (target, target_span) = read_target(&target)?;
    let pieces = match (file.get("cubie").or(file.get("cubies")), file.get("piece")) {
        (Some(_), None) => {
            let pieces = read_cubies(file, rules, palette)?;
            check_number(&pieces, &target, &target_span)?;
            if let Some(table) = file.get("rules") {
                check_rules(&table, rules, &pieces, &target)?;
            }
            pieces
        }
        (None, Some(pieces)) => {
            if let Some(value) = file.get("palette").or(file.get("order")) {
                let message = "colours of faces are for cubies, this puzzle has pieces";
                return Err(ParseError::new(&value.span, message, "leave palette and order out"));
            }
            let bare = Rules { apart: rules.apart, ..Rules::default() };
            if let Some(value) = file.get("rules").filter(|_| *rules != bare) {
                let message = "these rules are for cubies, this puzzle has pieces";
                let help = "leave them out: pieces have no marks; of the rules they know apart = true alone";
                return Err(ParseError::new(&value.span, message, help));
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
    Ok((target, pieces))
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

/// Cubies fill every place, one each.
fn check_number(cubies: &[Piece], target: &Target, span: &Range<usize>) -> Result<(), ParseError> {
    let sum = |count: fn(&Piece) -> u32| cubies.iter().map(|cubie| count(cubie) as usize).sum::<usize>();
    let (least, most) = (sum(|cubie| *cubie.count.start()), sum(|cubie| *cubie.count.end()));
    let (wanted, size) = (target.filled.len(), target.size);
    let (found, mend) = match () {
        _ if most < wanted => (most, format!("add {}", wanted - most)),
        _ if least > wanted => (least, format!("leave out {}", least - wanted)),
        _ if target.optional.is_empty() => return Ok(()),
        _ => (wanted, "leave out the places that may stay empty".to_owned()),
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

fn read_known(value: &Value<'_>) -> Result<Known, ParseError> {
    let table = value.table(&["solutions", "raw", "nodes"])?;
    let count = |key: &str| {
        let count = |value: Value<'_>| {
            let below_0 = |_| ParseError::new(&value.span, "a count is not below 0", "write a number such as 240");
            u64::try_from(value.integer()?).map_err(below_0)
        };
        table.get(key).map(count).transpose()
    };
    Ok(Known { solutions: count("solutions")?, raw: count("raw")?, nodes: count("nodes")? })
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
    let table = value.table(&TARGET)?;
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

fn read_settings(value: &Value<'_>) -> Result<Settings, ParseError> {
    let table = value.table(&SETTINGS)?;
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
        names: table.get("names").map(|names| names.flag()).transpose()?,
        font: optional_text(&table, "font")?,
        bed: table.get("bed").map(|bed| read_bed(&bed)).transpose()?,
    })
}

fn read_bed(bed: &Value<'_>) -> Result<[Length; 2], ParseError> {
    let sides: Vec<Length> = bed.array()?.iter().map(Value::length).collect::<Result<_, _>>()?;
    sides.try_into().map_err(|_| {
        ParseError::new(&bed.span, "a bed has a width and a depth", "write millimetres along x and y: bed = [220, 220]")
    })
}

pub(super) fn unknown_word<const N: usize>(value: &Value<'_>, what: &str, known: [&str; N]) -> ParseError {
    let written = value.text().unwrap_or_default();
    ParseError::new(&value.span, format!("unknown {what} '{written}'"), format!("write one of {}", known.join(", ")))
}
