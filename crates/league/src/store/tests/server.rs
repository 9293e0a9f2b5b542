//! A PostgreSQL server for tests: Debian's package, run by an ordinary user in a directory of its
//! own, on a Unix socket alone.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Starts the server, says so, and ends it together with the test: standard input then reaches its
/// end.
const SCRIPT: &str = r#"
"$0/initdb" --auth trust --username league --encoding UTF8 --locale C --no-sync --pgdata "$1/data" > "$1/log" 2>&1 &&
"$0/pg_ctl" --pgdata "$1/data" --log "$1/log" --wait --options "-k $1 -h '' -F -c max_connections=400" start >> "$1/log" 2>&1 &&
echo started
cat > /dev/null
"$0/pg_ctl" --pgdata "$1/data" --mode immediate stop > /dev/null 2>&1
rm -rf "$1/data" "$1/log"
rmdir "$1" 2> /dev/null
"#;

pub(crate) struct Server {
    directory: PathBuf,
    programs: PathBuf,
    _child: (Child, ChildStdin),
}

/// Returns the server of this process, which is started when it is first needed.
pub(crate) fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(Server::start)
}

impl Server {
    fn start() -> Server {
        let versions = fs::read_dir("/usr/lib/postgresql")
            .expect("this test needs PostgreSQL: apt-get install postgresql");
        let programs = versions.map(|version| version.unwrap().path().join("bin"));
        let programs = programs.filter(|folder| folder.join("initdb").is_file()).max();
        let programs = programs.expect("this test needs PostgreSQL: apt-get install postgresql");
        let directory = tempfile::tempdir().unwrap().keep();
        let mut command = Command::new("sh");
        if id(&["-u"]) == Some(0) {
            // PostgreSQL refuses root.
            let user = ["postgres", "nobody"]
                .into_iter()
                .find_map(|name| id(&["-u", name]))
                .expect("an ordinary user");
            chown(&directory, Some(user), Some(user)).unwrap();
            fs::set_permissions(&directory, fs::Permissions::from_mode(0o700)).unwrap();
            command = Command::new("setpriv");
            command.args([
                format!("--reuid={user}"),
                format!("--regid={user}"),
                "--clear-groups".into(),
                "sh".into(),
            ]);
        }
        command.arg("-c").arg(SCRIPT).arg(&programs).arg(&directory).current_dir(&directory);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let log = || fs::read_to_string(directory.join("log")).unwrap_or_default();
        assert_eq!(line, "started\n", "{}", log());
        let input = child.stdin.take().unwrap();
        Server { directory, programs, _child: (child, input) }
    }

    pub(crate) fn new_database(&self) -> String {
        static NUMBER: AtomicU32 = AtomicU32::new(1);
        let name = format!("league{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let mut made = Command::new(self.programs.join("createdb"));
        made.args(["--username", "league", "--host"]).arg(&self.directory).arg(&name);
        let made = made.output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        format!("postgres://league@localhost/{name}?host={}", self.directory.display())
    }
}

fn id(words: &[&str]) -> Option<u32> {
    let output = Command::new("id").args(words).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}
