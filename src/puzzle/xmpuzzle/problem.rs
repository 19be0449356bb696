//! `<problem>`: which shapes are its pieces, how many of each, and what they are to fill.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};

use super::shape::Voxel;
use super::xml::Element;
use super::{Grid, Problem, Stored, stored};
use crate::puzzle::colour::Colour;
use crate::puzzle::grid::{Cell, Shape};
use crate::puzzle::groups::Group;
use crate::puzzle::packing_rules::{PackingRules, TintId, Tints};
use crate::puzzle::parse::ParseError;
use crate::puzzle::parse_pieces::{MOST_COPIES, Room, check_volumes};
use crate::puzzle::piece::{Piece, PieceId};
use crate::puzzle::rules::Rules;
use crate::puzzle::settings::Settings;
use crate::puzzle::{Credits, Puzzle, Target};

/// What the file says outside of its problems.
pub(super) struct Given<'a> {
    pub(super) grid: Grid,
    pub(super) palette: &'a [Colour],
    pub(super) shapes: &'a [Voxel],
    /// Cells looked at so far to see whether pieces fit.
    pub(super) looks: &'a std::cell::Cell<usize>,
    pub(super) comment: &'a str,
    /// What a problem is called that has no name.
    pub(super) name: String,
    /// The number of the problem, from 1, where there are several.
    pub(super) number: Option<usize>,
}

/// A line of the list of pieces.
pub(super) struct Part<'a> {
    id: usize,
    pub(super) shape: &'a Voxel,
    pub(super) count: RangeInclusive<u32>,
    /// The groups that copies may stay together in, and how many copies in each.
    groups: BTreeMap<i64, u32>,
    span: Range<usize>,
}

