//! The only writer: a puzzle's folder is made aside, whole, and then put in place file by file.
//!
//! Files are staged in `out/.NAME.partial/`. Only when all of them are there are they renamed into `out/NAME/`, so that
//! a full disk, an error or Ctrl-C leaves what was there before. A file that is in the way and is neither the same nor
//! listed with its fingerprint in the `report.json` of an earlier run belongs to somebody else and is not touched.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::fingerprint::fingerprint;
use crate::report::{self, Written};

/// The file that lists the others.
pub const REPORT: &str = "report.json";
/// The file that shows them.
pub const PAGE: &str = "index.html";
const LOCK: &str = "lock";
/// Below the staging folder: the files that were replaced, until all are.
const OLD: &str = "old";

/// Why a folder could not be written. What was there before is still there.
#[derive(Debug)]
pub enum OutputError {
    /// The system refused.
    Io {
        /// What was being done: `write`, `make the folder`, ...
        doing: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// These files are in the way and were not written by this program.
    Foreign(Vec<PathBuf>),
    /// Another run is writing this folder.
    Busy(PathBuf),
    /// The folder holds the files of another puzzle; its name.
    OtherPuzzle(PathBuf, String),
    /// The folder holds files that were made from another version of the puzzle file or in other sizes.
    OtherMaking(PathBuf),
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutputError::Io { doing, path, error } => {
                write!(f, "cannot {doing} {}: {error}; ", path.display())?;
                f.write_str(match error.kind() {
                    io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                        "make room, or choose another disk with -o"
                    }
                    _ => "choose another folder with -o",
                })
            }
            OutputError::Foreign(paths) => {
                let more = paths.len() - 1;
                write!(f, "{} is in the way and was not written by cubewright", paths[0].display())?;
                if more > 0 {
                    write!(f, " (and {more} more)")?;
                }
                f.write_str("; move it away, choose another folder with -o, or replace it with --overwrite")
            }
            OutputError::OtherPuzzle(path, name) => write!(
                f,
                "{} holds another puzzle, '{name}'; choose another folder with -o, or replace it with --overwrite",
                path.display()
            ),
            OutputError::OtherMaking(path) => write!(
                f,
                "{} was made from another version of the puzzle file or in other sizes, and one stage alone would not \
                 fit to the rest; build everything, or choose another folder with -o",
                path.display()
            ),
            OutputError::Busy(path) => {
                write!(f, "another cubewright is writing {}; wait for it to end", path.display())
            }
        }
    }
}

impl std::error::Error for OutputError {}

/// Writes one file whole or not at all.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    let partial = path.with_file_name(name);
    let written = fs::write(&partial, bytes).and_then(|()| fs::rename(&partial, path));
    written.map_err(|error| {
        // It may not be there at all.
        let _ = fs::remove_file(&partial);
        failed("write", path)(error)
    })
}

/// The puzzle folders in `out` that have a page, sorted by name: name, report, page.
pub fn folders_with_page(out: &Path) -> Result<Vec<(String, Vec<u8>, String)>, OutputError> {
    let read = fs::read_dir(out).map_err(failed("read", out))?;
    let of_folder = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
        let report = fs::read(entry.path().join(REPORT)).ok()?;
        report::earlier(&report)?;
        Some((name, report, fs::read_to_string(entry.path().join(PAGE)).ok()?))
    };
    let mut folders: Vec<_> = read.flatten().filter_map(of_folder).collect();
    folders.sort();
    Ok(folders)
}

/// Writes the page of all puzzles into `out`, unless somebody else's file is there: `is_ours` tells.
pub fn write_page_of_all(
    out: &Path,
    page: &str,
    is_ours: impl Fn(&[u8]) -> bool,
    overwrite: bool,
) -> Result<(), OutputError> {
    let path = out.join(PAGE);
    let is_free = match fs::read(&path) {
        Ok(there) => is_ours(&there),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if is_free || overwrite { write_file(&path, page.as_bytes()) } else { Err(OutputError::Foreign(vec![path])) }
}

/// Whose files they are and how they came about.
#[derive(Clone, Copy, Debug)]
pub struct Making<'a> {
    /// The name of the puzzle.
    pub puzzle: &'a str,
    /// Of the puzzle file and of the sizes.
    pub fingerprint: &'a str,
    /// Replace files of others that are in the way.
    pub overwrite: bool,
}

