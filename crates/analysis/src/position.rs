//! The analysis of a move by the search and by the game's proven results.

use crate::finding::{Effort, Finding, Mark, ProvenResult};
use engine::clock::{Clock, NoClock};
use engine::score::{Score, WIN, distance_to_end, outcome_score};
use engine::search::{Limits, Mode, Observer, Report, Searcher};
use engine::think::{Settings, default_knowledge, think_observed};
use engine::{Curve, Explain, Outcome, Proven, Side, Task};
use std::time::Duration;

/// MiB of transposition table for an effort in time.
const TIMED_HASH: u32 = 64;
const NODES_A_MIB: u64 = 20_000;
const MAX_PROVEN_LINE: usize = 8;

/// Keeps the last finished iteration, and stops the search at the CPU time `end`.
struct LastIteration<'a, M> {
    report: Option<Report<M>>,
    end: Option<Duration>,
    clock: &'a dyn Clock,
}

impl<M: Clone> Observer<M> for LastIteration<'_, M> {
    fn iteration(&mut self, report: &Report<M>) {
        self.report = Some(report.clone());
    }

    fn wants_stop(&mut self) -> bool {
        self.end.is_some_and(|end| self.clock.used() >= end)
    }
}

impl Effort {
    fn nodes(self) -> u64 {
        match self {
            Effort::Nodes(nodes) => nodes,
            // A number of nodes turns the search's own clock off; the observer stops the search.
            Effort::Time(_) => u64::MAX,
        }
    }

    fn hash_mib(self) -> u32 {
        match self {
            Effort::Nodes(nodes) => (nodes / NODES_A_MIB).clamp(1, u64::from(TIMED_HASH)) as u32,
            Effort::Time(_) => TIMED_HASH,
        }
    }

    fn end(self, clock: &dyn Clock) -> Option<Duration> {
        match self {
            Effort::Nodes(_) => None,
            Effort::Time(seconds) => Some(clock.used() + Duration::from_secs_f64(seconds)),
        }
    }
}

/// Searches one move within limits, with a new transposition table.
fn search_one<A: Explain>(
    position: &A,
    mv: A::Move,
    limits: Limits,
    effort: Effort,
) -> Option<Report<A::Move>> {
    let table = (effort.hash_mib() as usize) << 20;
    Searcher::new(default_knowledge::<A>(), Mode::Selective, table).run_among(
        &A::as_searched(position),
        &[mv],
        limits,
        &mut (),
    )
}

fn search_alone<A: Explain>(
    position: &A,
    mv: A::Move,
    depth: u32,
    effort: Effort,
) -> Report<A::Move> {
    let limits = Limits { depth: depth.max(1), ..Limits::default() };
    search_one(position, mv, limits, effort).expect("there is a move to search")
}

/// The best move of an unfinished position with its score. A move that the game advises is searched
/// alone. `clock` is used for an effort in time.
pub fn best_of<A: Explain>(position: &A, effort: Effort, clock: &dyn Clock) -> Report<A::Move> {
    let task = Task::single(position.clone());
    let settings =
        Settings { hash_mib: Some(effort.hash_mib()), ..Settings::with_nodes(effort.nodes()) };
    let mut last = LastIteration { report: None, end: effort.end(clock), clock };
    let thought = think_observed(&task, &settings, &NoClock, &mut last);
    if thought.search.is_some() {
        return last.report.unwrap_or_else(|| search_alone(position, thought.best, 1, effort));
    }
    // The only legal move, or one advised by the game: a search of it gives the score.
    let limits = Limits { nodes: effort.nodes().min(ADVISED_NODES), ..Limits::default() };
    let depth = search_one(position, thought.best, limits, effort).map_or(1, |found| found.depth);
    search_alone(position, thought.best, depth, effort)
}

/// The most nodes of a search for the score of a known move.
const ADVISED_NODES: u64 = 1_000_000;

fn proven_result<A: Explain>(position: &A) -> Option<Proven<A::Move>> {
    match position.outcome() {
        Some(outcome) => Some(Proven { outcome, plies: Some(0), best: None, source: "the rules" }),
        None => A::proven(position),
    }
}

#[derive(Clone, Copy)]
struct Value {
    score: Option<Score>,
    chance: f64,
    truth: Option<ProvenResult>,
}

