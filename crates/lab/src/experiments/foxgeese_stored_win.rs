//! `lab foxgeese-stored-win`: plays games between the agent's geese, which follow only the stored strategy, and foxes of one
//! kind, and reports how many games the geese win.

use clap::Args;
use clock::cpu::process_time;
use engine::agent::UntilCpu;
use engine::reference::greedy;
use engine::search::{Knowledge, Limits, Mode, NoControl, Searcher};
use engine::{Game, Outcome};
use foxgeese::rules::{FOXES, GEESE};
use foxgeese::{Evaluation, Move, Position};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::time::Duration;

/// Examples for the help text.
pub(crate) const EXAMPLE: &str = "\
Examples:
  lab foxgeese-stored-win depth:12 100
  lab foxgeese-stored-win seconds:0.05 100";

/// Options of `lab foxgeese-stored-win`.
#[derive(Args)]
pub(crate) struct Options {
    /// The foxes: random, greedy, depth:PLIES or seconds:CPU (for each move)
    #[arg(value_parser = FoxesKind::parse)]
    kind: FoxesKind,

    /// The number of games
    games: u32,

    /// One move of the foxes in this many is random, so that games differ
    #[arg(default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    one_in: u32,
}

/// The kind of player of the foxes.
#[derive(Clone)]
enum FoxesKind {
    Random,
    Greedy,
    Depth(u32),
    Seconds(f64),
}

impl FoxesKind {
    /// Parses the kind of foxes.
    fn parse(word: &str) -> Result<FoxesKind, String> {
        let wrong = || "expected random, greedy, depth:PLIES or seconds:CPU".to_string();
        Ok(match word.split_once(':') {
            None if word == "random" => FoxesKind::Random,
            None if word == "greedy" => FoxesKind::Greedy,
            Some(("depth", plies)) => FoxesKind::Depth(plies.parse().map_err(|_| wrong())?),
            Some(("seconds", seconds)) => FoxesKind::Seconds(seconds.parse().map_err(|_| wrong())?),
            _ => return Err(wrong()),
        })
    }
}

/// Returns the agent's move for the geese.
fn geese_move(position: &Position) -> Move {
    foxgeese::known_move(position).expect("the strategy knows all positions that it leads to").0
}

/// Runs `lab foxgeese-stored-win`, and prints a line for each game and their sum.
pub(crate) fn run(options: &Options) {
    let &Options { ref kind, games, one_in } = options;
    let mut searcher = Searcher::new(Evaluation, Mode::Selective, 64 << 20);
    let mut moves_needed = Vec::new();
    for seed in 0..u64::from(games) {
        let mut random = StdRng::seed_from_u64(seed);
        let mut position = Position::initial();
        while position.outcome().is_none() {
            let moves = position.legal_moves();
            let any = moves[random.random_range(0..moves.len())];
            let by_chance = random.random_range(0..one_in) == 0;
            let mv = match (position.side_to_move(), kind) {
                (GEESE, _) => geese_move(&position),
                (FOXES, FoxesKind::Random) => any,
                (FOXES, _) if by_chance => any,
                (FOXES, FoxesKind::Greedy) => {
                    greedy(&position, |position: &Position| Evaluation.evaluate(position)).best.expect("not the end")
                }
                (FOXES, &FoxesKind::Depth(depth)) => {
                    let limits = Limits { depth, ..Limits::default() };
                    searcher.run(&position, limits, &mut NoControl).expect("not the end").best
                }
                (FOXES, &FoxesKind::Seconds(seconds)) => {
                    let mut control = UntilCpu(process_time() + Duration::from_secs_f64(seconds));
                    searcher.run(&position, Limits::default(), &mut control).expect("not the end").best
                }
            };
            position.play(mv);
        }
        let won = position.outcome() == Some(Outcome::Win(GEESE));
        println!(
            "game {seed}: {} after {} moves of the geese",
            if won { "won" } else { "NOT WON" },
            position.moves_made()
        );
        moves_needed.extend(won.then(|| position.moves_made()));
    }
    moves_needed.sort_unstable();
    let (median, longest) = (moves_needed.get(moves_needed.len() / 2), moves_needed.last());
    println!("{} of {games} won by the geese, moves: median {median:?}, longest {longest:?}", moves_needed.len());
}
