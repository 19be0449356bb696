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

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The file that lists the others.
pub const REPORT: &str = "report.json";
const LOCK: &str = "lock";

/// A file written, as the report lists it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Written {
    /// Where it lies in the puzzle's folder, with `/` between the parts.
    pub path: String,
    /// How long it is.
    pub bytes: u64,
    /// The SHA-256 of its content in hexadecimal digits.
    pub sha256: String,
}

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
    /// Files that an earlier report lists, that are as it left them and are not written any more are removed.
    pub fn publish(
        self,
        overwrite: bool,
        report: impl FnOnce(&[Written]) -> Vec<u8>,
    ) -> Result<Vec<Written>, OutputError> {
        let mut files = std::mem::take(&mut *self.written.lock().unwrap_or_else(PoisonError::into_inner));
        files.sort();
        self.write(REPORT, &report(&files))?;

        let (earlier, report_is_ours) = earlier_files(&self.target);
        let is_ours = |path: &str, now: &str| {
            let content = fs::read(self.target.join(path)).map(|bytes| fingerprint(&bytes));
            content.is_ok_and(|content| content == now || earlier.get(path) == Some(&content))
        };
        let mut foreign: Vec<PathBuf> = Vec::new();
        if fs::symlink_metadata(self.target.join(REPORT)).is_ok() && !report_is_ours {
            foreign.push(self.target.join(REPORT));
        }
        for file in &files {
            let path = self.target.join(&file.path);
            let in_the_way =
                fs::symlink_metadata(&path).is_ok_and(|there| there.is_dir() || !is_ours(&file.path, &file.sha256));
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
        for (path, fingerprint_then) in &earlier {
            let is_stale = !files.iter().any(|file| file.path == *path) && is_ours(path, fingerprint_then);
            if is_stale {
                let path = self.target.join(path);
                fs::remove_file(&path).map_err(failed("remove", &path))?;
            }
        }
        Ok(files)
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
fn earlier_files(target: &Path) -> (BTreeMap<String, String>, bool) {
    #[derive(Deserialize)]
    struct Earlier {
        #[serde(rename = "cubewright")]
        _version: u32,
        files: Vec<Written>,
    }
    let earlier = fs::read(target.join(REPORT)).ok().and_then(|bytes| serde_json::from_slice::<Earlier>(&bytes).ok());
    // A report may have been changed by anybody: only paths inside the folder count.
    let is_inside = |path: &str| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let is_ours = earlier.is_some();
    let files = earlier.into_iter().flat_map(|earlier| earlier.files).filter(|file| is_inside(&file.path));
    (files.map(|file| (file.path, file.sha256)).collect(), is_ours)
}

fn fingerprint(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    let path = path.to_owned();
    move |error| OutputError::Io { doing, path, error }
}
