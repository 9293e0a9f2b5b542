//! The pages of rules: every text of a board is shown as a board, and what can be played on is a
//! position.

use engine::{Examine, RuleSet};
use web::rules::page;

/// The values of an attribute in a page, without the escapes of HTML.
fn attributes(page: &str, name: &str) -> Vec<String> {
    let begin = format!(" {name}=\"");
    let values = page.split(&begin).skip(1).map(|rest| rest.split('"').next().unwrap());
    values
        .map(|value| value.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
        .collect()
}

fn check<G: Examine>() {
    let markdown = G::RULES_PAGE.unwrap();
    let page = page::<G>(markdown, &[(G::NAME, "this"), ("another", "another & more")]);
    let boards =
        |caption: &str| page.matches(&format!("<figcaption>{caption}</figcaption>")).count();
    // The start, or for Squirrels the board that its page begins with.
    assert_eq!(boards("The start") + boards("This board"), 1, "{}", G::NAME);
    assert_eq!(boards("The board after the move"), 1, "{}", G::NAME);
    assert_eq!(boards("The same on the board"), 1, "{}", G::NAME);
    let inputs = attributes(&page, "data-input");
    assert!(inputs.len() >= 2, "{}: the section of a rule has a board", G::NAME);
    for input in inputs {
        let position = G::read_task(&input, G::Rules::AGENT)
            .unwrap_or_else(|error| panic!("{}: {error}\n{input}", G::NAME))
            .position;
        assert!(position.legal_moves().len() >= usize::from(!input.contains("MOVES")), "{input}");
    }
    for section in markdown.lines().filter_map(|line| line.strip_prefix("## ")) {
        assert!(page.contains(&format!(">{section}</h2>")), "{}: {section}", G::NAME);
    }
    assert!(
        page.contains("another &amp; more") && !page.contains('{'),
        "{}: all fields are filled in",
        G::NAME
    );
    assert_eq!(
        page.matches("<symbol").count(),
        page.split("</defs>").next().unwrap().matches("<symbol").count()
    );
}

#[test]
fn boards_stand_in_place_of_texts() {
    macro_rules! checked {
        ($($game:ident,)*) => { $(check::<games::$game::Position>();)* };
    }
    games::each_game!(checked);
}
