//! The soft shadow of a scene on the ground under it.

use super::grid::Grid;
use super::raster::spans;
use super::view::View;
use crate::solid::vector::{Vector, dot};

/// How dark the ground is, 0 to 1, on a grid.
pub(super) struct Shadow {
    dark: Grid,
    /// The corner of the grid, in millimetres.
    corner: [f64; 2],
    /// Millimetres from point to point.
    step: f64,
    /// Where the ground is.
    height: f64,
}

/// Points along the longer side of the grid.
const POINTS: f64 = 160.0;
/// How far the blur of an edge reaches, in points.
const BLUR: usize = 4;

impl Shadow {
    /// The shadow of these triangles in the light that the view comes with.
    pub(super) fn of(bodies: &[[Vector; 3]], view: &View) -> Shadow {
        let height = bodies.iter().flatten().map(|corner| corner[2]).fold(f64::INFINITY, f64::min);
        let light = view.light();
        let on_ground = |corner: &Vector| {
            let up = corner[2] - height;
            [corner[0] - up * light[0] / light[2], corner[1] - up * light[1] / light[2]]
        };
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for [x, y] in bodies.iter().flatten().map(on_ground) {
            (low, high) = ([low[0].min(x), low[1].min(y)], [high[0].max(x), high[1].max(y)]);
        }
        let step = (high[0] - low[0]).max(high[1] - low[1]) / POINTS;
        let room = 2.0 * BLUR as f64 + 1.0;
        let size = [0, 1].map(|k| ((high[k] - low[k]) / step + 2.0 * room).ceil() as usize);
        let corner = low.map(|k| k - room * step);
        let mut dark = Grid::filled(size, 0.0);
        for triangle in bodies {
            let points = triangle.map(|point| {
                let [x, y] = on_ground(&point);
                [(x - corner[0]) / step, (y - corner[1]) / step, 0.0]
            });
            spans(size, points, |row, columns, _, _| dark.values[row * size[0]..][columns].fill(1.0));
        }
        dark.blur(BLUR);
        Shadow { dark, corner, step, height }
    }

    /// How dark the ground is where the eye sees that point of a view, in millimetres.
    pub(super) fn dark(&self, view: &View, seen: [f64; 2]) -> f32 {
        let (eye, towards) = (view.point(seen), view.towards());
        let far = (self.height - dot(eye, [0.0, 0.0, 1.0])) / towards[2];
        let place = [0, 1].map(|k| (eye[k] + far * towards[k] - self.corner[k]) / self.step - 0.5);
        self.dark.at(place[0], place[1])
    }
}
