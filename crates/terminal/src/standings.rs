//! Results as text: a line for each game, the figures of a match, the table of a tournament.

use anygame::AnyGame;
use arena::plain::counted;
use arena::player::exit::scarcity;
use arena::ratings::{Sprt, SprtVerdict};
use arena::record::{End, Header};
use arena::result::Termination;
use arena::standings::{Duel, Tally, rows};
use std::collections::BTreeMap;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// For tables: `1-0` if the side that moves first has won, or `*` for a single move.
pub fn result_word(game: &AnyGame, end: &End) -> &'static str {
    match end.winner {
        _ if end.termination == Termination::LegalMove => "*",
        None => "1/2-1/2",
        Some(side) if side == game.first.index() => "1-0",
        Some(_) => "0-1",
    }
}

/// One line about a finished game, with the first mover first.
pub fn game_line(game: &AnyGame, total: usize, end: &End) -> String {
    let [one, other] = [game.first, game.first.other()].map(|side| &end.players[side.index()]);
    let result = result_word(game, end);
    format!(
        "Finished game {} of {total} ({one} vs {other}): {result} {{{}}} {}, {}\n",
        end.game,
        end.reason,
        end.termination,
        counted(end.plies, "ply", "plies")
    )
}

/// The results of fewer games are often all alike and have no spread.
const FEWEST_RATED: u32 = 10;

/// Whether so many games are enough for ratings.
pub fn are_rated(games: usize) -> bool {
    games >= FEWEST_RATED as usize
}

/// For ratings that rest on an assumption (see [`ratings`](arena::ratings::ratings)).
pub const ASSUMED: &str = "Some results are one-sided: for the ratings, each player is given one draw with an average one.";

/// Score, Elo with error bars, pairs, and the state of the SPRT.
fn duel_text(duel: &Duel, sprt: Option<&Sprt>) -> String {
    let [one, other] = &duel.names;
    let Tally { wins, draws, losses } = duel.tally;
    let count = duel.tally.games();
    let score = duel.tally.points() / f64::from(count.max(1));
    let mut text =
        format!("Score of {one} vs {other}: {wins} - {losses} - {draws} [{score:.3}] {count}\n");
    let enough = count >= FEWEST_RATED;
    if enough {
        text += &rating(duel);
    } else {
        let _ = writeln!(text, "Too few games for a rating: {count}, and it takes {FEWEST_RATED}");
    }
    if enough || sprt.is_some() {
        let counts = duel.pairs.0;
        let _ = writeln!(
            text,
            "Pairs: {} of 0, 1/2, 1, 3/2, 2 points: [{}]",
            duel.pairs.total(),
            counts.map(|count| count.to_string()).join(", ")
        );
    }
    text + &sprt.map_or(String::new(), |sprt| tested(duel, sprt))
}

fn rating(duel: &Duel) -> String {
    let Some(estimate) = duel.pairs.estimate() else { return String::new() };
    format!(
        "Elo: {} +/- {}, nElo: {} +/- {}, LOS: {} % (95 %, by pairs)\n",
        figure(estimate.elo),
        figure(estimate.elo_error),
        figure(estimate.normalized),
        figure(estimate.normalized_error),
        figure(100.0 * estimate.superiority)
    )
}

fn tested(duel: &Duel, sprt: &Sprt) -> String {
    let ratio = duel.ratio(sprt);
    let (lower, upper) = sprt.bounds();
    let model = if sprt.logistic { "Elo" } else { "nElo" };
    let verdict = match sprt.verdict(ratio) {
        SprtVerdict::Open => "undecided".to_string(),
        SprtVerdict::H0 => format!("H0 accepted: the difference is {} {model} or less", sprt.elo0),
        SprtVerdict::H1 => format!("H1 accepted: the difference is {} {model} or more", sprt.elo1),
    };
    let (elo0, elo1) = (sprt.elo0, sprt.elo1);
    format!("SPRT: LLR {ratio:.2} ({lower:.2}, {upper:.2}) [{elo0}, {elo1}] {model}: {verdict}\n")
}

/// A rating with one decimal; `n/a` if the results do not determine it.
pub fn figure(value: f64) -> String {
    if value.is_nan() {
        return "n/a".to_string();
    }
    // Adding 0.0 turns -0.0 into 0.0.
    format!("{:.1}", (value * 10.0).round() / 10.0 + 0.0)
}

