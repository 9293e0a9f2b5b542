//! All positions of a small game whose rules are a program, by retrograde analysis, and the file
//! that keeps their results.

pub use super::contents::TABLE;
use super::program::RulesProgram;
use anyhow::{Context, Result, bail, ensure};
use rand::RngExt;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

const MAGIC: &str = "menagerie-solved-1";

/// The result with best play, where a side wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Won {
    /// The index of the side that wins.
    pub winner: usize,
    /// The plies to the end, if the winner hurries and the loser holds out.
    pub plies: u32,
}

/// The results of all positions that can come from the start, by the checksums of their states;
/// `None` where neither side can force a win.
#[derive(Debug, PartialEq)]
pub struct Solved(HashMap<u64, Option<Won>>);

impl Solved {
    /// The result of a state; the outer `None` is a state that cannot come from the start.
    pub fn of(&self, state: &str) -> Option<Option<Won>> {
        self.0.get(&engine::checksum(state.as_bytes())).copied()
    }

    /// The results of all positions, in no order.
    pub fn results(&self) -> impl Iterator<Item = Option<Won>> {
        self.0.values().copied()
    }

    /// The text of the file. `rules` is the digest of the rules.
    pub fn to_text(&self, rules: &str) -> String {
        let mut lines: Vec<(&u64, &Option<Won>)> = self.0.iter().collect();
        lines.sort_by_key(|&(key, _)| key);
        let mut text = String::new();
        for (key, won) in lines {
            let _ = match won {
                Some(Won { winner, plies }) => writeln!(text, "{key:016x} {winner} {plies}"),
                None => writeln!(text, "{key:016x}"),
            };
        }
        format!("{MAGIC} {rules} {:016x}\n{text}", engine::checksum(text.as_bytes()))
    }

    /// Reads the file of a folder, if there is one, for rules with this digest.
    pub fn read(folder: &Path, rules: &str) -> Result<Option<Solved>> {
        let path = folder.join(TABLE);
        if !path.exists() {
            return Ok(None);
        }
        let again = || {
            let (path, folder) = (path.display(), folder.display());
            format!("{path}: remove it, or make it again: judge solve {folder}")
        };
        let text = fs::read_to_string(&path).with_context(again)?;
        Solved::of_text(&text, rules).with_context(again).map(Some)
    }

    fn of_text(text: &str, rules: &str) -> Result<Solved> {
        let (first, lines) = text.split_once('\n').unwrap_or_default();
        let first: Vec<&str> = first.split(' ').collect();
        let [MAGIC, of_rules, checksum] = first[..] else { bail!("it is no table of judge solve") };
        ensure!(of_rules == rules, "the rules have changed since it was made");
        ensure!(
            checksum == format!("{:016x}", engine::checksum(lines.as_bytes())),
            "it is damaged"
        );
        let line = |line: &str| {
            let mut words = line.split(' ');
            let key = u64::from_str_radix(words.next()?, 16).ok()?;
            let mut number = || words.next().map(str::parse::<u32>);
            let won = match (number(), number()) {
                (Some(Ok(winner @ 0..=1)), Some(Ok(plies))) => {
                    Some(Won { winner: winner as usize, plies })
                }
                (None, None) => None,
                _ => return None,
            };
            Some((key, won))
        };
        lines.lines().map(line).collect::<Option<_>>().map(Solved).context("it is damaged")
    }
}

/// An estimate of the work of solving a game, from random games.
pub struct Estimate {
    /// Positions, of each ply by how often random games meet in the same one, as in the birthday
    /// problem. There may be more: random games prefer some positions.
    pub positions: f64,
    /// Whether at some ply no two games met, so that there may be far more.
    pub is_least: bool,
    /// The seconds for this number of positions.
    pub seconds: f64,
    /// The random games.
    pub games: usize,
}

/// Plays random games of at most `most_plies` for some time.
pub fn estimate(
    program: &RulesProgram,
    most_plies: u32,
    time: Duration,
    random: &mut impl RngExt,
) -> Result<Estimate> {
    let mut plies: Vec<HashMap<u64, f64>> = Vec::new();
    let (begin, mut games, mut turns, mut moves) = (Instant::now(), 0, 0.0, 0.0);
    while begin.elapsed() < time {
        let mut state = program.start(None)?;
        for ply in 0..=most_plies as usize {
            plies.resize_with(plies.len().max(ply + 1), HashMap::new);
            *plies[ply].entry(engine::checksum(state.as_bytes())).or_default() += 1.0;
            let view = program.view(&state)?;
            (turns, moves) = (turns + 1.0, moves + view.moves.len() as f64);
            if view.moves.is_empty() {
                break;
            }
            state = program.play(&state, &view.moves[random.random_range(..view.moves.len())])?;
        }
        games += 1;
    }
    let pairs = |count: f64| count * (count - 1.0) / 2.0;
    let of_ply = |seen: &HashMap<u64, f64>| {
        let met: f64 = seen.values().copied().map(pairs).sum();
        (pairs(seen.values().sum()) / met.max(1.0)).max(seen.len() as f64)
    };
    let different: HashSet<&u64> = plies.iter().flat_map(HashMap::keys).collect();
    let of_plies = plies.iter().map(of_ply);
    // Where positions come again at another ply, those of one ply stand for all.
    let positions = match different.len() == plies.iter().map(HashMap::len).sum::<usize>() {
        true => of_plies.sum(),
        false => of_plies.fold(different.len() as f64, f64::max),
    };
    let is_least = plies.iter().any(|seen| seen.len() > 1 && seen.values().all(|&n| n < 2.0));
    // Of each turn the rules were asked for its view and for one move.
    let request = begin.elapsed().as_secs_f64() / (2.0 * turns);
    let seconds = positions * request * (1.0 + moves / turns);
    Ok(Estimate { positions, is_least, seconds, games })
}

