//! What is told to a program that has read none of its input: which other files its sources name.

use crate::case::Case;
use crate::cases::files;
use crate::homework::Homework;
use arena::plain;
use arena::player::case::CasePlayer;
use engine::protocol::quote;
use std::fs;
use std::path::Path;

/// Endings of sources.
const SOURCES: [&str; 12] =
    ["py", "java", "cpp", "cc", "cxx", "c", "h", "hpp", "js", "mjs", "cjs", "rs"];
const MOST_FILES: usize = 200;
const LONGEST_SOURCE: u64 = 1 << 20;
const LONGEST_NAME: usize = 100;

impl Homework {
    /// Words for a program of this folder that has read no file of a case; empty if it has read
    /// one, or if the file system does not tell.
    pub(crate) fn unread(&self, case: &Case, home: Option<&Path>, player: &CasePlayer) -> String {
        let Some((input, _)) = case.finds.first() else { return String::new() };
        let known: Vec<&str> = case.finds.iter().map(|(name, _)| name.as_str()).collect();
        if !player.has_read_none(known.iter().copied()) {
            return String::new();
        }
        let is_own =
            |name: &str| known.contains(&name) || self.leaves.iter().any(|own| own == name);
        let other = home.and_then(|home| named_by_sources(home, input, is_own)).unwrap_or_default();
        format!(" (the program never read {}{other})", plain::shown(input))
    }
}

/// Words for the first file that the sources of a folder name. A link may lead to files that are
/// not the student's: it is not read.
fn named_by_sources(home: &Path, input: &str, is_own: impl Fn(&str) -> bool) -> Option<String> {
    let paths = files(home).ok()?;
    let is_source =
        |path: &&String| path.rsplit_once('.').is_some_and(|(_, ending)| SOURCES.contains(&ending));
    paths.iter().filter(is_source).take(MOST_FILES).find_map(|path| {
        let place = home.join(path);
        let data = fs::symlink_metadata(&place).ok()?;
        let is_read = data.is_file() && data.len() <= LONGEST_SOURCE;
        let text = is_read.then(|| fs::read_to_string(&place).ok())??;
        let name = named(&text, input, &is_own)?;
        Some(format!(", and {} names {}", plain::shown(path), quote(name)))
    })
}

/// The first file that a source names between quotes, with the ending of `input`.
fn named<'t>(text: &'t str, input: &str, is_own: impl Fn(&str) -> bool) -> Option<&'t str> {
    let (_, ending) = input.rsplit_once('.')?;
    let is_name = |part: &&str| {
        let own_ending = part.rsplit_once('.').map(|(_, ending)| ending);
        own_ending.is_some_and(|own| own.eq_ignore_ascii_case(ending))
            && part.len() <= LONGEST_NAME
            && !part.contains(char::is_whitespace)
            && !is_own(part)
    };
    text.split(['"', '\'']).skip(1).find(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_a_source_names_in_place_of_the_input_is_found() {
        let is_own = |name: &str| ["input.txt", "output.txt"].contains(&name);
        for (text, found) in [
            ("# don't: open('Input.txt')", Some("Input.txt")),
            ("std::ifstream in(\"data/input.TXT\");", Some("data/input.TXT")),
            ("open('input.txt'); open(\"output.txt\", 'w')", None),
            ("open('output.txt'); open('in.txt')", Some("in.txt")),
            ("open('my file.txt'); open('a.csv'); inputs.txt", None),
        ] {
            assert_eq!(named(text, "input.txt", is_own), found, "{text}");
        }
        assert_eq!(named("open('a.txt')", "input", is_own), None);
    }
    #[cfg(unix)]
    #[test]
    fn a_link_to_somebody_else_s_file_is_not_read() {
        let [home, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let secret = other.path().join("secret.py");
        fs::write(&secret, "open('solution.txt')").unwrap();
        std::os::unix::fs::symlink(&secret, home.path().join("a.py")).unwrap();
        let named = || named_by_sources(home.path(), "input.txt", |_| false);
        assert_eq!(named(), None);
        fs::write(home.path().join("b.py"), "open('Input.txt')").unwrap();
        assert_eq!(named().unwrap(), ", and b.py names 'Input.txt'");
    }
}
