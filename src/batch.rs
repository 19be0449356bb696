//! One puzzle through every stage. The contents page of the program: solve, draw, build, mesh, place, write, report.

mod models;

use std::fmt;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::explain;
use crate::file_names::{file_names, slug};
use crate::fingerprint::fingerprint;
use crate::glyph::{Font, GlyphError};
use crate::input::{self, InputError, Source};
use crate::net::drawing::Drawing;
use crate::net::layout::Layout;
use crate::net::{NetError, draw, svg};
use crate::output::{self, Folder, OutputError, PAGE};
use crate::page::{self, Entry, Page};
use crate::progress::{Progress, printable};
use crate::puzzle::Puzzle;
use crate::puzzle::assembly::Assembly;
use crate::puzzle::burr;
use crate::puzzle::grid::Shape;
use crate::puzzle::moves::WayApart;
use crate::puzzle::piece::{Piece, PieceId};
use crate::puzzle::settings::{Length, Settings};
use crate::report::{Counts, Making, PieceLine, Report, Written, report_json};
use crate::solid::bed::on_bed;
use crate::solid::dims::{Dims, DimsError};
use crate::solid::lettering::{Lettering, LetteringError};
use crate::solid::model::ModelError;
use crate::solid::scene::spread;
use crate::solve::disassemble::{Disassembler, Effort, Method, Verdict};
use crate::solve::graph::graph;
use crate::solve::remarks::remarks;
use crate::solve::{self, Limit, Options, Outcome, SolveError};
use crate::text;

pub use models::Animation;

/// Solutions that a build writes as text; all are counted.
const WRITTEN: usize = 100;
/// Solutions that a page can show.
const SHOWN: usize = 500;
/// States that are looked at to show how an assembly comes apart where nobody asked whether it does.
const FEW_STATES: u64 = 100_000;
/// A build does not search beyond this; `solve` does.
const MOST_NODES: u64 = 200_000_000;
/// Nor does it look at more states of the pieces of one assembly.
const MOST_STATES: u64 = 10_000_000;

/// What to make of a puzzle, and where.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The folder that gets a folder for the puzzle.
    pub out: &'a Path,
    /// Replace files of others that are in the way.
    pub overwrite: bool,
    /// Dots an inch of the nets.
    pub dpi: u32,
    /// What the command line says about the making of the pieces; it stands above the file.
    pub settings: &'a Settings,
    /// What to make.
    pub stages: Stages,
    /// The solution as an animated picture too.
    pub animation: Option<Animation>,
    /// Whether to search for all assemblies, or to be content with the first.
    pub limit: Limit,
    /// Set from outside to stop.
    pub stop: &'a AtomicBool,
}

/// Which files to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stages {
    /// Nets of the pieces.
    pub nets: bool,
    /// Solutions as text, models of the pieces and of the first solution.
    pub models: bool,
    /// The page that shows them.
    pub page: bool,
}

impl Stages {
    /// Everything.
    pub const ALL: Stages = Stages { nets: true, models: true, page: true };
    /// The nets alone.
    pub const NETS: Stages = Stages { nets: true, models: false, page: false };
    /// The models alone.
    pub const MODELS: Stages = Stages { nets: false, models: true, page: false };
    /// The page alone.
    pub const PAGE: Stages = Stages { nets: false, models: false, page: true };

    /// Whether a file of that path is one of theirs.
    fn make(self, path: &str) -> bool {
        match path {
            PAGE => self.page,
            _ if path.starts_with("nets/") => self.nets,
            _ => self.models,
        }
    }

    /// Whether they need solutions and solids.
    fn solve(self) -> bool {
        self.models || self.page
    }

    /// The keys of the report that they know nothing of.
    fn not_made(self) -> &'static [&'static str] {
        match (self.nets, self.solve()) {
            (true, false) => &["solve", "remarks", "pieces", "apart_mm"],
            (false, true) => &["dpi"],
            _ => &[],
        }
    }
}

/// What a build did.
#[derive(Clone, Debug)]
pub struct Built {
    /// The name of the folder in `out`.
    pub slug: String,
    /// Counts and files, in one line.
    pub summary: String,
    /// What the user should know, a line each.
    pub warnings: Vec<String>,
}

