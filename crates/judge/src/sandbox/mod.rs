//! `judge sandbox`: tries each wall around players from inside, and says which hold, why others do not, and what helps.

mod attempts;
mod remedies;

use crate::output::print;
use crate::standings::aligned;
use anyhow::{Context, Result};
use arena::player::scratch::scratch_root;
use arena::player::walls::found;
use arena::terms::Sandbox;
use attempts::{Attempts, Outcome};
use clap::Args;
use system::sandbox::walls::Walls;

/// Options of `judge sandbox`.
#[derive(Args)]
pub(crate) struct SandboxOptions {
    /// The walls to try: auto (those that this machine allows) or off (to see that the attempts work)
    #[arg(long, value_enum, value_name = "WALLS", default_value_t = Sandbox::Auto)]
    sandbox: Sandbox,
}

/// Tries the walls and prints a table. Exit code 1 if `--sandbox required` would refuse.
pub(crate) fn sandbox(options: &SandboxOptions) -> Result<u8> {
    let found = found()?;
    let none = Walls::default();
    let walls = if options.sandbox == Sandbox::Off { &none } else { &found.walls };
    let directory = tempfile::tempdir_in(scratch_root()?).context("no directory for attempts can be made")?;
    let attempts = Attempts::new(walls, directory.path())?;
    let mut rows = vec![["Wall", "Holds", "What was tried, or what went through"].map(String::from).to_vec()];
    let mut held = true;
    for (name, tried, outcome) in attempts.all()? {
        let (word, text) = match outcome {
            Outcome::Held => ("yes", tried.to_string()),
            Outcome::Through(what) => ("NO", what),
        };
        held &= word == "yes";
        rows.push(vec![name.to_string(), word.to_string(), text]);
    }
    let mut text = aligned(&rows, &[0, 1, 2]);
    text += &format!("\nWalls: {walls}\n");
    if options.sandbox != Sandbox::Off {
        for missing in &found.missing {
            text += &format!("Missing: {}: {}\n", missing.wall, missing.why);
            text += &format!("  remedy: {}\n", remedies::remedy(&missing.wall, &missing.why));
        }
    }
    let suffices = walls.are_sufficient() && held;
    text += if suffices {
        "--sandbox required: would start\n"
    } else {
        "--sandbox required: would refuse, or should not be trusted\n"
    };
    print(&text);
    Ok(u8::from(!suffices))
}