/// Reads a problem. What is wrong with it is its own affair: the others of the file are puzzles nevertheless.
pub(super) fn read(element: Element<'_>, given: &Given<'_>) -> Problem {
    let name = element.attribute("name").map_or("", |name| name.text.trim());
    let (stored, broken) = Stored::counts(element);
    let mut problem = Problem {
        name: name.to_owned(),
        puzzle: Err(ParseError::new(&element.span(), "", "")),
        pieces: Vec::new(),
        stored,
        broken,
        left_out: Vec::new(),
        unused: BTreeSet::new(),
    };
    if element.first("assembler").is_some() {
        problem.left_out.push("the place from which BurrTools would search on".to_owned());
    }
    problem.puzzle = read_parts(element, given.shapes).and_then(|parts| {
        let puzzle = puzzle(element, given, &parts, &mut problem)?;
        let used: Vec<&Part<'_>> = parts.iter().filter(|part| *part.count.end() > 0).collect();
        let copies = |(index, part): (usize, &&Part<'_>)| (0..*part.count.end()).map(move |_| PieceId(index));
        problem.pieces = used.iter().enumerate().flat_map(copies).collect();
        let (kept, broken) = stored::solutions(element, &used, &problem.pieces);
        problem.stored.kept = kept;
        problem.broken = problem.broken.take().or(broken);
        Ok(puzzle)
    });
    if let (Err(error), Some(number)) = (&mut problem.puzzle, given.number) {
        let name = if name.is_empty() { String::new() } else { format!(" '{name}'") };
        error.message = format!("problem {number}{name}: {}", error.message);
    }
    problem
}

/// Each is held against each other.
const MOST_PARTS: usize = 10_000;

fn read_parts<'a>(element: Element<'_>, shapes: &'a [Voxel]) -> Result<Vec<Part<'a>>, ParseError> {
    let mut parts: Vec<Part<'a>> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut copies = 0;
    for part in element.require("shapes")?.all("shape") {
        if parts.len() == MOST_PARTS {
            return Err(ParseError::new(
                &part.span(),
                "a problem has at most 10,000 lines of pieces",
                "leave some out",
            ));
        }
        let id = part.require_number("id", 0..=i64::from(u32::MAX))?;
        let span = part.attribute("id").map_or(part.span(), |id| id.span);
        let Some(shape) = shapes.get(id as usize) else {
            let help = format!("the file has {} shapes, numbered from 0", shapes.len());
            return Err(ParseError::new(&span, format!("there is no shape {id}"), help));
        };
        if !seen.insert(id) {
            let message = format!("shape {id} is listed twice");
            return Err(ParseError::new(&span, message, "list each shape once, with the sum of its counts"));
        }
        let number = |name| part.number(name, 0..=MOST_COPIES);
        let count = match (number("count")?, number("min")?, number("max")?) {
            (Some(count), None, None) => count..=count,
            (None, Some(least), Some(most)) if least <= most => least..=most,
            (None, None, None) => 1..=1,
            (None, Some(least), Some(most)) => {
                let message = format!("the least number of pieces, {least}, is above the most, {most}");
                return Err(ParseError::new(&part.span(), message, "exchange min and max"));
            }
            _ => {
                let help = "write count=\"2\", or both min=\"0\" and max=\"2\"";
                return Err(ParseError::new(&part.span(), "this does not say how many pieces there are", help));
            }
        };
        copies += count.end();
        if copies > MOST_COPIES {
            return Err(ParseError::new(&part.span(), "a problem has at most 1,000,000 pieces", "leave some out"));
        }
        let groups = read_groups(part, *count.end())?;
        parts.push(Part {
            id: id as usize,
            shape,
            count: *count.start() as u32..=*count.end() as u32,
            groups,
            span: part.span(),
        });
    }
    Ok(parts)
}

/// `group="1"` for all copies, or `<group group="1" count="2"/>` for each group. Group 0 is none.
fn read_groups(part: Element<'_>, copies: i64) -> Result<BTreeMap<i64, u32>, ParseError> {
    let group = |element: Element<'_>| element.number("group", 0..=MOST_COPIES).map(|group| group.unwrap_or(0));
    let mut groups = BTreeMap::from([(group(part)?, copies as u32)]);
    for child in part.all("group") {
        groups.insert(group(child)?, child.require_number("count", 0..=MOST_COPIES)?.min(copies) as u32);
    }
    groups.retain(|&group, count| group > 0 && *count > 0);
    Ok(groups)
}

fn puzzle(
    element: Element<'_>,
    given: &Given<'_>,
    parts: &[Part<'_>],
    problem: &mut Problem,
) -> Result<Puzzle, ParseError> {
    if given.grid != Grid::Cubes {
        let message = format!("the shapes are made of {}; this program knows cubes", given.grid);
        return Err(ParseError::new(&element.span(), message, "BurrTools itself can solve it"));
    }
    let (goal_id, goal_span) = read_goal(element, given.shapes)?;
    let goal = &given.shapes[goal_id];
    let target = Target {
        filled: goal.filled.iter().copied().collect(),
        optional: goal.variable.iter().copied().collect(),
        size: Cell::new(goal.line.size[0], goal.line.size[1], goal.line.size[2]),
    };
    let used: BTreeSet<usize> = parts.iter().map(|part| part.id).chain([goal_id]).collect();
    problem.unused = (0..given.shapes.len()).filter(|id| !used.contains(id)).collect();
    let left_out = &mut problem.left_out;
    left_out.extend(unsaid(goal, parts));
    if problem.name.chars().count() > LONGEST_NAME {
        left_out.push(format!("the whole of its name, which has more than {LONGEST_NAME} characters"));
    }
    let mut tints = Tints {
        palette: given.palette.to_vec(),
        target: goal.tints.clone(),
        pieces: BTreeMap::new(),
        pairs: read_pairs(element, given.palette.len(), left_out)?,
    };
    let mut groups: BTreeMap<i64, Group> = BTreeMap::new();
    let mut names = Names::default();
    let mut weights = BTreeMap::new();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut volumes = Vec::new();
    let room = Room::new(&target, given.looks);
    for part in parts {
        let label = &part.shape.line.name;
        if *part.count.end() == 0 {
            left_out.push(format!("the shape '{label}', of which no piece is used"));
            continue;
        }
        let shape = read_piece(part, &room)?;
        let id = PieceId(pieces.len());
        if part.shape.weight != 1 {
            weights.insert(id, part.shape.weight);
        }
        for (&group, &most) in &part.groups {
            groups.entry(group).or_default().most.insert(id, most);
        }
        let corner = corner(&part.shape.filled);
        tints.pieces.extend(part.shape.tints.iter().map(|(&cell, &tint)| ((id, cell - corner), tint)));
        volumes.push((shape.cells().len(), part.count.clone()));
        pieces.push(Piece {
            name: names.own(label, left_out),
            colour: Colour::of_palette(id.0),
            shape,
            marks: BTreeMap::new(),
            count: part.count.clone(),
            twin_of: None,
        });
    }
    if pieces.is_empty() {
        let help = "put <shape id=\"1\" count=\"1\"/> into its <shapes> for each piece";
        return Err(ParseError::new(&element.span(), "the problem has no pieces", help));
    }
    check_volumes(&volumes, &target, &goal_span)?;
    let most_empty = element.number("maxHoles", 0..=i64::from(u32::MAX))?.map(|most| most as u32);
    let equal_apart = tints.leave_equal(&pieces);
    // Whether BurrTools is to take a puzzle apart is no part of it; that it did so once says what is wanted. Old files have
    // the moves without their number.
    let solutions = || element.first("solutions").into_iter().flat_map(|solutions| solutions.all("solution"));
    let has_moves = |solution: Element<'_>| solution.first("separation").or(solution.first("separationInfo")).is_some();
    let apart = problem.stored.solutions.is_some_and(|solutions| solutions > 0) || solutions().any(has_moves);
    let packing = PackingRules { equal_apart, most_empty, tints, weights, ..PackingRules::default() };
    Ok(Puzzle {
        name: match problem.name.as_str() {
            "" => given.name.clone(),
            name => name.chars().take(LONGEST_NAME).collect(),
        },
        credits: Credits {
            notes: Some(given.comment.to_owned()).filter(|notes| !notes.is_empty()),
            ..Credits::default()
        },
        target,
        pieces,
        rules: Rules { packing, apart, groups: groups.into_values().collect(), ..Rules::default() },
        settings: Settings::default(),
    })
}

/// Characters of a name, as in a puzzle file.
const LONGEST_NAME: usize = 200;

/// The number of the shape that is the goal.
fn read_goal(element: Element<'_>, shapes: &[Voxel]) -> Result<(usize, Range<usize>), ParseError> {
    let result = element.require("result")?;
    let id = result.require_number("id", 0..=i64::from(u32::MAX))?;
    let span = result.attribute("id").map_or(result.span(), |id| id.span);
    let Some(goal) = shapes.get(id as usize) else {
        let help = format!("write the number of a shape; the file has {}, numbered from 0", shapes.len());
        return Err(ParseError::new(&span, "no shape is chosen as the goal", help));
    };
    match goal.filled.is_empty() && goal.variable.is_empty() {
        true => Err(ParseError::new(&goal.span, "the goal has no cell", "draw cells with # or +")),
        false => Ok((id as usize, span)),
    }
}

/// Which tint may lie on which.
fn read_pairs(
    element: Element<'_>,
    tints: usize,
    left_out: &mut Vec<String>,
) -> Result<BTreeSet<(TintId, TintId)>, ParseError> {
    let mut pairs = BTreeSet::new();
    for pair in element.first("bitmap").iter().flat_map(|bitmap| bitmap.all("pair")) {
        let number = |name| pair.require_number(name, 0..=i64::from(u32::MAX));
        let (piece, goal) = (number("piece")?, number("result")?);
        // BurrTools leaves such pairs behind when colours are deleted.
        if piece.max(goal) >= tints as i64 {
            left_out.push(format!("a rule for the colours {} and {}, which are not there", piece + 1, goal + 1));
            continue;
        }
        pairs.insert((TintId(piece as u8), TintId(goal as u8)));
    }
    Ok(pairs)
}

fn read_piece(part: &Part<'_>, room: &Room<'_>) -> Result<Shape, ParseError> {
    let name = &part.shape.line.name;
    if !part.shape.variable.is_empty() {
        let message = format!("the shape '{name}' is a piece and has cells that may be empty");
        return Err(ParseError::new(&part.shape.span, message, "write # or _ instead of +"));
    }
    let shape = Shape::new(part.shape.filled.iter().copied()).map_err(|_| {
        ParseError::new(&part.shape.span, format!("the shape '{name}' is a piece and has no cell"), "draw cells with #")
    })?;
    if *part.count.start() > 0 && !room.fits(&shape) {
        let message = format!("the piece '{name}' does not fit into the goal in any orientation");
        return Err(ParseError::new(&part.span, message, "make the goal larger, or mend the piece"));
    }
    Ok(shape)
}

/// What a puzzle does not say of the shapes that it uses, a clause each.
fn unsaid(goal: &Voxel, parts: &[Part<'_>]) -> Vec<String> {
    let mut shapes = parts.iter().map(|part| part.shape).chain([goal]);
    let is_loose = |part: &Part<'_>| {
        let most = part.shape.filled.iter().copied().reduce(Cell::most).unwrap_or_default();
        corner(&part.shape.filled) != Cell::ZERO || (most + Cell::new(1, 1, 1)).coordinates() != part.shape.line.size
    };
    let clauses = [
        goal.is_named.then(|| format!("the name of the goal, '{}'", goal.line.name)),
        (goal.weight != 1).then(|| "the weight of the goal, which means nothing".to_owned()),
        (shapes.any(|shape| shape.hotspot != Cell::ZERO))
            .then(|| "the hotspots of the shapes; places are told from their corners instead".to_owned()),
        parts.iter().any(is_loose).then(|| "the empty space around the pieces in their boxes".to_owned()),
    ];
    clauses.into_iter().flatten().collect()
}

/// The names of the pieces so far, and of each name that was wanted again the number that the next such piece gets.
#[derive(Default)]
struct Names {
    taken: BTreeSet<String>,
    next: BTreeMap<String, u32>,
}

impl Names {
    /// A name that no other piece has.
    fn own(&mut self, label: &str, left_out: &mut Vec<String>) -> String {
        let name: String = label.chars().take(LONGEST_NAME).collect();
        let mut own = name.clone();
        while self.taken.contains(&own) {
            let number = self.next.entry(name.clone()).or_insert(2);
            own = format!("{name} {number}");
            *number += 1;
        }
        if own != label {
            left_out.push(format!("the name '{label}' of a second piece, which is called '{own}' here"));
        }
        self.taken.insert(own.clone());
        own
    }
}

/// The corner of the box around cells.
pub(super) fn corner(cells: &[Cell]) -> Cell {
    cells.iter().copied().reduce(Cell::least).unwrap_or_default()
}
