//! Lists the unpacked files of a submission, without compiled files, Python environments and
//! enclosing folders.

use crate::find::languages::{Languages, has_extension};
use crate::find::source_text::read_beginning;
use arena::rules_program::files as list;
use homework::Files;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What a program keeps of a game, from turn to turn.
pub(crate) const MEMORY: &str = "playdata.txt";

#[derive(Default)]
pub(crate) struct Tree {
    /// The folder of the submission, within all enclosing folders.
    pub root: PathBuf,
    /// The files, as sorted paths relative to `root`.
    pub files: Vec<PathBuf>,
    /// Compiled files, which were removed.
    pub compiled: Vec<PathBuf>,
    /// The memory of an earlier game, which was removed.
    pub kept: Vec<PathBuf>,
    pub enclosing: Vec<String>,
    /// Sources whose extensions are now in lower case, since some compilers take `.C` for C++.
    pub renamed: Vec<PathBuf>,
    /// Sources that were renamed after their classes, by their old paths.
    pub moved: RefCell<BTreeMap<PathBuf, PathBuf>>,
    /// Files of the homework's own, which the student has not handed in.
    pub included: BTreeSet<PathBuf>,
}

impl Tree {
    /// Lists the files, and removes compiled ones and the memory of an earlier game.
    pub(crate) fn new(root: &Path, languages: &Languages) -> io::Result<Tree> {
        let mut tree = Tree { root: root.to_owned(), ..Tree::default() };
        while let Some(folder) = only_folder(&tree.root)? {
            tree.root.push(&folder);
            tree.enclosing.push(folder);
        }
        // A virtual environment works only on the student's machine.
        for path in list(&tree.root)?.iter().filter(|path| path.ends_with("pyvenv.cfg")) {
            let folder = path.parent().unwrap_or(path);
            if folder != Path::new("") && tree.root.join(path).exists() {
                fs::remove_dir_all(tree.root.join(folder))?;
            }
        }
        tree.files = list(&tree.root)?;
        tree.lower_case_extensions(languages)?;
        tree.files.sort_by_key(|path| (path.components().count(), path.clone()));
        for path in tree.files.clone() {
            let removed = match () {
                () if path.file_name().is_some_and(|name| name == MEMORY) => &mut tree.kept,
                () if is_compiled(&tree.root.join(&path)) => &mut tree.compiled,
                () => continue,
            };
            fs::remove_file(tree.root.join(&path))?;
            tree.files.retain(|file| *file != path);
            removed.push(path);
        }
        Ok(tree)
    }

    fn lower_case_extensions(&mut self, languages: &Languages) -> io::Result<()> {
        for path in &mut self.files {
            let renamed =
                path.with_extension(path.extension().unwrap_or_default().to_ascii_lowercase());
            let is_source = languages.list.iter().any(|language| language.has_source(path));
            if is_source && renamed != *path && !self.root.join(&renamed).exists() {
                fs::rename(self.root.join(&*path), self.root.join(&renamed))?;
                self.renamed.push(std::mem::replace(path, renamed));
            }
        }
        Ok(())
    }

    /// Adds files of the homework's own, in place of the student's of these names.
    pub(crate) fn include(&mut self, files: Files) -> io::Result<()> {
        for (name, bytes) in files {
            let path = self.root.join(&name);
            fs::create_dir_all(path.parent().unwrap_or(&self.root))?;
            fs::write(path, bytes)?;
            self.included.insert(name.into());
        }
        self.files.retain(|path| !self.included.contains(path));
        self.files.extend(self.included.iter().cloned());
        Ok(())
    }

    /// Renames sources such as `homework.py.txt`. Returns a line about each.
    pub(crate) fn rename_texts(&mut self, languages: &Languages) -> io::Result<Vec<String>> {
        let mut lines = Vec::new();
        for path in &mut self.files {
            let source = path.with_extension("");
            let is_source = languages.list.iter().any(|language| language.may_begin_with(&source));
            if has_extension(path, &["txt"]) && is_source && !self.root.join(&source).exists() {
                fs::rename(self.root.join(&*path), self.root.join(&source))?;
                lines.push(format!("{} was renamed {}", path.display(), source.display()));
                *path = source;
            }
        }
        Ok(lines)
    }

