//! Landlock rules: a second layer of protection for files, and the first one for signals and
//! abstract sockets where there are no namespaces.

use super::paths::{DEVICES, ETC, PRIVATE, SYSTEM, ZERO};
use crate::job::Job;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, NetPort, PathBeneath,
    PathFd, Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use std::io;
use std::path::{Path, PathBuf};

/// On an older kernel, the rights that it lacks are left out.
const NEWEST: ABI = ABI::V6;

pub(crate) fn is_there() -> bool {
    kernel_has(|rules| rules.handle_access(AccessFs::from_all(ABI::V1)))
}

/// Whether the kernel's Landlock keeps the signals of a box inside it: Linux 6.12.
pub(super) fn guards_signals() -> bool {
    kernel_has(|rules| rules.scope(Scope::Signal))
}

fn kernel_has(asked: impl FnOnce(Ruleset) -> Result<Ruleset, RulesetError>) -> bool {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    asked(rules).and_then(Ruleset::create).is_ok()
}

pub(super) fn ruleset(job: &Job) -> io::Result<RulesetCreated> {
    let made = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create);
    let mut rules = made.map_err(io::Error::other)?;
    let (read, all) = (AccessFs::from_read(NEWEST), AccessFs::from_all(NEWEST));
    let (own, shown): (Vec<PathBuf>, Vec<PathBuf>) = if job.layers.namespaces {
        (PRIVATE.iter().map(PathBuf::from).collect(), vec![PathBuf::from("/")])
    } else {
        let system = SYSTEM
            .iter()
            .map(PathBuf::from)
            .chain(ETC.iter().map(|name| Path::new("/etc").join(name)));
        (job.temporary.iter().cloned().collect(), system.chain(job.shown.iter().cloned()).collect())
    };
    for path in shown {
        rules = allow(rules, &path, read)?;
    }
    for path in own.iter().chain([&job.directory]) {
        rules = allow(rules, path, all & !AccessFs::MakeChar & !AccessFs::MakeBlock)?;
    }
    // Not to be written: its files set the priority of a session, and which process the kernel
    // kills for lack of memory.
    rules = allow(rules, Path::new("/proc"), read)?;
    for &name in DEVICES.iter().filter(|&&name| name != ZERO || job.layers.namespaces) {
        rules = allow(
            rules,
            &Path::new("/dev").join(name),
            read | AccessFs::WriteFile | AccessFs::IoctlDev,
        )?;
    }
    if let Some(port) = job.port {
        rules =
            rules.add_rule(NetPort::new(port, AccessNet::ConnectTcp)).map_err(io::Error::other)?;
    }
    Ok(rules)
}

fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> io::Result<RulesetCreated> {
    // A path that does not exist needs no rule.
    let Ok(place) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
    rules.add_rule(PathBeneath::new(place, access)).map_err(io::Error::other)
}

pub(super) fn enter(rules: RulesetCreated) -> io::Result<()> {
    rules.restrict_self().map(drop).map_err(io::Error::other)
}
