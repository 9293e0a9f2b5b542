//! The sandbox layers that this machine allows to this user, found by running a program in boxes.

use crate::TRIAL;
use crate::job::{ExitReport, Job};
use crate::layers::{Counting, Layers, Missing, Survey};
use crate::linux::accounting::cgroup;
use crate::linux::isolation::identity::{self, own_user, why_no_own_user};
use crate::linux::isolation::landlock;
use crate::room::run_job;
use std::path::Path;
use std::sync::OnceLock;

/// Finds the available layers, once per process. Trial boxes run in the directory `scratch`.
pub fn survey(scratch: &Path) -> &'static Survey {
    static FOUND: OnceLock<Survey> = OnceLock::new();
    FOUND.get_or_init(|| find(scratch))
}

fn find(scratch: &Path) -> Survey {
    let mut missing = Vec::new();
    let mut is_there = |layer: &str, tried: Result<(), String>| {
        let why = tried.err();
        missing.extend(why.clone().map(|why| Missing { layer: layer.to_string(), why }));
        why.is_none()
    };
    // Each layer is tried alone first, so that the reason is its own.
    let namespaces = Layers { namespaces: true, ..Layers::default() };
    let tried = trial(&namespaces, scratch).or_else(|why| {
        if own_user().is_none() {
            return Err(why);
        }
        // Perhaps only because of the other user.
        identity::give_up();
        trial(&namespaces, scratch)
    });
    let namespaces = is_there("namespaces", tried);
    if !namespaces {
        // Players see this process. They must not read or write its memory where Landlock is
        // missing, too.
        let _ = nix::sys::prctl::set_dumpable(false);
    }
    let users = namespaces && is_there("users", why_no_own_user().map_or(Ok(()), Err));
    let alone = Layers { seccomp: true, ..Layers::default() };
    let seccomp = is_there("seccomp", trial(&alone, scratch));
    let landlock = if landlock::is_there() {
        trial(&Layers { landlock: true, namespaces, ..Layers::default() }, scratch)
    } else {
        Err("this kernel has no Landlock, or it is disabled".to_string())
    };
    let landlock = is_there("landlock", landlock);
    let base = Layers { namespaces, users, landlock, seccomp, ..Layers::default() };
    let counted = |layers: Layers| trial(&layers, scratch).map(|()| layers);
    let by_group = if namespaces {
        cgroup::delegated().and_then(|(groups, group)| {
            let groups = Some(groups);
            counted(Layers { counting: Counting::Group, groups, group, ..base.clone() })
        })
    } else {
        Err("needs namespaces".to_string())
    };
    let limits = match &by_group {
        Ok(layers) if layers.group => Ok(()),
        Ok(_) => Err("the controllers memory and pids are not delegated".to_string()),
        Err(why) => Err(why.clone()),
    };
    let layers = if is_there("control group", limits) {
        by_group
    } else {
        // A group costs more time per turn than a counter.
        let by_counter = counted(Layers { counting: Counting::Counter, ..base.clone() });
        by_counter.or_else(|why| by_group.map_err(|_| why))
    };
    is_there("counted CPU", layers.as_ref().map(drop).map_err(String::clone));
    Survey { layers: layers.unwrap_or(base), missing }
}

/// An error says why the box could not be built.
fn trial(layers: &Layers, scratch: &Path) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let job = Job::of_judge(layers, scratch, &own, &[TRIAL.to_string()], own_user);
    match run_job(&job).map_err(|error| error.to_string())? {
        ExitReport { not_started: Some(why), .. } => Err(why),
        ExitReport { orphaned: true, .. } => {
            Err("the supervisor ended without a report".to_string())
        }
        ExitReport { exit_code: Some(0), .. } => Ok(()),
        ExitReport { stderr, .. } => {
            Err(format!("a trial program in the box failed: {}", stderr.trim()))
        }
    }
}
