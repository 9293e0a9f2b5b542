//! Which walls this machine and user allow, found out by building a box and running a program in it.

use super::walls::{Counting, Walls};
use super::{group, identity, landlock};
use crate::supervise::job::{ExitReport, Job, Limits};
use crate::supervise::run_job;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::OnceLock;

/// Walls that stand, and why others do not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// The walls that stand.
    pub walls: Walls,
    /// What is missing, and why.
    pub missing: Vec<Missing>,
}

/// A wall that does not stand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Missing {
    /// Its name.
    pub wall: String,
    /// Why it does not stand.
    pub why: String,
}

/// The word by which the judge's own program leaves at once with exit code 0: the program of a trial.
pub const TRIAL: &str = "trial";

/// Finds out once for this process. `scratch` is a directory that boxes may be tried in.
pub fn survey(scratch: &Path) -> &'static Survey {
    static FOUND: OnceLock<Survey> = OnceLock::new();
    FOUND.get_or_init(|| find(scratch))
}

fn find(scratch: &Path) -> Survey {
    let mut found = Survey::default();
    let miss = |found: &mut Survey, wall: &str, why: String| {
        found.missing.push(Missing { wall: wall.to_string(), why });
    };
    // Each wall alone first; so its own reason is known.
    let namespaces = Walls { namespaces: true, ..Walls::default() };
    match trial(&namespaces, scratch) {
        Ok(_) => found.walls.namespaces = true,
        Err(why) => miss(&mut found, "namespaces", why),
    }
    match trial(&Walls { seccomp: true, ..Walls::default() }, scratch) {
        Ok(_) => found.walls.seccomp = true,
        Err(why) => miss(&mut found, "seccomp", why),
    }
    if !landlock::is_there() {
        miss(&mut found, "landlock", "this kernel has none, or it is switched off".to_string());
    } else {
        match trial(&Walls { landlock: true, namespaces: found.walls.namespaces, ..Walls::default() }, scratch) {
            Ok(_) => found.walls.landlock = true,
            Err(why) => miss(&mut found, "landlock", why),
        }
    }
    let base = found.walls.clone();
    let counted = |walls: Walls| trial(&walls, scratch).map(|_| walls);
    let by_group = if base.namespaces {
        group::delegated().and_then(|delegated| {
            let (groups, group) = (Some(delegated.path), delegated.limits);
            counted(Walls { counting: Counting::Group, groups, group, ..base.clone() })
        })
    } else {
        Err("it is used with namespaces alone".to_string())
    };
    // A group costs more time a turn than a counter: one that limits nothing is worth it only where there is no counter.
    if !by_group.as_ref().is_ok_and(|walls| walls.group) {
        let why = by_group.as_ref().map_or_else(Clone::clone, |_| "memory and pids are not handed down".to_string());
        miss(&mut found, "control group", why);
    }
    let by_counter = match &by_group {
        Ok(walls) if walls.group => Err(String::new()),
        _ => counted(Walls { counting: Counting::Counter, ..base }),
    };
    match (by_counter, by_group) {
        (Ok(walls), _) | (Err(_), Ok(walls)) => found.walls = walls,
        (Err(why), Err(_)) => miss(&mut found, "counted CPU", why),
    }
    found
}

/// Runs a program behind walls; how that went, or why there is no such box.
pub fn trial(walls: &Walls, scratch: &Path) -> Result<ExitReport, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let job = trial_job(walls, scratch, &own, &[TRIAL.to_string()]);
    let report = run_job(&job).map_err(|error| error.to_string())?;
    match &report {
        ExitReport { not_started: Some(why), .. } => Err(why.clone()),
        ExitReport { orphaned: true, .. } => Err("its supervision ended".to_string()),
        ExitReport { exit_code: Some(0), .. } => Ok(report),
        ExitReport { stderr, .. } => Err(format!("a program in it failed: {}", stderr.trim())),
    }
}

/// A job that runs the judge's own program behind walls.
pub fn trial_job(walls: &Walls, scratch: &Path, own: &Path, words: &[String]) -> Job {
    let command: Vec<String> = [own.to_string_lossy().into_owned()].into_iter().chain(words.iter().cloned()).collect();
    Job {
        shown: vec![own.to_owned()],
        command,
        directory: scratch.to_owned(),
        wall: 10.0,
        limits: Limits { memory: 1 << 30, file_size: 1 << 26, disk: 1 << 26, processes: 64 },
        keep: 1 << 14,
        walls: walls.clone(),
        identity: if walls.namespaces { identity::own_user() } else { None },
        ..Job::default()
    }
}
