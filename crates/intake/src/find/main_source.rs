//! Finds the main source among several of one language.

use crate::find::build_plan::MainSource;
use crate::find::find_program::{ProgramSearch, folder_of};
use crate::find::languages::{Language, has_extension};
use crate::find::python_imports::imports;
use crate::find::source_text::{has, mentioned, words};
use crate::find::tree::{depth, shown, stem_of};
use anygame::game::GameFiles;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The preferred names, after those that the course asks for.
const USUAL_NAMES: [&str; 13] = [
    "homework",
    "__main__",
    "main",
    "agent",
    "player",
    "my_agent",
    "myagent",
    "game",
    "run",
    "solution",
    "submission",
    "index",
    "app",
];

/// How sources read standard input, in some language.
const STANDARD_INPUT: [&str; 14] = [
    "stdin",
    "input (",
    "raw_input (",
    "fileinput",
    "cin > >",
    "cin ,",
    "getchar (",
    "scanf (",
    "gets (",
    "read (0",
    "System . in",
    "readFileSync (0",
    "readline",
    "STDIN_FILENO",
];

impl<'l> ProgramSearch<'l, '_> {
    /// Finds the main source among those of one language. One that another one imports is none.
    /// What a source opens counts before its form and its name; where programs talk by lines, or
    /// no source names the input file, what reads standard input.
    pub(super) fn main_of<'p>(
        &self,
        language: &'l Language,
        files: &[&'p PathBuf],
    ) -> Result<MainSource<'p>, String> {
        let is_given = |path: &&PathBuf| has_extension(path, &language.extensions);
        let given = shown(self.given.iter().filter(is_given));
        let beside = if given.is_empty() { given } else { format!("; handed out: {given}") };
        if let [only] = files {
            return Ok(MainSource::certain(only, beside));
        }
        let is_main = |path: &PathBuf| self.has_main(language, path);
        let mut pool: Vec<&'p PathBuf> = files.to_vec();
        if language.build.is_some() {
            pool.retain(|path| is_main(path));
            if pool.is_empty() {
                return Err(format!("none of these has a main function: {}", shown(files)));
            }
            if let [only] = pool[..] {
                let why = format!(": it alone has a main function{beside}");
                return Ok(MainSource::certain(only, why));
            }
        }
        let GameFiles { input, output, .. } = self.interface.files;
        let read = |path: &&'p PathBuf| {
            let text = self.tree.text(path);
            let words = words(&text, language.comments);
            let names = [input, output].map(|file| {
                has(&words, file) || words.iter().any(|word| word.trim_matches('"').ends_with(file))
            });
            let reads = STANDARD_INPUT.iter().any(|call| has(&words, call));
            Source { path, names, reads, imported: self.imported(language, path, files) }
        };
        let mut sources: Vec<Source> = files.iter().map(read).collect();
        let talks = self.interface.talks || sources.iter().all(|source| !source.names[0]);
        let leads = if talks && sources.iter().any(|source| source.reads) {
            sources.iter_mut().for_each(|source| source.names = [source.reads; 2]);
            "standard input".to_string()
        } else {
            format!("{input} and {output}")
        };
        let (to_input, to_output) = (leading_to(&sources, 0), leading_to(&sources, 1));
        let is_part = |path: &PathBuf| {
            let of = |source: &Source| source.path != path && source.imported.contains(path);
            let below = below(&sources, path);
            sources
                .iter()
                .any(|one| of(one) && pool.contains(&one.path) && !below.contains(one.path))
        };
        let is_copy = |path: &PathBuf| pool.iter().any(|other| is_copy_below(path, other));
        let first: Vec<&'p PathBuf> =
            pool.iter().copied().filter(|path| !is_part(path) && !is_copy(path)).collect();
        pool = if first.is_empty() { pool } else { first };
        if let [only] = pool[..] {
            let why = match to_input.contains(only) && to_output.contains(only) {
                true => format!(": it alone leads to {leads}{beside}"),
                false => format!(": all others are parts of it, or copies{beside}"),
            };
            return Ok(MainSource::certain(only, why));
        }
        let asked = self.asked(language);
        let by_thumb = |path: &'p PathBuf, pool: &[&'p PathBuf], why: &str| {
            let others = pool.iter().copied().filter(|other| *other != path).collect();
            let why = format!(
                ": by a rule of thumb, since {why} (call the program {asked} if it is another one){beside}"
            );
            Ok(MainSource { path, why, others })
        };
        let with_usual_name = |pool: &[&'p PathBuf]| {
            USUAL_NAMES.into_iter().chain([self.name]).find_map(|usual| {
                let mut named = pool.iter().copied().filter(|path| stem_of(path) == usual);
                let first = named.next()?;
                named.all(|other| depth(other) > depth(first)).then_some(first)
            })
        };
        const USUAL: &str = "main programs are often called so";
        if pool.iter().any(|path| to_input.contains(path) && to_output.contains(path)) {
            pool.retain(|path| to_input.contains(path) && to_output.contains(path));
            if let [only] = pool[..] {
                let why = format!(": it alone leads to {leads}{beside}");
                return Ok(MainSource::certain(only, why));
            }
        }
        if let Some(path) = with_usual_name(&pool) {
            return by_thumb(path, &pool, USUAL);
        }
        let rules: [(&str, Holds); 4] = [
            ("its name begins like that of a homework", &|path| {
                stem_of(path).starts_with("homework") || stem_of(path).starts_with("hw")
            }),
            ("it alone names the input file and the output file itself", &|path| {
                sources.iter().any(|source| source.path == path && source.names == [true; 2])
            }),
            ("it alone has a main function", &is_main),
            ("no other source mentions it", &|path| {
                !sources.iter().any(|one| one.path != path && one.imported.contains(path))
            }),
        ];
        for (why, holds) in rules {
            let found: Vec<&&PathBuf> = pool.iter().filter(|path| holds(path)).collect();
            if let [only] = found[..] {
                return by_thumb(only, &pool, why);
            }
        }
        Err(format!("which of these is the main program? {}; call it {}", shown(files), asked))
    }

    /// Returns the files that a source imports.
    fn imported<'p>(
        &self,
        language: &Language,
        path: &Path,
        files: &[&'p PathBuf],
    ) -> BTreeSet<&'p PathBuf> {
        let text = self.tree.text(path);
        if language.is_python() {
            let found = imports(&text);
            return found.iter().flat_map(|one| one.files(folder_of(path), files)).collect();
        }
        let stems = mentioned(&text, language.comments, language.classes);
        let is_named = |file: &&PathBuf| file.file_stem().is_some_and(|stem| stems.contains(stem));
        files.iter().copied().filter(is_named).collect()
    }

    pub(super) fn has_main(&self, language: &Language, path: &Path) -> bool {
        has(&words(&self.tree.text(path), language.comments), &language.main)
    }
}

