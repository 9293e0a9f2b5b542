//! Tests of `judge analyse`, `judge position` and `judge show --scores`: the values of moves, and
//! positions taken from records.

use crate::common::{judge, run};
use engine::search::Knowledge;
use engine::think::default_knowledge;
use engine::{Explain, Outcome, RuleSet};
use serde_json::Value;
use std::fs;
use std::path::Path;
use testing::{Folder, NewFolder, assert_has, events, folder, text};

#[test]
fn a_file_that_is_no_record_is_told_what_a_record_is() {
    let place = folder();
    place.write("homework.py", "print(1)\n");
    let told = run(&place, "analyse homework.py", 2).stderr;
    assert_eq!(
        told,
        "homework.py: expected a record of games, as --record FILE of a match or a grading writes it\n"
    );
}

/// A record of games between reference players.
fn record(game: &str, players: [&str; 2], options: &str) -> NewFolder {
    let place = folder();
    let [one, other] = players;
    let words = format!(
        "match --game {game} --each time=100 --record record --engine name=one engine=reference:{one} \
         --engine name=other engine=reference:{other} {options}"
    );
    run(&place, &words, 0);
    place
}

fn chance_of(truth: &Value) -> f64 {
    ["loss", "draw", "win"].iter().position(|word| truth == word).unwrap() as f64 - 1.0
}

#[test]
fn every_move_has_a_line_the_same_for_the_same_nodes_whatever_the_threads() {
    let place = record("foxgame", ["random", "greedy"], "--games 2 --max-plies 30");
    let analyse = |file: &str, threads: &str| {
        let words = format!("analyse record --nodes 800 --json {file} --threads {threads}");
        run(&place, &words, 0).stdout
    };
    let told = analyse("a", "1");
    assert_eq!(told, analyse("b", "3"));
    let [a, b] = ["a", "b"].map(|name| place.read(name));
    assert_eq!(a, b);
    let moves: Vec<Value> =
        events(place.join("record")).into_iter().filter(|event| event["event"] == "move").collect();
    let lines = events(place.join("a"));
    assert_eq!(lines.len(), moves.len());
    for (line, mv) in lines.iter().zip(&moves) {
        assert_eq!(
            [&line["game"], &line["ply"], &line["side"]],
            [&mv["game"], &mv["ply"], &mv["side"]]
        );
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
    assert_has(&told, ["Accuracy", "The costliest moves of", "better: ", "--ply "]);
}

#[test]
fn what_is_there_is_not_looked_at_again_and_torn_lines_are() {
    let place = record("squirrels", ["random", "greedy"], "--games 2");
    let words = "analyse record --nodes 300 --json lines";
    let told = run(&place, words, 0).stdout;
    let path = place.join("lines");
    let whole = fs::read_to_string(&path).unwrap();
    // A line that only this file has shows that it was taken from there.
    let mut kept: Vec<String> = whole.lines().take(5).map(|line| format!("{line}\n")).collect();
    kept[2] = kept[2].replace("\"depth\":", "\"depth\":7");
    fs::write(&path, kept.concat() + &whole.lines().nth(6).unwrap()[..40]).unwrap();
    assert_eq!(run(&place, words, 0).stdout, told);
    let again = fs::read_to_string(&path).unwrap();
    assert_eq!(again.lines().count(), whole.lines().count());
    assert!(again.contains(kept[2].trim_end()));
    let refused = run(&place, "analyse record --nodes 301 --json lines", 2);
    assert_has(&refused.stderr, ["300 nodes a position, not 301"]);
}

#[test]
fn side_and_game_choose_and_names_that_nobody_has_are_refused() {
    let place = record("squirrels", ["random", "greedy"], "--games 2");
    let words = "analyse record --nodes 100 --json lines --game 2 --side one";
    let told = run(&place, words, 0).stdout;
    assert!(told.starts_with("Game 2: ") && !told.contains("Game 1: "), "{told}");
    let lines = events(place.join("lines"));
    assert!(
        lines.iter().all(|line| line["game"] == 2 && line["side"] == lines[0]["side"])
            && lines.len() < 20
    );
    run(&place, "analyse record --side nobody", 2);
    run(&place, "analyse record --game 9", 2);
}

/// The data of a replay page.
fn page_data(page: &Path) -> Value {
    let html = fs::read_to_string(page).unwrap();
    let data = html.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).unwrap()
}

