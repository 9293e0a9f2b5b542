//! `judge likeness`: which programs of a class are alike. Why they are is not known, and no word
//! says so.

mod export;
pub mod moves;
mod page;
mod program;

use crate::class::{Alike, Commands, students};
use crate::grade::scheme::plan::{GradingPlan, Test};
use anygame::AnyGame;
use anyhow::Result;
use arena::plain;
use arena::player::spec::EngineSpec;
use arena::pool::{Next, work_off};
use arena::proofs::Proof;
use arena::record::Event;
use arena::referee::play_game;
use arena::terms::restored;
use clap::Args;
use intake::source_likeness::{Pair, Sameness, Text, closest, common, rings};
use moves::{Agreement, Answers};
use page::Told;
use program::{Program, program, read_sources};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;
use terminal::games::GameOption;
use terminal::interrupt;
use terminal::output::{print, write_file};
use terminal::progress::Progress;
use terminal::sandbox_layers::admit_strangers;
use terminal::settings::BoxSettings;

/// The part of the smaller text that a pair which is told has in common.
const LEAST_TEXT: f64 = 0.3;
const SHOWN: usize = 3;
/// A grading has no more tests.
const MOST_POSITIONS: u32 = 2_000;

/// Options of `judge likeness`.
#[derive(Args)]
pub struct LikenessOptions {
    #[command(flatten)]
    game: GameOption,

    /// A class: a directory that judge intake has made, or one with a directory for each submission
    directory: PathBuf,

    #[command(flatten)]
    commands: Commands,

    /// Another class to compare with, such as last year's, or public programs; may be given again.
    /// Pairs within it are not told
    #[arg(long, value_name = "DIRECTORY")]
    beside: Vec<PathBuf>,

    /// What was handed out, such as a starter, which does not count as alike; may be given again
    #[arg(long, value_name = "DIRECTORY")]
    given: Vec<PathBuf>,

    /// Positions that each program is asked, twice; 0 compares the texts alone
    #[arg(long, value_name = "COUNT", default_value_t = 200, value_parser = clap::value_parser!(u32).range(0..=2_000))]
    positions: u32,

    /// CPU seconds for each answer
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    clock: f64,

    /// Programs that are asked at a time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4096))]
    concurrency: u32,

    /// The seed of the positions
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Write a page with the pairs side by side: lines that match, and rare moves that both play.
    /// The page is for teachers alone
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,

    /// Write the sources to this new folder, in UTF-8, a folder for each program, for JPlag
    #[arg(long, value_name = "DIRECTORY")]
    jplag: Option<PathBuf>,

    /// Write the sources to this zip, in UTF-8, for Dolos
    #[arg(long, value_name = "FILE")]
    dolos: Option<PathBuf>,

    /// Write all pairs, with the positions that tell programs apart and all answers, to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    #[command(flatten)]
    boxes: BoxSettings,
}

/// Runs `judge likeness`.
pub fn likeness(options: &LikenessOptions) -> Result<ExitCode> {
    let assignment = options.game.assignment()?;
    let mut given = Text::default();
    for directory in &options.given {
        read_sources(directory, &mut |path, bytes, _| given.add(path, bytes))?;
    }
    let (mut programs, mut digests) = (Vec::new(), BTreeMap::new());
    for (index, directory) in [&options.directory].into_iter().chain(&options.beside).enumerate() {
        let class = plain::name(directory.file_name().unwrap_or_default());
        for student in students(directory, &options.commands, &assignment)? {
            if index == 0 {
                digests.insert(student.name.clone(), student.digest.clone());
            }
            programs.push(program(student, class.clone(), index == 0, &given)?);
        }
    }
    if let Some(directory) = &options.jplag {
        export::jplag(directory, &programs)?;
    }
    if let Some(path) = &options.dolos {
        export::dolos(path, &programs)?;
    }
    let mut pairs = Vec::new();
    let mut told = texts_told(&programs, &mut pairs);
    let plan =
        (options.positions > 0).then(|| positions(assignment.game()?, options)).transpose()?;
    let answers = match &plan {
        Some(plan) => ask(plan, &programs, options)?,
        None => Some(vec![Answers::new(); programs.len()]),
    };
    let Some(answers) = answers else { return Ok(ExitCode::from(interrupt::EXIT_CODE)) };
    let questions = plan.as_ref().map_or(&[][..], |plan| &plan.tests);
    let agreements: Vec<Agreement> = moves::agreements(&answers)
        .into_iter()
        .filter(|pair| pair.programs.iter().any(|&one| programs[one].is_own))
        .filter(|pair| !pair.programs.iter().any(|&one| programs[one].is_handed_out))
        .collect();
    if !questions.is_empty() {
        told += &moves_told(&programs, &answers, &agreements, &mut pairs);
    }
    print(&told);
    if let Some(path) = &options.page {
        write_file(
            path,
            &page::page(assignment.title(), plan.as_ref(), &programs, &answers, &pairs)?,
        )?;
    }
    if let Some(path) = &options.json {
        write_file(path, &as_json(&programs, questions, &answers, &agreements))?;
    }
    let name = |index: usize| programs[index].name.clone();
    let pair = |told: Told| (told.programs.map(name), told.how.join("; "));
    let page = options.page.as_ref().map(std::path::absolute).transpose()?;
    Alike { page, pairs: pairs.into_iter().map(pair).collect(), digests }
        .write(&options.directory)?;
    Ok(ExitCode::SUCCESS)
}

