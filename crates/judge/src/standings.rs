//! Results as text: lines, the figures of a match of two, the table of a tournament.

use crate::games::Kind;
use crate::ratings::{Cluster, Counts, Games, Pairs, Sprt, Verdict, ratings};
use crate::record::{End, Header};
use crate::referee::Termination;
use crate::schedule::Slot;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// Adds a game: won, lost or drawn.
    pub fn add(&mut self, won: Option<bool>) {
        match won {
            Some(true) => self.wins += 1,
            Some(false) => self.losses += 1,
            None => self.draws += 1,
        }
    }

    /// How many games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points: 1 for a win, 1/2 for a draw.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    fn short(&self) -> String {
        format!("{}-{}-{}", self.wins, self.draws, self.losses)
    }
}

/// `1-0` if the side that moves first has won, `0-1`, `1/2-1/2`, or `*` where there was nothing to win.
pub fn result_word(kind: &Kind, end: &End) -> &'static str {
    match end.winner {
        _ if end.termination == Termination::LegalMove => "*",
        None => "1/2-1/2",
        Some(side) if side == kind.first.index() => "1-0",
        Some(_) => "0-1",
    }
}

/// One line about a game that is over, the first mover named first.
pub fn game_line(kind: &Kind, total: usize, end: &End) -> String {
    let [one, other] = [kind.first, kind.first.other()].map(|side| &end.players[side.index()]);
    let result = result_word(kind, end);
    format!(
        "Finished game {} of {total} ({one} vs {other}): {result} {{{}}} {}, {} plies\n",
        end.game, end.reason, end.termination, end.plies
    )
}

/// A match of two, from the view of the first engine.
pub struct Duel {
    names: [String; 2],
    tally: Tally,
    pairs: Pairs,
    games: Games,
}

impl Duel {
    /// `None` if the header is not about two engines.
    pub fn new<'a>(header: &Header, ends: impl Iterator<Item = &'a End>) -> Option<Duel> {
        let [one, other] = &header.engines[..] else { return None };
        let mut tally = Tally::default();
        let mut open: BTreeMap<u32, usize> = BTreeMap::new();
        let mut pairs = Counts([0.0; 5]);
        for end in ends {
            let won = end.winner.map(|side| end.players[side] == one.name);
            tally.add(won);
            let half_points = won.map_or(1, |won| if won { 2 } else { 0 });
            match open.remove(&Slot::pair_of(end.game)) {
                Some(before) => pairs.0[before + half_points] += 1.0,
                None => {
                    open.insert(Slot::pair_of(end.game), half_points);
                }
            }
        }
        let games = Counts([tally.losses, tally.draws, tally.wins].map(f64::from));
        Some(Duel { names: [one.name.clone(), other.name.clone()], tally, pairs, games })
    }

    /// The log-likelihood ratio of the pairs that are complete.
    pub fn ratio(&self, sprt: &Sprt) -> f64 {
        if self.pairs.total() == 0.0 { 0.0 } else { sprt.ratio(&self.pairs) }
    }

    /// Score, Elo with error bars, pairs, and what the SPRT says. Of fewer than [`FEWEST_RATED`] games no Elo.
    pub fn text(&self, sprt: Option<&Sprt>) -> String {
        let [one, other] = &self.names;
        let Tally { wins, draws, losses } = self.tally;
        let count = self.tally.games();
        let score = self.tally.points() / f64::from(count.max(1));
        let mut text = format!("Score of {one} vs {other}: {wins} - {losses} - {draws} [{score:.3}] {count}\n");
        let enough = count >= FEWEST_RATED;
        text += &if enough { self.rating() } else { too_few(count) };
        if enough || sprt.is_some() {
            let counts = self.pairs.0;
            let _ = writeln!(
                text,
                "Pairs: {} of 0, 1/2, 1, 3/2, 2 points: [{}]",
                self.pairs.total(),
                counts.map(|count| count.to_string()).join(", ")
            );
        }
        text + &sprt.map_or(String::new(), |sprt| self.tested(sprt))
    }

    /// The line about Elo.
    fn rating(&self) -> String {
        let (estimate, by) = match self.pairs.estimate() {
            Some(estimate) => (Some(estimate), "pairs"),
            None => (self.games.estimate(), "games"),
        };
        let Some(estimate) = estimate else { return String::new() };
        format!(
            "Elo: {} +/- {}, nElo: {} +/- {}, LOS: {} % (95 %, by {by})\n",
            figure(estimate.elo),
            figure(estimate.elo_error),
            figure(estimate.normalized),
            figure(estimate.normalized_error),
            figure(100.0 * estimate.superiority)
        )
    }

    /// The line about the sequential test.
    fn tested(&self, sprt: &Sprt) -> String {
        let ratio = self.ratio(sprt);
        let (lower, upper) = sprt.bounds();
        let model = if sprt.logistic { "Elo" } else { "nElo" };
        let verdict = match sprt.verdict(ratio) {
            Verdict::Open => "undecided".to_string(),
            Verdict::H0 => format!("H0 accepted: the difference is {} {model} or less", sprt.elo0),
            Verdict::H1 => format!("H1 accepted: the difference is {} {model} or more", sprt.elo1),
        };
        let (elo0, elo1) = (sprt.elo0, sprt.elo1);
        format!("SPRT: LLR {ratio:.2} ({lower:.2}, {upper:.2}) [{elo0}, {elo1}] {model}: {verdict}\n")
    }
}