/// The number of the move with which the only game of an analysis turned.
fn turning_move(told: &str) -> u64 {
    let (_, move_of_the_turn) =
        told.split_once("The game turned for good with ").unwrap_or_else(|| panic!("{told}"));
    move_of_the_turn.split_once('.').unwrap().0.parse().unwrap()
}

#[test]
fn the_turning_move_is_the_same_if_only_the_loser_is_analysed_in_text_and_on_the_page() {
    let place = record("squirrels", ["random", "alphabeta:3"], "--games 6");
    run(&place, "analyse record --nodes 300 --json lines --record both", 0);
    let lines = events(place.join("lines"));
    let mut turned = 0;
    for end in testing::ends(place.join("record")).iter().filter(|end| end["winner"].is_u64()) {
        // The loser's last move that gave the game away by proof.
        let gave_away = |line: &&Value| {
            line["before"] != "loss" && line["after"] == "loss" && line["proven"] == true
        };
        let of_the_game = || lines.iter().filter(|line| line["game"] == end["game"]);
        let Some(lost) = of_the_game().rfind(gave_away) else { continue };
        turned += 1;
        let (game, ply, side) = (
            end["game"].to_string(),
            lost["ply"].as_u64().unwrap(),
            lost["side"].as_str().unwrap(),
        );
        for words in ["both", &format!("record --side {side} --record one-side")] {
            let words = format!("analyse --game {game} --nodes 300 {words}");
            assert_eq!(turning_move(&run(&place, &words, 0).stdout), ply + 1, "{words:?}");
        }
        run(&place, &format!("replay one-side --game {game} --html page.html"), 0);
        let data = page_data(&place.join("page.html"));
        assert_eq!(data[0]["games"][0]["turned"].as_u64(), Some(ply + 1));
    }
    assert!(turned > 0, "a random player gives games away");
}

#[test]
fn a_match_is_analysed_fast_and_one_game_in_full_unless_an_option_says_otherwise() {
    let place = record("foxgeese", ["random", "greedy"], "--games 2 --max-plies 4");
    let (full, fast) = (Some(100_000), Some(10_000));
    for (file, options, expected) in [
        ("match", "", fast),
        ("game", "--game 2", full),
        ("full", "--full", full),
        ("fast", "--fast --game 2", fast),
        ("nodes", "--nodes 50", Some(50)),
    ] {
        let told = run(&place, &format!("analyse record --json {file} {options}"), 0).stderr;
        let lines = events(place.join(file));
        assert!(lines.iter().all(|line| line["effort"]["nodes"].as_u64() == expected), "{file}");
        assert_eq!(told.contains("--game NUMBER"), file == "match", "{told}");
    }
    // A finding of more work than was asked for is kept.
    run(&place, "analyse record --json full", 0);
    let kept = events(place.join("full"));
    assert!(kept.iter().all(|line| line["effort"]["nodes"].as_u64() == full));
    let refused = run(&place, "analyse record --full --json match", 2);
    assert_has(&refused.stderr, ["or --nodes 10000"]);
    run(&place, "analyse record --full --fast", 2);
}

