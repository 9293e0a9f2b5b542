//! The shared part of command lines.

pub mod games;
pub mod interrupt;
pub mod keys_help;
pub mod output;
pub mod program;
pub mod progress;
pub mod rules;
pub mod sandbox_layers;
pub mod settings;
pub mod standings;
