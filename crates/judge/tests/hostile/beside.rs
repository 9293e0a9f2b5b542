//! What boxes share with each other, apart from processors: what the kernel counts by user, the
//! memory of the machine, files that a student's bytes name. Each test has the honest program alone
//! as its control.

use crate::alone;
use crate::common::{example, judge, needs_namespaces};
use crate::field::{ORDINARY, WITH_IDS, judge_of, needs_newuidmap, programs, python};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use testing::{copy_program, ends, is_root, needs_root, text};

const SCHEME: &str = "game = \"halma\"\nmax-plies = 2\n[[games]]\ncount = 3\nclock = 5\nreference = \"greedy\"\npoints = 2\ndraw = 1\n";
/// Has a child write more than a small pipe holds before anybody reads, sends itself a descriptor,
/// and takes some memory.
const HONEST: &str = "import os, socket, subprocess
child = subprocess.Popen(['python3', '-c', 'import os; os.write(1, b\"x\" * 30000)'], stdout=subprocess.PIPE)
child.wait(); assert len(child.stdout.read()) == 30000
here, there = socket.socketpair(); socket.send_fds(here, [b'x'], [0]); socket.recv_fds(there, 1, 1)
memory = bytearray(100 << 20)
for at in range(0, len(memory), 4096): memory[at] = 1
subprocess.run(['./agent', '--depth', '1', '--hash', '1'], check=True)
";
const HOSTILE: &str = "import fcntl, os, socket, subprocess, time
subprocess.run(['./agent', '--depth', '1', '--hash', '1'], check=True)
";
/// What hostile neighbours do, once they have moved.
const DEEDS: [(&str, &str); 5] = [
    (
        "pipes",
        "for number in range(120):
    try: fcntl.fcntl(os.pipe()[0], 1031, 1 << 20)
    except OSError: pass
time.sleep(4)",
    ),
    (
        "descriptors on their way",
        "here, there = socket.socketpair(); here.setblocking(False)
try:
    while True: socket.send_fds(here, [b'x'], [0] * 253)
except OSError: pass
time.sleep(4)",
    ),
    (
        "memory within its limit",
        "for _ in range(100):
    if os.fork() == 0:
        memory = bytearray(5 << 20)
        for at in range(0, len(memory), 4096): memory[at] = 1
        time.sleep(4); os._exit(0)
time.sleep(3)",
    ),
    (
        "children",
        "for _ in range(150):
    if os.fork() == 0: time.sleep(4); os._exit(0)
time.sleep(3)",
    ),
    (
        "busy children in sessions of their own",
        "for _ in range(150):
    if os.fork() == 0:
        try: os.setsid()
        except OSError: pass
        while True: pass
os.wait()",
    ),
];

