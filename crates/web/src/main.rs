//! `rules-pages DIRECTORY`: writes the page of rules of each game that has one, `GAME.html`.

use engine::Examine;
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

/// The name, the title and the rules of a game, and what makes a page of them.
type Rules = (&'static str, &'static str, Option<&'static str>, fn(&str, &[(&str, &str)]) -> String);

fn rules_of<G: Examine>() -> Rules {
    (G::NAME, short_title(G::TITLE), G::RULES_PAGE, page::<G>)
}

/// Writes the pages of all games.
fn write(directory: &Path) -> std::io::Result<()> {
    macro_rules! rules {
        ($($game:ident,)*) => { [$(rules_of::<games::$game::Position>()),*] };
    }
    let all = games::each_game!(rules);
    let games: Vec<_> =
        all.iter().filter(|(.., text, _)| text.is_some()).map(|&(name, title, ..)| (name, title)).collect();
    for (name, _, text, page) in all {
        if let Some(text) = text {
            fs::write(directory.join(format!("{name}.html")), page(text, &games))?;
        }
    }
    Ok(())
}
