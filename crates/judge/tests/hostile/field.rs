//! The surroundings of a hostile player's match with an honest one: files outside its sandbox,
//! another user's process, and the checks for changes afterwards.

use super::attacks::Attack;
use crate::common::{example, options, processes_with};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use testing::{Folder, NewFolder, copy, folder, text, works};

/// Nobody's number: an ordinary user, for tests that root runs.
pub(crate) const ORDINARY: u32 = 54_321;
/// Another one, to whom /etc/subuid gives ids: [`judge_of`] sees to that.
pub(crate) const WITH_IDS: u32 = 54_322;
const SECRET: &str = "word-that-is-nobody-s-business";
const PATIENCE: Duration = Duration::from_secs(600);
/// Two games of one turn each: the honest player has the turn after an attack, and the second game
/// shows that the judge goes on.
const USUAL: &str =
    "--each time=5 --wall-margin 5 --openings start --max-plies 2 --games 2 --interval 0";
const PRELUDE: &str = include_str!("prelude.py");
const VICTIM: &str = include_str!("victim.py");
const WITHOUT: &str = include_str!("without.py");

/// How a match against a hostile player went.
pub(crate) struct Met {
    /// The attempts that succeeded and should not have.
    pub(crate) got: Vec<String>,
    pub(crate) ends: Vec<String>,
    pub(crate) honest_faults: Vec<String>,
}

/// Python, in a folder that boxes show.
pub(crate) fn python() -> PathBuf {
    let mut places =
        ["/usr/bin/python3", "/usr/local/bin/python3"].into_iter().filter(|path| works(path));
    let found = places.next();
    found.expect("/usr/bin/python3 or /usr/local/bin/python3").into()
}

/// The machine on which a judge runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    /// The option `--sandbox`.
    pub(crate) sandbox: &'static str,
    /// The layers that are missing, for [`judge_without`].
    pub(crate) without: &'static str,
    pub(crate) user: Option<u32>,
}

/// Has a hostile player meet an honest one.
pub(crate) fn meet(attack: &Attack, machine: Machine) -> Met {
    let Machine { sandbox, without, user } = machine;
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!("hostile-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let place = lay_out(attack, user);
    let canary = place.join("canary");
    let before = contents(&canary);
    let (mut victim, line) = start_victim(&canary, &name, user);
    let [own_judge, agent] = programs();
    let words = format!(
        "cmd={} {} {} {} {name} {}",
        python().display(),
        place.join("attack.py").display(),
        agent.display(),
        place.display().to_string().trim_start_matches('/'),
        line.trim()
    );
    let mut judge = judge_without(without, own_judge, user);
    judge.current_dir(&place).env("JUDGE_TEST_SECRET", SECRET);
    judge.args("match --seed 1 --game halma --record record --keep 20000 --sandbox".split(' '));
    judge.args([sandbox, "--engine", "name=bad", &words, "--engine", "name=good"]);
    judge.arg(format!("cmd={} --depth 1", agent.display())).args(options(USUAL, &attack.options));
    let mut met = run(judge, &place);
    let lives = victim.try_wait().unwrap().is_none();
    drop(victim.stdin.take());
    let _ = victim.wait();
    if !lives {
        met.got.push("ended a stranger's process".to_string());
    }
    for (path, text) in contents(&canary) {
        if before.iter().all(|(known, kept)| *known != path || *kept != text) {
            met.got.push(format!("changed {}", path.display()));
        }
    }
    for directory in ["/tmp", "/var/tmp", "/dev/shm"] {
        if fs::remove_file(Path::new(directory).join(&name)).is_ok() {
            met.got.push(format!("left a file in {directory}"));
        }
    }
    if !met.ends.iter().all(|end| attack.ends.contains(&end.as_str())) {
        met.got.push(format!("its games ended by {:?}", met.ends));
    }
    met.got.sort();
    met.got.dedup();
    met
}

fn lay_out(attack: &Attack, user: Option<u32>) -> NewFolder {
    let place = folder();
    place.write("canary/secret", SECRET);
    place.write("canary/program", "#!/bin/sh\n");
    place.write("attack.py", format!("{PRELUDE}\n{}\n", attack.code.trim_start()));
    if let Some(user) = user {
        for file in ["", "canary", "canary/secret", "canary/program", "attack.py"] {
            chown(place.join(file), Some(user), Some(user)).unwrap();
        }
    }
    fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
    place
}

/// The judge and an honest agent, where any user may run them, wherever they were built.
pub(crate) fn programs() -> &'static [PathBuf; 2] {
    static COPIED: OnceLock<(NewFolder, [PathBuf; 2])> = OnceLock::new();
    let (_, programs) = COPIED.get_or_init(|| {
        let place = folder();
        fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
        // Another judge's program shows what an older one let through.
        let judge = std::env::var("HOSTILE_JUDGE")
            .unwrap_or_else(|_| env!("CARGO_BIN_EXE_judge").to_string());
        let copies = ["judge", "agent"].map(|name| place.join(name));
        copy(judge, &copies[0]);
        copy(example("agent"), &copies[1]);
        (place, copies)
    });
    programs
}

