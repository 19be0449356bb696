//! `<solutions>`: where the pieces of stored solutions lie, and how they come apart.

use std::collections::BTreeSet;

use super::problem::{Part, corner};
use super::xml::Element;
use super::{Apart, Kept, Separation, State, Stored, turns};
use crate::puzzle::assembly::Placement;
use crate::puzzle::grid::{Cell, Orientation};
use crate::puzzle::parse::ParseError;
use crate::puzzle::piece::PieceId;

/// Pieces that are away are 20,000 cells off; nothing is further.
const FURTHEST: i64 = 1_000_000;

/// Separations in separations; more than this no puzzle has.
const DEEPEST: usize = 1000;

impl Stored {
    /// The counts, without the solutions, and what is wrong with the first of them that cannot be read.
    pub(super) fn counts(problem: Element<'_>) -> (Stored, Option<ParseError>) {
        let states = [State::Unsolved, State::Interrupted, State::Solved, State::Unknown];
        let mut broken = None;
        let mut number = |name, most| match problem.number(name, 0..=most) {
            Ok(number) => number.map(|number| number as u64),
            Err(error) => {
                broken.get_or_insert(error);
                None
            }
        };
        let stored = Stored {
            state: states[number("state", 3).unwrap_or(0) as usize],
            assemblies: number("assemblies", i64::MAX),
            solutions: number("solutions", i64::MAX),
            seconds: number("time", i64::MAX),
            kept: Vec::new(),
        };
        (stored, broken)
    }
}

/// The stored solutions of a problem with these pieces, up to the first that cannot be read, and what is wrong with that.
pub(super) fn solutions(
    problem: Element<'_>,
    parts: &[&Part<'_>],
    pieces: &[PieceId],
) -> (Vec<Kept>, Option<ParseError>) {
    // Where the corner of each shape lies when its hotspot is at the origin.
    let corners: Vec<Cell> = parts.iter().map(|part| corner(&part.shape.filled) - part.shape.hotspot).collect();
    let volumes: Vec<usize> = parts.iter().map(|part| part.shape.filled.len()).collect();
    let reader =
        Reader { corners: &corners, volumes: &volumes, pieces, cells: Default::default(), copies: Default::default() };
    let mut kept = Vec::new();
    for solution in problem.first("solutions").iter().flat_map(|solutions| solutions.all("solution")) {
        match reader.kept(solution) {
            Ok(solution) => kept.push(solution),
            Err(error) => return (kept, Some(error)),
        }
    }
    (kept, None)
}

struct Reader<'a> {
    corners: &'a [Cell],
    volumes: &'a [usize],
    pieces: &'a [PieceId],
    /// Cells of the pieces of all assemblies and states so far, and copies in all assemblies.
    cells: std::cell::Cell<usize>,
    copies: std::cell::Cell<usize>,
}

/// Cells of the pieces of all assemblies and states: who checks them looks at each.
const MOST_CELLS: usize = 100_000_000;
/// Copies in all assemblies, used or not: each takes some dozen bytes.
const MOST_COPIES: usize = 5_000_000;

