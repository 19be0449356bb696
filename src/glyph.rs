//! Text -> outline and pixels. The only file that names the font crate.
//!
//! Outlines are in em units (1 = the size of the font), y up, the baseline at y = 0, x from the start of the text.

use rusttype::{OutlineBuilder, Scale};

/// A TrueType or OpenType font.
///
/// # Guarantees
/// It has metrics that scale: 1 em is a positive height.
#[derive(Clone, Debug)]
pub struct Font {
    font: rusttype::Font<'static>,
    /// The crate scales by ascent minus descent; this many of those make one em.
    heights_an_em: f32,
}

/// Why a text cannot be drawn, or bytes are not a font.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlyphError {
    /// The bytes are not a font that can be read.
    NotAFont,
    /// The font has no glyph for this character.
    Missing(char),
    /// The glyphs of the text have no outline: a space, or a font of bitmaps.
    NoOutline(String),
}

impl std::fmt::Display for GlyphError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GlyphError::NotAFont => write!(f, "is not a TrueType or OpenType font with outlines"),
            GlyphError::Missing(character) => write!(f, "has no glyph for '{character}'; choose a font that has it"),
            GlyphError::NoOutline(text) => write!(f, "draws nothing for '{text}'; choose a font with outlines for it"),
        }
    }
}

impl std::error::Error for GlyphError {}

/// A closed curve: each segment begins where the one before ends, the first where the last ends.
///
/// # Guarantees
/// At least two segments; none of zero length.
#[derive(Clone, Debug, PartialEq)]
pub struct Contour {
    segments: Vec<Segment>,
}

impl Contour {
    /// The segments in the direction of the font, which says nothing about what is inside.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }
}

/// One piece of a contour, by its points in em.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// Straight from the first to the second.
    Line([[f64; 2]; 2]),
    /// A quadratic Bezier curve: start, control, end.
    Quadratic([[f64; 2]; 3]),
    /// A cubic Bezier curve: start, two controls, end.
    Cubic([[f64; 2]; 4]),
}

impl Segment {
    /// Start, controls and end.
    pub fn points(&self) -> &[[f64; 2]] {
        match self {
            Segment::Line(points) => points,
            Segment::Quadratic(points) => points,
            Segment::Cubic(points) => points,
        }
    }
}

/// Ink of a text in pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ink {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Row by row from the top: 0 no ink, 255 full.
    pub coverage: Vec<u8>,
}

impl Font {
    /// DejaVu Sans Bold, built into the program.
    pub fn built_in() -> Font {
        Font::parse(include_bytes!("../fonts/DejaVuSans-Bold.ttf").to_vec()).expect("the built-in font is a font")
    }

    /// Reads the bytes of a font file.
    pub fn parse(bytes: Vec<u8>) -> Result<Font, GlyphError> {
        let font = rusttype::Font::try_from_vec(bytes).ok_or(GlyphError::NotAFont)?;
        let metrics = font.v_metrics_unscaled();
        let heights_an_em = (metrics.ascent - metrics.descent) / f32::from(font.units_per_em());
        let usable = heights_an_em.is_finite() && heights_an_em > 0.0;
        if usable { Ok(Font { font, heights_an_em }) } else { Err(GlyphError::NotAFont) }
    }

    /// The contours of a text, set on one line with the font's own spacing.
    pub fn outline(&self, text: &str) -> Result<Vec<Contour>, GlyphError> {
        let mut collector = Collector::default();
        for glyph in self.set(text, 1.0)? {
            let start = glyph.position();
            collector.shift = [f64::from(start.x), f64::from(start.y)];
            glyph.unpositioned().build_outline(&mut collector);
            collector.finish();
        }
        if collector.contours.is_empty() { Err(GlyphError::NoOutline(text.to_owned())) } else { Ok(collector.contours) }
    }

    /// The anti-aliased ink of a text at `pixels` an em, cropped to the box around it.
    pub fn ink(&self, text: &str, pixels: f32) -> Result<Ink, GlyphError> {
        let glyphs = self.set(text, pixels)?;
        let boxes = || glyphs.iter().filter_map(|glyph| Some((glyph, glyph.pixel_bounding_box()?)));
        let around = boxes().map(|(_, b)| b).reduce(|a, b| rusttype::Rect {
            min: rusttype::point(a.min.x.min(b.min.x), a.min.y.min(b.min.y)),
            max: rusttype::point(a.max.x.max(b.max.x), a.max.y.max(b.max.y)),
        });
        let around = around.ok_or_else(|| GlyphError::NoOutline(text.to_owned()))?;
        let (width, height) = (around.width() as usize, around.height() as usize);
        let mut coverage = vec![0u8; width * height];
        for (glyph, bounds) in boxes() {
            let (left, top) = ((bounds.min.x - around.min.x) as usize, (bounds.min.y - around.min.y) as usize);
            glyph.draw(|x, y, share| {
                let (x, y) = (left + x as usize, top + y as usize);
                if x < width && y < height {
                    let at = &mut coverage[y * width + x];
                    *at = at.saturating_add((share * 255.0).round() as u8);
                }
            });
        }
        Ok(Ink { width, height, coverage })
    }

