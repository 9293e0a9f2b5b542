//! The checks of an agent's binary: files, exit codes and messages.

use crate::agent::Agent;
use crate::protocol::{BYTE_ORDER_MARK, Protocol, RuleSet};
use crate::think::Algorithm;
use crate::verdict::{described, standing};
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;
use tempfile::TempDir;

/// An agent's binary, run in temporary directories. Every check panics on the first broken promise.
#[derive(Clone, Debug)]
pub struct AgentUnderTest<'a> {
    /// The path of the binary: `env!("CARGO_BIN_EXE_GAME")` in a game's tests.
    pub binary: &'a Path,
    /// A valid input with a short clock, in which either side may move.
    pub start: String,
    /// Additional environment variables.
    pub environment: &'a [(&'a str, &'a str)],
    /// The part of the error message for a line `more` after the board.
    pub after_the_board: &'a str,
}

/// Four tests of a game's agent, of an expression of type [`AgentUnderTest`] and the game: what
/// every agent promises about files, exit codes and messages; failures of the file system; little
/// memory; full and read-only disks.
#[macro_export]
macro_rules! agent_tests {
    ($agent:expr, $game:ty) => {
        #[test]
        fn the_promises_of_every_agent_are_kept() {
            $agent.keeps_file_promises::<$game>();
        }

        #[test]
        fn no_trouble_with_files_hangs_it_or_leaves_traces() {
            $agent.survives_file_faults::<$game>();
        }

        #[test]
        #[cfg(target_os = "linux")]
        fn a_table_that_cannot_be_had_is_smaller_and_the_move_stays() {
            $agent.plays_with_little_memory();
        }

        #[test]
        #[ignore = "needs namespaces"]
        fn a_full_disk_and_a_read_only_one_leave_a_whole_answer() {
            $agent.survives_full_and_read_only_disks::<$game>();
        }
    };
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The exit code; `None` if a signal ended the run.
    pub code: Option<i32>,
    /// The text on standard output.
    pub stdout: String,
    /// The text on standard error.
    pub stderr: String,
}

impl Run {
    /// Checks that the exit code is 0.
    #[track_caller]
    pub fn succeeds(&self) {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
    }

    /// Checks for exit code 2 and one line that begins with `begins` and contains `part`.
    #[track_caller]
    pub fn is_refused(&self, begins: &str, part: &str) {
        assert_eq!(self.code, Some(2), "{}", self.stderr);
        assert!(self.stderr.starts_with(begins), "not {begins}: {}", self.stderr);
        assert!(self.stderr.contains(part), "not {part}: {}", self.stderr);
        assert_eq!(self.stderr.lines().count(), 1, "{}", self.stderr);
        assert!(self.stdout.is_empty(), "{}", self.stdout);
    }
}

impl<'a> AgentUnderTest<'a> {
    /// An agent whose inputs end with the board and that needs no environment variables.
    pub fn new(binary: &'a str, start: impl Into<String>) -> AgentUnderTest<'a> {
        AgentUnderTest {
            binary: Path::new(binary),
            start: start.into(),
            environment: &[],
            after_the_board: "the end of the file, found 'more'",
        }
    }

    /// The command that runs the binary with these arguments in this directory.
    pub fn command(&self, directory: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.binary);
        command.args(arguments).current_dir(directory).envs(self.environment.iter().copied());
        command
    }

    /// Runs the agent in a directory.
    pub fn run_in(&self, directory: &Path, arguments: &[&str]) -> Run {
        run_to_end(&mut self.command(directory, arguments), "")
    }

    /// Runs the agent in a new directory with this `input.txt`.
    pub fn run(&self, input: impl AsRef<[u8]>, arguments: &[&str]) -> (TempDir, Run) {
        let directory = directory_with(&[("input.txt", input.as_ref())]);
        let run = self.run_in(directory.path(), arguments);
        (directory, run)
    }

    /// Runs the agent in a directory with this `input.txt`, and checks that it leaves a legal move.
    #[track_caller]
    pub(super) fn plays_in<A: Agent>(&self, directory: &Path, input: &str, arguments: &[&str]) {
        self.run_in(directory, arguments).succeeds();
        assert_legal::<A>(input, &output(directory));
    }

