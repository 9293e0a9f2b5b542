//! `judge analyse`, `judge position`, `judge show --scores`: what moves were worth, and positions out of records.

mod common;

use common::{events, judge, run, text};
use engine::search::Knowledge;
use engine::{Outcome, Playable, RuleSet};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A record of games between reference players.
fn record(game: &str, players: [&str; 2], options: &[&str]) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let [one, other] = players.map(|name| format!("engine=reference:{name}"));
    let words = ["match", "--game", game, "--each", "time=100", "--record", "record", "--engine", "name=one", &one];
    let words = words.into_iter().chain(["--engine", "name=other", &other]).chain(options.iter().copied());
    run(place.path(), &words.collect::<Vec<_>>(), 0);
    place
}

fn findings(file: &Path) -> Vec<Value> {
    fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn chance_of(truth: &Value) -> f64 {
    ["loss", "draw", "win"].iter().position(|word| truth == word).unwrap() as f64 - 1.0
}

#[test]
fn every_move_has_a_line_the_same_for_the_same_nodes_whatever_the_threads() {
    let place = record("foxgame", ["random", "greedy"], &["--games", "2", "--max-plies", "30"]);
    let analyse = |file: &str, threads: &str| {
        let words = ["analyse", "record", "--nodes", "800", "--json", file, "--threads", threads];
        text(&run(place.path(), &words, 0).stdout)
    };
    let told = analyse("a", "1");
    assert_eq!(told, analyse("b", "3"));
    let [a, b] = ["a", "b"].map(|name| fs::read_to_string(place.path().join(name)).unwrap());
    assert_eq!(a, b);
    let moves: Vec<Value> =
        events(&place.path().join("record")).into_iter().filter(|event| event["event"] == "move").collect();
    let lines = findings(&place.path().join("a"));
    assert_eq!(lines.len(), moves.len());
    for (line, mv) in lines.iter().zip(&moves) {
        assert_eq!([&line["game"], &line["ply"], &line["side"]], [&mv["game"], &mv["ply"], &mv["side"]]);
        assert_eq!(line["move"], mv["output"]);
        let [chance, best] = ["chance", "best_chance"].map(|key| line[key].as_f64().unwrap());
        assert!((-1.0..=1.0).contains(&chance) && chance <= best, "{line}");
        assert_eq!(line["line"][0], line["best"], "{line}");
        let mark = match best - chance {
            _ if line["mark"].is_null() && line["best"] == line["move"] => None,
            drop if drop >= 0.3 => Some("blunder"),
            drop if drop >= 0.2 => Some("mistake"),
            drop if drop >= 0.1 => Some("inaccuracy"),
            _ => None,
        };
        assert_eq!(line["mark"].as_str(), mark, "{line}");
    }
    assert!(lines.iter().any(|line| line["mark"] == "blunder"), "a random player blunders");
    for part in ["Accuracy", "The costliest moves of", "better: ", "--ply "] {
        assert!(told.contains(part), "{part} is missing in\n{told}");
    }
}

#[test]
fn what_is_there_is_not_looked_at_again_and_torn_lines_are() {
    let place = record("squirrels", ["random", "greedy"], &["--games", "2"]);
    let words = ["analyse", "record", "--nodes", "300", "--json", "lines"];
    let told = text(&run(place.path(), &words, 0).stdout);
    let path = place.path().join("lines");
    let whole = fs::read_to_string(&path).unwrap();
    // A line that only this file has shows that it was taken from there.
    let mut kept: Vec<String> = whole.lines().take(5).map(|line| format!("{line}\n")).collect();
    kept[2] = kept[2].replace("\"depth\":", "\"depth\":7");
    fs::write(&path, kept.concat() + &whole.lines().nth(6).unwrap()[..40]).unwrap();
    assert_eq!(text(&run(place.path(), &words, 0).stdout), told);
    let again = fs::read_to_string(&path).unwrap();
    assert_eq!(again.lines().count(), whole.lines().count());
    assert!(again.contains(kept[2].trim_end()));
    let refused = run(place.path(), &["analyse", "record", "--nodes", "301", "--json", "lines"], 2);
    assert!(text(&refused.stderr).contains("300 nodes a position, not 301"), "{}", text(&refused.stderr));
}

#[test]
fn side_and_game_choose_and_names_that_nobody_has_are_refused() {
    let place = record("squirrels", ["random", "greedy"], &["--games", "2"]);
    let words = ["analyse", "record", "--nodes", "100", "--json", "lines", "--game", "2", "--side", "one"];
    let told = text(&run(place.path(), &words, 0).stdout);
    assert!(told.starts_with("Game 2: ") && !told.contains("Game 1: "), "{told}");
    let lines = findings(&place.path().join("lines"));
    assert!(lines.iter().all(|line| line["game"] == 2 && line["side"] == lines[0]["side"]) && lines.len() < 20);
    run(place.path(), &["analyse", "record", "--side", "nobody"], 2);
    run(place.path(), &["analyse", "record", "--game", "9"], 2);
}

#[test]
fn moves_that_change_a_known_value_are_named_and_no_other_is_a_blunder() {
    for (game, counted) in [("wolves", false), ("squirrels", true)] {
        let place = record(game, ["random", "alphabeta:3"], &["--games", "6", "--max-plies", "60"]);
        run(place.path(), &["analyse", "record", "--nodes", "200", "--json", "lines"], 0);
        let lines = findings(&place.path().join("lines"));
        let proven: Vec<&Value> = lines.iter().filter(|line| line["proven"] == true).collect();
        assert!(proven.len() > 20, "{game}: {} proven", proven.len());
        let mut changed = 0;
        for line in proven {
            let [before, after] = ["before", "after"].map(|key| chance_of(&line[key]));
            assert!(after <= before, "{line}");
            assert_eq!(line["mark"] == "blunder", after < before, "{line}");
            assert_eq!([line["best_chance"].as_f64(), line["chance"].as_f64()], [Some(before), Some(after)]);
            changed += usize::from(after < before);
            if counted {
                let [best, score] = ["best_score", "score"].map(|key| line[key].as_i64().unwrap());
                assert_eq!(line["mark"].is_null(), best == score, "{line}");
            }
        }
        assert!(changed > 0, "{game}: a random player gives results away");
    }
}

#[test]
fn an_analysed_record_is_replayed_with_its_findings() {
    let place = record("foxgeese", ["random", "greedy"], &["--games", "2", "--max-plies", "20"]);
    run(place.path(), &["analyse", "record", "--nodes", "300", "--record", "analysed"], 0);
    let shown = text(&run(place.path(), &["replay", "--text", "analysed"], 0).stdout);
    assert!(shown.contains("winning chances"), "{shown}");
    run(place.path(), &["replay", "analysed", "--html", "page.html"], 0);
    let page = fs::read_to_string(place.path().join("page.html")).unwrap();
    assert!(page.contains("\"expected\":") && page.contains("\"accuracy\":"));
    // A second run finds everything in the record.
    let again = run(place.path(), &["analyse", "analysed", "--nodes", "300", "--json", "lines"], 0);
    assert!(text(&again.stdout).contains("Accuracy"));
    let watched = text(&run(place.path(), &["watch", "--once", "--analyse", "record"], 0).stdout);
    assert!(watched.contains("chances"), "{watched}");
}

#[test]
fn a_position_is_what_its_player_saw_and_can_be_played() {
    let place = record("halma", ["random", "greedy"], &["--games", "2", "--max-plies", "12"]);
    let moves: Vec<Value> =
        events(&place.path().join("record")).into_iter().filter(|event| event["event"] == "move").collect();
    for mv in moves.iter().filter(|mv| mv["game"] == 2) {
        let ply = mv["ply"].to_string();
        let input = text(&run(place.path(), &["position", "record", "--game", "2", "--ply", &ply], 0).stdout);
        assert!(input.starts_with(&format!("GAME\n{}\n", mv["side"].as_str().unwrap())), "{input}");
        let left: f64 = input.lines().nth(2).unwrap().parse().unwrap();
        assert!(left <= 100.0 && left >= mv["left"].as_f64().unwrap(), "{left}");
        fs::write(place.path().join("input.txt"), &input).unwrap();
        fs::write(place.path().join("output.txt"), mv["output"].as_str().unwrap()).unwrap();
        run(place.path(), &["check", "halma", "input.txt", "output.txt"], 0);
    }
    run(place.path(), &["position", "record", "--game", "2", "--ply", "99"], 2);
    run(place.path(), &["position", "record", "--game", "7", "--ply", "0"], 2);
}

#[test]
fn a_refused_turn_s_input_is_the_very_one() {
    let place = tempfile::tempdir().unwrap();
    let wrong = "cmd=sh -c 'echo nonsense > output.txt'";
    let words = ["match", "--game", "wolves", "--games", "2", "--record", "record", "--engine", "name=wrong", wrong];
    run(place.path(), &[&words[..], &["--engine", "engine=reference:random"]].concat(), 0);
    let end = common::ends(&place.path().join("record")).remove(0);
    let ply = end["plies"].to_string();
    let input = run(place.path(), &["position", "record", "--game", "1", "--ply", &ply], 0).stdout;
    assert_eq!(text(&input), end["fault"]["input"].as_str().unwrap());
}

#[test]
fn scores_list_every_legal_move_the_best_first_and_the_evaluation_s_parts() {
    let place = tempfile::tempdir().unwrap();
    let input = "SINGLE\nWOLVES\n10\nSSSSS\nSSSSS\nSSSSS\n.....\n.WWW.\n";
    fs::write(place.path().join("input.txt"), input).unwrap();
    let words = ["show", "wolves", "input.txt", "--scores", "--nodes", "2000"];
    let shown = text(&run(place.path(), &words, 0).stdout);
    assert!(shown.contains("8 legal moves"), "{shown}");
    let first = shown.lines().find(|line| line.trim_start().starts_with("1. ")).unwrap();
    assert!(first.contains("2,4x2,2"), "the only move that does not lose: {shown}");
    assert!(shown.contains("sheep that are missing") && shown.contains("sum"), "{shown}");
    for game in ["halma", "squirrels", "foxgame", "foxgeese"] {
        let start = format!("{}/../../inputs/{game}/start.txt", env!("CARGO_MANIFEST_DIR"));
        let words = ["show", game, &start, "--scores", "--nodes", "200"];
        assert!(text(&run(place.path(), &words, 0).stdout).contains("1. "), "{game}");
    }
}

#[test]
fn a_curve_is_fitted_to_results_and_drawn() {
    let place = record("foxgame", ["random", "greedy"], &["--games", "8", "--max-plies", "60"]);
    let words = ["analyse", "--fit", "record", "--nodes", "100", "--svg", "curve.svg"];
    let told = text(&run(place.path(), &words, 0).stdout);
    assert!(told.contains("Curve { points: ") && told.contains("log loss"), "{told}");
    let svg = fs::read_to_string(place.path().join("curve.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>") && svg.contains("<circle"));
    run(place.path(), &["analyse", "--fit", "record", "--json", "x"], 2);
}

#[test]
fn winning_chances_of_one_game_are_drawn_with_the_marked_moves() {
    let place = record("foxgame", ["random", "greedy"], &["--games", "2", "--max-plies", "40"]);
    let words = ["analyse", "record", "--nodes", "300", "--json", "lines", "--svg", "game.svg", "--game", "2"];
    run(place.path(), &words, 0);
    let svg = fs::read_to_string(place.path().join("game.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>") && svg.contains("<polyline"), "{svg}");
    let marked = findings(&place.path().join("lines")).iter().filter(|line| !line["mark"].is_null()).count();
    assert_eq!(svg.matches("<title>").count(), marked);
    let refused = run(place.path(), &["analyse", "record", "--nodes", "300", "--svg", "both.svg"], 2);
    assert!(text(&refused.stderr).contains("--game NUMBER"), "{}", text(&refused.stderr));
}

#[test]
fn a_grading_s_report_says_where_lost_games_were_lost_if_asked() {
    let place = tempfile::tempdir().unwrap();
    let words = ["grade", "--game", "squirrels", "--singles", "0", "--games", "2", "--reference", "alphabeta:4"];
    let more = ["--engine", "engine=reference:random", "name=me", "--analyse", "--analyse-nodes", "200"];
    let report = run(place.path(), &[&words[..], &more].concat(), 0);
    let shown = text(&report.stdout);
    assert!(shown.contains("The agent's moves:") && shown.contains("The costliest moves of"), "{shown}");
    assert!(text(&report.stderr).contains("--record"), "the end says how to get a record");
}

#[test]
fn an_interrupted_analysis_keeps_what_it_found() {
    let place = record("halma", ["random", "greedy"], &["--games", "2", "--max-plies", "60"]);
    let mut process = judge(place.path())
        .args(["analyse", "record", "--nodes", "30000", "--json", "lines", "--threads", "1"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let path = place.path().join("lines");
    let lines = || fs::read_to_string(&path).map_or(0, |text| text.lines().count());
    while lines() < 3 {
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(process.try_wait().unwrap().is_none(), "the analysis is over before it could be interrupted");
    }
    let kill = std::process::Command::new("kill").args(["-INT", &process.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(process.wait().unwrap().code(), Some(130));
    let found = findings(&path);
    assert!(found.len() >= 3 && found.len() < 120, "{}", found.len());
}

/// Positions of a game in which every seventh legal move after the one before is played.
fn walk<A: Playable>() -> Vec<A> {
    let mut position = A::start(<A::Rules as RuleSet>::AGENT);
    let mut reached = Vec::new();
    while position.outcome().is_none() && reached.len() < 120 {
        reached.push(position.clone());
        let moves = position.legal_moves();
        position.play(moves[reached.len() * 7 % moves.len()]);
    }
    reached
}

fn parts_add_up<A: Playable>() {
    for position in walk::<A>() {
        for position in [A::as_searched(&position), position] {
            let sum: i32 = A::terms(&position).iter().map(|(_, points)| points).sum();
            assert_eq!(sum, A::knowledge().evaluate(&position), "{}", A::NAME);
        }
    }
}

#[test]
fn the_parts_of_an_evaluation_add_up_to_it() {
    parts_add_up::<halma::Position>();
    parts_add_up::<wolves::Position>();
    parts_add_up::<foxgame::Position>();
    parts_add_up::<foxgeese::Position>();
}

/// A proven result is kept by the best move that comes with it, and by none exceeded.
fn proofs_agree<A: Playable>() {
    let result = |outcome: Outcome, position: &A| {
        let side = position.side_to_move();
        let sign = if side == engine::Side::First { 1 } else { -1 };
        match outcome {
            Outcome::Margin(points) => sign * points,
            other => other.winner().map_or(0, |winner| if winner == side { 1 } else { -1 }),
        }
    };
    let mut proven = 0;
    for position in walk::<A>() {
        let Some(proof) = A::proven(&position) else { continue };
        let best = result(proof.outcome, &position);
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play(mv);
            let Some(outcome) = after.outcome().or_else(|| Some(A::proven(&after)?.outcome)) else { continue };
            let reached = result(outcome, &position);
            assert!(reached <= best, "{}: {}", A::NAME, position.describe_move(mv));
            if proof.best == Some(mv) {
                assert_eq!(reached, best, "{}: {}", A::NAME, position.describe_move(mv));
                proven += 1;
            }
        }
    }
    assert!(proven > 5, "{}: {proven}", A::NAME);
}

#[test]
fn the_best_move_of_a_proof_keeps_its_result() {
    proofs_agree::<wolves::Position>();
    proofs_agree::<squirrels::Position>();
}
