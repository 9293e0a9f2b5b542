//! What boxes share with each other, apart from processors: what the kernel counts by user, the
//! memory of the machine, files that a student's bytes name. Each test has the honest program alone
//! as its control.

use crate::alone;
use crate::common::{example, judge, needs_namespaces};
use crate::field::{ORDINARY, WITH_IDS, judge_of, needs_newuidmap, programs, python};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use testing::{
    Folder, NewFolder, Words, assert_has, copy, ends, folder, is_root, needs_root, text,
};

const SCHEME: &str = "game = \"halma\"\nseed = 1\nmax-plies = 2\n[[games]]\ncount = 3\nclock = 5\nreference = \"greedy\"\npoints = 2\ndraw = 1\n";
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
    more: &str,
) -> (Vec<String>, String) {
    let class = place.join("class");
    place.remove("class");
    let hostile = deed.map(|deed| format!("{HOSTILE}{deed}\n"));
    let (honest, hostile) = (Some(HONEST), hostile.as_deref());
    for (name, code) in
        [("a-bad", hostile), ("b-good", honest), ("c-bad", hostile), ("d-good", honest)]
    {
        let Some(code) = code else { continue };
        class.join(name).write("homework.py", code);
        copy(example("agent"), class.join(name).join("agent"));
    }
    place.write("scheme.toml", SCHEME);
    for file in ["grades.csv", "grades.jsonl"] {
        place.remove(file);
    }
    let words = format!(
        "grade-all --game halma class --scheme scheme.toml --csv grades.csv --concurrency 2 --cmd '{} homework.py' {more}",
        python().display()
    );
    let told = testing::run(judge.current_dir(place), &words, 0);
    let grades = place.read("grades.csv");
    let rows = grades.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let honest = rows.filter(|row| row[0].ends_with("good"));
    let points = honest.map(|row| format!("{} {} of {}", row[0], row[1], row[2])).collect();
    (points, told.stdout + &told.stderr)
}

/// A directory in which any user can work.
fn place() -> NewFolder {
    let place = folder();
    fs::set_permissions(&place, fs::Permissions::from_mode(0o777)).unwrap();
    place
}

/// The faults of an honest player in four games against a hostile one, two at a time.
fn faults_in_a_match(mut judge: Command, place: &Path) -> Vec<String> {
    let player = |name: &str, folder: &str| {
        let python = python();
        format!("--engine name={name} dir=class/{folder} 'cmd={} homework.py'", python.display())
    };
    let words = format!(
        "match --seed 1 --game halma --openings start --games 4 --max-plies 2 --each time=5 {} {} --record games.jsonl \
         --overwrite --concurrency 2 --memory 1024",
        player("bad", "a-bad"),
        player("good", "b-good")
    );
    testing::run(judge.current_dir(place), &words, 0);
    let ends = ends(place.join("games.jsonl"));
    let good = |end: &Value| usize::from(end["players"][0] != "good") as u64;
    let lost = ends.iter().filter(|end| end["fault"]["player"].as_u64() == Some(good(end)));
    lost.map(|end| end["reason"].to_string()).collect()
}

fn beside_is_alone(user: Option<u32>) {
    let _machine = alone();
    let place = place();
    let [program, _] = programs();
    let grade = |deed| graded(judge_of(program, user), &place, deed, "--memory 1024");
    let (alone, _) = grade(None);
    assert_eq!(alone, ["b-good 6 of 6", "d-good 6 of 6"]);
    for (name, deed) in DEEDS {
        let (beside, told) = grade(Some(deed));
        assert_eq!(beside, alone, "beside {name}, {user:?}: {told}");
        let apart = user == Some(WITH_IDS) || user.is_none() && is_root();
        assert_eq!(told.contains("programs run one at a time"), !apart, "{user:?}: {told}");
        let faults = faults_in_a_match(judge_of(program, user), &place);
        assert!(faults.is_empty(), "{name}, {user:?}: {faults:?}");
    }
}

#[test]
#[ignore = "long; needs root and namespaces"]
fn a_class_beside_players_that_use_up_what_is_counted_gets_the_points_that_it_gets_alone() {
    needs_root();
    needs_namespaces();
    beside_is_alone(None);
    beside_is_alone(Some(ORDINARY));
}

