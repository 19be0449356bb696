//! Which facet is seen at each sample: triangles with depth.

/// Samples along each side of a pixel.
pub(super) const SIDE: usize = 3;

/// What is seen at each sample of a picture.
pub(super) struct Samples {
    size: [usize; 2],
    depth: Vec<f32>,
    facet: Vec<u32>,
}

/// How wide outlines are, in samples.
const OUTLINE: usize = 3;
/// Nothing is seen.
const NONE: u32 = u32::MAX;

impl Samples {
    pub(super) fn new(size: [usize; 2]) -> Samples {
        let count = size[0] * size[1];
        Samples { size, depth: vec![f32::NEG_INFINITY; count], facet: vec![NONE; count] }
    }

    /// Shows a triangle where it is nearer than what was there: corners across, down and towards the eye.
    pub(super) fn cover(&mut self, facet: u32, corners: [[f64; 3]; 3]) {
        let Samples { size, depth, facet: facets } = self;
        spans(*size, corners, |row, columns, at, slope| {
            let first = columns.start as u32;
            let row = row * size[0]..(row + 1) * size[0];
            let depths = depth[row.clone()][columns.clone()].iter_mut();
            let seen = facets[row][columns].iter_mut();
            for (column, (depth, seen)) in (first..).zip(depths.zip(seen)) {
                let near = (at + slope * f64::from(column)) as f32;
                if near > *depth {
                    (*depth, *seen) = (near, facet);
                }
            }
        });
    }

    /// The places of the samples of a pixel.
    pub(super) fn of_pixel(pixel: [usize; 2]) -> impl Iterator<Item = [usize; 2]> {
        (0..SIDE * SIDE).map(move |k| [pixel[0] * SIDE + k % SIDE, pixel[1] * SIDE + k / SIDE])
    }

    /// The sample in the middle of a pixel.
    pub(super) fn middle(pixel: [usize; 2]) -> [usize; 2] {
        pixel.map(|k| k * SIDE + SIDE / 2)
    }

    /// Of each pixel, whether one facet alone is seen in it and in those beside, above and below it.
    pub(super) fn even(&self) -> Vec<bool> {
        let [across, down] = self.size.map(|samples| samples / SIDE);
        // The one facet of a pixel, or what is none.
        let mut whole = vec![None; across * down];
        for (y, rows) in self.facet.chunks_exact(SIDE * self.size[0]).enumerate() {
            for x in 0..across {
                let first = rows[x * SIDE];
                let is_whole = (0..SIDE).all(|k| rows[k * self.size[0] + x * SIDE..][..SIDE] == [first; SIDE]);
                whole[y * across + x] = is_whole.then_some(first);
            }
        }
        let mut even = Vec::with_capacity(whole.len());
        for y in 0..down {
            let row = |y: usize| &whole[y * across..][..across];
            let (above, here, below) = (row(y.saturating_sub(1)), row(y), row((y + 1).min(down - 1)));
            even.extend((0..across).map(|x| {
                let around = [above[x], below[x], here[x.saturating_sub(1)], here[(x + 1).min(across - 1)]];
                here[x].is_some() && around == [here[x]; 4]
            }));
        }
        even
    }

    /// Which facet is seen there, and how near.
    pub(super) fn seen(&self, [column, row]: [usize; 2]) -> Option<(u32, f32)> {
        let sample = row * self.size[0] + column;
        (self.facet[sample] != NONE).then(|| (self.facet[sample], self.depth[sample]))
    }

    /// What is seen a little to the left, to the right, above and below.
    pub(super) fn around(&self, [column, row]: [usize; 2]) -> [Option<(u32, f32)>; 4] {
        let [right, below] = [column + OUTLINE, row + OUTLINE];
        [
            self.seen([column.saturating_sub(OUTLINE), row]),
            self.seen([right.min(self.size[0] - 1), row]),
            self.seen([column, row.saturating_sub(OUTLINE)]),
            self.seen([column, below.min(self.size[1] - 1)]),
        ]
    }
}

/// The samples whose middle lies in a triangle, row by row: columns, the depth at column 0 and its slope.
pub(super) fn spans(
    size: [usize; 2],
    [a, b, c]: [[f64; 3]; 3],
    mut span: impl FnMut(usize, std::ops::Range<usize>, f64, f64),
) {
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let mut by_height = [a, b, c];
    by_height.sort_unstable_by(|p, q| p[1].total_cmp(&q[1]));
    let [top, middle, bottom] = by_height;
    let rows = between(top[1], bottom[1], size[1]);
    if area == 0.0 || rows.is_empty() {
        return;
    }
    let dx = ((b[2] - a[2]) * (c[1] - a[1]) - (c[2] - a[2]) * (b[1] - a[1])) / area;
    let dy = ((c[2] - a[2]) * (b[0] - a[0]) - (b[2] - a[2]) * (c[0] - a[0])) / area;
    // Always from above, so that two triangles find the same place on the edge between them.
    let edge = |p: [f64; 3], q: [f64; 3]| {
        let slope = (q[0] - p[0]) / (q[1] - p[1]);
        move |y: f64| p[0] + (y - p[1]) * slope
    };
    let (long, upper, lower) = (edge(top, bottom), edge(top, middle), edge(middle, bottom));
    for row in rows {
        let y = row as f64 + 0.5;
        let (one, other) = (long(y), if y < middle[1] { upper(y) } else { lower(y) });
        let at = a[2] + (0.5 - a[0]) * dx + (y - a[1]) * dy;
        span(row, between(one.min(other), one.max(other), size[0]), at, dx);
    }
}

/// The first and one past the last sample whose middle is between two bounds. By hand: rounding is a call where the
/// processor is not known to have an instruction for it.
fn between(low: f64, high: f64, count: usize) -> std::ops::Range<usize> {
    let (low, high) = (low - 0.5, high - 0.5);
    if high < 0.0 {
        return 0..0;
    }
    let below = low as u32;
    let first = (below + u32::from(f64::from(below) < low)) as usize;
    let end = (high as usize + 1).min(count);
    first.min(end)..end
}
