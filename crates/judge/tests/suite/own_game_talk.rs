//! Tests of programs that stay running for a game and talk by lines.

use crate::common::run;
use crate::own_game::{SETTINGS, tic_tac_toe};
use serde_json::Value;
use std::path::Path;
use testing::{Folder, NewFolder, assert_has, events};

/// Writes a program that answers by this function `answer(number, lines)` the text for standard
/// output.
fn talker(place: &Path, name: &str, answer: &str) {
    let text = format!(
        "import os, sys, threading, time
def first(lines):
    board = ''.join(lines[2:5])
    at = board.index('.')
    return '%d,%d' % (at % 3, at // 3)
def task():
    lines = []
    for line in sys.stdin:
        if line == '\\n':
            break
        lines.append(line.rstrip('\\n'))
    return lines
def answer(number, lines):
{answer}
number = 0
while lines := task():
    number += 1
    sys.stdout.write(answer(number, lines))
    sys.stdout.flush()
"
    );
    place.write(name, text);
}

const GOOD: &str = "    return first(lines) + '\\n\\n'";

fn talking_tic_tac_toe() -> NewFolder {
    let place = tic_tac_toe();
    talker(&place, "good.py", GOOD);
    place.edit(SETTINGS, "clock = { game = 60.0 }", "clock = { move = 1.0 }");
    place.write(SETTINGS, place.read(SETTINGS) + "programs-talk = \"lines\"\n");
    place
}

/// Plays two games of a program with this answer, the first as X, against good.py; returns the
/// events of the record.
fn games(place: &Path, answer: &str) -> Vec<Value> {
    talker(place, "tried.py", answer);
    let player =
        |name: &str| format!("--engine name={name} 'cmd=python3 {}/{name}.py'", place.display());
    let words = format!(
        "match --seed 1 --game ./game --games 2 --wall-margin 3 --record record --overwrite {} {}",
        player("tried"),
        player("good")
    );
    run(place, &words, 0);
    events(place.join("record"))
}

fn first_end(events: &[Value]) -> &Value {
    events.iter().find(|event| event["event"] == "end" && event["game"] == 1).unwrap()
}

#[test]
fn a_program_that_talks_is_started_once_a_game_and_keeps_what_it_knows() {
    let place = talking_tic_tac_toe();
    run(&place, "rules-test ./game --games 3", 0).has(["All is well."]);
    // Its second answer depends on its own memory: it has counted.
    let counts =
        "    assert number == sum(''.join(lines[2:5]).count(sign) for sign in lines[0]) + 1
    print('note turn', number, file=sys.stderr)
    print('move', first(lines), number, file=sys.stderr)
    print('depth 3 score', number, file=sys.stderr)
    return '\\n' + first(lines) + '\\n\\n\\n'";
    let events = games(&place, counts);
    let ends: Vec<&Value> = events.iter().filter(|event| event["event"] == "end").collect();
    // Both take the first free square, so that X has the first column after seven moves.
    assert!(ends.len() == 2 && ends.iter().all(|end| end["termination"] == "normal"), "{ends:?}");
    // What it wrote in a turn is of that turn alone.
    let first = |event: &&Value| event["side"] == "X" && event["game"] == 1;
    let said: Vec<&Value> = events.iter().filter(first).map(|event| &event["stderr"]).collect();
    assert_eq!(said[1], "note turn 2\nmove 2,0 2\ndepth 3 score 2\n", "{said:?}");
    assert!(events.iter().filter(first).map(|event| &event["score"]).eq([1, 2, 3, 4].iter()));
    run(&place, "replay record --text --game 1 --ply 3", 0).has(["its thoughts: 2,0 2; turn 2"]);
    let said = ["the middle of a game", "AssertionError"];
    run(&place, "try --game ./game --cmd 'python3 tried.py'", 1).has(said);
    run(&place, "try --game ./game --cmd 'python3 good.py'", 0).has(["All is well"]);
}

#[test]
fn every_fault_of_a_program_that_talks_ends_in_a_result() {
    let place = talking_tic_tac_toe();
    let place = &*place;
    for (line, word, reason) in [
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
        ("while True: pass", "time forfeit", "used 1."),
    ] {
        // The first answer is good.
        let events = games(
            place,
            &format!("    if number == 1: return first(lines) + '\\n\\n'\n    {line}"),
        );
        let end = first_end(&events);
        assert_eq!(
            (&end["winner"], &end["termination"]),
            (&1.into(), &word.into()),
            "{line}: {end}"
        );
        assert_has(end["reason"].as_str().unwrap(), ["X (ply 3): ", reason]);
    }
    // An answer that nobody has asked for, and a child that outlives its parent.
    let events = games(place, &format!("{GOOD} + '2,2\\n\\n'"));
    let reason = first_end(&events)["reason"].as_str().unwrap();
    assert_has(reason, ["wrote a line before it was asked: '2,2'"]);
    let forks = "    if os.fork() == 0:\n        os.setsid()\n        time.sleep(1000)";
    let events = games(place, &format!("{forks}\n{GOOD}"));
    assert_eq!(first_end(&events)["termination"], "normal");
}

#[test]
fn what_a_program_uses_while_the_other_thinks_counts_for_its_next_move() {
    let place = talking_tic_tac_toe();
    talker(&place, "good.py", &format!("    time.sleep(0.3)\n{GOOD}"));
    let busy = "    def busy():
        end = time.process_time() + 0.6
        while time.process_time() < end: pass
    if number == 1: threading.Thread(target=busy).start()";
    let events = games(&place, &format!("{busy}\n{GOOD}"));
    let turns = events.iter().filter(|event| event["side"] == "X" && event["game"] == 1);
    let cpu: f64 = turns.map(|event| event["cpu"].as_f64().unwrap()).sum();
    assert!(cpu > 0.3, "{cpu}");
}
