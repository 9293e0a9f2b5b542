//! `judge intake`: from the download of a course system to a folder for each student that is ready to be played.

mod build;
mod find;
mod here;
mod languages;
mod names;
mod result;
mod shapes;
mod smoke;
mod source;
mod table;
mod text;
mod tools;
mod tree;
mod unpack;
mod work;

use crate::games::find as find_game;
use crate::interrupt;
use crate::names::name_parser;
use crate::output::print;
use crate::progress::Progress;
use crate::settings::BoxSettings;
use crate::submission::{IntakeMark, MARK, State, folders, is_intake};
use crate::walls::announce_to_processes;
use anyhow::{Context, Result, bail};
use arena::pool::{Next, work_off};
use arena::terms::Bounds;
use build::BuildLimits;
use clap::Args;
use engine::agent::files::write_atomically;
use languages::Languages;
use sha2::{Digest, Sha256};
use shapes::{Class, class, is_list, names_of_list, of_one};
use source::Source;
use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tools::{Tools, located};
use unpack::Limits;
use work::{Done, Workshop, YOUNG, hex, remove};

pub(crate) use here::{LanguageHere, languages_here};

/// Examples for the command's help.
pub(crate) const EXAMPLE: &str = "\
Examples:
  judge intake submissions.zip --game halma --out class
  judge intake submissions --game halma --out class --csv intake.csv --concurrency 4
The source is the zip that Canvas, Moodle, Gradescope or Blackboard hands out, or a directory with a folder or a file for
each student. For each student the program is found, compiled once in a box, and asked for one move. Run again it does
only what is new or changed. A folder's submission.toml may be mended by hand: it stays until the student's files change.
Exit code: 0 all can be played; 1 somebody needs you; 2 a file or the command line is bad; 130 interrupted.";

/// Options of `judge intake`.
#[derive(Args)]
pub(crate) struct IntakeOptions {
    /// The download: a zip or a directory
    source: PathBuf,

    /// The game
    #[arg(long, value_parser = name_parser())]
    game: String,

    /// The directory for the students' folders; one that an intake has made is brought up to date
    #[arg(long, value_name = "DIRECTORY")]
    out: PathBuf,

    /// Languages beside those that the judge knows, in a file as docs/class.md describes it
    #[arg(long, value_name = "FILE")]
    languages: Option<PathBuf>,

    /// Write the table to this file as well
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Students at a time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4096))]
    concurrency: u32,

    /// Seconds of wall time for each compiler
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    build_time: u64,

    /// Memory of a compiler with all its processes, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(16..=1 << 24))]
    build_memory: u64,

    /// The space that a built program may take with all its files, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    build_size: u64,

    /// Seconds of wall time for a program `calibrate`, which is run once
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    calibrate_time: u64,

    /// The most files of a submission
    #[arg(long, value_name = "COUNT", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    most_files: u64,

    /// The size of all files of a submission, unpacked, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    most_mib: u64,

    /// How many times its packed size a file of more than 1 MiB may have
    #[arg(long, value_name = "TIMES", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    most_ratio: u64,

    /// The size of all submissions together, unpacked, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16_384, value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    most_total_mib: u64,

    /// How deep folders may lie in folders
    #[arg(long, value_name = "COUNT", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=64))]
    most_depth: u64,

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

    /// The limits of compilers.
    fn build_bounds(&self) -> Result<Bounds> {
        Ok(Bounds {
            memory_mib: self.build_memory,
            file_mib: self.build_size,
            disk_mib: 2 * self.build_size,
            keep: 1 << 16,
            ..self.boxes.bounds()?
        })
    }

    /// The digest of all that bears on every submission: the game, the languages, and which of their programs are here.
    fn digest(&self, languages: &Languages) -> String {
        let mut digest = Sha256::new();
        let settings = (&self.game, self.limits(), self.build_time, self.build_memory, self.build_size);
        digest.update(format!("{settings:?}"));
        digest.update(&languages.text);
        for program in languages.programs() {
            digest.update(format!("{program} {}\n", located(program).is_some()));
        }
        hex(&digest.finalize())
    }
}

