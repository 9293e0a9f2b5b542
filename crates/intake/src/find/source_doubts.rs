//! Finds file names in a source that exist on its author's machine alone.

use crate::find::languages::{Comments, Language};
use crate::find::source_text::{pieces, read_beginning};
use anygame::game::GameFiles;
use std::path::{Path, PathBuf};

const MOST: usize = 4;

/// Returns a remark for each of the first few file names that a grader does not have.
pub(crate) fn source_doubts(
    root: &Path,
    files: &[PathBuf],
    language: &Language,
    of_game: GameFiles,
) -> Vec<String> {
    let mut remarks = Vec::new();
    for path in files.iter().filter(|path| language.has_source(path)) {
        let text = read_beginning(&root.join(path));
        for (number, line) in text.lines().enumerate() {
            for name in
                quoted(line, language.comments).into_iter().filter(|name| is_foreign(name, of_game))
            {
                let name = arena::plain::shown(&name.chars().take(80).collect::<String>());
                remarks.push(format!(
                    "{}:{}: '{name}': a grader leaves {} and reads {}, in the directory that the program starts in",
                    path.display(),
                    number + 1,
                    of_game.input,
                    of_game.output
                ));
            }
        }
    }
    remarks.truncate(MOST);
    remarks
}

/// Returns the contents of the strings of a line, without those in a comment.
fn quoted(line: &str, comments: Comments) -> Vec<&str> {
    let comment = match comments {
        Comments::None => "\0",
        Comments::C => "//",
        Comments::Hash => "#",
    };
    pieces(line, comment).into_iter().filter_map(|(_, inside)| inside).collect()
}

/// Returns whether a string is an absolute path, or another name for the files of a turn.
fn is_foreign(name: &str, of_game: GameFiles) -> bool {
    const PLACES: [&str; 8] =
        ["/home/", "/Users/", "/content/", "/mnt/", "/root/", "/tmp/", "~/", "/Volumes/"];
    let bytes = name.as_bytes();
    let is_drive = bytes.len() > 3
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && b"/\\".contains(&bytes[2]);
    if is_drive || PLACES.iter().any(|place| name.starts_with(place)) {
        return true;
    }
    let lower = name.to_lowercase();
    let is_text = lower.ends_with(".txt") && !lower.contains([' ', '%', '{']);
    let last = lower.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_a_turns = last.starts_with("input") || last.starts_with("output");
    is_text
        && (name.starts_with('/')
            || is_a_turns
                && ![of_game.input, of_game.output].contains(&name.trim_start_matches("./")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_only_the_author_s_machine_has_are_found() {
        for (line, comments, found) in [
            ("open('/home/eve/x/input.txt')", Comments::Hash, 1),
            ("open(\"C:\\\\hw\\\\board.txt\")", Comments::Hash, 1),
            ("open('Input.txt'), open(\"input1.txt\"), open('../input.txt')", Comments::Hash, 3),
            (
                "open('input.txt'), open('./output.txt', 'w'), open('playdata.txt')",
                Comments::Hash,
                0,
            ),
            ("# open('/home/eve/input.txt')", Comments::Hash, 0),
            ("x(\"/tmp/a\", \"the input is input.txt\"); // \"/tmp/b\"", Comments::C, 1),
            ("print('it is in /home/eve')", Comments::Hash, 0),
        ] {
            let names = quoted(line, comments);
            assert_eq!(
                names.iter().filter(|name| is_foreign(name, GameFiles::USUAL)).count(),
                found,
                "{line}: {names:?}"
            );
        }
    }
}
