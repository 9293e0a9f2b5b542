//! Plays one test of a grading and gives it its points.

use super::baseline::{accuracy, analyse, baselines, played};
use super::result::{FinishedTest, GradedTest, Kept, TestOutcome};
use super::scheme::plan::{GradingPlan, Test};
use anyhow::Result;
use arena::analysis::accuracy::LEAST_MOVES;
use arena::analysis::finding::Effort;
use arena::plain::counted;
use arena::player::spec::EngineSpec;
use arena::proofs::Proof;
use arena::record::{Event, GameRecord, TestResult};
use arena::replayed::ReplayedGame;
use engine::Drawing;
use pages::analysis_text;
use pages::game_plot::{MoveTimes, turns_of};
use std::collections::HashMap;
use std::time::Instant;
use terminal::rules;

pub(crate) fn play_test(
    plan: &GradingPlan,
    test: &Test,
    agent: &EngineSpec,
    game: u32,
    effort: Option<Effort>,
    append: &dyn Fn(Event) -> Result<()>,
) -> Result<FinishedTest> {
    let begun = Instant::now();
    let record = played(plan, &plan.order(test, agent, game), append)?;
    let wall = begun.elapsed().as_secs_f64();
    let done = finished_test(plan, test, record, None, effort, append)?;
    Ok(FinishedTest { wall, ..done })
}

/// Returns the test of a game that was played to its end. `known` is its result in the record.
pub(crate) fn finished_test(
    plan: &GradingPlan,
    test: &Test,
    mut game: GameRecord,
    known: Option<&TestResult>,
    effort: Option<Effort>,
    append: &dyn Fn(Event) -> Result<()>,
) -> Result<FinishedTest> {
    let checksum = |line: u64, text: &str| engine::checksum(format!("{line} {text}").as_bytes());
    let outputs = game.moves.iter().map(|mv| mv.output.as_str());
    let line = outputs.fold(checksum(0, &game.start.opening), checksum);
    let kept = kept(plan, test, &mut game, append)?;
    Ok(FinishedTest {
        outcome: TestOutcome::Over(Box::new(game.end.clone())),
        wall: known.map_or_else(|| game.moves.iter().map(|mv| mv.wall).sum(), |known| known.wall),
        line,
        sandbox_layers: game.start.layers.clone(),
        last_board: last_board(plan, test, &game),
        kept,
        times: Some(MoveTimes {
            turns: turns_of(plan.game, &game, test.side).collect(),
            clock: test.clock,
        }),
        analysis: match known {
            Some(known) => known.analysis.clone(),
            None => analysis(plan, test, game, effort, append)?,
        },
        cases: None,
    })
}

/// Returns how much of a proven result or of its winning chances the agent kept, if the points are
/// for that: nothing if it lost by its own fault.
fn kept(
    plan: &GradingPlan,
    test: &Test,
    game: &mut GameRecord,
    append: &dyn Fn(Event) -> Result<()>,
) -> Result<Option<Kept>> {
    let is_fault = game.end.fault.as_ref().is_some_and(|fault| fault.player == test.side.index());
    if is_fault && (test.proof.is_some() || test.least.is_some()) {
        let (word, reason, said) = ("", String::new(), String::new());
        return Ok(Some(Kept { share: 0.0, word, reason, played: None, said, accuracy: None }));
    }
    if let Some(proof) = &test.proof {
        let played = game.moves.first();
        let said = played.map_or(String::new(), |mv| mv.stderr.clone());
        return Ok(Some(Kept { said, ..kept_proof(proof, played.map(|mv| mv.output.clone())) }));
    }
    let Some(least) = test.least else { return Ok(None) };
    let baseline = baselines(plan)?[&test.played_by()];
    let found = accuracy(plan, test, game, append)?;
    let least = least.max(baseline.random.0);
    // Whoever loses at once has made few moves that count.
    let by_result =
        || game.end.winner.map_or(0.5, |winner| f64::from(u8::from(winner == test.side.index())));
    let (share, words) = found.map_or_else(
        || {
            (
                by_result(),
                format!("no accuracy: fewer than {LEAST_MOVES} moves count; points by the result"),
            )
        },
        |found| ((found - least) / (100.0 - least), format!("an accuracy of {found:.1} %")),
    );
    let greedy = baseline.greedy.map_or(String::new(), |mean| format!(", greedy play: {mean}"));
    Ok(Some(Kept {
        share: share.clamp(0.0, 1.0),
        word: "winning chances not kept",
        reason: format!("{words} (random play: {}{greedy}; {})", baseline.random, game.end.reason),
        played: None,
        said: String::new(),
        accuracy: Some((found, baseline)),
    }))
}

