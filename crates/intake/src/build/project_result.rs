//! Finds the program that a project's build has left: an executable file, or a file with the
//! language's extension.

use crate::find::languages::{Language, has_extension};
use crate::find::tree::{shown, stem_of};
use sandbox::system;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

const MAX_DEPTH: usize = 6;
const MAX_FILES: usize = 20_000;
const USUAL_NAMES: [&str; 6] = ["homework", "agent", "main", "player", "game", "a.out"];

/// Returns the built program, as a path relative to the folder; or why there is none.
pub(crate) fn find_result(folder: &Path, language: &Language) -> Result<PathBuf, String> {
    let mut found = Vec::new();
    for place in &language.results {
        let (start, deep) = if place == "." { ("", MAX_DEPTH) } else { (place.as_str(), 0) };
        list_files(folder, Path::new(start), deep, &mut 0, &mut found);
    }
    found.retain(|path| match &language.result_extension {
        Some(extension) => path.extension().is_some_and(|own| own == extension.as_str()),
        None => is_program(&folder.join(path)),
    });
    // Maven leaves these beside the jar that can be run.
    found.retain(|path| {
        !stem_of(path).ends_with("-sources") && !stem_of(path).starts_with("original-")
    });
    found.sort_by_key(|path| (path.components().count(), path.clone()));
    for usual in USUAL_NAMES {
        let is_it = |path: &&PathBuf| stem_of(path) == usual || path.ends_with(usual);
        if let Some(named) = found.iter().find(is_it) {
            return Ok(named.clone());
        }
    }
    match &found[..] {
        [] => Err("the build left no program that can be started".to_string()),
        [only] => Ok(only.clone()),
        several => {
            Err(format!("several built programs: {}; name the right one homework", shown(several)))
        }
    }
}

/// Lists all regular files below a folder; links are not followed.
fn list_files(
    folder: &Path,
    below: &Path,
    deep: usize,
    seen: &mut usize,
    found: &mut Vec<PathBuf>,
) {
    for entry in fs::read_dir(folder.join(below)).into_iter().flatten().flatten() {
        *seen += 1;
        if *seen > MAX_FILES {
            return;
        }
        let path = below.join(entry.file_name());
        match entry.file_type() {
            Ok(kind) if kind.is_file() => found.push(path),
            Ok(kind) if kind.is_dir() && deep > 0 && entry.file_name() != ".git" => {
                list_files(folder, &path, deep - 1, seen, found);
            }
            _ => {}
        }
    }
}

fn is_program(path: &Path) -> bool {
    let is_executable = fs::metadata(path).is_ok_and(|data| system::mode(&data) & 0o111 != 0);
    let mut beginning = [0; 4];
    is_executable
        && !has_extension(path, &["so", "o"])
        && File::open(path).and_then(|mut file| file.read_exact(&mut beginning)).is_ok()
        && &beginning == b"\x7fELF"
}