    /// The command for a script in which `$0` is the binary; `shell` are the words before `-c`.
    pub(super) fn in_shell(&self, shell: &[&str], script: &str, directory: &Path) -> Command {
        let mut command = Command::new(shell[0]);
        command.args(&shell[1..]).args(["-c", script]).arg(self.binary);
        command.current_dir(directory).envs(self.environment.iter().copied());
        command
    }

    /// The `output.txt` for an input. Checks that no other file is left, but for the memory of a
    /// turn of a game.
    #[track_caller]
    pub fn answer(&self, input: impl AsRef<[u8]>, arguments: &[&str]) -> String {
        let input = input.as_ref();
        let (directory, run) = self.run(input, arguments);
        let context =
            format!("{} with {arguments:?} for\n{}", run.stderr, String::from_utf8_lossy(input));
        assert_eq!(run.code, Some(0), "{context}");
        let remembers = directory.path().join("playdata.txt").exists();
        assert!(!remembers || input.starts_with(b"GAME"), "a memory of no game: {context}");
        assert_eq!(count(&directory), 2 + usize::from(remembers), "more is left: {context}");
        output(directory.path())
    }

    /// Checks that an input is refused with one line that names this line of the file and contains
    /// `part`, and that no file is left.
    #[track_caller]
    pub fn refuses(&self, input: impl AsRef<[u8]>, line: usize, part: &str) {
        let input = input.as_ref();
        let (directory, run) = self.run(input, &[]);
        println!("{}", String::from_utf8_lossy(input));
        run.is_refused(&format!("input.txt:{line}: expected "), part);
        assert_eq!(count(&directory), 1);
    }

    /// Checks that options are refused and that no file is left; returns the message.
    #[track_caller]
    pub fn refuses_options(&self, arguments: &[&str]) -> String {
        let (directory, run) = self.run(&self.start, arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.is_empty() && run.stdout.is_empty(), "{arguments:?}");
        assert_eq!(count(&directory), 1, "{arguments:?}");
        run.stderr
    }

    /// [`AgentUnderTest::start`] with one line, counted from 1, replaced.
    pub fn with_line(&self, number: usize, line: &str) -> String {
        let mut lines: Vec<&str> = self.start.lines().collect();
        lines[number - 1] = line;
        lines.join("\n") + "\n"
    }

    /// Checks the promises that all agents make.
    pub fn keeps_file_promises<A: Agent>(&self) {
        self.refuses_what_is_no_input::<A>();
        self.leaves_other_files_alone::<A>();
        let board: String = self.start.split_inclusive('\n').skip(3).collect();
        self.answers_for_either_side_and_every_clock::<A>(&board);
        self.reads_what_editors_write::<A>();
        self.serves_a_pipe::<A>();
        self.shows_the_board::<A>();
        self.repeats_itself::<A>();
        self.remembers_the_turns_of_a_game::<A>();
        self.checks_its_options();
        self.obeys_the_last_of_several_options();
        self.helps_with_an_example();
    }

    /// Short, long and binary files, and wrong keywords in the first three lines.
    fn refuses_what_is_no_input<A: Agent>(&self) {
        let lines: Vec<&str> = self.start.split_inclusive('\n').collect();
        for count in 0..lines.len() {
            self.refuses(lines[..count].concat(), count + 1, "found the end of the file");
        }
        self.refuses(format!("{}more\n", self.start), lines.len() + 1, self.after_the_board);
        for word in ["single", "DOUBLE", " SINGLE"] {
            self.refuses(self.with_line(1, word), 1, "SINGLE or GAME");
        }
        for word in ["NOBODY", "", &A::SIDES[0][1..]] {
            self.refuses(self.with_line(2, word), 2, &A::SIDES.join(" or "));
        }
        for time in ["-1", "0", "0.0", "soon", "", "1e", "e3", "1e+-3", "NaN", "inf"] {
            self.refuses(self.with_line(3, time), 3, "a positive number of seconds");
        }
        let junk: Vec<u8> = (0..4_000u32).map(|index| (index * 167 % 251) as u8).collect();
        self.refuses(junk, 1, "SINGLE or GAME");
        self.refuses([0xff, 0xfe, 0x00, 0x0a], 1, "SINGLE or GAME");
    }

