//! What is in a puzzle file, as the table that a paper on such puzzles prints.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::progress::printable;
use crate::puzzle::burr::{self, Stick};
use crate::puzzle::colour::Colour;
use crate::puzzle::grid::{Cell, Orientation};
use crate::puzzle::look::Look;
use crate::puzzle::packing_rules::TintId;
use crate::puzzle::piece::{Piece, PieceId};
use crate::puzzle::{Puzzle, Target};
use crate::solve::equal_pieces;
use crate::words;

/// The table: for each piece its cells, its box, in how many ways it can be turned that can be told apart, at how many
/// positions it fits into the target turned so, and how many placements that makes; then which pieces are equal, and
/// whether the volumes fit.
pub fn table(puzzle: &Puzzle) -> String {
    let size = puzzle.target.size;
    let (filled, optional) = (puzzle.target.filled.len(), puzzle.target.optional.len());
    let name = printable(&puzzle.name);
    let pieces = words::plural(puzzle.pieces.len() as u64, "piece");
    let places = words::plural(filled as u64, "place");
    let mut text = format!("{name}: {pieces}, a target of {} with {places} to fill\n\n", by(size));
    let widest = puzzle.pieces.iter().map(|piece| piece.name.chars().count()).max().unwrap_or(0).clamp(5, 40);
    let _ = writeln!(
        text,
        "{:widest$}{:>8}{:>8}{:>12}{:>8}{:>11}{:>12}",
        "piece", "count", "cells", "box", "turns", "positions", "placements"
    );
    let (grid, mut all) = (Grid::of(&puzzle.target), Some(0));
    for (id, piece) in puzzle.ids().zip(&puzzle.pieces) {
        let turns = turns(puzzle, id);
        let positions = grid.as_ref().filter(|_| turns.is_some()).and_then(|grid| grid.positions(puzzle, id));
        // Marks tell turns apart that the shape alone does not.
        let placed = |turns: usize, positions: &Vec<usize>| turns / positions.len() * positions.iter().sum::<usize>();
        let placements = turns.zip(positions.as_ref()).map(|(turns, positions)| placed(turns, positions));
        all = all.zip(placements).map(|(all, placements)| all + placements);
        let positions = match positions.iter().flatten().min().zip(positions.iter().flatten().max()) {
            Some((least, most)) if least < most => format!("{least}-{most}"),
            Some((one, _)) => one.to_string(),
            None => UNKNOWN.to_owned(),
        };
        let (turns, placements) = (known(turns), known(placements));
        let (name, cells, size) = (printable(&piece.name), piece.shape.cells().len(), by(piece.shape.size()));
        let count = match (piece.twin_of, piece.count.start(), piece.count.end()) {
            (Some(_), _, _) => "twin".to_owned(),
            (None, least, most) if least == most => least.to_string(),
            (None, least, most) => format!("{least}-{most}"),
        };
        let _ = writeln!(text, "{name:widest$}{count:>8}{cells:>8}{size:>12}{turns:>8}{positions:>11}{placements:>12}");
    }
    let total = known(all);
    let _ = writeln!(text, "{:widest$}{:>8}{:>8}{:>12}{:>8}{:>11}{total:>12}\n", "all", "", "", "", "", "");
    if all.is_none() {
        let _ = writeln!(text, "{UNKNOWN}: it would take too long to count");
    }
    for equal in equal_pieces(puzzle) {
        let names: Vec<String> = equal.iter().map(|&id| printable(&puzzle.piece(id).name)).collect();
        let _ = writeln!(text, "equal, and counted as one kind: {}", names.join(", "));
    }
    // A mirror twin is counted with its piece.
    let counted = || puzzle.pieces.iter().filter(|piece| piece.twin_of.is_none());
    let cells = |count: fn(&Piece) -> u32| -> usize {
        counted().map(|piece| piece.shape.cells().len() * count(piece) as usize).sum()
    };
    let (least, most) = (cells(|piece| *piece.count.start()), cells(|piece| *piece.count.end()));
    let fits = least <= filled + optional && most >= filled;
    let range =
        |least: usize, most: usize| if least == most { least.to_string() } else { format!("{least} to {most}") };
    let (volume, places) = (range(least, most), range(filled, filled + optional));
    text += &sticks(puzzle);
    let _ =
        writeln!(text, "volume: {volume} cells for {places} places, {}", if fits { "fits" } else { "does not fit" });
    text
}

/// What stands for a number that is not counted.
const UNKNOWN: &str = "?";

fn known(number: Option<usize>) -> String {
    number.map_or(UNKNOWN.to_owned(), |number| number.to_string())
}

