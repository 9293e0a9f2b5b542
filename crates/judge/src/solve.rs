//! `judge solve`: the result of every position of a small game that somebody brings along.

use anyhow::{Context, Result, ensure};
use arena::plain::counted;
use arena::random::{Purpose, generator};
use arena::rules_program::solved::{Estimate, Solved, TABLE, Won, estimate, solve};
use arena::rules_program::{program_of, rules_digest};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use terminal::games::find;
use terminal::interrupt;
use terminal::output::{print, write_file};
use terminal::progress::Progress;

/// The time of the random games by which the size is estimated.
const ESTIMATE: Duration = Duration::from_secs(3);
const LINES: Duration = Duration::from_secs(30);

#[derive(Args)]
pub(crate) struct SolveOptions {
    /// The folder of the game
    folder: PathBuf,
    /// The most positions
    #[arg(long, value_name = "COUNT", default_value_t = 1_000_000)]
    most: usize,
}

pub(crate) fn solve_folder(options: &SolveOptions) -> Result<ExitCode> {
    let name = options.folder.to_string_lossy();
    let game = find(&name)?;
    let program = program_of(game).with_context(|| {
        format!("{name}: a game of this judge: the program solve has what is solved of it")
    })?;
    let is_hidden = game.rules.start(None)?.guesses(0, &mut || 0)?.is_some();
    ensure!(!is_hidden, "{name}: a game with chance or hidden information has no such results");
    interrupt::catch()?;
    let rules = rules_digest(program)?;
    let random = &mut generator(1, Purpose::Position, 0);
    let Estimate { positions, is_least, seconds, games } =
        estimate(program, game.ply_limit, ESTIMATE, random)?;
    let or_more = if is_least { ", or far more" } else { "" };
    eprintln!(
        "{}: about {positions:.0} positions{or_more}, by {games} random games: {:.0} min {:.0} s. ^C leaves all as it is.",
        game.title,
        (seconds / 60.0).floor(),
        seconds % 60.0
    );
    ensure!(
        positions <= options.most as f64,
        "too many: at most {} are solved; --most allows more, of about 300 bytes of memory each",
        options.most
    );
    let bar = Progress::of(positions as usize, "positions");
    let mut told = Instant::now();
    let solved = solve(program, options.most, &mut |done, found| {
        bar.set(done);
        if told.elapsed() >= LINES {
            told = Instant::now();
            bar.tell(&format!("{done} positions are done, {} wait", found - done));
        }
        !interrupt::asked()
    });
    bar.finish();
    let Some(solved) = solved? else { return Ok(ExitCode::from(interrupt::EXIT_CODE)) };
    let path = program.folder.join(TABLE);
    write_file(&path, &solved.to_text(&rules))?;
    let start = solved.of(&program.start(None)?).flatten();
    print(&format!("{}\n{}", path.display(), summary(&solved, start, game.sides)));
    Ok(ExitCode::SUCCESS)
}

/// Says what the table has. `start` is the result from the start.
fn summary(solved: &Solved, start: Option<Won>, sides: [&str; 2]) -> String {
    let plies = |won: Won| counted(won.plies, "ply", "plies");
    let from_start = start.map_or("neither side wins".to_string(), |won| {
        format!("{} wins in {}", sides[won.winner], plies(won))
    });
    let all: Vec<Option<Won>> = solved.results().collect();
    let longest = all.iter().flatten().max_by_key(|won| won.plies);
    let of = |winner| all.iter().flatten().filter(|won| won.winner == winner).count();
    format!(
        "From the start {from_start}.\n{} positions: {} wins {}, {} wins {}, neither {}; the longest win takes {}.\n",
        all.len(),
        sides[0],
        of(0),
        sides[1],
        of(1),
        all.iter().filter(|won| won.is_none()).count(),
        longest.map_or("no ply".to_string(), |won| plies(*won)),
    )
}
