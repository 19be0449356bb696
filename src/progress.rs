//! What a person at a terminal sees while they wait. Nothing is shown where stderr is no terminal.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::words;

/// A line at the bottom of the terminal that goes when it is dropped.
pub struct Progress {
    bar: ProgressBar,
    /// When the search had its first nodes.
    searching: OnceLock<Instant>,
}

/// What is left of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Seconds since it began.
    pub gone: f64,
    /// Seconds to its end at the speed so far.
    pub left: f64,
}

impl Progress {
    /// A line for the puzzle of that name.
    pub fn new(puzzle: &str) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        bar.set_prefix(printable(puzzle));
        Progress { bar, searching: OnceLock::new() }
    }

    /// Begins a stage of `steps` equal steps.
    pub fn stage(&self, name: &'static str, steps: u64) {
        self.begin("{prefix}: {msg} [{bar:30}] {percent:>3} %, {elapsed} gone, {eta} left", name, steps);
        self.bar.reset_eta();
    }

    /// One step of the stage is done.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// Begins a search.
    pub fn search(&self) {
        self.begin("{prefix}: {msg} [{bar:30}] {percent:>3} %, {elapsed} gone", "planning the search", 1_000_000);
    }

    /// A search is so many millionths through, after that many nodes of about `expected`; what is left of it, once that
    /// can be told.
    pub fn searched(&self, millionths: u64, nodes: u64, expected: Option<u64>) -> Option<Forecast> {
        if nodes == 0 {
            return None;
        }
        let gone = self.searching.get_or_init(Instant::now).elapsed().as_secs_f64();
        let share = expected.map_or(millionths as f64 / 1e6, |expected| nodes as f64 / expected.max(nodes) as f64);
        let forecast = (gone >= 1.0 && share > 0.0).then(|| Forecast { gone, left: gone * (1.0 - share) / share });
        let left = forecast.map(|forecast| format!(", about {} left", words::time(forecast.left))).unwrap_or_default();
        self.bar.set_position(millionths);
        self.bar.set_message(format!("searching, {} nodes{left}", words::number(nodes)));
        forecast
    }

    /// Does something that writes to stderr itself.
    pub fn aside(&self, act: impl FnOnce()) {
        self.bar.suspend(act);
    }

    fn begin(&self, template: &str, message: &'static str, steps: u64) {
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        self.bar.set_style(style.progress_chars("=> "));
        // From here on the line renews itself, so that a long wait is seen to go on.
        self.bar.enable_steady_tick(Duration::from_millis(200));
        self.bar.set_message(message);
        self.bar.set_length(steps);
        self.bar.set_position(0);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A text from a file, without what could move the cursor or turn the line around.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if is_harmless(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

fn is_harmless(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
