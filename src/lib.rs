//! Solves mechanical cube puzzles, draws their nets and builds printable solid models of their pieces.

pub mod batch;
pub mod check;
pub mod collection;
pub mod export;
pub mod file_names;
pub mod glyph;
pub mod input;
pub mod nearest;
pub mod net;
pub mod output;
pub mod progress;
pub mod puzzle;
pub mod report;
pub mod solid;
pub mod solve;
pub mod text;
