//! The texts of a puzzle's marks, cut once: scaled together, centred, underlined where they could be misread, checked
//! for what a printer can make, and given their levels.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::Role;
use super::dims::{Dims, DimsError};
use super::label::Field;
use super::outline::{Nest, Thinnest, bounds, map, nest, thinnest};
use super::relief::Ring;
use crate::glyph::{Font, GlyphError, Segment};
use crate::puzzle::Puzzle;
use crate::puzzle::rules::Rules;
use crate::puzzle::settings::Style;

/// Texts ready to stand on faces.
///
/// # Guarantees
/// Every text fits into the field of the [`Dims`] that it was cut for; no contour crosses another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lettering {
    rings: BTreeMap<String, Vec<Ring>>,
    /// The names of pieces, and where they stand.
    names: BTreeMap<String, (Field, Vec<Ring>)>,
    warnings: Vec<Warning>,
}

/// Something that can be made, but that a person may want to change.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// A stroke is thinner than two lines of a nozzle.
    ThinStroke {
        /// The text.
        text: String,
        /// Millimetres.
        stroke: f64,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::ThinStroke { text, stroke } => {
                write!(
                    f,
                    "'{text}' has a stroke of {:.2} mm: from {SAFE_STROKE} mm it prints well",
                    (stroke * 100.0).floor() / 100.0
                )
            }
        }
    }
}

/// Why texts cannot stand on faces.
#[derive(Clone, Debug, PartialEq)]
pub enum LetteringError {
    /// The font does not draw a text.
    Glyph(GlyphError),
    /// There is no room for any digit.
    Dims(DimsError),
    /// Names would stand above the faces, where the neighbours are.
    ProudNames,
    /// The outline of a text crosses or touches itself.
    Crossing(String),
    /// Strokes or gaps are too thin to print.
    TooThin {
        /// The text.
        text: String,
        /// `stroke` or `gap`.
        what: &'static str,
        /// Millimetres.
        width: f64,
        /// The digit height at which it would print, in millimetres.
        height: f64,
        /// The pitch that works, where that height has no room on a face of this one.
        pitch: Option<f64>,
    },
}

impl fmt::Display for LetteringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LetteringError::Glyph(error) => write!(f, "the font {error}"),
            LetteringError::Dims(error) => error.fmt(f),
            LetteringError::ProudNames => f.write_str(
                "names that stand above the faces would keep the pieces apart: use style embossed or engraved with names",
            ),
            LetteringError::Crossing(text) => {
                write!(f, "the outline of '{text}' in this font crosses itself: choose another font")
            }
            LetteringError::TooThin { text, what, width, height, pitch } => {
                // Rounded so that the width is seen to be too little, and that what is advised works.
                let (width, up) = ((width * 100.0).floor() / 100.0, |mm: f64| (mm * 10.0).ceil() / 10.0);
                write!(f, "'{text}' has a {what} of {width:.2} mm, and {LEAST_WIDTH} mm is the least that prints: ")?;
                match pitch {
                    None => write!(f, "use a digit height of {:.1} mm, or a bolder font", up(*height)),
                    Some(pitch) => write!(f, "use a pitch of {:.1} mm, a bolder font or a shorter text", up(*pitch)),
                }
            }
        }
    }
}

impl std::error::Error for LetteringError {}

/// Thinner strokes and gaps do not print with a 0.4 mm nozzle, in millimetres.
const LEAST_WIDTH: f64 = 0.6;
/// Strokes from here on print well, in millimetres.
const SAFE_STROKE: f64 = 0.8;
/// Chords for checks and measures, in shares of the height of a text.
const CHECK: f64 = 1e-3;
/// The bar under a digit that could be read upside down: its thickness and the gap above, in heights of the digit.
const BAR: f64 = 0.12;

impl Lettering {
    /// Cuts the texts of all marks of a puzzle.
    pub fn cut(puzzle: &Puzzle, dims: &Dims, font: &Font) -> Result<Lettering, LetteringError> {
        let marks = puzzle.pieces.iter().flat_map(|piece| piece.marks.values());
        let texts: BTreeSet<&str> = marks.map(|mark| mark.text.as_str()).collect();
        Lettering::of_texts(&texts, &puzzle.rules, dims, font)
    }

