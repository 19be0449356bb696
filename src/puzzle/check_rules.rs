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
    let facts = Facts::new(rules, cubies, target);
    let checked = facts.check_planes(target).and_then(|()| facts.check_sum()).and_then(|()| {
        let sides = facts.squares.iter().filter(|(_, squares)| **squares > 1);
        sides.into_iter().try_for_each(|(&side, &squares)| {
            facts.check_side(side.name(), squares).and_then(|()| facts.check_outside(side, squares))
        })
    });
    checked.map_err(|Wrong { key, message, help }| {
        let place = table.get(key).map_or(table.span.clone(), |value| value.span);
        ParseError::new(&place, message, help)
    })
}

/// A rule that cannot be kept, by its key.
struct Wrong {
    key: &'static str,
    message: String,
    help: &'static str,
}

fn refuse(key: &'static str, message: String, help: &'static str) -> Result<(), Wrong> {
    Err(Wrong { key, message, help })
}

impl Facts<'_> {
    /// In a box, each plane has a square for each symbol.
    fn check_planes(&self, target: &Target) -> Result<(), Wrong> {
        let Some(symbols) = self.plane_symbols.filter(|_| self.rules.latin_planes) else { return Ok(()) };
        let places: i64 = (0..3).map(|axis| i64::from(target.size.along(axis))).product();
        let is_box = target.filled.len() as i64 == places;
        let wrong = self.squares.iter().find(|(_, squares)| is_box && **squares != symbols);
        wrong.map_or(Ok(()), |(side, squares)| {
            let name = side.name();
            let message = format!("a plane of {name} faces has {squares} squares, but there are {symbols} symbols");
            refuse("planes", message, "planes = \"latin\" needs as many symbols as a plane has squares")
        })
    }

    /// Every mark is one number.
    fn check_sum(&self) -> Result<(), Wrong> {
        if self.rules.sides.sum.is_none() {
            return Ok(());
        }
        let marks = || self.cubies.iter().flat_map(|cubie| cubie.marks.values());
        if let Some(mark) = marks().find(|mark| mark.text.parse::<i64>().is_err()) {
            let message = format!("'{}' on a cubie is no number, so there is no sum", mark.text);
            return refuse("sides", message, "leave the sum out");
        }
        if let Some(mark) = marks().find(|mark| either_way(self.rules, mark).len() == 2) {
            let message = format!("'{}' upside down is another number, so there is no one sum", mark.text);
            return refuse("sides", message, "leave out the sum, or the pair in turned");
        }
        Ok(())
    }

    /// What a side of so many squares can show.
    fn check_side(&self, name: &str, squares: usize) -> Result<(), Wrong> {
        let (sides, symbols, shown) = (&self.rules.sides, self.symbols.len(), self.shown.len());
        if sides.all_colours && symbols > squares {
            let message = format!("the {name} side has {squares} squares and cannot show all {symbols} colours");
            return refuse("sides", message, "make the side larger, or write \"all-different\"");
        }
        if sides.all_different && !self.has_blanks && shown < squares {
            let message = format!("the {name} side has {squares} squares, but the cubies show only {shown} symbols");
            return refuse("sides", message, "a side that is all different needs as many symbols as squares");
        }
        let Some(sum) = sides.sum.map(i128::from) else { return Ok(()) };
        let (least, most) = self.sums(squares);
        if !(least..=most).contains(&sum) {
            let message = format!("no {name} side has the sum {sum}: {squares} cubies show {least} to {most}");
            return refuse("sides", message, "choose a sum that can be met");
        }
        Ok(())
    }

    /// What a side of so many squares can show if they all show one symbol.
    fn check_outside(&self, side: Side, squares: usize) -> Result<(), Wrong> {
        let (rules, name) = (self.rules, side.name());
        let symbol = match &rules.outside {
            Some(Outside::Given(given)) => match given.iter().find(|(of, _)| *of == side) {
                Some((_, symbol)) => Some(symbol),
                None => return Ok(()),
            },
            Some(Outside::OneColourASide) => None,
            None => return Ok(()),
        };
        let contradictions = [
            ("sides = \"all-different\"", rules.sides.all_different),
            ("sides = \"all-colours\"", rules.sides.all_colours && self.symbols.len() > 1),
            ("planes = \"latin\"", rules.latin_planes),
            ("one sum for all sides", rules.sides.sum.is_some() && symbol.is_none()),
        ];
        let help = "leave out one of the two rules";
        if let Some((rule, _)) = contradictions.iter().find(|(_, contradicts)| *contradicts) {
            return refuse("outside", format!("one symbol on the {name} side contradicts {rule}"), help);
        }
        let Some(symbol) = symbol else { return Ok(()) };
        let number = symbol.parse::<i128>().map(|number| number * squares as i128);
        if let Some(sum) = rules.sides.sum.filter(|sum| number != Ok(i128::from(*sum))) {
            let message = format!("'{symbol}' on all {squares} squares of the {name} side has not the sum {sum}");
            return refuse("outside", message, help);
        }
        let able =
            self.shown.iter().filter(|(texts, _)| texts.contains(symbol.as_str())).map(|(_, &cubies)| cubies).sum();
        if squares > able {
            let cubies = if able == 1 { "1 cubie shows".to_owned() } else { format!("{able} cubies show") };
            let message = format!("the {name} side is to show '{symbol}' on {squares} squares, but {cubies} it");
            return refuse("outside", message, "choose a colour that enough cubies show");
        }
        Ok(())
    }
}

