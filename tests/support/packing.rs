//! Packings by plain enumeration, and a check of assemblies; shares no code with the engine but the types of a puzzle.

use std::collections::{BTreeMap, BTreeSet};

use cubewright::puzzle::Puzzle;
use cubewright::puzzle::assembly::Assembly;
use cubewright::puzzle::grid::Cell;

type Triple = [i32; 3];
type Matrix = [Triple; 3];

/// Cells and the form of the piece on them.
type Laid = (usize, Vec<Triple>);

/// What plain enumeration counts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) raw: u64,
    pub(crate) assemblies: u64,
    pub(crate) up_to_rotations: u64,
}

/// What is wrong with an assembly, if anything: cells, pieces, counts.
pub(crate) fn check(puzzle: &Puzzle, assembly: &Assembly) -> Result<(), String> {
    let mut taken = BTreeSet::new();
    let mut used: BTreeMap<usize, u32> = BTreeMap::new();
    for placement in &assembly.placements {
        let piece = &puzzle.pieces[placement.piece.0];
        *used.entry(piece.twin_of.map_or(placement.piece.0, |of| of.0)).or_default() += 1;
        let matrix = placement.orientation.matrix();
        if determinant(&matrix) != 1 {
            return Err(format!("{} is mirrored", piece.name));
        }
        for &cell in piece.shape.cells() {
            let [x, y, z] = apply(&matrix, triple(cell));
            let at = Cell::new(x + placement.offset.x, y + placement.offset.y, z + placement.offset.z);
            if !puzzle.target.filled.contains(&at) && !puzzle.target.optional.contains(&at) {
                return Err(format!("{} leaves the target at {at:?}", piece.name));
            }
            if !taken.insert(at) {
                return Err(format!("{at:?} is filled twice"));
            }
        }
    }
    if let Some(cell) = puzzle.target.filled.iter().find(|cell| !taken.contains(cell)) {
        return Err(format!("{cell:?} is empty"));
    }
    for (id, piece) in puzzle.pieces.iter().enumerate().filter(|(_, piece)| piece.twin_of.is_none()) {
        let times = used.get(&id).copied().unwrap_or(0);
        if !piece.count.contains(&times) {
            return Err(format!("{} is used {times} times", piece.name));
        }
    }
    Ok(())
}

/// Every set of placements that solves the puzzle, counted; for small puzzles only.
pub(crate) fn count(puzzle: &Puzzle) -> Counts {
    let twins: BTreeSet<usize> = puzzle.pieces.iter().filter_map(|piece| piece.twin_of.map(|of| of.0)).collect();
    // Pieces with the same form are not told apart.
    let mut forms: Vec<(Vec<Triple>, bool, u32, u32)> = Vec::new();
    for (id, piece) in puzzle.pieces.iter().enumerate().filter(|(_, piece)| piece.twin_of.is_none()) {
        let (may_mirror, cells) =
            (twins.contains(&id), piece.shape.cells().iter().map(|&c| triple(c)).collect::<Vec<_>>());
        let form = form(&cells, may_mirror);
        let (least, most) = (*piece.count.start(), *piece.count.end());
        match forms.iter_mut().find(|other| other.0 == form && other.1 == may_mirror) {
            Some(other) => (other.2, other.3) = (other.2 + least, other.3 + most),
            None => forms.push((form, may_mirror, least, most)),
        }
    }
    let filled: BTreeSet<Triple> = puzzle.target.filled.iter().map(|&c| triple(c)).collect();
    let optional: BTreeSet<Triple> = puzzle.target.optional.iter().map(|&c| triple(c)).collect();
    let all: BTreeSet<Triple> = filled.union(&optional).copied().collect();
    let mut options: Vec<Laid> = Vec::new();
    for (number, (cells, may_mirror, ..)) in forms.iter().enumerate() {
        let turned: BTreeSet<Vec<Triple>> = matrices()
            .into_iter()
            .filter(|m| *may_mirror || determinant(m) == 1)
            .map(|m| least(&turn(&m, cells)))
            .collect();
        for (x, y, z) in steps(&all) {
            for cells in &turned {
                let at: Vec<Triple> = cells.iter().map(|c| [c[0] + x, c[1] + y, c[2] + z]).collect();
                if at.iter().all(|cell| all.contains(cell)) {
                    options.push((number, at));
                }
            }
        }
    }
    let mut found = Vec::new();
    choose(&options, 0, &mut Vec::new(), &mut BTreeSet::new(), &filled, &forms, &mut found);

    // A mirror image counts where it is an assembly too.
    let mirrored: Vec<Option<usize>> = (forms.iter())
        .map(|(cells, may_mirror, ..)| {
            let mirrored = form(&turn(&[[-1, 0, 0], [0, 1, 0], [0, 0, 1]], cells), *may_mirror);
            forms.iter().position(|other| other.0 == mirrored && other.1 == *may_mirror)
        })
        .collect();
    let rotations: Vec<Matrix> = matrices().into_iter().filter(|m| determinant(m) == 1).collect();
    let mirrors: Vec<Matrix> = matrices().into_iter().filter(|m| determinant(m) == -1).collect();
    let corner = |cells: &BTreeSet<Triple>| [0, 1, 2].map(|i| cells.iter().map(|c| c[i]).min().unwrap_or(0));
    let to = corner(&all);
    let image = |laid: &Vec<Laid>, m: &Matrix, exchange: &dyn Fn(usize) -> usize| -> Option<Vec<Laid>> {
        let turned = |cells: &BTreeSet<Triple>| cells.iter().map(|c| apply(m, *c)).collect::<BTreeSet<_>>();
        let from = corner(&turned(&all));
        let moved = |c: Triple| [0, 1, 2].map(|i| c[i] - from[i] + to[i]);
        let same = |cells: &BTreeSet<Triple>| turned(cells).into_iter().map(moved).collect::<BTreeSet<_>>() == *cells;
        if !same(&filled) || !same(&optional) {
            return None;
        }
        let mut image: Vec<Laid> = (laid.iter())
            .map(|(form, cells)| {
                let mut cells: Vec<Triple> = cells.iter().map(|c| moved(apply(m, *c))).collect();
                cells.sort_unstable();
                (exchange(*form), cells)
            })
            .collect();
        image.sort_unstable();
        Some(image)
    };
    let classes = |with_mirrors: bool| {
        let least = |laid: &Vec<Laid>| {
            let turned = rotations.iter().filter_map(|m| image(laid, m, &|form| form));
            let exchange = |form: usize| mirrored[form].unwrap_or(usize::MAX);
            let reflected = mirrors.iter().filter(|_| with_mirrors).filter_map(|m| image(laid, m, &exchange));
            let reflected = reflected.filter(|image| found.contains(image));
            turned.chain(reflected).min().expect("the identity keeps the target")
        };
        found.iter().map(least).collect::<BTreeSet<_>>().len() as u64
    };
    Counts { raw: found.len() as u64, assemblies: classes(true), up_to_rotations: classes(false) }
}

