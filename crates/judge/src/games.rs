//! The one list of games that the judge knows.

use clap::builder::PossibleValuesParser;
use engine::{Agent, RuleSet};

/// Something to do with a game that is known only when the program runs: a function over game types.
pub trait Visitor {
    /// What it gives.
    type Output;

    /// Does it for a game.
    fn visit<A: Agent>(self) -> Self::Output;
}

macro_rules! games {
    ($($game:ty),+ $(,)?) => {
        /// The names of all games.
        pub const NAMES: &[&str] = &[$(<$game as engine::Protocol>::NAME),+];

        /// Calls a visitor with the game of this name; `None` if there is no such game.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
            $(if name == <$game as engine::Protocol>::NAME {
                return Some(visitor.visit::<$game>());
            })+
            None
        }
    };
}

games![halma::Position, wolves::Position];

/// For command lines: takes a game's name.
#[must_use]
pub fn name_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(NAMES)
}

/// The rule set of a name; without a name the judge's own choice. An error lists the names there are.
pub fn rule_set<R: RuleSet>(name: Option<&str>) -> anyhow::Result<R> {
    let Some(name) = name else { return Ok(R::JUDGE) };
    R::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = R::ALL.iter().map(|(known, _)| *known).collect();
        anyhow::anyhow!("--rules: expected {}, found '{name}'", names.join(" or "))
    })
}
