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
    let mut firsts: Vec<Square> = shape.exposed().collect();
    firsts.sort_by_key(|square| square.side != Side::Front);
    let tries = firsts.into_iter().flat_map(|square| Turn::ALL.map(|turn| (square, turn.up(square.side))));
    let size = |parts: &Vec<Part>| (parts.len(), parts.iter().map(|part| part.columns * part.rows).sum::<i32>());
    let best = tries.take(MOST_TRIES).map(|(square, up)| lay_out(shape, square, up)).min_by_key(size);
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

/// Lays all squares down, the first part from this square on. Edges are marked later.
fn lay_out(shape: &Shape, first: Square, up: Side) -> Vec<Part> {
    let mut left: BTreeSet<Square> = shape.exposed().collect();
    let mut parts = vec![grow(shape, &mut left, first, up)];
    while let Some(&next) = left.first() {
        parts.push(grow(shape, &mut left, next, next.side.up()));
    }
    parts
}

/// Takes squares from `left` for as long as one can be laid beside another.
fn grow(shape: &Shape, left: &mut BTreeSet<Square>, first: Square, up: Side) -> Part {
    let edges = [Edge::Bare { seam: 0 }; 4];
    let mut tiles: Vec<Tile> = Vec::new();
    let mut taken: BTreeMap<(i32, i32), Square> = BTreeMap::new();
    // Along the row before up and down: this makes the cross. Within one plane before over an edge: this keeps planes
    // whole.
    let mut queues = [VecDeque::new(), VecDeque::new(), VecDeque::new()];
    queues[0].push_back(Tile { square: first, column: 0, row: 0, up, edges });
    while let Some(tile) = queues.iter_mut().find_map(VecDeque::pop_front) {
        let at = (tile.column, tile.row);
        let beside = |towards: Turn| (at.0 + step(towards).0, at.1 + step(towards).1);
        let joins = |towards| {
            let there = taken.get(&beside(towards));
            there.is_none_or(|&other| other == across(shape, tile.square, tile.heading(towards)).0)
        };
        if taken.contains_key(&at) || !left.contains(&tile.square) || !Turn::ALL.into_iter().all(joins) {
            continue;
        }
        left.remove(&tile.square);
        taken.insert(at, tile.square);
        for towards in [Turn::Right, Turn::Left, Turn::Upright, Turn::UpsideDown] {
            let (square, heading, crease) = across(shape, tile.square, tile.heading(towards));
            let turn = Turn::from_up(square.side, heading).expect("a heading lies in the plane of its square");
            let up = quarters(turn, opposite_quarter(towards)).up(square.side);
            let (column, row) = beside(towards);
            let queue = match (crease, towards) {
                (Crease::Flat, _) => 0,
                (_, Turn::Left | Turn::Right) => 1,
                _ => 2,
            };
            queues[queue].push_back(Tile { square, column, row, up, edges });
        }
        tiles.push(tile);
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::grid::Cell;

    type Vector = [i32; 3];

    /// Where a tile lies in space, in half cells.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Place {
        centre: Vector,
        right: Vector,
        up: Vector,
        out: Vector,
    }

    fn vector(cell: Cell) -> Vector {
        [cell.x, cell.y, cell.z]
    }

    fn sum(a: Vector, b: Vector) -> Vector {
        std::array::from_fn(|i| a[i] + b[i])
    }

    fn minus(a: Vector) -> Vector {
        a.map(|c| -c)
    }

    fn cross(a: Vector, b: Vector) -> Vector {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    }

    /// Where the tile says that it lies.
    fn claimed(tile: &Tile) -> Place {
        let (out, up) = (vector(tile.square.side.step()), vector(tile.up.step()));
        let centre = sum(vector(tile.square.cell).map(|c| 2 * c), out);
        Place { centre, right: cross(up, out), up, out }
    }

    /// The direction in space of an edge of a tile at this place.
    fn outward(place: Place, edge: usize) -> Vector {
        [place.up, minus(place.right), minus(place.up), place.right][edge]
    }

    /// Folds the paper beyond an edge.
    fn folded(place: Place, edge: usize, crease: Crease) -> Place {
        let ahead = outward(place, edge);
        let (onward, out) = match crease {
            Crease::Mountain => (minus(place.out), ahead),
            Crease::Flat => (ahead, place.out),
            Crease::Valley => (place.out, minus(ahead)),
        };
        let centre = sum(sum(place.centre, ahead), onward);
        let (right, up) = match edge {
            0 => (place.right, onward),
            1 => (minus(onward), place.up),
            2 => (place.right, minus(onward)),
            _ => (onward, place.up),
        };
        Place { centre, right, up, out }
    }

    /// Folds the net back and compares with the shape; says how many parts there are.
    fn fold_back(shape: &Shape) -> usize {
        let net = unfold(shape);
        let mut squares = Vec::new();
        let mut seams: BTreeMap<usize, Vec<(bool, Vector)>> = BTreeMap::new();
        for part in net.parts() {
            let mut places: BTreeMap<(i32, i32), Place> = BTreeMap::new();
            let tiles: BTreeMap<(i32, i32), &Tile> = part.tiles.iter().map(|t| ((t.column, t.row), t)).collect();
            assert_eq!(tiles.len(), part.tiles.len(), "tiles overlap");
            let first = &part.tiles[0];
            places.insert((first.column, first.row), claimed(first));
            let mut walk = vec![(first.column, first.row)];
            while let Some((column, row)) = walk.pop() {
                let (tile, place) = (tiles[&(column, row)], places[&(column, row)]);
                assert!((0..part.columns).contains(&column) && (0..part.rows).contains(&row));
                assert_eq!(place, claimed(tile));
                squares.push(tile.square);
                for (edge, (dx, dy)) in [(0, -1), (-1, 0), (0, 1), (1, 0)].into_iter().enumerate() {
                    let beside = (column + dx, row + dy);
                    match tile.edges[edge] {
                        Edge::Fold(crease) => {
                            let there = folded(place, edge, crease);
                            if *places.entry(beside).or_insert_with(|| (walk.push(beside), there).1) != there {
                                panic!("the ring of tiles at {beside:?} does not close");
                            }
                        }
                        Edge::Tab { seam, crease } => {
                            assert!(!tiles.contains_key(&beside));
                            let middle = sum(place.centre, outward(place, edge));
                            seams.entry(seam).or_default().push((true, middle));
                            // The square that the tab is glued under lies where the folded tab does.
                            let there = folded(place, edge, crease);
                            let under = |s: Square| {
                                let out = vector(s.side.step());
                                (sum(vector(s.cell).map(|c| 2 * c), out), out) == (there.centre, there.out)
                            };
                            assert!(shape.exposed().any(under));
                        }
                        Edge::Bare { seam } => {
                            assert!(!tiles.contains_key(&beside));
                            seams.entry(seam).or_default().push((false, sum(place.centre, outward(place, edge))));
                        }
                    }
                }
            }
        }
        squares.sort_unstable();
        assert_eq!(squares, shape.exposed().collect::<Vec<_>>(), "every square once");
        for (seam, edges) in seams {
            assert!(seam > 0);
            assert_eq!(edges.len(), 2);
            assert_ne!(edges[0].0, edges[1].0, "one tab a seam");
            assert_eq!(edges[0].1, edges[1].1, "both edges of a seam meet");
        }
        net.parts().len()
    }

    fn shape(cells: &[[i32; 3]]) -> Shape {
        Shape::new(cells.iter().map(|c| Cell::new(c[0], c[1], c[2]))).expect("cells")
    }

    #[test]
    fn a_cube_unfolds_into_the_cross_and_folds_back() {
        let net = unfold(&Shape::cube());
        let [part] = net.parts() else { panic!("one part") };
        assert_eq!((part.columns, part.rows), (4, 3));
        let mut places: Vec<_> =
            part.tiles.iter().map(|t| (t.row, t.column, t.square.side.name(), t.up.name())).collect();
        places.sort_unstable();
        let expected = [
            (0, 1, "top", "back"),
            (1, 0, "left", "top"),
            (1, 1, "front", "top"),
            (1, 2, "right", "top"),
            (1, 3, "back", "top"),
            (2, 1, "bottom", "front"),
        ];
        assert_eq!(places, expected);
        let edges = || part.tiles.iter().flat_map(|tile| tile.edges);
        assert_eq!(edges().filter(|e| *e == Edge::Fold(Crease::Mountain)).count(), 2 * 5);
        assert_eq!(edges().filter(|e| matches!(e, Edge::Tab { .. })).count(), 7);
        assert_eq!(edges().filter(|e| matches!(e, Edge::Bare { .. })).count(), 7);
        assert_eq!(fold_back(&Shape::cube()), 1);
    }

    #[test]
    fn marks_keep_their_sense_on_the_sheet() {
        let net = unfold(&Shape::cube());
        let turn = |side: Side, turn| {
            net.parts()[0].tiles.iter().find(|t| t.square.side == side).map(|t| t.turn_on_sheet(turn))
        };
        for side in [Side::Front, Side::Left, Side::Right, Side::Back, Side::Top] {
            for on_piece in Turn::ALL {
                assert_eq!(turn(side, on_piece), Some(on_piece));
            }
        }
        // The base of an upright mark at the bottom is towards the front, which is up on the sheet.
        assert_eq!(turn(Side::Bottom, Turn::Upright), Some(Turn::UpsideDown));
        assert_eq!(turn(Side::Bottom, Turn::Left), Some(Turn::Right));
    }

    #[test]
    fn polycubes_fold_back() {
        let soma: [&[[i32; 3]]; 7] = [
            &[[0, 0, 0], [1, 0, 0], [0, 1, 0]],
            &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]],
            &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]],
            &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]],
            &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
            &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 1]],
            &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 1]],
        ];
        assert_eq!(soma.map(|cells| fold_back(&shape(cells))), [1; 7]);
        let ring = shape(&[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [2, 1, 0], [0, 2, 0], [1, 2, 0], [2, 2, 0]]);
        assert_eq!(fold_back(&ring), 2);
        let touching = shape(&[[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1]]);
        assert_eq!(fold_back(&touching), 1);
        let hollow = (0..27).filter(|&i| i != 13).map(|i| Cell::new(i % 3, i / 3 % 3, i / 9));
        assert_eq!(fold_back(&Shape::new(hollow).expect("cells")), 2, "the cavity is a part of its own");
    }
}
