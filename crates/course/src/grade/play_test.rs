//! Plays one test of a grading and gives it its points.

use super::result::{FinishedTest, GradedTest, TestOutcome};
use super::scheme::plan::{GradingPlan, Test};
use anyhow::Result;
use arena::analysis::finding::Effort;
use arena::player::spec::EngineSpec;
use arena::record::{Event, GameFindings, GameRecord};
use arena::referee::play_game;
use arena::replayed::analyse_game;
use engine::Side;
use pages::analysis_text;
use std::time::Instant;
use terminal::games::find;
use terminal::interrupt;
use terminal::rules;

/// Plays a test as the game with this number. All events are passed to `append`.
pub(crate) fn play_test(
    plan: &GradingPlan,
    test: &Test,
    agent: &EngineSpec,
    game: u32,
    effort: Option<Effort>,
    append: &dyn Fn(Event) -> Result<()>,
) -> Result<FinishedTest> {
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
    Ok(FinishedTest { outcome: TestOutcome::Over(Box::new(end)), wall, analysis, sandbox_layers })
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
    done: FinishedTest,
) -> GradedTest {
    let points = done.end().map_or(0.0, |end| test.points(end));
    let Test { number, name, side, most, visibility, .. } = test.clone();
    let (board, rule) = (None, String::new());
    let mut graded =
        GradedTest { number, game, name, points, most, done, side, rule, board, visibility };
    if let Some(fault) = graded.fault() {
        let task = plan.game.rules.read_task(&fault.input, None).ok().and_then(Result::ok);
        graded.board = task.and_then(|task| task.position.drawing());
        graded.rule = rules::pointer(plan.game.key, graded.reason());
    }
    graded
}