impl Reader<'_> {
    fn kept(&self, solution: Element<'_>) -> Result<Kept, ParseError> {
        let number = |name| solution.number(name, 0..=i64::MAX).map(|number| number.unwrap_or(0) as u64);
        let placements = self.assembly(solution.require("assembly")?)?;
        let apart = match (solution.first("separation"), solution.first("separationInfo")) {
            (Some(separation), _) => {
                let used = (0..placements.len()).filter(|&piece| placements[piece].is_some()).collect();
                Apart::Moves(self.separation(separation, &placements, &used, 0)?)
            }
            (None, Some(info)) => Apart::Counts(counts(info)?),
            (None, None) => Apart::Unsaid,
        };
        Ok(Kept { assembly_number: number("asmNum")?, solution_number: number("solNum")?, placements, apart })
    }

    /// Four numbers for each piece that is used, `x` for each that is not.
    fn assembly(&self, element: Element<'_>) -> Result<Vec<Option<Placement>>, ParseError> {
        let wrong = |message: String, help: &str| ParseError::new(&element.text_span(), message, help);
        let wanted = "write x y z and the number of the orientation for each piece, or x for one that is not used";
        let text = element.text();
        let mut words = text.split_ascii_whitespace();
        let mut placements = Vec::new();
        while let Some(word) = words.next() {
            if placements.len() == self.pieces.len() {
                let message = format!("an assembly of {} pieces has more than that", self.pieces.len());
                return Err(wrong(message, "give each copy of each piece one place"));
            }
            self.count_copy(element)?;
            if word == "x" {
                placements.push(None);
                continue;
            }
            let coordinate = |word: Option<&str>| {
                let number = word.and_then(|word| word.parse::<i64>().ok()).filter(|number| number.abs() <= FURTHEST);
                let found = word.unwrap_or("the end");
                number.ok_or_else(|| wrong(format!("a number is wanted in this assembly, found {found}"), wanted))
            };
            let [x, y, z] = [coordinate(Some(word))?, coordinate(words.next())?, coordinate(words.next())?];
            let turn = coordinate(words.next())?;
            let Some(orientation) = usize::try_from(turn).ok().and_then(turns::orientation) else {
                return Err(wrong(format!("there is no orientation {turn}"), "orientations have numbers from 0 to 23"));
            };
            let piece = self.pieces[placements.len()];
            let at = Cell::new(x as i32, y as i32, z as i32);
            self.count_cells(piece, element)?;
            let offset = self.offset(piece, orientation, at);
            placements.push(Some(Placement { piece, orientation, offset }));
        }
        match placements.len() == self.pieces.len() {
            true => Ok(placements),
            false => {
                let message = format!("an assembly of {} pieces has {} of them", self.pieces.len(), placements.len());
                Err(wrong(message, "give each copy of each piece one place"))
            }
        }
    }

    fn count_cells(&self, piece: PieceId, element: Element<'_>) -> Result<(), ParseError> {
        self.cells.set(self.cells.get() + self.volumes[piece.0]);
        if self.cells.get() > MOST_CELLS { Err(too_much(element)) } else { Ok(()) }
    }

    fn count_copy(&self, element: Element<'_>) -> Result<(), ParseError> {
        self.copies.set(self.copies.get() + 1);
        if self.copies.get() > MOST_COPIES { Err(too_much(element)) } else { Ok(()) }
    }

    /// The offset of a piece whose hotspot is at that place.
    fn offset(&self, piece: PieceId, orientation: Orientation, hotspot: Cell) -> Cell {
        orientation.turn(self.corners[piece.0]) + hotspot
    }

    /// A step and those behind it. `whole` are the pieces that it may be about; each step behind is about fewer, so that
    /// their number is bounded.
    fn separation(
        &self,
        element: Element<'_>,
        placements: &[Option<Placement>],
        whole: &BTreeSet<usize>,
        depth: usize,
    ) -> Result<Separation, ParseError> {
        if depth == DEEPEST {
            let message = format!("a solution comes apart in at most {DEEPEST} separations one behind the other");
            return Err(ParseError::new(&element.span(), message, "leave the solution out"));
        }
        let listed = element.require("pieces")?;
        let wrong = |message: &str, help: &str| ParseError::new(&listed.text_span(), message, help);
        let pieces: Vec<usize> = numbers(listed)?.into_iter().map(|piece| piece as usize).collect();
        let counted = listed.number("count", 0..=FURTHEST)?;
        if let Some(count) = counted.filter(|&count| count != pieces.len() as i64) {
            let message = format!("count says {count} pieces, but {} are listed", pieces.len());
            let span = listed.attribute("count").map_or(listed.span(), |count| count.span);
            return Err(ParseError::new(&span, message, "make them agree"));
        }
        let is_ascending = pieces.windows(2).all(|pair| pair[0] < pair[1]);
        if pieces.is_empty() || !is_ascending || pieces.iter().any(|piece| !whole.contains(piece)) {
            let help = "list the numbers of pieces that are still together, in ascending order";
            return Err(wrong("these are not pieces that can come apart here", help));
        }
        let states = element.all("state").map(|state| self.state(state, placements, &pieces));
        let states: Vec<Vec<Cell>> = states.collect::<Result<_, _>>()?;
        if states.len() < 2 {
            let help = "give where the pieces are before and after each move";
            return Err(ParseError::new(&element.span(), "a separation has at least two states", help));
        }
        let mut step = Separation { pieces, states, left: None, removed: None };
        for child in element.all("separation") {
            let part: BTreeSet<usize> = match child.attribute("type").map(|kind| kind.text) {
                Some("left") if step.left.is_none() => step.part(false),
                Some("removed") if step.removed.is_none() => step.part(true),
                _ => {
                    let help = "write type=\"left\" or type=\"removed\", each once";
                    return Err(ParseError::new(&child.span(), "this is not a part that is left or removed", help));
                }
            };
            if part.is_empty() || part.len() == step.pieces.len() {
                let help = "in the last state one part is 20,000 cells off";
                return Err(ParseError::new(&element.span(), "the last state takes no piece away", help));
            }
            let behind = Some(Box::new(self.separation(child, placements, &part, depth + 1)?));
            match child.attribute("type").is_some_and(|kind| kind.text == "left") {
                true => step.left = behind,
                false => step.removed = behind,
            }
        }
        Ok(step)
    }

    fn state(
        &self,
        element: Element<'_>,
        placements: &[Option<Placement>],
        pieces: &[usize],
    ) -> Result<Vec<Cell>, ParseError> {
        let [x, y, z] = ["dx", "dy", "dz"].map(|name| element.require(name).and_then(numbers));
        let (x, y, z) = (x?, y?, z?);
        if [&x, &y, &z].iter().any(|numbers| numbers.len() != pieces.len()) {
            let message = "a state has one number for each piece in each of dx, dy and dz";
            return Err(ParseError::new(&element.span(), message, format!("give {} numbers each", pieces.len())));
        }
        let offset = |index: usize| {
            let placement = placements[pieces[index]].as_ref().expect("only pieces that are used come apart");
            self.count_cells(placement.piece, element)?;
            let hotspot = Cell::new(x[index] as i32, y[index] as i32, z[index] as i32);
            Ok(self.offset(placement.piece, placement.orientation, hotspot))
        };
        (0..pieces.len()).map(offset).collect()
    }
}