impl Value {
    fn proven<M>(proven: &Proven<M>, view: Side, plies: u32) -> Value {
        let truth = ProvenResult::of(proven.outcome, view);
        let plies = match proven.outcome {
            Outcome::Draw | Outcome::Margin(_) => Some(0),
            Outcome::Win(_) => proven.plies.map(|more| more + plies),
        };
        let score = plies.map(|plies| outcome_score(proven.outcome, view, plies));
        Value { score, chance: truth.chance(), truth: Some(truth) }
    }

    /// With the distance to the end that a search sees, where a proof of a win or loss has none.
    fn or_end_of(self, searched: Value) -> Value {
        let is_end = |score: &Score| {
            let truth = if *score > 0 { ProvenResult::Win } else { ProvenResult::Loss };
            distance_to_end(*score).is_some() && self.truth == Some(truth)
        };
        Value { score: self.score.or(searched.score.filter(is_end)), ..self }
    }

    /// A win or loss that the search followed to the end counts as proven.
    fn searched<M>(report: &Report<M>, curve: Curve, view: Side) -> Value {
        let forced = report.proven && distance_to_end(report.score).is_some();
        let truth =
            forced.then_some(if report.score > 0 { ProvenResult::Win } else { ProvenResult::Loss });
        let chance = curve.chance(curve.levelled(report.score, report.depth), view);
        Value { score: Some(report.score), chance, truth }
    }
}

/// Analyses a move in an unfinished position. `clock` is used for an effort in time.
pub fn analyse<A: Explain>(
    position: &A,
    played: A::Move,
    effort: Effort,
    clock: &dyn Clock,
) -> Finding {
    let side = position.side_to_move();
    let curve = A::curve();
    let after = position.after(played);
    let (proof, proof_after) = (proven_result(position), proven_result(&after));
    let found = best_of(position, effort, clock);
    let tried = if played == found.best {
        found.clone()
    } else {
        search_alone(position, played, found.depth, effort)
    };
    let (mut best, mut line) = (found.best, found.line.clone());
    let mut best_value = Value::searched(&found, curve, side);
    let mut value = Value::searched(&tried, curve, side);
    let mut source = None;
    if let (Some(proof), Some(proof_after)) = (&proof, &proof_after) {
        best_value = Value::proven(proof, side, 0).or_end_of(best_value);
        value = Value::proven(proof_after, side, 1).or_end_of(value);
        let by_rules = after.outcome().is_some();
        source = Some(if by_rules { proof.source } else { proof_after.source }.to_string());
        (best, line) = proven_line(position, proof, &found, (played, proof_after));
    } else {
        for (value, proof) in [(&mut best_value, &proof), (&mut value, &proof_after)] {
            let proven = proof.as_ref().map(|proof| ProvenResult::of(proof.outcome, side));
            value.truth = proven.or(value.truth);
        }
        // A position that is lost stays lost after any move, and one that is won after a move was
        // won before.
        if best_value.truth == Some(ProvenResult::Loss) {
            value.truth = Some(ProvenResult::Loss);
        }
        if value.truth == Some(ProvenResult::Win) {
            best_value.truth = Some(ProvenResult::Win);
        }
        if let [Some(before), Some(after)] = [best_value.truth, value.truth] {
            (best_value.chance, value.chance) = (before.chance(), after.chance());
            // An estimate says nothing of a proven result.
            for value in [&mut best_value, &mut value] {
                value.score = value.score.filter(|&score| distance_to_end(score).is_some());
            }
        } else if value.score > best_value.score {
            // Searched alone, the move played scores higher than the search's choice.
            (best, line, best_value) =
                (played, tried.line.clone(), Value { truth: best_value.truth, ..value });
        }
    }
    let proven = best_value.truth.is_some() && value.truth.is_some();
    let choices = position.legal_moves().len() as u32;
    let replies = tried.line.get(1..).unwrap_or_default();
    let reply_line = match &proof_after {
        Some(proof) if best != played && source.is_some() => {
            line_texts(&after, &sound_line(&after, proof, replies))
        }
        _ => line_texts(&after, replies),
    };
    let mut finding = Finding {
        best: position.write_move(best),
        line: line_texts(position, &line),
        reply: reply_line.first().cloned(),
        reply_line,
        score: value.score,
        best_score: best_value.score,
        chance: rounded(value.chance),
        best_chance: rounded(best_value.chance),
        mark: None,
        proven,
        before: best_value.truth,
        after: value.truth,
        source: source.filter(|_| proven).or(proven.then(|| "search to the end".to_string())),
        choices,
        depth: found.depth,
        effort,
    };
    let had_better = choices > 1 && best != played;
    finding.mark = mark(&finding, curve, had_better, proof.map(|proof| proof.outcome));
    finding
}

