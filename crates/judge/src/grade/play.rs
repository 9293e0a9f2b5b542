//! One test of a grading: played, given its points, put into words.

use super::result::{Item, Outcome};
use super::scheme::plan::{Plan, Test};
use crate::analyse::{analyse_game, words};
use crate::games::find;
use crate::rules;
use anyhow::Result;
use arena::analysis::finding::Effort;
use arena::player::spec::EngineSpec;
use arena::record::{End, Event, GameRecord, Header, MoveRecord, Start};
use engine::Side;
use std::time::Instant;

/// A test that was played.
pub(super) struct Played {
    pub end: End,
    /// The walls that stood around the agent.
    pub walls: Option<String>,
    /// Wall seconds.
    pub wall: f64,
    /// What an analysis says of the game, if it was lost.
    pub analysis: Option<String>,
}

/// Plays a test as the game of a number. Everything that happens is handed to `append`.
pub(super) fn play_test(
    plan: &Plan,
    test: &Test,
    agent: &EngineSpec,
    game: u32,
    effort: Option<Effort>,
    append: &dyn Fn(Event) -> Result<()>,
) -> Result<Played> {
    let begun = Instant::now();
    let (mut start, mut moves) = (None, Vec::new());
    let end = (plan.game.play)(&plan.order(test, agent, game), &mut |event| {
        match &event {
            Event::Start(begins) => start = Some(begins.clone()),
            // For an analysis alone.
            Event::Move(mv) if effort.is_some() => moves.push(mv.clone()),
            _ => {}
        }
        append(event)
    })?;
    let wall = begun.elapsed().as_secs_f64();
    let walls = start.as_ref().and_then(|start| start.walls.clone());
    let analysis = start.map(|start| analysis(plan, test, &start, moves, &end, effort)).transpose()?.flatten();
    Ok(Played { end, walls, wall, analysis })
}

/// What an analysis says of the agent's moves in a game, if one is asked for and the game was lost.
pub(super) fn analysis(
    plan: &Plan,
    test: &Test,
    start: &Start,
    moves: Vec<MoveRecord>,
    end: &End,
    effort: Option<Effort>,
) -> Result<Option<String>> {
    let lost = !test.single && end.winner == Some(test.side.other().index());
    let Some(effort) = effort.filter(|_| lost && !moves.is_empty()) else { return Ok(None) };
    analysed(&plan.header(), GameRecord { start: start.clone(), moves, end: end.clone() }, test.side, effort).map(Some)
}

fn analysed(header: &Header, mut game: GameRecord, side: Side, effort: Effort) -> Result<String> {
    let known = find(&header.game)?;
    let shown = Side::BOTH.map(|one| one == side);
    analyse_game(known, header, &mut game, shown, effort)?;
    words::game(known, header, &game, shown, None)
}

/// A test with its outcome.
pub(super) fn item(plan: &Plan, test: &Test, game: u32, outcome: Outcome, wall: f64, analysis: Option<String>) -> Item {
    let points = match &outcome {
        Outcome::Over(end) => test.points(end),
        Outcome::Unplayed { .. } => 0.0,
    };
    let Test { number, name, side, most, visibility, .. } = test.clone();
    let mut item =
        Item { number, game, name, points, most, outcome, side, wall, rule: String::new(), analysis, visibility };
    if item.fault().is_some() {
        item.rule = rules::pointer(plan.game.name, item.reason());
    }
    item
}
