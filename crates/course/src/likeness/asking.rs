//! Asking programs, round by round until enough positions tell them apart, and the file that keeps
//! their answers.

use super::moves::{Answers, LEAST_COMMON, counts};
use super::options::LikenessOptions;
use super::program::Program;
use super::questions::Questions;
use anygame::GameClock;
use anyhow::Result;
use arena::player::spec::EngineSpec;
use arena::pool::{Next, work_off};
use arena::record::{Event, Recorder};
use arena::referee::play_game;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};
use terminal::interrupt;
use terminal::progress::Progress;
use terminal::sandbox_layers::admit_strangers;

/// In the directory of the class.
const FILE: &str = "likeness-answers.jsonl";
/// The positions that tell programs apart after which no more are asked.
const ENOUGH: usize = 5 * LEAST_COMMON;
/// The least number of questions that all programs are asked before it is counted how many tell.
const ROUND: usize = 16;

/// A line of the file: a program's answer to a question, by the digests of both.
#[derive(Serialize, Deserialize)]
struct Line {
    program: String,
    question: String,
    /// The move; `None` where it left no legal one, or another one again.
    answer: Option<String>,
}

struct KeptAnswers {
    known: HashMap<(String, String), Option<String>>,
    recorder: Recorder,
}

impl KeptAnswers {
    fn open(path: &Path) -> Result<KeptAnswers> {
        let (lines, recorder) = Recorder::reopen::<Line>(path, "an answer of judge likeness")?;
        let known = lines.into_iter().map(|line| ((line.program, line.question), line.answer));
        Ok(KeptAnswers { known: known.collect(), recorder })
    }
}

/// Asks all programs, each question twice: the drawn positions until enough of them tell programs
/// apart, and then turned boards of these. `None` after an interrupt. What the file of answers has
/// is not asked again.
pub(super) fn ask(
    questions: &mut Questions,
    programs: &[Program],
    options: &LikenessOptions,
) -> Result<Option<Vec<Answers>>> {
    let mut answers = vec![Answers::new(); programs.len()];
    let is_asked = |&index: &usize| programs[index].player.is_some();
    let asked: Vec<usize> = (0..programs.len()).filter(is_asked).collect();
    if asked.is_empty() {
        return Ok(Some(answers));
    }
    let (plan, workers) = (&questions.plan, options.concurrency as usize);
    let at_a_time = workers * plan.game.programs_at_a_time();
    admit_strangers(&plan.bounds, options.boxes.yes_unsafe, at_a_time)?;
    let file = options.answers.clone().unwrap_or_else(|| options.directory.join(FILE));
    let mut kept = KeptAnswers::open(&file)?;
    interrupt::catch()?;
    let begun = Instant::now();
    eprintln!("{}", announcement(questions, asked.len(), options));
    let bar = Progress::of(asked.len() * questions.most(), "answers");
    let (mut done, mut from, mut telling) = (0, 0, Vec::new());
    loop {
        let is_over = options
            .budget
            .is_some_and(|minutes| begun.elapsed() > Duration::from_secs(60 * u64::from(minutes)));
        if from > 0 && from <= questions.drawn {
            let counts = counts(&answers).into_iter().enumerate();
            telling = counts.filter_map(|(at, counts)| counts.map(|_| at)).collect();
        }
        let is_enough = from == questions.drawn || telling.len() >= ENOUGH;
        if is_enough && questions.plan.tests.len() == questions.drawn {
            from = questions.drawn;
            answers.iter_mut().for_each(|its| its.resize(from, None));
            questions.turn(&telling)?;
        }
        let count = questions.plan.tests.len();
        if from == count || is_over || interrupt::asked() {
            break;
        }
        let most = if from < questions.drawn { questions.drawn } else { count };
        let to = (from + ROUND).min(most);
        let mut todo = Vec::new();
        for &index in &asked {
            answers[index].resize(from, None);
            for at in from..to {
                let key = (programs[index].digest.clone(), questions.digests[at].clone());
                let known = kept.known.get(&key).cloned();
                done += usize::from(known.is_some());
                todo.extend(known.is_none().then_some((index, at)));
                answers[index].push(known.flatten());
            }
        }
        bar.begin_at(done);
        work_off(
            todo.into_iter(),
            workers,
            interrupt::asked,
            |(index, at)| {
                let Some(player) = &programs[index].player else { return Ok((index, at, None)) };
                Ok((index, at, repeated_answer(questions, player, at)?))
            },
            |(index, at, answer)| {
                let (program, question) =
                    (programs[index].digest.clone(), questions.digests[at].clone());
                kept.recorder.append(&Line { program, question, answer: answer.clone() })?;
                answers[index][at] = answer;
                done += 1;
                bar.set(done);
                Ok(Next::GoOn)
            },
        )?;
        from = to;
    }
    bar.finish();
    if interrupt::asked() {
        eprintln!("{}: the answers so far; the same command goes on with them", file.display());
        return Ok(None);
    }
    Ok(Some(answers))
}

/// What is asked, and how long that takes at most.
fn announcement(questions: &Questions, programs: usize, options: &LikenessOptions) -> String {
    let tests = &questions.plan.tests;
    let seconds = |clock| match clock {
        GameClock::Single(seconds) | GameClock::Game(seconds) => seconds,
    };
    let clock = tests.first().map_or(0.0, |test| seconds(test.clock));
    let all = 2.0 * clock * questions.most() as f64;
    let turned = if questions.most() > tests.len() { " and as many turned boards" } else { "" };
    let hours = all * programs as f64 / 3600.0 / f64::from(options.concurrency);
    format!(
        "{programs} programs, up to {} positions{turned}, each asked twice: {hours:.1} h \
         if all use all of their clocks ({clock} s a move), less if they answer sooner or if {ENOUGH} \
         positions tell them apart",
        tests.len()
    )
}

/// A program's answer to a question; `None` if it is no legal move, or another one when it is asked
/// again: what is random, or depends on the time, is judged by what it repeats.
fn repeated_answer(
    questions: &Questions,
    player: &EngineSpec,
    at: usize,
) -> Result<Option<String>> {
    let Some(first) = answer(questions, player, at)? else { return Ok(None) };
    Ok((answer(questions, player, at)?.as_ref() == Some(&first)).then_some(first))
}

fn answer(questions: &Questions, player: &EngineSpec, at: usize) -> Result<Option<String>> {
    let (plan, question) = (&questions.plan, &questions.plan.tests[at]);
    let order = plan.order(question, player, question.number);
    let mut found = None;
    play_game(plan.game, &order, &mut |event| {
        if let Event::Move(mv) = event {
            found = Some(mv.mv);
        }
        Ok(())
    })?;
    Ok(found)
}
