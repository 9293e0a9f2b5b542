//! The two games of a try: one on each side, to the end or until their time is over.

use crate::games::Game;
use crate::interrupt;
use crate::progress::Progress;
use anyhow::{Result, bail};
use arena::player::keys::reference_kind;
use arena::player::spec::EngineSpec;
use arena::record::{End, Event};
use arena::referee::GameOrder;
use arena::terms::{Bounds, Clock, LimitRule};
use std::time::Instant;

/// The opponents of the two games. The second looks a ply further than the first.
pub(super) const OPPONENTS: [&str; 2] = ["greedy", "minimax:2"];
/// CPU seconds to think for the whole game; on top of them comes what starting the program costs.
const CLOCK: f64 = 10.0;
/// The largest cost of a start that a clock is lengthened by, in CPU seconds.
const MOST_START_COST: f64 = 0.25;
/// The most plies of a game unless told otherwise; it is less where the game's own limit is.
pub(super) const MOST_PLIES: u32 = 300;

/// A program, and what its games are played by.
pub(super) struct Terms<'a> {
    /// The game.
    pub game: &'static Game,
    /// The program.
    pub you: &'a EngineSpec,
    /// The rule set to refuse by.
    pub rules: &'a str,
    /// The limits of its process.
    pub bounds: Bounds,
    /// The most plies of a game.
    pub plies: u32,
    /// CPU seconds of the quickest of its answers so far: about what a start costs.
    pub quickest: f64,
}

/// What became of a game.
pub(super) enum Played {
    /// It came to an end.
    Whole(Box<End>),
    /// Its time was over, or ^C came.
    Stopped {
        /// Plies until then.
        plies: u32,
        /// CPU seconds that the program used.
        cpu: f64,
    },
}

/// Plays the game of this number, 0 or 1, with the program on the side of that number.
pub(super) fn play(terms: &Terms, own: usize, until: Instant) -> Result<Played> {
    let Terms { game, you, rules, bounds, plies, quickest } = terms;
    let max_plies = game.arena.ply_limit.min(*plies);
    let starts = f64::from(max_plies.div_ceil(2)) * quickest.min(MOST_START_COST);
    let clock = Clock::Game((CLOCK + starts).round());
    let opponent = OPPONENTS[own];
    // The reference loses no game on time: its speed is this machine's affair.
    let other = EngineSpec {
        name: opponent.to_string(),
        kind: reference_kind(opponent)?,
        clock: Clock::Game(1e6),
        margin: 0.0,
    };
    let mut engines = [EngineSpec { clock, ..(*you).clone() }, other];
    if own == 1 {
        engines.reverse();
    }
    let order = GameOrder {
        game: own as u32 + 1,
        engines,
        opening: (game.arena.random_opening)(0, 0)?,
        rules: Some((*rules).to_string()),
        single: false,
        max_plies,
        at_limit: LimitRule::Draw,
        bounds: bounds.clone(),
        seed: 1,
        adjudication: Default::default(),
    };
    let bar = Progress::of(max_plies as usize, "plies");
    let (mut plies, mut cpu, mut stopped) = (0, 0.0, false);
    let end = (game.arena.play)(&order, &mut |event| {
        let Event::Move(record) = event else { return Ok(()) };
        plies = record.ply + 1;
        cpu += if record.side == game.arena.sides[own] { record.cpu } else { 0.0 };
        bar.set(plies as usize);
        stopped = interrupt::asked() || Instant::now() >= until;
        if stopped { bail!("stopped") } else { Ok(()) }
    });
    bar.finish();
    match end {
        Err(_) if stopped => Ok(Played::Stopped { plies, cpu }),
        end => Ok(Played::Whole(Box::new(end?))),
    }
}
