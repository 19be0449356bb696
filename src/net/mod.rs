//! Pieces as paper nets: unfolded squares, then pages in millimetres, then PNG and SVG.

pub mod unfold;
