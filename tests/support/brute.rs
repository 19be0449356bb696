//! Assemblies checked against the rules as a reader would, and counted by trying cell after cell. Shares with the
//! solver nothing but what a puzzle is.

use std::collections::{BTreeMap, BTreeSet};

use cubewright::puzzle::Puzzle;
use cubewright::puzzle::assembly::Assembly;
use cubewright::puzzle::colour::Colour;
use cubewright::puzzle::grid::{Cell, Orientation, Side};
use cubewright::puzzle::piece::Piece;
use cubewright::puzzle::rules::Rules;

/// What counts of a cubie: its colour where a rule asks for it, and text and top of each mark.
type Seen = (Option<Colour>, BTreeMap<Side, (String, Side)>);
type Filled = BTreeMap<Cell, Seen>;

/// Fails unless the assembly uses every piece once, fills every cell once and keeps every rule.
pub(crate) fn check(puzzle: &Puzzle, assembly: &Assembly) {
    let pieces: BTreeSet<usize> = assembly.placements.iter().map(|placement| placement.piece.0).collect();
    assert_eq!((pieces.len(), assembly.placements.len()), (puzzle.pieces.len(), puzzle.pieces.len()));
    let seen = |placement: &cubewright::puzzle::assembly::Placement| {
        (placement.offset, seen(puzzle.piece(placement.piece), placement.orientation, &puzzle.rules))
    };
    let filled: Filled = assembly.placements.iter().map(seen).collect();
    assert!(filled.keys().eq(puzzle.target.filled.iter()));
    assert!(filled.keys().all(|&cell| keeps_rules(puzzle, &filled, cell)));
}

/// How many fillings there are that keep the rules, and how many classes of them under rotations and, where planes are
/// latin, exchanges of opposite outer layers.
pub(crate) fn count(puzzle: &Puzzle) -> (usize, usize) {
    let cells: Vec<Cell> = puzzle.target.filled.iter().copied().collect();
    let looks = |piece: &Piece| Orientation::all().map(|o| seen(piece, o, &puzzle.rules)).collect();
    let mut left: Vec<BTreeSet<Seen>> = puzzle.pieces.iter().map(looks).collect();
    let mut all = BTreeSet::new();
    if cells.len() == left.len() {
        fill(puzzle, &cells, &mut left, &mut Filled::new(), &mut all);
    }
    let classes: BTreeSet<Filled> = all.iter().map(|filled| least_image(puzzle, filled)).collect();
    (all.len(), classes.len())
}

fn fill(
    puzzle: &Puzzle,
    cells: &[Cell],
    left: &mut Vec<BTreeSet<Seen>>,
    filled: &mut Filled,
    all: &mut BTreeSet<Filled>,
) {
    let [cell, rest @ ..] = cells else {
        all.insert(filled.clone());
        return;
    };
    for piece in 0..left.len() {
        if left[..piece].contains(&left[piece]) {
            continue;
        }
        let looks = left.remove(piece);
        for seen in &looks {
            filled.insert(*cell, seen.clone());
            if keeps_rules(puzzle, filled, *cell) {
                fill(puzzle, rest, left, filled, all);
            }
        }
        filled.remove(cell);
        left.insert(piece, looks);
    }
}

fn seen(piece: &Piece, orientation: Orientation, rules: &Rules) -> Seen {
    let marks = piece.marks_turned(orientation).into_iter().map(|(square, mark)| {
        let (text, top) = (mark.text, mark.turn.up(square.side));
        let other = rules.upside_down(&text).map(|other| (other.to_string(), top.opposite()));
        (square.side, other.into_iter().chain([(text, top)]).min().expect("one reading at least"))
    });
    (rules.chequered.map(|_| piece.colour), marks.collect())
}

/// Whether the cubie in that cell breaks no rule beside those in the cells filled so far.
fn keeps_rules(puzzle: &Puzzle, filled: &Filled, at: Cell) -> bool {
    let rules = &puzzle.rules;
    let parity = (at.x + at.y + at.z) as usize % 2;
    let is_latin = |side: Side| {
        let in_plane = |cell: &Cell| cell.along(side.axis()) == at.along(side.axis());
        let faces = || filled.iter().filter(|(cell, _)| in_plane(cell)).map(|(_, seen)| seen.1.get(&side));
        let reads = |top: Side| {
            let mut shown: Vec<&str> = Vec::new();
            faces().all(|face| {
                let text = match face {
                    Some((text, up)) if *up == top => text.as_str(),
                    Some((text, up)) if *up == top.opposite() => rules.upside_down(text).unwrap_or_default(),
                    _ => return false,
                };
                let is_new = rules.symbols.iter().any(|symbol| symbol == text) && !shown.contains(&text);
                shown.push(text);
                is_new
            })
        };
        (rules.blank_plane && faces().all(|face| face.is_none())) || Side::ALL.into_iter().any(reads)
    };
    rules.chequered.is_none_or(|colours| filled[&at].0 == Some(colours[parity]))
        && (!rules.latin_planes || Side::ALL.into_iter().all(is_latin))
}

fn least_image(puzzle: &Puzzle, filled: &Filled) -> Filled {
    let rules = &puzzle.rules;
    let mut images = Vec::new();
    for (orientation, mirrored) in Orientation::all().flat_map(|o| (0..8).map(move |m| (o, m))) {
        if mirrored > 0 && !rules.latin_planes {
            continue;
        }
        let size = puzzle.target.size;
        let exchanged = |cell: Cell| {
            let along = |axis: usize| {
                if mirrored >> axis & 1 == 1 { size.along(axis) - 1 - cell.along(axis) } else { cell.along(axis) }
            };
            Cell::new(along(0), along(1), along(2))
        };
        let corner = filled
            .keys()
            .map(|&cell| orientation.turn(cell))
            .reduce(|a, b| Cell::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z)));
        let to = |cell: Cell| orientation.turn(exchanged(cell)) - corner.unwrap_or_default();
        let parity = |cell: Cell| (cell.x + cell.y + cell.z) % 2;
        if filled.keys().any(|&cell| {
            !filled.contains_key(&to(cell)) || (rules.chequered.is_some() && parity(cell) != parity(to(cell)))
        }) {
            continue;
        }
        let turned = |(side, (text, top)): (&Side, &(String, Side))| {
            let top = orientation.side(*top);
            let other = rules.upside_down(text).map(|other| (other.to_string(), top.opposite()));
            (orientation.side(*side), other.into_iter().chain([(text.clone(), top)]).min().expect("one at least"))
        };
        let image =
            |(&cell, (colour, marks)): (&Cell, &Seen)| (to(cell), (*colour, marks.iter().map(turned).collect()));
        images.push(filled.iter().map(image).collect());
    }
    images.into_iter().min().expect("the identity is there")
}
