//! Positions whose rules are a program.

use super::program::{RulesProgram, View};
use crate::analysis::better::Better;
use crate::analysis::finding::{Effort, Finding, Mark};
use crate::analysis::position::RatedMove;
use crate::game::{Answer, Checked, FromInput, Rules};
use crate::own_game::RecordedPosition;
use crate::plain;
use crate::position::{AnyMove, AnyPosition, AnyTask, Board, Played, Position, Searched};
use crate::random::{Purpose, generator};
use crate::tree_search::{Tried, monte_carlo, search_to_depth};
use anyhow::{Context, Result, bail, ensure};
use engine::drawing::Figure;
use engine::protocol::Violation;
use engine::score::{MAX_ESTIMATE, Score};
use engine::verdict::standing_of;
use engine::{Drawing, Outcome, Side, TimeControl};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

/// The one rule set of these games.
const RULES: &str = "standard";
/// The clock of a position whose text tells none.
const CLOCK: Duration = Duration::from_secs(1);
/// The most legal moves that are written to be compared with a refused output file.
const MOST_WRITTEN: usize = 1_000;
/// How many positions of an analysis' effort a random game stands for.
const POSITIONS_A_GAME: u64 = 100;
/// The fewest and the most random games of an analysis.
const GAMES: std::ops::RangeInclusive<u64> = 50..=2_000;

