//! Finds the program among a submission's files: by the names that the course asks for, then by
//! project files, then by any source.

use crate::find::build_plan::{BuildPlan, MainSource, PROGRAM, is_calibration};
use crate::find::given::Given;
use crate::find::languages::{Language, Languages, has_extension};
use crate::find::source_text::{JavaSource, has, words};
use crate::find::tree::{Tree, depth, is_generated, shown, stem_of};
use crate::unpack::archives::foreign_format;
use crate::unpack::student_files::beginning_of;
use anygame::game::Interface;
use homework::Assignment;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) type PlansOrReason<'l> = Result<Vec<BuildPlan<'l>>, String>;

/// Advice about an archive that the judge does not unpack.
pub(crate) const BY_HAND: &str = "unpack it by hand into a folder, and run the intake on that";
pub(crate) const NOTHING: &str = "nothing was handed in";

pub(crate) fn find_program<'l>(
    tree: &Tree,
    languages: &'l Languages,
    assignment: &Assignment,
    given: &Given,
) -> PlansOrReason<'l> {
    let (name, interface) = (assignment.name(), assignment.interface());
    let mut search = ProgramSearch { tree, languages, name, interface, given: BTreeSet::new() };
    search.given = given.among(tree, |path| search.is_asked_for(path));
    let is_driver = |path: &Path| {
        let mut compiled = languages.list.iter().filter(|one| one.build.is_some());
        ["__main__", "main"].contains(&&*stem_of(path))
            || compiled.any(|one| one.has_source(path) && search.has_main(one, path))
    };
    let beside = tree.included.iter().filter(|path| !is_driver(path)).cloned();
    search.given.extend(beside.collect::<Vec<_>>());
    if let Some(plan) = search.with_function().or_else(|| search.adapted()) {
        return Ok(vec![plan]);
    }
    let mut first = search.named()?;
    if first.is_empty() {
        first = search.projects();
        let highest = first.first().map(|plan| plan.folder.clone());
        first.retain(|plan| Some(&plan.folder) == highest.as_ref());
    }
    if first.iter().any(|plan| !plan.language.is_project()) {
        return Ok(first);
    }
    match search.sources() {
        Ok(plans) => Ok([first, plans].concat()),
        Err(why) if first.is_empty() => Err(why),
        Err(_) => Ok(first),
    }
}

pub(super) struct ProgramSearch<'l, 't> {
    pub(super) tree: &'t Tree,
    pub(super) languages: &'l Languages,
    /// The name of the game or homework.
    pub(super) name: &'t str,
    pub(super) interface: &'t Interface,
    pub(super) given: BTreeSet<PathBuf>,
}

