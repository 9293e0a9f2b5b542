//! Compiling a submission, once and in a box, and the folder that comes of it.

use super::find::{PROGRAM, Plan, is_calibration, root_of_packages};
use super::result::find_result;
use super::text::{JavaSource, beginning};
use super::tools::Tools;
use super::tree::Tree;
use super::unpack::is_machines;
use anyhow::{Context, Result};
use arena::plain;
use arena::player::directory::PlayerDirectory;
use arena::player::exit::{NO_SUPERVISOR, Program, ending, job, turn};
use arena::player::walls::walls;
use arena::terms::Bounds;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;
use system::supervise::{ExitReport, run_job};

/// The most files that a build may leave.
const MOST_FILES: u64 = 20_000;
/// How deep the folders of a build are looked into.
const DEEPEST: usize = 64;

/// What compiling may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuildLimits {
    /// Seconds of wall time.
    pub time: Duration,
    /// Bytes of all that is left.
    pub bytes: u64,
}

/// What came of a plan.
pub(super) enum Built {
    /// A program, by the command that plays it.
    Program {
        /// The command, to be run in the folder.
        command: String,
        /// What was put right on the way.
        mended: Vec<String>,
    },
    /// No program.
    Failed {
        /// Why, in a few words.
        why: String,
        /// The last lines of the compiler.
        last_words: Option<String>,
    },
}

/// Makes a program by a plan, into a folder that is not there yet. What the compiler says is added to `log`.
pub(super) fn build(
    tree: &Tree,
    plan: &Plan,
    tools: &Tools,
    limits: BuildLimits,
    into: &Path,
    log: &mut String,
) -> Result<Built> {
    let from = tree.root.join(&plan.folder);
    if let Some(why) = tools.missing(plan.language)? {
        return Ok(Built::Failed { why, last_words: None });
    }
    let mut plan = plan.clone();
    let (class, mended) =
        if plan.language.classes { named_by_class(&from, tree, &mut plan)? } else { Default::default() };
    let mut room = Room::new(limits);
    let Some(template) = &plan.language.build else {
        fs::create_dir(into)?;
        // What is copied was unpacked within limits.
        let all = copy(&from, into, &mut Room { bytes: u64::MAX, files: u64::MAX }, &[], 0)?;
        debug_assert!(all);
        return Ok(Built::Program { command: expand(&plan.language.run, &plan, &class, None), mended });
    };
    let words = shlex::split(&expand(template, &plan, &class, None)).unwrap_or_default();
    *log += &format!("$ {}\n", expand(template, &plan, &class, None));
    let bounds = tools.bounds(plan.language)?;
    let directory = PlayerDirectory::new(Some(&from), &bounds)?;
    let report = run(&directory, &tools.resolved(words), &bounds, limits.time)?;
    *log += &said(&report);
    if let Some(how) = trouble(&report, limits.time) {
        *log += &format!("{how}\n");
        let program = template.split_whitespace().next().unwrap_or_default();
        return Ok(Built::Failed { why: format!("{program}: {how}"), last_words: last_lines(&report) });
    }
    let result = match plan.language.is_project() {
        true => match find_result(&directory.path(), plan.language) {
            Ok(result) => Some(result),
            Err(why) => return Ok(Built::Failed { why, last_words: last_lines(&report) }),
        },
        false => None,
    };
    let skipped: Vec<&str> = plan.language.results.iter().filter_map(|place| first_name(place)).collect();
    fs::create_dir(into)?;
    if !copy(&directory.path(), into, &mut room, &skipped, 0)? {
        let why = format!("what was built takes more than {} MiB or {MOST_FILES} files", limits.bytes >> 20);
        return Ok(Built::Failed { why, last_words: None });
    }
    let result = match result {
        Some(result) => Some(brought_up(&directory.path(), &result, into, &skipped)?),
        None => None,
    };
    let command = expand(&plan.language.run, &plan, &class, result.as_deref());
    Ok(Built::Program { command, mended })
}

