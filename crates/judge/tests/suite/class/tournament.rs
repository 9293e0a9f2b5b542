//! Tests of tournaments between submissions: the best of a class, and a whole class.

use crate::common::{example, run, student};
use serde_json::Value;
use std::collections::BTreeMap;
use testing::gradings::grades;
use testing::{Folder, assert_has, assert_lacks, events, folder};

fn play_sh() -> String {
    format!("sh play.sh {}", example("agent"))
}

#[test]
fn places_among_the_best_give_points() {
    let place = folder();
    for name in ["ann", "bob", "cid"] {
        student(&place, name, "PLAY");
    }
    student(&place, "dan", "echo E 0,0 0,0 > output.txt");
    student(&place, "eve", "exit 1");
    let scheme = "game = \"halma\"\nmax-plies = 4\n[[positions]]\ncount = 3\nclock = 5\n\
                  [bonus]\nbest = 4\npoints = [6, 3]\nclock = 5\n";
    place.write("scheme.toml", scheme);
    let words = format!(
        "grade-all --game halma class --cmd '{}' --scheme scheme.toml --csv grades.csv --reports reports",
        play_sh()
    );
    run(&place, &words, 0);
    let points: Vec<String> =
        grades(&place).into_values().map(|mut fields| fields.remove(0)).collect();
    // All games between the three are drawn, and the two that cannot move lose all of their own
    // against them. Both have as many points as the fourth, so five play.
    assert_eq!(points, ["6", "6", "6", "0", "0"]);
    let bonus = "bonus: 3 for place 1, shared of 5 among the best, with 6 points";
    assert_has(place.read("reports/ann.txt"), [bonus]);
    let before = place.read("grades.best.jsonl");
    run(&place, &format!("{words} --resume"), 0);
    assert_eq!(place.read("grades.best.jsonl"), before, "nothing is played again");
}

#[test]
fn a_class_plays_itself() {
    let place = folder();
    for name in ["ann", "bob", "cid", "dan", "<script>eve&"] {
        student(&place, name, "PLAY");
    }
    student(&place, "fay", "echo E 0,0 0,0 > output.txt");
    place.write("class/zoe/command", "./missing");
    let play = |options: &str| {
        let words = "tournament --seed 1 --game halma --from class --own-commands --games 2 --max-plies 4 --each time=5 --page t.html";
        run(&place, &format!("{words} --cmd '{}' {options}", play_sh()), 0)
    };
    let told = play("--shape swiss --rounds 3 --record swiss.jsonl");
    told.has(["zoe does not play: engine 'zoe': cmd: ./missing"]);
    let ends = testing::ends(place.join("swiss.jsonl"));
    assert_eq!(ends.len(), 3 * 3 * 2);
    // Nobody meets twice but in the two games of a pair.
    let mut meetings = BTreeMap::new();
    for end in &ends {
        let mut players = [0, 1].map(|side| end["players"][side].as_str().unwrap().to_string());
        players.sort();
        *meetings.entry(players).or_insert(0) += 1;
    }
    assert!(meetings.len() == 9 && meetings.values().all(|&count| count == 2), "{meetings:?}");
    let page = place.read("t.html");
    assert_has(&page, ["&lt;script&gt;eve&amp;", "href=\"t-games/1.html#18/"]);
    assert_lacks(&page, ["<script"]);
    // A tournament that was cut off goes on to the same games.
    let record = place.read("swiss.jsonl");
    let half: String = record.split_inclusive('\n').take(record.lines().count() / 2).collect();
    place.write("half.jsonl", half);
    run(&place, "tournament --resume half.jsonl", 0);
    let again = testing::ends(place.join("half.jsonl"));
    let results = |ends: &[Value]| -> Vec<String> {
        ends.iter().map(|end| format!("{} {}", end["players"], end["winner"])).collect()
    };
    assert_eq!(results(&again), results(&ends));
    // The best three, by their grades, and a reference before them that meets each.
    place.write("g.csv", "submission,points\nann,1\nbob,5\ncid,3\ndan,4\n");
    let gauntlet = "--shape gauntlet --engine engine=reference:random";
    play(&format!("--best 3 --grades g.csv {gauntlet} --record best.jsonl"));
    let header = &events(place.join("best.jsonl"))[0];
    let engines = header["engines"].as_array().unwrap();
    let names: Vec<&str> = engines.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["reference:random", "bob", "dan", "cid"]);
    assert_eq!(testing::ends(place.join("best.jsonl")).len(), 6);
}

/// All results depend on each other, so that a tournament begins with all or not at all.
#[test]
fn a_tournament_waits_for_the_interpreter_of_the_intake() {
    let place = folder();
    place.write(
        "class/intake.toml",
        "version = 1\ngame = \"halma\"\nsource = \"\"\ndigest = \"\"\n",
    );
    for (name, command) in [("ann", "sh play.sh"), ("went", "python0 play.py")] {
        let taken = format!(
            "student = \"{name}\"\ndigest = \"\"\nstate = \"ready\"\ncommand = \"{command}\"\n"
        );
        place.write(format!("class/{name}/submission.toml"), taken);
        place.make(format!("class/{name}/program"));
    }
    let words = "tournament --game halma --from class --record games.jsonl";
    run(&place, words, 2).has(["  went: the intake found python0", "not installed"]);
    assert!(!place.join("games.jsonl").exists());
}

#[test]
fn equal_points_at_the_border_of_the_best_are_all_taken_and_equal_results_share_a_place() {
    let place = folder();
    for name in ["ann", "bob", "cid"] {
        student(&place, name, "PLAY");
    }
    place.write("g.csv", "submission,points\nann,1\nbob,5\ncid,5\n");
    let words = format!(
        "tournament --seed 1 --game halma --from class --games 2 --max-plies 4 --each time=5 --best 2 --grades g.csv \
         --record records/of/today.jsonl --cmd '{}'",
        play_sh()
    );
    run(&place, &words, 0).has(["\n   1  bob", "\n   1  cid", "Equal results share a rank"]);
    assert_eq!(testing::ends(place.join("records/of/today.jsonl")).len(), 2);
    place.write("g.csv", "submission,points\nann,5\nbob,5\ncid,5\n");
    let border = "--best 2: 3 submissions play, since those from place 1 on have 5 points each";
    run(&place, &words.replace("today", "tomorrow"), 0).has([border]);
}

#[test]
fn games_are_given_up_by_a_player_s_own_word() {
    let place = folder();
    student(&place, "ann", "PLAY; echo depth 1 score -700 nodes 1 >&2");
    student(&place, "bob", "PLAY; echo depth 1 score 3 nodes 1 >&2");
    student(&place, "cid", "PLAY; echo depth 1 score -3 nodes 1 >&2");
    let words = "tournament --seed 1 --game halma --from class --games 2 --max-plies 40 --each time=5 --record games.jsonl --resign 600/3 \
                 --draw movenumber=5 movecount=4 score=10 --cmd";
    run(&place, &format!("{words} '{}'", play_sh()), 0);
    for end in testing::ends(place.join("games.jsonl")) {
        let players = [0, 1].map(|side| end["players"][side].as_str().unwrap());
        if let Some(loser) = players.iter().position(|&player| player == "ann") {
            assert_eq!(end["termination"], "resignation", "{end}");
            assert_eq!(end["winner"], 1 - loser, "{end}");
            assert!(end["plies"].as_u64().unwrap() <= 6, "{end}");
        } else {
            assert_eq!(end["termination"], "draw by adjudication", "{end}");
            assert_eq!(end["plies"], 9, "{end}");
        }
    }
}
