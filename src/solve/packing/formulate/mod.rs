//! A packing as an integer programme, in placements: one variable each, 1 when the piece lies there.
//!
//! [`formulate`] writes it for the solvers of others, as CPLEX LP text; [`read_solution`] reads their answers back
//! (`answer`) and believes none of them. A variable is named by what lies where (`names`). The rows of the pieces stand
//! first and list every placement in order, so that columns are numbered as placements are.

mod answer;
mod error;
mod names;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::RangeInclusive;

use super::placements::{Kind, Placements};
use crate::puzzle::Puzzle;
use crate::puzzle::assembly::{Assembly, Placement};
use crate::puzzle::grid::{Cell, Orientation};
use crate::puzzle::piece::PieceId;
use crate::puzzle::rules::Rules;
use crate::solve::SolveError;
use answer::{Answer, Column};
pub use error::{FormulateError, Solver};
use names::{Names, plain};

/// More terms than this are refused: as text they would be some hundred megabytes.
const MOST_TERMS: u64 = 5_000_000;
/// Bytes of a line at most, but where one name is longer; some readers take no more than 255.
const WIDTH: usize = 100;
/// The variable of a row that nothing can fill.
const NOTHING: &str = "nothing";

/// The puzzle as CPLEX LP text. Marks are not looked at; rules about them are refused.
pub fn formulate(puzzle: &Puzzle) -> Result<String, SolveError> {
    let programme = Programme::new(puzzle)?;
    let placements = &programme.placements;
    let mut text = Text(String::new());
    programme.explain(puzzle, &mut text);
    let names: Vec<String> = (0..placements.len() as u32).map(|placement| programme.name(placement)).collect();
    let named = |placement: u32| names[placement as usize].as_str();

    // Any assembly is as good as another.
    let first = names.first().map_or(NOTHING, String::as_str);
    text.0 += &format!("Minimize\n obj: 0 {first}\nSubject To\n");
    let mut can_hold = !names.is_empty();
    for (number, kind) in placements.kinds.iter().enumerate() {
        let label = programme.names.kind(number);
        let terms: Vec<&str> = placements.of_kind(number).map(named).collect();
        for (row, relation) in count_rows(&kind.count) {
            can_hold &= text.row(&format!("{row}_{label}"), &terms, &relation);
        }
    }
    let covering = Covering::new(placements);
    for (number, cell) in placements.cells.iter().enumerate() {
        let terms: Vec<&str> = covering.of_cell(number).iter().copied().map(named).collect();
        let relation = if number < placements.filled { "= 1" } else { "<= 1" };
        can_hold &= text.row(&format!("cell_{}_{}_{}", cell.x, cell.y, cell.z), &terms, relation);
    }
    if placements.fewest > 0 {
        let volume = |placement: u32| placements.covered(placement).len();
        let terms: Vec<String> =
            (0..placements.len() as u32).map(|number| format!("{} {}", volume(number), named(number))).collect();
        let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
        can_hold &= text.row("filled", &terms, &format!(">= {}", placements.fewest));
    }
    if !can_hold {
        text.comment("No piece can fill the rows with the variable \"nothing\", so there is no solution.");
        text.row("never", &[NOTHING], "= 0");
    }
    text.0 += "Binary\n";
    for name in names.iter().map(String::as_str).chain((!can_hold).then_some(NOTHING)) {
        text.0.extend([" ", name, "\n"]);
    }
    text.0 += "End\n";
    Ok(text.0)
}

/// The assembly that a solver found, read from the text that it wrote of the programme of this puzzle: HiGHS with
/// `--solution_file`, CBC with `solution`, GLPK with `-o` or `-w`. It is checked against the puzzle, cell by cell.
pub fn read_solution(puzzle: &Puzzle, text: &str) -> Result<Assembly, FormulateError> {
    let programme = Programme::new(puzzle)?;
    let answer = Answer::read(text)?;
    let chosen = programme.chosen(&answer)?;
    programme.check_cells(puzzle, &chosen)?;
    programme.check_counts(puzzle, &chosen)?;
    Ok(programme.placements.assembly(puzzle, &chosen))
}