/// Runs a command in a player's directory, in a box.
pub(super) fn run(
    directory: &PlayerDirectory,
    command: &[String],
    bounds: &Bounds,
    time: Duration,
) -> Result<ExitReport> {
    directory.prepare("")?;
    // What compilers keep for another time is not the program's.
    let home = if walls(bounds)?.namespaces { PathBuf::from("/tmp") } else { directory.temporary() };
    let mut bounds = Bounds { wall_margin: 0.0, ..bounds.clone() };
    bounds.env.push(format!("HOME={}", home.display()));
    // The command's words are file names of the student's: they are shown nothing.
    let program = Program { command, home: None, own_command: true };
    let job = job(&program, directory, &bounds)?;
    run_job(&turn(&job, &bounds, time)).context(NO_SUPERVISOR)
}

/// What went wrong in a run, if anything.
pub(super) fn trouble(report: &ExitReport, time: Duration) -> Option<String> {
    if let Some(why) = &report.not_started {
        return Some(plain::shown(why));
    }
    if report.orphaned {
        return Some("ended its supervision".to_string());
    }
    if let Some(excess) = &report.excess {
        return Some(excess.clone());
    }
    if report.timed_out {
        return Some(format!("not done within {} s", time.as_secs()));
    }
    ending(report)
}

/// What a run wrote.
pub(super) fn said(report: &ExitReport) -> String {
    let mut text = String::new();
    for stream in [&report.stdout, &report.stderr] {
        text += stream;
        if !stream.is_empty() && !stream.ends_with('\n') {
            text.push('\n');
        }
    }
    text
}

/// The last lines of what a run wrote, plain.
pub(super) fn last_lines(report: &ExitReport) -> Option<String> {
    let text = if report.stderr.trim().is_empty() { &report.stdout } else { &report.stderr };
    last_lines_of(text)
}

/// The last lines of a text, plain.
pub(super) fn last_lines_of(text: &str) -> Option<String> {
    const MOST: usize = 15;
    let lines: Vec<String> = text.trim_end().lines().map(plain::shown).collect();
    let last = lines[lines.len().saturating_sub(MOST)..].join("\n");
    (!last.is_empty()).then_some(last)
}

/// A command with its placeholders filled in, as a shell would read it.
pub(super) fn expand(template: &str, plan: &Plan, class: &str, result: Option<&Path>) -> String {
    let path = |path: &Path| {
        let text = path.display().to_string();
        // A name like an option is none.
        if text.starts_with('-') { format!("./{text}") } else { text }
    };
    let mut words = Vec::new();
    for word in shlex::split(template).unwrap_or_default() {
        if word == "{sources}" {
            words.extend(plan.sources.iter().map(|source| path(source)));
            continue;
        }
        let root = if plan.root == Path::new("") { ".".to_string() } else { path(&plan.root) };
        let result = result.map_or(String::new(), |result| format!("./{}", result.display()));
        let sources: Vec<String> = plan.sources.iter().map(|source| path(source)).collect();
        words.push(
            word.replace("{program}", plan.program)
                .replace("{root}", &root)
                .replace("{class}", class)
                .replace("{result}", &result)
                .replace("{sources}", &sources.join(" "))
                .replace("{main}", &path(&plan.main)),
        );
    }
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default()
}

