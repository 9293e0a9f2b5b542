//! Uploads that are too large, too many, too slow, or not what they seem.

use super::place::{Answer, Ask, League, ROSTER, SHORT, begun, starter};
use std::fs;
use std::io::Write;
use std::path::Path;
use testing::archive::zip;
use testing::{Folder, assert_has, assert_lacks};

const LARGE: usize = 10 << 30;

/// The files of uploads that are kept, with those that are only being written.
fn kept(league: &League) -> usize {
    let folder = league.join("files/uploads");
    fs::read_dir(folder).map_or(0, |entries| entries.count())
}

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn the_check_is_on_the_clock_of_the_league() {
    let clock = [
        ("each = { time = 60.0, margin = 60.0 }", "each = { st = 5.0 }"),
        ("check-time = 240", "check-time = 1"),
    ];
    let league = League::served(&[SHORT, &clock].concat(), ROSTER, "1");
    let ann = league.sign_in("ann");
    let slow = "import time\nwhile time.process_time() < 2: pass\n";
    let id = league.hand_in(&ann, "homework.py", (slow.to_string() + &starter()).as_bytes());
    let (state, report) = league.checked(&ann, id);
    assert_eq!(state, "plays", "{report}");
    assert_has(&report, ["clock:    5 s of CPU time for each move"]);
}

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn endless_uploads_are_refused_in_bounded_memory() {
    let league = League::served(SHORT, ROSTER, "0");
    let ann = league.sign_in("ann");
    let ask = || league.upload(&ann, "a.zip", b"");
    // It says that 10 GB come.
    let mut stream = begun(ask(), 0, LARGE);
    let status = Answer::read(&mut stream).map(|answer| answer.status);
    assert!(matches!(status, None | Some(413 | 422)), "{status:?}");
    // It does not say how much comes, and it never ends.
    let endless = Ask { body: Vec::new(), ..ask() }.with("Transfer-Encoding", "chunked");
    let mut stream = endless.connect();
    stream.write_all(&endless.head()).unwrap();
    let chunk =
        |bytes: &[u8]| [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
    let whole = ask().body;
    stream.write_all(&chunk(&whole[..whole.len() - b"\r\n--limit--\r\n".len()])).unwrap();
    let many = chunk(&vec![b'x'; 1 << 20]);
    let sent = (0..LARGE >> 20).take_while(|_| stream.write_all(&many).is_ok()).count();
    assert!(sent < 200, "{sent} MiB were taken");
    // A file that is a little too large, and fields that are not asked for.
    let large = ask().file("a.zip", &vec![b'x'; (20 << 20) + 1]).try_send();
    assert!(large.is_none_or(|answer| answer.status == 422 && answer.text().contains("20 MiB")));
    let mut fields = Vec::new();
    for number in 0..10_000 {
        let head = format!("--limit\r\nContent-Disposition: form-data; name=\"f{number}\"");
        fields.extend(format!("{head}\r\n\r\n{}\r\n", "x".repeat(3000)).bytes());
    }
    let answer = Ask { body: fields, ..ask() }.try_send();
    assert!(answer.is_none_or(|answer| answer.status == 422));
    assert_eq!(kept(&league), 0);
    assert!(league.peak_memory() < 400 << 10, "{} KiB", league.peak_memory());
    let id = league.hand_in(&ann, "a.zip", &vec![b'x'; 20 << 20]);
    assert!(id > 0 && kept(&league) == 1);
}

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn what_is_no_file_is_told() {
    let league = League::served(SHORT, ROSTER, "0");
    let ann = league.sign_in("ann");
    let ask = || league.ask("POST", "/submissions").session(&ann);
    for (ask, part) in [
        (ask().file("a.py", b""), "Choose a file"),
        (Ask { body: b"--limit--\r\n".to_vec(), ..ask().file("", b"") }, "Choose a file"),
        (Ask { body: b"rubbish".to_vec(), ..ask().file("", b"") }, ""),
        (ask().form("program=x"), ""),
        (ask(), ""),
    ] {
        let answer = ask.send();
        assert!(matches!(answer.status, 400 | 415 | 422), "{}", answer.status);
        assert_has(answer.text(), [part]);
    }
    assert_eq!(league.sql("SELECT COUNT(*) FROM submission"), "0");
}

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn a_day_has_so_many_uploads_and_the_rest_leaves_nothing() {
    let league = League::served(&[("a-day = 20", "a-day = 3")], ROSTER, "0");
    let [ann, bea, cem] = league.sign_ins(["ann", "bea", "cem"]);
    for (session, bytes) in [(&ann, b"1"), (&bea, b"2"), (&ann, b"3")] {
        league.hand_in(session, "a.py", bytes);
    }
    for session in [&ann, &bea] {
        league.upload(session, "a.py", b"another").send().says(429, "3 programs today");
    }
    assert_eq!(kept(&league), 3, "what was refused does not fill the disk");
    league.hand_in(&cem, "a.py", b"mine");
}

/// Uploads that are no programs. Each has to end as refused, with a report, and leave nothing
/// behind. More archives are tested with the crate `intake`.
fn hostile() -> Vec<(&'static str, String, Vec<u8>)> {
    let bomb = zip(&[("homework.py", &vec![0; 200 << 20])]);
    assert!(bomb.len() < 1 << 20, "{}", bomb.len());
    vec![
        ("a zip bomb", "bomb.zip".into(), bomb),
        (
            "a name that is a path",
            "..\\..\\..\\x/../../homework.py".into(),
            b"import nothing_of_this_name\n".to_vec(),
        ),
    ]
}

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn uploads_that_are_no_programs_are_refused_with_a_report() {
    let league = League::served(SHORT, ROSTER, "2");
    let (ann, cem) = (league.sign_in("ann"), league.sign_in("cem"));
    let all: Vec<_> = hostile()
        .into_iter()
        .map(|(what, name, bytes)| (what, league.hand_in(&ann, &name, &bytes)))
        .collect();
    let last = league.hand_in(&cem, "homework.py", starter().as_bytes());
    let mut wrong = Vec::new();
    for (what, id) in all {
        let (state, report) = league.checked(&ann, id);
        let leaks = ["root:", "\0"].iter().any(|part| report.contains(part));
        if state != "refused" || report.is_empty() || leaks {
            wrong.push(format!("{what}: {state}: {report}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let (state, report) = league.checked(&cem, last);
    assert!(matches!(state.as_str(), "plays" | "refused"), "{state}: {report}");
    assert_eq!(league.failures(), "0");
    assert!(league.peak_memory() < 800 << 10, "{} KiB", league.peak_memory());
    assert_lacks(format!("{:?}", league.join("cache").entries()), ["cache/.tmp"]);
    assert!(!Path::new("/homework.py").exists() && !league.directory.join("homework.py").exists());
    league.is_well();
}
