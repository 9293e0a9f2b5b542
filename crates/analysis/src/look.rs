//! One position and the move that was played in it: what the search and the game's own proofs say of both.

use crate::finding::{Effort, Finding, Mark, Truth};
use engine::clock::{Clock, NoClock};
use engine::score::{Score, WIN, distance_to_end, outcome_score};
use engine::search::{Limits, Mode, NoControl, Report, Searcher};
use engine::think::{Listener, Settings, think_aloud};
use engine::{Curve, Outcome, Playable, Proven, Side, Task, TimeControl};
use std::time::Duration;

/// The size of the transposition table for an effort of time, in MiB.
const TIMED_HASH: u32 = 64;
/// Nodes that a MiB of the transposition table is for.
const NODES_A_MIB: u64 = 20_000;
/// The most moves of a line that follows proofs.
const PROVEN_LINE: usize = 8;

/// The last finished iteration of a search, and the time at which it ends.
struct LastIteration<'a, M> {
    report: Option<Report<M>>,
    end: Option<Duration>,
    clock: &'a dyn Clock,
}

impl<M: Clone> Listener<M> for LastIteration<'_, M> {
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
            // The number of nodes says that no clock counts; the listener ends the search.
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

/// A search of these moves alone, to a depth, in a table of its own.
pub fn search_among<A: Playable>(position: &A, moves: &[A::Move], depth: u32, effort: Effort) -> Report<A::Move> {
    let table = (effort.hash_mib() as usize) << 20;
    let limits = Limits { depth: depth.max(1), ..Limits::default() };
    let found = Searcher::new(A::knowledge(), Mode::Selective, table).run_among(
        &A::as_searched(position),
        moves,
        limits,
        &mut NoControl,
    );
    found.expect("there is a move to search")
}

/// What thinking about a position finds: the last finished iteration, or a search as deep of the move that the game itself
/// advises. The position is not finished. The clock counts for an effort of time alone.
pub fn best_of<A: Playable>(position: &A, effort: Effort, clock: &dyn Clock) -> Report<A::Move> {
    let task = Task { position: position.clone(), control: TimeControl::Single, clock: Duration::from_secs(1) };
    let settings = Settings { hash_mib: Some(effort.hash_mib()), ..Settings::with_nodes(effort.nodes()) };
    let mut last = LastIteration { report: None, end: effort.end(clock), clock };
    let thought = think_aloud(&task, &settings, &NoClock, &mut last);
    if thought.search.is_some() {
        return last.report.unwrap_or_else(|| search_among(position, &[thought.best], 1, effort));
    }
    // The only move, or one that the game knows: its score is a search's like all others.
    let limits = Limits { nodes: effort.nodes().min(ADVISED_NODES), ..Limits::default() };
    let searcher = &mut Searcher::new(A::knowledge(), Mode::Selective, (effort.hash_mib() as usize) << 20);
    let found = searcher.run_among(&A::as_searched(position), &[thought.best], limits, &mut NoControl);
    let depth = found.map_or(1, |report| report.depth);
    search_among(position, &[thought.best], depth, effort)
}

/// The most nodes of a search for the score of a move that is known without one.
const ADVISED_NODES: u64 = 1_000_000;

/// The proven result of a position, finished or not.
pub fn truth<A: Playable>(position: &A) -> Option<Proven<A::Move>> {
    match position.outcome() {
        Some(outcome) => Some(Proven { outcome, plies: Some(0), best: None, source: "the rules" }),
        None => A::proven(position),
    }
}

/// What is known of the value of a position or a move, for one side.
#[derive(Clone, Copy)]
struct Worth {
    score: Option<Score>,
    chance: f64,
    truth: Option<Truth>,
}

impl Worth {
    /// A proven result, `plies` moves later.
    fn proven<M>(proven: &Proven<M>, view: Side, plies: u32) -> Worth {
        let truth = Truth::of(proven.outcome, view);
        let score = match (proven.outcome, proven.plies) {
            (Outcome::Draw | Outcome::Margin(_), _) => Some(outcome_score(proven.outcome, view, 0)),
            (Outcome::Win(_), Some(more)) => Some(outcome_score(proven.outcome, view, more + plies)),
            (Outcome::Win(_), None) => None,
        };
        Worth { score, chance: truth.chance(), truth: Some(truth) }
    }

    /// What a search found. A forced win or loss that it followed to the end is proven as well.
    fn searched<M>(report: &Report<M>, curve: Curve, view: Side) -> Worth {
        let forced = report.proven && distance_to_end(report.score).is_some();
        let truth = forced.then_some(if report.score > 0 { Truth::Win } else { Truth::Loss });
        let chance = curve.chance(curve.levelled(report.score, report.depth), view);
        Worth { score: Some(report.score), chance, truth }
    }
}