fn choose(
    options: &[Laid],
    from: usize,
    chosen: &mut Vec<Laid>,
    taken: &mut BTreeSet<Triple>,
    filled: &BTreeSet<Triple>,
    forms: &[(Vec<Triple>, bool, u32, u32)],
    found: &mut Vec<Vec<Laid>>,
) {
    let times = |form: usize| chosen.iter().filter(|laid| laid.0 == form).count() as u32;
    if filled.is_subset(taken) && (0..forms.len()).all(|form| (forms[form].2..=forms[form].3).contains(&times(form))) {
        let mut laid = chosen.clone();
        laid.iter_mut().for_each(|laid| laid.1.sort_unstable());
        laid.sort_unstable();
        found.push(laid);
    }
    for next in from..options.len() {
        let (form, cells) = &options[next];
        if chosen.iter().filter(|laid| laid.0 == *form).count() as u32 == forms[*form].3
            || cells.iter().any(|cell| taken.contains(cell))
        {
            continue;
        }
        taken.extend(cells.iter().copied());
        chosen.push(options[next].clone());
        choose(options, next + 1, chosen, taken, filled, forms, found);
        chosen.pop();
        cells.iter().for_each(|cell| {
            taken.remove(cell);
        });
    }
}

fn triple(cell: Cell) -> Triple {
    [cell.x, cell.y, cell.z]
}

/// The 48 matrices that permute and negate coordinates.
fn matrices() -> Vec<Matrix> {
    let mut all = Vec::new();
    for axes in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for signs in 0..8 {
            let mut matrix = [[0; 3]; 3];
            for (row, &axis) in axes.iter().enumerate() {
                matrix[row][axis] = if signs >> row & 1 == 1 { -1 } else { 1 };
            }
            all.push(matrix);
        }
    }
    all
}

fn determinant(m: &Matrix) -> i32 {
    let minor = |i: usize, j: usize| m[1][i] * m[2][j] - m[1][j] * m[2][i];
    m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1)
}

fn apply(m: &Matrix, c: Triple) -> Triple {
    [0, 1, 2].map(|row| (0..3).map(|column| m[row][column] * c[column]).sum())
}

fn turn(m: &Matrix, cells: &[Triple]) -> Vec<Triple> {
    cells.iter().map(|&c| apply(m, c)).collect()
}

/// Moved to the origin and sorted.
fn least(cells: &[Triple]) -> Vec<Triple> {
    let corner = [0, 1, 2].map(|i| cells.iter().map(|c| c[i]).min().unwrap_or(0));
    let mut cells: Vec<Triple> = cells.iter().map(|c| [0, 1, 2].map(|i| c[i] - corner[i])).collect();
    cells.sort_unstable();
    cells
}

fn form(cells: &[Triple], may_mirror: bool) -> Vec<Triple> {
    let turned = matrices().into_iter().filter(|m| may_mirror || determinant(m) == 1).map(|m| least(&turn(&m, cells)));
    turned.min().expect("there are 24 rotations")
}

fn steps(cells: &BTreeSet<Triple>) -> Vec<(i32, i32, i32)> {
    let most = cells.iter().flatten().copied().max().unwrap_or(0);
    let line = || 0..=most;
    line().flat_map(|x| line().flat_map(move |y| line().map(move |z| (x, y, z)))).collect()
}
