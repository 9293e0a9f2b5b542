//! `judge match` and `judge tournament`: plays the schedule of the command line, a file or a
//! record, and prints the table.

mod class;
mod match_options;
mod page;
pub(crate) mod records;
mod times;

pub(crate) use match_options::{MatchOptions, TournamentOptions};

use crate::pgn;
use anygame::AnyGame;
use anyhow::{Context, Result, anyhow, bail};
use arena::adjudication::{Adjudication, DrawRule};
use arena::keys::Keys;
use arena::player::spec::EngineSpec;
use arena::ratings::Sprt;
use arena::record::{End, Header, Record, Recorder, VERSION};
use arena::rules_program::share_of_rules;
use arena::terms::{Bounds, Openings, Shape};
use arena::tournament::{Finish, Running, count, replayed, run};
use intake::runtime::Runtimes;
use intake::submission::add_intake_settings;
use match_options::{Entries, read_config};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use terminal::games::{find, note_replayed, rules_line};
use terminal::output::{new_record, print};
use terminal::progress::Progress;
use terminal::settings::{GameSettings, seed_or_drawn, tell_drawn};
use terminal::{interrupt, sandbox_layers, standings};

/// Plays a match or a tournament, and writes its results. A match has no options of a tournament;
/// `engines` has the arguments of each `--engine`.
pub(crate) fn play(
    options: &MatchOptions,
    tournament: Option<&TournamentOptions>,
    engines: &[Vec<String>],
) -> Result<ExitCode> {
    let (mut schedule, recorder) = set_up(options, tournament, engines)?;
    let page = tournament.and_then(|options| options.page.as_deref());
    let (ends, finish) = run_schedule(options, &mut schedule, recorder, page.is_some())?;
    report(options, page, &schedule, &ends)?;
    Ok(say_how_it_goes_on(options, tournament, finish))
}

struct Schedule {
    game: &'static AnyGame,
    /// The terms, and what has been played of them.
    record: Record,
    concurrency: usize,
    sprt: Option<Sprt>,
}

fn command(tournament: Option<&TournamentOptions>) -> &'static str {
    if tournament.is_none() { "match" } else { "tournament" }
}

fn set_up(
    options: &MatchOptions,
    tournament: Option<&TournamentOptions>,
    engines: &[Vec<String>],
) -> Result<(Schedule, Recorder)> {
    let (entries, file_settings) = match tournament.and_then(|options| options.config.as_deref()) {
        Some(path) => read_config(path)?,
        None => Default::default(),
    };
    let settings = options.settings.or(&file_settings);
    let sprt = (!options.sprt.is_empty())
        .then(|| Sprt::parse(options.sprt.iter().map(String::as_str)))
        .transpose()?;
    let mut record = match &options.resume {
        Some(path) => Record::read(path)?,
        None => Record::new(header(options, tournament, engines, entries, &settings)?),
    };
    let Header { engines, bounds, .. } = &record.header;
    let concurrency = settings.concurrency();
    let at_a_time = concurrency * find(&record.header.game)?.programs_at_a_time();
    sandbox_layers::admit(engines, bounds, options.settings.yes_unsafe, at_a_time)?;
    Runtimes::new(bounds).check(engines)?;
    if sprt.is_some() && engines.len() != 2 {
        bail!("--sprt: expected two engines, found {}", engines.len());
    }
    let mut recorder = match (&options.resume, &options.record) {
        (Some(path), _) => {
            record.check_resumable().with_context(|| path.display().to_string())?;
            Recorder::resume(path)?
        }
        (None, Some(path)) => {
            let (command, file) = (command(tournament), path.display());
            let remedy =
                format!("judge {command} --resume {file} continues it, --overwrite replaces it");
            new_record(path, record.header.clone(), options.overwrite, &remedy)?
        }
        (None, None) => Recorder::nowhere(),
    };
    if options.resume.is_none() && settings.seed.is_none() {
        tell_drawn(record.header.seed);
    }
    let game = find(&record.header.game)?;
    replay(game, &mut record, &mut recorder)?;
    print(&rules_line(game, game.rules.check_rules(record.header.rules.as_deref())?));
    Ok((Schedule { game, record, concurrency, sprt }, recorder))
}

