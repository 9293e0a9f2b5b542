//! Finds the program among a submission's files: first by the file names that the course asks for,
//! then by project files, then by any source.

use super::archives::foreign_format;
use super::build_plan::{BuildPlan, PROGRAM, is_calibration};
use super::given::Given;
use super::languages::{Language, Languages};
use super::main_source::{MainSearch, depth, has_main, main_of, mentioned};
use super::python_syntax::is_python;
use super::source_text::{JavaSource, has, read_beginning, shebang, words};
use super::tree::{Tree, shown};
use super::unpack::beginning_of;
use anygame::AnyGame;
use anygame::game::GameFiles;
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The plans to try, the best one first; or why there is none.
pub(crate) type PlansOrReason<'l> = Result<Vec<BuildPlan<'l>>, String>;

/// Advice for a teacher about an archive that the judge does not unpack.
pub(crate) const BY_HAND: &str = "unpack it by hand into a folder, and run the intake on that";
/// The words, in lower case, of a program in an interpreted language that does not find a file.
const MISSING_FILE: &str = "no such file or directory";
/// The same of a program in Python that does not find a module.
const MISSING_MODULE: &str = "no module named";
/// Why there is no program if there are no files.
pub(crate) const NOTHING: &str = "nothing was handed in";
/// Files that say how Gradle builds a program, which it cannot do without a network.
const GRADLE: [&str; 2] = ["build.gradle", "build.gradle.kts"];

/// Finds the plans that may build the submission's program, which is none of the `given` files.
pub(crate) fn find_program<'l>(
    tree: &Tree,
    languages: &'l Languages,
    game: &AnyGame,
    given: &Given,
) -> PlansOrReason<'l> {
    let mut search = ProgramSearch {
        tree,
        languages,
        game: game.name,
        programs: game.programs,
        files: game.files,
        given: BTreeSet::new(),
    };
    search.given = given.among(tree, |path| search.is_asked_for(path));
    if let Some(plan) = search.adapted(game) {
        return Ok(vec![plan]);
    }
    let (first, why) = match search.named() {
        Ok(plans) if !plans.is_empty() => (plans, None),
        Ok(_) => (search.projects(), None),
        Err(why) => return Err(why),
    };
    if !first.is_empty() && first.iter().any(|plan| !plan.language.is_project()) {
        return Ok(first);
    }
    // The build of a project may fail.
    match search.sources() {
        Ok(plans) => Ok(first.into_iter().chain(plans).collect()),
        Err(_) if !first.is_empty() => Ok(first),
        Err(found) => Err(why.unwrap_or(found)),
    }
}

/// A search for the program of a submission.
struct ProgramSearch<'l, 't> {
    tree: &'t Tree,
    languages: &'l Languages,
    game: &'t str,
    /// The names that the game's course asks for; empty for those of the languages.
    programs: &'static [&'static str],
    files: GameFiles,
    /// The files that were handed out.
    given: BTreeSet<PathBuf>,
}

