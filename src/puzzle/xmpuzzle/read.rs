//! The text of a BurrTools file -> what is in it.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::problem::{self, Given};
use super::shape::Voxel;
use super::xml::{Document, Element};
use super::{BurrFile, Grid};
use crate::puzzle::colour::Colour;
use crate::puzzle::packing_rules::Tints;
use crate::puzzle::parse::ParseError;
use crate::puzzle::parse_pieces::MOST_COPIES;

/// Reads the XML of a BurrTools file. A problem without a name is called `name`, and numbered where there are several.
pub fn read(text: &str, name: &str) -> Result<BurrFile, ParseError> {
    let document = Document::parse(text)?;
    let root = document.root();
    if root.name() != "puzzle" {
        let message = format!("this is not a BurrTools file: it begins with <{}>", root.name());
        return Err(ParseError::new(&root.span(), message, "name a file that begins with <puzzle version=\"2\">"));
    }
    root.require_number("version", 1..=2)?;
    let grid = root.first("gridType").map_or(Ok(Grid::Cubes), read_grid)?;
    let palette = root.first("colors").map_or(Ok(Vec::new()), read_palette)?;
    let mut drawn = 0;
    let shapes: Vec<Voxel> = (root.require("shapes")?.all("voxel").enumerate())
        .map(|(index, voxel)| Voxel::read(voxel, index, palette.len(), &mut drawn))
        .collect::<Result<_, _>>()?;
    let comment = root.first("comment");
    let comment_text = comment.map(Element::whole_text).unwrap_or_default();
    let comment_text = comment_text.trim();
    let elements: Vec<Element<'_>> = root.first("problems").map_or(Vec::new(), |all| all.all("problem").collect());
    if let Some(first) = elements.get(MOST_PROBLEMS) {
        return Err(ParseError::new(&first.span(), "a file has at most 10,000 problems", "leave problems out"));
    }
    check_work(&elements, &shapes, comment_text.len())?;
    let looks = Cell::new(0);
    let given = |index: usize| Given {
        grid,
        palette: &palette,
        shapes: &shapes,
        looks: &looks,
        comment: comment_text,
        name: if elements.len() == 1 { name.to_owned() } else { format!("{name} {}", index + 1) },
        number: (elements.len() > 1).then_some(index + 1),
    };
    let problems = elements.iter().enumerate().map(|(index, &problem)| problem::read(problem, &given(index)));
    Ok(BurrFile {
        grid,
        problems: problems.collect(),
        shapes: shapes.iter().map(|shape| shape.line.clone()).collect(),
        comment: comment_text.to_owned(),
        pops_up: comment.is_some_and(|comment| comment.has("popup")),
        left_out: unknown(&document),
    })
}

/// The elements of the format.
const KNOWN: [&str; 25] = [
    "puzzle",
    "gridType",
    "colors",
    "color",
    "shapes",
    "voxel",
    "problems",
    "problem",
    "shape",
    "group",
    "result",
    "bitmap",
    "pair",
    "assembler",
    "solutions",
    "solution",
    "assembly",
    "separation",
    "separationInfo",
    "pieces",
    "state",
    "dx",
    "dy",
    "dz",
    "comment",
];

/// What is in the file beside them, a clause each; BurrTools skips it too.
fn unknown(document: &Document<'_>) -> Vec<String> {
    let names: BTreeSet<&str> = document.names().filter(|name| !KNOWN.contains(name)).collect();
    let few = names.iter().take(5).map(|name| format!("<{name}>, which is no part of the format"));
    let more =
        (names.len() > 5).then(|| format!("{} other elements, which are no part of the format", names.len() - 5));
    let comments = document.has_comments().then(|| "comments in the XML".to_owned());
    few.chain(more).chain(comments).collect()
}

/// Each is a puzzle of its own.
const MOST_PROBLEMS: usize = 10_000;

/// Each problem looks at every cell of its shapes, counts every copy and takes the comment along; all of them together must
/// not take long, nor much memory.
fn check_work(problems: &[Element<'_>], shapes: &[Voxel], comment: usize) -> Result<(), ParseError> {
    let shape = |id: i64| shapes.get(id as usize).map_or(0, Voxel::work);
    let mut work = 0;
    for problem in problems {
        work += shapes.len() + comment;
        let parts = problem.first("shapes");
        let parts = parts.iter().flat_map(|parts| parts.all("shape")).chain(problem.first("result"));
        for part in parts {
            // What is no number is complained of where the problem is read.
            let number = |name, most| part.number(name, 0..=most).ok().flatten().unwrap_or(0);
            let copies = number("count", MOST_COPIES).max(number("max", MOST_COPIES));
            work += shape(number("id", u32::MAX.into())) + 8 * copies as usize;
        }
        if work > MOST_WORK {
            let message = "the problems up to here are too much: their cells, pieces and the comment";
            return Err(ParseError::new(&problem.span(), message, "leave problems out"));
        }
    }
    Ok(())
}

/// Cells of boxes and of shapes, copies and letters, weighed by what they cost: some seconds.
const MOST_WORK: usize = 50_000_000;

fn read_grid(element: Element<'_>) -> Result<Grid, ParseError> {
    let number = element.number("type", 0..=4)?.unwrap_or(0);
    Ok(Grid::ALL[number as usize])
}

fn read_palette(element: Element<'_>) -> Result<Vec<Colour>, ParseError> {
    let channel = |colour: Element<'_>, name| colour.require_number(name, 0..=255).map(|value| value as u8);
    let read = |colour| Ok(Colour::new(channel(colour, "red")?, channel(colour, "green")?, channel(colour, "blue")?));
    let palette: Vec<Colour> = element.all("color").map(read).collect::<Result<_, _>>()?;
    match palette.len() {
        0..=Tints::MOST => Ok(palette),
        _ => Err(ParseError::new(&element.span(), "a file has at most 63 colours", "leave some out")),
    }
}
