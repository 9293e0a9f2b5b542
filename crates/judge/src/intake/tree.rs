//! The files of a submission as they lie on the disk: what is not theirs by right taken out, folders around everything
//! taken off.

use super::languages::Languages;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The files of a submission.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Where it lies.
    pub root: PathBuf,
    /// Its files, as paths in it, in order.
    pub files: Vec<PathBuf>,
    /// Compiled files, which were taken out: they are built anew.
    pub compiled: Vec<PathBuf>,
    /// The folders that lay around everything, and were taken off.
    pub around: Vec<String>,
    /// Sources whose extensions were written large, which some compilers take for another language.
    pub renamed: Vec<PathBuf>,
    /// Sources that got the names of their classes on the way: before and after.
    pub moved: RefCell<BTreeMap<PathBuf, PathBuf>>,
}

impl Tree {
    /// Reads the files in a folder, and puts them in order.
    pub(super) fn new(root: &Path, languages: &Languages) -> io::Result<Tree> {
        let mut tree = Tree { root: root.to_owned(), ..Tree::default() };
        while let Some(around) = around(&tree.root)? {
            tree.root.push(&around);
            tree.around.push(around);
        }
        tree.list(PathBuf::new())?;
        tree.write_small(languages)?;
        tree.files.sort_by_key(|path| (path.components().count(), path.clone()));
        let sources = tree.files.clone();
        for path in sources {
            if is_compiled(&tree.root.join(&path), &path) {
                fs::remove_file(tree.root.join(&path))?;
                tree.files.retain(|file| *file != path);
                tree.compiled.push(path);
            }
        }
        Ok(tree)
    }

    /// Gives sources the extensions that compilers know.
    fn write_small(&mut self, languages: &Languages) -> io::Result<()> {
        for path in &mut self.files {
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            let small = path.with_extension(extension.to_lowercase());
            let is_source = languages.list.iter().any(|language| language.has_source(path));
            if is_source && small != *path && !self.root.join(&small).exists() {
                fs::rename(self.root.join(&*path), self.root.join(&small))?;
                self.renamed.push(std::mem::replace(path, small));
            }
        }
        Ok(())
    }

    fn list(&mut self, below: PathBuf) -> io::Result<()> {
        for entry in fs::read_dir(self.root.join(&below))? {
            let entry = entry?;
            let path = below.join(entry.file_name());
            if !entry.file_type()?.is_dir() {
                self.files.push(path);
            } else if is_installed(&entry.path()) {
                fs::remove_dir_all(entry.path())?;
            } else {
                self.list(path)?;
            }
        }
        Ok(())
    }

    /// The files as a line for people, shortened.
    pub(super) fn shown(&self) -> String {
        shown(&self.files)
    }
}

/// Paths as a line for people, shortened.
pub(super) fn shown(paths: &[PathBuf]) -> String {
    const MOST: usize = 6;
    let mut text: Vec<String> = paths.iter().take(MOST).map(|path| path.display().to_string()).collect();
    if paths.len() > MOST {
        text.push(format!("and {} more", paths.len() - MOST));
    }
    text.join(", ")
}

/// The folder that is all there is in a folder.
fn around(root: &Path) -> io::Result<Option<String>> {
    let mut entries = fs::read_dir(root)?;
    let (Some(only), None) = (entries.next().transpose()?, entries.next()) else { return Ok(None) };
    Ok(only.file_type()?.is_dir().then(|| only.file_name().to_string_lossy().into_owned()))
}

/// Whether a folder holds an environment of Python's, which is the machine's of another.
fn is_installed(folder: &Path) -> bool {
    folder.join("pyvenv.cfg").is_file()
}

/// Whether a file was compiled from others.
fn is_compiled(path: &Path, name: &Path) -> bool {
    const EXTENSIONS: [&str; 8] = ["o", "obj", "class", "pyc", "pyo", "exe", "pdb", "gch"];
    let extension = name.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
    if EXTENSIONS.contains(&extension.as_str()) {
        return true;
    }
    let mut beginning = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut beginning)).is_ok();
    // Programs of Linux and of macOS.
    read && matches!(&beginning, b"\x7fELF" | [0xcf, 0xfa, 0xed, 0xfe] | [0xca, 0xfe, 0xba, 0xbe])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_around_everything_are_taken_off_and_compiled_files_taken_out() {
        let place = tempfile::tempdir().unwrap();
        let inner = place.path().join("a/b");
        fs::create_dir_all(inner.join("src")).unwrap();
        fs::create_dir_all(inner.join("env/lib")).unwrap();
        fs::write(inner.join("env/pyvenv.cfg"), "").unwrap();
        fs::write(inner.join("env/lib/site.py"), "").unwrap();
        fs::write(inner.join("src/x.PY"), "").unwrap();
        fs::write(inner.join("notes.TXT"), "").unwrap();
        fs::write(inner.join("x.class"), "").unwrap();
        fs::write(inner.join("prog"), "\x7fELF...").unwrap();
        fs::write(inner.join("homework.py"), "").unwrap();
        let languages = Languages::new(None).unwrap();
        let tree = Tree::new(place.path(), &languages).unwrap();
        assert_eq!(tree.files, ["homework.py", "notes.TXT", "src/x.py"].map(PathBuf::from));
        assert_eq!(tree.renamed, [PathBuf::from("src/x.PY")]);
        assert_eq!(tree.around, ["a", "b"]);
        assert_eq!(tree.compiled.len(), 2);
        assert!(!inner.join("prog").exists() && !inner.join("env").exists());
        assert_eq!(tree.shown(), "homework.py, notes.TXT, src/x.py");
        let empty = tempfile::tempdir().unwrap();
        assert!(Tree::new(empty.path(), &languages).unwrap().files.is_empty());
    }
}
