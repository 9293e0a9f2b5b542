//! A league in a directory of its own, and browsers of the test's own that speak HTTP to it.

use crate::common::{league, run};
use std::collections::HashMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use testing::server::Server;
use testing::{Folder, NewFolder, assert_has, folder, text};

pub(crate) const PATIENCE: Duration = Duration::from_secs(300);
const PAUSE: Duration = Duration::from_millis(100);

/// Ann and Bea are a team, Cem and Dov play alone, Tia assists, Teo teaches.
pub(crate) const ROSTER: &str = "id,name,team,role\nann,Ann,The A,\nbea,Bea,The A,\ncem,Cem,,\ndov,Dov,,\ntia,Tia,,assistant\nteo,Teo,,teacher\n";

/// Short games without baselines.
pub(crate) const SHORT: &[(&str, &str)] = &[
    ("openings = \"random:4\"", "openings = \"start\""),
    ("baselines = true", "baselines = false"),
    ("# max-plies = 200", "max-plies = 4"),
    ("a-day = 20", "a-day = 1000\ncheck-time = 240"),
    ("each = { time = 30.0 }", "each = { time = 60.0, margin = 60.0 }"),
    ("challenges-a-day = 5", "challenges-a-day = 1000"),
];

/// A check's clock that is shorter than that of the games, for programs that behave in a check.
pub(crate) const SHORT_CHECKS: &[(&str, &str)] =
    &[("check-time = 240", "check-time = 240\ncheck-clock = 5")];

/// The attributes of every cookie, before `Secure`.
pub(crate) const ATTRIBUTES: &str = "HttpOnly; SameSite=Lax; Path=/; Max-Age=10368000";

pub(crate) fn starter() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).read("../../starters/halma/python/agent.py")
}

/// The starter of a player, with a line of its own: equal programs do not meet.
pub(crate) fn own_starter(session: &str) -> String {
    format!("{}\n# {session}\n", starter())
}

pub(crate) struct League {
    // Dropped first: the workers of a server that runs would miss their folders.
    pub server: Option<Server>,
    pub directory: NewFolder,
    place: PathBuf,
    pub links: HashMap<String, String>,
}

/// A small file system in memory that holds a league, until it is dropped.
pub(crate) struct Small(pub PathBuf);

impl Small {
    /// Moves a league to a file system of this size, such as `16m`. Needs root.
    pub(crate) fn around(league: &League, size: &str) -> Small {
        let small = Small(league.directory.join("small"));
        fs::create_dir(&small.0).unwrap();
        let options = format!("size={size}");
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(&small.0)
            .output()
            .unwrap();
        assert!(mount.status.success(), "{}", text(&mount.stderr));
        assert!(Command::new("mv").arg(&**league).arg(&small.0).status().unwrap().success());
        std::os::unix::fs::symlink(small.0.join("course"), &**league).unwrap();
        small
    }

    /// Takes the last byte, by the file `filler`.
    pub(crate) fn fill(&self) {
        let mut filler = fs::File::create(self.0.join("filler")).unwrap();
        while filler.write_all(&[b'x'; 4096]).is_ok() {}
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

impl Deref for League {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.place
    }
}

impl League {
    pub(crate) fn new(changes: &[(&str, &str)], roster: &str) -> League {
        League::of_game("halma", "Halma, \"autumn\"", changes, roster)
    }

    pub(crate) fn of_game(
        game: &str,
        title: &str,
        changes: &[(&str, &str)],
        roster: &str,
    ) -> League {
        let directory = folder();
        run(&directory, &["init", "course", "--game", game, "--title", title], 0);
        let mut league = League::at(directory, "course");
        league.change(changes);
        league.enrol(roster);
        league
    }

    /// A league that is there, in a directory.
    pub(crate) fn at(directory: NewFolder, name: &str) -> League {
        League { place: directory.join(name), directory, links: HashMap::new(), server: None }
    }

    pub(crate) fn served(changes: &[(&str, &str)], roster: &str, workers: &str) -> League {
        let mut league = League::new(changes, roster);
        league.serve(&["--workers", workers]);
        league
    }

    pub(crate) fn change(&self, changes: &[(&str, &str)]) {
        let mut settings = self.read("league.toml");
        for (from, to) in changes {
            assert_has(&settings, [from]);
            settings = settings.replacen(from, to, 1);
        }
        self.write("league.toml", settings);
    }

    pub(crate) fn enrol(&mut self, roster: &str) {
        self.enrol_by(&["people", "course", "roster.csv"], roster);
    }

    pub(crate) fn enrol_by(&mut self, words: &[&str], roster: &str) {
        self.directory.write("roster.csv", roster);
        let output = run(&self.directory, words, 0);
        let mut rows = csv::Reader::from_reader(output.stdout.as_bytes());
        for row in rows.records().map(Result::unwrap) {
            let (_, secret) = row[3].rsplit_once("/enter/").unwrap();
            self.links.insert(row[0].to_string(), secret.to_string());
        }
    }

    pub(crate) fn worker_token(&self) -> String {
        self.command(&["token", "course", "w"], 0).trim().to_string()
    }

