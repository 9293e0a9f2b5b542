//! Runs the commands of docs/students.md in an empty folder, and compares their output with the page.

use crate::common::namespaces_stand;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testing::{Folder, folder, needs, text};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn section(title: &str) -> String {
    let page = fs::read_to_string(repository().join("docs/students.md")).unwrap();
    let found = page.split("\n## ").find(|text| text.starts_with(title));
    found.unwrap_or_else(|| panic!("no section {title}")).to_string()
}

/// A step of the page.
enum Step {
    /// A command, and the lines that it prints.
    Command(String, Vec<String>),
    /// A file to be saved: its name, and its text.
    File(String, String),
}

/// The steps of a section: in blocks behind four blanks, lines after `$` are commands, and the others what is printed; a block
/// fenced as a diff names its file.
fn steps(section: &str) -> Vec<Step> {
    let mut found: Vec<Step> = Vec::new();
    let mut lines = section.lines().peekable();
    let mut is_session = false;
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("```diff ") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            found.push(Step::File(name.to_string(), text.join("\n") + "\n"));
        } else if let Some(command) = line.strip_prefix("    $ ") {
            let mut command = command.to_string();
            while command.ends_with('\\') {
                command += &format!("\n{}", lines.next().unwrap());
            }
            found.push(Step::Command(command, Vec::new()));
            is_session = true;
        } else if let (true, Some(printed)) =
            (is_session, line.strip_prefix("    ").or((line.is_empty()).then_some("")))
            && let Some(Step::Command(_, expected)) = found.last_mut()
        {
            expected.push(printed.to_string());
        } else {
            is_session = false;
        }
    }
    for step in &mut found {
        if let Step::Command(_, expected) = step {
            while expected.last().is_some_and(String::is_empty) {
                expected.pop();
            }
        }
    }
    found
}

/// A line without what differs from run to run: times and speeds, and the width of the gap before them.
fn plain(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_measured = |index: usize| {
        let unit = words.get(index + 1).is_some_and(|next| ["s", "s,", "nodes/s)"].contains(next));
        unit && words[index].trim_start_matches('(').parse::<f64>().is_ok() && words[0] != "clock:"
    };
    let words = words.iter().enumerate().map(|(index, word)| if is_measured(index) { "#" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether lines are as expected, where `...` stands for any number of them.
fn agree(expected: &[String], printed: &[String]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "..." => (0..=printed.len()).any(|from| agree(rest, &printed[from..])),
        Some((first, rest)) => printed.first() == Some(first) && agree(rest, &printed[1..]),
    }
}

/// Goes through sections of the page, one after the other, in one folder that was empty.
fn walk(titles: &[&str]) {
    needs("python3");
    // Students' folders have names like this one.
    let place = folder();
    let folder = place.join("hw2 (1), it's = mine");
    fs::create_dir(&folder).unwrap();
    let judge = Path::new(env!("CARGO_BIN_EXE_judge")).parent().unwrap();
    let path = format!("{}:{}", judge.display(), std::env::var("PATH").unwrap());
    for step in titles.iter().flat_map(|title| steps(&section(title))) {
        let (command, expected) = match step {
            Step::File(name, text) => {
                folder.write(name, text);
                continue;
            }
            Step::Command(command, expected) => (command, expected),
        };
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec 2>&1\n{command}")]).current_dir(&folder);
        let output = shell.env("MENAGERIE", repository()).env("PATH", &path).output().unwrap();
        let mut told = text(&output.stdout);
        assert!(output.status.success(), "{command}: {told}");
        if !namespaces_stand() {
            // The page's reader has them.
            told = told
                .lines()
                .filter(|line| !line.starts_with("warning: no namespaces"))
                .map(|line| format!("{line}\n"))
                .collect();
        }
        let [wanted, printed]: [Vec<String>; 2] =
            [expected.iter().map(|line| plain(line)).collect(), told.trim_end().lines().map(plain).collect()];
        assert!(agree(&wanted, &printed), "{command}\nprints:\n{told}\nthe page says:\n{}", expected.join("\n"));
    }
}

#[test]
fn the_page_leads_from_an_empty_folder_to_a_program_that_is_taken_and_each_line_is_printed_as_it_says() {
    walk(&["The first legal move", "The rules", "Before you hand it in"]);
}

#[test]
#[ignore = "needs patch"]
fn the_diffs_of_the_page_make_the_starter_a_search_step_by_step() {
    needs("patch");
    walk(&["The first legal move", "Search deeper"]);
}

#[test]
#[ignore = "takes a quarter of an hour"]
fn the_commands_that_grade_and_play_a_match_print_what_the_page_says() {
    walk(&["The first legal move", "Grade it and play matches"]);
}

#[test]
fn the_page_is_split_into_commands_with_their_lines() {
    let steps =
        steps("Title\n\n    $ a \\\n      b\n    x 0.5 s\n\n    ...\n\nText.\n\n    not a session\n\n    $ c\n");
    let [Step::Command(first, lines), Step::Command(second, none)] = &steps[..] else { panic!("two commands") };
    assert_eq!((first.as_str(), second.as_str(), none.len()), ("a \\\n      b", "c", 0));
    let printed = |text: &str| text.lines().map(plain).collect::<Vec<_>>();
    let lines = printed(&lines.join("\n"));
    assert!(agree(&lines, &printed("x   12.25 s\n\ny\nz")) && !agree(&lines, &printed("x 5 t\n\n")));
}