/// Looks at a position that is not finished and at a legal move that was played in it. The clock counts for an effort of
/// time alone.
pub fn look<A: Playable>(position: &A, played: A::Move, effort: Effort, clock: &dyn Clock) -> Finding {
    let side = position.side_to_move();
    let curve = A::curve();
    let after = after(position, played);
    let (proof, proof_after) = (truth(position), truth(&after));
    let found = best_of(position, effort, clock);
    let tried =
        if played == found.best { found.clone() } else { search_among(position, &[played], found.depth, effort) };
    let (mut best, mut line) = (found.best, found.line.clone());
    let mut best_worth = Worth::searched(&found, curve, side);
    let mut worth = Worth::searched(&tried, curve, side);
    let mut source = None;
    if let (Some(proof), Some(proof_after)) = (&proof, &proof_after) {
        best_worth = Worth::proven(proof, side, 0);
        worth = Worth::proven(proof_after, side, 1);
        source = Some(if proof_after.source == "the rules" { proof.source } else { proof_after.source }.to_string());
        (best, line) = sound_line(position, proof, &found, (played, proof_after));
    } else {
        best_worth.truth = proof.as_ref().map(|proof| Truth::of(proof.outcome, side)).or(best_worth.truth);
        worth.truth = proof_after.as_ref().map(|proof| Truth::of(proof.outcome, side)).or(worth.truth);
        // What is lost before the move is lost after it, and what is won after it was won before.
        if best_worth.truth == Some(Truth::Loss) {
            worth.truth = Some(Truth::Loss);
        }
        if worth.truth == Some(Truth::Win) {
            best_worth.truth = Some(Truth::Win);
        }
        if let [Some(before), Some(after)] = [best_worth.truth, worth.truth] {
            (best_worth.chance, worth.chance) = (before.chance(), after.chance());
        } else if worth.score > best_worth.score {
            // Searched alone, the move played looks better than what was chosen.
            (best, line, best_worth) = (played, tried.line.clone(), Worth { truth: best_worth.truth, ..worth });
        }
    }
    let proven = best_worth.truth.is_some() && worth.truth.is_some();
    let choices = position.legal_moves().len() as u32;
    let mut finding = Finding {
        best: position.write_move(best),
        line: written(position, &line),
        reply: tried.line.get(1).filter(|_| after.outcome().is_none()).map(|&mv| after.write_move(mv)),
        score: worth.score,
        best_score: best_worth.score,
        chance: rounded(worth.chance),
        best_chance: rounded(best_worth.chance),
        mark: None,
        proven,
        before: best_worth.truth,
        after: worth.truth,
        source: source.filter(|_| proven).or(proven.then(|| "search to the end".to_string())),
        choices,
        depth: found.depth,
        effort,
    };
    finding.mark = mark(&finding, choices > 1 && best != played, proof.map(|proof| proof.outcome));
    finding
}

/// The mark of a move. In games that count points, a proven loss of points alone is an inaccuracy.
fn mark(finding: &Finding, had_better: bool, outcome: Option<Outcome>) -> Option<Mark> {
    let by_chances = Mark::of_drop(finding.drop()).filter(|_| had_better);
    let counts_points = matches!(outcome, Some(Outcome::Margin(_)));
    by_chances.or((had_better && counts_points && finding.points_lost() > 0).then_some(Mark::Inaccuracy))
}

/// A best move of a position whose result is proven, and the line after it: the move played if it keeps the result, else
/// the search's choice if that does, else one that the proofs know.
fn sound_line<A: Playable>(
    position: &A,
    proof: &Proven<A::Move>,
    found: &Report<A::Move>,
    (played, proof_after): (A::Move, &Proven<A::Move>),
) -> (A::Move, Vec<A::Move>) {
    if proof_after.outcome == proof.outcome {
        return if found.best == played { (played, found.line.clone()) } else { (played, vec![played]) };
    }
    let keeps = |&mv: &A::Move| truth(&after(position, mv)).is_some_and(|proven| proven.outcome == proof.outcome);
    let candidates = [Some(found.best), proof.best].into_iter().flatten().chain(position.legal_moves());
    let best = candidates.into_iter().find(|mv| keeps(mv)).unwrap_or(found.best);
    let mut line = vec![best];
    let mut at = after(position, best);
    while line.len() < PROVEN_LINE
        && let Some(next) = truth(&at).and_then(|proven| proven.best)
    {
        line.push(next);
        at = after(&at, next);
    }
    (best, line)
}

/// The position after a move.
pub fn after<A: Playable>(position: &A, mv: A::Move) -> A {
    let mut next = position.clone();
    next.play(mv);
    next
}

/// A line of moves as output files. A line ends where a move is not legal: a search may give the opponent more than the
/// rules do.
fn written<A: Playable>(position: &A, line: &[A::Move]) -> Vec<String> {
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

/// Chances to four decimals, as files have them.
fn rounded(chance: f64) -> f64 {
    (chance * 1e4).round() / 1e4
}

/// A legal move, how good it is, and where that is known from.
#[derive(Clone, Debug)]
pub struct Choice<M> {
    /// The move.
    pub mv: M,
    /// Its score for the side that makes it.
    pub score: Option<Score>,
    /// The winning chances after it, from -1 to 1.
    pub chance: f64,
    /// Its proven result.
    pub truth: Option<Truth>,
}

/// Every legal move of a position with its worth, the best first; each is searched alone, to the depth that the effort
/// reaches for all of them together. Second is that depth, in plies.
pub fn choices<A: Playable>(position: &A, effort: Effort, clock: &dyn Clock) -> (Vec<Choice<A::Move>>, u32) {
    let side = position.side_to_move();
    let curve = A::curve();
    let depth = best_of(position, effort, clock).depth;
    let mut choices: Vec<Choice<A::Move>> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let worth = match truth(&after(position, mv)) {
                Some(proven) => Worth::proven(&proven, side, 1),
                None => Worth::searched(&search_among(position, &[mv], depth, effort), curve, side),
            };
            Choice { mv, score: worth.score, chance: worth.chance, truth: worth.truth }
        })
        .collect();
    let order = |choice: &Choice<A::Move>| {
        let score = choice.score.or(choice.truth.map(|truth| (truth as i32 - 1) * (WIN / 2)));
        std::cmp::Reverse(((choice.chance * 1e6) as i64, score))
    };
    choices.sort_by_key(order);
    (choices, depth)
}
