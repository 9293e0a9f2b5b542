//! Compiles a submission once in the sandbox, and copies the result into the program's folder.

use crate::build::project_result::find_result;
use crate::build::tools::Tools;
use crate::find::build_plan::{BuildPlan, PROGRAM, is_calibration, package_root};
use crate::find::languages::Language;
use crate::find::source_text::{JavaSource, read_beginning};
use crate::find::tree::{Tree, shown};
use crate::unpack::student_files::is_machine_error;
use anygame::game::GameFiles;
use anyhow::{Context, Result};
use arena::plain;
use arena::player::directory::PlayerDirectory;
use arena::player::exit::{NO_SUPERVISOR, Program, ending, job, turn};
use arena::player::sandbox_layers::layers;
use arena::terms::Bounds;
use sandbox::job::ExitReport;
use sandbox::room::run_job;
use sandbox::system;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

const MAX_FILES: u64 = 20_000;
const MAX_DEPTH: usize = 64;

#[derive(Clone, Copy)]
pub(crate) struct BuildLimits {
    /// Wall time of the compiler.
    pub time: Duration,
    /// Bytes of all files of the built program.
    pub bytes: u64,
}

/// A built program: the command that starts it in its folder, and the corrections of the build, a
/// line each.
pub(crate) type Built = (String, Vec<String>);

pub(crate) struct Failure {
    pub why: String,
    pub last_words: Option<String>,
    /// Whether the compiler itself refused the sources: another option may help.
    refused: bool,
}

fn failed(why: String, last_words: Option<String>) -> Result<Result<Built, Failure>> {
    Ok(Err(Failure { why, last_words, refused: false }))
}

pub(crate) struct Build<'a> {
    pub tree: &'a Tree,
    pub tools: &'a Tools,
    pub limits: BuildLimits,
    pub files: GameFiles,
    pub into: &'a Path,
    pub log: &'a mut String,
}

impl Build<'_> {
    /// Builds a program with each of its language's options, until the compiler is content. Of
    /// several failures that of the first and usual option is returned.
    pub(crate) fn run(mut self, plan: &BuildPlan) -> Result<Result<Built, Failure>> {
        let first = match self.run_once(plan)? {
            Err(failure) if failure.refused => failure,
            outcome => return Ok(outcome),
        };
        for option in plan.language.options.iter().skip(1) {
            let usual = &plan.language.options[0];
            if let Ok((command, mut mended)) =
                self.run_once(&BuildPlan { option, ..plan.clone() })?
            {
                mended.push(format!("compiled with {option}, since {usual} failed"));
                return Ok(Ok((command, mended)));
            }
        }
        Ok(Err(first))
    }

    fn run_once(&mut self, plan: &BuildPlan) -> Result<Result<Built, Failure>> {
        let Build { tree, tools, limits, into, .. } = *self;
        let (mut plan, language) = (plan.clone(), plan.language);
        let from = tree.root.join(&plan.folder);
        if let Some(why) = tools.missing(language)? {
            return failed(why, None);
        }
        let (class, mut mended) = rename_by_class(&from, tree, &mut plan)?;
        let mut quota = CopyQuota::new(limits);
        let own = [self.files.input, self.files.output];
        let Some(template) = &language.build else {
            fs::create_dir(into)?;
            // Unpacking has limited these files.
            copy(&from, into, &mut CopyQuota { bytes: u64::MAX, files: u64::MAX }, &own, 0)?;
            mended.extend(self.bring_along(&plan.folder, false, language, &mut quota, &own)?);
            for folder in &plan.modules {
                let there = names_in(into)?;
                let there: Vec<&str> = there.iter().map(String::as_str).chain(own).collect();
                copy(&tree.root.join(folder), into, &mut quota, &there, 0)?;
            }
            return Ok(Ok((expand(&language.run, &plan, &class, None), mended)));
        };
        let line = expand(template, &plan, &class, None);
        let bounds = tools.bounds(language)?;
        let directory = PlayerDirectory::new(Some(&from), &bounds)?;
        let done = run(&directory, &line, tools, &bounds, limits.time, self.log)?;
        if let Some(how) = &done.failure {
            let program = template.split_whitespace().next().unwrap_or_default();
            return Ok(Err(Failure {
                why: format!("{program}: {how}"),
                last_words: done.last_lines(),
                refused: done.report.exit_code.is_some(),
            }));
        }
        let result = match language.is_project().then(|| find_result(&directory.path(), language)) {
            Some(Err(why)) => return failed(why, done.last_lines()),
            result => result.and_then(Result::ok),
        };
        let results = language.results.iter().filter_map(|place| first_name(place));
        let skipped: Vec<&str> = results.chain(own).collect();
        fs::create_dir(into)?;
        if !copy(&directory.path(), into, &mut quota, &skipped, 0)? {
            let mib = limits.bytes >> 20;
            let why = format!("the built program takes more than {mib} MiB or {MAX_FILES} files");
            return failed(why, None);
        }
        let (around, inside) = match language.is_project() {
            true => (&*plan.folder, false),
            false => (plan.main.parent().unwrap_or(Path::new("")), true),
        };
        mended.extend(self.bring_along(around, inside, language, &mut quota, &skipped)?);
        let result = result
            .map(|result| move_to_top(&directory.path(), &result, into, &skipped))
            .transpose()?;
        Ok(Ok((expand(&language.run, &plan, &class, result.as_deref()), mended)))
    }

    /// Copies what lies beside the folder of a program, and beside the folders around it, into the
    /// program's own folder, so that it finds its data wherever its author has started it. With
    /// `inside`, what lies in the folder itself is copied, too. Sources, the `skipped` names and
    /// names that are there stay out. Returns a line about it; data that exceeds the quota is left
    /// out in part.
    fn bring_along(
        &self,
        folder: &Path,
        inside: bool,
        language: &Language,
        quota: &mut CopyQuota,
        skipped: &[&str],
    ) -> Result<Option<String>> {
        let Build { tree, into, .. } = self;
        let mut brought = Vec::new();
        let mut child = None;
        for around in folder.ancestors() {
            // The top of the submission is where a compiled program lies anyway.
            let is_top = around == Path::new("");
            if (child.is_some() || inside) && !(inside && is_top) {
                let (out, coming): (Vec<String>, Vec<String>) =
                    names_in(&tree.root.join(around))?.into_iter().partition(|name| {
                        Some(name.as_str()) == child
                            || skipped.contains(&name.as_str())
                            || language.has_source(Path::new(name))
                            || into.join(name).exists()
                    });
                let out: Vec<&str> = out.iter().map(String::as_str).collect();
                copy(&tree.root.join(around), into, quota, &out, 0)?;
                brought.extend(coming);
            }
            child = around.file_name().and_then(|name| name.to_str());
        }
        Ok((!brought.is_empty()).then(|| format!("{}: copied beside the program", shown(brought))))
    }
}

