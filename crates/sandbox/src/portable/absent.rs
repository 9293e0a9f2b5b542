//! What only Linux has, as other systems see it: nothing, or an error.
#![allow(missing_docs, reason = "the modules for Linux say what each is")]

use crate::job::BoxUser;
use std::io;
use std::path::{Path, PathBuf};

pub struct PlayerDisk;

impl PlayerDisk {
    pub fn new(_: &Path, _: u64, _: Option<BoxUser>) -> io::Result<PlayerDisk> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn process(&self) -> i32 {
        0
    }

    pub fn root(&self) -> PathBuf {
        PathBuf::new()
    }
}

pub fn own_user() -> Option<BoxUser> {
    None
}

pub fn why_no_own_user() -> Option<String> {
    Some("this system has no boxes".to_string())
}

pub fn reachable() -> usize {
    0
}

pub mod survey {
    use crate::layers::{Missing, Survey};
    use std::path::Path;
    use std::sync::OnceLock;

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
    use std::path::{Path, PathBuf};

    pub fn needed_by(_: &[String], _: Option<&Path>, _: bool) -> Result<Vec<PathBuf>, String> {
        Ok(Vec::new())
    }

    pub fn search_path(_: &[PathBuf]) -> String {
        std::env::var("PATH").unwrap_or_default()
    }
}

pub mod probes {
    use std::io;

    pub const PROBE: &str = "probe";

    pub fn abstract_listener(_: &str) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

pub mod cpu_supply {
    pub use crate::job::Supply;

    pub struct SupplyWatch;

    impl SupplyWatch {
        pub fn begin() -> SupplyWatch {
            SupplyWatch
        }

        pub fn supply(&self) -> Supply {
            Supply { wall: 0.0, share: 1.0, causes: Vec::new() }
        }
    }

    pub fn allowed_processors() -> Option<f64> {
        None
    }
}
