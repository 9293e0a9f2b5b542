//! What a project file has built: an executable file, or one of another kind that it is known for.

use super::languages::Language;
use super::tree::shown;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// How deep it is looked for.
const DEEPEST: usize = 6;
/// The most files that are looked at.
const MOST: usize = 20_000;
/// The names that are preferred, the best one first.
const USUAL: [&str; 6] = ["homework", "agent", "main", "player", "game", "a.out"];

/// The program that was built, as a path in the folder; or why there is none.
pub(super) fn find_result(folder: &Path, language: &Language) -> Result<PathBuf, String> {
    let mut found = Vec::new();
    for place in &language.results {
        let (start, deep) = if place == "." { (PathBuf::new(), DEEPEST) } else { (PathBuf::from(place), 0) };
        let mut seen = 0;
        look(folder, &start, deep, &mut seen, &mut |path| {
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
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default();
    // The parts beside a jar that is to be run.
    found.retain(|path| !stem(path).ends_with("-sources") && !stem(path).starts_with("original-"));
    for usual in USUAL {
        if let Some(named) = found.iter().find(|path| stem(path) == usual || path.ends_with(usual)) {
            return Ok(named.clone());
        }
    }
    match &found[..] {
        [] => Err("it built nothing that can be started".to_string()),
        [only] => Ok(only.clone()),
        several => Err(format!("which of these is the program? {}; let it be called homework", shown(several))),
    }
}

/// Shows all regular files below a folder; links are not followed.
fn look(folder: &Path, below: &Path, deep: usize, seen: &mut usize, take: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(folder.join(below)).into_iter().flatten().flatten() {
        *seen += 1;
        if *seen > MOST {
            return;
        }
        let path = below.join(entry.file_name());
        match entry.file_type() {
            Ok(kind) if kind.is_file() => take(&path),
            Ok(kind) if kind.is_dir() && deep > 0 && entry.file_name() != ".git" => {
                look(folder, &path, deep - 1, seen, take);
            }
            _ => {}
        }
    }
}

/// Whether a file is a compiled program, or part of one that is not to be linked.
fn is_program(path: &Path) -> bool {
    let is_executable = fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o111 != 0);
    let is_library = path.extension().is_some_and(|extension| extension == "so" || extension == "o");
    let mut beginning = [0; 4];
    let mut read = || File::open(path).and_then(|mut file| file.read_exact(&mut beginning)).is_ok();
    is_executable && !is_library && read() && &beginning == b"\x7fELF"
}
