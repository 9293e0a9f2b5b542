//! The tournament of the best submissions, which gives points for places.

use super::students::Student;
use crate::grade::result::PlaceBonus;
use crate::grade::scheme::file::BonusRule;
use crate::grade::scheme::plan::GradingPlan;
use anygame::GameClock;
use anyhow::{Context, Result};
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::record::{End, Event, Header, Record, Recorder};
use arena::standings::{best_with_ties, rows};
use arena::terms::{Openings, Shape};
use arena::tournament::{Finish, Running, count, run};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use terminal::interrupt;
use terminal::progress::Progress;

const OPENING: u32 = 4;

/// Plays a round robin of the best; `None` after an interrupt. `points` are those of the tests.
pub(super) fn bonus(
    plan: &GradingPlan,
    students: &[Student],
    points: &[f64],
    record: &Path,
    workers: usize,
) -> Result<Option<Vec<Option<PlaceBonus>>>> {
    let mut given = vec![None; students.len()];
    let Some(rule) = &plan.bonus else { return Ok(Some(given)) };
    let best = best_students(students, points, rule.best as usize);
    if best.len() < 2 {
        return Ok(Some(given));
    }
    let header = header(plan, rule, students, &best)?;
    let (path, mut record) = find_record(record, header)?;
    let recorder = match path.exists() {
        true => Recorder::resume(&path)?,
        false => Recorder::create(&path, &Event::Header(record.header.clone()))?,
    };
    let total = count(&record.header, plan.game.first);
    let bar = Progress::new(total);
    bar.begin_at(record.games.len());
    let mut on_end = |_: &End, ends: &BTreeMap<u32, End>| bar.set(ends.len());
    let running = Running {
        concurrency: workers,
        sprt: None,
        keep_moves: false,
        stop: &interrupt::asked,
        finished: &mut on_end,
    };
    let ran = run(plan.game, &mut record, recorder, running);
    bar.finish();
    let (ends, finish) = ran?;
    if finish == Finish::Interrupted {
        return Ok(None);
    }
    let (ranked, _) = rows(&record.header, &ends);
    let results: Vec<(&str, f64)> =
        ranked.iter().map(|row| (row.name.as_str(), row.tally.points())).collect();
    for (name, bonus) in place_bonuses(&results, &rule.points) {
        if let Some(place) = record.header.engines.iter().position(|engine| engine.name == name) {
            given[best[place]] = Some(bonus);
        }
    }
    Ok(Some(given))
}

/// Returns the best by points and then by name, with all that are equal to the last one.
fn best_students(students: &[Student], points: &[f64], most: usize) -> Vec<usize> {
    let runs = |place: &usize| match &students[*place].player {
        Ok(EngineSpec { kind: PlayerKind::Files { directory: Some(directory), .. }, .. }) => {
            directory.to_str().is_some()
        }
        player => player.is_ok(),
    };
    let mut best: Vec<usize> = (0..students.len()).filter(runs).collect();
    best.sort_by(|&one, &other| points[other].total_cmp(&points[one]).then(one.cmp(&other)));
    let sorted: Vec<f64> = best.iter().map(|&place| points[place]).collect();
    let count = best_with_ties(&sorted, most);
    if count > most {
        eprintln!(
            "{count} submissions play for the {most} best places: the last of them have the same points"
        );
    }
    best.truncate(count);
    best
}

fn header(
    plan: &GradingPlan,
    rule: &BonusRule,
    students: &[Student],
    best: &[usize],
) -> Result<Header> {
    let mut engines: Vec<EngineSpec> = Vec::new();
    for &place in best {
        let player = students[place].player.clone().ok().context("the best can be run")?;
        // Quotes in names were replaced, so that two names may be equal.
        let alike = engines.iter().any(|engine| engine.name == player.name);
        let name = if alike { format!("{} ({})", player.name, place + 1) } else { player.name };
        engines.push(EngineSpec { name, clock: GameClock::Game(rule.clock), ..player });
    }
    Ok(Header {
        engines,
        shape: Shape::Roundrobin,
        pairs: rule.games / 2,
        openings: Openings::Random(OPENING),
        ..plan.header()
    })
}

