//! The figures of a soak by game and clock, and the tables that show them.

use super::question::PositionSource;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// The shortest clock at which answers can be late. A process needs milliseconds to start and to
/// exit.
pub(super) const SHORTEST_TIMED: Duration = Duration::from_millis(50);

/// The figures so far, by the index of the game and the clock.
#[derive(Default)]
pub(super) struct Tally {
    cells: BTreeMap<(usize, Duration), ClockFigures>,
    /// The numbers of questions by the source of their positions.
    sources: BTreeMap<PositionSource, usize>,
}

/// The figures of one game under one clock.
#[derive(Default)]
pub(super) struct ClockFigures {
    /// The CPU times of the legal answers: first those of `SINGLE`, then those of `GAME`.
    pub cpu: [Vec<Duration>; 2],
    /// The number of illegal answers.
    pub illegal: usize,
    /// The number of questions without an answer.
    pub missing: usize,
    /// The number of answers that were late by more than the tolerance.
    pub late: usize,
    /// The number of finished games that were refused correctly.
    pub refused: usize,
    /// The largest resident memory of a process, in KiB.
    pub peak_kib: u64,
    /// The CPU times of processes whose kill left no output file.
    pub absent: Vec<Duration>,
    /// The number of kills that left a whole and legal output file.
    pub whole: usize,
    /// The number of processes that exited before their kill.
    pub done: usize,
    /// The wall and CPU times of processes until there was an output file.
    pub first: Vec<(Duration, Duration)>,
}

impl Tally {
    /// Returns the figures of a game under a clock.
    pub(super) fn cell(&mut self, game: usize, clock: Duration) -> &mut ClockFigures {
        self.cells.entry((game, clock)).or_default()
    }

    /// Counts a question of this source.
    pub(super) fn count_source(&mut self, source: PositionSource) {
        *self.sources.entry(source).or_default() += 1;
    }

    /// Returns the number of questions that asked for a move.
    pub(super) fn asked(&self) -> usize {
        self.cells.values().map(ClockFigures::asked).sum()
    }

    /// Returns the number of a game's questions that `--each` counts: answers and refusals, or
    /// kills.
    pub(super) fn counted(&self, game: usize, kills: bool) -> usize {
        let cells = self.cells.iter().filter(|((of, _), _)| *of == game);
        cells.map(|(_, cell)| if kills { cell.kills() } else { cell.asked() + cell.refused }).sum()
    }

    /// Returns the number of failed questions.
    pub(super) fn failures(&self) -> usize {
        self.cells.values().map(|cell| cell.illegal + cell.missing + cell.late).sum()
    }

