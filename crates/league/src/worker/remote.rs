//! The jobs of workers on other machines: the server of the league, by HTTP.

use super::job_source::JobSource;
use super::messages::{JobMessage, LEASE_HEADER, LeaseRequest, RoomNote};
use crate::files::Stored;
use crate::http::Client;
use crate::store::{CheckResult, Lease, PlayedPair};
use anyhow::Result;

/// The server of a league.
pub(crate) struct RemoteJobs(pub Client);

impl RemoteJobs {
    fn say(&self, lease: &Lease, message: &JobMessage) -> Result<bool> {
        let path = format!("/worker/jobs/{}", lease.job);
        self.0
            .send_json(&path, &[(LEASE_HEADER, &lease.token)], message)?
            .map_or(Ok(false), |body| Ok(serde_json::from_str(&body)?))
    }

    fn put(&self, lease: &Lease, file: Stored<'_>, bytes: &[u8]) -> Result<()> {
        self.0.put(
            &format!("/worker/jobs/{}/{}", lease.job, name(file)),
            &[(LEASE_HEADER, &lease.token)],
            bytes,
        )
    }
}

/// Returns the path of a file as the server has it.
fn name(file: Stored<'_>) -> String {
    match file {
        Stored::Upload(digest) => format!("uploads/{digest}"),
        Stored::Program(submission) => format!("programs/{submission}"),
        Stored::Record(pair) => format!("records/{pair}"),
    }
}

impl JobSource for RemoteJobs {
    fn lease(&self, worker: &str) -> Result<Option<Lease>> {
        let body =
            self.0.send_json("/worker/lease", &[], &LeaseRequest { worker: worker.to_string() })?;
        Ok(body.map(|body| serde_json::from_str(&body)).transpose()?)
    }

    fn heartbeat(&self, lease: &Lease, progress: &str) -> Result<bool> {
        self.say(lease, &JobMessage::Heartbeat(progress.to_string()))
    }

    fn give_back(&self, lease: &Lease, why: &str) -> Result<()> {
        self.say(lease, &JobMessage::GiveBack(why.to_string())).map(drop)
    }

    fn release(&self, lease: &Lease) -> Result<()> {
        self.say(lease, &JobMessage::Release).map(drop)
    }

    fn note_room(&self, worker: &str, why: Option<&str>) -> Result<()> {
        let note = RoomNote { worker: worker.to_string(), why: why.map(String::from) };
        self.0.send_json("/worker/room", &[], &note).map(drop)
    }

    fn get(&self, file: Stored<'_>) -> Result<Vec<u8>> {
        self.0.get(&format!("/worker/files/{}", name(file)))
    }

    fn finish_check(
        &self,
        lease: &Lease,
        submission: i64,
        result: &CheckResult,
        program: Option<Vec<u8>>,
    ) -> Result<()> {
        if let Some(program) = program {
            self.put(lease, Stored::Program(submission), &program)?;
        }
        self.say(lease, &JobMessage::Checked(submission, result.clone())).map(drop)
    }

    fn finish_pair(&self, lease: &Lease, played: &PlayedPair, record: Vec<u8>) -> Result<()> {
        self.put(lease, Stored::Record(played.pair), &record)?;
        self.say(lease, &JobMessage::Played(played.clone())).map(drop)
    }

    fn finish_analysis(
        &self,
        lease: &Lease,
        pair: i64,
        texts: &[String; 2],
        record: Vec<u8>,
    ) -> Result<()> {
        self.put(lease, Stored::Record(pair), &record)?;
        self.say(lease, &JobMessage::Analysed(pair, texts.clone())).map(drop)
    }
}