/// A puzzle's folder in the making. Dropped before it is published, it leaves nothing.
pub struct Folder {
    target: PathBuf,
    staging: PathBuf,
    written: Mutex<Vec<Written>>,
    /// Held until the end so that no second run stages here.
    _lock: File,
}

impl Folder {
    /// Begins the folder `name` in `out`; `out` is made if it is not there.
    pub fn stage(out: &Path, name: &str) -> Result<Folder, OutputError> {
        let staging = out.join(format!(".{name}.partial"));
        fs::create_dir_all(&staging).map_err(failed("make the folder", &staging))?;
        let lock_path = staging.join(LOCK);
        let lock = File::create(&lock_path).map_err(failed("write", &lock_path))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(OutputError::Busy(out.join(name))),
            // A file system without locks: two runs at once are then the user's care.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let folder = Folder { target: out.join(name), staging, written: Mutex::default(), _lock: lock };
        folder.recover();
        folder.clear_leftovers()?;
        Ok(folder)
    }

    /// What a run that was killed has left.
    fn clear_leftovers(&self) -> Result<(), OutputError> {
        let read = fs::read_dir(&self.staging).map_err(failed("read", &self.staging))?;
        for entry in read.flatten().filter(|entry| entry.file_name() != OsStr::new(LOCK)) {
            let path = entry.path();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let removed = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.map_err(failed("remove", &path))?;
        }
        Ok(())
    }

    /// Writes a file of the folder; any thread may.
    pub fn write(&self, path: &str, bytes: &[u8]) -> Result<(), OutputError> {
        let staged = self.staging.join(path);
        let parent = staged.parent().unwrap_or(&self.staging);
        fs::create_dir_all(parent).map_err(failed("make the folder", parent))?;
        fs::write(&staged, bytes).map_err(failed("write", &staged))?;
        let written = Written { path: path.to_owned(), bytes: bytes.len() as u64, sha256: fingerprint(bytes) };
        self.written.lock().unwrap_or_else(PoisonError::into_inner).push(written);
        Ok(())
    }

    /// Puts the files in place, and with them the page and the report that are made of their list, sorted by path, the
    /// report also of the report that was there. Either all of them come to lie in the folder or none does.
    ///
    /// Files of an earlier run that are as it left them and were not made this time are removed where `is_of_stage` says
    /// that this run would have made them; the others are listed on. Returns the files that were made.
    pub fn publish(
        self,
        making: &Making<'_>,
        is_of_stage: impl Fn(&str) -> bool,
        page: Option<impl FnOnce(&[Written]) -> String>,
        report: impl FnOnce(&[Written], Option<&[u8]>) -> Vec<u8>,
    ) -> Result<Vec<Written>, OutputError> {
        let mut files = self.take_written();
        let report_before = fs::read(self.target.join(REPORT)).ok();
        let earlier = report_before.as_deref().and_then(report::earlier);
        if let Some(earlier) = earlier.as_ref().filter(|earlier| earlier.puzzle != making.puzzle && !making.overwrite) {
            return Err(OutputError::OtherPuzzle(self.target.clone(), earlier.puzzle.clone()));
        }
        let listed_before: BTreeMap<&str, &Written> = (earlier.iter().flat_map(|earlier| &earlier.files))
            .filter(|file| is_inside(&file.path))
            .map(|file| (file.path.as_str(), file))
            .collect();
        let is_made = |path: &str| files.iter().any(|file| file.path == path) || (path == PAGE && page.is_some());
        let is_untouched = |file: &Written| self.content(&file.path).as_ref() == Some(&file.sha256);
        let rest = listed_before.values().filter(|file| !is_made(&file.path) && is_untouched(file));
        let (stale, kept): (Vec<&Written>, Vec<&Written>) = rest.partition(|file| is_of_stage(&file.path));
        let is_same = earlier.as_ref().is_some_and(|earlier| earlier.fingerprint == making.fingerprint);
        if !kept.is_empty() && !is_same {
            return Err(OutputError::OtherMaking(self.target.clone()));
        }
        let mut listed: Vec<Written> = files.iter().chain(kept).cloned().collect();
        listed.sort();
        if let Some(page) = page {
            self.write(PAGE, page(&listed).as_bytes())?;
            let written = self.take_written();
            listed.extend(written.iter().cloned());
            listed.sort();
            files.extend(written);
        }
        self.refuse_strangers(&files, &listed_before, earlier.is_some(), making.overwrite)?;
        self.write(REPORT, &report(&listed, report_before.as_deref().filter(|_| is_same)))?;

        self.put(files.iter().map(|file| file.path.as_str()).chain([REPORT]))?;
        for file in stale {
            let path = self.target.join(&file.path);
            fs::remove_file(&path).map_err(failed("remove", &path))?;
        }
        Ok(files)
    }

