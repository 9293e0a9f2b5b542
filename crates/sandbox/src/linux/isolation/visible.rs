//! The files of the machine that a box has to show so that a command can run: those that it names,
//! and the interpreter with the rest of its installation. A student may have written a file that a
//! command names, so nothing is shown because such a file says so: its first line is followed to
//! programs of the system and of PATH alone, and a link only where it stays, or to these, or to the
//! installation of an interpreter. What is found in PATH is trusted.

use super::paths::SYSTEM;
use crate::system::shell_words;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

const INSTALLED: &[&str] = &[
    "bin",
    "sbin",
    "shims",
    "lib",
    "lib32",
    "lib64",
    "libexec",
    "include",
    "conf",
    "jmods",
    "jre",
    "release",
    "versions",
    "version",
    "pyenv.d",
    "plugins",
    "pyvenv.cfg",
];
/// A directory is an installation if it has one of these beside `bin`, `sbin` or `shims`.
const MARKS: &[&str] = &["lib", "lib64", "libexec"];
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// The most compiled files that are shown of a directory: each is a mount of its own.
const MOST_COMPILED: usize = 256;
const LONGEST_CHAIN: usize = 16;

/// The paths that a command needs to see. Of a command that the player itself supplies only the
/// program is looked up, in PATH. An error names a link that is not followed.
pub fn needed_by(
    command: &[String],
    directory: Option<&Path>,
    is_players_own: bool,
) -> Result<Vec<PathBuf>, String> {
    let mut shown = BTreeSet::new();
    let kept = never_shown(directory);
    let is_kept = |path: &PathBuf| kept.iter().any(|kept| kept.starts_with(path));
    if let Some(program) = command.first() {
        if !program.contains('/') {
            search(program).into_iter().for_each(|path| add_program(&path, &mut shown));
        } else if !is_players_own && Path::new(program).is_absolute() {
            add_named(Path::new(program), &mut shown)?;
        }
    }
    let arguments = command.iter().skip(1).filter(|_| !is_players_own);
    for path in arguments.flat_map(|argument| paths_in(argument)) {
        if is_kept(&path) {
            shown.extend(compiled_files(&path));
        } else {
            add_named(&path, &mut shown)?;
        }
    }
    Ok(shown.into_iter().filter(|path| !is_system_path(path) && !is_kept(path)).collect())
}

/// The existing files that an argument names. A path may have any sign: the argument is taken as a
/// path, then as the value of an option, a class path, the command line of a shell, and at last as
/// paths among other signs.
fn paths_in(argument: &str) -> Vec<PathBuf> {
    let is_path = |text: &&str| Path::new(text).is_absolute() && Path::new(text).exists();
    let value = argument.split_once('=').map_or(argument, |(_, value)| value);
    let bare = argument.trim_matches(|symbol| "();<>&|,".contains(symbol));
    if let Some(path) = [argument, value, bare].into_iter().find(is_path) {
        return vec![PathBuf::from(path)];
    }
    for list in [argument, value] {
        let is_part = |part: &str| is_path(&part) || !part.contains(char::is_whitespace);
        if list.split(':').all(is_part) && list.split(':').any(|part| is_path(&part)) {
            return list.split(':').filter(is_path).map(PathBuf::from).collect();
        }
    }
    match shell_words(argument) {
        Some(words) if words != [argument] => {
            words.iter().flat_map(|word| paths_in(word)).collect()
        }
        _ => {
            let pieces = argument
                .split(|symbol: char| symbol.is_whitespace() || "=:,;'\"()<>&|".contains(symbol));
            pieces.filter(is_path).map(PathBuf::from).collect()
        }
    }
}

