//! Drawing -> PNG. Pixels are numbers of palette colours; the picture is made and packed a band of rows at a time, so
//! that a sheet of any size needs little memory.

use std::collections::BTreeMap;
use std::ops::Range;

use image::{GenericImage, GenericImageView, Luma};
use imageproc::drawing::{draw_antialiased_polygon_mut, draw_polygon_mut};

use super::NetError;
use super::drawing::{Drawing, Face, Fonts, Item, MOST_PIXELS, Point, RESOLUTIONS, Stroke, is_upright_rectangle};
use super::palette::Palette;

use crate::glyph::Ink;
use crate::png_file;
use crate::puzzle::colour::Colour;
use crate::puzzle::grid::Turn;

/// Draws a page as PNG with so many dots an inch, which are written into the file.
pub fn png(drawing: &Drawing, dpi: u32) -> Result<Vec<u8>, NetError> {
    if !RESOLUTIONS.contains(&dpi) {
        return Err(NetError::Resolution(dpi));
    }
    let pixel = 25.4 / f64::from(dpi);
    let pixels = drawing.size.map(|length| (length / pixel).ceil().max(1.0) as u64);
    if pixels.iter().any(|&count| count > MOST_PIXELS) {
        return Err(NetError::TooLarge { pixels, dpi });
    }
    let size = pixels.map(|count| count as u32);
    let palette = Palette::of(&drawing.items);
    let mut brush = Brush { palette: &palette, pixel, fonts: &drawing.fonts, inks: BTreeMap::new() };
    let bands = (0..size[1]).step_by(BAND as usize).map(|top| {
        let mut band = Band::new(size, top, (size[1] - top).min(BAND));
        drawing.items.iter().for_each(|item| brush.paint(&mut band, item));
        band.pixels
    });
    Ok(png_file::of_palette(&png_file::Header { size, dpi, palette: &palette.colours }, bands))
}

/// Rows that are drawn and packed at once.
const BAND: u32 = 128;

/// Rows of a picture. It is drawn on in the coordinates of the whole picture; what falls outside the rows is dropped, so
/// that a line comes out the same however the picture is cut.
struct Band {
    size: [u32; 2],
    rows: Range<u32>,
    pixels: Vec<u8>,
}

impl Band {
    /// All paper, which is colour 0.
    fn new(size: [u32; 2], top: u32, height: u32) -> Band {
        Band { size, rows: top..top + height, pixels: vec![0; size[0] as usize * height as usize] }
    }

    fn index(&self, x: u32, y: u32) -> Option<usize> {
        let inside = x < self.size[0] && self.rows.contains(&y);
        inside.then(|| (y - self.rows.start) as usize * self.size[0] as usize + x as usize)
    }

    /// Columns and rows of a rectangle, without what lies outside; `None` when nothing is left.
    fn clip(&self, [left, top]: [i32; 2], [right, bottom]: [i32; 2]) -> Option<[Range<usize>; 2]> {
        let (left, right) = (left.max(0), right.min(self.size[0] as i32));
        let (top, bottom) = (top.max(self.rows.start as i32), bottom.min(self.rows.end as i32));
        let has_pixels = left < right && top < bottom;
        has_pixels.then_some([left as usize..right as usize, top as usize..bottom as usize])
    }

    fn fill(&mut self, low: [i32; 2], high: [i32; 2], colour: u8) {
        let Some([columns, rows]) = self.clip(low, high) else { return };
        let (across, first) = (self.size[0] as usize, self.rows.start as usize);
        for row in rows {
            self.pixels[(row - first) * across..][columns.clone()].fill(colour);
        }
    }
}

impl GenericImageView for Band {
    type Pixel = Luma<u8>;

    fn dimensions(&self) -> (u32, u32) {
        self.size.into()
    }

    fn get_pixel(&self, x: u32, y: u32) -> Luma<u8> {
        Luma([self.index(x, y).map_or(0, |i| self.pixels[i])])
    }
}

