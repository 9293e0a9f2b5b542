//! Positions whose rules are a program.

use super::answers::View;
use super::program::{RulesProgram, rules_digest, short};
use super::proven::{proven_finding, proven_moves};
use super::solved::Solved;
use super::trials::{FEWEST_GAMES, MOST_GAMES, POSITIONS_A_GAME, chance, mean_after, tried};
use crate::analysis::better::{Better, Step};
use crate::analysis::finding::{Effort, Finding, Mark};
use crate::analysis::position::RatedMove;
use crate::plain;
use crate::record::RecordedPosition;
use anygame::tree::alpha_beta;
use anygame::{AnyMove, AnyPosition, Board, Position};
use anyhow::{Context, Result, anyhow, ensure};
use clock::lock;
use engine::clock::Clock;
use engine::drawing::Figure;
use engine::protocol::Violation;
use engine::score::{MAX_ESTIMATE, Score};
use engine::search::Observer;
use engine::think::{Algorithm, Report, Settings};
use engine::verdict::standing_of;
use engine::{Drawing, Outcome, Proven, Side, TimeControl, search};
use std::any::Any;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

pub(super) const STANDARD_RULES: &str = "standard";
/// The most legal moves that are compared with a refused output file.
const MOST_WRITTEN: usize = 1_000;
#[derive(Debug)]
pub(super) struct ProgramRules {
    pub program: &'static RulesProgram,
    pub sides: [&'static str; 2],
    /// The meaning of the clock of positions whose text tells none.
    pub control: TimeControl,
    /// Whether a state has what a side does not see, or what chance will do.
    pub hidden: bool,
    /// The results of a solved game, or why they are refused.
    pub solved: OnceLock<Result<Option<Solved>, String>>,
}

impl ProgramRules {
    pub(super) fn solved(&self) -> Result<Option<&Solved>> {
        let read = || {
            // The game of a record has no rules, and no folder.
            if self.program.command.is_empty() {
                return Ok(None);
            }
            rules_digest(self.program).and_then(|rules| Solved::read(&self.program.folder, &rules))
        };
        let solved = self.solved.get_or_init(|| read().map_err(|error| format!("{error:#}")));
        solved.as_ref().map(Option::as_ref).map_err(|why| anyhow!("{why}"))
    }

    pub(super) fn position(
        &'static self,
        state: String,
        before: Option<(Arc<ProgramPosition>, u32)>,
    ) -> Result<Position> {
        let view = self.program.view(&state)?;
        let last = before.as_ref().map(|(before, code)| before.legal(*code)).transpose()?;
        let further = Arc::default();
        Ok(Arc::new(ProgramPosition { rules: self, state, before, last, view, further }))
    }
}

/// The code of a move is its index among the legal ones.
#[derive(Clone)]
pub(super) struct ProgramPosition {
    rules: &'static ProgramRules,
    pub state: String,
    before: Option<(Arc<ProgramPosition>, u32)>,
    /// The move that led here.
    last: Option<String>,
    view: View,
    /// Legal moves that the view does not list. Their codes follow those of the view's.
    further: Arc<Mutex<Vec<String>>>,
}

impl Drop for ProgramPosition {
    /// One by one: the default recursion would overflow the stack after a long game.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut position) = before.and_then(|(position, _)| Arc::into_inner(position)) {
            before = position.before.take();
        }
    }
}

/// The position for a record, in a game whose rules are a program.
pub fn recorded(position: &Position) -> Result<Option<RecordedPosition>> {
    let Some(position) = position.as_any().downcast_ref::<ProgramPosition>() else {
        return Ok(None);
    };
    position.rules.program.recorded(&position.state, position.last_move()).map(Some)
}

fn side_of(index: usize) -> Side {
    Side::BOTH[index.min(1)]
}

impl ProgramPosition {
    fn shared(&self) -> Position {
        Arc::new(self.clone())
    }

    pub(super) fn last_move(&self) -> Option<&str> {
        self.last.as_deref()
    }

