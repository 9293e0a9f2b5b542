//! The state that all requests share.

use super::attempts::FailedAttempts;
use super::places::{Places, Shares};
use crate::worker::LocalJobs;
use http_server::hosts::Hosts;
use std::ops::Deref;
use std::sync::Arc;
use tokio::sync::Semaphore;

pub(crate) struct App {
    /// The jobs as the server's own workers have them: settings, database, files.
    pub jobs: LocalJobs,
    /// The text of the settings, for workers on other machines.
    pub settings: String,
    pub hosts: Hosts,
    /// Whether a proxy with TLS stands before the server: cookies are then sent by TLS alone.
    pub behind_proxy: bool,
    pub attempts: FailedAttempts,
    pub places: Places,
    /// Uploads of each person that are being read.
    pub uploading: Shares<i64, 2>,
    pub records: Semaphore,
    /// Records that each person waits for.
    pub reading: Shares<i64, 4>,
}

impl Deref for App {
    type Target = LocalJobs;

    fn deref(&self) -> &LocalJobs {
        &self.jobs
    }
}

pub(crate) type Shared = Arc<App>;

pub(super) const FORM_BYTES: usize = 16 << 10;

/// The path where the trusted proxy says who somebody is.
pub(super) const SIGN_IN: &str = "/sign-in";
