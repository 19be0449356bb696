//! The kinds of piece of a packing puzzle, and every way to lay each of them into the target.
//!
//! Cells are numbered: those to be filled first, then those that may stay empty. Pieces that are equal up to rotation,
//! and up to a mirror where both may be mirrored, are one kind; a kind is placed without saying which of its pieces lies
//! where.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use crate::puzzle::Puzzle;
use crate::puzzle::assembly::{Assembly, Placement};
use crate::puzzle::grid::{Cell, Orientation, Shape};
use crate::puzzle::piece::PieceId;

/// More placements than this are refused: their bits would not fit into the memory of a small machine.
const MOST_PLACEMENTS: usize = 1 << 22;

/// What can lie where.
pub(super) struct Placements {
    /// The cells by number.
    pub(super) cells: Vec<Cell>,
    /// How many of them, from the first, must be filled.
    pub(super) filled: usize,
    /// In the order of their first pieces.
    pub(super) kinds: Vec<Kind>,
    /// The cells of all placements, kind after kind, each placement sorted, the placements of a kind sorted.
    covered: Vec<u32>,
    /// The first placement of each kind and where its cells begin; one entry more than kinds.
    starts: Vec<(usize, usize)>,
    /// The kind of each placement.
    kind_of: Vec<u32>,
}

/// Pieces that are equal.
pub(super) struct Kind {
    /// The pieces and how often each is used, with its mirror twin where it may be mirrored.
    pub(super) members: Vec<Member>,
    /// How many placements of it an assembly has.
    pub(super) count: RangeInclusive<u32>,
    /// Its cells.
    pub(super) volume: usize,
    /// The form of the kind that is the same for all its pieces, and that of its mirror image.
    pub(super) form: Form,
    pub(super) mirrored: Form,
}

/// The least of the turned shapes, and whether mirror images count as well.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form(Shape, bool);

pub(super) struct Member {
    pub(super) piece: PieceId,
    pub(super) twin: Option<PieceId>,
    pub(super) count: RangeInclusive<u32>,
}

/// There are more placements than can be searched.
pub(super) struct TooMany;

impl Placements {
    pub(super) fn new(puzzle: &Puzzle) -> Result<Placements, TooMany> {
        let target = &puzzle.target;
        let cells: Vec<Cell> = target.filled.iter().chain(&target.optional).copied().collect();
        let grid = Grid::new(&cells);
        let mut placements = Placements {
            filled: target.filled.len(),
            kinds: kinds(puzzle),
            covered: Vec::new(),
            starts: vec![(0, 0)],
            kind_of: Vec::new(),
            cells,
        };
        for (number, kind) in (0..).zip(&placements.kinds) {
            let mut all: Vec<u32> = Vec::new();
            let shapes = if *kind.count.end() == 0 { BTreeSet::new() } else { kind.shapes(puzzle) };
            for shape in shapes {
                grid.place(&shape, MOST_PLACEMENTS, &mut all)?;
            }
            let mut sorted: Vec<&[u32]> = all.chunks_exact(kind.volume).collect();
            sorted.sort_unstable();
            placements.kind_of.extend(sorted.iter().map(|_| number));
            placements.covered.extend(sorted.iter().copied().flatten());
            placements.starts.push((placements.kind_of.len(), placements.covered.len()));
            if placements.len() > MOST_PLACEMENTS {
                return Err(TooMany);
            }
        }
        Ok(placements)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.kind_of.len()
    }

    /// The kind of that placement.
    pub(super) fn kind(&self, placement: u32) -> usize {
        self.kind_of[placement as usize] as usize
    }

    /// The placements of a kind.
    pub(super) fn of_kind(&self, kind: usize) -> std::ops::Range<u32> {
        self.starts[kind].0 as u32..self.starts[kind + 1].0 as u32
    }

    /// The cells of a placement, sorted.
    pub(super) fn covered(&self, placement: u32) -> &[u32] {
        let kind = self.kind(placement);
        let (first, start) = self.starts[kind];
        let volume = self.kinds[kind].volume;
        &self.covered[start + (placement as usize - first) * volume..][..volume]
    }

