//! Tests of `judge analyse`, `judge position` and `judge show --scores`: the values of moves, and
//! positions taken from records.

use crate::common::{judge, run};
use engine::search::Knowledge;
use engine::think::default_knowledge;
use engine::{Explain, Outcome, RuleSet};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use testing::{Folder, NewFolder, assert_has, copy, events, folder, repository};

fn record(game: &str, players: [&str; 2], options: &str) -> NewFolder {
    let place = folder();
    let [one, other] = players;
    let words = format!(
        "match --seed 1 --game {game} --each time=100 --record record --engine name=one engine=reference:{one} \
         --engine name=other engine=reference:{other} {options}"
    );
    run(&place, &words, 0);
    place
}

fn moves(place: &Path) -> Vec<Value> {
    let events = events(place.join("record")).into_iter();
    events.filter(|event| event["event"] == "move").collect()
}

#[test]
fn every_move_has_a_line_the_same_for_the_same_nodes_whatever_the_threads() {
    let place = record("foxgame", ["random", "greedy"], "--games 2 --max-plies 30");
    let analyse = |file: &str, threads: &str| {
        let words = format!("analyse record --nodes 800 --json {file} --threads {threads}");
        (run(&place, &words, 0).stdout, place.read(file))
    };
    let found = analyse("a", "1");
    assert_eq!(found, analyse("b", "3"));
    let (moves, lines) = (moves(&place), events(place.join("a")));
    assert_eq!(lines.len(), moves.len());
    for (line, mv) in lines.iter().zip(&moves) {
        let about = |value: &Value| ["game", "ply", "side"].map(|key| value[key].clone());
        assert_eq!((about(line), &line["move"]), (about(mv), &mv["output"]));
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
    let told = ["Accuracy", "The costliest moves of", "better: ", "--ply ", "why: "];
    assert_has(&found.0, told);
}

#[test]
fn what_is_there_is_not_looked_at_again_and_side_and_game_choose() {
    let place = record("squirrels", ["random", "greedy"], "--games 2");
    let words = "analyse record --nodes 300 --json lines";
    let told = run(&place, words, 0).stdout;
    let whole = place.read("lines");
    // A line that only this file has shows that it was taken from there; the last one is torn.
    let mut kept: Vec<String> = whole.lines().take(5).map(|line| format!("{line}\n")).collect();
    kept[2] = kept[2].replace("\"depth\":", "\"depth\":7");
    place.write("lines", kept.concat() + &whole.lines().nth(6).unwrap()[..40]);
    assert_eq!(run(&place, words, 0).stdout, told);
    let again = place.read("lines");
    assert_eq!(again.lines().count(), whole.lines().count());
    assert_has(again, [kept[2].trim_end()]);
    let refused = run(&place, "analyse record --nodes 301 --json lines", 2);
    refused.has(["300 nodes a position, not 301"]);
    let words = "analyse record --nodes 100 --json chosen --game 2 --side one";
    run(&place, words, 0).has(["Game 2: "]).lacks(["Game 1: "]);
    let chosen = events(place.join("chosen"));
    let is_chosen = |line: &Value| line["game"] == 2 && line["side"] == chosen[0]["side"];
    assert!(chosen.iter().all(is_chosen) && chosen.len() < 20);
    run(&place, "analyse record --side nobody", 2);
    run(&place, "analyse record --game 9", 2);
}

fn page_data(html: &str) -> Value {
    let data = html.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).unwrap()
}

#[test]
fn a_match_is_analysed_fast_and_one_game_in_full_unless_an_option_says_otherwise() {
    let place = record("foxgeese", ["random", "greedy"], "--games 2 --max-plies 2");
    let (full, fast) = (Some(100_000), Some(10_000));
    for (file, options, expected) in [
        ("match", "", fast),
        ("game", "--game 2", full),
        ("full", "--full", full),
        ("fast", "--fast --game 2", fast),
        ("nodes", "--nodes 50", Some(50)),
        // A finding of more work than was asked for is kept.
        ("full", "", full),
    ] {
        let told = run(&place, &format!("analyse record --json {file} {options}"), 0).stderr;
        let lines = events(place.join(file));
        assert!(lines.iter().all(|line| line["effort"]["nodes"].as_u64() == expected), "{file}");
        assert_eq!(told.contains("--game NUMBER"), file == "match", "{told}");
    }
    run(&place, "analyse record --full --json match", 2).has(["or --nodes 10000"]);
    run(&place, "analyse record --full --fast", 2);
}

