//! A course's standing competition.

mod clock;
mod config;
mod files;
mod rating;
mod store;
mod worker;