    /// Cuts these texts; the tallest gets the digit height of `dims`, and all the same scale. A text that is too wide
    /// for the field is made smaller.
    pub fn of_texts(
        texts: &BTreeSet<&str>,
        rules: &Rules,
        dims: &Dims,
        font: &Font,
    ) -> Result<Lettering, LetteringError> {
        let mut lettering = Lettering::default();
        if texts.is_empty() {
            return Ok(lettering);
        }
        let (outlines, scale) = outlines(texts, rules, dims, font)?;
        for (text, contours) in outlines {
            let nests = lettering.place(text, &contours, scale, [dims.field(); 2], dims)?;
            lettering.rings.insert(text.to_owned(), levelled(&nests, [dims.panel(); 2], dims));
        }
        Ok(lettering)
    }

    /// Cuts the names of the pieces that have no marks, to stand on their faces; they share one scale as marks do.
    pub fn with_names(mut self, puzzle: &Puzzle, dims: &Dims, font: &Font) -> Result<Lettering, LetteringError> {
        if dims.style() == Style::Proud {
            return Err(LetteringError::ProudNames);
        }
        let named = || puzzle.pieces.iter().filter(|piece| piece.marks.is_empty());
        let texts = named().map(|piece| piece.name.as_str()).collect();
        let (outlines, scale) = outlines(&texts, &puzzle.rules, dims, font)?;
        for piece in named() {
            let (field, contours) = (Field::of(piece), &outlines[piece.name.as_str()]);
            let half = field.half(dims);
            let nests = self.place(&piece.name, contours, scale, half, dims)?;
            let placed: Vec<Vec<Segment>> = nests.iter().map(|nest| nest.contour.clone()).collect();
            let [_, high] = bounds(&placed, CHECK);
            // A panel as large as it must be, but no larger than the face allows.
            let gap = dims.panel() - dims.field();
            let panel = std::array::from_fn(|k| (high[k] + 2.0 * gap).min(half[k] + gap));
            self.names.insert(piece.name.clone(), (field, levelled(&nests, panel, dims)));
        }
        Ok(self)
    }

    /// Where the name of a piece stands, and what it is made of; `None` when names were not cut.
    pub fn name(&self, piece: &str) -> Option<(Field, &[Ring])> {
        self.names.get(piece).map(|(field, rings)| (*field, rings.as_slice()))
    }

    /// What a text is made of; `None` when it was not among the texts cut.
    pub fn rings(&self, text: &str) -> Option<&[Ring]> {
        self.rings.get(text).map(Vec::as_slice)
    }

    /// How many contours a text has: the more, the worse it prints face down.
    pub fn contours(&self, text: &str) -> usize {
        fn count(rings: &[Ring]) -> usize {
            rings.iter().map(|ring| 1 + count(&ring.inner)).sum()
        }
        self.rings(text).map_or(0, count)
    }

    /// What a person may want to change.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Scaled into a field of half that width and height, centred and checked.
    fn place(
        &mut self,
        text: &str,
        contours: &[Vec<Segment>],
        scale: f64,
        half: [f64; 2],
        dims: &Dims,
    ) -> Result<Vec<Nest>, LetteringError> {
        let [low, high] = bounds(contours, CHECK);
        let room = half.map(|half| 2.0 * half);
        let fit = (0..2).map(|k| room[k] / (high[k] - low[k])).fold(scale, f64::min);
        let centre: [f64; 2] = std::array::from_fn(|k| (low[k] + high[k]) / 2.0);
        let to = |point: [f64; 2]| std::array::from_fn(|k| (point[k] - centre[k]) * fit);
        let segments = |contour: &Vec<Segment>| contour.iter().map(|segment| map(segment, to)).collect();
        let placed: Vec<Vec<Segment>> = contours.iter().map(segments).collect();
        let tolerance = CHECK * dims.digit_height();
        // At least as fine as the mesh, which would find the crossing later and could not name the text.
        let nests =
            nest(&placed, tolerance.min(dims.tolerance())).map_err(|_| LetteringError::Crossing(text.to_owned()))?;

        let Thinnest { stroke, gap } = thinnest(&nests, tolerance);
        for (what, width) in [("stroke", stroke), ("gap", gap)] {
            if width < LEAST_WIDTH {
                let larger = LEAST_WIDTH / width;
                let height = dims.digit_height() * larger;
                let has_room = height <= room[1] && fit == scale;
                // The field grows faster than the pitch, so this is enough.
                let pitch = (!has_room).then_some(dims.pitch() * larger);
                return Err(LetteringError::TooThin { text: text.to_owned(), what, width, height, pitch });
            }
        }
        if stroke < SAFE_STROKE {
            self.warnings.push(Warning::ThinStroke { text: text.to_owned(), stroke });
        }
        Ok(nests)
    }
}

