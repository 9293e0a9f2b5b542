//! The tables of a game in a directory: each file is opened when it is first asked for, and one that is damaged is told of
//! once and not used any more.

use crate::read::TableError;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The tables of a directory, by number; `T` is an open one.
#[derive(Debug)]
pub struct Layers<T> {
    directory: PathBuf,
    /// A table that could not be opened stays so.
    tables: Vec<OnceLock<Option<T>>>,
    /// Tables in which a damaged block was found.
    damaged: Vec<AtomicBool>,
    complain: fn(&TableError),
}

impl<T> Layers<T> {
    /// At most `count` tables in a directory, which need not be there. `complain` is called once with the error of each
    /// file that is there and cannot be used.
    #[must_use]
    pub fn new(directory: PathBuf, count: usize, complain: fn(&TableError)) -> Layers<T> {
        Layers {
            directory,
            tables: (0..count).map(|_| OnceLock::new()).collect(),
            damaged: (0..count).map(|_| AtomicBool::new(false)).collect(),
            complain,
        }
    }

    /// The directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What `look` finds in a table, which `open` opens in the directory where nobody has asked for it before; `None` if there
    /// is no such number, no such file, or the file is damaged.
    pub fn look<V>(
        &self,
        number: usize,
        open: impl FnOnce(&Path) -> Result<T, TableError>,
        look: impl FnOnce(&T) -> Result<V, TableError>,
    ) -> Option<V> {
        let (table, damaged) = (self.tables.get(number)?, &self.damaged[number]);
        let opened = table.get_or_init(|| match open(&self.directory) {
            Ok(table) => Some(table),
            Err(error) => {
                if !error.is_missing() {
                    (self.complain)(&error);
                }
                None
            }
        });
        let opened = opened.as_ref().filter(|_| !damaged.load(Relaxed))?;
        match look(opened) {
            Ok(value) => Some(value),
            Err(error) => {
                if !damaged.swap(true, Relaxed) {
                    (self.complain)(&error);
                }
                None
            }
        }
    }
}
