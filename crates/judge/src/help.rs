//! The help of the judge: its commands in groups, by who uses them.

use clap::Command;
use std::fmt::Write;

const GROUPS: [(&str, &[&str]); 5] = [
    (
        "Play and judge",
        &[
            "games",
            "check",
            "show",
            "perft",
            "match",
            "tournament",
            "merge",
            "table",
            "watch",
            "position",
            "rules-test",
            "solve",
            "homework-test",
        ],
    ),
    ("For students", &["try", "rules", "play", "analyse", "replay", "rerun"]),
    (
        "For teachers",
        &["intake", "grade", "grade-all", "grade-cases", "likeness", "autograder", "autograde"],
    ),
    ("Servers", &["league", "monitor", "puzzle"]),
    ("This machine", &["sandbox", "doctor"]),
];
/// The width of the column of names, and that of a line.
const NAMES: usize = 15;
const WIDTH: usize = 100;

/// Lists the subcommands in groups where the help would list them in a row.
pub(crate) fn grouped(command: Command) -> Command {
    let mut text = String::new();
    for (heading, names) in GROUPS {
        let _ = writeln!(text, "{heading}:");
        // A system may lack some of the commands.
        for command in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let _ = write!(text, "  {:<1$}", command.get_name(), NAMES - 2);
            text += &wrapped(&command.get_about().map(ToString::to_string).unwrap_or_default());
        }
        text.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}Options:\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

/// Breaks a text into lines that begin below each other, right of the names.
fn wrapped(text: &str) -> String {
    let (mut out, mut column) = (String::new(), NAMES);
    for word in text.split_whitespace() {
        if column > NAMES && column + 1 + word.len() > WIDTH {
            let _ = write!(out, "\n{:NAMES$}", "");
            column = NAMES;
        } else if column > NAMES {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += word.len();
    }
    out + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_command_is_in_one_group() {
        let command = crate::CommandLine::command();
        let mut known: Vec<&str> = command
            .get_subcommands()
            .filter(|one| !one.is_hide_set())
            .map(Command::get_name)
            .collect();
        let mut grouped: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        known.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(known, grouped);
    }
}
