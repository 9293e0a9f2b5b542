//! The sandbox layers that this machine allows to this user, found by running a program in boxes.

use super::{cgroup, identity, landlock, own_user, why_no_own_user};
use crate::TRIAL;
use crate::job::{ExitReport, Job};
use crate::layers::{Counting, Layers, Missing, Survey};
use crate::linux::supervise::run_job;
use std::path::Path;
use std::sync::OnceLock;

/// Finds the available layers, once per process. Trial boxes run in the directory `scratch`.
pub fn survey(scratch: &Path) -> &'static Survey {
    static FOUND: OnceLock<Survey> = OnceLock::new();
    FOUND.get_or_init(|| find(scratch))
}

fn find(scratch: &Path) -> Survey {
    let mut found = Survey::default();
    let miss = |found: &mut Survey, layer: &str, why: String| {
        found.missing.push(Missing { layer: layer.to_string(), why });
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
    match tried {
        Ok(_) => found.layers.namespaces = true,
        Err(why) => miss(&mut found, "namespaces", why),
    }
    found.layers.users = found.layers.namespaces && own_user().is_some();
    if let (true, Some(why)) = (found.layers.namespaces, why_no_own_user()) {
        miss(&mut found, "users", why);
    }
    match trial(&Layers { seccomp: true, ..Layers::default() }, scratch) {
        Ok(_) => found.layers.seccomp = true,
        Err(why) => miss(&mut found, "seccomp", why),
    }
    if !landlock::is_there() {
        miss(&mut found, "landlock", "this kernel has no Landlock, or it is disabled".to_string());
    } else {
        match trial(
            &Layers { landlock: true, namespaces: found.layers.namespaces, ..Layers::default() },
            scratch,
        ) {
            Ok(_) => found.layers.landlock = true,
            Err(why) => miss(&mut found, "landlock", why),
        }
    }
    let base = found.layers.clone();
    let counted = |layers: Layers| trial(&layers, scratch).map(|_| layers);
    let by_group = if base.namespaces {
        cgroup::delegated().and_then(|(groups, group)| {
            counted(Layers {
                counting: Counting::Group,
                groups: Some(groups),
                group,
                ..base.clone()
            })
        })
    } else {
        Err("needs namespaces".to_string())
    };
    let why = match by_group {
        Ok(layers) if layers.group => {
            found.layers = layers;
            return found;
        }
        Ok(_) => "the controllers memory and pids are not delegated".to_string(),
        Err(ref why) => why.clone(),
    };
    miss(&mut found, "control group", why);
    // A group costs more time per turn than a counter. Without limits it is used only where there
    // is no counter.
    match counted(Layers { counting: Counting::Counter, ..base })
        .or_else(|why| by_group.map_err(|_| why))
    {
        Ok(layers) => found.layers = layers,
        Err(why) => miss(&mut found, "counted CPU", why),
    }
    found
}

/// Runs a program behind sandbox layers. An error says why the box could not be built.
pub fn trial(layers: &Layers, scratch: &Path) -> Result<ExitReport, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let job = Job::of_judge(layers, scratch, &own, &[TRIAL.to_string()], own_user);
    let report = run_job(&job).map_err(|error| error.to_string())?;
    match &report {
        ExitReport { not_started: Some(why), .. } => Err(why.clone()),
        ExitReport { orphaned: true, .. } => {
            Err("the supervisor ended without a report".to_string())
        }
        ExitReport { exit_code: Some(0), .. } => Ok(report),
        ExitReport { stderr, .. } => {
            Err(format!("a trial program in the box failed: {}", stderr.trim()))
        }
    }
}
