//! The settings of games and of players' boxes, on command lines and in files.

use anyhow::{Result, bail};
use arena::random;
use arena::terms::{Bounds, LimitRule, Sandbox};
use clap::Args;
use serde::Deserialize;
use std::path::PathBuf;

/// Settings with those of players' boxes: fields of one struct, because a file has them in one
/// table, where every error names its line.
macro_rules! with_box_settings {
    ($(#[$about:meta])* $name:ident { $($own:tt)* }) => {
        $(#[$about])*
        #[derive(Args, Clone, Debug, Default, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
        pub struct $name {
            $($own)*

            /// Seconds of wall time beyond its clock after which a player is ended in a turn; what
            /// it waited for a processor does not count [default: 10]
            #[arg(long, value_name = "SECONDS")]
            pub wall_margin: Option<f64>,

            /// Memory of all processes of a player together, and data memory of each, in MiB
            /// [default: 4096]
            #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(16..=1 << 24))]
            pub memory: Option<u64>,

            /// The largest file that a player may write, in MiB [default: 64]
            #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
            pub file_size: Option<u64>,

            /// The space that all files of a player may take, in MiB [default: 1024]
            #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
            pub disk: Option<u64>,

            /// Processes and threads that a player may have at a time [default: 256]
            #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=1 << 22))]
            pub processes: Option<u64>,

            /// The sandbox around players (docs/security.md); `judge sandbox` tests it [default:
            /// auto]
            #[arg(long, value_enum, value_name = "MODE")]
            pub sandbox: Option<Sandbox>,

            /// A directory or file that players may read, beside the system's own and the files
            /// that their commands name
            #[arg(long, value_name = "PATH", action = clap::ArgAction::Append)]
            pub read_only: Vec<PathBuf>,

            /// An environment variable that players have, beside PATH, HOME, LANG, TMPDIR and PYTHONHASHSEED: as
            /// the judge has it, or VALUE
            #[arg(long, value_name = "NAME[=VALUE]", action = clap::ArgAction::Append)]
            pub env: Vec<String>,

            /// Start players without a sandbox as root: with --sandbox off they can do whatever
            /// root can. No file can say so
            #[arg(long)]
            #[serde(skip)]
            pub yes_unsafe: bool,
        }

        impl $name {
            /// The limits of the players' processes, if all values are good.
            pub fn bounds(&self) -> Result<Bounds> {
                let usual = Bounds::default();
                let wall_margin = self.wall_margin.unwrap_or(usual.wall_margin);
                if !(0.0..1e7).contains(&wall_margin) {
                    bail!("--wall-margin: expected seconds, found {wall_margin}");
                }
                for variable in &self.env {
                    let name = variable.split('=').next().unwrap_or_default();
                    if name.is_empty() || variable.contains('\0') {
                        bail!("--env: expected NAME or NAME=VALUE, found '{variable}'");
                    }
                }
                for path in &self.read_only {
                    if !path.exists() {
                        bail!("--read-only: {}: no such file or directory", path.display());
                    }
                }
                let read_only = self.read_only.iter().map(std::path::absolute);
                Ok(Bounds {
                    wall_margin,
                    memory_mib: self.memory.unwrap_or(usual.memory_mib),
                    file_mib: self.file_size.unwrap_or(usual.file_mib),
                    disk_mib: self.disk.unwrap_or(usual.disk_mib),
                    processes: self.processes.unwrap_or(usual.processes),
                    sandbox: self.sandbox.unwrap_or_default(),
                    read_only: read_only.collect::<std::io::Result<_>>()?,
                    env: self.env.clone(),
                    ..usual
                })
            }
        }
    };
}

with_box_settings! {
/// Settings of players' boxes.
BoxSettings {}
}

with_box_settings! {
/// Settings of games. What is missing comes from the next source, and in the end from the game.
GameSettings {
    /// Games at a time; each has cores of its own as long as there are enough [default: 1]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub concurrency: Option<u32>,

    /// The seed of dice, cards, openings and random players [default: drawn, and told]
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,

    /// Plies after which a game ends, openings not counted [default: the game's own]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_plies: Option<u32>,

    /// The result of a game that reaches this limit [default: draw]
    #[arg(long, value_enum)]
    pub at_limit: Option<LimitRule>,

    /// The rule set to refuse by [default: the most permissive]
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,

    /// Bytes of each of a player's streams that are kept for each turn [default: 2048]
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(0..=1 << 24))]
    pub keep: Option<u32>,
}
}

impl GameSettings {
    /// These settings, with those that are missing taken from others.
    #[must_use]
    pub fn or(&self, others: &GameSettings) -> GameSettings {
        GameSettings {
            concurrency: self.concurrency.or(others.concurrency),
            seed: self.seed.or(others.seed),
            max_plies: self.max_plies.or(others.max_plies),
            at_limit: self.at_limit.or(others.at_limit),
            rules: self.rules.clone().or_else(|| others.rules.clone()),
            wall_margin: self.wall_margin.or(others.wall_margin),
            memory: self.memory.or(others.memory),
            file_size: self.file_size.or(others.file_size),
            disk: self.disk.or(others.disk),
            keep: self.keep.or(others.keep),
            processes: self.processes.or(others.processes),
            sandbox: self.sandbox.or(others.sandbox),
            read_only: [&self.read_only[..], &others.read_only].concat(),
            // The last one of a name counts.
            env: [&others.env[..], &self.env].concat(),
            yes_unsafe: self.yes_unsafe,
        }
    }

    /// Games at a time.
    pub fn concurrency(&self) -> usize {
        self.concurrency.unwrap_or(1).max(1) as usize
    }
}

/// The seed that is given, or one that is drawn. Parts of one schedule need the same one.
///
/// # Errors
/// This is a part, and no seed is given.
pub fn seed_or_drawn(given: Option<u64>, is_part: bool) -> Result<u64> {
    if let Some(seed) = given {
        return Ok(seed);
    }
    let seed = random::drawn();
    if is_part {
        bail!(
            "--shard: all parts need the same dice, cards and openings: give each the same --seed, such as --seed {seed}, which was drawn \
             just now and which nobody else knows"
        );
    }
    Ok(seed)
}

/// Tells on standard error which seed was drawn for a run.
pub fn tell_drawn(seed: u64) {
    eprintln!(
        "seed {seed}, drawn for dice, cards and openings: --seed {seed} gives the same again"
    );
}
