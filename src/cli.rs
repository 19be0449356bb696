//! The words of the command line. What they do is in main.rs.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use cubewright::batch::Animation;
use cubewright::puzzle::packing_rules::Merge;
use cubewright::puzzle::settings::{FITS, Length, Settings, Style};
use cubewright::solve::disassemble::Effort;

/// Solves mechanical cube puzzles, draws their unrolled nets and builds printable solid models of their pieces.
///
/// A PUZZLE is a puzzle file, a BurrTools file (.xmpuzzle), the name of a built-in puzzle (see `cubewright list`), or `-`
/// for standard input. Of a BurrTools file with several problems, FILE#2 or FILE#name is one.
/// Results go to stdout, progress and warnings to stderr. The exit code is 0 when all went well, 1 when a puzzle
/// failed (the others are still done), 2 for wrong usage.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The command of this process; wrong usage ends it with exit code 2.
pub(crate) fn arguments() -> Command {
    Cli::parse().command
}

/// Resolution of nets when none is asked for, in dots an inch.
pub(crate) const DPI: u32 = 300;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Solve, draw and model puzzles and write everything; with no PUZZLE the whole built-in collection
    Build {
        /// Puzzle files, built-in names, or - for standard input
        puzzles: Vec<String>,
        #[command(flatten)]
        output: OutputArgs,
        #[command(flatten)]
        net: NetArgs,
        #[command(flatten)]
        model: ModelArgs,
        /// Draw the solution as an animated picture (PNG) too
        #[arg(long, value_enum)]
        animate: Option<AnimationWord>,
        /// Assemble the first solution found instead of searching for all
        #[arg(long)]
        first: bool,
    },
    /// Find every solution and print it, layer by layer
    Solve {
        /// A puzzle file, a built-in name, or - for standard input
        puzzle: String,
        #[command(flatten)]
        search: SearchArgs,
        /// Print one JSON object instead of text
        #[arg(long)]
        json: bool,
        /// Print the variants of each solution too: what the exchange of outer layers makes of it
        #[arg(long, conflicts_with_all = ["json", "count"])]
        variants: bool,
        /// Explain the solution of a stack of coloured cubes by the graph method; with =FILE.svg draw the graphs too
        #[arg(
            long,
            value_name = "FILE.svg",
            num_args = 0..=1,
            require_equals = true,
            conflicts_with_all = ["json", "all", "count", "from"]
        )]
        explain: Option<Option<PathBuf>>,
        /// Read what HiGHS, CBC or GLPK answered to `formulate` and check it, instead of searching
        #[arg(long, value_name = "FILE", conflicts_with_all = ["how_many", "threads", "keep_mirrors", "keep_rotations"])]
        from: Option<PathBuf>,
    },
    /// Write the puzzle as an integer programme (CPLEX LP text) for HiGHS, CBC, GLPK and others
    Formulate {
        /// A puzzle file, a built-in name, or - for standard input
        puzzle: String,
        /// The file to write; - or nothing for standard output
        #[arg(short, long, value_name = "FILE.lp")]
        output: Option<PathBuf>,
    },
    /// Tell whether a puzzle file is right, and what is in it
    Check {
        /// A puzzle file, a built-in name, or - for standard input
        puzzle: String,
        #[command(flatten)]
        model: ModelArgs,
    },
    /// Draw the nets alone
    Net {
        /// A puzzle file, a built-in name, or - for standard input
        puzzle: String,
        #[command(flatten)]
        output: OutputArgs,
        #[command(flatten)]
        net: NetArgs,
        #[command(flatten)]
        model: ModelArgs,
    },
    /// Build the solid models alone: every piece, the puzzle assembled and exploded
    Models {
        /// A puzzle file, a built-in name, or - for standard input
        puzzle: String,
        #[command(flatten)]
        output: OutputArgs,
        #[command(flatten)]
        model: ModelArgs,
        /// Draw the solution as an animated picture (PNG) too
        #[arg(long, value_enum)]
        animate: Option<AnimationWord>,
        /// Assemble the first solution found instead of searching for all
        #[arg(long)]
        first: bool,
    },
    /// Make the page alone: the model to turn, the solutions, the nets, links to the files that are there
    Page {
        /// A puzzle file, a built-in name, or - for standard input
        puzzle: String,
        #[command(flatten)]
        output: OutputArgs,
        #[command(flatten)]
        model: ModelArgs,
        /// Show the first solution found instead of searching for all
        #[arg(long)]
        first: bool,
        /// Open it in the browser
        #[arg(long)]
        open: bool,
    },
    /// Turn a puzzle file into a BurrTools file or back; what the other cannot hold is said
    Convert {
        /// The file to read: a puzzle file, a built-in name, a BurrTools file (FILE#2 or FILE#name takes one problem)
        #[arg(value_name = "IN")]
        input: String,
        /// The file to write, ending in .toml or .xmpuzzle
        #[arg(value_name = "OUT", value_parser = converted)]
        output: PathBuf,
        /// Solve the puzzle first and write the solutions, at most 100, into the BurrTools file
        #[arg(long)]
        solve: bool,
        /// Take the solutions apart too, and write the moves; a burr always is
        #[arg(long, requires = "solve")]
        apart: bool,
    },
    /// List the built-in puzzles, or those in files
    List {
        /// Puzzle files, BurrTools files, built-in names, or - for standard input
        puzzles: Vec<String>,
    },
    /// Print the file of a built-in puzzle, to read or to change
    Show {
        /// A name from `cubewright list`
        name: String,
    },
}

