//! Circles of imports between files and between folders of a crate, and arrows up between crates.

mod imports;
mod source;

use crate::{output_of, root, toml_of};
use anyhow::{Context, Result, ensure};
use imports::{Imports, Module, SourceTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// Fail on circles of imports.
///
/// A circle is files or folders of one crate that import each other, directly or by others. Without
/// folders, all crates are checked, and the imports between crates: each must point to a lower
/// floor of the drawing in ARCHITECTURE.md.
///
/// A file imports another if it names an item of it, in a `use` or by a path. Declaring a module is
/// no import, nor is handing on an item with `pub use` that the file does not use itself; whoever
/// takes the item from there imports the file that defines it. Test modules do not count.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Print every import as well, as FILE -> FILE: NAMES
    #[arg(long)]
    list: bool,
    /// The folders of the crates; by default all
    folders: Vec<PathBuf>,
}

/// Prints the circles, each with its imports, and the imports between crates that do not point to a
/// lower floor. Returns whether there are none.
pub(crate) fn run(options: &Options) -> Result<bool> {
    let mut faults = 0;
    let mut folders = options.folders.clone();
    if folders.is_empty() {
        for line in wrong_arrows()? {
            faults += 1;
            println!("{line}");
        }
        folders.push(root().join("xtask"));
        for folder in ["crates", "examples", "research"] {
            folders.extend(crates_in(folder)?);
        }
    }
    for folder in folders {
        ensure!(
            folder.join("src").is_dir(),
            "{}: not a crate, it has no folder src",
            folder.display()
        );
        let tree = SourceTree::read(&folder)?;
        let imports = tree.imports();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let report = Report { name, tree: &tree, imports: &imports };
        if options.list {
            report.print_imports(&format!("{}: ", report.name), |_, _| true);
        }
        faults += report.print_circles_of_files() + report.print_circles_of_folders();
    }
    Ok(faults == 0)
}

/// The crates in a folder of the repository.
fn crates_in(folder: &str) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(root().join(folder))? {
        found.extend(Some(entry?.path()).filter(|path| path.join("Cargo.toml").is_file()));
    }
    Ok(found)
}

/// A line for each crate that has no floor in the drawing in ARCHITECTURE.md, and for each
/// dependency that does not point to a lower floor.
fn wrong_arrows() -> Result<Vec<String>> {
    let name = |path: PathBuf| Some(path.file_name()?.to_str()?.to_string());
    let crates: BTreeSet<String> = crates_in("crates")?.into_iter().filter_map(name).collect();
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).context("ARCHITECTURE.md")?;
    let drawing = page.split("## Code map").next().unwrap_or_default();
    let mut floors: BTreeMap<String, usize> = BTreeMap::new();
    for (number, line) in drawing.lines().filter(|line| line.starts_with("    ")).enumerate() {
        for name in line.trim_start().split("  ").next().unwrap_or_default().split_whitespace() {
            floors.entry(name.to_string()).or_insert(number);
        }
    }
    // All games of the list are on one floor.
    let games = output_of(&["scripts/games"])?;
    if let Some(floor) = games.lines().find_map(|game| floors.get(game).copied()) {
        for game in games.lines() {
            floors.entry(game.to_string()).or_insert(floor);
        }
    }
    let mut wrong = Vec::new();
    for name in &crates {
        let Some(floor) = floors.get(name) else {
            wrong.push(format!("{name}: has no floor in ARCHITECTURE.md"));
            continue;
        };
        let manifest = toml_of(format!("crates/{name}/Cargo.toml"))?;
        let systems = manifest.get("target").and_then(toml::Value::as_table);
        let tables = systems.into_iter().flat_map(toml::Table::values);
        let tables = tables.filter_map(toml::Value::as_table).chain([&manifest]);
        let dependencies = tables.filter_map(|table| table.get("dependencies")?.as_table());
        for other in
            dependencies.flat_map(toml::Table::keys).filter(|other| crates.contains(*other))
        {
            if floors.get(other).is_some_and(|below| below <= floor) {
                wrong.push(format!("{name}: imports {other}, which is not on a lower floor"));
            }
        }
    }
    Ok(wrong)
}

struct Report<'t> {
    name: String,
    tree: &'t SourceTree,
    imports: &'t Imports,
}

