//! The findings about a term: figures and faults.

use super::client::Client;
use super::course::sha256;
use super::options::{Play, TermOptions};
use super::state::{PAGES, Term};
use anyhow::{Context, Result};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::PoisonError;
use std::time::Duration;

/// The most lines about what is wrong.
const MOST_WRONG: usize = 20;

/// The findings about a term.
pub(super) struct Findings {
    text: String,
    wrong: Vec<String>,
}

impl Findings {
    /// Returns findings that begin with what was asked for.
    pub(super) fn new(options: &TermOptions, seed: u64) -> Findings {
        let TermOptions { students, uploads, rush, games, watchers, workers, .. } = options;
        let play = if options.play == Play::Real {
            "played in the sandbox"
        } else {
            "drawn from true strengths"
        };
        let text = format!(
            "seed {seed}: {students} students, {uploads} uploads ({rush} in the rush), {games} games {play}, {workers} workers, \
             {watchers} watchers\n"
        );
        Findings { text, wrong: Vec::new() }
    }

    /// Notes memory and CPU time of the server after a quarter of the games.
    pub(super) fn quarter(&mut self, term: &Term, games: u64) {
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load = load.split(' ').next().unwrap_or_default();
        if let Some((memory, cpu)) = term.server.usage() {
            let _ = writeln!(
                self.text,
                "after {games} games: memory of the server {memory:.1} MiB, CPU {cpu:.1} s, load of the machine {load}"
            );
        }
    }

    /// Notes how often the server and workers were killed.
    pub(super) fn killed(&mut self, [server, workers]: [u32; 2]) {
        if server + workers > 0 {
            let _ =
                writeln!(self.text, "killed: the server {server} times, workers {workers} times");
        }
    }

    /// Checks what the server has against what it confirmed. Ends the server.
    pub(super) fn check(
        &mut self,
        term: &Term,
        teacher: &str,
        folder: &Path,
        options: &TermOptions,
    ) -> Result<()> {
        let client = Client::new(&term.server.address);
        self.check_uploads(term, &client, teacher)?;
        let figure = |name: &str| term.server.figure(&client, name);
        let games = figure("league_games_total")?;
        let mut all_open = 0;
        for name in ["league_checks_waiting", "league_pairs_waiting", "league_jobs_running"] {
            let open = figure(name)?;
            all_open += open;
            self.expect(open == 0, || format!("{name} is {open} at the end"));
        }
        let _ = writeln!(self.text, "jobs that wait or are being done at the end: {all_open}");
        // Where nothing is killed, no client should see an error.
        let complaints = term.complaints.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if options.kills == 0 {
            for (what, count) in complaints {
                self.wrong.push(format!("{count} times: {what}"));
            }
        }
        let (status, ladder) = client.file(teacher, "/ladder.csv")?;
        let ladder = String::from_utf8_lossy(&ladder).into_owned();
        self.expect(status == 200, || format!("ladder.csv: status {status}"));
        let _ = fs::write(folder.join("ladder.csv"), &ladder);
        self.ladder(term, &ladder, games, options)?;
        term.server.end()?;
        let said = term.server.league(&["check"], &[])?;
        self.expect(said == "all is well\n", || format!("league check: {said}"));
        self.check_records(term, folder, games, options)
    }

    fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.wrong.push(what());
        }
    }

    /// Every confirmed upload is there, with its bytes, and the league has found of each whether it
    /// plays.
    fn check_uploads(&mut self, term: &Term, client: &Client, teacher: &str) -> Result<()> {
        let confirmed = term.confirmed.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut numbers, mut there, mut verdicts) = (HashSet::new(), 0, 0);
        let (mut plays, mut refused) = (0, 0);
        for one in confirmed.iter() {
            let (status, body) =
                client.file(teacher, &format!("/submissions/{}/upload", one.submission))?;
            let upload = &term.course.uploads[one.upload];
            let is_there = status == 200 && sha256(&body) == upload.digest;
            there += u32::from(is_there);
            self.expect(is_there, || {
                format!("submission {}: status {status}, {} bytes", one.submission, body.len())
            });
            let (status, report) =
                client.file(teacher, &format!("/submissions/{}/report.json", one.submission))?;
            let report: serde_json::Value = serde_json::from_slice(&report).unwrap_or_default();
            let (state, expected) =
                (&report["state"], if upload.plays { "plays" } else { "refused" });
            verdicts += u32::from(state == expected);
            plays += u32::from(state == "plays");
            refused += u32::from(state == "refused");
            self.expect(state == expected, || {
                let text = report["text"].as_str().unwrap_or_default();
                let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
                format!(
                    "submission {}, {}: status {status}, {state}, not '{expected}': {last}",
                    one.submission, upload.file
                )
            });
            self.expect(numbers.insert(one.submission), || {
                format!("submission {} was confirmed twice", one.submission)
            });
        }
        let _ = writeln!(
            self.text,
            "uploads: {} confirmed, {there} are there with their bytes, {plays} play and {refused} are refused, {verdicts} of them as \
             expected",
            confirmed.len()
        );
        Ok(())
    }

    /// Compares the ladder with the true strengths.
    fn ladder(
        &mut self,
        term: &Term,
        ladder: &str,
        games: u64,
        options: &TermOptions,
    ) -> Result<()> {
        let confirmed = term.confirmed.lock().unwrap_or_else(PoisonError::into_inner);
        let strength: HashMap<(&str, u64), f64> = confirmed
            .iter()
            .map(|one| (one, &term.course.uploads[one.upload]))
            .map(|(one, upload)| {
                ((term.course.students[upload.student].as_str(), one.number), upload.strength)
            })
            .collect();
        let (mut pairs, mut margins, mut played, mut least) = (Vec::new(), Vec::new(), 0, u64::MAX);
        for line in ladder.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let [_, name, kind, version, rating, margin, count, ..] = fields[..] else { continue };
            if kind != "student" {
                continue;
            }
            let count: u64 = count.parse()?;
            let (rating, margin): (f64, f64) = (rating.parse()?, margin.parse()?);
            played += count;
            least = least.min(count);
            if let Some(&truth) = strength.get(&(name, version.parse()?)) {
                pairs.push((rating, truth));
                margins.push(margin);
            }
        }
        self.expect(pairs.len() == options.students || options.play == Play::Real, || {
            format!("{} of {} students are on the ladder", pairs.len(), options.students)
        });
        let mean = played as f64 / pairs.len().max(1) as f64;
        let _ = writeln!(
            self.text,
            "games: {games} counted; {} students on the ladder, their present versions played {mean:.0} games in the mean, {least} at least",
            pairs.len()
        );
        if options.play == Play::Drawn {
            let tau = tau(&pairs);
            // Games tell differences alone: where the zero lies, they do not.
            let shift = pairs.iter().map(|(rating, truth)| rating - truth).sum::<f64>()
                / pairs.len().max(1) as f64;
            let is_within = |((rating, truth), margin): (&(f64, f64), &f64)| {
                (rating - truth - shift).abs() <= *margin
            };
            let within = pairs.iter().zip(&margins).filter(|&one| is_within(one)).count();
            let _ = writeln!(
                self.text,
                "Kendall's tau of the ladder and the true strengths: {tau:.4}; all ratings lie {shift:.0} points above; \
                 apart from that, {:.0} % of the strengths lie within the margins",
                100.0 * within as f64 / pairs.len().max(1) as f64
            );
        }
        Ok(())
    }

    /// Every confirmed pair is in the records, once.
    fn check_records(
        &mut self,
        term: &Term,
        folder: &Path,
        games: u64,
        options: &TermOptions,
    ) -> Result<()> {
        let path = folder.join("records.jsonl");
        term.server.league_to(&["records"], &path)?;
        let mut ends: BTreeMap<u64, u32> = BTreeMap::new();
        for line in BufReader::new(File::open(&path)?).lines() {
            let line = line?;
            if line.starts_with("{\"event\":\"end\"") {
                let event: serde_json::Value = serde_json::from_str(&line)?;
                *ends
                    .entry(event["game"].as_u64().context("a game without a number")?)
                    .or_default() += 1;
            }
        }
        self.expect(ends.len() as u64 == games, || {
            format!("{games} games count, {} are in the records", ends.len())
        });
        self.expect(ends.values().all(|&count| count == 1), || {
            "a game is in the records twice".to_string()
        });
        if options.play == Play::Real {
            return Ok(());
        }
        let confirmed = term.drawn.confirmed.lock().unwrap_or_else(PoisonError::into_inner);
        let distinct: HashSet<i64> = confirmed.iter().copied().collect();
        self.expect(distinct.len() == confirmed.len(), || "a pair was confirmed twice".to_string());
        let missing =
            distinct.iter().filter(|&&pair| !ends.contains_key(&(2 * pair as u64))).count();
        self.expect(missing == 0, || format!("{missing} confirmed pairs are not in the records"));
        let unconfirmed = games / 2 - distinct.len() as u64;
        let vanished = *term.drawn.vanished.lock().unwrap_or_else(PoisonError::into_inner);
        let refused = *term.drawn.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(
            self.text,
            "pairs: {} confirmed to workers, {unconfirmed} counted without the worker having got the answer; {refused} repeated \
             reports refused; workers vanished with {vanished} jobs",
            distinct.len()
        );
        Ok(())
    }

    /// Returns everything as text.
    pub(super) fn text(&self, term: &Term, wall: Duration) -> String {
        let mut text = self.text.clone();
        let times = term.times.lock().unwrap_or_else(PoisonError::into_inner);
        let parts = [0.5, 0.95, 0.99, 1.0];
        let mut row = |name: &str, wanted: &dyn Fn(usize, usize) -> bool| {
            let (count, at) = times.quantiles(wanted, &parts);
            if count > 0 {
                let _ = writeln!(
                    text,
                    "{name:>10} {count:>7} pages: median {:.1} ms, 95 % {:.1} ms, 99 % {:.1} ms, slowest {:.0} ms",
                    at[0], at[1], at[2], at[3]
                );
            }
        };
        for (kind, name) in PAGES.iter().enumerate() {
            row(name, &|page, _| page == kind);
        }
        for quarter in 0..4 {
            row(&format!("quarter {}", quarter + 1), &|_, found| found == quarter);
        }
        row("all", &|_, _| true);
        for (what, count) in term.complaints.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let _ = writeln!(text, "{count} times: {what}");
        }
        let _ = writeln!(text, "{:.0} s", wall.as_secs_f64());
        for wrong in self.wrong.iter().take(MOST_WRONG) {
            let _ = writeln!(text, "WRONG: {wrong}");
        }
        text
    }

    /// Returns whether something is wrong.
    pub(super) fn are_bad(&self) -> bool {
        !self.wrong.is_empty()
    }
}

/// Returns Kendall's tau between two rankings (Kendall 1938): the share of pairs in the same order,
/// less that of the others.
fn tau(pairs: &[(f64, f64)]) -> f64 {
    let mut sum = 0;
    for (at, one) in pairs.iter().enumerate() {
        for other in &pairs[..at] {
            let product = (one.0 - other.0) * (one.1 - other.1);
            sum += i64::from(product > 0.0) - i64::from(product < 0.0);
        }
    }
    let count = pairs.len() as f64;
    sum as f64 / (count * (count - 1.0) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::tau;

    #[test]
    fn orders_agree_or_not() {
        let order =
            |other: [f64; 4]| tau(&[1.0, 2.0, 3.0, 4.0].into_iter().zip(other).collect::<Vec<_>>());
        assert_eq!(order([1.0, 5.0, 6.0, 7.0]), 1.0);
        assert_eq!(order([4.0, 3.0, 2.0, 1.0]), -1.0);
        assert_eq!(order([2.0, 1.0, 3.0, 4.0]), 4.0 / 6.0);
    }
}
