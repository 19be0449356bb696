//! A file and what is chosen of it -> its puzzles. A puzzle file has one, a BurrTools file one for each problem.

use std::fmt;

use crate::input::{Source, is_xml};
use crate::nearest::nearest;
use crate::puzzle::Puzzle;
use crate::puzzle::parse::{ParseError, parse};
use crate::puzzle::xmpuzzle::{self, BurrFile, Problem};

/// What is in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// A puzzle file of this program.
    Own(Box<Puzzle>),
    /// A BurrTools file.
    Burr(BurrFile),
}

/// One of the puzzles of a file.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// Its number from 1; `None` where the file has one anyway.
    pub number: Option<usize>,
    /// The puzzle, or why it is none that this program can solve.
    pub puzzle: Result<&'a Puzzle, &'a ParseError>,
    /// What a BurrTools file says beside it.
    pub problem: Option<&'a Problem>,
    /// That file.
    pub file: Option<&'a BurrFile>,
}

/// Why there is no such puzzle in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceError {
    /// The file has a single puzzle and takes no choice.
    Single,
    /// The file has no puzzle at all.
    Empty,
    /// There is none of that number or name; the names of those that are there.
    Unknown(String, Vec<String>),
    /// One is wanted, there are several; their names.
    Several(Vec<String>),
}

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChoiceError::Single => f.write_str("the file has one puzzle; leave out # and what is behind it"),
            ChoiceError::Empty => f.write_str("the file has no problem to solve, only shapes; add one in BurrTools"),
            ChoiceError::Unknown(choice, names) => {
                write!(f, "there is no puzzle '{choice}' in it; ")?;
                match nearest(choice, names.iter().map(String::as_str)) {
                    Some(near) => write!(f, "did you mean '{near}'?"),
                    None => write!(f, "it has {}", numbered(names)),
                }
            }
            ChoiceError::Several(names) => {
                write!(
                    f,
                    "the file has {} puzzles; choose one with # behind the file: {}",
                    names.len(),
                    numbered(names)
                )
            }
        }
    }
}

impl std::error::Error for ChoiceError {}

/// `#1 first, #2 second`, the first ten.
fn numbered(names: &[String]) -> String {
    let shown = names.iter().take(10).enumerate().map(|(index, name)| format!("#{} {name}", index + 1));
    let dots = if names.len() > 10 { ", ..." } else { "" };
    shown.collect::<Vec<_>>().join(", ") + dots
}

impl Opened {
    /// What is in that file.
    pub fn of(source: &Source) -> Result<Opened, ParseError> {
        match is_xml(source.text.as_bytes()) {
            true => xmpuzzle::read(&source.text, &source.stem).map(Opened::Burr),
            false => parse(&source.text).map(|puzzle| Opened::Own(Box::new(puzzle))),
        }
    }

    /// The puzzle of that number or name; all puzzles where nothing is chosen.
    pub fn items(&self, choice: Option<&str>) -> Result<Vec<Item<'_>>, ChoiceError> {
        let file = match (self, choice) {
            (Opened::Own(puzzle), None) => {
                return Ok(vec![Item { number: None, puzzle: Ok(puzzle), problem: None, file: None }]);
            }
            (Opened::Own(_), Some(_)) => return Err(ChoiceError::Single),
            (Opened::Burr(file), _) => file,
        };
        let is_single = file.problems.len() == 1;
        let items = file.problems.iter().enumerate().map(|(index, problem)| Item {
            number: (!is_single).then_some(index + 1),
            puzzle: problem.puzzle.as_ref(),
            problem: Some(problem),
            file: Some(file),
        });
        let items: Vec<Item<'_>> = items.collect();
        let Some(choice) = choice else {
            return if items.is_empty() { Err(ChoiceError::Empty) } else { Ok(items) };
        };
        let by_number = choice.parse::<usize>().ok().and_then(|number| items.get(number.checked_sub(1)?));
        let names = file.names();
        let by_name = || items.get(names.iter().position(|name| name == choice)?);
        match by_number.or_else(by_name) {
            Some(&chosen) => Ok(vec![chosen]),
            None => Err(ChoiceError::Unknown(choice.to_owned(), names)),
        }
    }

    /// The same where a single puzzle is wanted.
    pub fn single(&self, choice: Option<&str>) -> Result<Item<'_>, ChoiceError> {
        match (self.items(choice)?.as_slice(), self) {
            ([item], _) => Ok(*item),
            (_, Opened::Burr(file)) => Err(ChoiceError::Several(file.names())),
            (_, Opened::Own(_)) => Err(ChoiceError::Single),
        }
    }
}