fn find_record(class: &Path, header: Header) -> Result<(PathBuf, Record)> {
    let mut path = class.with_extension("best.jsonl");
    let mut number = 1;
    while path.exists() {
        let record = Record::read(&path)?;
        if record.header == header {
            return Ok((path, record));
        }
        number += 1;
        path = class.with_extension(format!("best-{number}.jsonl"));
    }
    Ok((path, Record::new(header)))
}

/// Gives each result its bonus, best first; equal results share the points of their places.
fn place_bonuses<'a>(results: &[(&'a str, f64)], points: &[f64]) -> Vec<(&'a str, PlaceBonus)> {
    let mut ordered = results.to_vec();
    ordered.sort_by(|one, other| other.1.total_cmp(&one.1));
    let (mut given, count) = (Vec::new(), ordered.len());
    for alike in ordered.chunk_by(|one, other| one.1 == other.1) {
        let first = given.len();
        let sum: f64 = points.iter().skip(first).take(alike.len()).sum();
        let place = first + 1;
        let shared = if alike.len() > 1 { ", shared" } else { "" };
        given.extend(alike.iter().map(|(name, result)| {
            let words =
                format!("place {place}{shared} of {count} among the best, with {result} points");
            (*name, PlaceBonus { points: sum / alike.len() as f64, words })
        }));
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::scheme::tests::halma;

    fn plan() -> GradingPlan {
        let bonus = "[bonus]\nbest = 2\npoints = [3]\nclock = 7\n";
        halma(&format!("game = \"halma\"\nseed = 1\n{bonus}")).unwrap()
    }

    fn students(names: &[&str]) -> Vec<Student> {
        let clock = GameClock::Single(1.0);
        let player = |name: &str| {
            let kind = PlayerKind::Random;
            EngineSpec { name: name.to_string(), kind, clock, margin: 0.0 }
        };
        let all = names.iter().zip(0..);
        all.map(|(name, at)| Student::new(at.to_string(), at, Ok(player(name)), String::new()))
            .collect()
    }

    #[test]
    fn the_best_and_their_equals_play_by_names_of_their_own_and_one_alone_does_not() {
        let (plan, place) = (plan(), tempfile::tempdir().unwrap());
        let class = place.path().join("grades.jsonl");
        let given = bonus(&plan, &students(&["ann"]), &[1.0], &class, 1).unwrap();
        assert_eq!(given, Some(vec![None]));
        assert!(std::fs::read_dir(place.path()).unwrap().next().is_none(), "nothing is begun");
        let four = students(&["ann", "bob", "bob", "eve"]);
        let best = best_students(&four, &[1.0, 3.0, 5.0, 3.0], 2);
        assert_eq!(best, [2, 1, 3]);
        let header = header(&plan, plan.bonus.as_ref().unwrap(), &four, &best).unwrap();
        let names: Vec<_> = header.engines.iter().map(|one| (&*one.name, one.clock)).collect();
        let clock = GameClock::Game(7.0);
        assert_eq!(names, [("bob", clock), ("bob (2)", clock), ("eve", clock)]);
    }

    #[test]
    fn a_tournament_of_others_has_a_record_of_its_own() {
        let place = tempfile::tempdir().unwrap();
        let class = place.path().join("grades.jsonl");
        let (ends, header) = (["best", "best-2", "best-3", "best"], plan().header());
        for (end, seed) in ends.into_iter().zip([1, 2, 3, 1]) {
            let (path, record) = find_record(&class, Header { seed, ..header.clone() }).unwrap();
            assert_eq!(path, place.path().join(format!("grades.{end}.jsonl")));
            if !path.exists() {
                Recorder::create(&path, &Event::Header(record.header)).unwrap();
            }
        }
    }

    #[test]
    fn equal_results_share_the_points_of_their_places() {
        let given =
            place_bonuses(&[("c", 2.0), ("a", 5.0), ("b", 2.0), ("d", 0.0)], &[5.0, 3.0, 1.0]);
        let points: Vec<(&str, f64)> =
            given.iter().map(|(name, bonus)| (*name, bonus.points)).collect();
        assert_eq!(points, [("a", 5.0), ("c", 2.0), ("b", 2.0), ("d", 0.0)]);
        assert_eq!(given[1].1.words, "place 2, shared of 4 among the best, with 2 points");
    }
}