/// What the variables are.
struct Programme {
    placements: Placements,
    /// How the first piece of the kind, or its twin, comes to lie in each placement.
    laid: Vec<Placement>,
    /// The least corner of the cells of each placement.
    corners: Vec<Cell>,
    names: Names,
}

impl Programme {
    fn new(puzzle: &Puzzle) -> Result<Programme, SolveError> {
        // Which assemblies come apart no such programme can say; it is for them all.
        let rules = rules_of_faces(&puzzle.rules);
        if !rules.is_empty() {
            return Err(SolveError::RulesInProgramme { rules });
        }
        let placements = Placements::new(puzzle).map_err(|too_many| SolveError::many_placements(puzzle, &too_many))?;
        let terms = terms(&placements);
        if terms > MOST_TERMS {
            return Err(SolveError::ManyTerms { terms, most: MOST_TERMS });
        }
        let (mut laid, mut corners) = (Vec::with_capacity(placements.len()), Vec::with_capacity(placements.len()));
        for (number, kind) in placements.kinds.iter().enumerate() {
            let turns = turns(puzzle, kind);
            for placement in placements.of_kind(number) {
                let cells = placements.covered(placement).iter().map(|&cell| placements.cells[cell as usize]);
                let (piece, orientation) = turns[usize::from(placements.look(placement))];
                let corner = least(cells);
                let from = least(puzzle.piece(piece).shape.cells().iter().map(|&cell| orientation.turn(cell)));
                laid.push(Placement { piece, orientation, offset: corner - from });
                corners.push(corner);
            }
        }
        let first_names = placements.kinds.iter().map(|kind| puzzle.piece(kind.members[0].piece).name.as_str());
        let names = Names::new(first_names);
        Ok(Programme { names, placements, laid, corners })
    }

    /// The name of the variable.
    fn name(&self, placement: u32) -> String {
        let Placement { piece, orientation, .. } = self.laid[placement as usize];
        let Cell { x, y, z } = self.corners[placement as usize];
        let kind = self.placements.kind(placement);
        let form = if piece == self.placements.kinds[kind].members[0].piece { 'o' } else { 'm' };
        format!("{}_{form}{}_{x}_{y}_{z}", self.names.kind(kind), orientation.index())
    }

    /// Says in comments what the rows and columns are.
    fn explain(&self, puzzle: &Puzzle, text: &mut Text) {
        let Placements { kinds, cells, filled, .. } = &self.placements;
        text.comment(&format!("{} as an integer programme, written by cubewright.", plain(&puzzle.name)));
        text.comment(&format!(
            "{} variables, one a placement, 1 when a piece lies there: NAME_oN_X_Y_Z is the piece in orientation N of 24 \
             (mN: its mirror image), X cells from the left, Y from the front and Z from the bottom to the box around it.",
            self.placements.len()
        ));
        let open = cells.len() - filled;
        text.comment(&format!(
            "Rows: count_NAME, or least_NAME and most_NAME, is how often the piece is used; cell_X_Y_Z is how often that \
             cell is filled, {filled} of them once{}.",
            if open > 0 { format!(" and {open} at most once") } else { String::new() }
        ));
        if self.placements.fewest > 0 {
            text.comment(
                "Row: filled is how many cells are filled, since not all that may stay empty may do so at once.",
            );
        }
        text.comment("Any solution will do, so there is nothing to minimise.");
        if puzzle.rules.apart {
            text.comment("Whether an assembly comes apart is not asked here.");
        }
        for (number, kind) in kinds.iter().enumerate() {
            let names: Vec<String> =
                kind.members.iter().map(|member| format!("\"{}\"", plain(&puzzle.piece(member.piece).name))).collect();
            let equal = if names.len() > 1 { ", which are equal" } else { "" };
            text.comment(&format!(
                "{}: {}{equal}; {}, {} placements.",
                self.names.kind(number),
                names.join(", "),
                times(&kind.count),
                self.placements.of_kind(number).len()
            ));
        }
    }

