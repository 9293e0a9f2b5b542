//! Which files of a crate import which.

use super::source::{Source, SourcePath};
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module by its path in the crate: `a::b` is `["a", "b"]`.
pub(super) type Module = Vec<String>;

/// For each module the modules that it imports, with the names that it uses of them.
pub(super) type Imports = BTreeMap<Module, BTreeMap<Module, BTreeSet<String>>>;

/// The files of a crate.
pub(super) struct SourceTree {
    sources: BTreeMap<Module, Source>,
    /// The file of each module, relative to the crate.
    pub(super) files: BTreeMap<Module, PathBuf>,
}

impl SourceTree {
    /// Reads the files under `src`, except those of programs and tests.
    pub(super) fn read(crate_folder: &Path) -> Result<SourceTree> {
        let mut tree = SourceTree { sources: BTreeMap::new(), files: BTreeMap::new() };
        let mut waiting = vec![crate_folder.join("src")];
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(&folder)
                .with_context(|| format!("{}: not readable", folder.display()))?
            {
                let path = entry?.path();
                if path.is_dir() {
                    waiting.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let relative =
                        path.strip_prefix(crate_folder).expect("a file of the crate").to_owned();
                    let Some(module) = module_of(&relative) else { continue };
                    let text =
                        fs::read_to_string(&path).with_context(|| path.display().to_string())?;
                    let source = Source::read(&text).with_context(|| path.display().to_string())?;
                    tree.sources.insert(module.clone(), source);
                    tree.files.insert(module, relative);
                }
            }
        }
        Ok(tree)
    }

    /// All imports between files of the crate. Declaring a module is no import, nor is `pub use` of
    /// what the file does not use itself: whoever takes the item from there imports the file that
    /// defines it.
    pub(super) fn imports(&self) -> Imports {
        let mut found = Imports::new();
        for (module, source) in &self.sources {
            let used = source
                .imports
                .iter()
                .filter(|import| !import.is_public || source.words.contains(&import.name));
            // `use super::b; b::f()` is `super::b::f`.
            let in_code = source.paths.iter().map(|path| {
                let begin = source.imports.iter().find(|import| import.name == path[0]);
                begin.map_or_else(|| path.clone(), |begin| [&begin.path, &path[1..]].concat())
            });
            let paths = used.map(|import| import.path.clone()).chain(in_code);
            let targets = found.entry(module.clone()).or_default();
            for path in paths {
                let Some(target) = self.resolve(module, &path, &mut Vec::new()) else { continue };
                let name = path.last().expect("a path has segments");
                // A module that is named for its own sake is no item of it.
                let names_module =
                    target.last() == Some(name) && !self.sources[&target].defined.contains(name);
                if target != *module && !names_module {
                    targets.entry(target).or_default().insert(name.clone());
                }
            }
        }
        found
    }

    fn is_child(&self, module: &Module, name: &str) -> bool {
        self.sources.contains_key(&child(module, name))
    }

    /// The path that a module hands on under a name by `pub use`; the first, if systems differ.
    fn handed_on(&self, module: &Module, name: &str) -> Option<&SourcePath> {
        let imports = &self.sources.get(module)?.imports;
        imports
            .iter()
            .find(|import| import.is_public && import.name == name)
            .map(|import| &import.path)
    }

    /// The module whose file defines the item at a path that a module uses; `None` if it is not of
    /// this crate.
    fn resolve(
        &self,
        module: &Module,
        path: &[String],
        seen: &mut Vec<(Module, SourcePath)>,
    ) -> Option<Module> {
        if path.is_empty() || seen.iter().any(|(at, earlier)| at == module && earlier == path) {
            return None;
        }
        seen.push((module.clone(), path.to_vec()));
        let mut at = module.clone();
        let mut rest = path;
        match rest[0].as_str() {
            "crate" => {
                at.clear();
                rest = &rest[1..];
            }
            "super" | "self" => {
                while let Some(word) =
                    rest.first().filter(|word| ["super", "self"].contains(&word.as_str()))
                {
                    if word == "super" {
                        at.pop()?;
                    }
                    rest = &rest[1..];
                }
            }
            name => {
                if !self.is_child(&at, name) && self.handed_on(&at, name).is_none() {
                    return None;
                }
            }
        }
        while let Some(name) = rest.first() {
            if self.is_child(&at, name) {
                at.push(name.clone());
                rest = &rest[1..];
            } else if let Some(target) = self.handed_on(&at, name) {
                let whole: SourcePath = target.iter().chain(&rest[1..]).cloned().collect();
                return self.resolve(&at, &whole, seen).or(Some(at));
            } else {
                break;
            }
        }
        self.sources.contains_key(&at).then_some(at)
    }
}

fn child(module: &Module, name: &str) -> Module {
    module.iter().cloned().chain([name.to_string()]).collect()
}

/// The module of a file, relative to the crate; `None` for programs and tests.
fn module_of(file: &Path) -> Option<Module> {
    let file = file.with_extension("");
    let mut module: Module =
        file.iter().skip(1).map(|part| part.to_string_lossy().into_owned()).collect();
    if module[0] == "bin" || module == ["main"] || module.last().is_some_and(|last| last == "tests")
    {
        return None;
    }
    if module.last().is_some_and(|last| last == "mod" || last == "lib") {
        module.pop();
    }
    Some(module)
}