#[test]
fn a_count_is_told_as_a_reason_only_if_it_weighs_what_was_lost() {
    let place = record("foxgame", ["random", "greedy"], "--games 4 --max-plies 60");
    let told = run(&place, "analyse record --nodes 300", 0).stdout;
    let counts = foxgame::Position::counts(&foxgame::Position::initial(), engine::Side::First);
    let number = |text: &str| text.parse::<i32>().ok();
    let (mut lost, mut reasons, mut moves) = (None, 0, 0);
    for line in told.lines() {
        if let Some((_, scores)) = line.split_once(" (score ") {
            let (best, score) = scores.trim_end_matches(')').split_once(" instead of ").unwrap();
            lost = number(best).zip(number(score)).map(|(best, score)| best - score);
            moves += 1;
        }
        let Some((_, why)) = line.split_once("why: ") else { continue };
        for (what, numbers) in why.split("; ").filter_map(|reason| reason.split_once(": ")) {
            let (better, worse) = numbers.split_once(" instead of ").unwrap();
            let gain = (number(better).unwrap() - number(worse).unwrap()).abs();
            let worth = counts.iter().find(|count| count.what == what).unwrap().worth;
            assert!(gain * worth * 3 >= lost.unwrap(), "{line} in\n{told}");
            reasons += 1;
        }
    }
    assert!(0 < reasons && reasons < moves, "{reasons} reasons, {moves} moves in\n{told}");
}

#[test]
fn a_drawn_game_that_a_side_had_won_says_from_where_it_was_winning() {
    let place = record("wolves", ["alphabeta:2", "greedy"], "--games 6 --max-plies 40 --seed 2");
    let analysed = "analyse record --nodes 200 --json lines --record analysed";
    let told = run(&place, analysed, 0).stdout;
    run(&place, "replay analysed --html page.html", 0);
    let data = page_data(&place.join("page.html"));
    let lines = events(place.join("lines"));
    let mut unfinished = 0;
    for game in data[0]["games"].as_array().unwrap() {
        for (index, side) in data[0]["sides"].as_array().unwrap().iter().enumerate() {
            let own =
                lines.iter().filter(|line| line["game"] == game["game"] && line["side"] == *side);
            let winning = own.rev().take_while(|line| line["after"] == "win").last();
            let first = winning
                .filter(|_| game["winner"] != index)
                .map(|line| line["ply"].as_u64().unwrap() + 1);
            assert_eq!(game["unfinished"][index].as_u64(), first, "{game}");
            if let Some(first) = first {
                unfinished += 1;
                let words = format!(
                    "{} {} was winning from move {first} and did not finish",
                    side.as_str().unwrap(),
                    game["players"][index].as_str().unwrap()
                );
                assert_has(&told, [&words]);
            }
        }
    }
    assert!(unfinished > 0, "{told}");
}