#[derive(Args)]
pub(crate) struct SearchArgs {
    /// Stop at the first solution
    #[arg(long, group = "how_many")]
    pub(crate) first: bool,
    /// Print every solution as it is found (otherwise at most 100)
    #[arg(long, group = "how_many")]
    pub(crate) all: bool,
    /// Print the counts alone
    #[arg(long, group = "how_many")]
    pub(crate) count: bool,
    /// Take every assembly apart, even if the file does not ask for it; a burr always is
    #[arg(long)]
    pub(crate) apart: bool,
    /// Take apart in the fewest moves of all, over all orders of separations
    ///
    /// Without it, the first separation found is taken and never given up, as BurrTools does it: counts and levels agree
    /// with that program, but another order may take fewer moves. The same assemblies come apart: slides can be undone, so
    /// what is stuck after one separation is locked in every order.
    #[arg(long)]
    pub(crate) thorough: bool,
    /// Give an assembly up after so many states of its pieces
    ///
    /// They are kept in memory on each thread: of six pieces about 20 bytes a state, of eighteen about 40. An assembly
    /// that is given up counts as not decided.
    #[arg(long, value_name = "N", default_value_t = Effort::MOST_STATES)]
    pub(crate) max_states: u64,
    /// Count mirror images of a solution as solutions of their own
    #[arg(long)]
    pub(crate) keep_mirrors: bool,
    /// Count every rotation and mirror image of a solution as a solution of its own
    #[arg(long)]
    pub(crate) keep_rotations: bool,
    /// Search on so many threads; what is found does not depend on it [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZero<usize>>,
}

impl SearchArgs {
    /// Which assemblies count as one.
    pub(crate) fn merge(&self) -> Merge {
        match (self.keep_rotations, self.keep_mirrors) {
            (true, _) => Merge::Nothing,
            (false, true) => Merge::Rotations,
            (false, false) => Merge::Mirrors,
        }
    }
}

#[derive(Args)]
pub(crate) struct OutputArgs {
    /// The folder for the results; each puzzle gets a folder of its own in it
    #[arg(short, long, value_name = "FOLDER", default_value = "out")]
    pub(crate) out: PathBuf,
    /// Replace files that are in the way though cubewright did not write them
    #[arg(long)]
    pub(crate) overwrite: bool,
}

#[derive(Args)]
pub(crate) struct NetArgs {
    /// Resolution of the nets, in dots an inch
    #[arg(long, default_value_t = DPI, value_parser = clap::value_parser!(u32).range(72..=1200))]
    pub(crate) dpi: u32,
}

