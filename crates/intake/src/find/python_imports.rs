//! The imports of a source in Python, and the files that they mean.

use crate::find::languages::Comments;
use crate::find::source_text::words;
use std::path::{Path, PathBuf};

/// An import of a module, such as `.a.b`, or of names from it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// The dots at the beginning: one for the folder of the source.
    dots: usize,
    module: Vec<String>,
    names: Vec<String>,
}

/// Returns the imports of a source.
pub(crate) fn imports(text: &str) -> Vec<Import> {
    let mut found = Vec::new();
    let text = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut line = line.to_string();
        while line.trim_start().starts_with("from ") && line.contains('(') && !line.contains(')') {
            let Some(next) = lines.next() else { break };
            line = line.split('#').next().unwrap_or_default().to_string() + " " + next;
        }
        for statement in line.split([';', ':']) {
            let words = words(statement, Comments::Hash);
            match words.split_first() {
                Some((&"import", rest)) => {
                    found.extend(rest.split(|word| *word == ",").map(|words| Import {
                        dots: 0,
                        module: dotted(words),
                        names: Vec::new(),
                    }))
                }
                Some((&"from", rest)) => {
                    let Some(at) = rest.iter().position(|word| *word == "import") else { continue };
                    let dots = rest[..at].iter().take_while(|word| **word == ".").count();
                    let named = rest[at + 1..].split(|word| *word == ",");
                    let bare = |words: &[&str]| {
                        words
                            .iter()
                            .find(|word| !["(", ")"].contains(word))
                            .map(ToString::to_string)
                    };
                    let names = named.filter_map(bare).collect();
                    found.push(Import { dots, module: dotted(&rest[dots..at]), names });
                }
                _ => {}
            }
        }
    }
    for call in ["import_module(", "__import__(", "execfile(", "run_path("] {
        for part in text.split(call).skip(1) {
            let mut quoted = part.split(['"', '\'']);
            if quoted.next().is_some_and(|before| before.trim().is_empty())
                && let Some(name) = quoted.next()
            {
                let module = name.trim_end_matches(".py").split('.').map(String::from).collect();
                found.push(Import { dots: 0, module, names: Vec::new() });
            }
        }
    }
    found
}

/// Returns the parts of a name such as `a.b`, up to a word that is not part of it.
fn dotted(words: &[&str]) -> Vec<String> {
    words
        .split(|word| *word == ".")
        .map_while(|part| part.first())
        .map(ToString::to_string)
        .collect()
}

/// Returns the first parts of the modules that a source imports from elsewhere than its package.
pub(crate) fn imported_names(text: &str) -> Vec<String> {
    let elsewhere = imports(text).into_iter().filter(|import| import.dots == 0);
    let is_name = |name: &String| name.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
    elsewhere.filter_map(|import| import.module.into_iter().next()).filter(is_name).collect()
}

impl Import {
    /// Returns the files that a source in `folder` imports: those of the module, looked for in the
    /// folder and those around it, or else of a module of that name in any folder.
    pub(crate) fn files<'p>(&self, folder: &Path, files: &[&'p PathBuf]) -> Vec<&'p PathBuf> {
        let module: PathBuf = self.module.iter().collect();
        let places: Vec<&Path> = match self.dots {
            0 => folder.ancestors().collect(),
            dots => folder.ancestors().skip(dots - 1).take(1).collect(),
        };
        for place in places {
            let found = self.files_at(&place.join(&module), files);
            if !found.is_empty() {
                return found;
            }
        }
        let anywhere = files.iter().copied().filter(|path| {
            self.dots == 0 && !self.module.is_empty() && path.with_extension("").ends_with(&module)
        });
        anywhere.collect()
    }

    /// Returns the file of a module, or of a package with the modules that are named.
    fn files_at<'p>(&self, path: &Path, files: &[&'p PathBuf]) -> Vec<&'p PathBuf> {
        let is_at = |file: &&&PathBuf, path: &Path| file.with_extension("") == path;
        let module: Vec<&PathBuf> =
            files.iter().filter(|file| is_at(file, path)).copied().collect();
        if !module.is_empty() && !self.module.is_empty() {
            return module;
        }
        let parts = self.names.iter().map(String::as_str).chain(["__init__"]);
        parts
            .flat_map(|name| files.iter().find(|file| is_at(file, &path.join(name))).copied())
            .collect()
    }
}

#[test]
fn imports_mean_the_files_that_python_would_take() {
    let paths = ["main.py", "player.py", "pkg/__init__.py", "pkg/player.py", "pkg/board.py"];
    let paths = paths.map(PathBuf::from);
    let files: Vec<&PathBuf> = paths.iter().collect();
    let meant = |text: &str, from: &str| -> Vec<String> {
        let found = imports(text);
        let files = found.iter().flat_map(|import| import.files(Path::new(from), &files));
        files.map(|path| path.display().to_string()).collect()
    };
    for (text, from, expected) in [
        ("import player", "", &["player.py"][..]),
        ("try: import os, player as p  # x", "", &["player.py"]),
        ("import sys; from player import answer", "", &["player.py"]),
        ("from . import player", "pkg", &["pkg/player.py", "pkg/__init__.py"]),
        ("from .player import main", "pkg", &["pkg/player.py"]),
        ("from .. import player", "pkg", &["player.py"]),
        ("from pkg.board import (\n    a,  # b\n    player)", "", &["pkg/board.py"]),
        (
            "from pkg import (\n    board,\n    player)",
            "",
            &["pkg/board.py", "pkg/player.py", "pkg/__init__.py"],
        ),
        ("import pkg.player", "", &["pkg/player.py"]),
        ("import board", "", &["pkg/board.py"]),
        ("x = __import__('player')", "", &["player.py"]),
        ("from player import main", "", &["player.py"]),
        ("important = player", "", &[]),
        ("# import player", "", &[]),
        ("import numpy.player", "", &[]),
    ] {
        assert_eq!(meant(text, from), expected, "{text}");
    }
}
