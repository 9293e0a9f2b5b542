//! `judge rules-test`: tests the rules of a game that somebody brings along, as its author would by
//! hand.

use anyhow::{Context, Result, bail};
use arena::plain::counted;
use arena::random::{Purpose, generator};
use arena::rules_program::{Over, RulesProgram, View, program_of};
use clap::Args;
use rand::RngExt;
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use terminal::games::find;
use terminal::interrupt;
use terminal::output::print;
use terminal::progress::Progress;

/// The help after the options.
pub(crate) const EXAMPLE: &str = "\
Examples:
  judge rules-test ./little-go
  judge rules-test ./little-go --games 500 --seed 7
What is tested: every move of a position can be played, and no move is listed twice; a move that is written as an output file is read
as the same move; an input file that is read gives the same file again; other texts are refused and crash nothing; a board that is
drawn is a rectangle; the same request has the same answer in a second process; a game that is over has no moves; both sides win
sometimes. Compare the perft numbers with the course's.
Exit code: 0 all is well; 1 something is wrong, and request and answer are printed; 2 the folder has no game.";

/// Options of `judge rules-test`.
#[derive(Args)]
pub(crate) struct RulesTestOptions {
    /// The folder of the game
    pub folder: PathBuf,
    /// The number of random games
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub games: u32,
    /// The seed of the random games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
}

/// Texts that no program should leave as its move, and that some do.
const ODD_TEXTS: [&str; 9] = [
    "",
    "\n",
    "\0",
    "0",
    "hello",
    "-1,-1",
    "9999999999999999999999,0",
    "{\"move\": null}",
    "\u{202e}\u{1F600}\r\n\r\n",
];
/// The seconds on both clocks of the input files.
const CLOCKS: [f64; 2] = [7.25, 8.5];
/// The most lines of play that perft counts.
const MOST_LINES: u64 = 200_000;
/// The largest depth of perft.
const DEEPEST: u32 = 4;
/// The most requests that are asked again.
const MOST_AGAIN: usize = 10_000;
/// In how many games every move is tried; in the others it is the one that is played.
const THOROUGH: u32 = 10;

/// The observations of the games.
#[derive(Default)]
struct Seen {
    positions: u64,
    /// Games that the first side won, that the second side won, and draws.
    results: [u32; 3],
    /// Games that reached the move limit.
    unfinished: u32,
    /// What is wrong with the points at the end of a game, which the judge then does not report.
    points: Option<String>,
    longest: u32,
}

