//! Counts and files as JSON: `report.json` beside the files of a build.

use std::collections::{BTreeMap, BTreeSet};

use crate::json::{self, Deserialize, Serialize, Value};
use crate::puzzle::Puzzle;
use crate::puzzle::colour::Colour;
use crate::puzzle::piece::{Mark, Piece};
use crate::solve::disassemble::Method;
use crate::solve::{Apart, Outcome};
use crate::text;

/// What a build wrote, for people and programs that come after it. Every key is stable.
#[derive(Serialize)]
pub struct Report<'a> {
    /// Format version of the report; also the mark by which a later run knows it as its own.
    pub cubewright: u32,
    /// The name of the puzzle.
    pub puzzle: &'a str,
    /// The name of its folder.
    pub slug: &'a str,
    /// Of the puzzle file and of the sizes: as long as it is the same, the files of two runs fit together.
    pub fingerprint: &'a str,
    /// The size of the box around the target, in cells along x, y, z.
    pub target: [i32; 3],
    /// How the pieces were made.
    #[serde(flatten)]
    pub making: Making<'a>,
    /// What the search found; null when this run did not search.
    pub solve: Option<Counts<'a>>,
    /// What is remarkable about the first solution, a sentence each.
    pub remarks: Vec<String>,
    /// The pieces, in the order of the puzzle file.
    pub pieces: Vec<PieceLine<'a>>,
    /// Every file but this one, sorted by path.
    pub files: &'a [Written],
}

/// Sizes in millimetres and what else decides how pieces look.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "each field is the key of the [model] table of the same name")]
pub struct Making<'a> {
    pub pitch_mm: f64,
    pub inset_mm: f64,
    pub bevel_mm: f64,
    pub style: &'a str,
    pub relief_mm: f64,
    pub digit_height_mm: f64,
    pub tolerance_mm: f64,
    pub bed_mm: [f64; 2],
    pub dpi: u32,
    /// What digits that stand above the faces keep the pieces of an assembly apart by.
    pub apart_mm: f64,
}

/// One kind of piece.
#[derive(Serialize)]
pub struct PieceLine<'a> {
    /// The name in the puzzle file.
    pub name: &'a str,
    /// The name of its files, without their endings.
    pub file: &'a str,
    /// Its colour, `#RRGGBB`.
    pub colour: String,
    /// The colours of its marks, and of the squares that they colour, sorted; empty when it has none.
    pub mark_colours: Vec<String>,
    /// The colours of its squares, where they have their own, sorted.
    pub square_colours: Vec<String>,
    /// How many of it the first assembly takes.
    pub count: usize,
    /// How many cells it has.
    pub cells: usize,
    /// Its exact volume; null when this run did not build it.
    pub volume_mm3: Option<f64>,
}

impl<'a> PieceLine<'a> {
    /// The line of a piece whose files have that name and of which the first assembly takes so many, and
    /// that may show its name, where it has no marks.
    pub fn new(
        piece: &'a Piece,
        file: &'a str,
        count: usize,
        volume_mm3: Option<f64>,
        is_named: bool,
    ) -> PieceLine<'a> {
        PieceLine {
            name: &piece.name,
            file,
            colour: piece.colour.to_string(),
            mark_colours: if is_named && piece.marks.is_empty() {
                vec![piece.colour.ink().to_string()]
            } else {
                mark_colours(piece).iter().map(ToString::to_string).collect()
            },
            square_colours: square_colours(piece).iter().map(ToString::to_string).collect(),
            count,
            cells: piece.shape.cells().len(),
            volume_mm3,
        }
    }
}

fn mark_colours(piece: &Piece) -> BTreeSet<Colour> {
    let ink = |mark: &Mark| mark.ground(piece.colour).ink();
    square_colours(piece).into_iter().chain(piece.marks.values().map(ink)).collect()
}

fn square_colours(piece: &Piece) -> BTreeSet<Colour> {
    piece.marks.values().filter_map(|mark| mark.paint).collect()
}

/// A file written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Written {
    /// Where it lies in the puzzle's folder, with `/` between the parts.
    pub path: String,
    /// How long it is.
    pub bytes: u64,
    /// The SHA-256 of its content in hexadecimal digits.
    pub sha256: String,
}

