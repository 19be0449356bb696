//! Net pictures, read by other means than those that drew them.

use std::collections::BTreeMap;
use std::path::Path;

use cubewright::collection::find;
use cubewright::glyph::{Font, GlyphError, Segment};
use cubewright::net::drawing::{Drawing, Item};
use cubewright::net::layout::Layout;
use cubewright::net::{NetError, draw, svg};
use cubewright::puzzle::colour::Colour;
use cubewright::puzzle::grid::{Cell, Shape, Side, Square, Turn};
use cubewright::puzzle::parse::parse;
use cubewright::puzzle::piece::{Mark, Piece, PieceId};
use cubewright::puzzle::rules::Rules;
use cubewright::puzzle::settings::{Length, Settings};
use cubewright::puzzle::{Credits, Puzzle, Target};

const ORANGE: Colour = Colour::new(255, 165, 0);
const NAVY: Colour = Colour::new(0, 0, 128);
const PITCH: Length = Length::of_micrometres(20_000);

/// A puzzle of these pieces where a 6 turned over is a 9.
fn puzzle(pieces: Vec<Piece>) -> Puzzle {
    Puzzle {
        name: "Test".to_owned(),
        credits: Credits::default(),
        target: Target::full_box(Cell::new(1, 1, 1)),
        pieces,
        rules: Rules { turned: vec![("6".to_owned(), "9".to_owned())], ..Rules::default() },
        settings: Settings::default(),
    }
}

fn cubie(name: &str, colour: Colour, marks: &[(Side, &str, Turn)]) -> Piece {
    let marks = marks.iter().map(|&(side, text, turn)| (Square { cell: Cell::ZERO, side }, Mark::new(text, turn)));
    Piece { name: name.to_owned(), colour, shape: Shape::cube(), marks: marks.collect(), count: 1..=1, twin_of: None }
}

fn layout(pieces: Vec<Piece>) -> Layout {
    Layout::new(&puzzle(pieces), PITCH, None, &Font::built_in()).expect("the built-in font has digits")
}

/// A decoded PNG.
#[derive(Debug, PartialEq)]
struct Picture {
    width: usize,
    height: usize,
    rgb: Vec<[u8; 3]>,
}

impl Picture {
    fn decode(bytes: &[u8]) -> Picture {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().expect("a PNG");
        let mut buffer = vec![0; reader.output_buffer_size().expect("it fits into memory")];
        let info = reader.next_frame(&mut buffer).expect("an image");
        assert_eq!(info.color_type, png::ColorType::Rgb);
        let rgb = buffer.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        Picture { width: info.width as usize, height: info.height as usize, rgb }
    }

    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        self.rgb[y * self.width + x]
    }

    /// The box around all pixels of exactly this colour: left, top, right, bottom, the last two exclusive.
    fn around(&self, colour: Colour) -> [usize; 4] {
        let wanted = [colour.red, colour.green, colour.blue];
        let mut found = [usize::MAX, usize::MAX, 0, 0];
        for y in 0..self.height {
            for x in (0..self.width).filter(|&x| self.at(x, y) == wanted) {
                found = [found[0].min(x), found[1].min(y), found[2].max(x + 1), found[3].max(y + 1)];
            }
        }
        found
    }
}

/// The chunks of a PNG: their names and contents.
fn chunks(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let number = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let (mut at, mut found) = (8, Vec::new());
    while at < bytes.len() {
        let length = number(at) as usize;
        let name = String::from_utf8_lossy(&bytes[at + 4..at + 8]).into_owned();
        found.push((name, bytes[at + 8..at + 8 + length].to_vec()));
        at += length + 12;
    }
    found
}

/// Whether a point of the em square, y up, lies in the text, by winding number about the flattened outline.
fn is_inside(edges: &[[[f64; 2]; 2]], [x, y]: [f64; 2]) -> bool {
    let crossed = edges.iter().filter(|[a, b]| (a[1] <= y) != (b[1] <= y)).map(|[a, b]| {
        let at = a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        if at > x { if b[1] > a[1] { 1 } else { -1 } } else { 0 }
    });
    crossed.sum::<i32>() != 0
}

