//! What the agents are asked: random positions of a game, and the check of the answers by the game's own rules.

use crate::games::Visitor;
use engine::agent::plays_for_every_grader;
use engine::{Agent, RuleSet, Side, Task, TimeControl, split_mix};
use std::time::Duration;

/// What a question is to be like.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Whose turn it is to be. A position of which no line of random plays has one is asked for the other side.
    pub side: Side,
    /// What the clock is for.
    pub control: TimeControl,
    /// CPU time left.
    pub clock: Duration,
    /// Decides the position.
    pub seed: u64,
}

/// An input file.
#[derive(Clone, Debug)]
pub struct Question {
    /// Its text.
    pub input: String,
    /// The word for the side to move.
    pub side: &'static str,
}

/// A game without its type: what the soak needs of it.
#[derive(Clone, Copy)]
pub struct Quiz {
    /// Makes an input file.
    pub ask: fn(Wish) -> Question,
    /// What is wrong with an output file as the answer to an input file.
    pub check: fn(&str, &str) -> Result<(), String>,
}

/// Gives the [`Quiz`] of a game.
pub struct ToQuiz;

impl Visitor for ToQuiz {
    type Output = Quiz;

    fn visit<A: Agent>(self) -> Quiz {
        Quiz { ask: ask::<A>, check: check::<A> }
    }
}

fn rules<A: Agent>() -> A::Rules {
    A::Rules::AGENT
}

fn ask<A: Agent>(wish: Wish) -> Question {
    for attempt in 0..1_000 {
        let seed = split_mix(wish.seed ^ split_mix(attempt));
        let Some(position) = position::<A>(wish.side, seed).or_else(|| position::<A>(wish.side.other(), seed)) else {
            continue;
        };
        let side = A::side_word(position.side_to_move());
        let input = A::write_task(&Task { position, control: wish.control, clock: wish.clock });
        // Some games count a position as over in one kind of file only.
        if A::read_task(&input, rules::<A>()).is_ok() {
            return Question { input, side };
        }
    }
    let task = Task { position: A::start(rules::<A>()), control: wish.control, clock: wish.clock };
    Question { input: A::write_task(&task), side: A::side_word(task.position.side_to_move()) }
}

/// A position on a line of random plays with this side to move: any, or one time in four the last before the end.
fn position<A: Agent>(side: Side, seed: u64) -> Option<A> {
    let mut position = A::start(rules::<A>());
    let mut reached = Vec::new();
    let mut state = split_mix(seed);
    for _ in 0..A::PLY_LIMIT {
        let plays = position.legal_moves();
        if position.outcome().is_some() || plays.is_empty() {
            break;
        }
        if position.side_to_move() == side {
            reached.push(position.clone());
        }
        state = split_mix(state);
        position.play(plays[(state >> 8) as usize % plays.len()]);
    }
    let last = reached.len().checked_sub(1)?;
    let state = split_mix(!state);
    let index = if state.is_multiple_of(4) { last } else { (state >> 8) as usize % (last + 1) };
    reached.into_iter().nth(index)
}

/// Stricter than the rules: a play that some grader might refuse counts as illegal where there is another.
fn check<A: Agent>(input: &str, output: &str) -> Result<(), String> {
    let task = A::read_task(input, rules::<A>()).map_err(|error| format!("input.txt:{error}"))?;
    let play = task.position.read_play(output).map_err(|violation| violation.to_string())?;
    if plays_for_every_grader(&task.position).contains(&play) {
        Ok(())
    } else {
        Err("a play that some graders refuse, where there are others".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    #[test]
    fn every_game_is_asked_for_both_sides_and_nonsense_is_no_answer() {
        for name in games::NAMES {
            let quiz = games::visit(name, ToQuiz).unwrap();
            let mut sides = Vec::new();
            for seed in 0..40 {
                let wish = Wish {
                    side: Side::BOTH[seed as usize % 2],
                    control: [TimeControl::Single, TimeControl::Game][seed as usize / 2 % 2],
                    clock: Duration::from_millis(1),
                    seed,
                };
                let question = (quiz.ask)(wish);
                assert_eq!(question.input, (quiz.ask)(wish).input, "{name}");
                sides.push(question.side);
                assert!((quiz.check)(&question.input, "nonsense").is_err(), "{name}");
            }
            sides.sort_unstable();
            sides.dedup();
            assert_eq!(sides.len(), 2, "{name}");
        }
    }
}