type Outlines<'a> = BTreeMap<&'a str, Vec<Vec<Segment>>>;

/// The contours of texts, underlined where they could be misread, and the scale at which the tallest, without its line,
/// has the digit height.
fn outlines<'a>(
    texts: &BTreeSet<&'a str>,
    rules: &Rules,
    dims: &Dims,
    font: &Font,
) -> Result<(Outlines<'a>, f64), LetteringError> {
    if dims.digit_height() <= 0.0 {
        return Err(LetteringError::Dims(dims.no_room()));
    }
    let mut outlines = BTreeMap::new();
    let mut tallest = 0.0f64;
    for &text in texts {
        let contours = font.outline(text).map_err(LetteringError::Glyph)?;
        let mut contours: Vec<_> = contours.iter().map(|contour| contour.segments().to_vec()).collect();
        let [low, high] = bounds(&contours, CHECK);
        tallest = tallest.max(high[1] - low[1]);
        if reads_upside_down(text, texts, rules) {
            contours.push(bar([low, high]));
        }
        outlines.insert(text, contours);
    }
    Ok((outlines, dims.digit_height() / tallest))
}

/// Whether a person who holds the face upside down would read another symbol of the puzzle, and the puzzle does not say
/// that the two are one.
fn reads_upside_down(text: &str, texts: &BTreeSet<&str>, rules: &Rules) -> bool {
    let turn = |c: char| match c {
        '0' | '8' => Some(c),
        '6' => Some('9'),
        '9' => Some('6'),
        _ => None,
    };
    let Some(turned) = text.chars().rev().map(turn).collect::<Option<String>>() else { return false };
    let is_symbol = texts.contains(turned.as_str()) || rules.symbols.contains(&turned) || text.len() == 1;
    turned != text && is_symbol && rules.upside_down(text) != Some(&turned)
}

/// A bar under a text with these bounds.
fn bar([low, high]: [[f64; 2]; 2]) -> Vec<Segment> {
    let thick = BAR * (high[1] - low[1]);
    rectangle([low[0], low[1] - 2.0 * thick], [high[0], low[1] - thick])
}

fn rectangle(low: [f64; 2], high: [f64; 2]) -> Vec<Segment> {
    let corners = [low, [high[0], low[1]], high, [low[0], high[1]]];
    (0..4).map(|i| Segment::Line([corners[i], corners[(i + 1) % 4]])).collect()
}

/// The only place that knows what a style is.
fn levelled(nests: &[Nest], panel: [f64; 2], dims: &Dims) -> Vec<Ring> {
    match dims.style() {
        Style::Proud => rings(nests, (dims.relief(), Role::Digit), (0.0, Role::Body)),
        Style::Engraved => rings(nests, (-dims.relief(), Role::Digit), (0.0, Role::Body)),
        Style::Embossed => {
            let floor = (-dims.relief(), Role::Panel);
            let inner = rings(nests, (0.0, Role::Digit), floor);
            vec![Ring { contour: rectangle(panel.map(|half| -half), panel), level: floor.0, role: floor.1, inner }]
        }
    }
}

