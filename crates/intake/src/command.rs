//! `judge intake`: from a download to folders with programs that are ready to play.

use crate::build::compile::BuildLimits;
use crate::build::environment::{Environment, asked_programs};
use crate::build::runtime::Runtimes;
use crate::build::tools::{Tools, find_tool};
use crate::download::course_systems::{
    BRIGHTSPACE, ClassDownload, MOODLE, Student, read_names, single_student, sort_by_student,
};
use crate::download::entries::Download;
use crate::download::folder_names;
use crate::download::teams::join_teams;
use crate::find::given::Given;
use crate::find::languages::Languages;
use crate::submission::hex;
use crate::submission::{INDEX, IntakeMark, MARK, State, Submission, read_mark, student_folders};
use crate::table;
use crate::take_in::earlier::Choice;
use crate::take_in::student::{Intake, TakenIn, UNFINISHED, remove};
use crate::unpack::archives::Limits;
use anyhow::{Context, Result, bail, ensure};
use arena::digest::Digest;
use arena::pool::{Next, work_off};
use arena::terms::Bounds;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use terminal::games::GameOption;
use terminal::interrupt;
use terminal::output::{print, write_file};
use terminal::progress::Progress;
use terminal::sandbox_layers::admit_strangers;
use terminal::settings::BoxSettings;

/// Examples for the command's help.
pub const EXAMPLE: &str = "\
Examples:
  judge intake submissions.zip --game halma --out class
  judge intake submissions --game halma --out class --csv intake.csv --concurrency 4
  judge intake submissions.zip --game squirrels --homework cases --out class
The source is a zip from Canvas, Moodle, Gradescope, Blackboard or Brightspace, or a directory with a folder or a file for each student.
A second run imports only new and changed submissions (docs/class.md).
Exit code: 0 all programs play; 1 some do not play, or need you, or you have to choose between an upload and what you have mended, or it is
not certain who a student is; 2 a file or the command line is bad; 130 interrupted.";

/// Accepts a whole number from 1 to `most`.
fn up_to(most: u64) -> RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=most)
}

/// Options of `judge intake`.
#[derive(Args)]
pub struct IntakeOptions {
    /// The download: a zip or a directory
    source: PathBuf,

    #[command(flatten)]
    game: GameOption,

    /// The directory for the students' folders; an earlier intake in it is updated
    #[arg(long, value_name = "DIRECTORY")]
    out: PathBuf,

    /// A file with further languages (docs/class.md)
    #[arg(long, value_name = "FILE")]
    languages: Option<PathBuf>,

    /// The scheme of the grading: its `programs`, such as ["hw1*.py"], are the names that are looked
    /// for, and programs have its `[environment]` here, too
    #[arg(long, value_name = "FILE")]
    scheme: Option<PathBuf>,

    /// The directory of what you have handed out, such as a referee: no student's program is in it
    #[arg(long, value_name = "DIRECTORY")]
    given: Option<PathBuf>,

    /// Take in a student's upload, although you have mended the earlier one, or a newer one has
    /// replaced it
    #[arg(long, value_name = "NAME")]
    take_upload: Vec<String>,

    /// Keep the version of a student that you have mended
    #[arg(long, value_name = "NAME")]
    keep_mended: Vec<String>,

    /// Also write the table to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Number of submissions imported at the same time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4096))]
    concurrency: u32,

