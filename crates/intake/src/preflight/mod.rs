//! `judge try`: tests a program with ten positions, a second turn and two games, and explains every
//! mistake. [`try_program`] is the same for other callers, such as a league.

mod advice;
mod format_doubts;
mod games;
mod misplaced_output;
mod slips;
mod terms;
pub(crate) mod test_positions;
pub(crate) mod turn;

pub use terms::TryTerms;
pub use turn::remedy;

use crate::build::environment::Environment;
use anygame::{AnyGame, GameClock};
use anyhow::{Result, bail};
use arena::keys::Keys;
use arena::plain::{counted, shown};
use arena::player::spec::EngineSpec;
use arena::record::End;
use arena::result::{Fault, Termination};
use clap::Args;
use files::write_atomically;
pub use format_doubts::format_doubts;
use games::{CLOCK, LosingMove, OPPONENTS, TryGameEnd};
use homework::{CASE_TIME, Case, CaseResult, CaseTerms, Homework};
use misplaced_output::find_output_beside_program;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use terminal::games::{GameOption, rules_line, strict_rules};
use terminal::interrupt;
use terminal::output::print;
use terminal::rules;
use terminal::sandbox_layers::warn_author;
use test_positions::{TestPosition, TurnRequest, test_positions, untold_clock};
use turn::{JudgedAnswer, SHOWN_MOVES, ask, ask_twice, fault_by_crlf, start_cost};

/// Example for the command's help.
pub const EXAMPLE: &str = "\
Examples:
  judge try --game halma --cmd 'python3 homework.py'
  judge try --game wolves --cmd 'java -cp . Agent' --dir build
  judge try --game halma --positions here       (the ten positions as here/1.txt to here/10.txt)
Exit code: 0 a grader would accept the program; 1 something has to be fixed; 2 the program cannot be run; 130 interrupted.";

/// Options of `judge try`.
#[derive(Args)]
pub struct TryOptions {
    #[command(flatten)]
    game: GameOption,

    /// The program and its arguments, as you would type them here
    #[arg(long, value_name = "COMMAND", required_unless_present = "positions")]
    cmd: Option<String>,

    /// A directory whose copy the program runs in, for programs that need more than one file
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,

    /// The rule set by which moves are refused [default: the strictest]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,

    /// End each of the two games after this number of plies
    #[arg(long, value_name = "COUNT", default_value_t = terms::MAX_PLIES, value_parser = clap::value_parser!(u32).range(1..))]
    plies: u32,

    /// Seconds of CPU time for each of the two games, as your grader gives: they are played to
    /// their ends [default: 10 s, and what the starts of the program take]
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds)]
    clock: Option<f64>,

    /// Also compare this machine with the `[environment]` of the grading's scheme
    #[arg(long, value_name = "FILE")]
    scheme: Option<PathBuf>,

    /// Run no program; write the ten positions into this directory as input files
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "cmd")]
    positions: Option<PathBuf>,

    /// Also as root, run a program that left no output file once more without a sandbox, to find
    /// the file
    #[arg(long)]
    yes_unsafe: bool,
}

/// The result of a try.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Positions and games for which a grader would give no point.
    pub wrong: u32,
    /// Legal answers that not every grader would accept.
    pub doubtful: u32,
    /// Whether the try was interrupted.
    pub interrupted: bool,
    /// CPU seconds of the quickest answer: about the cost of a start.
    pub quickest: Option<f64>,
    /// The plies of the shortest game that was cut.
    pub cut: Option<u32>,
    /// Positions of the middle of a game that fail where a program may count moves in a file of its
    /// own; only its games say whether it plays.
    pub in_the_middle: u32,
}

