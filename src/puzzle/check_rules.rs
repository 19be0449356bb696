//! Rules that no assembly can keep, found by counting and shown where they stand in the file. What needs a search is
//! left to the solver.

use std::collections::{BTreeMap, BTreeSet};

use super::Target;
use super::grid::Side;
use super::parse::ParseError;
use super::parse_rules::RULES;
use super::piece::{Mark, Piece};
use super::rules::{Outside, Rules};
use super::table::Value;

/// Looks for contradictions between the rules of a file, its cubies and its target.
pub(super) fn check_rules(
    table: &Value<'_>,
    rules: &Rules,
    cubies: &[Piece],
    target: &Target,
) -> Result<(), ParseError> {
    let table = table.table(&RULES)?;
    let at = |key: &str| table.get(key).map_or(table.span.clone(), |value| value.span);
    let refuse = |key: &str, message: String, help: &str| Err(ParseError::new(&at(key), message, help));
    let facts = Facts::new(rules, cubies, target);
    let sum = rules.sides.sum.map(|sum| (sum, facts.sums()));
    if let Some((_, Err(text))) = &sum {
        return refuse("sides", format!("'{text}' on a cubie is no number, so there is no sum"), "leave the sum out");
    }
    if rules.latin_planes && !facts.has_turned && facts.squares.len() == 6 {
        let wrong = facts.squares.iter().find(|(_, squares)| **squares != facts.symbols.len());
        if let Some((side, squares)) = wrong.filter(|_| !rules.palette.is_empty()) {
            let message = format!(
                "a plane of {} faces has {squares} squares, but there are {} symbols",
                side.name(),
                facts.symbols.len()
            );
            return refuse("planes", message, "planes = \"latin\" needs as many symbols as a plane has squares");
        }
    }
    for (&side, &squares) in facts.squares.iter().filter(|(_, squares)| **squares > 1) {
        let name = side.name();
        let symbols = facts.symbols.len();
        if rules.sides.all_colours && symbols > squares {
            let message = format!("the {name} side has {squares} squares and cannot show all {symbols} colours");
            return refuse("sides", message, "make the side larger, or write \"all-different\"");
        }
        if rules.sides.all_different && !facts.has_blanks && facts.shown.len() < squares {
            let shown = facts.shown.len();
            let message = format!("the {name} side has {squares} squares, but the cubies show only {shown} symbols");
            return refuse("sides", message, "a side that is all different needs as many symbols as squares");
        }
        if let Some((sum, Ok(range))) = &sum {
            let (least, most) = range(squares);
            if !(least..=most).contains(&i128::from(*sum)) {
                let message = format!("no {name} side has the sum {sum}: {squares} cubies show {least} to {most}");
                return refuse("sides", message, "choose a sum that can be met");
            }
        }
        let symbol = match &rules.outside {
            Some(Outside::Given(given)) => given.iter().find(|(of, _)| *of == side).map(|(_, symbol)| Some(symbol)),
            Some(Outside::OneColourASide) => Some(None),
            None => None,
        };
        let Some(symbol) = symbol else { continue };
        for (rule, contradicts) in [
            ("sides = \"all-different\"", rules.sides.all_different),
            ("sides = \"all-colours\"", rules.sides.all_colours && symbols > 1),
            ("planes = \"latin\"", rules.latin_planes),
        ] {
            if contradicts {
                let message = format!("one symbol on the {name} side contradicts {rule}");
                return refuse("outside", message, "leave out one of the two rules");
            }
        }
        if let (Some((sum, Ok(_))), Some(symbol)) = (&sum, symbol) {
            let shows = symbol.parse::<i128>().map(|number| number * squares as i128);
            if shows != Ok(i128::from(*sum)) {
                let message = format!("'{symbol}' on all {squares} squares of the {name} side has not the sum {sum}");
                return refuse("outside", message, "leave out one of the two rules");
            }
        }
        if let (Some(_), None) = (&sum, symbol) {
            let message = "sides of one symbol each, and each another, cannot have one sum".to_owned();
            return refuse("outside", message, "leave out one of the two rules");
        }
        let able = symbol.map_or(usize::MAX, |symbol| facts.shown.get(symbol.as_str()).copied().unwrap_or(0));
        if let Some(symbol) = symbol.filter(|_| able < squares) {
            let cubies = if able == 1 { "1 cubie shows".to_owned() } else { format!("{able} cubies show") };
            let message = format!("the {name} side is to show '{symbol}' on {squares} squares, but {cubies} it");
            return refuse("outside", message, "choose a colour that enough cubies show");
        }
    }
    Ok(())
}

/// What counting needs to know.
struct Facts<'a> {
    cubies: &'a [Piece],
    places: usize,
    /// How many squares each side of the whole has.
    squares: BTreeMap<Side, usize>,
    /// What there is to show.
    symbols: BTreeSet<&'a str>,
    /// How many cubies show each text, all copies counted.
    shown: BTreeMap<&'a str, usize>,
    has_blanks: bool,
    has_turned: bool,
}

impl<'a> Facts<'a> {
    fn new(rules: &'a Rules, cubies: &'a [Piece], target: &Target) -> Facts<'a> {
        let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
        for cubie in cubies {
            let texts: BTreeSet<&str> = cubie.marks.values().map(|mark| mark.text.as_str()).collect();
            texts.into_iter().for_each(|text| *shown.entry(text).or_default() += *cubie.count.end() as usize);
        }
        let symbols: BTreeSet<&str> = match (&rules.palette[..], &rules.symbols[..]) {
            ([], []) => shown.keys().copied().collect(),
            ([], symbols) => symbols.iter().map(String::as_str).collect(),
            (palette, _) => palette.iter().map(|paint| paint.symbol.as_str()).collect(),
        };
        Facts {
            cubies,
            places: target.filled.len(),
            squares: Side::ALL.into_iter().map(|side| (side, target.seen_from(side).count())).collect(),
            symbols,
            shown,
            has_blanks: cubies.iter().any(|cubie| cubie.marks.len() < 6),
            has_turned: !rules.turned.is_empty(),
        }
    }

    /// The least and the greatest sum that so many cubies can show; the text that is no number where there is one.
    fn sums(&self) -> Result<impl Fn(usize) -> (i128, i128) + use<>, &'a str> {
        let (mut least, mut most) = (Vec::new(), Vec::new());
        for cubie in self.cubies {
            let number = |mark: &'a Mark| mark.text.parse::<i64>().map_err(|_| mark.text.as_str());
            let mut numbers: Vec<i64> = cubie.marks.values().map(number).collect::<Result<_, _>>()?;
            if numbers.len() < 6 {
                numbers.push(0);
            }
            let copies = (*cubie.count.end() as usize).min(self.places);
            let (low, high) = (numbers.iter().min().copied(), numbers.iter().max().copied());
            least.extend(std::iter::repeat_n(i128::from(low.unwrap_or(0)), copies));
            most.extend(std::iter::repeat_n(i128::from(high.unwrap_or(0)), copies));
        }
        least.sort_unstable();
        most.sort_unstable();
        Ok(move |squares: usize| {
            (least.iter().take(squares).sum::<i128>(), most.iter().rev().take(squares).sum::<i128>())
        })
    }
}