fn flattened(text: &str) -> Vec<[[f64; 2]; 2]> {
    let mut edges = Vec::new();
    for contour in Font::built_in().outline(text).expect("a digit") {
        for segment in contour.segments() {
            let bend = |t: f64| match segment {
                Segment::Line([a, b]) => [0, 1].map(|i| a[i] + t * (b[i] - a[i])),
                Segment::Quadratic([a, c, b]) => {
                    [0, 1].map(|i| (1.0 - t).powi(2) * a[i] + 2.0 * t * (1.0 - t) * c[i] + t * t * b[i])
                }
                Segment::Cubic(_) => panic!("TrueType has none"),
            };
            edges.extend((0..8).map(|k| [bend(f64::from(k) / 8.0), bend(f64::from(k + 1) / 8.0)]));
        }
    }
    edges
}

/// Where each side lies in the cross, and by how many quarters counter-clockwise it shows a mark turned there.
const CROSS: [(Side, usize, usize, usize); 6] = [
    (Side::Top, 1, 0, 0),
    (Side::Left, 0, 1, 0),
    (Side::Front, 1, 1, 0),
    (Side::Right, 2, 1, 0),
    (Side::Back, 3, 1, 0),
    (Side::Bottom, 1, 2, 2),
];

#[test]
fn the_ink_of_every_square_is_the_digit_in_its_turn() {
    let texts = ["2", "4", "5", "6", "7", "9"];
    // Of the heights of all digits the tallest is 0.55 of the square.
    let height = |text: &str| {
        let ys: Vec<f64> = flattened(text).iter().map(|edge| edge[0][1]).collect();
        let (low, high) = (ys.iter().copied().fold(f64::MAX, f64::min), ys.iter().copied().fold(f64::MIN, f64::max));
        high - low
    };
    let em = 0.55 / texts.iter().map(|text| height(text)).fold(0.0, f64::max);
    for (colour, ink_is) in [(ORANGE, [0x20; 3]), (NAVY, [255; 3])] {
        for first in 0..4 {
            let marks: Vec<_> =
                CROSS.iter().zip(texts).enumerate().map(|(k, (c, t))| (c.0, t, Turn::ALL[(first + k) % 4])).collect();
            let drawing = layout(vec![cubie("X", colour, &marks)]).piece(PieceId(0));
            let picture = Picture::decode(&draw::png(&drawing, 300).expect("a picture"));
            let pitch = 20.0 / 25.4 * 300.0;
            let [left, top, right, bottom] = picture.around(colour);
            // Cut lines of three pixels cover up to two at the border.
            assert!((right as f64 - left as f64 - 4.0 * pitch).abs() <= 4.0, "{left} {right}");
            assert!((bottom as f64 - top as f64 - 3.0 * pitch).abs() <= 4.0, "{top} {bottom}");
            let middle = [(left + right) as f64 / 2.0, (top + bottom) as f64 / 2.0];
            for (k, (_, column, row, quarters)) in CROSS.into_iter().enumerate() {
                let centre = [middle[0] + (column as f64 - 1.5) * pitch, middle[1] + (row as f64 - 1.0) * pitch];
                let edges = flattened(texts[k]);
                let bounds = |axis: usize| {
                    let all = || edges.iter().map(move |edge| edge[0][axis]);
                    (all().fold(f64::MAX, f64::min) + all().fold(f64::MIN, f64::max)) / 2.0
                };
                let box_middle = [bounds(0), bounds(1)];
                let agreement = |turn: usize| {
                    let (mut both, mut either) = (0, 0);
                    let reach = (0.42 * pitch) as i64;
                    for dy in -reach..=reach {
                        for dx in -reach..=reach {
                            let (x, y) = (centre[0].floor() as i64 + dx, centre[1].floor() as i64 + dy);
                            let seen = picture.at(x as usize, y as usize);
                            let is_ink = (0..3).all(|i| seen[i].abs_diff(ink_is[i]) < 128);
                            // Back to the upright digit: turn clockwise on paper, flip y, scale to em.
                            let (mut u, mut v) = (x as f64 + 0.5 - centre[0], -(y as f64 + 0.5 - centre[1]));
                            for _ in 0..turn {
                                (u, v) = (v, -u);
                            }
                            let point = [box_middle[0] + u / pitch / em, box_middle[1] + v / pitch / em];
                            let expected = is_inside(&edges, point);
                            both += i32::from(is_ink && expected);
                            either += i32::from(is_ink || expected);
                        }
                    }
                    f64::from(both) / f64::from(either)
                };
                let right_turn = (first + k + quarters) % 4;
                let shares = [0, 1, 2, 3].map(agreement);
                for (turn, share) in shares.into_iter().enumerate() {
                    let told = (share > 0.88) == (turn == right_turn);
                    assert!(told, "{} at {column} {row}, turn {right_turn}: {shares:?}", texts[k]);
                }
            }
        }
    }
}

