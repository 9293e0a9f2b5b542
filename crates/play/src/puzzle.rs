//! `judge puzzle`: the puzzle server of Foxes and Geese (foxgeese.md, "The server's protocol"). The
//! server plays the foxes, with one game for each token.

use anyhow::{Context, Result, ensure};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::response::Response;
use base64::prelude::{BASE64_STANDARD, Engine};
use clap::Args;
use engine::reference::greedy;
use engine::search::{Knowledge, Limits, Mode, Searcher};
use engine::{Game, Outcome, Protocol};
use foxgeese::puzzle::{Answer, Request};
use foxgeese::rules::GEESE;
use foxgeese::{Evaluation, Move, Position};
use http_server::hosts::{HostOptions, Hosts};
use http_server::listen::listen;
use http_server::service::{HttpLimits, plain};
use rand::rngs::{StdRng, SysRng};
use rand::{RngExt, SeedableRng, TryRng};
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use terminal::output::print;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FoxPolicy {
    Random,
    /// The move with the best evaluation after one ply.
    Greedy,
    /// Alpha-beta search to a depth in plies.
    Search(u32),
    /// The defence that lasts longest against the embedded strategy; in other positions, alpha-beta
    /// search to 8 plies.
    Stiffest,
}

impl FromStr for FoxPolicy {
    type Err = String;

    fn from_str(text: &str) -> Result<FoxPolicy, String> {
        let depth = text.strip_prefix("search:").and_then(|depth| depth.parse::<u32>().ok());
        match (text, depth) {
            ("random", _) => Ok(FoxPolicy::Random),
            ("greedy", _) => Ok(FoxPolicy::Greedy),
            ("stiffest", _) => Ok(FoxPolicy::Stiffest),
            (_, Some(depth @ 1..=20)) => Ok(FoxPolicy::Search(depth)),
            _ => {
                Err("expected random, greedy, stiffest, or search:DEPTH with a depth from 1 to 20"
                    .to_string())
            }
        }
    }
}

/// The word that the server sends to a winner.
const SECRET: &str = "goosestep";

/// Options of `judge puzzle`.
#[derive(Args, Clone, Debug)]
pub struct PuzzleOptions {
    /// The port; 0 for any free port
    #[arg(short, long, default_value_t = 8239)]
    port: u16,

    /// The address to listen on; with another one than loopback, other machines can connect
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,

    /// How the foxes play: random, greedy, stiffest, or search:DEPTH
    #[arg(long, value_name = "HOW", default_value = "search:8")]
    foxes: FoxPolicy,

    #[command(flatten)]
    hosts: HostOptions,

    /// Accept this token, instead of one that is generated at the start and printed; repeat for
    /// more
    #[arg(long = "token", value_name = "TOKEN")]
    tokens: Vec<String>,

    /// The seed of random foxes
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// End the lines of answers with carriage return and line feed
    #[arg(long)]
    crlf: bool,

    /// Simultaneous connections; beyond this number the oldest one with an incomplete request is
    /// closed
    #[arg(long, value_name = "COUNT", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=1_024))]
    connections: u16,

    /// Seconds for a request to arrive completely
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,
}

/// Serves the puzzle until the process is ended.
pub fn serve(options: &PuzzleOptions) -> Result<()> {
    let tokens_fit =
        options.tokens.iter().all(|token| !token.trim().is_empty() && token.trim() == token);
    ensure!(tokens_fit, "--token: expected a token without blanks at its ends");
    let made = if options.tokens.is_empty() { Some(new_token()?) } else { None };
    let tokens = options.tokens.iter().chain(&made);
    let sessions = tokens.map(|token| (token.clone(), None)).collect();
    let puzzle = PuzzleService { options: options.clone(), sessions };
    let routes = Router::new().fallback(answer).with_state(Arc::new(Mutex::new(puzzle)));
    let limits = HttpLimits {
        connections: usize::from(options.connections),
        methods: &[Method::POST],
        body: foxgeese::puzzle::messages::MOST_BYTES,
        time: Duration::from_secs(options.timeout),
    };
    let (listener, address) = listen(SocketAddr::new(options.bind, options.port))?;
    let to_play = made.map(|token| {
        format!(
            "to play, with a token that is new at each start: foxgeese --server http://{address}/ --token {token}\n"
        )
    });
    print(&format!("listening on http://{address}/\n{}", to_play.unwrap_or_default()));
    http_server::serve(listener, Hosts::new(address.ip(), &options.hosts), limits, routes)
}

