//! The hostile players, by kind of attack: the Python code of each, which follows the prelude.

mod cpu_time;
mod files;
mod kernel;
mod memory;
mod processes;

/// A hostile player.
pub(crate) struct Attack {
    /// A name for tables.
    pub(crate) name: &'static str,
    /// Its program in Python, after the prelude.
    pub(crate) code: &'static str,
    /// Options of the match beside the usual ones.
    pub(crate) options: &'static str,
    /// The ends of its games in a box, one of which it has to be.
    pub(crate) ends: &'static [&'static str],
    /// Whether it gets something without a sandbox: as anybody, only as root, or nothing, since it never got through.
    pub(crate) without: Without,
}

/// Whether an attack gets something where there is no sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Without {
    /// The attack works, for any user that the judge runs as.
    Works,
    /// The attack works where the judge is root.
    WorksForRoot,
    /// It tries what the judge itself has to bear, with and without a sandbox.
    Borne,
}

/// The game goes on as if nothing had happened.
pub(crate) const ON: &[&str] = &["draw by move limit"];

pub(crate) const fn attack(
    name: &'static str,
    without: Without,
    ends: &'static [&'static str],
    code: &'static str,
) -> Attack {
    Attack { name, code, options: "", ends, without }
}

pub(crate) const fn with(options: &'static str, attack: Attack) -> Attack {
    Attack { options, ..attack }
}

/// A clock of 0.5 s, of which 1.5 s are burnt, and wall time enough for a busy machine.
const SHORT: &str = "--each time=0.5 --wall-margin 25";
const LATE: &[&str] = &["time forfeit"];
const LITTLE: &str = "--memory 128 --each time=10";
const SMALL: &str = "--disk 32 --each time=10";
/// The memory or disk ran out: the player was ended, or it was refused and went on.
const ENDED_OR_REFUSED: &[&str] = &["crash", "draw by move limit", "disk quota"];

/// All hostile players.
pub(crate) fn all() -> impl Iterator<Item = &'static Attack> {
    let files = [files::FILES, files::DISK, files::SHARED];
    let processes = [processes::PROCESSES, processes::WATCHERS];
    let counted = [cpu_time::TIME, cpu_time::COUNTED, memory::MEMORY, memory::HIDDEN];
    files.into_iter().chain(processes).chain(counted).chain([kernel::NETWORK, kernel::KERNEL]).flatten()
}
