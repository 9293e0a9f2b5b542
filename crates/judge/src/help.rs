//! The help of the judge: its commands in groups, by who uses them.

use clap::Command;
use std::fmt::Write;

/// The commands of each group, each with its page in docs/.
const GROUPS: [(&str, &[(&str, &str)]); 5] = [
    (
        "Play and judge",
        &[
            ("games", "judge"),
            ("check", "judge"),
            ("show", "judge"),
            ("perft", "judge"),
            ("match", "judge"),
            ("tournament", "judge"),
            ("merge", "scaling"),
            ("table", "judge"),
            ("watch", "judge"),
            ("position", "judge"),
            ("rules-test", "own-game"),
            ("solve", "own-game"),
            ("homework-test", "homework"),
        ],
    ),
    (
        "For students",
        &[
            ("try", "students"),
            ("rules", "students"),
            ("play", "browser"),
            ("analyse", "analysis"),
            ("replay", "judge"),
            ("rerun", "judge"),
        ],
    ),
    (
        "For teachers",
        &[
            ("intake", "class"),
            ("grade", "grading"),
            ("grade-all", "grading"),
            ("grade-cases", "grading"),
            ("likeness", "likeness"),
            ("autograder", "class"),
            ("autograde", "class"),
        ],
    ),
    ("Servers", &[("league", "league"), ("monitor", "foxgame"), ("puzzle", "foxgeese")]),
    ("This machine", &[("sandbox", "security"), ("doctor", "install")]),
];
/// The width of a line.
const WIDTH: usize = 100;

/// Lists the subcommands in groups where the help would list them in a row. The help of each ends
/// with its page.
pub(crate) fn grouped(mut command: Command) -> Command {
    let all = GROUPS.iter().flat_map(|(_, commands)| *commands);
    let column = all.map(|(name, _)| name.len()).max().unwrap_or_default() + 3;
    let mut text = String::new();
    for (heading, commands) in GROUPS {
        let _ = writeln!(text, "{heading}:");
        for (name, page) in commands {
            // A system may lack some of the commands.
            let Some(found) = command.find_subcommand_mut(name) else { continue };
            let _ = write!(text, "  {name:<0$}", column - 2);
            let about = found.get_about().map(ToString::to_string);
            text += &wrapped(&about.unwrap_or_default(), column);
            let help = found.get_after_help().map(|help| format!("{help}\n\n"));
            let help = format!("{}More: docs/{page}.md", help.unwrap_or_default());
            *found = std::mem::take(found).after_help(help);
        }
        text.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}Options:\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

/// Breaks a text into lines that all begin in one column.
fn wrapped(text: &str, begin: usize) -> String {
    let (mut out, mut column) = (String::new(), begin);
    for word in text.split_whitespace() {
        if column > begin && column + 1 + word.len() > WIDTH {
            let _ = write!(out, "\n{:begin$}", "");
            column = begin;
        } else if column > begin {
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
    fn every_command_is_in_one_group_and_its_page_is_there() {
        let command = crate::CommandLine::command();
        let mut known: Vec<&str> = command
            .get_subcommands()
            .filter(|one| !one.is_hide_set())
            .map(Command::get_name)
            .collect();
        let mut grouped: Vec<&str> =
            GROUPS.iter().flat_map(|(_, commands)| commands.iter().map(|one| one.0)).collect();
        known.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(known, grouped);
        for (name, page) in GROUPS.iter().flat_map(|(_, commands)| *commands) {
            let path = format!("{}/../../docs/{page}.md", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains(&format!("judge {name}")), "{path} has no word on judge {name}");
        }
    }
}
