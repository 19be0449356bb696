//! The only reader: a PUZZLE argument -> the text of a puzzle file, a font's path -> its bytes.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::collection::{self, COLLECTION};
use crate::gzip::{self, GzipError};
use crate::nearest::nearest;

/// The most bytes that a puzzle file may have.
const LARGEST_PUZZLE: u64 = 4 << 20;
/// The most bytes that a BurrTools file may have when it is unpacked; stored solutions are long.
const LARGEST_XML: u64 = 64 << 20;
/// The most bytes that the answer of a solver may have.
const LARGEST_ANSWER: u64 = 512 << 20;
/// The most bytes that a font may have.
const LARGEST_FONT: u64 = 64 << 20;

/// The text of a puzzle file and where it came from.
#[derive(Clone, Debug)]
pub struct Source {
    /// How messages call it: the path, the built-in name, or `<stdin>`.
    pub label: String,
    /// The name of the file without folder and ending.
    pub stem: String,
    /// Which of its puzzles is wanted, by number or name: what stands behind the `#` of the argument.
    pub choice: Option<String>,
    /// The text, unpacked.
    pub text: String,
    /// How many bytes behind the packed text were passed over.
    pub ignored: usize,
    /// The folder that paths in the file start from.
    pub folder: PathBuf,
}

/// Why something could not be read.
#[derive(Debug)]
pub enum InputError {
    /// There is neither such a file nor a built-in puzzle of that name.
    Unknown(String),
    /// The system refused.
    Io(PathBuf, io::Error),
    /// It is a folder.
    Folder(PathBuf),
    /// It is larger than this many bytes.
    TooLarge(PathBuf, u64),
    /// It is not UTF-8 text; the line where it stops being one.
    NotText(PathBuf, usize),
    /// It cannot be unpacked.
    Gzip(PathBuf, GzipError),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Unknown(name) => {
                write!(f, "there is no file and no built-in puzzle '{name}'; ")?;
                match nearest(name, COLLECTION.iter().map(|entry| entry.0)) {
                    Some(near) => write!(f, "did you mean '{near}'?"),
                    None => write!(f, "`cubewright list` shows the collection"),
                }
            }
            InputError::Io(path, error) => {
                write!(f, "{}: cannot be read: {error}; check the path and its permissions", path.display())
            }
            InputError::Folder(path) => write!(f, "{}: is a folder; name a file in it", path.display()),
            InputError::TooLarge(path, most) => {
                let most = most >> 20;
                write!(f, "{}: has more than {most} MiB, which no such file needs; name another file", path.display())
            }
            InputError::Gzip(path, error) => write!(f, "{}: {error}", path.display()),
            InputError::NotText(path, line) => {
                write!(f, "{}:{line}: is not UTF-8 text from here on; name a text file, saved as UTF-8", path.display())
            }
        }
    }
}

impl std::error::Error for InputError {}

/// Reads the puzzle that a command line names: a built-in name, `-` for standard input, or a path, with `#` and a number
/// or name behind it where the file has several puzzles. A file that is named like a built-in puzzle is reached with
/// `./` before it.
pub fn puzzle(argument: &str) -> Result<Source, InputError> {
    let is_there = |name: &str| name == "-" || collection::find(name).is_some() || Path::new(name).exists();
    // A file may have a # in its name, as may what is chosen in it.
    let parts = || argument.match_indices('#').map(|(at, _)| (&argument[..at], &argument[at + 1..]));
    let chosen =
        if is_there(argument) { None } else { parts().find(|part| is_there(part.0)).or_else(|| parts().next_back()) };
    let (name, choice) = chosen.map_or((argument, None), |(name, choice)| (name, Some(choice.to_owned())));
    let path = Path::new(name);
    let source = |(text, ignored): (String, usize), folder: PathBuf, stem: &str| Source {
        label: if name == "-" { "<stdin>".to_owned() } else { name.to_owned() },
        stem: stem.to_owned(),
        choice: choice.clone(),
        text,
        ignored,
        folder,
    };
    if let Some(text) = collection::find(name) {
        return Ok(source((text.to_owned(), 0), PathBuf::new(), name));
    }
    if name == "-" {
        let bytes = limited(io::stdin().lock(), Path::new("<stdin>"), LARGEST_XML)?;
        return Ok(source(puzzle_text(bytes, Path::new("<stdin>"))?, PathBuf::new(), "puzzle"));
    }
    let bytes = file(path, LARGEST_XML).map_err(|error| match error {
        InputError::Io(_, error) if error.kind() == io::ErrorKind::NotFound => InputError::Unknown(name.to_owned()),
        other => other,
    })?;
    let stem = path.file_stem().map_or("puzzle".into(), |stem| stem.to_string_lossy());
    Ok(source(puzzle_text(bytes, path)?, path.parent().map(Path::to_owned).unwrap_or_default(), &stem))
}

