//! A page in millimetres, y down, of fills, lines and texts: what PNG and SVG both draw.

use std::ops::RangeInclusive;

use crate::glyph::{Contour, Font, GlyphError};
use crate::puzzle::colour::Colour;
use crate::puzzle::grid::Turn;

/// A point or a size in millimetres: across, down.
pub type Point = [f64; 2];

/// The dots an inch that a PNG may have.
pub const RESOLUTIONS: RangeInclusive<u32> = 72..=1200;

/// The most pixels of a PNG either way: what common viewers still open.
pub const MOST_PIXELS: u64 = 32_767;

/// White paper.
pub const PAPER: Colour = Colour::new(0xFF, 0xFF, 0xFF);

/// A page.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// What it shows, with every character that its names have.
    pub title: String,
    /// Width and height.
    pub size: Point,
    /// What is drawn on white paper, the lowest first.
    pub items: Vec<Item>,
    /// The fonts of its texts.
    pub fonts: Fonts,
}

/// The fonts of a drawing.
#[derive(Clone, Debug)]
pub struct Fonts {
    /// Draws the marks on the squares.
    pub marks: Font,
    /// Draws names and captions.
    pub labels: Font,
}

/// Which font a text is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Face {
    /// The marks on the squares.
    Marks,
    /// Names and captions.
    Labels,
}

impl Fonts {
    /// The font of that use.
    pub fn of(&self, face: Face) -> &Font {
        match face {
            Face::Marks => &self.marks,
            Face::Labels => &self.labels,
        }
    }
}

/// One thing on a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A polygon without border.
    Fill {
        /// Its corners.
        points: Vec<Point>,
        /// Its colour.
        colour: Colour,
    },
    /// A straight line.
    Line {
        /// Its ends.
        ends: [Point; 2],
        /// What it means.
        stroke: Stroke,
        /// Its colour.
        colour: Colour,
    },
    /// A text. Both fonts have all its characters, and it has ink.
    Text {
        /// What is written.
        text: String,
        /// With which font.
        face: Face,
        /// The middle of the box around its ink.
        centre: Point,
        /// The size of the font.
        em: f64,
        /// How it is turned, counter-clockwise.
        turn: Turn,
        /// The colour of its ink.
        colour: Colour,
        /// The colour of what it stands on.
        on: Colour,
    },
}

/// What a line means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stroke {
    /// Cut here.
    Cut,
    /// Fold away from the eye.
    Mountain,
    /// Fold towards the eye.
    Valley,
    /// Part of a scale.
    Rule,
}

impl Stroke {
    /// All strokes.
    pub const ALL: [Stroke; 4] = [Stroke::Cut, Stroke::Mountain, Stroke::Valley, Stroke::Rule];

    /// The width of the line.
    pub const fn width(self) -> f64 {
        [0.25, 0.16, 0.16, 0.16][self as usize]
    }

    /// Lengths drawn and left out in turn along a line this long, stretched so that it begins and ends alike; none for a
    /// solid line.
    pub fn dashes(self, length: f64) -> Vec<f64> {
        let (pattern, last): (&[f64], f64) = match self {
            Stroke::Cut | Stroke::Rule => return Vec::new(),
            Stroke::Mountain => (&[1.2, 0.8], 1.2),
            Stroke::Valley => (&[1.6, 0.6, 0.3, 0.6], 1.6),
        };
        let period: f64 = pattern.iter().sum();
        let times = ((length - last) / period).round().max(1.0);
        pattern.iter().map(|dash| dash * length / (times * period + last)).collect()
    }
}

impl Item {
    /// The same thing further right and down.
    pub fn moved(mut self, by: Point) -> Item {
        let shift = |point: &mut Point| *point = [point[0] + by[0], point[1] + by[1]];
        match &mut self {
            Item::Fill { points, .. } => points.iter_mut().for_each(shift),
            Item::Line { ends, .. } => ends.iter_mut().for_each(shift),
            Item::Text { centre, .. } => shift(centre),
        }
        self
    }
}

/// A rectangle from its corner at the top left.
pub(super) fn rectangle([x, y]: Point, [width, height]: Point, colour: Colour) -> Item {
    let points = vec![[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
    Item::Fill { points, colour }
}

/// Whether these are the corners of a rectangle whose sides run across and down.
pub(super) fn is_upright_rectangle(points: &[Point]) -> bool {
    let next = points.iter().cycle().skip(1);
    points.len() == 4 && points.iter().zip(next).all(|(a, b)| a[0] == b[0] || a[1] == b[1])
}

/// The box around the ink of a text, in em, y up: least and greatest corner.
pub(super) fn ink_box(font: &Font, text: &str) -> Result<[Point; 2], GlyphError> {
    // Curves of type bulge least between samples this dense: under 0.001 em.
    const SAMPLES: u32 = 16;
    let mut around = [[f64::MAX; 2], [f64::MIN; 2]];
    for segment in font.outline(text)?.iter().flat_map(Contour::segments) {
        for k in 0..SAMPLES {
            let point = along(segment.points(), f64::from(k) / f64::from(SAMPLES));
            for axis in [0, 1] {
                around[0][axis] = around[0][axis].min(point[axis]);
                around[1][axis] = around[1][axis].max(point[axis]);
            }
        }
    }
    Ok(around)
}

/// A point of a Bezier curve, by de Casteljau.
fn along(points: &[Point], t: f64) -> Point {
    let mut left = [[0.0; 2]; 4];
    left[..points.len()].copy_from_slice(points);
    for last in (1..points.len()).rev() {
        for k in 0..last {
            left[k] = [0, 1].map(|axis| left[k][axis] + t * (left[k + 1][axis] - left[k][axis]));
        }
    }
    left[0]
}
