//! Games of the agent's geese from the start against foxes of one kind, one after the other until the geese have won or
//! not: `cargo run --release -p menagerie-foxgeese --example against_foxes -- KIND GAMES [ONE_IN]`. KIND is random, greedy, depth:PLIES or
//! seconds:CPU; once in ONE_IN moves (10) the foxes play at random instead, so that games differ. The geese have 0.05 s a
//! move.

use engine::agent::UntilCpu;
use engine::reference::greedy;
use engine::search::{Knowledge, Limits, Mode, NoControl, Searcher};
use engine::{Game, Outcome};
use foxgeese::rules::{FOXES, GEESE};
use foxgeese::{Evaluation, Move, Position};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::time::Duration;
use system::cpu::process_time;

enum Kind {
    Random,
    Greedy,
    Depth(u32),
    Seconds(f64),
}

impl Kind {
    fn parse(word: &str) -> Option<Kind> {
        Some(match word.split_once(':') {
            None if word == "random" => Kind::Random,
            None if word == "greedy" => Kind::Greedy,
            Some(("depth", plies)) => Kind::Depth(plies.parse().ok()?),
            Some(("seconds", seconds)) => Kind::Seconds(seconds.parse().ok()?),
            _ => return None,
        })
    }
}

/// The agent's answer for the geese.
fn answer(position: &Position) -> Move {
    foxgeese::known_move(position).expect("the strategy knows all positions that it leads to").0
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let kind = words.first().and_then(|word| Kind::parse(word));
    let number = |at: usize| words.get(at).map(|word| word.parse().ok());
    let (Some(kind), Some(Some(games)), Some(one_in)) = (kind, number(1), number(2).unwrap_or(Some(10_u32))) else {
        eprintln!("usage: against_foxes random|greedy|depth:PLIES|seconds:CPU GAMES [ONE_IN]");
        std::process::exit(2);
    };
    let mut searcher = Searcher::new(Evaluation, Mode::Selective, 64 << 20);
    let mut moves_needed = Vec::new();
    for seed in 0..u64::from(games) {
        let mut random = StdRng::seed_from_u64(seed);
        let mut position = Position::initial();
        while position.outcome().is_none() {
            let moves = position.legal_moves();
            let any = moves[random.random_range(0..moves.len())];
            let by_chance = random.random_range(0..one_in) == 0;
            let mv = match (position.side_to_move(), &kind) {
                (GEESE, _) => answer(&position),
                (FOXES, Kind::Random) => any,
                (FOXES, _) if by_chance => any,
                (FOXES, Kind::Greedy) => {
                    greedy(&position, |position: &Position| Evaluation.evaluate(position)).best.expect("not the end")
                }
                (FOXES, &Kind::Depth(depth)) => {
                    let limits = Limits { depth, ..Limits::default() };
                    searcher.run(&position, limits, &mut NoControl).expect("not the end").best
                }
                (FOXES, &Kind::Seconds(seconds)) => {
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
