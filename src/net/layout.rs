//! The nets of a puzzle's pieces on pages: one a piece, a sheet of all, and A4 pages to print. In millimetres.
//!
//! A square is as wide as the pitch, the distance between two cells: paper bends around the outside of an edge and adds
//! about its own thickness, so that folded pieces come out no smaller than printed ones and still stack to the grid.

use std::collections::BTreeMap;

use super::NetError;
use super::drawing::{Drawing, Face, Fonts, Item, PAPER, Point, Stroke, ink_box};
use super::part::{Block, bar, block};
use super::svg;
use super::unfold::unfold;
use crate::glyph::{Font, GlyphError};
use crate::puzzle::Puzzle;
use crate::puzzle::colour::Colour;
use crate::puzzle::grid::Turn;
use crate::puzzle::piece::{Piece, PieceId};
use crate::puzzle::rules::Rules;
use crate::puzzle::settings::Length;

/// The least pitch of a net.
pub const LEAST_PITCH: Length = Length::of_micrometres(3000);

/// The nets of all pieces of a puzzle, ready to be put on pages.
pub struct Layout {
    puzzle: String,
    names: Vec<String>,
    sizes: Sizes,
    blocks: Vec<Vec<Block>>,
}

impl Layout {
    /// Unfolds the pieces. The tallest mark of the puzzle becomes `digit_height` high, 0.55 of the square when `None`,
    /// and all marks share its scale; marks too wide for their square shrink to it.
    pub fn new(puzzle: &Puzzle, pitch: Length, digit_height: Option<Length>, marks: &Font) -> Result<Layout, NetError> {
        let sizes = Sizes::new(puzzle, pitch, digit_height, marks)?;
        let blocks = puzzle.pieces.iter().map(|piece| {
            let net = unfold(&piece.shape);
            let parts = net.parts().iter().enumerate();
            let name = |k| match net.parts().len() {
                1 => piece.name.clone(),
                count => format!("{} {}/{count}", piece.name, k + 1),
            };
            parts.map(|(k, part)| block(part, &name(k), piece, &puzzle.rules, &sizes)).collect()
        });
        let blocks = blocks.collect();
        let names = puzzle.pieces.iter().map(|piece| piece.name.clone()).collect();
        Ok(Layout { puzzle: puzzle.name.clone(), names, sizes, blocks })
    }

    /// The net of one piece on a page of its own.
    ///
    /// # Panics
    /// When the number is not one of this puzzle's.
    pub fn piece(&self, id: PieceId) -> Drawing {
        let blocks: Vec<&Block> = self.blocks[id.0].iter().collect();
        self.page(&format!("{}: {}", self.puzzle, self.names[id.0]), &flow(&blocks, [inside(A4)[0], f64::MAX])[0], None)
    }

    /// The outline of a mark with the bar below it, if it has one, upright around the origin, as the data of an SVG path.
    /// One unit is a square.
    ///
    /// # Panics
    /// When it is not a mark of this puzzle.
    pub fn mark_path(&self, text: &str, rules: &Rules) -> String {
        let (em, [width, height]) = self.sizes.mark(text);
        let pitch = self.sizes.pitch;
        let mut path = svg::outline(&self.sizes.fonts.marks, text, [0.0, 0.0], em / pitch, Turn::Upright);
        if rules.needs_underline(text) {
            path += &svg::outline_of_rectangle(bar([width / pitch, height / pitch]));
        }
        path
    }

    /// All nets on one page, as large as it takes.
    pub fn sheet(&self) -> Drawing {
        let blocks: Vec<&Block> = self.blocks.iter().flatten().collect();
        let area: f64 = blocks.iter().map(|block| (block.size[0] + GAP) * (block.size[1] + GAP)).sum();
        // As wide as the long side of a page of the A series, so that it prints on one with little loss.
        let width = (area * std::f64::consts::SQRT_2).sqrt();
        let title = format!("{}: all pieces", self.puzzle);
        self.page(&title, &flow(&blocks, [width, f64::MAX])[0], None)
    }

    /// All nets on A4 pages, upright; then those that are too wide, on pages that lie. A page with a net that is larger
    /// still grows with it, and says how large it is.
    pub fn pages(&self) -> Vec<Drawing> {
        let (upright, wide): (Vec<&Block>, Vec<&Block>) =
            self.blocks.iter().flatten().partition(|block| block.size[0] <= inside(A4)[0]);
        let lying = [A4[1], A4[0]];
        let on = |blocks, paper| flow(blocks, [inside(paper)[0], inside(paper)[1] - FOOTER]);
        let mut pages: Vec<_> = on(&upright, A4).into_iter().map(|page| (page, A4)).collect();
        pages.extend(on(&wide, lying).into_iter().map(|page| (page, lying)));
        pages.retain(|(page, _)| !page.is_empty());
        let title = |k| format!("{}: page {} of {}", self.puzzle, k + 1, pages.len());
        pages.iter().enumerate().map(|(k, (page, paper))| self.page(&title(k), page, Some(*paper))).collect()
    }