    fn legal(&self, code: u32) -> Result<String> {
        let (code, listed) = (code as usize, self.view.moves.len());
        let mv = match code.checked_sub(listed) {
            None => self.view.moves.get(code).cloned(),
            Some(index) => lock(&self.further).get(index).cloned(),
        };
        mv.with_context(|| format!("{code} is the code of no legal move"))
    }

    /// The code of a legal move that the view does not list.
    fn further_code(&self, name: &str) -> Option<u32> {
        if !self.view.some || self.rules.program.play(&self.state, name).is_err() {
            return None;
        }
        let mut further = lock(&self.further);
        let known = further.iter().position(|known| known == name);
        let index = known.unwrap_or_else(|| {
            further.push(name.to_string());
            further.len() - 1
        });
        Some((self.view.moves.len() + index) as u32)
    }

    /// An error if the rules do not list all moves.
    fn needs_all_moves(&self, what: &str) -> Result<()> {
        ensure!(
            !self.view.some,
            "the rules of {} list only some moves (they have a function 'legal'): {what}",
            self.rules.program.name
        );
        Ok(())
    }

    /// Checks that another process agrees on this position and the move that led here.
    pub(super) fn confirm(&self, anew: &RulesProgram) -> Result<()> {
        anew.confirm_view(&self.state, &self.view)?;
        let Some((before, _)) = &self.before else { return Ok(()) };
        anew.confirm_play(&before.state, self.last_move().unwrap_or_default(), &self.state)
    }

    /// Checks a refusal before its player is blamed: a new process has to agree on it and on this
    /// position, and no legal move may be written as this file.
    fn confirm_refusal(&self, output: &str, found: &Result<String, Violation>) -> Result<()> {
        let anew = self.rules.program.anew();
        anew.confirm_read(&self.state, output, found)?;
        self.confirm(&anew)?;
        let writes =
            |mv: &&String| anew.write(&self.state, mv).is_ok_and(|written| written == output);
        match self.view.moves.iter().take(MOST_WRITTEN).find(writes) {
            None => Ok(()),
            Some(mv) => {
                let why =
                    format!("it refused what it writes for the legal move '{}'", plain::shown(mv));
                Err(anew.misread(&self.state, output, &why))
            }
        }
    }

    /// The best move by alpha-beta and its value; where something is hidden the best in most
    /// guesses, or any move without guesses.
    fn searched(&self, depth: u32) -> Result<(u32, f64)> {
        let mut numbers = 0..GUESSES;
        let guesses = self.guesses(GUESSES, &mut || numbers.next().unwrap_or_default())?;
        let Some(guesses) = guesses else {
            return alpha_beta(&self.shared(), depth, &estimate);
        };
        if guesses.is_empty() {
            return Ok(((self.key() % self.view.moves.len() as u64) as u32, 0.0));
        }
        let mut votes = vec![(0, 0.0); self.view.moves.len()];
        for guess in &guesses {
            let (best, value) = alpha_beta(guess, depth, &estimate)?;
            let (count, sum) = &mut votes[best as usize];
            (*count, *sum) = (*count + 1, *sum + value);
        }
        let best = (0..votes.len()).rev().max_by_key(|&index| votes[index].0).unwrap_or(0);
        let (count, sum) = votes[best];
        Ok((best as u32, sum / f64::from(count)))
    }

    fn finding(&self, best: usize, effort: Effort) -> Finding {
        let moves = &self.view.moves;
        Finding::of_best(moves[best].clone(), moves.len() as u32, effort)
    }
}

/// The guesses of a plain search, each with one vote.
const GUESSES: u32 = 10;

impl AnyPosition for ProgramPosition {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn game(&self) -> &str {
        &self.rules.program.name
    }

