//! The at most 256 colours of a picture, and how ink blends with what it covers, in palette numbers.

use std::collections::BTreeSet;

use super::drawing::{Item, PAPER, is_upright_rectangle};
use crate::puzzle::colour::Colour;

/// The colours of a picture: the pure ones, paper first, then for each ink on each ground that it may touch a ramp from
/// one to the other.
pub(super) struct Palette {
    pub(super) colours: Vec<Colour>,
    pure: usize,
    /// Steps of a ramp, both ends left out.
    steps: usize,
    /// Numbers of ground and ink.
    ramps: Vec<[u8; 2]>,
}

impl Palette {
    /// Sixteen shares of ink cannot be told from more at any resolution that we draw.
    const MOST_STEPS: usize = 15;
    /// As many as a byte numbers.
    const MOST_COLOURS: usize = 256;

    /// The palette of a page.
    pub(super) fn of(items: &[Item]) -> Palette {
        let mut pure = vec![PAPER];
        let mut pairs = BTreeSet::new();
        for item in items {
            let colour = match item {
                Item::Fill { points, colour } if is_upright_rectangle(points) => *colour,
                // A slanted border runs between its fill and the paper.
                Item::Fill { colour, .. } => {
                    pairs.extend([[*colour, Colour::INK], [PAPER, Colour::INK]]);
                    *colour
                }
                Item::Line { colour, .. } => *colour,
                Item::Text { colour, on, .. } => {
                    pairs.insert([*on, *colour]);
                    *colour
                }
            };
            if !pure.contains(&colour) {
                pure.push(colour);
            }
        }
        // A picture of more colours than that shows the nearest of those it has.
        pure.truncate(Palette::MOST_COLOURS);
        let steps = (Palette::MOST_COLOURS - pure.len()) / pairs.len().max(1);
        let mut palette =
            Palette { pure: pure.len(), colours: pure, steps: steps.min(Palette::MOST_STEPS), ramps: vec![] };
        for [ground, ink] in pairs {
            palette.ramps.push([palette.index(ground), palette.index(ink)]);
            let mixed = |step: usize| {
                let share = |from: u8, to: u8| {
                    let all = palette.steps + 1;
                    ((usize::from(from) * (all - step) + usize::from(to) * step + all / 2) / all) as u8
                };
                Colour::new(share(ground.red, ink.red), share(ground.green, ink.green), share(ground.blue, ink.blue))
            };
            let ramp: Vec<Colour> = (1..=palette.steps).map(mixed).collect();
            palette.colours.extend(ramp);
        }
        palette
    }

    /// The number of the pure colour that is nearest to this one.
    pub(super) fn index(&self, colour: Colour) -> u8 {
        let square = |a: u8, b: u8| i32::from(a.abs_diff(b)).pow(2);
        let away = |c: &Colour| square(c.red, colour.red) + square(c.green, colour.green) + square(c.blue, colour.blue);
        (0..self.pure).min_by_key(|&k| away(&self.colours[k])).unwrap_or(0) as u8
    }

    /// The number of the colour where a share of `ink` covers what was there.
    pub(super) fn mix(&self, old: u8, ink: u8, share: f32) -> u8 {
        let mut step = (share.clamp(0.0, 1.0) * (self.steps + 1) as f32).round() as usize;
        let mut ground = old;
        if let Some(place) = usize::from(old).checked_sub(self.pure) {
            let (ramp, covered) = (self.ramps[place / self.steps], place % self.steps + 1);
            if ramp[1] == ink {
                step = step.max(covered);
                ground = ramp[0];
            } else {
                ground = if 2 * covered > self.steps { ramp[1] } else { ramp[0] };
            }
        }
        match (step, self.ramps.iter().position(|&ramp| ramp == [ground, ink])) {
            (0, _) => ground,
            (step, Some(ramp)) if step <= self.steps => (self.pure + ramp * self.steps + step - 1) as u8,
            (step, None) if 2 * step <= self.steps => ground,
            _ => ink,
        }
    }
}
