//! The checks of an agent's binary under file-system failures: it does not hang, it reports one
//! clear line, and it leaves files that are not its own alone.

use super::files::{AgentUnderTest, Run, assert_legal, directory_with, output, run_to_end};
use crate::agent::Agent;
use std::fs::{self, File, OpenOptions, Permissions};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// The content of an old output file, which a failed run must leave as it is.
const OLD: &str = "an old answer\n";
/// The user id of an unprivileged user (`nobody`), on every Linux.
const NOBODY: u32 = 65_534;

/// A temporary directory with a file-system fault, and a listing of it from before the run.
struct FaultyDirectory {
    directory: TempDir,
    before: Vec<(String, String)>,
}

impl FaultyDirectory {
    /// Creates a directory with an old answer and lets `make` add the fault.
    fn new(make: impl FnOnce(&Path)) -> FaultyDirectory {
        let directory = directory_with(&[("output.txt", OLD.as_bytes())]);
        make(directory.path());
        let before = listing(directory.path());
        FaultyDirectory { directory, before }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Checks that the run failed with one line that begins with `begins` and contains `part`, and
    /// that the directory is unchanged.
    #[track_caller]
    fn is_refused(&self, run: &Run, begins: &str, part: &str) {
        run.is_refused(begins, part);
        assert_eq!(listing(self.path()), self.before, "something has changed after {}", run.stderr);
    }
}

const CANNOT_READ: &str = "input.txt: cannot read the position: ";
const CANNOT_WRITE: &str = "output.txt: cannot write the move: ";

impl AgentUnderTest<'_> {
    /// Checks the agent with inputs that are missing, not regular files, too long or unreadable,
    /// with outputs that cannot be written, and with read-only directories.
    pub fn survives_file_faults<A: Agent>(&self) {
        self.refuses_inputs_that_are_no_texts();
        self.waits_for_a_pipe_but_not_for_ever::<A>();
        self.replaces_links_and_pipes_in_the_place_of_its_output::<A>();
        self.writes_to_devices_without_replacing_them::<A>();
        self.names_outputs_that_cannot_be_written();
        self.obeys_permissions();
    }

    fn refuses_inputs_that_are_no_texts(&self) {
        let long = |path: &Path| File::create(path)?.set_len(100 << 20);
        type Make<'a> = &'a dyn Fn(&Path) -> std::io::Result<()>;
        let cases: [(Make, &str); 6] = [
            (&|_| Ok(()), "No such file"),
            (&|path| fs::create_dir(path), "Is a directory"),
            (&|path| symlink("nowhere", path), "No such file"),
            // ELOOP, for which each C library has words of its own.
            (&|path| symlink("input.txt", path), "(os error 40)"),
            (&|path| symlink("/dev/zero", path), "longer than 1 MiB"),
            (&long, "longer than 1 MiB"),
        ];
        for (make, part) in cases {
            let faulty =
                FaultyDirectory::new(|path| make(&path.join("input.txt")).expect("it can be made"));
            faulty.is_refused(&self.run_in(faulty.path(), &[]), CANNOT_READ, part);
        }
    }