/// Of each position the side to move and, at an end, the winner; and the moves as positions before
/// and after.
#[derive(Default)]
struct Graph {
    turns: Vec<usize>,
    ends: Vec<Option<Option<usize>>>,
    moves: Vec<(u32, u32)>,
}

/// Finds all positions and the result of each. `tell` gets how many are known with their moves, and
/// how many were found, and says whether to go on. An error if there are more than `most`.
pub fn solve(
    program: &RulesProgram,
    most: usize,
    tell: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Option<Solved>> {
    let (mut graph, mut states) = (Graph::default(), vec![program.start(None)?]);
    let mut numbers = HashMap::from([(states[0].clone(), 0)]);
    while graph.turns.len() < states.len() {
        let at = graph.turns.len();
        if !tell(at, states.len()) {
            return Ok(None);
        }
        let view = program.view(&states[at])?;
        ensure!(!view.some, "the rules list only some moves: the others cannot be tried");
        ensure!(view.together.is_none(), "both sides move at the same time: no move is best alone");
        for mv in &view.moves {
            let after = program.play(&states[at], mv)?;
            let number = *numbers.entry(after).or_insert_with_key(|after| {
                states.push(after.clone());
                states.len() as u32 - 1
            });
            graph.moves.push((at as u32, number));
        }
        ensure!(states.len() <= most, "there are more than {most} positions");
        graph.turns.push(view.turn);
        graph.ends.push(view.over.map(|over| over.winner));
    }
    let keys = states.iter().map(|state| engine::checksum(state.as_bytes()));
    let solved: HashMap<u64, Option<Won>> = keys.zip(graph.results()).collect();
    ensure!(solved.len() == states.len(), "two positions have the same checksum");
    Ok(Some(Solved(solved)))
}

impl Graph {
    /// Retrograde analysis, from the ends back in the order of the plies: a position is won if one
    /// move wins, and lost if all lose.
    fn results(&self) -> Vec<Option<Won>> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.turns.len()];
        let mut open = vec![0; self.turns.len()];
        for &(from, to) in &self.moves {
            before[to as usize].push(from);
            open[from as usize] += 1;
        }
        let won = |end: &Option<Option<usize>>| Some(Won { winner: (*end)??, plies: 0 });
        let mut results: Vec<Option<Won>> = self.ends.iter().map(won).collect();
        let mut waiting: VecDeque<usize> =
            (0..results.len()).filter(|&at| results[at].is_some()).collect();
        while let Some(at) = waiting.pop_front() {
            let Some(Won { winner, plies }) = results[at] else { continue };
            for from in before[at].iter().map(|&from| from as usize) {
                open[from] -= 1;
                let is_known = winner == self.turns[from] || open[from] == 0;
                if is_known && results[from].is_none() {
                    results[from] = Some(Won { winner, plies: plies + 1 });
                    waiting.push_back(from);
                }
            }
        }
        results
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_is_the_shortest_a_loss_the_longest_and_play_for_ever_neither() {
        // 0 can go on to 1 and back, or lose; 2 wins at once or later; 3 and 4 are its ways.
        let moves = vec![(0, 1), (0, 5), (1, 0), (2, 5), (2, 3), (3, 4), (4, 5), (6, 2), (6, 3)];
        let graph = Graph {
            turns: vec![0, 1, 1, 0, 1, 0, 0],
            ends: vec![None, None, None, None, None, Some(Some(1)), None],
            moves,
        };
        let won = |plies| Some(Won { winner: 1, plies });
        let expected = [None, None, won(1), won(2), won(1), won(0), won(3)];
        assert_eq!(graph.results(), expected);
    }

    #[test]
    fn a_table_is_read_as_it_was_written_and_refused_for_other_rules() {
        let won = Won { winner: 1, plies: 12 };
        let solved = Solved(HashMap::from([(7, None), (u64::MAX, Some(won))]));
        let text = solved.to_text("abc");
        assert_eq!(Solved::of_text(&text, "abc").unwrap(), solved);
        let error = |text: &str, rules| Solved::of_text(text, rules).unwrap_err().to_string();
        assert_eq!(error(&text, "abd"), "the rules have changed since it was made");
        assert_eq!(error(text.trim_end_matches(" 1 12\n"), "abc"), "it is damaged");
        assert_eq!(error(&text[..40], "abc"), "it is damaged");
        assert_eq!(error("", "abc"), "it is no table of judge solve");
    }
}