/// What a mark shows to one who does not care which way is up: a text, and what it is upside down where that is another.
fn either_way<'a>(rules: &'a Rules, mark: &'a Mark) -> BTreeSet<&'a str> {
    let other = rules.upside_down(&mark.text).filter(|_| mark.paint.is_none());
    other.into_iter().chain([mark.text.as_str()]).collect()
}

/// What counting needs to know.
struct Facts<'a> {
    rules: &'a Rules,
    cubies: &'a [Piece],
    places: usize,
    /// How many squares each side of the whole has.
    squares: BTreeMap<Side, usize>,
    /// How many symbols a plane is to show, when they are those of the palette.
    plane_symbols: Option<usize>,
    /// What there is to show, two symbols that turn into each other as one.
    symbols: BTreeSet<BTreeSet<&'a str>>,
    /// How many cubies show each of them, all copies counted.
    shown: BTreeMap<BTreeSet<&'a str>, usize>,
    has_blanks: bool,
}

impl<'a> Facts<'a> {
    fn new(rules: &'a Rules, cubies: &'a [Piece], target: &Target) -> Facts<'a> {
        let mut shown: BTreeMap<BTreeSet<&str>, usize> = BTreeMap::new();
        for cubie in cubies {
            let symbols: BTreeSet<BTreeSet<&str>> = cubie.marks.values().map(|mark| either_way(rules, mark)).collect();
            symbols.into_iter().for_each(|symbol| *shown.entry(symbol).or_default() += *cubie.count.end() as usize);
        }
        let numbered = |symbol: &'a String| rules.upside_down(symbol).into_iter().chain([symbol.as_str()]).collect();
        let symbols = match (&rules.symbols[..], &rules.palette[..]) {
            ([], []) => shown.keys().cloned().collect(),
            ([], palette) => palette.iter().map(|paint| BTreeSet::from([paint.symbol.as_str()])).collect(),
            (symbols, _) => symbols.iter().map(numbered).collect(),
        };
        let is_palette = rules.symbols.is_empty() && !rules.palette.is_empty();
        Facts {
            rules,
            cubies,
            places: target.filled.len(),
            squares: Side::ALL.into_iter().map(|side| (side, target.seen_from(side).count())).collect(),
            plane_symbols: is_palette.then_some(rules.palette.len()),
            symbols,
            shown,
            has_blanks: cubies.iter().any(|cubie| cubie.marks.len() < 6),
        }
    }

    /// The least and the greatest sum that so many cubies can show.
    fn sums(&self, squares: usize) -> (i128, i128) {
        let (mut least, mut most) = (Vec::new(), Vec::new());
        for cubie in self.cubies {
            let blank = (cubie.marks.len() < 6).then_some(0);
            let numbers = || cubie.marks.values().filter_map(|mark| mark.text.parse::<i64>().ok()).chain(blank);
            let copies = (*cubie.count.end() as usize).min(self.places);
            least.extend(std::iter::repeat_n(numbers().min().map_or(0, i128::from), copies));
            most.extend(std::iter::repeat_n(numbers().max().map_or(0, i128::from), copies));
        }
        least.sort_unstable();
        most.sort_unstable();
        (least.iter().take(squares).sum(), most.iter().rev().take(squares).sum())
    }
}
