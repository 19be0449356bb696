//! XML elements with their places, read strictly: every complaint knows where it points. The only file that names
//! roxmltree.

use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

use roxmltree::{Node, ParsingOptions, TextPos};

use crate::puzzle::table::ParseError;

/// Nodes take about a hundred bytes of memory each, whatever the text; a file with 1,000 stored solutions has less than
/// a million.
const MOST_NODES: u32 = 3_000_000;

/// No element of BurrTools has more than a dozen.
const MOST_ATTRIBUTES: usize = 200;

/// A document.
pub(super) struct Document<'a>(roxmltree::Document<'a>);

impl<'a> Document<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Document<'a>, ParseError> {
        refuse_crowds(text)?;
        let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
        roxmltree::Document::parse_with_options(text, options).map(Document).map_err(|error| {
            use roxmltree::Error::{DtdDetected, NodesLimitReached, UnclosedRootNode, UnexpectedEndOfStream};
            let (at, help) = match error {
                DtdDetected => {
                    (text.find("<!DOCTYPE").unwrap_or(0), "leave out the <!DOCTYPE ...>; puzzle files have none")
                }
                NodesLimitReached => (0, "a puzzle file has at most 3,000,000 elements; leave some out"),
                UnclosedRootNode | UnexpectedEndOfStream => (text.len(), "the file was cut off; get it again"),
                _ => (byte_of(text, error.pos()), "mend the XML here"),
            };
            // The place is shown beside it.
            let message = error.to_string();
            let message = message.split(" at ").next().unwrap_or("broken XML");
            ParseError::new(&(at..at), format!("this is not XML that can be read: {message}"), help)
        })
    }

    pub(super) fn root(&self) -> Element<'_> {
        Element(self.0.root_element())
    }

    /// The names of all elements.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.descendants().filter(Node::is_element).map(|node| node.tag_name().name())
    }

    pub(super) fn has_comments(&self) -> bool {
        self.0.descendants().any(|node| node.is_comment())
    }
}

/// The parser compares the attributes of an element pair by pair, and looks names up in all namespaces; there must not
/// be too many.
fn refuse_crowds(text: &str) -> Result<(), ParseError> {
    if let Some(at) = text.find("xmlns:").or_else(|| text.find("xmlns=")) {
        let help = "leave out xmlns; puzzle files have none";
        return Err(ParseError::new(&(at..at + "xmlns".len()), "namespaces are not read", help));
    }
    let mut start = 0;
    for part in text.split('<') {
        let quoted = part.split('=').skip(1).filter(|value| value.trim_start().starts_with(['"', '\'']));
        if quoted.count() > MOST_ATTRIBUTES {
            let message = format!("an element has at most {MOST_ATTRIBUTES} attributes");
            return Err(ParseError::new(&(start..start), message, "leave some out"));
        }
        start += part.len() + 1;
    }
    Ok(())
}

/// The byte at a line and a column, both counted from 1.
fn byte_of(text: &str, place: TextPos) -> usize {
    let line = text.split_inclusive('\n').take(place.row.saturating_sub(1) as usize).map(str::len).sum::<usize>();
    let column = text[line..].char_indices().nth(place.col.saturating_sub(1) as usize);
    column.map_or(text.len(), |(at, _)| line + at)
}

/// An element.
#[derive(Clone, Copy)]
pub(super) struct Element<'a>(Node<'a, 'a>);

impl<'a> Element<'a> {
    pub(super) fn name(self) -> &'a str {
        self.0.tag_name().name()
    }

    /// The beginning of its first tag.
    pub(super) fn span(self) -> Range<usize> {
        let start = self.0.range().start;
        start..start + 1 + self.name().len()
    }

    /// The elements of that name in it, in order; others are skipped.
    pub(super) fn all(self, name: &'static str) -> impl Iterator<Item = Element<'a>> {
        self.0.children().filter(move |node| node.has_tag_name(name)).map(Element)
    }

    pub(super) fn first(self, name: &'static str) -> Option<Element<'a>> {
        self.all(name).next()
    }

    pub(super) fn require(self, name: &'static str) -> Result<Element<'a>, ParseError> {
        self.first(name).ok_or_else(|| {
            let message = format!("<{}> has no <{name}>", self.name());
            ParseError::new(&self.span(), message, format!("put a <{name}> into it"))
        })
    }

    /// All text directly in it; comments may stand in between.
    pub(super) fn text(self) -> Cow<'a, str> {
        joined(self.0.children())
    }

    /// All text in it and in the elements in it.
    pub(super) fn whole_text(self) -> Cow<'a, str> {
        joined(self.0.descendants())
    }

    /// The place of the beginning of its text, or of its tag when it has none.
    pub(super) fn text_span(self) -> Range<usize> {
        self.0.first_child().filter(Node::is_text).map_or(self.span(), |node| node.range())
    }

    pub(super) fn has(self, attribute: &str) -> bool {
        self.0.has_attribute(attribute)
    }

    pub(super) fn attribute(self, name: &str) -> Option<Attribute<'a>> {
        let found = self.0.attribute_node(name)?;
        Some(Attribute { text: found.value(), span: found.range_value() })
    }

    /// A number in that attribute, in that range; `None` when it is not there.
    pub(super) fn number(self, name: &str, range: RangeInclusive<i64>) -> Result<Option<i64>, ParseError> {
        self.attribute(name).map(|attribute| attribute.number(name, range)).transpose()
    }

    pub(super) fn require_number(self, name: &str, range: RangeInclusive<i64>) -> Result<i64, ParseError> {
        let or = match range.start() == range.end() {
            true => String::new(),
            false => format!(" or another number up to {}", range.end()),
        };
        let help = format!("write {name}=\"{}\"{or}", range.start());
        let missing = || ParseError::new(&self.span(), format!("<{}> has no {name}", self.name()), help);
        self.number(name, range)?.ok_or_else(missing)
    }
}

fn joined<'a>(nodes: impl Iterator<Item = Node<'a, 'a>>) -> Cow<'a, str> {
    let mut texts = nodes.filter(Node::is_text).filter_map(|node| node.text());
    let first = Cow::Borrowed(texts.next().unwrap_or_default());
    texts.fold(first, |before, text| before + text)
}

/// The value of an attribute and its place.
pub(super) struct Attribute<'a> {
    pub(super) text: &'a str,
    pub(super) span: Range<usize>,
}

impl Attribute<'_> {
    fn number(&self, name: &str, range: RangeInclusive<i64>) -> Result<i64, ParseError> {
        let help = match range.start() == range.end() {
            true => format!("write {}, the only number that it can be", range.start()),
            false => format!("write a whole number from {} to {}", range.start(), range.end()),
        };
        let wrong = |message: String| ParseError::new(&self.span, message, help.clone());
        let digits = self.text.strip_prefix('-').unwrap_or(self.text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong(format!("{name} is not a whole number")));
        }
        let number = self.text.parse::<i64>().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| wrong(format!("{name} is out of range")))
    }
}