    /// Seconds of wall time for each compiler
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = up_to(86_400))]
    build_time: u64,

    /// Memory of a compiler with all its processes, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(16..=1 << 24))]
    build_memory: u64,

    /// The largest size of a built program with all its files, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = up_to(1 << 24))]
    build_size: u64,

    /// Seconds of wall time for a program `calibrate`, which runs once
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = up_to(86_400))]
    calibrate_time: u64,

    /// The most files of a submission
    #[arg(long, value_name = "COUNT", default_value_t = 2000, value_parser = up_to(1_000_000))]
    most_files: u64,

    /// The largest size of a submission, unpacked, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = up_to(1 << 24))]
    most_mib: u64,

    /// The largest ratio of a file's size to its packed size, for files of more than 1 MiB
    #[arg(long, value_name = "TIMES", default_value_t = 200, value_parser = up_to(1_000_000))]
    most_ratio: u64,

    /// The largest size of all submissions together, unpacked, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16_384, value_parser = up_to(1 << 30))]
    most_total_mib: u64,

    /// The most folders within folders
    #[arg(long, value_name = "COUNT", default_value_t = 16, value_parser = up_to(64))]
    most_depth: u64,

    /// Blackboard: the assignment, as the names of all files begin [default: what notes or all
    /// names say]
    #[arg(long, value_name = "NAME", conflicts_with = "alone")]
    assignment: Option<String>,

    /// The source is the submission of one student
    #[arg(long)]
    alone: bool,

    #[command(flatten)]
    boxes: BoxSettings,
}

impl IntakeOptions {
    fn limits(&self) -> Limits {
        Limits {
            files: self.most_files,
            bytes: self.most_mib << 20,
            ratio: self.most_ratio,
            depth: self.most_depth as usize,
            total: self.most_total_mib << 20,
        }
    }

    /// Returns the choices by the students' names. Errors: no student has such a name.
    fn choices(&self, class: &ClassDownload) -> Result<BTreeMap<String, Choice>> {
        let taken = self.take_upload.iter().map(|name| (name.clone(), Choice::Upload));
        let kept = self.keep_mended.iter().map(|name| (name.clone(), Choice::Kept));
        let choices: BTreeMap<_, _> = taken.chain(kept).collect();
        for name in choices.keys() {
            let is_here = class.students.iter().any(|student| student.name == *name);
            ensure!(is_here, "--take-upload, --keep-mended: no student '{name}' in the download");
        }
        Ok(choices)
    }

    /// Returns the digest of what affects all submissions, such as which compilers are installed.
    fn digest(&self, languages: &Languages) -> Digest {
        let mut digest = Digest::of(&self.game.word());
        let limits = [
            self.most_files,
            self.most_mib,
            self.most_ratio,
            self.most_depth,
            self.most_total_mib,
            self.build_time,
            self.build_memory,
            self.build_size,
        ];
        limits.iter().for_each(|limit| digest.part("limit", limit.to_string()));
        digest.part("languages", &languages.text);
        for program in languages.programs() {
            digest.part(program, find_tool(program).is_some().to_string());
        }
        digest
    }
}