    /// The placements that the answer sets to 1, sorted.
    fn chosen(&self, answer: &Answer<'_>) -> Result<Vec<u32>, FormulateError> {
        let count = self.placements.len();
        if let Some(columns) = answer.columns.filter(|&columns| columns != count) {
            return Err(FormulateError::OtherColumns { columns, placements: count });
        }
        let names: Vec<String> = (0..count as u32).map(|placement| self.name(placement)).collect();
        let numbers: BTreeMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
        let mut seen = vec![false; count];
        let mut chosen = Vec::new();
        for value in &answer.values {
            let line = value.line;
            let number = match value.column {
                Column::Numbered(number) => number.checked_sub(1).filter(|&index| index < count),
                Column::Named(name) if names::is_row(name) => continue,
                Column::Named(name) => numbers.get(name).copied(),
            };
            let Some(number) = number else {
                return Err(FormulateError::UnknownColumn { line, column: value.column.to_string() });
            };
            if std::mem::replace(&mut seen[number], true) {
                return Err(FormulateError::ColumnTwice { line, column: names[number].clone() });
            }
            match value.millionths {
                -1..=1 => {}
                999_999..=1_000_001 => chosen.push(number as u32),
                _ => {
                    return Err(FormulateError::Fraction {
                        line,
                        column: names[number].clone(),
                        value: plain(value.text),
                    });
                }
            }
        }
        chosen.sort_unstable();
        match seen.iter().position(|seen| !seen) {
            Some(missing) if answer.columns.is_some() => {
                Err(FormulateError::ColumnMissing { column: names[missing].clone() })
            }
            _ => Ok(chosen),
        }
    }

    /// Whether each cell is filled as it must be.
    fn check_cells(&self, puzzle: &Puzzle, chosen: &[u32]) -> Result<(), FormulateError> {
        let mut filled: BTreeMap<Cell, u32> = BTreeMap::new();
        for &placement in chosen {
            let laid = self.laid[placement as usize];
            for cell in laid.cells(&puzzle.piece(laid.piece).shape) {
                if let Some(other) = filled.insert(cell, placement) {
                    return Err(FormulateError::CellTwice { cell, by: [self.name(other), self.name(placement)] });
                }
            }
        }
        if let Some(&cell) = puzzle.target.filled.iter().find(|cell| !filled.contains_key(cell)) {
            return Err(FormulateError::CellEmpty { cell });
        }
        match filled.len() < self.placements.fewest {
            true => Err(FormulateError::ManyEmpty { filled: filled.len(), fewest: self.placements.fewest }),
            false => Ok(()),
        }
    }

    /// Whether each kind of piece is used as often as it must be.
    fn check_counts(&self, puzzle: &Puzzle, chosen: &[u32]) -> Result<(), FormulateError> {
        for (number, kind) in self.placements.kinds.iter().enumerate() {
            let used = chosen.iter().filter(|&&placement| self.placements.kind(placement) == number).count();
            if !(*kind.count.start() as usize..=*kind.count.end() as usize).contains(&used) {
                let piece = puzzle.piece(kind.members[0].piece).name.clone();
                return Err(FormulateError::Count { piece, used, wanted: times(&kind.count) });
            }
        }
        Ok(())
    }
}

/// The placements that fill each cell.
struct Covering {
    placements: Vec<u32>,
    /// Where those of each cell begin; one entry more than cells.
    starts: Vec<usize>,
}

impl Covering {
    fn new(all: &Placements) -> Covering {
        let mut starts = vec![0; all.cells.len() + 1];
        let covers = || {
            (0..all.len() as u32)
                .flat_map(|placement| all.covered(placement).iter().map(move |&cell| (cell as usize, placement)))
        };
        covers().for_each(|(cell, _)| starts[cell + 1] += 1);
        for cell in 0..all.cells.len() {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        let mut placements = vec![0; starts[all.cells.len()]];
        for (cell, placement) in covers() {
            placements[next[cell]] = placement;
            next[cell] += 1;
        }
        Covering { placements, starts }
    }

    fn of_cell(&self, cell: usize) -> &[u32] {
        &self.placements[self.starts[cell]..self.starts[cell + 1]]
    }
}

/// LP text in the making.
struct Text(String);

impl Text {
    /// A comment in as many lines as it takes.
    fn comment(&mut self, text: &str) {
        self.0.push('\\');
        let mut width = 1;
        for word in text.split(' ') {
            if width + 1 + word.len() > WIDTH && width > 1 {
                self.0 += "\n\\";
                width = 1;
            }
            self.0.push(' ');
            width += 1;
            // A word may be longer than a line.
            for character in word.chars() {
                if width + character.len_utf8() > WIDTH {
                    self.0 += "\n\\ ";
                    width = 2;
                }
                self.0.push(character);
                width += character.len_utf8();
            }
        }
        self.0.push('\n');
    }

