//! The command-line option for endgame tables.

use super::Sources;
use super::store::Endings;
use clap::Args;
use std::path::{Path, PathBuf};

/// The command-line options of FoxGame besides the common ones.
#[derive(Args, Clone, Debug, Default)]
pub struct Extra {
    /// The directory of solved endings (solve foxgame --out DIR): one fox and few sheep are then
    /// played from them
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
}

impl Extra {
    /// Converts the options to settings, and opens the tables for as long as the process lives.
    pub fn sources(&self) -> Sources {
        Sources { endings: self.tables.as_deref().map(open) }
    }
}

/// Opens the tables of a directory. A missing directory is reported on standard error at once, a
/// file that is refused when it is first needed.
fn open(directory: &Path) -> &'static Endings {
    if !directory.is_dir() {
        eprintln!(
            "{}: there are no tables (make them with solve foxgame --out DIR)",
            directory.display()
        );
    }
    Box::leak(Box::new(Endings::new(directory.to_owned(), |error| eprintln!("{error}"))))
}
