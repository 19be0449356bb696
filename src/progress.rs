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
        bar.set_prefix(printable(puzzle));
        Progress { bar }
    }

    /// Begins a stage of `steps` equal steps.
    pub fn stage(&self, name: &'static str, steps: u64) {
        let style =
            ProgressStyle::with_template("{prefix}: {msg} [{bar:30}] {percent:>3} %, {elapsed} gone, {eta} left");
        self.bar.set_style(style.expect("the template is well formed").progress_chars("=> "));
        // From here on the line renews itself, so that a long wait is seen to go on.
        self.bar.enable_steady_tick(Duration::from_millis(200));
        self.bar.set_message(name);
        self.bar.set_length(steps);
        self.bar.set_position(0);
        self.bar.reset_eta();
    }

    /// One step of the stage is done.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// A search is so many millionths through, after that many nodes.
    pub fn searched(&self, millionths: u64, nodes: u64) {
        self.bar.set_position(millionths);
        self.bar.set_message(format!("searching, {nodes} nodes"));
        if millionths == 0 {
            // Nothing is known of the time left yet, and a guess of 0 would be wrong.
            self.bar.reset_eta();
        }
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
