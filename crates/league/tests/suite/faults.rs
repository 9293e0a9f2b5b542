//! The machine fails: the server is killed, the disk is full, the database is locked.

use super::place::{League, ROSTER, SHORT, Small, begun, wait};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use testing::{assert_lacks, needs_root};

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn what_was_confirmed_is_there_after_the_server_was_killed() {
    let mut league = League::served(SHORT, ROSTER, "2");
    let [ann, cem] = league.sign_ins(["ann", "cem"]);
    let mut confirmed = vec![league.hand_in_starter(&ann), league.hand_in_starter(&cem)];
    for round in 0..6 {
        let games = league.games();
        confirmed.push(league.hand_in(&ann, "a.py", format!("print({round})").as_bytes()));
        let half = league.ask("POST", "/submissions").session(&cem);
        let stream = begun(half, 3_000_000, 9_000_000);
        if round % 2 == 0 {
            league.wait_for_games(games + 1);
        }
        league.kill();
        drop(stream);
        league.is_well();
        league.serve(&["--workers", "2"]);
        for id in &confirmed {
            let session = if *id == confirmed[1] { &cem } else { &ann };
            assert_eq!(league.get(session, &format!("/submissions/{id}")).status, 200);
        }
    }
    assert_eq!(league.sql("SELECT COUNT(*) FROM submission"), confirmed.len().to_string());
    // The checks that were interrupted are done again, and so are the games.
    wait("all checks", || {
        league.sql("SELECT COUNT(*) FROM submission WHERE state = 'waiting'") == "0"
    });
    let games = league.games();
    league.wait_for_games(games + 2);
    league.kill();
    league.is_well();
}

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn a_full_disk_confirms_nothing_and_breaks_nothing() {
    needs_root();
    let mut league = League::new(SHORT, "id,name\nx,X\n");
    let small = Small::around(&league, "16m");
    league.enrol(ROSTER);
    league.serve(&["--workers", "1"]);
    let [ann, cem, teo] = league.sign_ins(["ann", "cem", "teo"]);
    let first = league.hand_in_starter(&ann);
    league.hand_in_starter(&cem);
    league.wait_for_games(2);
    small.fill();
    let upload = |bytes: &[u8]| league.upload(&ann, "a.py", bytes).send();
    let before = league.get(&ann, "/mine").text().matches("/submissions/").count();
    for number in 0..5 {
        let answer = upload(&vec![number; 2 << 20]);
        answer.says(507, "");
        assert_lacks(answer.text(), ["No space"]);
    }
    for path in ["/", "/mine", "/live", &format!("/submissions/{first}")] {
        assert_eq!(league.get(&ann, path).status, 200, "{path}");
    }
    // A page of the database may still have room for the message: it stands if that was confirmed,
    // and not if it was refused.
    let message = "x".repeat(400);
    let status = league.post(&teo, "/staff/message", &format!("text={message}")).status;
    let stands = league.get(&ann, "/").text().contains(&message);
    assert_eq!(status, if stands { 303 } else { 507 });
    // Time for the pair that was begun, whose record finds no room. Nothing tells its end.
    std::thread::sleep(std::time::Duration::from_secs(3));
    fs::remove_file(small.0.join("filler")).unwrap();
    wait("an upload", || upload(b"print('no move')\n").status == 201);
    let games = league.games();
    league.wait_for_games(games + 2);
    let after = league.get(&ann, "/mine").text().matches("/submissions/").count();
    assert!(after > before);
    league.kill();
    league.is_well();
}

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn a_locked_database_delays_and_loses_nothing() {
    let mut league = League::served(SHORT, ROSTER, "1");
    let [ann, cem] = league.sign_ins(["ann", "cem"]);
    league.hand_in_starter(&ann);
    league.hand_in_starter(&cem);
    league.wait_for_games(2);
    let script = "import sqlite3, sys\nbase = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)\nbase.execute('BEGIN IMMEDIATE')\nprint('locked', flush=True)\nsys.stdin.read()\nbase.execute('ROLLBACK')";
    let file = league.join("league.sqlite");
    let mut other = Command::new("python3")
        .args(["-c", script])
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(other.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "locked\n");
    for path in ["/", "/mine", "/live"] {
        assert_eq!(league.get(&ann, path).status, 200, "{path}");
    }
    // An upload waits for the database as long as a worker does, which asks it each second.
    for _ in 0..2 {
        league.upload(&ann, "a.py", b"print(1)").send().says(500, "");
    }
    drop(other.stdin.take());
    other.wait().unwrap();
    wait("an upload", || league.upload(&ann, "a.py", b"print(2)").send().status == 201);
    let games = league.games();
    league.wait_for_games(games + 2);
    league.kill();
    league.is_well();
}

#[test]
#[ignore = "needs root"]
fn uploads_leave_room_for_the_server_and_it_starts_on_a_full_disk() {
    needs_root();
    let mut league = League::new(SHORT, "id,name\nx,X\n");
    let small = Small::around(&league, "16m");
    league.enrol(ROSTER);
    league.serve(&["--workers", "0"]);
    let [ann, teo] = league.sign_ins(["ann", "teo"]);
    let upload = |league: &League, number: usize| {
        let bytes = vec![number as u8 + 1; 100_000];
        league.upload(&ann, "a.py", &bytes).send()
    };
    let first = league.hand_in(&ann, "a.py", b"print(1)");
    let refused = (0..200).map(|number| upload(&league, number)).find(|one| one.status != 201);
    refused.unwrap().says(507, "The disk of the league is full");
    // What the server needs has room: signing in, remarks, messages.
    let cem = league.sign_in("cem");
    for number in 0..30 {
        let form = format!("text={}", "x".repeat(1_500 + number));
        assert_eq!(league.post(&ann, &format!("/submissions/{first}/remarks"), &form).status, 303);
    }
    assert_eq!(league.post(&teo, "/staff/message", "text=Hello").status, 303);
    // Somebody else takes the last byte, while it runs, and once while it does not.
    for ends_in_order in [false, true] {
        if ends_in_order {
            let server = league.server.as_mut().unwrap();
            Command::new("kill").arg(server.child.id().to_string()).status().unwrap();
            server.child.wait().unwrap();
        }
        small.fill();
        league.kill();
        let had_log = league.join("league.sqlite-wal").exists();
        league.serve(&["--workers", "0"]);
        for (session, path) in [(&ann, "/mine"), (&cem, "/"), (&teo, "/staff")] {
            league.get(session, path).says(200, "Hello");
        }
        let refused = upload(&league, 0);
        refused.says(507, "");
        assert_lacks(refused.text(), ["No space"]);
        // SQLite may have room in its log.
        let message = league.post(&teo, "/staff/message", &format!("text={}", "y".repeat(500)));
        assert!(message.status == 507 || had_log && message.status == 303, "{}", message.status);
        fs::remove_file(small.0.join("filler")).unwrap();
        league.kill();
        league.serve(&["--workers", "0"]);
        assert_eq!(league.post(&teo, "/staff/message", "text=Hello").status, 303);
    }
    league.kill();
    league.is_well();
}