/// Tells the pairs with much text in common and the rings that they make, and adds the pairs to
/// `pairs`.
fn texts_told(programs: &[Program], pairs: &mut Vec<Told>) -> String {
    let texts: Vec<&Text> = programs.iter().map(|program| &program.text).collect();
    let name = |index: usize| programs[index].name.as_str();
    let is_told = |pair: &Pair| {
        let is_much = pair.same != Sameness::Part || pair.shared >= LEAST_TEXT;
        is_much && pair.programs.iter().any(|&index| programs[index].is_own)
    };
    let found: Vec<Pair> = closest(&texts).into_iter().filter(is_told).collect();
    let mut told = String::new();
    for ring in rings(&found.iter().collect::<Vec<_>>()) {
        let names: Vec<&str> = ring.programs.iter().map(|&index| name(index)).collect();
        let (all, centre) = (names.join(", "), name(ring.centre));
        let count = names.len();
        told +=
            &format!("  a ring of {count}: {all}; {centre} has most in common with the others\n");
    }
    for pair in found {
        let (how, [one, other]) = (pair.how(), pair.programs.map(name));
        told += &format!("  {one} and {other}: {how}\n");
        pairs.push(Told { programs: pair.programs, how: vec![how], moves: None });
    }
    let (shared, common) = common(&texts);
    if common > 0 {
        told += &format!(
            "  {common} of the {shared} places that several programs have are in more than half of them and weigh \
             little: --given names what was handed out\n"
        );
    }
    match pairs.is_empty() {
        true => format!("No two programs have much text in common that few others have.\n{told}"),
        false => format!("Alike in their texts:\n{told}"),
    }
}

/// The positions that the programs are asked are those of a grading by single positions, half of
/// which may tell nothing.
fn positions(game: &'static AnyGame, options: &LikenessOptions) -> Result<GradingPlan> {
    let LikenessOptions { positions, clock, seed, .. } = options;
    let (name, drawn) = (game.name, (2 * positions).min(MOST_POSITIONS));
    let scheme = format!(
        "game = \"{name}\"\nseed = {seed}\n[[positions]]\ncount = {drawn}\nclock = {clock:?}\n"
    );
    let bounds = options.boxes.bounds()?;
    let mut plan = GradingPlan::new(game, &toml::from_str(&scheme)?, bounds, String::new())?;
    let mut asked = BTreeSet::new();
    for test in std::mem::take(&mut plan.tests) {
        if asked.insert(test.opening.input.clone()) && leaves_a_choice(game, &test.opening.input)? {
            plan.tests.push(test);
        }
    }
    // As many from each part of a game as were found there.
    let (found, count, mut at) = (plan.tests.len(), *positions as usize, 0);
    plan.tests.retain(|_| {
        at += 1;
        at * count / found > (at - 1) * count / found
    });
    Ok(plan)
}

/// Whether the rules allow several moves in a position, and no proof leaves one of them.
fn leaves_a_choice(game: &AnyGame, input: &str) -> Result<bool> {
    let position = restored(game, input, None)?.position;
    if position.codes().len() < 2 {
        return Ok(false);
    }
    let proof = Proof::of(game, &position, 1.0)?;
    let is_only =
        |proof: Proof| proof.kept().count() == 1 && proof.moves.iter().all(|mv| mv.keeps.is_some());
    Ok(!proof.is_some_and(is_only))
}