/// A line of a proven position: the search's moves as long as they keep the result, and then those
/// of the proofs; where points are counted, to the end of the game.
fn sound_line<A: Explain>(
    position: &A,
    proof: &Proven<A::Move>,
    found: &[A::Move],
) -> Vec<A::Move> {
    let is_kept = |position: &A| {
        proven_result(position).is_some_and(|proven| proven.outcome == proof.outcome)
    };
    let counts_points = matches!(proof.outcome, Outcome::Margin(_));
    let (mut at, mut line) = (position.clone(), Vec::new());
    for &mv in found {
        if at.outcome().is_some() || !at.is_legal(mv) || !is_kept(&at.after(mv)) {
            break;
        }
        line.push(mv);
        at.play(mv);
    }
    while (counts_points || line.len() < MAX_PROVEN_LINE)
        && let Some(next) = proven_result(&at).and_then(|proven| proven.best)
    {
        line.push(next);
        at.play(next);
    }
    line
}

/// In games that count points, a proven loss of points that keeps the result weighs as in an even
/// game, and is an inaccuracy at least.
fn mark(
    finding: &Finding,
    curve: Curve,
    had_better: bool,
    outcome: Option<Outcome>,
) -> Option<Mark> {
    if !had_better {
        return None;
    }
    let counts_points = matches!(outcome, Some(Outcome::Margin(_)));
    let lost = if counts_points { finding.points_lost() } else { 0 };
    let even = Curve { first: 0.0, ..curve };
    let by_points = Mark::of_drop(-even.chance(-lost, Side::First)).unwrap_or(Mark::Inaccuracy);
    Mark::of_drop(finding.drop()).max((lost > 0).then_some(by_points))
}

/// A best move of a proven position and its line: the move played if it keeps the result, else the
/// search's choice, else a move with a proof.
fn proven_line<A: Explain>(
    position: &A,
    proof: &Proven<A::Move>,
    found: &Report<A::Move>,
    (played, proof_after): (A::Move, &Proven<A::Move>),
) -> (A::Move, Vec<A::Move>) {
    if proof_after.outcome == proof.outcome {
        let line = if found.best == played { found.line.clone() } else { vec![played] };
        return (played, line);
    }
    let keeps = |&mv: &A::Move| {
        proven_result(&position.after(mv)).is_some_and(|proven| proven.outcome == proof.outcome)
    };
    let candidates =
        [Some(found.best), proof.best].into_iter().flatten().chain(position.legal_moves());
    let best = candidates.into_iter().find(|mv| keeps(mv)).unwrap_or(found.best);
    let line = if best == found.best { &found.line[..] } else { &[best] };
    (best, sound_line(position, proof, line))
}

/// A line as output files, up to the first illegal move: a search may allow more than the rules
/// ([`engine::Playable::as_searched`]).
fn line_texts<A: Explain>(position: &A, line: &[A::Move]) -> Vec<String> {
    let mut at = position.clone();
    let mut texts = Vec::new();
    for &mv in line {
        if at.outcome().is_some() || !at.is_legal(mv) {
            break;
        }
        texts.push(at.write_move(mv));
        at.play(mv);
    }
    texts
}

fn rounded(chance: f64) -> f64 {
    (chance * 1e4).round() / 1e4
}

/// A legal move with its value.
#[derive(Clone, Debug)]
pub struct RatedMove<M> {
    /// The move.
    pub mv: M,
    /// The score for the side that makes the move.
    pub score: Option<Score>,
    /// The winning chances after it, from -1 to 1.
    pub chance: f64,
    /// The proven result of the move.
    pub truth: Option<ProvenResult>,
}

