//! The command-line option that names tables of endings.

use super::Sources;
use super::store::Endings;
use clap::Args;
use std::path::{Path, PathBuf};

/// The command-line options of this game beside the common ones.
#[derive(Args, Clone, Debug, Default)]
pub struct Extra {
    /// The directory of the tables of endings (solve foxgame --out DIR): one fox and few sheep are then played from them
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
}

impl Extra {
    /// The settings that these options stand for.
    #[must_use]
    pub fn sources(&self) -> Sources {
        Sources { endings: self.tables.as_deref().map(open) }
    }
}

/// The tables of a directory, for as long as the process lasts. Says so on standard error if there is no such directory;
/// a file that is refused is a line there when it is first needed.
#[must_use]
pub fn open(directory: &Path) -> &'static Endings {
    if !directory.is_dir() {
        eprintln!("{}: there are no tables (make them with solve foxgame --out DIR)", directory.display());
    }
    Box::leak(Box::new(Endings::new(directory.to_owned(), |error| eprintln!("{error}"))))
}