    /// An old answer survives a malformed input, and other files are left alone.
    fn leaves_other_files_alone<A: Agent>(&self) {
        let old = b"an old answer\n";
        let directory = directory_with(&[("input.txt", b"rubbish"), ("output.txt", old)]);
        assert_eq!(self.run_in(directory.path(), &[]).code, Some(2));
        assert_eq!(output(directory.path()).as_bytes(), old);
        assert_eq!(count(&directory), 2);

        let data = [0u8, 255, 13, 10];
        let input = self.with_line(1, "GAME");
        let directory = directory_with(&[
            ("input.txt", input.as_bytes()),
            ("playdata.txt", &data),
            ("output.txt", old),
        ]);
        self.plays_in::<A>(directory.path(), &input, &[]);
        assert_eq!(fs::read(directory.path().join("playdata.txt")).unwrap(), data);
        assert_eq!(count(&directory), 3);
    }

    /// Checks the answers to inputs with this board (the part after the third line): a legal move
    /// for either side and with any clock, despite CRLF and trailing blanks.
    #[track_caller]
    pub fn answers_for_either_side_and_every_clock<A: Agent>(&self, board: &str) {
        for side in A::SIDES {
            for clock in ["0.0001", "0.01", "0.1"] {
                for control in ["SINGLE", "GAME"] {
                    let input = format!("{control}\n{side}\n{clock}\n{board}");
                    let mv = self.answer(input.replace('\n', " \r\n"), &[]);
                    assert_legal::<A>(&input, &mv);
                }
            }
        }
    }

    /// Checks that an agent with an address space of 1 GB plays the same move by nodes, and tells
    /// that its table is smaller than was asked for, if the move comes from a search.
    pub fn plays_with_little_memory(&self) {
        let arguments = ["--hash", "8192", "--nodes", "3000"];
        let best = self.answer(&self.start, &arguments);
        let directory = directory_with(&[("input.txt", self.start.as_ref())]);
        let script = "ulimit -v 1000000; exec \"$0\" \"$@\"";
        let mut limited = self.in_shell(&["sh"], script, directory.path());
        let run = run_to_end(limited.args(arguments), "");
        run.succeeds();
        assert_eq!(output(directory.path()), best);
        let said = "not enough memory for a table of 8192 MiB: it has 512 MiB\n";
        let is_search =
            self.run(&self.start, &["--verbose", "--nodes", "3000"]).1.stderr.starts_with("depth ");
        assert_eq!(run.stderr, if is_search { said } else { "" });
    }

    /// A byte-order mark and CRLF change neither the answer nor the line numbers of errors.
    fn reads_what_editors_write<A: Agent>(&self) {
        let edited = |text: &str| format!("{BYTE_ORDER_MARK}{}", text.replace('\n', "\r\n"));
        let arguments = ["--nodes", "500"];
        let mv = self.answer(edited(&self.start), &arguments);
        assert_eq!(mv, self.answer(&self.start, &arguments));
        assert_legal::<A>(&self.start, &mv);
        assert_legal::<A>(&edited(&self.start), &edited(&mv));
        self.refuses(edited(&self.with_line(1, "DOUBLE")), 1, "SINGLE or GAME, found 'DOUBLE'");
        self.refuses(edited(&self.with_line(2, "NOBODY")), 2, &A::SIDES.join(" or "));
        // The second of two marks is a character like any other.
        self.refuses(edited(&edited(&self.start)), 1, "SINGLE or GAME");
    }

    fn serves_a_pipe<A: Agent>(&self) {
        let directory = directory_with(&[]);
        let arguments = ["--input", "-", "--output", "-", "--nodes", "2000", "--verbose"];
        let run = run_to_end(&mut self.command(directory.path(), &arguments), &self.start);
        run.succeeds();
        assert_legal::<A>(&self.start, &run.stdout);
        assert!(run.stderr.starts_with("depth 1 score "), "{}", run.stderr);
        assert_eq!(count(&directory), 0, "no file is left");
    }

    /// `--show` draws the board before and after the move, at most 80 columns wide.
    fn shows_the_board<A: Agent>(&self) {
        let arguments = ["--nodes", "500", "--show"];
        let (directory, run) = self.run(&self.start, &arguments);
        run.succeeds();
        let output = output(directory.path());
        let before = A::read_task(&self.start, A::Rules::AGENT).unwrap().position;
        let mv = before.read_move(&output).unwrap();
        let after = before.after(mv);
        let drawn = before.picture(None) + &standing(&before) + &described(&before, mv, &after);
        assert_eq!(run.stderr, drawn);
        assert!(run.stderr.lines().all(|line| line.chars().count() <= 80), "{}", run.stderr);
    }

