//! `judge analyse`: analyses recorded games: the cost of each move, better moves, and the moves
//! that lost games.

mod findings;

use anygame::AnyGame;
use anyhow::{Context, Result, bail};
use arena::analysis::NODES;
use arena::analysis::finding::Effort;
use arena::plain::counted;
use arena::pool::{Next, work_off};
use arena::record::{GameRecord, MoveRecord, Record};
use arena::replayed::{RecordedTurn, ReplayedGame};
use clap::Args;
use engine::Side;
use findings::{FindingLine, FindingsFile};
use pages::{analysis_text, game_plot, talk};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};
use terminal::games::game_of;
use terminal::interrupt;
use terminal::output::{print, write_file};
use terminal::progress::Progress;

/// The default number of nodes for each position where several games are analysed.
const FAST_NODES: u64 = NODES / 10;
/// The wall time for all positions of a game whose rules are a program, if no option asks for more.
const BUDGET: Duration = Duration::from_secs(60);
/// The maximum number of lines about finished games.
const PROGRESS_LINES: usize = 10;

#[derive(Args)]
pub(crate) struct AnalyseOptions {
    /// The record of the games
    #[arg(value_name = "RECORD")]
    record_of_games: PathBuf,

    /// Analyse only these games, by number
    #[arg(long, value_name = "NUMBER", value_delimiter = ',')]
    game: Vec<u32>,

    /// Analyse only the moves of this player or side
    #[arg(long, value_name = "NAME|SIDE")]
    side: Option<String>,

    /// 10,000 nodes for each position: the default for several games
    #[arg(long, conflicts_with_all = ["full", "nodes", "time"])]
    fast: bool,

    /// 100,000 nodes for each position, about ten times the work: the default for one game
    #[arg(long, conflicts_with_all = ["nodes", "time"])]
    full: bool,

    /// Nodes to search for the best move of each position: the same findings on every machine
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// CPU seconds for the best move of each position, instead of nodes
    #[arg(long, value_name = "SECONDS", conflicts_with = "nodes")]
    time: Option<f64>,

    /// Positions that are searched at the same time [default: the number of cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: Option<u32>,

    /// Keep the findings in this file, a JSON line for each move; moves that the file has already
    /// are not searched again
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write the record with the findings in it to this file, for judge replay and judge watch
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Write a page with a sheet for each program, to print for a talk with the student: five
    /// positions of its games, with questions. A second page, FILE-answers, has the answers
    #[arg(long, value_name = "FILE")]
    talk: Option<PathBuf>,

    /// Draw the winning chances of the one game into this file, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(crate) const EXAMPLE: &str = "\
docs/analysis.md says what an inaccuracy, a mistake and a blunder are.

Examples:
  judge analyse games.jsonl --game 2 --side mine
  judge analyse games.jsonl --game 2 --svg chances.svg
  judge analyse games.jsonl --full
  judge analyse grades.jsonl --talk talk.html
  judge analyse games.jsonl --json findings.jsonl --record analysed.jsonl && judge replay analysed.jsonl --html games.html
Exit code: 0 done; 2 a file or the command line is bad; 130 interrupted: the findings are kept, and --json goes on with them.";

impl AnalyseOptions {
    /// Returns the effort for each position of a number of games. `positions` is their number in a
    /// game whose rules are a program: they share the time that there is.
    fn effort(&self, games: usize, positions: Option<usize>) -> Result<Effort> {
        if let Some(positions) = positions.filter(|_| self.is_left_to_us()) {
            // Some time is left for those that take longer.
            let share =
                0.8 * BUDGET.as_secs_f64() * self.threads() as f64 / positions.max(1) as f64;
            return Ok(Effort::Time((share * 100.0).ceil() / 100.0));
        }
        let fast = self.fast || self.is_left_to_us() && games > 1;
        match self.time {
            Some(seconds) if seconds > 0.0 && seconds < 1e6 => Ok(Effort::Time(seconds)),
            Some(seconds) => {
                bail!("--time: expected a positive number of seconds, found {seconds}")
            }
            None => Ok(Effort::Nodes(self.nodes.unwrap_or(if fast { FAST_NODES } else { NODES }))),
        }
    }

    fn is_left_to_us(&self) -> bool {
        !self.fast && !self.full && self.nodes.is_none() && self.time.is_none()
    }

    /// Returns whether a finding of this effort is as good as one of the effort wanted: without an
    /// option for it, one by more nodes is.
    fn serves(&self, found: Effort, wanted: Effort) -> bool {
        let more = |found, wanted| matches!((found, wanted), (Effort::Nodes(found), Effort::Nodes(wanted)) if found > wanted);
        found == wanted || self.is_left_to_us() && more(found, wanted)
    }

