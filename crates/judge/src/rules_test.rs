//! `judge rules-test`: tests the rules of a game that somebody brings along, as its author would by
//! hand.

use anygame::AnyGame;
use anyhow::{Context, Result, bail};
use arena::plain::{self, counted};
use arena::random::{Purpose, generator};
use arena::rules_program::{NO_PLAYERS_FAULT, Over, RulesProgram, View, program_of};
use clap::Args;
use engine::protocol::quote;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::index::sample;
use serde_json::Value;
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;
use terminal::games::find;
use terminal::interrupt;
use terminal::output::print;
use terminal::progress::Progress;

pub(crate) const EXAMPLE: &str = "\
Examples:
  judge rules-test ./little-go
  judge rules-test ./little-go --requests 1000000 --seed 7
docs/own-game.md says what is tested. Compare the perft numbers with the course's.
Exit code: 0 all is well, or there are notes to read; 1 something is wrong, and request and answer are printed;
2 the folder has no game; 3 nothing is wrong in what was seen, and lines `not seen:` name the rest; 130 interrupted.";

#[derive(Args)]
pub(crate) struct RulesTestOptions {
    /// The folder of the game
    pub folder: PathBuf,
    /// The number of random games [default: at least 50, until new positions are seldom]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub games: Option<u32>,
    /// The most requests to the rules: so many on every machine, slow or busy
    #[arg(long, value_name = "COUNT", default_value_t = USUAL_REQUESTS, value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    pub requests: u32,
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
/// The positions in which long answers are read as well.
const POSITIONS_OF_LONG_ANSWERS: usize = 3;
/// A pattern that tries all ways to divide so many characters never ends.
const LONG: usize = 52;
const VERY_LONG: usize = 10_000;
/// The seconds on both clocks of the input files.
const CLOCKS: [f64; 2] = [7.25, 8.5];
/// The most lines of play that perft counts, and its largest depth.
const MOST_LINES: u64 = 200_000;
const DEEPEST: u32 = 4;
const MOST_AGAIN: usize = 10_000;
const USUAL_REQUESTS: u32 = 100_000;
/// The fewest and the most games, unless another number is asked for.
const FEWEST: usize = 50;
const MOST: usize = 100_000;
/// The games whose positions tell whether new ones are seldom: one in this number, or fewer.
const LATELY: usize = 20;
const MOST_MOVES: usize = 40;
/// About the requests that test a position, and those for each of its moves.
const FOR_A_POSITION: u64 = 30;
const FOR_A_MOVE: u64 = 4;
/// If fewer games than these could be tested as a whole, a part of the positions is.
const FEWEST_WHOLE: u64 = 4;
const GUESSES: u32 = 3;
/// The shares of the requests, in per cent, of games, of those that are repeated, and of the rest.
const SHARES: [u64; 3] = [70, 15, 15];
/// The exit code where nothing is wrong in what was seen, and something was not seen.
const NOT_ALL_SEEN: u8 = 3;

#[derive(Default)]
struct Seen {
    positions: HashSet<u64>,
    /// Positions that were tested: all that are new, or a part of them.
    tested: u64,
    /// For each game, its positions, and those of them that no game before had.
    games: Vec<[usize; 2]>,
    /// Legal moves of the positions, and those of them that were tried.
    moves: [u64; 2],
    /// Games that the first side won, that the second side won, and draws.
    results: [u32; 3],
    /// Games that reached the limit of plies.
    unfinished: u32,
    longest: u32,
    /// Texts that the rules refused as moves.
    refused: u64,
    /// Answers that a second process has given as well.
    again: u64,
}

impl Seen {
    /// The part of the positions of the last games that were new, from 0 to 1.
    fn new_lately(&self) -> f64 {
        let last = &self.games[self.games.len().saturating_sub(LATELY)..];
        let [all, new] = [0, 1].map(|index| last.iter().map(|game| game[index]).sum::<usize>());
        new as f64 / all.max(1) as f64
    }

