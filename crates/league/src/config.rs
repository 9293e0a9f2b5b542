//! `league.toml`: the settings of a league, which are read when the server starts.

use crate::clock::{DAY, Millis, zoned};
use crate::points::Points;
use crate::proxy_sign_in::ProxySignIn;
use anygame::game::Keep;
use anygame::position::ANY_CLOCK;
use anygame::{AnyGame, GameClock};
use anyhow::{Context, Result, bail};
use arena::keys::Keys;
use arena::openings::random_opening;
use arena::player::spec::EngineSpec;
use arena::random::drawn;
use arena::terms::{Bounds, LimitRule, Openings};
use engine::TimeControl;
use jiff::ZonedDateTime;
use jiff::tz::TimeZone;
use serde::Deserialize;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::Duration;
use terminal::games::{find, strict_rules};
use terminal::settings::GameSettings;
use ureq::http::Uri;

pub(crate) const FILE: &str = "league.toml";

/// The text of a new file. The words in braces are filled in.
const NEW: &str = include_str!("league.toml");

/// The keys of the file; docs/league.md says what they mean.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct File {
    pub title: String,
    game: String,
    #[serde(default)]
    pub each: Keys,
    openings: Option<String>,
    #[serde(default)]
    settings: GameSettings,
    #[serde(default)]
    pub uploads: Uploads,
    #[serde(default)]
    pub ladder: Ladder,
    pub proxy_sign_in: Option<ProxySignIn>,
    address: Option<String>,
    time_zone: Option<String>,
    deadline: Option<String>,
    #[serde(default)]
    pub public_ladder: bool,
    #[serde(default)]
    pub pseudonyms: bool,
    #[serde(default = "yes")]
    pub replays: bool,
    #[serde(default = "yes")]
    baselines: bool,
    #[serde(default)]
    pub points: Points,
    #[serde(default, rename = "baseline")]
    own_baselines: Vec<Keys>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct Uploads {
    pub a_day: u32,
    pub mib: u64,
    pub unpacked_mib: u64,
    pub files: u64,
    pub build_time: u64,
    pub build_memory: u64,
    pub check_clock: Option<f64>,
    pub check_time: u64,
    pub languages: Option<PathBuf>,
}