/// Why a puzzle was not built. Its folder is as it was before.
#[derive(Debug)]
pub enum BatchError {
    /// Stopped from outside.
    Stopped,
    /// The font cannot be read.
    Input(InputError),
    /// The font is none.
    Font(String, GlyphError),
    /// Sizes that cannot work together.
    Dims(DimsError),
    /// It cannot be solved.
    Solve(SolveError),
    /// A net cannot be drawn.
    Net(NetError),
    /// The digits cannot be cut from the font.
    Lettering(LetteringError),
    /// A piece cannot be built.
    Model(ModelError),
    /// It cannot be written.
    Output(OutputError),
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Stopped => f.write_str("stopped"),
            BatchError::Input(error) => error.fmt(f),
            BatchError::Font(path, error) => write!(f, "{path} {error}"),
            BatchError::Dims(error) => error.fmt(f),
            BatchError::Solve(error) => error.fmt(f),
            BatchError::Net(error) => error.fmt(f),
            BatchError::Lettering(error) => error.fmt(f),
            BatchError::Model(error) => error.fmt(f),
            BatchError::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BatchError {}

impl BatchError {
    /// The key of the setting that it is about, if it is about one.
    pub fn setting(&self) -> Option<&'static str> {
        match self {
            BatchError::Dims(error) | BatchError::Lettering(LetteringError::Dims(error)) => Some(error.setting()),
            BatchError::Lettering(LetteringError::ProudNames) => Some("style"),
            BatchError::Lettering(LetteringError::TooThin { pitch: Some(_), .. }) => Some("pitch"),
            BatchError::Lettering(LetteringError::TooThin { .. }) => Some("digit_height"),
            BatchError::Lettering(_) | BatchError::Font(..) | BatchError::Input(_) => Some("font"),
            _ => None,
        }
    }
}

impl From<OutputError> for BatchError {
    fn from(error: OutputError) -> BatchError {
        BatchError::Output(error)
    }
}

