//! What people share: descriptors, places, workers, the machine. Whoever takes much of it takes it
//! from nobody else.

use super::place::{Answer, Ask, League, ROSTER, SHORT, Small, begun, own_starter, starter, wait};
use serde_json::{Value, json};
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;
use testing::{Folder, assert_has, assert_lacks, needs_root, text};

/// Two games of four moves between Ann and Cem, who say what they think: the record of `judge match
/// --game halma --engine engine=reference:greedy name=Ann --engine engine=reference:greedy name=Cem
/// --games 2 --openings start --max-plies 4`.
const SCORED: &str = include_str!("scored.jsonl");

/// The open files of a server, of which connections are a part.
fn open_files(league: &League) -> usize {
    let process = league.server.as_ref().unwrap().child.id();
    fs::read_dir(format!("/proc/{process}/fd")).unwrap().count()
}

/// Of 256 descriptors 64 are the server's own. Half of the rest is for connections, and a quarter
/// as many wait for a place.
const MOST_OPEN: usize = 64 + 96 + 24;

/// A roster of so many students besides Ann, Cem and the teacher.
fn crowd(count: usize) -> String {
    let more: String = (0..count).map(|number| format!("s{number},Student {number},,\n")).collect();
    format!("id,name,team,role\nann,Ann,,\ncem,Cem,,\nteo,Teo,,teacher\n{more}")
}

fn silent(address: &str, count: usize, words: &[u8]) -> Vec<TcpStream> {
    let connect = |_| {
        let mut stream = TcpStream::connect(address).unwrap();
        // A server that closes it at once is heard of later.
        let _ = stream.write_all(words);
        stream
    };
    (0..count).map(connect).collect()
}

/// Whether a server has neither answered on a connection nor closed it.
fn is_unanswered(mut stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let read = stream.read(&mut [0; 1024]);
    stream.set_nonblocking(false).unwrap();
    read.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
}

/// Whether a server has not closed a connection, whose answers so far are dropped.
fn is_open(mut stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    while stream.read(&mut [0; 1024]).is_ok_and(|count| count > 0) {}
    is_unanswered(stream)
}

struct Worker<'a> {
    league: &'a League,
    token: String,
}

impl Worker<'_> {
    fn of(league: &League) -> Worker<'_> {
        Worker { league, token: league.worker_token() }
    }

    /// Leases a job: its number, the secret of the lease, the work.
    fn lease(&self) -> (i64, String, Value) {
        let ask = self.league.ask("POST", "/worker/lease").token(&self.token);
        let lease = ask.json("{\"worker\":\"w\"}").send().json();
        let secret = lease["token"].as_str().unwrap().to_string();
        (lease["job"].as_i64().unwrap(), secret, lease["work"].clone())
    }

    fn say(&self, (job, secret, _): &(i64, String, Value), message: &Value) {
        let ask = self.league.ask("POST", &format!("/worker/jobs/{job}")).token(&self.token);
        ask.with("x-lease", secret).json(&message.to_string()).send().says(200, "");
    }

    fn put(&self, (job, secret, _): &(i64, String, Value), name: &str, bytes: &[u8]) {
        let ask = self.league.ask("PUT", &format!("/worker/jobs/{job}/{name}")).token(&self.token);
        Ask { body: bytes.to_vec(), ..ask.with("x-lease", secret) }.send().says(200, "");
    }

    /// Has two people hand in a program each, checks both, and leases the pair of games that they
    /// play.
    fn pair_of(&self, sessions: [&str; 2]) -> (i64, String, Value) {
        for session in sessions {
            self.league.hand_in(session, "a.py", b"print(1)");
            self.checked(&self.lease());
        }
        self.lease()
    }

    fn checked(&self, lease: &(i64, String, Value)) {
        let submission = lease.2["Check"]["submission"].as_i64().unwrap();
        self.put(lease, &format!("programs/{submission}"), &[0; 1024]);
        let result = json!({ "plays": true, "language": "Python", "command": "x", "verdict": "it plays", "report": "" });
        self.say(lease, &json!({ "Checked": [submission, result] }));
    }
}

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn each_worker_has_processors_of_its_own() {
    let workers = std::thread::available_parallelism().unwrap().to_string();
    let league = League::served(SHORT, ROSTER, &workers);
    let says = "import os, sys\nprint('it has', len(os.sched_getaffinity(0)), 'of them', file=sys.stderr)\n";
    for login in ["ann", "cem"] {
        let session = league.sign_in(login);
        league.hand_in_player(&session, "homework.py", says.to_string() + &own_starter(&session));
    }
    league.wait_for_games(2);
    let record = league.read("files/records/0/1.jsonl");
    let said: Vec<&str> =
        record.split("it has ").skip(1).map(|rest| rest.split(' ').next().unwrap()).collect();
    assert!(!said.is_empty() && said.iter().all(|count| *count == "1"), "{said:?}");
}