/// Tries a program, and passes the report to `tell` piece by piece. Errors: the program cannot be
/// started, or the machine fails.
pub fn try_program(
    game: &'static AnyGame,
    program: EngineSpec,
    terms: TryTerms,
    tell: &mut dyn FnMut(&str),
) -> Result<Tally> {
    let tests = test_positions(game, terms.rules, terms.each)?;
    let mut run = TryRun {
        game,
        you: program,
        terms,
        tally: Tally::default(),
        started: Instant::now(),
        is_busy: false,
        tell,
    };
    let completed = run.ask_all(&tests)? && run.ask_more(&tests)?;
    if completed && run.tally.wrong + run.tally.doubtful == 0 {
        run.play_games()?;
    } else if completed {
        (run.tell)(
            "\nThe two games are played when every grader would accept the answers to all positions.\n",
        );
    }
    run.tally.interrupted = interrupt::asked();
    if !run.tally.interrupted {
        let conclusion = run.tally.conclusion();
        (run.tell)(&format!("\n{conclusion}\n"));
    }
    Ok(run.tally)
}
/// However long the positions took.
const MIN_GAME_TIME: Duration = Duration::from_secs(5);

/// Runs `judge try`.
pub fn preflight(options: &TryOptions) -> Result<ExitCode> {
    let (game, homework) = options.game.with_homework()?;
    if let Some(homework) = homework {
        return try_homework(homework, game, options);
    }
    let rules = strict_rules(game, options.rules.as_deref())?;
    if let Some(directory) = &options.positions {
        return write_positions(directory, &test_positions(game, rules, None)?);
    }
    let you = options.program(game)?;
    interrupt::catch()?;
    let may_leave_sandbox = options.yes_unsafe || !sandbox::system::is_root();
    let usual = TryTerms::new(rules);
    let terms =
        TryTerms { plies: options.plies, game_clock: options.clock, may_leave_sandbox, ..usual };
    warn_author(&terms.bounds)?;
    options.compare_environment(None)?;
    print(&format!("{}{}: {}\n\n", rules_line(game, rules), game.title, shown(options.command())));
    let tally = try_program(game, you, terms, &mut print)?;
    Ok(ExitCode::from(match tally {
        Tally { interrupted: true, .. } => interrupt::EXIT_CODE,
        Tally { wrong, doubtful, .. } => u8::from(wrong + doubtful > 0),
    }))
}

impl TryOptions {
    /// Prints what the grading has, beside what is here.
    fn compare_environment(&self, homework: Option<&Homework>) -> Result<()> {
        let python = self.command().split(' ').next().filter(|first| first.starts_with("py"));
        let environment = Environment::of(self.scheme.as_deref(), homework)?;
        for (need, has, is_met) in environment.survey(python.unwrap_or("python3").as_ref())? {
            let how = if is_met { "as here" } else { "not as here" };
            print(&format!("The grading has {need}, {how}: {has}\n"));
        }
        Ok(())
    }

    fn command(&self) -> &str {
        self.cmd.as_deref().unwrap_or_default()
    }

    fn program(&self, game: &AnyGame) -> Result<EngineSpec> {
        let mut words = vec!["name=you".to_string(), format!("cmd={}", self.command())];
        words.extend(self.dir.as_ref().map(|dir| format!("dir={}", dir.display())));
        Keys::parse(words.iter().map(String::as_str))?.engine(game)
    }
}

/// A hint about a program that has answered nothing.
pub(crate) const OTHER_TASK: &str =
    " It answers none: perhaps it is for another homework or another form of the input.";

