//! `solve foxgame-proof`: a strategy of SHEEP that wins FoxGame against everything FOX does (docs/foxgame-proof.md).
//!
//! The proof goes by stages. A board is closed if no sheep could be jumped from anywhere that the foxes can walk to;
//! between closed boards of rising value for SHEEP a proof-number search finds the way (`stage`), and `stages` puts the
//! ways together. `check` follows all that was found by the rules alone.

mod board;
mod check;
mod file;
mod known;
mod repeat;
mod stage;
mod stages;
mod won;

use crate::interrupt;
use anyhow::{Context, Result, bail};
use board::each_reply;
use clap::Args;
use engine::protocol::Protocol;
use engine::{Game, OneRuleSet};
use foxgame::Position;
use foxgame::board::Board;
use foxgame::rules::FOX;
use known::Known;
use stage::Effort;
use stages::{Answer, Progress, Stages};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use system::cpu::process_time;

/// FoxGame: a strategy of SHEEP that wins from the start against everything FOX does
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  solve foxgame-proof --out proof.bin            search, or go on where the file ends; ^C keeps all that is known
  solve foxgame-proof --seconds 600              the same for ten minutes of CPU time
  solve foxgame-proof --input input.txt          from another position than the start
  solve foxgame-proof --check proof.bin          follow every win of the file by the rules alone

Exit code: 0 the win is proven, or the check holds; 1 not proven, or a flaw; 2 a file or the command line is bad.")]
pub(crate) struct Options {
    /// The file of all that is known: read if it is there, written every few minutes and at the end
    #[arg(short, long, value_name = "FILE", default_value = "foxgame.proof")]
    out: PathBuf,

    /// Only check the wins of a file by the rules alone
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    check: Option<PathBuf>,

    /// Begin from the position of an agent's input file instead of the start
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,

    /// CPU seconds after which the search stops; by default it goes on until it is done or told to stop
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<u64>,

    /// Nodes of a stage at level 0; each level has four times those of the one before
    #[arg(long, value_name = "COUNT", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
    nodes: u64,

    /// Levels of effort; what fails at one is tried again at the next
    #[arg(long, value_name = "COUNT", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=8))]
    levels: u8,
}

/// The stack of the searching thread, in bytes: a line of stages may be hundreds deep, each with its ways. Only what is
/// used of it takes memory.
const STACK: usize = 4 << 30;

/// The wall time between two lines of progress.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// The wall time between two writings of the file.
const WRITTEN_EVERY: Duration = Duration::from_secs(300);

/// Searches for the proof or checks one, as the options ask.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    if let Some(file) = &options.check {
        return check_file(file);
    }
    interrupt::catch()?;
    let options = options.clone();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || search(&options));
    thread.context("no thread for the search")?.join().expect("the search does not panic")
}

/// The boards with SHEEP to move that have to be won.
fn goals(input: Option<&Path>) -> Result<Vec<Board>> {
    let Some(path) = input else { return Ok(boards_of(&Position::initial())) };
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
    let position = match Position::read_task(&text, OneRuleSet) {
        Ok(task) => task.position,
        Err(error) => bail!("{name}:{error}"),
    };
    if !position.history().is_empty() {
        bail!("{name}: the earlier boards have to be left out: the proof is of positions without a past");
    }
    Ok(boards_of(&position))
}

/// The position's board if SHEEP is to move; otherwise the boards after FOX's moves with which the game goes on.
fn boards_of(position: &Position) -> Vec<Board> {
    let mut boards = Vec::new();
    if position.side_to_move() == FOX {
        each_reply(position.board(), |board| boards.push(board));
    } else {
        boards.push(position.board());
    }
    boards
}

/// The effort of a level: more nodes, more steps of SHEEP, more sheep given up.
fn effort(nodes: u64, level: u8) -> Effort {
    let more = usize::from(level);
    Effort {
        nodes: nodes << (2 * level),
        front: 12 + 3 * more,
        waiting: 1 + more,
        losses: 1 + u32::from(level).min(3),
        plies: 60,
        level,
    }
}