/// Rings at the level of the `ink`, with counters at the level of the `ground`.
fn rings(nests: &[Nest], ink: (f64, Role), ground: (f64, Role)) -> Vec<Ring> {
    let ring = |nest: &Nest| Ring {
        contour: nest.contour.clone(),
        level: ink.0,
        role: ink.1,
        inner: rings(&nest.inner, ground, ink),
    };
    nests.iter().map(ring).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::settings::{Length, Settings};

    fn dims(pitch: i32, style: Style) -> Dims {
        let settings = Settings { style: Some(style), ..Settings::default() };
        Dims::resolve(&settings, Length::of_micrometres(pitch)).expect("sizes that work")
    }

    fn cut(texts: &[&str], rules: &Rules, dims: &Dims) -> Result<Lettering, LetteringError> {
        Lettering::of_texts(&texts.iter().copied().collect(), rules, dims, &Font::built_in())
    }

    fn size(lettering: &Lettering, text: &str) -> [f64; 2] {
        let contours: Vec<_> = lettering.rings(text).expect("cut").iter().map(|ring| ring.contour.clone()).collect();
        let [low, high] = bounds(&contours, 1e-4);
        assert!((0..2).all(|k| (low[k] + high[k]).abs() < 1e-6), "{text} is centred");
        [high[0] - low[0], high[1] - low[1]]
    }

    #[test]
    fn the_tallest_digit_has_the_digit_height_and_all_have_one_scale() {
        let dims = dims(20_000, Style::Proud);
        let lettering = cut(&["1", "8", "10", "1357"], &Rules::default(), &dims).expect("digits");
        let [one, eight, ten, wide] = ["1", "8", "10", "1357"].map(|text| size(&lettering, text));
        assert!((eight[1] - 10.89).abs() < 0.02, "{eight:?}");
        // DejaVu Sans Bold, 2048 units an em: '1' is 1493 high, '0' and '8' from -29 to 1520.
        assert!((one[1] / eight[1] - 1493.0 / 1549.0).abs() < 1e-3, "{one:?}");
        assert!(ten[0] < 2.0 * dims.field() + 1e-6 && ten[1] > 0.9 * eight[1], "two digits just do not fit: {ten:?}");
        assert!((wide[0] - 2.0 * dims.field()).abs() < 1e-6 && wide[1] < ten[1] / 1.5, "shrunk to fit: {wide:?}");
    }

    #[test]
    fn what_reads_as_another_symbol_upside_down_is_underlined() {
        let dims = dims(20_000, Style::Engraved);
        let contours = |texts: &[&str], rules: &Rules| {
            let lettering = cut(texts, rules, &dims).expect("digits");
            texts.iter().map(|text| lettering.contours(text)).collect::<Vec<_>>()
        };
        let texts = ["6", "9", "8", "1", "68", "89", "66", "96"];
        assert_eq!(contours(&texts, &Rules::default()), [3, 3, 3, 1, 6, 6, 4, 4]);
        assert_eq!(contours(&["86"], &Rules::default()), [5], "no 98 to mistake it for");
        let turned = Rules { turned: vec![("6".to_owned(), "9".to_owned())], ..Rules::default() };
        assert_eq!(contours(&["6", "9"], &turned), [2, 2]);
    }

    #[test]
    fn what_is_too_thin_to_print_is_refused_with_the_height_that_works() {
        let asking = |micrometres| Settings {
            digit_height: Some(Length::of_micrometres(micrometres)),
            style: Some(Style::Engraved),
            ..Settings::default()
        };
        let pitch = Length::of_micrometres(8_200);
        let small = Dims::resolve(&asking(4_000), pitch).expect("sizes that work");
        let error = cut(&["8"], &Rules::default(), &small).expect_err("too small");
        let LetteringError::TooThin { width, height, pitch: None, .. } = &error else { panic!("{error}") };
        assert!(*width < 0.6 && *height > small.digit_height(), "{error}");
        let larger = Dims::resolve(&asking((height * 1000.0).ceil() as i32), pitch).expect("sizes that work");
        let lettering = cut(&["8"], &Rules::default(), &larger).expect("the height that the message names works");
        assert!(matches!(lettering.warnings(), [Warning::ThinStroke { .. }]));
    }

    #[test]
    fn the_built_in_font_prints_at_the_default_size() {
        let texts = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];
        for style in Style::ALL {
            let lettering = cut(&texts, &Rules::default(), &dims(20_000, style)).expect("digits");
            assert_eq!(lettering.warnings(), []);
        }
        let error = cut(&["1"], &Rules::default(), &dims(4_000, Style::Embossed)).expect_err("no room");
        assert!(matches!(error, LetteringError::Dims(DimsError::NoRoom { .. })), "{error}");
    }
}