    fn rules(&self) -> &'static str {
        STANDARD_RULES
    }

    fn is_same(&self, other: &dyn AnyPosition) -> bool {
        let other = other.as_any().downcast_ref::<ProgramPosition>();
        other
            .is_some_and(|other| std::ptr::eq(self.rules, other.rules) && self.state == other.state)
    }

    fn key(&self) -> u64 {
        engine::checksum(self.state.as_bytes())
    }

    fn last(&self) -> Option<(Position, u32)> {
        self.before.as_ref().map(|(before, code)| (Arc::clone(before) as Position, *code))
    }

    fn side_to_move(&self) -> Side {
        side_of(self.view.turn)
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = self.view.over.as_ref()?;
        let winner = over.winner.map(side_of);
        // A difference that is no whole number, or belongs to another result, is not told as one.
        if let Some(points) =
            over.points.filter(|points| points.fract() == 0.0 && points.abs() < 1e5)
            && Outcome::Margin(points as i32).winner() == winner
        {
            return Some(Outcome::Margin(points as i32));
        }
        Some(winner.map_or(Outcome::Draw, Outcome::Win))
    }

    fn why_over(&self) -> Option<String> {
        self.view.over.as_ref().map(|over| plain::shown(&over.why)).filter(|why| !why.is_empty())
    }

    fn is_second_half(&self) -> bool {
        self.view.together.is_some() && self.view.turn == 1
    }

    fn second_half(&self) -> Result<Option<Position>> {
        let state = self.view.together.clone().filter(|_| self.view.turn == 0);
        state.map(|state| self.rules.position(state, None)).transpose()
    }

    fn wins_by_time(&self) -> Option<Side> {
        self.view.over.as_ref().filter(|over| over.winner.is_none())?.by_time.map(side_of)
    }

    fn standing(&self) -> String {
        let [first, second] = self.rules.sides;
        match self.view.together {
            Some(_) => format!("{first} and {second} move at the same time\n"),
            None => standing_of(self.rules.sides, self.side_to_move(), self.outcome()),
        }
    }

    fn picture(&self) -> String {
        let text = plain::lines(&self.view.board);
        format!("{}\n", text.trim_end_matches('\n'))
    }

    fn drawing(&self) -> Option<Drawing> {
        let squares = self.rules.program.draw(&self.state, self.last_move()).ok()??;
        let text = |row: &Vec<String>| {
            row.iter().map(|cell| cell.chars().next().unwrap_or('.')).collect::<String>()
        };
        let lines: Vec<String> = squares.cells.iter().map(text).collect();
        let mut drawing = Drawing::of_text(&lines.join("\n"), self.rules.sides)?;
        (drawing.columns, drawing.rows, drawing.changed) =
            (squares.columns, squares.rows, squares.last);
        if self.rules.sides[0].eq_ignore_ascii_case("white")
            || self.rules.sides[1].eq_ignore_ascii_case("black")
        {
            drawing.figures = [Figure::LightStone, Figure::DarkStone];
        }
        Some(drawing)
    }

    fn codes(&self) -> Vec<u32> {
        (0..self.view.moves.len() as u32).collect()
    }

    fn weights(&self) -> Option<&[f64]> {
        self.view.weights.as_deref()
    }

    fn move_of(&self, code: u32) -> Option<AnyMove> {
        let output = self.legal(code).ok()?;
        let described = plain::shown(&output);
        Some(AnyMove { code, output, described })
    }

    fn code_of(&self, name: &str) -> Result<u32> {
        let index = self.view.moves.iter().position(|known| known == name);
        let code = index.map(|index| index as u32).or_else(|| self.further_code(name));
        code.with_context(|| format!("'{name}' is not a legal move"))
    }

    fn read_move(&self, output: &str) -> Result<Result<AnyMove, Violation>> {
        let program = self.rules.program;
        let found = program.read(&self.state, output)?;
        if found.is_err() {
            self.confirm_refusal(output, &found)?;
        }
        let name = match found {
            Ok(name) => name,
            Err(violation) => return Ok(Err(violation)),
        };
        let mv = self.code_of(&name).ok().and_then(|code| self.move_of(code));
        mv.map(Ok).ok_or_else(|| {
            let why =
                format!("it read the move '{}', which is none of its legal moves", short(&name));
            program.misread(&self.state, output, &why)
        })
    }

    fn move_in(&self, output: &str) -> Result<Option<AnyMove>> {
        let name = self.rules.program.read(&self.state, output)?.ok();
        Ok(name.and_then(|name| self.move_of(self.code_of(&name).ok()?)))
    }

    fn same_move(&self, _: &dyn AnyPosition, code: u32) -> Result<AnyMove> {
        self.move_of(code).context("a move of another position")
    }

    fn play(self: Arc<Self>, code: u32) -> Result<Position> {
        let state = self.rules.program.play(&self.state, &self.legal(code)?)?;
        self.rules.position(state, Some((self, code)))
    }

    fn by_agents_rules(&self) -> Result<Position> {
        Ok(self.shared())
    }

    fn guesses(
        &self,
        count: u32,
        number: &mut dyn FnMut() -> u32,
    ) -> Result<Option<Vec<Position>>> {
        if !self.rules.hidden && !self.is_second_half() {
            return Ok(None);
        }
        let mut guesses = Vec::new();
        for _ in 0..count {
            let (program, turn) = (self.rules.program, self.view.turn);
            let Some(state) = program.guess(&self.state, turn, number())? else { break };
            let view = program.view(&state)?;
            if view.turn != turn || view.moves != self.view.moves {
                return Err(program.wrong_guess(&self.state, &state));
            }
            guesses.push(self.rules.position(state, None)?);
        }
        Ok(Some(guesses))
    }

    fn played_out(&self, number: &mut dyn FnMut() -> u32) -> Option<Option<Side>> {
        let winner = self.rules.program.play_out(&self.state, number())?;
        Some(winner.map(side_of))
    }

    fn input_beside(
        &self,
        control: TimeControl,
        clock: Duration,
        others: Duration,
    ) -> Result<String> {
        let [own, others] = [clock, others].map(|time| time.as_secs_f64());
        let clocks = if self.side_to_move() == Side::First { [own, others] } else { [others, own] };
        self.rules.program.task(&self.state, clocks, control == TimeControl::Single)
    }

    fn stored(&self, _: TimeControl, _: Duration) -> Result<String> {
        Ok(self.state.clone())
    }

    fn perft(&self, depth: u32, stop: &dyn Fn() -> bool) -> Result<u64> {
        self.needs_all_moves("nothing can count them")?;
        match depth {
            0 => Ok(1),
            1 => Ok(self.view.moves.len() as u64),
            _ => self.codes().into_iter().take_while(|_| !stop()).try_fold(0, |sum, code| {
                Ok(sum + self.shared().play(code)?.perft(depth - 1, stop)?)
            }),
        }
    }

    fn greedy(&self) -> Result<Option<u32>> {
        if self.view.value.is_none() || self.view.together.is_some() || self.view.moves.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.searched(1)?.0))
    }

    /// Plain algorithms need the rules' `value`; any other search is one by random games.
    fn think(
        &self,
        _: (TimeControl, Duration),
        settings: &Settings,
        _: &dyn Clock,
        observer: &mut dyn Observer<u32>,
    ) -> Result<Report<u32>> {
        ensure!(!self.view.moves.is_empty(), "the game is over: there is nothing to choose");
        if settings.algorithm == Algorithm::Iterative {
            let nodes = settings.nodes.unwrap_or(MOST_GAMES * POSITIONS_A_GAME);
            let (tried, games) = tried(&self.shared(), Effort::Nodes(nodes))?;
            let best = (0..tried.len()).max_by_key(|&index| tried[index].games).unwrap_or(0);
            let advice = Some(format!("{games} random games"));
            return Ok(Report { advice, ..Report::only(best as u32) });
        }
        ensure!(
            self.view.together.is_none(),
            "{} has moves at the same time, which greedy, minimax and alphabeta do not know; \
             reference:random and reference:mcts:N do",
            self.rules.program.name
        );
        ensure!(
            self.view.value.is_some(),
            "the rules of {} have no 'value' to search by; reference:mcts:N needs none",
            self.rules.program.name
        );
        let depth = settings.depth.unwrap_or(1);
        let (best, value) = self.searched(depth)?;
        let limit = f64::from(MAX_ESTIMATE);
        let score = value.round().clamp(-limit, limit) as Score;
        let line = vec![best];
        let found = search::Report { best, score, depth, nodes: 0, line, proven: false };
        observer.iteration(&found);
        Ok(Report { search: Some(found), ..Report::only(best) })
    }

    fn proven(&self) -> Option<Proven<u32>> {
        let won = self.rules.solved().ok()??.of(&self.state)?;
        let outcome = won.map_or(Outcome::Draw, |won| Outcome::Win(side_of(won.winner)));
        let plies = won.map(|won| won.plies);
        Some(Proven { outcome, plies, best: None, source: "the table of judge solve" })
    }

    fn rate_moves(&self, effort: Effort, _: &dyn Clock) -> Result<(Vec<RatedMove<u32>>, u32)> {
        self.needs_all_moves("nothing can rate them")?;
        if let Some(rated) = proven_moves(&self.shared())? {
            return Ok((rated, 1));
        }
        let tried = tried(&self.shared(), effort)?.0.into_iter().map(|tried| chance(tried.mean()));
        let rated = |(mv, chance)| RatedMove { mv, score: None, chance, truth: None };
        let mut rated: Vec<RatedMove<u32>> =
            self.codes().into_iter().zip(tried).map(rated).collect();
        rated.sort_by(|one, other| other.chance.total_cmp(&one.chance));
        Ok((rated, 1))
    }

    fn analyse(&self, code: u32, effort: Effort, _: &dyn Clock) -> Result<Finding> {
        self.needs_all_moves("nothing can say which one is better")?;
        self.legal(code)?;
        if let Some(rated) = proven_moves(&self.shared())? {
            let blank = |best| self.finding(best, effort);
            return proven_finding(&self.shared(), code, &rated, effort, blank);
        }
        let played = code as usize;
        // The move played has the other half.
        let half = match effort {
            Effort::Time(seconds) => Effort::Time(seconds / 2.0),
            nodes => nodes,
        };
        let (tried, games) = tried(&self.shared(), half)?;
        let best = (0..tried.len()).max_by_key(|&index| tried[index].games).unwrap_or(played);
        // The move played gets as many games as the best one: few began with it if it looked bad.
        let after = self.shared().play(code)?;
        let own = match after.outcome() {
            Some(outcome) => outcome
                .winner()
                .map_or(0.5, |winner| f64::from(u8::from(winner == self.side_to_move()))),
            // The position after the move has what its player could not see.
            None if self.rules.hidden || self.view.together.is_some() => tried[played].mean(),
            None => {
                let count = tried[best].games.max(FEWEST_GAMES as u32);
                mean_after(&after, self.side_to_move(), count, half, games)?
            }
        };
        let best_mean = if best == played { own } else { tried[best].mean() };
        let (best, best_mean) = if own > best_mean { (played, own) } else { (best, best_mean) };
        let [chance, best_chance] = [own, best_mean].map(chance);
        let mut finding = Finding { chance, best_chance, ..self.finding(best, effort) };
        finding.mark = Mark::of_drop(finding.drop()).filter(|_| best != played && tried.len() > 1);
        Ok(finding)
    }

    fn better(&self, code: u32, finding: &Finding) -> Option<Better> {
        if finding.best == self.legal(code).ok()? {
            return None;
        }
        let Board { picture, drawing } =
            self.shared().play(self.code_of(&finding.best).ok()?).ok()?.board();
        let step = Step { mv: plain::shown(&finding.best), side: self.view.turn, drawing, picture };
        let replies = finding.reply.iter().map(|reply| plain::shown(reply)).collect();
        Some(Better { line: vec![step], replies, why: Vec::new(), shows_after: None })
    }
}

fn estimate(position: &Position) -> Result<f64> {
    let own = position.as_any().downcast_ref::<ProgramPosition>();
    own.and_then(|position| position.view.value)
        .context("the rules have no 'value' for a position of the search")
}
