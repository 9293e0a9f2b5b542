//! Replacements, on other systems, for functions that only Linux has.

use crate::job::BoxUser;
use std::io;
use std::path::{Path, PathBuf};

/// A file system of limited size for a player's files: only Linux has it.
pub struct PlayerDisk;

impl PlayerDisk {
    /// Fails.
    pub fn new(_: &Path, _: u64, _: Option<BoxUser>) -> io::Result<PlayerDisk> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The id of the storage process.
    pub fn process(&self) -> i32 {
        0
    }

    /// The root of the file system.
    pub fn root(&self) -> PathBuf {
        PathBuf::new()
    }
}

/// The user of a box: none.
pub fn own_user() -> Option<BoxUser> {
    None
}

/// Why boxes have no users of their own.
pub fn why_no_own_user() -> Option<String> {
    Some("this system has no boxes".to_string())
}

/// There is no box.
pub fn reachable() -> usize {
    0
}

pub mod survey {
    //! The sandbox layers of this machine: none.

    use crate::layers::{Missing, Survey};
    use std::path::Path;
    use std::sync::OnceLock;

    /// The available layers.
    pub fn survey(_: &Path) -> &'static Survey {
        static NONE: OnceLock<Survey> = OnceLock::new();
        let why = "only Linux has a sandbox for players".to_string();
        NONE.get_or_init(|| Survey {
            missing: vec![Missing { layer: "sandbox".to_string(), why }],
            ..Survey::default()
        })
    }
}

pub mod visible {
    //! The files that a program sees: all.

    use std::path::{Path, PathBuf};

    /// The paths that have to be shown to a command: none, it sees all.
    pub fn needed_by(_: &[String], _: Option<&Path>, _: bool) -> Result<Vec<PathBuf>, String> {
        Ok(Vec::new())
    }

    /// The value of PATH: the judge's.
    pub fn search_path(_: &[PathBuf]) -> String {
        std::env::var("PATH").unwrap_or_default()
    }
}

pub mod probes {
    //! Attempts to get out of a box.

    use std::io;

    /// The hidden command that makes an attempt on Linux.
    pub const PROBE: &str = "probe";

    /// Fails.
    pub fn abstract_listener(_: &str) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

pub mod cpu_supply {
    //! How much CPU time a machine gives a busy process: not measured.

    /// A watch over the supply of CPU time.
    pub struct SupplyWatch;

    /// The supply of CPU time in a span of time.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Supply {
        /// The length of the span in seconds of wall time.
        pub wall: f64,
        /// The part of a processor that a busy thread got, from 0 to 1.
        pub share: f64,
        /// Where the remaining CPU time went: a line for each cause.
        pub causes: Vec<String>,
    }

    impl SupplyWatch {
        /// Begins to watch.
        pub fn begin() -> SupplyWatch {
            SupplyWatch
        }

        /// A whole processor, as far as is known.
        pub fn supply(&self) -> Supply {
            Supply { wall: 0.0, share: 1.0, causes: Vec::new() }
        }
    }

    impl Supply {
        /// Not known.
        pub fn is_short(&self, _: f64) -> bool {
            false
        }
    }

    /// Not known.
    pub fn allowed_processors() -> Option<f64> {
        None
    }
}
