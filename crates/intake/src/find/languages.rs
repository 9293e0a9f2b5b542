//! The table of languages.

use anyhow::{Result, anyhow, bail};
use arena::toml_text;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::Path;
use toml::Spanned;

const BUILT_IN: &str = include_str!("../../data/languages.toml");
const PLACEHOLDERS: [&str; 7] = ["main", "sources", "root", "class", "program", "result", "option"];

/// How comments begin in a language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Comments {
    #[default]
    None,
    /// `//` to the end of the line, and `/*` to `*/`.
    C,
    /// `#` to the end of the line.
    Hash,
}

/// A language, or a kind of project file. `data/languages.toml` says what each key means.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Language {
    pub name: String,
    #[serde(default)]
    pub names: Vec<String>,
    #[serde(default)]
    pub extensions: Vec<String>,
    #[serde(default)]
    pub sources: Vec<String>,
    #[serde(default)]
    pub projects: Vec<String>,
    #[serde(default)]
    pub covers: Vec<String>,
    #[serde(default)]
    pub main: String,
    #[serde(default)]
    pub comments: Comments,
    pub shebang: Option<String>,
    pub after: Option<String>,
    pub manifest: Option<String>,
    #[serde(default)]
    pub utf8: bool,
    #[serde(default)]
    pub classes: bool,
    pub build: Option<String>,
    #[serde(default)]
    pub options: Vec<String>,
    pub run: String,
    #[serde(default)]
    pub needs: Vec<String>,
    #[serde(default)]
    pub instead: Vec<String>,
    pub version: Option<String>,
    #[serde(default)]
    pub results: Vec<String>,
    pub result_extension: Option<String>,
}

impl Language {
    pub(crate) fn has_source(&self, path: &Path) -> bool {
        has_extension(path, &self.extensions) || has_extension(path, &self.sources)
    }

    /// Returns whether a program may begin with a file.
    pub(crate) fn may_begin_with(&self, path: &Path) -> bool {
        has_extension(path, &["ipynb"])
            || self.has_source(path)
            || self.projects.iter().any(|name| path.ends_with(name))
    }

    pub(crate) fn is_project(&self) -> bool {
        !self.projects.is_empty()
    }

    pub(crate) fn is_python(&self) -> bool {
        self.needs.first().is_some_and(|name| name.starts_with("python"))
    }
}

pub(crate) struct Languages {
    /// The first match counts.
    pub list: Vec<Language>,
    pub text: String,
}

/// Returns the names of all languages, those of a teacher's file first. Errors: the file is bad.
pub fn language_names(own: Option<&Path>) -> Result<Vec<String>> {
    Ok(Languages::new(own)?.list.into_iter().map(|language| language.name).collect())
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct LanguageFile {
    #[serde(default)]
    language: Vec<Spanned<Language>>,
}

impl Languages {
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

    /// Returns what some language needs or can use.
    pub(crate) fn programs(&self) -> BTreeSet<&str> {
        let programs =
            self.list.iter().flat_map(|language| language.needs.iter().chain(&language.instead));
        programs.map(String::as_str).collect()
    }
}

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

/// Returns whether a file has one of these extensions, in upper or lower case.
pub(crate) fn has_extension(path: &Path, known: &[impl AsRef<str>]) -> bool {
    let own = path.extension().unwrap_or_default();
    known.iter().any(|known| own.eq_ignore_ascii_case(known.as_ref()))
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
            let error = format!("{:#}", Languages::new(Some(&path)).err().unwrap());
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
