//! What decides whether pieces solve a puzzle: `[rules]`.

use std::collections::BTreeSet;
use std::ops::Range;

use super::colour::Colour;
use super::grid::Side;
use super::parse::{ParseError, read_colour, unknown_word};
use super::parse_palette::Palette;
use super::rules::{Outside, Rules, Sides, Touching};
use super::table::Value;

/// The keys of `[rules]`.
pub(super) const RULES: [&str; 9] =
    ["planes", "symbols", "blank_plane", "turned", "chequered", "sides", "touching", "outside", "apart"];

/// The table `[rules]`.
pub(super) fn read_rules(value: &Value<'_>, palette: &Palette) -> Result<Rules, ParseError> {
    let table = value.table(&RULES)?;
    let mut rules = Rules { palette: palette.paints.clone(), ..Rules::default() };
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
    if let Some(apart) = table.get("apart") {
        rules.apart = apart.flag()?;
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
    if let Some(sides) = table.get("sides") {
        rules.sides = read_sides(&sides)?;
    }
    if let Some(touching) = table.get("touching") {
        rules.touching = Some(match touching.text()? {
            "equal" => Touching::Equal,
            "different" => Touching::Different,
            _ => return Err(unknown_word(&touching, "rule for touching faces", ["equal", "different"])),
        });
    }
    if let Some(outside) = table.get("outside") {
        rules.outside = Some(read_outside(&outside, &rules, palette)?);
    }
    Ok(rules)
}

/// One word, or a table of all that holds.
fn read_sides(value: &Value<'_>) -> Result<Sides, ParseError> {
    if value.is_text() {
        return match value.text()? {
            "all-different" => Ok(Sides { all_different: true, ..Sides::default() }),
            "all-colours" => Ok(Sides { all_colours: true, ..Sides::default() }),
            _ => Err(unknown_word(value, "rule for sides", ["all-different", "all-colours", "{ sum = 24 }"])),
        };
    }
    let table = value.table(&["all_different", "all_colours", "sum"])?;
    let flag = |key: &str| table.get(key).map_or(Ok(false), |flag| flag.flag());
    Ok(Sides {
        all_different: flag("all_different")?,
        all_colours: flag("all_colours")?,
        sum: table.get("sum").map(|sum| sum.integer()).transpose()?,
    })
}

/// A symbol for each side, or one word.
fn read_outside(value: &Value<'_>, rules: &Rules, palette: &Palette) -> Result<Outside, ParseError> {
    if value.is_text() && value.text()? == "one-colour-a-side" {
        return Ok(Outside::OneColourASide);
    }
    let mut given = Vec::new();
    if value.is_text() {
        if value.text()?.contains('-') {
            return Err(unknown_word(value, "rule for the outside", ["one-colour-a-side", "{ front = \"R\", ... }"]));
        }
        for (side, colour) in Side::ALL.into_iter().zip(palette.colours(value, None)?) {
            given.extend(colour.map(|colour| (side, palette.paints[colour].symbol.clone())));
        }
        return Ok(Outside::Given(given));
    }
    let sides = value.table(&Side::ALL.map(Side::name))?;
    for side in Side::ALL {
        let Some(symbol) = sides.get(side.name()) else { continue };
        let text = symbol.text()?;
        let shown = match palette.is_empty() {
            false => palette.colour(&symbol)?.map(|colour| palette.paints[colour].symbol.clone()),
            true if text.is_empty() || rules.symbols.is_empty() || rules.symbols.iter().any(|known| known == text) => {
                (!text.is_empty()).then(|| text.to_owned())
            }
            true => return Err(self::outside(&symbol.span, text, &rules.symbols)),
        };
        let help = format!("leave {} out where it may show anything", side.name());
        let wrong = || ParseError::new(&symbol.span, format!("the {} side is to show nothing", side.name()), help);
        given.push((side, shown.ok_or_else(wrong)?));
    }
    Ok(Outside::Given(given))
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

/// A text that is none of the symbols.
pub(super) fn outside(span: &Range<usize>, symbol: &str, symbols: &[String]) -> ParseError {
    let message = format!("'{symbol}' is not one of the puzzle's symbols");
    ParseError::new(span, message, format!("write one of {}, or add it to symbols", symbols.join(" ")))
}
