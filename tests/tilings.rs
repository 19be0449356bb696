//! Packings whose numbers of solutions follow from formulas, or from a count that goes cell by cell.

use std::collections::{BTreeMap, BTreeSet};

use cubewright::puzzle::parse::parse;
use cubewright::solve::{Options, solve};

/// The raw count of a puzzle with that box and those pieces: drawing and count.
fn raw(size: [u64; 3], pieces: &[(&str, &str)]) -> u64 {
    let [x, y, z] = size;
    let mut text = format!("cubewright = 1\nname = \"n\"\n[target]\nbox = [{x}, {y}, {z}]\n");
    for (number, (layers, count)) in pieces.iter().enumerate() {
        text += &format!("[[piece]]\nname = \"{number}\"\nlayers = [\"{layers}\"]\ncount = {count}\n");
    }
    let outcome = solve(&parse(&text).expect("a puzzle"), &Options::ALL).expect("a packing");
    assert!(outcome.complete);
    outcome.raw
}

/// How many ways there are to lay dominoes into a box so that every cell is covered, or, with `gaps`, any number of
/// cells: cell by cell, with the cells behind that a domino reaches already.
fn dominoes([x, y, z]: [u64; 3], gaps: bool) -> u64 {
    let layer = x * y;
    let mut states: BTreeMap<u64, u64> = BTreeMap::from([(0, 1)]);
    for cell in 0..layer * z {
        let mut next: BTreeMap<u64, u64> = BTreeMap::new();
        let mut reach = |taken: u64, ways: u64| *next.entry(taken >> 1).or_default() += ways;
        for (taken, ways) in states {
            if taken & 1 == 1 {
                reach(taken, ways);
                continue;
            }
            if gaps {
                reach(taken, ways);
            }
            let (column, row, floor) = (cell % x, cell / x % y, cell / layer);
            for (is_there, step) in [(column + 1 < x, 1), (row + 1 < y, x), (floor + 1 < z, layer)] {
                if is_there && taken >> step & 1 == 0 {
                    reach(taken | 1 << step, ways);
                }
            }
        }
        states = next;
    }
    states.get(&0).copied().unwrap_or(0)
}

type Xyz = [i64; 3];

/// All turns of some cells, each with its first cell, bottom and front first, at the origin.
fn turns(cells: &[Xyz]) -> BTreeSet<Vec<Xyz>> {
    let mut all = BTreeSet::new();
    let axes = [([0, 1, 2], 1), ([1, 2, 0], 1), ([2, 0, 1], 1), ([0, 2, 1], -1), ([2, 1, 0], -1), ([1, 0, 2], -1)];
    for (axes, parity) in axes {
        for signs in 0..8 {
            let sign = |axis: usize| if signs >> axis & 1 == 1 { -1 } else { 1 };
            if parity * sign(0) * sign(1) * sign(2) != 1 {
                continue;
            }
            let turned = cells.iter().map(|cell| [0, 1, 2].map(|axis| sign(axis) * cell[axes[axis]]));
            let mut turned: Vec<Xyz> = turned.collect();
            turned.sort_by_key(|&[x, y, z]| (z, y, x));
            let first = turned[0];
            all.insert(turned.iter().map(|cell| [0, 1, 2].map(|axis| cell[axis] - first[axis])).collect());
        }
    }
    all
}

/// In how many ways copies of pieces fill a box, so many of each: the first cell that is free is covered in every way,
/// and boxes that are filled alike are counted together.
fn fillings(size: Xyz, pieces: &[(&[Xyz], u32)]) -> u64 {
    let number = |[x, y, z]: Xyz| (z * size[1] + y) * size[0] + x;
    let turned: Vec<BTreeSet<Vec<Xyz>>> = pieces.iter().map(|(cells, _)| turns(cells)).collect();
    let mut states: BTreeMap<(u128, Vec<u32>), u64> =
        BTreeMap::from([((0, pieces.iter().map(|&(_, count)| count).collect()), 1)]);
    let all = (1 << size.iter().product::<i64>()) - 1;
    while let Some(((taken, left), ways)) = states.pop_first() {
        if taken == all {
            return ways;
        }
        let first = i64::from(taken.trailing_ones());
        let at = [first % size[0], first / size[0] % size[1], first / size[0] / size[1]];
        for (kind, turns) in turned.iter().enumerate().filter(|&(kind, _)| left[kind] > 0) {
            for turn in turns {
                let cells: Vec<Xyz> = turn.iter().map(|cell| [0, 1, 2].map(|axis| at[axis] + cell[axis])).collect();
                let mask: u128 =
                    cells.iter().filter(|cell| is_inside(cell, &size)).map(|&cell| 1 << number(cell)).sum();
                if mask.count_ones() as usize == cells.len() && mask & taken == 0 {
                    let mut left = left.clone();
                    left[kind] -= 1;
                    *states.entry((taken | mask, left)).or_default() += ways;
                }
            }
        }
    }
    0
}

fn is_inside(cell: &Xyz, size: &Xyz) -> bool {
    cell.iter().zip(size).all(|(&at, &size)| (0..size).contains(&at))
}