type Holds<'f> = &'f dyn Fn(&PathBuf) -> bool;

struct Source<'t> {
    path: &'t PathBuf,
    /// Whether it names the input file, and the output file.
    names: [bool; 2],
    /// Whether it reads standard input.
    reads: bool,
    imported: BTreeSet<&'t PathBuf>,
}

/// Returns the sources that a source imports, and those that these import.
fn below<'t>(sources: &[Source<'t>], path: &PathBuf) -> BTreeSet<&'t PathBuf> {
    let imported = |path: &PathBuf| sources.iter().find(|source| source.path == path);
    let mut waiting: Vec<&PathBuf> =
        imported(path).into_iter().flat_map(|one| one.imported.iter().copied()).collect();
    let mut found = BTreeSet::new();
    while let Some(path) = waiting.pop() {
        if found.insert(path) {
            waiting.extend(imported(path).into_iter().flat_map(|one| one.imported.iter().copied()));
        }
    }
    found
}

/// Returns whether a file in a folder below that of another one is a copy of it by its name, such
/// as `old/hw 1 copy.py` and `old/hw1 (1).py` of `hw1.py`.
fn is_copy_below(path: &Path, other: &Path) -> bool {
    let plain = |path: &Path| {
        let mut name: String =
            stem_of(path).chars().filter(|sign| !" _-".contains(*sign)).collect();
        name = name.strip_prefix("copyof").unwrap_or(&name).to_string();
        if let Some((before, number)) = name.strip_suffix(')').and_then(|it| it.rsplit_once('('))
            && number.chars().all(|digit| digit.is_ascii_digit())
        {
            name = before.to_string();
        }
        let bare = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
        bare.strip_suffix("copy").map_or(name.clone(), str::to_string)
    };
    let (folder, above) = (folder_of(path), folder_of(other));
    folder != above
        && folder.starts_with(above)
        && path.extension() == other.extension()
        && plain(path) == plain(other)
}

/// Returns the sources that name the input file (0) or the output file (1), or lead to one that
/// does.
fn leading_to<'t>(sources: &[Source<'t>], file: usize) -> BTreeSet<&'t PathBuf> {
    let names: BTreeSet<&PathBuf> =
        sources.iter().filter(|source| source.names[file]).map(|source| source.path).collect();
    let leads =
        |path: &&'t PathBuf| names.contains(path) || !below(sources, path).is_disjoint(&names);
    sources.iter().map(|source| source.path).filter(leads).collect()
}