#[test]
fn moves_that_change_a_known_value_or_lose_points_are_named_and_no_other_is_a_blunder() {
    for (game, counted) in [("wolves", false), ("squirrels", true)] {
        let place = record(game, ["random", "alphabeta:3"], "--games 6 --max-plies 60");
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
            assert!(
                if counted {
                    is_blunder || after == before
                } else {
                    is_blunder == (after < before)
                },
                "{line}"
            );
            assert_eq!(
                [line["best_chance"].as_f64(), line["chance"].as_f64()],
                [Some(before), Some(after)]
            );
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
fn an_analysed_record_is_replayed_with_its_findings() {
    let place = record("foxgeese", ["random", "greedy"], "--games 2 --max-plies 20");
    run(&place, "analyse record --nodes 300 --record analysed", 0);
    let shown = run(&place, "replay --text analysed", 0).stdout;
    assert_has(&shown, ["winning chances"]);
    run(&place, "replay analysed --html page.html", 0);
    let page = place.read("page.html");
    assert_has(&page, ["\"expected\":", "\"accuracy\":"]);
    // A second run finds everything in the record.
    let again = run(&place, "analyse analysed --nodes 300 --json lines", 0);
    assert_has(&again.stdout, ["Accuracy"]);
    let watched = run(&place, "watch --once --analyse record", 0).stdout;
    assert_has(&watched, ["chances"]);
}

#[test]
fn a_position_is_what_its_player_saw_and_can_be_played() {
    let place = record("halma", ["random", "greedy"], "--games 2 --max-plies 12");
    let moves: Vec<Value> =
        events(place.join("record")).into_iter().filter(|event| event["event"] == "move").collect();
    for mv in moves.iter().filter(|mv| mv["game"] == 2) {
        let ply = mv["ply"].to_string();
        let words = format!("position record --game 2 --ply {ply}");
        let input = run(&place, &words, 0).stdout;
        assert!(input.starts_with(&format!("GAME\n{}\n", mv["side"].as_str().unwrap())), "{input}");
        let left: f64 = input.lines().nth(2).unwrap().parse().unwrap();
        assert!(left <= 100.0 && left >= mv["left"].as_f64().unwrap(), "{left}");
        place.write("input.txt", &input);
        place.write("output.txt", mv["output"].as_str().unwrap());
        run(&place, "check halma input.txt output.txt", 0);
    }
    run(&place, "position record --game 2 --ply 99", 2);
    run(&place, "position record --game 7 --ply 0", 2);
}

#[test]
fn a_refused_turn_s_input_is_the_very_one() {
    let place = folder();
    let wrong = "match --game wolves --games 2 --record record --engine engine=reference:random --engine name=wrong \
                 \"cmd=sh -c 'echo nonsense > output.txt'\"";
    run(&place, wrong, 0);
    let end = testing::ends(place.join("record")).remove(0);
    let words = format!("position record --game 1 --ply {}", end["plies"]);
    let input = run(&place, &words, 0).stdout;
    assert_eq!(input, end["fault"]["input"].as_str().unwrap());
}

#[test]
fn scores_list_every_legal_move_the_best_first_and_the_evaluation_s_parts() {
    let place = folder();
    let input = "SINGLE\nWOLVES\n10\nSSSSS\nSSSSS\nSSSSS\n.....\n.WWW.\n";
    place.write("input.txt", input);
    let shown = run(&place, "show wolves input.txt --scores --nodes 2000", 0).stdout;
    assert_has(&shown, ["8 legal moves"]);
    let first = shown.lines().find(|line| line.trim_start().starts_with("1. ")).unwrap();
    assert!(first.contains("2,4x2,2"), "the only move that does not lose: {shown}");
    assert_has(&shown, ["sheep that are missing", "sum"]);
    for game in games::all().iter().map(|game| game.name) {
        let start = format!("{}/../../inputs/{game}/start.txt", env!("CARGO_MANIFEST_DIR"));
        let words = format!("show {game} '{start}' --scores --nodes 200");
        assert_has(&run(&place, &words, 0).stdout, ["1. "]);
    }
}

#[test]
fn winning_chances_of_one_game_are_drawn_with_the_marked_moves() {
    let place = record("foxgame", ["random", "greedy"], "--games 2 --max-plies 40");
    let words = "analyse record --nodes 300 --json lines --svg game.svg --game 2";
    run(&place, words, 0);
    let svg = place.read("game.svg");
    assert!(
        svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>") && svg.contains("<polyline"),
        "{svg}"
    );
    let marked = events(place.join("lines")).iter().filter(|line| !line["mark"].is_null()).count();
    assert_eq!(svg.matches("<title>").count(), marked);
    let refused = run(&place, "analyse record --nodes 300 --svg both.svg", 2);
    assert_has(&refused.stderr, ["--game NUMBER"]);
}

#[test]
fn the_plot_and_the_page_draw_the_chances_of_the_same_side_and_say_whose() {
    let place = record("halma", ["random", "greedy"], "--games 2 --max-plies 20");
    let words = "analyse record --nodes 300 --svg game.svg --game 2 --record analysed";
    run(&place, words, 0);
    run(&place, "replay analysed --game 2 --html page.html", 0);
    let svg = place.read("game.svg");
    let data = page_data(&place.join("page.html"));
    let first = data[0]["sides"][data[0]["first"].as_u64().unwrap() as usize].as_str().unwrap();
    assert_has(&svg, [&format!("expected result of {first}</text>")]);
    let points = svg.split_once("<polyline points=\"").unwrap().1.split_once('"').unwrap().0;
    let heights: Vec<&str> =
        points.split(' ').map(|point| point.split_once(',').unwrap().1).collect();
    let positions = data[0]["games"][0]["positions"].as_array().unwrap().iter();
    let expected: Vec<f64> =
        positions.filter_map(|position| position["analysis"]["expected"].as_f64()).collect();
    assert_eq!(
        heights,
        expected.iter().map(|part| format!("{:.1}", 300.0 - 260.0 * part)).collect::<Vec<_>>()
    );
}

/// A scheme of two games that weak players lose.
const AGAINST_ALPHABETA: &str = "game = 'squirrels'\n[[games]]\ncount = 2\npoints = 10\nreference = 'alphabeta:4'\nclock = 60\n";

#[test]
fn a_class_s_page_of_lost_games_has_the_plot_the_marks_and_the_turn_of_its_report() {
    let place = folder();
    testing::needs("python3");
    place.make("class/ann");
    let starter =
        format!("{}/../../starters/squirrels/python/agent.py", env!("CARGO_MANIFEST_DIR"));
    fs::copy(starter, place.join("class/ann/homework.py")).unwrap();
    place.write("scheme.toml", AGAINST_ALPHABETA);
    let words = "grade-all --game squirrels class --cmd 'python3 homework.py' --csv grades.csv --page class.html \
                 --scheme scheme.toml --analyse=300 --reports reports";
    run(&place, words, 0);
    let report = place.read("reports/ann.txt");
    let data = page_data(&place.join("class-pages/games/ann.html"));
    let games = data[0]["games"].as_array().unwrap();
    assert!(!games.is_empty());
    for game in games {
        let positions = game["positions"].as_array().unwrap();
        assert!(
            positions.iter().any(|position| position["analysis"]["expected"].is_f64()),
            "a plot"
        );
        assert!(positions.iter().any(|position| position["analysis"]["mark"].is_string()), "marks");
    }
    let told: Vec<u64> = report
        .split("turned for good with ")
        .skip(1)
        .map(|rest| rest.split_once('.').unwrap().0.parse().unwrap())
        .collect();
    let shown: Vec<u64> = games.iter().filter_map(|game| game["turned"].as_u64()).collect();
    assert!(!told.is_empty() && told == shown, "{told:?} and {shown:?} in\n{report}");
}

#[test]
fn a_grading_s_report_says_where_lost_games_were_lost_if_asked() {
    let place = folder();
    place.write("scheme.toml", AGAINST_ALPHABETA);
    let words = "grade --game squirrels --scheme scheme.toml --engine engine=reference:random name=me --analyse=200";
    let report = run(&place, words, 0);
    let shown = report.stdout;
    assert!(
        shown.contains("The agent's moves:") && shown.contains("The costliest moves of"),
        "{shown}"
    );
    assert!(
        report.stderr.contains("judge analyse graded.jsonl"),
        "the end says where the moves are"
    );
}

#[test]
fn an_interrupted_analysis_keeps_what_it_found() {
    let place = record("halma", ["random", "greedy"], "--games 2 --max-plies 60");
    let mut process = judge(&place)
        .args(["analyse", "record", "--nodes", "30000", "--json", "lines", "--threads", "1"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let path = place.join("lines");
    let lines = || fs::read_to_string(&path).map_or(0, |text| text.lines().count());
    testing::wait("three lines", || {
        assert!(
            process.try_wait().unwrap().is_none(),
            "the analysis is over before it could be interrupted"
        );
        lines() >= 3
    });
    let kill = std::process::Command::new("kill")
        .args(["-INT", &process.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    assert_eq!(process.wait().unwrap().code(), Some(130));
    let found = events(&path);
    assert!(found.len() >= 3 && found.len() < 120, "{}", found.len());
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
    let done = std::process::Command::new("sh")
        .args(["-c", line, env!("CARGO_BIN_EXE_judge")])
        .current_dir(&place)
        .output()
        .unwrap();
    let said = text(&done.stderr);
    assert!(done.status.success() && text(&done.stdout).contains("Accuracy"), "{said}");
    assert!(
        said.ends_with(
            "not enough memory for a transposition table of 64 MiB: searches had smaller ones\n"
        ),
        "{said}"
    );
}
