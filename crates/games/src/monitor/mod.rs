//! The protocol of FoxGame's monitor over TCP: connections to agents, and agents as players of the arena.

pub mod agent;
pub mod connection;
pub mod player;
