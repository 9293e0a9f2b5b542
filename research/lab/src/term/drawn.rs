//! Workers that draw results from the true strengths instead of starting programs. They speak to
//! the server as the workers of other machines do.

use super::client::Client;
use super::state::{Drawn, Term};
use anyhow::{Context, Result};
use arena::openings::Book;
use arena::player::spec::EngineSpec;
use arena::record::{Event, Header, VERSION};
use arena::referee::GameOrder;
use arena::referee::play_game;
use arena::terms::{Bounds, LimitRule, Openings, Shape};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use serde_json::{Value, json};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;

/// The share of draws between equals.
const DRAWS: f64 = 0.1;
/// A worker vanishes with one in this many jobs.
const VANISHES: u32 = 500;
/// One in this many results is reported twice.
const TWICE: u32 = 20;

/// A record of two games, whose players and results are replaced.
pub(super) struct Template(Vec<Value>);

/// Plays two games of reference players, for records.
pub(super) fn template(seed: u64) -> Result<Template> {
    let game = terminal::games::find("halma")?;
    let keys = arena::keys::Keys::parse(["engine=reference:greedy", "name=one"])?;
    let one: EngineSpec = keys.engine(game)?;
    let engines = [EngineSpec { name: "two".to_string(), ..one.clone() }, one];
    let openings: Openings = "random:4".parse()?;
    let book = Book::open(game, &openings, seed)?;
    let (max_plies, at_limit, bounds) = (40, LimitRule::default(), Bounds::default());
    let header = Header {
        version: VERSION,
        game: game.name.to_string(),
        rules: None,
        engines: engines.to_vec(),
        shape: Shape::Roundrobin,
        pairs: 1,
        openings,
        seed,
        max_plies,
        at_limit,
        bounds: bounds.clone(),
        shard: None,
        rounds: None,
        adjudication: Default::default(),
        own: None,
    };
    let mut lines = vec![serde_json::to_value(Event::Header(header))?];
    for number in [1, 2] {
        let order = GameOrder {
            game: number,
            engines: engines.clone(),
            opening: book.opening(0)?,
            rules: None,
            single: false,
            max_plies,
            at_limit,
            bounds: bounds.clone(),
            seed,
            random_moves: 0,
            adjudication: Default::default(),
        };
        play_game(game, &order, &mut |event| {
            lines.push(serde_json::to_value(event)?);
            Ok(())
        })?;
    }
    Ok(Template(lines))
}

impl Template {
    /// Returns the record of a pair of games with these names by side and winners.
    fn record(&self, names: &[[&str; 2]; 2], winners: [Option<usize>; 2]) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        let mut half = 0;
        for line in &self.0 {
            let mut line = line.clone();
            match line["event"].as_str() {
                Some("header") => {
                    for (engine, name) in line["engines"]
                        .as_array_mut()
                        .context("no players")?
                        .iter_mut()
                        .zip(names[0])
                    {
                        engine["name"] = json!(name);
                    }
                }
                Some("start") => line["players"] = json!(names[half]),
                Some("end") => {
                    line["players"] = json!(names[half]);
                    line["winner"] = json!(winners[half]);
                    half += 1;
                }
                _ => {}
            }
            serde_json::to_writer(&mut text, &line)?;
            text.push(b'\n');
        }
        Ok(text)
    }
}

/// A worker.
pub(super) struct DrawnWorker<'a> {
    pub term: &'a Term<'a>,
    pub name: String,
    pub token: &'a str,
    pub template: &'a Template,
    pub random: ChaCha8Rng,
}