/// Tries a program on the cases that students know.
fn try_homework(
    homework: &'static Homework,
    game: &'static AnyGame,
    options: &TryOptions,
) -> Result<ExitCode> {
    if options.positions.is_some() {
        bail!("--positions: a homework has none; its cases lie in {}", game.key);
    }
    let you = options.program(game)?;
    interrupt::catch()?;
    let bounds = TryTerms::new("").bounds;
    warn_author(&bounds)?;
    options.compare_environment(Some(homework))?;
    print(&format!("{}: {}\n\n", homework.title, shown(options.command())));
    let known: Vec<&Case> = homework.cases.iter().filter(|case| !case.is_secret).collect();
    let terms = CaseTerms {
        bounds: &bounds,
        seconds: CASE_TIME,
        stops_early: false,
        interrupted: interrupt::asked,
    };
    let runs = homework.run_cases(known.iter().copied(), &you, &terms, |case, runs| {
        if let (Some(result), None) = (runs.results.last(), &runs.unjudged) {
            print_case(&case.name, result);
        }
        Ok(true)
    })?;
    if runs.is_interrupted {
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    if let Some(why) = &runs.unjudged {
        bail!("{why}");
    }
    let (count, run, right) = (known.len(), runs.results.len(), runs.right());
    if let Some(why) = &runs.stopped {
        print(&format!("Not run: {}, after {why}\n", count - run));
    }
    let is_of_another = count > 1 && runs.results.iter().all(|result| result.unanswered);
    let hint = if is_of_another { format!(".{OTHER_TASK}") } else { String::new() };
    print(&format!("\n{right} of {count} cases that you may know are right{hint}\n"));
    Ok(ExitCode::from(u8::from(right < count)))
}

fn print_case(name: &str, result: &CaseResult) {
    let how = match &result.wrong {
        None => format!("ok  {}", result.remark),
        Some(why) => format!("WRONG  {why}"),
    };
    let mib = result.memory.div_ceil(1 << 20);
    let used = format!("{:>6.2} s CPU {mib:>5} MiB", result.cpu);
    print(&format!("  {name:<24} {used}  {}\n", how.trim_end()));
    if let Some((line, column)) = &result.marked {
        print(&format!("      {}\n      {}^\n", shown(line), " ".repeat(*column)));
    }
}

fn write_positions(directory: &std::path::Path, tests: &[TestPosition]) -> Result<ExitCode> {
    std::fs::create_dir_all(directory)?;
    for (index, test) in tests.iter().enumerate() {
        let file = directory.join(format!("{}.txt", index + 1));
        write_atomically(&file, &test.input)?;
        print(&format!("{}  {}\n", file.display(), test.title));
    }
    Ok(ExitCode::SUCCESS)
}

impl Tally {
    fn conclusion(self) -> String {
        match (self.wrong, self.doubtful) {
            (0, 0) if self.in_the_middle > 0 => format!(
                "It plays whole games, and fails in {} out of the middle of a game: as a program does that counts moves in a \
                 file of its own, which is not there. A grader that plays games would accept it; one that asks for moves in \
                 single positions would not.",
                counted(self.in_the_middle, "position", "positions")
            ),
            (0, 0) => match self.cut {
                None => "All is well: a grader would accept this program.".to_string(),
                Some(plies) => format!(
                    "All is well up to ply {plies} of a game, where the test ended it; --clock SECONDS plays on."
                ),
            },
            (0, doubtful) => format!(
                "All moves are legal; a strict grader might refuse the format of {doubtful}."
            ),
            (wrong, _) => format!("Not yet: {wrong} went wrong. Fix the first one and try again."),
        }
    }
}

struct TryRun<'a> {
    game: &'static AnyGame,
    you: EngineSpec,
    terms: TryTerms,
    tally: Tally,
    started: Instant,
    /// Whether the machine gave the program much less than a processor.
    is_busy: bool,
    tell: &'a mut dyn FnMut(&str),
}

