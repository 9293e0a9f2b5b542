//! `lab wolves-stored-win`: plays games from figure 1 of the assignment between the agent's sheep, without tables, and wolves
//! that search.

use clap::Args;
use clock::cpu::process_time;
use engine::agent::UntilCpu;
use engine::search::{Limits, Mode, Searcher};
use engine::{Advice, Game, Outcome};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::time::Duration;
use wolves::advice::advise;
use wolves::oracle::Oracle;
use wolves::rules::{SHEEP, WOLVES};
use wolves::{Evaluation, Layout, Position};

/// An example for the help text.
pub(crate) const EXAMPLE: &str = "\
The wolves use no stored data. Each of their moves gets a 25th of the time, since no game is longer. In all games but the
first they play one move in ONE_IN at random, so that games differ.
Example:
  lab wolves-stored-win 10 100";

/// Options of `lab wolves-stored-win`.
#[derive(Args)]
pub(crate) struct Options {
    /// The wolves' CPU seconds for each game
    seconds: f64,

    /// The number of games
    games: u64,

    /// One move of the wolves in this many is random
    #[arg(default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    one_in: u32,
}

/// The largest number of the wolves' moves in a game, since the sheep win within 54 plies.
const MOVES: u32 = 25;
/// The number of plies after which a game counts as not won.
const PLIES: u32 = 200;

/// Runs `lab wolves-stored-win`, and prints a line for each game and their sum.
pub(crate) fn run(options: &Options) {
    let &Options { seconds, games, one_in } = options;
    let stored = Oracle::without_tables();
    let mut searcher = Searcher::new(Evaluation, Mode::Selective, 64 << 20);
    let (mut won, mut longest) = (0, 0);
    for seed in 0..games {
        let mut random = StdRng::seed_from_u64(seed);
        let mut position = Position::layout(Layout::Figure1);
        let mut plies = 0;
        while position.outcome().is_none() && plies < PLIES {
            let mv = match position.side_to_move() {
                SHEEP => match advise(&position, &stored) {
                    Advice::Move(mv, _) => mv,
                    _ => panic!("the stored win has an answer to everything"),
                },
                WOLVES if seed > 0 && random.random_range(0..one_in) == 0 => {
                    let moves = position.legal_moves();
                    moves[random.random_range(0..moves.len())]
                }
                WOLVES => {
                    let mut control = UntilCpu(process_time() + Duration::from_secs_f64(seconds / f64::from(MOVES)));
                    searcher.run(&position, Limits::default(), &mut control).expect("the game goes on").best
                }
            };
            position.play(mv);
            plies += 1;
        }
        let sheep_won = position.outcome() == Some(Outcome::Win(SHEEP));
        won += u32::from(sheep_won);
        longest = longest.max(plies);
        println!("game {seed}: {} after {plies} plies", if sheep_won { "won" } else { "NOT WON" });
    }
    println!("{won} of {games} won by the sheep, the longest in {longest} plies");
}
