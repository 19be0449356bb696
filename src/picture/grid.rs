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
        let [across, down] = self.size;
        for _ in 0..TIMES {
            for row in self.values.chunks_exact_mut(across) {
                blur_line(row, radius);
            }
            let mut column = vec![0.0; down];
            for x in 0..across {
                column.iter_mut().enumerate().for_each(|(y, value)| *value = self.values[y * across + x]);
                blur_line(&mut column, radius);
                column.iter().enumerate().for_each(|(y, value)| self.values[y * across + x] = *value);
            }
        }
    }

    /// Blended between the four points around a place; 0 outside.
    pub(super) fn at(&self, x: f64, y: f64) -> f32 {
        let ([left, top], [right, down]) = ([x.floor(), y.floor()], [x - x.floor(), y - y.floor()].map(|k| k as f32));
        let value = |x: f64, y: f64| {
            let inside = x >= 0.0 && y >= 0.0 && x < self.size[0] as f64 && y < self.size[1] as f64;
            if inside { self.values[y as usize * self.size[0] + x as usize] } else { 0.0 }
        };
        let upper = value(left, top) * (1.0 - right) + value(left + 1.0, top) * right;
        let lower = value(left, top + 1.0) * (1.0 - right) + value(left + 1.0, top + 1.0) * right;
        upper * (1.0 - down) + lower * down
    }
}

fn blur_line(line: &mut [f32], radius: usize) {
    let before = line.to_vec();
    let at = |index: usize| f64::from(before.get(index).copied().unwrap_or(0.0));
    // In double precision what is added and taken away again leaves no trace.
    let mut sum: f64 = (0..radius).map(at).sum();
    for (index, value) in line.iter_mut().enumerate() {
        sum += at(index + radius);
        *value = (sum / (2 * radius + 1) as f64) as f32;
        if let Some(first) = index.checked_sub(radius) {
            sum -= at(first);
        }
    }
}