#[test]
fn a_server_asks_for_all_files_that_it_may_open() {
    let mut league = League::new(SHORT, ROSTER);
    league.serve_limited("128:4096", &["--workers", "0"]);
    let process = league.server.as_ref().unwrap().child.id();
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    assert_eq!(line.split_whitespace().filter(|word| *word == "4096").count(), 2, "{line}");
}

#[test]
fn idle_connections_take_no_descriptors_from_others() {
    let mut league = League::new(SHORT, ROSTER);
    for words in [&["--workers", "0"][..], &["--workers", "0", "--behind-proxy"]] {
        league.serve_limited("256:256", words);
        let half = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
        let answered =
            b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 10.0.0.9\r\n\r\n";
        for said in [&b""[..], half, answered] {
            let idle = silent(league.address(), 300, said);
            for _ in 0..5 {
                assert_eq!(league.ask("GET", "/healthz").send().status, 200);
            }
            wait("the others' end", || open_files(&league) <= MOST_OPEN);
            drop(idle);
        }
    }
}

#[test]
fn a_client_behind_the_proxy_has_its_share_of_the_connections() {
    let mut league = League::new(SHORT, ROSTER);
    league.serve_limited("256:256", &["--workers", "0", "--behind-proxy"]);
    let request = |address: &str| {
        format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 8.8.8.8, {address}\r\n\r\n").into_bytes()
    };
    let read = |stream: &mut TcpStream| {
        let mut bytes = [0; 12];
        stream.read_exact(&mut bytes).map(|()| text(&bytes))
    };
    let mut honest = silent(league.address(), 1, &request("10.0.0.1")).remove(0);
    assert_eq!(read(&mut honest).unwrap(), "HTTP/1.1 200");
    let mut many = Vec::new();
    for _ in 0..80 {
        let mut stream = silent(league.address(), 1, &request("10.0.0.2")).remove(0);
        assert_eq!(read(&mut stream).unwrap(), "HTTP/1.1 200");
        many.push(stream);
    }
    // The oldest ones of the same client were closed: 24 of 96 are its share.
    wait("the share", || many.iter_mut().filter(|stream| is_open(stream)).count() <= 24);
    // The other client's, which was idle for longer than all of them, is not.
    assert!(is_open(&honest));
    honest.write_all(&request("10.0.0.1")).unwrap();
    assert_eq!(read(&mut honest).unwrap(), "HTTP/1.1 200");
}

#[test]
fn answers_that_nobody_reads_keep_nobody_out() {
    let mut league = League::new(SHORT, ROSTER);
    league.serve_limited("256:256", &["--workers", "0"]);
    let many = b"GET /static/league.css HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2_000);
    let unread: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut stream = TcpStream::connect(league.address()).unwrap();
            stream.set_nonblocking(true).unwrap();
            // As much as the sockets take.
            let mut sent = 0;
            while let Ok(count @ 1..) = stream.write(&many[sent..]) {
                sent += count;
            }
            stream
        })
        .collect();
    for _ in 0..5 {
        assert_eq!(league.ask("GET", "/healthz").send().status, 200);
    }
    wait("the others' end", || open_files(&league) <= MOST_OPEN);
    drop(unread);
}

