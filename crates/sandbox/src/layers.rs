//! Sandbox layers, which jobs ask for, machines have, and records name.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// The sandbox layers of a box. By default there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layers {
    /// Namespaces, and a file system of the box's own.
    pub namespaces: bool,
    /// Each box has a user of the kernel of its own.
    pub users: bool,
    /// Landlock rules for files, signals and abstract sockets.
    pub landlock: bool,
    /// A seccomp filter of system calls.
    pub seccomp: bool,
    /// The method that measures CPU time.
    pub counting: Counting,
    /// A control group limits memory. Otherwise the supervisor adds up the memory of all processes.
    pub group: bool,
    /// Where the control groups of boxes are created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<Groups>,
}

/// The directory in which control groups of boxes can be created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Groups {
    /// The directory.
    pub path: PathBuf,
    /// Whether a group in it has a share of processor time of its own (the controller `cpu`).
    pub cpu: bool,
}

/// The available sandbox layers, and the reasons why others are missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// The available layers.
    pub layers: Layers,
    /// The missing layers.
    pub missing: Vec<Missing>,
}

/// A sandbox layer that is not available.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Missing {
    /// The name of the layer.
    pub layer: String,
    /// The reason why it is missing.
    pub why: String,
}

/// The method that measures the CPU time of a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counting {
    /// The control group of the box, which counts all its processes.
    Group,
    /// A performance counter that all descendants inherit.
    Counter,
    /// The job object of the program, which counts all its processes. Windows alone has it.
    #[cfg_attr(windows, default)]
    Job,
    /// The sum of what `wait4` returns for children. It misses processes that nobody waits for.
    #[cfg_attr(not(windows), default)]
    Waited,
}

impl Layers {
    /// Whether the layers suffice for `--sandbox required`: namespaces, and CPU time that counts
    /// every process.
    pub fn are_sufficient(&self) -> bool {
        self.namespaces && self.counting != Counting::Waited
    }

    /// Whether a box has a share of processor time of its own, however many sessions it has.
    pub fn own_share(&self) -> bool {
        self.groups.as_ref().is_some_and(|groups| groups.cpu)
    }

    /// Whether there is any sandbox layer.
    pub fn any(&self) -> bool {
        self.namespaces || self.landlock || self.seccomp
    }
}

impl fmt::Display for Layers {
    /// Formats the layers as the one line that records hold.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |names: &[(bool, &'static str)]| -> Vec<&'static str> {
            names.iter().filter(|(stands, _)| *stands).map(|&(_, name)| name).collect()
        };
        let layers = named(&[
            (self.namespaces, "namespaces"),
            (self.landlock, "Landlock"),
            (self.seccomp, "seccomp"),
            (!self.any(), "none"),
        ]);
        let others = named(&[
            (self.group, "; memory by a control group"),
            (!self.group && self.any(), "; memory by adding up"),
            (self.users, "; a user for each box"),
            (self.own_share(), "; processors by a control group"),
        ]);
        write!(f, "{}; CPU by {}{}", layers.join(", "), self.counting, others.concat())
    }
}

impl fmt::Display for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Counting::Group => "a control group",
            Counting::Counter => "an inherited counter",
            Counting::Job => "a job object",
            Counting::Waited => "what is waited for",
        })
    }
}
