//! TOML values with their places, read strictly: every complaint knows where it points. The only file that names toml.

use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::settings::Length;
use crate::nearest::nearest;

/// What is wrong with a puzzle file, where, and how to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The bytes of the file that it is about.
    pub span: Range<usize>,
    /// What is wrong, in one line.
    pub message: String,
    /// How to mend it.
    pub help: String,
}

impl ParseError {
    pub(super) fn new(span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) -> ParseError {
        ParseError { span: span.clone(), message: message.into(), help: help.into() }
    }

    /// Line and column in `text`, both from 1, the column in characters.
    pub fn line_column(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.span.start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for ParseError {}

/// The tables of a TOML text, with the place of each value.
pub(super) struct Document<'a>(Spanned<DeTable<'a>>);

impl<'a> Document<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Document<'a>, ParseError> {
        DeTable::parse(text).map(Document).map_err(|error| {
            let message = error.message().lines().next().unwrap_or("broken TOML").to_owned();
            let help = "mend the TOML here; text stands in \"quotes\", a list in [brackets]";
            ParseError::new(&error.span().unwrap_or(0..0), format!("this is not TOML: {message}"), help)
        })
    }

    /// The top table, whose span is its first line alone so that a complaint about it stays short.
    pub(super) fn table(&self, text: &str, known: &[&str]) -> Result<Table<'_>, ParseError> {
        Table::new(self.0.get_ref(), 0..text.find('\n').unwrap_or(text.len()), known)
    }

    /// A value of the top table, whatever else stands there.
    pub(super) fn value(&self, key: &str) -> Option<Value<'_>> {
        self.0.get_ref().get(key).map(|value| Value { value: value.get_ref(), span: value.span() })
    }
}

/// A table all of whose keys are known.
pub(super) struct Table<'a> {
    entries: &'a DeTable<'a>,
    pub(super) span: Range<usize>,
}

impl<'a> Table<'a> {
    fn new(entries: &'a DeTable<'a>, span: Range<usize>, known: &[&str]) -> Result<Table<'a>, ParseError> {
        let unknown = entries.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        match unknown.min_by_key(|key| key.span().start) {
            None => Ok(Table { entries, span }),
            Some(key) => Err(ParseError::new(
                &key.span(),
                format!("unknown key '{}'", key.get_ref()),
                match nearest(key.get_ref(), known.iter().copied()) {
                    Some(near) => format!("did you mean '{near}'?"),
                    None => format!("known here: {}", known.join(", ")),
                },
            )),
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<Value<'a>> {
        self.entries.get(key).map(|value| Value { value: value.get_ref(), span: value.span() })
    }

    pub(super) fn require(&self, key: &str, help: &str) -> Result<Value<'a>, ParseError> {
        self.get(key).ok_or_else(|| ParseError::new(&self.span, format!("'{key}' is missing"), help))
    }
}

/// A value and its place.
#[derive(Clone)]
pub(super) struct Value<'a> {
    value: &'a DeValue<'a>,
    pub(super) span: Range<usize>,
}

impl<'a> Value<'a> {
    fn wanted(&self, what: &str, help: &str) -> ParseError {
        let found = match self.value {
            DeValue::String(_) => "text",
            DeValue::Integer(_) => "a whole number",
            DeValue::Float(_) => "a decimal number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date or time",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        ParseError::new(&self.span, format!("{what} is wanted here, found {found}"), help)
    }

    pub(super) fn text(&self) -> Result<&'a str, ParseError> {
        self.value.as_str().ok_or_else(|| self.wanted("text", "put it in \"quotes\""))
    }

    pub(super) fn is_text(&self) -> bool {
        self.value.is_str()
    }

    pub(super) fn flag(&self) -> Result<bool, ParseError> {
        self.value.as_bool().ok_or_else(|| self.wanted("true or false", "write true or false, without quotes"))
    }

    pub(super) fn integer(&self) -> Result<i64, ParseError> {
        let wanted = || self.wanted("a whole number", "write a number such as 3");
        let number = self.value.as_integer().ok_or_else(wanted)?;
        let digits = number.as_str().replace('_', "");
        i64::from_str_radix(&digits, number.radix()).map_err(|_| {
            ParseError::new(&self.span, format!("{digits} is too large a number"), "write a number such as 3")
        })
    }

    /// Millimetres.
    pub(super) fn length(&self) -> Result<Length, ParseError> {
        let written = match self.value {
            DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
            DeValue::Float(number) => number.as_str(),
            _ => {
                return Err(self.wanted("a number of millimetres", "write a number such as 20 or 0.15, without quotes"));
            }
        };
        Length::parse(&written.replace('_', ""))
            .map_err(|error| ParseError::new(&self.span, format!("{written} {error}"), error.help()))
    }

    pub(super) fn array(&self) -> Result<Vec<Value<'a>>, ParseError> {
        let array = self.value.as_array().ok_or_else(|| self.wanted("a list", "put it in [brackets]"))?;
        Ok(array.iter().map(|value| Value { value: value.get_ref(), span: value.span() }).collect())
    }

    /// Keys and values of a table that may have any keys, in the order of the file.
    pub(super) fn entries(&self) -> Result<Vec<(&'a str, Value<'a>)>, ParseError> {
        let wanted = || self.wanted("a table", "write a [heading] with key = value below it");
        let table = self.value.as_table().ok_or_else(wanted)?;
        let mut entries: Vec<_> = table
            .iter()
            .map(|(key, value)| (key.get_ref().as_ref(), Value { value: value.get_ref(), span: value.span() }))
            .collect();
        entries.sort_by_key(|(_, value)| value.span.start);
        Ok(entries)
    }

    pub(super) fn table(&self, known: &[&str]) -> Result<Table<'a>, ParseError> {
        let wanted = || self.wanted("a table", "write { key = value, ... } or a [heading] with the keys below it");
        Table::new(self.value.as_table().ok_or_else(wanted)?, self.span.clone(), known)
    }
}
