//! `judge rules`, and the section of a rules page that explains a message.

use crate::games::find;
use crate::games::name_parser;
use crate::output::print;
use anyhow::{Result, anyhow};
use clap::Args;

/// Options of `judge rules`.
#[derive(Args)]
pub struct RulesOptions {
    /// The game, or the folder of a game of your own
    #[arg(value_parser = name_parser())]
    pub game: String,
    /// Only this section, such as 'Addendum, rule 2'; the first words are enough
    pub section: Option<String>,
}

/// Prints a game's rules, or one section of them.
pub fn rules(options: &RulesOptions) -> Result<()> {
    let game = find(&options.game)?;
    let page = game
        .rules_page
        .ok_or_else(|| anyhow!("{}: this judge has no rules page for it", game.name))?;
    let Some(wanted) = &options.section else {
        print(page);
        return Ok(());
    };
    let start = wanted.to_lowercase();
    let found = sections(page).find(|(name, _)| name.to_lowercase().starts_with(&start));
    let (_, text) = found.ok_or_else(|| {
        let names: Vec<&str> = sections(page).map(|(name, _)| name).collect();
        anyhow!("section: expected one of: {}; found '{wanted}'", names.join("; "))
    })?;
    print(&format!("{}\n", text.trim_end()));
    Ok(())
}

/// A line that names the section which explains a message, if there is one.
pub fn pointer(game: &str, message: &str) -> String {
    section_about(game, message)
        .map_or(String::new(), |(name, _)| format!("the rule: judge rules {game} '{name}'\n"))
}

fn section_about(game: &str, message: &str) -> Option<(&'static str, &'static str)> {
    let page = find(game).ok()?.rules_page?;
    let name = section_for(page, message)?;
    sections(page).find(|(heading, _)| *heading == name)
}

/// The text of that section after its heading, if there is one.
pub fn explanation(game: &str, message: &str) -> String {
    section_about(game, message).map_or(String::new(), |(name, text)| {
        let text = text.split_once('\n').map_or("", |(_, text)| text).trim();
        format!("{name}:\n{text}\n")
    })
}

const MESSAGES: &str = "Messages";

fn section_for<'a>(page: &'a str, message: &str) -> Option<&'a str> {
    message_rows(page).find(|(words, _)| message.contains(words)).map(|(_, section)| section)
}

/// Words of a message, and the section that explains it.
fn message_rows(page: &str) -> impl Iterator<Item = (&str, &str)> {
    let table = sections(page).find(|(name, _)| *name == MESSAGES).map_or("", |(_, text)| text);
    let cells = table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "));
    // The first row names the columns.
    cells.skip(1)
}

fn sections(page: &str) -> impl Iterator<Item = (&str, &str)> {
    const MARK: &str = "\n## ";
    let starts = page.match_indices(MARK).map(|(index, _)| index + 1);
    starts.map(|start| {
        let text = &page[start..];
        let text = &text[..text.find(MARK).map_or(text.len(), |end| end + 1)];
        let name = text.lines().next().unwrap_or_default().trim_start_matches("## ");
        (name, text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_leads_to_a_section_that_is_there() {
        for game in games::all() {
            let page = game.rules_page.unwrap();
            assert!(message_rows(page).count() > 5, "{}", game.name);
            for (words, section) in message_rows(page) {
                assert!(
                    sections(page).any(|(name, _)| name == section),
                    "{}: {words}: {section}",
                    game.name
                );
            }
        }
    }

    #[test]
    fn a_message_is_about_the_first_section_whose_words_are_in_it() {
        let page = games::all()[0].rules_page.unwrap();
        for (message, section) in [
            (
                "a piece in the own camp can be played out of it, and must be (addendum, rule 2)",
                Some("Addendum, rule 2"),
            ),
            ("illegal move: there is no piece on 1,2 to jump over", Some("Jumps")),
            ("line 1: expected a square X,Y, found '1.2'", Some("The board")),
            ("line 1: expected 'E X,Y X,Y' or 'J X,Y X,Y', found 'foo'", Some("The files")),
            ("the moon is full", None),
        ] {
            assert_eq!(section_for(page, message), section);
        }
    }
}