/// The text of a puzzle file that lies there: TOML, or XML as BurrTools writes it, mostly packed and not always UTF-8; and
/// how many bytes behind the packed text were passed over.
pub fn puzzle_text(mut bytes: Vec<u8>, path: &Path) -> Result<(String, usize), InputError> {
    let mut ignored = 0;
    if gzip::is_gzip(&bytes) {
        let unpacked = gzip::unpack(&bytes, LARGEST_XML as usize);
        (bytes, ignored) = unpacked.map_err(|error| InputError::Gzip(path.to_owned(), error))?;
    }
    Ok((plain_text(bytes, path)?, ignored))
}

fn plain_text(mut bytes: Vec<u8>, path: &Path) -> Result<String, InputError> {
    // Editors on Windows begin a file with a byte order mark, which is no part of the text.
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    if !is_xml(&bytes) {
        return match bytes.len() as u64 > LARGEST_PUZZLE {
            true => Err(InputError::TooLarge(path.to_owned(), LARGEST_PUZZLE)),
            false => text(bytes, &path.display().to_string()),
        };
    }
    let mut text =
        String::from_utf8(bytes).unwrap_or_else(|latin| latin.as_bytes().iter().copied().map(char::from).collect());
    // BurrTools takes an XML declaration behind blank lines, XML does not; places must stay what they are.
    let start = text.len() - text.trim_start().len();
    if let (true, Some(end)) = (start > 0 && text[start..].starts_with("<?xml"), text.find("?>")) {
        text.replace_range(start..end + 2, &" ".repeat(end + 2 - start));
    }
    // Old comments hold control characters, which XML has not.
    if text.contains(is_no_xml) {
        text = text.chars().map(|c| if is_no_xml(c) { ' ' } else { c }).collect();
    }
    Ok(text)
}

fn is_no_xml(c: char) -> bool {
    c < ' ' && !matches!(c, '\n' | '\r' | '\t')
}

/// Whether a text is XML rather than TOML.
pub fn is_xml(text: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(b"<")
}

/// Reads what a solver of integer programmes wrote.
pub fn answer(path: &Path) -> Result<String, InputError> {
    text(file(path, LARGEST_ANSWER)?, &path.display().to_string())
}

/// Reads the bytes of a font file.
pub fn font(path: &Path) -> Result<Vec<u8>, InputError> {
    file(path, LARGEST_FONT)
}

fn text(bytes: Vec<u8>, label: &str) -> Result<String, InputError> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        InputError::NotText(PathBuf::from(label), valid.iter().filter(|&&byte| byte == b'\n').count() + 1)
    })
}

fn file(path: &Path, most: u64) -> Result<Vec<u8>, InputError> {
    if path.is_dir() {
        return Err(InputError::Folder(path.to_owned()));
    }
    let opened = File::open(path).map_err(|error| InputError::Io(path.to_owned(), error))?;
    limited(opened, path, most)
}

fn limited(reader: impl Read, path: &Path, most: u64) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes).map_err(|error| InputError::Io(path.to_owned(), error))?;
    if bytes.len() as u64 > most { Err(InputError::TooLarge(path.to_owned(), most)) } else { Ok(bytes) }
}