    /// Writes the code of the only notebook into a file. Returns a line about it.
    pub(crate) fn unpack_notebook(&mut self, name: &str) -> io::Result<Option<String>> {
        let is_notebook = |path: &&PathBuf| has_extension(path, &["ipynb"]);
        let notebooks: Vec<&PathBuf> = self.files.iter().filter(is_notebook).collect();
        let [notebook] = notebooks[..] else { return Ok(None) };
        let program = notebook.with_file_name(name);
        let made = crate::find::notebook::program(&self.text(notebook));
        let Some((text, count)) = made.filter(|_| !self.root.join(&program).exists()) else {
            return Ok(None);
        };
        fs::write(self.root.join(&program), text)?;
        let cells = arena::plain::counted(count, "cell", "cells");
        let line = format!("{}: its code ({cells}) was written to {name}", notebook.display());
        self.files.push(program);
        Ok(Some(line))
    }

    pub(crate) fn text(&self, path: &Path) -> String {
        read_beginning(&self.root.join(path))
    }
}

pub(crate) fn shown(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> String {
    const MOST: usize = 6;
    let mut text: Vec<String> =
        paths.into_iter().map(|path| path.as_ref().display().to_string()).collect();
    if text.len() > MOST {
        let more = format!("and {} more", text.len() - MOST);
        text.truncate(MOST);
        text.push(more);
    }
    text.join(", ")
}

pub(crate) fn depth(path: &Path) -> usize {
    path.components().count()
}

/// Returns whether a tool such as CMake has written a file, by its name or folder.
pub(crate) fn is_generated(path: &Path) -> bool {
    let is_tools = |part: &str| part == "CMakeFiles" || part.starts_with("cmake-build-");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let begins = ["moc_", "qrc_", "ui_", "CMakeCCompilerId.", "CMakeCXXCompilerId."];
    let has_code = has_extension(path, &["cpp", "cc", "cxx", "c", "h"]);
    path.iter().any(|part| is_tools(&part.to_string_lossy()))
        || has_code && begins.iter().any(|begin| name.starts_with(begin))
}

/// The name of a file without its extension, in lower case.
pub(crate) fn stem_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Returns the only entry of a folder, if that is a folder and no package that Python can run.
fn only_folder(root: &Path) -> io::Result<Option<String>> {
    let mut entries = fs::read_dir(root)?;
    let (Some(only), None) = (entries.next().transpose()?, entries.next()) else { return Ok(None) };
    let is_folder = only.file_type()?.is_dir() && !only.path().join("__main__.py").is_file();
    Ok(is_folder.then(|| only.file_name().to_string_lossy().into_owned()))
}

fn is_compiled(path: &Path) -> bool {
    const EXTENSIONS: [&str; 8] = ["o", "obj", "class", "pyc", "pyo", "exe", "pdb", "gch"];
    if has_extension(path, &EXTENSIONS) {
        return true;
    }
    let mut beginning = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut beginning)).is_ok();
    // Executable files of Linux and of macOS.
    read && matches!(&beginning, b"\x7fELF" | [0xcf, 0xfa, 0xed, 0xfe] | [0xca, 0xfe, 0xba, 0xbe])
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::{Folder, folder};

    #[test]
    fn enclosing_folders_and_compiled_files_are_removed() {
        let place = folder();
        let inner = place.join("a/b");
        for (name, text) in [
            ("env/pyvenv.cfg", ""),
            ("env/lib/site.py", ""),
            ("src/x.PY", ""),
            ("notes.TXT", ""),
            ("x.class", ""),
            (MEMORY, "plan"),
            ("calibration.txt", "2.5"),
            ("prog", "\x7fELF..."),
            ("homework.py", ""),
        ] {
            inner.write(name, text);
        }
        let languages = Languages::new(None).unwrap();
        let tree = Tree::new(&place, &languages).unwrap();
        assert_eq!(
            tree.files,
            ["calibration.txt", "homework.py", "notes.TXT", "src/x.py"].map(PathBuf::from)
        );
        assert_eq!(tree.kept, [PathBuf::from(MEMORY)]);
        assert_eq!(tree.renamed, [PathBuf::from("src/x.PY")]);
        assert_eq!(tree.enclosing, ["a", "b"]);
        assert_eq!(tree.compiled.len(), 2);
        assert!(["prog", "env", MEMORY].iter().all(|name| !inner.join(name).exists()));
        assert_eq!(shown(&tree.files), "calibration.txt, homework.py, notes.TXT, src/x.py");
        assert!(Tree::new(&folder(), &languages).unwrap().files.is_empty());
    }
}