/// The value of PATH in a box: the judge's directories that the box shows, or a program of them,
/// and the usual ones.
pub fn search_path(shown: &[PathBuf]) -> String {
    let mut places: Vec<PathBuf> = searched()
        .into_iter()
        .filter(|place| {
            let has = |shown: &PathBuf| place.starts_with(shown) || shown.parent() == Some(place);
            is_system_path(place) || shown.iter().any(has)
        })
        .collect();
    for usual in std::env::split_paths(USUAL_PATH) {
        if !places.contains(&usual) {
            places.push(usual);
        }
    }
    std::env::join_paths(places)
        .ok()
        .and_then(|path| path.into_string().ok())
        .unwrap_or_else(|| USUAL_PATH.to_string())
}

/// Directories that no command shows, nor their parents.
fn never_shown(directory: Option<&Path>) -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    [std::env::current_dir().ok(), home, Some(std::env::temp_dir()), directory.map(Path::to_owned)]
        .into_iter()
        .flatten()
        .collect()
}

fn is_system_path(path: &Path) -> bool {
    SYSTEM.iter().any(|place| path.starts_with(place))
}

/// The directories of PATH.
fn searched() -> Vec<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect()
}

fn search(program: &str) -> Option<PathBuf> {
    searched().iter().map(|place| place.join(program)).find(|path| path.is_file())
}

/// The compiled classes in a directory that is not shown as a whole: `java -cp .` needs them.
fn compiled_files(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_compiled =
        |path: &PathBuf| path.extension().is_some_and(|end| end == "class" || end == "jar");
    let is_file = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
    entries.filter(move |path| is_compiled(path) && is_file(path)).take(MOST_COMPILED)
}

/// A student may have written the file or directory.
fn add_named(path: &Path, shown: &mut BTreeSet<PathBuf>) -> Result<(), String> {
    let Ok(whole) = fs::canonicalize(path) else {
        shown.insert(path.to_owned());
        return Ok(());
    };
    if let Some(link) = leading_out(path) {
        if !is_public(&whole) {
            return Err(format!(
                "{} is a link that leads out of its directory, and a box does not follow it: give the path of the file \
                 itself, {}, or show it with --read-only",
                link.display(),
                whole.display()
            ));
        }
        add_program(&whole, shown);
    }
    shown.insert(path.to_owned());
    if whole.is_file() {
        let stays =
            |part: &PathBuf| fs::canonicalize(part).is_ok_and(|part| leading_out(&part).is_none());
        shown.extend(
            installation(path)
                .into_iter()
                .filter(|part| leading_out(part).is_none() && stays(part)),
        );
        interpreters(&whole)
            .iter()
            .filter(|path| is_public(path))
            .for_each(|path| add_program(path, shown));
    }
    Ok(())
}

/// The first link on a path that leads out of its directory. Links of the system, in the root
/// directory or right below it, may.
fn leading_out(path: &Path) -> Option<&Path> {
    let mut parts: Vec<&Path> = path.ancestors().collect();
    parts.reverse();
    parts.into_iter().skip(3).find(|part| {
        let is_link = fs::symlink_metadata(part).is_ok_and(|data| data.is_symlink());
        let directory = part.parent().and_then(|parent| fs::canonicalize(parent).ok());
        let target = fs::canonicalize(part);
        is_link
            && !directory
                .is_some_and(|directory| target.is_ok_and(|target| target.starts_with(directory)))
    })
}

/// Whether the system, PATH or the installation of an interpreter has a program.
fn is_public(path: &Path) -> bool {
    let Ok(path) = fs::canonicalize(path) else { return false };
    let Some(place) = path.parent() else { return false };
    let is_searched =
        || searched().iter().any(|one| fs::canonicalize(one).is_ok_and(|one| one == place));
    path.is_file() && (is_system_path(&path) || is_searched() || is_in_interpreter(&path))
}

fn is_in_interpreter(program: &Path) -> bool {
    let root = program.parent().filter(|place| place.ends_with("bin")).and_then(Path::parent);
    let libraries = root.and_then(|root| fs::read_dir(root.join("lib")).ok());
    libraries.into_iter().flatten().flatten().any(|library| {
        library.path().join("os.py").is_file() || library.path().ends_with("modules")
    })
}