/// A run of a command, and why it failed, if it did.
pub(crate) struct BuildRun {
    report: ExitReport,
    pub failure: Option<String>,
}

impl BuildRun {
    fn last_lines(&self) -> Option<String> {
        let ExitReport { stdout, stderr, .. } = &self.report;
        last_lines_of(if stderr.trim().is_empty() { stdout } else { stderr })
    }
}

pub(crate) fn run(
    directory: &PlayerDirectory,
    line: &str,
    tools: &Tools,
    bounds: &Bounds,
    time: Duration,
    log: &mut String,
) -> Result<BuildRun> {
    *log += &format!("$ {line}\n");
    directory.prepare("")?;
    // Caches in the home directory must not become part of the program.
    let home =
        if layers(bounds)?.namespaces { PathBuf::from("/tmp") } else { directory.temporary() };
    let mut bounds = Bounds { wall_margin: 0.0, ..bounds.clone() };
    bounds.env.push(format!("HOME={}", home.display()));
    let command = tools.resolved(shlex::split(line).unwrap_or_default());
    // The arguments are names of the submission's files: no other files are shown for them.
    let program = Program { command: &command, home: None, own_command: true };
    let job = job(&program, directory, &bounds)?;
    let report = run_job(&turn(&job, &bounds, time)).context(NO_SUPERVISOR)?;
    let failure = match &report {
        ExitReport { not_started: Some(why), .. } => Some(plain::shown(why)),
        ExitReport { orphaned: true, .. } => Some("ended its supervision".to_string()),
        ExitReport { excess: Some(excess), .. } => Some(excess.clone()),
        ExitReport { timed_out: true, .. } => {
            Some(format!("not finished within {} s", time.as_secs()))
        }
        report => ending(report).map(|exit| exit.to_string()),
    };
    for text in [Some(&report.stdout), Some(&report.stderr), failure.as_ref()] {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            *log += text.strip_suffix('\n').unwrap_or(text);
            *log += "\n";
        }
    }
    Ok(BuildRun { report, failure })
}

pub(crate) fn last_lines_of(text: &str) -> Option<String> {
    const MOST: usize = 15;
    let lines: Vec<String> = text.trim_end().lines().map(plain::shown).collect();
    let last = lines[lines.len().saturating_sub(MOST)..].join("\n");
    (!last.is_empty()).then_some(last)
}

pub(crate) fn expand(
    template: &str,
    plan: &BuildPlan,
    class: &str,
    result: Option<&Path>,
) -> String {
    let path = |path: &Path| {
        let text = path.display().to_string();
        if text.starts_with('-') { format!("./{text}") } else { text }
    };
    let root = if plan.root == Path::new("") { ".".to_string() } else { path(&plan.root) };
    let result = result.map_or(String::new(), |result| format!("./{}", result.display()));
    let sources: Vec<String> = plan.sources.iter().map(|source| path(source)).collect();
    let mut words = Vec::new();
    for word in shlex::split(template).unwrap_or_default() {
        match word.as_str() {
            "{sources}" => words.extend(sources.clone()),
            "{main}" if plan.package => words.extend(["-m".to_string(), path(&plan.main)]),
            "{option}" => words.extend(shlex::split(plan.option).unwrap_or_default()),
            _ => words.push(
                word.replace("{program}", plan.program)
                    .replace("{root}", &root)
                    .replace("{class}", class)
                    .replace("{result}", &result)
                    .replace("{sources}", &sources.join(" "))
                    .replace("{main}", &path(&plan.main)),
            ),
        }
    }
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default()
}