impl Default for Uploads {
    fn default() -> Uploads {
        Uploads {
            a_day: 20,
            mib: 20,
            unpacked_mib: 64,
            files: 2000,
            build_time: 60,
            build_memory: 2048,
            check_clock: None,
            check_time: 30,
            languages: None,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct Ladder {
    pub workers: Option<u32>,
    pub challenges_a_day: u32,
    pub share: f64,
    pub faults: u32,
    /// The ± of all ratings at which a closing period ends.
    pub within: f64,
}

impl Default for Ladder {
    fn default() -> Ladder {
        Ladder { workers: None, challenges_a_day: 5, share: 0.25, faults: 10, within: 60.0 }
    }
}

pub(crate) struct Config {
    file: File,
    pub game: &'static AnyGame,
    pub rules: &'static str,
    pub openings: Openings,
    /// The move limit of a game, in plies.
    pub max_plies: u32,
    pub at_limit: LimitRule,
    pub bounds: Bounds,
    /// The address that people open, without a slash at its end, and its host.
    pub address: Option<(String, String)>,
    pub zone: TimeZone,
    /// Until when submissions are taken in.
    pub deadline: Option<ZonedDateTime>,
    pub baselines: Vec<EngineSpec>,
    /// The files and folders that the settings name: as they are written, and where they lie.
    pub named: Vec<(String, PathBuf)>,
}

impl Deref for Config {
    type Target = File;

    fn deref(&self) -> &File {
        &self.file
    }
}

const fn yes() -> bool {
    true
}

impl Config {
    /// Reads the settings from a league's directory.
    ///
    /// # Errors
    /// The file is missing or wrong; the message names it.
    pub(crate) fn read(directory: &Path) -> Result<Config> {
        let (path, text) = (directory.join(FILE), Config::text(directory)?);
        Config::parse(&path.display().to_string(), &text)
    }

    pub(crate) fn text(directory: &Path) -> Result<String> {
        arena::toml_text::read(&directory.join(FILE))
            .with_context(|| format!("`league init {}` makes a league", directory.display()))
    }

    pub(crate) fn parse(name: &str, text: &str) -> Result<Config> {
        let mut file: File = arena::toml_text::parse(name, text)?;
        // Paths begin in the league's directory, or else where the program was started.
        let directory = Path::new(name).parent().unwrap_or(Path::new(""));
        let mut named = Vec::new();
        let mut place = |written: &str| {
            let own = directory.join(written);
            let path = if own.exists() { own } else { written.into() };
            if path.exists() {
                named.push((written.to_string(), path.clone()));
            }
            path
        };
        // The folder of a game has a slash: a folder may have the name of one of our games.
        if file.game.contains('/') {
            file.game = place(&file.game).to_string_lossy().into_owned();
        }
        if let Some(folder) = file.openings.as_mut().and_then(|text| text.strip_prefix("dir:")) {
            file.openings = Some(format!("dir:{}", place(folder).display()));
        }
        let languages = &mut file.uploads.languages;
        *languages = languages.take().map(|path| place(&path.to_string_lossy()));
        let baselines = std::mem::take(&mut file.own_baselines).into_iter();
        file.own_baselines = baselines.map(|keys| keys.with_paths(&mut place)).collect();
        file.each = std::mem::take(&mut file.each).with_paths(&mut place);
        let config = Config::of(file).with_context(|| name.to_string())?;
        Ok(Config { named, ..config })
    }

    fn of(file: File) -> Result<Config> {
        let game = find(&file.game)?;
        let rules = strict_rules(game, file.settings.rules.as_deref()).context("settings.rules")?;
        let zone = match &file.time_zone {
            Some(name) => TimeZone::get(name).with_context(|| format!("time-zone: '{name}'"))?,
            None => TimeZone::system(),
        };
        let deadline = file.deadline.as_deref().map(|text| deadline(text, &zone));
        let deadline = deadline.transpose().context("deadline")?;
        if file.title.trim().is_empty() {
            bail!("title: expected a name");
        }
        if !(0.0..=1.0).contains(&file.ladder.share) {
            bail!("ladder.share: expected 0 to 1, found {}", file.ladder.share);
        }
        if !(10.0..=400.0).contains(&file.ladder.within) {
            bail!("ladder.within: expected 10 to 400, found {}", file.ladder.within);
        }
        if file.uploads.check_clock.is_some_and(|seconds| !(seconds > 0.0 && seconds < 1e7)) {
            bail!("uploads.check-clock: expected seconds above 0");
        }
        let address = file.address.as_deref().map(address).transpose().context("address")?;
        file.proxy_sign_in.as_ref().map_or(Ok(()), ProxySignIn::check)?;
        let bounds = Bounds { keep: 1 << 13, ..file.settings.bounds()? };
        let mut keys = if file.baselines { usual_baselines(game)? } else { Vec::new() };
        keys.extend(file.own_baselines.clone());
        let mut baselines: Vec<EngineSpec> = Vec::new();
        for (number, keys) in (1..).zip(keys) {
            let baseline = keys.or(&file.each).engine(game).context("baseline")?;
            if baselines.iter().any(|other| other.name == baseline.name) {
                bail!("baseline {number}: a second one with the name '{}'", baseline.name);
            }
            baselines.push(baseline);
        }
        let names: Vec<&str> = baselines.iter().map(|one| &*one.name).collect();
        file.points.check(&names).context("points")?;
        Ok(Config {
            game,
            rules,
            openings: match &file.openings {
                Some(text) => text.parse().context("openings")?,
                None => usual_openings(game),
            },
            max_plies: file.settings.max_plies.unwrap_or(game.ply_limit),
            at_limit: file.settings.at_limit.unwrap_or_default(),
            bounds,
            address,
            zone,
            deadline,
            baselines,
            named: Vec::new(),
            file,
        })
    }

    /// Returns a number to which the number of a pair is added for the pair's seed: drawn for each
    /// order, so that nobody knows the next one, unless the settings have one.
    pub(crate) fn pair_seed(&self) -> i64 {
        self.settings.seed.map_or_else(|| drawn().cast_signed(), |seed| i64::from(seed as u32))
    }

    pub(crate) fn shown(&self, time: Millis) -> String {
        zoned(time, &self.zone).strftime("%Y-%m-%d %H:%M").to_string()
    }

    pub(crate) fn day_of(&self, time: Millis) -> Millis {
        let day = zoned(time, &self.zone).start_of_day();
        day.map_or(time - DAY, |day| day.timestamp().as_millisecond())
    }

    /// Returns the deadline of an entrant that has one of its own, which counts if it is later.
    pub(crate) fn deadline_with(&self, own: Option<Millis>) -> Option<Millis> {
        let deadline = self.deadline.as_ref().map(|deadline| deadline.timestamp().as_millisecond());
        deadline.map(|deadline| own.map_or(deadline, |own| own.max(deadline)))
    }

    /// Returns whether a submission of this time is late, with a deadline of the entrant's own.
    pub(crate) fn is_late(&self, at: Millis, own: Option<Millis>) -> bool {
        self.deadline_with(own).is_some_and(|deadline| at > deadline)
    }

    /// Reads a time as `deadline` has it.
    ///
    /// # Errors
    /// The text is no time; the message says what is expected.
    pub(crate) fn time(&self, text: &str) -> Result<Millis> {
        Ok(deadline(text, &self.zone)?.timestamp().as_millisecond())
    }

    pub(crate) fn upload_limits(&self) -> intake::UploadLimits {
        intake::UploadLimits {
            bounds: self.bounds.clone(),
            build_time: Duration::from_secs(self.uploads.build_time),
            build_mib: self.uploads.build_memory,
            size_mib: self.uploads.unpacked_mib,
            files: self.uploads.files,
            languages: self.uploads.languages.clone(),
        }
    }
}

pub(crate) const GAME_FOLDER: &str = "./game";

pub(crate) fn new_file(game: &AnyGame, title: &str) -> String {
    let zone = TimeZone::system().iana_name().unwrap_or("UTC").to_string();
    let quoted = |text: &str| toml::Value::String(text.to_string()).to_string();
    let each = match game.interface.clock {
        Some(GameClock::Single(seconds)) => format!("st = {seconds:?}"),
        Some(GameClock::Game(seconds)) => format!("time = {seconds:?}"),
        // A Java machine takes 0.09 to 0.13 s of CPU to start, and a game of Halma has up to 140
        // moves of a side.
        None => "time = 30.0".to_string(),
    };
    let key = if game.is_own() { GAME_FOLDER } else { game.name };
    let has_choice = game.rules.rule_sets().len() > 1;
    NEW.replace("{title}", &quoted(title))
        .replace("{rules}", if has_choice { "# rules = \"addendum\"\n" } else { "" })
        .replace("{game}", &quoted(key))
        .replace("{zone}", &quoted(&zone))
        .replace("{each}", &each)
        .replace("{openings}", &usual_openings(game).to_string())
}

/// From one position, programs without chance play the same two games for ever. A program of an own
/// game can begin in the middle if it keeps no files, or if its input file shows the whole position.
fn usual_openings(game: &AnyGame) -> Openings {
    let is_shown = || {
        let start = game.rules.start(None)?;
        game.rules.read_task(&start.input(TimeControl::Game, ANY_CLOCK)?, None)
    };
    let begins_anywhere =
        game.interface.files.keep == Keep::Only(&[]) || matches!(is_shown(), Ok(Ok(_)));
    match Openings::usual(game) {
        Openings::Start if begins_anywhere && random_opening(game, 2, 0, 0).is_ok() => {
            Openings::Random(2)
        }
        usual => usual,
    }
}

/// Returns the address of a league, without a slash at its end, and its host.
fn address(text: &str) -> Result<(String, String)> {
    let expected =
        || format!("expected an address such as https://league.school.example, found '{text}'");
    let uri: Uri = text.parse().with_context(expected)?;
    let is_http = matches!(uri.scheme_str(), Some("http" | "https"));
    let host = uri.host().unwrap_or_default();
    if !is_http || host.is_empty() || text.contains(['@', '?', '#']) {
        bail!(expected());
    }
    let address = text.trim_end_matches('/');
    if address.split('/').count() > 3 {
        bail!("expected an address without a path, found '{text}'");
    }
    Ok((address.to_string(), host.to_string()))
}

/// Reads a time with a zone in brackets, with an offset, or in the zone of the league. A date alone
/// is the end of that day.
fn deadline(text: &str, zone: &TimeZone) -> Result<ZonedDateTime> {
    if let Ok(zoned) = text.parse::<ZonedDateTime>() {
        return Ok(zoned);
    }
    if let Ok(moment) = text.parse::<jiff::Timestamp>() {
        return Ok(moment.to_zoned_datetime(zone.clone()));
    }
    if let (false, Ok(day)) = (text.contains(['T', 't', ' ']), text.parse::<jiff::civil::Date>()) {
        return Ok(day.at(23, 59, 59, 999_999_999).to_zoned_datetime(zone.clone())?);
    }
    let civil: jiff::civil::DateTime = text.parse().with_context(|| {
        format!("expected a time such as 2026-12-10T23:59 or 2026-12-10T23:59[America/Los_Angeles], found '{text}'")
    })?;
    Ok(civil.to_zoned_datetime(zone.clone())?)
}

/// Reference players of rising strength, and the game's agent if it lies beside this program.
fn usual_baselines(game: &AnyGame) -> Result<Vec<Keys>> {
    let keys = |name: &str, engine: &str| {
        Keys::parse([&*format!("name=baseline: {name}"), &format!("engine={engine}")])
    };
    let mut baselines = vec![keys("random", "reference:random")?];
    if game.has_estimate()? {
        baselines.push(keys("greedy", "reference:greedy")?);
        baselines.push(keys("minimax 2", "reference:minimax:2")?);
    } else {
        baselines.push(keys("50 random games", "reference:mcts:50")?);
    }
    for opponent in game.interface.opponents {
        baselines.push(keys(opponent.name, &format!("reference:{}", opponent.name))?);
    }
    if arena::keys::workspace_program(game.name).is_ok() {
        for nodes in ["500", "20000"] {
            let name = format!("name=baseline: {} with {nodes} nodes", game.name);
            let (engine, args) = (format!("engine={}", game.name), format!("args=--nodes {nodes}"));
            baselines.push(Keys::parse([&*name, &engine, &args])?);
        }
    }
    Ok(baselines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_keeps_to_its_offset_and_a_date_is_the_end_of_its_day() {
        let zone = TimeZone::get("America/Los_Angeles").unwrap();
        let at = |text: &str| deadline(text, &zone).unwrap().timestamp().as_millisecond() / 1000;
        let utc = |text: &str| text.parse::<jiff::Timestamp>().unwrap().as_second();
        assert_eq!(at("2026-12-10T23:59"), utc("2026-12-11T07:59:00Z"));
        assert_eq!(at("2026-12-10T23:59+01:00"), utc("2026-12-10T22:59:00Z"));
        assert_eq!(at("2026-12-10T23:59Z"), utc("2026-12-10T23:59:00Z"));
        assert_eq!(at("2026-12-10T23:59[Europe/Berlin]"), utc("2026-12-10T22:59:00Z"));
        assert_eq!(at("2026-12-10"), utc("2026-12-11T07:59:59Z"));
        assert!(deadline("10.12.2026", &zone).is_err() && deadline("tomorrow", &zone).is_err());
    }

    #[test]
    fn the_address_of_a_league_has_a_host_and_no_path() {
        for text in ["https://a.example", "https://a.example/", "http://a.example"] {
            let (address, host) = address(text).unwrap();
            assert!(address.ends_with("://a.example"), "{text}: {address}");
            assert_eq!(host, "a.example");
        }
        for text in [
            "http://localhost@school.example",
            "https://user:word@school.example",
            "https://school.example/?x=1",
            "https://school.example/#x",
            "https://school.example/league",
            "ftp://localhost",
            "https://",
            "school.example",
            "/",
            "",
        ] {
            let error = address(text).unwrap_err().to_string();
            assert!(error.contains("expected an address"), "{text}: {error}");
        }
    }
}