#[test]
fn idle_connections_to_the_figures_end_for_a_new_one() {
    let mut league = League::new(SHORT, ROSTER);
    league.serve(&["--workers", "0", "--metrics", "0"]);
    let line = league.server.as_mut().unwrap().line();
    let address = line.split_once("http://").unwrap().1.split_once('/').unwrap().0.to_string();
    let before = open_files(&league);
    let idle = silent(&address, 100, b"");
    let ask = Ask { address: address.clone(), ..league.ask("GET", "/metrics") };
    assert_has(ask.send().text(), ["league_jobs_delayed 0"]);
    // Of 100 connections 16 stay; the others wait for a place at most five seconds. The database
    // may open files, too.
    wait("the others' end", || open_files(&league) < before + 30);
    drop(idle);
}

#[test]
fn a_live_page_shows_no_moves_where_replays_are_not_shown() {
    let league =
        League::served(&[SHORT, &[("replays = true", "replays = false")]].concat(), &crowd(1), "0");
    let [ann, cem, teo, other] = league.sign_ins(["ann", "cem", "teo", "s0"]);
    let worker = Worker::of(&league);
    let pair = worker.pair_of([&ann, &cem]);
    let position =
        json!({ "names": ["Ann", "Cem"], "plies": 3, "position": "", "last": "WHITE a-move" });
    worker.say(&pair, &json!({ "Heartbeat": position.to_string() }));
    let live = |session: &str| league.get(session, "/live").text();
    assert!(live(&teo).contains("a-move"), "the staff sees it");
    for session in [&ann, &other] {
        assert_has(live(session), ["move 3"]);
        assert_lacks(live(session), ["a-move"]);
    }
}

#[test]
fn a_record_has_no_figures_of_others() {
    let league = League::served(SHORT, &crowd(1), "0");
    let [ann, cem, teo, other] = league.sign_ins(["ann", "cem", "teo", "s0"]);
    let worker = Worker::of(&league);
    let pair = worker.pair_of([&ann, &cem]);
    let number = pair.2["Pair"]["pair"].as_i64().unwrap();
    worker.put(&pair, &format!("records/{number}"), SCORED.as_bytes());
    let game = |players: [i64; 2]| {
        json!({ "players": players, "winner": null, "blamed": null, "termination": "draw by move limit", "reason": "x",
            "plies": 4, "cpu": [0.1, 0.1], "wall": [0.1, 0.1] })
    };
    worker.say(
        &pair,
        &json!({ "Played": { "pair": number, "games": [game([1, 2]), game([2, 1])] } }),
    );
    for (session, figures) in [(&ann, 4), (&cem, 4), (&other, 0), (&teo, 8)] {
        let answer = league.get(session, "/games/1/record.jsonl").text();
        let count = |name: &str| answer.matches(&format!("\"{name}\":")).count();
        assert_eq!(
            (count("score"), count("depth"), count("ply")),
            (figures, figures, 8),
            "{answer}"
        );
    }
    // All games of a player as one record are the player's.
    let all = |session: &str| league.get(session, "/players/1/record.jsonl");
    assert_eq!(all(&cem).status, 403);
    let record = all(&ann).text();
    // Without the sizes of chunks.
    let record: String =
        record.split_inclusive('\n').filter(|line| line.starts_with('{')).collect();
    assert_eq!(record.matches("\"score\":").count(), 4, "{record}");
    league.directory.write("all.jsonl", record);
    let games = arena::record::Record::read(&league.directory.join("all.jsonl")).unwrap().games;
    assert!(games.keys().eq([&1, &2]));
    // Replays cost CPU time: one student who asks for many at once gets a few, another one theirs.
    let replay = |session: &str| league.ask("GET", "/games/1/replay").session(session);
    std::thread::scope(|scope| {
        let many: Vec<_> = (0..40).map(|_| scope.spawn(|| replay(&other).send().status)).collect();
        assert_eq!(replay(&ann).send().status, 200);
        let statuses: Vec<u16> = many.into_iter().map(|asked| asked.join().unwrap()).collect();
        assert!(
            statuses.contains(&200) && statuses.iter().all(|status| matches!(status, 200 | 429)),
            "{statuses:?}"
        );
    });
    for id in [1, 2, 1] {
        assert_eq!(league.post(&cem, &format!("/games/{id}/analyse"), "").status, 303);
    }
    assert_eq!(league.sql("SELECT COUNT(*) FROM job WHERE kind = 'analysis'"), "1");
    assert_has(league.get(&teo, "/staff/audit").text(), ["asked for an analysis", "pair 1"]);
    let id = league.hand_in(&ann, "b.py", b"print(2)");
    let check = worker.lease();
    worker.say(&check, &json!({ "GiveBack": "too many open files" }));
    let page = league.get(&ann, &format!("/submissions/{id}")).text();
    assert_has(&page, ["is being checked", "will begin again: too many open files"]);
    league.sql("INSERT INTO job (kind, subject, priority, state, created, not_before, attempts, lease_until, worker, progress, note, asked_by)
        SELECT 'analysis', 1, 3, 'done', created, 0, 0, 0, '', '', '', asked_by FROM job, (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 19) SELECT x FROM n)
        WHERE kind = 'analysis'");
    league.sql("UPDATE job SET state = 'done' WHERE kind = 'analysis'");
    league.post(&cem, "/games/1/analyse", "").says(429, "20 analyses today");
    assert_eq!(league.post(&ann, "/games/1/analyse", "").status, 303);
}

