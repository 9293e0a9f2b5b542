//! The facts about the machine that `judge doctor` reports: system, cores, memory, disk.

use anyhow::{Context, Result};
use arena::player::scratch::scratch_root;
use sandbox::memory;
use serde::Serialize;
use std::fs;
use std::path::PathBuf;
use std::thread::available_parallelism;

/// The machine, as this process and its user see it.
#[derive(Serialize)]
pub(super) struct Machine {
    /// The operating system's name, such as `Linux`.
    pub system: String,
    /// The kernel's release.
    pub release: String,
    /// The processor's architecture, such as `x86_64`.
    pub architecture: &'static str,
    /// The cores that this process may use: affinity and quotas of control groups count.
    pub cores: usize,
    /// The load average of the last minute.
    pub load: String,
    /// The size of the memory in bytes.
    pub memory: u64,
    /// The bytes of memory that are available without swapping.
    pub memory_available: u64,
    /// The directory in which the judge creates the directories of players.
    pub scratch: PathBuf,
    /// The free bytes of its file system.
    pub disk_free: u64,
}

impl Machine {
    /// Reads the facts about this machine.
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