impl GenericImage for Band {
    fn get_pixel_mut(&mut self, _: u32, _: u32) -> &mut Luma<u8> {
        unreachable!("deprecated; nothing that we draw with calls it")
    }

    fn put_pixel(&mut self, x: u32, y: u32, pixel: Luma<u8>) {
        if let Some(i) = self.index(x, y) {
            self.pixels[i] = pixel.0[0];
        }
    }

    fn blend_pixel(&mut self, x: u32, y: u32, pixel: Luma<u8>) {
        self.put_pixel(x, y, pixel);
    }
}

/// Draws items on bands.
struct Brush<'a> {
    palette: &'a Palette,
    /// Millimetres.
    pixel: f64,
    fonts: &'a Fonts,
    /// The texts drawn so far, by all that decides how they look.
    inks: BTreeMap<(Face, &'a str, u64, Turn), Ink>,
}

impl<'a> Brush<'a> {
    fn paint(&mut self, band: &mut Band, item: &'a Item) {
        match item {
            Item::Fill { points, colour } => self.fill(band, points, *colour),
            Item::Line { ends, stroke, colour } => self.line(band, *ends, *stroke, *colour),
            Item::Text { text, face, centre, em, turn, colour, .. } => {
                let key = (*face, text.as_str(), em.to_bits(), *turn);
                let (fonts, pixels) = (self.fonts, (em / self.pixel) as f32);
                let ink = self.inks.entry(key).or_insert_with(|| {
                    let ink = fonts.of(*face).ink(text, pixels);
                    turned(&ink.expect("a drawing has only texts that have ink"), *turn)
                });
                stamp(band, ink, centre.map(|c| c / self.pixel), self.palette, *colour);
            }
        }
    }

    fn nearest(&self, point: Point) -> [i32; 2] {
        point.map(|c| (c / self.pixel).round() as i32)
    }

    /// Upright rectangles end between two pixels. The border of other polygons is left to the lines around them.
    fn fill(&self, band: &mut Band, points: &[Point], colour: Colour) {
        let pixels: Vec<[i32; 2]> = points.iter().map(|&point| self.nearest(point)).collect();
        let bounds = |axis: usize| {
            let along = || pixels.iter().map(move |p| p[axis]);
            (along().min().unwrap_or(0), along().max().unwrap_or(0))
        };
        let ((left, right), (top, bottom)) = (bounds(0), bounds(1));
        let colour = self.palette.index(colour);
        if is_upright_rectangle(points) {
            band.fill([left, top], [right, bottom], colour);
        } else if band.clip([left, top], [right + 1, bottom + 1]).is_some() {
            draw_polygon_mut(band, &corners(&pixels), Luma([colour]));
        }
    }