    /// Tries three named pipes: one never opened for writing, one opened but silent, and one that
    /// delivers the input.
    fn waits_for_a_pipe_but_not_for_ever<A: Agent>(&self) {
        let with_pipe = || FaultyDirectory::new(|path| pipe(&path.join("input.txt")));
        let [alone, silent, written] = [(); 3].map(|()| with_pipe());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                alone.is_refused(&self.run_in(alone.path(), &[]), CANNOT_READ, "did not end within")
            });
            scope.spawn(|| {
                let writer =
                    OpenOptions::new().read(true).write(true).open(silent.path().join("input.txt"));
                silent.is_refused(
                    &self.run_in(silent.path(), &[]),
                    CANNOT_READ,
                    "did not end within",
                );
                drop(writer);
            });
            scope.spawn(|| {
                let text = self.start.clone();
                let pipe = written.path().join("input.txt");
                let writer = std::thread::spawn(move || fs::write(pipe, text));
                let run = self.run_in(written.path(), &[]);
                run.succeeds();
                writer.join().expect("it does not panic").expect("the input is read");
                assert_legal::<A>(&self.start, &output(written.path()));
            });
        });
    }

    fn replaces_links_and_pipes_in_the_place_of_its_output<A: Agent>(&self) {
        let other = "another file\n";
        let make: [&dyn Fn(&Path); 4] = [
            &|path| symlink("other.txt", path).expect("links can be made"),
            &|path| symlink("nowhere", path).expect("links can be made"),
            &|path| symlink("output.txt", path).expect("links can be made"),
            &pipe,
        ];
        for make in make {
            let files = [("input.txt", self.start.as_bytes()), ("other.txt", other.as_bytes())];
            let directory = directory_with(&files);
            let at = |name: &str| directory.path().join(name);
            make(&at("output.txt"));
            let run = self.run_in(directory.path(), &[]);
            run.succeeds();
            assert!(fs::symlink_metadata(at("output.txt")).expect("it is there").is_file());
            assert_legal::<A>(&self.start, &output(directory.path()));
            assert_eq!(fs::read_to_string(at("other.txt")).expect("it is there"), other);
            assert_eq!(listing(directory.path()).len(), 3);
        }
    }

    fn writes_to_devices_without_replacing_them<A: Agent>(&self) {
        let directory = directory_with(&[("input.txt", self.start.as_bytes())]);
        symlink("/dev/null", directory.path().join("sink")).expect("links can be made");
        let run = self.run_in(directory.path(), &["--output", "sink"]);
        run.succeeds();
        let sink =
            fs::metadata(directory.path().join("sink")).expect("the link leads to the device");
        assert!(sink.file_type().is_char_device());
        let run = self.run_in(directory.path(), &["--output", "/dev/stdout", "--nodes", "500"]);
        run.succeeds();
        assert_legal::<A>(&self.start, &run.stdout);
        assert_eq!(listing(directory.path()).len(), 2);
    }

    fn names_outputs_that_cannot_be_written(&self) {
        let with_input = |path: &Path| {
            fs::write(path.join("input.txt"), &self.start).expect("it can be written to")
        };
        let faulty = FaultyDirectory::new(|path| {
            with_input(path);
            fs::remove_file(path.join("output.txt")).expect("it is there");
            fs::create_dir_all(path.join("output.txt/deep")).expect("it can be made");
        });
        faulty.is_refused(&self.run_in(faulty.path(), &[]), CANNOT_WRITE, "directory");

        let faulty = FaultyDirectory::new(with_input);
        for (place, part) in [
            ("no/output.txt", "No such file"),
            ("input.txt/output.txt", "Not a directory"),
            ("..", "name"),
        ] {
            let run = self.run_in(faulty.path(), &["--output", place]);
            faulty.is_refused(&run, &format!("{place}: cannot write the move: "), part);
        }

        // Files are limited to 0 bytes, and the signal for it is ignored, as it is under some
        // programs.
        let mut limited = Command::new("sh");
        limited.args(["-c", r#"trap "" XFSZ; ulimit -f 0; exec "$0" "$@""#]).arg(self.binary);
        limited.current_dir(faulty.path()).envs(self.environment.iter().copied());
        faulty.is_refused(&run_to_end(&mut limited, ""), CANNOT_WRITE, "too large");
    }

    /// Runs as a user who is bound by permissions; as root, the agent would read everything.
    fn obeys_permissions(&self) {
        let unreadable = FaultyDirectory::new(|path| {
            fs::write(path.join("input.txt"), &self.start).expect("it can be written to");
            set_mode(&path.join("input.txt"), 0o000);
            set_mode(path, 0o777);
        });
        let read_only = FaultyDirectory::new(|path| {
            fs::write(path.join("input.txt"), &self.start).expect("it can be written to");
            set_mode(&path.join("input.txt"), 0o644);
            set_mode(path, 0o555);
        });
        // Root can read the file despite its mode.
        let privileged = File::open(unreadable.path().join("input.txt")).is_ok();
        // A copy that any user may run, wherever the binary was built.
        let public = directory_with(&[]);
        set_mode(public.path(), 0o755);
        let binary = public.path().join("agent");
        // Made by another process: one that this process has open for writing could not be run
        // while the child of another test holds it open.
        let copied = Command::new("cp")
            .arg(self.binary)
            .arg(&binary)
            .status()
            .expect("cp is part of every Linux");
        assert!(copied.success());
        let copy = AgentUnderTest { binary: &binary, ..self.clone() };
        for (faulty, begins) in [(&unreadable, CANNOT_READ), (&read_only, CANNOT_WRITE)] {
            let mut command = copy.command(faulty.path(), &[]);
            if privileged {
                command.uid(NOBODY).gid(NOBODY);
            }
            let done = run_to_end(&mut command, "");
            set_mode(&faulty.path().join("input.txt"), 0o644);
            done.is_refused(begins, "Permission denied");
            set_mode(faulty.path(), 0o755);
            assert_eq!(listing(faulty.path()).len(), 2);
            assert_eq!(output(faulty.path()), OLD);
        }
    }

    /// Checks the agent on full and on read-only disks. Mounts temporary file systems in a mount
    /// namespace that ends with the run: as root, or as root of a user namespace.
    pub fn survives_full_and_read_only_disks<A: Agent>(&self) {
        let mount =
            "mount -t tmpfs -o size=64k tmpfs . && cd \"$PWD\" || exit 99; cat > input.txt; ";
        let old = "echo 'an old answer' > output.txt; ";
        let show = r#"; code=$?; ls -A | grep -vc filler; cat output.txt; exit $code"#;
        let fill = "cat /dev/zero > filler 2> /dev/null";
        let in_namespace = |script: &str| -> Run {
            let run_by = |options: &[&str]| {
                let directory = directory_with(&[]);
                let mut command = Command::new("unshare");
                command
                    .args(options)
                    .args(["sh", "-c"])
                    .arg(format!("{mount}{script}{show}"))
                    .arg(self.binary);
                command.current_dir(directory.path()).envs(self.environment.iter().copied());
                run_to_end(&mut command, &self.start)
            };
            // Without the privilege, `unshare` or `mount` fails before the script runs.
            let failed = |run: &Run| run.code == Some(99) || run.stderr.contains("unshare");
            let mut run = run_by(&["--mount"]);
            if failed(&run) {
                run = run_by(&["--map-root-user", "--mount"]);
            }
            assert!(!failed(&run), "no file system can be mounted here: {}", run.stderr);
            run
        };
        // The option is the mount's alone: root of a user namespace may not change those of a whole
        // file system.
        let remount = "mount -o remount,bind,ro . ";
        for (fault, part) in [(fill, "No space left"), (remount, "Read-only")] {
            let run = in_namespace(&format!("{old}{fault}; \"$0\""));
            assert_eq!(run.stdout, format!("2\n{OLD}"));
            Run { stdout: String::new(), ..run }.is_refused(CANNOT_WRITE, part);
        }

        // The disk fills up while the agent thinks: the move written first must remain.
        let script = format!(
            "sed -i '3s/.*/0.5/' input.txt; \"$0\" & while [ ! -s output.txt ]; do :; done; {fill}; wait $!"
        );
        let run = in_namespace(&script);
        run.succeeds();
        let mv = run
            .stdout
            .strip_prefix("2\n")
            .unwrap_or_else(|| panic!("more is left: {}", run.stdout));
        assert_legal::<A>(&self.start, mv);
        assert!(run.stderr.is_empty() || run.stderr.contains("stays\n"), "{}", run.stderr);
    }
}

fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo is part of every Linux");
    assert!(made.success());
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is our own");
}

/// Lists a directory: each name with its content if it is a short text, otherwise its kind, length
/// and link target.
fn listing(directory: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(directory).expect("the directory is there");
    let mut names: Vec<(String, String)> = entries
        .map(|entry| {
            let entry = entry.expect("it can be read");
            let data = entry.metadata().expect("it is there");
            // Reading a pipe would block, and a device has no end.
            let short = data.is_file() && data.len() < 4_096;
            let about = match short.then(|| fs::read_to_string(entry.path())) {
                Some(Ok(text)) => text,
                _ => format!(
                    "{:?} {} {:?}",
                    data.file_type(),
                    data.len(),
                    fs::read_link(entry.path()).ok()
                ),
            };
            (entry.file_name().to_string_lossy().into_owned(), about)
        })
        .collect();
    names.sort();
    names
}
