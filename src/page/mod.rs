//! The page of a puzzle: one HTML file with the models, the solutions and the viewer in it, which asks for nothing else.
//!
//! What can be read without a script is plain HTML made here: drawing, pieces, nets, facts, files. The sources of the
//! viewer in `viewer/` are put behind it without their comments, one after the other in one function scope, and are given
//! the models as JSON. A content security policy names them by their SHA-256, so that no other script can ever run.

mod about;
mod collection;
mod data;
mod files;
mod html;
mod net;
mod pieces;
mod squeeze;
mod still;

use crate::fingerprint::source_hash;
use crate::net::layout::Layout;
use crate::puzzle::Puzzle;
use crate::puzzle::assembly::{Assembly, Placement};
use crate::puzzle::grid::{Cell, Orientation};
use crate::puzzle::moves::WayApart;
use crate::report::Written;
use crate::solid::dims::Dims;
use crate::solid::model::Model;
use crate::solid::scene::Transform;
use crate::solve::Outcome;

pub use collection::{Entry, collection, is_untouched};
use html::{escaped, fill};

/// What a page shows.
pub struct Page<'a> {
    /// The puzzle.
    pub puzzle: &'a Puzzle,
    /// What the search found.
    pub outcome: &'a Outcome,
    /// The models of the pieces, in their order.
    pub models: &'a [Model],
    /// How each piece lies on the bed of a printer.
    pub beds: Vec<Transform>,
    /// How the pieces were made.
    pub dims: &'a Dims,
    /// By how much the pitch of the assemblies is larger than that of the pieces, in millimetres.
    pub spread: f64,
    /// How each assembly comes apart, where that is known.
    pub ways: &'a [Option<WayApart>],
    /// The nets of the pieces, for the outlines of the marks.
    pub layout: &'a Layout,
    /// The names of the files of each piece, without folder and ending: models, then nets.
    pub piece_files: Vec<[String; 2]>,
    /// Every other file of the folder but the report.
    pub files: &'a [Written],
}

/// The bytes of the page.
pub fn page(page: &Page<'_>) -> String {
    let puzzle = page.puzzle;
    let (style, script) = (squeeze::style(STYLE), script());
    let shown = page.shown();
    let (still, legend) = (still::of_whole(page, &shown), pieces::legend(page, &shown));
    fill(
        &squeeze::template(include_str!("viewer/page.html")),
        &[
            ("title", &escaped(&puzzle.name)),
            ("summary", &escaped(&about::summary(page))),
            ("version", env!("CARGO_PKG_VERSION")),
            ("style-hash", &source_hash(style.as_bytes())),
            ("theme-hash", &source_hash(THEME.as_bytes())),
            ("script-hash", &source_hash(script.as_bytes())),
            ("style", &style),
            ("theme", THEME),
            ("icons", ICONS),
            ("by", &about::by(puzzle)),
            ("chips", &about::chips(page)),
            ("still", &still),
            ("symbols", &(still::symbols(puzzle, page.layout) + &still::squares(&[&still, &legend]))),
            ("legend", &legend),
            ("printing", &pieces::printing(page, &shown)),
            ("about", &about::about(page)),
            ("files", &files::list(page)),
            ("data", &data::json(page, &shown)),
            ("script", &script),
        ],
    )
}

impl Page<'_> {
    /// The first assembly; where there is none, the pieces side by side.
    fn shown(&self) -> Assembly {
        self.outcome.found.first().cloned().unwrap_or_else(|| side_by_side(self.puzzle))
    }
}

/// The pieces on the floor in rows, one cell apart.
fn side_by_side(puzzle: &Puzzle) -> Assembly {
    let size = |id| puzzle.piece(id).shape.size();
    let longest = puzzle.ids().map(|id| size(id).x).max().unwrap_or(1);
    let across = (puzzle.pieces.len() as f64).sqrt().ceil() as i32 * (longest + 1);
    let (mut at, mut behind) = (Cell::ZERO, 0);
    let mut place = |piece| {
        if at.x > 0 && at.x + size(piece).x > across {
            at = Cell::new(0, behind + 1, 0);
        }
        let placement = Placement { piece, orientation: Orientation::IDENTITY, offset: at };
        behind = behind.max(at.y + size(piece).y);
        at.x += size(piece).x + 1;
        placement
    };
    Assembly { placements: puzzle.ids().map(&mut place).collect() }
}

const STYLE: &str = include_str!("viewer/style.css");
const ICONS: &str = include_str!("viewer/icons.svg");
/// Runs before anything is drawn, so that the page does not flash in the other colours.
const THEME: &str = include_str!("viewer/theme.js");
/// In the order in which they use each other.
const SCRIPTS: [&str; 11] = [
    include_str!("viewer/vector.js"),
    include_str!("viewer/data.js"),
    include_str!("viewer/steps.js"),
    include_str!("viewer/camera.js"),
    include_str!("viewer/renderer.js"),
    include_str!("viewer/picking.js"),
    include_str!("viewer/state.js"),
    include_str!("viewer/stage.js"),
    include_str!("viewer/player.js"),
    include_str!("viewer/panels.js"),
    include_str!("viewer/main.js"),
];

/// One function, so that no name of the viewer is seen outside.
fn script() -> String {
    format!("(() => {{\n'use strict';\n{}\n}})();\n", squeeze::script(&SCRIPTS.concat()))
}