impl TryRun<'_> {
    /// Returns whether the program reached the last position.
    fn ask_all(&mut self, tests: &[TestPosition]) -> Result<bool> {
        let mut crashed = None;
        for (index, test) in tests.iter().enumerate() {
            if interrupt::asked() {
                return Ok(false);
            }
            let longer = match test.is_short {
                true => Some(test.with_start(start_cost(&self.you, &self.terms.bounds)?)?),
                false => None,
            };
            let test = longer.as_ref().unwrap_or(test);
            let (spec, bounds) = (&self.you, &self.terms.bounds);
            let request = TurnRequest { game: self.game, spec, bounds, test };
            let mut answer = ask(&request)?;
            if answer.is_missing && self.terms.may_leave_sandbox {
                answer.advice = find_output_beside_program(&request)?.or(answer.advice);
            }
            let quickest = self.tally.quickest.map_or(answer.cpu, |known| known.min(answer.cpu));
            self.tally.quickest = Some(quickest);
            self.is_busy |= answer.is_busy;
            self.report(index + 1, test, &answer);
            let last_line = answer.stderr.lines().last().unwrap_or_default().to_string();
            let crash =
                answer.fault.map(|fault| (fault.termination, last_line)).filter(|(how, _)| {
                    // A league's clock may be long.
                    [Termination::Crash, Termination::Stall, Termination::NoOutput].contains(how)
                        || self.terms.each.is_some() && *how == Termination::TimeForfeit
                });
            if crash.is_some() && self.tally.in_the_middle > 0 {
                return Ok(true);
            }
            let end = match &crash {
                Some((Termination::Stall, _)) => "more positions would take as long",
                Some(_) if crash == crashed => "two positions in a row failed in the same way",
                _ => "",
            };
            if !end.is_empty() {
                let hint = if crash == crashed && index == 1 { OTHER_TASK } else { "" };
                (self.tell)(&format!("\nThe try ends here: {end}.{hint}\n"));
                return Ok(false);
            }
            crashed = crash;
        }
        Ok(true)
    }

    /// A second turn of a game, and a file with other line ends; returns whether the try goes on.
    fn ask_more(&mut self, tests: &[TestPosition]) -> Result<bool> {
        let (you, bounds) = (self.you.clone(), self.terms.bounds.clone());
        let request = TurnRequest { game: self.game, spec: &you, bounds: &bounds, test: &tests[0] };
        if let Some((test, answer)) = ask_twice(&request)? {
            self.report(tests.len() + 1, &test, &answer);
        }
        // A game that somebody brings along has one referee, whose line ends are known.
        let is_ours = self.tally.wrong == 0 && self.game.folder.is_none();
        if let Some(fault) = if is_ours { fault_by_crlf(&request)? } else { None } {
            (self.tell)(&format!(
                "    with CR LF at the ends of the lines of {}, as Windows has them: {}\n    to fix it, if \
                 your grader runs there: strip() each line\n",
                self.game.files.input,
                shown(&fault)
            ));
        }
        Ok(!interrupt::asked())
    }

    fn report(&mut self, number: usize, test: &TestPosition, answer: &JudgedAnswer) {
        let verdict = match (&answer.fault, answer.doubts.is_empty()) {
            (Some(_), _) => "WRONG",
            (None, false) => "doubtful",
            (None, true) => "ok",
        };
        let mut text = heading(&number.to_string(), &test.title, verdict, answer.cpu);
        match &answer.fault {
            Some(fault) => text += &format!("\n{}", self.evidence(test, answer, fault)),
            None => text += &format!("  {}\n", answer.described.as_deref().unwrap_or_default()),
        }
        for line in answer.doubts.iter().chain(&answer.notes) {
            let _ = writeln!(text, "    {line}");
        }
        (self.tell)(&text);
        // The first position of each side is a start of a game.
        let in_the_middle = number > 2 && self.tally.wrong == 0 && self.game.may_count_moves();
        let count = match in_the_middle {
            true => &mut self.tally.in_the_middle,
            false => &mut self.tally.wrong,
        };
        *count += u32::from(answer.fault.is_some());
        self.tally.doubtful += u32::from(answer.fault.is_none() && !answer.doubts.is_empty());
    }

    fn evidence(&self, test: &TestPosition, answer: &JudgedAnswer, fault: &Fault) -> String {
        let text = self.why(fault, answer.advice.as_deref());
        if fault.termination == Termination::Crash || fault.termination == Termination::Stall {
            let error =
                if answer.stderr.trim().is_empty() { "(empty)" } else { answer.stderr.trim_end() };
            return text + &format!("    standard error:\n{}", indented(error));
        }
        let position = &test.task.position;
        let legal = position.legal_moves();
        let first = legal.iter().take(SHOWN_MOVES).map(|mv| &*mv.described);
        let first = first.collect::<Vec<_>>().join("  ");
        let more = if legal.len() > SHOWN_MOVES { "  ..." } else { "" };
        let board = self.position(&test.input, &position.picture());
        format!("{text}{board}    legal moves ({}): {first}{more}\n", legal.len())
    }

    fn play_games(&mut self) -> Result<()> {
        for own in 0..OPPONENTS.len() {
            if interrupt::asked() {
                return Ok(());
            }
            let opponent = games::opponent(self.game, own)?;
            let left = self.terms.time.saturating_sub(self.started.elapsed());
            let share = (left / (OPPONENTS.len() - own) as u32).max(MIN_GAME_TIME);
            // A program that waits as long as it computes has twice its clock.
            let whole = self
                .terms
                .game_clock
                .map_or(Duration::ZERO, |clock| Duration::from_secs_f64(2.0 * clock) + share);
            let until = Instant::now() + share.max(whole);
            let end = games::play(
                self.game,
                &self.you,
                (&self.terms, self.tally.quickest),
                opponent,
                own,
                until,
            )?;
            let title = format!("a game as {} against {opponent}", self.game.sides[own]);
            let report = match end {
                TryGameEnd::Finished(end, losing_move) => {
                    let is_cut = end.termination == Termination::DrawByMoveLimit
                        && end.plies < self.game.ply_limit;
                    self.cut(is_cut.then_some(end.plies));
                    self.report_game(&title, own, &end, losing_move)
                }
                TryGameEnd::Stopped { plies, cpu } => {
                    self.cut(Some(plies));
                    let why = if interrupt::asked() {
                        "interrupted"
                    } else {
                        "stopped: the time of the test is over"
                    };
                    no_fault(&title, plies, cpu, why)
                }
            };
            (self.tell)(&report);
        }
        self.weigh_starts()
    }

    fn cut(&mut self, plies: Option<u32>) {
        self.tally.cut = self.tally.cut.into_iter().chain(plies).min();
    }

    /// Says what the starts of the program take of a game's clock, if that is much.
    fn weigh_starts(&mut self) -> Result<()> {
        // A quick answer may have thought.
        let quickest = self.tally.quickest.unwrap_or_default();
        let start = quickest.min(start_cost(&self.you, &self.terms.bounds)?);
        let plies = self.game.ply_limit.min(self.terms.plies);
        let clock = self.terms.game_clock.map(GameClock::Game);
        let words = match clock.or(untold_clock(self.game)?) {
            Some(clock) => clock_eaten(start, clock, plies, "this clock"),
            None => clock_eaten(start, GameClock::Game(CLOCK), plies, "a clock").map(|words| {
                format!("{words}; --clock SECONDS plays the games on your grader's clock")
            }),
        };
        if let Some(words) = words {
            let busy = "; the machine had other work, so that a start may take less";
            let busy = if self.is_busy { busy } else { "" };
            (self.tell)(&format!("    {words}{busy}\n"));
        }
        Ok(())
    }

    fn report_game(
        &mut self,
        title: &str,
        own: usize,
        end: &End,
        losing_move: Option<LosingMove>,
    ) -> String {
        let plies = counted(end.plies, "ply", "plies");
        let heading = heading("", title, "WRONG", end.cpu[own]);
        if let Some(LosingMove { input, board, mv, others }) = losing_move {
            self.tally.wrong += 1;
            let others = counted(others, "other move", "other moves");
            let (reason, mv) = (shown(&end.reason), shown(&mv));
            let pointer = self.pointer(&end.reason);
            return format!(
                "{heading}  {plies}\n    {reason}: the move {mv} lost the game at once, which {others} would \
                 not have\n{pointer}{}",
                self.position(&input, &board)
            );
        }
        let Some(fault) = end.fault.as_ref().filter(|fault| fault.player == own) else {
            return no_fault(title, end.plies, end.cpu[own], &shown(&end.reason));
        };
        self.tally.wrong += 1;
        let reason = Fault::new(end.termination, end.reason.clone());
        let advice = advice::advice(&reason, &fault.stderr, self.game);
        let mut text = format!("{heading}\n{}", self.why(&reason, advice.as_deref()));
        if !fault.stderr.trim().is_empty() {
            let _ = write!(text, "    standard error:\n{}", indented(fault.stderr.trim_end()));
        }
        text + &self.position(&fault.input, &fault.board)
    }

    fn why(&self, fault: &Fault, advice: Option<&str>) -> String {
        let (word, reason) = (fault.termination.word(), shown(&fault.reason));
        let word = if reason.contains(word) { String::new() } else { format!("{word}: ") };
        let advice = advice.map_or(String::new(), |advice| format!("    to fix it: {advice}\n"));
        format!("    {word}{reason}\n{advice}{}", self.pointer(&fault.reason))
    }

    fn pointer(&self, reason: &str) -> String {
        let pointer = rules::pointer(self.game.key, reason);
        if pointer.is_empty() { pointer } else { format!("    {pointer}") }
    }

    fn position(&self, input: &str, board: &str) -> String {
        let (name, input) = (self.game.files.input, indented(input));
        format!("    {name}:\n{input}    the board:\n{}", indented(board))
    }
}

