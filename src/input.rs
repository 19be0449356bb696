//! The only reader: a PUZZLE argument -> the text of a puzzle file, a font's path -> its bytes.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::collection::{self, COLLECTION};
use crate::nearest::nearest;

/// The most bytes that a puzzle file may have.
const LARGEST_PUZZLE: u64 = 4 << 20;
/// The most bytes that the answer of a solver may have.
const LARGEST_ANSWER: u64 = 512 << 20;
/// The most bytes that a font may have.
const LARGEST_FONT: u64 = 64 << 20;

/// The text of a puzzle file and where it came from.
#[derive(Clone, Debug)]
pub struct Source {
    /// How messages call it: the path, the built-in name, or `<stdin>`.
    pub label: String,
    /// The text.
    pub text: String,
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
            InputError::NotText(path, line) => {
                write!(f, "{}:{line}: is not UTF-8 text from here on; name a text file, saved as UTF-8", path.display())
            }
        }
    }
}

impl std::error::Error for InputError {}

/// Reads the puzzle that a command line names: a built-in name, `-` for standard input, or a path.
/// A file that is named like a built-in puzzle is reached with `./` before it.
pub fn puzzle(argument: &str) -> Result<Source, InputError> {
    if let Some(text) = collection::find(argument) {
        return Ok(Source { label: argument.to_owned(), text: text.to_owned(), folder: PathBuf::new() });
    }
    let (label, bytes) = if argument == "-" {
        ("<stdin>".to_owned(), limited(io::stdin().lock(), Path::new("<stdin>"), LARGEST_PUZZLE)?)
    } else {
        let read = file(Path::new(argument), LARGEST_PUZZLE).map_err(|error| match error {
            InputError::Io(_, error) if error.kind() == io::ErrorKind::NotFound => {
                InputError::Unknown(argument.to_owned())
            }
            other => other,
        });
        (argument.to_owned(), read?)
    };
    let text = text(bytes, &label)?;
    let folder = Path::new(argument).parent().map(Path::to_owned).unwrap_or_default();
    // Editors on Windows begin a file with a byte order mark, which is no part of the text.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    Ok(Source { label, text, folder })
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