/// The rules of a game that a program knows.
#[derive(Debug)]
pub(super) struct ProgramRules {
    pub program: &'static RulesProgram,
    pub sides: [&'static str; 2],
    /// The meaning of the clock of positions whose text tells none.
    pub control: TimeControl,
}

impl ProgramRules {
    fn position(&'static self, state: String, before: Option<(String, String)>) -> Result<Position> {
        let view = self.program.view(&state)?;
        Ok(Arc::new(ProgramPosition { rules: self, state, before, view }))
    }
}

impl Rules for ProgramRules {
    fn rule_sets(&'static self) -> Vec<&'static str> {
        vec![RULES]
    }

    fn check_rules(&'static self, name: Option<&str>) -> Result<&'static str> {
        if let Some(name) = name.filter(|name| *name != RULES) {
            bail!("--rules: expected {RULES}, found '{name}'");
        }
        Ok(RULES)
    }

    fn start(&'static self, rules: Option<&str>) -> Result<Position> {
        self.check_rules(rules)?;
        self.position(self.program.start()?, None)
    }

    fn restore(&'static self, stored: &str, rules: Option<&str>) -> Result<FromInput<AnyTask>> {
        self.check_rules(rules)?;
        let position = self.position(stored.to_string(), None)?;
        Ok(Ok(AnyTask::new(position, self.control, CLOCK)))
    }

    fn read_task(&'static self, input: &str, rules: Option<&str>) -> Result<FromInput<AnyTask>> {
        self.check_rules(rules)?;
        let name = &self.program.name;
        let (state, clock) = match self.program.position(input)? {
            None => bail!("the rules of {name} read no input files (their program does not know 'position')"),
            Some(Err(error)) => return Ok(Err(error)),
            Some(Ok(found)) => found,
        };
        let clock = clock.filter(|&seconds| seconds > 0.0 && seconds < 1e9).map_or(CLOCK, Duration::from_secs_f64);
        Ok(Ok(AnyTask::new(self.position(state, None)?, self.control, clock)))
    }

    fn confirm(&'static self, turns: &[(Position, Option<String>)]) -> Result<()> {
        let anew = self.program.anew();
        let mut next: Option<&str> = None;
        // The end comes first: what goes wrong after many requests has the fewest before it.
        for (position, output) in turns.iter().rev() {
            let Some(position) = position.as_any().downcast_ref::<ProgramPosition>() else { continue };
            position.confirm(&anew)?;
            if let Some((output, mv)) = output.as_deref().zip(next) {
                anew.confirm_read(&position.state, output, &Ok(mv.to_string()))?;
            }
            next = position.last();
        }
        Ok(())
    }

    fn check(&'static self, answer: &Answer, rules: Option<&str>) -> Result<FromInput<Checked>> {
        let task = match self.read_task(answer.input, rules)? {
            Ok(task) => task,
            Err(error) => return Ok(Err(error)),
        };
        Ok(Ok(match task.position.read_move(answer.output)? {
            Err(violation) => Checked::Refused(format!("{}: {violation}\n", answer.file)),
            Ok(mv) => {
                let side = self.sides[task.position.side_to_move().index()];
                let after = task.position.play(&mv.output)?.position;
                Checked::Legal(format!("{side} plays {}\n{}{}", mv.described, after.picture(), after.standing()))
            }
        }))
    }
}

/// A position: its state, and what the rules say of it.
#[derive(Clone)]
struct ProgramPosition {
    rules: &'static ProgramRules,
    state: String,
    /// The state before and the move that led here, if they are known.
    before: Option<(String, String)>,
    view: View,
}

fn named(mv: &str) -> AnyMove {
    AnyMove { output: mv.to_string(), described: plain::shown(mv) }
}

/// Points as a score.
fn score_of(points: f64) -> Score {
    points.round().clamp(-f64::from(MAX_ESTIMATE), f64::from(MAX_ESTIMATE)) as Score
}

fn side_of(index: usize) -> Side {
    Side::BOTH[index.min(1)]
}

impl ProgramPosition {
    /// The position as the searches take it.
    fn shared(&self) -> Position {
        Arc::new(self.clone())
    }

    /// The move that led here, if it is known.
    fn last(&self) -> Option<&str> {
        self.before.as_ref().map(|(_, mv)| mv.as_str())
    }

    /// Checks that another process agrees on what is known of this position, and on the move that
    /// led here.
    fn confirm(&self, anew: &RulesProgram) -> Result<()> {
        anew.confirm_view(&self.state, &self.view)?;
        self.before.as_ref().map_or(Ok(()), |(before, mv)| anew.confirm_play(before, mv, &self.state))
    }

    /// Checks the refusal of an output file before its player is blamed: a new process has to agree
    /// on it and on this position, and no legal move may be written as this file.
    fn confirm_refusal(&self, output: &str, found: &Result<String, Violation>) -> Result<()> {
        let anew = self.rules.program.anew();
        anew.confirm_read(&self.state, output, found)?;
        self.confirm(&anew)?;
        let writes = |mv: &&String| anew.write(&self.state, mv).is_ok_and(|written| written == output);
        match self.view.moves.iter().take(MOST_WRITTEN).find(writes) {
            None => Ok(()),
            Some(mv) => {
                let why = format!("it refused what it writes for the legal move '{}'", plain::shown(mv));
                Err(anew.misread(&self.state, output, &why))
            }
        }
    }

    fn drawing(&self) -> Option<Drawing> {
        let squares = self.rules.program.draw(&self.state, self.last()).ok()??;
        let text = |row: &Vec<String>| row.iter().map(|cell| cell.chars().next().unwrap_or('.')).collect::<String>();
        let lines: Vec<String> = squares.cells.iter().map(text).collect();
        let mut drawing = Drawing::of_text(&lines.join("\n"), self.rules.sides)?;
        (drawing.columns, drawing.rows, drawing.changed) = (squares.columns, squares.rows, squares.last);
        if self.rules.sides[0].eq_ignore_ascii_case("white") || self.rules.sides[1].eq_ignore_ascii_case("black") {
            drawing.figures = [Figure::LightStone, Figure::DarkStone];
        }
        Some(drawing)
    }

    /// The results of random games after each legal move, for an effort of an analysis.
    fn tried(&self, effort: Effort) -> Result<(Vec<Tried>, u32)> {
        let nodes = match effort {
            Effort::Nodes(nodes) => nodes,
            Effort::Time(_) => GAMES.end() * POSITIONS_A_GAME,
        };
        let games = (nodes / POSITIONS_A_GAME).clamp(*GAMES.start(), *GAMES.end()) as u32;
        Ok((monte_carlo(&self.shared(), games, &mut generator(u64::from(games), Purpose::Players, 0))?, games))
    }

    fn index_of(&self, mv: &str) -> Result<usize> {
        self.view.moves.iter().position(|known| known == mv).with_context(|| format!("'{mv}' is not a legal move"))
    }
}

/// Winning chances, from -1 to 1 and to four decimals, of a mean result.
fn chance(mean: f64) -> f64 {
    ((2.0 * mean - 1.0) * 1e4).round() / 1e4
}

impl AnyPosition for ProgramPosition {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn side_to_move(&self) -> Side {
        side_of(self.view.turn)
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = self.view.over.as_ref()?;
        let winner = over.winner.map(side_of);
        // A difference that is no whole number, or belongs to another result, is not told as one.
        if let Some(points) = over.points.filter(|points| points.fract() == 0.0 && points.abs() < 1e5)
            && Outcome::Margin(points as i32).winner() == winner
        {
            return Some(Outcome::Margin(points as i32));
        }
        Some(winner.map_or(Outcome::Draw, Outcome::Win))
    }

    fn why_over(&self) -> Option<String> {
        self.view.over.as_ref().map(|over| plain::shown(&over.why)).filter(|why| !why.is_empty())
    }

    fn wins_by_time(&self) -> Option<Side> {
        self.view.over.as_ref().filter(|over| over.winner.is_none())?.by_time.map(side_of)
    }

    fn standing(&self) -> String {
        standing_of(self.rules.sides, self.side_to_move(), self.outcome())
    }

    fn picture(&self) -> String {
        let text = plain::lines(&self.view.board);
        format!("{}\n", text.trim_end_matches('\n'))
    }

    fn board(&self) -> Board {
        Board { picture: self.picture(), drawing: self.drawing() }
    }

    fn board_after(&self, mv: &str) -> Result<Board> {
        Ok(self.after(mv)?.board())
    }

    fn legal_moves(&self) -> Vec<AnyMove> {
        self.view.moves.iter().map(|mv| named(mv)).collect()
    }

    fn legal_count(&self) -> usize {
        self.view.moves.len()
    }

    fn by_agents_rules(&self) -> Result<Position> {
        Ok(self.shared())
    }

    fn choose_move(&self, choose: &mut dyn FnMut(usize) -> usize) -> Result<Option<AnyMove>> {
        let moves = &self.view.moves;
        Ok((!moves.is_empty()).then(|| named(&moves[choose(moves.len())])))
    }

    fn after_index(&self, index: usize) -> Result<Position> {
        self.after(&self.view.moves[index])
    }

    fn read_move(&self, output: &str) -> Result<Result<AnyMove, Violation>> {
        let program = self.rules.program;
        let found = program.read(&self.state, output)?;
        match &found {
            Ok(mv) if self.view.moves.contains(mv) => {}
            Ok(mv) => {
                let why = format!("it read the move '{}', which is none of its legal moves", plain::shown(mv));
                return Err(program.misread(&self.state, output, &why));
            }
            Err(_) => self.confirm_refusal(output, &found)?,
        }
        Ok(found.map(|mv| named(&mv)))
    }

    fn after(&self, mv: &str) -> Result<Position> {
        self.index_of(mv)?;
        self.rules.position(self.rules.program.play(&self.state, mv)?, Some((self.state.clone(), mv.to_string())))
    }

    fn play(&self, mv: &str) -> Result<Played> {
        Ok(Played { mv: named(mv), position: self.after(mv)? })
    }

    fn suits_every_grader(&self, _: &str) -> bool {
        true
    }

    fn input_beside(&self, control: TimeControl, clock: Duration, others: Duration) -> Result<String> {
        let [own, others] = [clock, others].map(|time| time.as_secs_f64());
        let clocks = if self.side_to_move() == Side::First { [own, others] } else { [others, own] };
        self.rules.program.task(&self.state, clocks, control == TimeControl::Single)
    }

    fn recorded(&self) -> Result<Option<RecordedPosition>> {
        self.rules.program.recorded(&self.state, self.last()).map(Some)
    }

    fn stored(&self, _: TimeControl, _: Duration) -> Result<String> {
        Ok(self.state.clone())
    }

    fn perft(&self, depth: u32) -> Result<u64> {
        match depth {
            0 => Ok(1),
            1 => Ok(self.view.moves.len() as u64),
            _ => (0..self.view.moves.len())
                .try_fold(0, |sum, index| Ok(sum + self.after_index(index)?.perft(depth - 1)?)),
        }
    }

    fn greedy(&self) -> Result<Option<AnyMove>> {
        if self.view.value.is_none() {
            return Ok(None);
        }
        Ok(Some(search_to_depth(&self.shared(), 1, false, &estimate)?.0))
    }

    fn search(&self, algorithm: &str, depth: Option<u32>, _: (TimeControl, Duration)) -> Result<Searched> {
        let name = &self.rules.program.name;
        ensure!(
            self.view.value.is_some(),
            "reference:{algorithm}: the rules of {name} have no 'value' to search by; reference:mcts:N needs none"
        );
        let depth = depth.unwrap_or(1);
        let (best, value) = search_to_depth(&self.shared(), depth, algorithm != "minimax", &estimate)?;
        Ok(Searched { best, score: Some(score_of(value)), depth: Some(depth) })
    }

    fn rate_moves(&self, effort: Effort) -> Result<(Vec<RatedMove<AnyMove>>, u32)> {
        let (tried, _) = self.tried(effort)?;
        let mut rated: Vec<RatedMove<AnyMove>> = (self.legal_moves().into_iter().zip(tried))
            .map(|(mv, tried)| RatedMove { mv, score: None, chance: chance(tried.mean()), truth: None })
            .collect();
        rated.sort_by(|one, other| other.chance.total_cmp(&one.chance));
        Ok((rated, 1))
    }

    fn terms(&self) -> Vec<(&'static str, Score)> {
        Vec::new()
    }

    fn think(&self, nodes: u64) -> Result<AnyMove> {
        let (tried, _) = self.tried(Effort::Nodes(nodes))?;
        let best = (0..tried.len()).max_by_key(|&index| tried[index].games).context("a position without a move")?;
        Ok(named(&self.view.moves[best]))
    }

    fn analyse(&self, mv: &str, effort: Effort) -> Result<Finding> {
        let played = self.index_of(mv)?;
        let (tried, games) = self.tried(effort)?;
        let best = (0..tried.len()).max_by_key(|&index| tried[index].games).unwrap_or(played);
        // The move played gets as many games as the best one: few began with it if it looked bad.
        let after = self.after(mv)?;
        let own = match after.outcome() {
            Some(outcome) => outcome.winner().map_or(0.5, |winner| f64::from(u8::from(winner == self.side_to_move()))),
            None => {
                let random = &mut generator(u64::from(games), Purpose::Players, 1);
                let replies = monte_carlo(&after, tried[best].games.max(*GAMES.start() as u32), random)?;
                let (games, result) =
                    replies.iter().fold((0, 0.0), |(games, sum), reply| (games + reply.games, sum + reply.result));
                let mover = result / f64::from(games.max(1));
                if after.side_to_move() == self.side_to_move() { mover } else { 1.0 - mover }
            }
        };
        let best_mean = if best == played { own } else { tried[best].mean() };
        let (best, best_mean) = if own > best_mean { (played, own) } else { (best, best_mean) };
        let mut finding = Finding {
            best: self.view.moves[best].clone(),
            line: vec![self.view.moves[best].clone()],
            reply: None,
            reply_line: Vec::new(),
            score: None,
            best_score: None,
            chance: chance(own),
            best_chance: chance(best_mean),
            mark: None,
            proven: false,
            before: None,
            after: None,
            source: None,
            choices: self.view.moves.len() as u32,
            depth: 1,
            effort,
        };
        finding.mark = Mark::of_drop(finding.drop()).filter(|_| best != played && tried.len() > 1);
        Ok(finding)
    }

    fn estimate(&self, _: Effort) -> Result<(Score, u32)> {
        let value = self.view.value.context("the rules have no 'value'")?;
        Ok((score_of(value), 0))
    }

    fn better(&self, mv: &str, finding: &Finding) -> Option<Better> {
        if finding.best == mv {
            return None;
        }
        let board = self.board_after(&finding.best).ok()?;
        let (mv, side) = (plain::shown(&finding.best), self.view.turn);
        let step = crate::analysis::better::Step { mv, side, drawing: board.drawing, picture: board.picture };
        Some(Better { line: vec![step], reply: None, why: Vec::new() })
    }
}

/// The rules' own estimate for the side to move.
fn estimate(position: &Position) -> Result<f64> {
    let own = position.as_any().downcast_ref::<ProgramPosition>();
    own.and_then(|position| position.view.value).context("the rules have no 'value' for a position of the search")
}
