//! What decides whether numbered cubies that fill the target solve the puzzle.

use super::colour::Colour;

/// The rules of a puzzle. The default has none: filling the target is all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Every plane of faces, the inner ones too, shows each symbol once, all the same way up.
    pub latin_planes: bool,
    /// The symbols that marks may show; empty when any text may stand on a face.
    pub symbols: Vec<String>,
    /// A plane may also be wholly blank.
    pub blank_plane: bool,
    /// Pairs of symbols that become each other upside down: `("6", "9")`.
    pub turned: Vec<(String, String)>,
    /// The colours that alternate by the parity of the place, the first at the corner (0, 0, 0).
    pub chequered: Option<[Colour; 2]>,
}

impl Rules {
    /// What `symbol` reads as when it stands upside down, where a pair of [`Rules::turned`] says so.
    pub fn upside_down(&self, symbol: &str) -> Option<&str> {
        self.turned.iter().find_map(|(a, b)| match symbol {
            _ if symbol == a => Some(b.as_str()),
            _ if symbol == b => Some(a.as_str()),
            _ => None,
        })
    }
}
