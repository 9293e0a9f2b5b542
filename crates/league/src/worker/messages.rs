//! Messages from workers to the league.

use crate::clock::now;
use crate::store::{CheckResult, LeagueStore, PlayedPair};
use anyhow::Result;
use serde::{Deserialize, Serialize};

/// The header with the secret of a lease.
pub(crate) const LEASE_HEADER: &str = "x-lease";

/// A request for work.
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

/// A worker's message about a job that it has leased.
#[derive(Serialize, Deserialize)]
pub(crate) enum JobMessage {
    /// The job goes on; its progress as text.
    Heartbeat(String),
    /// The machine failed; the reason.
    GiveBack(String),
    /// The worker ends.
    Release,
    /// A submission was checked.
    Checked(i64, CheckResult),
    /// A pair was played.
    Played(PlayedPair),
    /// The two games of a pair were analysed: the number of the pair, and each game's analysis as
    /// text.
    Analysed(i64, [String; 2]),
}

impl JobMessage {
    /// Keeps a message in the database. Returns whether the lease is still held. `faults` is how
    /// many faults in a row pause a submission, `share` of how many workers it has.
    pub(crate) async fn tell(
        &self,
        store: &LeagueStore,
        (job, token): (i64, &str),
        (faults, share): (u32, f64),
    ) -> Result<bool> {
        match self {
            JobMessage::Heartbeat(progress) => store.heartbeat(job, token, progress, now()).await,
            JobMessage::GiveBack(why) => {
                store.give_back(job, token, why, now()).await.map(|()| true)
            }
            JobMessage::Release => store.release(job, token).await.map(|()| true),
            JobMessage::Checked(submission, result) => {
                store.finish_check(job, token, *submission, result).await
            }
            JobMessage::Played(played) => {
                store.finish_pair(job, token, played, (now(), faults, share)).await
            }
            JobMessage::Analysed(pair, texts) => {
                store.finish_analysis(job, token, *pair, texts).await
            }
        }
    }
}