/// What a search found, without the assemblies.
#[derive(Serialize)]
pub struct Counts<'a> {
    /// Whether everything was tried, so that the counts are final.
    pub complete: bool,
    /// Assemblies that differ to the eye, with equal pieces unlabelled.
    pub raw: u64,
    /// Assemblies when those that `merged` carries into each other are one.
    pub assemblies: u64,
    /// What was merged, in words.
    pub merged: &'a str,
    /// Assemblies that come apart; null when that was not asked.
    pub solutions: Option<u64>,
    /// How many of the solutions have which level; null when that was not asked, as are the next four.
    pub levels: Option<BTreeMap<String, u64>>,
    /// Assemblies that do not come apart: nothing comes off; with `thorough` the stuck ones too.
    pub locked: Option<u64>,
    /// Assemblies that separate, but a part is then stuck; none with `thorough`.
    pub stuck: Option<u64>,
    /// Assemblies of which it was not found out.
    pub undecided: Option<u64>,
    /// Whether all orders of separations were tried.
    pub thorough: Option<bool>,
    /// States of the pieces looked at; null when nothing was taken apart, as are the next two.
    pub states: Option<u64>,
    /// How many of them the deepest search for a separation kept at once,
    pub states_kept: Option<u64>,
    /// and in how many bytes.
    pub bytes_kept: Option<u64>,
    /// Assemblies when only rotations of the whole are merged.
    pub up_to_rotations: u64,
    /// Assemblies when all permutations of layers that keep the rules are merged; null where there is no such rule.
    pub up_to_layers: Option<u64>,
    /// Why there is none, where that is known without a search.
    pub reason: Option<String>,
    /// Options chosen while searching.
    pub nodes: u64,
    /// The names of pieces that are equal though listed apart: exchanging them makes no other assembly.
    pub equal: Vec<Vec<&'a str>>,
}

impl<'a> Counts<'a> {
    /// What was found of that puzzle.
    pub fn new(puzzle: &'a Puzzle, outcome: &'a Outcome) -> Counts<'a> {
        Counts {
            complete: outcome.complete,
            raw: outcome.raw,
            assemblies: outcome.assemblies,
            merged: &outcome.merged,
            solutions: outcome.apart.as_ref().map(|apart| apart.solutions),
            levels: outcome.apart.as_ref().map(levels),
            locked: outcome.apart.as_ref().map(|apart| apart.locked),
            stuck: outcome.apart.as_ref().map(|apart| apart.stuck),
            undecided: outcome.apart.as_ref().map(|apart| apart.unknown),
            thorough: outcome.apart.as_ref().map(|apart| apart.method == Method::Thorough),
            states: outcome.apart.as_ref().map(|apart| apart.states),
            states_kept: outcome.apart.as_ref().map(|apart| apart.deepest.states),
            bytes_kept: outcome.apart.as_ref().map(|apart| apart.deepest.bytes),
            up_to_rotations: outcome.up_to_rotations,
            up_to_layers: outcome.up_to_layers,
            reason: outcome.reason.as_ref().map(ToString::to_string),
            nodes: outcome.nodes,
            equal: text::equal_names(puzzle, outcome),
        }
    }
}

fn levels(apart: &Apart) -> BTreeMap<String, u64> {
    apart.levels.iter().map(|(level, &count)| (level.to_string(), count)).collect()
}

/// The report as the bytes of `report.json`; `carried` names keys whose values are those of the report before.
pub fn report_json(report: &Report<'_>, before: Option<&[u8]>, carried: &[&str]) -> Vec<u8> {
    let mut json = json::value(report);
    let before: Value = before.and_then(json::read).unwrap_or_default();
    for key in carried {
        if let Some(value) = before.get(key) {
            json[*key] = value.clone();
        }
    }
    json::pretty(&json).into_bytes()
}

/// What a report says of the run that wrote it.
#[derive(Clone, Debug, Deserialize)]
pub struct Earlier {
    #[serde(rename = "cubewright")]
    _version: u32,
    /// The name of the puzzle.
    pub puzzle: String,
    /// Of the puzzle file and the sizes.
    pub fingerprint: String,
    /// The files that it lists.
    pub files: Vec<Written>,
}

/// Reads a report; `None` when the bytes are not one of this program's.
pub fn earlier(report: &[u8]) -> Option<Earlier> {
    json::read(report)
}
