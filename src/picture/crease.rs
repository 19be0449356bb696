//! Darkness in creases and behind edges: where the surroundings are nearer to the eye than what is seen.
//!
//! Unsharp masking of the depths, after Luft, Colditz and Deussen, "Image enhancement by unsharp masking the depth
//! buffer", 2006. It stands for light that does not reach into corners, at a small part of the price.

use super::grid::Grid;
use super::raster::Samples;

/// The radius of the surroundings, as a share of the longer side of the picture.
const RADIUS: f64 = 0.008;
/// How dark the darkest crease is, 0 to 1.
const DARKEST: f32 = 0.3;

/// How dark each pixel is, 0 to 1. `scale`: pixels a millimetre.
pub(super) fn creases(samples: &Samples, size: [usize; 2], scale: f32) -> Grid {
    let radius = ((size[0].max(size[1]) as f64 * RADIUS) as usize).max(1);
    let (mut near, mut cover) = (Grid::filled(size, 0.0), Grid::filled(size, 0.0));
    for y in 0..size[1] {
        for x in 0..size[0] {
            if let Some((_, depth)) = samples.seen(Samples::middle([x, y])) {
                (near.values[y * size[0] + x], cover.values[y * size[0] + x]) = (depth, 1.0);
            }
        }
    }
    let depths = near.values.clone();
    near.blur(radius);
    cover.blur(radius);
    // A crease between two sides of a cube is about as deep as the surroundings are wide.
    let full = radius as f32 / scale;
    for (index, value) in near.values.iter_mut().enumerate() {
        let covered = cover.values[index].max(f32::MIN_POSITIVE);
        // Beside the ground the surroundings lie to one side and say nothing.
        let inner = (2.0 * covered - 1.0).max(0.0);
        *value = DARKEST * inner * ((*value / covered - depths[index]) / full).clamp(0.0, 1.0);
    }
    near
}