    /// An equation or inequality; whether anything can fill it. One without terms that holds anyway is left out.
    fn row(&mut self, label: &str, terms: &[&str], relation: &str) -> bool {
        if terms.is_empty() && (relation.starts_with("<=") || relation == "= 0") {
            return true;
        }
        let _ = write!(self.0, " {label}:");
        let mut width = label.len() + 2;
        for (index, term) in if terms.is_empty() { &[NOTHING] } else { terms }.iter().enumerate() {
            let sign = if index > 0 { " +" } else { "" };
            if width + sign.len() + 1 + term.len() > WIDTH {
                self.0 += "\n ";
                width = 1;
            }
            self.0.extend([sign, " ", term]);
            width += sign.len() + 1 + term.len();
        }
        if width + 1 + relation.len() > WIDTH {
            self.0 += "\n ";
        }
        self.0.extend([" ", relation, "\n"]);
        !terms.is_empty()
    }
}

/// The kinds of row that say how often a piece is used, and what they ask.
fn count_rows(count: &RangeInclusive<u32>) -> Vec<(&'static str, String)> {
    let (least, most) = (count.start(), count.end());
    if least == most {
        vec![("count", format!("= {least}"))]
    } else {
        vec![("least", format!(">= {least}")), ("most", format!("<= {most}"))]
    }
}

fn terms(placements: &Placements) -> u64 {
    let of_kind = |(number, kind): (usize, &Kind)| {
        placements.of_kind(number).len() as u64 * (kind.volume + count_rows(&kind.count).len()) as u64
    };
    let of_filled = if placements.fewest > 0 { placements.len() as u64 } else { 0 };
    placements.kinds.iter().enumerate().map(of_kind).sum::<u64>() + of_filled
}

/// The keys of the rules that are about what faces show.
fn rules_of_faces(rules: &Rules) -> Vec<&'static str> {
    let none = Rules::default();
    [
        ("planes", rules.latin_planes),
        ("symbols", rules.symbols != none.symbols),
        ("blank_plane", rules.blank_plane),
        ("turned", rules.turned != none.turned),
        ("chequered", rules.chequered.is_some()),
        ("sides", rules.sides != none.sides),
        ("touching", rules.touching.is_some()),
        ("outside", rules.outside.is_some()),
        ("palette", rules.palette != none.palette),
    ]
    .into_iter()
    .filter_map(|(key, is_given)| is_given.then_some(key))
    .collect()
}

/// For each look of the kind, how its first piece, or the twin of that, comes to have it.
fn turns(puzzle: &Puzzle, kind: &Kind) -> Vec<(PieceId, Orientation)> {
    let mut turns = BTreeMap::new();
    for piece in [Some(kind.members[0].piece), kind.members[0].twin].into_iter().flatten() {
        let look = puzzle.look(piece);
        for orientation in Orientation::all() {
            turns.entry(look.turned(orientation, false)).or_insert((piece, orientation));
        }
    }
    kind.looks.iter().map(|look| turns[look]).collect()
}

fn least(cells: impl Iterator<Item = Cell>) -> Cell {
    cells.reduce(Cell::least).expect("a shape has at least one cell")
}

/// How often a piece is used, in words.
fn times(count: &RangeInclusive<u32>) -> String {
    match (count.start(), count.end()) {
        (1, 1) => "once".to_owned(),
        (least, most) if least == most => format!("{least} times"),
        (least, most) => format!("{least} to {most} times"),
    }
}