/// Builds one puzzle. `taken` are the folders that this run has written already: two puzzles of one name get two.
pub fn build(source: &Source, puzzle: &Puzzle, request: &Request<'_>, taken: &[String]) -> Result<Built, BatchError> {
    let slug = free_slug(&puzzle.name, taken);
    let settings = request.settings.clone().or(puzzle.settings.clone());
    let font = font(source, request.settings, &puzzle.settings)?;
    let dims = Dims::resolve(&settings, pitch(puzzle)).map_err(BatchError::Dims)?;
    let layout = Layout::new(puzzle, settings.pitch.unwrap_or(pitch(puzzle)), settings.digit_height, &font);
    let layout = layout.map_err(BatchError::Net)?;
    let lettering = match request.stages.solve() {
        true => Some(lettering(puzzle, &settings, &dims, &font)?),
        false => None,
    };
    let work = Work {
        puzzle,
        request,
        files: piece_files(puzzle),
        folder: Folder::stage(request.out, &slug)?,
        progress: Progress::new(&puzzle.name),
    };

    let net_names = net_names(&work.files, layout.pages().len());
    let outcome = request.stages.solve().then(|| work.search()).transpose()?;
    if request.stages.nets {
        work.draw_nets(&layout, &net_names)?;
    }
    let models =
        lettering.as_ref().map(|lettering| work.build_models(&dims, lettering)).transpose()?.unwrap_or_default();
    let assembly = outcome.as_ref().and_then(|outcome| outcome.found.first());
    let mut apart = 0.0;
    let mut warnings: Vec<String> = lettering.iter().flat_map(Lettering::warnings).map(ToString::to_string).collect();
    if let Some(lettering) = lettering.as_ref().filter(|_| request.stages.models) {
        if let Some(assembly) = assembly {
            let way = outcome.as_ref().and_then(|outcome| outcome.verdict(0)?.way());
            apart = work.write_assembly(assembly, way, &models, &dims)?;
        }
        warnings.extend(work.write_plates(assembly, &models, &dims, lettering)?);
    }
    work.stop_if_asked()?;

    let Work { files, folder, progress, .. } = work;
    let choice = source.choice.iter().map(|choice| format!("#{choice}\n")).collect::<String>();
    let fingerprint = fingerprint(format!("{}\n{choice}{settings:?}", source.text).as_bytes());
    let listed = |written: &[Written], before: Option<&[u8]>| {
        let volumes = models.iter().map(|model| Some(model.volume)).chain(std::iter::repeat(None));
        let pieces = puzzle.pieces.iter().zip(&files).zip(volumes);
        let used = |id: PieceId| assembly.map_or(0, |assembly| assembly.count(id));
        let report = Report {
            cubewright: 1,
            puzzle: &puzzle.name,
            slug: &slug,
            fingerprint: &fingerprint,
            target: puzzle.target.size.coordinates(),
            making: making(&dims, request.dpi, apart),
            solve: outcome.as_ref().map(|outcome| Counts::new(puzzle, outcome)),
            remarks: assembly.map(|assembly| remark_lines(puzzle, assembly)).unwrap_or_default(),
            pieces: pieces
                .zip(puzzle.ids())
                .map(|(((piece, file), volume), id)| {
                    PieceLine::new(piece, file, used(id), volume, settings.names == Some(true))
                })
                .collect(),
            files: written,
        };
        report_json(&report, before, request.stages.not_made())
    };
    let making = output::Making { puzzle: &puzzle.name, fingerprint: &fingerprint, overwrite: request.overwrite };
    let ways = match outcome.as_ref().filter(|_| request.stages.page) {
        Some(outcome) => ways_apart(puzzle, outcome, request.stop),
        None => Vec::new(),
    };
    let page = match (&outcome, &lettering) {
        (Some(outcome), Some(lettering)) if request.stages.page => Some(|written: &[Written]| {
            let nets_of_pieces = &net_names[net_names.len() - files.len()..];
            let beds =
                puzzle.pieces.iter().zip(&models).map(|(piece, model)| on_bed(piece, model, lettering)).collect();
            page::page(&Page {
                puzzle,
                outcome,
                models: &models,
                beds,
                dims: &dims,
                spread: outcome.found.iter().map(|assembly| spread(puzzle, assembly, &dims)).fold(0.0, f64::max),
                ways: &ways,
                layout: &layout,
                piece_files: files
                    .iter()
                    .cloned()
                    .zip(nets_of_pieces.iter().cloned())
                    .map(<[String; 2]>::from)
                    .collect(),
                files: written,
            })
        }),
        _ => None,
    };
    let written = folder.publish(&making, |path| request.stages.make(path), page, listed)?;
    drop(progress);

    let megabytes = written.iter().map(|file| file.bytes).sum::<u64>() as f64 / 1e6;
    let place = request.out.join(&slug);
    let mut summary = format!("{}: ", printable(&puzzle.name));
    if let Some(outcome) = &outcome {
        summary += &format!("{}; ", text::counts(puzzle, outcome));
    }
    summary += &format!("{} files, {megabytes:.1} MB in {}", written.len() + 1, place.display());
    warnings.extend(outcome.iter().flat_map(|outcome| text::notices(puzzle, outcome)));
    if apart > 0.0 {
        warnings.push(format!("proud digits keep the pieces of the assembled files {apart} mm further apart"));
    }
    if outcome.as_ref().is_some_and(|outcome| !outcome.complete) {
        warnings.push(
            "the search was cut short, its counts are not final; `cubewright solve` searches to the end".to_owned(),
        );
    }
    if outcome.as_ref().is_some_and(|outcome| request.stages.models && outcome.solutions() > WRITTEN as u64) {
        warnings.push(format!("the first {WRITTEN} solutions were written; `cubewright solve --all` prints every one"));
    }
    if outcome.as_ref().is_some_and(|outcome| outcome.found.is_empty()) {
        warnings.push("there is nothing to assemble, so only nets and pieces were written".to_owned());
    }
    Ok(Built { slug, summary, warnings })
}

/// Writes the page of all puzzles in `out` that have a page. Nothing when none has.
pub fn shelve(out: &Path, overwrite: bool) -> Result<(), BatchError> {
    let entry = |(folder, report, page)| Entry { folder, file: PAGE, report, page };
    let entries: Vec<Entry> = output::folders_with_page(out)?.into_iter().map(entry).collect();
    if !entries.is_empty() {
        output::write_page_of_all(out, &page::collection(&entries), page::is_untouched, overwrite)?;
    }
    Ok(())
}