fn kept_proof(proof: &Proof, played: Option<String>) -> Kept {
    let known = played.as_deref().and_then(|output| proof.played(output));
    let name = known.map_or("no move", |mv| mv.mv.described.as_str());
    let after = known.and_then(|mv| mv.result.as_deref()).unwrap_or("nothing is proven after it");
    let points_lost = known.map_or(0, |mv| mv.points_lost);
    let (share, how) = match known.and_then(|mv| mv.keeps) {
        Some(true) => (1.0, "keeps it".to_string()),
        Some(false) if points_lost > 0 => {
            (0.0, format!("gives away {}", counted(points_lost as u64, "point", "points")))
        }
        Some(false) => (0.0, "gives it away".to_string()),
        None => (0.0, "is not proven to keep it".to_string()),
    };
    let all: Vec<&str> = proof.kept().map(|mv| mv.mv.described.as_str()).collect();
    Kept {
        share,
        word: "a proven result not kept",
        reason: format!(
            "{} by {}; {name} {how}: {after}; what keeps it: {}",
            proof.result,
            proof.source,
            all.join(" | ")
        ),
        played,
        said: String::new(),
        accuracy: None,
    }
}

pub(crate) fn points(test: &Test, done: &FinishedTest) -> f64 {
    match (&done.outcome, &done.kept) {
        (TestOutcome::Over(_), Some(kept)) => test.most * kept.share,
        (TestOutcome::Over(end), None) => test.points(end),
        _ => 0.0,
    }
}

/// The last board of a game that the agent neither won nor ended by a fault. A game of somebody's
/// own is not played again for it.
fn last_board(plan: &GradingPlan, test: &Test, game: &GameRecord) -> Option<Drawing> {
    let is_lost = !test.single && game.end.winner != Some(test.side.index());
    if !is_lost || game.end.fault.is_some() || plan.game.is_own() {
        return None;
    }
    let opening = &game.start.opening;
    let replayed = ReplayedGame::of(plan.game, &plan.header(), opening, &game.moves).ok()?;
    replayed.played.last().map_or(&replayed.start, |played| &played.position).drawing()
}

/// Analyses the agent's moves in a lost game, if `effort` asks for it.
fn analysis(
    plan: &GradingPlan,
    test: &Test,
    mut game: GameRecord,
    effort: Option<Effort>,
    append: &dyn Fn(Event) -> Result<()>,
) -> Result<Option<String>> {
    let lost = !test.single && game.end.winner == Some(test.side.other().index());
    let Some(effort) = effort.filter(|_| lost && !game.moves.is_empty()) else { return Ok(None) };
    let shown = analyse(plan, test, &mut game, effort, append)?;
    analysis_text::game(plan.game, &plan.header(), &game, shown, None).map(Some)
}