impl Report<'_> {
    /// Prints the imports between modules for which `is_shown` holds, each after `start`.
    fn print_imports(&self, start: &str, is_shown: impl Fn(&Module, &Module) -> bool) {
        for (module, targets) in self.imports {
            for (target, names) in targets.iter().filter(|(target, _)| is_shown(module, target)) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                println!(
                    "{start}{} -> {}: {}",
                    self.file(module),
                    self.file(target),
                    names.join(", ")
                );
            }
        }
    }

    fn file(&self, module: &Module) -> String {
        self.tree.files[module].display().to_string()
    }

    fn print_circles_of_files(&self) -> usize {
        let graph = self
            .imports
            .iter()
            .map(|(module, targets)| (module.clone(), targets.keys().cloned().collect()));
        let found = circles(&graph.collect());
        for circle in &found {
            let files: Vec<String> = circle.iter().map(|module| self.file(module)).collect();
            println!("{}: a circle of {} files: {}", self.name, circle.len(), files.join(", "));
            self.print_imports("  ", |module, target| {
                circle.contains(module) && circle.contains(target)
            });
        }
        found.len()
    }

    fn print_circles_of_folders(&self) -> usize {
        let mut count = 0;
        for level in self.levels().into_values() {
            let graph = level
                .into_iter()
                .map(|(node, targets)| (node, targets.into_iter().collect()))
                .collect();
            // A circle of files alone is found without folders.
            for circle in circles(&graph)
                .iter()
                .filter(|circle| circle.iter().any(|node| self.is_folder(node)))
            {
                count += 1;
                let folders: Vec<String> = circle.iter().map(|node| node.join("/")).collect();
                println!("{}: a circle of folders: {}", self.name, folders.join(", "));
                let part =
                    |module: &Module| circle.iter().position(|node| module.starts_with(node));
                self.print_imports("  ", |module, target| {
                    part(module).is_some() && part(target).is_some() && part(module) != part(target)
                });
            }
        }
        count
    }

    fn is_folder(&self, node: &Module) -> bool {
        !self.imports.contains_key(node)
            || self.imports.keys().any(|module| module != node && module.starts_with(node))
    }

    /// Returns, for each folder, the imports between its entries. An entry is a file, or a folder
    /// with everything in it; the file of the folder itself is none.
    fn levels(&self) -> BTreeMap<Module, BTreeMap<Module, BTreeSet<Module>>> {
        let mut levels: BTreeMap<Module, BTreeMap<Module, BTreeSet<Module>>> = BTreeMap::new();
        for (module, targets) in self.imports {
            for target in targets.keys() {
                let depth =
                    module.iter().zip(target).take_while(|(one, other)| one == other).count();
                if depth < module.len().min(target.len()) {
                    let (from, to) = (module[..=depth].to_vec(), target[..=depth].to_vec());
                    let level = levels.entry(module[..depth].to_vec()).or_default();
                    level.entry(to.clone()).or_default();
                    level.entry(from).or_default().insert(to);
                }
            }
        }
        levels
    }
}

/// The sets of more than one node that reach each other, sorted.
fn circles<N: Clone + Ord>(graph: &BTreeMap<N, Vec<N>>) -> BTreeSet<Vec<N>> {
    let mut reached: BTreeMap<&N, BTreeSet<&N>> = BTreeMap::new();
    for start in graph.keys() {
        let (mut found, mut waiting) = (BTreeSet::new(), vec![start]);
        while let Some(node) = waiting.pop() {
            let others = graph.get(node).into_iter().flatten();
            waiting.extend(others.filter(|other| found.insert(*other)));
        }
        reached.insert(start, found);
    }
    let reach = |from: &N, to: &N| reached.get(from).is_some_and(|others| others.contains(to));
    let circle = |node: &N| -> Vec<N> {
        let back = graph.keys().filter(|other| reach(node, other) && reach(other, node));
        back.cloned().collect()
    };
    graph.keys().map(circle).filter(|circle| circle.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a crate of these files has no circle.
    fn is_free(files: &[(&str, &str)]) -> bool {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join("src").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        run(&Options { list: true, folders: vec![folder.path().to_owned()] }).unwrap()
    }

    #[test]
    fn files_that_import_each_other_are_a_circle_also_by_macros_and_by_what_is_handed_on() {
        let lib = ("lib.rs", "mod a; mod b;");
        assert!(is_free(&[
            lib,
            ("a.rs", "pub fn f() {}"),
            ("b.rs", "use crate::a::f; fn g() { f() }")
        ]));
        assert!(!is_free(&[
            lib,
            ("a.rs", "use super::b::g; pub fn f() {}"),
            ("b.rs", "use crate::a::f; pub fn g() {}")
        ]));
        let macros = "pub fn g() { println!(\"{}\", crate::a::f()) }";
        assert!(!is_free(&[lib, ("a.rs", "pub fn f() { crate::b::g() }"), ("b.rs", macros)]));
        let by_module = "use super::b; pub fn f() { b::g() }";
        let from = |used| [lib, ("a.rs", by_module), ("b.rs", used)];
        assert!(is_free(&from("pub fn g() {}")));
        assert!(!is_free(&from("use crate::a; pub fn g() { a::f() }")));
        let root = ("lib.rs", "mod a; mod b; pub use b::g; #[cfg(windows)] pub use c::g;");
        assert!(!is_free(&[
            root,
            ("a.rs", "pub fn f() { crate::g() }"),
            ("b.rs", "pub fn g() { crate::a::f() }")
        ]));
    }

    #[test]
    fn tests_comments_and_texts_import_nothing() {
        let b = "//! [`crate::a::f`]\npub fn g() -> &'static str { \"crate::a::f\" }\n#[cfg(test)] mod tests { use crate::a::f; }";
        assert!(is_free(&[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::g; pub fn f() { g(); }"),
            ("b.rs", b)
        ]));
    }

    #[test]
    fn folders_whose_files_import_each_other_are_a_circle_even_if_no_files_are() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "mod c; mod d;"),
            ("a/c.rs", "use crate::b::e::e;"),
            ("a/d.rs", "pub fn d() {}"),
            ("b/mod.rs", "pub mod e; mod f;"),
            ("b/e.rs", "pub fn e() {}"),
            ("b/f.rs", "use crate::a::d::d;"),
        ];
        assert!(!is_free(&files));
    }
}
