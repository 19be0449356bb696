//! Drawing -> SVG in real millimetres. Texts are outlines, so that it looks and cuts the same everywhere; lines are
//! strokes grouped by what they mean, as cutting plotters want them.

use std::fmt::Write;

use super::drawing::{Drawing, Item, PAPER, Point, Stroke, ink_box};
use crate::glyph::{Font, Segment};
use crate::puzzle::grid::Turn;

/// Draws a page as SVG.
pub fn svg(drawing: &Drawing) -> String {
    let [width, height] = drawing.size.map(Number);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" \
         height=\"{height}mm\" viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n",
        escaped(&drawing.title)
    );
    let mut shapes = String::new();
    let mut lines = Stroke::ALL.map(|_| String::new());
    for item in &drawing.items {
        match item {
            Item::Fill { points, colour } => {
                let points: Vec<String> = points.iter().map(|p| format!("{},{}", Number(p[0]), Number(p[1]))).collect();
                let points = points.join(" ");
                // The hair of a stroke keeps paper from shining through between two squares.
                line(
                    &mut shapes,
                    format_args!(
                        "<polygon points=\"{points}\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"0.15\"/>"
                    ),
                );
            }
            Item::Line { ends: [[x1, y1], [x2, y2]], stroke, colour } => {
                let length = (x2 - x1).hypot(y2 - y1);
                let [x1, y1, x2, y2] = [*x1, *y1, *x2, *y2].map(Number);
                let to = &mut lines[*stroke as usize];
                let dashes: Vec<String> = stroke.dashes(length).iter().map(|&d| Number(d).to_string()).collect();
                let dashes = match dashes.join(" ") {
                    none if none.is_empty() => none,
                    some => format!(" stroke-dasharray=\"{some}\""),
                };
                line(to, format_args!("<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"{colour}\"{dashes}/>"));
            }
            Item::Text { text, face, centre, em, turn, colour, .. } => {
                let path = outline(drawing.fonts.of(*face), text, *centre, *em, *turn);
                let text = escaped(text);
                line(&mut shapes, format_args!("<path aria-label=\"{text}\" d=\"{path}\" fill=\"{colour}\"/>"));
            }
        }
    }
    out.push_str(&shapes);
    for (stroke, lines) in Stroke::ALL.into_iter().zip(lines).filter(|(_, lines)| !lines.is_empty()) {
        let (class, width) = (["cut", "mountain", "valley", "rule"][stroke as usize], Number(stroke.width()));
        let cap = if matches!(stroke, Stroke::Mountain | Stroke::Valley) { "butt" } else { "square" };
        line(
            &mut out,
            format_args!(
                "<g class=\"{class}\" fill=\"none\" stroke-width=\"{width}\" stroke-linecap=\"{cap}\">\n{lines}</g>"
            ),
        );
    }
    out.push_str("</svg>\n");
    out
}

/// Appends a line.
fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("a string takes every text");
}

/// The path of a text whose ink has this middle.
pub(super) fn outline(font: &Font, text: &str, centre: Point, em: f64, turn: Turn) -> String {
    // A drawing has only texts that its fonts can draw.
    let (Ok([least, most]), Ok(contours)) = (ink_box(font, text), font.outline(text)) else { return String::new() };
    let at = |point: Point| {
        let [x, y] = [0, 1].map(|axis| em * (point[axis] - (least[axis] + most[axis]) / 2.0));
        // y runs up in fonts and down here.
        let [x, y] = match turn {
            Turn::Upright => [x, -y],
            Turn::Left => [-y, -x],
            Turn::UpsideDown => [-x, y],
            Turn::Right => [y, x],
        };
        format!("{} {}", Number(centre[0] + x), Number(centre[1] + y))
    };
    let mut path = String::new();
    for contour in &contours {
        let segments = contour.segments();
        path.push_str(&format!("M{}", at(segments[0].points()[0])));
        for segment in segments {
            let letter = match segment {
                Segment::Line(_) => 'L',
                Segment::Quadratic(_) => 'Q',
                Segment::Cubic(_) => 'C',
            };
            path.push(letter);
            path.push_str(&segment.points()[1..].iter().map(|&p| at(p)).collect::<Vec<_>>().join(" "));
        }
        path.push('Z');
    }
    path
}

/// The path of a rectangle: from where across and how wide, from where down and how high.
pub(super) fn outline_of_rectangle([[left, width], [top, height]]: [Point; 2]) -> String {
    let [left, width, top, height, back] = [left, width, top, height, -width].map(Number);
    format!("M{left} {top}h{width}v{height}h{back}Z")
}

/// A length with at most four decimals: a tenth of a micrometre.
struct Number(f64);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&number(self.0, 4))
    }
}

/// A number with at most so many decimals, none where they are zeros.
pub(crate) fn number(value: f64, decimals: usize) -> String {
    let text = match steps(value, decimals) {
        Some(steps) => fixed(steps, decimals),
        None => format!("{value:.decimals$}"),
    };
    let short = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// How many steps of the last decimal a number is, where that is plain: not half way between two, and not very many. The
/// general formatter goes about it with numbers of any length and takes ten times as long.
fn steps(value: f64, decimals: usize) -> Option<i64> {
    let steps = value * 10f64.powi(decimals as i32);
    let is_plain = steps.abs() < 1e12 && (steps.fract().abs() - 0.5).abs() > 1e-3;
    is_plain.then(|| (steps + 0.5f64.copysign(steps)) as i64)
}

/// So many steps of the last decimal.
fn fixed(steps: i64, decimals: usize) -> String {
    let digits = format!("{:0width$}", steps.unsigned_abs(), width = decimals + 1);
    let (whole, rest) = digits.split_at(digits.len() - decimals);
    let sign = if steps < 0 { "-" } else { "" };
    let point = if decimals > 0 { "." } else { "" };
    format!("{sign}{whole}{point}{rest}")
}

/// Text for XML, which has no way to write most control characters.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_general_formatter_without_zeros_at_the_end() {
        let shown = |value, decimals| number(value, decimals);
        assert_eq!(shown(-0.00004, 4), "0");
        assert_eq!([shown(20.0, 4), shown(-1.5, 0), shown(2.5, 0), shown(0.125, 2)], ["20", "-2", "2", "0.12"]);
        assert_eq!([shown(1e300, 0).len(), shown(f64::NAN, 2).len()], [301, 3]);
        let mut value = 1e-5;
        while value < 1e16 {
            for (value, decimals) in [(value, 4), (-value, 2), (value, 0)] {
                let long = format!("{value:.decimals$}");
                assert_eq!(shown(value, decimals).parse::<f64>(), long.parse::<f64>().map(|k| k + 0.0), "{value}");
            }
            value *= 1.000_37;
        }
    }
}
