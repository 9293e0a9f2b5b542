//! The run of every agent: read the input, leave a legal move at once, search, leave the better one.

mod options;

pub use options::{Algorithm, NoExtra, Options};

use crate::clock::{Budget, DEFAULT_HASH_MIB, cpu_time};
use crate::files::{is_device, is_standard_stream, read_input, write_atomically};
use crate::game::Game;
use crate::protocol::{InputError, Protocol, Task};
use crate::reference;
use crate::score::{describe, outcome_score};
use crate::search::{Control, Knowledge, Limits, Mode, Report, Searcher};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// A game that can be played by a file agent. `main` of its binary is a call of [`run`].
pub trait Agent: Protocol {
    /// What the search knows of the game.
    type Knowledge: Knowledge<Self>;
    /// Options of this game's agent alone; [`NoExtra`] if there are none.
    type Extra: clap::Args + Clone + std::fmt::Debug;
    /// The end of the help text: an example of an input, the command and its output.
    const EXAMPLE: &'static str;

    /// The knowledge to play with.
    fn knowledge() -> Self::Knowledge;

    /// A move that is known to be best without a search (from a table or a stored strategy), and what is known of it in
    /// a few words. The move is legal and not disputed, or the only one. Asked only when the clock counts, and looked
    /// up at no cost to speak of; what takes time belongs into [`Agent::solved_move`].
    fn known_move(task: &Task<Self>, extra: &Self::Extra) -> Option<(Self::Move, String)> {
        let _ = (task, extra);
        None
    }

    /// A move that an exact solver finds before any search, and what is known of it in a few words; `None` leaves the
    /// move to the search. Asked only when the clock counts. The budget's limits are to be kept: its hard one, or a part
    /// of its end where what is found serves the whole rest of the game. So is the size of a table that `--hash` asks
    /// for. The move is legal and not disputed, or the only one.
    fn solved_move(
        task: &Task<Self>,
        options: &Options,
        extra: &Self::Extra,
        budget: Budget,
    ) -> Option<(Self::Move, String)> {
        let _ = (task, options, extra, budget);
        None
    }

    /// Leaves out moves that are known to be mistakes, for the search to choose among the others. Asked only when the
    /// clock counts. At least one stays.
    fn sound_moves(task: &Task<Self>, extra: &Self::Extra, moves: Vec<Self::Move>) -> Vec<Self::Move> {
        let _ = (task, extra);
        moves
    }

    /// The algorithms of this game's own that `--algorithm` takes beside the engine's: name and help.
    const ALGORITHMS: &'static [(&'static str, &'static str)] = &[];

    /// The move that one of [`Agent::ALGORITHMS`] finds, and what was found in a few words.
    fn own_algorithm(name: &str, task: &Task<Self>, options: &Options, extra: &Self::Extra) -> (Self::Move, String) {
        let _ = (task, options, extra);
        unreachable!("{name} is not among the algorithms")
    }

    /// Another errand than leaving a move, if the game's options ask for one: done here, with the error's one line if it
    /// fails (exit code 2).
    fn errand(options: &Options, extra: &Self::Extra) -> Option<Result<(), String>> {
        let _ = (options, extra);
        None
    }

    /// The position as the search should see it, which may allow the opponent more than the rules do: not every
    /// opponent keeps the stricter of two rule sets. The side to move and its moves are the same.
    fn as_searched(position: &Self) -> Self {
        position.clone()
    }

    /// A move found by other means than the search, such as an exact solver for some endings, and what was found in a
    /// few words; `None` leaves the move to the search. `stop` is to be asked about once in a hundred positions looked
    /// at. The move is legal and not disputed, or the only one.
    fn planned_move(position: &Self, stop: &mut dyn FnMut() -> bool) -> Option<(Self::Move, String)> {
        let _ = (position, stop);
        None
    }

    /// Does something else than answer an input file, where the command line asks for it; `None` for the usual run.
    fn instead(options: &Options, extra: &Self::Extra) -> Option<ExitCode> {
        let _ = (options, extra);
        None
    }

    /// Does all that an input of another form than the protocol's asks for, such as a homework's; `None` if the text is
    /// not of such a form.
    fn other_form(text: &str, options: &Options, extra: &Self::Extra) -> Option<Result<(), AgentError>> {
        let _ = (text, options, extra);
        None
    }
}

/// Why an agent left no move. Displayed on one line.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The input file cannot be read.
    #[error("{}: cannot read the position: {error}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The input file is not of its form.
    #[error("{}:{error}", file.display())]
    Input {
        /// The file.
        file: PathBuf,
        /// Line and reason.
        error: InputError,
    },
    /// The output file cannot be written.
    #[error("{}: cannot write the move: {error}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// The whole run of an agent's process. Exit code 0 with a move left, 2 with one line on standard error.