    /// What a test has to see before all is well, and has not seen, with its remedy.
    fn lacks(&self, limit: u32) -> Vec<String> {
        let by_rules: u32 = self.results.iter().sum();
        let begun = counted(self.games.len() as u64, "game was begun", "games were begun");
        let longest = counted(self.longest, "ply", "plies");
        let lacking = [
            (
                by_rules + self.unfinished == 0,
                format!(
                    "a finished game: {begun}, the longest of {longest}; fewer `plies` in \
                     game.toml ({limit} now) or more --requests"
                ),
            ),
            (
                by_rules == 0 && self.unfinished > 0,
                format!(
                    "an end by the rules: all finished games reached the `plies` of game.toml \
                     ({limit}); raise them and --requests, or see that random moves can end a game"
                ),
            ),
            (
                self.refused == 0,
                "a refused move: `read` took every odd text for a move; more --requests, or see \
                 that it refuses texts"
                    .to_string(),
            ),
            (
                self.again == 0,
                "the answers of a second process: nothing was asked again; more --requests"
                    .to_string(),
            ),
        ];
        let lacking = lacking.into_iter().filter(|(is_lacking, _)| *is_lacking);
        lacking.map(|(_, words)| words).collect()
    }
}

pub(crate) fn rules_test(options: &RulesTestOptions) -> Result<ExitCode> {
    let name = options.folder.to_string_lossy();
    let game = find(&name)?;
    let program = program_of(game).with_context(|| {
        format!("{name}: a game of this judge, whose rules have tests of their own")
    })?;
    interrupt::catch()?;
    print(&format!("{}: {}\n", game.title, program.command.join(" ")));
    let begin = Instant::now();
    let [of_games, again, of_perft] = SHARES.map(|share| u64::from(options.requests) * share / 100);
    let is_asked = |most: u64| interrupt::asked() || program.answered() >= most;
    let bar = Progress::of(of_games as usize, "requests at most");
    let games_over = || {
        bar.set(program.answered().min(of_games) as usize);
        is_asked(of_games)
    };
    let mut seen = Seen::default();
    let mut part = 1.0;
    let tested = game
        .test_positions
        .iter()
        .try_for_each(|(title, state)| test_try(program, title, state, &mut seen))
        .and_then(|()| {
            part = part_of_positions(game, program, of_games)?;
            play_games((program, game.ply_limit, part), options, &mut seen, (&bar, &games_over))
        });
    bar.finish();
    let seconds = begin.elapsed().as_secs_f64().max(1e-3);
    let most_again = MOST_AGAIN.min(again as usize);
    let tested = tested.and_then(|()| {
        seen.again = program.ask_again(most_again, &interrupt::asked)?;
        Ok(())
    });
    if interrupt::asked() {
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    if let Err(error) = tested {
        let reason = format!("{error:#}");
        let reason = reason.strip_suffix(NO_PLAYERS_FAULT).unwrap_or(&reason);
        print(&format!("wrong: {reason}\n"));
        return Ok(ExitCode::from(1));
    }
    let [first, second, draws] = seen.results;
    let positions = seen.positions.len();
    let [one, other] = game.sides;
    let unfinished = match (seen.games.len() as u32).saturating_sub(first + second + draws) {
        0 => String::new(),
        games => format!(", {games} not finished"),
    };
    print(&format!(
        "{}, {}, the longest of {}: {one} won {first}, {other} won {second}, {}{unfinished}\n",
        counted(seen.games.len() as u64, "random game", "random games"),
        counted(positions as u64, "position", "positions"),
        counted(seen.longest, "ply", "plies"),
        counted(draws, "draw", "draws")
    ));
    let more = if is_asked(of_games) { "; --requests COUNT tests more" } else { "" };
    if part < 1.0 {
        print(&format!(
            "{} of these positions were tested, about one in {:.0}: games are long and have many \
             moves\n",
            seen.tested,
            1.0 / part
        ));
    }
    print(&format!(
        "tried {} of the {} moves there; of the positions of the last games {:.0} % were new{more}\n",
        seen.moves[1],
        seen.moves[0],
        100.0 * seen.new_lately()
    ));
    let (notes, are_weighty) = notes(game, program, &seen)?;
    notes.iter().for_each(|note| print(&format!("note: {note}\n")));
    let perft_end = program.answered() + of_perft;
    match program.view(&program.start(None)?)?.some {
        true => print("no perft: the rules list only some moves (`legal`)\n"),
        false => perft(game, &|| is_asked(perft_end))?,
    }
    let again = counted(seen.again, "answer", "answers");
    print(&format!("{again} asked again: a second process says the same\n"));
    let speed = positions as f64 / seconds;
    eprintln!("{speed:.0} positions a second, with all requests about them");
    let lacking = seen.lacks(game.ply_limit);
    lacking.iter().for_each(|words| print(&format!("not seen: {words}\n")));
    let verdict = match (lacking.is_empty(), are_weighty) {
        (false, _) => "Nothing contradicts itself, and not all was seen: read what was not.",
        (_, true) => "Nothing contradicts itself; read the notes.",
        _ => "All is well.",
    };
    print(&format!("{verdict}\n"));
    Ok(ExitCode::from(if lacking.is_empty() { 0 } else { NOT_ALL_SEEN }))
}

/// Returns what a teacher should read, and whether it may be a fault of the rules.
fn notes(game: &AnyGame, program: &RulesProgram, seen: &Seen) -> Result<(Vec<String>, bool)> {
    let [first, second, draws] = seen.results;
    let mut notes = Vec::new();
    if first + second + draws >= 20 {
        let sides = game.sides.iter().zip([first, second]);
        let without_wins = sides.filter(|(_, won)| *won == 0);
        notes.extend(without_wins.map(|(side, _)| format!("{side} has won no game: can it win?")));
    }
    let start = program.start(None)?;
    if game.interface.talks && program.task(&start, CLOCKS, false)?.trim_end().contains("\n\n") {
        let empty =
            "the input file has an empty line, which ends a task for programs that talk by lines";
        notes.push(empty.to_string());
    }
    notes.extend(note_on_function(game, &program.task(&start, CLOCKS, false)?));
    let is_fixed = |scheme: &str| {
        toml::from_str::<toml::Table>(scheme).is_ok_and(|keys| keys.contains_key("seed"))
    };
    if game.scheme.is_some_and(is_fixed) && program.start(Some(1))? != program.start(Some(2))? {
        let given_away = "scheme.toml has a seed, and `start` makes another game of each number: who has the scheme knows the dice, \
            cards and starts of all its games beforehand; without the seed each grading draws its own";
        notes.push(given_away.to_string());
    }
    let are_weighty = !notes.is_empty();
    if seen.unfinished > 0 {
        let games = counted(seen.unfinished, "game", "games");
        notes.push(format!(
            "{games} reached the limit of {} plies in game.toml, which is a draw",
            game.ply_limit
        ));
    }
    notes.extend(note_on_syntax(game));
    let start_view = program.view(&start)?;
    notes.extend(note_on_hidden(game, program, &start)?.map(str::to_string));
    let asks_positions =
        |scheme: &str| scheme.lines().any(|line| line.starts_with("[[positions]]"));
    for (is_so, note) in [
        (
            program.position("")?.is_none(),
            "the rules have no position: judge check and judge show read no input files",
        ),
        (
            program.draw(&start, None)?.is_none(),
            "the rules have no draw: pages show the board as text",
        ),
        (
            start_view.value.is_none() && start_view.together.is_none(),
            "the rules have no value: greedy, minimax and alphabeta cannot play, mcts can",
        ),
        (
            game.may_count_moves() && game.scheme.is_some_and(asks_positions),
            "scheme.toml has [[positions]], and programs keep files from turn to turn (keep in game.toml): one that counts moves in a \
             file plays all its games and fails in single positions",
        ),
    ] {
        if is_so {
            notes.push(note.to_string());
        }
    }
    Ok((notes, are_weighty))
}

/// Returns a note on an input file that lacks what a function of several parameters gets.
fn note_on_function(game: &AnyGame, input: &str) -> Option<String> {
    let (_, parameters) = game.interface.function?.trim_end_matches(')').split_once('(')?;
    let parameters: Vec<&str> = parameters.split(',').map(str::trim).collect();
    let task: Value = serde_json::from_str(input).unwrap_or_default();
    let lacking = parameters.iter().find(|key| task.get(**key).is_none())?;
    (parameters.len() > 1).then(|| {
        format!(
            "the input file is no JSON object with the key \"{lacking}\", from which the function \
             of game.toml (adapter) gets it"
        )
    })
}

/// Exits with words on the first of some files of Python that version 3.8 cannot read.
const READ_BY_3_8: &str = "\
import ast, sys
for name in sys.argv[1:]:
    try:
        ast.parse(open(name, 'rb').read(), name, feature_version=(3, 8))
    except SyntaxError as error:
        sys.exit('%s, line %s' % (name, error.lineno))
";

/// Returns a note on syntax that is newer than the oldest Python which students may have.
fn note_on_syntax(game: &AnyGame) -> Option<String> {
    let folder = game.interface.folder?;
    let names = arena::rules_program::files(folder).ok()?.into_iter();
    let names = names.filter(|name| name.extension().is_some_and(|end| end == "py"));
    let mut command = Command::new("python3");
    command.args(["-c", READ_BY_3_8]).args(names).current_dir(folder);
    let said = command.output().ok().filter(|said| said.status.code() == Some(1))?;
    let place = plain::shown(String::from_utf8_lossy(&said.stderr).trim_end());
    Some(format!(
        "{place}: Python 3.8 cannot read this, and a student who has it cannot try a program"
    ))
}

fn note_on_hidden(
    game: &AnyGame,
    program: &RulesProgram,
    start: &str,
) -> Result<Option<&'static str>> {
    let guesses = game.rules.start(None)?.guesses(1, &mut || 0)?;
    let is_known = program.guess(start, program.view(start)?.turn, 0)?.is_some();
    if guesses.is_some() {
        let note = "hidden = true, and the rules have no guess: reference players play at random";
        return Ok((!is_known).then_some(note));
    }
    let [one, other] = [program.start(Some(1))?, program.start(Some(2))?];
    let file = |state: &str| program.task(state, CLOCKS, false);
    let is_hidden = is_known || one != other && file(&one)? == file(&other)?;
    Ok(is_hidden.then_some(
        "the input files do not show all of a state (dice, cards), and game.toml has no hidden = true: reference players see it all",
    ))
}

/// The part of the positions to test, from 0 to 1, so that whole games fit in the usual requests, or
/// in these if they are more.
fn part_of_positions(game: &AnyGame, program: &RulesProgram, requests: u64) -> Result<f64> {
    let start = program.start(Some(0))?;
    let moves = program.view(&start)?.moves.len().min(MOST_MOVES) as u64;
    let whole = u64::from(game.ply_limit) * (FOR_A_POSITION + FOR_A_MOVE * moves);
    let requests = requests.max(u64::from(USUAL_REQUESTS) * SHARES[0] / 100);
    let fits = whole * FEWEST_WHOLE <= requests;
    Ok(if fits { 1.0 } else { requests as f64 / (FEWEST as u64 * whole) as f64 })
}

/// Plays random games of at most so many plies, and tests the answers in this part of the
/// positions. `is_over` ends the games.
fn play_games(
    (program, most, part): (&RulesProgram, u32, f64),
    options: &RulesTestOptions,
    seen: &mut Seen,
    (bar, is_over): (&Progress, &dyn Fn() -> bool),
) -> Result<()> {
    let games = options.games.map_or(MOST, |games| games as usize);
    for number in 0..games {
        let is_enough =
            options.games.is_none() && number >= FEWEST && seen.new_lately() < 1.0 / LATELY as f64;
        if is_enough || is_over() {
            break;
        }
        let random = generator(options.seed, Purpose::Attempt, number as u64);
        play_game((program, most, part), number as u32, random, seen, is_over)?;
        if number == 0 && options.games.is_some_and(|games| games > 1) {
            let whole = program.answered() * games as u64;
            let most = u64::from(options.requests) * SHARES[0] / 100;
            if whole > most {
                bar.tell(&format!(
                    "note: {games} games would take about {whole} requests; they end after {most} (--requests COUNT)"
                ));
            }
        }
    }
    Ok(())
}

/// Plays a random game. A position that no game had before is tested, or is with this probability.
fn play_game(
    (program, most, part): (&RulesProgram, u32, f64),
    number: u32,
    mut random: ChaCha8Rng,
    seen: &mut Seen,
    is_over: &dyn Fn() -> bool,
) -> Result<()> {
    let mut state = program.start(Some(number))?;
    program.draw(&state, None)?;
    seen.games.push([0, 0]);
    // Positions that are not tested need not come from the program one by one.
    let by_itself = match part < 1.0 {
        true => program.random_game(&state, random.random_range(0..1 << 31), most)?,
        false => None,
    };
    let mut by_itself = by_itself.into_iter().flatten().peekable();
    for ply in 0.. {
        let made = by_itself.next().and_then(|(_, made)| made);
        let is_new = seen.positions.insert(engine::checksum(state.as_bytes()));
        if let Some(game) = seen.games.last_mut() {
            *game = [game[0] + 1, game[1] + usize::from(is_new)];
        }
        seen.longest = seen.longest.max(ply);
        let is_tested = is_new && (part >= 1.0 || random.random_bool(part));
        if let Some((next, _)) = by_itself.peek().filter(|_| !is_tested) {
            state.clone_from(next);
            continue;
        }
        let view = program.view(&state)?;
        if let Some(over) = &view.over {
            seen.results[over.winner.unwrap_or(2)] += 1;
            return check_points(over, &state);
        }
        if ply >= most {
            seen.unfinished += 1;
            return Ok(());
        }
        let chosen = match made {
            None => random.random_range(0..view.moves.len()),
            Some(made) => view.moves.iter().position(|mv| *mv == made).with_context(|| {
                format!("playout: it plays '{made}', which view does not have; state: {state}")
            })?,
        };
        if is_tested {
            seen.tested += 1;
            test_position(program, &state, &view, seen)?;
            let others = sample(&mut random, view.moves.len(), MOST_MOVES.min(view.moves.len()));
            let (count, mut tried) = (view.moves.len() as u64, 0);
            for index in std::iter::once(chosen).chain(others.into_iter().filter(|&i| i != chosen))
            {
                if is_over() && tried > 0 {
                    break;
                }
                test_move(program, &state, &view, &view.moves[index])?;
                tried += 1;
            }
            seen.moves = [seen.moves[0] + count, seen.moves[1] + tried];
        }
        if is_over() {
            return Ok(());
        }
        let after = program.play(&state, &view.moves[chosen])?;
        if let Some((next, _)) = by_itself.peek().filter(|(next, _)| *next != after) {
            bail!(
                "playout, play: after '{}' playout has {next}, and play {after}; state: {state}",
                view.moves[chosen]
            );
        }
        state = after;
        if is_tested || part >= 1.0 {
            program.draw(&state, Some(&view.moves[chosen]))?;
        }
    }
    Ok(())
}

/// Checks the points at the end of a game: they have to be whole, and those of the side that won.
fn check_points(over: &Over, state: &str) -> Result<()> {
    let Some(points) = over.points else { return Ok(()) };
    let ahead = if points == 0.0 { None } else { Some(usize::from(points < 0.0)) };
    let why = match over.winner {
        _ if points.fract() != 0.0 => "are not whole".to_string(),
        winner if winner == ahead => return Ok(()),
        Some(winner) => format!("are not those of the winner, side {winner}"),
        None => "are not 0, and nobody has won".to_string(),
    };
    bail!("over: the points {points} (side 0's less side 1's) {why}; state: {state}")
}

fn test_position(program: &RulesProgram, state: &str, view: &View, seen: &mut Seen) -> Result<()> {
    let mut names = HashSet::new();
    if let Some(mv) = view.moves.iter().find(|mv| !names.insert(*mv)) {
        bail!("view: the move '{mv}' is there twice; state: {state}");
    }
    let file = program.task(state, CLOCKS, false)?;
    test_guesses(program, state, view, &file)?;
    let written = match view.moves.first() {
        Some(mv) => program.write(state, mv)?,
        None => String::new(),
    };
    let long =
        if seen.positions.len() <= POSITIONS_OF_LONG_ANSWERS { long(&written) } else { Vec::new() };
    let odd = ODD_TEXTS.map(str::to_string).into_iter().chain(altered(&written)).chain(long);
    for text in odd {
        // A refusal and a legal move are both right.
        match program.read(state, &text)? {
            Err(_) => seen.refused += 1,
            Ok(mv) if view.moves.contains(&mv) => {}
            Ok(mv) if view.some => test_move(program, state, view, &mv)?,
            Ok(mv) => bail!(
                "read: the text {} is read as the move '{mv}', which view does not have; state: {state}",
                quote(&text)
            ),
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

/// Answers as programs get a right one a little wrong.
fn altered(written: &str) -> [String; 4] {
    let line = written.trim_end();
    let mut short = line.to_string();
    short.pop();
    [short, format!("{line}{line}"), written.repeat(2), format!("({line})")]
}

/// Long answers of the characters of a right one.
fn long(written: &str) -> Vec<String> {
    let line = written.trim_end();
    let mut parts: Vec<String> = line.chars().map(String::from).collect();
    parts.extend(["1", "a", " ", line].map(str::to_string));
    parts.sort();
    parts.dedup();
    parts.retain(|part| !part.is_empty());
    let repeated = |part: &String, length: usize| part.repeat(length / part.len() + 1) + "!\n";
    let long = parts.iter().map(|part| repeated(part, LONG));
    long.chain([repeated(&"1".to_string(), VERY_LONG)]).collect()
}

/// Tests that guesses about a position show the side to move the same file and moves.
fn test_guesses(program: &RulesProgram, state: &str, view: &View, file: &str) -> Result<()> {
    for number in 0..GUESSES {
        let Some(guess) = program.guess(state, view.turn, number)? else { break };
        let seen = program.view(&guess)?;
        if seen.turn != view.turn || seen.moves != view.moves {
            bail!(
                "guess: another side is to move, or it has other moves; state: {state}, guess {number} of side {}: {guess}",
                view.turn
            );
        }
        let again = program.task(&guess, CLOCKS, false)?;
        if again != file {
            bail!(
                "guess, task: side {} gets the file\n{file}\nand in guess {number} it gets\n{again}\nstate: {state}; the guess: {guess}",
                view.turn
            );
        }
    }
    Ok(())
}

fn test_try(program: &RulesProgram, title: &str, state: &str, seen: &mut Seen) -> Result<()> {
    let mut test = || {
        let view = program.view(state)?;
        if view.over.is_some() {
            bail!("the game is over there");
        }
        test_position(program, state, &view, seen)?;
        view.moves.iter().take(MOST_MOVES).try_for_each(|mv| test_move(program, state, &view, mv))
    };
    test().with_context(|| format!("the position '{title}' in try/"))
}

fn test_move(program: &RulesProgram, state: &str, view: &View, mv: &str) -> Result<()> {
    let after = program.play(state, mv)?;
    let seen = program.view(&after)?;
    if let (Some(other), 0) = (&view.together, view.turn) {
        let unseen = (program.view(other)?.moves, program.task(other, CLOCKS, false)?);
        if (seen.turn, seen.moves) != (1, unseen.0)
            || program.task(&after, CLOCKS, false)? != unseen.1
        {
            bail!(
                "play, task: side 1 sees the move '{mv}' of side 0 at the same time; state: {state}"
            );
        }
    }
    let written = program.write(state, mv)?;
    match program.read(state, &written)? {
        Ok(read) if read == mv => Ok(()),
        Ok(read) => bail!(
            "read, write: the move '{mv}' is written as {written:?} and read as '{read}'; state: {state}"
        ),
        Err(violation) => bail!(
            "read: the move '{mv}' is written as {written:?} and refused: {violation}; state: {state}"
        ),
    }
}

/// Prints the numbers of lines of play from the start, until `is_over`.
fn perft(game: &AnyGame, is_over: &dyn Fn() -> bool) -> Result<()> {
    let start = game.rules.start(None)?;
    let (mut text, mut last) = (String::from("perft from the start:"), 1);
    for depth in 1..=DEEPEST {
        if last * start.codes().len() as u64 > MOST_LINES {
            break;
        }
        last = start.perft(depth, is_over)?;
        if depth > 1 && is_over() {
            text += " (the requests were over)";
            break;
        }
        text += &format!(" {last}");
    }
    print(&format!("{text}\n"));
    Ok(())
}
