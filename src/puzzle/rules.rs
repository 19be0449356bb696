//! What decides, beside filling the target, whether pieces solve the puzzle. The rules are small, and all that are given
//! hold.

use super::colour::Colour;
use super::grid::Side;
use super::groups::Group;
use super::packing_rules::PackingRules;

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
    /// A solution must come apart.
    pub apart: bool,
    /// Pieces that may stay together when a solution is taken apart: any of those in one group.
    pub groups: Vec<Group>,
    /// What decides in a packing.
    pub packing: PackingRules,
    /// What each side of the whole shows.
    pub sides: Sides,
    /// What faces that meet show.
    pub touching: Option<Touching>,
    /// Which symbol the sides of the whole show.
    pub outside: Option<Outside>,
    /// The colours that marks may show.
    pub palette: Vec<Paint>,
}

impl Rules {
    /// Whether none of them is about what pieces show.
    pub fn are_of_packing(&self) -> bool {
        let rest = Rules { apart: false, groups: Vec::new(), packing: PackingRules::default(), ..self.clone() };
        rest == Rules::default()
    }
}

/// What each side of the whole shows that has more than one square. A side is what one sees who looks straight at it: the
/// outermost square of each line. Two symbols of which one is the other upside down count as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// No symbol twice.
    pub all_different: bool,
    /// Every symbol of the palette, or of [`Rules::symbols`], or of the cubies, at least once.
    pub all_colours: bool,
    /// Numbers with that sum; a blank square is 0.
    pub sum: Option<i64>,
}

/// What two faces show that meet inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touching {
    /// The same: one symbol, or nothing on both.
    Equal,
    /// Not the same symbol.
    Different,
}

/// What all squares of a side of the whole show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outside {
    /// The symbol of each side that is listed.
    Given(Vec<(Side, String)>),
    /// One symbol on each of the six sides, whichever, and each side another.
    OneColourASide,
}

/// A colour of the palette.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paint {
    /// What stands for it on a square, so that it can be told from others without seeing colours.
    pub symbol: String,
    /// What people call it.
    pub name: String,
    /// The colour.
    pub colour: Colour,
}

impl Rules {
    /// Whether rules speak of single squares by where they are, so that layers cannot be exchanged.
    pub fn speak_of_squares(&self) -> bool {
        self.sides != Sides::default() || self.touching.is_some() || self.outside.is_some()
    }

    /// Whether faces that nobody can see make no difference: no rule speaks of them, and one speaks of what can be seen.
    pub fn ignore_inside(&self) -> bool {
        self.speak_of_squares() && self.touching.is_none() && !self.latin_planes
    }

    /// What `symbol` reads as when it stands upside down, where a pair of [`Rules::turned`] says so.
    pub fn upside_down(&self, symbol: &str) -> Option<&str> {
        self.turned.iter().find_map(|(a, b)| match symbol {
            _ if symbol == a => Some(b.as_str()),
            _ if symbol == b => Some(a.as_str()),
            _ => None,
        })
    }

    /// Whether a digit text needs a line under it, lest it be read upside down as another one: `6`, `9`, `68`. Not
    /// where [`Rules::turned`] says that both are meant.
    pub fn needs_underline(&self, text: &str) -> bool {
        let over = |character| match character {
            '0' | '8' => Some(character),
            '6' => Some('9'),
            '9' => Some('6'),
            _ => None,
        };
        let upside_down: Option<String> = text.chars().rev().map(over).collect();
        upside_down.is_some_and(|other| other != text && self.upside_down(text) != Some(&other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_read_as_another_one_upside_down_are_underlined() {
        let plain = Rules::default();
        let underlined = |rules: &Rules| -> Vec<&str> {
            let texts = ["", "0", "1", "6", "8", "9", "10", "68", "69", "80", "88", "99", "A6"];
            texts.into_iter().filter(|text| rules.needs_underline(text)).collect()
        };
        assert_eq!(underlined(&plain), ["6", "9", "68", "80", "99"]);
        let turned = Rules { turned: vec![("6".to_owned(), "9".to_owned())], ..Rules::default() };
        assert_eq!(underlined(&turned), ["68", "80", "99"]);
    }
}