/// Every legal move with its value, the best first, and the depth in plies: each is searched alone
/// to the depth that a search of all reaches.
pub fn rate_moves<A: Explain>(
    position: &A,
    effort: Effort,
    clock: &dyn Clock,
) -> (Vec<RatedMove<A::Move>>, u32) {
    let side = position.side_to_move();
    let curve = A::curve();
    let depth = best_of(position, effort, clock).depth;
    let mut choices: Vec<RatedMove<A::Move>> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let value = match proven_result(&position.after(mv)) {
                Some(proven) => Value::proven(&proven, side, 1),
                None => Value::searched(&search_alone(position, mv, depth, effort), curve, side),
            };
            RatedMove { mv, score: value.score, chance: value.chance, truth: value.truth }
        })
        .collect();
    let order = |choice: &RatedMove<A::Move>| {
        let score = choice.score.or(choice.truth.map(|truth| (truth as i32 - 1) * (WIN / 2)));
        std::cmp::Reverse(((choice.chance * 1e6) as i64, score))
    };
    choices.sort_by_key(order);
    (choices, depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Game, Protocol, RuleSet};

    #[test]
    fn proven_points_weigh_as_in_an_even_game_and_estimates_are_no_points() {
        let finding = |best: Score, score: Score| Finding {
            score: Some(score),
            best_score: Some(best),
            proven: true,
            ..Finding::of_best(String::new(), 2, Effort::Nodes(1))
        };
        let curve = Curve { points: 20.0, first: 0.5, tempo: 0.0 };
        let marked = |lost: Score, outcome: Outcome| {
            mark(&finding(100, 100 - lost), curve, true, Some(outcome))
        };
        for (lost, expected) in [
            (0, None),
            (1, Some(Mark::Inaccuracy)),
            (10, Some(Mark::Mistake)),
            (44, Some(Mark::Blunder)),
        ] {
            assert_eq!(marked(lost, Outcome::Margin(3)), expected, "{lost}");
            assert_eq!(marked(lost, Outcome::Win(Side::First)), None, "{lost}");
        }
        assert_eq!(finding(WIN - 5, WIN - 9).points_lost(), 0, "plies are no points");
    }

    #[test]
    fn a_loss_that_a_search_proves_has_no_estimate_beside_it() {
        let input =
            "GAME\nFOX\n99\n##SSS##\n##SSS##\n...SS..\n....FF.\nS.....S\n##S.S##\n##SSS##\n";
        let rules = <foxgame::Position as Protocol>::Rules::AGENT;
        let position = foxgame::Position::read_task(input, rules).unwrap().position;
        let found: Vec<Finding> = position
            .legal_moves()
            .into_iter()
            .map(|mv| analyse(&position, mv, Effort::Nodes(2_000), &NoClock))
            .filter(|found| found.proven)
            .collect();
        let is_estimate =
            |score: Option<Score>| score.is_some_and(|score| distance_to_end(score).is_none());
        assert!(!found.is_empty());
        for found in found {
            assert!(!is_estimate(found.score) && !is_estimate(found.best_score), "{found:?}");
        }
    }

    #[test]
    fn the_lines_after_a_proven_loss_of_points_end_with_the_points() {
        let input = "SINGLE\nX\n5\n20 16 1 32 30\n20 12 2 11 8\n28 48 9 1 1\n20 12 10 6 2\n\
                     25 30 23 21 10\nO***X\nXO***\nOX***\nXX***\nOXXOX\n";
        let rules = <squirrels::Position as Protocol>::Rules::AGENT;
        let position = squirrels::Position::read_task(input, rules).unwrap().position;
        let end = |mv: Option<_>, line: &[String]| {
            let mut at = mv.map_or(position.clone(), |mv| position.after(mv));
            line.iter().for_each(|text| at = at.after(at.read_move(text).unwrap()));
            at.outcome()
        };
        let mut marked = 0;
        for mv in position.legal_moves() {
            let found = analyse(&position, mv, Effort::Nodes(20), &NoClock);
            if found.mark.is_some() {
                marked += 1;
                assert_eq!(end(None, &found.line), found.best_score.map(Outcome::Margin));
                assert_eq!(end(Some(mv), &found.reply_line), found.score.map(Outcome::Margin));
            }
        }
        assert!(marked > 3, "{marked}");
    }
}
