//! `judge league`: the real server on a real socket with its database, workers and the sandbox.

mod attacks;
mod backups;
mod faults;
mod hostile;
mod openid;
mod pages;
mod place;
mod postgres;
mod provider;
mod roles;
mod s3;
mod shared;
mod uploads;
