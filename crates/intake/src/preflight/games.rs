//! The two games of `judge try`.

use super::terms::TryTerms;
use super::test_positions::untold_clock;
use anygame::{AnyGame, GameClock};
use anyhow::{Result, bail};
use arena::keys::reference;
use arena::openings::random_opening;
use arena::player::spec::EngineSpec;
use arena::record::{End, Event, MoveRecord};
use arena::referee::GameOrder;
use arena::referee::play_game;
use arena::replayed::Played;
use arena::result::Termination;
use arena::terms::{LimitRule, restored};
use engine::{Side, TimeControl};
use std::time::{Duration, Instant};
use terminal::interrupt;
use terminal::progress::Progress;

/// The second looks a ply further than the first.
pub(super) const OPPONENTS: [&str; 2] = ["greedy", "minimax:2"];
/// CPU seconds to think for a whole game, without the starts of the program.
pub(super) const CLOCK: f64 = 10.0;
/// The largest cost of one start, in CPU seconds.
const MAX_START_COST: f64 = 0.25;

pub(super) enum TryGameEnd {
    /// Played to its end, which the program brought about by such a move, if there is one.
    Finished(Box<End>, Option<LosingMove>),
    /// The time was over, or the user pressed ^C.
    Stopped {
        plies: u32,
        /// CPU seconds of the program.
        cpu: f64,
    },
}

/// A move that lost a game at once, where others would not have.
pub(super) struct LosingMove {
    pub input: String,
    pub board: String,
    pub mv: String,
    /// The number of moves that would not have.
    pub others: usize,
}

/// Returns the last move if the program, on the side `own`, lost by it at once and had others.
/// Games that are decided by points, or by rules that somebody brought along, may end so for good
/// reasons.
fn losing_move(
    game: &AnyGame,
    order: &GameOrder,
    moves: &[MoveRecord],
    end: &End,
    own: usize,
) -> Result<Option<LosingMove>> {
    let side = Side::BOTH[own];
    let by_rule = end.fault.is_none() && end.points.is_none() && !game.is_own();
    let lost = by_rule && end.winner == Some(1 - own) && end.termination == Termination::Normal;
    let Some(last) = moves.last().filter(|last| lost && last.side == game.side_word(side)) else {
        return Ok(None);
    };
    let mut position = restored(game, &order.opening.input, order.rules.as_deref())?.position;
    for mv in &moves[..moves.len() - 1] {
        position = Played::of(&position, &mv.output)?.position;
    }
    let mut others = 0;
    for code in position.codes() {
        let outcome = position.clone().play(code)?.outcome();
        others += usize::from(outcome.is_none_or(|outcome| outcome.winner() != Some(side.other())));
    }
    let (control, clock) =
        (TimeControl::Game, Duration::from_secs_f64(last.left.unwrap_or(1.0).max(1e-3)));
    let input = position.input(control, clock)?;
    let found = LosingMove { input, board: position.picture(), mv: last.mv.clone(), others };
    Ok((others > 0).then_some(found))
}

/// A game without an estimate has no greedy player.
pub(super) fn opponent(game: &AnyGame, own: usize) -> Result<&'static str> {
    Ok(if game.has_estimate()? { OPPONENTS[own] } else { ["random", "mcts:20"][own] })
}

/// Plays one of the two games, with the program on the side `own`.
pub(super) fn play(
    game: &'static AnyGame,
    you: &EngineSpec,
    (terms, quickest_start): (&TryTerms, Option<f64>),
    opponent: &str,
    own: usize,
    until: Instant,
) -> Result<TryGameEnd> {
    let max_plies = game.ply_limit.min(terms.plies);
    let start = quickest_start.unwrap_or_default().min(MAX_START_COST);
    let starts = f64::from(max_plies.div_ceil(2)) * start;
    let clock = match (terms.game_clock, terms.each.or(untold_clock(game)?)) {
        (Some(seconds), _) => GameClock::Game(seconds),
        (None, Some(clock)) => clock,
        (None, None) => GameClock::Game((CLOCK + starts).round()),
    };
    let other = reference(game, opponent, clock)?;
    let mut engines = [EngineSpec { clock, ..you.clone() }, other];
    if own == 1 {
        engines.reverse();
    }
    let order = GameOrder {
        game: own as u32 + 1,
        engines,
        opening: random_opening(game, 0, 0, 1 << 40)?,
        rules: Some(terms.rules.to_string()),
        single: false,
        max_plies,
        at_limit: LimitRule::Draw,
        bounds: terms.bounds.clone(),
        seed: 1,
        random_moves: 0,
        adjudication: Default::default(),
    };
    let bar = Progress::of(max_plies as usize, "plies");
    let (mut moves, mut cpu, mut stopped) = (Vec::new(), 0.0, false);
    let end = play_game(game, &order, &mut |event| {
        let Event::Move(record) = event else { return Ok(()) };
        cpu += if record.side == game.sides[own] { record.cpu } else { 0.0 };
        moves.push(record);
        bar.set(moves.len());
        stopped = interrupt::asked() || Instant::now() >= until;
        if stopped { bail!("stopped") } else { Ok(()) }
    });
    bar.finish();
    match end {
        Err(_) if stopped => Ok(TryGameEnd::Stopped { plies: moves.len() as u32, cpu }),
        end => {
            let end = end?;
            let losing_move = losing_move(game, &order, &moves, &end, own)?;
            Ok(TryGameEnd::Finished(Box::new(end), losing_move))
        }
    }
}
