//! `judge match` and `judge tournament`: from the command line or a file to a schedule, and its end to a table.

use crate::games::{Kind, kind};
use crate::interrupt;
use crate::player::process::Bounds;
use crate::player::spec::Keys;
use crate::ratings::Sprt;
use crate::record::{End, Event, Header, Record, Recorder, VERSION};
use crate::referee::LimitRule;
use crate::schedule::{Openings, Shape, Shard};
use crate::standings;
use crate::tournament::{Finish, Running, run};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use engine::files::{read_input, without_mark};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What a match and a tournament have in common.
#[derive(Args)]
pub struct Contest {
    /// The game
    #[arg(long, value_parser = crate::games::name_parser())]
    pub game: Option<String>,

    /// An engine, as KEY=VALUE words; once for each engine
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = clap::ArgAction::Append)]
    pub engine: Vec<String>,

    /// Keys for all engines that do not have them of their own
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub each: Vec<String>,

    /// Games of each two engines that meet; even, since each opening is played twice with sides swapped [default: 10]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: Option<u32>,

    /// Games at a time; no more than there are idle cores, or wall limits may be passed for want of CPU [default: 1]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub concurrency: Option<u32>,

    /// What games start from: start, random:PLIES, or dir:DIRECTORY of input files [default: random:4]
    #[arg(long, value_name = "KIND")]
    pub openings: Option<Openings>,

    /// For the openings and random players [default: 1]
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,

    /// A game ends after so many plies, openings not counted [default: the game's own]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_plies: Option<u32>,

    /// What becomes of a game then [default: draw]
    #[arg(long, value_enum)]
    pub at_limit: Option<LimitRule>,

    /// The rule set to refuse by [default: the most permissive]
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,

    /// A player is ended when a turn takes longer than its clock and so many seconds of wall time [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub wall_margin: Option<f64>,

    /// Data memory of each player process, in MiB [default: 4096]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(16..=1 << 24))]
    pub memory: Option<u64>,

    /// The largest file that a player may write, in MiB [default: 64]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    pub file_size: Option<u64>,

    /// The space that all files of a player may take, in MiB [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    pub disk: Option<u64>,

    /// How many bytes of each of a player's streams to keep for each turn [default: 2048]
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(0..=1 << 24))]
    pub keep: Option<u32>,

    /// Append every move and result to this new file of JSON lines
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// Go on with a record that was interrupted; all that decides the games comes from it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "engine", "game", "games", "seed", "openings", "each"])]
    pub resume: Option<PathBuf>,

    /// Stop as soon as the sequential test of two engines has its verdict: elo0=A elo1=B alpha=0.05 beta=0.05
    /// model=normalized|logistic
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub sprt: Vec<String>,

    /// Print the standings after so many games; 0 for only at the end
    #[arg(long, value_name = "GAMES", default_value_t = 10)]
    pub interval: u32,

    /// Write the games in a form that rating tools such as Ordo read
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
}

/// Options of tournaments alone.
#[derive(Args)]
pub struct TournamentOnly {
    /// A TOML or JSON file with engines and settings; options on the command line go before it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Who meets whom [default: roundrobin]
    #[arg(long, value_enum)]
    pub shape: Option<Shape>,

    /// Play only part I of N of the schedule; `judge merge` joins the records
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
}

/// A tournament file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Config {
    game: Option<String>,
    engine: Vec<Keys>,
    each: Keys,
    shape: Option<Shape>,
    games: Option<u32>,
    concurrency: Option<u32>,
    openings: Option<String>,
    seed: Option<u64>,
    max_plies: Option<u32>,
    at_limit: Option<LimitRule>,
    rules: Option<String>,
    wall_margin: Option<f64>,
    memory: Option<u64>,
    file_size: Option<u64>,
    disk: Option<u64>,
    keep: Option<u32>,
}

/// Reads a tournament file, TOML unless its name ends in `.json`.
fn read_config(path: &Path) -> Result<Config> {
    let name = path.display();
    let text = read_input(path).with_context(|| format!("{name}: cannot be read"))?;
    let text = without_mark(&text);
    if path.extension().is_some_and(|extension| extension == "json") {
        serde_json::from_str(text).with_context(|| name.to_string())
    } else {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            anyhow!("{name}:{line}: {}", error.message())
        })
    }
}

