//! Games between players, on games of unknown type ([`anygame`]). A library that knows no game, no
//! command line and no HTTP, and prints nothing.

pub mod adjudication;
pub mod analysis;
pub mod changed_rules;
pub mod cholesky;
pub mod digest;
pub mod keys;
pub mod openings;
pub mod plain;
pub mod player;
pub mod pool;
pub mod processors;
pub mod proofs;
pub mod random;
pub mod ratings;
pub mod record;
pub mod referee;
pub mod replayed;
pub mod result;
pub mod rules_program;
pub mod schedule;
pub mod standings;
pub mod swiss;
pub mod terms;
pub mod toml_text;
pub mod tournament;
