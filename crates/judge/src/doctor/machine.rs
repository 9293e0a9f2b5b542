//! The facts about the machine that `judge doctor` reports: system, cores, memory, disk.

use anyhow::{Context, Result};
use arena::player::scratch::scratch_root;
use sandbox::memory;
use serde::Serialize;
use std::fs;
use std::path::PathBuf;
use std::thread::available_parallelism;

#[derive(Serialize)]
pub(super) struct Machine {
    pub system: String,
    pub release: String,
    pub architecture: &'static str,
    /// The cores that this process may use: affinity and quotas of control groups count.
    pub cores: usize,
    /// The load average of the last minute.
    pub load: String,
    pub memory: u64,
    /// The memory without swapping, in bytes.
    pub memory_available: u64,
    /// Where the judge creates the directories of players.
    pub scratch: PathBuf,
    pub disk_free: u64,
}

impl Machine {
    pub(super) fn survey() -> Result<Machine> {
        let first = |path: &str| {
            let text = fs::read_to_string(path)
                .with_context(|| format!("{path}: cannot be read; is /proc mounted?"))?;
            Ok::<_, anyhow::Error>(text.split_whitespace().next().unwrap_or_default().to_string())
        };
        let told = |figure: Option<u64>| {
            figure.context("/proc/meminfo: cannot be read; is /proc mounted?")
        };
        // The judge's own scratch directory is removed when this process ends, so its parent is
        // reported.
        let own = scratch_root()?;
        let scratch = own.parent().unwrap_or(&own).to_owned();
        let disk_free = sandbox::disk::free(&scratch)
            .with_context(|| format!("{}: no disk", scratch.display()))?;
        Ok(Machine {
            system: first("/proc/sys/kernel/ostype")?,
            release: first("/proc/sys/kernel/osrelease")?,
            architecture: std::env::consts::ARCH,
            cores: available_parallelism().map_or(1, usize::from),
            load: first("/proc/loadavg")?,
            memory: told(memory::total())?,
            memory_available: told(memory::available())?,
            scratch,
            disk_free,
        })
    }
}