impl<'l, 't> ProgramSearch<'l, 't> {
    fn own_files(&self) -> impl Iterator<Item = &'t PathBuf> {
        let is_own = |path: &&PathBuf| !self.given.contains(*path) && !is_generated(path);
        self.tree.files.iter().filter(is_own)
    }

    /// Returns the plan for a source in Python with the function that the judge asks for moves.
    fn with_function(&self) -> Option<BuildPlan<'l>> {
        let function = self.interface.function_name()?;
        let is_python = |one: &&Language| one.extensions.iter().any(|own| own == "py");
        let language = self.languages.list.iter().find(is_python)?;
        let defines = |path: &&PathBuf| {
            let definition = format!("def {function} (");
            has_extension(path, &language.extensions)
                && has(&words(&self.tree.text(path), language.comments), &definition)
        };
        let order = |path: &&PathBuf| (is_test(path), !self.is_asked_for(path), depth(path));
        let source = self.own_files().filter(defines).min_by_key(order)?;
        let asked = format!("{} is asked for its moves by {function}()", source.display());
        let is_other =
            |path: &&PathBuf| *path != source && has_extension(path, &language.extensions);
        let mended = self.own_files().find(is_other).map(|_| asked);
        self.own_plans(language, source, mended.as_slice()).into_iter().next()
    }

    /// Returns the plan for a source with another interface than files, with the game's adapter.
    fn adapted(&self) -> Option<BuildPlan<'l>> {
        const FILE: &str = "adapter_of_the_course";
        let (tree, interface) = (self.tree, self.interface);
        if tree.files.iter().any(|path| tree.text(path).contains(interface.files.input)) {
            return None;
        }
        interface.adapters.iter().find_map(|adapter| {
            let is_its =
                |one: &&Language| one.extensions.iter().any(|own| own == adapter.extension);
            let language = self.languages.list.iter().find(is_its)?;
            let has_interface = |path: &&PathBuf| {
                has_extension(path, &language.extensions)
                    && has(&words(&tree.text(path), language.comments), adapter.words)
            };
            let source = self.own_files().find(has_interface)?;
            let name = source.file_name()?.to_str()?;
            let path = source.with_file_name(FILE).with_extension(adapter.extension);
            let class = match language.classes {
                true => JavaSource::read(&tree.text(source)).class(source),
                false => String::new(),
            };
            let own = adapter.source.replace("{file}", name).replace("{class}", &class);
            fs::write(tree.root.join(&path), own).ok()?;
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

    /// Returns the names of programs that are asked for in a language, the first choice first.
    fn names_of(&self, language: &'l Language) -> Vec<&'l str> {
        if self.interface.programs.is_empty() {
            return language.names.iter().map(String::as_str).collect();
        }
        // A language without extensions, such as C++11, is that of names that end like its usual
        // ones: `player11.cpp` like `homework11.cpp`.
        let ends = |language: &Language, name: &str| {
            let mut usual = language.names.iter().filter_map(|usual| usual.strip_prefix(PROGRAM));
            language.extensions.is_empty() && usual.any(|end| name.ends_with(end))
        };
        let is_own = |name: &&str| match self.languages.list.iter().find(|one| ends(one, name)) {
            Some(known) => known.name == language.name,
            None => has_extension(Path::new(name), &language.extensions),
        };
        self.interface.programs.iter().copied().filter(is_own).collect()
    }

    pub(super) fn asked(&self, language: &'l Language) -> &'l str {
        self.names_of(language).first().copied().unwrap_or("the name that was asked for")
    }

    fn is_asked_for(&self, path: &Path) -> bool {
        let own = name_of(path).to_lowercase();
        let mut names = self.languages.list.iter().flat_map(|language| self.names_of(language));
        names.any(|name| fits(&name.to_lowercase(), &own))
    }

    /// Returns the plans for a file with a name that is asked for, in upper or lower case.
    fn named(&self) -> PlansOrReason<'l> {
        let programs = self.interface.programs;
        for exact in [true, false] {
            let mut found: Vec<(&'l Language, &'l str, &PathBuf)> = Vec::new();
            for language in &self.languages.list {
                for name in self.names_of(language) {
                    let is_it = |path: &&PathBuf| {
                        let own = name_of(path);
                        let lower = || fits(&name.to_lowercase(), &own.to_lowercase());
                        (if exact { fits(name, own) } else { lower() }) && !is_test(path)
                    };
                    let files = self.own_files().filter(is_it);
                    found.extend(files.map(|path| (language, name, path)));
                }
            }
            // An empty file does not count beside one that is not.
            let is_empty = |path: &Path| self.tree.text(path).trim().is_empty();
            if found.iter().any(|(_, _, path)| !is_empty(path)) {
                found.retain(|(_, _, path)| !is_empty(path));
            }
            let Some(least) = found.iter().map(|(_, _, path)| depth(path)).min() else { continue };
            found.retain(|(_, _, path)| depth(path) == least);
            // Of several names that a game's course asks for, the first one counts.
            found.sort_by_key(|(_, name, _)| programs.iter().position(|asked| asked == name));
            let (language, name, _) = found[0];
            let of_first = |one: &&(&'l Language, &str, &PathBuf)| {
                one.0.name == language.name && one.1 == name
            };
            let main = match name.contains('*') {
                true => {
                    let fitting: Vec<_> =
                        found.iter().filter(of_first).map(|(_, _, path)| *path).collect();
                    self.main_of(language, &fitting)?
                }
                false => MainSource::certain(found[0].2, String::new()),
            };
            let path = main.path;
            let is_other = |other: &PathBuf| {
                other.extension() != path.extension() || other.parent() != path.parent()
            };
            if programs.is_empty() && found.iter().any(|(_, _, other)| is_other(other)) {
                let all = shown(found.iter().map(|(_, _, path)| path));
                return Err(format!("several programs: {all}; keep one of them"));
            }
            let is_around = |plan: &BuildPlan| {
                path.starts_with(&plan.folder) && plan.language.covers.contains(&language.name)
            };
            let mut plans = self.projects();
            plans.retain(|plan| language.build.is_some() && is_around(plan));
            plans.truncate(1);
            if name.contains('*') {
                let used = format!("{} is used as {name}{}", path.display(), main.why);
                plans.extend(self.plans(language, path, vec![used]));
                plans.extend(self.alternatives(language, &main));
                return Ok(plans);
            }
            // Where the first one does not build, another one may.
            for (language, name, path) in &found {
                let mut mended = Vec::new();
                if !exact {
                    mended.push(format!("{} is used as {name}", path.display()));
                }
                let others = found.iter().map(|(_, _, other)| *other).filter(|other| other != path);
                let others = shown(others);
                if !others.is_empty() {
                    mended.push(format!("{} is used, not {others}", path.display()));
                }
                plans.extend(self.plans(language, path, mended));
            }
            return Ok(plans);
        }
        Ok(Vec::new())
    }

    /// Returns the plans of all project files, the topmost first.
    fn projects(&self) -> Vec<BuildPlan<'l>> {
        let mut plans = Vec::new();
        for (place, language) in self.languages.list.iter().enumerate() {
            let is_project =
                |path: &&PathBuf| language.projects.iter().any(|known| known == name_of(path));
            for path in self.tree.files.iter().filter(is_project) {
                let mended = in_folder(path);
                let plan = BuildPlan::new(language, folder_of(path), name_of(path).into(), mended);
                plans.push((depth(path), place, plan));
            }
        }
        plans.sort_by_key(|(depth, place, _)| (*depth, *place));
        plans.into_iter().map(|(.., plan)| plan).collect()
    }

    fn sources(&self) -> PlansOrReason<'l> {
        let mut mains: Vec<(&'l Language, MainSource, usize)> = Vec::new();
        let mut why = None;
        for language in &self.languages.list {
            let is_source = |path: &&PathBuf| {
                has_extension(path, &language.extensions) && !is_calibration(path)
            };
            let mut files: Vec<&PathBuf> = self.own_files().filter(is_source).collect();
            if files.iter().any(|path| !is_test(path)) {
                files.retain(|path| !is_test(path));
            }
            if files.is_empty() {
                continue;
            }
            let in_manifest = self.manifest_main(language, &files);
            match in_manifest
                .map(|path| Ok(MainSource::certain(path, String::new())))
                .unwrap_or_else(|| self.main_of(language, &files))
            {
                Ok(main) => mains.push((language, main, files.len())),
                Err(found) => why = why.or(Some(found)),
            }
        }
        let least = mains.iter().map(|(_, main, _)| depth(main.path)).min();
        mains.retain(|(_, main, _)| Some(depth(main.path)) == least);
        match &mains[..] {
            [] => Err(why.unwrap_or_else(|| self.no_source())),
            [(language, main, count)] => {
                let MainSource { path, why, .. } = main;
                let of = if *count > 1 { format!(", of {count} sources") } else { String::new() };
                let (file, asked) = (path.display(), self.asked(language));
                let used = vec![format!("{file} is used as {asked}{of}{why}")];
                let plans = self.plans(language, path, used);
                Ok([plans, self.alternatives(language, main)].concat())
            }
            several => {
                let all = shown(several.iter().map(|(_, main, _)| main.path));
                let asked = several.iter().map(|(language, ..)| self.asked(language));
                let asked = asked.collect::<Vec<_>>().join(" or ");
                Err(format!("several programs: {all}; keep one, or call it {asked}"))
            }
        }
    }

    /// Returns the plans for the sources that a rule of thumb has not chosen.
    fn alternatives(&self, language: &'l Language, main: &MainSource) -> Vec<BuildPlan<'l>> {
        const MOST: usize = 3;
        let first = main.path.display();
        let plans = main.others.iter().take(MOST).flat_map(|path| {
            let used = format!(
                "{} is used as {}: it gets more right in the first runs than {first}, which a rule of \
                 thumb had chosen",
                path.display(),
                self.asked(language)
            );
            self.plans(language, path, vec![used])
        });
        plans.map(|plan| BuildPlan { alternative: true, ..plan }).collect()
    }

    /// Returns the main source that a manifest such as npm's `package.json` names.
    fn manifest_main<'p>(&self, language: &Language, files: &[&'p PathBuf]) -> Option<&'p PathBuf> {
        let manifest = self.manifest_above(language, None)?;
        let json: Value = serde_json::from_str(&self.tree.text(manifest)).ok()?;
        let started =
            json["scripts"]["start"].as_str().and_then(|line| line.split_whitespace().next_back());
        [json["main"].as_str(), started].into_iter().flatten().find_map(|named| {
            let mut path = folder_of(manifest).join(named.trim_start_matches("./"));
            if path.extension().is_none() {
                path.set_extension("js");
            }
            files.iter().find(|file| ***file == path).copied()
        })
    }

    /// Returns the topmost manifest of a language, in the folder of a source or above it.
    pub(super) fn manifest_above(
        &self,
        language: &Language,
        source: Option<&Path>,
    ) -> Option<&PathBuf> {
        let name = language.manifest.as_deref()?;
        self.tree.files.iter().find(|path| {
            path.ends_with(name)
                && !is_test(path)
                && source.is_none_or(|source| source.starts_with(folder_of(path)))
        })
    }

    fn no_source(&self) -> String {
        const ARCHIVES: [&str; 8] = ["7z", "gz", "tgz", "tar", "zip", "xz", "txz", "gzip"];
        const HANDED_IN: [(&str, &str); 3] =
            [("text.html", "a text"), ("onlinetext.html", "a text"), ("link.html", "a link")];
        let Tree { root, files, compiled, .. } = self.tree;
        for path in files {
            let beginning = beginning_of(&root.join(path)).unwrap_or_default();
            if let Some(format) = foreign_format(&path.to_string_lossy(), &beginning) {
                let file = path.display();
                return format!(
                    "{file}: the judge cannot unpack {format}: {BY_HAND}, or ask for a zip"
                );
            }
        }
        let of = |known: &[&str]| files.iter().find(|path| has_extension(path, known));
        if let Some(archive) = of(&ARCHIVES) {
            return format!("{}: {BY_HAND}", archive.display());
        }
        if let Some(notebook) = of(&["ipynb"]) {
            let file = notebook.display();
            return format!("{file} is a notebook without code of Python: save it as a program");
        }
        if !compiled.is_empty() {
            return format!("only compiled files: {}; ask for the source", shown(compiled));
        }
        if let [only] = &files[..]
            && let Some((name, kind)) = HANDED_IN.iter().find(|(name, _)| only.ends_with(name))
        {
            return format!("{kind} was handed in, and no file: look at {name}");
        }
        if files.is_empty() {
            return NOTHING.to_string();
        }
        if !self.given.is_empty() {
            let given = shown(&self.given);
            return format!("no program besides the files that were handed out: {given}");
        }
        format!("no program among the files: {}", shown(files))
    }
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Returns whether a name is one that is asked for, in which each `*` stands for any letters.
fn fits(asked: &str, name: &str) -> bool {
    let Some((begin, rest)) = asked.split_once('*') else { return asked == name };
    let Some(after) = name.strip_prefix(begin) else { return false };
    let places = after.char_indices().map(|(at, _)| at).chain([after.len()]);
    places.into_iter().any(|at| fits(rest, &after[at..]))
}

pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Returns whether a file belongs to a test, to an installed package or to what a build leaves.
pub(super) fn is_test(path: &Path) -> bool {
    const FOLDERS: [&str; 11] = [
        "node_modules",
        "site-packages",
        "test",
        "tests",
        "__tests__",
        "spec",
        "build",
        "dist",
        "target",
        "debug",
        "release",
    ];
    let stem = stem_of(path);
    folder_of(path)
        .iter()
        .any(|folder| FOLDERS.iter().any(|name| folder.eq_ignore_ascii_case(name)))
        || stem.starts_with("test_")
        || [".test", ".spec", "_test"].iter().any(|end| stem.ends_with(end))
}

pub(super) fn in_folder(path: &Path) -> Vec<String> {
    match folder_of(path) {
        folder if folder == Path::new("") => Vec::new(),
        folder => vec![format!("the program is in the folder {}", folder.display())],
    }
}
