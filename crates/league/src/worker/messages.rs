//! Messages from workers to the league.

use crate::store::{CheckResult, PlayedPair};
use serde::{Deserialize, Serialize};

pub(crate) const LEASE_HEADER: &str = "x-lease";

#[derive(Serialize, Deserialize)]
pub(crate) struct LeaseRequest {
    pub worker: String,
}

/// A worker's note that its disks are full, or have room again.
#[derive(Serialize, Deserialize)]
pub(crate) struct RoomNote {
    pub worker: String,
    /// Why it begins no jobs; `None` when it begins some again.
    pub why: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(crate) enum JobMessage {
    /// The job goes on; its progress as text.
    Heartbeat(String),
    GiveBack(String),
    Release,
    Checked(i64, CheckResult),
    Played(Box<PlayedPair>),
    /// The two games of a pair were analysed: the number of the pair, and each game's analysis as
    /// text.
    Analysed(i64, [String; 2]),
}