fn add_program(path: &Path, shown: &mut BTreeSet<PathBuf>) {
    let mut waiting = vec![path.to_owned()];
    for _ in 0..LONGEST_CHAIN {
        let Some(path) = waiting.pop() else { return };
        shown.insert(path.clone());
        shown.extend(installation(&path));
        if let Ok(target) = fs::read_link(&path) {
            waiting.push(path.parent().unwrap_or(Path::new("/")).join(target));
        } else if let Ok(whole) = fs::canonicalize(&path)
            && whole != path
        {
            waiting.push(whole);
        }
        waiting.extend(interpreters(&path));
    }
}

fn installation(program: &Path) -> Vec<PathBuf> {
    let Some(place) = program.parent() else { return Vec::new() };
    let Some(root) = place.parent() else { return Vec::new() };
    let is_place = ["bin", "sbin", "shims"].iter().any(|name| place.ends_with(name));
    if is_system_path(program) || !is_place || !MARKS.iter().any(|mark| root.join(mark).is_dir()) {
        return Vec::new();
    }
    INSTALLED.iter().map(|name| root.join(name)).filter(|path| path.exists()).collect()
}

fn interpreters(script: &Path) -> Vec<PathBuf> {
    let mut beginning = Vec::new();
    if fs::metadata(script).is_ok_and(|data| data.is_file()) {
        let _ = File::open(script).and_then(|file| file.take(256).read_to_end(&mut beginning));
    }
    let text = String::from_utf8_lossy(&beginning);
    let line = text.strip_prefix("#!").and_then(|rest| rest.lines().next()).unwrap_or_default();
    let mut words = line.split_whitespace();
    let Some(first) = words.next() else { return Vec::new() };
    let mut found = vec![PathBuf::from(first)];
    if first.ends_with("/env")
        && let Some(program) = words.find(|word| !word.starts_with('-') && !word.contains('='))
    {
        found.extend(search(program));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn program(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn command(words: &[&Path]) -> Vec<String> {
        words.iter().map(|word| word.to_str().unwrap().to_string()).collect()
    }

    /// What a command of the teacher's needs to see.
    fn needed(words: &[&Path]) -> Result<Vec<PathBuf>, String> {
        needed_by(&command(words), None, false)
    }

    fn shell(line: &str) -> Vec<PathBuf> {
        needed(&["/bin/sh", "-c", line].map(Path::new)).unwrap()
    }

    #[test]
    fn files_that_a_command_names_are_shown_and_their_neighbours_are_not() {
        let directory = tempfile::tempdir().unwrap();
        let script = directory.path().join("agent.py");
        program(&script, "print()");
        fs::write(directory.path().join("secret"), "s").unwrap();
        let only = std::slice::from_ref(&script);
        assert_eq!(needed(&[Path::new("/bin/sh"), &script]).unwrap(), only);
        let line = format!("exec '{}' --x", script.display());
        assert_eq!(shell(&line), only);
        // A player's own words are not trusted.
        let line = ["/bin/sh", "-c", &line].map(String::from);
        assert!(needed_by(&line, None, true).unwrap().is_empty());
        let line = command(&[&script, directory.path()]);
        let in_home = || needed_by(&line, Some(directory.path()), false).unwrap();
        assert_eq!(in_home(), only);
        // A class path needs its classes.
        let class = directory.path().join("Agent.class");
        fs::write(&class, "c").unwrap();
        assert_eq!(in_home(), [class, script.clone()]);
    }

    #[test]
    fn paths_with_blanks_and_signs_are_shown_whole() {
        let directory = tempfile::tempdir().unwrap();
        let place = |name: &str| directory.path().join(name);
        for name in ["hw2 (1)", "O'Neil", "a=b", "x,y;z", "c:d", "two  \"blanks\""] {
            let script = place(name).join("agent.py");
            program(&script, "print()");
            // A shorter path is not meant.
            let _ = fs::create_dir(place(name.split([' ', '\'', '=', ',', ':']).next().unwrap()));
            let path = script.to_str().unwrap();
            for argument in [path.to_string(), format!("--weights={path}")] {
                let shown = needed(&["/bin/sh", &argument].map(Path::new)).unwrap();
                assert_eq!(shown, std::slice::from_ref(&script), "{argument}");
            }
            let quoted = format!("'{}'", path.replace('\'', "'\\''"));
            for line in
                [format!("exec {quoted} --x"), format!("cd /nowhere;HOME=/ python3 {quoted};")]
            {
                assert!(shell(&line).contains(&script) || name == "a=b", "{line}");
            }
        }
        let (one, other) = (place("one jar.jar"), place("other.jar"));
        fs::write(&one, "j").unwrap();
        fs::write(&other, "j").unwrap();
        let class_path = format!("-cp=.:{}:{}:lib", one.display(), other.display());
        let shown = needed(&["/bin/sh", &class_path].map(Path::new)).unwrap();
        assert_eq!(shown[..2], [one, other]);
    }

    #[test]
    fn an_interpreter_is_shown_with_its_installation_through_links() {
        let directory = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(directory.path()).unwrap();
        let real = home.join("versions/9/bin/snake9");
        program(&real, "ELF");
        program(&home.join("versions/9/lib/snake9/os.py"), "");
        fs::create_dir_all(home.join("versions/9/records")).unwrap();
        let link = home.join("venv/bin/snake");
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        fs::create_dir_all(home.join("venv/lib")).unwrap();
        symlink(&real, &link).unwrap();
        let shown = needed(&[&link]).unwrap();
        for expected in ["versions/9/lib", "versions/9/bin", "venv/lib"].map(|part| home.join(part))
        {
            assert!(shown.contains(&expected), "{} in {shown:?}", expected.display());
        }
        assert!(shown.contains(&link) && shown.contains(&real), "{shown:?}");
        assert!(!shown.iter().any(|path| path.ends_with("records") || path == &home), "{shown:?}");
    }

    #[test]
    fn nothing_is_shown_because_a_student_s_file_says_so() {
        let directory = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(directory.path()).unwrap();
        let solution = home.join("teacher/solution/bin/agent");
        program(&solution, "ELF");
        fs::create_dir_all(home.join("teacher/solution/lib")).unwrap();
        let ann = home.join("class/ann");
        let shown = |path: &Path| needed(&[Path::new("/bin/sh"), path]);
        // First lines: a directory, a program of the teacher's, one that leads to it.
        for line in [home.join("teacher"), solution.clone(), home.join("teacher/solution")] {
            let script = ann.join("homework.py");
            program(&script, &format!("#!{}\n", line.display()));
            for seen in [shown(&script), needed(&[&script])] {
                assert_eq!(seen.unwrap(), std::slice::from_ref(&script), "{}", line.display());
            }
        }
        // Links: of the file, of a directory on the way, of a library beside it, of a class.
        let link = ann.join("link.py");
        symlink(&solution, &link).unwrap();
        assert!(shown(&link).unwrap_err().contains("leads out of its directory"));
        symlink(home.join("teacher/solution"), ann.join("source")).unwrap();
        assert!(shown(&ann.join("source/bin/agent")).is_err());
        assert!(shown(&ann.join("source")).is_err());
        let agent = ann.join("bin/agent");
        program(&agent, "ELF");
        symlink(home.join("teacher"), ann.join("lib")).unwrap();
        assert_eq!(shown(&agent).unwrap(), [ann.join("bin"), agent]);
        symlink(&solution, ann.join("Agent.class")).unwrap();
        let line = command(&[Path::new("/bin/sh"), &ann]);
        assert!(needed_by(&line, Some(&ann), false).unwrap().is_empty());
        // A link that stays where it is.
        symlink("homework.py", ann.join("agent.py")).unwrap();
        assert_eq!(shown(&ann.join("agent.py")).unwrap(), [ann.join("agent.py")]);
    }
}
