//! What workers on other machines say to the server.

use crate::store::{CheckResult, PlayedPair};
use serde::{Deserialize, Serialize};

/// The header with the secret of a lease.
pub(crate) const LEASE_HEADER: &str = "x-lease";

/// A request for work.
#[derive(Serialize, Deserialize)]
pub(crate) struct LeaseRequest {
    /// The worker's name on its machine.
    pub worker: String,
}

/// What a worker says of the room on its disks.
#[derive(Serialize, Deserialize)]
pub(crate) struct RoomNote {
    /// The worker's name on its machine.
    pub worker: String,
    /// Why it begins no jobs; `None` when it begins some again.
    pub why: Option<String>,
}

/// What a worker says of a job that it has leased.
#[derive(Serialize, Deserialize)]
pub(crate) enum JobMessage {
    /// It goes on; the progress.
    Heartbeat(String),
    /// The machine failed; the reason.
    GiveBack(String),
    /// The worker ends.
    Release,
    /// A submission was checked.
    Checked(i64, CheckResult),
    /// A pair was played.
    Played(PlayedPair),
    /// The two games of a pair were analysed: the number of the pair, and each game's analysis as text.
    Analysed(i64, [String; 2]),
}
