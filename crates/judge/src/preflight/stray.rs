//! Where the move of a program went that left no output file: on standard output, into a file of another name, or beside the
//! program.

use super::repairs::repair;
use anyhow::Result;
use arena::plain::shown;
use arena::player::case::CasePlayer;
use arena::player::exit::Program;
use arena::player::spec::PlayerKind;
use arena::terms::{Bounds, Sandbox};
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A turn that left no output file.
pub(super) struct Silence<'a> {
    /// The program.
    pub kind: &'a PlayerKind,
    /// The limits of its process.
    pub bounds: Bounds,
    /// The input file that it was given.
    pub input: &'a str,
    /// The clock in it.
    pub clock: Duration,
    /// Its standard output.
    pub stdout: &'a str,
    /// When it was started.
    pub since: SystemTime,
}

/// What to do about it, if the move can be found. The program is run once more for that, and its directory looked at.
pub(super) fn stray(
    silence: &Silence,
    legal: &[String],
    reads: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<String>> {
    if reads(silence.stdout).is_some() || repair(silence.stdout, legal, reads).is_some() {
        let mend = "the move is on standard output: write it into the file output.txt, and close the file";
        return Ok(Some(mend.to_string()));
    }
    let PlayerKind::Files { command, directory, own_command } = silence.kind else { return Ok(None) };
    let program = Program { command, home: directory.as_deref(), own_command: *own_command };
    // Within walls a file in the wrong place could not come about.
    let bounds = Bounds { sandbox: Sandbox::Off, ..silence.bounds.clone() };
    let player = CasePlayer::new(&program, &bounds)?;
    player.run(silence.input, silence.clock)?;
    let at_home = |name: &str| directory.as_ref().is_some_and(|home| home.join(name).exists());
    let mut left: Vec<String> =
        player.files().into_iter().filter(|name| name != "input.txt" && !at_home(name)).collect();
    left.sort_by_key(|name| !name.to_lowercase().contains("output"));
    if let Some(name) = left.first() {
        let name = shown(name);
        return Ok(Some(format!("it left a file '{name}': the name has to be output.txt, in small letters")));
    }
    let beside = command.iter().filter_map(|word| Path::new(word).parent());
    let fresh = |directory: &&Path| {
        let written = fs::metadata(directory.join("output.txt")).and_then(|data| data.modified());
        directory.is_absolute() && written.is_ok_and(|time| time >= silence.since)
    };
    Ok(beside.into_iter().find(fresh).map(|directory| {
        let place = shown(&directory.to_string_lossy());
        format!("it wrote {place}/output.txt: open 'output.txt' without a directory, in the one that it is started in")
    }))
}
