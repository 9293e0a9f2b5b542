//! `judge doctor`: reports in ten lines what this machine has for grading, and whether that is
//! sufficient.

mod machine;
mod players;

use anyhow::{Result, bail};
use arena::player::sandbox_layers::machine_survey;
use arena::terms::Bounds;
use clap::Args;
use intake::environment::Environment;
use machine::Machine;
use players::{Players, join_or};
use serde::Serialize;
use std::path::{Path, PathBuf};
use terminal::output::print;

pub(crate) const EXAMPLE: &str = "\
Examples:
  judge doctor
  judge doctor --json | python3 -m json.tool
  judge doctor --scheme scheme.toml
judge sandbox tests each sandbox layer from inside. The languages are those whose programs run in the sandbox of players.
Exit code: 0 ready to grade; 1 the machine is not ready, and the last line has the remedies; 2 the survey failed.";

/// The least free disk space for grading: one player may fill as much.
const MIN_DISK: u64 = 1 << 30;

#[derive(Args)]
pub(crate) struct DoctorOptions {
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,

    /// Also compare the machine with the `[environment]` of a scheme
    #[arg(long, value_name = "FILE")]
    scheme: Option<PathBuf>,
}

/// The report about a machine, which is also the JSON object of `--json`.
#[derive(Serialize)]
struct MachineReport {
    version: &'static str,
    is_static: bool,
    machine: Machine,
    layers: String,
    missing_layers: Vec<String>,
    sandbox_required_would_start: bool,
    players: Players,
    environment: Option<String>,
    /// What costs players points or time, each with its remedy.
    warnings: Vec<String>,
    /// What has to be solved before grading, each with its remedy.
    problems: Vec<String>,
}

fn gib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / (1_u64 << 30) as f64)
}

pub(crate) fn doctor(options: &DoctorOptions) -> Result<u8> {
    if !sandbox::IS_POSSIBLE {
        bail!(
            "judge doctor: says whether a Linux machine is ready to grade; here players run without a sandbox"
        );
    }
    let report = MachineReport::survey(options.scheme.as_deref())?;
    let text = if options.json { serde_json::to_string(&report)? + "\n" } else { report.lines() };
    print(&text);
    Ok(u8::from(!report.problems.is_empty()))
}

impl MachineReport {
    fn survey(scheme: Option<&Path>) -> Result<MachineReport> {
        let machine = Machine::survey()?;
        let sandbox = machine_survey()?;
        let is_sufficient = sandbox.layers.are_sufficient();
        let mut problems = Vec::new();
        if !is_sufficient {
            problems.push(
                "the sandbox layers do not suffice; judge sandbox names the remedies".to_string(),
            );
        }
        if machine.disk_free < MIN_DISK {
            let (free, scratch) = (gib(machine.disk_free), machine.scratch.display());
            problems.push(format!(
                "{scratch}: {free} GiB free; make room for 1 GiB, or set TMPDIR to another disk"
            ));
        }
        let missing = sandbox.missing.iter();
        let environment = Environment::read(scheme)?.prepare(&mut Bounds::default());
        problems.extend(environment.as_ref().err().map(|error| format!("{error:#}")));
        Ok(MachineReport {
            version: env!("CARGO_PKG_VERSION"),
            is_static: cfg!(target_feature = "crt-static"),
            machine,
            layers: sandbox.layers.to_string(),
            missing_layers: missing.map(|one| format!("{}: {}", one.layer, one.why)).collect(),
            sandbox_required_would_start: is_sufficient,
            players: Players::survey()?,
            environment: environment.ok().flatten(),
            warnings: intake::python_script().into_iter().collect(),
            problems,
        })
    }

    /// Returns the report as ten lines, each of which begins with its subject, and a line for each
    /// warning.
    fn lines(&self) -> String {
        let (machine, players) = (&self.machine, &self.players);
        let library = if self.is_static {
            "static, needs no C library"
        } else {
            "needs the C library of this system"
        };
        let required =
            if self.sandbox_required_would_start { "would start" } else { "would refuse" };
        let [all, available, free] =
            [machine.memory, machine.memory_available, machine.disk_free].map(gib);
        let lines = [
            ("judge", format!("{}, {library}", self.version)),
            ("system", format!("{} {}, {}", machine.system, machine.release, machine.architecture)),
            ("cores", format!("{}, load {}", machine.cores, machine.load)),
            ("memory", format!("{all} GiB, {available} GiB available")),
            ("disk", format!("{free} GiB free in {}", machine.scratch.display())),
            ("sandbox", format!("{}; --sandbox required {required}", self.layers)),
            ("missing", join_or(&self.missing_layers, "; ", "no sandbox layer")),
            ("agents", players.agents_line()),
            ("languages", players.languages_line()),
            ("result", join_or(&self.problems, "; ", "ready to grade")),
        ];
        let [lines @ .., result] = lines;
        let warnings = self.warnings.iter().map(|warning| ("warning", warning.clone()));
        let environment = self.environment.clone().map(|versions| ("versions", versions));
        let lines = lines.into_iter().chain(environment).chain(warnings).chain([result]);
        lines.map(|(subject, text)| format!("{subject:<10} {text}\n")).collect()
    }
}
