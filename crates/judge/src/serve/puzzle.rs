//! The puzzle server of Foxes and Geese (foxgeese.md, "The server's protocol"): it plays the foxes, one game a token.

use super::http;
use super::service::{self, Reply, Service};
use crate::output::print;
use anyhow::{Result, ensure};
use base64::prelude::{BASE64_STANDARD, Engine};
use clap::Args;
use engine::reference::greedy;
use engine::search::{Knowledge, Limits, Mode, NoControl, Searcher};
use engine::{Game, Outcome, Protocol};
use foxgeese::puzzle::{Answer, Request};
use foxgeese::rules::GEESE;
use foxgeese::{Evaluation, Move, Position};
use hyper::Method;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::time::Duration;

/// The way in which the server's foxes choose their moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foxes {
    /// Any move, at random.
    Random,
    /// The move that looks best one ply ahead.
    Greedy,
    /// Alpha-beta to a depth in plies.
    Search(u32),
    /// The defence that lasts longest against the embedded strategy; away from it, alpha-beta to 8 plies.
    Stiffest,
}

impl FromStr for Foxes {
    type Err = String;

    fn from_str(text: &str) -> Result<Foxes, String> {
        let depth = text.strip_prefix("search:").and_then(|depth| depth.parse::<u32>().ok());
        match (text, depth) {
            ("random", _) => Ok(Foxes::Random),
            ("greedy", _) => Ok(Foxes::Greedy),
            ("stiffest", _) => Ok(Foxes::Stiffest),
            (_, Some(depth @ 1..=20)) => Ok(Foxes::Search(depth)),
            _ => Err("expected random, greedy, stiffest, or search:DEPTH with a depth from 1 to 20".to_string()),
        }
    }
}

/// The options of `judge puzzle`.
#[derive(Args, Clone, Debug)]
pub(crate) struct PuzzleOptions {
    /// The port; 0 for any that is free
    #[arg(short, long, default_value_t = 8239)]
    port: u16,

    /// The address to listen on; anything but loopback lets others in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,

    /// How the foxes play: random, greedy, stiffest, or search:DEPTH
    #[arg(long, value_name = "HOW", default_value = "search:8")]
    foxes: Foxes,

    /// A token that may play; repeat for more
    #[arg(long = "token", value_name = "TOKEN", default_value = "menagerie")]
    tokens: Vec<String>,

    /// The word that a winner is told
    #[arg(long, value_name = "WORD", default_value = "goosestep")]
    secret: String,

    /// The seed of random foxes
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// End the answers' lines with carriage return and line feed
    #[arg(long)]
    crlf: bool,

    /// Connections at a time; one more sends the oldest away whose request has not arrived
    #[arg(long, value_name = "COUNT", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=1_024))]
    connections: u16,

    /// Seconds for a request to arrive as a whole
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,
}

/// Serves until the process is ended.
pub(crate) fn serve(options: &PuzzleOptions) -> Result<()> {
    let word = !options.secret.is_empty() && !options.secret.contains(char::is_whitespace);
    ensure!(word, "--secret: expected one word, found '{}'", options.secret);
    let tokens_fit = options.tokens.iter().all(|token| !token.trim().is_empty() && token.trim() == token);
    ensure!(tokens_fit, "--token: expected a token without blanks around it");
    let puzzle = Puzzle::new(options);
    let limits = service::Limits {
        connections: usize::from(options.connections),
        body: foxgeese::puzzle::messages::LONGEST,
        time: Duration::from_secs(options.timeout),
    };
    let (listener, address) = http::listen(SocketAddr::new(options.bind, options.port))?;
    print(&format!("listening on http://{address}/\n"));
    http::serve(listener, limits, puzzle)
}

struct Session {
    position: Position,
    random: StdRng,
}

/// All games.
pub(crate) struct Puzzle {
    foxes: Foxes,
    secret: String,
    seed: u64,
    line_end: &'static str,
    /// A game for each token once it has begun.
    sessions: HashMap<String, Option<Session>>,
}

impl Puzzle {
    fn new(options: &PuzzleOptions) -> Puzzle {
        Puzzle {
            foxes: options.foxes,
            secret: options.secret.clone(),
            seed: options.seed,
            line_end: if options.crlf { "\r\n" } else { "\n" },
            sessions: options.tokens.iter().map(|token| (token.clone(), None)).collect(),
        }
    }

    fn answer(&mut self, request: &Request) -> Result<Answer, String> {
        let session = self.sessions.get_mut(&request.token).ok_or("error: unknown token")?;
        if request.start {
            *session = Some(Session { position: Position::initial(), random: StdRng::seed_from_u64(self.seed) });
        }
        let game = session.as_mut().ok_or("error: no game is running, send start: 1")?;
        if game.position.outcome().is_some() {
            return Err("error: the game is over, send start: 1".to_string());
        }
        let mv = game.position.read_move(&request.geese).map_err(|violation| format!("error: geese: {violation}"))?;
        game.position.play(mv);
        let mut foxes = None;
        if game.position.outcome().is_none() {
            let reply = choose(self.foxes, game);
            foxes = Some(game.position.describe_move(reply));
            game.position.play(reply);
        }
        let (end, message) = match game.position.outcome() {
            None => (None, None),
            Some(Outcome::Win(GEESE)) => (Some(self.secret.clone()), None),
            Some(_) => {
                let left = game.position.board().geese.len();
                (Some("game is lost".to_string()), Some(format!("{left} geese are left")))
            }
        };
        let field = Some(BASE64_STANDARD.encode(game.position.plain_picture()));
        Ok(Answer { moves: Some(u32::from(game.position.moves_made())), foxes, field, end, message })
    }
}

impl Service for Puzzle {
    const METHOD: Method = Method::POST;

    fn reply(&mut self, request: &service::Request) -> Reply {
        let read = Request::read(&request.body, request.urlencoded).map_err(|error| format!("error: {error}"));
        match read.and_then(|request| self.answer(&request)) {
            Ok(answer) => Reply::plain(200, answer.write(self.line_end)),
            Err(error) => Reply::plain(400, error + self.line_end),
        }
    }
}

/// A move of the foxes, who are to move.
fn choose(foxes: Foxes, game: &mut Session) -> Move {
    let Session { position, random } = game;
    let search = |depth| {
        let limits = Limits { depth, ..Limits::default() };
        let report = Searcher::new(Evaluation, Mode::Selective, 32 << 20).run(position, limits, &mut NoControl);
        report.expect("a position that is not finished has a move").best
    };
    match foxes {
        Foxes::Random => {
            let moves = position.legal_moves();
            moves[random.random_range(0..moves.len())]
        }
        Foxes::Greedy => {
            let found = greedy(position, |position: &Position| Evaluation.evaluate(position));
            found.best.expect("a position that is not finished has a move")
        }
        Foxes::Search(depth) => search(depth),
        Foxes::Stiffest => {
            let known = foxgeese::known_move(position);
            known.map_or_else(|| search(8), |(mv, _)| mv)
        }
    }
}
