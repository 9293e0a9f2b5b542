//! The table of languages: file names, build commands and run commands of each language.

use super::tree::has_extension;
use anyhow::{Result, anyhow, bail};
use arena::toml_text;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::Path;
use toml::Spanned;

/// The table that is part of the judge.
const BUILT_IN: &str = include_str!("../data/languages.toml");
/// The placeholders that commands may have.
const PLACEHOLDERS: [&str; 7] = ["main", "sources", "root", "class", "program", "result", "option"];

/// How comments begin in a language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Comments {
    /// Comments are not skipped.
    #[default]
    None,
    /// `//` to the end of the line, and `/*` to `*/`.
    C,
    /// `#` to the end of the line.
    Hash,
}

/// A language, or a kind of project file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Language {
    /// The name in tables and messages.
    pub name: String,
    /// The file names that a course asks for, the best one first.
    #[serde(default)]
    pub names: Vec<String>,
    /// Extensions of source files with other names.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Extensions of further source files that belong to a main source.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Names of project files, which say how to build a program.
    #[serde(default)]
    pub projects: Vec<String>,
    /// The languages that a project file may build.
    #[serde(default)]
    pub covers: Vec<String>,
    /// Words that only the main source has.
    #[serde(default)]
    pub main: String,
    /// How comments begin.
    #[serde(default)]
    pub comments: Comments,
    /// An interpreter name in the first line of a source that makes this its language.
    pub shebang: Option<String>,
    /// The language whose sources are tried as this one if they fail.
    pub after: Option<String>,
    /// The name of a file of JSON whose `main` or start script names the main source.
    pub manifest: Option<String>,
    /// Whether the compiler or interpreter refuses sources that are not UTF-8.
    #[serde(default)]
    pub utf8: bool,
    /// Whether files are named after their public class.
    #[serde(default)]
    pub classes: bool,
    /// The command that compiles a program.
    pub build: Option<String>,
    /// The texts for `{option}` in `build`, the usual one first. The others are tried where the
    /// compiler fails.
    #[serde(default)]
    pub options: Vec<String>,
    /// The command that starts the program for a turn.
    pub run: String,
    /// Compilers and interpreters that have to be installed.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Other names of the first of them, at the beginning of `run`, where it is not installed under
    /// its own.
    #[serde(default)]
    pub instead: Vec<String>,
    /// The option by which they print their version.
    pub version: Option<String>,
    /// Folders in which the built program of a project is searched.
    #[serde(default)]
    pub results: Vec<String>,
    /// The extension of built programs that are not executable files, such as jars.
    pub result_extension: Option<String>,
}

impl Language {
    /// Returns whether a file has the extension of a source of this language.
    pub(crate) fn has_source(&self, path: &Path) -> bool {
        has_extension(path, &self.extensions) || has_extension(path, &self.sources)
    }

    /// Returns whether a program may begin with a file: a source or a project file of this language,
    /// or a notebook.
    pub(crate) fn may_begin_with(&self, path: &Path) -> bool {
        has_extension(path, &["ipynb"])
            || self.has_source(path)
            || self.projects.iter().any(|name| path.ends_with(name))
    }

    /// Returns whether this is a kind of project file.
    pub(crate) fn is_project(&self) -> bool {
        !self.projects.is_empty()
    }
}

/// The table of languages.
#[derive(Clone, Debug)]
pub(crate) struct Languages {
    /// The languages; the first match counts.
    pub list: Vec<Language>,
    /// The text that the table was read from.
    pub text: String,
}

/// Returns the names of the languages of the built-in table, with a teacher's own before them.
///
/// # Errors
/// The file of own languages is bad.
pub fn language_names(own: Option<&Path>) -> Result<Vec<String>> {
    Ok(Languages::new(own)?.list.into_iter().map(|language| language.name).collect())
}

/// The contents of a file of languages.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct LanguageFile {
    #[serde(default)]
    language: Vec<Spanned<Language>>,
}

