//! A shape -> flat parts of squares on a sheet, to be cut out, folded and glued.
//!
//! Columns run right and rows down, one square each. Directions on the sheet are named by the [`Turn`] of a mark whose
//! top points that way: upright is up, left is left. Squares are seen from outside the piece.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::puzzle::grid::{Shape, Side, Square, Turn};

/// The unfolded surface of a shape.
///
/// # Guarantees
/// Every exposed square lies in exactly one part. Two tiles that are neighbours on the sheet are joined by a fold, so
/// the place beside every other edge is free for a tab. Every seam has one tab and one bare edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    parts: Vec<Part>,
}

/// What hangs together on the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The squares, in the order in which they were laid down.
    pub tiles: Vec<Tile>,
    /// Squares across; columns count from 0.
    pub columns: i32,
    /// Squares down; rows count from 0.
    pub rows: i32,
}

/// A square on the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Which square of the shape.
    pub square: Square,
    /// Squares from the left.
    pub column: i32,
    /// Squares from the top.
    pub row: i32,
    /// The direction in space that points up on the sheet.
    pub up: Side,
    /// What is done along the edges, in the order of [`Turn::ALL`]: up, left, down, right.
    pub edges: [Edge; 4],
}

/// What is done along an edge of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The square beside it on the sheet hangs on here.
    Fold(Crease),
    /// A tab hangs on here, to be glued under the bare edge of the same seam.
    Tab {
        /// The number of the seam in this net.
        seam: usize,
        /// How the tab is folded.
        crease: Crease,
    },
    /// Cut; the tab of the same seam is glued under it.
    Bare {
        /// The number of the seam in this net.
        seam: usize,
    },
}

/// Which way the paper is folded, as seen from outside the piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crease {
    /// Away from the eye: an outward edge of the piece.
    Mountain,
    /// Not at all: both squares lie in one plane.
    Flat,
    /// Towards the eye: an inward edge of the piece.
    Valley,
}

/// Unfolds a shape into few and compact parts; a single cell into a cross with its front in the middle.
///
/// Each square in turn is the first of a spanning tree that grows greedily; the best tree is kept. That is no proof
/// that there is none with fewer parts.
pub fn unfold(shape: &Shape) -> Net {
    let surface = Surface::of(shape);
    let mut firsts: Vec<usize> = (0..surface.squares.len()).collect();
    firsts.sort_by_key(|&square| surface.squares[square].side != Side::Front);
    let tries = firsts.into_iter().flat_map(|square| Turn::ALL.map(|turn| (square, turn)));
    let size = |parts: &Vec<Part>| (parts.len(), parts.iter().map(|part| part.columns * part.rows).sum::<i32>());
    let best = tries.take(MOST_TRIES).map(|(square, turn)| surface.lay_out(square, turn)).min_by_key(size);
    let mut parts = best.expect("a shape has an exposed square");
    mark_edges(shape, &mut parts);
    Net { parts }
}

impl Net {
    /// The parts, the one with the first square of the search first.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

impl Tile {
    /// How a mark so turned on its side of the piece is turned on the sheet.
    pub fn turn_on_sheet(&self, turn: Turn) -> Turn {
        Turn::ALL[(turn as usize + 4 - self.turn() as usize) % 4]
    }

    /// The direction in space that points `towards` this direction on the sheet.
    fn heading(&self, towards: Turn) -> Side {
        quarters(self.turn(), towards).up(self.square.side)
    }

    /// The turn of the mark on this side of the piece that stands upright on the sheet.
    fn turn(&self) -> Turn {
        Turn::from_up(self.square.side, self.up).expect("up lies in the plane of the square")
    }
}

/// Keeps the time in bounds for pieces of hundreds of cells.
const MOST_TRIES: usize = 400;

/// One step on the sheet: columns, rows.
pub(super) const fn step(towards: Turn) -> (i32, i32) {
    [(0, -1), (-1, 0), (0, 1), (1, 0)][towards as usize]
}

/// The square across the edge of `square` that faces `heading`, where that direction leads on it, and the crease. Cells
/// that touch along an edge only are taken as apart there.
fn across(shape: &Shape, square: Square, heading: Side) -> (Square, Side, Crease) {
    let Square { cell, side } = square;
    let beside = cell + heading.step();
    let above = beside + side.step();
    match (shape.contains(beside), shape.contains(above)) {
        (false, _) => (Square { cell, side: heading }, side.opposite(), Crease::Mountain),
        (true, false) => (Square { cell: beside, side }, heading, Crease::Flat),
        (true, true) => (Square { cell: above, side: heading.opposite() }, side, Crease::Valley),
    }
}

/// The squares of a shape by number, and what lies over their edges.
struct Surface {
    /// Sorted.
    squares: Vec<Square>,
    /// By square, and by the turn of a mark on it whose top points to the edge.
    over: Vec<[Over; 4]>,
}

/// What lies over an edge of a square.
#[derive(Clone, Copy)]
struct Over {
    square: usize,
    /// The turn of a mark there whose top points away from the edge.
    turn: Turn,
    crease: Crease,
}

/// A square that could be laid on the sheet.
struct Candidate {
    square: usize,
    at: (i32, i32),
    /// The turn of a mark on it that stands upright on the sheet.
    turn: Turn,
}

impl Surface {
    fn of(shape: &Shape) -> Surface {
        let squares: Vec<Square> = shape.exposed().collect();
        let over = |&here: &Square| {
            Turn::ALL.map(|towards| {
                let (there, heading, crease) = across(shape, here, towards.up(here.side));
                let square = squares.binary_search(&there).expect("an edge leads to an exposed square");
                let turn = Turn::from_up(there.side, heading).expect("a heading lies in the plane of its square");
                Over { square, turn, crease }
            })
        };
        Surface { over: squares.iter().map(over).collect(), squares }
    }

