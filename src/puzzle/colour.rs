//! Colours of bodies and marks, as eight-bit sRGB.

use std::fmt;

/// An opaque sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour {
    /// Red, 0 to 255.
    pub red: u8,
    /// Green, 0 to 255.
    pub green: u8,
    /// Blue, 0 to 255.
    pub blue: u8,
}

impl Colour {
    /// Nearly black: digits on light bodies.
    pub const INK: Colour = Colour::new(0x20, 0x20, 0x20);

    /// The colour of these three channels.
    pub const fn new(red: u8, green: u8, blue: u8) -> Colour {
        Colour { red, green, blue }
    }

    /// Reads `#RGB`, `#RRGGBB` or a CSS colour name; `None` for anything else and for transparent colours.
    pub fn parse(text: &str) -> Option<Colour> {
        let is_plain = text.starts_with('#') || text.chars().all(|c| c.is_ascii_alphabetic());
        let [red, green, blue, alpha] = csscolorparser::parse(text).ok().filter(|_| is_plain)?.to_rgba8();
        (alpha == 255).then_some(Colour { red, green, blue })
    }

    /// The ink that stands out from a body of this colour: nearly black on light ones, white on dark ones.
    pub const fn ink(self) -> Colour {
        let brightness = 299 * self.red as u32 + 587 * self.green as u32 + 114 * self.blue as u32;
        if brightness >= 100_000 { Colour::INK } else { Colour::new(0xFF, 0xFF, 0xFF) }
    }

    /// The colour names that [`Colour::parse`] knows, in no order.
    pub fn names() -> impl Iterator<Item = &'static str> {
        csscolorparser::NAMED_COLORS.keys().map(|name| name.as_str())
    }

    /// The colour of the `index`th piece that names none: bright, and far apart in viewers that darken.
    pub const fn of_palette(index: usize) -> Colour {
        const PALETTE: [Colour; 7] = [
            Colour::new(0xFF, 0x30, 0x30),
            Colour::new(0xFF, 0xA0, 0x00),
            Colour::new(0xFF, 0xF0, 0x60),
            Colour::new(0x40, 0xD0, 0x40),
            Colour::new(0x60, 0xF0, 0xFF),
            Colour::new(0x60, 0x80, 0xFF),
            Colour::new(0xD0, 0x60, 0xFF),
        ];
        PALETTE[index % PALETTE.len()]
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02X}{:02X}{:02X}", self.red, self.green, self.blue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_hex_or_css_names() {
        assert_eq!(Colour::parse("orange"), Some(Colour::new(255, 165, 0)));
        assert_eq!(Colour::parse("#fA0"), Some(Colour::new(255, 170, 0)));
        assert_eq!(Colour::parse("#FF3030").map(|c| c.to_string()).as_deref(), Some("#FF3030"));
        for wrong in ["", "ornage", "transparent", "#12345", "rgb(1,2,3)", "#11223344", "é"] {
            assert_eq!(Colour::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn ink_stands_out_from_the_body() {
        assert!((0..7).all(|index| Colour::of_palette(index).ink() == Colour::INK));
        assert_eq!(Colour::new(0, 0, 0x80).ink(), Colour::new(255, 255, 255));
        assert_eq!(Colour::INK.ink(), Colour::new(255, 255, 255));
    }
}