/// Counts the games against each opponent together. In a game of somebody's own, one that repeats
/// an earlier one gets the mean of the different ones. Where a share of the points counts as all of
/// them, the tests that have lost points get some of them back.
pub(crate) fn count_together(plan: &GradingPlan, tests: &mut [GradedTest]) {
    let mut firsts: HashMap<_, u32> = HashMap::new();
    let mut groups: HashMap<_, Vec<usize>> = HashMap::new();
    for (index, graded) in tests.iter_mut().enumerate() {
        let test = &plan.tests[graded.number as usize - 1];
        let Some(end) = graded.end().filter(|_| !test.single) else { continue };
        let bits = [test.most, test.full, test.least.unwrap_or(-1.0)].map(f64::to_bits);
        let group = (&test.opponent.name, bits);
        let game = (group, test.side.index(), graded.done.line, end.termination.word());
        graded.same_as = Some(*firsts.entry(game).or_insert(graded.number))
            .filter(|&first| first < graded.number && plan.game.is_own());
        groups.entry(group).or_default().push(index);
    }
    for ((_, [most, full, _]), group) in groups {
        let different = || group.iter().filter(|&&index| tests[index].same_as.is_none());
        let sum: f64 = different().map(|&index| tests[index].points).sum();
        let mean = sum / different().count() as f64;
        for &index in &group {
            if tests[index].same_as.is_some() {
                tests[index].points = mean;
            }
        }
        let (most, full) = (f64::from_bits(most) * group.len() as f64, f64::from_bits(full));
        let sum: f64 = group.iter().map(|&index| tests[index].points).sum();
        if full < 1.0 && sum < most {
            let given_back = ((sum / full).min(most) - sum) / (most - sum);
            for index in group {
                let test = &mut tests[index];
                test.points += (test.most - test.points) * given_back;
            }
        }
    }
}

pub(crate) fn graded_test(
    plan: &GradingPlan,
    test: &Test,
    game: u32,
    done: FinishedTest,
) -> GradedTest {
    let points = points(test, &done);
    let mut graded = GradedTest {
        number: test.number,
        game,
        name: test.name.clone(),
        points,
        most: test.most,
        side: test.side,
        rule: String::new(),
        board: done.last_board.clone(),
        legal: Vec::new(),
        visibility: test.visibility,
        single: test.single,
        proof: test.proof.clone(),
        same_as: None,
        done,
    };
    if let Some(proof) = &test.proof {
        graded.board = proof.position.drawing();
        graded.legal = proof.kept().map(|mv| mv.mv.output.clone()).collect();
    }
    if let Some(fault) = graded.fault() {
        let task = plan.game.rules.read_task(&fault.input, None).ok().and_then(Result::ok);
        graded.rule = rules::explanation(plan.game.key, graded.reason());
        if let Some(task) = task {
            graded.board = task.position.drawing();
            graded.legal = task.position.legal_moves().into_iter().map(|mv| mv.output).collect();
        }
    }
    graded
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::terms::restored;

    #[test]
    fn a_move_that_still_wins_gives_away_the_points_by_which_it_wins_less() {
        let squirrels = games::all().into_iter().find(|game| game.name == "squirrels").unwrap();
        let values = "1 1 1 1 1\n".repeat(4) + "9 1 1 1 5\n";
        let board = "XXXXX\nXXXXX\nXXXXX\nOOOOO\n*OOO*\n";
        let input = format!("SINGLE\nX\n1\n{values}{board}");
        let position = restored(&squirrels, &input, None).unwrap().position;
        let proof = Proof::of(&squirrels, &position, 1.0).unwrap().unwrap();
        let told = |name: &str| {
            let mv = proof.moves.iter().find(|mv| mv.mv.described.starts_with(name)).unwrap();
            let kept = kept_proof(&proof, Some(mv.mv.output.clone()));
            (kept.share, kept.reason)
        };
        let (share, words) = told("A5");
        assert!(share == 1.0 && words.contains(" keeps it: X wins by "), "{words}");
        // The squares left for O are worth 9 instead of 5, and so is the one that X gets.
        let (share, words) = told("E5");
        assert!(share == 0.0 && words.contains(" gives away 8 points: X wins by "), "{words}");
    }
}