    /// Lays all squares down, the first part from this square on. Edges are marked later.
    fn lay_out(&self, first: usize, turn: Turn) -> Vec<Part> {
        let mut left = vec![true; self.squares.len()];
        let mut parts = vec![self.grow(&mut left, first, turn)];
        while let Some(next) = left.iter().position(|&is_left| is_left) {
            parts.push(self.grow(&mut left, next, Turn::Upright));
        }
        parts
    }

    /// Takes squares from those that are left for as long as one can be laid beside another.
    fn grow(&self, left: &mut [bool], first: usize, turn: Turn) -> Part {
        let mut tiles: Vec<Tile> = Vec::new();
        let mut taken: BTreeMap<(i32, i32), usize> = BTreeMap::new();
        // Along the row before up and down: this makes the cross. Within one plane before over an edge: this keeps planes
        // whole.
        let mut queues = [VecDeque::new(), VecDeque::new(), VecDeque::new()];
        queues[0].push_back(Candidate { square: first, at: (0, 0), turn });
        while let Some(Candidate { square, at, turn }) = queues.iter_mut().find_map(VecDeque::pop_front) {
            let beside = |towards: Turn| (at.0 + step(towards).0, at.1 + step(towards).1);
            let over = |towards: Turn| self.over[square][quarters(turn, towards) as usize];
            let joins = |towards| taken.get(&beside(towards)).is_none_or(|&other| other == over(towards).square);
            if !left[square] || taken.contains_key(&at) || !Turn::ALL.into_iter().all(joins) {
                continue;
            }
            left[square] = false;
            taken.insert(at, square);
            for towards in [Turn::Right, Turn::Left, Turn::Upright, Turn::UpsideDown] {
                let Over { square, turn, crease } = over(towards);
                let queue = match (crease, towards) {
                    (Crease::Flat, _) => 0,
                    (_, Turn::Left | Turn::Right) => 1,
                    _ => 2,
                };
                if left[square] {
                    let turn = quarters(turn, opposite_quarter(towards));
                    queues[queue].push_back(Candidate { square, at: beside(towards), turn });
                }
            }
            let ((column, row), square) = (at, self.squares[square]);
            tiles.push(Tile { square, column, row, up: turn.up(square.side), edges: [Edge::Bare { seam: 0 }; 4] });
        }
        into_part(tiles)
    }
}

/// The part of these tiles, its columns and rows counted from 0.
fn into_part(mut tiles: Vec<Tile>) -> Part {
    let least = |along: fn(&Tile) -> i32| tiles.iter().map(along).min().unwrap_or(0);
    let (column, row) = (least(|tile| tile.column), least(|tile| tile.row));
    for tile in &mut tiles {
        tile.column -= column;
        tile.row -= row;
    }
    let most = |along: fn(&Tile) -> i32| 1 + tiles.iter().map(along).max().unwrap_or(0);
    Part { columns: most(|tile| tile.column), rows: most(|tile| tile.row), tiles }
}

/// Says of every edge whether it is folded, and of which seam it is else. Of the two edges of a seam the one whose tab
/// keeps the part compact gets it.
fn mark_edges(shape: &Shape, parts: &mut [Part]) {
    let mut open: BTreeMap<(Square, Side), OpenEdge> = BTreeMap::new();
    let mut order = Vec::new();
    for (p, part) in parts.iter_mut().enumerate() {
        let laid: BTreeSet<(i32, i32)> = part.tiles.iter().map(|tile| (tile.column, tile.row)).collect();
        for (t, tile) in part.tiles.iter_mut().enumerate() {
            for towards in Turn::ALL {
                let (column, row) = (tile.column + step(towards).0, tile.row + step(towards).1);
                let here = (tile.square, tile.heading(towards));
                let (square, heading, crease) = across(shape, here.0, here.1);
                if laid.contains(&(column, row)) {
                    tile.edges[towards as usize] = Edge::Fold(crease);
                    continue;
                }
                let juts_out = !(0..part.columns).contains(&column) || !(0..part.rows).contains(&row);
                open.insert(here, OpenEdge { part: p, tile: t, towards, juts_out });
                order.push((here, (square, heading.opposite()), crease));
            }
        }
    }
    let mut seam = 0;
    for (here, there, crease) in order {
        // Each seam comes by twice, once from either side.
        let (Some(one), Some(other)) = (open.remove(&here), open.remove(&there)) else { continue };
        seam += 1;
        let (tab, bare) = if one.juts_out && !other.juts_out { (other, one) } else { (one, other) };
        parts[tab.part].tiles[tab.tile].edges[tab.towards as usize] = Edge::Tab { seam, crease };
        parts[bare.part].tiles[bare.tile].edges[bare.towards as usize] = Edge::Bare { seam };
    }
}

struct OpenEdge {
    part: usize,
    tile: usize,
    towards: Turn,
    juts_out: bool,
}

/// Both turns, one after the other.
fn quarters(one: Turn, other: Turn) -> Turn {
    Turn::ALL[(one as usize + other as usize) % 4]
}

/// The turn that undoes this one.
fn opposite_quarter(turn: Turn) -> Turn {
    Turn::ALL[(4 - turn as usize) % 4]
}
