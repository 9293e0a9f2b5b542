//! The walls between a player and everything else, as they are asked for, found and recorded.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// The walls around a box. The default has none: a program with all the rights of the judge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Walls {
    /// Own user, process, mount, network, message and host name namespaces, with a file system of its own.
    pub namespaces: bool,
    /// Landlock: files, signals and abstract sockets.
    pub landlock: bool,
    /// A filter of system calls.
    pub seccomp: bool,
    /// How CPU time is counted.
    pub counting: Counting,
    /// Memory and processes are limited by a control group; else memory is added up and processes are limited by
    /// `RLIMIT_NPROC`.
    pub group: bool,
    /// The directory of control groups that boxes get theirs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<PathBuf>,
}

/// How the CPU time of a box is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counting {
    /// By a control group: all that ever ran in it.
    Group,
    /// By a performance counter that every descendant inherits.
    Counter,
    /// By what `wait4` says of children: those that nobody waits for, and that are reaped by themselves, are missing.
    #[default]
    Waited,
}

impl Walls {
    /// Whether a player is out of reach of everything else: what `required` asks for.
    #[must_use]
    pub fn are_sufficient(&self) -> bool {
        self.namespaces && self.counting != Counting::Waited
    }

    /// Whether there is any wall at all.
    #[must_use]
    pub fn any(&self) -> bool {
        self.namespaces || self.landlock || self.seccomp
    }
}

impl fmt::Display for Walls {
    /// One line: the walls that stand, and how CPU time and memory are counted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let walls = [(self.namespaces, "namespaces"), (self.landlock, "Landlock"), (self.seccomp, "seccomp")];
        let standing: Vec<&str> = walls.into_iter().filter(|(stands, _)| *stands).map(|(_, name)| name).collect();
        let standing = if standing.is_empty() { "none".to_string() } else { standing.join(", ") };
        let counting = match self.counting {
            Counting::Group => "a control group",
            Counting::Counter => "an inherited counter",
            Counting::Waited => "what is waited for",
        };
        write!(f, "{standing}; CPU by {counting}")?;
        match self.group {
            true => write!(f, "; memory and processes by a control group"),
            false if self.any() => write!(f, "; memory by adding up"),
            false => Ok(()),
        }
    }
}