/// Whether the sizes work together and the font has the digits; the warnings, a line each.
pub fn check(source: &Source, puzzle: &Puzzle, flags: &Settings) -> Result<Vec<String>, BatchError> {
    let font = font(source, flags, &puzzle.settings)?;
    let settings = flags.clone().or(puzzle.settings.clone());
    let dims = Dims::resolve(&settings, pitch(puzzle)).map_err(BatchError::Dims)?;
    let lettering = lettering(puzzle, &settings, &dims, &font)?;
    Ok(lettering.warnings().iter().map(ToString::to_string).collect())
}

/// What stands on the pieces: their marks, and their names where those are asked for.
fn lettering(puzzle: &Puzzle, settings: &Settings, dims: &Dims, font: &Font) -> Result<Lettering, BatchError> {
    let marks = Lettering::cut(puzzle, dims, font);
    let all =
        if settings.names == Some(true) { marks.and_then(|marks| marks.with_names(puzzle, dims, font)) } else { marks };
    all.map_err(BatchError::Lettering)
}

/// The font that flag or file names, else the built-in one. A path in the file starts from the folder of the file.
fn font(source: &Source, flags: &Settings, file: &Settings) -> Result<Font, BatchError> {
    let path = match (&flags.font, &file.font) {
        (Some(path), _) => PathBuf::from(path),
        (None, Some(path)) => source.folder.join(path),
        (None, None) => return Ok(Font::built_in()),
    };
    let bytes = input::font(&path).map_err(BatchError::Input)?;
    Font::parse(bytes).map_err(|error| BatchError::Font(path.display().to_string(), error))
}

/// One puzzle on its way.
struct Work<'a> {
    puzzle: &'a Puzzle,
    request: &'a Request<'a>,
    /// File names of the pieces, in their order.
    files: Vec<String>,
    folder: Folder,
    progress: Progress,
}

impl Work<'_> {
    fn search(&self) -> Result<Outcome, BatchError> {
        self.progress.search();
        let watch = |at: solve::Progress| {
            self.progress.searched(at.millionths.into(), at.nodes, at.expected);
            let ends = self.is_stopped() || at.nodes >= MOST_NODES;
            if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options =
            Options { limit: self.request.limit, keep: SHOWN, watch: &watch, threads: threads(), ..Options::ALL };
        let outcome = match self.puzzle.rules.apart {
            true => solve::solve_apart(self.puzzle, &options, Method::First, MOST_STATES),
            false => solve::solve(self.puzzle, &options),
        };
        let mut outcome = outcome.map_err(BatchError::Solve)?;
        self.stop_if_asked()?;
        // Where all cells may stay empty, so may the whole: nothing to model or to draw.
        if let Some(empty) = outcome.found.iter().position(|assembly| assembly.placements.is_empty()) {
            outcome.found.remove(empty);
            outcome.apart.iter_mut().for_each(|apart| drop(apart.verdicts.remove(empty)));
        }
        if self.request.stages.models {
            self.write_solutions(&outcome)?;
        }
        Ok(outcome)
    }

    fn write_solutions(&self, outcome: &Outcome) -> Result<(), BatchError> {
        for (index, assembly) in outcome.found.iter().take(WRITTEN).enumerate() {
            let number = index + 1;
            let (verdict, of) = (outcome.verdict(index), outcome.complete.then_some(outcome.solutions()));
            let text = text::solution(self.puzzle, assembly, verdict, (number as u64, of));
            let how = match verdict {
                Some(verdict) => text::verdict(self.puzzle, assembly, verdict),
                None => text::planes(self.puzzle, assembly),
            };
            self.folder.write(&format!("solution-{number}.txt"), format!("{text}\n{how}").as_bytes())?;
        }
        if let Some(graph) = outcome.found.first().and_then(|assembly| graph(self.puzzle, assembly)) {
            self.folder.write("graph.txt", explain::text(self.puzzle, &graph).as_bytes())?;
            self.folder.write("graph.svg", svg::svg(&explain::drawing(self.puzzle, &graph)).as_bytes())?;
        }
        Ok(())
    }

    fn draw_nets(&self, layout: &Layout, names: &[String]) -> Result<(), BatchError> {
        let pieces = self.puzzle.ids().map(|id| layout.piece(id));
        let drawings: Vec<Drawing> = [layout.sheet()].into_iter().chain(layout.pages()).chain(pieces).collect();
        self.progress.stage("drawing", drawings.len() as u64);
        names.par_iter().zip(&drawings).try_for_each(|(name, drawing)| {
            self.stop_if_asked()?;
            let png = draw::png(drawing, self.request.dpi).map_err(BatchError::Net)?;
            self.folder.write(&format!("nets/{name}.png"), &png)?;
            self.folder.write(&format!("nets/{name}.svg"), svg::svg(drawing).as_bytes())?;
            self.progress.step();
            Ok(())
        })
    }

    fn is_stopped(&self) -> bool {
        self.request.stop.load(Ordering::Relaxed)
    }

    fn stop_if_asked(&self) -> Result<(), BatchError> {
        if self.is_stopped() { Err(BatchError::Stopped) } else { Ok(()) }
    }
}

