//! Plays one test of a grading and gives it its points.

use super::result::{GradedTest, TestOutcome};
use super::scheme::plan::{GradingPlan, Test};
use anyhow::Result;
use arena::analysis::finding::Effort;
use arena::player::spec::EngineSpec;
use arena::record::{End, Event, GameFindings, GameRecord};
use arena::referee::play_game;
use arena::replayed::analyse_game;
use engine::Side;
use pages::analysis_text;
use std::time::Instant;
use terminal::games::find;
use terminal::interrupt;
use terminal::rules;

/// A test that was played.
pub(crate) struct PlayedTest {
    /// The end of the game.
    pub end: End,
    /// The sandbox layers around the agent.
    pub sandbox_layers: Option<String>,
    /// Wall seconds.
    pub wall: f64,
    /// The analysis of a lost game, if one was asked for.
    pub analysis: Option<String>,
}

/// Plays a test as the game with this number. All events are passed to `append`.
pub(crate) fn play_test(
    plan: &GradingPlan,
    test: &Test,
    agent: &EngineSpec,
    game: u32,
    effort: Option<Effort>,
    append: &dyn Fn(Event) -> Result<()>,
) -> Result<PlayedTest> {
    let begun = Instant::now();
    let (mut start, mut moves) = (None, Vec::new());
    let end = play_game(plan.game, &plan.order(test, agent, game), &mut |event| {
        match &event {
            Event::Start(begins) => start = Some(begins.clone()),
            // Only the analysis needs the moves.
            Event::Move(mv) if effort.is_some() => moves.push(mv.clone()),
            _ => {}
        }
        append(event)
    })?;
    let wall = begun.elapsed().as_secs_f64();
    let sandbox_layers = start.as_ref().and_then(|start| start.layers.clone());
    let analysis = match start {
        Some(start) => {
            analysis(plan, test, GameRecord { start, moves, end: end.clone() }, effort, append)?
        }
        None => None,
    };
    Ok(PlayedTest { end, sandbox_layers, wall, analysis })
}

/// Analyses the agent's moves in a game, if `effort` asks for it and the game was lost, and returns
/// the analysis as text. The findings go to the record, for the pages of the game.
pub(crate) fn analysis(
    plan: &GradingPlan,
    test: &Test,
    mut game: GameRecord,
    effort: Option<Effort>,
    append: &dyn Fn(Event) -> Result<()>,
) -> Result<Option<String>> {
    let lost = !test.single && game.end.winner == Some(test.side.other().index());
    let Some(effort) = effort.filter(|_| lost && !game.moves.is_empty()) else { return Ok(None) };
    let (known, header) = (find(plan.game.key)?, plan.header());
    let shown = Side::BOTH.map(|one| one == test.side);
    analyse_game(known, &header, &mut game, shown, effort, interrupt::asked)?;
    if !interrupt::asked() {
        let findings = game.moves.iter().map(|mv| mv.analysis.as_deref().cloned()).collect();
        append(Event::Findings(GameFindings { game: game.end.game, findings }))?;
    }
    analysis_text::game(known, &header, &game, shown, None).map(Some)
}

/// Returns a test with its outcome and points.
pub(crate) fn graded_test(
    plan: &GradingPlan,
    test: &Test,
    game: u32,
    outcome: TestOutcome,
    wall: f64,
    analysis: Option<String>,
) -> GradedTest {
    let points = match &outcome {
        TestOutcome::Over(end) => test.points(end),
        TestOutcome::Unplayed { .. } => 0.0,
    };
    let Test { number, name, side, most, visibility, .. } = test.clone();
    let mut graded = GradedTest {
        number,
        game,
        name,
        points,
        most,
        outcome,
        side,
        wall,
        rule: String::new(),
        analysis,
        board: None,
        visibility,
    };
    if let Some(fault) = graded.fault() {
        let task = plan.game.rules.read_task(&fault.input, None).ok().and_then(Result::ok);
        let board = task.and_then(|task| task.position.drawing());
        graded.board = board;
        graded.rule = rules::pointer(plan.game.key, graded.reason());
    }
    graded
}
