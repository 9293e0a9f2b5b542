//! The checks of an agent's binary: files, exit codes and messages.

use crate::agent::Agent;
use crate::protocol::{BYTE_ORDER_MARK, Protocol, RuleSet, TimeControl};
use crate::think::Algorithm;
use crate::verdict::{described, standing};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;
use tempfile::TempDir;

/// An agent's binary under test, run in temporary directories. Every check panics on the first
/// broken promise.
#[derive(Clone, Debug)]
pub struct AgentUnderTest<'a> {
    /// The path of the binary: `env!("CARGO_BIN_EXE_GAME")` in a game's tests.
    pub binary: &'a Path,
    /// A valid input with a short clock, in which either side may move.
    pub start: String,
    /// Additional environment variables.
    pub environment: &'a [(&'a str, &'a str)],
    /// The part of the error message that is expected for a line `more` after the board.
    pub after_the_board: &'a str,
}

/// Generates four tests for a game's `tests/suite/agent.rs`: the promises that every agent makes
/// about files, exit codes and messages; file-system failures; little memory (on Linux); and disks
/// that are full or read-only, a test that is ignored, as it mounts them. Takes an expression of
/// type [`AgentUnderTest`] and the game.
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

/// The result of a run of the binary.
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
    /// Checks that the run succeeded.
    #[track_caller]
    pub fn succeeds(&self) {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
    }

    /// Checks that the run was refused: exit code 2 and one line, which begins with `begins` and
    /// contains `part`.
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
    /// Creates a test of an agent whose inputs end with the board and that needs no environment
    /// variables.
    pub fn new(binary: &'a str, start: impl Into<String>) -> AgentUnderTest<'a> {
        AgentUnderTest {
            binary: Path::new(binary),
            start: start.into(),
            environment: &[],
            after_the_board: "the end of the file, found 'more'",
        }
    }

    /// Returns the command that runs the binary with these arguments in this directory.
    pub fn command(&self, directory: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.binary);
        command.args(arguments).current_dir(directory).envs(self.environment.iter().copied());
        command
    }

    /// Runs the agent in a directory and returns its result.
    pub fn run_in(&self, directory: &Path, arguments: &[&str]) -> Run {
        run_to_end(&mut self.command(directory, arguments), "")
    }

    /// Runs the agent in a new directory with this `input.txt`.
    pub fn run(&self, input: impl AsRef<[u8]>, arguments: &[&str]) -> (TempDir, Run) {
        let directory = directory_with(&[("input.txt", input.as_ref())]);
        let run = self.run_in(directory.path(), arguments);
        (directory, run)
    }

    /// Runs the agent on an input and returns the `output.txt` that it writes. Checks that it
    /// leaves no other file, but for its memory in a turn of a game.
    #[track_caller]
    pub fn answer(&self, input: impl AsRef<[u8]>, arguments: &[&str]) -> String {
        let input = input.as_ref();
        let (directory, run) = self.run(input, arguments);
        let context =
            format!("{} with {arguments:?} for\n{}", run.stderr, String::from_utf8_lossy(input));
        assert_eq!(run.code, Some(0), "{context}");
        let memory = directory.path().join("playdata.txt");
        assert!(
            !memory.exists() || input.starts_with(TimeControl::Game.word().as_bytes()),
            "a memory of no game: {context}"
        );
        let all = 2 + usize::from(memory.exists());
        assert_eq!(
            count(&directory),
            all,
            "input, output and memory are all that is there: {context}"
        );
        output(directory.path())
    }

    /// Checks that an input is refused: exit code 2, one line that names this line of the file and
    /// contains `part`, and no file left behind.
    #[track_caller]
    pub fn refuses(&self, input: impl AsRef<[u8]>, line: usize, part: &str) {
        let input = input.as_ref();
        let (directory, run) = self.run(input, &[]);
        println!("{}", String::from_utf8_lossy(input));
        run.is_refused(&format!("input.txt:{line}: expected "), part);
        assert_eq!(count(&directory), 1, "nothing but the input is there");
    }

    /// Checks that options are refused with exit code 2 and that no file is left behind; returns
    /// the message.
    #[track_caller]
    pub fn refuses_options(&self, arguments: &[&str]) -> String {
        let (directory, run) = self.run(&self.start, arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.is_empty(), "{arguments:?} are refused without a word");
        assert!(run.stdout.is_empty(), "{arguments:?}");
        assert_eq!(count(&directory), 1, "nothing but the input is there after {arguments:?}");
        run.stderr
    }

    /// Returns [`AgentUnderTest::start`] with one line replaced; lines count from 1.
    pub fn with_line(&self, number: usize, line: &str) -> String {
        let lines = self
            .start
            .lines()
            .enumerate()
            .map(|(index, old)| if index + 1 == number { line } else { old });
        lines.collect::<Vec<_>>().join("\n") + "\n"
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

    /// Checks that short, long and binary files, and wrong keywords in the first three lines, are
    /// refused.
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

    /// Checks that an old answer survives a malformed input, and that other files are left alone.
    fn leaves_other_files_alone<A: Agent>(&self) {
        let old = b"an old answer\n";
        let directory = directory_with(&[("input.txt", b"rubbish"), ("output.txt", old)]);
        assert_eq!(self.run_in(directory.path(), &[]).code, Some(2));
        assert_eq!(output(directory.path()).as_bytes(), old);
        assert_eq!(count(&directory), 2);

        let data = [0u8, 255, 13, 10];
        let input = self.with_line(1, TimeControl::Game.word());
        let directory = directory_with(&[
            ("input.txt", input.as_bytes()),
            ("playdata.txt", &data),
            ("output.txt", old),
        ]);
        self.run_in(directory.path(), &[]).succeeds();
        assert_legal::<A>(&input, &output(directory.path()));
        assert_eq!(fs::read(directory.path().join("playdata.txt")).unwrap(), data);
        assert_eq!(count(&directory), 3);
    }

    /// Checks that the agent answers an input with this board (the part after the third line) by a
    /// legal move for either side and with any clock, despite CRLF and trailing blanks. Either side
    /// must have a legal move.
    #[track_caller]
    pub fn answers_for_either_side_and_every_clock<A: Agent>(&self, board: &str) {
        for side in A::SIDES {
            for clock in ["0.0001", "0.01", "0.1"] {
                for control in [TimeControl::Single, TimeControl::Game] {
                    let input = format!("{}\n{side}\n{clock}\n{board}", control.word());
                    let mv = self.answer(input.replace('\n', " \r\n"), &[]);
                    assert_legal::<A>(&input, &mv);
                }
            }
        }
    }

    /// Checks that an agent whose address space is limited to 1 GB plays the same move by nodes,
    /// and says on standard error that its table is smaller than was asked for, if the move comes
    /// from a search.
    pub fn plays_with_little_memory(&self) {
        let arguments = ["--hash", "8192", "--nodes", "3000"];
        let best = self.answer(&self.start, &arguments);
        let directory = directory_with(&[("input.txt", self.start.as_ref())]);
        let mut limited = Command::new("sh");
        limited
            .args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\""])
            .arg(self.binary)
            .args(arguments);
        limited.current_dir(&directory).envs(self.environment.iter().copied());
        let run = run_to_end(&mut limited, "");
        assert_eq!(run.code, Some(0), "{run:?}");
        assert_eq!(fs::read_to_string(directory.path().join("output.txt")).ok(), Some(best));
        let said = "not enough memory for a table of 8192 MiB: it has 512 MiB\n";
        let is_search =
            self.run(&self.start, &["--verbose", "--nodes", "3000"]).1.stderr.starts_with("depth ");
        assert_eq!(run.stderr, if is_search { said } else { "" });
    }

    /// Checks that a byte-order mark and CRLF, which some editors write, change neither the answer
    /// nor the line numbers of errors.
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

    /// Checks that standard input and output work in the place of files.
    fn serves_a_pipe<A: Agent>(&self) {
        let directory = directory_with(&[]);
        let arguments = ["--input", "-", "--output", "-", "--nodes", "2000", "--verbose"];
        let run = run_to_end(&mut self.command(directory.path(), &arguments), &self.start);
        run.succeeds();
        assert_legal::<A>(&self.start, &run.stdout);
        assert!(run.stderr.starts_with("depth 1 score "), "{}", run.stderr);
        assert_eq!(count(&directory), 0, "no file is left");
    }

    /// Checks that `--show` draws the board before the move and after it, at most 80 columns wide.
    fn shows_the_board<A: Agent>(&self) {
        let arguments = ["--nodes", "500", "--show"];
        let (directory, run) = self.run(&self.start, &arguments);
        run.succeeds();
        let output = output(directory.path());
        let before =
            A::read_task(&self.start, A::Rules::AGENT).expect("the start can be read").position;
        let mv = before.read_move(&output).expect("the move is legal");
        let after = before.after(mv);
        let expected = format!(
            "{}{}{}",
            before.picture(None),
            standing(&before),
            described(&before, mv, &after)
        );
        assert_eq!(run.stderr, expected);
        assert!(run.stderr.lines().all(|line| line.chars().count() <= 80), "{}", run.stderr);
    }

    /// Checks that every algorithm of the engine is deterministic at a fixed depth and returns a
    /// legal move.
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

    /// Checks that bad options are refused, and that the error for an unknown algorithm lists all
    /// algorithms.
    fn checks_its_options(&self) {
        for arguments in
            [["--depth", "0"], ["--nodes", "-3"], ["--hash", "0"], ["--rules", "house"]]
        {
            self.refuses_options(&arguments);
        }
        let message = self.refuses_options(&["input.txt"]);
        assert!(
            message.contains("'input.txt'")
                && message.contains("tip: to read a file, use --input FILE"),
            "{message}"
        );
        assert!(!self.refuses_options(&["--no-such-option"]).contains("to read a file"));
        let message = self.refuses_options(&["--algorithm", "luck"]);
        for name in engine_algorithms() {
            assert!(message.contains(name), "{name} is not listed: {message}");
        }
    }

    /// Checks that the last of several occurrences of an option counts.
    fn obeys_the_last_of_several_options(&self) {
        let once = ["--depth", "1", "--verbose"];
        let several =
            ["-v", "--depth", "3", "--nodes", "5", "--verbose", "-v", "--nodes", "9000", "-d", "1"];
        let (_, run) = self.run(&self.start, &several);
        run.succeeds();
        assert_eq!(
            run.stderr.lines().filter(|line| line.starts_with("depth ")).count(),
            1,
            "{}",
            run.stderr
        );
        assert_eq!(self.answer(&self.start, &several), self.answer(&self.start, &once));
    }

    /// Checks that `--help` shows an example.
    fn helps_with_an_example(&self) {
        let directory = directory_with(&[]);
        let run = self.run_in(directory.path(), &["--help"]);
        assert_eq!(run.code, Some(0));
        assert!(run.stdout.contains("Example") && run.stdout.contains("--nodes"), "{}", run.stdout);
        assert_eq!(count(&directory), 0);
    }
}