    /// A line is as many whole pixels wide as come nearest, never none.
    fn line(&self, band: &mut Band, [start, end]: [Point; 2], stroke: Stroke, colour: Colour) {
        let length = (end[0] - start[0]).hypot(end[1] - start[1]);
        let along = [(end[0] - start[0]) / length, (end[1] - start[1]) / length];
        let at = |distance: f64| [start[0] + distance * along[0], start[1] + distance * along[1]];
        let width = (stroke.width() / self.pixel).round().max(1.0) as i32;
        let reach = width + 2;
        let [top, bottom] = [start[1].min(end[1]), start[1].max(end[1])].map(|y| (y / self.pixel).round() as i32);
        if bottom + reach < band.rows.start as i32 || top - reach > band.rows.end as i32 {
            return;
        }
        let index = self.palette.index(colour);
        for [from, to] in dashes(stroke, length) {
            let [a, b] = [self.nearest(at(from)), self.nearest(at(to))];
            let (before, after) = (width / 2, width - width / 2);
            if along[0] * along[1] == 0.0 {
                let (low, high) = ([a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])]);
                // Solid lines go on for half their width, so that corners are full; dashes end where they end.
                let cap =
                    if stroke.dashes(length).is_empty() { [true, true] } else { [along[0] == 0.0, along[1] == 0.0] };
                let grown = |axis: usize| {
                    if cap[axis] { (low[axis] - before, high[axis] + after) } else { (low[axis], high[axis]) }
                };
                let ((left, right), (top, bottom)) = (grown(0), grown(1));
                band.fill([left, top], [right, bottom], index);
            } else {
                let (low, high) = ([a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])]);
                if band.clip(low.map(|c| c - reach), high.map(|c| c + reach)).is_none() {
                    continue;
                }
                let half = f64::from(width - 1) / 2.0 * self.pixel;
                let across = [-along[1] * half, along[0] * half];
                let side = |p: Point, sign: f64| self.nearest([p[0] + sign * across[0], p[1] + sign * across[1]]);
                let [from, to] = [at(from), at(to)];
                let outline = [side(from, 1.0), side(to, 1.0), side(to, -1.0), side(from, -1.0)];
                let blend =
                    |ink: Luma<u8>, old: Luma<u8>, share: f32| Luma([self.palette.mix(old.0[0], ink.0[0], share)]);
                draw_antialiased_polygon_mut(band, &corners(&outline), Luma([index]), blend);
            }
        }
    }
}

/// Blends ink around a point, in pixels.
fn stamp(band: &mut Band, ink: &Ink, centre: Point, palette: &Palette, colour: Colour) {
    let left = (centre[0] - ink.width as f64 / 2.0).round() as i64;
    let top = (centre[1] - ink.height as f64 / 2.0).round() as i64;
    let colour = palette.index(colour);
    for (row, line) in ink.coverage.chunks_exact(ink.width.max(1)).enumerate() {
        let Ok(y) = u32::try_from(top + row as i64) else { continue };
        if !band.rows.contains(&y) {
            continue;
        }
        for (column, &coverage) in line.iter().enumerate().filter(|(_, coverage)| **coverage > 0) {
            let Ok(x) = u32::try_from(left + column as i64) else { continue };
            let old = band.get_pixel(x, y).0[0];
            band.put_pixel(x, y, Luma([palette.mix(old, colour, f32::from(coverage) / 255.0)]));
        }
    }
}

/// Ink turned counter-clockwise by whole quarters: each pixel is moved, none is blended.
fn turned(ink: &Ink, turn: Turn) -> Ink {
    let (w, h) = (ink.width, ink.height);
    let (width, height) = if matches!(turn, Turn::Left | Turn::Right) { (h, w) } else { (w, h) };
    let source = |x: usize, y: usize| match turn {
        Turn::Upright => (x, y),
        Turn::Left => (w - 1 - y, x),
        Turn::UpsideDown => (w - 1 - x, h - 1 - y),
        Turn::Right => (y, h - 1 - x),
    };
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let coverage = pixels.map(|(x, y)| source(x, y)).map(|(x, y)| ink.coverage[y * w + x]).collect();
    Ink { width, height, coverage }
}

/// Where the line is drawn, from its start.
fn dashes(stroke: Stroke, length: f64) -> Vec<[f64; 2]> {
    let pattern = stroke.dashes(length);
    if pattern.is_empty() {
        return vec![[0.0, length]];
    }
    let mut drawn = Vec::new();
    let (mut at, mut k) = (0.0, 0);
    // Sums of dashes come out a little beside the whole.
    while at < length - 1e-6 {
        let next = at + pattern[k % pattern.len()];
        if k % 2 == 0 {
            drawn.push([at, next.min(length)]);
        }
        (at, k) = (next, k + 1);
    }
    drawn
}

fn corners(pixels: &[[i32; 2]]) -> Vec<imageproc::point::Point<i32>> {
    pixels.iter().map(|&[x, y]| imageproc::point::Point::new(x, y)).collect()
}
