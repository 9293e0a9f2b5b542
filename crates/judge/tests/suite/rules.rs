//! Tests of `judge rules`: the rules pages, whose boards and examples are checked by the judge.

use crate::common::run;
use std::sync::LazyLock;
use testing::{Folder, assert_has, folder, repository};

static GAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    games::all().iter().filter(|game| game.rules_page.is_some()).map(|game| game.name).collect()
});

fn page(game: &str) -> String {
    run(".", &format!("rules {game}"), 0).stdout
}

/// The texts of a page that are set off by four blanks, without these.
fn blocks(page: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    for line in page.lines() {
        match line.strip_prefix("    ") {
            Some(line) => *blocks.last_mut().unwrap() += &format!("{line}\n"),
            None if blocks.last().unwrap().is_empty() => {}
            None => blocks.push(String::new()),
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

#[test]
fn the_example_of_each_page_is_what_the_judge_says() {
    let place = folder();
    for &game in GAMES.iter() {
        let page = page(game);
        let example = &page[page.find("## An example").unwrap()..];
        let [input, output, board] = &blocks(example)[..] else {
            panic!("{game}: expected three texts")
        };
        place.write("input.txt", input);
        place.write("output.txt", output);
        let check = format!("check {game} input.txt output.txt");
        run(&place, &check, 0).has([board]).lacks(["note:"]);
        // A refused move names the section that tells the rule.
        place.write("output.txt", "nonsense\n");
        run(&place, &check, 1).has([&format!("the rule: judge rules {game} 'The files'\n")]);
    }
}

#[test]
fn the_first_board_of_each_page_is_the_start() {
    for &game in GAMES.iter().filter(|&&game| game != "squirrels") {
        let start = repository("inputs").join(game).join("start.txt");
        let shown = run(".", &format!("show {game} '{}'", start.display()), 0).stdout;
        let board = blocks(&page(game))[0].clone();
        let shown =
            shown.strip_prefix("rules: base (others: --rules addendum)\n").unwrap_or(&shown);
        assert!(shown.starts_with(&board), "{game}:\n{shown}\n{board}");
    }
}

#[test]
fn a_section_is_found_by_its_first_words_and_a_wrong_one_lists_all() {
    let section = run(".", "rules halma 'addendum, rule 1'", 0).lacks(["rule 2"]).stdout;
    assert!(section.starts_with("## Addendum, rule 1\n"), "{section}");
    let told = run(".", "rules foxgeese castling", 2).stderr;
    assert_has(told, ["Forced captures; ", "found 'castling'\n"]);
}
