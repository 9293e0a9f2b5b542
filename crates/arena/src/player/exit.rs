//! The supervised run of a player's program, and how it ended.

use super::directory::PlayerDirectory;
use super::java_heap::with_heap;
use super::removal::remove;
use super::sandbox_layers::layers;
use super::spec::PlayerKind;
use crate::processors;
use crate::result::Exit;
use crate::terms::Bounds;
use anygame::game::GameFiles;
use anyhow::Result;
use sandbox::job::{BoxUser, ExitReport, Job, Limits, supply};
use sandbox::system::mode;
use sandbox::{memory, room, visible};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The error text if no supervisor can be started.
pub const NO_SUPERVISOR: &str = "the supervisor of a player cannot be started";

/// A player's program, as given by its specification.
pub struct Program<'a> {
    /// Program and arguments.
    pub command: &'a [String],
    /// A directory that is copied into the player's own.
    pub home: Option<&'a Path>,
    /// Whether the command comes from `home`: the player does not see the files that it names.
    pub own_command: bool,
}

impl Program<'_> {
    /// The program of a player that reads and writes files.
    pub fn of(kind: &PlayerKind) -> Option<Program<'_>> {
        kind.program().filter(|_| matches!(kind, PlayerKind::Files { .. }))
    }
}

impl PlayerKind {
    /// The program of a player, whatever its protocol; `None` for a reference player.
    pub fn program(&self) -> Option<Program<'_>> {
        match self {
            PlayerKind::Files { command, directory, own_command }
            | PlayerKind::Protocol { command, directory, own_command, .. } => {
                Some(Program { command, home: directory.as_deref(), own_command: *own_command })
            }
            _ => None,
        }
    }
}

/// A program that is started once for a game.
pub struct GameProgram {
    command: Vec<String>,
    home: Option<PathBuf>,
    own_command: bool,
    /// The limits of its processes.
    pub bounds: Bounds,
}

const LONGEST_GAME: Duration = Duration::from_secs(7 * 24 * 3600);

impl GameProgram {
    /// A program that has not been started.
    pub fn new(program: &Program, bounds: &Bounds) -> GameProgram {
        GameProgram {
            command: program.command.to_vec(),
            home: program.home.map(Path::to_owned),
            own_command: program.own_command,
            bounds: bounds.clone(),
        }
    }

    /// The program.
    pub fn program(&self) -> Program<'_> {
        let GameProgram { command, home, own_command, .. } = self;
        Program { command, home: home.as_deref(), own_command: *own_command }
    }

    /// A directory for a game with these files, and the job that runs in it.
    pub fn prepare(&self, files: GameFiles) -> Result<(PlayerDirectory, Job)> {
        let directory = PlayerDirectory::with_files(self.home.as_deref(), &self.bounds, files)?;
        directory.prepare("")?;
        // Its tasks come by other ways.
        remove(&directory.path().join(files.input))?;
        let job = job(&self.program(), &directory, &self.bounds)?;
        let mut job = turn(&job, &self.bounds, LONGEST_GAME);
        if job.layers.any() {
            job.limits.memory = room::memory_of(job.limits.memory, 2);
        }
        Ok((directory, job))
    }
}

