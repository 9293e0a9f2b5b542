//! A course's standing competition: students hand in programs, which play day and night.
//!
//! # Theory of operation
//!
//! A league is a directory: `league.toml` (the settings), a database, `files` (uploads, built
//! programs, records) and `cache` (programs, unpacked).
//!
//! - The web server (`web`) confirms an upload once its file is stored and its row is committed,
//!   together with the job that checks it.
//! - Workers (`worker`) are threads, also of other machines. A worker leases a job, says every
//!   second that it lives, and reports the result; results and the end of the job are one
//!   transaction, which succeeds only while the lease is held. So a worker may vanish at any time:
//!   its job is given to another one, and no game counts twice.
//! - Ratings (`rating`) are computed from the results, and from nothing else.
//! - Students' programs run only in the sandbox of players, in workers: compiled by the crate
//!   `intake`, played by `arena`.
//! - The database (`store`) is all that server and workers share. Whenever a process ends, it is as
//!   it was after some transaction.
//!
//! A job at which the machine fails is begun again after a pause, as often as it takes. A fault of
//! a student's program is a result.

mod backup;
mod clock;
mod command;
mod config;
mod connections;
mod disk;
mod files;
mod http;
mod likeness;
mod place;
mod points;
mod proxy_sign_in;
mod rating;
mod records;
mod roster;
mod row;
mod secret;
mod serve;
mod store;
mod submit;
mod web;
mod work;
mod worker;

pub use command::{command_line, run};
