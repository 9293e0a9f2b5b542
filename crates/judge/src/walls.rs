//! What is said of the walls around players, once, before the first of them is started.

use anyhow::Result;
use arena::player::spec::EngineSpec;
use arena::player::walls::{found, walls, walls_around};
use arena::terms::{Bounds, Sandbox};

/// Says which walls stand around these players, and which are missing, on standard error. An error if they do not
/// suffice. The text, for reports; `None` if no player is a process.
pub(crate) fn announce(players: &[EngineSpec], bounds: &Bounds) -> Result<Option<String>> {
    if walls_around(players, bounds)?.is_none() {
        return Ok(None);
    }
    announce_to_processes(bounds).map(Some)
}

/// The same for players of which one at least is a process.
pub(crate) fn announce_to_processes(bounds: &Bounds) -> Result<String> {
    let walls = walls(bounds)?;
    eprintln!("walls around players: {walls}");
    if bounds.sandbox == Sandbox::Off {
        eprintln!("warning: --sandbox off is for one's own programs: a player can do whatever the judge can");
    } else if !walls.are_sufficient() {
        for missing in &found()?.missing {
            eprintln!("warning: missing wall: {}: {} (judge sandbox has remedies)", missing.wall, missing.why);
        }
    }
    Ok(walls.to_string())
}
