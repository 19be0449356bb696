//! Assemblies checked against the rules as a reader would, and counted by trying cell after cell. Shares with the
//! solver nothing but what a puzzle is.

use std::collections::{BTreeMap, BTreeSet};

use cubewright::puzzle::Puzzle;
use cubewright::puzzle::assembly::Assembly;
use cubewright::puzzle::colour::Colour;
use cubewright::puzzle::grid::{Cell, Orientation, Side};
use cubewright::puzzle::piece::Piece;
use cubewright::puzzle::rules::Rules;

/// What is seen of a cubie: its colour, and text and top of each mark.
type Seen = (Colour, BTreeMap<Side, (String, Side)>);
type Filled = BTreeMap<Cell, Seen>;

/// Fails unless the assembly uses every piece once, fills every cell once and keeps every rule.
pub fn check(puzzle: &Puzzle, assembly: &Assembly) {
    let pieces: BTreeSet<usize> = assembly.placements.iter().map(|placement| placement.piece.0).collect();
    assert_eq!((pieces.len(), assembly.placements.len()), (puzzle.pieces.len(), puzzle.pieces.len()));
    let seen = |placement: &cubewright::puzzle::assembly::Placement| {
        (placement.offset, seen(puzzle.piece(placement.piece), placement.orientation, &puzzle.rules))
    };
    let filled: Filled = assembly.placements.iter().map(seen).collect();
    assert!(filled.keys().eq(puzzle.target.filled.iter()));
    assert!(keeps_rules(puzzle, &filled));
}

/// How many fillings there are that keep the rules, and how many classes of them under rotations and, where planes are
/// latin, exchanges of opposite layers.
pub fn count(puzzle: &Puzzle) -> (usize, usize) {
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
            if keeps_rules(puzzle, filled) {
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
    (piece.colour, marks.collect())
}

/// Whether nothing in the cells filled so far breaks a rule.
fn keeps_rules(puzzle: &Puzzle, filled: &Filled) -> bool {
    let rules = &puzzle.rules;
    let chequered = rules.chequered.is_none_or(|colours| {
        filled.iter().all(|(cell, seen)| seen.0 == colours[(cell.x + cell.y + cell.z) as usize % 2])
    });
    let plane = |side: Side, layer: i32| {
        let cells = filled.iter().filter(move |(cell, _)| cell.along(side.axis()) == layer);
        cells.map(move |(_, seen)| seen.1.get(&side)).collect::<Vec<_>>()
    };
    let is_latin = |faces: &[Option<&(String, Side)>]| {
        let is_blank = rules.blank_plane && faces.iter().all(Option::is_none);
        let reads = |top: Side| {
            let mut shown = BTreeSet::new();
            faces.iter().all(|face| {
                let text = match face {
                    Some((text, up)) if *up == top => Some(text.as_str()),
                    Some((text, up)) if *up == top.opposite() => rules.upside_down(text),
                    _ => None,
                };
                text.is_some_and(|text| rules.symbols.iter().any(|symbol| symbol == text) && shown.insert(text))
            })
        };
        is_blank || Side::ALL.into_iter().any(reads)
    };
    let layers = |side: Side| (0..puzzle.target.size.along(side.axis())).map(move |layer| plane(side, layer));
    chequered && (!rules.latin_planes || Side::ALL.into_iter().flat_map(layers).all(|faces| is_latin(&faces)))
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