    /// A page of blocks with the footer; at least as large as `least`.
    fn page(&self, title: &str, placed: &[(Point, &Block)], least: Option<Point>) -> Drawing {
        let is_paper = least.is_some();
        let margin = if is_paper { A4_MARGIN } else { MARGIN };
        let most = |axis: usize| placed.iter().map(|(at, block)| at[axis] + block.size[axis]).fold(0.0, f64::max);
        let least = least.unwrap_or([SCALE + 40.0 + 2.0 * margin, 0.0]);
        let size = [(most(0) + 2.0 * margin).max(least[0]), (most(1) + FOOTER + 2.0 * margin).max(least[1])];
        let mut items: Vec<Item> = Vec::new();
        for (at, block) in placed {
            items.extend(block.items.iter().map(|item| item.clone().moved([at[0] + margin, at[1] + margin])));
        }
        let has_valleys = items.iter().any(|item| matches!(item, Item::Line { stroke: Stroke::Valley, .. }));
        let foot = [margin, size[1] - margin];
        let is_large = size[0].max(size[1]) > A4[1] || size[0].min(size[1]) > A4[0];
        let title_and_size = match is_paper && is_large {
            true => format!("{title}  ·  on paper of {:.0} x {:.0} mm", size[0].ceil(), size[1].ceil()),
            false => title.to_owned(),
        };
        items.extend(
            self.footer(&title_and_size, size[0] - 2.0 * margin, has_valleys).into_iter().map(|item| item.moved(foot)),
        );
        Drawing { title: title.to_owned(), size, items, fonts: self.sizes.fonts.clone() }
    }

    /// Caption, scale, and what the lines mean where there are folds of both kinds; from the lower left corner.
    fn footer(&self, title: &str, width: f64, has_valleys: bool) -> Vec<Item> {
        let fonts = &self.sizes.fonts;
        let text = |text: &str, width, x, base: f64| label(fonts, text, CAPTION, width, [x, base - CAPTION]);
        let rule = |ends| Item::Line { ends, stroke: Stroke::Rule, colour: Colour::INK };
        let mut items = vec![rule([[0.0, -1.0], [SCALE, -1.0]])];
        for k in 0..=(SCALE / 10.0) as i32 {
            let tick = if k % 5 == 0 { 2.0 } else { 1.2 };
            items.push(rule([[10.0 * f64::from(k), -1.0 - tick], [10.0 * f64::from(k), -1.0]]));
        }
        items.extend(text(&format!("{SCALE} mm  ·  print at 100 %"), 40.0, SCALE + 1.5, -1.0));
        let squares = format!("{} mm squares", self.sizes.pitch);
        items.extend(text(&format!("{title}  ·  {squares}"), width, 0.0, -5.5));
        if has_valleys {
            let mut x = 0.0;
            // No cut for a plotter: that line is drawn like the scale.
            for (stroke, meaning, room) in [
                (Stroke::Rule, "cut", 6.0),
                (Stroke::Mountain, "fold away", 18.0),
                (Stroke::Valley, "fold towards you", 31.0),
            ] {
                items.push(Item::Line { ends: [[x, -11.0], [x + 8.0, -11.0]], stroke, colour: Colour::INK });
                items.extend(text(meaning, room, x + 9.5, -10.0));
                x += 11.5 + room;
            }
        }
        items
    }
}

/// Millimetres of the A4 page, and of the margin that printers do not reach.
const A4: Point = [210.0, 297.0];
const A4_MARGIN: f64 = 10.0;

/// What printers reach of a page.
fn inside(paper: Point) -> Point {
    paper.map(|length| length - 2.0 * A4_MARGIN)
}

/// Around the nets of the other pages.
const MARGIN: f64 = 5.0;
/// Between two nets.
const GAP: f64 = 5.0;
/// The height kept for caption and scale.
const FOOTER: f64 = 17.0;
/// The height of capitals in captions.
const CAPTION: f64 = 2.0;
/// The smallest type in which a mark can be read.
const LEAST_EM: f64 = 1.0;
/// More of a name fits on no page.
const MOST_CHARACTERS: usize = 200;
/// The length of the scale.
const SCALE: f64 = 50.0;

/// Puts blocks in rows from the left, rows on pages from the top, in their order.
fn flow<'a>(blocks: &[&'a Block], page: Point) -> Vec<Vec<(Point, &'a Block)>> {
    let mut pages = vec![Vec::new()];
    let (mut at, mut below) = ([0.0, 0.0], 0.0f64);
    for &block in blocks {
        if at[0] > 0.0 && at[0] + block.size[0] > page[0] {
            at = [0.0, below + GAP];
        }
        if at[1] > 0.0 && at[1] + block.size[1] > page[1] {
            pages.push(Vec::new());
            (at, below) = ([0.0, 0.0], 0.0);
        }
        pages.last_mut().expect("there is always a last page").push((at, block));
        below = below.max(at[1] + block.size[1]);
        at[0] += block.size[0] + GAP;
    }
    pages
}

