//! The ten positions of a try, from the start of a game to a clock that has all but run out.

use anyhow::{Result, anyhow};
use arena::openings::middle_position;
use engine::{Playable, Protocol, RuleSet, Task, TimeControl};
use std::time::Duration;

/// One position to be answered.
pub(crate) struct Question {
    /// What is asked, in a few words.
    pub title: String,
    /// The input file.
    pub input: String,
}

/// The clock of most positions, in CPU seconds: not a whole number, as the files allow.
const USUAL_CLOCK: f64 = 2.5;
/// The clock for a whole game, in CPU seconds.
const GAME_CLOCK: f64 = 100.0;
/// The shortest clock, in CPU seconds.
const SHORT_CLOCK: f64 = 0.05;
/// Positions with the usual clock.
const USUAL: usize = 8;

/// The positions of a game. Those that only this game has are filled up with some from the middle of a game.
pub(crate) fn questions<A: Playable>(rules: A::Rules) -> Result<Vec<Question>> {
    let own = <A::Rules as RuleSet>::AGENT;
    let mut found = Vec::new();
    let mut position = A::start(own);
    found.push(asked("the start", &position, USUAL_CLOCK));
    let first = position.legal_moves()[0];
    position.play(first);
    found.push(asked("the second move", &position, USUAL_CLOCK));
    let special: Vec<Question> = specials(A::NAME)
        .iter()
        .filter_map(|(title, input)| Some((title, A::read_task(input, rules).ok()?.position)))
        .map(|(title, position)| asked(title, &position, USUAL_CLOCK))
        .collect();
    let fillers = USUAL.saturating_sub(found.len() + special.len());
    for index in 0..fillers {
        let part = (index + 1) as f64 / (fillers + 1) as f64;
        found.push(asked("the middle of a game", &middle::<A>(part, index as u64, rules)?, USUAL_CLOCK));
    }
    found.extend(special);
    let whole = Task { control: TimeControl::Game, ..task(middle::<A>(0.3, 11, rules)?, GAME_CLOCK) };
    found.push(question(&format!("{GAME_CLOCK} s for the whole game"), &whole));
    found.push(asked(&format!("{SHORT_CLOCK} s on the clock"), &middle::<A>(0.5, 12, rules)?, SHORT_CLOCK));
    Ok(found)
}

fn middle<A: Playable>(part: f64, seed: u64, rules: A::Rules) -> Result<A> {
    let opening = middle_position::<A>(part, seed)?;
    let task =
        A::read_task(&opening.input, rules).map_err(|error| anyhow!("the judge's own input file, line {error}"))?;
    Ok(task.position)
}

fn asked<A: Protocol>(title: &str, position: &A, clock: f64) -> Question {
    question(title, &task(position.clone(), clock))
}

fn task<A>(position: A, clock: f64) -> Task<A> {
    Task { position, control: TimeControl::Single, clock: Duration::from_secs_f64(clock) }
}

fn question<A: Protocol>(title: &str, task: &Task<A>) -> Question {
    let side = A::side_word(task.position.side_to_move());
    Question { title: format!("{title}, {side} to move"), input: A::write_task(task) }
}

/// Positions that only a game of this name has, each with its title.
fn specials(game: &str) -> &'static [(&'static str, &'static str)] {
    match game {
        "halma" => &[
            ("the camp has to be left", include_str!("positions/halma-leave-camp.txt")),
            ("no way out of the camp yet", include_str!("positions/halma-deep-in-camp.txt")),
            ("long chains", include_str!("positions/halma-long-chains.txt")),
            ("one piece outside a full camp", include_str!("positions/halma-nearly-full.txt")),
        ],
        "wolves" => &[
            ("three wolves, fifteen sheep", include_str!("positions/wolves-question-2a.txt")),
            ("one wolf", include_str!("positions/wolves-one-wolf.txt")),
            ("much to eat", include_str!("positions/wolves-feast.txt")),
            ("hardly room to move", include_str!("positions/wolves-trap.txt")),
        ],
        "squirrels" => &[
            ("values to 10,000", include_str!("positions/squirrels-competition-values-to-10000-7-left.txt")),
            ("eight squares left", include_str!("positions/squirrels-competition-single-8-left.txt")),
            ("one square left", include_str!("positions/squirrels-competition-one-left.txt")),
        ],
        "foxgame" => &[
            ("a chain of captures", include_str!("positions/foxgame-chain.txt")),
            ("many earlier boards", include_str!("positions/foxgame-middle-30.txt")),
            ("one fox left", include_str!("positions/foxgame-one-fox.txt")),
            ("few sheep", include_str!("positions/foxgame-few-sheep.txt")),
        ],
        "foxgeese" => &[
            ("one capture takes the most", include_str!("positions/foxgeese-longest.txt")),
            ("captures of both foxes", include_str!("positions/foxgeese-foxes-11.txt")),
            ("geese with gaps", include_str!("positions/foxgeese-geese-16.txt")),
            ("the last moves of the geese", include_str!("positions/foxgeese-geese-95.txt")),
        ],
        _ => &[],
    }
}