#[test]
fn moves_that_change_a_known_value_or_lose_points_are_named_and_no_other_is_a_blunder() {
    let chance_of = |truth: &Value| {
        ["loss", "draw", "win"].iter().position(|word| truth == word).unwrap() as f64 - 1.0
    };
    for (game, counted) in [("wolves", false), ("squirrels", true)] {
        let place = record(game, ["random", "alphabeta:3"], "--games 4 --max-plies 60");
        run(&place, "analyse record --nodes 200 --json lines", 0);
        let lines = events(place.join("lines"));
        let proven: Vec<&Value> = lines.iter().filter(|line| line["proven"] == true).collect();
        assert!(proven.len() > 20, "{game}: {} proven", proven.len());
        let (mut changed, mut points) = (0, 0);
        for line in proven {
            let [before, after] = ["before", "after"].map(|key| chance_of(&line[key]));
            assert!(after <= before, "{line}");
            // Many points are a blunder, too, where the result stays.
            let is_blunder = line["mark"] == "blunder";
            let is_marked = if counted {
                is_blunder || after == before
            } else {
                is_blunder == (after < before)
            };
            assert!(is_marked, "{line}");
            let chances = ["best_chance", "chance"].map(|key| line[key].as_f64());
            assert_eq!(chances, [Some(before), Some(after)]);
            changed += usize::from(after < before);
            // A result that is inferred has no points.
            let scores = ["best_score", "score"].map(|key| line[key].as_i64());
            if let (true, [Some(best), Some(score)]) = (counted, scores) {
                assert_eq!(line["mark"].is_null(), best == score, "{line}");
                points += 1;
            }
        }
        assert!(changed > 0, "{game}: a random player gives results away");
        assert_eq!(points > 0, counted, "{game}");
    }
}

#[test]
fn findings_are_drawn_and_replayed_with_their_record() {
    let place = record("foxgame", ["random", "greedy"], "--games 2 --max-plies 40");
    let nodes = "--nodes 300";
    let words =
        format!("analyse record {nodes} --json lines --svg game.svg --game 2 --record analysed");
    run(&place, &words, 0);
    run(&place, "replay analysed --game 2 --html page.html", 0);
    let page = place.read("page.html");
    assert_has(&page, ["\"expected\":", "\"accuracy\":"]);
    let data = page_data(&page);
    // The plot and the page draw the chances of the same side, and say whose.
    let svg = place.read("game.svg");
    let first = data[0]["sides"][data[0]["first"].as_u64().unwrap() as usize].as_str().unwrap();
    assert_has(&svg, [&format!("expected result of {first}</text>")]);
    let points = svg.split_once("<polyline points=\"").unwrap().1.split_once('"').unwrap().0;
    let heights: Vec<&str> =
        points.split(' ').map(|point| point.split_once(',').unwrap().1).collect();
    let positions = data[0]["games"][0]["positions"].as_array().unwrap().iter();
    let expected = positions.filter_map(|position| position["analysis"]["expected"].as_f64());
    let expected: Vec<String> =
        expected.map(|part| format!("{:.1}", 300.0 - 260.0 * part)).collect();
    assert_eq!(heights, expected);
    let marked = events(place.join("lines")).iter().filter(|line| !line["mark"].is_null()).count();
    assert_eq!(svg.matches("<title>").count(), marked);
    run(&place, "analyse record --svg both.svg", 2).has(["--game NUMBER"]);
    run(&place, "replay --text analysed", 0).has(["winning chances"]);
    run(&place, "watch --once --analyse record", 0).has(["chances"]);
    // A second run finds everything in the record.
    run(&place, &format!("analyse analysed {nodes} --game 2"), 0).has(["Accuracy"]);
}

