//! `judge rerun`: runs one turn of a recorded game again, with the files, the clock, the limits and
//! the seed that it had.

use anygame::{AnyGame, AnyTask};
use anyhow::{Context, Result, anyhow, bail, ensure};
use arena::keys::Keys;
use arena::player::exit::Program;
use arena::player::process::ProcessPlayer;
use arena::player::protocol::player_of;
use arena::player::{Player, Turn, turn_of};
use arena::record::{End, MoveRecord, Record, RecordedGame};
use arena::replayed::ReplayedGame;
use clap::Args;
use intake::preflight::remedy;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use terminal::games::game_of;
use terminal::output::print;

use crate::position::input_of;

#[derive(Args)]
pub(crate) struct RerunOptions {
    /// The record
    record: PathBuf,
    /// The game, by its number
    #[arg(long, value_name = "NUMBER")]
    game: u32,
    /// The move of the turn, by its number in lists and texts: 1 for the first after the opening
    #[arg(long, value_name = "NUMBER")]
    ply: NonZeroUsize,
    /// Another program in place of the recorded one, such as a mended one
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    engine: Vec<String>,
    /// Leave the program's directory as it was before the turn in this new directory, to debug in
    #[arg(long, value_name = "DIRECTORY")]
    keep: Option<PathBuf>,
}

pub(crate) const EXAMPLE: &str = "\
Examples:
  judge rerun games.jsonl --game 3 --ply 37
  judge rerun games.jsonl --game 3 --ply 37 --engine cmd='python3 mended.py'
  judge rerun games.jsonl --game 3 --ply 37 --keep there && cd there && python3 -m pdb ../homework.py
A record names the program that is started: run turns of your own records. A program that chooses at random, or by the time that it
has used, may answer otherwise.
Exit code: 0 the turn was run, whatever it gave; 2 the record does not have it, or the program cannot be run.";

/// The turn nearest to `ply` that a program with files played, as the end of an error message.
fn nearest_turn(
    record: &Record,
    game: &AnyGame,
    (start, moves, end): RecordedGame,
    ply: usize,
) -> String {
    let is_program = |name: &str| {
        let engine = record.header.engines.iter().find(|engine| engine.name == name);
        engine.is_some_and(|engine| Program::of(&engine.kind).is_some())
    };
    let side_of = |mv: &MoveRecord| game.sides.iter().position(|side| *side == mv.side);
    let fault = end.and_then(|end| end.fault.as_ref()).map(|fault| (moves.len(), fault.player));
    let turns = moves.iter().enumerate().filter_map(|(at, mv)| Some((at, side_of(mv)?)));
    let own = turns.chain(fault).filter(|(_, side)| is_program(&start.players[*side]));
    own.min_by_key(|(at, _)| at.abs_diff(ply)).map_or_else(String::new, |(at, side)| {
        format!("; the nearest turn of '{}' is --ply {}", start.players[side], at + 1)
    })
}

/// The files that the player of a turn had kept, and a line about each.
fn kept_files(
    (_, moves, end): RecordedGame,
    side: &str,
    ply: usize,
    text: &mut String,
) -> Result<Vec<(String, Vec<u8>)>> {
    let fault = end.and_then(|end| end.fault.as_ref());
    let files = moves.get(ply).map(|mv| &mv.files).or(fault.map(|fault| &fault.files));
    // Files of the same side are the same program's.
    let earlier = || moves[..ply].iter().filter(|mv| mv.side == side).flat_map(|mv| &mv.files);
    let mut kept = Vec::new();
    for file in files.into_iter().flatten() {
        let name = &file.name;
        match file.bytes(earlier()) {
            Some(bytes) => {
                writeln!(text, "kept file: {name} ({} bytes)", bytes.len())?;
                kept.push((name.clone(), bytes));
            }
            None => writeln!(text, "kept file: {name}: too large for the record, it is missing")?,
        }
    }
    Ok(kept)
}

/// Gives a program that stays running its tasks before a turn. A line tells of each answer that is
/// another one than in the game.
fn talk_again<'m>(
    player: &mut dyn Player,
    tasks: impl Iterator<Item = (&'m MoveRecord, AnyTask)>,
    text: &mut String,
) -> Result<()> {
    for (mv, task) in tasks {
        let found = turn_of(player, &task)?.answer;
        let now = found.map_or_else(|fault| fault.reason.to_string(), |mv| mv.described);
        if now != mv.mv {
            writeln!(text, "move {} was {}, and is now {now}", mv.ply + 1, mv.mv)?;
        }
    }
    Ok(())
}

