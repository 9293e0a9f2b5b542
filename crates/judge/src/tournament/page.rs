//! The page of a tournament: the ranking, who beat whom, and in a folder beside it the games.

use crate::markup::{self, address, escaped, row, table};
use crate::replay;
use crate::standings::figure;
use anyhow::{Context, Result};
use arena::AnyGame;
use arena::record::{End, Record};
use arena::standings::{Row, Tally, rows};
use engine::agent::files::write_atomically;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// More players than that have no table of all against all.
const MOST_CROSSED: usize = 60;
/// Games on one page of games.
const GAMES: usize = 100;

/// Writes the page. Without a record there are no games to lead to.
pub(super) fn write(path: &Path, game: &AnyGame, ends: &[End], record: &Record, moves: bool) -> Result<()> {
    let mut addresses = BTreeMap::new();
    if moves {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = format!("{stem}-games");
        let place = path.with_file_name(&folder);
        std::fs::create_dir_all(&place).with_context(|| format!("{}: cannot be made", place.display()))?;
        let numbers: Vec<u32> = record.games.keys().copied().collect();
        for (index, numbers) in numbers.chunks(GAMES).enumerate() {
            let file = format!("{}.html", index + 1);
            let page = replay::page_of(record, &format!("{stem}, part {}", index + 1), numbers)?;
            write_to(&place.join(&file), &page)?;
            addresses.extend(numbers.iter().map(|number| (*number, address(&[&folder, &file]))));
        }
    }
    let (ranked, assumed) = rows(&record.header, ends);
    let mut body = format!("<h1>{}: {} players, {} games</h1>\n", escaped(game.title), ranked.len(), ends.len());
    body += "<h2>Ranking</h2>\n";
    body += &ranking(game, &ranked);
    if assumed {
        body += "<p class=\"soft\">The results do not tie all players together; ratings between such groups are assumed.</p>\n";
    }
    if ranked.len() <= MOST_CROSSED {
        let _ = write!(body, "<h2>Who beat whom</h2>\n{}", crosses(&ranked, ends));
    }
    let _ = write!(body, "<h2>Games</h2>\n{}", games(game, ends, &addresses));
    write_to(path, &markup::page(&format!("{}: a tournament", game.title), &body))
}

fn write_to(path: &Path, text: &str) -> Result<()> {
    write_atomically(path, text).with_context(|| format!("{}: cannot be written", path.display()))
}

fn ranking(game: &AnyGame, ranked: &[Row]) -> String {
    let headings = [
        ("place".to_string(), "figure"),
        ("player".to_string(), "name"),
        ("points".to_string(), "figure"),
        ("games".to_string(), "figure"),
        ("Elo".to_string(), "figure"),
        ("+/-".to_string(), "figure"),
        (format!("as {}", game.sides[0]), "figure"),
        (format!("as {}", game.sides[1]), "figure"),
        ("CPU s".to_string(), "figure"),
        ("lost by".to_string(), "what"),
    ];
    let mut body = String::new();
    for (index, one) in ranked.iter().enumerate() {
        let faults: Vec<String> = one.faults.iter().map(|(word, count)| format!("{count} {word}")).collect();
        let cells = [
            (index + 1).to_string(),
            escaped(&one.name),
            one.tally.points().to_string(),
            one.tally.games().to_string(),
            figure(one.elo),
            figure(one.error),
            one.by_side[0].short(),
            one.by_side[1].short(),
            format!("{:.1}", one.cpu),
            faults.join(", "),
        ];
        body += &row(&cells, &headings.each_ref().map(|(_, class)| *class));
    }
    table("Ranking", &headings, &body)
}

/// The points of each against each.
fn crosses(ranked: &[Row], ends: &[End]) -> String {
    let mut tallies: BTreeMap<(&str, &str), Tally> = BTreeMap::new();
    for end in ends {
        for side in [0, 1] {
            let [own, other] = [side, 1 - side].map(|side| end.players[side].as_str());
            tallies.entry((own, other)).or_default().add(end.winner.map(|winner| winner == side));
        }
    }
    let mut headings = vec![("player".to_string(), "name")];
    headings.extend((1..=ranked.len()).map(|place| (place.to_string(), "figure")));
    let mut body = String::new();
    for (place, one) in ranked.iter().enumerate() {
        let mut cells = vec![format!("{}. {}", place + 1, escaped(&one.name))];
        let mut classes = vec!["name"];
        for other in ranked {
            match tallies.get(&(one.name.as_str(), other.name.as_str())) {
                Some(tally) => {
                    let part = tally.points() / f64::from(tally.games());
                    cells.push(format!("{} of {}", tally.points(), tally.games()));
                    classes.push(if part > 0.5 {
                        "full"
                    } else if part < 0.5 {
                        "none"
                    } else {
                        "part"
                    });
                }
                None => {
                    cells.push(String::new());
                    classes.push("open");
                }
            }
        }
        body += &row(&cells, &classes);
    }
    table("Who beat whom", &headings, &body)
}

fn games(game: &AnyGame, ends: &[End], addresses: &BTreeMap<u32, String>) -> String {
    let headings = [
        ("game", "figure"),
        (game.sides[0], "name"),
        (game.sides[1], "name"),
        ("winner", ""),
        ("how", "what"),
        ("plies", "figure"),
    ];
    let mut body = String::new();
    for end in ends {
        let number = match addresses.get(&end.game) {
            Some(address) => format!("<a href=\"{address}#{0}/{1}\">{0}</a>", end.game, end.plies),
            None => end.game.to_string(),
        };
        let winner = end.winner.map_or("draw", |side| game.sides[side]);
        let how = format!("{}: {}", end.termination, end.reason);
        let cells = [
            number,
            escaped(&end.players[0]),
            escaped(&end.players[1]),
            winner.to_string(),
            escaped(&how),
            end.plies.to_string(),
        ];
        body += &row(&cells, &headings.map(|(_, class)| class));
    }
    table("Games", &headings, &body)
}