#[test]
fn the_resolution_is_in_the_file_and_the_size_is_real() {
    let drawing = layout(vec![cubie("X", ORANGE, &[])]).piece(PieceId(0));
    for (dpi, a_metre) in [(72u32, 2835u32), (300, 11811), (1200, 47244)] {
        let chunks = chunks(&draw::png(&drawing, dpi).expect("a picture"));
        let content = |name: &str| &chunks.iter().find(|chunk| chunk.0 == name).expect("there is one").1;
        let expected = [&a_metre.to_be_bytes()[..], &a_metre.to_be_bytes()[..], &[1]].concat();
        assert_eq!(content("pHYs"), &expected);
        let pixels = |length: f64| (length / 25.4 * f64::from(dpi)).ceil() as u32;
        let size = [pixels(drawing.size[0]).to_be_bytes(), pixels(drawing.size[1]).to_be_bytes()].concat();
        assert_eq!(content("IHDR")[..8], size);
    }
}

/// 27 cubies with six digits each, and a long, a wide and an odd piece.
fn many() -> Vec<Piece> {
    let names = "@ABCDEFGHIJKLMNOPQRSTUVWXYZ".chars();
    let cubies = names.enumerate().map(|(n, name)| {
        let marks: Vec<(Side, String, Turn)> = Side::ALL
            .into_iter()
            .enumerate()
            .map(|(k, side)| (side, ((n * 7 + k * 5) % 8 + 1).to_string(), Turn::ALL[(n + k) % 4]))
            .collect();
        let marks: Vec<(Side, &str, Turn)> =
            marks.iter().map(|(side, text, turn)| (*side, text.as_str(), *turn)).collect();
        cubie(&name.to_string(), if n < 14 { ORANGE } else { Colour::new(255, 255, 255) }, &marks)
    });
    cubies.collect()
}

fn fills(drawing: &Drawing) -> usize {
    drawing.items.iter().filter(|item| matches!(item, Item::Fill { .. })).count()
}

#[test]
fn twenty_seven_cubies_fit_on_four_pages_and_one_sheet() {
    let layout = layout(many());
    let pages = layout.pages();
    assert_eq!(pages.iter().map(|page| page.size).collect::<Vec<_>>(), [[210.0, 297.0]; 4]);
    // Six squares and seven tabs each.
    assert_eq!(pages.iter().map(fills).sum::<usize>(), 27 * 13);
    assert_eq!(fills(&layout.sheet()), 27 * 13);
    for drawing in pages.iter().chain([&layout.sheet()]) {
        for item in &drawing.items {
            let points = match item {
                Item::Fill { points, .. } => points.clone(),
                Item::Line { ends, .. } => ends.to_vec(),
                Item::Text { centre, .. } => vec![*centre],
            };
            for [x, y] in points {
                assert!((5.0..=drawing.size[0] - 5.0).contains(&x) && (5.0..=drawing.size[1] - 5.0).contains(&y));
            }
        }
    }
}

#[test]
fn the_same_puzzle_gives_the_same_bytes() {
    let bytes = || draw::png(&layout(many()).sheet(), 100).expect("a picture");
    assert_eq!(bytes(), bytes());
}

