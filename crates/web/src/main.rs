//! `rules-pages DIRECTORY`: writes the page of rules of each game that has one, `GAME.html`, and
//! `pictures.json` with a picture of each game as SVG.

use engine::{Drawing, Examine, RuleSet};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};
use web::rules::{page, short_title};

fn main() -> ExitCode {
    let Some(directory) = env::args_os().nth(1) else {
        eprintln!("usage: rules-pages DIRECTORY");
        return ExitCode::from(2);
    };
    match write(Path::new(&directory)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", Path::new(&directory).display());
            ExitCode::FAILURE
        }
    }
}

/// The name, the title and the rules of a game, what makes a page of them, and the board of the
/// picture.
type Rules = (
    &'static str,
    &'static str,
    Option<&'static str>,
    fn(&str, &[(&str, &str)]) -> String,
    Option<Drawing>,
);

fn rules_of<G: Examine>() -> Rules {
    (G::NAME, short_title(G::TITLE), G::RULES_PAGE, page::<G>, board_of::<G>())
}

/// The start of a game; if it has no pieces, the board after some moves, each a third of the way
/// through the list.
fn board_of<G: Examine>() -> Option<Drawing> {
    const MOVES: usize = 7;
    let mut position = G::start(G::Rules::AGENT);
    if position.drawing(None)?.cells.iter().all(|cell| cell.piece.is_none()) {
        for _ in 0..MOVES {
            let moves = position.legal_moves();
            position.play(moves[moves.len() / 3]);
        }
    }
    position.drawing(None)
}

/// Writes the pages of all games.
fn write(directory: &Path) -> std::io::Result<()> {
    macro_rules! rules {
        ($($game:ident,)*) => { [$(rules_of::<games::$game::Position>()),*] };
    }
    let all = games::each_game!(rules);
    let games: Vec<_> = all
        .iter()
        .filter(|(_, _, text, ..)| text.is_some())
        .map(|&(name, title, ..)| (name, title))
        .collect();
    let mut pictures = Map::new();
    for (name, _, text, page, board) in all {
        if let Some(board) = board {
            pictures.insert(name.to_string(), json!(boards::picture(&board, &["", ""], None)));
        }
        if let Some(text) = text {
            fs::write(directory.join(format!("{name}.html")), page(text, &games))?;
        }
    }
    fs::write(directory.join("pictures.json"), Value::Object(pictures).to_string())
}