/// Asks all programs all positions, each twice; `None` after an interrupt.
fn ask(
    plan: &GradingPlan,
    programs: &[Program],
    options: &LikenessOptions,
) -> Result<Option<Vec<Answers>>> {
    let mut answers = vec![Answers::new(); programs.len()];
    let is_asked = |&index: &usize| programs[index].player.is_some();
    let asked: Vec<usize> = (0..programs.len()).filter(is_asked).collect();
    if asked.is_empty() {
        return Ok(Some(answers));
    }
    let workers = options.concurrency as usize;
    let at_a_time = workers * plan.game.programs_at_a_time();
    admit_strangers(&plan.bounds, options.boxes.yes_unsafe, at_a_time)?;
    interrupt::catch()?;
    let bar = Progress::of(asked.len(), "programs");
    let mut done = 0;
    work_off(
        asked.into_iter(),
        workers,
        interrupt::asked,
        |index| {
            let Some(player) = &programs[index].player else { return Ok((index, Vec::new())) };
            let each = |question| {
                // What is random, or depends on the time, is judged by what it repeats.
                let first = answer(plan, player, question)?;
                let second = if first.is_some() { answer(plan, player, question)? } else { None };
                Ok(if first == second { first } else { None })
            };
            let asked = plan.tests.iter().take_while(|_| !interrupt::asked());
            Ok((index, asked.map(each).collect::<Result<Answers>>()?))
        },
        |(index, all)| {
            done += 1;
            bar.done(done, &format!("{} is asked", programs[index].name));
            answers[index] = all;
            Ok(Next::GoOn)
        },
    )?;
    bar.finish();
    Ok((!interrupt::asked()).then_some(answers))
}

/// A program's answer to one question; `None` if it is no legal move.
fn answer(plan: &GradingPlan, player: &EngineSpec, question: &Test) -> Result<Option<String>> {
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

/// Tells the pairs that agree far beyond what the class does, and adds them to `pairs`.
fn moves_told(
    programs: &[Program],
    answers: &[Answers],
    agreements: &[Agreement],
    pairs: &mut Vec<Told>,
) -> String {
    let telling = moves::counts(answers).iter().flatten().count();
    let asked = answers.iter().map(Vec::len).max().unwrap_or_default();
    let mut told = String::new();
    for pair in agreements.iter().filter(|pair| pair.is_told()) {
        let [one, other] = pair.programs.map(|index| programs[index].name.as_str());
        let rarest = |&at: &usize| {
            let mv = answers[pair.programs[0]][at].as_deref()?;
            Some(format!("{mv} in position {}", at + 1))
        };
        let moves: Vec<String> = pair.same.iter().take(SHOWN).filter_map(rarest).collect();
        let [least, expected, most] = pair.expected_shares().map(|share| 100.0 * share);
        let how = format!(
            "the same move in {} of {} positions ({:.0} %; expected {expected:.0} %, or {least:.0} to {most:.0} % \
             within one error: {:.1} errors more)",
            pair.same.len(),
            pair.common,
            100.0 * pair.share(),
            pair.errors()
        );
        told += &format!("  {one} and {other}: {how}\n    the rarest: {}\n", moves.join(", "));
        let (programs, moves) = (pair.programs, Some(pair.clone()));
        match pairs.iter_mut().find(|told| told.programs == programs) {
            Some(told) => {
                told.how.push(how);
                told.moves = moves;
            }
            None => pairs.push(Told { programs, how: vec![how], moves }),
        }
    }
    let of = format!("{telling} of {asked} positions tell programs apart");
    match told.is_empty() {
        true if agreements.is_empty() => format!(
            "Not comparable by their moves: {of}, and two programs need {} in common; ask more with --positions, or \
             allow more with --clock.\n",
            moves::LEAST_COMMON
        ),
        true => format!("No two programs play alike far beyond the class ({of}).\n"),
        false => format!("Alike in their moves ({of}):\n{told}"),
    }
}

fn as_json(
    programs: &[Program],
    questions: &[Test],
    answers: &[Answers],
    agreements: &[Agreement],
) -> String {
    let name = |index: usize| programs[index].name.as_str();
    let pairs = agreements.iter().map(|pair| {
        json!({
            "programs": pair.programs.map(name),
            "told": pair.is_told(),
            "common": pair.common,
            "same": pair.same.iter().map(|at| at + 1).collect::<Vec<_>>(),
            "share": pair.share(),
            "expected": pair.expected_shares(),
            "errors": pair.errors(),
        })
    });
    let answers =
        programs.iter().zip(answers).map(|(program, all)| (program.name.clone(), json!(all)));
    let json = json!({
        "pairs": pairs.collect::<Vec<_>>(),
        "positions": questions.iter().map(|question| &question.opening.input).collect::<Vec<_>>(),
        "answers": answers.collect::<serde_json::Map<_, _>>(),
    });
    format!("{json:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_with_one_legal_move_or_one_that_is_proven_best_leaves_no_choice() {
        let squirrels = games::all().into_iter().find(|game| game.name == "squirrels").unwrap();
        let leaves = |last_row: &str| {
            let values = "1 1 1 1 1\n".repeat(4) + "9 1 1 1 9\n";
            let board = "XXXXX\nOOOOO\nXXXXX\nOOOOO\n";
            leaves_a_choice(&squirrels, &format!("SINGLE\nX\n1\n{values}{board}{last_row}\n"))
        };
        assert!(!leaves("OOOO*").unwrap(), "one legal move");
        assert!(!leaves("*O*OO").unwrap(), "the corner is worth more");
        assert!(leaves("*OOO*").unwrap(), "both corners are worth the same");
    }
}
