//! An agent's binary under file-system failures: it does not hang, it reports one clear line, and
//! it leaves files that are not its own alone.

use super::files::{AgentUnderTest, Run, assert_legal, directory_with, output, run_to_end};
use crate::agent::Agent;
use std::fs::{self, File, OpenOptions, Permissions};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// An old output file, which a failed run must leave as it is.
const OLD: &str = "an old answer\n";
/// The user `nobody`, on every Linux.
const NOBODY: u32 = 65_534;
const CANNOT_READ: &str = "input.txt: cannot read the position: ";
const CANNOT_WRITE: &str = "output.txt: cannot write the move: ";

/// A temporary directory with a fault, and a listing of it from before the run.
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

    /// Checks that the run failed with one line, and that the directory is unchanged.
    #[track_caller]
    fn is_refused(&self, run: &Run, begins: &str, part: &str) {
        run.is_refused(begins, part);
        assert_eq!(listing(self.path()), self.before, "something has changed after {}", run.stderr);
    }
}

impl AgentUnderTest<'_> {
    /// Inputs that are missing, not regular files, too long or unreadable; outputs that cannot be
    /// written; read-only directories.
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
            let faulty = FaultyDirectory::new(|path| make(&path.join("input.txt")).unwrap());
            faulty.is_refused(&self.run_in(faulty.path(), &[]), CANNOT_READ, part);
        }
    }

    /// Three named pipes: one never opened for writing, one opened but silent, and one that
    /// delivers the input.
    fn waits_for_a_pipe_but_not_for_ever<A: Agent>(&self) {
        let with_pipe = || FaultyDirectory::new(|path| pipe(&path.join("input.txt")));
        let [alone, silent, written] = [(); 3].map(|()| with_pipe());
        let gives_up = |faulty: &FaultyDirectory| {
            let run = self.run_in(faulty.path(), &[]);
            faulty.is_refused(&run, CANNOT_READ, "did not end within");
        };
        std::thread::scope(|scope| {
            scope.spawn(|| gives_up(&alone));
            scope.spawn(|| {
                let pipe = silent.path().join("input.txt");
                let _writer = OpenOptions::new().read(true).write(true).open(pipe);
                gives_up(&silent);
            });
            scope.spawn(|| fs::write(written.path().join("input.txt"), &self.start).unwrap());
            self.plays_in::<A>(written.path(), &self.start, &[]);
        });
    }

    fn replaces_links_and_pipes_in_the_place_of_its_output<A: Agent>(&self) {
        let other = "another file\n";
        let link = |target: &'static str| move |path: &Path| symlink(target, path).unwrap();
        let make: [&dyn Fn(&Path); 4] =
            [&link("other.txt"), &link("nowhere"), &link("output.txt"), &pipe];
        for make in make {
            let files = [("input.txt", self.start.as_bytes()), ("other.txt", other.as_bytes())];
            let directory = directory_with(&files);
            let at = |name: &str| directory.path().join(name);
            make(&at("output.txt"));
            self.plays_in::<A>(directory.path(), &self.start, &[]);
            assert!(fs::symlink_metadata(at("output.txt")).unwrap().is_file());
            assert_eq!(fs::read_to_string(at("other.txt")).unwrap(), other);
            assert_eq!(listing(directory.path()).len(), 3);
        }
    }

    fn writes_to_devices_without_replacing_them<A: Agent>(&self) {
        let directory = directory_with(&[("input.txt", self.start.as_bytes())]);
        let sink = directory.path().join("sink");
        symlink("/dev/null", &sink).unwrap();
        self.run_in(directory.path(), &["--output", "sink"]).succeeds();
        assert!(fs::metadata(sink).unwrap().file_type().is_char_device());
        let run = self.run_in(directory.path(), &["--output", "/dev/stdout", "--nodes", "500"]);
        run.succeeds();
        assert_legal::<A>(&self.start, &run.stdout);
        assert_eq!(listing(directory.path()).len(), 2);
    }

    fn names_outputs_that_cannot_be_written(&self) {
        let with_input = |path: &Path| fs::write(path.join("input.txt"), &self.start).unwrap();
        let faulty = FaultyDirectory::new(|path| {
            with_input(path);
            fs::remove_file(path.join("output.txt")).unwrap();
            fs::create_dir_all(path.join("output.txt/deep")).unwrap();
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

        // Files are limited to 0 bytes, and the signal for it is ignored, as under some programs.
        let script = r#"trap "" XFSZ; ulimit -f 0; exec "$0""#;
        let run = run_to_end(&mut self.in_shell(&["sh"], script, faulty.path()), "");
        faulty.is_refused(&run, CANNOT_WRITE, "too large");
    }

    /// Runs as a user who is bound by permissions; as root, the agent would read everything.
    fn obeys_permissions(&self) {
        let faulty = |mode_of_input, mode| {
            FaultyDirectory::new(|path| {
                fs::write(path.join("input.txt"), &self.start).unwrap();
                set_mode(&path.join("input.txt"), mode_of_input);
                set_mode(path, mode);
            })
        };
        let (unreadable, read_only) = (faulty(0o000, 0o777), faulty(0o644, 0o555));
        // Root can read the file despite its mode.
        let privileged = File::open(unreadable.path().join("input.txt")).is_ok();
        // A copy that any user may run. Another process makes it: a program that this process has
        // open for writing could not be run while the child of another test holds it open.
        let public = directory_with(&[]);
        set_mode(public.path(), 0o755);
        let binary = public.path().join("agent");
        assert!(Command::new("cp").arg(self.binary).arg(&binary).status().unwrap().success());
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

    /// Full and read-only disks, mounted in a mount namespace that ends with the run: as root, or
    /// as root of a user namespace.
    pub fn survives_full_and_read_only_disks<A: Agent>(&self) {
        let mount =
            "mount -t tmpfs -o size=64k tmpfs . && cd \"$PWD\" || exit 99; cat > input.txt; ";
        let old = "echo 'an old answer' > output.txt; ";
        let show = "; code=$?; ls -A | grep -vc filler; cat output.txt; exit $code";
        let fill = "cat /dev/zero > filler 2> /dev/null";
        let in_namespace = |script: &str| -> Run {
            let run_by = |unshare: &[&str]| {
                let directory = directory_with(&[]);
                let script = format!("{mount}{script}{show}");
                run_to_end(&mut self.in_shell(unshare, &script, directory.path()), &self.start)
            };
            // Without the privilege, `unshare` or `mount` fails before the script runs.
            let failed = |run: &Run| run.code == Some(99) || run.stderr.contains("unshare");
            let mut run = run_by(&["unshare", "--mount", "sh"]);
            if failed(&run) {
                run = run_by(&["unshare", "--map-root-user", "--mount", "sh"]);
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
        let think = "sed -i '3s/.*/0.5/' input.txt; \"$0\" & while [ ! -s output.txt ]; do :; done";
        let run = in_namespace(&format!("{think}; {fill}; wait $!"));
        run.succeeds();
        let mv = run.stdout.strip_prefix("2\n").expect("input and output are left");
        assert_legal::<A>(&self.start, mv);
        assert!(run.stderr.is_empty() || run.stderr.contains("stays\n"), "{}", run.stderr);
    }
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Each name in a directory with its content if it is a short text, otherwise its kind, length and
/// link target.
fn listing(directory: &Path) -> Vec<(String, String)> {
    let entry = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.unwrap();
        let data = entry.metadata().unwrap();
        // Reading a pipe would block, and a device has no end.
        let is_short = data.is_file() && data.len() < 4_096;
        let text = is_short.then(|| fs::read_to_string(entry.path()).ok()).flatten();
        let kind = || {
            let target = fs::read_link(entry.path()).ok();
            format!("{:?} {} {target:?}", data.file_type(), data.len())
        };
        (entry.file_name().to_string_lossy().into_owned(), text.unwrap_or_else(kind))
    };
    let mut names: Vec<_> = fs::read_dir(directory).unwrap().map(entry).collect();
    names.sort();
    names
}
