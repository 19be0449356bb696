//! The page of all puzzles in a folder: a picture, a name and a few facts of each, and a link.

use std::fmt::Write;

use super::html::{escaped, fill, grouped, href, name};
use crate::fingerprint::{fingerprint, source_hash};
use crate::json::{self, Deserialize};

/// A puzzle's folder.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name of the folder.
    pub folder: String,
    /// The name of its page.
    pub file: &'static str,
    /// The bytes of its report.
    pub report: Vec<u8>,
    /// The text of its page.
    pub page: String,
}

/// What is read of a report.
#[derive(Deserialize)]
struct Report {
    puzzle: String,
    target: [i32; 3],
    solve: Option<Solve>,
    pieces: Vec<Piece>,
}

#[derive(Deserialize)]
struct Solve {
    complete: bool,
    assemblies: u64,
}

#[derive(Deserialize)]
struct Piece {
    count: usize,
}

/// The page. Its last line is the fingerprint of what stands above, so that [`is_untouched`] can tell it from a page that
/// somebody else wrote.
pub fn collection(entries: &[Entry]) -> String {
    let cards: Vec<String> = entries.iter().filter_map(card).collect();
    let theme = include_str!("viewer/theme.js");
    let page = fill(
        include_str!("viewer/collection.html"),
        &[
            ("style-hash", &source_hash(super::STYLE.as_bytes())),
            ("theme-hash", &source_hash(theme.as_bytes())),
            ("style", super::STYLE),
            ("theme", theme),
            ("icons", super::ICONS),
            ("version", env!("CARGO_PKG_VERSION")),
            ("count", &cards.len().to_string()),
            ("cards", &cards.concat()),
        ],
    );
    format!("{page}{MARK}{} -->\n", fingerprint(page.as_bytes()))
}

/// Whether these bytes are a page that this program wrote and nobody has changed since.
pub fn is_untouched(bytes: &[u8]) -> bool {
    let Some((page, mark)) = std::str::from_utf8(bytes).ok().and_then(|text| text.rsplit_once(MARK)) else {
        return false;
    };
    mark.trim_end() == format!("{} -->", fingerprint(page.as_bytes()))
}

const MARK: &str = "<!-- cubewright ";

fn card(entry: &Entry) -> Option<String> {
    let report: Report = json::read(&entry.report)?;
    let picture = entry.page.find("<svg class=\"still\"").and_then(|start| {
        let end = entry.page[start..].find("</svg>")?;
        Some(&entry.page[start..start + end + "</svg>".len()])
    });
    let pieces: usize = report.pieces.iter().map(|piece| piece.count).sum();
    let [x, y, z] = report.target;
    let mut facts = vec![format!("{x} × {y} × {z}")];
    if pieces > 0 {
        facts.push(format!("{pieces} pieces"));
    }
    facts.extend(report.solve.map(|solve| match (solve.assemblies, solve.complete) {
        (0, _) => "no solution".to_owned(),
        (1, true) => "one solution".to_owned(),
        (many, true) => format!("{} solutions", grouped(many)),
        (many, false) => format!("{} solutions so far", grouped(many)),
    }));
    let mut out = String::new();
    let _ = write!(
        out,
        "<li><a href=\"{}\">{}<h2>{}</h2><p>{}</p></a></li>",
        href(&format!("{}/{}", entry.folder, entry.file)),
        picture.unwrap_or_default(),
        name(&report.puzzle),
        escaped(&facts.join(" · "))
    );
    Some(out)
}