/// Renames sources after their public classes. Returns the main class and the corrections.
pub(crate) fn rename_by_class(from: &Path, tree: &Tree, plan: &mut BuildPlan) -> Result<Built> {
    if !plan.language.classes {
        return Ok(Built::default());
    }
    let mut mended = Vec::new();
    let read = |path: &Path| JavaSource::read(&read_beginning(&from.join(path)));
    let folder = plan.folder.clone();
    let files = tree.files.iter().filter_map(|path| path.strip_prefix(&folder).ok());
    for path in files.filter(|path| plan.language.has_source(path) && !is_calibration(path)) {
        let known = tree.moved.borrow().get(path).cloned();
        let extension = path.extension().unwrap_or_default();
        let of_class = |class| path.with_file_name(class).with_extension(extension);
        let Some(named) = known.or_else(|| read(path).public.map(of_class)) else { continue };
        let is_there = from.join(path).exists();
        if named == path || is_there && from.join(&named).exists() {
            continue;
        }
        if is_there {
            if !succeeded(fs::rename(from.join(path), from.join(&named)))? {
                continue;
            }
            tree.moved.borrow_mut().insert(path.to_owned(), named.clone());
        }
        mended.push(format!(
            "{} was renamed {}, after its public class",
            path.display(),
            named.display()
        ));
        for known in plan.sources.iter_mut().chain([&mut plan.main]) {
            if *known == path {
                known.clone_from(&named);
            }
        }
    }
    let source = read(&plan.main);
    plan.root = package_root(&plan.main, &source);
    Ok((source.class(&plan.main), mended))
}

pub(crate) struct CopyQuota {
    pub bytes: u64,
    pub files: u64,
}

impl CopyQuota {
    pub(crate) fn new(limits: BuildLimits) -> CopyQuota {
        CopyQuota { bytes: limits.bytes, files: MAX_FILES }
    }
}

/// Copies regular files and folders but for those with the `skipped` names at the top. Returns
/// whether the quota sufficed.
pub(crate) fn copy(
    from: &Path,
    to: &Path,
    quota: &mut CopyQuota,
    skipped: &[&str],
    depth: usize,
) -> Result<bool> {
    for entry in fs::read_dir(from).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if depth == 0 && skipped.iter().any(|skipped| name == *skipped) || depth > MAX_DEPTH {
            continue;
        }
        let target = to.join(&name);
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            // A folder with a too long path is left out, and an unreadable one is empty.
            if succeeded(fs::create_dir(&target))?
                && !copy(&entry.path(), &target, quota, skipped, depth + 1)?
            {
                return Ok(false);
            }
        } else if kind.is_file() {
            let Ok(data) = entry.metadata() else { continue };
            let (Some(bytes), Some(files)) =
                (quota.bytes.checked_sub(data.len()), quota.files.checked_sub(1))
            else {
                return Ok(false);
            };
            *quota = CopyQuota { bytes, files };
            let mode = if system::mode(&data) & 0o111 != 0 { 0o755 } else { 0o644 };
            if succeeded(fs::copy(entry.path(), &target))? {
                system::set_mode(&target, mode)?;
            }
        }
    }
    Ok(true)
}

fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    let name =
        |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    let mut names = fs::read_dir(folder)?.map(name).collect::<io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

/// Returns whether an operation on a file succeeded. Errors: the machine made it fail.
fn succeeded<T>(done: io::Result<T>) -> io::Result<bool> {
    match done {
        Err(error) if is_machine_error(&error) => Err(error),
        done => Ok(done.is_ok()),
    }
}

/// Copies the built program to the top if it lies in a folder that is not kept. Returns its path.
fn move_to_top(from: &Path, result: &Path, into: &Path, skipped: &[&str]) -> Result<PathBuf> {
    if !skipped.iter().any(|skipped| result.starts_with(skipped)) {
        return Ok(result.to_owned());
    }
    let mut name = PathBuf::from(result.file_name().unwrap_or_default());
    if into.join(&name).exists() {
        name = PathBuf::from(PROGRAM);
    }
    fs::copy(from.join(result), into.join(&name))?;
    system::set_mode(&into.join(&name), 0o755)?;
    Ok(name)
}

fn first_name(path: &str) -> Option<&str> {
    match Path::new(path).components().next() {
        Some(Component::Normal(name)) => name.to_str(),
        _ => None,
    }
}
