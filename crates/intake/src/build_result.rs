//! Finds the program that a project's build has left: an executable file, or a file with the
//! language's extension.

use super::languages::Language;
use super::tree::shown;
use sandbox::system;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most levels of folders that are searched.
const MAX_DEPTH: usize = 6;
/// The most files that are searched.
const MAX_FILES: usize = 20_000;
/// The preferred names of programs, the best one first.
const USUAL_NAMES: [&str; 6] = ["homework", "agent", "main", "player", "game", "a.out"];

/// Returns the built program, as a path relative to the folder; or why there is none.
pub(crate) fn find_result(folder: &Path, language: &Language) -> Result<PathBuf, String> {
    let mut found = Vec::new();
    for place in &language.results {
        let (start, deep) =
            if place == "." { (PathBuf::new(), MAX_DEPTH) } else { (PathBuf::from(place), 0) };
        let mut seen = 0;
        visit_files(folder, &start, deep, &mut seen, &mut |path| {
            let is_it = match &language.result_extension {
                Some(extension) => path.extension().is_some_and(|own| own == extension.as_str()),
                None => is_program(&folder.join(path)),
            };
            if is_it {
                found.push(path.to_owned());
            }
        });
    }
    found.sort_by_key(|path| (path.components().count(), path.clone()));
    let stem = |path: &Path| {
        path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default()
    };
    // Maven leaves these beside the jar that can be run.
    found.retain(|path| !stem(path).ends_with("-sources") && !stem(path).starts_with("original-"));
    for usual in USUAL_NAMES {
        if let Some(named) = found.iter().find(|path| stem(path) == usual || path.ends_with(usual))
        {
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

/// Passes all regular files below a folder to `take`; links are not followed.
fn visit_files(
    folder: &Path,
    below: &Path,
    deep: usize,
    seen: &mut usize,
    take: &mut impl FnMut(&Path),
) {
    for entry in fs::read_dir(folder.join(below)).into_iter().flatten().flatten() {
        *seen += 1;
        if *seen > MAX_FILES {
            return;
        }
        let path = below.join(entry.file_name());
        match entry.file_type() {
            Ok(kind) if kind.is_file() => take(&path),
            Ok(kind) if kind.is_dir() && deep > 0 && entry.file_name() != ".git" => {
                visit_files(folder, &path, deep - 1, seen, take);
            }
            _ => {}
        }
    }
}

/// Returns whether a file is an executable ELF file and no library.
fn is_program(path: &Path) -> bool {
    let is_executable = fs::metadata(path).is_ok_and(|data| system::mode(&data) & 0o111 != 0);
    let is_library =
        path.extension().is_some_and(|extension| extension == "so" || extension == "o");
    let mut beginning = [0; 4];
    let mut read = || File::open(path).and_then(|mut file| file.read_exact(&mut beginning)).is_ok();
    is_executable && !is_library && read() && &beginning == b"\x7fELF"
}