/// Gives the sources of a language with classes the names of their public classes; the main class, and what was done.
pub(super) fn named_by_class(from: &Path, tree: &Tree, plan: &mut Plan) -> Result<(String, Vec<String>)> {
    let mut mended = Vec::new();
    let folder = plan.folder.clone();
    let files = tree.files.iter().filter_map(|path| path.strip_prefix(&folder).ok());
    for path in files.filter(|path| plan.language.has_source(path) && !is_calibration(path)) {
        let named = match tree.moved.borrow().get(path) {
            Some(named) => named.clone(),
            None => match JavaSource::read(&beginning(&from.join(path))).public {
                Some(public) => path.with_file_name(public).with_extension(path.extension().unwrap_or_default()),
                None => continue,
            },
        };
        if named == path || from.join(path).exists() && from.join(&named).exists() {
            continue;
        }
        if from.join(path).exists() {
            if !passed_by(fs::rename(from.join(path), from.join(&named)))? {
                continue;
            }
            tree.moved.borrow_mut().insert(path.to_owned(), named.clone());
        }
        mended.push(format!("{} was renamed {}, after its public class", path.display(), named.display()));
        for known in plan.sources.iter_mut().chain([&mut plan.main]) {
            if *known == path {
                known.clone_from(&named);
            }
        }
    }
    let source = JavaSource::read(&beginning(&from.join(&plan.main)));
    let stem = plan.main.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let class = source.main.clone().or_else(|| source.public.clone()).unwrap_or(stem);
    plan.root = root_of_packages(&plan.main, &source);
    let class = if source.package.is_empty() { class } else { format!("{}.{class}", source.package) };
    Ok((class, mended))
}

/// What is left of the space that a copy may take.
pub(super) struct Room {
    /// Bytes.
    pub bytes: u64,
    /// Files.
    pub files: u64,
}

impl Room {
    /// Room for what a build leaves.
    pub(super) fn new(limits: BuildLimits) -> Room {
        Room { bytes: limits.bytes, files: MOST_FILES }
    }
}

/// Copies regular files and folders, whatever else a build has left; whether there was room.
pub(super) fn copy(from: &Path, to: &Path, room: &mut Room, skipped: &[&str], depth: usize) -> Result<bool> {
    for entry in fs::read_dir(from).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_own = depth == 0 && ["input.txt", "output.txt"].iter().any(|own| name == *own);
        if is_own || depth == 0 && skipped.iter().any(|skipped| name == *skipped) || depth > DEEPEST {
            continue;
        }
        let target = to.join(&name);
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            // A folder whose path is too long is left out, and one that denies itself to its owner is empty.
            if passed_by(fs::create_dir(&target))? && !copy(&entry.path(), &target, room, skipped, depth + 1)? {
                return Ok(false);
            }
        } else if kind.is_file() {
            let Ok(data) = entry.metadata() else { continue };
            let (Some(bytes), Some(files)) = (room.bytes.checked_sub(data.len()), room.files.checked_sub(1)) else {
                return Ok(false);
            };
            *room = Room { bytes, files };
            let mode = if data.permissions().mode() & 0o111 != 0 { 0o755 } else { 0o644 };
            if passed_by(fs::copy(entry.path(), &target))? {
                fs::set_permissions(&target, fs::Permissions::from_mode(mode))?;
            }
        }
    }
    Ok(true)
}

/// Whether something was done. That it was not is an error only where the machine is at fault, and not the file.
fn passed_by<T>(done: io::Result<T>) -> io::Result<bool> {
    match done {
        Err(error) if is_machines(&error) => Err(error),
        done => Ok(done.is_ok()),
    }
}

/// Puts what was built at the top of the folder, if it lies where nothing is kept; where it then is.
fn brought_up(from: &Path, result: &Path, into: &Path, skipped: &[&str]) -> Result<PathBuf> {
    let is_skipped = result.iter().next().is_some_and(|first| skipped.iter().any(|skipped| first == *skipped));
    if !is_skipped {
        return Ok(result.to_owned());
    }
    let name = PathBuf::from(result.file_name().unwrap_or_default());
    let target = into.join(&name);
    let name = if target.exists() { PathBuf::from(PROGRAM) } else { name };
    fs::copy(from.join(result), into.join(&name))?;
    fs::set_permissions(into.join(&name), fs::Permissions::from_mode(0o755))?;
    Ok(name)
}

/// The first folder of a path, if it leads into one.
fn first_name(path: &str) -> Option<&str> {
    match Path::new(path).components().next() {
        Some(Component::Normal(name)) => name.to_str(),
        _ => None,
    }
}