    fn set(&self, text: &str, pixels: f32) -> Result<Vec<rusttype::PositionedGlyph<'static>>, GlyphError> {
        // Glyph 0 is the box that fonts show for what they lack.
        if let Some(missing) = text.chars().find(|&c| self.font.glyph(c).id().0 == 0) {
            return Err(GlyphError::Missing(missing));
        }
        let scale = Scale::uniform(pixels * self.heights_an_em);
        Ok(self.font.layout(text, scale, rusttype::point(0.0, 0.0)).collect())
    }
}

/// Collects the outline calls of the font crate, whose y runs down, into closed contours.
#[derive(Default)]
struct Collector {
    shift: [f64; 2],
    segments: Vec<Segment>,
    contours: Vec<Contour>,
    start: [f64; 2],
    here: [f64; 2],
}

impl Collector {
    fn at(&self, x: f32, y: f32) -> [f64; 2] {
        [self.shift[0] + f64::from(x), -(self.shift[1] + f64::from(y))]
    }

    fn push(&mut self, segment: Segment) {
        let points = segment.points();
        let end = points[points.len() - 1];
        if points.iter().any(|&point| point != self.here) {
            self.segments.push(segment);
        }
        self.here = end;
    }

    fn finish(&mut self) {
        if self.here != self.start {
            self.push(Segment::Line([self.here, self.start]));
        }
        let segments = std::mem::take(&mut self.segments);
        if segments.len() >= 2 {
            self.contours.push(Contour { segments });
        }
    }
}

impl OutlineBuilder for Collector {
    fn move_to(&mut self, x: f32, y: f32) {
        self.finish();
        self.start = self.at(x, y);
        self.here = self.start;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.at(x, y);
        self.push(Segment::Line([self.here, to]));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (control, to) = (self.at(x1, y1), self.at(x, y));
        self.push(Segment::Quadratic([self.here, control, to]));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (a, b, to) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.push(Segment::Cubic([self.here, a, b, to]));
    }

    fn close(&mut self) {
        self.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed_area(contour: &Contour) -> f64 {
        let ends = contour.segments().iter().map(|s| [s.points()[0], s.points()[s.points().len() - 1]]);
        ends.map(|[a, b]| (a[0] * b[1] - a[1] * b[0]) / 2.0).sum()
    }

    #[test]
    fn digits_have_the_contours_that_one_sees() {
        let font = Font::built_in();
        let contours = |text: &str| font.outline(text).map(|c| c.len());
        let counts: Vec<_> = "0123456789".chars().map(|c| contours(&c.to_string()).expect("a digit")).collect();
        assert_eq!(counts, [2, 1, 1, 1, 2, 1, 2, 1, 3, 2]);
        assert_eq!(contours("10"), Ok(3));
        for contour in font.outline("8").expect("a digit") {
            let segments = contour.segments();
            for (one, next) in segments.iter().zip(segments.iter().cycle().skip(1)) {
                assert_eq!(one.points().last(), next.points().first());
            }
            assert!(signed_area(&contour).abs() > 0.01);
        }
    }

    #[test]
    fn the_one_of_the_built_in_font_is_as_high_as_its_table_says() {
        // DejaVu Sans Bold, 2048 units an em: '1' runs from 0 to 1493.
        let ys: Vec<f64> =
            Font::built_in().outline("1").expect("a digit")[0].segments().iter().map(|s| s.points()[0][1]).collect();
        let (low, high) = (ys.iter().copied().fold(f64::MAX, f64::min), ys.iter().copied().fold(f64::MIN, f64::max));
        assert!(low.abs() < 1e-6 && (high - 1493.0 / 2048.0).abs() < 1e-6, "{low} {high}");
    }

    #[test]
    fn ink_fills_the_share_of_the_box_that_the_outline_does() {
        let ink = Font::built_in().ink("1", 400.0).expect("a digit");
        assert_eq!(ink.height, 292);
        assert_eq!(ink.coverage.len(), ink.width * ink.height);
        let share = ink.coverage.iter().map(|&c| f64::from(c)).sum::<f64>() / 255.0 / (400.0 * 400.0);
        let outline = signed_area(&Font::built_in().outline("1").expect("a digit")[0]).abs();
        assert!((share - outline).abs() < 1e-3, "{share} {outline}");
    }

    #[test]
    fn what_cannot_be_drawn_is_said() {
        let font = Font::built_in();
        assert_eq!(font.outline("一"), Err(GlyphError::Missing('一')));
        assert_eq!(font.outline(" "), Err(GlyphError::NoOutline(" ".to_owned())));
        assert_eq!(font.ink("", 10.0), Err(GlyphError::NoOutline(String::new())));
        assert_eq!(Font::parse(b"not a font".to_vec()).map(|_| ()), Err(GlyphError::NotAFont));
    }
}
