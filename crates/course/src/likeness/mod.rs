//! `judge likeness`: which programs of a class are alike. Why they are is not known, and no word
//! says so.

mod asking;
mod export;
pub mod moves;
mod options;
mod page;
mod program;
mod questions;

use crate::class::{Alike, students};
use crate::grade::scheme::plan::Test;
use anyhow::Result;
use arena::plain;
use asking::ask;
use engine::Symmetry;
use intake::source_likeness::{Pair, Sameness, Text, closest, common, rings};
use moves::{Agreement, Answers, Boards};
pub use options::LikenessOptions;
use page::Told;
use program::{Program, program, read_sources};
use questions::Questions;
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::process::ExitCode;
use terminal::interrupt;
use terminal::output::{print, write_file};

/// The part of the smaller text that a pair which is told has in common.
const LEAST_TEXT: f64 = 0.3;
const SHOWN: usize = 3;

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
    let draw = || Questions::draw(assignment.game()?, options);
    let mut questions = (options.positions > 0).then(draw).transpose()?;
    let answers = match &mut questions {
        Some(questions) => ask(questions, &programs, options)?,
        None => Some(vec![Answers::new(); programs.len()]),
    };
    let Some(answers) = answers else { return Ok(ExitCode::from(interrupt::EXIT_CODE)) };
    let compared = questions.as_ref().map_or(Vec::new(), |questions| compared(questions, &answers));
    let plan = questions.as_ref().map(|questions| &questions.plan);
    let questions = plan.map_or(&[][..], |plan| &plan.tests);
    let agreements: Vec<Agreement> = compared
        .into_iter()
        .filter(|pair| pair.programs.iter().any(|&one| programs[one].is_own))
        .filter(|pair| !pair.programs.iter().any(|&one| programs[one].is_handed_out))
        .collect();
    if !questions.is_empty() {
        told += &moves_told(&programs, &answers, &agreements, &mut pairs);
    }
    print(&told);
    if let Some(path) = &options.page {
        write_file(path, &page::page(assignment.title(), plan, &programs, &answers, &pairs)?)?;
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

/// Compares the answers of each two programs, on the same boards and on those that the symmetries
/// of the game turn.
fn compared(questions: &Questions, answers: &[Answers]) -> Vec<Agreement> {
    let mut turned_back = HashMap::new();
    let comparisons = questions.plan.game.symmetries.iter().map(|&symmetry| {
        let images = questions.images(symmetry);
        let mut back = |asked: usize, mv: &str| match symmetry {
            Symmetry::None => Some(mv.to_string()),
            _ => turned_back
                .entry((symmetry, asked, mv.to_string()))
                .or_insert_with(|| questions.turned_back(mv, asked, symmetry))
                .clone(),
        };
        let mut of = |its: &Answers| -> Answers {
            let answer = |&asked: &Option<usize>| back(asked?, its.get(asked?)?.as_deref()?);
            images.iter().map(answer).collect()
        };
        let turned: Vec<Answers> = answers.iter().map(&mut of).collect();
        let boards = Boards { symmetry, images: &images, orbits: &questions.orbits };
        moves::agreements(answers, &turned, &boards)
    });
    moves::most_telling(comparisons.collect())
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
        let turned = match pair.symmetry {
            Symmetry::None => String::new(),
            turned => format!(" on the board turned for the second one ({})", turned.name()),
        };
        let how = format!(
            "the same move{turned} in {} of {} positions ({:.0} %; expected {expected:.0} %, or {least:.0} to {most:.0} % \
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
            "turned": pair.symmetry.name(),
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
