//! Fits what squares are worth in a Halma race, and prints the file `crates/halma/data/race.txt`. The plans that it fits to are
//! made with the numbers that are there, so a second run starts from better ones.
//!
//! ```text
//! cargo run --release -p menagerie-learn --example race_worths -- GAMES SEED > race.txt
//! ```

use learn::race_worths::{Races, Sample, fit};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const NODES: u64 = 1_000;
const EFFORT: u32 = 64;
const LINES_EVERY: u64 = 50;

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [games, seed] = numbers[..] else {
        eprintln!("usage: race_worths GAMES SEED, for example 600 1");
        return ExitCode::from(2);
    };
    let races = Races { nodes: NODES, effort: EFFORT, seed };
    let samples = Mutex::new(Vec::<Sample>::new());
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= games {
                        break;
                    }
                    let found = races.of_game(game);
                    samples.lock().expect("no thread has panicked").extend(found);
                    if (game + 1).is_multiple_of(LINES_EVERY) {
                        eprintln!("{} of {games} games", game + 1);
                    }
                }
            });
        }
    });
    let mut samples = samples.into_inner().expect("no thread has panicked");
    samples.sort_by_key(|sample| sample.game);
    let Some(fitted) = fit(&samples) else {
        eprintln!("no fit is determined: more games are needed");
        return ExitCode::FAILURE;
    };
    let (explained, left) = fitted.held_out;
    println!(
        "# What Halma's squares are worth in a race, in hundredths of a move, and what each step of the farthest piece costs;"
    );
    println!(
        "# by `race_worths {games} {seed}`: {} positions of {games} games at {NODES} nodes a move, plans of {EFFORT}00 positions;",
        samples.len()
    );
    println!("# R2 of held-out lengths {explained:.3}, {left:.2} moves left.");
    print!("{}", fitted.text());
    ExitCode::SUCCESS
}
