//! The search for the strategy as it is called: level by level, with a file of all that is known, ended by ^C.

use super::file;
use super::known::Known;
use super::stage::Effort;
use super::stages::{Answer, Progress, Stages};
use crate::interrupt;
use anyhow::Result;
use foxgeese::Position;
use foxgeese::board::Board;
use foxgeese::rules::GEESE;
use std::path::Path;
use std::time::{Duration, Instant};
use system::cpu::process_time;

/// The wall time between two lines of progress.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// The wall time between two writings of the file.
const WRITTEN_EVERY: Duration = Duration::from_secs(120);

/// The levels of effort; what fails at one is tried again at the next.
const LEVELS: u8 = 8;

/// The efforts that a stage is tried with at a level, one after the other: geese are given up only where nothing else is
/// found.
pub(crate) fn efforts(level: u8) -> Vec<Effort> {
    let more = usize::from(level);
    let first =
        Effort { nodes: 1_000 << (2 * level), front: 8 + 2 * more, waiting: 1 + more, losses: 0, plies: 60, level };
    vec![first, Effort { losses: 2, ..first }]
}

/// The outcome of a search.
pub(crate) struct Found {
    /// Whether the start is won: it is proven.
    pub won: bool,
    /// All that is known.
    pub known: Known,
}

/// Looks for a win of the geese from a board, level by level, for at most `seconds` of CPU time; what is known is read
/// from the file, if one is given, and written to it.
///
/// # Errors
/// The file cannot be read or written.
pub(crate) fn search(start: Board, path: Option<&Path>, seconds: Option<u64>) -> Result<Found> {
    let known = match path.filter(|path| path.exists()) {
        Some(path) => file::read(path)?,
        None => Known::default(),
    };
    eprintln!("{} won positions known, {} boards given up", known.wins.len(), known.dead.len());
    let (mut told, mut written) = (Instant::now(), Instant::now());
    let mut failed = None;
    let mut line = Vec::new();
    let mut tell = |known: &Known, progress: &dyn Fn() -> Progress| {
        if told.elapsed() > TOLD_EVERY {
            told = Instant::now();
            eprintln!("{:.0} s of CPU: {}", process_time().as_secs_f64(), progress());
        }
        if let Some(path) = path
            && written.elapsed() > WRITTEN_EVERY
        {
            written = Instant::now();
            failed = file::write(path, known).err();
        }
        let late = seconds.is_some_and(|seconds| process_time().as_secs() >= seconds);
        let go_on = !late && failed.is_none() && !interrupt::asked();
        if !go_on {
            line = progress().line;
        }
        go_on
    };
    let mut stages = Stages::new(known, &efforts, &mut tell);
    let mut won = false;
    for level in 0..LEVELS {
        match stages.prove(start, level) {
            Answer::Won => won = true,
            Answer::GivenUp => {
                eprintln!("{:.0} s of CPU: no win found at level {level}", process_time().as_secs_f64());
                continue;
            }
            Answer::Stopped => {}
        }
        break;
    }
    let known = stages.known;
    if let Some(path) = path {
        file::write(path, &known)?;
    }
    if !line.is_empty() {
        let pictures: Vec<String> =
            line.into_iter().map(|board| Position::lettered(board, GEESE, 0).plain_picture()).collect();
        println!("The boards of the stages in hand, the geese to move:\n\n{}", pictures.join("\n"));
    }
    failed.map_or(Ok(Found { won, known }), Err)
}

#[cfg(test)]
mod tests {
    use super::super::shorten::{reachable, shorten, shorten_lines};
    use super::super::won::Wins;
    use super::*;
    use foxgeese::check::check;
    use foxgeese::strategy::{self, Strategy};

    /// A board from which the agent's strategy wins in three moves.
    fn late() -> Board {
        let (packed, _) = Strategy::embedded().entries().find(|(_, win)| win.moves == 3).unwrap();
        Board::unpack(packed).unwrap()
    }

    /// The figures of the strategy from a board, checked by the rules alone.
    fn checked(wins: &mut Wins, start: Board) -> Result<foxgeese::check::Proof, foxgeese::check::Flaw> {
        let convert = |&(packed, win): &(u64, super::super::won::Win)| {
            (packed, strategy::Win { moves: win.moves.try_into().unwrap(), mv: win.mv })
        };
        let bytes = strategy::write(&reachable(wins, start).iter().map(convert).collect::<Vec<_>>());
        check(Strategy::new(&bytes).unwrap(), &Position::lettered(start, GEESE, 0))
    }

    #[test]
    fn a_search_that_is_stopped_goes_on_where_its_file_ends() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("known");
        let stopped = search(late(), Some(&path), Some(0)).unwrap();
        assert!(!stopped.won && file::read(&path).unwrap().wins.len() == stopped.known.wins.len());
        let mut found = search(late(), Some(&path), None).unwrap();
        assert!(found.won);
        let longest = checked(&mut found.known.wins, late()).unwrap().longest;
        // A file that holds the win is all that is needed: there is no time to search.
        let mut again = search(late(), Some(&path), Some(0)).unwrap();
        assert!(again.won && again.known.wins.len() == found.known.wins.len());
        shorten_lines(&mut again.known.wins, late(), |_| false);
        let shorter = checked(&mut again.known.wins, late()).unwrap().longest;
        shorten(&mut again.known.wins, |_| false);
        let shortest = checked(&mut again.known.wins, late()).unwrap().longest;
        assert!(shortest <= shorter && shorter <= longest, "{longest}, {shorter}, {shortest}");
    }
}
