//! What the program says: results on stdout, messages on stderr, those about a puzzle file with the line that is meant.

use std::fmt::Display;
use std::io::{self, Write};

use cubewright::batch::BatchError;
use cubewright::input::Source;
use cubewright::progress::printable;
use cubewright::puzzle::parse::{ParseError, place_of_setting};
use cubewright::puzzle::settings::Settings;
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};

/// A message has been written: all that is left is the exit code.
pub(crate) struct Failed;

/// Writes to stdout. A reader that has seen enough, such as `head`, ends the program without a word.
pub(crate) fn say(text: &str) -> Result<(), Failed> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(complain(format!("cannot write to stdout: {error}"))),
    }
}

/// Writes an error to stderr, in one line.
pub(crate) fn complain(error: impl Display) -> Failed {
    message("error", &error.to_string());
    Failed
}

/// Writes an error about a puzzle file as a whole.
pub(crate) fn about(source: &Source, error: impl Display) -> Failed {
    complain(format!("{}: {error}", source.label))
}

/// Writes an error of a build: with the line of the puzzle file that it is about, or with the flag that caused it.
pub(crate) fn blame(source: &Source, flags: &Settings, error: &BatchError) -> Failed {
    let text = error.to_string();
    let Some(setting) = error.setting() else { return about(source, text) };
    if flags.has(setting) {
        return about(source, format!("--{}: {text}", setting.replace('_', "-")));
    }
    match place_of_setting(&source.text, setting) {
        Some(span) => {
            let (message, help) = text.split_once(": ").or_else(|| text.split_once("; ")).unwrap_or((&text, ""));
            point(source, &ParseError { span, message: message.to_owned(), help: help.to_owned() })
        }
        None => about(source, text),
    }
}

pub(crate) fn warn(warning: &str) {
    message("warning", warning);
}

/// What is good to know, but no result.
pub(crate) fn note(text: &str) {
    message("note", text);
}

fn message(kind: &str, text: &str) {
    // Nobody is left to tell when stderr is closed.
    let _ = writeln!(io::stderr(), "{kind}: {}", printable(text));
}

/// Shows a complaint about a puzzle file with the line that it is about.
pub(crate) fn point(source: &Source, error: &ParseError) -> Failed {
    let (line, column) = error.line_column(&source.text);
    let around = source.text.lines().nth(line - 1).unwrap_or_default();
    // A line that is far too long for a screen is not shown; neither is what could move the cursor.
    if around.len() > 400 {
        return complain(format!("{}:{line}:{column}: {error}", source.label));
    }
    let shown: String = source.text.chars().flat_map(shown).collect();
    let mut diagnostic =
        MietteDiagnostic::new(printable(&error.message)).with_label(LabeledSpan::underline(error.span.clone()));
    if !error.help.is_empty() {
        diagnostic = diagnostic.with_help(printable(&error.help));
    }
    let report = Report::new(diagnostic).with_source_code(NamedSource::new(printable(&source.label), shown));
    let _ = writeln!(io::stderr(), "{report:?}");
    Failed
}

/// A character as it may go to a terminal, over as many bytes as before, so that places stay where they are.
fn shown(c: char) -> impl Iterator<Item = char> {
    let harmless = c == '\n' || c == '\t' || printable(c.encode_utf8(&mut [0; 4])).starts_with(c);
    std::iter::repeat_n(if harmless { c } else { '?' }, if harmless { 1 } else { c.len_utf8() })
}
