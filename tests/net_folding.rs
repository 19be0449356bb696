//! Nets, folded back in space: they give the piece again.

use std::collections::BTreeMap;

use cubewright::net::unfold::{Crease, Edge, Tile, unfold};
use cubewright::puzzle::grid::{Cell, Shape, Side, Square, Turn};

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
    let mut places: Vec<_> = part.tiles.iter().map(|t| (t.row, t.column, t.square.side.name(), t.up.name())).collect();
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
    let turn =
        |side: Side, turn| net.parts()[0].tiles.iter().find(|t| t.square.side == side).map(|t| t.turn_on_sheet(turn));
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

/// Twelve cells that leave a net little room, x, y and z of each; only the ring through space takes two parts.
#[test]
fn twelve_cells_fold_back_whatever_they_are() {
    for (name, drawn, parts) in [
        ("frame", "000 100 200 300 010 310 020 320 030 130 230 330", 1),
        ("comb", "000 100 200 300 400 500 010 210 410 020 220 420", 1),
        ("screw", "000 100 200 210 220 221 121 021 011 012 002 102", 1),
        ("chimney", "000 100 200 010 210 020 001 101 201 011 211 021", 1),
        ("pits", "000 100 200 300 400 010 210 410 020 120 220 320", 1),
        ("arms", "000 100 200 300 400 010 020 030 040 001 002 003", 1),
        ("table", "001 101 201 011 111 211 021 121 221 000 200 120", 1),
        ("ring through space", "000 100 200 210 220 221 222 122 022 012 002 001", 2),
    ] {
        let digit = |digit: char| digit.to_digit(10).expect("a digit") as i32;
        let cell = |word: &str| word.chars().map(digit).collect::<Vec<_>>().try_into().expect("three digits");
        let cells: Vec<[i32; 3]> = drawn.split(' ').map(cell).collect();
        assert_eq!((cells.len(), fold_back(&shape(&cells))), (12, parts), "{name}");
    }
}

#[test]
fn random_polycubes_unfold_into_one_part_and_fold_back() {
    let mut state = 1u32;
    let mut random = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % below
    };
    for size in (2..=12).flat_map(|size| [size; 12]) {
        let mut cells = vec![Cell::ZERO];
        while cells.len() < size {
            let next = cells[random(cells.len())] + Side::ALL[random(6)].step();
            if !cells.contains(&next) {
                cells.push(next);
            }
        }
        assert_eq!(fold_back(&Shape::new(cells).expect("cells")), 1, "{size} cells");
    }
}
