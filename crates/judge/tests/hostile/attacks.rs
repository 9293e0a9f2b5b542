//! The hostile players, in the Python files of `attacks/`. What `judge sandbox` attempts
//! (`sandbox::probes`) is not among them.
//!
//! The line `# --- NAME | WITHOUT | ENDS | OPTIONS` begins a player; its code follows. WITHOUT says
//! whether the attack gets something without a sandbox: see [`Without`]. ENDS are the terminations
//! one of which its games have in a sandbox [default: draw by move limit], and OPTIONS are options
//! of the match besides the usual ones.

#[derive(Clone)]
pub(crate) struct Attack {
    /// A name for tables.
    pub(crate) name: &'static str,
    /// Its program in Python, after the prelude.
    pub(crate) code: &'static str,
    pub(crate) options: String,
    /// The terminations one of which its games have in a sandbox.
    pub(crate) ends: Vec<&'static str>,
    /// Whether it gets something without a sandbox.
    pub(crate) without: Without,
}

/// Whether an attack gets something where there is no sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Without {
    Works,
    WorksForRoot,
    /// It tries what the judge itself has to bear, with and without a sandbox.
    Borne,
}

pub(crate) fn all() -> impl Iterator<Item = Attack> {
    let files = [
        include_str!("attacks/files.py"),
        include_str!("attacks/processes.py"),
        include_str!("attacks/cpu_time.py"),
        include_str!("attacks/memory.py"),
        include_str!("attacks/kernel.py"),
    ];
    files.into_iter().flat_map(players)
}

/// Further ones, on what players share.
pub(crate) fn further() -> impl Iterator<Item = Attack> {
    players(include_str!("attacks/further.py"))
}

/// Players that use up what the kernel counts by user or by machine, or make up evidence.
pub(crate) fn counted() -> impl Iterator<Item = Attack> {
    players(include_str!("attacks/counted.py"))
}

fn players(file: &'static str) -> impl Iterator<Item = Attack> {
    file.split("# --- ").skip(1).map(|player| {
        let (head, code) = player.split_once('\n').unwrap();
        let mut words = head.split('|').map(str::trim);
        let (name, without) = (words.next().unwrap(), words.next().unwrap());
        let ends = words.next().filter(|ends| !ends.is_empty()).unwrap_or("draw by move limit");
        let without = match without {
            "works" => Without::Works,
            "works for root" => Without::WorksForRoot,
            "borne" => Without::Borne,
            other => panic!("{name}: {other}"),
        };
        let options = words.next().unwrap_or_default().to_string();
        Attack { name, code, options, ends: ends.split(", ").collect(), without }
    })
}