#[test]
fn a_position_is_what_its_player_saw_and_can_be_played() {
    let place = record("halma", ["random", "greedy"], "--games 2 --max-plies 4");
    for mv in moves(&place).iter().filter(|mv| mv["game"] == 2) {
        let words = format!("position record --game 2 --ply {}", mv["ply"].as_u64().unwrap() + 1);
        let input = run(&place, &words, 0).stdout;
        assert!(input.starts_with(&format!("GAME\n{}\n", mv["side"].as_str().unwrap())), "{input}");
        let left: f64 = input.lines().nth(2).unwrap().parse().unwrap();
        assert!(left <= 100.0 && left >= mv["left"].as_f64().unwrap(), "{left}");
        place.write("input.txt", &input);
        place.write("output.txt", mv["output"].as_str().unwrap());
        run(&place, "check halma input.txt output.txt", 0);
    }
    run(&place, "position record --game 2 --ply 99", 2).has(["4 moves: --ply is at most 5"]);
    run(&place, "position record --game 2 --ply 0", 2);
    run(&place, "position record --game 7 --ply 1", 2);
}

#[test]
fn a_refused_turn_s_input_is_the_very_one() {
    let place = folder();
    let wrong = "match --seed 1 --game wolves --games 2 --record record --engine engine=reference:random --engine name=wrong \
                 \"cmd=sh -c 'echo nonsense > output.txt'\"";
    run(&place, wrong, 0);
    let end = testing::ends(place.join("record")).remove(0);
    let words = format!("position record --game 1 --ply {}", end["plies"].as_u64().unwrap() + 1);
    assert_eq!(run(&place, &words, 0).stdout, end["fault"]["input"].as_str().unwrap());
}

#[test]
fn scores_list_every_legal_move_the_best_first_and_the_evaluation_s_parts() {
    let place = folder();
    place.write("input.txt", "SINGLE\nWOLVES\n10\nSSSSS\nSSSSS\nSSSSS\n.....\n.WWW.\n");
    let shown = run(&place, "show wolves input.txt --scores --nodes 2000", 0);
    let shown = shown.has(["8 legal moves", "sheep that are missing", "sum"]).stdout;
    let first = shown.lines().find(|line| line.trim_start().starts_with("1. ")).unwrap();
    assert!(first.contains("2,4x2,2"), "the only move that does not lose: {shown}");
    for game in games::all().iter().map(|game| game.name) {
        let start = repository("inputs").join(game).join("start.txt");
        let words = format!("show {game} '{}' --scores --nodes 200", start.display());
        run(&place, &words, 0).has(["1. "]);
    }
}

const AGAINST_ALPHABETA: &str = "game = 'squirrels'\n[[games]]\ncount = 2\npoints = 10\nreference = 'alphabeta:4'\nclock = 60\n";