#[must_use]
pub fn run<A: Agent>() -> ExitCode {
    let (options, extra) = options::parse::<A>();
    if let Some(code) = A::instead(&options, &extra) {
        return code;
    }
    let done = match A::errand(&options, &extra) {
        Some(done) => done,
        None => play_file::<A>(&options, &extra).map_err(|error| error.to_string()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Reads the input file, and leaves a move in the output file: a legal one at once, the best one found at the end.
pub fn play_file<A: Agent>(options: &Options, extra: &A::Extra) -> Result<(), AgentError> {
    let text = read_input(&options.input).map_err(|error| AgentError::Read { file: options.input.clone(), error })?;
    if let Some(done) = A::other_form(&text, options, extra) {
        return done;
    }
    let task = A::read_task(&text, options.rule_set())
        .map_err(|error| AgentError::Input { file: options.input.clone(), error })?;
    let position = &task.position;
    let moves = moves_for_every_grader(position);
    let first = best_at_sight(position, &moves, &A::knowledge());
    // What is sent down a stream cannot be replaced by something better.
    let to_file = !is_standard_stream(&options.output) && !is_device(&options.output);
    if to_file {
        leave(&options.output, &position.write_move(first))?;
    }
    let best = best_move(&task, options, extra);
    if !to_file {
        return leave(&options.output, &position.write_move(best));
    }
    if best != first
        && let Err(error) = leave(&options.output, &position.write_move(best))
    {
        // The first move is there, whole and legal.
        eprintln!("{error}; the move that looked best at first stays");
    }
    Ok(())
}

/// The move that the options ask for, as [`play_file`] leaves it in the end. The position is not finished.
pub fn best_move<A: Agent>(task: &Task<A>, options: &Options, extra: &A::Extra) -> A::Move {
    let moves = moves_for_every_grader(&task.position);
    if let [only] = moves[..] { only } else { choose(task, moves, options, extra) }
}

/// The legal moves without the disputed ones, unless there are no others.
pub fn moves_for_every_grader<G: Protocol>(position: &G) -> Vec<G::Move> {
    let mut moves = position.legal_moves();
    if moves.iter().any(|&mv| !position.is_disputed(mv)) {
        moves.retain(|&mv| !position.is_disputed(mv));
    }
    moves
}

/// The move that looks best one ply ahead, the first of equals: what is left at once, in case there is no time for more.
fn best_at_sight<G: Game>(position: &G, moves: &[G::Move], knowledge: &impl Knowledge<G>) -> G::Move {
    let side = position.side_to_move();
    let value = |mv| {
        let mut after = position.clone();
        after.play(mv);
        match after.outcome() {
            Some(outcome) => outcome_score(outcome, side, 1),
            None if after.side_to_move() == side => knowledge.evaluate(&after),
            None => -knowledge.evaluate(&after),
        }
    };
    // The last of the largest in reverse order is the first.
    let best = moves.iter().copied().rev().max_by_key(|&mv| value(mv));
    best.expect("a position that is not finished has a move")
}

fn leave(output: &Path, text: &str) -> Result<(), AgentError> {
    let written = if is_standard_stream(output) {
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
    } else if is_device(output) {
        OpenOptions::new().write(true).open(output).and_then(|mut device| device.write_all(text.as_bytes()))
    } else {
        write_atomically(output, text)
    };
    written.map_err(|error| AgentError::Write { file: output.to_owned(), error })
}

fn choose<A: Agent>(task: &Task<A>, moves: Vec<A::Move>, options: &Options, extra: &A::Extra) -> A::Move {
    let position = &task.position;
    let knowledge = A::knowledge();
    let evaluate = |position: &A| knowledge.evaluate(position);
    let found = match options.algorithm {
        Algorithm::Iterative => return think(task, moves, options, extra),
        Algorithm::Alphabeta => reference::alpha_beta(position, options.depth.unwrap_or(3), evaluate, &mut ()),
        Algorithm::Minimax => reference::minimax(position, options.depth.unwrap_or(2), evaluate, &mut ()),
        Algorithm::Greedy => reference::greedy(position, evaluate),
        Algorithm::Own(name) => {
            let (mv, why) = A::own_algorithm(name, task, options, extra);
            if options.verbose {
                eprintln!("{name}: {why} cpu {:.3}", cpu_time().as_secs_f64());
            }
            return mv;
        }
    };
    if options.verbose {
        eprintln!("score {} nodes {} cpu {:.3}", describe(found.value), found.nodes, cpu_time().as_secs_f64());
    }
    found.best.unwrap_or(moves[0])
}

/// The part of the hard limit that a plan may take: who has one need not search.
const PLANNING_PART: f64 = 0.6;

/// The move that is known, or planned, or found by the search.
fn think<A: Agent>(task: &Task<A>, moves: Vec<A::Move>, options: &Options, extra: &A::Extra) -> A::Move {
    let say = |how: &str, mv, why: &str| {
        if options.verbose {
            let cpu = cpu_time().as_secs_f64();
            eprintln!("{how}: {why} cpu {cpu:.3} line {}", task.position.describe_move(mv));
        }
    };
    if options.timed()
        && let Some((mv, why)) = A::known_move(task, extra)
    {
        say("known", mv, &why);
        return mv;
    }
    let (budget, table_bytes) = resources(task, options);
    if let Some(budget) = budget
        && let Some((mv, why)) = A::solved_move(task, options, extra, budget)
    {
        say("known", mv, &why);
        return mv;
    }
    if options.depth.is_none() {
        let mut asked = 0;
        let mut stop = || {
            asked += 1;
            // Some time is left for the search, should there be no plan.
            budget.is_some_and(|budget| cpu_time() >= budget.hard.mul_f64(PLANNING_PART))
                || options.nodes.is_some_and(|nodes| asked * 100 >= nodes)
        };
        if let Some((mv, why)) = A::planned_move(&task.position, &mut stop) {
            say("planned", mv, &why);
            return mv;
        }
    }
    let sound = if options.timed() { A::sound_moves(task, extra, moves) } else { moves };
    if let [only] = sound[..] {
        return only;
    }
    search(task, &sound, options, budget, table_bytes).best
}

/// The clock's share for this move, if the clock counts, and the size of the transposition table.
fn resources<A: Agent>(task: &Task<A>, options: &Options) -> (Option<Budget>, usize) {
    let hash_bytes = options.hash.map(|mib| (mib as usize) << 20);
    if options.timed() {
        let (budget, table_bytes) = share_of_clock(task, hash_bytes);
        (Some(budget), table_bytes)
    } else {
        (None, hash_bytes.unwrap_or(DEFAULT_HASH_MIB << 20))
    }
}

/// What one move may take of the task's clock, for whoever plays this game: its budget, and the size in bytes of the
/// transposition table, which is the one that fits unless `hash_bytes` are asked for.
pub fn share_of_clock<A: Agent>(task: &Task<A>, hash_bytes: Option<usize>) -> (Budget, usize) {
    let knowledge = A::knowledge();
    let moves_left = knowledge.moves_left(&task.position);
    let fitting = || Budget::table_bytes(task.control, task.clock, moves_left, knowledge.stored_per_second());
    let table_bytes = hash_bytes.unwrap_or_else(fitting);
    (Budget::new(task.control, task.clock, moves_left, cpu_time(), table_bytes), table_bytes)
}

/// Iterative deepening within the budget, or to the depth and nodes asked for.
fn search<A: Agent>(
    task: &Task<A>,
    moves: &[A::Move],
    options: &Options,
    budget: Option<Budget>,
    table_bytes: usize,
) -> Report<A::Move> {
    let limits = Limits {
        depth: options.depth.unwrap_or(Limits::default().depth),
        nodes: options.nodes.unwrap_or(Limits::default().nodes),
    };
    let mode = if options.full_width { Mode::FullWidth } else { Mode::Selective };
    let position = A::as_searched(&task.position);
    let mut control = Watch { position: &position, budget, verbose: options.verbose, best: None, instability: 1.0 };
    Searcher::new(A::knowledge(), mode, table_bytes)
        .run_among(&position, moves, limits, &mut control)
        .expect("the moves are not empty")
}

/// Watches the clock, and tells about the iterations.
struct Watch<'a, G: Protocol> {
    position: &'a G,
    budget: Option<Budget>,
    verbose: bool,
    best: Option<G::Move>,
    /// From 1, when the best move has just changed, towards 0, iteration by iteration.
    instability: f64,
}

impl<G: Protocol> Control<G::Move> for Watch<'_, G> {
    fn stop_now(&mut self) -> bool {
        self.budget.is_some_and(|budget| cpu_time() >= budget.hard)
    }

    fn stop_after(&mut self, report: &Report<G::Move>) -> bool {
        self.instability = if self.best == Some(report.best) { self.instability * 0.6 } else { 1.0 };
        self.best = Some(report.best);
        let now = cpu_time();
        if self.verbose {
            eprintln!("{}", iteration_line(self.position, report, now));
        }
        self.budget.is_some_and(|budget| budget.stop_after(now, self.instability))
    }
}

/// One line about an iteration: depth, score, nodes, nodes a second, CPU seconds, line.
#[must_use]
pub fn iteration_line<G: Protocol>(position: &G, report: &Report<G::Move>, cpu: Duration) -> String {
    let mut text = format!(
        "depth {} score {}{} nodes {} nps {:.0} cpu {:.3} line",
        report.depth,
        describe(report.score),
        if report.proven { " (proven)" } else { "" },
        report.nodes,
        report.nodes as f64 / cpu.as_secs_f64().max(1e-6),
        cpu.as_secs_f64(),
    );
    let mut position = position.clone();
    for (index, &mv) in report.line.iter().enumerate() {
        if !position.is_legal(mv) {
            break;
        }
        text.push_str(if index == 0 { " " } else { " | " });
        text.push_str(&position.describe_move(mv));
        position.play(mv);
    }
    text
}
