//! `<voxel>`: a shape in its box, drawn in a text without gaps, x first, then y, then z.

use std::collections::BTreeMap;
use std::ops::Range;

use super::ShapeLine;
use super::xml::Element;
use crate::puzzle::grid::Cell;
use crate::puzzle::packing_rules::{TintId, Tints};
use crate::puzzle::parse::{MOST_CELLS, ParseError};

/// A shape as the file draws it, in the frame of its box.
pub(super) struct Voxel {
    pub(super) line: ShapeLine,
    /// Whether the file names it.
    pub(super) is_named: bool,
    pub(super) filled: Vec<Cell>,
    pub(super) variable: Vec<Cell>,
    pub(super) tints: BTreeMap<Cell, TintId>,
    /// The point of it that placements place.
    pub(super) hotspot: Cell,
    pub(super) weight: i32,
    /// The place of the drawing.
    pub(super) span: Range<usize>,
}

/// Where BurrTools lets hotspots be is not known; no shape has them further off.
const FURTHEST: i64 = 10_000;

/// Each takes some ten bytes.
const MOST_DRAWN: i64 = 3_000_000;

/// Names are repeated in messages.
const LONGEST_NAME: usize = 1000;

impl Voxel {
    /// Reads a shape of which the file has `tints` colours; `drawn` are the cells of all boxes up to it.
    pub(super) fn read(element: Element<'_>, index: usize, tints: usize, drawn: &mut i64) -> Result<Voxel, ParseError> {
        let size = |name| element.require_number(name, 1..=MOST_CELLS).map(|size| size as i32);
        let [x, y, z] = [size("x")?, size("y")?, size("z")?];
        let cells = i64::from(x).checked_mul(i64::from(y)).and_then(|xy| xy.checked_mul(i64::from(z)));
        if cells.is_none_or(|cells| cells > MOST_CELLS) {
            let help = "make the box of the shape smaller";
            return Err(ParseError::new(&element.span(), "a shape has at most 1,000,000 cells", help));
        }
        *drawn += cells.unwrap_or_default();
        if *drawn > MOST_DRAWN {
            let message = "the boxes of the shapes up to here have more than 3,000,000 cells together";
            return Err(ParseError::new(&element.span(), message, "leave shapes out, or make their boxes smaller"));
        }
        element.require_number("type", 0..=0)?;
        let hotspot = |name| element.number(name, -FURTHEST..=FURTHEST).map(|at| at.unwrap_or(0) as i32);
        let written = element.attribute("name").map(|name| name.text.trim()).filter(|name| !name.is_empty());
        if let Some(name) = element.attribute("name").filter(|name| name.text.len() > LONGEST_NAME) {
            let message = format!("a name has at most {LONGEST_NAME} bytes");
            return Err(ParseError::new(&(name.span.start..name.span.start + 1), message, "shorten it"));
        }
        let mut voxel = Voxel {
            line: ShapeLine {
                name: written.map_or_else(|| format!("S{}", index + 1), str::to_owned),
                size: [x, y, z],
                filled: 0,
                variable: 0,
            },
            is_named: written.is_some(),
            filled: Vec::new(),
            variable: Vec::new(),
            tints: BTreeMap::new(),
            hotspot: Cell::new(hotspot("hx")?, hotspot("hy")?, hotspot("hz")?),
            weight: element.number("weight", i32::MIN.into()..=i32::MAX.into())?.unwrap_or(1) as i32,
            span: element.text_span(),
        };
        voxel.draw(&element.text(), tints)?;
        (voxel.line.filled, voxel.line.variable) = (voxel.filled.len(), voxel.variable.len());
        Ok(voxel)
    }

    /// What a problem costs that uses it: every cell is turned 24 times.
    pub(super) fn work(&self) -> usize {
        let [x, y, z] = self.line.size.map(|size| size as usize);
        x * y * z + 8 * (self.line.filled + self.line.variable)
    }

    fn draw(&mut self, text: &str, tints: usize) -> Result<(), ParseError> {
        let [x, y, z] = self.line.size;
        let mut places = Cell::of_box(Cell::new(x, y, z)).enumerate();
        // Of a text that does not stand in the file as it is, with a comment in it or characters by their numbers, no more is
        // known than where it begins.
        let is_plain = self.span.len() == text.len();
        let span = |at: usize, length: usize| match is_plain {
            true => self.span.start + at..self.span.start + at + length,
            false => self.span.clone(),
        };
        let wanted = format!("a box of {x} x {y} x {z} has {} cells, each _ # or +", x * y * z);
        let mut at = 0;
        while let Some(state) = text[at..].chars().next() {
            let here = span(at, state.len_utf8());
            at += state.len_utf8();
            // BurrTools takes none of it, but drawings in lines are easier to write.
            if state.is_ascii_whitespace() {
                continue;
            }
            if !matches!(state, '_' | '#' | '+') {
                let help =
                    "write _ for empty, # for filled, + for may be empty, and the number of a colour behind # or +";
                return Err(ParseError::new(&here, format!("'{state}' is no cell"), help));
            }
            let Some((_, cell)) = places.next() else {
                return Err(ParseError::new(&here, "there are more cells than the box has", wanted));
            };
            let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                let number: usize = text[at..at + digits].parse().unwrap_or(usize::MAX);
                if state == '_' || number > tints || number > Tints::MOST {
                    let message = format!("there is no colour {} for this cell", &text[at..at + digits]);
                    let help = format!("the file has {tints} colours, numbered from 1; an empty cell has none");
                    return Err(ParseError::new(&span(at, digits), message, help));
                }
                if let Some(tint) = number.checked_sub(1) {
                    self.tints.insert(cell, TintId(tint as u8));
                }
            }
            at += digits;
            match state {
                '#' => self.filled.push(cell),
                '+' => self.variable.push(cell),
                _ => {}
            }
        }
        match places.next() {
            None => Ok(()),
            Some((drawn, _)) => {
                Err(ParseError::new(&span(0, at.min(1)), format!("the drawing ends after {drawn} cells"), wanted))
            }
        }
    }
}