    /// Returns the worst overrun of a clock that is not too short to judge, in milliseconds;
    /// negative if there was none.
    pub(super) fn worst(&self) -> f64 {
        let counted = self.cells.iter().filter(|((_, clock), _)| *clock >= SHORTEST_TIMED);
        counted
            .filter_map(|(&(_, clock), cell)| cell.overrun(clock))
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns the table of answers, with CPU times in milliseconds.
    pub(super) fn answers(&self, names: &[&str]) -> String {
        let mut text = String::from(
            "game       clock s  answers refusals illegal missing late | SINGLE p50     p99     max | GAME p50     p99     max | worst overrun ms | peak MiB\n",
        );
        for (&(game, clock), cell) in &self.cells {
            let [single, whole] = cell.cpu.each_ref().map(|times| {
                [0.5, 0.99, 1.0]
                    .map(|part| percentile(times, part).map_or("-".to_string(), milliseconds))
            });
            let late = if clock < SHORTEST_TIMED { "-".to_string() } else { cell.late.to_string() };
            writeln!(
                text,
                "{:<10} {:<7} {:>8} {:>8} {:>7} {:>7} {late:>4} | {:>10} {:>7} {:>7} | {:>8} {:>7} {:>7} | {:>+16.2} | {:>8.1}",
                names[game],
                clock.as_secs_f64(),
                cell.asked(),
                cell.refused,
                cell.illegal,
                cell.missing,
                single[0],
                single[1],
                single[2],
                whole[0],
                whole[1],
                whole[2],
                cell.overrun(clock).unwrap_or(f64::NAN),
                cell.peak_kib as f64 / 1024.0,
            )
            .expect("strings take everything");
        }
        let refused: usize = self.cells.values().map(|cell| cell.refused).sum();
        text + &format!(
            "all: {} answers, {refused} refusals, {} failures\n",
            self.asked(),
            self.failures()
        ) + &self.positions()
    }

    /// Returns a line with the numbers of positions by source.
    fn positions(&self) -> String {
        let count = |source| self.sources.get(&source).copied().unwrap_or_default();
        let words = PositionSource::ALL.map(|(source, word)| format!("{} {word}", count(source)));
        format!("positions: {}\n", words.join(", "))
    }

    /// Returns the table of kills with a line for each game, and times in milliseconds.
    pub(super) fn kills(&self, names: &[&str]) -> String {
        let mut text = String::from(
            "game        kills  absent  whole  broken | done before | absent up to, CPU ms | first output, wall ms p50 max | CPU ms p50 max\n",
        );
        for (game, name) in names.iter().enumerate() {
            let cells: Vec<&ClockFigures> = self
                .cells
                .iter()
                .filter(|((of, _), _)| *of == game)
                .map(|(_, cell)| cell)
                .collect();
            if cells.is_empty() {
                continue;
            }
            let absent: Vec<Duration> =
                cells.iter().flat_map(|cell| &cell.absent).copied().collect();
            let (wall, cpu): (Vec<Duration>, Vec<Duration>) =
                cells.iter().flat_map(|cell| &cell.first).copied().unzip();
            let count =
                |of: fn(&ClockFigures) -> usize| cells.iter().map(|cell| of(cell)).sum::<usize>();
            let shown = |times: &[Duration], part| {
                percentile(times, part).map_or("-".to_string(), milliseconds)
            };
            let (whole, broken) =
                (count(|cell| cell.whole), count(|cell| cell.illegal + cell.missing));
            writeln!(
                text,
                "{name:<10} {:>6} {:>7} {whole:>6} {broken:>7} | {:>11} | {:>20} | {:>21} {:>7} | {:>10} {:>3}",
                cells.iter().map(|cell| cell.kills()).sum::<usize>(),
                absent.len(),
                count(|cell| cell.done),
                shown(&absent, 1.0),
                shown(&wall, 0.5),
                shown(&wall, 1.0),
                shown(&cpu, 0.5),
                shown(&cpu, 1.0),
            )
            .expect("strings take everything");
        }
        text + &self.positions()
    }
}

impl ClockFigures {
    /// Returns the number of kills.
    fn kills(&self) -> usize {
        self.absent.len() + self.whole + self.illegal + self.missing
    }

    /// Returns the number of questions that asked for a move.
    fn asked(&self) -> usize {
        self.cpu.iter().map(Vec::len).sum::<usize>() + self.illegal + self.missing
    }

    /// Returns the worst overrun of the clock, in milliseconds.
    fn overrun(&self, clock: Duration) -> Option<f64> {
        let worst = self.cpu.iter().flatten().max()?;
        Some((worst.as_secs_f64() - clock.as_secs_f64()) * 1e3)
    }
}

/// Returns the smallest time that a share of all times, from 0 to 1, does not exceed (nearest-rank
/// percentile).
fn percentile(times: &[Duration], part: f64) -> Option<Duration> {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let rank = (part * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied()
}

/// Writes a time in milliseconds.
fn milliseconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let times: Vec<Duration> = (1..=200).rev().map(Duration::from_millis).collect();
        assert_eq!(
            [0.5, 0.99, 1.0].map(|part| percentile(&times, part).unwrap().as_millis()),
            [100, 198, 200]
        );
        assert_eq!(percentile(&times[..1], 0.5), Some(Duration::from_millis(200)));
        assert_eq!(percentile(&[], 0.5), None);
    }
}
