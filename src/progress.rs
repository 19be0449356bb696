//! What a person at a terminal sees while they wait. Nothing is shown where stderr is no terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line at the bottom of the terminal that goes when it is dropped.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A line for the puzzle of that name.
    pub fn new(puzzle: &str) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        // A fast stage should not flash by: the line appears with its first tick.
        bar.enable_steady_tick(Duration::from_millis(200));
        bar.set_prefix(printable(puzzle));
        Progress { bar }
    }

    /// Begins a stage of `steps` equal steps.
    pub fn stage(&self, name: &'static str, steps: u64) {
        let style = ProgressStyle::with_template("{prefix}: {msg} [{bar:30}] {percent:>3} % {eta} left");
        self.bar.set_style(style.expect("the template is well formed").progress_chars("=> "));
        self.bar.set_message(name);
        self.bar.set_length(steps);
        self.bar.set_position(0);
        self.bar.reset_eta();
    }

    /// One step of the stage is done.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// So many steps of the stage are done.
    pub fn at(&self, steps: u64) {
        self.bar.set_position(steps);
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