    /// The files written since the last time, sorted by path.
    fn take_written(&self) -> Vec<Written> {
        let mut files = std::mem::take(&mut *self.written.lock().unwrap_or_else(PoisonError::into_inner));
        files.sort();
        files
    }

    /// Fails when something of others, or a folder, is where a file is to go.
    fn refuse_strangers(
        &self,
        files: &[Written],
        listed_before: &BTreeMap<&str, &Written>,
        report_is_ours: bool,
        overwrite: bool,
    ) -> Result<(), OutputError> {
        let is_ours = |file: &Written| {
            let earlier = listed_before.get(file.path.as_str()).map(|earlier| &earlier.sha256);
            self.content(&file.path).is_some_and(|content| content == file.sha256 || Some(&content) == earlier)
        };
        let mut strangers = Vec::new();
        let mut look = |path: &str, is_ours: &dyn Fn() -> bool| {
            let path = self.target.join(path);
            match fs::symlink_metadata(&path) {
                Ok(there) if there.is_dir() || (!overwrite && !is_ours()) => strangers.push(path),
                _ => {}
            }
        };
        look(REPORT, &|| report_is_ours);
        files.iter().for_each(|file| look(&file.path, &|| is_ours(file)));
        if strangers.is_empty() { Ok(()) } else { Err(OutputError::Foreign(strangers)) }
    }

    /// Renames staged files into place; when one cannot be, all that were are taken back.
    fn put<'a>(&self, paths: impl Iterator<Item = &'a str>) -> Result<(), OutputError> {
        let mut done: Vec<&str> = Vec::new();
        for path in paths {
            if let Err(error) = self.put_one(path) {
                done.iter().rev().for_each(|path| self.take_back(path));
                return Err(error);
            }
            done.push(path);
        }
        Ok(())
    }

    fn put_one(&self, path: &str) -> Result<(), OutputError> {
        let (to, old) = (self.target.join(path), self.staging.join(OLD).join(path));
        for parent in [to.parent(), old.parent()].into_iter().flatten() {
            fs::create_dir_all(parent).map_err(failed("make the folder", parent))?;
        }
        let was_there = fs::symlink_metadata(&to).is_ok();
        if was_there {
            fs::rename(&to, &old).map_err(failed("replace", &to))?;
        }
        fs::rename(self.staging.join(path), &to).map_err(|error| {
            if was_there {
                let _ = fs::rename(&old, &to);
            }
            failed("write", &to)(error)
        })
    }

    /// Undoes `put_one`, as far as the system lets us.
    fn take_back(&self, path: &str) {
        let (to, old) = (self.target.join(path), self.staging.join(OLD).join(path));
        let _ = if old.exists() { fs::rename(&old, &to) } else { fs::remove_file(&to) };
    }

    /// Takes back what a run that was killed while it put files in place had put there.
    fn recover(&self) {
        let Ok(report) = fs::read(self.staging.join(REPORT)) else { return };
        for file in report::earlier(&report).into_iter().flat_map(|report| report.files) {
            let is_put = is_inside(&file.path) && !self.staging.join(&file.path).exists();
            let was_there = self.staging.join(OLD).join(&file.path).exists();
            if is_put && (was_there || self.content(&file.path).as_ref() == Some(&file.sha256)) {
                self.take_back(&file.path);
            }
        }
    }

    /// The fingerprint of what lies in the finished folder at that path now.
    fn content(&self, path: &str) -> Option<String> {
        fs::read(self.target.join(path)).ok().map(|bytes| fingerprint(&bytes))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing to say when this fails: the next run clears it.
        let _ = fs::remove_dir_all(&self.staging);
        if let Some(out) = self.staging.parent() {
            // Only an empty folder can go, so this undoes no more than `stage` did.
            let _ = fs::remove_dir(out);
        }
    }
}

/// A report may have been changed by anybody: only paths inside the folder count.
fn is_inside(path: &str) -> bool {
    Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    let path = path.to_owned();
    move |error| OutputError::Io { doing, path, error }
}