/// A match of fewer games has no rating: the results of so few are often all alike, and then no spread can be told.
const FEWEST_RATED: u32 = 10;

fn too_few(count: u32) -> String {
    format!("Too few games for a rating: {count}, and it takes {FEWEST_RATED}\n")
}

fn figure(value: f64) -> String {
    if value.is_nan() {
        "n/a".to_string()
    } else if value.is_infinite() {
        if value > 0.0 { "inf".to_string() } else { "-inf".to_string() }
    } else {
        // Not "-0.0".
        let tenths = (value * 10.0).round() / 10.0 + 0.0;
        format!("{tenths:.1}")
    }
}

/// The figures so far: of the match if two play, else the table.
pub fn summary(kind: &Kind, header: &Header, ends: &[End], sprt: Option<&Sprt>) -> String {
    match Duel::new(header, ends.iter()) {
        // The table says so.
        Some(_) if ends.is_empty() => String::new(),
        Some(duel) => duel.text(sprt),
        None => table(kind, header, ends),
    }
}

/// One engine's line of the table.
pub struct Row {
    /// Its name.
    pub name: String,
    /// Elo against the mean of all, and its 95 % error.
    pub elo: f64,
    /// Not a number where there is no telling.
    pub error: f64,
    /// All games.
    pub tally: Tally,
    /// By side, in the order of the game's side words.
    pub by_side: [Tally; 2],
    /// Games lost by a fault or at the move limit, by the word.
    pub faults: BTreeMap<Termination, u32>,
    /// CPU seconds in all games.
    pub cpu: f64,
}

