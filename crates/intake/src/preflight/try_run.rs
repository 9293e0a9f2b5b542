//! A try: ten positions, a second turn and two games, each with its report.

use super::advice::{OTHER_TASK, advice};
use super::games::{self, CLOCK, LosingMove, OPPONENTS, TryGameEnd};
use super::misplaced_output::find_output_beside_program;
use super::terms::TryTerms;
use super::test_positions::{TestPosition, TurnRequest, test_positions, untold_clock};
use super::turn::{JudgedAnswer, SHOWN_MOVES, ask, ask_twice, fault_by_crlf, start_cost};
use anygame::{AnyGame, GameClock};
use anyhow::Result;
use arena::plain::{counted, shown};
use arena::player::spec::EngineSpec;
use arena::record::End;
use arena::result::{Fault, Termination};
use std::fmt::Write;
use std::time::{Duration, Instant};
use terminal::interrupt;
use terminal::rules;

/// However long the positions took.
const MIN_GAME_TIME: Duration = Duration::from_secs(5);

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
        let is_ours = self.tally.wrong == 0 && !self.game.is_own();
        if let Some(fault) = if is_ours { fault_by_crlf(&request)? } else { None } {
            (self.tell)(&format!(
                "    with CR LF at the ends of the lines of {}, as Windows has them: {}\n    to fix it, if \
                 your grader runs there: strip() each line\n",
                self.game.interface.files.input,
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
        let text = self.why(fault, &fault.reason.to_string(), answer.advice.as_deref());
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
        let reason = fault.reason.clone().unwrap_or_else(|| (&*end.reason).into());
        let kind = Fault::new(end.termination, reason);
        let advice = advice(&kind, &fault.stderr, self.game);
        let mut text = format!("{heading}\n{}", self.why(&kind, &end.reason, advice.as_deref()));
        if !fault.stderr.trim().is_empty() {
            let _ = write!(text, "    standard error:\n{}", indented(fault.stderr.trim_end()));
        }
        text + &self.position(&fault.input, &fault.board)
    }

    fn why(&self, fault: &Fault, reason: &str, advice: Option<&str>) -> String {
        let (word, own, reason) =
            (fault.termination.word(), fault.reason.own_words(), shown(reason));
        let word = if own.contains(word) { String::new() } else { format!("{word}: ") };
        let advice = advice.map_or(String::new(), |advice| format!("    to fix it: {advice}\n"));
        format!("    {word}{reason}\n{advice}{}", self.pointer(&own))
    }

    fn pointer(&self, reason: &str) -> String {
        let pointer = rules::pointer(self.game.key, reason);
        if pointer.is_empty() { pointer } else { format!("    {pointer}") }
    }

    fn position(&self, input: &str, board: &str) -> String {
        let (name, input) = (self.game.interface.files.input, indented(input));
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