/// The match of two players, otherwise the table.
pub fn summary(game: &AnyGame, header: &Header, ends: &[End], sprt: Option<&Sprt>) -> String {
    match Duel::new(header, ends.iter()) {
        // [`table`] prints that no game is over.
        Some(_) if ends.is_empty() => String::new(),
        Some(duel) => duel_text(&duel, sprt) + &shortage(ends),
        None => table(game, header, ends) + &shortage(ends),
    }
}

/// A line for each player whom the machine gave much less than a processor.
fn shortage(ends: &[End]) -> String {
    let mut players: BTreeMap<&str, [f64; 2]> = BTreeMap::new();
    for end in ends {
        for (name, (cpu, waited)) in end.players.iter().zip(end.cpu.into_iter().zip(end.waited)) {
            let sums = players.entry(name).or_default();
            sums[0] += cpu;
            sums[1] += waited;
        }
    }
    let lines = players
        .into_iter()
        .filter_map(|(name, [cpu, waited])| Some(format!("{name}: {}\n", scarcity(cpu, waited)?)));
    lines.collect()
}

/// The table of a tournament, without times: equal results give equal text.
pub fn table(game: &AnyGame, header: &Header, ends: &[End]) -> String {
    if ends.is_empty() {
        return "No game is over yet: there is nothing to rate.\n".to_string();
    }
    let (rows, assumed) = rows(header, ends);
    let rated = are_rated(ends.len());
    let mut headings = vec!["Rank".to_string(), "Name".to_string()];
    if rated {
        headings.extend(["Elo", "+/-"].map(String::from));
    }
    headings.extend(["Games", "Score", "W", "D", "L"].map(String::from));
    headings.extend(game.sides.map(|side| format!("as {side}")));
    headings.push("Lost by".to_string());
    let columns = headings.len();
    let mut lines = vec![headings];
    for row in &rows {
        let Tally { wins, draws, losses } = row.tally;
        let games = row.tally.games();
        let share = 100.0 * row.tally.points() / f64::from(games.max(1));
        let faults = row.faults.iter().map(|(word, count)| format!("{count} {word}"));
        let mut line = vec![row.place.to_string(), row.name.clone()];
        if rated {
            line.extend([figure(row.elo), figure(row.error)]);
        }
        line.extend([games.to_string(), format!("{share:.1} %")]);
        line.extend([wins, draws, losses].map(|count| count.to_string()));
        line.extend(row.by_side.map(|tally| tally.short()));
        line.push(faults.collect::<Vec<_>>().join(", "));
        lines.push(line);
    }
    let mut text = aligned(&lines, &[1, columns - 3, columns - 2, columns - 1]);
    let mut terminations: BTreeMap<Termination, u32> = BTreeMap::new();
    ends.iter().for_each(|end| *terminations.entry(end.termination).or_default() += 1);
    let counts: Vec<String> =
        terminations.iter().map(|(word, count)| format!("{word} {count}")).collect();
    let _ = writeln!(text, "{} games: {}", ends.len(), counts.join(", "));
    if rows.windows(2).any(|pair| pair[0].place == pair[1].place) {
        text.push_str("Equal results share a rank.\n");
    }
    if rated && assumed {
        let _ = writeln!(text, "{ASSUMED}");
    }
    text
}

/// Pads columns as a terminal shows them, two blanks apart, right-aligned but for the columns
/// `left`.
pub fn aligned(lines: &[Vec<String>], left: &[usize]) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|column| lines.iter().map(|line| line[column].width()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for line in lines {
        let mut out = String::new();
        for (column, cell) in line.iter().enumerate() {
            let gap = " ".repeat(widths[column] - cell.width());
            let _ = match left.contains(&column) {
                true => write!(out, "{cell}{gap}  "),
                false => write!(out, "{gap}{cell}  "),
            };
        }
        text.push_str(out.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other_whatever_the_letters_are() {
        // Decomposed letters are one column wide, and letters of Chinese two.
        let names = ["Zo\u{eb}", "Zoe\u{308}", "\u{674e}\u{5c0f}\u{9f8d}", "Ann"];
        let lines: Vec<Vec<String>> =
            names.iter().map(|name| vec![(*name).to_string(), "7".to_string()]).collect();
        let text = aligned(&lines, &[0]);
        let places: Vec<usize> =
            text.lines().map(|line| line.trim_end_matches('7').width()).collect();
        assert_eq!(places, [8; 4], "{text}");
    }
}
