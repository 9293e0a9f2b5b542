//! The check of an output file against its input file, with the message for the user.

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
    /// Lines about a move that some of the game's rule sets allow and others refuse, each ended by
    /// a newline; empty where all agree.
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

    /// Returns the position after the move; `None` if the move is refused.
    pub fn after(&self) -> Option<G> {
        let mv = *self.found.as_ref().ok()?;
        Some(self.before.after(mv))
    }

    /// Formats the verdict as lines, each ended by a newline: the move, the board after it and the
    /// state of the game, or the reason of the refusal, prefixed by the name of the output file.
    pub fn words(&self, file: &str) -> String {
        let text = match (&self.found, self.after()) {
            (Ok(mv), Some(after)) => described(&self.before, *mv, &after),
            (Err(violation), _) => format!("{file}: {violation}\n"),
            (Ok(_), None) => String::new(),
        };
        text + &self.note
    }
}

/// Formats a legal move as lines, each ended by a newline: who plays what, the board after it and
/// the state of the game.
pub fn described<P: Protocol>(before: &P, mv: P::Move, after: &P) -> String {
    let side = P::side_word(before.side_to_move());
    let played = before.describe_move(mv);
    format!("{side} plays {played}\n{}{}", after.picture(Some(mv)), standing(after))
}

/// Returns one line with the side to move or, at the end, the result of the game.
pub fn standing<P: Protocol>(position: &P) -> String {
    standing_of(P::SIDES, position.side_to_move(), position.outcome())
}

/// Returns the line of [`standing`] for a game with these words for its sides.
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

/// Returns a note about a move that some of the game's rule sets allow and others refuse, with the
/// reasons of those other than `asked`; empty where all agree.
fn rule_set_disagreement<P: Protocol>(input: &str, output: &str, asked: P::Rules) -> String {
    let (mut allow, mut refuse, mut reasons) = (Vec::new(), Vec::new(), String::new());
    for &(name, rules) in P::Rules::ALL {
        // A rule set that refuses the input takes no part.
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
