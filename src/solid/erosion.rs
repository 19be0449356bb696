//! Clearance as erosion on a doubled grid, and the loops around what is left.
//!
//! An even index is the core of a cell, an odd one the gap between two cells; a box of that grid is solid when all the
//! cells that it touches are. Without an inset there are no gaps, and the boxes are the cells.

use std::collections::BTreeSet;

use super::dims::Dims;
use super::polycube::PolycubeError;
use crate::puzzle::grid::{Cell, Shape, Side, Square};

/// A vertex of the grid: the number of a plane along each axis.
pub(super) type Node = [i32; 3];

/// The solid boxes, by the number of their lower planes.
pub(super) struct Grid {
    boxes: BTreeSet<[i32; 3]>,
    doubled: bool,
    pitch: f64,
    inset: f64,
}

/// A maximal set of coplanar squares that hang together, and its loops.
pub(super) struct Patch {
    pub(super) side: Side,
    pub(super) boxes: Vec<[i32; 3]>,
    pub(super) loops: Vec<Vec<Corner>>,
}

/// Where a loop turns.
pub(super) struct Corner {
    pub(super) vertex: Node,
    pub(super) way_in: [i32; 3],
    pub(super) way_out: [i32; 3],
    pub(super) in_convex: bool,
    pub(super) out_convex: bool,
}

/// A unit edge of a loop.
#[derive(Clone, Copy)]
struct Border {
    from: Node,
    way: [i32; 3],
    convex: bool,
}

impl Grid {
    /// What the inset of `dims` leaves of a shape.
    pub(super) fn erode(shape: &Shape, dims: &Dims) -> Grid {
        let doubled = dims.inset() > 0.0;
        let mut boxes = BTreeSet::new();
        for &cell in shape.cells() {
            let at = cell.coordinates();
            if !doubled {
                boxes.insert(at);
                continue;
            }
            for gaps in 0..8 {
                let gap = |bits: i32| [bits & 1, bits >> 1 & 1, bits >> 2 & 1];
                let touched = (0..8).filter(|part| part & gaps == *part).map(gap);
                if touched.map(|[x, y, z]| cell + Cell::new(x, y, z)).all(|c| shape.contains(c)) {
                    boxes.insert(std::array::from_fn(|k| 2 * at[k] + gap(gaps)[k]));
                }
            }
        }
        Grid { boxes, doubled, pitch: dims.pitch(), inset: dims.inset() }
    }

    /// The coordinate of a plane in millimetres.
    pub(super) fn plane(&self, number: i32) -> f64 {
        if !self.doubled {
            return (f64::from(number) - 0.5) * self.pitch;
        }
        let cell = f64::from(number.div_euclid(2));
        if number % 2 == 0 { (cell - 0.5) * self.pitch + self.inset } else { (cell + 0.5) * self.pitch - self.inset }
    }

    /// A cell near a vertex.
    pub(super) fn cell(&self, vertex: Node) -> Cell {
        let of = |number: i32| if self.doubled { number.div_euclid(2) } else { number };
        Cell::new(of(vertex[0]), of(vertex[1]), of(vertex[2]))
    }

    /// The exposed square that this side of a box is the core of.
    pub(super) fn square(&self, at: [i32; 3], side: Side) -> Option<Square> {
        let is_core = !self.doubled || at.iter().all(|k| k % 2 == 0);
        is_core.then(|| Square { cell: self.cell(at), side })
    }

    /// In cubic millimetres.
    pub(super) fn volume(&self) -> f64 {
        let length = |k: i32| self.plane(k + 1) - self.plane(k);
        self.boxes.iter().map(|b| b.iter().map(|&k| length(k)).product::<f64>()).sum()
    }

    fn exposed(&self, at: [i32; 3], side: Side) -> bool {
        self.boxes.contains(&at) && !self.boxes.contains(&moved(at, step(side)))
    }

