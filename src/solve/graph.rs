//! The graph method for a stack of cubies: a vertex for each symbol, an edge for each pair of opposite faces, named after
//! its cubie (F. de Carteblanche, 1947). What is in front and behind is a
//! sub-graph with one edge of each cubie in which no symbol has more than two ends; so is what is left and right; and
//! the two share no edge.

use std::collections::BTreeMap;

use super::views::stack_axis;
use crate::puzzle::Puzzle;
use crate::puzzle::assembly::Assembly;
use crate::puzzle::grid::{Cell, Side, Square};
use crate::puzzle::piece::PieceId;

/// The cubies of a solved stack as edges, from its low end to its high one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// One a cubie.
    pub cubies: Vec<Edges>,
    /// The sides at the ends of the first and of the second sub-graph: front and back, left and right.
    pub sides: [[Side; 2]; 2],
    /// How many sub-graphs there are that could be either; `None` when there are too many to be counted.
    pub subgraphs: Option<u64>,
    /// How many pairs of them share no edge.
    pub pairs: Option<u64>,
}

/// The three edges of a cubie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edges {
    /// Which cubie.
    pub piece: PieceId,
    /// The symbols at both ends, as its sides stand in the stack: those of the first sub-graph, of the second, and those
    /// that are hidden. `None` for a blank face.
    pub ends: [[Option<String>; 2]; 3],
}

/// Choices beyond this many are not tried.
const MOST_CHOICES: u64 = 1_000_000;

/// The graph of a solved stack; `None` when the puzzle is none, or its long sides need not be all different.
pub fn graph(puzzle: &Puzzle, assembly: &Assembly) -> Option<Graph> {
    let along = stack_axis(puzzle).filter(|_| puzzle.rules.sides.all_different)?;
    // Front and back first where there are such sides.
    let across: Vec<usize> = [1, 0, 2].into_iter().filter(|&axis| axis != along).collect();
    let sides = |axis: usize| [Side::ALL[2 * axis], Side::ALL[2 * axis + 1]];
    let mut placements = assembly.placements.clone();
    placements.sort_unstable_by_key(|placement| placement.offset);
    let edges = |placement: &crate::puzzle::assembly::Placement| {
        let shown = |side: Side| {
            let own = placement.orientation.inverse().side(side);
            let mark = puzzle.piece(placement.piece).marks.get(&Square { cell: Cell::ZERO, side: own });
            mark.map(|mark| mark.text.clone())
        };
        let ends = [across[0], across[1], along].map(|axis| sides(axis).map(shown));
        Edges { piece: placement.piece, ends }
    };
    let cubies: Vec<Edges> = placements.iter().map(edges).collect();
    let subgraphs = subgraphs(&cubies);
    let pairs = subgraphs.as_ref().and_then(|all| disjoint_pairs(all));
    let sides = [sides(across[0]), sides(across[1])];
    Some(Graph { cubies, sides, subgraphs: subgraphs.map(|all| all.len() as u64), pairs })
}

/// The choices of one edge of each cubie that give no symbol more than two ends.
fn subgraphs(cubies: &[Edges]) -> Option<Vec<Vec<usize>>> {
    let mut found: Vec<(Vec<usize>, BTreeMap<&str, usize>)> = vec![(Vec::new(), BTreeMap::new())];
    let mut tried = 0;
    for cubie in cubies {
        let mut longer = Vec::new();
        for (chosen, ends) in &found {
            for (edge, pair) in cubie.ends.iter().enumerate() {
                tried += 1;
                let mut ends = ends.clone();
                pair.iter().flatten().for_each(|symbol| *ends.entry(symbol).or_default() += 1);
                if ends.values().all(|&count| count <= 2) {
                    longer.push(([&chosen[..], &[edge]].concat(), ends));
                }
            }
        }
        found = longer;
        if tried > MOST_CHOICES {
            return None;
        }
    }
    Some(found.into_iter().map(|(chosen, _)| chosen).collect())
}

fn disjoint_pairs(subgraphs: &[Vec<usize>]) -> Option<u64> {
    if (subgraphs.len() as u64).pow(2) > MOST_CHOICES {
        return None;
    }
    let share_none = |a: &[usize], b: &[usize]| a.iter().zip(b).all(|(a, b)| a != b);
    let pairs = subgraphs.iter().enumerate().map(|(k, a)| subgraphs[..k].iter().filter(|b| share_none(a, b)).count());
    Some(pairs.sum::<usize>() as u64)
}
