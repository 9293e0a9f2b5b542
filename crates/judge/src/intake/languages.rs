//! The table of languages: what a program in each is called, how it is built and how it is run.

use crate::toml_text;
use anyhow::{Context, Error, Result, anyhow, bail};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;

/// The languages that are always there.
const OWN: &str = include_str!("../../data/languages.toml");
/// The placeholders that commands may have.
const PLACEHOLDERS: [&str; 6] = ["main", "sources", "root", "class", "program", "result"];

/// How comments begin in a language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Comments {
    /// There are none that matter.
    #[default]
    None,
    /// `//` to the end of the line, and `/*` to `*/`.
    C,
    /// `#` to the end of the line.
    Hash,
}

/// A language, or a kind of file that says how to build.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Language {
    /// What tables call it.
    pub name: String,
    /// The file names that a course asks for, the best one first.
    #[serde(default)]
    pub names: Vec<String>,
    /// Source files of any other name.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Source files that belong to a main source of a name that a course asks for.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Files that say by themselves how to build.
    #[serde(default)]
    pub projects: Vec<String>,
    /// The languages whose sources such a file is for.
    #[serde(default)]
    pub covers: Vec<String>,
    /// Words that the main source has.
    #[serde(default)]
    pub main: String,
    /// How comments begin.
    #[serde(default)]
    pub comments: Comments,
    /// A word in the first line of a source that makes it one of this language.
    #[serde(default)]
    pub shebang: Option<String>,
    /// Whether files are named after their public class.
    #[serde(default)]
    pub classes: bool,
    /// The command that compiles.
    #[serde(default)]
    pub build: Option<String>,
    /// The command that plays a turn.
    pub run: String,
    /// Programs that have to be there.
    #[serde(default)]
    pub needs: Vec<String>,
    /// How they are asked for their version.
    #[serde(default)]
    pub version: Option<String>,
    /// Folders in which a built program is looked for.
    #[serde(default)]
    pub results: Vec<String>,
    /// The extension of built programs that are not executable files by themselves.
    #[serde(default)]
    pub result_extension: Option<String>,
}

impl Language {
    /// Whether a file of this extension is one of its sources.
    pub(super) fn has_source(&self, path: &Path) -> bool {
        let Some(extension) = path.extension().and_then(|extension| extension.to_str()) else { return false };
        self.extensions.iter().chain(&self.sources).any(|known| known.eq_ignore_ascii_case(extension))
    }

    /// Whether it is a project file's: a kind of file that says how to build.
    pub(super) fn is_project(&self) -> bool {
        !self.projects.is_empty()
    }
}

/// The table.
#[derive(Clone, Debug)]
pub(super) struct Languages {
    /// The languages, the first that fits first.
    pub list: Vec<Language>,
    /// The text that the table was made of.
    pub text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Table {
    #[serde(default)]
    language: Vec<Language>,
}

impl Languages {
    /// The table, with a teacher's own languages before it.
    pub(super) fn new(own: Option<&Path>) -> Result<Languages> {
        let mut languages =
            Languages { list: parse(OWN).context("the judge's own table of languages")?, text: OWN.to_string() };
        if let Some(path) = own {
            let name = path.display();
            let text = engine::agent::files::read_input(path).with_context(|| format!("{name}: cannot be read"))?;
            let mut list = parse(&text).map_err(|error| anyhow!("{name}:{error:#}"))?;
            languages.list.retain(|known| list.iter().all(|new| new.name != known.name));
            list.append(&mut languages.list);
            languages.list = list;
            languages.text += &text;
        }
        for language in &languages.list {
            for covered in &language.covers {
                if languages.list.iter().all(|known| known.name != *covered) {
                    bail!("languages: '{}' covers '{covered}', which there is not", language.name);
                }
            }
        }
        Ok(languages)
    }

    /// All programs that any of them needs.
    pub(super) fn programs(&self) -> BTreeSet<&str> {
        self.list.iter().flat_map(|language| &language.needs).map(String::as_str).collect()
    }
}

/// The languages of a text; an error begins with its line.
fn parse(text: &str) -> Result<Vec<Language>> {
    let table: Table = toml_text::parse(text).map_err(Error::msg)?;
    let mut seen = BTreeSet::new();
    for language in &table.language {
        let line = 1 + text.lines().position(|line| line.contains(&format!("\"{}\"", language.name))).unwrap_or(0);
        check(language).map_err(|error| anyhow!("{line}: language '{}': {error:#}", language.name))?;
        if !seen.insert(&language.name) {
            bail!("{line}: language '{}' is there twice", language.name);
        }
    }
    Ok(table.language)
}

/// Whether a language makes sense.
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
        bail!("names are plain, and those of files without folders");
    }
    if language.is_project() && language.results.is_empty() {
        bail!("results: where is what it builds?");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_table_is_in_order_and_a_teacher_s_own_languages_come_first() {
        let own = Languages::new(None).unwrap();
        assert!(own.list.iter().any(|language| language.name == "C++" && language.has_source(Path::new("a.CPP"))));
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
            ("\n[[language]]\nname = \"Go\"\nrun = \"{mian}\"\n", "more.toml:3: language 'Go': run: expected {main}"),
            ("[[language]]\nname = \"Go\"\nrun = \"'x\"\n", "a quote is not closed"),
            ("[[language]]\nname = \"Go\"\nrun = \"x\"\nprojects = [\"a/b\"]\n", "without folders"),
            (
                "[[language]]\nname = \"Go\"\nrun = \"x\"\ncovers = [\"Gopher\"]\n",
                "covers 'Gopher', which there is not",
            ),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = format!("{:#}", Languages::new(Some(&path)).unwrap_err());
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
