//! `judge try`: what a student asks before handing a program in. Ten positions of growing difficulty, each with what is right
//! and wrong about the answer, then two games; and for every mistake what to do about it.

mod bytes;
mod games;
mod mends;
mod questions;
mod repairs;
mod stray;
pub(crate) mod turn;

use crate::games::{Game, find};
use crate::interrupt;
use crate::names::name_parser;
use crate::output::print;
use crate::rules;
use anyhow::Result;
use arena::plain::shown;
use arena::player::keys::Keys;
use arena::player::spec::EngineSpec;
use arena::record::End;
use arena::result::{Fault, Termination};
use arena::terms::Bounds;
use clap::Args;
use engine::agent::files::write_atomically;
use games::{OPPONENTS, Played, Terms};
use questions::Question;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use turn::{Answer, Request};

/// Example for the command's help.
pub(crate) const EXAMPLE: &str = "\
Examples:
  judge try --game halma --cmd 'python3 homework.py'
  judge try --game wolves --cmd 'java -cp . Agent' --dir build
  judge try --game halma --positions here       (the ten positions as here/1.txt to here/10.txt)
The answers are held against the strictest of the game's rule sets, and against the bytes that graders expect. A crash or an
endless loop ends the try: its whole standard error is shown. Two games come last, one on each side: against a greedy player and
against minimax of 2 plies, to their end or until the minute is over.
Exit code: 0 a grader would take it; 1 there is something to mend; 2 the program cannot be run; 130 interrupted.";

/// Options of `judge try`.
#[derive(Args)]
pub(crate) struct TryOptions {
    /// The game
    #[arg(long, value_parser = name_parser())]
    game: String,

    /// The program and its arguments, as you would type them here
    #[arg(long, value_name = "COMMAND", required_unless_present = "positions")]
    cmd: Option<String>,

    /// A directory that the program runs in a copy of, for programs that need more than one file
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,

    /// The rule set to refuse by [default: the strictest]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,

    /// End each of the two games after so many plies
    #[arg(long, value_name = "COUNT", default_value_t = games::MOST_PLIES, value_parser = clap::value_parser!(u32).range(1..))]
    plies: u32,

    /// Ask nothing, but write the ten positions into this directory as input files
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "cmd")]
    positions: Option<PathBuf>,
}

/// The bytes of each of a program's streams that are kept: enough for a whole traceback.
const KEEP: usize = 1 << 16;
/// The time for all, with some seconds to the minute for a last turn and the report.
const WHOLE: Duration = Duration::from_secs(54);
/// The least time for a game, however long the positions took.
const LEAST_GAME: Duration = Duration::from_secs(5);

