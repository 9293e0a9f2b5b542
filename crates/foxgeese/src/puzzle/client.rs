//! The client, which plays the geese against a puzzle server.

use super::messages::{Answer, MOST_BYTES, Request};
use crate::evaluate::Evaluation;
use crate::rules::{FOXES, GEESE, Move, Position};
use crate::strategy::Strategy;
use clock::cpu::process_time;
use engine::protocol::quote;
use engine::search::{Limits, Mode, Searcher};
use engine::{Game as _, Outcome, Protocol};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use ureq::Agent;

/// The agent's command-line options for a puzzle server.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Puzzle server")]
pub struct ServerOptions {
    /// Play the geese against the puzzle server at this address, until the end
    #[arg(long, value_name = "URL", requires = "token")]
    pub server: Option<String>,

    /// The token that the server knows you by; it is never shown
    #[arg(long, requires = "server")]
    pub token: Option<String>,

    /// Send the requests as application/x-www-form-urlencoded, not as plain text
    #[arg(long, requires = "server")]
    pub urlencoded: bool,

    /// Append every exchange to this file, without the token
    #[arg(long, value_name = "FILE", requires = "server")]
    pub record: Option<PathBuf>,

    /// Seconds to wait for each answer
    #[arg(long, value_name = "SECONDS", requires = "server", default_value_t = 30,
          value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub timeout: u64,

    /// CPU seconds for a move that the strategy does not know
    #[arg(long, value_name = "SECONDS", requires = "server", default_value_t = 2,
          value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub think: u64,
}

/// The most lines of an answer that are reported as not understood.
const MOST_REPORTED_LINES: usize = 8;

/// The end of a game against a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// A win, with the secret.
    Won(String),
    /// A loss, with the server's phrase.
    Lost(String),
}

/// Plays a game. The exit code is 0 with the secret on standard output, 1 after a
/// loss, 3 if the connection or an answer failed, and 2 if the record cannot be written.
pub fn run(options: &ServerOptions, verbose: bool) -> ExitCode {
    let mut record = None;
    if let Some(path) = &options.record {
        match File::options().append(true).create(true).open(path) {
            Ok(file) => record = Some(file),
            Err(error) => {
                eprintln!("{}: cannot write the record: {error}", path.display());
                return ExitCode::from(2);
            }
        }
    }
    let mut game = ServerGame::new(options, verbose, record);
    match game.play() {
        Ok(GameEnd::Won(secret)) => {
            println!("{secret}");
            ExitCode::SUCCESS
        }
        Ok(GameEnd::Lost(text)) => {
            let text = game.hide_token(&text);
            eprintln!("lost after {} moves: {text}", game.position.moves_made());
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("{}: {error}", options.url());
            ExitCode::from(3)
        }
    }
}

impl ServerOptions {
    fn url(&self) -> &str {
        self.server.as_deref().unwrap_or_default()
    }

    fn token(&self) -> &str {
        self.token.as_deref().unwrap_or_default()
    }
}

/// A game against a server.
pub struct ServerGame<'a> {
    agent: Agent,
    options: &'a ServerOptions,
    verbose: bool,
    record: Option<File>,
    searcher: Searcher<Position, Evaluation>,
    /// The position by this crate's rules, independent of what the server says.
    position: Position,
}

