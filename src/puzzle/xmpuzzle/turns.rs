//! The numbers that BurrTools gives to the 24 orientations.

use crate::puzzle::grid::Orientation;

/// The orientation of that number: number `4a + b` turns `b` times about x, then as the row `a` of [`THEN`] says.
/// Mirrored orientations have numbers from 24, which are never stored.
pub(super) fn orientation(number: usize) -> Option<Orientation> {
    let then = THEN.get(number / 4)?;
    let about_x = [[1, 0, 0], [0, 0, -1], [0, 1, 0]];
    let matrix = (0..number % 4).fold(IDENTITY, |turned, _| multiply(about_x, turned));
    let matrix = multiply(*then, matrix);
    Orientation::all().find(|orientation| orientation.matrix() == matrix)
}

type Matrix = [[i32; 3]; 3];

const IDENTITY: Matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/// (x, y, z) becomes itself, (-z, y, x), (-x, y, -z), (z, y, -x), (-y, x, z), (y, -x, z).
const THEN: [Matrix; 6] = [
    IDENTITY,
    [[0, 0, -1], [0, 1, 0], [1, 0, 0]],
    [[-1, 0, 0], [0, 1, 0], [0, 0, -1]],
    [[0, 0, 1], [0, 1, 0], [-1, 0, 0]],
    [[0, -1, 0], [1, 0, 0], [0, 0, 1]],
    [[0, 1, 0], [-1, 0, 0], [0, 0, 1]],
];

fn multiply(a: Matrix, b: Matrix) -> Matrix {
    a.map(|row| [0, 1, 2].map(|column| (0..3).map(|i| row[i] * b[i][column]).sum()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::puzzle::grid::Cell;

    #[test]
    fn every_orientation_has_one_number() {
        let all: BTreeSet<Orientation> = (0..Orientation::COUNT).filter_map(orientation).collect();
        assert_eq!(all.len(), Orientation::COUNT);
        assert_eq!(orientation(Orientation::COUNT), None);
        // The example of the description.
        assert_eq!(orientation(5).map(|five| five.turn(Cell::new(1, 2, 3))), Some(Cell::new(-2, -3, 1)));
    }
}
