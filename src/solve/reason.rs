//! Why there is no assembly at all, where counting proves it; and the proofs for cubies.

use std::fmt;

use super::cubies::{Cubies, Face, Kind};
use super::symmetry::is_even;
use crate::puzzle::colour::Colour;
use crate::puzzle::grid::Cell;
use crate::puzzle::rules::Rules;

/// A proof that there is no assembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The number of cubies is not that of cells.
    Number {
        /// How many cubies there are.
        cubies: usize,
        /// How many cells there are.
        cells: usize,
    },
    /// A colour cannot alternate.
    Colour {
        /// The colour.
        colour: Colour,
        /// How many cubies have it.
        cubies: usize,
        /// How many cells ask for it.
        cells: usize,
    },
    /// Some faces show what is no symbol, either way up.
    NoSymbol {
        /// What they show.
        text: String,
    },
    /// The blank faces do not make whole planes.
    Blanks {
        /// How many faces are blank.
        faces: usize,
        /// How many faces a plane has; `None` when no plane may be blank.
        plane: Option<usize>,
    },
    /// The planes that are not blank need another number of faces with a symbol.
    Symbol {
        /// The symbol.
        symbol: String,
        /// What it reads as upside down, if that is another one.
        turned: Option<String>,
        /// How many faces show one of them.
        faces: usize,
        /// How many are needed.
        needed: usize,
    },
    /// The pieces have too many cells, or too few.
    Volume {
        /// How many they have at least, or at most.
        cells: usize,
        /// How many places there are, or are to be filled.
        places: usize,
    },
    /// A piece that must be used cannot lie anywhere.
    Nowhere {
        /// Its name.
        piece: String,
    },
    /// No piece can lie on a place that must be filled.
    Bare {
        /// The place.
        cell: Cell,
    },
}

/// The first reason that counting finds.
pub(super) fn why_none(cubies: &Cubies, rules: &Rules) -> Option<Reason> {
    let (cells, texts) = (cubies.cells.len(), &cubies.texts);
    let sum = |count: fn(&Kind) -> usize| cubies.kinds.iter().map(count).sum::<usize>();
    let (least, most) = (sum(|kind| *kind.count.start()), sum(|kind| *kind.count.end()));
    if !(least..=most).contains(&cells) {
        return Some(Reason::Number { cubies: if most < cells { most } else { least }, cells });
    }
    if least < most {
        // Which cubies are used is not known.
        return None;
    }
    if let Some([first, second]) = rules.chequered.filter(|[first, second]| first != second) {
        let even = cubies.cells.iter().filter(|&&cell| is_even(cell)).count();
        for (colour, cells) in [(first, even), (second, cells - even)] {
            let coloured = cubies.kinds.iter().filter(|kind| kind.colour == colour);
            let cubies = coloured.map(|kind| kind.count.end()).sum();
            if cubies != cells {
                return Some(Reason::Colour { colour, cubies, cells });
            }
        }
    }
    if !rules.latin_planes || cells == 0 {
        return None;
    }
    let faces =
        || cubies.kinds.iter().flat_map(|kind| kind.looks[0].iter().map(move |&face| (face, *kind.count.end())));
    let count = |wanted: &dyn Fn(Option<Face>) -> bool| -> usize {
        faces().filter(|&(face, _)| wanted(face)).map(|(_, count)| count).sum()
    };
    let unreadable = faces().find_map(|(face, _)| face.filter(|&face| texts.readings(face).next().is_none()));
    if let Some(face) = unreadable {
        return Some(Reason::NoSymbol { text: texts.name(face.text).to_string() });
    }
    let (plane, blanks) = (texts.symbols(), count(&|face| face.is_none()));
    if blanks % plane != 0 || (blanks > 0 && !rules.blank_plane) {
        return Some(Reason::Blanks { faces: blanks, plane: rules.blank_plane.then_some(plane) });
    }
    let planes = (6 * cells - blanks) / plane;
    let wrong = (0..plane as u16).filter_map(|symbol| {
        let other = texts.upside_down(symbol).filter(|&other| other != symbol && usize::from(other) < plane);
        let shows = |face: Face| texts.readings(face).any(|reading| reading.text == symbol);
        let (faces, needed) = (count(&|face| face.is_some_and(shows)), planes * if other.is_some() { 2 } else { 1 });
        (faces != needed).then(|| Reason::Symbol {
            symbol: texts.name(symbol).to_string(),
            turned: other.map(|other| texts.name(other).to_string()),
            faces,
            needed,
        })
    });
    // A symbol that is nowhere says more than one that is there too often instead.
    wrong.min_by_key(|reason| !matches!(reason, Reason::Symbol { faces: 0, .. }))
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Number { cubies, cells } => {
                write!(f, "{} for {}", counted(*cubies, "cubie"), counted(*cells, "place"))
            }
            Reason::Colour { colour, cubies, cells } => {
                let (cubies, cells) = (counted(*cubies, "cubie"), counted(*cells, "place"));
                write!(f, "the colours cannot alternate: {cubies} of colour {colour} for {cells}")
            }
            Reason::NoSymbol { text } => write!(f, "a face shows {text:?}, which is not one of the symbols"),
            Reason::Blanks { faces, plane: Some(plane) } => {
                write!(f, "{} cannot make whole planes of {plane}", counted(*faces, "blank face"))
            }
            Reason::Blanks { faces, plane: None } => {
                write!(
                    f,
                    "no plane may be blank, but there {} {}",
                    if *faces == 1 { "is" } else { "are" },
                    counted(*faces, "blank face")
                )
            }
            Reason::Symbol { symbol, faces: 0, turned: None, .. } => write!(f, "no face shows {symbol:?}"),
            Reason::Symbol { symbol, turned: Some(turned), faces: 0, .. } => {
                write!(f, "no face shows {symbol:?} or {turned:?}, its turned form")
            }
            Reason::Symbol { symbol, turned, faces, needed } => {
                let or = turned.as_ref().map(|turned| format!(" or {turned:?}")).unwrap_or_default();
                write!(
                    f,
                    "{} {symbol:?}{or}, but the planes need {needed}",
                    if *faces == 1 { "1 face shows".to_string() } else { format!("{faces} faces show") }
                )
            }
            Reason::Volume { cells, places } => {
                let those = if cells > places { "cells to go into" } else { "cells at most for" };
                write!(f, "the pieces have {cells} {those} {}", counted(*places, "place"))
            }
            Reason::Nowhere { piece } => write!(f, "piece {piece:?} fits nowhere"),
            Reason::Bare { cell } => {
                let Cell { x, y, z } = cell;
                write!(
                    f,
                    "no piece can lie on the place {x}, {y}, {z} (from 0; left to right, front to back, bottom to top)"
                )
            }
        }
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