/// Sizes and fonts that all nets of a puzzle share.
pub(super) struct Sizes {
    pub(super) pitch: f64,
    pub(super) fonts: Fonts,
    /// Size of the font and size of the ink of every mark, in millimetres.
    marks: BTreeMap<String, (f64, Point)>,
}

impl Sizes {
    fn new(puzzle: &Puzzle, pitch: Length, digit_height: Option<Length>, font: &Font) -> Result<Sizes, NetError> {
        if pitch < LEAST_PITCH {
            return Err(NetError::Pitch(pitch));
        }
        let millimetres = |length: Length| f64::from(length.micrometres) / 1000.0;
        let pitch = millimetres(pitch);
        let mut inks: BTreeMap<&str, (&Piece, Point)> = BTreeMap::new();
        for (piece, mark) in puzzle.pieces.iter().flat_map(|piece| piece.marks.values().map(move |mark| (piece, mark)))
        {
            let wrong = |why| NetError::Mark { piece: piece.name.clone(), text: mark.text.clone(), why };
            let [least, most] = ink_box(font, &mark.text).map_err(wrong)?;
            inks.insert(&mark.text, (piece, [most[0] - least[0], most[1] - least[1]]));
        }
        let tallest = inks.values().map(|(_, ink)| ink[1]).fold(0.0, f64::max);
        let height = digit_height.map_or(0.55 * pitch, millimetres);
        // Wider than this a mark would crowd its square; as high it would leave no room for the line under it.
        let room = 0.75 * pitch;
        let mut marks = BTreeMap::new();
        for (text, (piece, ink)) in inks {
            let em = (height / tallest).min(room / ink[0]).min(room / ink[1]);
            if em < LEAST_EM {
                return Err(NetError::TooSmall { piece: piece.name.clone(), text: text.to_owned() });
            }
            marks.insert(text.to_owned(), (em, [ink[0] * em, ink[1] * em]));
        }
        Ok(Sizes { pitch, fonts: Fonts { marks: font.clone(), labels: Font::built_in() }, marks })
    }

    /// The size of the font and of the ink for a mark.
    pub(super) fn mark(&self, text: &str) -> (f64, Point) {
        self.marks[text]
    }

    /// The number of a seam, around this point.
    pub(super) fn seam_number(&self, seam: usize, middle: Point, on: Colour) -> Option<Item> {
        let height = (0.09 * self.pitch).min(2.2);
        let item = label(&self.fonts, &seam.to_string(), height, self.pitch, [0.0, 0.0])?;
        match item {
            Item::Text { text, face, em, turn, colour, .. } => {
                Some(Item::Text { text, face, centre: middle, em, turn, colour, on })
            }
            other => Some(other),
        }
    }
}

/// A name or caption on paper: its capitals this high, at most this wide, from this corner at the top left. What the
/// font lacks is replaced; what is too wide shrinks, and is cut off where it would be too small to read. `None` when
/// nothing is left.
pub(super) fn label(fonts: &Fonts, text: &str, height: f64, width: f64, corner: Point) -> Option<Item> {
    const LEAST_SHARE: f64 = 0.6;
    let font = &fonts.labels;
    let [least, most] = ink_box(font, "H").expect("the built-in font has capitals");
    let full = height / (most[1] - least[1]);
    let whole = printable(font, text);
    let fitted = |text: String| {
        let ink = ink_box(font, &text).ok()?;
        let em = full.min(width / (ink[1][0] - ink[0][0]));
        Some((text, ink, em))
    };
    let mut best = fitted(whole.clone())?;
    let mut kept = whole.chars().count();
    while best.2 < LEAST_SHARE * full && kept > 1 {
        kept -= 1;
        best = fitted(whole.chars().take(kept).chain(['…']).collect())?;
    }
    let (text, [least, most], em) = best;
    let centre = [corner[0] + (most[0] - least[0]) / 2.0 * em, corner[1] + height - (least[1] + most[1]) / 2.0 * em];
    Some(Item::Text { text, face: Face::Labels, centre, em, turn: Turn::Upright, colour: Colour::INK, on: PAPER })
}

/// The text without control characters, and with a replacement for what the font lacks.
fn printable(font: &Font, text: &str) -> String {
    let known = |c: char| !matches!(font.outline(c.encode_utf8(&mut [0; 4])), Err(GlyphError::Missing(_)));
    let shown = |c: char| if known(c) { c } else { char::REPLACEMENT_CHARACTER };
    text.chars().filter(|c| !c.is_control()).take(MOST_CHARACTERS).map(shown).collect()
}