impl DrawnWorker<'_> {
    /// Works until the term is over.
    pub(super) fn run(&mut self) {
        let client = Client::new(&self.term.server.address);
        while !self.term.over.load(Relaxed) {
            let worked = self.work(&client).unwrap_or_else(|error| {
                self.term.complain("a worker", &error);
                false
            });
            if !worked {
                thread::sleep(Duration::from_millis(200));
            }
        }
    }

    /// Does a job. Returns whether there was one.
    fn work(&mut self, client: &Client) -> Result<bool> {
        let lease = client.say(self.token, "/worker/lease", "", &json!({ "worker": self.name }))?;
        let Some(lease) = lease else { return Ok(false) };
        if self.random.random_ratio(1, VANISHES) {
            *self.term.drawn.vanished.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            return Ok(true);
        }
        let job = lease["job"].as_i64().context("no job")?;
        let secret = lease["token"].as_str().context("no secret")?.to_string();
        let path = format!("/worker/jobs/{job}");
        let work = &lease["work"];
        if !work["Check"].is_null() {
            self.check(client, (&path, &secret), &work["Check"])?;
        } else if !work["Pair"].is_null() {
            self.pair(client, (&path, &secret), &work["Pair"])?;
        } else {
            client.say(
                self.token,
                &path,
                &secret,
                &json!({ "GiveBack": "drawn workers analyse nothing" }),
            )?;
        }
        Ok(true)
    }

    fn check(&self, client: &Client, (path, secret): (&str, &str), check: &Value) -> Result<()> {
        let submission = check["submission"].as_i64().context("no submission")?;
        let upload = check["digest"].as_str().and_then(|digest| self.term.course.upload(digest));
        let upload = upload.context("a check of what nobody handed in")?;
        self.term.drawn.learn(submission, upload.strength);
        if upload.plays {
            client.put(self.token, &format!("{path}/programs/{submission}"), secret, &[0; 1024])?;
        }
        let language = upload.file.rsplit('.').next().unwrap_or_default();
        let verdict = if upload.plays { "it plays" } else { "3 of its answers went wrong" };
        let report =
            format!("language: {language}\n{}\n{verdict}\n", "a line of the report\n".repeat(40));
        let result = json!({ "plays": upload.plays, "language": language, "command": "./homework",
                             "verdict": verdict, "report": report });
        client.say(self.token, path, secret, &json!({ "Checked": [submission, result] }))?;
        Ok(())
    }

    fn pair(&mut self, client: &Client, (path, secret): (&str, &str), work: &Value) -> Result<()> {
        let pair = work["pair"].as_i64().context("no pair")?;
        let player = |at: usize| -> Result<(i64, &str)> {
            let player = &work["players"][at];
            let name = player["name"].as_str().context("no name")?;
            Ok((player["submission"].as_i64().context("no submission")?, name))
        };
        let players = [player(0)?, player(1)?];
        let strengths =
            players.map(|(submission, name)| self.term.drawn.strength(submission, name));
        let mut games = Vec::new();
        let (mut names, mut winners) = ([["", ""]; 2], [None; 2]);
        for half in 0..2 {
            let by_side = if half == 0 { [0, 1] } else { [1, 0] };
            let winner = self.winner(strengths[by_side[0]] - strengths[by_side[1]]);
            (names[half], winners[half]) = (by_side.map(|at: usize| players[at].1), winner);
            games.push(json!({
                "players": by_side.map(|at: usize| players[at].0), "winner": winner, "blamed": null,
                "termination": "ply-limit", "reason": "drawn from the true strengths", "plies": 40,
                "cpu": [0.1, 0.1], "wall": [0.05, 0.05],
            }));
        }
        let record = self.template.record(&names, winners)?;
        client.put(self.token, &format!("{path}/records/{pair}"), secret, &record)?;
        let message = json!({ "Played": { "pair": pair, "games": games } });
        let counted = |answer: Option<Value>| answer == Some(Value::Bool(true));
        if counted(client.say(self.token, path, secret, &message)?) {
            self.term.drawn.confirmed.lock().unwrap_or_else(PoisonError::into_inner).push(pair);
        }
        if self.random.random_ratio(1, TWICE) {
            if counted(client.say(self.token, path, secret, &message)?) {
                self.term.drawn.confirmed.lock().unwrap_or_else(PoisonError::into_inner).push(pair);
            } else {
                *self.term.drawn.refused.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            }
        }
        Ok(())
    }

    /// Draws the winner of a game, given by how much the first side is stronger.
    fn winner(&mut self, difference: f64) -> Option<usize> {
        let expected = 1.0 / (1.0 + 10_f64.powf(-difference / 400.0));
        let half_draws = DRAWS * 2.0 * expected * (1.0 - expected);
        let number: f64 = self.random.random();
        if number < expected - half_draws {
            Some(0)
        } else if number < expected + half_draws {
            None
        } else {
            Some(1)
        }
    }
}

impl Drawn {
    fn learn(&self, submission: i64, strength: f64) {
        self.strengths.lock().unwrap_or_else(PoisonError::into_inner).insert(submission, strength);
    }

    /// Returns the strength of a submission: that of its upload, or of a baseline by its name.
    fn strength(&self, submission: i64, name: &str) -> f64 {
        if let Some(&known) =
            self.strengths.lock().unwrap_or_else(PoisonError::into_inner).get(&submission)
        {
            return known;
        }
        // The baselines of Halma, from the weakest.
        match name {
            name if name.ends_with("random") => 700.0,
            name if name.ends_with("greedy") => 1100.0,
            name if name.ends_with("minimax 2") => 1500.0,
            name if name.ends_with("500 nodes") => 1900.0,
            _ => 2300.0,
        }
    }
}