/// Plays a match or a tournament. `engines` holds the words of each `--engine`.
pub fn contest(contest: &Contest, only: Option<&TournamentOnly>, engines: &[Vec<String>]) -> Result<ExitCode> {
    let config = match only.and_then(|only| only.config.as_deref()) {
        Some(path) => read_config(path)?,
        None => Config::default(),
    };
    let sprt = if contest.sprt.is_empty() { None } else { Some(Sprt::parse(contest.sprt.iter().map(String::as_str))?) };
    let concurrency = contest.concurrency.or(config.concurrency).unwrap_or(1).max(1) as usize;
    let (kind, record, recorder, path) = match &contest.resume {
        Some(path) => {
            let record = Record::read(path)?;
            (kind(&record.header.game)?, record, Recorder::resume(path)?, Some(path))
        }
        None => {
            let header = header(contest, only, engines, config)?;
            let recorder = match &contest.record {
                Some(path) => Recorder::create(path, &Event::Header(header.clone()))?,
                None => Recorder::nowhere(),
            };
            let record = Record { header, games: BTreeMap::new(), open: BTreeMap::new() };
            (kind(&record.header.game)?, record, recorder, contest.record.as_ref())
        }
    };
    let header = &record.header;
    if sprt.is_some() && header.engines.len() != 2 {
        bail!("--sprt: expected two engines, found {}", header.engines.len());
    }
    interrupt::catch()?;
    let (ends, finish) = run(kind, &record, recorder, &Running { concurrency, sprt, interval: contest.interval })?;
    if header.engines.len() == 2 {
        crate::print(&standings::summary(&kind, header, &ends, sprt.as_ref()));
    }
    crate::print(&standings::table(&kind, header, &ends));
    if let Some(file) = &contest.pgn {
        crate::pgn::write(file, &kind, header, &ends)?;
    }
    if finish == Finish::Interrupted {
        match path {
            Some(path) => eprintln!("interrupted; go on with: judge tournament --resume {}", path.display()),
            None => eprintln!("interrupted; without --record there is nothing to go on from"),
        }
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    Ok(ExitCode::SUCCESS)
}

fn header(contest: &Contest, only: Option<&TournamentOnly>, engines: &[Vec<String>], config: Config) -> Result<Header> {
    let game = contest.game.clone().or(config.game).ok_or_else(|| anyhow!("--game: which game?"))?;
    let kind: Kind = kind(&game)?;
    let each = Keys::parse(contest.each.iter().map(String::as_str))?.or(&config.each);
    let mut keys = Vec::new();
    for words in engines {
        keys.push(Keys::parse(words.iter().map(String::as_str))?);
    }
    keys.extend(config.engine);
    let engines = keys.into_iter().map(|keys| keys.or(&each).engine(&game)).collect::<Result<Vec<_>>>()?;
    if engines.len() < 2 || only.is_none() && engines.len() != 2 {
        let expected = if only.is_none() { "two engines" } else { "at least two engines" };
        bail!("--engine: expected {expected}, found {}", engines.len());
    }
    let mut names = BTreeSet::new();
    for spec in &engines {
        if !names.insert(&spec.name) {
            bail!("two engines have the name '{}'; give one of them another with name=", spec.name);
        }
    }
    let games = contest.games.or(config.games).unwrap_or(10);
    if games == 0 || games % 2 == 1 {
        bail!("--games: expected an even number, found {games}: each opening is played twice, with sides swapped");
    }
    let openings = match (&contest.openings, config.openings) {
        (Some(openings), _) => openings.clone(),
        (None, Some(text)) => text.parse()?,
        (None, None) => Openings::Random(4),
    };
    let rules = contest.rules.clone().or(config.rules);
    (kind.check_rules)(rules.as_deref())?;
    Ok(Header {
        version: VERSION,
        game,
        rules,
        engines,
        shape: only.and_then(|only| only.shape).or(config.shape).unwrap_or_default(),
        pairs: games / 2,
        openings,
        seed: contest.seed.or(config.seed).unwrap_or(1),
        max_plies: contest.max_plies.or(config.max_plies).unwrap_or(kind.ply_limit),
        at_limit: contest.at_limit.or(config.at_limit).unwrap_or_default(),
        bounds: bounds(
            contest.wall_margin.or(config.wall_margin),
            contest.memory.or(config.memory),
            contest.file_size.or(config.file_size),
            contest.disk.or(config.disk),
            contest.keep.or(config.keep),
        )?,
        shard: only.and_then(|only| only.shard),
    })
}

/// The bounds asked for, the usual ones where none are.
pub fn bounds(
    wall_margin: Option<f64>,
    memory_mib: Option<u64>,
    file_mib: Option<u64>,
    disk_mib: Option<u64>,
    keep: Option<u32>,
) -> Result<Bounds> {
    let usual = Bounds::default();
    let wall_margin = wall_margin.unwrap_or(usual.wall_margin);
    if !(0.0..1e7).contains(&wall_margin) {
        bail!("--wall-margin: expected seconds, found {wall_margin}");
    }
    Ok(Bounds {
        wall_margin,
        memory_mib: memory_mib.unwrap_or(usual.memory_mib),
        file_mib: file_mib.unwrap_or(usual.file_mib),
        disk_mib: disk_mib.unwrap_or(usual.disk_mib),
        keep: keep.map_or(usual.keep, |keep| keep as usize),
    })
}

/// `judge merge`: joins the records of one tournament's parts.
pub fn merge(files: &[PathBuf], to: Option<&Path>) -> Result<()> {
    let mut joined: Option<Record> = None;
    for path in files {
        let mut record = Record::read(path)?;
        record.header.shard = None;
        match &mut joined {
            None => joined = Some(record),
            Some(all) if all.header == record.header => {
                for (number, game) in record.games {
                    all.games.entry(number).or_insert(game);
                }
            }
            Some(_) => bail!("{}: a part of another tournament than {}", path.display(), files[0].display()),
        }
    }
    let record = joined.ok_or_else(|| anyhow!("expected at least one record"))?;
    if let Some(path) = to {
        record.write(path)?;
    }
    let ends: Vec<End> = record.ends().cloned().collect();
    let kind = kind(&record.header.game)?;
    let expected = crate::schedule::slots(&record.header, kind.first).len();
    crate::print(&standings::table(&kind, &record.header, &ends));
    if ends.len() < expected {
        eprintln!("{} of {expected} games are missing", expected - ends.len());
    }
    Ok(())
}

/// `judge table`: the table of a record, and what else it can be turned into.
pub fn table(file: &Path, pgn: Option<&Path>) -> Result<()> {
    let record = Record::read(file)?;
    let kind = kind(&record.header.game)?;
    let ends: Vec<End> = record.ends().cloned().collect();
    if record.header.engines.len() == 2 {
        crate::print(&standings::summary(&kind, &record.header, &ends, None));
    }
    crate::print(&standings::table(&kind, &record.header, &ends));
    if let Some(path) = pgn {
        crate::pgn::write(path, &kind, &record.header, &ends)?;
    }
    Ok(())
}
