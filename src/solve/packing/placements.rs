//! The kinds of piece of a packing puzzle, and every way to lay each of them into the target.
//!
//! Cells are numbered: those to be filled first, then those that may stay empty. Pieces that are equal up to rotation,
//! and up to a mirror where both may be mirrored, are one kind, unless the puzzle tells them apart; a kind is placed
//! without saying which of its pieces lies where. A tinted piece can lie on the same cells in ways that look different.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use crate::puzzle::Puzzle;
use crate::puzzle::assembly::{Assembly, Placement};
use crate::puzzle::grid::{Cell, Orientation};
use crate::puzzle::look::Look;
use crate::puzzle::packing_rules::TintId;
use crate::puzzle::piece::PieceId;

/// More placements than this are refused: their bits would not fit into the memory of a small machine.
const MOST_PLACEMENTS: usize = 1 << 22;
/// More cells of all placements are refused, and more cells of the pieces, which are turned in 48 ways each.
const MOST_COVERED: usize = 1 << 25;
const MOST_VOLUME: usize = 1 << 18;

/// What can lie where.
pub(super) struct Placements {
    /// The cells by number.
    pub(super) cells: Vec<Cell>,
    /// How many of them, from the first, must be filled.
    pub(super) filled: usize,
    /// Assemblies that cover fewer cells are none; 0 where that cannot be.
    pub(super) fewest: usize,
    /// In the order of their first pieces.
    pub(super) kinds: Vec<Kind>,
    /// The tints of the cells.
    pub(super) tints: Vec<Option<TintId>>,
    /// The cells of all placements, kind after kind, each placement sorted, the placements of a kind sorted, then by look.
    covered: Vec<u32>,
    /// The first placement of each kind and where its cells begin; one entry more than kinds.
    starts: Vec<(usize, usize)>,
    /// The kind of each placement, and its look among those of the kind.
    kind_of: Vec<u32>,
    look_of: Vec<u8>,
}

/// Pieces that are equal.
pub(super) struct Kind {
    /// The pieces and how often each is used, with its mirror twin where it may be mirrored.
    pub(super) members: Vec<Member>,
    /// How many placements of it an assembly has.
    pub(super) count: RangeInclusive<u32>,
    /// Its cells.
    pub(super) volume: usize,
    /// The ways that it can be turned, and mirrored where it may be, as far as they look different, in order.
    pub(super) looks: Vec<Look>,
    /// The form of the kind that is the same for all its pieces, and that of its mirror image.
    pub(super) form: Form,
    pub(super) mirrored: Form,
}

/// The least of the looks, and whether mirror images count as well.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form(Look, bool);

pub(super) struct Member {
    pub(super) piece: PieceId,
    pub(super) twin: Option<PieceId>,
    pub(super) count: RangeInclusive<u32>,
    /// How it comes to have each of the looks of its kind, found when it is first asked for.
    lies: Vec<OnceLock<Lie>>,
}

/// A piece turned, and the corner of the box around it as the turning leaves it.
#[derive(Clone, Copy)]
struct Lie {
    piece: PieceId,
    orientation: Orientation,
    corner: Cell,
}

/// There are more placements than can be searched, with those of that piece.
pub(super) struct TooMany(pub(super) PieceId);

