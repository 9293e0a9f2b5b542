//! Advice on a position without the search: a plan for the own army alone.
//!
//! Once the armies have passed each other the plan is followed. Before, while stragglers of either
//! side can still meet, a plan for an army most of which has arrived says how to bring in the rest:
//! it is followed where the opponent cannot be as fast, and otherwise unless a search sees deep
//! enough.

use crate::board::{CAMPS, PIECES};
use crate::evaluate::{FULL_DISTANCE, distance, has_mostly_arrived};
use crate::race::{self, Plan};
use crate::rules::{Move, Position};
use engine::clock::Budget;
use engine::think::{self, BetterSearch, moves_for_every_grader};
use engine::{Advice, Ask, Game, Protocol, Side};
use std::time::Duration;

/// The positions between two looks at the clock, a tenth of a millisecond.
const POSITIONS_A_POLL: u64 = 16;
/// The number of looks at the clock before the search for a first plan ends, however little is
/// left: without a good plan the last pieces would go to and fro.
const LEAST_POLLS: u32 = 32;
/// The most pieces outside the camp for which a plan is made while the armies can still meet. It
/// counts on the opponent's pieces to stand still, which they do not for long.
const MOST_OUTSIDE: u32 = 5;
/// The most pieces outside for which a plan is made beside a search.
const MOST_OUTSIDE_BESIDE_A_SEARCH: u32 = 3;
/// The moves by which the own plan must be shorter than what the opponent needs at least, to be
/// followed while the armies can still meet.
const LEAD: u32 = 6;
/// The most rows and columns that a move covers on average in an army that is nearly home.
const MOST_A_MOVE: u32 = 6;
/// The depth of a search, in plies, that counts for more than a plan which the opponent may hinder.
const TRUSTED_DEPTH: u32 = 3;
/// A depth that no search reaches: only a proven win counts for more than the plan.
const NEVER: u32 = u32::MAX;
/// The longest plan beside which a search looks for a proven win, which the opponent cannot hinder.
const MOST_MOVES_TO_PROVE: u32 = 4;
/// The CPU time that a search of three plies takes at most in the last positions of a game.
const TIME_FOR_THREE_PLIES: Duration = Duration::from_millis(2);
/// The largest part of the free time that a move takes for it.
const LARGEST_PART_OF_FREE: f64 = 0.5;
/// The fraction of what is free of a clock that a search for a race's plan may use.
const RACE_PART: f64 = 0.6;

/// Returns the advice for the side to move.
pub(crate) fn advise(ask: &Ask<Position>) -> Advice<Move> {
    let position = &ask.task.position;
    let all = moves_for_every_grader(position);
    let new = ask.settings.own.new_moves(position, all.clone());
    let planned = if ask.settings.depth.is_some() {
        None
    } else if race::has_begun(position) {
        race_plan(ask).map(|plan| follow(plan, None))
    } else {
        way_home(ask, new.as_ref().unwrap_or(&all))
    };
    planned.unwrap_or_else(|| new.map_or(Advice::Nothing, Advice::Among))
}

fn follow(plan: Plan, unless: Option<BetterSearch<Move>>) -> Advice<Move> {
    let proven = if plan.shortest { ", the fewest" } else { "" };
    let why = format!("planned: {} moves fill the camp{proven}", plan.moves.len());
    Advice::Plan(think::Plan { moves: plan.moves, why, unless })
}

/// Returns the plan of a race, within a large part of the clock: the moves that follow it cost
/// hardly any.
fn race_plan(ask: &Ask<Position>) -> Option<Plan> {
    let (position, known) = (&ask.task.position, ask.settings.own.planned());
    let plan = match ask.budget {
        Some(budget) => {
            let limit = budget.hard.max(budget.begun + budget.free.mul_f64(RACE_PART));
            let mut polls = 0;
            race::plan_no_longer_than(position, known, POSITIONS_A_POLL, |found| {
                polls += 1;
                ask.used() >= limit && polls >= least_polls(known, found)
            })
        }
        None => race::plan(position, |found| if found { ask.is_over() } else { ask.should_stop() }),
    }?;
    can_begin(position, &plan).then_some(plan)
}

/// Returns the plan for an army that has left its camp and mostly arrived, while the opponent may
/// still hinder it.
fn way_home(ask: &Ask<Position>, moves: &[Move]) -> Option<Advice<Move>> {
    let position = &ask.task.position;
    let side = position.side_to_move();
    let outside = position.pieces(side).minus(Position::target(side));
    let has_left = position.pieces(side).and(CAMPS[side.index()]).is_empty();
    if outside.len() > MOST_OUTSIDE || !has_mostly_arrived(position, side) || !has_left {
        return None;
    }
    let opponent_needs = least_moves(position, side.other());
    let may_be_ahead = outside.len() + LEAD <= opponent_needs;
    if !may_be_ahead && outside.len() > MOST_OUTSIDE_BESIDE_A_SEARCH {
        return None;
    }
    let (mut polls, known) = (0, ask.settings.own.planned());
    let plan = race::plan_no_longer_than(position, known, POSITIONS_A_POLL, |found| {
        polls += 1;
        polls >= least_polls(known, found)
    })?;
    let needed = plan.moves.len() as u32;
    let is_ahead = needed + LEAD <= opponent_needs;
    let begins = can_begin(position, &plan) && moves.contains(&plan.moves[0]);
    let depth = if is_ahead { NEVER } else { TRUSTED_DEPTH };
    let is_certain = needed == 1 || (is_ahead && needed > MOST_MOVES_TO_PROVE);
    let unless = (!is_certain).then(|| BetterSearch { among: moves.to_vec(), depth });
    begins.then(|| follow(plan, unless))
}

/// Returns the looks at the clock that a search for a plan lasts at least.
fn least_polls(known: &[Move], found: bool) -> u32 {
    if found && !known.is_empty() { 1 } else { LEAST_POLLS }
}

/// Returns a search's budget, which lasts for at least three plies where a side has two holes or
/// fewer, as far as the clock does: a win in two moves is proven by them.
pub(crate) fn least_search(position: &Position, budget: Budget) -> Budget {
    let holes = |side: Side| Position::target(side).minus(position.pieces(side)).len();
    if Side::BOTH.into_iter().all(|side| holes(side) > 2) {
        return budget;
    }
    // The time that later moves need to start their processes is not spent.
    let least = budget.begun + TIME_FOR_THREE_PLIES.min(budget.free.mul_f64(LARGEST_PART_OF_FREE));
    Budget { soft: budget.soft.max(least), hard: budget.hard.max(least), ..budget }
}

/// Returns a number of moves that a side can hardly do with less of.
fn least_moves(position: &Position, side: Side) -> u32 {
    let pieces = position.pieces(side);
    let holes = Position::target(side).minus(pieces).len();
    let to_go: u32 = pieces.into_iter().map(|square| distance(side, square)).sum();
    let full = FULL_DISTANCE * pieces.len() / PIECES as u32;
    holes.max(to_go.saturating_sub(full) / MOST_A_MOVE)
}

/// Returns whether the first move of a plan may be played before every grader.
fn can_begin(position: &Position, plan: &Plan) -> bool {
    plan.moves
        .first()
        .is_some_and(|&first| position.is_legal(first) && !position.is_disputed(first))
}
