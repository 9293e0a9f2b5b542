//! The check of an output file against its input file.

use crate::game::{Outcome, Side};
use crate::protocol::{InputError, Protocol, RuleSet, Violation};
use crate::score::describe;

/// The result of checking an output file: the move it names, or why it is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict<G: Protocol> {
    /// The position of the input text.
    pub before: G,
    /// The move that the output text names, or the reason why it is refused.
    pub found: Result<G::Move, Violation>,
    /// Lines about a move that some rule sets allow and others refuse; empty where all agree.
    pub note: String,
}

impl<G: Protocol> Verdict<G> {
    /// Checks an output file against its input file by a rule set.
    ///
    /// # Errors
    /// The input text is refused.
    pub fn of(input: &str, output: &str, rules: G::Rules) -> Result<Verdict<G>, InputError> {
        let before = G::read_task(input, rules)?.position;
        let found = before.read_move(output);
        Ok(Verdict { before, found, note: rule_set_disagreement::<G>(input, output, rules) })
    }

    /// The verdict as lines: the move, the board after it and the state of the game, or the reason
    /// of the refusal after the name of the output file.
    pub fn words(&self, file: &str) -> String {
        let text = match &self.found {
            Ok(mv) => described(&self.before, *mv, &self.before.after(*mv)),
            Err(violation) => format!("{file}: {violation}\n"),
        };
        text + &self.note
    }
}

/// A legal move as lines: who plays what, the board after it and the state of the game.
pub fn described<P: Protocol>(before: &P, mv: P::Move, after: &P) -> String {
    let side = P::side_word(before.side_to_move());
    let played = before.describe_move(mv);
    format!("{side} plays {played}\n{}{}", after.picture(Some(mv)), standing(after))
}

/// A line with the side to move or the result of the game.
pub fn standing<P: Protocol>(position: &P) -> String {
    standing_of(P::SIDES, position.side_to_move(), position.outcome())
}

/// The line of [`standing`] for a game with these words for its sides.
pub fn standing_of(sides: [&str; 2], to_move: Side, outcome: Option<Outcome>) -> String {
    let word = |side: Side| sides[side.index()];
    match outcome {
        None => format!("{} to move\n", word(to_move)),
        Some(Outcome::Draw) => "the game is a draw\n".to_string(),
        Some(Outcome::Win(side)) => format!("{} has won\n", word(side)),
        Some(Outcome::Margin(difference)) => {
            format!("the game is over, {} {}\n", word(Side::First), describe(difference))
        }
    }
}

/// A note on a move that some of the game's rule sets allow and others refuse, with the reasons of
/// those other than `asked`.
fn rule_set_disagreement<P: Protocol>(input: &str, output: &str, asked: P::Rules) -> String {
    let (mut allow, mut refuse, mut reasons) = (Vec::new(), Vec::new(), String::new());
    for &(name, rules) in P::Rules::ALL {
        let Ok(task) = P::read_task(input, rules) else { continue };
        match task.position.read_move(output) {
            Ok(_) => allow.push(name),
            Err(violation) => {
                refuse.push(name);
                if rules != asked {
                    reasons += &format!("{name}: {violation}\n");
                }
            }
        }
    }
    if allow.is_empty() || refuse.is_empty() {
        return String::new();
    }
    let [allow, refuse] = [allow, refuse].map(|names| names.join(" and "));
    format!(
        "note: allowed by the rules {allow}, refused by {refuse}: some graders refuse this move\n{reasons}"
    )
}