#[test]
fn slow_uploads_of_many_cost_nobody_anything() {
    let mut league = League::new(SHORT, &crowd(21));
    league.serve(&["--workers", "0", "--behind-proxy"]);
    let from = |ask: Ask, host: usize| ask.with("X-Forwarded-For", &format!("10.0.0.{host}"));
    let mut slow = Vec::new();
    for number in 0..20 {
        let session = league.sign_in(&format!("s{number}"));
        let ask = || from(league.ask("POST", "/submissions").session(&session), number % 2);
        // One that has a place, and one that drips.
        slow.push(begun(ask(), 300 << 10, 10 << 20));
        slow.push(begun(ask(), 10, 10 << 20));
    }
    let [ann, cem, one] = league.sign_ins(["ann", "cem", "s20"]);
    let three = [(); 3].map(|()| begun(league.ask("POST", "/submissions").session(&one), 0, 0));
    wait("a refusal", || three.iter().filter(|stream| !is_unanswered(stream)).count() == 1);
    for _ in 0..3 {
        from(league.upload(&ann, "a.py", starter().as_bytes()), 1).send().says(201, "");
    }
    assert!(slow.iter().filter(|stream| is_unanswered(stream)).count() >= 36);
    // Where others wait for a place, whoever has one has to hurry.
    from(league.upload(&cem, "a.py", &vec![b'#'; 1 << 20]), 1).send().says(201, "");
}

#[test]
#[ignore = "waits for a deadline; make test-league runs it"]
fn an_upload_that_began_before_the_deadline_is_in_time() {
    let mut league = League::served(SHORT, &crowd(0), "0");
    let [ann, cem] = league.sign_ins(["ann", "cem"]);
    let date = |words: &[&str]| {
        text(&Command::new("date").args(words).output().unwrap().stdout).trim().to_string()
    };
    let now = || date(&["+%s"]).parse::<u64>().unwrap();
    let deadline = now() + 12;
    let line = date(&["-u", "-d", &format!("@{deadline}"), "+deadline = \"%Y-%m-%dT%H:%M:%SZ\""]);
    league.change(&[("# deadline = \"2026-12-10T23:59\"", &line)]);
    league.serve(&["--workers", "0"]);
    while now() + 3 < deadline {
        std::thread::sleep(Duration::from_millis(50));
    }
    let ask = league.upload(&ann, "a.py", b"print(1)");
    let mut stream = ask.connect();
    stream.write_all(&ask.head()).unwrap();
    let (first, rest) = ask.body.split_at(ask.body.len() / 2);
    stream.write_all(first).unwrap();
    while now() <= deadline + 1 {
        std::thread::sleep(Duration::from_millis(50));
    }
    stream.write_all(rest).unwrap();
    assert_eq!(Answer::read(&mut stream).unwrap().status, 201);
    league.hand_in(&cem, "a.py", b"print(1)");
    assert_eq!(league.sql("SELECT late FROM submission ORDER BY id"), "0\n1");
}

