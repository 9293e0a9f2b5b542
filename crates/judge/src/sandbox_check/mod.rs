//! `judge sandbox`: runs attempts to get through the sandbox, and prints which succeed, which
//! layers are missing, and remedies.

mod attempts;

use anyhow::{Context, Result, bail};
use arena::player::sandbox_layers::machine_survey;
use arena::player::scratch::scratch_root;
use arena::terms::Sandbox;
use attempts::Attempts;
use clap::Args;
use sandbox::layers::Layers;
use terminal::output::print;
use terminal::standings::aligned;

#[derive(Args)]
pub(crate) struct SandboxOptions {
    /// The sandbox layers to test: auto (those that this machine allows) or off (shows that the
    /// attempts work)
    #[arg(long, value_enum, value_name = "LAYERS", default_value_t = Sandbox::Auto)]
    sandbox: Sandbox,
}

/// Makes all attempts, prints a table, and returns the exit code, which is 1 if `--sandbox
/// required` would refuse or an attempt succeeded.
pub(crate) fn sandbox(options: &SandboxOptions) -> Result<u8> {
    if !sandbox::IS_POSSIBLE {
        bail!("judge sandbox: only Linux has a sandbox for players; here they run without one");
    }
    let found = machine_survey()?;
    let none = Layers::default();
    let layers = if options.sandbox == Sandbox::Off { &none } else { &found.layers };
    let directory = tempfile::tempdir_in(scratch_root()?)
        .context("the directory for attempts cannot be created")?;
    let attempts = Attempts::new(layers, directory.path())?;
    let mut rows =
        vec![["Attempt", "Held", "What was tried, or what succeeded"].map(String::from).to_vec()];
    let mut held = true;
    for (name, tried, breach) in attempts.all()? {
        held &= breach.is_none();
        let answer = if breach.is_none() { "yes" } else { "NO" };
        rows.push(vec![name.into(), answer.into(), breach.unwrap_or_else(|| tried.to_string())]);
    }
    let mut text = aligned(&rows, &[0, 1, 2]);
    text += &format!("\nSandbox layers: {layers}\n");
    if layers.seccomp {
        text += &format!("System calls that a player can reach: {}\n", sandbox::reachable());
    }
    if layers.namespaces {
        text += match sandbox::own_user() {
            Some(_) => "Process 1 of a sandbox: another user than the player\n",
            None => {
                "Process 1 of a sandbox: the player's user, protected by the system call filter\n"
            }
        };
    }
    if options.sandbox != Sandbox::Off {
        for missing in &found.missing {
            text += &format!("Missing: {}: {}\n", missing.layer, missing.why);
            text += &format!("  remedy: {}\n", remedy(&missing.layer, &missing.why));
        }
    }
    let suffices = layers.are_sufficient() && held;
    text += if suffices {
        "--sandbox required: would start\n"
    } else {
        "--sandbox required: would refuse, or should not be trusted\n"
    };
    print(&text);
    Ok(u8::from(!suffices))
}

/// Returns the remedy for a layer that is missing for this reason; the survey names both.
fn remedy(layer: &str, why: &str) -> &'static str {
    match layer {
        // The kernel refuses to mount a new /proc if mounts cover parts of the old one, as in
        // containers.
        "namespaces" if why.contains("/proc") => {
            "in a container: show /proc whole (podman: --security-opt unmask=ALL, docker: --security-opt \
             systempaths=unconfined) and count CPU time (--security-opt seccomp=unconfined); docs/security.md"
        }
        "namespaces" => {
            "Linux 5.12 or later, and user namespaces for ordinary users: sysctl user.max_user_namespaces above 0, \
             kernel.unprivileged_userns_clone=1 (Debian), kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu); in a \
             container: docs/security.md"
        }
        "users" => {
            "newuidmap and newgidmap (Debian, Ubuntu: apt install uidmap), and ids for your user: usermod --add-subuids \
             100000-165535 --add-subgids 100000-165535 NAME; without them programs run one at a time (docs/security.md)"
        }
        "landlock" => {
            "Linux 5.13 or later with landlock among the modules of the kernel's option lsm="
        }
        "seccomp" => "a kernel with CONFIG_SECCOMP_FILTER",
        "counted CPU" => {
            "sysctl kernel.perf_event_paranoid=2; or a delegated control group as below; in a container --security-opt \
             seccomp=unconfined"
        }
        _ => "optional: systemd-run --user --scope -p Delegate=yes judge ... delegates one",
    }
}