/// For sticks of six-piece burrs their numbers, whether notches suffice to make them, and their mirror images.
fn sticks(puzzle: &Puzzle) -> String {
    let mut text = String::new();
    for piece in &puzzle.pieces {
        let Some((stick, length)) = burr::stick_of(puzzle, &piece.shape) else { continue };
        let number =
            |stick: Stick| stick.number().map_or("without a number".to_owned(), |number| format!("number {number}"));
        let made = if stick.is_notchable() { "notchable" } else { "not notchable" };
        // Seen from the shape, as a stick without ends may be flat and so its own mirror image.
        let mirrored = burr::stick_of(puzzle, &piece.shape.mirrored()).map_or(stick.mirrored(), |(stick, _)| stick);
        let mirror = match mirrored {
            mirrored if mirrored.number() == stick.number() && stick.number().is_some() => {
                "its own mirror image".to_owned()
            }
            mirrored => format!("mirror image: {}", number(mirrored)),
        };
        let name = printable(&piece.name);
        let _ = writeln!(text, "stick {name}: {}, length {length}, {made}, {mirror}", number(stick));
    }
    if text.is_empty() { text } else { text + "\n" }
}

fn by(size: Cell) -> String {
    format!("{}x{}x{}", size.x, size.y, size.z)
}

/// Pieces of more cells are not turned: that would take seconds.
const MOST_TURNED: usize = 1 << 17;

/// In how many ways the piece can be turned that can be told apart, tints, marks and all; `None` where it would take too
/// long to look.
fn turns(puzzle: &Puzzle, id: PieceId) -> Option<usize> {
    let piece = puzzle.piece(id);
    if piece.shape.cells().len() > MOST_TURNED {
        return None;
    }
    let own = puzzle.look(id);
    let looks: BTreeSet<_> = Orientation::all()
        .map(|orientation| {
            let turned = own.turned(orientation, false);
            let cells = piece.shape.cells().iter().map(|&cell| orientation.turn(cell));
            let origin = cells.reduce(Cell::least).unwrap_or_default();
            let marks: Vec<_> = (piece.marks_turned(orientation).into_iter())
                .map(|(square, mark)| (square.cell - origin, square.side, mark))
                .collect();
            (turned, marks)
        })
        .collect();
    Some(looks.len())
}

/// The cells of a target where they can be looked up fast.
struct Grid {
    size: Cell,
    /// Along x, then y, then z.
    is_inside: Vec<bool>,
}

impl Grid {
    /// The most places of its box, and the most cells that are looked up for one piece: some seconds' worth.
    const MOST_PLACES: i64 = 10_000_000;
    const MOST_LOOKS: usize = 500_000_000;

    /// `None` where the box is too large.
    fn of(target: &Target) -> Option<Grid> {
        let size = target.size;
        let places = i64::from(size.x).checked_mul(size.y.into())?.checked_mul(size.z.into())?;
        if places > Grid::MOST_PLACES {
            return None;
        }
        let mut grid = Grid { size, is_inside: vec![false; places as usize] };
        for &cell in target.filled.iter().chain(&target.optional) {
            let place = grid.steps(cell);
            grid.is_inside[place] = true;
        }
        Some(grid)
    }

    /// How many places a cell stands behind the first one; that of a sum is the sum.
    fn steps(&self, cell: Cell) -> usize {
        (cell.z as usize * self.size.y as usize + cell.y as usize) * self.size.x as usize + cell.x as usize
    }

