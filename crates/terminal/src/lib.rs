//! Parts that all command lines share: the whole of `main`, progress bars, ^C, printing, tables of
//! standings, settings in TOML, and messages about the sandbox.

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