fn too_much(element: Element<'_>) -> ParseError {
    ParseError::new(&element.span(), "too much is stored up to here", "leave solutions out")
}

impl Separation {
    /// Further off than this is away.
    pub const AWAY: i32 = 10_000;

    /// The numbers of the pieces that the last state takes away, or of those that it does not.
    pub fn part(&self, is_removed: bool) -> BTreeSet<usize> {
        let last = self.states.last().map_or(&[][..], Vec::as_slice);
        let is_away = |at: &Cell| [at.x, at.y, at.z].iter().any(|c| c.abs() > Separation::AWAY);
        self.pieces.iter().zip(last).filter(|pair| is_away(pair.1) == is_removed).map(|pair| *pair.0).collect()
    }
}

fn numbers(element: Element<'_>) -> Result<Vec<i64>, ParseError> {
    let read = |word: &str| {
        let number = word.parse::<i64>().ok().filter(|number| number.abs() <= FURTHEST);
        number.ok_or_else(|| {
            let message = format!("a number is wanted in <{}>, found {word}", element.name());
            ParseError::new(&element.text_span(), message, "write whole numbers with a space between two")
        })
    };
    element.text().split_ascii_whitespace().map(read).collect()
}

fn counts(element: Element<'_>) -> Result<Vec<u32>, ParseError> {
    let count = |number: i64| {
        u32::try_from(number)
            .map_err(|_| ParseError::new(&element.text_span(), "a number of states is not below 0", "mend it"))
    };
    numbers(element)?.into_iter().map(count).collect()
}