/// Searches level by level until every goal is won, nothing is left to try, or it is time to stop.
fn search(options: &Options) -> Result<ExitCode> {
    let goals = goals(options.input.as_deref())?;
    let known = if options.out.exists() { file::read(&options.out)? } else { Known::default() };
    if known.wins.len() > 0 {
        eprintln!(
            "{}: {} won positions, {} boards given up",
            options.out.display(),
            known.wins.len(),
            known.dead.len()
        );
    }
    let (mut told, mut written) = (Instant::now(), Instant::now());
    let mut failed = None;
    let mut line = Vec::new();
    let mut tell = |known: &Known, progress: Progress| {
        if told.elapsed() > TOLD_EVERY {
            told = Instant::now();
            eprintln!("{:.0} s of CPU: {progress}", process_time().as_secs_f64());
        }
        if written.elapsed() > WRITTEN_EVERY {
            written = Instant::now();
            failed = file::write(&options.out, known).err();
        }
        let late = options.seconds.is_some_and(|seconds| process_time().as_secs() >= seconds);
        let go_on = !late && failed.is_none() && !interrupt::asked();
        if !go_on {
            line = progress.line;
        }
        go_on
    };
    let effort = |level| effort(options.nodes, level);
    let mut stages = Stages::new(known, &effort, &mut tell);
    let won = prove_all(&mut stages, &goals, options.levels);
    let known = stages.known;
    if let Some(error) = failed {
        return Err(error);
    }
    file::write(&options.out, &known)?;
    if !line.is_empty() {
        println!("The boards of the stages in hand, SHEEP to move:\n\n{}\n", board::pictures(&line));
    }
    let all = goals.len();
    println!("goals won                 {won} of {all}");
    println!("won positions known       {}", known.wins.len());
    println!("boards given up           {}", known.dead.len());
    println!("steps banned              {}", known.banned.len());
    Ok(ExitCode::from(u8::from(won < all)))
}

/// Tries the goals at one level after the other: the number of goals won.
fn prove_all(stages: &mut Stages<'_>, goals: &[Board], levels: u8) -> usize {
    let mut won = 0;
    for level in 0..levels {
        won = 0;
        for &goal in goals {
            match stages.prove(goal, level) {
                Answer::Won => won += 1,
                Answer::GivenUp => eprintln!("no win found at level {level}:\n{}", board::picture(goal)),
                Answer::Stopped => return won,
            }
        }
        if won == goals.len() {
            break;
        }
    }
    won
}

/// Checks the wins of a file and prints their figures. Exit code 1 if they do not hold.
fn check_file(path: &Path) -> Result<ExitCode> {
    let known = file::read(path)?;
    match check::check(&known.wins) {
        Ok(proof) => {
            let start = boards_of(&Position::initial());
            let won = start.iter().filter(|&&board| known.wins.get(board).is_some()).count();
            if won == start.len() {
                println!("FoxGame: SHEEP wins, whatever FOX does.");
            } else {
                println!(
                    "FoxGame: of FOX's {} first moves, {won} are answered: nothing is said of the start.",
                    start.len()
                );
            }
            println!("positions (SHEEP to move)  {}", proof.positions);
            println!("FOX's moves answered       {}", proof.replies);
            println!("longest line               {} steps of SHEEP", proof.longest);
            println!("sheep left, at least       {}", proof.fewest_sheep);
            println!("moves that end lines       no fox left {}, pen full {}", proof.no_fox, proof.pen_full);
            println!("checked in                 {:.1} s of CPU time", process_time().as_secs_f64());
            Ok(ExitCode::SUCCESS)
        }
        Err(flaw) => {
            println!("{}: {flaw}", path.display());
            Ok(ExitCode::from(1))
        }
    }
}
