//! Backups of a league, and whether database and files fit together.

use crate::clock::now;
use crate::config::{self, Config};
use crate::files::{self, LeagueFiles, Stored};
use crate::place::LeaguePlace;
use crate::records::{first_line, lines_of, record_of};
use crate::store;
use anyhow::{Context, Result, bail};
use std::cmp::Reverse;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Component, Path};

/// Where a backup has what the settings name and what lies outside of the league's directory.
const NAMED: &str = "named";

/// Writes a league into a tar archive, with all that its settings name. The database is copied
/// first: whatever it names is in the files, which only grow.
pub(crate) async fn backup(directory: &Path, to: &Path) -> Result<()> {
    let store = LeaguePlace::of(directory).open_existing().await?;
    let files = LeagueFiles::open(directory)?;
    let folder = folder_of(to);
    let scratch = tempfile::tempdir_in(folder)
        .with_context(|| format!("{}: cannot be written to", folder.display()))?;
    let copy = scratch.path().join(store::FILE);
    store.copy_to(&copy).await?;
    let unfinished = scratch.path().join("backup.tar");
    let mut archive = tar::Builder::new(BufWriter::new(private_file(&unfinished)?));
    let settings = append_named(&mut archive, directory)?;
    append(&mut archive, Path::new(config::FILE), settings.as_bytes())?;
    archive.append_path_with_name(&copy, store::FILE)?;
    append_files(&mut archive, &files)?;
    archive.into_inner()?.into_inner().context("the archive cannot be written")?.sync_all()?;
    fs::rename(&unfinished, to).with_context(|| format!("{}: cannot be written", to.display()))
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a file that only its owner reads: a backup has everybody's programs.
fn private_file(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Appends what the settings name, and returns settings that find it in the directory of a backup.
fn append_named(archive: &mut tar::Builder<impl Write>, directory: &Path) -> Result<String> {
    let mut settings = Config::text(directory)?;
    let mut named = Config::read(directory)?.named;
    // A path may begin with another one.
    named.sort_by_key(|(written, _)| Reverse((written.len(), written.clone())));
    named.dedup();
    for (number, (written, path)) in named.iter().enumerate() {
        let whole = fs::canonicalize(path)?;
        if fs::canonicalize(directory)?.starts_with(&whole) {
            bail!(
                "{}: '{written}' holds the league itself: name a folder of its own",
                config::FILE
            );
        }
        let is_below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        let to = if path.starts_with(directory) && Path::new(written).components().all(is_below) {
            Path::new(written).components().filter(|part| *part != Component::CurDir).collect()
        } else {
            let to = Path::new(NAMED).join(number.to_string()).join(whole.file_name().unwrap());
            settings = settings.replace(written, &to.to_string_lossy());
            to
        };
        let appended = if whole.is_dir() {
            archive.append_dir_all(&to, &whole)
        } else {
            archive.append_path_with_name(&whole, &to)
        };
        appended.with_context(|| format!("{}: cannot be read", whole.display()))?;
    }
    Ok(settings)
}

fn append(archive: &mut tar::Builder<impl Write>, to: &Path, bytes: &[u8]) -> Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    header.set_mode(0o600);
    header.set_mtime(u64::try_from(now() / 1000).unwrap_or_default());
    Ok(archive.append_data(&mut header, to, bytes)?)
}

fn append_files(archive: &mut tar::Builder<impl Write>, files: &LeagueFiles) -> Result<()> {
    for path in files.paths()? {
        append(archive, &Path::new(files::FOLDER).join(&path), &files.read(&path)?)?;
    }
    Ok(())
}

/// Unpacks a backup into a directory that does not exist or is empty.
pub(crate) async fn restore(from: &Path, directory: &Path) -> Result<()> {
    let name = directory.display();
    if fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_some()) {
        bail!("{name}: is not empty; name a new directory");
    }
    let file = File::open(from).with_context(|| format!("{}: cannot be read", from.display()))?;
    make_private(directory)?;
    tar::Archive::new(file)
        .unpack(directory)
        .with_context(|| format!("{}: is no whole backup", from.display()))?;
    // An archive that was cut off between two files looks whole.
    if let Some(fault) = faults(&LeaguePlace::of(directory)).await?.first() {
        bail!("{}: is no whole backup: {fault}", from.display());
    }
    Ok(())
}

pub(crate) fn make_private(directory: &Path) -> Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory).with_context(|| format!("{}: cannot be made", directory.display()))
}

/// Returns what does not fit together, a line each.
pub(crate) async fn faults(place: &LeaguePlace) -> Result<Vec<String>> {
    let store = place.open_existing().await?;
    let files = LeagueFiles::open(&place.directory)?;
    let mut found = store.faults().await?;
    for (id, digest, plays) in store.stored_submissions().await? {
        if !files.has(Stored::Upload(&digest))? {
            found.push(format!("submission {id}: its upload {digest} is missing"));
        }
        if plays && !files.has(Stored::Program(id))? {
            found.push(format!("submission {id}: its program is missing"));
        }
    }
    for pair in store.played_pairs().await? {
        if let Err(error) = record_of(&files, pair).await {
            found.push(format!("pair {pair}: its record cannot be read: {error:#}"));
        }
    }
    Ok(found)
}

pub(crate) async fn records(place: &LeaguePlace, to: &Path) -> Result<()> {
    let files = LeagueFiles::open(&place.directory)?;
    let pairs = place.open_existing().await?.played_pairs().await?;
    let mut out = BufWriter::new(tempfile::NamedTempFile::new_in(folder_of(to))?);
    out.write_all(&first_line(&files, &pairs).await?)?;
    for pair in pairs {
        out.write_all(&lines_of(pair, record_of(&files, pair).await?)?)?;
    }
    let file = out.into_inner().context("the file cannot be written")?;
    file.persist(to).with_context(|| format!("{}: cannot be written", to.display()))?;
    Ok(())
}