#[test]
#[ignore = "takes half a minute; make test-league runs it"]
fn bodies_that_drip_are_ended() {
    let league = League::served(SHORT, &crowd(0), "0");
    let ann = league.sign_in("ann");
    let form = league.ask("POST", "/account/tokens").session(&ann).form("label=x");
    let lease = league.ask("POST", "/worker/lease").token(&league.worker_token()).json("{");
    let mut dripping: Vec<TcpStream> = Vec::new();
    for ask in [form, lease] {
        let ask = ask.with("Content-Length", "9000");
        let mut stream = ask.connect();
        stream.write_all(&[ask.head(), ask.body.clone()].concat()).unwrap();
        dripping.push(stream);
    }
    dripping.push(begun(league.ask("POST", "/submissions").session(&ann), 10, 1 << 20));
    for stream in &mut dripping {
        let mut writer = stream.try_clone().unwrap();
        let drips = std::thread::spawn(move || {
            // The server reads it, and waits for more.
            for _ in 0..60 {
                if writer.write_all(b"x").is_err() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(500));
            }
        });
        let status = Answer::read(stream).map(|answer| answer.status);
        assert!(status.is_none_or(|status| status == 408), "{status:?}");
        drop(drips);
    }
    assert_eq!(league.sql("SELECT COUNT(*) FROM submission"), "0");
}

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn a_disk_that_is_nearly_full_burns_no_attempts() {
    needs_root();
    let mut league = League::new(SHORT, "id,name\nx,X\n");
    let small = Small::around(&league, "80m");
    league.enrol(&crowd(0));
    let filler = small.0.join("filler");
    let free = |mib: u64| {
        let _ = fs::remove_file(&filler);
        let told =
            Command::new("df").args(["--output=avail", "-B1"]).arg(&small.0).output().unwrap();
        let left: u64 = text(&told.stdout).lines().nth(1).unwrap().trim().parse().unwrap();
        fs::write(&filler, vec![b'x'; usize::try_from(left - (mib << 20)).unwrap()]).unwrap();
    };
    // Too little for jobs, which need 8 MiB of 80, and enough for uploads, which leave 4.
    free(6);
    league.serve(&["--workers", "2"]);
    let [ann, cem, teo] = league.sign_ins(["ann", "cem", "teo"]);
    let ids: Vec<i64> =
        (0..4).map(|_| league.hand_in(&ann, "homework.py", starter().as_bytes())).collect();
    let last = league.hand_in(&cem, "homework.py", own_starter(&cem).as_bytes());
    let log = || {
        league.sql(
            "SELECT action, detail FROM audit WHERE action LIKE '%jobs are begun%' ORDER BY id",
        )
    };
    wait("the log", || log().contains("no jobs are begun"));
    assert_eq!(league.sql("SELECT SUM(attempts) FROM job"), "0");
    let page = || league.get(&teo, "/staff").text();
    assert_has(page(), ["No jobs are begun: the disk of ", "nearly full"]);
    fs::remove_file(&filler).unwrap();
    assert_eq!(league.checked(&cem, last).0, "plays");
    for id in ids {
        assert_eq!(league.checked(&ann, id).0, "plays");
    }
    assert!(log().ends_with("there is room on the disk"), "{}", log());
    assert_eq!(league.failures(), "0");
    assert_lacks(page(), ["No jobs are begun"]);
    league.kill();
    league.is_well();
    drop(small);
}
