//! The state that all requests share.

use super::attempts::FailedAttempts;
use super::busy::Busy;
use super::places::Places;
use crate::config::Config;
use crate::connections::Proxy;
use crate::disk::Disks;
use crate::files::LeagueFiles;
use crate::store::LeagueStore;
use http_server::hosts::Hosts;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The state that all requests share.
pub(crate) struct App {
    pub config: Arc<Config>,
    /// The text of the settings, for workers on other machines.
    pub settings: String,
    pub store: LeagueStore,
    pub files: LeagueFiles,
    pub disks: Arc<Disks>,
    pub hosts: Hosts,
    /// Whether a proxy stands before it.
    pub proxy: Proxy,
    pub attempts: FailedAttempts,
    pub places: Places,
    /// Uploads of each person that are being read.
    pub uploading: Busy,
    /// Reports that each person follows.
    pub following: Busy,
    /// Records of games that are read at the same time.
    pub records: Semaphore,
    /// Records that each person waits for.
    pub reading: Busy,
}

/// The state of handlers.
pub(crate) type Shared = Arc<App>;

/// Bytes of a form without a file.
pub(super) const FORM_BYTES: usize = 16 << 10;

/// The path where the trusted proxy says who somebody is.
pub(super) const SIGN_IN: &str = "/sign-in";