/// A random token of 128 bits.
fn new_token() -> Result<String> {
    let mut bytes = [0; 16];
    SysRng.try_fill_bytes(&mut bytes).context(
        "no token was generated, since the system gives no random numbers; set one with --token",
    )?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

struct PuzzleSession {
    position: Position,
    random: StdRng,
}

struct PuzzleService {
    options: PuzzleOptions,
    /// The tokens, each with its game if one has begun.
    sessions: HashMap<String, Option<PuzzleSession>>,
}

impl PuzzleService {
    /// Plays the move of a request and the foxes' reply. The error is the text of the answer.
    fn answer(&mut self, request: &Request) -> Result<Answer, String> {
        let session = self.sessions.get_mut(&request.token).ok_or("error: unknown token")?;
        if request.start {
            *session = Some(PuzzleSession {
                position: Position::initial(),
                random: StdRng::seed_from_u64(self.options.seed),
            });
        }
        let game = session.as_mut().ok_or("error: no game is running, send start: 1")?;
        if game.position.outcome().is_some() {
            return Err("error: the game is over, send start: 1".to_string());
        }
        let mv = game
            .position
            .read_move(&request.geese)
            .map_err(|violation| format!("error: geese: {violation}"))?;
        game.position.play(mv);
        let mut foxes = None;
        if game.position.outcome().is_none() {
            let reply = fox_move(self.options.foxes, game);
            foxes = Some(game.position.describe_move(reply));
            game.position.play(reply);
        }
        let (end, message) = match game.position.outcome() {
            None => (None, None),
            Some(Outcome::Win(GEESE)) => (Some(SECRET.to_string()), None),
            Some(_) => {
                let left = game.position.board().geese.len();
                (Some("game is lost".to_string()), Some(format!("{left} geese are left")))
            }
        };
        let field = Some(BASE64_STANDARD.encode(game.position.plain_picture()));
        let moves = Some(u32::from(game.position.moves_made()));
        Ok(Answer { moves, foxes, field, end, message })
    }
}

/// Answers a request on the thread of the service, one at a time.
async fn answer(
    State(service): State<Arc<Mutex<PuzzleService>>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let kind = headers.get(CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    let is_form = kind.starts_with(b"application/x-www-form-urlencoded");
    let Ok(body) = String::from_utf8(body.into()) else {
        return plain(400, "error: expected UTF-8\n");
    };
    let answer = tokio::task::spawn_blocking(move || {
        let mut service = service.lock().expect("no request has failed");
        let line_end = if service.options.crlf { "\r\n" } else { "\n" };
        let read = Request::read(&body, is_form).map_err(|error| format!("error: {error}"));
        match read.and_then(|request| service.answer(&request)) {
            Ok(answer) => plain(200, answer.write(line_end)),
            Err(error) => plain(400, error + line_end),
        }
    });
    answer.await.expect("a request is answered")
}

fn fox_move(foxes: FoxPolicy, game: &mut PuzzleSession) -> Move {
    let PuzzleSession { position, random } = game;
    let search = |depth| {
        let limits = Limits { depth, ..Limits::default() };
        let report =
            Searcher::new(Evaluation, Mode::Selective, 32 << 20).run(position, limits, &mut ());
        report.expect("a position that is not finished has a move").best
    };
    match foxes {
        FoxPolicy::Random => {
            let moves = position.legal_moves();
            moves[random.random_range(0..moves.len())]
        }
        FoxPolicy::Greedy => {
            let found = greedy(position, |position: &Position| Evaluation.evaluate(position));
            found.best.expect("a position that is not finished has a move")
        }
        FoxPolicy::Search(depth) => search(depth),
        FoxPolicy::Stiffest => {
            foxgeese::known_move(position).map_or_else(|| search(8), |(mv, _)| mv)
        }
    }
}