    pub(crate) fn serve(&mut self, words: &[&str]) {
        self.server = None;
        let words = [&["serve", "course"], words].concat();
        self.server = Some(Server::start(league(&self.directory).args(words)));
    }

    /// Starts the server with a limit of open files, such as `128:4096`: the soft and the hard one.
    pub(crate) fn serve_limited(&mut self, files: &str, words: &[&str]) {
        self.server = None;
        let mut command = Command::new("prlimit");
        command
            .arg(format!("--nofile={files}"))
            .arg(env!("CARGO_BIN_EXE_league"))
            .args(["serve", "course"]);
        self.server = Some(Server::start(command.current_dir(&self.directory).args(words)));
    }

    pub(crate) fn address(&self) -> &str {
        &self.server.as_ref().unwrap().address
    }

    #[track_caller]
    pub(crate) fn command(&self, words: &[&str], code: i32) -> String {
        let output = league(&self.directory).args(words).output().unwrap();
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words:?}\n{said}");
        said
    }

    #[track_caller]
    pub(crate) fn is_well(&self) {
        assert_eq!(self.command(&["check", "course"], 0), "all is well\n");
    }

    /// Runs a statement of SQL in the database, by another program than the league.
    pub(crate) fn sql(&self, statement: &str) -> String {
        let script = "import sqlite3, sys\nbase = sqlite3.connect(sys.argv[1], timeout=60)\nfor row in base.execute(sys.argv[2]): print(*row, sep='|')\nbase.commit()";
        let file = self.join("league.sqlite");
        let output =
            Command::new("python3").args(["-c", script]).arg(file).arg(statement).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).trim().to_string()
    }

    pub(crate) fn ask(&self, method: &str, path: &str) -> Ask {
        let headers = vec![("Host".to_string(), self.address().to_string())];
        Ask {
            address: self.address().to_string(),
            method: method.into(),
            path: path.into(),
            headers,
            body: Vec::new(),
        }
    }

    #[track_caller]
    pub(crate) fn get(&self, session: &str, path: &str) -> Answer {
        self.ask("GET", path).session(session).send()
    }

    #[track_caller]
    pub(crate) fn post(&self, session: &str, path: &str, form: &str) -> Answer {
        self.ask("POST", path).session(session).form(form).send()
    }

    /// Signs somebody in by their link, and returns the value of the cookie.
    #[track_caller]
    pub(crate) fn sign_in(&self, login: &str) -> String {
        let answer =
            self.ask("POST", &format!("/enter/{}", self.links[login])).sent_from_here().send();
        answer.says(303, "");
        let cookie = answer.header("set-cookie").unwrap();
        cookie.split_once(';').unwrap().0.strip_prefix("league=").unwrap().to_string()
    }

    #[track_caller]
    pub(crate) fn sign_ins<const N: usize>(&self, logins: [&str; N]) -> [String; N] {
        logins.map(|login| self.sign_in(login))
    }

    pub(crate) fn upload(&self, session: &str, name: &str, bytes: &[u8]) -> Ask {
        self.ask("POST", "/submissions").session(session).file(name, bytes)
    }

    /// Hands in a file as whoever has this session, and returns the number of the submission.
    #[track_caller]
    pub(crate) fn hand_in(&self, session: &str, name: &str, bytes: &[u8]) -> i64 {
        let answer = self.upload(session, name, bytes).send();
        answer.says(201, "");
        answer.json()["submission"].as_i64().unwrap()
    }

    /// Waits until the check of a submission ends, and returns its state and report.
    #[track_caller]
    pub(crate) fn checked(&self, session: &str, id: i64) -> (String, String) {
        let path = format!("/submissions/{id}/report.json");
        let mut found: (String, String) = Default::default();
        wait(&path, || {
            let json = self.get(session, &path).json();
            found = ["state", "text"].map(|key| json[key].as_str().unwrap().to_string()).into();
            found.0 != "waiting"
        });
        found
    }

    /// Hands in a program that is equal to no other player's.
    #[track_caller]
    pub(crate) fn hand_in_starter(&self, session: &str) -> i64 {
        self.hand_in_player(session, "homework.py", own_starter(session))
    }

    #[track_caller]
    pub(crate) fn hand_in_player(&self, session: &str, name: &str, bytes: impl AsRef<[u8]>) -> i64 {
        let id = self.hand_in(session, name, bytes.as_ref());
        let (state, report) = self.checked(session, id);
        assert_eq!(state, "plays", "{report}");
        id
    }

    pub(crate) fn player(&self, name: &str) -> String {
        self.sql(&format!("SELECT id FROM entrant WHERE name = '{name}'"))
    }

    /// Puts a submission on the ladder as if it had been found to play.
    pub(crate) fn let_play(&self, id: i64) {
        self.sql(&format!("UPDATE submission SET state = 'plays' WHERE id = {id}"));
        let entrant = format!("(SELECT entrant FROM submission WHERE id = {id})");
        self.sql(&format!("UPDATE entrant SET active = {id} WHERE id = {entrant}"));
    }

    pub(crate) fn failures(&self) -> String {
        self.sql("SELECT COUNT(*) FROM audit WHERE action = 'the machine failed'")
    }

    pub(crate) fn games(&self) -> i64 {
        self.sql("SELECT COUNT(*) FROM game").parse().unwrap()
    }

    #[track_caller]
    pub(crate) fn wait_for_games(&self, count: i64) {
        wait("games", || self.games() >= count);
    }

    pub(crate) fn kill(&mut self) {
        self.server = None;
    }

    /// Kilobytes of memory that the server had at most.
    pub(crate) fn peak_memory(&self) -> u64 {
        self.server.as_ref().unwrap().figure("VmHWM")
    }
}