#[test]
fn reports_say_where_lost_games_were_lost_and_the_page_has_the_same_plot_marks_and_turns() {
    let place = folder();
    testing::needs("python3");
    copy(repository("starters/squirrels/python/agent.py"), place.join("class/ann/homework.py"));
    place.write("scheme.toml", AGAINST_ALPHABETA);
    let words = "grade-all --game squirrels class --cmd 'python3 homework.py' --csv grades.csv --page class.html \
                 --scheme scheme.toml --analyse=300 --reports reports";
    run(&place, words, 0);
    let report = place.read("reports/ann.txt");
    let data = page_data(&place.read("class-pages/games/ann.html"));
    let games = data[0]["games"].as_array().unwrap();
    for game in games {
        let findings = || game["positions"].as_array().unwrap().iter().map(|at| &at["analysis"]);
        assert!(findings().any(|finding| finding["expected"].is_f64()), "a plot");
        assert!(findings().any(|finding| finding["mark"].is_string()), "marks");
    }
    let turns = report.split("turned for good with ").skip(1);
    let told: Vec<u64> =
        turns.map(|rest| rest.split_once('.').unwrap().0.parse().unwrap()).collect();
    let shown: Vec<u64> = games.iter().filter_map(|game| game["turned"].as_u64()).collect();
    assert!(!told.is_empty() && told == shown, "{told:?} and {shown:?} in\n{report}");
    // A sheet asks what its board shows, and the teacher's copy says it.
    run(&place, "analyse grades.jsonl --fast --talk talk.html", 0);
    let [sheets, answers] = ["talk.html", "talk-answers.html"].map(|page| place.read(page));
    assert_has(
        &sheets,
        ["<h1>ann: Squirrels", " after ", ", and did your program see it? What is"],
    );
    assert_has(&answers, [", the teacher's copy", "Answer: the reply ", " takes ", ", worth "]);
    for item in answers.split(", and did your program see it?").skip(1) {
        let answer = item.split("Answer: ").nth(1).unwrap().split("</p>").next().unwrap();
        assert!(answer.contains("the reply "), "{answer}");
    }
    let words = "grade --game squirrels --scheme scheme.toml --engine engine=reference:random name=me --analyse=200";
    let graded = run(&place, words, 0).has(["The agent's moves:", "The costliest moves of"]);
    assert_has(graded.stderr, ["judge analyse graded.jsonl"]);
}

#[test]
fn an_interrupted_analysis_keeps_what_it_found() {
    let place = record("halma", ["random", "greedy"], "--games 2 --max-plies 60");
    let mut judge = judge(&place);
    let words = "analyse record --nodes 30000 --json lines --threads 1";
    judge.args(words.split(' ')).stdout(Stdio::null()).stderr(Stdio::null());
    place.write("lines", "");
    let mut process = judge.spawn().unwrap();
    testing::wait("three lines", || {
        assert!(process.try_wait().unwrap().is_none(), "the analysis is over too soon");
        place.read("lines").lines().count() >= 3
    });
    let id = process.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(process.wait().unwrap().code(), Some(130));
    let found = events(place.join("lines")).len();
    assert!((3..120).contains(&found), "{found}");
}

/// Positions of a game in which every seventh legal move after the one before is played.
fn walk<A: Explain>() -> Vec<A> {
    let mut position = A::start(<A::Rules as RuleSet>::AGENT);
    let mut reached = Vec::new();
    while position.outcome().is_none() && reached.len() < 120 {
        reached.push(position.clone());
        let moves = position.legal_moves();
        position.play(moves[reached.len() * 7 % moves.len()]);
    }
    reached
}

fn parts_add_up<A: Explain>() {
    for position in walk::<A>() {
        for position in [A::as_searched(&position), position] {
            let sum: i32 = A::evaluation_parts(&position).iter().map(|(_, points)| points).sum();
            assert_eq!(sum, default_knowledge::<A>().evaluate(&position), "{}", A::NAME);
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
fn proofs_agree<A: Explain>() {
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
            let after = position.after(mv);
            let Some(outcome) = after.outcome().or_else(|| Some(A::proven(&after)?.outcome)) else {
                continue;
            };
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

/// The table of a search by time has 64 MiB, for which the process has no room besides its own
/// memory.
#[test]
#[cfg(target_os = "linux")]
fn a_search_goes_on_with_a_smaller_table_where_memory_is_short_and_the_judge_says_so() {
    let place = record("halma", ["random", "greedy"], "--games 2 --max-plies 4");
    let line = "ulimit -v 70000; exec \"$0\" analyse record --game 1 --time 0.01 --threads 1";
    let mut limited = Command::new("sh");
    limited.args(["-c", line, env!("CARGO_BIN_EXE_judge")]).current_dir(&place);
    let said = "not enough memory for a transposition table of 64 MiB: searches had smaller ones\n";
    testing::run(&mut limited, "", 0).has(["Accuracy", said]);
}
