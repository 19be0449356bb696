//! How the pieces are to be made, as a puzzle file or a flag may say it; what is `None` is left to the defaults.
//!
//! Lengths are whole micrometres here, so that this folder stays free of floating point.

use std::fmt;

/// A length, exact to the micrometre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Length {
    /// Micrometres.
    pub micrometres: i32,
}

impl Length {
    /// The greatest length that can be written, 1,000 mm: far above any bed.
    pub const MOST: Length = Length::of_micrometres(1_000_000);

    /// This many micrometres.
    pub const fn of_micrometres(micrometres: i32) -> Length {
        Length { micrometres }
    }

    /// Reads millimetres such as `20`, `0.15` or `-1.5`, at most [`Length::MOST`] either way and at most three
    /// decimals; the error says what is wrong, without the value.
    pub fn parse(text: &str) -> Result<Length, LengthError> {
        let (sign, digits) = match text.strip_prefix(['-', '+']) {
            Some(rest) if text.starts_with('-') => (-1, rest),
            Some(rest) => (1, rest),
            None => (1, text),
        };
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if !all_digits(whole) || !all_digits(decimals) || (whole.is_empty() && decimals.is_empty()) {
            return Err(LengthError::NotANumber);
        }
        let decimals = decimals.trim_end_matches('0');
        if decimals.len() > 3 {
            return Err(LengthError::TooFine);
        }
        let whole: i32 = match whole.trim_start_matches('0') {
            "" => 0,
            digits => digits.parse().map_err(|_| LengthError::TooLong)?,
        };
        let rest: i32 = format!("{decimals:0<3}").parse().expect("three digits are a number");
        let length = whole.checked_mul(1000).and_then(|w| w.checked_add(rest)).ok_or(LengthError::TooLong)?;
        if length > Length::MOST.micrometres {
            Err(LengthError::TooLong)
        } else {
            Ok(Length::of_micrometres(sign * length))
        }
    }
}

/// Millimetres without trailing zeros: `0.15`.
impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.micrometres < 0 { "-" } else { "" };
        let (whole, rest) = (self.micrometres.unsigned_abs() / 1000, self.micrometres.unsigned_abs() % 1000);
        match rest {
            0 => write!(f, "{sign}{whole}"),
            _ => write!(f, "{sign}{whole}.{}", format!("{rest:03}").trim_end_matches('0')),
        }
    }
}

/// Why a text is not a [`Length`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthError {
    /// It is not a decimal number.
    NotANumber,
    /// It has more than three decimals.
    TooFine,
    /// It is above [`Length::MOST`].
    TooLong,
}

impl LengthError {
    /// How to mend it.
    pub const fn help(self) -> &'static str {
        match self {
            LengthError::NotANumber => "write millimetres such as 20 or 0.15",
            LengthError::TooFine => "write at most three decimals",
            LengthError::TooLong => "lengths are in millimetres",
        }
    }
}

impl fmt::Display for LengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LengthError::NotANumber => "is not a number of millimetres",
            LengthError::TooFine => "is finer than a thousandth of a millimetre",
            LengthError::TooLong => "is more than 1000 mm",
        })
    }
}

impl std::error::Error for LengthError {}

/// How a digit stands on its face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Style {
    /// Raised in a recessed panel, level with the face, so that pieces still touch face to face.
    #[default]
    Embossed,
    /// Raised above the face.
    Proud,
    /// Cut into the face.
    Engraved,
}

impl Style {
    /// All styles.
    pub const ALL: [Style; 3] = [Style::Embossed, Style::Proud, Style::Engraved];

    /// The word of flag and file.
    pub const fn name(self) -> &'static str {
        ["embossed", "proud", "engraved"][self as usize]
    }
}

/// The presets of [`Settings::inset`] by name, loosest last.
pub const FITS: [(&str, Length); 4] = [
    ("tight", Length::of_micrometres(50)),
    ("normal", Length::of_micrometres(100)),
    ("loose", Length::of_micrometres(150)),
    ("box", Length::of_micrometres(200)),
];

/// What a puzzle file or the command line says about the making of the pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Distance between the centres of neighbouring cells.
    pub pitch: Option<Length>,
    /// Taken off each outer face; the gap between two pieces is twice this.
    pub inset: Option<Length>,
    /// Width of the 45 degree chamfer, measured along each face.
    pub bevel: Option<Length>,
    /// How digits stand on their faces.
    pub style: Option<Style>,
    /// How far digits are raised or cut in.
    pub relief: Option<Length>,
    /// Height of the tallest digit.
    pub digit_height: Option<Length>,
    /// The greatest distance between a curve and the chords that replace it in a mesh.
    pub tolerance: Option<Length>,
    /// Whether each piece without marks shows its name.
    pub names: Option<bool>,
    /// A TrueType or OpenType font instead of the built-in one, as written (a path).
    pub font: Option<String>,
    /// Width and depth of the printer's bed.
    pub bed: Option<[Length; 2]>,
}

impl Settings {
    /// Whether they say something about the setting of that key.
    pub fn has(&self, key: &str) -> bool {
        match key {
            "pitch" => self.pitch.is_some(),
            "inset" => self.inset.is_some(),
            "bevel" => self.bevel.is_some(),
            "style" => self.style.is_some(),
            "relief" => self.relief.is_some(),
            "digit_height" => self.digit_height.is_some(),
            "tolerance" => self.tolerance.is_some(),
            "names" => self.names.is_some(),
            "font" => self.font.is_some(),
            "bed" => self.bed.is_some(),
            _ => false,
        }
    }

    /// These settings, and where they say nothing those of `other`.
    pub fn or(self, other: Settings) -> Settings {
        Settings {
            pitch: self.pitch.or(other.pitch),
            inset: self.inset.or(other.inset),
            bevel: self.bevel.or(other.bevel),
            style: self.style.or(other.style),
            relief: self.relief.or(other.relief),
            digit_height: self.digit_height.or(other.digit_height),
            tolerance: self.tolerance.or(other.tolerance),
            names: self.names.or(other.names),
            font: self.font.or(other.font),
            bed: self.bed.or(other.bed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_and_written_exactly() {
        for (text, micrometres) in
            [("20", 20_000), ("0.15", 150), ("-1.5", -1500), ("+.001", 1), ("7.", 7000), ("00012", 12_000)]
        {
            assert_eq!(Length::parse(text), Ok(Length::of_micrometres(micrometres)), "{text}");
        }
        assert_eq!(Length::of_micrometres(-50).to_string(), "-0.05");
        assert_eq!(Length::of_micrometres(20_000).to_string(), "20");
        assert_eq!(Length::parse("0.0001"), Err(LengthError::TooFine));
        assert_eq!(Length::parse("99999999999"), Err(LengthError::TooLong));
        for wrong in ["", ".", "-", "1e3", "nan", "inf", "1,5", "٣"] {
            assert_eq!(Length::parse(wrong), Err(LengthError::NotANumber), "{wrong}");
        }
    }
}
