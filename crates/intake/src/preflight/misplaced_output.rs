//! Finds the move of a program that left no output file.

use super::slips::advice_for_slip;
use super::test_positions::TurnRequest;
use anyhow::Result;
use arena::plain::shown;
use arena::player::case::CasePlayer;
use arena::player::exit::Program;
use arena::terms::{Bounds, Sandbox};
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Looks on standard output, and for another file: for that the program is run once more.
pub(super) fn find_misplaced_move(request: &TurnRequest, stdout: &str) -> Result<Option<String>> {
    let TurnRequest { game, spec, bounds, test } = *request;
    let files = game.interface.files;
    let (output, position) = (files.output, &*test.task.position);
    let is_move = matches!(position.read_move(stdout), Ok(Ok(_)));
    if is_move || advice_for_slip(position, stdout).is_some() {
        return Ok(Some(format!(
            "the move is on standard output: write it into the file {output}, and close the file"
        )));
    }
    let Some(program) = Program::of(&spec.kind) else { return Ok(None) };
    let player = CasePlayer::new(&program, files, bounds)?;
    player.run(&test.input, test.task.clock)?;
    let was_there = |name: &str| program.home.is_some_and(|home| home.join(name).exists());
    let mut written: Vec<String> =
        player.files().into_iter().filter(|name| name != files.input && !was_there(name)).collect();
    written.sort_by_key(|name| !name.to_lowercase().contains("output"));
    Ok(written.first().map(|name| {
        let letters = if output == output.to_lowercase() { ", in small letters" } else { "" };
        format!("the program left a file '{}': the name has to be {output}{letters}", shown(name))
    }))
}

const CLOCK: Duration = Duration::from_secs(10);

/// Looks for the output file in the program's own directory: for that the program is run once more
/// without a sandbox, with the user's agreement.
pub(super) fn find_output_beside_program(request: &TurnRequest) -> Result<Option<String>> {
    let TurnRequest { game, spec, bounds, test } = *request;
    let files = game.interface.files;
    let Some(program) = Program::of(&spec.kind) else { return Ok(None) };
    let since = SystemTime::now();
    CasePlayer::new(&program, files, &Bounds { sandbox: Sandbox::Off, ..bounds.clone() })?
        .run(&test.input, CLOCK)?;
    let output = files.output;
    let mut places = program.command.iter().filter_map(|word| Path::new(word).parent());
    let has_new_output = |directory: &&Path| {
        let written = fs::metadata(directory.join(output)).and_then(|data| data.modified());
        directory.is_absolute() && written.is_ok_and(|time| time >= since)
    };
    Ok(places.find(has_new_output).map(|directory| {
        let place = shown(&directory.to_string_lossy());
        format!("the program wrote {place}/{output}: open '{output}' without a directory, so that it lies where the program is started")
    }))
}