/// A command that runs a program as a user where these layers are missing, as `without.py` has them.
pub(crate) fn judge_without(layers: &str, program: &Path, user: Option<u32>) -> Command {
    let judge = judge_of(program, user);
    if layers.is_empty() || cfg!(not(target_arch = "x86_64")) {
        return judge;
    }
    let mut command = Command::new(python());
    command.args(["-c", WITHOUT, layers]).arg(judge.get_program()).args(judge.get_args());
    if user != Some(WITH_IDS) {
        as_user(&mut command, user);
    }
    command
}

/// Fails where no program maps ids of /etc/subuid. It has no option that says its version.
#[track_caller]
pub(crate) fn needs_newuidmap() {
    assert!(
        Command::new("newuidmap").output().is_ok(),
        "this test needs newuidmap: install uidmap"
    );
}

/// A command that runs a program as a user, for root.
pub(crate) fn judge_of(program: &Path, user: Option<u32>) -> Command {
    if user != Some(WITH_IDS) {
        let mut command = Command::new(program);
        as_user(&mut command, user);
        return command;
    }
    // In a mount namespace the account files are others: the program newuidmap wants an account.
    let steps = "f=$(mktemp -d) && printf 'withids:x:54322:54322::/nonexistent:/bin/sh\\n' > $f/passwd && \
                 echo withids:7000000:65536 > $f/ids && chmod -R a+rX $f && mount --bind $f/passwd /etc/passwd && \
                 mount --bind $f/ids /etc/subuid && mount --bind $f/ids /etc/subgid && rm -rf $f && \
                 exec setpriv --reuid 54322 --regid 54322 --clear-groups env HOME=/nonexistent \"$@\"";
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", steps, "sh"]).arg(program);
    command
}

fn as_user(command: &mut Command, user: Option<u32>) -> &mut Command {
    match user {
        Some(user) => command.uid(user).gid(user).env("HOME", "/nonexistent"),
        None => command,
    }
}

/// Starts a stranger's process, which says what it has. It ends with its input.
pub(crate) fn start_victim(canary: &Path, name: &str, user: Option<u32>) -> (Child, String) {
    let mut victim = Command::new(python());
    victim.arg("-c").arg(VICTIM).arg(canary).arg(name).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut victim = as_user(&mut victim, user).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(victim.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line.split_whitespace().count(), 3, "the stranger's process says what it has");
    (victim, line)
}

/// Runs the judge, its output in a file, for `patience` at most. Returns its exit code, and what it
/// said.
pub(crate) fn run_within(
    judge: &mut Command,
    patience: Duration,
    log: &Path,
) -> (Option<i32>, String) {
    let file = fs::File::create(log).unwrap();
    let mut running = judge.stdout(file.try_clone().unwrap()).stderr(file).spawn().unwrap();
    let start = Instant::now();
    while running.try_wait().unwrap().is_none() && start.elapsed() < patience {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = running.kill();
    let code = running.wait().unwrap().code();
    (code, text(&fs::read(log).unwrap()))
}

fn contents(directory: &Path) -> Vec<(PathBuf, String)> {
    let files = directory.entries().into_iter().filter(|path| path.is_file());
    files.map(|path| (path.clone(), fs::read_to_string(&path).unwrap())).collect()
}

fn run(mut judge: Command, place: &NewFolder) -> Met {
    let (code, told) = run_within(&mut judge, PATIENCE, &place.join("log"));
    let mut met = Met { got: Vec::new(), ends: Vec::new(), honest_faults: Vec::new() };
    if code != Some(0) {
        met.got.push(format!("the judge ended with {code:?}: {told}"));
    }
    let record = fs::read_to_string(place.join("record")).unwrap_or_default();
    if record.contains(SECRET) {
        met.got.push("a secret stands in the record".to_string());
    }
    for line in record.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        for stream in [&event["stdout"], &event["fault"]["stdout"]] {
            let lines = stream.as_str().unwrap_or_default().lines();
            met.got.extend(lines.filter_map(|line| line.strip_prefix("GOT ")).map(String::from));
        }
        if event["event"] == "end" {
            met.ends.push(event["termination"].as_str().unwrap().to_string());
            let good = event["players"][0] != "good";
            if event["fault"]["player"].as_u64() == Some(u64::from(good))
                || event["winner"] == u64::from(!good)
            {
                met.honest_faults.push(event["reason"].to_string());
            }
        }
    }
    let attack = place.join("attack.py").display().to_string();
    let left = processes_with(&attack);
    if left > 0 {
        met.got.push(format!("{left} processes live on"));
        end_all_with(&attack);
    }
    met
}

/// Ends processes with this text in their command line, which are this test's own.
fn end_all_with(text: &str) {
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).contains(text) {
            let _ = Command::new("kill").arg("-9").arg(entry.file_name()).status();
        }
    }
}