/// Compares with the picture that someone has looked at.
fn assert_looks_like(golden: &str, bytes: &[u8]) {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(golden);
    let drawn = Path::new(env!("CARGO_TARGET_TMPDIR")).join(golden);
    std::fs::write(&drawn, bytes).expect("the folder of temporary files can be written");
    let hint = || format!("look at {}; if it is right, it becomes {}", drawn.display(), kept.display());
    let kept_bytes = std::fs::read(&kept).unwrap_or_else(|_| panic!("{}", hint()));
    let (kept, drawn) = (Picture::decode(&kept_bytes), Picture::decode(bytes));
    assert_eq!([kept.width, kept.height], [drawn.width, drawn.height], "{}", hint());
    let differ = |a: &[u8; 3], b: &[u8; 3]| (0..3).any(|i| a[i].abs_diff(b[i]) > 16);
    let different = kept.rgb.iter().zip(&drawn.rgb).filter(|(a, b)| differ(a, b)).count();
    assert_eq!(different, 0, "{}", hint());
}

#[test]
fn a_cubie_looks_as_before() {
    let marks = [
        (Side::Front, "1", Turn::Upright),
        (Side::Right, "2", Turn::Left),
        (Side::Back, "68", Turn::UpsideDown),
        (Side::Left, "4", Turn::Right),
        (Side::Top, "6", Turn::Upright),
        (Side::Bottom, "5", Turn::Upright),
    ];
    let drawing = layout(vec![cubie("@", ORANGE, &marks)]).piece(PieceId(0));
    assert_looks_like("net-cubie.png", &draw::png(&drawing, 110).expect("a picture"));
}

#[test]
fn a_polycube_looks_as_before() {
    let cells = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]].map(|[x, y, z]| Cell::new(x, y, z));
    let shape = Shape::new(cells).expect("four cells");
    let piece = Piece {
        name: "A & a long name".to_owned(),
        colour: NAVY,
        shape,
        marks: BTreeMap::new(),
        count: 1..=1,
        twin_of: None,
    };
    assert_looks_like("net-polycube.png", &draw::png(&layout(vec![piece]).piece(PieceId(0)), 100).expect("a picture"));
}