/// Writes the verdict of today, and that of the game: its move or its end.
fn compare(
    game: &AnyGame,
    (task, turn, margin): (&AnyTask, &Turn, f64),
    (mv, end): (Option<&MoveRecord>, Option<&End>),
    text: &mut String,
) -> Result<()> {
    let (now, advice) = match turn.charge(task.control, task.clock, margin).answer {
        Ok(mv) => (mv.described, None),
        Err(fault) => {
            let advice = remedy(game, &*task.position, &fault, &turn.traces);
            (format!("{}: {}", fault.termination, fault.reason), advice)
        }
    };
    writeln!(
        text,
        "now:  {now}; {:.3} s CPU, {:.3} s in all",
        turn.cpu.as_secs_f64(),
        turn.wall.as_secs_f64()
    )?;
    match (mv, end.and_then(|end| end.fault.as_ref()), end) {
        (Some(mv), ..) => {
            writeln!(text, "then: {}; {:.3} s CPU, {:.3} s in all", mv.mv, mv.cpu, mv.wall)?
        }
        (None, Some(fault), Some(end)) => writeln!(
            text,
            "then: {}: {}; {:.3} s CPU, {:.3} s in all",
            end.termination, end.reason, fault.cpu, fault.wall
        )?,
        _ => {}
    }
    if let Some(advice) = advice {
        writeln!(text, "to fix it: {advice}")?;
    }
    Ok(())
}

pub(crate) fn rerun(options: &RerunOptions) -> Result<()> {
    let record = Record::read(&options.record)?;
    let game = game_of(&record)?;
    let recorded =
        record.recorded(options.game).with_context(|| options.record.display().to_string())?;
    let (start, moves, end) = recorded;
    let before = options.ply.get() - 1;
    let nearest = || nearest_turn(&record, game, recorded, before);
    let input = input_of(&record, game, recorded, before).map_err(|error| {
        let hint = if before > moves.len() { nearest() } else { String::new() };
        anyhow!("{error:#}{hint}")
    })?;
    let fault = end.and_then(|end| end.fault.as_ref()).filter(|_| before == moves.len());
    // A state knows more than an input file tells, which need not be readable.
    let replayed = game
        .is_own()
        .then(|| ReplayedGame::of(game, &record.header, &start.opening, moves))
        .transpose()?;
    let task_after =
        |game: &ReplayedGame, ply| game.task(&record.header, &start.players, moves, ply);
    let task = match &replayed {
        Some(replayed) => task_after(replayed, before),
        None => game
            .rules
            .read_task(&input, record.header.rules.as_deref())?
            .map_err(|error| anyhow!("the recorded input, line {error}"))?,
    };
    let side = task.position.side_to_move();
    let name = &start.players[side.index()];
    let spec = match options.engine.is_empty() {
        true => record.header.engines.iter().find(|engine| engine.name == *name).cloned(),
        false => Some(Keys::parse(options.engine.iter().map(String::as_str))?.engine(game)?),
    };
    let spec = spec.with_context(|| {
        format!("the record does not say how '{name}' is started: add --engine")
    })?;
    let Some(program) = Program::of(&spec.kind) else {
        bail!(
            "move {} is by '{name}', which is no program that reads and writes files: add --engine \
             cmd=COMMAND{}",
            options.ply,
            nearest()
        );
    };
    let talks = game.interface.talks;
    ensure!(
        !talks || options.keep.is_none(),
        "--keep: programs of {} stay running, and have no directory between turns",
        game.name
    );
    let seed = start.seed.unwrap_or_default() ^ side.index() as u64;
    let bounds = &record.header.bounds;
    let mut text = format!(
        "game {}, move {}: {name} plays {} by {}\n",
        options.game,
        options.ply,
        game.side_word(side),
        program.command.join(" ")
    );
    let turn = match replayed.filter(|_| talks) {
        Some(replayed) => {
            let mut player = player_of(game, &spec, bounds, seed)?;
            let tasks = moves[..before]
                .iter()
                .enumerate()
                .filter(|(_, mv)| mv.side == game.side_word(side))
                .map(|(ply, mv)| (mv, task_after(&replayed, ply)));
            talk_again(&mut *player, tasks, &mut text)?;
            turn_of(&mut *player, &task)?
        }
        None => {
            let files = game.interface.files;
            let mut player = ProcessPlayer::new(&program, files, spec.margin, bounds, seed)?;
            let kept = kept_files(recorded, game.side_word(side), before, &mut text)?;
            player.put(&kept)?;
            if let Some(place) = &options.keep {
                player.copy_to(place, &input)?;
                writeln!(text, "the directory before the turn: {}", place.display())?;
            }
            turn_of(&mut player, &task)?
        }
    };
    let part = |text: &mut String, name: &str, content: &str| {
        if !content.is_empty() {
            let end = if content.ends_with('\n') { "" } else { "\n" };
            let _ = write!(text, "--- {name}\n{content}{end}");
        }
    };
    part(&mut text, game.interface.files.input, &input);
    part(&mut text, "standard error", &turn.traces.stderr);
    part(&mut text, "standard output", &turn.traces.stdout);
    part(&mut text, game.interface.files.output, turn.traces.output.as_deref().unwrap_or_default());
    text += "---\n";
    let then = (moves.get(before), end.filter(|_| fault.is_some()));
    compare(game, (&task, &turn, spec.margin), then, &mut text)?;
    print(&text);
    Ok(())
}