    fn threads(&self) -> usize {
        let cores = || available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, |threads| threads as usize)
    }
}

/// Runs `judge analyse`.
///
/// # Errors
/// The options contradict each other, or a file cannot be read or written.
pub(crate) fn analyse(options: &AnalyseOptions) -> Result<ExitCode> {
    interrupt::catch()?;
    let path = &options.record_of_games;
    let mut record = Record::read(path)?;
    let any_game = game_of(&record)?;
    any_game.rules.has_proofs()?;
    let numbers = game_numbers(&record, &options.game)?;
    if options.svg.is_some() && numbers.len() != 1 {
        bail!("--svg: expected one game to draw, found {}: add --game NUMBER", numbers.len());
    }
    let sides: Vec<(u32, [bool; 2])> = numbers
        .iter()
        .map(|number| {
            let game = &record.games[number];
            let mut shown = shown_sides(any_game, game, options.side.as_deref());
            for (shown, name) in shown.iter_mut().zip(&game.start.players) {
                *shown &= options.talk.is_none() || talk::is_program(&record.header, name);
            }
            (*number, shown)
        })
        .collect();
    if sides.iter().all(|(_, shown)| *shown == [false, false]) {
        let players = numbers.iter().flat_map(|number| &record.games[number].start.players);
        let names: BTreeSet<&str> = players.map(String::as_str).chain(any_game.sides).collect();
        match options.side.as_deref().filter(|side| !names.contains(side)) {
            Some(side) => {
                let names = Vec::from_iter(names).join(", ");
                bail!("--side: no player or side '{side}' in these games: expected one of {names}")
            }
            None => bail!("--talk: sheets are for programs, and none played these moves"),
        }
    }
    let count = |(number, shown): &(u32, [bool; 2])| {
        let is_shown = |mv: &&MoveRecord| shown[usize::from(mv.side != any_game.sides[0])];
        record.games[number].moves.iter().filter(is_shown).count()
    };
    let positions = any_game.is_own().then(|| sides.iter().map(count).sum::<usize>());
    let effort = options.effort(numbers.len(), positions)?;
    let mut findings = FindingsFile::open(options.json.as_deref(), effort)?;
    let mut todo = Vec::new();
    for (number, shown) in &sides {
        let game = record.games.get_mut(number).context("a chosen game")?;
        let replayed = ReplayedGame::of(any_game, &record.header, &game.start.opening, &game.moves)
            .with_context(|| format!("{}: game {number}", path.display()))?;
        for (mv, turn) in game.moves.iter_mut().zip(replayed.into_turns()) {
            let first = mv.side == any_game.sides[0];
            if !shown[usize::from(!first)] {
                continue;
            }
            let serves = |found| options.serves(found, effort);
            let kept = findings.finding(*number, mv, serves)?;
            match kept.or_else(|| mv.analysis.as_deref().filter(|old| serves(old.effort)).cloned())
            {
                Some(finding) => {
                    findings.keep(FindingLine::new(mv, finding.clone()))?;
                    mv.analysis = Some(Box::new(finding));
                }
                None => todo.push((*number, mv.ply, turn)),
            }
        }
    }
    let budget = (options.is_left_to_us() && positions.is_some()).then_some(BUDGET);
    if options.is_left_to_us() && (numbers.len() > 1 || budget.is_some()) && !todo.is_empty() {
        eprintln!("{}", work(numbers.len(), todo.len(), effort));
    }
    let begun = Instant::now();
    let left_out = for_each_turn(
        todo,
        options.threads(),
        || interrupt::asked() || budget.is_some_and(|budget| begun.elapsed() > budget),
        |turn| turn.analyse(effort),
        |number, ply, finding| {
            let finding = finding?;
            let game = record.games.get_mut(&number).context("a chosen game")?;
            let mv = game.moves.iter_mut().find(|mv| mv.ply == ply).context("a chosen move")?;
            findings.keep(FindingLine::new(mv, finding.clone()))?;
            mv.analysis = Some(Box::new(finding));
            Ok(())
        },
    )?;
    if left_out > 0 && !interrupt::asked() {
        eprintln!(
            "the time of {} s was over: {} without an analysis; --full analyses all",
            BUDGET.as_secs(),
            counted(left_out as u64, "position", "positions")
        );
    }
    findings.finish()?;
    put_out(options, any_game, &record, &sides)?;
    Ok(if interrupt::asked() { ExitCode::from(interrupt::EXIT_CODE) } else { ExitCode::SUCCESS })
}