    /// The boundary, a plane part at a time.
    pub(super) fn patches(&self) -> Result<Vec<Patch>, PolycubeError> {
        let mut patches = Vec::new();
        for side in Side::ALL {
            let mut left: BTreeSet<[i32; 3]> =
                self.boxes.iter().copied().filter(|&at| self.exposed(at, side)).collect();
            while let Some(first) = left.pop_first() {
                let mut boxes = vec![first];
                let mut next = 0;
                while next < boxes.len() {
                    let at = boxes[next];
                    boxes.extend(across(side).into_iter().map(|way| moved(at, way)).filter(|b| left.remove(b)));
                    next += 1;
                }
                let borders = self.borders(&boxes, side)?;
                patches.push(Patch { side, boxes, loops: trace(borders, step(side)) });
            }
        }
        Ok(patches)
    }

    /// The unit edges around a plane part, its inside on their left.
    fn borders(&self, boxes: &[[i32; 3]], side: Side) -> Result<Vec<Border>, PolycubeError> {
        let normal = step(side);
        let mut borders = Vec::new();
        for &at in boxes {
            for out in across(side) {
                let beside = moved(at, out);
                if self.exposed(beside, side) {
                    continue;
                }
                let convex = !self.boxes.contains(&beside);
                if convex && self.boxes.contains(&moved(beside, normal)) {
                    return Err(PolycubeError::Touching(self.cell(at)));
                }
                let way = turn(normal, out);
                // The box is one unit along each axis; the edge starts at the corner that lies outwards and backwards.
                let from = std::array::from_fn(|k| at[k] + i32::from(normal[k] + out[k] - way[k] > 0));
                borders.push(Border { from, way, convex });
            }
        }
        Ok(borders)
    }
}

/// The loops of a plane part. Where two meet at a vertex, turning left keeps to the same square.
fn trace(mut borders: Vec<Border>, normal: [i32; 3]) -> Vec<Vec<Corner>> {
    borders.sort_by_key(|border| (border.from, border.way));
    let mut used = vec![false; borders.len()];
    let mut loops = Vec::new();
    while let Some(first) = used.iter().position(|used| !used) {
        let mut ring: Vec<Border> = Vec::new();
        let mut at = first;
        loop {
            used[at] = true;
            let border = borders[at];
            ring.push(border);
            let to = moved(border.from, border.way);
            let left = turn(normal, border.way);
            let begin = borders.partition_point(|b| b.from < to);
            let leaving = (begin..borders.len()).take_while(|&i| borders[i].from == to);
            match leaving.filter(|&i| !used[i]).max_by_key(|&i| along(borders[i].way, left)) {
                Some(next) => at = next,
                None => break,
            }
        }
        let corner = |i: usize| {
            let (one, next) = (ring[(i + ring.len() - 1) % ring.len()], ring[i]);
            let turns = one.way != next.way || one.convex != next.convex;
            turns.then_some(Corner {
                vertex: next.from,
                way_in: one.way,
                way_out: next.way,
                in_convex: one.convex,
                out_convex: next.convex,
            })
        };
        loops.push((0..ring.len()).filter_map(corner).collect());
    }
    loops
}

pub(super) fn step(side: Side) -> [i32; 3] {
    let Cell { x, y, z } = side.step();
    [x, y, z]
}

/// The four steps along a side.
fn across(side: Side) -> [[i32; 3]; 4] {
    let [u, v] = [(side.axis() + 1) % 3, (side.axis() + 2) % 3];
    let unit = |axis: usize, sign: i32| std::array::from_fn(|k| if k == axis { sign } else { 0 });
    [unit(u, -1), unit(u, 1), unit(v, -1), unit(v, 1)]
}

pub(super) fn moved(a: [i32; 3], b: [i32; 3]) -> [i32; 3] {
    std::array::from_fn(|k| a[k] + b[k])
}

/// `way` a quarter turn counter-clockwise as seen from where `normal` points: from outwards to along a loop, and from
/// along a loop to inwards.
pub(super) fn turn(normal: [i32; 3], way: [i32; 3]) -> [i32; 3] {
    let (n, w) = (normal, way);
    [n[1] * w[2] - n[2] * w[1], n[2] * w[0] - n[0] * w[2], n[0] * w[1] - n[1] * w[0]]
}

fn along(a: [i32; 3], b: [i32; 3]) -> i32 {
    (0..3).map(|k| a[k] * b[k]).sum()
}
