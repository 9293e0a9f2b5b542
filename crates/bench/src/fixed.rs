//! Searches of fixed positions to fixed depths, for every game: their nodes are the same on every machine as long as
//! the search behaves the same.

use engine::search::{Limits, Mode, NoControl, Report, Searcher};
use engine::{Playable, Protocol, RuleSet};
use system::cpu::process_time;

/// A game's positions, and how deep each is searched.
pub(crate) struct Bench {
    /// File name under inputs/GAME, and the depth of the full-width search.
    pub positions: &'static [(&'static str, u32)],
    /// The plies by which the selective search goes deeper.
    pub selective: u32,
}

/// Nodes and CPU seconds.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sum {
    /// Nodes, as [`Report::nodes`] counts them.
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

/// Searches a game's positions in both modes and prints a line for each and one for all. An error names the file.
pub(crate) fn measure<G: Playable>(bench: &Bench, deeper: i32, hash_bytes: usize) -> Result<Sum, String> {
    let mut sum = Sum::default();
    for (mode, name, more) in [(Mode::FullWidth, "full width", 0), (Mode::Selective, "selective", bench.selective)] {
        println!("{:<26} depth      nodes   CPU s    nodes/s  score", format!("{}, {name}", G::NAME));
        for &(file, depth) in bench.positions {
            // What is searched is what an agent searches.
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

/// A position's own depth, changed by a number of plies.
pub(crate) fn depth_of(depth: u32, deeper: i32) -> u32 {
    depth.saturating_add_signed(deeper).max(1)
}

/// One line of the table; what is not known is empty.
pub(crate) fn print_line(name: &str, depth: &str, sum: Sum, score: &str) {
    let speed = sum.nodes as f64 / sum.seconds;
    let line = format!("{name:<26} {depth:>5} {:>10} {:>7.3} {speed:>10.0} {score:>6}", sum.nodes, sum.seconds);
    println!("{}", line.trim_end());
}

/// The position of inputs/GAME/NAME.txt.
pub(crate) fn read_position<G: Protocol>(name: &str) -> Result<G, String> {
    let file = format!("{}/../../inputs/{}/{name}.txt", env!("CARGO_MANIFEST_DIR"), G::NAME);
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
    let task = G::read_task(&text, G::Rules::AGENT).map_err(|error| format!("{file}:{error}"))?;
    Ok(task.position)
}

/// A search from scratch on one thread, and its CPU seconds.
pub(crate) fn timed_search<G: Playable>(
    position: &G,
    mode: Mode,
    depth: u32,
    hash_bytes: usize,
) -> (Report<G::Move>, f64) {
    let start = process_time();
    let mut searcher = Searcher::new(G::knowledge(), mode, hash_bytes);
    let report = searcher
        .run(position, Limits { depth, ..Limits::default() }, &mut NoControl)
        .expect("an input's position is not finished");
    (report, (process_time() - start).as_secs_f64())
}
