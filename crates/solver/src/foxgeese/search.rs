//! The search for a strategy of the geese: the staged proof with the settings of this game.

use crate::staged;
use crate::staged::known::Known;
use crate::staged::search::{Outcome, Settings};
use crate::staged::stage::Effort;
use anyhow::Result;
use clock::cpu::process_time;
use foxgeese::Position;
use foxgeese::board::Board;
use foxgeese::rules::GEESE;
use std::path::Path;
use std::time::Duration;

/// The wall time between two writes of the file.
const WRITE_EVERY: Duration = Duration::from_secs(120);

/// The number of levels of effort; boards that fail at one level are tried again at the next.
const LEVELS: u8 = 8;

/// Returns the efforts of a level, in the order in which they are tried: geese may be given up only if nothing else is
/// found.
pub(crate) fn efforts(level: u8) -> Vec<Effort> {
    let more = usize::from(level);
    let first =
        Effort { nodes: 1_000 << (2 * level), front: 8 + 2 * more, waiting: 1 + more, losses: 0, plies: 60, level };
    vec![first, Effort { losses: 2, ..first }]
}

/// The outcome of a search.
pub(crate) struct SearchResult {
    /// Whether the start is proven to be won.
    pub won: bool,
    /// The wins found and the boards given up.
    pub known: Known,
}

/// Searches for a win of the geese from a board for at most `seconds` of CPU time. The search continues from the file at
/// `path`, if one is given and exists, and writes its memory there.
///
/// # Errors
/// The file cannot be read or written.
pub(crate) fn find_strategy(start: Board, path: Option<&Path>, seconds: Option<u64>) -> Result<SearchResult> {
    let known = Known::read_if_exists(path)?;
    eprintln!("{} won positions known, {} boards given up", known.wins.len(), known.dead.len());
    let settings = Settings {
        file: path,
        write_every: WRITE_EVERY,
        seconds,
        levels: LEVELS,
        efforts: &efforts,
        given_up: &|level, _| {
            eprintln!("{:.0} s of CPU: no win found at level {level}", process_time().as_secs_f64());
        },
    };
    let Outcome { known, won, line } = staged::search::search(known, &[start], &settings)?;
    if !line.is_empty() {
        let pictures: Vec<String> =
            line.into_iter().map(|board| Position::lettered(board, GEESE, 0).plain_picture()).collect();
        println!("The boards of the current stages, the geese to move:\n\n{}", pictures.join("\n"));
    }
    Ok(SearchResult { won: won > 0, known })
}

#[cfg(test)]
mod tests {
    use super::super::shorten::{reachable, shorten, shorten_lines};
    use super::*;
    use crate::staged::Win;
    use crate::staged::wins::Wins;
    use foxgeese::check::check;
    use foxgeese::strategy::{self, Strategy};

    /// Returns a board from which the agent's strategy wins in three moves.
    fn late() -> Board {
        let (packed, _) = Strategy::embedded().entries().find(|(_, win)| win.moves == 3).unwrap();
        Board::unpack(packed).unwrap()
    }

    /// Writes the strategy from a board, reads it back, and returns the figures of its check by the rules alone.
    fn checked(wins: &mut Wins, start: Board) -> Result<foxgeese::check::Proof, foxgeese::check::Flaw> {
        let convert =
            |&(packed, win): &(u64, Win)| (packed, strategy::Win { moves: win.moves.try_into().unwrap(), mv: win.mv });
        let bytes = strategy::write(&reachable(wins, start).iter().map(convert).collect::<Vec<_>>());
        check(Strategy::new(&bytes).unwrap(), &Position::lettered(start, GEESE, 0))
    }

    #[test]
    fn a_search_that_is_stopped_goes_on_where_its_file_ends() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("known");
        let stopped = find_strategy(late(), Some(&path), Some(0)).unwrap();
        assert!(!stopped.won && Known::read(&path).unwrap().wins.len() == stopped.known.wins.len());
        let mut found = find_strategy(late(), Some(&path), None).unwrap();
        assert!(found.won);
        let longest = checked(&mut found.known.wins, late()).unwrap().longest;
        // The file holds the win, so that no time is needed to search.
        let mut again = find_strategy(late(), Some(&path), Some(0)).unwrap();
        assert!(again.won && again.known.wins.len() == found.known.wins.len());
        shorten_lines(&mut again.known.wins, late(), |_| false);
        let shorter = checked(&mut again.known.wins, late()).unwrap().longest;
        shorten(&mut again.known.wins, |_| false);
        let shortest = checked(&mut again.known.wins, late()).unwrap().longest;
        assert!(shortest <= shorter && shorter <= longest, "{longest}, {shorter}, {shortest}");
    }
}
