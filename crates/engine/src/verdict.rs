//! An answer checked against its question, in the words that people are told: texts in, texts out.

use crate::game::{Outcome, Side};
use crate::protocol::{InputError, Protocol, RuleSet, Violation};
use crate::score::describe;

/// What is to be said of an output text.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict<G: Protocol> {
    /// The position of the input text.
    pub before: G,
    /// The move that the output text names, or why it is refused.
    pub found: Result<G::Move, Violation>,
    /// Lines about a move that some of the game's rule sets allow and others do not, each ended; empty where all agree.
    pub note: String,
}

impl<G: Protocol> Verdict<G> {
    /// Checks an output text against its input text by a rule set.
    ///
    /// # Errors
    /// The input text is refused.
    pub fn of(input: &str, output: &str, rules: G::Rules) -> Result<Verdict<G>, InputError> {
        let before = G::read_task(input, rules)?.position;
        let found = before.read_move(output);
        Ok(Verdict { before, found, note: dissent::<G>(input, output, rules) })
    }

    /// The position after the move; `None` if it is refused.
    #[must_use]
    pub fn after(&self) -> Option<G> {
        let mv = *self.found.as_ref().ok()?;
        let mut after = self.before.clone();
        after.play(mv);
        Some(after)
    }

    /// The verdict in lines, each ended: the move, the board after it and how the game stands, or why the output is
    /// refused, which stands in the file of this name.
    #[must_use]
    pub fn words(&self, file: &str) -> String {
        let text = match (&self.found, self.after()) {
            (Ok(mv), Some(after)) => {
                let side = G::side_word(self.before.side_to_move());
                let played = self.before.describe_move(*mv);
                format!("{side} plays {played}\n{}{}", after.picture(Some(*mv)), standing(&after))
            }
            (Err(violation), _) => format!("{file}: {violation}\n"),
            (Ok(_), None) => String::new(),
        };
        text + &self.note
    }
}

/// The side to move, or the result of the game, in a line.
#[must_use]
pub fn standing<P: Protocol>(position: &P) -> String {
    match position.outcome() {
        None => format!("{} to move\n", P::side_word(position.side_to_move())),
        Some(Outcome::Draw) => "the game is a draw\n".to_string(),
        Some(Outcome::Win(side)) => format!("{} has won\n", P::side_word(side)),
        Some(Outcome::Margin(difference)) => {
            format!("the game is over, {} {}\n", P::side_word(Side::First), describe(difference))
        }
    }
}

/// A note about a move that some of the game's rule sets allow and others do not, with the reasons of those that are
/// not asked; empty where all agree.
fn dissent<P: Protocol>(input: &str, output: &str, asked: P::Rules) -> String {
    let (mut allow, mut refuse, mut reasons) = (Vec::new(), Vec::new(), String::new());
    for &(name, rules) in P::Rules::ALL {
        // A rule set that does not know the position has nothing to say.
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
    format!("note: allowed by the rules {allow}, refused by {refuse}: some graders refuse this move\n{reasons}")
}