/// Plays the games that the record does not have, with a line for each. Returns the ends of all
/// games.
fn run_schedule(
    options: &MatchOptions,
    schedule: &mut Schedule,
    recorder: Recorder,
    keep_moves: bool,
) -> Result<(Vec<End>, Finish)> {
    let Schedule { game, record, concurrency, sprt } = schedule;
    interrupt::catch()?;
    let header = record.header.clone();
    let total = count(&header, game.first);
    let bar = Progress::new(total);
    bar.set(record.games.len());
    let mut on_finished = |end: &End, ends: &BTreeMap<u32, End>| {
        bar.print(&standings::game_line(game, total, end));
        bar.set(ends.len());
        let finished = ends.len() as u32;
        if options.interval > 0 && finished.is_multiple_of(options.interval) && ends.len() < total {
            let ends: Vec<End> = ends.values().cloned().collect();
            bar.print(&standings::summary(game, &header, &ends, sprt.as_ref()));
        }
    };
    let running = Running {
        concurrency: *concurrency,
        sprt: *sprt,
        keep_moves,
        stop: &interrupt::asked,
        finished: &mut on_finished,
    };
    let begin = Instant::now();
    let ran = run(game, record, recorder, running);
    bar.finish();
    if let Some(words) = share_of_rules(game, begin.elapsed(), *concurrency) {
        eprintln!("{words}");
    }
    ran
}

fn report(
    options: &MatchOptions,
    page: Option<&Path>,
    schedule: &Schedule,
    ends: &[End],
) -> Result<()> {
    let Schedule { game, record, sprt, .. } = schedule;
    let header = &record.header;
    if header.engines.len() == 2 {
        print(&standings::summary(game, header, ends, sprt.as_ref()));
    }
    print(&standings::table(game, header, ends));
    print(&changed_results(game, record, ends));
    if let Some(file) = page {
        page::write(file, game, ends, record)?;
    }
    if let Some(file) = &options.pgn {
        pgn::write(file, game, header, ends)?;
    }
    Ok(())
}

/// Says on standard error how an interrupted run is continued, or that nothing was kept. Returns
/// the exit code.
fn say_how_it_goes_on(
    options: &MatchOptions,
    tournament: Option<&TournamentOptions>,
    finish: Finish,
) -> ExitCode {
    match (finish, options.resume.as_ref().or(options.record.as_ref())) {
        (Finish::Interrupted, Some(path)) => {
            let (command, path) = (command(tournament), path.display());
            eprintln!("interrupted; to continue: judge {command} --resume {path}");
        }
        (Finish::Interrupted, None) => {
            eprintln!("interrupted; without --record the tournament cannot be continued");
        }
        (_, None) => eprintln!("{}", terminal::output::NO_RECORD),
        (_, Some(_)) => {}
    }
    if finish == Finish::Interrupted {
        ExitCode::from(interrupt::EXIT_CODE)
    } else {
        ExitCode::SUCCESS
    }
}

/// Replays the games of a record that other rules have played than those of today, and says which
/// do not count.
fn replay(game: &AnyGame, record: &mut Record, recorder: &mut Recorder) -> Result<()> {
    let replayed = replayed(game, record)?;
    if replayed.is_empty() {
        return Ok(());
    }
    note_replayed(game, &replayed, |number| game_name(number, &record.games[&number].end));
    record.replay(recorder, replayed)
}

/// Returns a line for each game that was played again by other rules and has another result.
fn changed_results(game: &AnyGame, record: &Record, ends: &[End]) -> String {
    let line = |end: &End| {
        let [now, before] = [end, &record.withdrawn.get(&end.game)?.end]
            .map(|end| standings::result_word(game, end));
        let name = game_name(end.game, end);
        (now != before).then(|| format!("{name}: {now} by the rules of today, {before} before\n"))
    };
    ends.iter().filter_map(line).collect()
}

fn game_name(number: u32, end: &End) -> String {
    format!("game {number} ({} vs {})", end.players[0], end.players[1])
}

