//! The numbered table files of a directory.

use crate::read::TableError;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The first directory that is given: `named`, that of the environment variable `MENAGERIE_TABLES`,
/// or `tables` beside the program.
pub fn usual_directory(named: Option<&Path>) -> PathBuf {
    let of_variable = || std::env::var_os("MENAGERIE_TABLES").filter(|value| !value.is_empty());
    let beside = || Some(std::env::current_exe().ok()?.parent()?.join("tables"));
    named
        .map(Path::to_owned)
        .or_else(|| of_variable().map(PathBuf::from))
        .or_else(beside)
        .unwrap_or_else(|| PathBuf::from("tables"))
}

/// The tables in a directory, by number; `T` is the type of an open one.
#[derive(Debug)]
pub struct TableDirectory<T> {
    directory: PathBuf,
    /// The tables opened so far, `None` for one that could not be opened and is not tried again, and
    /// whether a damaged block was found in each.
    tables: Vec<(OnceLock<Option<T>>, AtomicBool)>,
    report: fn(&TableError),
}

impl<T> TableDirectory<T> {
    /// The list of at most `count` tables in a directory, which need not exist. `report` is called
    /// once with the error of each file that exists and cannot be used.
    pub fn new(directory: PathBuf, count: usize, report: fn(&TableError)) -> TableDirectory<T> {
        TableDirectory {
            directory,
            tables: (0..count).map(|_| (OnceLock::new(), AtomicBool::new(false))).collect(),
            report,
        }
    }

    /// The path of the directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Looks up a value with `find` in the table of this number, which `open` opens on its first
    /// use. `None` if the number is out of range, or the file is missing or damaged.
    pub fn look_up<V>(
        &self,
        number: usize,
        open: impl FnOnce(&Path) -> Result<T, TableError>,
        find: impl FnOnce(&T) -> Result<V, TableError>,
    ) -> Option<V> {
        let (table, damaged) = self.tables.get(number)?;
        let opened = table.get_or_init(|| {
            let report = |error: &TableError| {
                if !error.is_missing() {
                    (self.report)(error);
                }
            };
            open(&self.directory).inspect_err(report).ok()
        });
        let opened = opened.as_ref().filter(|_| !damaged.load(Relaxed))?;
        let report = |error: &TableError| {
            if !damaged.swap(true, Relaxed) {
                (self.report)(error);
            }
        };
        find(opened).inspect_err(report).ok()
    }
}
