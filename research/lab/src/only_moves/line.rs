//! A puzzle: a position with an only move, and the only moves that follow the best answers.

use super::proof::{OnlyMove, Prover, Refuted, amount, is_over};
use super::sources::Source;
use super::themes::themes;
use engine::score::distance_to_end;
use engine::{Side, Task, TimeControl};
use serde_json::{Value, json};
use std::time::Duration;

/// The most moves that a solver has to find.
const MOST_STEPS: usize = 4;
/// The clock in the file of a position, in seconds: the page asks for one, and nothing depends on
/// it.
const CLOCK: Duration = Duration::from_secs(600);

/// A puzzle.
pub(crate) struct Puzzle<G: Source> {
    pub(crate) position: G,
    /// The nodes after which a full-width search holds to the first move: the difficulty.
    pub(crate) nodes: u64,
    pub(crate) steps: Vec<Step>,
    /// The themes of the first move, in the words of `themes.rs`.
    pub(crate) themes: Vec<&'static str>,
}

/// A move to be found. Moves are texts of output files; amounts are plies to the end of the game,
/// or points.
pub(crate) struct Step {
    only: String,
    /// The margin of the win, in the unit of the game's file.
    amount: u32,
    /// The answer that resists longest; none if the move ends the game or the puzzle.
    reply: Option<String>,
    /// The refutations of the other moves: an answer (none where the move itself ends the game),
    /// the result that it leads to, and the moves that it refutes. The last refutation has an empty
    /// list, which means all moves not listed before.
    refutations: Vec<Refutation>,
}

/// An answer, what it comes to, and the moves that it refutes.
type Refutation = (Option<String>, Refuted, Vec<String>);

/// The puzzle of a position, if it is one.
pub(crate) fn puzzle<G: Source>(position: &G, prover: &mut Prover<G>) -> Option<Puzzle<G>> {
    let first = prover.only_move(position)?;
    if distance_to_end(first.score).is_some_and(|plies| plies < G::SHORTEST) {
        return None;
    }
    let (first_move, nodes) = (first.mv, first.nodes);
    let (mut steps, mut only, mut here) = (Vec::<Step>::new(), first, position.clone());
    let mut first_answer = None;
    loop {
        let refutations = refutations(&here, &only, prover)?;
        let mut step = Step {
            only: here.write_move(only.mv),
            amount: amount(only.score),
            reply: None,
            refutations,
        };
        here.play(only.mv);
        let answer = if is_over(&here) { None } else { prover.result(&here, &here.legal_moves()) };
        if steps.is_empty() {
            first_answer = answer.map(|(reply, _)| reply);
        }
        let Some((reply, _)) = answer.filter(|_| steps.len() + 1 < MOST_STEPS) else {
            steps.push(step);
            break;
        };
        let text = here.write_move(reply);
        here.play(reply);
        let next = if is_over(&here) { None } else { prover.only_move(&here) };
        step.reply = next.is_some().then_some(text);
        steps.push(step);
        let Some(next) = next else { break };
        only = next;
    }
    let at_once = steps[0].refutations.iter().all(|(_, by, _)| matches!(by, Refuted::Lost(0 | 1)));
    let themes = themes(
        position,
        first_move,
        first_answer,
        prover.end(position).as_ref(),
        G::UNIT == "plies" && at_once,
        steps.len(),
    );
    Some(Puzzle { position: position.clone(), nodes, steps, themes })
}

/// The answers to all moves but the only one, those of most moves last.
fn refutations<G: Source>(
    position: &G,
    only: &OnlyMove<G::Move>,
    prover: &mut Prover<G>,
) -> Option<Vec<Refutation>> {
    let mut grouped: Vec<Refutation> = Vec::new();
    for mv in position.legal_moves().into_iter().filter(|&mv| mv != only.mv) {
        let (reply, refuted) = prover.refutation(position, mv, only.score)?;
        let after = position.after(mv);
        let reply = reply.map(|reply| after.write_move(reply));
        let text = position.write_move(mv);
        match grouped.iter_mut().find(|(known, by, _)| *known == reply && *by == refuted) {
            Some((.., moves)) => moves.push(text),
            None => grouped.push((reply, refuted, vec![text])),
        }
    }
    grouped.sort_by_key(|(.., moves)| moves.len());
    if let Some((.., moves)) = grouped.last_mut() {
        moves.clear();
    }
    Some(grouped)
}

impl<G: Source> Puzzle<G> {
    /// The side that solves it.
    pub(crate) fn side(&self) -> Side {
        self.position.side_to_move()
    }

    pub(crate) fn json(&self) -> Value {
        let task =
            Task { position: self.position.clone(), control: TimeControl::Game, clock: CLOCK };
        let refutation = |(reply, refuted, moves): &Refutation| {
            let by = match refuted {
                Refuted::Lost(by) => json!(by),
                Refuted::LostLater => json!("later"),
                Refuted::Drawn => json!("draw"),
                Refuted::NotInTime => json!("holds"),
            };
            json!([reply, by, moves])
        };
        let steps = self.steps.iter().map(|step| {
            let refutations: Vec<Value> = step.refutations.iter().map(refutation).collect();
            json!({ "move": step.only, "by": step.amount, "reply": step.reply, "refutations": refutations })
        });
        json!({ "input": G::write_task(&task), "nodes": self.nodes, "themes": self.themes, "steps": steps.collect::<Vec<_>>() })
    }
}
