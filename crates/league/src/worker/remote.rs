//! The jobs of workers on other machines: the server of the league, by HTTP.

use super::job_source::JobSource;
use super::messages::{JobMessage, LEASE_HEADER, LeaseRequest, RoomNote};
use crate::files::Stored;
use crate::http::Client;
use crate::store::Lease;
use anyhow::Result;

pub(crate) struct RemoteJobs(pub Client);

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
        self.0.send_json("/worker/lease", &[], &LeaseRequest { worker: worker.to_string() })
    }

    fn say(&self, lease: &Lease, message: JobMessage) -> Result<bool> {
        let path = format!("/worker/jobs/{}", lease.job);
        let held = self.0.send_json(&path, &[(LEASE_HEADER, &lease.token)], &message)?;
        Ok(held.unwrap_or(false))
    }

    fn put(&self, lease: &Lease, file: Stored<'_>, bytes: Vec<u8>) -> Result<()> {
        let path = format!("/worker/jobs/{}/{}", lease.job, name(file));
        self.0.put(&path, &[(LEASE_HEADER, &lease.token)], &bytes)
    }

    fn note_room(&self, worker: &str, why: Option<&str>) -> Result<()> {
        let note = RoomNote { worker: worker.to_string(), why: why.map(String::from) };
        self.0.send_json::<()>("/worker/room", &[], &note).map(drop)
    }

    fn get(&self, file: Stored<'_>) -> Result<Vec<u8>> {
        self.0.get(&format!("/worker/files/{}", name(file)))
    }
}
