//! FoxGame after a second of thinking: the depth reached and the nodes a second, at the start and in the middle of a
//! game. A clock decides, so that the figures differ from run to run and have no part in the fingerprint.

use ::foxgame::{Evaluation, Move, Position};
use cpu_time::ProcessTime;
use engine::search::{Control, Limits, Mode, Report, Searcher};
use engine::{OneRuleSet, Protocol};
use std::time::Duration;

/// File names under inputs/foxgame.
const POSITIONS: [&str; 4] = ["start", "middle-30", "middle-60", "middle-90"];
/// How long to think about each, in CPU time.
const SECOND: Duration = Duration::from_secs(1);

struct Stopwatch(ProcessTime);

impl Control<Move> for Stopwatch {
    fn stop_now(&mut self) -> bool {
        self.0.elapsed() >= SECOND
    }

    fn stop_after(&mut self, _: &Report<Move>) -> bool {
        self.0.elapsed() >= SECOND
    }
}

/// Measures and prints. An error names the file.
pub fn measure(hash_bytes: usize) -> Result<(), String> {
    println!("foxgame, 1 s depth      nodes    nodes/s  score");
    for name in POSITIONS {
        let file = format!("{}/../../inputs/foxgame/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
        let task = Position::read_task(&text, OneRuleSet).map_err(|error| format!("{file}:{error}"))?;
        let mut searcher = Searcher::new(Evaluation::default(), Mode::Selective, hash_bytes);
        let mut stopwatch = Stopwatch(ProcessTime::now());
        let report = searcher.run(&task.position, Limits::default(), &mut stopwatch).ok_or("a finished game")?;
        let seconds = stopwatch.0.elapsed().as_secs_f64();
        let speed = report.nodes as f64 / seconds;
        println!("{name:<12} {:>5} {:>10} {speed:>10.0} {:>6}", report.depth, report.nodes, report.score);
    }
    Ok(())
}