/// The job of each turn, without the clock.
pub fn job(program: &Program, directory: &PlayerDirectory, bounds: &Bounds) -> Result<Job> {
    let layers = layers(bounds)?;
    let mut shown = visible::needed_by(program.command, program.home, program.own_command)
        .map_err(anyhow::Error::msg)?;
    for path in &bounds.read_only {
        shown.push(std::path::absolute(path)?);
    }
    let temporary = if layers.namespaces { PathBuf::from("/tmp") } else { directory.temporary() };
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let mut search_path = visible::search_path(&shown);
    if let Some(venv) = &bounds.venv {
        let bin = venv.join("bin");
        // The interpreter is a link to one that the box has to show as well.
        let python = [text(&bin.join("python3"))];
        shown.extend(visible::needed_by(&python, None, false).map_err(anyhow::Error::msg)?);
        shown.push(venv.clone());
        search_path = format!("{}:{search_path}", bin.display());
    }
    // Another user than the judge's can read what everybody can.
    let can_read =
        |user: &BoxUser| user.owner().is_some() || shown.iter().all(|path| all_can_read(path));
    let identity = directory.identity().filter(can_read);
    let mut environment = vec![
        ("PATH".to_string(), search_path),
        ("HOME".to_string(), text(&directory.seat())),
        ("LANG".to_string(), std::env::var("LANG").unwrap_or_else(|_| "C.UTF-8".to_string())),
        ("TMPDIR".to_string(), text(&temporary)),
    ];
    for given in &bounds.env {
        let (name, value) = match given.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (given.as_str(), std::env::var(given).ok()),
        };
        environment.extend(value.map(|value| (name.to_string(), value)));
    }
    let memory = if layers.any() {
        room::memory_of(bounds.memory_mib << 20, 1)
    } else {
        bounds.memory_mib << 20
    };
    Ok(Job {
        command: with_heap(program.command, memory >> 20, || {
            memory::total().map(|bytes| bytes >> 20)
        }),
        directory: directory.seat(),
        store: directory.store(),
        limits: Limits {
            memory,
            file_size: bounds.file_mib << 20,
            disk: directory.quota(),
            processes: bounds.processes,
        },
        keep: evidence_kept(bounds),
        temporary: (!layers.namespaces).then_some(temporary),
        identity,
        layers,
        shown,
        environment,
        ..Job::default()
    })
}

/// Whether everybody may read a file or list a directory. What does not exist hinders nobody.
fn all_can_read(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |data| {
        let wanted = if data.is_dir() { 0o5 } else { 0o4 };
        mode(&data) & wanted == wanted
    })
}

const KEPT_OF_A_FAULT: usize = 16 << 10;

/// The bytes of each stream that are kept until the turn is known to be good.
fn evidence_kept(bounds: &Bounds) -> usize {
    if bounds.keep == 0 { 0 } else { bounds.keep.max(KEPT_OF_A_FAULT) }
}

/// CPU seconds beyond the clock and the margin after which a turn is ended.
pub const CPU_ALLOWANCE: f64 = 0.1;

/// The job of one turn.
pub fn turn(job: &Job, bounds: &Bounds, clock: Duration) -> Job {
    static TURNS: AtomicU64 = AtomicU64::new(0);
    let mark = format!("{}-{}", std::process::id(), TURNS.fetch_add(1, Ordering::Relaxed));
    Job {
        wall: clock.as_secs_f64() + bounds.wall_margin,
        mark,
        processors: processors::share(),
        ..job.clone()
    }
}

/// The charged CPU seconds: without a reliable figure, at least the wall time.
pub(super) fn charged(report: &ExitReport, cpu: f64, wall: f64) -> f64 {
    if report.orphaned { cpu.max(wall) } else { cpu }
}

pub(super) fn forfeit(report: &ExitReport) -> Option<String> {
    if report.orphaned {
        return Some("ended its supervision".to_string());
    }
    report.excess.clone()
}

/// Words for a machine that gave a program much less than a processor while it wanted one, by the
/// seconds that it used and waited.
pub fn scarcity(cpu: f64, waited: f64) -> Option<String> {
    let share = supply(cpu, waited);
    (share < MUCH_OF_A_PROCESSOR && waited >= LONG_WAIT).then(|| {
        format!(
            "the machine gave it {:.0} % of a processor: it was kept waiting for {waited:.1} s, which do not count",
            100.0 * share
        )
    })
}

pub(super) const MUCH_OF_A_PROCESSOR: f64 = 0.75;
const LONG_WAIT: f64 = 0.5;

/// How the process failed; `None` if it exited normally.
pub fn ending(report: &ExitReport) -> Option<Exit> {
    let exit = Exit { code: report.exit_code, signal: report.signal };
    (exit.code != Some(0)).then_some(exit)
}