    /// Every algorithm of the engine is deterministic at a fixed depth.
    fn repeats_itself<A: Agent>(&self) {
        for algorithm in engine_algorithms() {
            for depth in ["2", "3"] {
                let answer =
                    || self.answer(&self.start, &["--algorithm", algorithm, "--depth", depth]);
                let mv = answer();
                assert_legal::<A>(&self.start, &mv);
                assert_eq!(mv, answer(), "{algorithm} to depth {depth}");
            }
        }
    }

    fn checks_its_options(&self) {
        for arguments in
            [["--depth", "0"], ["--nodes", "-3"], ["--hash", "0"], ["--rules", "house"]]
        {
            self.refuses_options(&arguments);
        }
        let message = self.refuses_options(&["input.txt"]);
        for part in ["'input.txt'", "tip: to read a file, use --input FILE"] {
            assert!(message.contains(part), "{message}");
        }
        assert!(!self.refuses_options(&["--no-such-option"]).contains("to read a file"));
        let message = self.refuses_options(&["--algorithm", "luck"]);
        for name in engine_algorithms() {
            assert!(message.contains(name), "{name} is not listed: {message}");
        }
    }

    fn obeys_the_last_of_several_options(&self) {
        let once = ["--depth", "1", "--verbose"];
        let several =
            ["-v", "--depth", "3", "--nodes", "5", "--verbose", "-v", "--nodes", "9000", "-d", "1"];
        let (_, run) = self.run(&self.start, &several);
        assert_eq!(run.stderr.matches("depth ").count(), 1, "{}", run.stderr);
        assert_eq!(self.answer(&self.start, &several), self.answer(&self.start, &once));
    }

    fn helps_with_an_example(&self) {
        let (directory, run) = self.run("", &["--help"]);
        run.succeeds();
        assert!(run.stdout.contains("Example") && run.stdout.contains("--nodes"), "{}", run.stdout);
        assert_eq!(count(&directory), 1);
    }
}

/// Checks that an output text is a legal move in an input's position, by the agents' rule set.
#[track_caller]
pub fn assert_legal<A: Protocol>(input: &str, output: &str) {
    let task =
        A::read_task(input, A::Rules::AGENT).unwrap_or_else(|error| panic!("{error} in\n{input}"));
    if let Err(violation) = task.position.read_move(output) {
        panic!("{violation} in\n{output}for\n{input}");
    }
}

/// The longest that a run may take before it is killed and fails its test.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs a program with this standard input.
#[track_caller]
pub(super) fn run_to_end(command: &mut Command, input: &str) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?} does not run: {error}"));
    // A program that has failed does not read its input; its message tells why.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input.as_bytes()));
    let read = |mut pipe: Box<dyn Read + Send>| {
        let (sender, receiver) = channel();
        std::thread::spawn(move || sender.send(std::io::read_to_string(&mut pipe)));
        receiver
    };
    let stdout = read(Box::new(child.stdout.take().unwrap()));
    let stderr = read(Box::new(child.stderr.take().unwrap()));
    let (Ok(stdout), Ok(stderr)) = (stdout.recv_timeout(PATIENCE), stderr.recv_timeout(PATIENCE))
    else {
        let _ = child.kill();
        let _ = child.wait();
        panic!("{command:?} did not end within {PATIENCE:?}");
    };
    let code = child.wait().unwrap().code();
    Run { code, stdout: stdout.unwrap(), stderr: stderr.unwrap() }
}

fn engine_algorithms() -> impl Iterator<Item = &'static str> {
    Algorithm::NAMES.iter().map(|(name, ..)| *name)
}

pub(super) fn directory_with(files: &[(&str, &[u8])]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(directory.path().join(name), bytes).unwrap();
    }
    directory
}

pub(super) fn output(directory: &Path) -> String {
    fs::read_to_string(directory.join("output.txt")).unwrap()
}

/// The number of entries in a directory.
fn count(directory: &TempDir) -> usize {
    fs::read_dir(directory.path()).unwrap().count()
}