/// Writes what the options ask for, and prints the findings of the sides of games unless there are
/// sheets for talks.
fn put_out(
    options: &AnalyseOptions,
    game: &AnyGame,
    record: &Record,
    sides: &[(u32, [bool; 2])],
) -> Result<()> {
    if let Some(to) = &options.record {
        record.write(to)?;
    }
    if let (Some(to), [(number, _)]) = (&options.svg, sides) {
        write_file(to, &game_plot::game_plot(game, &record.games[number]))?;
    }
    if let Some(to) = &options.talk {
        let side = options.side.as_deref();
        let is_shown =
            |name: &str| side.is_none_or(|side| side == name || game.sides.contains(&side));
        return write_sheets(to, talk::pages(game, record, is_shown)?);
    }
    let path = options.record_of_games.display().to_string();
    for (number, shown) in sides {
        let played = &record.games[number];
        print(&analysis_text::game(game, &record.header, played, *shown, Some(&path))?);
    }
    Ok(())
}

fn write_sheets(to: &Path, [sheets, answers]: [String; 2]) -> Result<()> {
    let stem = to.file_stem().unwrap_or_default().to_string_lossy();
    let beside = to.with_file_name(format!("{stem}-answers.html"));
    write_file(to, &sheets)?;
    write_file(&beside, &answers)?;
    eprintln!("{}: the sheets; {}: with the answers", to.display(), beside.display());
    Ok(())
}

/// Calls `compute` for each turn on several threads and `on_result` with each result, until all are
/// done or `stop` says so. A turn comes with the number of its game and its ply. Where there are
/// several games, about ten lines on standard error say how many of them are done and how long the
/// others will take. Returns the number of turns without a result.
fn for_each_turn<T: Send>(
    todo: Vec<(u32, u32, RecordedTurn)>,
    threads: usize,
    stop: impl Fn() -> bool + Sync,
    compute: impl Fn(&RecordedTurn) -> T + Sync,
    mut on_result: impl FnMut(u32, u32, T) -> Result<()> + Send,
) -> Result<usize> {
    let bar = Progress::of(todo.len(), "positions");
    let (begun, count, mut done) = (Instant::now(), todo.len(), 0);
    let mut left_of: BTreeMap<u32, usize> = BTreeMap::new();
    todo.iter().for_each(|(number, ..)| *left_of.entry(*number).or_default() += 1);
    let (games, mut games_done) = (left_of.len(), 0);
    let worked = work_off(
        todo.into_iter(),
        threads,
        stop,
        |(number, ply, turn)| Ok((number, ply, compute(&turn))),
        |(number, ply, answer)| {
            on_result(number, ply, answer)?;
            done += 1;
            bar.set(done);
            let left = left_of.get_mut(&number).context("a game of the list")?;
            *left -= 1;
            if *left == 0 {
                games_done += 1;
                let seconds = begun.elapsed().as_secs_f64() * (count - done) as f64 / done as f64;
                if games_done * PROGRESS_LINES / games > (games_done - 1) * PROGRESS_LINES / games
                    && seconds >= 1.0
                {
                    bar.tell(&format!(
                        "{games_done}/{games} games analysed, about {} to go",
                        span(seconds)
                    ));
                }
            }
            Ok(Next::GoOn)
        },
    );
    bar.finish();
    worked.map(|()| count - done)
}

fn work(games: usize, positions: usize, effort: Effort) -> String {
    let more = if games == 1 {
        ""
    } else {
        ". Begin with one game, which is analysed more deeply: --game NUMBER. For all games: --full"
    };
    let positions = counted(positions as u64, "position", "positions");
    format!("{}, {positions}, {effort} for each{more}", counted(games as u64, "game", "games"))
}

fn span(seconds: f64) -> String {
    if seconds < 100.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) }
}

fn game_numbers(record: &Record, asked: &[u32]) -> Result<Vec<u32>> {
    let numbers: Vec<u32> =
        if asked.is_empty() { record.games.keys().copied().collect() } else { asked.to_vec() };
    if let Some(number) = numbers.iter().find(|number| !record.games.contains_key(number)) {
        bail!("no game {number} that is over");
    }
    if numbers.is_empty() {
        bail!("no game is over yet");
    }
    Ok(numbers)
}

/// Returns for each side whether the name of a player or of a side selects it. Without a name both
/// are selected.
fn shown_sides(any_game: &AnyGame, game: &GameRecord, name: Option<&str>) -> [bool; 2] {
    Side::BOTH.map(|side| {
        name.is_none_or(|name| {
            name == any_game.side_word(side) || name == game.start.players[side.index()]
        })
    })
}
