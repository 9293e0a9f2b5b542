//! `solve foxgame-proof`: a strategy of SHEEP that wins against everything FOX does.

mod board;
mod known;
mod stage;
mod stages;
mod won;

use anyhow::Result;
use clap::Args;
use foxgame::board::Board;
use stage::Effort;
use stages::{Progress, Stages};
use std::process::ExitCode;

struct Clock;
impl Clock { fn elapsed(&self) -> std::time::Duration { system::cpu::process_time() } }
static OPT: std::sync::OnceLock<Options> = std::sync::OnceLock::new();
fn effort(level: u8) -> Effort {
    let o = OPT.get().unwrap();
    let l = usize::from(level);
    Effort { nodes: o.nodes << (2 * level), front: o.front + 3 * l, waiting: o.waiting + l, losses: [1, 2, 3, 4][l.min(3)], plies: o.plies, level }
}


/// FoxGame: a strategy of SHEEP that wins from the start against everything FOX does
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Nodes of the first effort
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    #[arg(long, default_value_t = 0)]
    measure: u32,
    #[arg(long, default_value_t = 20)]
    step: u32,
    /// Seconds
    #[arg(long, default_value_t = 600)]
    seconds: u64,
    #[arg(long, default_value_t = 12)]
    front: usize,
    #[arg(long, default_value_t = 1)]
    waiting: usize,
    #[arg(long, default_value_t = 60)]
    plies: usize,
    #[arg(long, default_value_t = 5)]
    every: u64,
    #[arg(long)]
    board: Option<String>,
    #[arg(long, default_value_t = 3)]
    efforts: usize,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let options = options.clone();
    std::thread::Builder::new().stack_size(4 << 30).spawn(move || search(&options)).unwrap().join().unwrap()
}

fn search(options: &Options) -> Result<ExitCode> {
    let _ = stage::PARAMS.set(stage::Params { measure: options.measure, step: options.step });
    OPT.set(options.clone()).unwrap();
    let began = Clock;
    let mut told = 0.0;
    let mut tell = |progress: Progress, board: Board| {
        let seconds = began.elapsed().as_secs_f64();
        if seconds > told + options.every as f64 {
            told = seconds;
            eprintln!("{seconds:.0} s: {progress}");
            eprintln!("{}", board::picture(board));
            if seconds > options.seconds as f64 {
                std::process::exit(3);
            }
        }
    };
    let mut search = Stages::new(effort, &mut tell);
    if let Some(text) = &options.board {
        let mut b = Board { foxes: foxgame::board::PointSet::EMPTY, sheep: foxgame::board::PointSet::EMPTY };
        for (p, c) in foxgame::board::BOARD.into_iter().zip(text.chars()) {
            if c == 'F' { b.foxes.insert(p) } else if c == 'S' { b.sheep.insert(p) }
        }
        let won = (0..options.efforts as u8).any(|level| search.prove(b, level));
        eprintln!("{:.1} s: {} {} positions", began.elapsed().as_secs_f64(), won, search.known.wins.len());
        return Ok(ExitCode::SUCCESS);
    }
    let mut all = true;
    let mut replies = Vec::new();
    stages::each_reply(Board::START, |next| replies.push(next));
    for next in replies {
        let won = (0..options.efforts as u8).any(|level| search.prove(next, level));
        eprintln!("{} {won} {}\n{}", began.elapsed().as_secs(), search.known.wins.len(), board::picture(next));
        all &= won;
    }
    eprintln!("{:.1} s: {} {} positions", began.elapsed().as_secs_f64(), all, search.known.wins.len());
    Ok(ExitCode::from(u8::from(!all)))
}