/// Runs `judge intake`.
pub fn intake(options: &IntakeOptions) -> Result<u8> {
    let mut assignment = options.game.assignment()?;
    assignment.ask_for(asked_programs(options.scheme.as_deref())?);
    let homework = assignment.homework();
    let mut bounds = Bounds { keep: 1 << 14, ..options.boxes.bounds()? };
    let versions = Environment::of(options.scheme.as_deref(), homework)?.prepare(&mut bounds)?;
    admit_strangers(&bounds, options.boxes.yes_unsafe, options.concurrency as usize)?;
    let languages = Languages::new(options.languages.as_deref())?;
    let mut download = Download::open(&options.source)?;
    let index = download.entries.iter().find(|entry| entry.path == ["index.html"]).cloned();
    let (mut class, doubts) = sort_files(&mut download, options)?;
    let name = options.source.display();
    let students = arena::plain::counted(class.students.len(), "student", "students");
    eprintln!("{name}: {students}, {} download", class.format);
    for line in &class.left_out {
        eprintln!("{name}: left out: {line}");
    }
    for line in &doubts {
        eprintln!("{name}: {line}");
    }
    ensure!(!class.students.is_empty(), "{name}: no files of any student");
    let given = Given::read(assignment.interface(), options.given.as_deref())?;
    let mut digest = options.digest(&languages);
    given.add_to(&mut digest);
    // With other versions or variables a program may play.
    versions.iter().for_each(|versions| digest.part("versions", versions));
    bounds.env.iter().for_each(|variable| digest.part("variable", variable));
    let asked = assignment.interface().programs.iter();
    asked.for_each(|name| digest.part("program", name));
    if let Some(homework) = homework {
        let [of_results, _] = homework.digests("")?;
        digest.part("homework", of_results);
        digest.part("tells-output", homework.tells_output().to_string());
    }
    let _lock = lock_directory(options, assignment.name())?;
    if let Some(index) = index.filter(|_| class.format == BRIGHTSPACE) {
        std::io::copy(&mut download.read(&index)?, &mut File::create(options.out.join(INDEX))?)?;
    }
    let folders = name_folders(&mut class, &options.out)?;
    let choices = options.choices(&class)?;
    let source_name = options.source.file_name().unwrap_or(options.source.as_os_str());
    let mut mark = IntakeMark::new(assignment.name(), &arena::plain::name(source_name));
    (mark.env, mark.read_only) = (bounds.env.clone(), bounds.read_only.clone());
    mark.write(&options.out)?;
    interrupt::catch()?;
    let tools = Tools::of_builds(&bounds, options.build_memory, options.build_size);
    let languages = tools.installed(languages)?;
    let intake = Intake {
        assignment: &assignment,
        download: Mutex::new(download),
        out: &options.out,
        languages: &languages,
        given,
        tools: &tools,
        limits: options.limits(),
        unpacked: AtomicU64::new(0),
        build: BuildLimits {
            time: Duration::from_secs(options.build_time),
            bytes: options.build_size << 20,
        },
        calibrate: Duration::from_secs(options.calibrate_time),
        runtimes: Runtimes::new(&bounds),
        bounds,
        digest: digest.text(),
        directory: match options.source.is_dir() {
            true => hex(&Sha256::digest(
                fs::canonicalize(&options.source)?.as_os_str().as_encoded_bytes(),
            )),
            false => String::new(),
        },
        choices,
    };
    let named = class.students.iter().zip(folders).collect();
    let done = take_all(&intake, named, options.concurrency as usize)?;
    if done.len() == class.students.len() {
        mark.complete = true;
        let digests: String = done.iter().map(|done| &*done.submission.digest).collect();
        mark.digest = hex(&Sha256::digest(digests));
        mark.write(&options.out)?;
    }
    report(options, &done)?;
    if interrupt::asked() {
        return Ok(interrupt::EXIT_CODE);
    }
    let is_open = |done: &TakenIn| done.asks || done.submission.state > State::Mended;
    Ok(u8::from(!doubts.is_empty() || done.iter().any(is_open)))
}

/// Sorts the files by students. Returns also the doubts who some of them are.
fn sort_files(
    download: &mut Download,
    options: &IntakeOptions,
) -> Result<(ClassDownload, Vec<String>)> {
    if options.alone {
        let name = fs::canonicalize(&options.source)
            .ok()
            .and_then(|path| path.file_stem().map(arena::plain::name));
        return Ok((single_student(name.unwrap_or_default(), download), Vec::new()));
    }
    let assignment =
        options.assignment.as_deref().map(|assignment| assignment.trim_end_matches('_'));
    let names =
        read_names(download, assignment).with_context(|| options.source.display().to_string())?;
    let mut class = sort_by_student(download, &names);
    if class.format == MOODLE {
        class.students = join_teams(download, class.students)?;
    }
    let doubt = |student: &Student| Some(format!("{}: {}", student.name, student.doubt.as_ref()?));
    let doubts = class.students.iter().filter_map(doubt).collect();
    Ok((class, doubts))
}

fn lock_directory(options: &IntakeOptions, asked: &str) -> Result<File> {
    let (out, source) = (&options.out, &options.source);
    let name = out.display();
    fs::create_dir_all(out).with_context(|| format!("{name}: cannot be made"))?;
    let (real_out, real_source) = (fs::canonicalize(out)?, fs::canonicalize(source)?);
    if real_out.starts_with(&real_source) || real_source.starts_with(&real_out) {
        let source = source.display();
        bail!("--out {name}: contains {source} or is inside it; name another directory");
    }
    match read_mark(out)? {
        Some(mark) => {
            let path = out.join(MARK);
            ensure!(
                mark.game == asked,
                "{}: an intake for {}; name another directory",
                path.display(),
                mark.game
            );
        }
        None => ensure!(
            fs::read_dir(out)?.next().is_none(),
            "--out {name}: is not empty, and no intake has written it; name another directory"
        ),
    }
    let lock =
        File::create(out.join(".lock")).with_context(|| format!("{name}: cannot be written to"))?;
    ensure!(lock.try_lock().is_ok(), "{name}: another intake is using it");
    for entry in fs::read_dir(out)?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            remove(&entry.path())?;
        }
    }
    Ok(lock)
}

