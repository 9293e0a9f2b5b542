//! Checks a submission: unpacks and compiles it, and tries it as `judge try` does.

use super::programs::packed;
use super::{Progress, Worker};
use crate::config::Config;
use crate::files::Stored;
use crate::secret::hash;
use crate::store::CheckResult;
use anygame::GameClock;
use anyhow::{Result, bail};
use arena::keys::Keys;
use arena::plain::{lines, shown};
use arena::random::{Purpose, derived};
use intake::preflight::{TryTerms, clock_eaten, try_program};
use intake::submission::State;
use intake::take_in_upload;
use serde_json::json;
use std::fs;
use std::time::Duration;

const MOST_REPORT: usize = 256 << 10;

impl Worker {
    /// Checks an upload, given its name and its SHA-256. Returns the result, and the built program
    /// as a tar archive if it plays.
    pub(super) fn check(
        &self,
        entrant: &str,
        (file_name, digest): (&str, &str),
        progress: &Progress,
    ) -> Result<(CheckResult, Option<Vec<u8>>)> {
        progress.add("Unpacking and compiling ...\n");
        let scratch = self.programs.scratch()?;
        let (from, out) = (scratch.path().join("upload"), scratch.path().join("out"));
        fs::create_dir(&from)?;
        fs::create_dir(&out)?;
        fs::write(from.join(file_name), self.jobs.get(Stored::Upload(digest))?)?;
        let Worker { config, .. } = self;
        let taken =
            take_in_upload(&config.game.into(), &from, &out, entrant, &config.upload_limits())?;
        let found = &taken.submission;
        progress.add(&(taken.told() + "\n"));
        let result = |plays, verdict: String| CheckResult {
            plays,
            language: found.language.clone().unwrap_or_default(),
            command: found.command.clone().unwrap_or_default(),
            verdict: shown(&verdict),
            report: shortened(progress.text()),
            runtime: found
                .runtime
                .as_ref()
                .map_or(String::new(), |runtime| json!(runtime).to_string()),
            program: String::new(),
        };
        if found.protocol.is_some() {
            let why = "it speaks the protocol of a monitor, and this league plays by files: see the rules of the game";
            return Ok((result(false, why.into()), None));
        }
        let (Some(command), State::Ready | State::Mended) = (&found.command, found.state) else {
            let why = found.needs.as_deref().unwrap_or("no program was found");
            return Ok((result(false, why.into()), None));
        };
        let keys = Keys::of_submission(command.clone(), taken.program.clone(), "you", true);
        let program = keys.or(&config.each).engine(config.game)?;
        let clock = program.clock;
        let mut terms = TryTerms::new(config.rules);
        terms.bounds = arena::terms::Bounds { keep: terms.bounds.keep, ..config.bounds.clone() };
        let each = config.uploads.check_clock.map_or(clock, GameClock::Single);
        terms.each = Some(each);
        let (seconds, of) = match each {
            GameClock::Game(seconds) => (seconds, "game"),
            GameClock::Single(seconds) => (seconds, "move"),
        };
        progress.add(&format!("clock:    {seconds} s of CPU time for each {of}\n\n"));
        terms.time = Duration::from_secs(config.uploads.check_time);
        // Games of this league are no longer.
        terms.plies = terms.plies.min(config.max_plies);
        let tally =
            try_program(config.game, program, terms, &mut |text| progress.add(&lines(text)))?;
        if tally.interrupted {
            bail!("interrupted");
        }
        if tally.wrong > 0 {
            let verdict = format!("{} of its answers went wrong", tally.wrong);
            return Ok((result(false, verdict), None));
        }
        let mut verdict = "it plays".to_string();
        if tally.doubtful > 0 {
            let doubtful = tally.doubtful;
            verdict += &format!("; a strict grader might refuse the format of {doubtful} answers");
        }
        if let Some(start) = tally.quickest
            && let Some(words) = words_about_starts(config, start, clock)?
        {
            progress.add(&format!("\n{words}\n"));
            verdict += &format!("; {words}");
        }
        let packed = packed(&taken.program)?;
        let program = hash([command.as_bytes(), b"\0", &packed].concat());
        Ok((CheckResult { program, ..result(true, verdict) }, Some(packed)))
    }
}

fn words_about_starts(config: &Config, start: f64, clock: GameClock) -> Result<Option<String>> {
    let words = |plies| clock_eaten(start, clock, plies, "this league's clock");
    if words(config.max_plies).is_none() {
        return Ok(None);
    }
    // On a board that fills up, all games take as many moves.
    let length = plies_of_a_random_game(config, 1)?;
    for seed in [2, 3] {
        if plies_of_a_random_game(config, seed)? != length {
            return Ok(words(config.max_plies));
        }
    }
    Ok(words(length))
}

fn plies_of_a_random_game(config: &Config, seed: u64) -> Result<u32> {
    let (mut position, mut random) = (config.game.rules.start(Some(config.rules))?, seed);
    for plies in 0..config.max_plies {
        let mv = position.choose_move(&mut |count| {
            random = derived(random, Purpose::Opening, plies);
            (random % count as u64) as usize
        })?;
        match mv {
            Some(mv) if position.outcome().is_none() => position = position.play(mv.code)?,
            _ => return Ok(plies),
        }
    }
    Ok(config.max_plies)
}

fn shortened(mut report: String) -> String {
    if report.len() > MOST_REPORT {
        report.truncate(report.floor_char_boundary(MOST_REPORT));
        report += "\n... (the report is longer)\n";
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_counted_for_the_moves_that_a_side_can_have() {
        let words = |game: &str, start| {
            terminal::games::set(games::all());
            let game = terminal::games::find(game).unwrap();
            let file = crate::config::new_file(game, "x");
            assert_eq!(file.contains("# rules ="), game.name == "halma", "{file}");
            let config = Config::parse("x", &file).unwrap();
            words_about_starts(&config, start, GameClock::Game(30.0)).unwrap()
        };
        assert_eq!(words("squirrels", 0.22), None);
        let told = words("squirrels", 1.5).unwrap();
        assert!(told.contains("19.5 s (1.50 s for each of up to 13 moves)"), "{told}");
        assert!(words("halma", 0.22).unwrap().contains("up to 150 moves"));
    }
}