    /// At how many positions the piece fits into the target by itself, for each way to turn it so that its cells or tints
    /// differ; `None` where it would take too long to look.
    fn positions(&self, puzzle: &Puzzle, id: PieceId) -> Option<Vec<usize>> {
        let (piece, tints) = (puzzle.piece(id), &puzzle.rules.packing.tints);
        let looks = puzzle.look(id).all();
        // The corner of a look lies in a box of this size, or where that has no cells, nowhere.
        let room = |look: &Look| (self.size - look.size() + Cell::new(1, 1, 1)).most(Cell::ZERO);
        let offsets = |look: &Look| room(look).coordinates().map(|length| length as usize).iter().product::<usize>();
        if looks.iter().map(offsets).sum::<usize>() > Grid::MOST_LOOKS / piece.shape.cells().len() {
            return None;
        }
        let may_lie = |look: &Look, offset: Cell| {
            let is_alike = |cell: Cell| {
                let of_place = |colours: [Colour; 2]| colours[(cell.x + cell.y + cell.z) as usize % 2];
                puzzle.rules.chequered.is_none_or(|colours| piece.colour == of_place(colours))
            };
            let is_allowed = |&(cell, tint): &(Cell, Option<TintId>)| {
                is_alike(cell + offset) && tints.allows(tint, tints.target.get(&(cell + offset)).copied())
            };
            look.cells().iter().all(is_allowed)
        };
        let is_ruled = puzzle.rules.chequered.is_some() || !tints.pieces.is_empty();
        let placed = |look: &Look| {
            let steps: Vec<usize> = look.cells().iter().map(|cell| self.steps(cell.0)).collect();
            let fits = |&offset: &Cell| {
                let from = self.steps(offset);
                steps.iter().all(|step| self.is_inside[from + step]) && (!is_ruled || may_lie(look, offset))
            };
            Cell::of_box(room(look)).filter(fits).count()
        };
        Some(looks.iter().map(placed).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::parse::parse;

    #[test]
    fn a_chequered_cubie_has_14_places_or_13_and_24_turns_in_each() {
        let puzzle = parse(include_str!("../puzzles/4d-sudoku.toml")).expect("the built-in puzzle");
        let table = table(&puzzle);
        let row = |name: &str| {
            let row = table.lines().find(|line| line.split_whitespace().next() == Some(name)).expect("a row");
            row.split_whitespace().collect::<Vec<_>>()
        };
        assert_eq!(row("@"), ["@", "1", "1", "1x1x1", "24", "14", "336"]);
        assert_eq!(row("Z"), ["Z", "1", "1", "1x1x1", "24", "13", "312"]);
        assert_eq!(row("all"), ["all", (14 * 336 + 13 * 312).to_string().as_str()]);
        assert!(table.contains("volume: 27 cells for 27 places, fits"));
    }

    #[test]
    fn packings_have_the_placements_that_papers_give() {
        let rows = |file: &str| -> Vec<Vec<String>> {
            let table = table(&parse(file).expect("a built-in puzzle"));
            let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            table.lines().map(words).filter(|row| matches!(row.len(), 2 | 7) && row[0] != "volume:").collect()
        };
        let soma = rows(include_str!("../puzzles/soma.toml"));
        assert_eq!(soma[1], ["V", "1", "3", "2x2x1", "12", "12", "144"]);
        let placements =
            |rows: &[Vec<String>]| -> Vec<String> { rows[1..].iter().map(|row| row[row.len() - 1].clone()).collect() };
        assert_eq!(placements(&soma), ["144", "144", "72", "72", "96", "96", "64", "688"]);
        assert_eq!(
            placements(&rows(include_str!("../puzzles/bedlam.toml"))),
            ["384", "48", "192", "432", "216", "432", "432", "432", "216", "432", "216", "432", "324", "4188"]
        );
        let steinhaus = placements(&rows(include_str!("../puzzles/steinhaus.toml")));
        assert_eq!(steinhaus, ["144", "96", "96", "96", "96", "48", "576"]);
        let flat = rows(include_str!("../puzzles/pentominoes-6x10.toml"));
        assert_eq!(flat[2], ["I", "1", "5", "5x1x1", "3", "0-36", "56"]);
    }

    /// A domino with one red cell in a row of three, of which a red cell may lie on the middle or at the bare end alone.
    #[test]
    fn tints_tell_turns_apart_and_keep_pieces_away() {
        let text = "cubewright = 1\nname = \"n\"\n[packing]\ntints = { letters = \"RB\", colours = [\"red\", \"blue\"], \
                    may_lie_on = [\"RR\"] }\n[target]\nlayers = [\"XXX\"]\ntints = [\"BR.\"]\n\
                    [[piece]]\nname = \"red\"\nlayers = [\"XX\"]\ntints = [\"R.\"]\n[[piece]]\nname = \"bare\"\nlayers = [\"X\"]\n";
        let table = table(&parse(text).expect("a puzzle"));
        let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        // Of the four places along x, the red cell may be in the middle twice and at the end once.
        assert_eq!(rows[3], ["red", "1", "2", "2x1x1", "6", "0-2", "3"]);
        assert_eq!(rows[4], ["bare", "1", "1", "1x1x1", "1", "3", "3"]);
    }

    #[test]
    fn equal_pieces_are_named() {
        let text = "cubewright = 1\nname = \"n\"\n[target]\nbox = [4, 2, 1]\n[[piece]]\nname = \"a\"\n\
                    layers = [\"XX\"]\ncount = 2\n[[piece]]\nname = \"b\"\nlayers = [\"X/X\"]\ncount = 2\n";
        let table = table(&parse(text).expect("a puzzle"));
        assert!(table.contains("equal, and counted as one kind: a, b\n"), "{table}");
    }

    #[test]
    fn positions_that_take_too_long_to_count_are_left_out() {
        let row = "X".repeat(150);
        let plate = vec![row; 150].join("/");
        let text = format!(
            "cubewright = 1\nname = \"n\"\n[target]\nbox = [300, 300, 1]\n[[piece]]\nname = \"cell\"\nlayers = [\"X\"]\ncount = 22500\n\
             [[piece]]\nname = \"plate\"\nlayers = [\"{plate}\"]\ncount = 3\n"
        );
        let table = table(&parse(&text).expect("a puzzle"));
        let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[3], ["cell", "22500", "1", "1x1x1", "1", "90000", "90000"]);
        assert_eq!(rows[4], ["plate", "3", "22500", "150x150x1", "3", "?", "?"]);
        assert_eq!(rows[5], ["all", "?"]);
        assert_eq!(rows[7], ["?:", "it", "would", "take", "too", "long", "to", "count"]);
    }
}
