//! The figures of a soak: sums by game and clock, and the tables that show them.

use super::question::Source;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// Lateness is judged from this clock on. A process needs milliseconds to start and to end.
pub(super) const SHORTEST_TIMED: Duration = Duration::from_millis(50);

/// Everything counted so far, by the number of the game in the list and the clock.
#[derive(Default)]
pub(super) struct Tally {
    cells: BTreeMap<(usize, Duration), Cell>,
    /// Questions by the source of their positions.
    sources: BTreeMap<Source, usize>,
}

/// The counts of one game under one clock.
#[derive(Default)]
pub(super) struct Cell {
    /// CPU times of the answers, those of `SINGLE` and those of `GAME`.
    pub cpu: [Vec<Duration>; 2],
    /// Answers that the rules do not allow.
    pub illegal: usize,
    /// Questions without an answer.
    pub missing: usize,
    /// Answers that came too late by more than the tolerance.
    pub late: usize,
    /// Inputs with nothing to play that were refused as they should be.
    pub refused: usize,
    /// The most memory that a process had resident, in KiB.
    pub peak_kib: u64,
    /// Kills that found no output file, with the CPU time of the process.
    pub absent: Vec<Duration>,
    /// Kills that found a whole and legal one.
    pub whole: usize,
    /// Processes that were done before they were to be killed.
    pub done: usize,
    /// Wall and CPU time of a process until there was an output file.
    pub first: Vec<(Duration, Duration)>,
}

impl Tally {
    /// The figures of a game under a clock.
    pub(super) fn cell(&mut self, game: usize, clock: Duration) -> &mut Cell {
        self.cells.entry((game, clock)).or_default()
    }

    /// Counts a question of this source.
    pub(super) fn came_from(&mut self, source: Source) {
        *self.sources.entry(source).or_default() += 1;
    }

    /// The number of questions that had to be answered by a move.
    pub(super) fn asked(&self) -> usize {
        self.cells.values().map(Cell::asked).sum()
    }

    /// The questions to a game that count towards an end: answers and refusals, or kills.
    pub(super) fn counted(&self, game: usize, kills: bool) -> usize {
        let cells = self.cells.iter().filter(|((of, _), _)| *of == game);
        cells.map(|(_, cell)| if kills { cell.kills() } else { cell.asked() + cell.refused }).sum()
    }

    /// The number of questions that were failed.
    pub(super) fn failures(&self) -> usize {
        self.cells.values().map(|cell| cell.illegal + cell.missing + cell.late).sum()
    }

    /// The worst overrun of a clock that counts, in milliseconds; negative if no clock was overrun.
    pub(super) fn worst(&self) -> f64 {
        let counted = self.cells.iter().filter(|((_, clock), _)| *clock >= SHORTEST_TIMED);
        counted.filter_map(|(&(_, clock), cell)| cell.overrun(clock)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The table of answers. CPU times in milliseconds.
    pub(super) fn answers(&self, names: &[&str]) -> String {
        let mut text = String::from(
            "game       clock s  answers refusals illegal missing late | SINGLE p50     p99     max | GAME p50     p99     max | worst overrun ms | peak MiB\n",
        );
        for (&(game, clock), cell) in &self.cells {
            let [single, whole] = cell.cpu.each_ref().map(|times| {
                [0.5, 0.99, 1.0].map(|part| percentile(times, part).map_or("-".to_string(), milliseconds))
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
        text + &format!("all: {} answers, {refused} refusals, {} failures\n", self.asked(), self.failures())
            + &self.positions()
    }

    /// Where the positions came from.
    fn positions(&self) -> String {
        let count = |source| self.sources.get(&source).copied().unwrap_or_default();
        let words = Source::ALL.map(|(source, word)| format!("{} {word}", count(source)));
        format!("positions: {}\n", words.join(", "))
    }

    /// The table of kills, a line a game. Times in milliseconds.
    pub(super) fn kills(&self, names: &[&str]) -> String {
        let mut text = String::from(
            "game        kills  absent  whole  broken | done before | absent up to, CPU ms | first output, wall ms p50 max | CPU ms p50 max\n",
        );
        for (game, name) in names.iter().enumerate() {
            let cells: Vec<&Cell> =
                self.cells.iter().filter(|((of, _), _)| *of == game).map(|(_, cell)| cell).collect();
            if cells.is_empty() {
                continue;
            }
            let absent: Vec<Duration> = cells.iter().flat_map(|cell| &cell.absent).copied().collect();
            let (wall, cpu): (Vec<Duration>, Vec<Duration>) =
                cells.iter().flat_map(|cell| &cell.first).copied().unzip();
            let count = |of: fn(&Cell) -> usize| cells.iter().map(|cell| of(cell)).sum::<usize>();
            let shown = |times: &[Duration], part| percentile(times, part).map_or("-".to_string(), milliseconds);
            let (whole, broken) = (count(|cell| cell.whole), count(|cell| cell.illegal + cell.missing));
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

impl Cell {
    fn kills(&self) -> usize {
        self.absent.len() + self.whole + self.illegal + self.missing
    }

    fn asked(&self) -> usize {
        self.cpu.iter().map(Vec::len).sum::<usize>() + self.illegal + self.missing
    }

    fn overrun(&self, clock: Duration) -> Option<f64> {
        let worst = self.cpu.iter().flatten().max()?;
        Some((worst.as_secs_f64() - clock.as_secs_f64()) * 1e3)
    }
}

/// The smallest time that this part of all, from 0 to 1, does not exceed.
fn percentile(times: &[Duration], part: f64) -> Option<Duration> {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let rank = (part * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied()
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let times: Vec<Duration> = (1..=200).rev().map(Duration::from_millis).collect();
        assert_eq!([0.5, 0.99, 1.0].map(|part| percentile(&times, part).unwrap().as_millis()), [100, 198, 200]);
        assert_eq!(percentile(&times[..1], 0.5), Some(Duration::from_millis(200)));
        assert_eq!(percentile(&[], 0.5), None);
    }
}