#[test]
fn copies_fill_boxes_in_as_many_ways_as_are_counted_together() {
    let bar: (&[Xyz], &str) = (&[[0, 0, 0], [1, 0, 0], [2, 0, 0]], "XXX");
    let corner: (&[Xyz], &str) = (&[[0, 0, 0], [1, 0, 0], [0, 1, 0]], "X./XX");
    let l: (&[Xyz], &str) = (&[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]], "X../XXX");
    let t: (&[Xyz], &str) = (&[[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]], ".X./XXX");
    let y: (&[Xyz], &str) = (&[[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0], [1, 1, 0]], ".X../XXXX");
    let p: (&[Xyz], &str) = (&[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [1, 1, 0]], "XX./XXX");
    for (size, pieces) in [
        ([8, 8, 1], vec![(l, 16)]),
        ([8, 8, 1], vec![(t, 16)]),
        ([10, 10, 1], vec![(y, 20)]),
        ([10, 7, 1], vec![(p, 14)]),
        ([6, 8, 1], vec![(bar, 8), (corner, 8)]),
        ([6, 6, 1], vec![(bar, 4), (l, 6)]),
        ([4, 4, 3], vec![(t, 12)]),
        ([3, 4, 5], vec![(y, 12)]),
    ] {
        let counted: Vec<(&[Xyz], u32)> = pieces.iter().map(|&((cells, _), count)| (cells, count)).collect();
        let counts: Vec<String> = pieces.iter().map(|(_, count)| count.to_string()).collect();
        let drawn: Vec<(&str, &str)> =
            pieces.iter().zip(&counts).map(|(((_, drawing), _), count)| (*drawing, &count[..])).collect();
        assert_eq!(raw(size.map(|size| size as u64), &drawn), fillings(size, &counted), "{size:?} {drawn:?}");
    }
}

#[test]
fn dominoes_fill_boxes_in_as_many_ways_as_a_count_cell_by_cell_finds() {
    // Kasteleyn 1961 and Fisher, Temperley 1961 for the chess board.
    assert_eq!(dominoes([8, 8, 1], false), 12_988_816);
    for size in [[2, 7, 1], [3, 4, 1], [6, 6, 1], [4, 7, 1], [2, 2, 2], [2, 2, 5], [2, 3, 4], [3, 3, 2], [2, 4, 4]] {
        let count = size.iter().product::<u64>() / 2;
        assert_eq!(raw(size, &[("XX", &count.to_string())]), dominoes(size, false), "{size:?}");
    }
    // 2 x 2 x n (OEIS A006253).
    assert_eq!([1, 2, 3, 4, 5].map(|n| raw([2, 2, n], &[("XX", &(2 * n).to_string())])), [2, 9, 32, 121, 450]);
}

#[test]
fn dominoes_and_single_cells_fill_boxes_in_as_many_ways_as_there_are_matchings() {
    for (size, known) in [([2, 2, 1], 7), ([2, 2, 2], 108), ([3, 3, 1], 131), ([4, 4, 1], 10_012)] {
        assert_eq!(dominoes(size, true), known);
        assert_eq!(raw(size, &[("X", "[0, 99]"), ("XX", "[0, 99]")]), known, "{size:?}");
    }
    for size in [[5, 3, 1], [3, 2, 2], [7, 2, 1]] {
        assert_eq!(raw(size, &[("X", "[0, 99]"), ("XX", "[0, 99]")]), dominoes(size, true), "{size:?}");
    }
}

#[test]
fn optional_cells_are_left_empty_in_every_way() {
    // Every cell but the first may stay empty: the matchings of the row in which the first is covered.
    for length in 2..12_usize {
        let text = format!(
            "cubewright = 1\nname = \"n\"\n[target]\nlayers = [\"X{}\"]\n[[piece]]\nname = \"bar\"\n\
             layers = [\"XX\"]\ncount = [1, 9]\n",
            "+".repeat(length - 1)
        );
        let outcome = solve(&parse(&text).expect("a puzzle"), &Options::ALL).expect("a packing");
        assert_eq!(outcome.raw, dominoes([length as u64 - 2, 1, 1], true), "{length}");
    }
}

#[test]
fn bars_fill_strips_as_recurrences_say() {
    // a(n) = a(n - 1) + a(n - k) for bars of k in a strip k wide.
    for (k, bar) in [(3, "XXX"), (4, "XXXX")] {
        let mut known = vec![1; k];
        for n in k..14 {
            known.push(known[n - 1] + known[n - k]);
            assert_eq!(raw([k as u64, n as u64, 1], &[(bar, &n.to_string())]), known[n], "{k} x {n}");
        }
    }
    // L-trominoes: each 2 x 3 block in two ways.
    for n in 1..6 {
        assert_eq!(raw([2, 3 * n, 1], &[("X./XX", &(2 * n).to_string())]), 1 << n);
    }
}

/// Korn and Pak, Tilings of rectangles with T-tetrominoes (2004): twice the Tutte polynomial of the m x n grid at (3, 3)
/// for a rectangle of 4m x 4n; 1, 3, 9 and 27 for paths, 42 for the square.
#[test]
fn t_tetrominoes_fill_rectangles_as_the_tutte_polynomial_says() {
    for (size, tutte) in [([4, 4, 1], 1), ([4, 8, 1], 3), ([4, 12, 1], 9), ([4, 16, 1], 27), ([8, 8, 1], 42)] {
        let count = size.iter().product::<u64>() / 4;
        assert_eq!(raw(size, &[("XXX/.X.", &count.to_string())]), 2 * tutte, "{size:?}");
    }
}
