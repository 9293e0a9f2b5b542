//! Games from figure 1, the agent's sheep without tables against wolves that search:
//! `cargo run --release -p menagerie-wolves --example against_wolves -- CPU_SECONDS_A_GAME GAMES [ONE_IN]`. The wolves know nothing stored;
//! each of their moves gets a 25th of the time, for no game is longer. Once in ONE_IN moves (10) they play at random
//! instead, so that games differ; in the first game never.

use engine::agent::UntilCpu;
use engine::search::{Limits, Mode, Searcher};
use engine::{Advice, Game, Outcome};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::time::Duration;
use system::cpu::process_time;
use wolves::advice::advise;
use wolves::oracle::Oracle;
use wolves::rules::{SHEEP, WOLVES};
use wolves::{Evaluation, Layout, Position};

/// Moves of the wolves in a game, at most: the sheep win within 54 plies.
const MOVES: u32 = 25;
/// Plies after which a game counts as not won.
const PLIES: u32 = 200;

fn main() {
    let words: Vec<f64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let (Some(&seconds), Some(&games)) = (words.first(), words.get(1)) else {
        eprintln!("usage: against_wolves CPU_SECONDS_A_GAME GAMES [ONE_IN]");
        std::process::exit(2);
    };
    let one_in = words.get(2).map_or(10, |&one_in| one_in as u32).max(1);
    let stored = Oracle::stored();
    let mut searcher = Searcher::new(Evaluation, Mode::Selective, 64 << 20);
    let (mut won, mut longest) = (0, 0);
    for seed in 0..games as u64 {
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
