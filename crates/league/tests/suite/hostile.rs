//! Programs that attack files, other players, the judge, the network, the machine, handed in by a
//! student.

use super::place::{League, SHORT, starter, wait};
use crate::common::needs_namespaces;
use std::fs;
use testing::archive::zip;
use testing::{Folder, assert_lacks};

const PRELUDE: &str = include_str!("../../../judge/tests/hostile/prelude.py");
/// What stands in an honest student's program, in the settings, and in a file beside the league.
const SECRET: &str = "word-that-is-nobody-s-business";

/// Attacks on what is the league's, each with a name; the judge's tests have those on the machine.
/// `place` is the league's directory: in a game the box has a folder of that path, since the
/// player's own program lies below it, and nothing else in it.
const ATTACKS: &[(&str, &str)] = &[
    (
        "reads the league",
        r"
for path in ['/league.sqlite', '/league.toml', '/files', '/files/uploads', '/files/programs', '/files/records', '/cache', '/cache/1', '/../secret']:
    attempt(path, lambda: os.listdir(place + path) if os.path.isdir(place + path) else open(place + path).read())
for path in glob.glob(place + '/**/*', recursive=True): got(path)
attempt('a database', lambda: open(place + '/league.sqlite', 'r+b').write(b'x'))",
    ),
    (
        "looks for other players",
        r"
for pattern in ['../*', '../../*', '../../../*', '/proc/*/cwd/*', '/proc/*/root/*/league.toml', '/tmp/*', '/var/tmp/*', '/dev/shm/*']:
    for path in glob.glob(pattern):
        if os.path.realpath(path).startswith(os.getcwd()) or os.path.isdir(path): continue
        try: text = open(path, errors='replace').read(200000)
        except OSError: continue
        if 'word-that-is-' + 'nobody' in text: got(path)
for pid in os.listdir('/proc'):
    if pid.isdigit() and int(pid) != os.getpid():
        try: line = open('/proc/%s/cmdline' % pid).read()
        except OSError: continue
        if 'league' in line: got(line)",
    ),
    (
        "asks the server",
        r"
def connect(port):
    with socket.create_connection(('127.0.0.1', port), timeout=3) as line: line.send(b'GET / HTTP/1.0\r\n\r\n'); return line.recv(9)
attempt('the server', lambda: connect(port))
attempt('the world', lambda: socket.create_connection(('1.1.1.1', 53), timeout=3))
attempt('a name', lambda: socket.getaddrinfo('example.org', 80))",
    ),
    (
        "its files are links",
        r"
play()
for number, path in enumerate(['/etc/passwd', place + '/league.sqlite', '/proc/1/environ']): os.symlink(path, 'link-%d' % number)
os.chmod('.', 0)",
    ),
];

/// Returns the program of an attack, which plays by the starter beside it, before or after the
/// attack.
fn hostile_program(league: &League, code: &str) -> String {
    let (_, port) = league.address().rsplit_once(':').unwrap();
    let place = league.to_str().unwrap().trim_start_matches('/');
    let arguments = ["x", "agent.py", place, "x", "0", port, "0"];
    format!(
        "import sys\nsys.argv = {arguments:?}\n{PRELUDE}\ndone = False\ndef play():\n    global done\n    done = True\n    \
         subprocess.run([sys.executable, 'agent.py'], check=True)\n{}\nif not done: play()\n",
        code.trim_start()
    )
}

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn hostile_programs_get_nothing_and_the_league_goes_on() {
    needs_namespaces();
    let mut roster = "id,name\nann,Name ann\ncem,Name cem\n".to_string();
    for number in 0..ATTACKS.len() {
        roster += &format!("bad{number},Name bad{number}\n");
    }
    let mut league = League::new(SHORT, &roster);
    fs::write(league.directory.join("secret"), SECRET).unwrap();
    league.serve(&["--workers", "2"]);
    let honest = format!("# {SECRET}\n{}", starter());
    let sessions = league.sign_ins(["ann", "cem"]);
    for session in &sessions {
        league.hand_in_player(session, "homework.py", &honest);
    }
    let mut handed_in = Vec::new();
    for (number, (what, code)) in ATTACKS.iter().enumerate() {
        let program = hostile_program(&league, code);
        let session = league.sign_in(&format!("bad{number}"));
        let archive =
            zip(&[("homework.py", program.as_bytes()), ("agent.py", starter().as_bytes())]);
        handed_in.push((*what, league.hand_in(&session, "hw.zip", &archive), session));
    }
    let mut wrong = Vec::new();
    let mut playing = 0;
    for (what, id, session) in &handed_in {
        let (state, report) = league.checked(session, *id);
        eprintln!("{what}: {state}");
        playing += usize::from(state == "plays");
        if !["plays", "refused"].contains(&state.as_str())
            || report.contains("GOT ")
            || report.contains(SECRET)
            || report.contains("root:")
        {
            wrong.push(format!("{what}: {state}: {report}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(playing >= 3, "some of them play: {playing}");
    // All that play meet somebody, and the honest ones lose nothing.
    wait("games of all", || {
        league.sql(
            "SELECT COUNT(*) FROM entrant JOIN submission ON submission.id = active WHERE paused IS NULL
             AND (SELECT COUNT(*) FROM game WHERE submission.id IN (first, second)) < 2",
        ) == "0"
    });
    let faults =
        "SELECT COUNT(*) FROM game JOIN submission ON submission.id = CASE WHEN blamed = 0 THEN first ELSE second END
        JOIN entrant ON entrant.id = submission.entrant WHERE blamed IS NOT NULL AND name IN ('Name ann', 'Name cem')";
    assert_eq!(league.sql(faults), "0", "the honest ones make no faults");
    assert!(sessions.iter().all(|session| league.get(session, "/mine").status == 200));
    league.kill();
    for record in league.join("files/records/0").entries() {
        assert_lacks(league.read(record), [SECRET, "GOT ", "root:x"]);
    }
    assert_eq!(league.failures(), "0");
    league.is_well();
}