fn heading(number: &str, title: &str, verdict: &str, cpu: f64) -> String {
    format!("{number:>2}  {title:<48} {verdict:<8} {cpu:>6.2} s CPU")
}

fn no_fault(title: &str, plies: u32, cpu: f64, why: &str) -> String {
    let plies = counted(plies, "ply", "plies");
    format!("{}  {plies}, no fault ({why})\n", heading("", title, "ok", cpu))
}

/// Returns words about a clock of which the starts of a program alone, `start` CPU seconds each,
/// take more than half in a long game.
pub fn clock_eaten(start: f64, clock: GameClock, max_plies: u32, name: &str) -> Option<String> {
    let (seconds, moves, what) = match clock {
        GameClock::Game(seconds) => (seconds, max_plies.div_ceil(2), "a game"),
        GameClock::Single(seconds) => (seconds, 1, "a move"),
    };
    let starts = start * f64::from(moves);
    (starts > seconds / 2.0).then(|| {
        format!(
            "on {name} of {seconds} s for {what} its start alone takes {starts:.1} s ({start:.2} s for each of up to {})",
            counted(moves, "move", "moves")
        )
    })
}

fn positive_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds < 1e6);
    seconds.ok_or_else(|| "expected a positive number of seconds such as 30 or 6.5".to_string())
}

/// Indents each line, and escapes what is not plain text.
fn indented(text: &str) -> String {
    text.lines().map(|line| format!("        {}\n", shown(line))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_the_starts_of_a_program_use_up_is_told() {
        for (clock, expected) in [
            (GameClock::Game(60.0), None),
            (
                GameClock::Game(5.0),
                Some(
                    "on this clock of 5 s for a game its start alone takes 18.0 s (0.12 s for each of up to 150 moves)",
                ),
            ),
            (GameClock::Single(0.5), None),
            (
                GameClock::Single(0.2),
                Some(
                    "on this clock of 0.2 s for a move its start alone takes 0.1 s (0.12 s for each of up to 1 move)",
                ),
            ),
        ] {
            assert_eq!(clock_eaten(0.12, clock, 300, "this clock").as_deref(), expected);
        }
    }
}
