//! The text of ISO 10303-21 ("STEP file"): numbered entities, reals and strings. Knows nothing of shapes.

use std::fmt::{self, Display, Formatter, Write};

/// An exchange file that grows by one entity at a time, so that every reference points backwards.
pub(super) struct Part21 {
    text: String,
    entities: u32,
}

/// The number of an entity: `#12`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id(u32);

impl Part21 {
    /// A file of AP214, the schema that carries colours and assemblies and that every CAD program reads.
    pub(super) fn automotive_design(name: &str) -> Part21 {
        let mut text = String::with_capacity(1 << 18);
        // The time stamp is a fixed one: the same model gives the same bytes on every day.
        write!(
            text,
            "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(({name}),'2;1');\n\
             FILE_NAME({name},'2000-01-01T00:00:00',(''),(''),'cubewright {version}','cubewright','');\n\
             FILE_SCHEMA(('AUTOMOTIVE_DESIGN {{ 1 0 10303 214 1 1 1 1 }}'));\nENDSEC;\nDATA;\n",
            name = Text(name),
            version = env!("CARGO_PKG_VERSION"),
        )
        .expect("a string takes any text");
        Part21 { text, entities: 0 }
    }

    /// Adds an entity, written as `KEYWORD(...)`, and gives its number.
    pub(super) fn add(&mut self, entity: fmt::Arguments<'_>) -> Id {
        self.entities += 1;
        let id = Id(self.entities);
        writeln!(self.text, "{id}={entity};").expect("a string takes any text");
        id
    }

    /// The whole file, plain ASCII.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.text.push_str("ENDSEC;\nEND-ISO-10303-21;\n");
        self.text.into_bytes()
    }
}

/// By hand: half of a file is references, which the general formatter would slow down.
impl Display for Id {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = [b'#'; 11];
        let (mut start, mut rest) = (text.len(), self.0);
        while rest > 0 {
            start -= 1;
            text[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        f.write_str(str::from_utf8(&text[start - 1..]).expect("ASCII"))
    }
}

/// A list in brackets: `(#1,#2)`.
pub(super) struct List<'a, T>(pub(super) &'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('(')?;
        for (i, item) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_char(',')?;
            }
            item.fmt(f)?;
        }
        f.write_char(')')
    }
}

/// A real in the shortest text that reads back as the same number; the point is never missing: `20.`, `0.1`, `1.E-9`.
pub(super) struct Real(pub(super) f64);

impl Display for Real {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let value = self.0 + 0.0; // -0 becomes 0
        let size = value.abs();
        if size != 0.0 && !(1e-5..1e15).contains(&size) {
            let text = format!("{value:E}");
            let (digits, exponent) = text.split_once('E').expect("the exponent form has an exponent");
            let point = if digits.contains('.') { "" } else { "." };
            write!(f, "{digits}{point}E{exponent}")
        } else if value.fract() == 0.0 {
            write!(f, "{value}.")
        } else {
            write!(f, "{value}")
        }
    }
}

/// A string in quotes. What is not printable ASCII is escaped, so that any name gives a valid file.
pub(super) struct Text<'a>(pub(super) &'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('\'')?;
        let mut rest = self.0;
        while let Some(first) = rest.chars().next() {
            let kind = Escape::of(first);
            let (run, after) = rest.split_at(rest.find(|c| Escape::of(c) != kind).unwrap_or(rest.len()));
            kind.write(run, f)?;
            rest = after;
        }
        f.write_char('\'')
    }
}

/// How a character is written in a string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// As itself; quote and backslash twice.
    Plain,
    /// `\X2\`, four hexadecimal digits each, `\X0\`.
    Basic,
    /// `\X4\`, eight hexadecimal digits each, `\X0\`.
    Astral,
}

impl Escape {
    fn of(character: char) -> Escape {
        match character {
            ' '..='~' => Escape::Plain,
            '\0'..='\u{FFFF}' => Escape::Basic,
            _ => Escape::Astral,
        }
    }

    fn write(self, run: &str, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Escape::Plain => run.chars().try_for_each(|c| match c {
                '\'' | '\\' => write!(f, "{c}{c}"),
                _ => f.write_char(c),
            }),
            Escape::Basic => {
                f.write_str("\\X2\\")?;
                run.chars().try_for_each(|c| write!(f, "{:04X}", u32::from(c)))?;
                f.write_str("\\X0\\")
            }
            Escape::Astral => {
                f.write_str("\\X4\\")?;
                run.chars().try_for_each(|c| write!(f, "{:08X}", u32::from(c)))?;
                f.write_str("\\X0\\")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_are_short_have_a_point_and_read_back_exactly() {
        for (value, text) in [
            (0.0, "0."),
            (-0.0, "0."),
            (20.0, "20."),
            (-9.9, "-9.9"),
            (0.00001, "0.00001"),
            (1e-7, "1.E-7"),
            (-1.5e-7, "-1.5E-7"),
            (1e22, "1.E22"),
            (0.1 + 0.2, "0.30000000000000004"),
        ] {
            assert_eq!(Real(value).to_string(), text);
            assert_eq!(text.parse::<f64>(), Ok(value));
        }
    }

    #[test]
    fn strings_are_plain_ascii_whatever_the_name() {
        for (name, text) in [
            ("A", "'A'"),
            ("it's", "'it''s'"),
            ("a\\b", r"'a\\b'"),
            ("Würfel", r"'W\X2\00FC\X0\rfel'"),
            ("a\nb\0", r"'a\X2\000A\X0\b\X2\0000\X0\'"),
            ("שלום", r"'\X2\05E905DC05D505DD\X0\'"),
            ("🎲é🎲🎲", r"'\X4\0001F3B2\X0\\X2\00E9\X0\\X4\0001F3B20001F3B2\X0\'"),
            ("", "''"),
        ] {
            assert_eq!(Text(name).to_string(), text);
        }
    }
}