/// The rows of the table, best first, and whether ratings rest on an assumption (see [`ratings`]).
pub fn rows(header: &Header, ends: &[End]) -> (Vec<Row>, bool) {
    let index_of = |name: &str| header.engines.iter().position(|engine| engine.name == name);
    let mut rows: Vec<Row> = header
        .engines
        .iter()
        .map(|engine| Row {
            name: engine.name.clone(),
            elo: 0.0,
            error: f64::NAN,
            tally: Tally::default(),
            by_side: Default::default(),
            faults: BTreeMap::new(),
            cpu: 0.0,
        })
        .collect();
    let mut clusters: BTreeMap<u32, Cluster> = BTreeMap::new();
    for end in ends {
        let (Some(one), Some(other)) = (index_of(&end.players[0]), index_of(&end.players[1])) else { continue };
        for (side, player) in [one, other].into_iter().enumerate() {
            let won = end.winner.map(|winner| winner == side);
            let row = &mut rows[player];
            row.tally.add(won);
            row.by_side[side].add(won);
            row.cpu += end.cpu[side];
            if won == Some(false) && end.termination != Termination::Normal {
                *row.faults.entry(end.termination).or_default() += 1;
            }
        }
        let points = end.winner.map_or(0.5, |side| if side == 0 { 1.0 } else { 0.0 });
        let cluster = clusters.entry(Slot::pair_of(end.game)).or_insert(Cluster {
            players: [one, other],
            score: 0.0,
            games: 0.0,
        });
        cluster.games += 1.0;
        cluster.score += if cluster.players[0] == one { points } else { 1.0 - points };
    }
    let clusters: Vec<Cluster> = clusters.into_values().collect();
    let (rated, assumed) = ratings(rows.len(), &clusters);
    for (row, rating) in rows.iter_mut().zip(rated) {
        (row.elo, row.error) = (rating.elo, rating.error);
    }
    rows.sort_by(|a, b| b.elo.total_cmp(&a.elo).then_with(|| a.name.cmp(&b.name)));
    (rows, assumed)
}

/// The table of a tournament. It holds no times, so that the same results give the same text.
pub fn table(kind: &Kind, header: &Header, ends: &[End]) -> String {
    if ends.is_empty() {
        return "No game is over yet: there is nothing to rate.\n".to_string();
    }
    let (rows, assumed) = rows(header, ends);
    let mut lines = vec![vec![
        "Rank".to_string(),
        "Name".to_string(),
        "Elo".to_string(),
        "+/-".to_string(),
        "Games".to_string(),
        "Score".to_string(),
        "W".to_string(),
        "D".to_string(),
        "L".to_string(),
        format!("as {}", kind.sides[0]),
        format!("as {}", kind.sides[1]),
        "Lost by".to_string(),
    ]];
    for (rank, row) in rows.iter().enumerate() {
        let Tally { wins, draws, losses } = row.tally;
        let share = 100.0 * row.tally.points() / f64::from(row.tally.games().max(1));
        let faults: Vec<String> = row.faults.iter().map(|(word, count)| format!("{count} {word}")).collect();
        lines.push(vec![
            (rank + 1).to_string(),
            row.name.clone(),
            figure(row.elo),
            figure(row.error),
            row.tally.games().to_string(),
            format!("{share:.1} %"),
            wins.to_string(),
            draws.to_string(),
            losses.to_string(),
            row.by_side[0].short(),
            row.by_side[1].short(),
            faults.join(", "),
        ]);
    }
    let mut text = aligned(&lines, &[1, 9, 10, 11]);
    let mut terminations: BTreeMap<Termination, u32> = BTreeMap::new();
    ends.iter().for_each(|end| *terminations.entry(end.termination).or_default() += 1);
    let counts: Vec<String> = terminations.iter().map(|(word, count)| format!("{word} {count}")).collect();
    let _ = writeln!(text, "{} games: {}", ends.len(), counts.join(", "));
    if assumed {
        text.push_str(
            "Some results are one-sided: for the ratings, each player is given one draw with an average one.\n",
        );
    }
    text
}

/// Columns padded to the widest cell, two blanks apart; those named stand left, all others right.
pub fn aligned(lines: &[Vec<String>], left: &[usize]) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let widths: Vec<usize> =
        (0..columns).map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for line in lines {
        let mut out = String::new();
        for (column, cell) in line.iter().enumerate() {
            let gap = " ".repeat(widths[column] - cell.chars().count());
            let (before, after) = if left.contains(&column) { ("", gap.as_str()) } else { (gap.as_str(), "") };
            let _ = write!(out, "{before}{cell}{after}  ");
        }
        text.push_str(out.trim_end());
        text.push('\n');
    }
    text
}