impl Languages {
    /// Returns the built-in table, with a teacher's own languages before it.
    pub(crate) fn new(own: Option<&Path>) -> Result<Languages> {
        let mut languages = Languages {
            list: parse("the judge's own languages", BUILT_IN)?,
            text: BUILT_IN.to_string(),
        };
        if let Some(path) = own {
            let text = toml_text::read(path)?;
            let mut list = parse(path.display(), &text)?;
            languages.list.retain(|known| list.iter().all(|new| new.name != known.name));
            list.append(&mut languages.list);
            languages.list = list;
            languages.text += &text;
        }
        for language in &languages.list {
            for covered in &language.covers {
                if languages.list.iter().all(|known| known.name != *covered) {
                    bail!(
                        "languages: '{}' covers '{covered}', which is not in the table",
                        language.name
                    );
                }
            }
        }
        Ok(languages)
    }

    /// Returns all compilers and interpreters that some language needs or can use.
    pub(crate) fn programs(&self) -> BTreeSet<&str> {
        let programs =
            self.list.iter().flat_map(|language| language.needs.iter().chain(&language.instead));
        programs.map(String::as_str).collect()
    }
}

/// Reads a file of languages.
fn parse(name: impl Display, text: &str) -> Result<Vec<Language>> {
    let table: LanguageFile = toml_text::parse(&name, text)?;
    let mut seen = BTreeSet::new();
    for language in &table.language {
        let (place, language) = (language.span().start, language.get_ref());
        let twice =
            if seen.insert(&language.name) { Ok(()) } else { Err(anyhow!("appears twice")) };
        twice.and_then(|()| check(language)).map_err(|error| {
            toml_text::at(&name, text, place, format!("language '{}': {error:#}", language.name))
        })?;
    }
    Ok(table.language.into_iter().map(Spanned::into_inner).collect())
}

/// Checks the commands and names of a language.
fn check(language: &Language) -> Result<()> {
    for (key, command) in [("build", language.build.as_deref()), ("run", Some(&*language.run))] {
        let Some(command) = command else { continue };
        let Some(words) = shlex::split(command) else { bail!("{key}: a quote is not closed") };
        if words.is_empty() {
            bail!("{key}: no command");
        }
        for piece in command.split('{').skip(1) {
            let name = piece.split('}').next().unwrap_or_default();
            if !PLACEHOLDERS.contains(&name) {
                bail!("{key}: expected {{{}}}, found '{{{name}}}'", PLACEHOLDERS.join("}, {"));
            }
        }
    }
    let named = language.names.iter().chain(&language.projects).any(|name| name.contains('/'));
    if named || language.name.is_empty() || !language.name.chars().all(arena::plain::is_plain) {
        bail!("names: expected plain text, and file names without folders");
    }
    if language.is_project() && language.results.is_empty() {
        bail!("results: expected the folders of the built program");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_table_is_valid_and_a_teachers_languages_come_first() {
        let own = Languages::new(None).unwrap();
        assert!(
            own.list
                .iter()
                .any(|language| language.name == "C++" && language.has_source(Path::new("a.CPP")))
        );
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("more.toml");
        std::fs::write(
            &path,
            "[[language]]\nname = \"Go\"\nextensions = [\"go\"]\nbuild = \"go build -o {program} {sources}\"\n\
             run = \"./{program}\"\n[[language]]\nname = \"Python\"\nextensions = [\"py\"]\nrun = \"pypy {main}\"\n",
        )
        .unwrap();
        let more = Languages::new(Some(&path)).unwrap();
        assert_eq!(more.list.len(), own.list.len() + 1);
        assert_eq!(more.list[0].name, "Go");
        assert_eq!(more.list.iter().filter(|language| language.name == "Python").count(), 1);
    }

    #[test]
    fn mistakes_in_a_table_are_named_with_their_line() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("more.toml");
        for (text, part) in [
            ("[[language]]\nname = \"Go\"\nrum = \"x\"\n", "more.toml:3: unknown field `rum`"),
            ("[[language]]\nname = \"Go\"\n", "more.toml:1: missing field `run`"),
            (
                "\n[[language]]\nname = \"Go\"\nrun = \"{mian}\"\n",
                "more.toml:2: language 'Go': run: expected {main}",
            ),
            ("[[language]]\nname = \"Go\"\nrun = \"'x\"\n", "a quote is not closed"),
            ("[[language]]\nname = \"Go\"\nrun = \"x\"\nprojects = [\"a/b\"]\n", "without folders"),
            (
                "[[language]]\nname = \"Go\"\nrun = \"x\"\ncovers = [\"Gopher\"]\n",
                "covers 'Gopher', which is not in the table",
            ),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = format!("{:#}", Languages::new(Some(&path)).unwrap_err());
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
