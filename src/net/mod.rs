//! Pieces as paper nets: unfolded squares, then drawings in millimetres, then PNG and SVG.

pub mod draw;
pub mod drawing;
pub mod layout;
mod palette;
mod part;
pub mod svg;
pub mod unfold;

use std::fmt;

use crate::glyph::GlyphError;
use crate::puzzle::settings::Length;

/// Why nets cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetError {
    /// The font cannot draw a mark.
    Mark {
        /// The name of the piece.
        piece: String,
        /// The text of the mark.
        text: String,
        /// What the font lacks.
        why: GlyphError,
    },
    /// A mark would be too small to read.
    TooSmall {
        /// The name of the piece.
        piece: String,
        /// The text of the mark.
        text: String,
    },
    /// Squares of this size cannot be folded from paper.
    Pitch(Length),
    /// So many dots an inch are out of range.
    Resolution(u32),
    /// The picture would have this many pixels across and down.
    TooLarge {
        /// Pixels across and down.
        pixels: [u64; 2],
        /// Dots an inch.
        dpi: u32,
    },
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetError::Mark { piece, text, why } => write!(f, "mark {text:?} of piece {piece:?}: the font {why}"),
            NetError::TooSmall { piece, text } => {
                let start: String = text.chars().take(20).collect();
                write!(
                    f,
                    "mark {start:?} of piece {piece:?} would be too small to read; shorten it, or choose a larger pitch or digit height"
                )
            }
            NetError::Pitch(pitch) => {
                write!(
                    f,
                    "a net of {pitch} mm squares cannot be folded; choose a pitch of {} mm or more",
                    layout::LEAST_PITCH
                )
            }
            NetError::Resolution(dpi) => {
                let range = drawing::RESOLUTIONS;
                write!(f, "{dpi} dpi is out of range; choose {} to {}", range.start(), range.end())
            }
            NetError::TooLarge { pixels: [width, height], dpi } => {
                let most = drawing::MOST_PIXELS;
                write!(
                    f,
                    "{width} x {height} pixels at {dpi} dpi are more than {most} either way; choose a lower resolution"
                )
            }
        }
    }
}

impl std::error::Error for NetError {}