impl ServerGame<'_> {
    /// Creates a game that has not begun.
    pub fn new(options: &ServerOptions, verbose: bool, record: Option<File>) -> ServerGame<'_> {
        let agent = Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(options.timeout.max(1))))
            .http_status_as_error(false)
            // A redirected or repeated request could make a move twice.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(0)
            .build()
            .new_agent();
        ServerGame {
            agent,
            options,
            verbose,
            record,
            searcher: Searcher::new(Evaluation, Mode::Selective, 32 << 20),
            position: Position::initial(),
        }
    }

    /// Plays the game to its end. The error says what failed. Nothing is sent twice.
    pub fn play(&mut self) -> Result<GameEnd, String> {
        loop {
            let mv = self.choose();
            let request = Request {
                token: self.options.token().to_string(),
                start: self.position.moves_made() == 0,
                geese: self.position.describe_move(mv),
            };
            self.position.play(mv);
            let answer = self.exchange(&request)?;
            if let Some(end) = self.apply_answer(&answer)? {
                return Ok(end);
            }
        }
    }

    /// Chooses the strategy's move, or the search's where the strategy has none.
    fn choose(&mut self) -> Move {
        let stored = Strategy::embedded().get(self.position.board());
        if let Some(win) = stored.filter(|win| self.position.is_legal(win.mv)) {
            return win.mv;
        }
        let end = process_time() + Duration::from_secs(self.options.think);
        let report =
            self.searcher.run(&self.position, Limits::default(), &mut || process_time() >= end);
        report.expect("a position that is not finished has a move").best
    }

    fn exchange(&mut self, request: &Request) -> Result<Answer, String> {
        let hidden = Request { token: "(hidden)".to_string(), ..request.clone() };
        self.record_exchange("> ", &hidden.plain());
        let (kind, body) = match self.options.urlencoded {
            true => ("application/x-www-form-urlencoded", request.urlencoded()),
            false => ("text/plain; charset=utf-8", request.plain()),
        };
        let post = self.agent.post(self.options.url()).content_type(kind);
        let mut response = post.send(body).map_err(|error| format!("no answer: {error}"))?;
        let bytes = response.body_mut().with_config().limit(MOST_BYTES as u64).read_to_vec();
        let bytes = bytes.map_err(|error| format!("the answer broke off: {error}"))?;
        let text = String::from_utf8_lossy(&bytes);
        self.record_exchange("< ", &text);
        let status = response.status();
        let (answer, unread) = Answer::read_with_rest(&text);
        let said = || format!("the server says {}", quote(&self.hide_token(text.trim())));
        if !status.is_success() {
            return Err(format!("HTTP status {status}: {}", said()));
        }
        let answer = answer.ok_or_else(said)?;
        self.report_unread(&unread);
        Ok(answer)
    }

    /// Reports the lines of an answer that were not understood.
    fn report_unread(&self, unread: &[(usize, &str)]) {
        for (number, line) in unread.iter().take(MOST_REPORTED_LINES) {
            let line = quote(&self.hide_token(line));
            eprintln!("not understood in the answer, line {number}: {line}");
        }
        if unread.len() > MOST_REPORTED_LINES {
            let more = unread.len() - MOST_REPORTED_LINES;
            eprintln!("{more} more lines of the answer were not understood");
        }
    }

    /// Plays the foxes' move of an answer. Returns the end of the game if it has ended.
    fn apply_answer(&mut self, answer: &Answer) -> Result<Option<GameEnd>, String> {
        if self.position.outcome() == Some(Outcome::Win(GEESE)) {
            let secret = answer.end.clone();
            let secret =
                secret.ok_or("the geese have won by the rules, and the server does not say so")?;
            return Ok(Some(GameEnd::Won(secret)));
        }
        let mut contradictions = Vec::new();
        let made = u32::from(self.position.moves_made());
        if let Some(moves) = answer.moves.filter(|&moves| moves != made) {
            let counts = format!("the server counts {moves} moves of the geese");
            contradictions.push(format!("{counts}, and there have been {made}"));
        }
        match &answer.foxes {
            Some(text) if self.position.outcome().is_none() => {
                match self.position.read_move(text) {
                    Ok(mv) => drop(self.position.play(mv)),
                    Err(why) => contradictions.push(self.hide_token(&format!(
                        "the server's foxes play {}, which is no move here ({why})",
                        quote(text)
                    ))),
                }
            }
            None if self.position.outcome().is_none() && answer.end.is_none() => {
                return Err("the answer has neither a move of the foxes nor an end".to_string());
            }
            _ => {}
        }
        let Some(end) = &answer.end else {
            if let Some(contradiction) = contradictions.into_iter().next() {
                return Err(contradiction);
            }
            return match self.position.outcome() {
                None => Ok(None),
                Some(_) => Err("the game is over, and the server does not say so".to_string()),
            };
        };
        // The server says that the game is over, so other contradictions do not matter.
        for contradiction in contradictions {
            eprintln!("not understood in the answer: {contradiction}");
        }
        let lost = self.position.outcome() == Some(Outcome::Win(FOXES));
        if !lost && !end.contains(char::is_whitespace) {
            return Ok(Some(GameEnd::Won(end.clone())));
        }
        let message = answer.message.as_ref();
        let message = message.map_or(String::new(), |message| format!(" ({message})"));
        Ok(Some(GameEnd::Lost(format!("{end}{message}"))))
    }

    fn hide_token(&self, text: &str) -> String {
        match self.options.token() {
            "" => text.to_string(),
            token => text.replace(token, "(hidden)"),
        }
    }

    /// Writes lines to the record, and to standard error if `verbose` is set.
    fn record_exchange(&mut self, mark: &str, text: &str) {
        let mut lines = String::new();
        for line in text.lines() {
            let line = self.hide_token(line).escape_debug().to_string().replace("\\'", "'");
            lines.push_str(&format!("{mark}{line}\n"));
        }
        if self.verbose {
            eprint!("{lines}");
        }
        if let Some(file) = &mut self.record
            && let Err(error) = file.write_all(lines.as_bytes())
        {
            eprintln!("the record cannot be written any longer: {error}");
            self.record = None;
        }
    }
}
