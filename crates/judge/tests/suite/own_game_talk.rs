//! Tests of programs that stay running for a game and talk by lines.

use crate::common::run;
use crate::own_game::tic_tac_toe;
use serde_json::Value;
use std::path::Path;
use testing::{Folder, assert_has, folder};

/// A program that answers by this function `answer(number, lines)` the text for standard output.
fn talker(place: &Path, name: &str, answer: &str) {
    let text = format!(
        "import os, sys, time\n\
         def first(lines):\n    board = ''.join(lines[2:5])\n    at = board.index('.')\n    return '%d,%d' % (at % 3, at // 3)\n\
         def task():\n    lines = []\n    for line in sys.stdin:\n        if line == '\\n':\n            break\n        \
         lines.append(line.rstrip('\\n'))\n    return lines\n\
         def answer(number, lines):\n{answer}\n\
         number = 0\n\
         while lines := task():\n    number += 1\n    sys.stdout.write(answer(number, lines))\n    sys.stdout.flush()\n"
    );
    place.write(name, text);
}

/// The tic-tac-toe whose programs talk.
fn talking_tic_tac_toe(place: &Path) {
    tic_tac_toe(place);
    talker(place, "good.py", "    return first(lines) + '\\n\\n'");
    let game =
        place.read("game/game.toml").replace("clock = { game = 60.0 }", "clock = { move = 2.0 }");
    place.write("game/game.toml", format!("{game}programs-talk = \"lines\"\n"));
}

/// Plays this many games of a talking program, the first as X, against good.py; returns the events of the record.
fn games(place: &Path, count: u32, program: &str) -> Vec<Value> {
    let good = place.join("good.py");
    let words = format!(
        "match --game ./game --games {count} --wall-margin 3 --record record --overwrite \
         --engine name=tried --engine name=good"
    );
    let mut words: Vec<String> = words.split_whitespace().map(str::to_string).collect();
    let at = words.iter().position(|word| word == "name=tried").unwrap();
    words.insert(at, format!("cmd=python3 {}", place.join(program).display()));
    words.insert(at + 3, format!("cmd=python3 {}", good.display()));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    run(place, &words[..], 0);
    place.read("record").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_program_that_talks_is_started_once_a_game_and_keeps_what_it_knows() {
    let place = folder();
    talking_tic_tac_toe(&place);
    assert_has(run(&place, "rules-test ./game --games 3", 0).stdout, ["All is well."]);
    // Its second answer depends on its own memory: it has counted.
    talker(
        &place,
        "tried.py",
        "    assert number == sum(''.join(lines[2:5]).count(sign) for sign in lines[0]) + 1\n    \
         print('thinking', file=sys.stderr)\n    return '\\n' + first(lines) + '\\n\\n\\n'",
    );
    let events = games(&place, 4, "tried.py");
    let ends: Vec<&Value> = events.iter().filter(|event| event["event"] == "end").collect();
    assert_eq!(ends.len(), 4);
    // Both take the first free square, so that X has the first column after seven moves.
    assert!(ends.iter().all(|end| end["termination"] == "normal"), "{ends:?}");
    let said = run(&place, &["try", "--game", "./game", "--cmd", "python3 tried.py"][..], 1).stdout;
    assert_has(&said, ["the middle of a game", "AssertionError"]);
    let said = run(&place, &["try", "--game", "./game", "--cmd", "python3 good.py"][..], 0).stdout;
    assert_has(&said, ["All is well"]);
}

#[test]
fn every_fault_of_a_program_that_talks_ends_in_a_result() {
    let place = folder();
    talking_tic_tac_toe(&place);
    let faults = [
        ("time.sleep(100)", "stall", "no answer within"),
        ("return '1,1'", "stall", "no answer within"),
        ("return '1,1\\n'", "stall", "no empty line after its answer within"),
        ("return 'x' * (1 << 26)", "bad format", "longer than 1024 KiB"),
        ("return 'x\\n' * (1 << 26)", "bad format", "longer than 1024 KiB"),
        ("os._exit(3)", "crash", "exit code 3"),
        ("raise ValueError('here')", "crash", "ValueError: here"),
        ("os._exit(0)", "crash", "ended without an answer"),
        ("return 'x\\n\\n'", "bad format", "its answer line 1: expected a square"),
        ("return '9,9\\n\\n'", "illegal move", "not a legal move"),
        ("while True: pass", "time forfeit", "used 2."),
    ];
    for (line, word, reason) in faults {
        // The first answer is good.
        talker(
            &place,
            "tried.py",
            &format!("    if number == 1: return first(lines) + '\\n\\n'\n    {line}"),
        );
        let events = games(&place, 2, "tried.py");
        let end =
            events.iter().find(|event| event["event"] == "end" && event["game"] == 1).unwrap();
        assert_eq!(end["winner"], 1, "{line}: {end}");
        assert_has(end["termination"].as_str().unwrap(), [word]);
        assert_has(end["reason"].as_str().unwrap(), ["X (ply 3): ", reason]);
    }
    // An answer that nobody has asked for, and a child that outlives its parent.
    talker(&place, "tried.py", "    return first(lines) + '\\n\\n' + '2,2\\n\\n'");
    let events = games(&place, 2, "tried.py");
    let end = events.iter().find(|event| event["event"] == "end" && event["game"] == 1).unwrap();
    assert_has(end["reason"].as_str().unwrap(), ["wrote a line before it was asked: '2,2'"]);
    talker(
        &place,
        "tried.py",
        "    if os.fork() == 0:\n        os.setsid()\n        time.sleep(1000)\n    return first(lines) + '\\n\\n'",
    );
    let events = games(&place, 2, "tried.py");
    let end = events.iter().find(|event| event["event"] == "end" && event["game"] == 1).unwrap();
    assert_eq!(end["termination"], "normal", "{end}");
}

#[test]
fn what_a_program_uses_while_the_other_thinks_counts_for_its_next_move() {
    let place = folder();
    talking_tic_tac_toe(&place);
    talker(&place, "good.py", "    time.sleep(0.3)\n    return first(lines) + '\\n\\n'");
    talker(
        &place,
        "tried.py",
        "    import threading\n    def busy():\n        end = time.process_time() + 0.6\n        \
         while time.process_time() < end: pass\n    \
         if number == 1: threading.Thread(target=busy).start()\n    return first(lines) + '\\n\\n'",
    );
    let events = games(&place, 2, "tried.py");
    let cpu: f64 = events
        .iter()
        .filter(|event| event["side"] == "X" && event["game"] == 1)
        .map(|event| event["cpu"].as_f64().unwrap())
        .sum();
    assert!(cpu > 0.3, "{cpu}");
}
