//! Searches of fixed positions to fixed depths, for every game. Their node counts are the same on every machine as long as
//! the search behaves the same.

use anyhow::{Context, Result, anyhow};
use clock::cpu::process_time;
use engine::search::{Limits, Mode, NoControl, Report, Searcher};
use engine::think::default_knowledge;
use engine::{Playable, Protocol, RuleSet};
use std::path::Path;

/// The benchmark of one game: its positions and their depths.
pub(crate) struct GameBench {
    /// The file names under inputs/GAME, without `.txt`, each with the depth of the full-width search.
    pub positions: &'static [(&'static str, u32)],
    /// The additional plies of the selective search.
    pub selective: u32,
}

/// A sum of nodes and CPU seconds.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sum {
    /// The number of nodes, as [`Report::nodes`] counts them.
    pub nodes: u64,
    /// CPU seconds.
    pub seconds: f64,
}

impl Sum {
    /// Adds another sum.
    pub(crate) fn add(&mut self, other: Sum) {
        self.nodes += other.nodes;
        self.seconds += other.seconds;
    }
}

/// Searches a game's positions in both modes, and prints a line for each search and one for their sum. Errors name the
/// file.
pub(crate) fn measure<G: Playable>(bench: &GameBench, deeper: i32, hash_bytes: usize) -> Result<Sum> {
    let mut sum = Sum::default();
    for (mode, name, more) in [(Mode::FullWidth, "full width", 0), (Mode::Selective, "selective", bench.selective)] {
        println!("{:<26} depth      nodes   CPU s    nodes/s  score", format!("{}, {name}", G::NAME));
        for &(file, depth) in bench.positions {
            // Agents search this view of the position, too.
            let position = G::as_searched(&read_position::<G>(file)?);
            let (report, seconds) = timed_search(&position, mode, depth_of(depth, deeper) + more, hash_bytes);
            let one = Sum { nodes: report.nodes, seconds };
            print_line(file, &report.depth.to_string(), one, &report.score.to_string());
            sum.add(one);
        }
    }
    print_line(&format!("{}, in all", G::NAME), "", sum, "");
    Ok(sum)
}

/// Returns a position's depth changed by `deeper` plies, at least 1.
pub(crate) fn depth_of(depth: u32, deeper: i32) -> u32 {
    depth.saturating_add_signed(deeper).max(1)
}

/// Prints one line of the table. A column without a value is an empty string.
pub(crate) fn print_line(name: &str, depth: &str, sum: Sum, score: &str) {
    let speed = sum.nodes as f64 / sum.seconds;
    let line = format!("{name:<26} {depth:>5} {:>10} {:>7.3} {speed:>10.0} {score:>6}", sum.nodes, sum.seconds);
    println!("{}", line.trim_end());
}

/// Reads the position of inputs/GAME/NAME.txt. Without a file, `start` is the position that games start from.
pub(crate) fn read_position<G: Protocol>(name: &str) -> Result<G> {
    let file = format!("{}/../../inputs/{}/{name}.txt", env!("CARGO_MANIFEST_DIR"), G::NAME);
    if name == "start" && !Path::new(&file).exists() {
        return Ok(G::start(G::Rules::AGENT));
    }
    let text = std::fs::read_to_string(&file).with_context(|| file.clone())?;
    let task = G::read_task(&text, G::Rules::AGENT).map_err(|error| anyhow!("{file}:{error}"))?;
    Ok(task.position)
}

/// Searches a position on one thread with an empty transposition table, and measures the CPU seconds.
pub(crate) fn timed_search<G: Playable>(
    position: &G,
    mode: Mode,
    depth: u32,
    hash_bytes: usize,
) -> (Report<G::Move>, f64) {
    let start = process_time();
    let mut searcher = Searcher::new(default_knowledge::<G>(), mode, hash_bytes);
    let report = searcher
        .run(position, Limits { depth, ..Limits::default() }, &mut NoControl)
        .expect("an input's position is not finished");
    (report, (process_time() - start).as_secs_f64())
}