    /// The placement of that kind on those cells, which are to be sorted.
    pub(super) fn find(&self, kind: usize, cells: &[u32]) -> Option<u32> {
        let range = self.of_kind(kind);
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.covered(middle).cmp(cells) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The assembly of those placements, equal pieces in the order of their cells.
    pub(super) fn assembly(&self, puzzle: &Puzzle, chosen: &[u32]) -> Assembly {
        let mut sorted = chosen.to_vec();
        sorted.sort_unstable();
        let mut placements = Vec::with_capacity(sorted.len());
        for of_kind in sorted.chunk_by(|&a, &b| self.kind(a) == self.kind(b)) {
            let kind = &self.kinds[self.kind(of_kind[0])];
            // Every member as often as it must be, then the first members as often as they may.
            let mut spare = of_kind.len() as u32 - kind.members.iter().map(|member| member.count.start()).sum::<u32>();
            let copies = kind.members.iter().map(|member| {
                let more = spare.min(member.count.end() - member.count.start());
                spare -= more;
                (member, member.count.start() + more)
            });
            let mut left = of_kind.iter();
            for (member, copies) in copies {
                for &placement in left.by_ref().take(copies as usize) {
                    let cells: Vec<Cell> = self.covered(placement).iter().map(|&c| self.cells[c as usize]).collect();
                    let ids = [Some(member.piece), member.twin];
                    let found = ids.into_iter().flatten().find_map(|piece| lay(puzzle, piece, &cells));
                    placements.push(found.expect("a kind's placements are those of each of its pieces"));
                }
            }
        }
        placements.sort_unstable();
        Assembly { placements }
    }
}

impl Kind {
    /// The shapes that lie differently, in order.
    fn shapes(&self, puzzle: &Puzzle) -> BTreeSet<Shape> {
        let first = &self.members[0];
        let ids = [Some(first.piece), first.twin];
        let shapes = ids.into_iter().flatten().map(|piece| &puzzle.piece(piece).shape);
        shapes.flat_map(|shape| Orientation::all().map(|orientation| shape.turned(orientation))).collect()
    }
}

/// The pieces of each kind that has several.
pub(super) fn equal(puzzle: &Puzzle) -> Vec<Vec<PieceId>> {
    let several = kinds(puzzle).into_iter().filter(|kind| kind.members.len() > 1);
    several.map(|kind| kind.members.iter().map(|member| member.piece).collect()).collect()
}

fn kinds(puzzle: &Puzzle) -> Vec<Kind> {
    let twins: BTreeMap<PieceId, PieceId> =
        puzzle.ids().filter_map(|id| puzzle.piece(id).twin_of.map(|of| (of, id))).collect();
    let mut kinds: Vec<Kind> = Vec::new();
    for id in puzzle.ids().filter(|&id| puzzle.piece(id).twin_of.is_none()) {
        let (piece, twin) = (puzzle.piece(id), twins.get(&id).copied());
        let (own, other) = (least(&piece.shape), least(&piece.shape.mirrored()));
        let member = Member { piece: id, twin, count: piece.count.clone() };
        let (form, mirrored) = match twin {
            Some(_) => (Form(own.clone().min(other.clone()), true), Form(own.min(other), true)),
            None => (Form(own, false), Form(other, false)),
        };
        match kinds.iter_mut().find(|kind| kind.form == form) {
            Some(kind) => {
                let (a, b) = (&kind.count, &piece.count);
                kind.count = a.start().saturating_add(*b.start())..=a.end().saturating_add(*b.end());
                kind.members.push(member);
            }
            None => kinds.push(Kind {
                count: piece.count.clone(),
                volume: piece.shape.cells().len(),
                members: vec![member],
                form,
                mirrored,
            }),
        }
    }
    kinds
}

fn least(shape: &Shape) -> Shape {
    let turned = Orientation::all().map(|orientation| shape.turned(orientation));
    turned.min().expect("there are 24 orientations")
}

/// How the piece comes to fill those cells, if it can.
fn lay(puzzle: &Puzzle, piece: PieceId, cells: &[Cell]) -> Option<Placement> {
    let shape = &puzzle.piece(piece).shape;
    let wanted = Shape::new(cells.iter().copied()).ok()?;
    let orientation = Orientation::all().find(|&orientation| shape.turned(orientation) == wanted)?;
    let corner = |cells: &mut dyn Iterator<Item = Cell>| {
        cells.reduce(|a, b| Cell::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z)))
    };
    let from = corner(&mut shape.cells().iter().map(|&cell| orientation.turn(cell)))?;
    let to = corner(&mut cells.iter().copied())?;
    Some(Placement { piece, orientation, offset: to - from })
}

/// The numbers of the cells by place.
struct Grid {
    size: Cell,
    numbers: Vec<Option<u32>>,
}

impl Grid {
    fn new(cells: &[Cell]) -> Grid {
        let first = cells.first().copied().unwrap_or_default();
        let least = cells.iter().fold(first, |a, b| Cell::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z)));
        let most = cells.iter().fold(first, |a, b| Cell::new(a.x.max(b.x), a.y.max(b.y), a.z.max(b.z)));
        let size = most - least + Cell::new(1, 1, 1);
        let mut grid = Grid { size, numbers: vec![None; size.x as usize * size.y as usize * size.z as usize] };
        for (number, &cell) in (0..).zip(cells) {
            let index = grid.index(cell - least);
            grid.numbers[index] = Some(number);
        }
        grid
    }

    fn index(&self, cell: Cell) -> usize {
        (cell.x as usize * self.size.y as usize + cell.y as usize) * self.size.z as usize + cell.z as usize
    }

    /// Appends the cells of every place where the shape lies on numbered cells, each place sorted.
    fn place(&self, shape: &Shape, most: usize, all: &mut Vec<u32>) -> Result<(), TooMany> {
        let room = self.size - shape.size();
        let steps: Vec<usize> = match room.x.min(room.y).min(room.z) < 0 {
            true => return Ok(()),
            false => shape.cells().iter().map(|&cell| self.index(cell)).collect(),
        };
        for (x, y) in (0..=room.x).flat_map(|x| (0..=room.y).map(move |y| (x, y))) {
            for z in 0..=room.z {
                let at = self.index(Cell::new(x, y, z));
                let start = all.len();
                all.extend(steps.iter().map_while(|step| self.numbers[at + step]));
                if all.len() - start < steps.len() {
                    all.truncate(start);
                } else {
                    all[start..].sort_unstable();
                }
            }
            if all.len() > most * steps.len() {
                return Err(TooMany);
            }
        }
        Ok(())
    }
}
