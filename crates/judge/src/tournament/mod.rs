//! `judge match` and `judge tournament`: from the command line or a file to a schedule, and its end to a table.

mod from;
mod options;
mod page;
pub(crate) mod records;

pub(crate) use options::{MatchOptions, TournamentOptions};

use crate::games::find;
use crate::output::print;
use crate::progress::Progress;
use crate::settings::GameSettings;
use crate::{interrupt, pgn, standings, walls};
use anyhow::{Context, Result, anyhow, bail};
use arena::adjudication::{Adjudication, DrawRule};
use arena::player::keys::Keys;
use arena::player::spec::EngineSpec;
use arena::ratings::Sprt;
use arena::record::{End, Event, Header, Record, Recorder, VERSION};
use arena::terms::{Openings, Shape};
use arena::tournament::{Finish, Running, count, run};
use options::{Entries, read_config};
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

/// Plays a match. `engines` holds the words of each `--engine`.
pub(crate) fn play_match(options: &MatchOptions, engines: &[Vec<String>]) -> Result<ExitCode> {
    play(options, None, engines)
}

/// Plays a tournament. `engines` holds the words of each `--engine`.
pub(crate) fn play_tournament(options: &TournamentOptions, engines: &[Vec<String>]) -> Result<ExitCode> {
    play(&options.games, Some(options), engines)
}

fn play(options: &MatchOptions, only: Option<&TournamentOptions>, engines: &[Vec<String>]) -> Result<ExitCode> {
    let (entries, file_settings) = match only.and_then(|only| only.config.as_deref()) {
        Some(path) => read_config(path)?,
        None => Default::default(),
    };
    let settings = options.settings.or(&file_settings);
    let sprt = if options.sprt.is_empty() { None } else { Some(Sprt::parse(options.sprt.iter().map(String::as_str))?) };
    let (record, recorder, path) = match &options.resume {
        Some(path) => {
            let record = Record::read(path)?;
            record.check_resumable().with_context(|| path.display().to_string())?;
            (record, Recorder::resume(path)?, Some(path))
        }
        None => {
            let header = header(options, only, engines, entries, &settings)?;
            let recorder = match &options.record {
                Some(path) => Recorder::create(path, &Event::Header(header.clone()))?,
                None => Recorder::nowhere(),
            };
            let record = Record { header, games: BTreeMap::new(), open: BTreeMap::new() };
            (record, recorder, options.record.as_ref())
        }
    };
    let header = &record.header;
    let game = &find(&header.game)?.arena;
    if sprt.is_some() && header.engines.len() != 2 {
        bail!("--sprt: expected two engines, found {}", header.engines.len());
    }
    walls::announce(&header.engines, &header.bounds)?;
    interrupt::catch()?;
    let total = count(header, game.first);
    let bar = Progress::new(total);
    bar.set(record.games.len());
    let mut tell = |end: &End, ends: &BTreeMap<u32, End>| {
        bar.print(&standings::game_line(game, total, end));
        bar.set(ends.len());
        let finished = ends.len() as u32;
        if options.interval > 0 && finished.is_multiple_of(options.interval) && ends.len() < total {
            let ends: Vec<End> = ends.values().cloned().collect();
            bar.print(&standings::summary(game, header, &ends, sprt.as_ref()));
        }
    };
    let running = Running { concurrency: settings.concurrency(), sprt, stop: &interrupt::asked, finished: &mut tell };
    let ran = run(game, &record, recorder, running);
    bar.finish();
    let (ends, finish) = ran?;
    if header.engines.len() == 2 {
        print(&standings::summary(game, header, &ends, sprt.as_ref()));
    }
    print(&standings::table(game, header, &ends));
    if let Some(file) = only.and_then(|only| only.page.as_deref()) {
        let played = path.map(|path| Record::read(path)).transpose()?;
        page::write(file, game, &ends, played.as_ref().unwrap_or(&record), played.is_some())?;
    }
    if let Some(file) = &options.pgn {
        pgn::write(file, game, header, &ends)?;
    }
    if finish == Finish::Interrupted {
        match path {
            Some(path) => eprintln!("interrupted; go on with: judge tournament --resume {}", path.display()),
            None => eprintln!("interrupted; without --record there is nothing to go on from"),
        }
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    if path.is_none() {
        eprintln!("{}", crate::names::NO_RECORD);
    }
    Ok(ExitCode::SUCCESS)
}

fn header(
    options: &MatchOptions,
    only: Option<&TournamentOptions>,
    engines: &[Vec<String>],
    entries: Entries,
    settings: &GameSettings,
) -> Result<Header> {
    let name = options.game.clone().or(entries.game).ok_or_else(|| anyhow!("--game: which game?"))?;
    let game = &find(&name)?.arena;
    let each = Keys::parse(options.each.iter().map(String::as_str))?.or(&entries.each);
    let mut keys = Vec::new();
    for words in engines {
        keys.push(Keys::parse(words.iter().map(String::as_str))?);
    }
    keys.extend(entries.engine);
    let mut engines = keys.into_iter().map(|keys| keys.or(&each).engine(game)).collect::<Result<Vec<_>>>()?;
    if let Some((only, from)) = only.and_then(|only| Some((only, only.from.as_deref()?))) {
        engines.extend(from::class(from, only, &each, game)?);
    }
    check_players(&engines, only.is_none())?;
    let games = options.games.or(entries.games).unwrap_or(10);
    if games == 0 || games % 2 == 1 {
        bail!("--games: expected an even number, found {games}: each opening is played twice, with sides swapped");
    }
    let openings = match (&options.openings, entries.openings) {
        (Some(openings), _) => openings.clone(),
        (None, Some(text)) => text.parse()?,
        (None, None) => Openings::Random(4),
    };
    (game.check_rules)(settings.rules.as_deref())?;
    let shape = only.and_then(|only| only.shape).or(entries.shape).unwrap_or_default();
    let (rounds, shard) = only.map_or((None, None), |only| (only.rounds, only.shard));
    match shape {
        Shape::Swiss if shard.is_some() => bail!("--shard: the rounds of a Swiss tournament hang on each other"),
        Shape::Roundrobin | Shape::Gauntlet if rounds.is_some() => bail!("--rounds is for --shape swiss"),
        _ => {}
    }
    Ok(Header {
        version: VERSION,
        game: name,
        rules: settings.rules.clone(),
        engines,
        shape,
        pairs: games / 2,
        openings,
        seed: settings.seed(),
        max_plies: settings.max_plies.unwrap_or(game.ply_limit),
        at_limit: settings.at_limit.unwrap_or_default(),
        bounds: settings.bounds()?,
        shard,
        rounds,
        adjudication: adjudication(only)?,
    })
}

/// Checks that there are enough players, and that no two share a name.
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

/// When games of a tournament are ended before their end.
fn adjudication(only: Option<&TournamentOptions>) -> Result<Adjudication> {
    let Some(only) = only else { return Ok(Adjudication::default()) };
    let draw = (!only.draw.is_empty()).then(|| DrawRule::parse(only.draw.iter().map(String::as_str))).transpose()?;
    Ok(Adjudication { resign: only.resign, draw })
}