impl<'l> ProgramSearch<'l, '_> {
    /// Returns the plan for a source that has another interface than files, with the adapter of the
    /// game beside it.
    fn adapted(&self, game: &AnyGame) -> Option<BuildPlan<'l>> {
        const FILE: &str = "adapter_of_the_course";
        let text = |path: &PathBuf| read_beginning(&self.tree.root.join(path));
        if self.tree.files.iter().any(|path| text(path).contains(game.files.input)) {
            return None;
        }
        game.adapters.iter().find_map(|adapter| {
            let language = self
                .languages
                .list
                .iter()
                .find(|one| one.extensions.iter().any(|own| own == adapter.extension))?;
            let has_interface = |path: &&PathBuf| {
                has_extension(language, path)
                    && has(&words(&text(path), language.comments), adapter.words)
            };
            let source = self
                .tree
                .files
                .iter()
                .filter(|path| !self.given.contains(*path))
                .find(has_interface)?;
            let name = source.file_name()?.to_str()?;
            let path = source.with_file_name(FILE).with_extension(adapter.extension);
            let class =
                if language.classes { class_of(source, &text(source)) } else { String::new() };
            let own = adapter.source.replace("{file}", name).replace("{class}", &class);
            fs::write(self.tree.root.join(&path), own).ok()?;
            let function = adapter.words.split_whitespace().nth_back(1).unwrap_or_default();
            let mended = format!(
                "{} is asked for its moves by {function}(), the interface of the course",
                source.display()
            );
            let mut plan = self.own_plans(language, &path, &[mended]).into_iter().next()?;
            plan.sources.retain(|other| other != source);
            if language.classes {
                // The adapter finds the class by its name when it runs.
                plan.sources.push(source.clone());
            }
            Some(plan)
        })
    }

    /// Returns the names of a language's programs that are asked for, the first choice first.
    fn names_of(&self, language: &'l Language) -> Vec<&'l str> {
        if self.programs.is_empty() {
            return language.names.iter().map(String::as_str).collect();
        }
        // A language without extensions of its own, such as C++11, is that of names that end like
        // its usual ones: `player11.cpp` like `homework11.cpp`.
        let ends = |language: &Language, name: &str| {
            let usual = language.names.iter().filter_map(|usual| usual.strip_prefix(PROGRAM));
            language.extensions.is_empty() && usual.into_iter().any(|end| name.ends_with(end))
        };
        let is_own = |name: &&str| match self.languages.list.iter().find(|one| ends(one, name)) {
            Some(known) => known.name == language.name,
            None => has_extension(language, Path::new(name)),
        };
        self.programs.iter().copied().filter(is_own).collect()
    }

    /// Returns whether a file has a name that the course asks for, in upper or lower case.
    fn is_asked_for(&self, path: &Path) -> bool {
        let own = name_of(path);
        self.languages.list.iter().any(|language| {
            self.names_of(language).iter().any(|name| own.eq_ignore_ascii_case(name))
        })
    }

    /// Returns the plans for a file with a name that the course asks for, in upper or lower case.
    fn named(&self) -> PlansOrReason<'l> {
        for exact in [true, false] {
            let mut found: Vec<(&'l Language, &'l str, &PathBuf)> = Vec::new();
            for language in &self.languages.list {
                for name in self.names_of(language) {
                    let is_it = |path: &&PathBuf| {
                        let own = name_of(path);
                        if exact { own == name } else { own.eq_ignore_ascii_case(name) }
                    };
                    let is_own = |path: &&PathBuf| {
                        is_it(path) && !is_test(path) && !self.given.contains(*path)
                    };
                    let files = self.tree.files.iter().filter(is_own);
                    found.extend(files.map(|path| (language, name, path)));
                }
            }
            // An empty file does not count beside one that is not.
            if found.iter().any(|(_, _, path)| !self.is_empty(path)) {
                found.retain(|(_, _, path)| !self.is_empty(path));
            }
            let Some(depth) = found.iter().map(|(_, _, path)| depth(path)).min() else { continue };
            found.retain(|(_, _, path)| super::main_source::depth(path) == depth);
            // Of several names that a game's course asks for, the first one counts.
            found.sort_by_key(|(_, name, _)| self.programs.iter().position(|asked| asked == name));
            let (language, _, path) = found[0];
            if self.programs.is_empty()
                && found.iter().any(|(_, _, other)| {
                    other.extension() != path.extension() || other.parent() != path.parent()
                })
            {
                let all: Vec<PathBuf> = found.iter().map(|(_, _, path)| (*path).clone()).collect();
                return Err(format!("several programs: {}; keep one of them", shown(&all)));
            }
            let around = language.build.as_ref().and_then(|_| self.project_of(language, path));
            let mut plans: Vec<BuildPlan> = around.into_iter().collect();
            // Where the first one does not build, another one may.
            for (language, name, path) in &found {
                let mut mended = Vec::new();
                if !exact {
                    mended.push(format!("{} is used as {name}", path.display()));
                }
                let others = found.iter().map(|(_, _, other)| (*other).clone());
                let others: Vec<PathBuf> = others.filter(|other| other != *path).collect();
                if !others.is_empty() {
                    mended.push(format!("{} is used, not {}", path.display(), shown(&others)));
                }
                plans.extend(self.plans(language, path, &mended));
            }
            return Ok(plans);
        }
        Ok(Vec::new())
    }

    /// Returns the plan of a project file for a source's language, in the source's folder or above
    /// it.
    fn project_of(&self, language: &Language, source: &Path) -> Option<BuildPlan<'l>> {
        let is_above = |plan: &BuildPlan| {
            source.starts_with(&plan.folder) && plan.language.covers.contains(&language.name)
        };
        self.all_projects().into_iter().find(is_above)
    }

    fn all_projects(&self) -> Vec<BuildPlan<'l>> {
        let mut plans = Vec::new();
        for path in &self.tree.files {
            let name = name_of(path);
            for language in &self.languages.list {
                if language.projects.iter().any(|known| known == name) {
                    let folder = path.parent().unwrap_or(Path::new(""));
                    plans.push(BuildPlan::new(
                        language,
                        folder,
                        PathBuf::from(name),
                        in_folder(path),
                    ));
                }
            }
        }
        let place = |plan: &BuildPlan| {
            self.languages.list.iter().position(|language| language.name == plan.language.name)
        };
        plans.sort_by_key(|plan| (plan.folder.components().count(), place(plan)));
        plans
    }

    /// Returns the plans of the project files in the topmost folder that has one.
    fn projects(&self) -> Vec<BuildPlan<'l>> {
        let mut plans = self.all_projects();
        if let Some(highest) = plans.first().map(|plan| plan.folder.clone()) {
            plans.retain(|plan| plan.folder == highest);
        }
        plans
    }

    /// Returns the plans for sources with any name.
    fn sources(&self) -> PlansOrReason<'l> {
        let mut mains: Vec<(&'l Language, PathBuf, usize, String)> = Vec::new();
        let mut why = None;
        for language in &self.languages.list {
            let is_source =
                |path: &&PathBuf| has_extension(language, path) && !is_calibration(path);
            let mut files: Vec<&PathBuf> = self
                .tree
                .files
                .iter()
                .filter(|path| is_source(path) && !self.given.contains(*path))
                .collect();
            if files.iter().any(|path| !is_test(path)) {
                files.retain(|path| !is_test(path));
            }
            let in_manifest =
                self.manifest_main(language, &files).map(|path| (path, String::new()));
            match in_manifest.map_or_else(|| main_of(&self.main_search(language), &files), Ok) {
                _ if files.is_empty() => {}
                Ok((path, why)) => mains.push((language, path.clone(), files.len(), why)),
                Err(found) => why = why.or(Some(found)),
            }
        }
        let least = mains.iter().map(|(_, path, ..)| depth(path)).min();
        mains.retain(|(_, path, ..)| Some(depth(path)) == least);
        match &mains[..] {
            [] => Err(why.unwrap_or_else(|| self.no_source())),
            [(language, path, count, why)] => {
                let of = if *count > 1 { format!(", of {count} sources") } else { String::new() };
                let asked = self.asked(language);
                Ok(self.plans(
                    language,
                    path,
                    &[format!("{} is used as {asked}{of}{why}", path.display())],
                ))
            }
            several => {
                let all: Vec<PathBuf> = several.iter().map(|(_, path, ..)| path.clone()).collect();
                let asked: Vec<&str> =
                    several.iter().map(|(language, ..)| self.asked(language)).collect();
                Err(format!(
                    "several programs: {}; keep one, or call it {}",
                    shown(&all),
                    asked.join(" or ")
                ))
            }
        }
    }

    /// Returns what is known for finding the main source in a language.
    fn main_search(&self, language: &'l Language) -> MainSearch<'_> {
        MainSearch {
            root: &self.tree.root,
            language,
            given: self
                .given
                .iter()
                .filter(|path| has_extension(language, path))
                .cloned()
                .collect(),
            game: self.game,
            files: self.files,
            asked: self.asked(language),
        }
    }

    /// Returns the main source that the language's manifest names, as npm's `package.json` does.
    fn manifest_main<'p>(&self, language: &Language, files: &[&'p PathBuf]) -> Option<&'p PathBuf> {
        let manifest = self.manifest_above(language, None)?;
        let json: Value =
            serde_json::from_str(&read_beginning(&self.tree.root.join(manifest))).ok()?;
        let started =
            json["scripts"]["start"].as_str().and_then(|line| line.split_whitespace().next_back());
        let folder = manifest.parent().unwrap_or(Path::new(""));
        [json["main"].as_str(), started].into_iter().flatten().find_map(|named| {
            let path = folder.join(named.trim_start_matches("./"));
            let with_extension =
                |path: &Path| path.extension().is_none().then(|| path.with_extension("js"));
            let path = with_extension(&path).unwrap_or(path);
            files.iter().find(|file| ***file == path).copied()
        })
    }

    /// Returns the topmost manifest of a language, of those in the folder of a source or above it
    /// if there is a source.
    fn manifest_above(&self, language: &Language, source: Option<&Path>) -> Option<&PathBuf> {
        let name = language.manifest.as_deref()?;
        self.tree.files.iter().find(|path| {
            let folder = path.parent().unwrap_or(Path::new(""));
            path.ends_with(name)
                && !is_test(path)
                && source.is_none_or(|source| source.starts_with(folder))
        })
    }

    /// Returns whether a file has nothing but blanks.
    fn is_empty(&self, path: &Path) -> bool {
        read_beginning(&self.tree.root.join(path)).trim().is_empty()
    }

    /// Returns the name that is asked for in a language.
    fn asked(&self, language: &'l Language) -> &'l str {
        self.names_of(language).first().copied().unwrap_or("the name that was asked for")
    }

    /// Returns the plans for a main source, also in the language that its first line names.
    fn plans(&self, language: &'l Language, path: &Path, mended: &[String]) -> Vec<BuildPlan<'l>> {
        let text = read_beginning(&self.tree.root.join(path));
        let mut plans = Vec::new();
        let is_named = |other: &&Language| {
            other
                .shebang
                .as_ref()
                .is_some_and(|word| shebang(&text).is_some_and(|own| own.starts_with(word)))
        };
        let mut mended = mended.to_vec();
        if let Some(other) = self.languages.list.iter().find(is_named) {
            let asked = shebang(&text).map(arena::plain::shown).unwrap_or_default();
            plans.extend(self.own_plans(other, path, &mended));
            mended.push(format!("its first line names {asked}, which is not used"));
        }
        let gradle = |path: &&PathBuf| GRADLE.iter().any(|name| path.ends_with(name));
        if let Some(gradle) = self.tree.files.iter().find(gradle).filter(|_| language.classes) {
            mended.push(format!(
                "{} is not used: Gradle needs a network, and builds have none",
                gradle.display()
            ));
        }
        plans.extend(self.own_plans(language, path, &mended));
        for other in
            self.languages.list.iter().filter(|other| other.after.as_ref() == Some(&language.name))
        {
            if plans.iter().all(|plan| plan.language.name != other.name) {
                plans.extend(self.own_plans(other, path, &mended));
            }
        }
        plans
    }

    /// Returns the plans for a main source in one language.
    fn own_plans(
        &self,
        language: &'l Language,
        path: &Path,
        mended: &[String],
    ) -> Vec<BuildPlan<'l>> {
        let around = path.parent().unwrap_or(Path::new(""));
        let Some(build) = &language.build else {
            let package = path.ends_with("__main__.py") && around != Path::new("");
            let main = if package { around } else { path };
            let manifest = self
                .manifest_above(language, Some(path))
                .map_or(main, |manifest| manifest.as_path());
            let folder = manifest.parent().unwrap_or(Path::new(""));
            let mended = [in_folder(&folder.join("main")), mended.to_vec()].concat();
            let mut plan = BuildPlan::new(
                language,
                folder,
                main.strip_prefix(folder).unwrap_or(main).to_owned(),
                mended,
            );
            plan.package = package && self.imports_itself(around);
            let has_others = folder != Path::new("")
                && self.tree.files.iter().any(|other| !other.starts_with(folder));
            let from_above = (has_others && !plan.package).then(|| {
                let mended = format!(
                    "{} is started from the folder above it, whose files it reads",
                    main.display()
                );
                let plan = BuildPlan::new(language, Path::new(""), main.to_owned(), vec![mended]);
                BuildPlan { retry_sign: Some(MISSING_FILE), ..plan }
            });
            let modules = self.module_folders(language, path);
            let with_modules = (!modules.is_empty()).then(|| {
                let named: Vec<PathBuf> =
                    modules.iter().map(|folder| Path::new(".").join(folder)).collect();
                let mended =
                    format!("{}: copied beside the program, which imports it", shown(&named));
                let mended = [plan.mended.clone(), vec![mended]].concat();
                BuildPlan { modules, mended, retry_sign: Some(MISSING_MODULE), ..plan.clone() }
            });
            return [plan].into_iter().chain(from_above).chain(with_modules).collect();
        };
        let mended = [in_folder(path), mended.to_vec()].concat();
        // A compiled program may have sources outside the folder of its main source.
        let others: Vec<&PathBuf> = self.tree.files.iter().filter(|other| *other != path).collect();
        let belongs = |other: &&&PathBuf| {
            language.has_source(other)
                && !is_calibration(other)
                && !is_test(other)
                && !has_main(&self.tree.root, language, other)
        };
        let parts: Vec<&PathBuf> = others.iter().filter(belongs).copied().collect();
        let beside = parts.iter().filter(|part| part.starts_with(around)).copied();
        let mut choices: Vec<Vec<&PathBuf>> = vec![beside.collect(), parts.clone(), Vec::new()];
        if language.classes {
            // The compiler finds the other sources by their packages, unless they lie in other
            // folders.
            choices = vec![
                Vec::new(),
                others.iter().filter(|other| language.has_source(other)).copied().collect(),
            ];
        } else if !build.contains("{sources}") {
            choices.truncate(1);
        }
        let mut seen = BTreeSet::new();
        let mut plans = Vec::new();
        for choice in choices {
            if !seen.insert(choice.clone()) {
                continue;
            }
            let mut mended = mended.clone();
            if !plans.is_empty() && choice.is_empty() && !language.classes {
                mended.push(format!("{} was compiled without the other sources", path.display()));
            }
            let mut plan = BuildPlan::new(language, Path::new(""), path.to_owned(), mended);
            plan.sources.extend(choice.into_iter().cloned());
            plans.push(plan);
        }
        plans
    }

    /// Returns whether a source of a Python package imports from the package by its name or
    /// relative to itself.
    fn imports_itself(&self, package: &Path) -> bool {
        let name = package.file_name().unwrap_or_default().to_string_lossy();
        let imports = [format!("from {name}"), format!("import {name}"), "from .".to_string()];
        let texts = self.tree.files.iter().filter(|path| {
            path.starts_with(package) && path.extension().is_some_and(|own| own == "py")
        });
        texts.map(|path| read_beginning(&self.tree.root.join(path))).any(|text| {
            text.lines()
                .any(|line| imports.iter().any(|import| line.trim_start().starts_with(import)))
        })
    }

    /// Returns the folders, other than that of a main source in Python, with modules and packages
    /// of a name that some source imports.
    fn module_folders(&self, language: &Language, main: &Path) -> BTreeSet<PathBuf> {
        let sources = || self.tree.files.iter().filter(|path| has_extension(language, path));
        let text = |path: &PathBuf| read_beginning(&self.tree.root.join(path));
        let imported: BTreeSet<OsString> =
            sources().flat_map(|path| mentioned(&text(path), language.comments)).collect();
        // Either the source is a module in its folder, or its folder is a package in the one above.
        let module = |path: &Path| {
            let is_imported = path.file_stem().is_some_and(|stem| imported.contains(stem));
            let folder = path.parent().filter(|_| is_imported)?;
            // Modules of a package are imported by the package's name.
            let is_package = self.tree.root.join(folder).join("__init__.py").exists();
            (!is_package && Some(folder) != main.parent()).then(|| folder.to_owned())
        };
        let folders = |path: &PathBuf| [module(path), path.parent().and_then(module)];
        sources().filter(|_| is_python(language)).flat_map(folders).flatten().collect()
    }

    /// Explains why there is no source.
    fn no_source(&self) -> String {
        const ARCHIVES: [&str; 8] = ["7z", "gz", "tgz", "tar", "zip", "xz", "txz", "gzip"];
        const HANDED_IN: [(&str, &str); 3] =
            [("text.html", "a text"), ("onlinetext.html", "a text"), ("link.html", "a link")];
        let extension =
            |path: &&PathBuf| path.extension().map(|own| own.to_string_lossy().to_lowercase());
        let archive = self
            .tree
            .files
            .iter()
            .find(|path| extension(path).is_some_and(|own| ARCHIVES.contains(&&*own)));
        let foreign = self.tree.files.iter().find_map(|path| {
            let beginning = beginning_of(&self.tree.root.join(path)).unwrap_or_default();
            foreign_format(&path.to_string_lossy(), &beginning).map(|format| (path, format))
        });
        if let Some((path, format)) = foreign {
            return format!(
                "{}: the judge cannot unpack {format}: {BY_HAND}, or ask for a zip",
                path.display()
            );
        }
        let notebook =
            self.tree.files.iter().find(|path| extension(path).is_some_and(|own| own == "ipynb"));
        let handed_in = match &self.tree.files[..] {
            [only] => HANDED_IN.into_iter().find(|(name, _)| only.ends_with(name)),
            _ => None,
        };
        match (archive, notebook, &self.tree.compiled[..], handed_in) {
            (Some(archive), ..) => {
                format!("{}: {BY_HAND}", archive.display())
            }
            (_, Some(notebook), ..) => {
                format!(
                    "{} is a notebook without code of Python: save it as a program",
                    notebook.display()
                )
            }
            (_, _, compiled @ [_, ..], _) => {
                format!("only compiled files: {}; ask for the source", shown(compiled))
            }
            (.., Some((name, kind))) => {
                format!("{kind} was handed in, and no file: look at {name}")
            }
            _ if self.tree.files.is_empty() => NOTHING.to_string(),
            _ if !self.given.is_empty() => {
                let given: Vec<PathBuf> = self.given.iter().cloned().collect();
                format!("no program besides the files that were handed out: {}", shown(&given))
            }
            _ => format!("no program among the files: {}", self.tree.shown()),
        }
    }
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

fn has_extension(language: &Language, path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    language.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// Returns whether a file belongs to a test or to an installed package, and so is no main source.
fn is_test(path: &Path) -> bool {
    const FOLDERS: [&str; 6] =
        ["node_modules", "site-packages", "test", "tests", "__tests__", "spec"];
    let stem =
        path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default();
    let mut folders = path.parent().into_iter().flatten();
    folders.any(|folder| FOLDERS.iter().any(|name| folder.eq_ignore_ascii_case(name)))
        || stem.starts_with("test_")
        || [".test", ".spec", "_test"].iter().any(|end| stem.ends_with(end))
}

/// Returns a note if the program lies in a folder.
fn in_folder(path: &Path) -> Vec<String> {
    match path.parent().filter(|folder| *folder != Path::new("")) {
        Some(folder) => vec![format!("the program is in the folder {}", folder.display())],
        None => Vec::new(),
    }
}

/// Returns the name of the class of a Java source with its package.
fn class_of(path: &Path, text: &str) -> String {
    let source = JavaSource::read(text);
    let stem = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let class = source.public.or(source.main).unwrap_or_else(stem);
    if source.package.is_empty() { class } else { format!("{}.{class}", source.package) }
}