/// Tests the rules of a folder.
pub(crate) fn rules_test(options: &RulesTestOptions) -> Result<ExitCode> {
    let name = options.folder.to_string_lossy();
    let game = find(&name)?;
    let program = program_of(game).with_context(|| {
        format!("{name}: a game of this judge, whose rules have tests of their own")
    })?;
    interrupt::catch()?;
    print(&format!("{}: {}\n", game.title, program.command.join(" ")));
    let begin = Instant::now();
    let mut seen = Seen::default();
    let tested = play_games(program, game.ply_limit, options, &mut seen)
        .and_then(|()| {
            game.test_positions
                .iter()
                .try_for_each(|(title, state)| test_try(program, title, state))
        })
        .and_then(|()| program.ask_again(MOST_AGAIN));
    match tested {
        Ok(()) => {}
        Err(error) => {
            let reason = format!("{error:#}");
            // The rest is about games.
            let (reason, _) = reason.split_once(" (no fault of").unwrap_or((&reason, ""));
            print(&format!("wrong: {reason}\n"));
            return Ok(ExitCode::from(1));
        }
    }
    if interrupt::asked() {
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    let seconds = begin.elapsed().as_secs_f64().max(1e-3);
    let [first, second, draws] = seen.results;
    print(&format!(
        "{}, {}, the longest of {}: {} won {first}, {} won {second}, {}\n",
        counted(options.games, "random game", "random games"),
        counted(seen.positions, "position", "positions"),
        counted(seen.longest, "ply", "plies"),
        game.sides[0],
        game.sides[1],
        counted(draws, "draw", "draws")
    ));
    let mut doubts = Vec::new();
    if options.games >= 20 {
        for (side, won) in game.sides.iter().zip([first, second]) {
            if won == 0 {
                doubts.push(format!("{side} has won no game: can it win?"));
            }
        }
    }
    doubts.extend(seen.points);
    let has_weighty_doubts = !doubts.is_empty();
    if seen.unfinished > 0 {
        let games = counted(seen.unfinished, "game", "games");
        doubts.push(format!(
            "{games} reached the limit of {} plies in game.toml, which is a draw",
            game.ply_limit
        ));
    }
    let start = program.start()?;
    if program.position("")?.is_none() {
        doubts.push(
            "the rules have no position: judge check and judge show read no input files"
                .to_string(),
        );
    }
    if program.draw(&start, None)?.is_none() {
        doubts.push("the rules have no draw: pages show the board as text".to_string());
    }
    if program.view(&start)?.value.is_none() {
        doubts.push(
            "the rules have no value: greedy, minimax and alphabeta cannot play, mcts can"
                .to_string(),
        );
    }
    doubts.iter().for_each(|doubt| print(&format!("note: {doubt}\n")));
    perft(game)?;
    let verdict = if has_weighty_doubts {
        "Nothing contradicts itself; read the notes."
    } else {
        "All is well."
    };
    let speed = seen.positions as f64 / seconds;
    print(&format!("{speed:.0} positions a second, with all requests about them\n{verdict}\n"));
    Ok(ExitCode::SUCCESS)
}

/// Plays random games, and tests the answers on the way.
fn play_games(
    program: &RulesProgram,
    most: u32,
    options: &RulesTestOptions,
    seen: &mut Seen,
) -> Result<()> {
    let bar = Progress::of(options.games as usize, "games");
    for number in 0..options.games {
        if interrupt::asked() {
            break;
        }
        let mut random = generator(options.seed, Purpose::Attempt, u64::from(number));
        let mut state = program.start()?;
        program.draw(&state, None)?;
        for ply in 0.. {
            let view = program.view(&state)?;
            seen.positions += 1;
            seen.longest = seen.longest.max(ply);
            if let Some(over) = &view.over {
                seen.results[over.winner.unwrap_or(2)] += 1;
                seen.points = seen.points.take().or_else(|| doubt_points(over, &state));
                break;
            }
            if ply >= most {
                seen.unfinished += 1;
                break;
            }
            let chosen = random.random_range(0..view.moves.len());
            test_position(program, &state, &view)?;
            let tried = if number < THOROUGH { 0..view.moves.len() } else { chosen..chosen + 1 };
            for mv in &view.moves[tried] {
                test_move(program, &state, mv)?;
            }
            state = program.play(&state, &view.moves[chosen])?;
            program.draw(&state, Some(&view.moves[chosen]))?;
        }
        bar.set(number as usize + 1);
    }
    bar.finish();
    Ok(())
}

/// Returns what is wrong with the points at the end of a game: they have to be whole, and of the
/// side that won.
fn doubt_points(over: &Over, state: &str) -> Option<String> {
    let points = over.points?;
    let ahead = [(points > 0.0, Some(0)), (points < 0.0, Some(1))]
        .into_iter()
        .find(|(is, _)| *is)
        .and_then(|(_, side)| side);
    let why = match over.winner {
        _ if points.fract() != 0.0 => "are not whole".to_string(),
        winner if winner == ahead => return None,
        Some(winner) => format!("are not those of the winner, side {winner}"),
        None => "are not 0, and nobody has won".to_string(),
    };
    Some(format!(
        "over: the points {points} (side 0's less side 1's) {why}: the judge does not report them; state: {state}"
    ))
}

/// Tests what belongs to a position and not to a move.
fn test_position(program: &RulesProgram, state: &str, view: &View) -> Result<()> {
    let mut names = HashSet::new();
    if let Some(mv) = view.moves.iter().find(|mv| !names.insert(*mv)) {
        bail!("view: the move '{mv}' is there twice; state: {state}");
    }
    let file = program.task(state, CLOCKS, false)?;
    for text in ODD_TEXTS {
        // A refusal and a legal move are both right.
        if let Ok(mv) = program.read(state, text)?
            && !view.moves.contains(&mv)
        {
            bail!(
                "read: the text {text:?} is read as the move '{mv}', which view does not have; state: {state}"
            );
        }
    }
    let Some(found) = program.position(&file)? else { return Ok(()) };
    let (shown, clock) = found.map_err(|error| {
        anyhow::anyhow!(
            "position: refuses the file that task has made of the state {state}: line {error}"
        )
    })?;
    if let Some(clock) = clock.filter(|clock| (clock - CLOCKS[view.turn]).abs() > 0.01) {
        bail!(
            "task, position: side {} is to move and has {} s, and its file is read with a clock of {clock} s:\n{file}\nstate: {state}",
            view.turn,
            CLOCKS[view.turn]
        );
    }
    let again = program.task(&shown, CLOCKS, false)?;
    if again != file {
        bail!(
            "position, task: the file\n{file}\nis read, and then written as\n{again}\nstate: {state}; it is read as {shown}"
        );
    }
    let moves = program.view(&shown)?.moves;
    if moves != view.moves {
        bail!(
            "position: the file of a state has other moves than the state: {state}; it is read as {shown}"
        );
    }
    Ok(())
}

/// Tests a position for `judge try`.
fn test_try(program: &RulesProgram, title: &str, state: &str) -> Result<()> {
    let test = || {
        let view = program.view(state)?;
        if view.over.is_some() {
            bail!("the game is over there");
        }
        test_position(program, state, &view)?;
        view.moves.iter().try_for_each(|mv| test_move(program, state, mv))
    };
    test().with_context(|| format!("the position '{title}' in try/"))
}

/// Tests one legal move.
fn test_move(program: &RulesProgram, state: &str, mv: &str) -> Result<()> {
    program.view(&program.play(state, mv)?)?;
    let written = program.write(state, mv)?;
    match program.read(state, &written)? {
        Ok(read) if read == mv => Ok(()),
        Ok(read) => {
            bail!(
                "read, write: the move '{mv}' is written as {written:?} and read as '{read}'; state: {state}"
            )
        }
        Err(violation) => {
            bail!(
                "read: the move '{mv}' is written as {written:?} and refused: {violation}; state: {state}"
            )
        }
    }
}

/// Prints the numbers of lines of play from the start.
fn perft(game: &anygame::AnyGame) -> Result<()> {
    let start = game.rules.start(None)?;
    let (mut text, mut last) = (String::from("perft from the start:"), 1);
    for depth in 1..=DEEPEST {
        if interrupt::asked() || last * start.codes().len() as u64 > MOST_LINES {
            break;
        }
        last = start.perft(depth, &|| false)?;
        text += &format!(" {last}");
    }
    print(&format!("{text}\n"));
    Ok(())
}