impl Placements {
    pub(super) fn new(puzzle: &Puzzle) -> Result<Placements, TooMany> {
        if let Some(piece) = too_large(puzzle) {
            return Err(TooMany(piece));
        }
        let (target, tints) = (&puzzle.target, &puzzle.rules.packing.tints);
        let cells: Vec<Cell> = target.filled.iter().chain(&target.optional).copied().collect();
        let grid = Grid::new(&cells);
        let mut placements = Placements {
            filled: target.filled.len(),
            fewest: fewest(puzzle),
            kinds: kinds(puzzle),
            tints: cells.iter().map(|cell| tints.target.get(cell).copied()).collect(),
            covered: Vec::new(),
            starts: vec![(0, 0)],
            kind_of: Vec::new(),
            look_of: Vec::new(),
            cells,
        };
        for (number, kind) in (0..).zip(&placements.kinds) {
            let mut all: Vec<u32> = Vec::new();
            let mut looks: Vec<u8> = Vec::new();
            let too_many = || TooMany(kind.members[0].piece);
            let most_cells = (MOST_PLACEMENTS.saturating_mul(kind.volume)).min(MOST_COVERED - placements.covered.len());
            let most = if *kind.count.end() == 0 { 0 } else { kind.looks.len() };
            for (look_number, look) in (0..).zip(&kind.looks[..most]) {
                let allows =
                    |index: usize, cell: u32| tints.allows(look.cells()[index].1, placements.tints[cell as usize]);
                grid.place(look, allows, most_cells, &mut all).ok_or_else(too_many)?;
                looks.resize(all.len() / kind.volume, look_number);
            }
            let mut sorted: Vec<(&[u32], u8)> = all.chunks_exact(kind.volume).zip(looks).collect();
            sorted.sort_unstable();
            placements.kind_of.extend(sorted.iter().map(|_| number));
            placements.look_of.extend(sorted.iter().map(|placement| placement.1));
            placements.covered.extend(sorted.iter().flat_map(|placement| placement.0));
            placements.starts.push((placements.kind_of.len(), placements.covered.len()));
            if placements.len() > MOST_PLACEMENTS {
                return Err(too_many());
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

    /// The look of that placement among those of its kind.
    pub(super) fn look(&self, placement: u32) -> u8 {
        self.look_of[placement as usize]
    }

    /// The placement of that kind on those cells, which are to be sorted, with that look.
    pub(super) fn find(&self, kind: usize, cells: &[u32], look: u8) -> Option<u32> {
        let range = self.of_kind(kind);
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.covered(middle).cmp(cells).then(self.look(middle).cmp(&look)) {
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
                    let cells = self.covered(placement).iter().map(|&cell| self.cells[cell as usize]);
                    let corner = cells.reduce(Cell::least).expect("a piece has cells");
                    let look = usize::from(self.look(placement));
                    let lie = member.lies[look].get_or_init(|| member.lie(puzzle, &kind.looks[look]));
                    let &Lie { piece, orientation, .. } = lie;
                    placements.push(Placement { piece, orientation, offset: corner - lie.corner });
                }
            }
        }
        placements.sort_unstable();
        Assembly { placements }
    }
}

/// The piece with which the pieces have too many cells together.
fn too_large(puzzle: &Puzzle) -> Option<PieceId> {
    let mut cells = 0;
    puzzle.ids().find(|&id| {
        cells += puzzle.piece(id).shape.cells().len();
        cells > MOST_VOLUME
    })
}

/// The pieces of each kind that has several; not looked for where the pieces are too large.
pub(super) fn equal(puzzle: &Puzzle) -> Vec<Vec<PieceId>> {
    if too_large(puzzle).is_some() {
        return Vec::new();
    }
    let several = kinds(puzzle).into_iter().filter(|kind| kind.members.len() > 1);
    several.map(|kind| kind.members.iter().map(|member| member.piece).collect()).collect()
}

fn kinds(puzzle: &Puzzle) -> Vec<Kind> {
    let twins: BTreeMap<PieceId, PieceId> =
        puzzle.ids().filter_map(|id| puzzle.piece(id).twin_of.map(|of| (of, id))).collect();
    let mut kinds: Vec<Kind> = Vec::new();
    for id in puzzle.ids().filter(|&id| puzzle.piece(id).twin_of.is_none()) {
        let (piece, twin) = (puzzle.piece(id), twins.get(&id).copied());
        let look = puzzle.look(id);
        let (mut looks, mirrored) = (look.all(), look.turned(Orientation::IDENTITY, true).all());
        let (own, other) = (least(&looks), least(&mirrored));
        let (form, mirrored) = match twin {
            Some(_) => {
                looks.extend(mirrored);
                (Form(own.clone().min(other.clone()), true), Form(own.min(other), true))
            }
            None => (Form(own, false), Form(other, false)),
        };
        let lies = looks.iter().map(|_| OnceLock::new()).collect();
        let member = Member { piece: id, twin, count: piece.count.clone(), lies };
        let is_apart = puzzle.rules.packing.equal_apart;
        match kinds.iter_mut().find(|kind| !is_apart && kind.form == form) {
            Some(kind) => {
                let (a, b) = (&kind.count, &piece.count);
                kind.count = a.start().saturating_add(*b.start())..=a.end().saturating_add(*b.end());
                kind.members.push(member);
            }
            None => kinds.push(Kind {
                count: piece.count.clone(),
                volume: piece.shape.cells().len(),
                members: vec![member],
                looks: looks.into_iter().collect(),
                form,
                mirrored,
            }),
        }
    }
    kinds
}

/// How many cells must be covered at least. Where the pieces have one volume together there is nothing to ask, and
/// BurrTools does not.
fn fewest(puzzle: &Puzzle) -> usize {
    let varies = puzzle.pieces.iter().any(|piece| piece.count.start() < piece.count.end());
    let cells = puzzle.target.filled.len() + puzzle.target.optional.len();
    let most_empty = puzzle.rules.packing.most_empty.filter(|_| varies);
    most_empty.map_or(0, |most| cells.saturating_sub(most as usize))
}

fn least(looks: &BTreeSet<Look>) -> Look {
    looks.first().cloned().expect("there are 24 orientations")
}

impl Member {
    /// How the piece, or else its twin, comes to look so.
    fn lie(&self, puzzle: &Puzzle, look: &Look) -> Lie {
        let lie = |piece: PieceId| {
            let own = puzzle.look(piece);
            let orientation = Orientation::all().find(|&orientation| own.turned(orientation, false) == *look)?;
            let turned = puzzle.piece(piece).shape.cells().iter().map(|&cell| orientation.turn(cell));
            turned.reduce(Cell::least).map(|corner| Lie { piece, orientation, corner })
        };
        let pieces = [Some(self.piece), self.twin].into_iter().flatten();
        pieces.into_iter().find_map(lie).expect("a kind's looks are those of each of its pieces")
    }
}

/// The numbers of the cells by place.
struct Grid {
    size: Cell,
    numbers: Vec<Option<u32>>,
}

impl Grid {
    fn new(cells: &[Cell]) -> Grid {
        let first = cells.first().copied().unwrap_or_default();
        let least = cells.iter().copied().fold(first, Cell::least);
        let most = cells.iter().copied().fold(first, Cell::most);
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

    /// Appends the cells of every place where the look lies on numbered cells that allow it, each place sorted; `None`
    /// when that makes more than `most` cells.
    fn place(&self, look: &Look, allows: impl Fn(usize, u32) -> bool, most: usize, all: &mut Vec<u32>) -> Option<()> {
        let room = self.size - look.size();
        let steps: Vec<usize> = match room.x.min(room.y).min(room.z) < 0 {
            true => return Some(()),
            false => look.cells().iter().map(|&(cell, _)| self.index(cell)).collect(),
        };
        for (x, y) in (0..=room.x).flat_map(|x| (0..=room.y).map(move |y| (x, y))) {
            for z in 0..=room.z {
                let at = self.index(Cell::new(x, y, z));
                let start = all.len();
                let numbers = steps.iter().enumerate().map(|(index, step)| (index, self.numbers[at + step]));
                all.extend(numbers.map_while(|(index, number)| number.filter(|&number| allows(index, number))));
                if all.len() - start < steps.len() {
                    all.truncate(start);
                } else {
                    all[start..].sort_unstable();
                }
                if all.len() > most {
                    return None;
                }
            }
        }
        Some(())
    }
}