/// The elements of an XML text in order, with their attributes; panics where it is not well-formed.
fn elements(xml: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let (mut found, mut open, mut rest) = (Vec::new(), Vec::new(), xml);
    let is_text = |text: &str| {
        text.chars().all(|c| {
            matches!(c, '\n' | '\t' | ' '..) && !matches!(c, '<' | '\u{7F}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}')
        }) && text
            .split('&')
            .skip(1)
            .all(|t| ["amp;", "lt;", "gt;", "quot;"].iter().any(|entity| t.starts_with(entity)))
    };
    while let Some(start) = rest.find('<') {
        assert!(is_text(&rest[..start]), "{:?}", &rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let body = tag.trim_end_matches(['/', '?']);
        let (name, mut attributes) = body.split_once(' ').unwrap_or((body, ""));
        let mut values = BTreeMap::new();
        while let Some((key, after)) = attributes.trim_start().split_once("=\"") {
            let (value, after) = after.split_once('"').expect("a value ends");
            assert!(is_text(value), "{value:?}");
            assert_eq!(values.insert(key.to_owned(), value.to_owned()), None, "{key} twice");
            attributes = after;
        }
        assert_eq!(attributes.trim(), "");
        if body.len() == tag.len() {
            open.push(name.to_owned());
        }
        found.push((name.to_owned(), values));
    }
    assert!(open.is_empty() && rest.trim().is_empty());
    found
}

#[test]
fn svg_is_well_formed_and_in_real_millimetres_whatever_the_name() {
    let names =
        ["plain", "<&\"'>", "]]>", "a\u{0}b\u{7}\n\u{85}", "😀 \u{1F9E9}", "שלום", "\u{FFFE}", "", "\u{202E}x", "한"];
    for name in names.map(str::to_owned).into_iter().chain(["long ".repeat(30_000)]) {
        let layout = layout(vec![cubie(&name, ORANGE, &[(Side::Front, "6", Turn::Left)])]);
        let drawing = layout.piece(PieceId(0));
        let elements = elements(&svg::svg(&drawing));
        let (tag, root) = &elements[1];
        assert_eq!(tag, "svg");
        let [width, height] = drawing.size;
        assert_eq!((&root["width"], &root["height"]), (&format!("{width}mm"), &format!("{height}mm")));
        assert_eq!(root["viewBox"], format!("0 0 {width} {height}"));
        assert_eq!(elements.iter().filter(|(tag, _)| tag == "polygon").count(), 13);
        assert!(elements.iter().any(|(_, a)| a.get("aria-label").is_some_and(|text| text == "6")));
        assert!(draw::png(&drawing, 72).is_ok());
    }
}

#[test]
fn the_smallest_net_is_still_drawn() {
    let cells = [Cell::ZERO, Cell::new(1, 0, 0)];
    let bar = Piece { shape: Shape::new(cells).expect("two cells"), ..cubie("a bar", NAVY, &[]) };
    let puzzle = puzzle(vec![bar, cubie("X", ORANGE, &[(Side::Top, "8", Turn::Right)])]);
    let layout = Layout::new(&puzzle, Length::of_micrometres(3000), None, &Font::built_in()).expect("small nets");
    for drawing in layout.pages().iter().chain([&layout.sheet(), &layout.piece(PieceId(0))]) {
        assert!(draw::png(drawing, 72).is_ok());
    }
    let none = Layout::new(&Puzzle { pieces: Vec::new(), ..puzzle }, PITCH, None, &Font::built_in()).expect("no nets");
    assert_eq!(fills(&none.sheet()), 0);
}

#[test]
fn what_cannot_be_drawn_is_refused_with_what_would_help() {
    let font = Font::built_in();
    let puzzle = |text: &str| puzzle(vec![cubie("X", ORANGE, &[(Side::Top, text, Turn::Upright)])]);
    let missing = Layout::new(&puzzle("一"), PITCH, None, &font).map(|_| ()).expect_err("no such glyph");
    assert_eq!(
        missing,
        NetError::Mark { piece: "X".to_owned(), text: "一".to_owned(), why: GlyphError::Missing('一') }
    );
    let unreadable = NetError::TooSmall { piece: "X".to_owned(), text: "8".repeat(500) };
    assert_eq!(Layout::new(&puzzle(&"8".repeat(500)), PITCH, None, &font).map(|_| ()), Err(unreadable));
    for height in [-5000, 0, 1] {
        let small = Layout::new(&puzzle("8"), PITCH, Some(Length::of_micrometres(height)), &font).map(|_| ());
        assert_eq!(small, Err(NetError::TooSmall { piece: "X".to_owned(), text: "8".to_owned() }));
    }
    let tiny = Layout::new(&puzzle("1"), Length::of_micrometres(2999), None, &font).map(|_| ());
    let message = "a net of 2.999 mm squares cannot be folded; choose a pitch of 3 mm or more";
    assert_eq!(tiny.expect_err("too small").to_string(), message);
    let huge =
        Layout::new(&puzzle("1"), Length::MOST, Some(Length::MOST), &font).expect("a large net").piece(PieceId(0));
    assert_eq!(draw::png(&huge, 71), Err(NetError::Resolution(71)));
    assert_eq!(draw::png(&huge, 1201), Err(NetError::Resolution(1201)));
    let message = "50315 x 35752 pixels at 300 dpi are more than 32767 either way; choose a lower resolution";
    assert_eq!(draw::png(&huge, 300).expect_err("too large").to_string(), message);
}

#[test]
fn nets_that_are_too_wide_for_an_upright_page_are_on_pages_that_lie() {
    let burr = parse(find("blue-burr").expect("a puzzle")).expect("a puzzle");
    let sizes = |pitch: i32| -> Vec<[f64; 2]> {
        let layout = Layout::new(&burr, Length::of_micrometres(pitch), None, &Font::built_in()).expect("a layout");
        layout.pages().iter().map(|page| page.size).collect()
    };
    assert_eq!(sizes(12_000), [[297.0, 210.0]; 3]);
    // In squares of 20 mm no page is large enough.
    assert!(sizes(20_000).iter().all(|size| size[0] > 297.0));
}
