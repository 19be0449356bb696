//! Solves mechanical cube puzzles, draws their nets and builds printable solid models of their pieces.
//!
//! The flow, from a file to a printable piece; every step is a function from values to values:
//!
//! ```
//! use cubewright::puzzle::settings::Length;
//! use cubewright::solid::{dims::Dims, lettering::Lettering, model::Model, scene::Scene};
//! use cubewright::solve::{self, Options};
//! use cubewright::{collection, export, glyph::Font, puzzle};
//!
//! let text = collection::find("4d-sudoku").ok_or("not built in")?;
//! let puzzle = puzzle::parse::parse(text)?;
//!
//! let options = Options { keep: 1, ..Options::ALL };
//! let outcome = solve::solve(&puzzle, &options)?;
//! assert_eq!((outcome.raw, outcome.assemblies), (192, 1));
//!
//! let dims = Dims::resolve(&puzzle.settings, Length::of_micrometres(20_000))?;
//! let lettering = Lettering::cut(&puzzle, &dims, &Font::built_in())?;
//! let model = Model::build(&puzzle.pieces[0], &dims, &lettering)?;
//! let step = export::step::write(&Scene::of_piece(&puzzle.pieces[0], &model));
//! assert!(step.starts_with(b"ISO-10303-21;"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The program does all of it with [`batch::build`]; `ARCHITECTURE.md` draws how the folders hang together.

pub mod batch;
pub mod check;
pub mod collection;
pub mod convert;
pub mod explain;
pub mod export;
pub mod file_names;
pub mod fingerprint;
pub mod glyph;
pub mod gzip;
pub mod input;
pub mod json;
pub mod nearest;
pub mod net;
pub mod opened;
pub mod output;
pub mod page;
pub mod picture;
pub mod png_file;
pub mod progress;
pub mod puzzle;
pub mod report;
pub mod solid;
pub mod solve;
pub mod solved;
pub mod stored;
pub mod stored_report;
pub mod text;
pub mod words;