/// `judge intake`.
pub(crate) fn intake(options: &IntakeOptions) -> Result<u8> {
    let game = find_game(&options.game)?;
    let languages = Languages::new(options.languages.as_deref())?;
    let mut source = Source::open(&options.source)?;
    let class = sorted(&mut source, options);
    let name = options.source.display();
    eprintln!("{name}: {} students, {} download", class.students.len(), class.shape);
    for line in &class.left_out {
        eprintln!("{name}: left out: {line}");
    }
    if class.students.is_empty() {
        bail!("{name}: no student's files in it");
    }
    let _lock = opened(options)?;
    let source_name = options.source.file_name().unwrap_or(options.source.as_os_str());
    let mut mark = IntakeMark::new(&options.game, &arena::plain::name(source_name), String::new());
    mark.write(&options.out)?;
    let bounds = Bounds { keep: 1 << 14, ..options.boxes.bounds()? };
    announce_to_processes(&bounds)?;
    interrupt::catch()?;
    let tools = Tools::new(&options.build_bounds()?);
    let workshop = Workshop {
        game,
        source: Mutex::new(source),
        out: &options.out,
        languages: &languages,
        tools: &tools,
        limits: options.limits(),
        unpacked: AtomicU64::new(0),
        build: BuildLimits { time: Duration::from_secs(options.build_time), bytes: options.build_size << 20 },
        calibrate: Duration::from_secs(options.calibrate_time),
        bounds,
        digest: options.digest(&languages),
    };
    let done = take_all(&workshop, &class, options.concurrency as usize)?;
    if done.len() == class.students.len() {
        mark.complete = true;
        let mut digest = Sha256::new();
        done.iter().for_each(|done| digest.update(&done.submission.digest));
        mark.digest = hex(&digest.finalize());
        mark.write(&options.out)?;
    }
    report(options, &done)?;
    if interrupt::asked() {
        return Ok(interrupt::EXIT_CODE);
    }
    Ok(u8::from(done.iter().any(|done| done.submission.state == State::NeedsYou)))
}

/// The download's files, sorted by students.
fn sorted(source: &mut Source, options: &IntakeOptions) -> Class {
    /// The longest list of Gradescope's that is read, in bytes: it holds the results of earlier gradings.
    const LONGEST_LIST: u64 = 256 << 20;
    let list = source.entries.iter().find(|entry| is_list(&entry.path)).cloned();
    let mut bytes = Vec::new();
    if let Some(list) = list
        && let Ok(reader) = source.read(&list)
    {
        // A broken list has fewer names.
        let _ = reader.take(LONGEST_LIST).read_to_end(&mut bytes);
    }
    let names = names_of_list(&String::from_utf8_lossy(&bytes));
    let (entries, left_out) = (std::mem::take(&mut source.entries), std::mem::take(&mut source.left_out));
    if !options.alone {
        return class(entries, left_out, source.is_directory, &names);
    }
    let name = fs::canonicalize(&options.source).ok().and_then(|path| path.file_stem().map(arena::plain::name));
    of_one(name.unwrap_or_default(), entries, left_out)
}

/// The directory for the students, which is locked until the value is dropped.
fn opened(options: &IntakeOptions) -> Result<File> {
    let (out, source) = (&options.out, &options.source);
    let name = out.display();
    fs::create_dir_all(out).with_context(|| format!("{name}: cannot be made"))?;
    let (real_out, real_source) = (fs::canonicalize(out)?, fs::canonicalize(source)?);
    if real_out.starts_with(&real_source) || real_source.starts_with(&real_out) {
        bail!("--out {name}: lies in {}, or the other way round; name another directory", source.display());
    }
    match is_intake(out)? {
        Some(mark) if mark.game != options.game => {
            bail!("{}: an intake for {}; name another directory", out.join(MARK).display(), mark.game)
        }
        Some(_) => {}
        None if fs::read_dir(out)?.next().is_some() => {
            bail!("--out {name}: holds files, and no intake has made it; name another directory")
        }
        None => {}
    }
    let lock = File::create(out.join(".lock")).with_context(|| format!("{name}: cannot be written to"))?;
    if lock.try_lock().is_err() {
        bail!("{name}: another intake is at work on it");
    }
    // What an intake that was killed has left.
    for entry in fs::read_dir(out)?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(YOUNG) {
            remove(&entry.path())?;
        }
    }
    Ok(lock)
}

/// Takes in all students, until it is interrupted.
fn take_all(workshop: &Workshop, class: &Class, workers: usize) -> Result<Vec<Done>> {
    let mut names = names::Names::default();
    let named: Vec<_> = class.students.iter().map(|student| (student, names.folder(&student.name))).collect();
    let bar = Progress::of(named.len(), "students");
    let mut done: Vec<Done> = Vec::new();
    let worked = work_off(
        named.into_iter(),
        workers,
        interrupt::asked,
        |(student, folder)| {
            let taken = workshop.take_in(student, folder.clone());
            // What one student has made impossible is no reason to leave the others.
            taken.or_else(|error| workshop.given_up(student, folder, error))
        },
        |one: Done| {
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

/// Prints the table and writes it to a file.
fn report(options: &IntakeOptions, done: &[Done]) -> Result<()> {
    let known: Vec<&str> = done.iter().map(|done| done.folder.as_str()).collect();
    let others = folders(&options.out)?
        .into_iter()
        .filter(|folder| folder.file_name().is_some_and(|name| known.iter().all(|known| name != *known)))
        .count();
    print(&table::table(done, others));
    if let Some(path) = &options.csv {
        write_atomically(path, &table::csv(done)?).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok(())
}
