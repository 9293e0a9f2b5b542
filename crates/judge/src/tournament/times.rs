//! The table of `judge table --times`: the CPU time of the players, a move and of their clocks.

use anygame::{AnyGame, GameClock};
use arena::record::Record;
use engine::Side;
use pages::game_plot::turns_of;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The turns of a player: the CPU seconds of each, its game, and the moves before it.
type Turns = Vec<(f64, u32, u32)>;

/// Returns a line for each player: its moves, the mean and the longest CPU time of a move, and the
/// shares of its clock that it used, of a game's or of a move's: the mean and the largest.
pub(super) fn table(game: &AnyGame, record: &Record) -> String {
    let mut players: BTreeMap<&str, Vec<Turns>> = BTreeMap::new();
    for played in record.games.values() {
        for (side, name) in Side::BOTH.into_iter().zip(&played.start.players) {
            let turns = turns_of(game, played, side);
            let of_game = turns.map(|(ply, cpu)| (cpu, played.end.game, ply)).collect();
            players.entry(name).or_default().push(of_game);
        }
    }
    let width = players.keys().map(|name| name.chars().count()).max().unwrap_or(0).max(4);
    let mut text = format!(
        "{:width$}  {:>6}  {:>9}  {:>9}  {:<20}  Of the clock: mean, most\n",
        "Name", "Moves", "Mean CPU", "Most CPU", "In"
    );
    for (name, games) in players {
        let engine = record.header.engines.iter().find(|engine| engine.name == name);
        let seconds = |turns: &Turns| turns.iter().map(|(cpu, ..)| cpu).sum::<f64>();
        let shares: Vec<f64> = match engine.map(|engine| engine.clock) {
            Some(GameClock::Game(clock)) => {
                games.iter().map(|game| seconds(game) / clock).collect()
            }
            Some(GameClock::Single(clock)) => {
                games.iter().flatten().map(|(cpu, ..)| cpu / clock).collect()
            }
            None => Vec::new(),
        };
        let turns: Turns = games.into_iter().flatten().collect();
        let Some(&(most, game, ply)) = turns.iter().max_by(|one, other| one.0.total_cmp(&other.0))
        else {
            continue;
        };
        let mean = seconds(&turns) / turns.len() as f64;
        let place = format!("game {game}, ply {ply}");
        let share = 100.0 * shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        let largest = 100.0 * shares.iter().copied().fold(0.0, f64::max);
        let _ = writeln!(
            text,
            "{name:width$}  {:>6}  {mean:>7.3} s  {most:>7.3} s  {place:<20}  {share:.1} %, {largest:.1} %",
            turns.len()
        );
    }
    text
}