/// Returns the header of a new record, from the command line and the entries of a tournament file.
fn header(
    options: &MatchOptions,
    tournament: Option<&TournamentOptions>,
    engines: &[Vec<String>],
    entries: Entries,
    settings: &GameSettings,
) -> Result<Header> {
    let name = options
        .game
        .clone()
        .or(entries.game)
        .ok_or_else(|| anyhow!("--game: expected the name of a game"))?;
    let game = find(&name)?;
    let each = Keys::parse(options.each.iter().map(String::as_str))?.or(&entries.each);
    let given = engines.iter().map(|words| Keys::parse(words.iter().map(String::as_str)));
    let keys = given.chain(entries.engine.into_iter().map(Ok));
    let mut engines = keys.map(|keys| keys?.or(&each).engine(game)).collect::<Result<Vec<_>>>()?;
    if tournament.is_some_and(|options| options.from.is_none() && !options.commands.are_missing()) {
        bail!("--cmd, --own-commands: expected --from DIRECTORY beside them");
    }
    let usual = Bounds::default();
    let mut bounds = Bounds {
        keep: settings.keep.map_or(usual.keep, |keep| keep as usize),
        ..settings.bounds()?
    };
    if let Some(class) = tournament.and_then(|options| options.from.as_deref()) {
        add_intake_settings(class, &mut bounds)?;
    }
    if let Some((class, from)) = tournament.and_then(|class| Some((class, class.from.as_deref()?)))
    {
        engines.extend(class::submissions(from, class, &each, game, &bounds)?);
    }
    check_players(&engines, tournament.is_none())?;
    let games = options.games.or(entries.games).unwrap_or(10);
    if games == 0 || games % 2 == 1 {
        bail!(
            "--games: expected an even number, found {games}: each opening is played twice, with sides swapped"
        );
    }
    let openings = match (&options.openings, entries.openings) {
        (Some(openings), _) => openings.clone(),
        (None, Some(text)) => text.parse()?,
        (None, None) => Openings::usual(game),
    };
    let rules = game.rules.check_rules(settings.rules.as_deref())?;
    let shape = tournament.and_then(|options| options.shape).or(entries.shape).unwrap_or_default();
    let (rounds, shard) =
        tournament.map_or((None, None), |options| (options.rounds, options.shard));
    match shape {
        Shape::Swiss if shard.is_some() => bail!(
            "--shard: a Swiss tournament cannot be split, since each round depends on the results of the previous one"
        ),
        Shape::Roundrobin | Shape::Gauntlet if rounds.is_some() => {
            bail!("--rounds is for --shape swiss")
        }
        _ => {}
    }
    Ok(Header {
        version: VERSION,
        game: game.key.to_string(),
        rules: Some(rules.to_string()),
        engines,
        shape,
        pairs: games / 2,
        openings,
        seed: seed_or_drawn(settings.seed, shard.is_some())?,
        max_plies: settings.max_plies.unwrap_or(game.ply_limit),
        at_limit: settings.at_limit.unwrap_or_default(),
        bounds,
        shard,
        rounds,
        adjudication: adjudication(tournament)?,
        own: game.in_records.cloned(),
    })
}

fn check_players(engines: &[EngineSpec], is_match: bool) -> Result<()> {
    if engines.len() < 2 || is_match && engines.len() != 2 {
        let expected = if is_match { "two engines" } else { "at least two engines" };
        bail!("--engine: expected {expected}, found {}", engines.len());
    }
    let mut names = BTreeSet::new();
    for spec in engines {
        if !names.insert(&spec.name) {
            bail!("two engines have the name '{}'; give one of them another with name=", spec.name);
        }
    }
    Ok(())
}

fn adjudication(tournament: Option<&TournamentOptions>) -> Result<Adjudication> {
    let Some(options) = tournament else { return Ok(Adjudication::default()) };
    let draw = (!options.draw.is_empty())
        .then(|| DrawRule::parse(options.draw.iter().map(String::as_str)))
        .transpose()?;
    Ok(Adjudication { resign: options.resign, draw })
}