/// The file names of the pieces; one of which several are needed says how many.
fn piece_files(puzzle: &Puzzle) -> Vec<String> {
    let name = |piece: &Piece| match *piece.count.end() {
        count if count > 1 => format!("{}-x{count}", piece.name),
        _ => piece.name.clone(),
    };
    let names: Vec<String> = puzzle.pieces.iter().map(name).collect();
    file_names(names.iter().map(String::as_str))
}

/// The file names of sheet, pages and nets, in this order. A piece may have the name of a page: all share one folder.
fn net_names(pieces: &[String], pages: usize) -> Vec<String> {
    let pages = (1..=pages).map(|number| format!("page-{number}"));
    let names: Vec<String> = ["sheet".to_owned()].into_iter().chain(pages).chain(pieces.iter().cloned()).collect();
    file_names(names.iter().map(String::as_str))
}

/// How the kept assemblies come apart, for those of which it is found out quickly. Cubies need no way: they are stacked.
fn ways_apart(puzzle: &Puzzle, outcome: &Outcome, stop: &AtomicBool) -> Vec<Option<WayApart>> {
    if outcome.apart.is_some() {
        return (0..outcome.found.len()).map(|number| outcome.verdict(number)?.way().cloned()).collect();
    }
    if puzzle.pieces.iter().all(|piece| piece.shape.cells().len() == 1) {
        return vec![None; outcome.found.len()];
    }
    let watch = || if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let of_some = |assemblies: &[Assembly]| {
        let mut disassembler = Disassembler::new(puzzle);
        let effort = Effort { method: Method::First, most_states: FEW_STATES, watch: &watch };
        let way = |assembly| match disassembler.take_apart(assembly, &effort) {
            Verdict::Apart(way) => Some(way),
            _ => None,
        };
        assemblies.iter().map(way).collect::<Vec<_>>()
    };
    outcome.found.par_chunks(16).flat_map_iter(of_some).collect()
}

/// Distance between cells when neither file nor flag says it: large enough for digits on cubies, handy for polycubes and
/// for the sticks of burrs, which are two cells thick.
fn pitch(puzzle: &Puzzle) -> Length {
    let all = |is: &dyn Fn(&Shape) -> bool| puzzle.pieces.iter().all(|piece| is(&piece.shape));
    Length::of_micrometres(match () {
        () if all(&|shape| shape.cells().len() == 1) => 20_000,
        () if all(&|shape| burr::stick_of(puzzle, shape).is_some()) => 12_000,
        () => 17_000,
    })
}

/// As many threads as there are cores.
pub fn threads() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

fn remark_lines(puzzle: &Puzzle, assembly: &Assembly) -> Vec<String> {
    remarks(puzzle, assembly).to_string().lines().map(str::to_owned).collect()
}

fn making(dims: &Dims, dpi: u32, apart_mm: f64) -> Making<'static> {
    Making {
        pitch_mm: dims.pitch(),
        inset_mm: dims.inset(),
        bevel_mm: dims.bevel(),
        style: dims.style().name(),
        relief_mm: dims.relief(),
        digit_height_mm: dims.digit_height(),
        tolerance_mm: dims.tolerance(),
        bed_mm: dims.bed(),
        dpi,
        apart_mm,
    }
}

/// The folder for a puzzle of that name, beside those that are taken.
fn free_slug(name: &str, taken: &[String]) -> String {
    let names = taken.iter().cloned().chain([slug(name)]).collect::<Vec<_>>();
    file_names(names.iter().map(String::as_str)).pop().expect("one name more than were taken")
}
