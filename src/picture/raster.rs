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
            let first = row * size[0];
            for column in columns {
                let near = (at + slope * column as f64) as f32;
                let sample = first + column;
                if near > depth[sample] {
                    (depth[sample], facets[sample]) = (near, facet);
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
        let whole = |[x, y]: [usize; 2]| {
            let first = self.facet[y * SIDE * self.size[0] + x * SIDE];
            let row = |k: usize| &self.facet[(y * SIDE + k) * self.size[0] + x * SIDE..][..SIDE];
            (0..SIDE).all(|k| row(k).iter().all(|facet| *facet == first)).then_some(first)
        };
        let pixels = (0..down).flat_map(|y| (0..across).map(move |x| [x, y]));
        let whole: Vec<Option<u32>> = pixels.clone().map(whole).collect();
        let is_even = |[x, y]: [usize; 2]| {
            let at = |x: usize, y: usize| whole[y.min(down - 1) * across + x.min(across - 1)];
            let around = [at(x.saturating_sub(1), y), at(x + 1, y), at(x, y.saturating_sub(1)), at(x, y + 1)];
            at(x, y).is_some() && around.iter().all(|other| *other == at(x, y))
        };
        pixels.map(is_even).collect()
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
    if area == 0.0 {
        return;
    }
    let dx = ((b[2] - a[2]) * (c[1] - a[1]) - (c[2] - a[2]) * (b[1] - a[1])) / area;
    let dy = ((c[2] - a[2]) * (b[0] - a[0]) - (b[2] - a[2]) * (c[0] - a[0])) / area;
    let (low, high) = (a[1].min(b[1]).min(c[1]), a[1].max(b[1]).max(c[1]));
    let edges = [[a, b], [b, c], [c, a]];
    // The first and one past the last sample whose middle is between two bounds.
    let between = |low: f64, high: f64, count: usize| {
        let first = (low - 0.5).ceil().max(0.0) as usize;
        let end = ((high - 0.5).floor() + 1.0).clamp(0.0, count as f64) as usize;
        first..end
    };
    for row in between(low, high, size[1]) {
        let y = row as f64 + 0.5;
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        for [p, q] in edges.iter().filter(|[p, q]| (p[1] <= y) != (q[1] <= y)) {
            let x = p[0] + (q[0] - p[0]) * (y - p[1]) / (q[1] - p[1]);
            (left, right) = (left.min(x), right.max(x));
        }
        let at = a[2] + (0.5 - a[0]) * dx + (y - a[1]) * dy;
        span(row, between(left, right, size[0]), at, dx);
    }
}
