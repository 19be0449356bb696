//! Numbers on a grid, and their blur.

/// A number at each point of a grid.
pub(super) struct Grid {
    /// Points across and down.
    pub(super) size: [usize; 2],
    /// Row by row.
    pub(super) values: Vec<f32>,
}

/// As often is a box run over a grid: twice make a tent, and no edge is seen.
const TIMES: usize = 2;

impl Grid {
    pub(super) fn filled(size: [usize; 2], value: f32) -> Grid {
        Grid { size, values: vec![value; size[0] * size[1]] }
    }

    /// Each number becomes the mean of those so far around it; beyond the edge are zeros.
    pub(super) fn blur(&mut self, radius: usize) {
        for _ in 0..TIMES {
            self.values.chunks_exact_mut(self.size[0]).for_each(|row| blur_row(row, radius));
            blur_columns(&mut self.values, self.size[0], radius);
        }
    }

    /// Blended between the four points around a place; 0 outside.
    pub(super) fn at(&self, x: f64, y: f64) -> f32 {
        // Counted from a point before the first, so that what is cut off is rounded down.
        let place = [x + 1.0, y + 1.0];
        if !(0..2).all(|k| place[k] >= 0.0 && place[k] < self.size[k] as f64 + 1.0) {
            return 0.0;
        }
        let [column, row] = place.map(|k| k as usize);
        let [right, down] = [place[0] - column as f64, place[1] - row as f64].map(|k| k as f32);
        let value = |column: usize, row: usize| {
            let inside = (1..=self.size[0]).contains(&column) && (1..=self.size[1]).contains(&row);
            if inside { self.values[(row - 1) * self.size[0] + column - 1] } else { 0.0 }
        };
        let upper = value(column, row) * (1.0 - right) + value(column + 1, row) * right;
        let lower = value(column, row + 1) * (1.0 - right) + value(column + 1, row + 1) * right;
        upper * (1.0 - down) + lower * down
    }
}

fn blur_row(row: &mut [f32], radius: usize) {
    let before = row.to_vec();
    let at = |index: usize| f64::from(before.get(index).copied().unwrap_or(0.0));
    // In double precision what is added and taken away again leaves no trace.
    let mut sum: f64 = (0..radius).map(at).sum();
    for (index, value) in row.iter_mut().enumerate() {
        sum += at(index + radius);
        *value = mean(sum, radius);
        if let Some(first) = index.checked_sub(radius) {
            sum -= at(first);
        }
    }
}

/// All columns at once, row by row: so they lie side by side in memory.
fn blur_columns(values: &mut [f32], across: usize, radius: usize) {
    let before = values.to_vec();
    let row = |index: usize| before.chunks_exact(across).nth(index).unwrap_or_default();
    let mut sums = vec![0.0; across];
    for index in 0..radius {
        sums.iter_mut().zip(row(index)).for_each(|(sum, value)| *sum += f64::from(*value));
    }
    for (index, line) in values.chunks_exact_mut(across).enumerate() {
        sums.iter_mut().zip(row(index + radius)).for_each(|(sum, value)| *sum += f64::from(*value));
        line.iter_mut().zip(&sums).for_each(|(value, &sum)| *value = mean(sum, radius));
        if let Some(first) = index.checked_sub(radius) {
            sums.iter_mut().zip(row(first)).for_each(|(sum, value)| *sum -= f64::from(*value));
        }
    }
}

fn mean(sum: f64, radius: usize) -> f32 {
    (sum / (2 * radius + 1) as f64) as f32
}
