//! The two games of `judge try`: one on each side, to the end of the game or of the time.

use super::terms::TryTerms;
use anyhow::{Result, bail};
use arena::AnyGame;
use arena::keys::reference_kind;
use arena::openings::random_opening;
use arena::player::spec::EngineSpec;
use arena::record::{End, Event};
use arena::referee::GameOrder;
use arena::referee::play_game;
use arena::terms::{Clock, LimitRule};
use std::time::Instant;
use terminal::interrupt;
use terminal::progress::Progress;

/// The opponents of the two games. The second looks a ply further than the first.
pub(super) const OPPONENTS: [&str; 2] = ["greedy", "minimax:2"];
/// CPU seconds to think for a whole game, to which the cost of starting the program is added.
const CLOCK: f64 = 10.0;
/// The largest cost of one start that is added to a clock, in CPU seconds.
const MAX_START_COST: f64 = 0.25;

/// A program, and the terms of its games.
pub(super) struct TryGame<'a> {
    /// The game.
    pub game: &'static AnyGame,
    /// The program.
    pub you: &'a EngineSpec,
    /// The terms of the try.
    pub terms: &'a TryTerms,
    /// CPU seconds of the program's quickest answer so far: about the cost of a start.
    pub quickest: f64,
}

/// How a game ended.
pub(super) enum TryGameEnd {
    /// The game was played to its end.
    Finished(Box<End>),
    /// The time was over, or the user pressed ^C.
    Stopped {
        /// Plies played.
        plies: u32,
        /// CPU seconds that the program used.
        cpu: f64,
    },
}

/// Returns the opponent of the game with the program on this side. A game without an estimate has no greedy player.
pub(super) fn opponent(game: &AnyGame, own: usize) -> Result<&'static str> {
    Ok(if game.has_estimate()? { OPPONENTS[own] } else { ["random", "mcts:20"][own] })
}

/// Plays one of the two games, with the program on the side with index `own`, 0 or 1.
pub(super) fn play(try_game: &TryGame, own: usize, until: Instant) -> Result<TryGameEnd> {
    let TryGame { game, you, terms, quickest } = try_game;
    let max_plies = game.ply_limit.min(terms.plies);
    let starts = f64::from(max_plies.div_ceil(2)) * quickest.min(MAX_START_COST);
    let clock = Clock::Game((CLOCK + starts).round());
    let opponent = opponent(game, own)?;
    // The reference never loses on time: the speed of this machine must not decide a game.
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
        opening: random_opening(game, 0, 0)?,
        rules: Some(terms.rules.to_string()),
        single: false,
        max_plies,
        at_limit: LimitRule::Draw,
        bounds: terms.bounds.clone(),
        seed: 1,
        adjudication: Default::default(),
    };
    let bar = Progress::of(max_plies as usize, "plies");
    let (mut plies, mut cpu, mut stopped) = (0, 0.0, false);
    let end = play_game(game, &order, &mut |event| {
        let Event::Move(record) = event else { return Ok(()) };
        plies = record.ply + 1;
        cpu += if record.side == game.sides[own] { record.cpu } else { 0.0 };
        bar.set(plies as usize);
        stopped = interrupt::asked() || Instant::now() >= until;
        if stopped { bail!("stopped") } else { Ok(()) }
    });
    bar.finish();
    match end {
        Err(_) if stopped => Ok(TryGameEnd::Stopped { plies, cpu }),
        end => Ok(TryGameEnd::Finished(Box::new(end?))),
    }
}