/// Waits for something. Looking may start a program, so the pauses are long.
#[track_caller]
pub(crate) fn wait(what: &str, mut is_there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < PATIENCE, "{what} did not come");
        thread::sleep((start.elapsed() / 4).clamp(PAUSE, 10 * PAUSE));
    }
}

pub(crate) struct Ask {
    pub address: String,
    pub method: String,
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Ask {
    /// Sets a header, in place of one of the same name.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Ask {
        self = self.without(name);
        self.headers.push((name.to_string(), value.to_string()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Ask {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// As a page of the server sends it.
    pub(crate) fn sent_from_here(self) -> Ask {
        let origin = format!("http://{}", self.address);
        self.with("Origin", &origin)
    }

    /// As a page of the server sends it for whoever has this session.
    pub(crate) fn session(self, session: &str) -> Ask {
        self.sent_from_here().with("Cookie", &format!("theme=dark; league={session}"))
    }

    pub(crate) fn token(self, token: &str) -> Ask {
        self.with("Authorization", &format!("Bearer {token}"))
    }

    pub(crate) fn form(mut self, body: &str) -> Ask {
        self.body = body.as_bytes().to_vec();
        self.with("Content-Type", "application/x-www-form-urlencoded")
    }

    pub(crate) fn json(mut self, body: &str) -> Ask {
        self.body = body.as_bytes().to_vec();
        self.with("Content-Type", "application/json")
    }

    pub(crate) fn file(mut self, name: &str, bytes: &[u8]) -> Ask {
        let head = format!(
            "--limit\r\nContent-Disposition: form-data; name=\"program\"; filename=\"{name}\"\r\n\r\n"
        );
        self.body = [head.as_bytes(), bytes, b"\r\n--limit--\r\n"].concat();
        self.with("Content-Type", "multipart/form-data; boundary=limit")
    }

    /// The head as bytes, with the length of the body unless there is another one.
    pub(crate) fn head(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\nConnection: close\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        let tells_length = ["Content-Length", "Transfer-Encoding"];
        if !self.headers.iter().any(|(name, _)| tells_length.contains(&&**name)) {
            head += &format!("Content-Length: {}\r\n", self.body.len());
        }
        (head + "\r\n").into_bytes()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    #[track_caller]
    pub(crate) fn send(self) -> Answer {
        self.try_send().unwrap_or_else(|| panic!("{} {}: no answer", self.method, self.path))
    }

    /// Sends it to a server that may be gone.
    pub(crate) fn try_send(&self) -> Option<Answer> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        stream.write_all(&[self.head(), self.body.clone()].concat()).ok()?;
        Answer::read(&mut stream)
    }
}

pub(crate) struct Answer {
    pub status: u16,
    head: String,
    pub body: Vec<u8>,
}

impl Answer {
    /// Reads to the end of the connection.
    pub(crate) fn read(stream: &mut TcpStream) -> Option<Answer> {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        Answer::of(&bytes)
    }

    pub(crate) fn of(bytes: &[u8]) -> Option<Answer> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = text(&bytes[..end]);
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Answer { status, head, body: bytes[end + 4..].to_vec() })
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(crate) fn text(&self) -> String {
        text(&self.body)
    }

    pub(crate) fn between(&self, before: &str, after: &str) -> String {
        let text = self.text();
        text.split_once(before).unwrap().1.split_once(after).unwrap().0.to_string()
    }

    #[track_caller]
    pub(crate) fn says(&self, status: u16, part: &str) {
        assert_eq!(self.status, status, "{}", self.text());
        assert_has(self.text(), [part]);
    }

    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

pub(crate) struct Running(pub std::process::Child);

impl Running {
    pub(crate) fn league(directory: &Path, words: &[&str]) -> Running {
        Running(league(directory).args(words).stdout(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An upload of which the beginning is sent: so many bytes of a larger file.
pub(crate) fn begun(ask: Ask, bytes: usize, of: usize) -> TcpStream {
    let ask = ask.file("a.py", &vec![b'#'; bytes]);
    let ask = ask.with("Content-Length", &(of + 1000).to_string());
    let mut stream = ask.connect();
    stream.write_all(&ask.head()).unwrap();
    let end = b"\r\n--limit--\r\n".len();
    stream.write_all(&ask.body[..ask.body.len() - end]).unwrap();
    stream
}
