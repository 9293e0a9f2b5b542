//! `judge doctor`: what this machine has for grading, in ten lines, and whether it suffices.

mod machine;
mod players;
mod wording;

use crate::output::print;
use anyhow::Result;
use arena::player::walls::found;
use clap::Args;
use machine::Machine;
use players::Players;
use serde::Serialize;
use wording::{gib, listed};

/// Examples for the command's help.
pub(crate) const EXAMPLE: &str = "\
Examples:
  judge doctor
  judge doctor --json | python3 -m json.tool
The walls are those that can be built; judge sandbox tries each of them from inside. Languages are those that judge intake
compiles and runs in the box of players.
Exit code: 0 ready to grade; 1 something has to be mended first, the last line says what; 2 nothing can be found out.";

/// Less free disk than this does not suffice, in bytes: a player may fill as much.
const LEAST_DISK: u64 = 1 << 30;

/// Options of `judge doctor`.
#[derive(Args)]
pub(crate) struct DoctorOptions {
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// What was found. The field names are those of the JSON object.
#[derive(Serialize)]
struct Findings {
    version: &'static str,
    /// Whether the judge runs without a C library of the system's.
    is_static: bool,
    machine: Machine,
    walls: String,
    /// Each wall that does not stand, and why.
    missing_walls: Vec<String>,
    sandbox_required_would_start: bool,
    players: Players,
    /// What has to be mended before anything is graded.
    to_mend: Vec<String>,
}

/// Looks around and prints. Exit code 1 if something has to be mended.
pub(crate) fn doctor(options: &DoctorOptions) -> Result<u8> {
    let findings = look()?;
    let text = if options.json { serde_json::to_string(&findings)? + "\n" } else { findings.lines() };
    print(&text);
    Ok(u8::from(!findings.to_mend.is_empty()))
}

fn look() -> Result<Findings> {
    let machine = Machine::look()?;
    let survey = found()?;
    let mut to_mend = Vec::new();
    if !survey.walls.are_sufficient() {
        to_mend.push("the walls around players do not suffice: judge sandbox says what helps".to_string());
    }
    if machine.disk_free < LEAST_DISK {
        let (free, place) = (gib(machine.disk_free), machine.scratch.display());
        to_mend.push(format!("{place}: {free} GiB free; make room for 1 GiB, or set TMPDIR to another disk"));
    }
    Ok(Findings {
        version: env!("CARGO_PKG_VERSION"),
        is_static: cfg!(target_feature = "crt-static"),
        machine,
        walls: survey.walls.to_string(),
        missing_walls: survey.missing.iter().map(|missing| format!("{}: {}", missing.wall, missing.why)).collect(),
        sandbox_required_would_start: survey.walls.are_sufficient(),
        players: Players::look()?,
        to_mend,
    })
}

impl Findings {
    /// The ten lines, each with its subject first.
    fn lines(&self) -> String {
        let (machine, players) = (&self.machine, &self.players);
        let library = if self.is_static { "static, needs no C library" } else { "needs the C library of this system" };
        let needed = if self.sandbox_required_would_start { "would start" } else { "would refuse" };
        let lines = [
            ("judge", format!("{}, {library}", self.version)),
            ("system", format!("{} {}, {}", machine.system, machine.release, machine.architecture)),
            ("cores", format!("{}, load {}", machine.cores, machine.load)),
            ("memory", format!("{} GiB, {} GiB available", gib(machine.memory), gib(machine.memory_available))),
            ("disk", format!("{} GiB free in {}", gib(machine.disk_free), machine.scratch.display())),
            ("walls", format!("{}; --sandbox required {needed}", self.walls)),
            ("missing", listed(&self.missing_walls, "; ", "no wall")),
            ("agents", players.agents_line()),
            ("languages", players.languages_line()),
            ("result", if self.to_mend.is_empty() { "ready to grade".into() } else { self.to_mend.join("; ") }),
        ];
        lines.iter().map(|(subject, text)| format!("{subject:<10} {text}\n")).collect()
    }
}