/// Returns the names of the students' folders. A student keeps the folder of an earlier intake, by
/// name and number, where a namesake comes or goes.
fn name_folders(class: &mut ClassDownload, out: &Path) -> Result<Vec<String>> {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for folder in student_folders(out)? {
        if let Ok(Submission { id, .. }) = Submission::read(&folder)
            && let Some(name) = folder.file_name().and_then(|name| name.to_str())
        {
            known.insert(name.to_string(), id);
        }
    }
    // The folder of an upload at Gradescope is no number of a student.
    let is_number = |id: &str| !id.is_empty() && !id.starts_with("submission_");
    let mut names = folder_names::FolderNames::new();
    let mut folders = Vec::new();
    for student in &mut class.students {
        let usual = names.folder(&student.name);
        let is_other = |id: &&String| is_number(id) && is_number(&student.id) && **id != student.id;
        folders.push(match known.get(&usual).filter(is_other) {
            None => usual,
            Some(_) => {
                student.name = format!("{} ({})", student.name, student.id);
                names.folder(&student.name)
            }
        });
    }
    for (student, folder) in
        class.students.iter().zip(&folders).filter(|(student, _)| is_number(&student.id))
    {
        let number = format!(" ({})", student.id);
        let bare = |name: &str| name.strip_suffix(&number).unwrap_or(name).to_string();
        let is_same = |name: &str, id: &str| id == student.id && bare(name) == bare(folder);
        let before = known.iter().find(|(name, id)| is_same(name, id) && !folders.contains(name));
        if let Some((before, _)) = before.filter(|_| !out.join(folder).exists()) {
            fs::rename(out.join(before), out.join(folder))?;
        }
    }
    Ok(folders)
}

fn take_all(
    intake: &Intake,
    named: Vec<(&Student, String)>,
    workers: usize,
) -> Result<Vec<TakenIn>> {
    let bar = Progress::of(named.len(), "students");
    let mut done: Vec<TakenIn> = Vec::new();
    let worked = work_off(
        named.into_iter(),
        workers,
        interrupt::asked,
        |(student, folder)| {
            let taken = intake.take_in(student, folder.clone());
            // A submission that cannot be taken in must not stop the others.
            taken.or_else(|error| intake.record_failure(student, folder, error))
        },
        |one: TakenIn| {
            if !one.unchanged {
                let state = one.submission.state;
                bar.done(done.len() + 1, &format!("{}: {state}", one.submission.student));
            }
            bar.set(done.len() + 1);
            done.push(one);
            Ok(Next::GoOn)
        },
    );
    bar.finish();
    worked?;
    done.sort_by(|one, other| one.submission.student.cmp(&other.submission.student));
    Ok(done)
}

fn report(options: &IntakeOptions, done: &[TakenIn]) -> Result<()> {
    const SUSPICIOUS: usize = 3;
    let is_other = |folder: &&PathBuf| done.iter().all(|done| !folder.ends_with(&done.folder));
    let others = student_folders(&options.out)?.iter().filter(is_other).count();
    print(&table::table(done, others));
    let count = |state| done.iter().filter(|done| done.submission.state == state).count();
    if count(State::DoesNotPlay) >= SUSPICIOUS && count(State::Ready) + count(State::Mended) == 0 {
        eprintln!("no program of the class plays {}: is --game right?", options.game.word());
    }
    if let Some(path) = &options.csv {
        write_file(path, &table::csv(done)?)?;
    }
    Ok(())
}
