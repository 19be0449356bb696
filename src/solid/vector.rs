//! Vectors in space, in millimetres: the few operations that solids need.

use crate::puzzle::grid::Cell;

/// Coordinates along x, y, z.
pub type Vector = [f64; 3];

/// A cell, or a step between cells, as a vector in cells.
pub fn vector(cell: Cell) -> Vector {
    cell.coordinates().map(f64::from)
}

/// The sum.
pub fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The way from `b` to `a`.
pub fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The vector `factor` times as long.
pub fn scale(a: Vector, factor: f64) -> Vector {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

/// The scalar product.
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The cross product.
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The direction out of a triangle whose corners run counter-clockwise as seen from there; `None` when it has no area.
pub fn normal([a, b, c]: [Vector; 3]) -> Option<Vector> {
    let across = cross(sub(b, a), sub(c, a));
    (dot(across, across) > 0.0).then(|| unit(across))
}

/// The vector of length 1 in the same direction; of a vector that has one.
pub fn unit(a: Vector) -> Vector {
    scale(a, 1.0 / dot(a, a).sqrt())
}