/// `judge try`.
pub(crate) fn preflight(options: &TryOptions) -> Result<ExitCode> {
    let game = find(&options.game)?;
    let rules = match &options.rules {
        Some(name) => (game.arena.check_rules)(Some(name))?,
        None => game.preflight.strictest_rules,
    };
    let questions = (game.preflight.questions)(rules)?;
    if let Some(directory) = &options.positions {
        return write_positions(directory, &questions);
    }
    let cmd = options.cmd.as_deref().unwrap_or_default();
    let mut words = vec!["name=you".to_string(), format!("cmd={cmd}")];
    words.extend(options.dir.as_ref().map(|dir| format!("dir={}", dir.display())));
    let you = Keys::parse(words.iter().map(String::as_str))?.engine(&game.arena)?;
    interrupt::catch()?;
    let mut run = Run { game, you, rules, tally: Tally::default(), started: Instant::now(), quickest: None };
    print(&format!("{}: {}\n\n", game.arena.title, shown(cmd)));
    let went_through = run.ask_all(&questions)?;
    if went_through && run.tally.wrong + run.tally.doubtful == 0 {
        run.play_games(options.plies)?;
    } else if went_through {
        print("\nThe two games are left out until all positions are answered as every grader wants.\n");
    }
    if interrupt::asked() {
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    Ok(run.tally.conclude())
}

fn write_positions(directory: &std::path::Path, questions: &[Question]) -> Result<ExitCode> {
    std::fs::create_dir_all(directory)?;
    for (index, question) in questions.iter().enumerate() {
        let file = directory.join(format!("{}.txt", index + 1));
        write_atomically(&file, &question.input)?;
        print(&format!("{}  {}\n", file.display(), question.title));
    }
    Ok(ExitCode::SUCCESS)
}

/// What was found so far.
#[derive(Default)]
struct Tally {
    /// Positions and games that a grader would give no point for.
    wrong: u32,
    /// Legal answers that not every grader would take.
    doubtful: u32,
}

impl Tally {
    fn conclude(&self) -> ExitCode {
        let (text, code) = match (self.wrong, self.doubtful) {
            (0, 0) => ("All is well: a grader would take this program.".to_string(), 0),
            (0, doubtful) => (format!("All moves are legal; {doubtful} not written as every grader wants them."), 1),
            (wrong, _) => (format!("Not yet: {wrong} went wrong. Mend the first one and try again."), 1),
        };
        print(&format!("\n{text}\n"));
        ExitCode::from(code)
    }
}

/// A try under way.
struct Run {
    game: &'static Game,
    you: EngineSpec,
    rules: &'static str,
    tally: Tally,
    started: Instant,
    /// CPU seconds of the quickest answer so far.
    quickest: Option<f64>,
}

impl Run {
    fn bounds(&self) -> Bounds {
        Bounds { keep: KEEP, ..Bounds::default() }
    }

    /// Asks all questions; whether it came to the end of them.
    fn ask_all(&mut self, questions: &[Question]) -> Result<bool> {
        for (index, question) in questions.iter().enumerate() {
            if interrupt::asked() {
                return Ok(false);
            }
            let request = Request { spec: &self.you, bounds: self.bounds(), question, rules: self.rules };
            let answer = (self.game.preflight.ask)(&request)?;
            self.quickest = Some(self.quickest.map_or(answer.cpu, |quickest| quickest.min(answer.cpu)));
            let go_on = self.report(index + 1, question, &answer);
            if !go_on {
                print("\nThe try ends here: what comes next would end in the same way.\n");
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Prints what became of a question; whether to go on.
    fn report(&mut self, number: usize, question: &Question, answer: &Answer) -> bool {
        let mut text = String::new();
        let verdict = match (&answer.fault, answer.doubts.is_empty()) {
            (Some(_), _) => "WRONG",
            (None, false) => "doubtful",
            (None, true) => "ok",
        };
        let _ = write!(text, "{number:>2}  {:<48} {verdict:<8} {:>6.2} s CPU", question.title, answer.cpu);
        match &answer.fault {
            Some(fault) => text += &format!("\n{}", self.evidence(question, answer, fault)),
            None => text += &format!("  {}\n", answer.described.as_deref().unwrap_or_default()),
        }
        for line in answer.doubts.iter().chain(&answer.notes) {
            let _ = writeln!(text, "    {line}");
        }
        print(&text);
        self.tally.wrong += u32::from(answer.fault.is_some());
        self.tally.doubtful += u32::from(answer.fault.is_none() && !answer.doubts.is_empty());
        let hopeless = [Termination::Crash, Termination::Stall, Termination::NoOutput];
        !answer.fault.as_ref().is_some_and(|fault| hopeless.contains(&fault.termination))
    }

    /// Why an answer is wrong: the reason, what to do, where the rule stands, the files and the board.
    fn evidence(&self, question: &Question, answer: &Answer, fault: &Fault) -> String {
        let mut text = format!("    {}\n", reason(fault.termination, &fault.reason));
        if let Some(mend) = &answer.mend {
            let _ = writeln!(text, "    to mend it: {mend}");
        }
        let pointer = rules::pointer(self.game.arena.name, &fault.reason);
        if !pointer.is_empty() {
            let _ = write!(text, "    {pointer}");
        }
        if fault.termination == Termination::Crash || fault.termination == Termination::Stall {
            let error = if answer.stderr.trim().is_empty() { "(empty)" } else { answer.stderr.trim_end() };
            return text + &format!("    standard error:\n{}", indented(error));
        }
        text += &format!("    input.txt:\n{}    the board:\n{}", indented(&question.input), indented(&answer.board));
        let more = if answer.legal_count > answer.legal.len() { "  ..." } else { "" };
        text + &format!("    legal moves ({}): {}{more}\n", answer.legal_count, answer.legal.join("  "))
    }

    /// Two games, one on each side.
    fn play_games(&mut self, plies: u32) -> Result<()> {
        for (own, opponent) in OPPONENTS.into_iter().enumerate() {
            if interrupt::asked() {
                return Ok(());
            }
            let left = WHOLE.saturating_sub(self.started.elapsed());
            let until = Instant::now() + (left / (OPPONENTS.len() - own) as u32).max(LEAST_GAME);
            let (you, quickest) = (&self.you, self.quickest.unwrap_or_default());
            let terms = Terms { game: self.game, you, rules: self.rules, bounds: self.bounds(), plies, quickest };
            let played = games::play(&terms, own, until)?;
            let title = format!("a game as {} against {opponent}", self.game.arena.sides[own]);
            print(&match played {
                Played::Whole(end) => self.report_game(&title, own, &end),
                Played::Stopped { plies, cpu } => {
                    let why = if interrupt::asked() { "interrupted" } else { "stopped there: the minute is over" };
                    format!("    {title:<48} {:<8} {cpu:>6.2} s CPU  {plies} plies, no fault ({why})\n", "ok")
                }
            });
        }
        Ok(())
    }

    fn report_game(&mut self, title: &str, own: usize, end: &End) -> String {
        let fault = end.fault.as_ref().filter(|fault| fault.player == own);
        let verdict = if fault.is_some() { "WRONG" } else { "ok" };
        let mut text = format!("    {title:<48} {verdict:<8} {:>6.2} s CPU", end.cpu[own]);
        let Some(fault) = fault else {
            return text + &format!("  {} plies, no fault ({})\n", end.plies, shown(&end.reason));
        };
        self.tally.wrong += 1;
        let _ = write!(text, "\n    {}\n", reason(end.termination, &end.reason));
        let reason = Fault::new(end.termination, end.reason.clone());
        if let Some(mend) = mends::advice(&reason, &fault.stderr) {
            let _ = writeln!(text, "    to mend it: {mend}");
        }
        let pointer = rules::pointer(self.game.arena.name, &end.reason);
        if !pointer.is_empty() {
            let _ = write!(text, "    {pointer}");
        }
        if !fault.stderr.trim().is_empty() {
            let _ = write!(text, "    standard error:\n{}", indented(fault.stderr.trim_end()));
        }
        text + &format!("    input.txt:\n{}    the board:\n{}", indented(&fault.input), indented(&fault.board))
    }
}

/// The word for a fault and its reason, which may begin with that word or have it.
fn reason(termination: Termination, reason: &str) -> String {
    let word = termination.word();
    if reason.contains(word) { shown(reason) } else { format!("{word}: {}", shown(reason)) }
}

/// The text with eight blanks before each line, what is not plain escaped, each line ended.
fn indented(text: &str) -> String {
    text.lines().map(|line| format!("        {}\n", shown(line))).collect()
}