/// The points of two honest students in a class, two tests at a time, beside two who do something
/// else, and what the judge said.
fn graded(
    mut judge: Command,
    place: &Path,
    deed: Option<&str>,
    more: &[&str],
) -> (Vec<String>, String) {
    let class = place.join("class");
    let _ = fs::remove_dir_all(&class);
    for (name, code) in [("a-bad", deed), ("b-good", None), ("c-bad", deed), ("d-good", None)] {
        if name.ends_with("bad") && deed.is_none() {
            continue;
        }
        let folder = class.join(name);
        fs::create_dir_all(&folder).unwrap();
        let text = code.map_or(HONEST.to_string(), |code| format!("{HOSTILE}{code}\n"));
        fs::write(folder.join("homework.py"), text).unwrap();
        copy_program(&example("agent"), &folder.join("agent"));
    }
    fs::write(place.join("scheme.toml"), SCHEME).unwrap();
    for file in ["grades.csv", "grades.jsonl"] {
        let _ = fs::remove_file(place.join(file));
    }
    judge
        .current_dir(place)
        .args("grade-all --game halma class --scheme scheme.toml --csv grades.csv".split(' '));
    judge
        .args(["--concurrency", "2", "--cmd", &format!("{} homework.py", python().display())])
        .args(more);
    let output = judge.output().unwrap();
    let told = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let mut reader = csv::Reader::from_path(place.join("grades.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let honest = rows.iter().filter(|row| row[0].ends_with("good"));
    (honest.map(|row| format!("{} {} of {}", &row[0], &row[1], &row[2])).collect(), told)
}

/// A directory in which any user can work.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o777)).unwrap();
    place
}

/// The faults of an honest player in four games against a hostile one, two at a time.
fn faults_in_a_match(mut judge: Command, place: &Path) -> Vec<String> {
    let player = format!("cmd={} homework.py", python().display());
    judge.current_dir(place).args(
        "match --game halma --openings start --games 4 --max-plies 2 --each time=5".split(' '),
    );
    judge.args([
        "--engine",
        "name=bad",
        "dir=class/a-bad",
        &player,
        "--engine",
        "name=good",
        "dir=class/b-good",
        &player,
    ]);
    judge.args("--record games.jsonl --overwrite --concurrency 2 --memory 1024".split(' '));
    let output = judge.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let ends = ends(place.join("games.jsonl"));
    let good = |end: &Value| usize::from(end["players"][0] != "good") as u64;
    let lost = ends.iter().filter(|end| end["fault"]["player"].as_u64() == Some(good(end)));
    lost.map(|end| end["reason"].to_string()).collect()
}

/// All deeds beside honest students, as a user.
fn beside_is_alone(user: Option<u32>, more: &[&str]) {
    let _machine = alone();
    let place = place();
    let [program, _] = programs();
    let grade = |deed| graded(judge_of(program, user), place.path(), deed, more);
    let (alone, _) = grade(None);
    assert_eq!(alone, ["b-good 6 of 6", "d-good 6 of 6"]);
    for (name, deed) in DEEDS {
        let (beside, told) = grade(Some(deed));
        assert_eq!(beside, alone, "beside {name}, {user:?}: {told}");
        let apart = user == Some(WITH_IDS) || user.is_none() && is_root();
        assert_eq!(told.contains("programs run one at a time"), !apart, "{user:?}: {told}");
        assert!(
            faults_in_a_match(judge_of(program, user), place.path()).is_empty(),
            "{name}, {user:?}"
        );
    }
}

#[test]
#[ignore = "long; needs root and namespaces"]
fn a_class_beside_players_that_use_up_what_is_counted_gets_the_points_that_it_gets_alone() {
    needs_root();
    needs_namespaces();
    beside_is_alone(None, &["--memory", "1024"]);
    beside_is_alone(Some(ORDINARY), &["--memory", "1024"]);
}

#[test]
#[ignore = "long; needs root and namespaces and newuidmap"]
fn so_does_a_class_of_an_ordinary_user_who_has_ids_for_boxes() {
    needs_root();
    needs_newuidmap();
    beside_is_alone(Some(WITH_IDS), &["--memory", "1024"]);
}

#[test]
fn a_limit_of_memory_that_the_machine_does_not_have_is_told_and_programs_run_one_at_a_time() {
    let place = place();
    let (points, told) = graded(
        judge(place.path()),
        place.path(),
        None,
        &["--memory", "16777216", "--sandbox", "auto"],
    );
    assert_eq!(points.len(), 2);
    assert!(
        told.contains("note: a program may take ")
            && told.contains("not 16777216, and programs run one at"),
        "{told}"
    );
}

#[test]
#[ignore = "needs namespaces"]
fn a_first_line_or_a_link_of_a_student_s_shows_no_file_of_the_teacher_s() {
    needs_namespaces();
    let place = tempfile::tempdir().unwrap();
    let secret = place.path().join("teacher");
    fs::create_dir(&secret).unwrap();
    fs::write(secret.join("solution"), "word-that-is-nobody-s-business").unwrap();
    let folder = place.path().join("class/ann");
    fs::create_dir_all(&folder).unwrap();
    let code = format!(
        "#!{0}\nimport os\nfor path in ['{0}', '{0}/solution']:\n    try: print(os.listdir(path) if os.path.isdir(path) else open(path).read())\n    except OSError as error: print(error)\n",
        secret.display()
    );
    fs::write(folder.join("homework.py"), code).unwrap();
    let play = |file: &str| {
        let [program, _] = programs();
        let mut command = Command::new(program);
        command.current_dir(place.path());
        command.args(
            "match --game halma --openings start --games 2 --max-plies 2 --keep 9999".split(' '),
        );
        let player = format!("cmd={} class/ann/{file}", python().display());
        command.args(["--engine", "name=ann", &player]);
        command.args(["--engine", "name=other", "engine=reference:random", "--each", "time=2"]);
        command.args(["--record", "games.jsonl", "--overwrite", "--sandbox", "required"]);
        command.output().unwrap()
    };
    let output = play("homework.py");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let record = fs::read_to_string(place.path().join("games.jsonl")).unwrap();
    assert!(record.contains("No such file") && !record.contains("nobody-s-business"), "{record}");
    std::os::unix::fs::symlink(secret.join("solution"), folder.join("link.py")).unwrap();
    let output = play("link.py");
    let told = text(&output.stderr);
    assert!(
        output.status.code() == Some(2) && told.contains("leads out of its directory"),
        "{told}"
    );
}

/// A process that takes memory of a control group's for some seconds.
const EATER: &str = "import time\nmemory = bytearray(500 << 20)\nfor at in range(0, len(memory), 4096): memory[at] = 1\n\
    print('full', flush=True)\ntime.sleep(3)\n";

#[test]
#[ignore = "long; needs root and namespaces"]
fn a_program_that_is_ended_since_others_took_the_memory_plays_again() {
    needs_root();
    needs_namespaces();
    let controller = Path::new("/sys/fs/cgroup/memory");
    if !controller.is_dir() {
        println!(
            "left out: no control groups of version 1, whose groups root may nest without a delegation"
        );
        return;
    }
    let _machine = alone();
    let group = controller.join(format!("beside-{}", std::process::id()));
    fs::create_dir(&group).unwrap();
    for name in ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"] {
        let _ = fs::write(group.join(name), (800u64 << 20).to_string());
    }
    let inside = |program: &Path, words: &[&str]| {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            &format!("echo $$ > {}/cgroup.procs && exec \"$@\"", group.display()),
            "sh",
        ]);
        command.arg(program).args(words);
        command
    };
    for user in [None, Some(ORDINARY)] {
        let place = place();
        let [program, _] = programs();
        fs::write(place.path().join("eater.py"), EATER).unwrap();
        let code = "import os, time\ntime.sleep(1.2)\nmemory = bytearray(400 << 20)\n\
                    for at in range(0, len(memory), 4096): memory[at] = 1\ntime.sleep(0.5)\n\
                    os.execv('./agent', ['./agent', '--depth', '1', '--hash', '1'])\n";
        let folder = place.path().join("ann");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("homework.py"), code).unwrap();
        copy_program(&example("agent"), &folder.join("agent"));
        let player = format!("cmd={} homework.py", python().display());
        let program = program.to_str().unwrap();
        let mut judge = match user.map(|user| user.to_string()) {
            None => inside(Path::new(program), &[]),
            Some(user) => inside(
                Path::new("setpriv"),
                &["--reuid", &user, "--regid", &user, "--clear-groups", program],
            ),
        };
        judge
            .current_dir(place.path())
            .args("match --game halma --openings start --games 2 --max-plies 2".split(' '));
        judge.args([
            "--engine",
            "name=ann",
            "dir=ann",
            &player,
            "--engine",
            "name=other",
            "engine=reference:random",
        ]);
        judge.args(["--each", "time=5"]);
        judge.args(["--record", "games.jsonl", "--memory", "700", "--disk", "50"]);
        let judge = judge
            .stderr(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(700));
        let mut eater =
            inside(&python(), &[place.path().join("eater.py").to_str().unwrap()]).spawn().unwrap();
        let output = judge.wait_with_output().unwrap();
        let _ = eater.wait();
        let told = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{told}");
        assert!(told.contains("2 games: draw by move limit 2"), "{told}");
    }
    // The kernel may need a moment to release the last process.
    std::thread::sleep(std::time::Duration::from_millis(200));
    let _ = fs::remove_dir(&group);
}
