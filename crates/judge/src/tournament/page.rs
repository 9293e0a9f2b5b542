//! The page of a tournament, with the ranking, the results and the games, and the replay pages in a
//! folder beside it.

use anygame::AnyGame;
use anyhow::{Context, Result};
use arena::record::{End, Record};
use arena::standings::{Row, Tally, rows};
use maud::{Markup, html};
use pages::markup::{self, address, table};
use pages::replay;
use std::collections::BTreeMap;
use std::path::Path;
use terminal::output::write_file;
use terminal::standings::{self, ASSUMED, are_rated};

const MAX_CROSS_TABLE: usize = 60;
const GAMES_PER_PAGE: usize = 100;

pub(super) fn write(path: &Path, game: &AnyGame, ends: &[End], record: &Record) -> Result<()> {
    let mut addresses = BTreeMap::new();
    if !record.games.is_empty() {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = format!("{stem}-games");
        let directory = path.with_file_name(&folder);
        std::fs::create_dir_all(&directory)
            .with_context(|| format!("{}: cannot be created", directory.display()))?;
        let numbers: Vec<u32> = record.games.keys().copied().collect();
        for (index, numbers) in numbers.chunks(GAMES_PER_PAGE).enumerate() {
            let file = format!("{}.html", index + 1);
            let page = replay::page_of(record, &format!("{stem}, part {}", index + 1), numbers)?;
            write_file(&directory.join(&file), &page)?;
            addresses.extend(numbers.iter().map(|number| (*number, address(&[&folder, &file]))));
        }
    }
    let (ranked, assumed) = rows(&record.header, ends);
    let rated = are_rated(ends.len());
    let body = html! {
        h1 { (game.title) ": " (ranked.len()) " players, " (ends.len()) " games" }
        h2 { "Ranking" }
        (ranking(game, &ranked, rated))
        @if rated && assumed { p.soft { (ASSUMED) } }
        @if ranked.len() <= MAX_CROSS_TABLE {
            h2 { "Who beat whom" }
            (cross_table(&ranked, ends))
        }
        h2 { "Games" }
        (games(game, ends, &addresses))
    };
    write_file(path, &markup::page(&format!("{}: a tournament", game.title), &body))
}

fn ranking(game: &AnyGame, ranked: &[Row], rated: bool) -> Markup {
    let figure = |heading: &str| (heading.to_string(), "figure");
    let text = |heading: &str| (heading.to_string(), "");
    let mut headings = vec![figure("place"), text("player"), figure("points"), figure("games")];
    if rated {
        headings.extend([figure("Elo"), figure("+/-")]);
    }
    headings.extend(game.sides.map(|side| figure(&format!("as {side}"))));
    headings.extend([figure("CPU s"), text("lost by")]);
    let rows = html! {
        @for player in ranked {
            @let faults: Vec<String> = player.faults.iter().map(|(word, count)| format!("{count} {word}")).collect();
            tr {
                td.figure { (player.place) }
                td.name { (player.name) }
                td.figure { (player.tally.points()) }
                td.figure { (player.tally.games()) }
                @if rated {
                    td.figure { (standings::figure(player.elo)) }
                    td.figure { (standings::figure(player.error)) }
                }
                @for tally in &player.by_side { td.figure { (tally.short()) } }
                td.figure { (format_args!("{:.1}", player.cpu)) }
                td.what { (faults.join(", ")) }
            }
        }
    };
    table("Ranking", &headings, &rows)
}

fn cross_table(ranked: &[Row], ends: &[End]) -> Markup {
    let mut tallies: BTreeMap<(&str, &str), Tally> = BTreeMap::new();
    for end in ends {
        for side in [0, 1] {
            let [own, other] = [side, 1 - side].map(|side| end.players[side].as_str());
            tallies.entry((own, other)).or_default().add(end.winner.map(|winner| winner == side));
        }
    }
    let mut headings = vec![("player".to_string(), "")];
    headings.extend((1..=ranked.len()).map(|rank| (rank.to_string(), "figure")));
    let class = |tally: &Tally| match tally.points() / f64::from(tally.games()) {
        part if part > 0.5 => "full",
        part if part < 0.5 => "none",
        _ => "part",
    };
    let rows = html! {
        @for (index, player) in ranked.iter().enumerate() {
            tr {
                td.name { (index + 1) ". " (player.name) }
                @for other in ranked {
                    @match tallies.get(&(player.name.as_str(), other.name.as_str())) {
                        Some(tally) => td.(class(tally)) { (tally.points()) " of " (tally.games()) },
                        None => td.open {},
                    }
                }
            }
        }
    };
    table("Who beat whom", &headings, &rows)
}

fn games(game: &AnyGame, ends: &[End], addresses: &BTreeMap<u32, String>) -> Markup {
    let [one, other] = game.sides;
    let headings = [
        ("game", "figure"),
        (one, ""),
        (other, ""),
        ("winner", ""),
        ("how", ""),
        ("plies", "figure"),
    ];
    let rows = html! {
        @for end in ends {
            tr {
                td.figure {
                    @match addresses.get(&end.game) {
                        Some(address) => a href={ (address) "#" (end.game) "/" (end.plies) } { (end.game) },
                        None => (end.game),
                    }
                }
                @for player in &end.players { td.name { (player) } }
                td { (end.winner.map_or("draw", |side| game.sides[side])) }
                td.what { (end.termination.to_string()) ": " (end.reason) }
                td.figure { (end.plies) }
            }
        }
    };
    table("Games", &headings, &rows)
}