/// Checks that an output text is a legal move in an input's position, by the agents' rule set.
///
/// # Panics
/// If it is not.
#[track_caller]
pub fn assert_legal<A: Protocol>(input: &str, output: &str) {
    let task =
        A::read_task(input, A::Rules::AGENT).unwrap_or_else(|error| panic!("{error} in\n{input}"));
    if let Err(violation) = task.position.read_move(output) {
        panic!("{violation} in\n{output}for\n{input}");
    }
}

/// The longest that a run may take. One that hangs is killed and fails its test, instead of holding
/// up all others.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs a program with this standard input.
///
/// # Panics
/// If it cannot be run, or does not end within [`PATIENCE`].
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
    let (mut stdout, mut stderr) =
        (child.stdout.take().expect("a pipe"), child.stderr.take().expect("a pipe"));
    let (to_out, out) = channel();
    let (to_err, err) = channel();
    std::thread::spawn(move || to_out.send(std::io::read_to_string(&mut stdout)));
    std::thread::spawn(move || to_err.send(std::io::read_to_string(&mut stderr)));
    let (Ok(stdout), Ok(stderr)) = (out.recv_timeout(PATIENCE), err.recv_timeout(PATIENCE)) else {
        let _ = child.kill();
        let _ = child.wait();
        panic!("{command:?} did not end within {} s", PATIENCE.as_secs());
    };
    let text = |read: std::io::Result<String>| read.expect("its output is text");
    let code = child.wait().expect("it ends").code();
    Run { code, stdout: text(stdout), stderr: text(stderr) }
}

fn engine_algorithms() -> impl Iterator<Item = &'static str> {
    Algorithm::NAMES.iter().map(|(name, ..)| *name)
}

/// Creates a temporary directory with these files.
pub(super) fn directory_with(files: &[(&str, &[u8])]) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory for temporary files");
    for (name, bytes) in files {
        fs::write(directory.path().join(name), bytes).expect("it can be written to");
    }
    directory
}

/// Returns the agent's answer.
pub(super) fn output(directory: &Path) -> String {
    fs::read_to_string(directory.join("output.txt")).expect("an answer is left")
}

/// The number of entries in a directory.
fn count(directory: &TempDir) -> usize {
    fs::read_dir(directory.path()).expect("the directory is there").count()
}