#[test]
#[ignore = "long; needs root and namespaces and newuidmap"]
fn so_does_a_class_of_an_ordinary_user_who_has_ids_for_boxes() {
    needs_root();
    needs_newuidmap();
    beside_is_alone(Some(WITH_IDS));
}

#[test]
fn a_limit_of_memory_that_the_machine_does_not_have_is_told_and_programs_run_one_at_a_time() {
    let place = place();
    let (points, told) = graded(judge(&place), &place, None, "--memory 16777216 --sandbox auto");
    assert_eq!(points.len(), 2);
    let said = ["note: a program may take ", "not 16777216, and programs run one at"];
    assert_has(told, said);
}

#[test]
#[ignore = "needs namespaces"]
fn a_first_line_or_a_link_of_a_student_s_shows_no_file_of_the_teacher_s() {
    needs_namespaces();
    let place = folder();
    place.write("teacher/solution", "word-that-is-nobody-s-business");
    let secret = place.join("teacher");
    let code = format!(
        "#!{0}\nimport os\nfor path in ['{0}', '{0}/solution']:\n    try: print(os.listdir(path) if os.path.isdir(path) else open(path).read())\n    except OSError as error: print(error)\n",
        secret.display()
    );
    place.write("class/ann/homework.py", code);
    let play = |file: &str, code| {
        let words = format!(
            "match --seed 1 --game halma --openings start --games 2 --max-plies 2 --keep 9999 --engine name=ann \
             'cmd={} class/ann/{file}' --engine name=other engine=reference:random --each time=2 --record games.jsonl \
             --overwrite --sandbox required",
            python().display()
        );
        let [program, _] = programs();
        testing::run(Command::new(program).current_dir(&place), &words, code)
    };
    play("homework.py", 0);
    let record = place.read("games.jsonl");
    assert!(record.contains("No such file") && !record.contains("nobody-s-business"), "{record}");
    symlink(secret.join("solution"), place.join("class/ann/link.py")).unwrap();
    play("link.py", 2).has(["leads out of its directory"]);
}

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
    let inside = |words: &[&str]| {
        let line = format!("echo $$ > {}/cgroup.procs && exec \"$@\"", group.display());
        let mut command = Command::new("sh");
        command.args(["-c", &line, "sh"]).args(words);
        command
    };
    for user in [None, Some(ORDINARY)] {
        let place = place();
        let [program, _] = programs();
        let program = program.to_str().unwrap();
        place.write("eater.py", EATER);
        let code = "import os, time\ntime.sleep(1.2)\nmemory = bytearray(400 << 20)\n\
                    for at in range(0, len(memory), 4096): memory[at] = 1\ntime.sleep(0.5)\n\
                    os.execv('./agent', ['./agent', '--depth', '1', '--hash', '1'])\n";
        place.write("ann/homework.py", code);
        copy(example("agent"), place.join("ann/agent"));
        let mut judge = match user.map(|user| user.to_string()) {
            None => inside(&[program]),
            Some(user) => {
                inside(&["setpriv", "--reuid", &user, "--regid", &user, "--clear-groups", program])
            }
        };
        let python = python();
        let words = format!(
            "match --seed 1 --game halma --openings start --games 2 --max-plies 2 --engine name=ann dir=ann \
             'cmd={} homework.py' --engine name=other engine=reference:random --each time=5 --record games.jsonl \
             --memory 700 --disk 50",
            python.display()
        );
        judge.current_dir(&place).args(words.words());
        let judge = judge.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        sleep(Duration::from_millis(700));
        let eater = place.join("eater.py");
        let mut eater =
            inside(&[python.to_str().unwrap(), eater.to_str().unwrap()]).spawn().unwrap();
        let output = judge.wait_with_output().unwrap();
        let _ = eater.wait();
        let told = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{told}");
        assert_has(told, ["2 games: draw by move limit 2"]);
    }
    // The kernel may need a moment to release the last process.
    sleep(Duration::from_millis(200));
    let _ = fs::remove_dir(&group);
}
