//! The page of all puzzles in a folder: a picture, a name and a few facts of each, and a link.

use std::fmt::Write;

use super::html::{escaped, fill, grouped, href, name};
use super::squeeze;
use super::still::renamed;
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
    solutions: Option<u64>,
}

#[derive(Deserialize)]
struct Piece {
    count: usize,
}

/// The page. Its last line is the fingerprint of what stands above, so that [`is_untouched`] can tell it from a page that
/// somebody else wrote.
pub fn collection(entries: &[Entry]) -> String {
    let cards: Vec<String> = entries.iter().filter_map(card).collect();
    let style = squeeze::style(super::STYLE);
    let page = fill(
        include_str!("viewer/collection.html"),
        &[
            ("style-hash", &source_hash(style.as_bytes())),
            ("theme-hash", &source_hash(super::THEME.as_bytes())),
            ("style", &style),
            ("theme", super::THEME),
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
    // The drawing and the marks that it uses, as they stand in the page.
    let svg = |class: &str| {
        let rest = &entry.page[entry.page.find(&format!("<svg class=\"{class}\""))?..];
        Some(renamed(&rest[..rest.find("</svg>")? + "</svg>".len()], &entry.folder))
    };
    let picture: String = ["marks defs", "still"].into_iter().filter_map(svg).collect();
    let pieces: usize = report.pieces.iter().map(|piece| piece.count).sum();
    let [x, y, z] = report.target;
    let mut facts = vec![format!("{x} × {y} × {z}")];
    if pieces > 0 {
        facts.push(format!("{pieces} pieces"));
    }
    let solutions = |solve: &Solve| solve.solutions.filter(|&solutions| solutions > 0).unwrap_or(solve.assemblies);
    facts.extend(report.solve.map(|solve| match (solutions(&solve), solve.complete) {
        (0, true) => "no solution".to_owned(),
        (0, false) => "no solution so far".to_owned(),
        (1, _) => "one solution".to_owned(),
        (many, true) => format!("{} solutions", grouped(many)),
        (many, false) => format!("{} solutions so far", grouped(many)),
    }));
    let mut out = String::new();
    let _ = write!(
        out,
        "<li><a href=\"{}\">{}<h2>{}</h2><p>{}</p></a></li>",
        href(&format!("{}/{}", entry.folder, entry.file)),
        picture,
        name(&report.puzzle),
        escaped(&facts.join(" · "))
    );
    Some(out)
}