#[derive(Args)]
#[command(next_help_heading = "Making of the pieces (stands above the [model] of the puzzle file)")]
pub(crate) struct ModelArgs {
    /// Distance between the centres of neighbouring cells [default: 20, packings 17, burrs 12]
    #[arg(long, value_name = "MM", value_parser = length, allow_negative_numbers = true)]
    pitch: Option<Length>,
    /// How closely pieces fit, as a preset of --inset [default: normal]
    #[arg(long, value_name = "FIT", value_parser = fit, conflicts_with = "inset")]
    fit: Option<Length>,
    /// Taken off each outer face; the gap between two pieces is twice this [default: 0.1]
    #[arg(long, value_name = "MM", value_parser = length, allow_negative_numbers = true)]
    inset: Option<Length>,
    /// Width of the 45 degree chamfer on every outer edge [default: 0.6]
    #[arg(long, value_name = "MM", value_parser = length, allow_negative_numbers = true)]
    bevel: Option<Length>,
    /// How digits stand on their faces [default: embossed]
    #[arg(long, value_enum)]
    style: Option<StyleWord>,
    /// How far digits are raised or cut in [default: 0.6, engraved 0.4]
    #[arg(long, value_name = "MM", value_parser = length, allow_negative_numbers = true)]
    relief: Option<Length>,
    /// Height of the tallest digit [default: 0.55 of the face]
    #[arg(long, value_name = "MM", value_parser = length, allow_negative_numbers = true)]
    digit_height: Option<Length>,
    /// The greatest distance between a curve and the mesh of it [default: 0.01]
    #[arg(long, value_name = "MM", value_parser = length, allow_negative_numbers = true)]
    tolerance: Option<Length>,
    /// Put the name of each piece without digits on its largest face
    #[arg(long)]
    names: bool,
    /// A TrueType or OpenType font for the digits instead of the built-in one
    #[arg(long, value_name = "FILE")]
    font: Option<String>,
    /// Width and depth of the printer's bed, for the plates [default: 220x220]
    #[arg(long, value_name = "MMxMM", value_parser = bed)]
    bed: Option<[Length; 2]>,
}

impl ModelArgs {
    pub(crate) fn settings(self) -> Settings {
        Settings {
            pitch: self.pitch,
            inset: self.inset.or(self.fit),
            bevel: self.bevel,
            style: self.style.map(|StyleWord(style)| style),
            relief: self.relief,
            digit_height: self.digit_height,
            tolerance: self.tolerance,
            names: self.names.then_some(true),
            font: self.font,
            bed: self.bed,
        }
    }
}

/// A [`Style`] as clap reads it.
#[derive(Clone, Copy)]
struct StyleWord(Style);

impl ValueEnum for StyleWord {
    fn value_variants<'a>() -> &'a [StyleWord] {
        &[StyleWord(Style::Embossed), StyleWord(Style::Proud), StyleWord(Style::Engraved)]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let help = match self.0 {
            Style::Embossed => "raised in a recessed panel, level with the face: pieces still touch face to face",
            Style::Proud => "raised above the face",
            Style::Engraved => "cut into the face",
        };
        Some(clap::builder::PossibleValue::new(self.0.name()).help(help))
    }
}

/// An [`Animation`] as clap reads it.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum AnimationWord {
    /// seen from all around: turntable.png
    Turntable,
    /// how the pieces come together: assembly.png
    Assembly,
}

impl From<AnimationWord> for Animation {
    fn from(word: AnimationWord) -> Animation {
        match word {
            AnimationWord::Turntable => Animation::Turntable,
            AnimationWord::Assembly => Animation::Assembly,
        }
    }
}

/// A file that a puzzle can be converted to.
fn converted(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("toml" | "xmpuzzle") => Ok(path),
        _ => Err("end its name in .toml or .xmpuzzle".to_owned()),
    }
}

fn length(text: &str) -> Result<Length, String> {
    Length::parse(text).map_err(|error| format!("it {error}; {}", error.help()))
}

fn fit(text: &str) -> Result<Length, String> {
    let preset = FITS.into_iter().find(|preset| preset.0 == text);
    preset.map(|preset| preset.1).ok_or_else(|| format!("write one of {}", FITS.map(|preset| preset.0).join(", ")))
}

fn bed(text: &str) -> Result<[Length; 2], String> {
    let (width, depth) = text.split_once('x').ok_or("write width and depth in millimetres: 220x220")?;
    Ok([length(width)?, length(depth)?])
}
