//! `judge analyse`: what each move of recorded games was worth, what would have been better, and where games were lost.

mod fit;
pub(crate) mod lines;
mod picture;
mod plot;
pub(crate) mod words;
mod work;

use crate::games::{Game, find};
use crate::interrupt;
use crate::output::print;
use anyhow::{Context, Result, bail};
use arena::analysis::finding::Effort;
use arena::record::{GameRecord, Header, Record};
use clap::Args;
use engine::Side;
use engine::agent::files::write_atomically;
use lines::{Line, Lines};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;
use work::work;

/// Nodes for each position unless told otherwise.
pub(crate) const NODES: u64 = 100_000;

/// Options of `judge analyse`.
#[derive(Args)]
pub(crate) struct AnalyseOptions {
    /// The record of the games; several with --fit
    #[arg(required = true, value_name = "RECORD")]
    records: Vec<PathBuf>,

    /// Only these games, by number
    #[arg(long, value_name = "NUMBER", value_delimiter = ',')]
    game: Vec<u32>,

    /// Only the moves of this player or side
    #[arg(long, value_name = "NAME|SIDE")]
    side: Option<String>,

    /// Nodes to search for the best move of each position: the same findings on every machine [default: 100000]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// CPU seconds for the best move of each position, instead of nodes
    #[arg(long, value_name = "SECONDS", conflicts_with = "nodes")]
    time: Option<f64>,

    /// Positions at a time [default: as many as there are cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: Option<u32>,

    /// Keep the findings in this file, a JSON line for each move; what is there already is not looked at again
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write the record with the findings in it to this file, for judge replay and judge watch
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Fit the curve of winning chances to the results of these records' games, and print it
    #[arg(long, conflicts_with_all = ["game", "side", "json", "record"])]
    fit: bool,

    /// Draw the winning chances of the one game, or with --fit the curve, into this file, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Examples for the help text.
pub(crate) const EXAMPLE: &str = "\
A move is an inaccuracy, a mistake or a blunder if it costs 0.1, 0.2 or 0.3 of the winning chances on the scale from -1 to 1.
Where the result is known for certain the analysis says so and estimates nothing. docs/analysis.md has more.

Examples:
  judge analyse games.jsonl --game 2 --side mine
  judge analyse games.jsonl --game 2 --svg chances.svg
  judge analyse games.jsonl --json findings.jsonl --record analysed.jsonl && judge replay analysed.jsonl --html games.html
  judge analyse --fit games.jsonl --nodes 2000 --svg curve.svg
Exit code: 0 done; 2 a file or the command line is bad; 130 interrupted: what was found is kept, and --json goes on with it.";

impl AnalyseOptions {
    fn effort(&self) -> Result<Effort> {
        match self.time {
            Some(seconds) if seconds > 0.0 && seconds < 1e6 => Ok(Effort::Time(seconds)),
            Some(seconds) => bail!("--time: expected a positive number of seconds, found {seconds}"),
            None => Ok(Effort::Nodes(self.nodes.unwrap_or(NODES))),
        }
    }

    fn threads(&self) -> usize {
        self.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), |threads| threads as usize)
    }
}

/// `judge analyse`.
pub(crate) fn analyse(options: &AnalyseOptions) -> Result<ExitCode> {
    interrupt::catch()?;
    let effort = options.effort()?;
    if options.fit {
        return fit::fit(&options.records, effort, options.threads(), options.svg.as_deref());
    }
    let [path] = &options.records[..] else { bail!("one record at a time, except with --fit") };
    let mut record = Record::read(path)?;
    let known = find(&record.header.game)?;
    let numbers = chosen(&record, &options.game)?;
    if options.svg.is_some() && numbers.len() != 1 {
        bail!("--svg: it draws one game, and {} are asked for: add --game NUMBER", numbers.len());
    }
    let sides: Vec<(u32, [bool; 2])> = numbers
        .iter()
        .map(|number| (*number, shown_sides(known, &record.games[number], options.side.as_deref())))
        .collect();
    if sides.iter().all(|(_, shown)| *shown == [false, false]) {
        bail!("--side: no player or side '{}' in these games", options.side.as_deref().unwrap_or_default());
    }
    let mut lines = Lines::open(options.json.as_deref(), effort)?;
    let mut todo = Vec::new();
    for (number, shown) in &sides {
        let game = record.games.get_mut(number).context("a chosen game")?;
        let questions = (known.questions)(&record.header, &game.start.opening, &game.moves)
            .with_context(|| format!("{}: game {number}", path.display()))?;
        for (mv, question) in game.moves.iter_mut().zip(questions) {
            let first = mv.side == known.arena.sides[0];
            if !shown[usize::from(!first)] {
                continue;
            }
            let kept = lines.take(*number, mv)?;
            match kept.or_else(|| mv.analysis.as_deref().filter(|old| old.effort == effort).cloned()) {
                Some(finding) => {
                    lines.keep(Line::new(mv, finding.clone()))?;
                    mv.analysis = Some(Box::new(finding));
                }
                None => todo.push((*number, mv.ply, question)),
            }
        }
    }
    work(
        todo,
        options.threads(),
        |question| question.look(effort),
        |number, ply, finding| {
            let game = record.games.get_mut(&number).context("a chosen game")?;
            let mv = game.moves.iter_mut().find(|mv| mv.ply == ply).context("a chosen move")?;
            lines.keep(Line::new(mv, finding.clone()))?;
            mv.analysis = Some(Box::new(finding));
            Ok(())
        },
    )?;
    lines.finish()?;
    if let Some(to) = &options.record {
        record.write(to)?;
    }
    for (number, shown) in &sides {
        let text =
            words::game(known, &record.header, &record.games[number], *shown, Some(&path.display().to_string()))?;
        print(&text);
    }
    if let (Some(to), [number]) = (&options.svg, &numbers[..]) {
        let text = plot::chances(known.arena.sides, &record.games[number]);
        write_atomically(to, &text).with_context(|| format!("{}: cannot be written", to.display()))?;
    }
    Ok(if interrupt::asked() { ExitCode::from(interrupt::EXIT_CODE) } else { ExitCode::SUCCESS })
}

/// The numbers of the games to look at.
fn chosen(record: &Record, asked: &[u32]) -> Result<Vec<u32>> {
    let numbers: Vec<u32> = if asked.is_empty() { record.games.keys().copied().collect() } else { asked.to_vec() };
    if let Some(number) = numbers.iter().find(|number| !record.games.contains_key(number)) {
        bail!("no game {number} that is over");
    }
    if numbers.is_empty() {
        bail!("no game is over yet");
    }
    Ok(numbers)
}

/// The sides of a game that a name means: a player's, or a side's word; both without a name.
fn shown_sides(known: &Game, game: &GameRecord, name: Option<&str>) -> [bool; 2] {
    Side::BOTH.map(|side| {
        name.is_none_or(|name| name == known.arena.sides[side.index()] || name == game.start.players[side.index()])
    })
}

/// Looks at the moves of one game that these sides made, one after the other, and keeps the findings in it. ^C ends it
/// early.
pub(crate) fn analyse_game(
    known: &Game,
    header: &Header,
    game: &mut GameRecord,
    shown: [bool; 2],
    effort: Effort,
) -> Result<()> {
    let questions = (known.questions)(header, &game.start.opening, &game.moves)?;
    for (mv, question) in game.moves.iter_mut().zip(questions) {
        if shown[usize::from(mv.side != known.arena.sides[0])] && !interrupt::asked() {
            mv.analysis = Some(Box::new(question.look(effort)));
        }
    }
    Ok(())
}
