//! The files of an archive, and their packing: the same files give the same bytes.

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;

/// The name of the file of checksums in an archive.
const SUMS: &str = "SHA256SUMS";
/// Names of files that running programs leave among sources.
const LEFT_BY_PROGRAMS: [&str; 3] = ["__pycache__", "pyc", "class"];

/// The files of an archive by path.
pub(super) struct Tree {
    /// The date of all files, in seconds since 1970.
    date: u64,
    files: BTreeMap<String, File>,
}

struct File {
    bytes: Vec<u8>,
    is_program: bool,
}

impl Tree {
    pub(super) fn new(date: u64) -> Tree {
        Tree { date, files: BTreeMap::new() }
    }

    /// A tree without files, of the same date.
    pub(super) fn empty(&self) -> Tree {
        Tree::new(self.date)
    }

    /// The paths and bytes of all files, ordered by path.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, file)| (path.as_str(), file.bytes.as_slice()))
    }

    /// Adds a file.
    pub(super) fn add(&mut self, path: &str, bytes: Vec<u8>, is_program: bool) {
        self.files.insert(path.to_string(), File { bytes, is_program });
    }

    /// Adds a file or a folder of the disk under a path.
    pub(super) fn add_files(&mut self, from: &Path, path: &str) -> Result<()> {
        if !from.is_dir() {
            let bytes = fs::read(from).with_context(|| from.display().to_string())?;
            self.add(path, bytes, false);
            return Ok(());
        }
        for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !LEFT_BY_PROGRAMS.contains(&name.rsplit('.').next().unwrap_or_default()) {
                self.add_files(&entry.path(), &format!("{path}/{name}"))?;
            }
        }
        Ok(())
    }

    /// The text files whose names have this ending.
    pub(super) fn texts(&self, ending: &str) -> Vec<(String, String)> {
        let files = self.files().filter(|(path, _)| path.ends_with(ending));
        files
            .map(|(path, bytes)| (path.to_string(), String::from_utf8_lossy(bytes).into_owned()))
            .collect()
    }

    /// Adds the checksums of all files.
    pub(super) fn add_sums(&mut self) {
        let sums: String = self
            .files()
            .map(|(path, bytes)| format!("{}  {path}\n", hexadecimal(&Sha256::digest(bytes))))
            .collect();
        self.add(SUMS, sums.into_bytes(), false);
    }

    /// The archive's bytes. `name` is the folder that all files are in.
    pub(super) fn packed(&self, name: &str, ending: &str) -> Result<Vec<u8>> {
        if ending == "zip" { self.zip(&format!("{name}/")) } else { self.tar(name) }
    }

    fn tar(&self, name: &str) -> Result<Vec<u8>> {
        let mut archive =
            tar::Builder::new(GzBuilder::new().mtime(0).write(Vec::new(), Compression::best()));
        for (path, file) in &self.files {
            let mut header = tar::Header::new_gnu();
            header.set_mtime(self.date);
            header.set_mode(file.mode());
            header.set_size(file.bytes.len() as u64);
            archive.append_data(&mut header, format!("{name}/{path}"), file.bytes.as_slice())?;
        }
        Ok(archive.into_inner()?.finish()?)
    }

    /// A zip archive. Its paths begin with `prefix`.
    pub(super) fn zip(&self, prefix: &str) -> Result<Vec<u8>> {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (path, file) in &self.files {
            let options = SimpleFileOptions::default()
                .compression_level(Some(9))
                .last_modified_time(zip::DateTime::default())
                .unix_permissions(file.mode());
            archive.start_file(format!("{prefix}{path}"), options)?;
            archive.write_all(&file.bytes)?;
        }
        Ok(archive.finish()?.into_inner())
    }
}

impl File {
    fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// The digits of bytes.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_give_the_same_bytes_and_what_programs_leave_is_not_packed() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("__pycache__")).unwrap();
        for file in ["__pycache__/agent.pyc", "Agent.class", "agent.py"] {
            fs::write(place.path().join(file), file).unwrap();
        }
        let tree = || {
            let mut tree = Tree::new(1_700_000_000);
            tree.add_files(place.path(), "starters").unwrap();
            tree.add("bin/judge", vec![1, 2, 3], true);
            tree.add_sums();
            tree
        };
        for ending in ["zip", "tar.gz"] {
            assert_eq!(
                tree().packed("menagerie", ending).unwrap(),
                tree().packed("menagerie", ending).unwrap()
            );
        }
        let sums = tree().texts(SUMS).remove(0).1;
        let paths: Vec<&str> = sums.lines().filter_map(|line| line.split("  ").nth(1)).collect();
        assert_eq!(paths, ["bin/judge", "starters/agent.py"]);
    }
}
