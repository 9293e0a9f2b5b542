use super::find_program::ProgramSearch;
use super::languages::{Language, has_extension};
use super::source_text::{has, mentioned, words};
use super::tree::{depth, shown, stem_of};
use anygame::game::GameFiles;
use std::collections::BTreeSet;
use std::ffi::OsString;
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

impl<'l> ProgramSearch<'l, '_> {
    /// Finds the main source among those of one language. Returns it with the reason, which ends a
    /// sentence. What a source opens counts before its form and its name.
    pub(super) fn main_of<'p>(
        &self,
        language: &'l Language,
        files: &[&'p PathBuf],
    ) -> Result<(&'p PathBuf, String), String> {
        let is_given = |path: &&PathBuf| has_extension(path, &language.extensions);
        let given = shown(self.given.iter().filter(is_given));
        let beside = if given.is_empty() { given } else { format!("; handed out: {given}") };
        if let [only] = files {
            return Ok((only, beside));
        }
        let is_main = |path: &PathBuf| self.has_main(language, path);
        let mut pool: Vec<&'p PathBuf> = files.to_vec();
        if language.build.is_some() {
            pool.retain(|path| is_main(path));
            if pool.is_empty() {
                return Err(format!("none of these has a main function: {}", shown(files)));
            }
            if let [only] = pool[..] {
                return Ok((only, format!(": it alone has a main function{beside}")));
            }
        }
        let GameFiles { input, output, .. } = self.game.files;
        let read = |path: &&'p PathBuf| {
            let text = self.tree.text(path);
            let words = words(&text, language.comments);
            let names = [input, output].map(|file| {
                has(&words, file) || words.iter().any(|word| word.trim_matches('"').ends_with(file))
            });
            Source { path, names, mentioned: mentioned(&text, language.comments) }
        };
        let sources: Vec<Source> = files.iter().map(read).collect();
        let (to_input, to_output) = (leading_to(&sources, 0), leading_to(&sources, 1));
        let asked = self.asked(language);
        let by_thumb = |path: &'p PathBuf, why: &str| {
            Ok((
                path,
                format!(
                    ": by a rule of thumb, since {why} (call the program {asked} if it is another one){beside}"
                ),
            ))
        };
        let with_usual_name = |pool: &[&'p PathBuf]| {
            USUAL_NAMES.into_iter().chain([self.game.name]).find_map(|usual| {
                let mut named = pool.iter().copied().filter(|path| stem_of(path) == usual);
                let first = named.next()?;
                named.all(|other| depth(other) > depth(first)).then_some(first)
            })
        };
        const USUAL: &str = "main programs are often called so";
        if pool.iter().any(|path| to_input.contains(path) && to_output.contains(path)) {
            pool.retain(|path| to_input.contains(path) && to_output.contains(path));
            // In a compiled language each of these has a main function, also one that another
            // calls.
            if let Some(path) = with_usual_name(&pool).filter(|_| language.build.is_some()) {
                return by_thumb(path, USUAL);
            }
            let is_part = |path: &PathBuf| {
                let among = |source: &&Source| source.path != path && pool.contains(&source.path);
                sources.iter().filter(among).any(|source| source.mentions(path))
            };
            let whole: Vec<&'p PathBuf> =
                pool.iter().copied().filter(|path| !is_part(path)).collect();
            pool = if whole.is_empty() { pool } else { whole };
            if let [only] = pool[..] {
                return Ok((only, format!(": it alone leads to {input} and {output}{beside}")));
            }
        }
        if let Some(path) = with_usual_name(&pool) {
            return by_thumb(path, USUAL);
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
                !sources.iter().any(|source| source.path != path && source.mentions(path))
            }),
        ];
        for (why, holds) in rules {
            let found: Vec<&&PathBuf> = pool.iter().filter(|path| holds(path)).collect();
            if let [only] = found[..] {
                return by_thumb(only, why);
            }
        }
        Err(format!("which of these is the main program? {}; call it {}", shown(files), asked))
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
    /// The names of sources that it may mention.
    mentioned: BTreeSet<OsString>,
}

impl Source<'_> {
    fn mentions(&self, other: &Path) -> bool {
        other.file_stem().is_some_and(|stem| self.mentioned.contains(stem))
    }
}

/// Returns the sources that name the input file (0) or the output file (1), or lead to one that
/// does.
fn leading_to<'t>(sources: &[Source<'t>], file: usize) -> BTreeSet<&'t PathBuf> {
    let mut waiting: Vec<&PathBuf> =
        sources.iter().filter(|source| source.names[file]).map(|source| source.path).collect();
    let mut leading: BTreeSet<&PathBuf> = waiting.iter().copied().collect();
    while let Some(path) = waiting.pop() {
        for source in sources.iter().filter(|source| source.mentions(path)) {
            if leading.insert(source.path) {
                waiting.push(source.path);
            }
        }
    }
    leading
}
