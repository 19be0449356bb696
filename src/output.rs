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

use sha2::{Digest, Sha256};

use crate::report::{self, Written};

/// The file that lists the others.
pub const REPORT: &str = "report.json";
const LOCK: &str = "lock";

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
            OutputError::Busy(path) => {
                write!(f, "another cubewright is writing {}; wait for it to end", path.display())
            }
        }
    }
}

impl std::error::Error for OutputError {}

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

    /// Puts the files in place, and with them the report that `report` makes of their list, sorted by path.
    /// Files that an earlier report lists, that are as it left them and were not made this time are listed on with
    /// `keeps_the_rest`, and removed without. Returns the files that were made.
    pub fn publish(
        self,
        overwrite: bool,
        keeps_the_rest: bool,
        report: impl FnOnce(&[Written]) -> Vec<u8>,
    ) -> Result<Vec<Written>, OutputError> {
        let mut files = std::mem::take(&mut *self.written.lock().unwrap_or_else(PoisonError::into_inner));
        files.sort();
        let (earlier, report_is_ours) = earlier_files(&self.target);
        let is_made = |path: &str| files.iter().any(|file| file.path == path);
        let is_untouched =
            |file: &&Written| !is_made(&file.path) && self.content(&file.path).as_ref() == Some(&file.sha256);
        let rest: Vec<&Written> = earlier.values().filter(is_untouched).collect();
        let mut listed = files.clone();
        if keeps_the_rest {
            listed.extend(rest.iter().copied().cloned());
            listed.sort();
        }
        self.write(REPORT, &report(&listed))?;

        let is_ours = |file: &Written| {
            let earlier = earlier.get(&file.path).map(|earlier| &earlier.sha256);
            self.content(&file.path).is_some_and(|content| content == file.sha256 || Some(&content) == earlier)
        };
        let mut foreign: Vec<PathBuf> = Vec::new();
        if fs::symlink_metadata(self.target.join(REPORT)).is_ok() && !report_is_ours {
            foreign.push(self.target.join(REPORT));
        }
        for file in &files {
            let path = self.target.join(&file.path);
            let in_the_way = fs::symlink_metadata(&path).is_ok_and(|there| there.is_dir() || !is_ours(file));
            if in_the_way {
                foreign.push(path);
            }
        }
        if !foreign.is_empty() && !overwrite {
            return Err(OutputError::Foreign(foreign));
        }

        fs::create_dir_all(&self.target).map_err(failed("make the folder", &self.target))?;
        for path in files.iter().map(|file| file.path.as_str()).chain([REPORT]) {
            let to = self.target.join(path);
            let parent = to.parent().unwrap_or(&self.target);
            fs::create_dir_all(parent).map_err(failed("make the folder", parent))?;
            fs::rename(self.staging.join(path), &to).map_err(failed("write", &to))?;
        }
        for file in rest.iter().filter(|_| !keeps_the_rest) {
            let path = self.target.join(&file.path);
            fs::remove_file(&path).map_err(failed("remove", &path))?;
        }
        Ok(files)
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

/// The files that an earlier report lists, by path, and whether the report is one of ours.
fn earlier_files(target: &Path) -> (BTreeMap<String, Written>, bool) {
    let earlier = fs::read(target.join(REPORT)).ok().and_then(|bytes| report::files(&bytes));
    let is_ours = earlier.is_some();
    // A report may have been changed by anybody: only paths inside the folder count.
    let is_inside = |path: &str| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let files = earlier.into_iter().flatten().filter(|file| is_inside(&file.path));
    (files.map(|file| (file.path.clone(), file)).collect(), is_ours)
}

fn fingerprint(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    let path = path.to_owned();
    move |error| OutputError::Io { doing, path, error }
}
