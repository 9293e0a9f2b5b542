//! Zips among the files of a homework, and zips within them.

use crate::case::{CaseFile, is_litter};
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::Path;
use zip::ZipArchive;

/// Of all files together.
const MOST_BYTES: u64 = 1 << 30;
const MOST_DEPTH: usize = 5;

/// The folder that an archive counts as.
pub(crate) fn folder_name(path: &str) -> Option<&str> {
    let (stem, ending) = path.split_at_checked(path.len().checked_sub(4)?)?;
    (ending.eq_ignore_ascii_case(".zip") && !stem.is_empty()).then_some(stem)
}

/// Adds the files of an archive to those of a folder. `is_file` says which archives within it are
/// files of a case.
pub(crate) fn unpack(
    folder: &Path,
    path: &str,
    bytes: Vec<u8>,
    is_file: &dyn Fn(&str) -> bool,
    files: &mut BTreeMap<String, CaseFile>,
) -> Result<()> {
    let mut room = MOST_BYTES;
    let mut waiting = vec![(path.to_string(), bytes, 1)];
    while let Some((archive, bytes, depth)) = waiting.pop() {
        let within = || format!("{}: cannot be unpacked", folder.join(&archive).display());
        ensure!(
            depth <= MOST_DEPTH,
            "{archive}: more than {MOST_DEPTH} archives within each other"
        );
        let below = folder_name(&archive).unwrap_or(&archive);
        let mut zip = ZipArchive::new(Cursor::new(bytes)).with_context(within)?;
        for index in 0..zip.len() {
            let mut entry = zip.by_index(index).with_context(within)?;
            let name = entry.enclosed_name().with_context(within)?;
            let name = name.to_str().with_context(within)?.replace('\\', "/");
            if !entry.is_file() || name.split('/').any(is_litter) {
                continue;
            }
            let path = format!("{below}/{name}");
            let mut bytes = Vec::new();
            (&mut entry).take(room + 1).read_to_end(&mut bytes).with_context(within)?;
            room = match room.checked_sub(bytes.len() as u64) {
                Some(room) => room,
                None => bail!("{archive}: its files have more than {} MiB", MOST_BYTES >> 20),
            };
            if folder_name(&path).is_some() && !is_file(&path) {
                waiting.push((path, bytes, depth + 1));
                continue;
            }
            let file = CaseFile::unpacked(folder.join(&path), bytes);
            ensure!(
                files.insert(path.clone(), file).is_none(),
                "two files are called {path}, one of them in {archive}: remove one, or put the \
                 archive into `ignored`"
            );
        }
    }
    Ok(())
}
