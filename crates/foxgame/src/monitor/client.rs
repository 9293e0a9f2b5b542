//! The agent in a game that a monitor runs.

use super::listen::{Heard, listen};
use super::reserve::Reserve;
use super::thinker::{Search, Thinker, at_sight};
use super::wire::{FromAgent, FromMonitor, monitor_name};
use crate::board::Point;
use crate::endings::store::Endings;
use crate::evaluate::Evaluation;
use crate::rules::{Move, Position};
use engine::score::describe;
use engine::{Game, Protocol, Side};
use std::io::{self, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use system::priority::{be_prompt_at, places};

/// Settings of a client, as the command line gives them.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The host that the monitor runs on.
    pub host: String,
    /// The port that the monitor listens on.
    pub port: u16,
    /// The side to ask for; `None` takes any.
    pub role: Option<Side>,
    /// The name to give, on one line.
    pub name: String,
    /// The number of threads that search.
    pub threads: usize,
    /// The size of the transposition table in bytes.
    pub hash_bytes: usize,
    /// Whether to think on the opponent's time.
    pub ponder: bool,
    /// The part of each slice to keep back; `None` for the usual one.
    pub reserve: Option<Duration>,
    /// The tables of endings to play from, if there are any.
    pub endings: Option<&'static Endings>,
    /// The time within which a connection has to be made.
    pub patience: Duration,
    /// Whether to write about the game on standard error.
    pub verbose: bool,
}

/// The time slice of a turn until the monitor names one.
const FIRST_SLICE: Duration = Duration::from_millis(100);
/// The time that a search has to come back after its deadline, before its best move so far is sent without it.
const PATIENCE_WITH_SEARCH: Duration = Duration::from_millis(1);
/// The longest search for the first move before the game begins.
const LONGEST_PRELUDE: Duration = Duration::from_secs(5);
/// The pause between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(100);

/// The end of a game: the winner and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOver {
    /// The side that won; `None` for a draw.
    pub winner: Option<Side>,
    /// The reason, in the monitor's words.
    pub reason: String,
}

/// The client, for the threads that read its lines and those that keep its time. Of each kind there are some on different
/// processors, and the first that is awake acts: one alone might be woken too late.
struct Shared {
    client: Mutex<Client>,
    /// Signals a change that the threads which keep the time should look at.
    changed: Arc<Condvar>,
}

/// Plays one game to its end.
///
/// # Errors
/// If the connection could not be made or was lost before the end, or the opponent's move could not be read.
pub fn play(settings: &Settings) -> io::Result<GameOver> {
    let changed = Arc::new(Condvar::new());
    let ended = changed.clone();
    let finished = move || ended.notify_all();
    let thinker = Thinker::new(
        settings.threads,
        settings.hash_bytes,
        settings.ponder,
        Evaluation::knowing(settings.endings),
        finished,
    );
    let stream = connect(settings)?;
    stream.set_nodelay(true)?;
    let mut client = Client {
        name: settings.name.clone(),
        verbose: settings.verbose,
        stream: stream.try_clone()?,
        position: Position::initial(),
        side: None,
        begun: false,
        slice: FIRST_SLICE,
        reserve: Reserve::new(settings.reserve),
        heard: None,
        unread: None,
        thinker,
        search: None,
        turn: None,
        expected: None,
        over: None,
    };
    client.send(&[FromAgent::Hello(settings.role)]);
    let shared = Arc::new(Shared { client: Mutex::new(client), changed });
    let ear = shared.clone();
    listen(&stream, move |heard| ear.hear(heard))?;
    for place in 1..places() {
        let shared = shared.clone();
        thread::spawn(move || shared.keep_time(place));
    }
    shared.keep_time(0);
    let over = shared.lock().over.take();
    over.expect("time is kept until the game is over")
}

impl Shared {
    /// The client. That another thread has panicked does not matter: it is no reason to be late.
    fn lock(&self) -> MutexGuard<'_, Client> {
        self.client.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands a line, or the end of the connection, to the client.
    fn hear(&self, heard: Heard) -> ControlFlow<()> {
        let mut client = self.lock();
        match heard {
            Heard::Line(line, moment) => match FromMonitor::read(&line) {
                Some(line) => client.hear(line, moment),
                None => client.ignore(line),
            },
            Heard::End(error) => client.lose(error),
        }
        self.changed.notify_all();
        if client.over.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Sees to it that answers are sent in time, until the game is over.
    fn keep_time(&self, place: usize) {
        be_prompt_at(place);
        let mut client = self.lock();
        while client.over.is_none() {
            client = match client.time_left() {
                None => self.changed.wait(client).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => {
                    client.answer();
                    client
                }
                Some(left) => self.changed.wait_timeout(client, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
        self.changed.notify_all();
    }
}

fn connect(settings: &Settings) -> io::Result<TcpStream> {
    let give_up = Instant::now() + settings.patience;
    loop {
        let address = (settings.host.as_str(), settings.port).to_socket_addrs()?.collect::<Vec<_>>();
        match TcpStream::connect(&address[..]) {
            Ok(stream) => return Ok(stream),
            Err(error) if Instant::now() + PAUSE > give_up => return Err(error),
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

struct Client {
    name: String,
    verbose: bool,
    stream: TcpStream,
    position: Position,
    side: Option<Side>,
    begun: bool,
    slice: Duration,
    reserve: Reserve,
    /// The opponent's move, until its turn is done.
    heard: Option<Vec<Point>>,
    /// A line that means nothing, until a turn is done: the opponent's move, perhaps.
    unread: Option<String>,
    thinker: Thinker,
    /// The search that runs: for the own turn, or on the opponent's time.
    search: Option<Search>,
    /// The latest moment to send the answer; `None` out of the own turn.
    turn: Option<Instant>,
    /// The opponent's move that the search under way expects.
    expected: Option<Move>,
    /// The end of the game, or the error that ended it before.
    over: Option<io::Result<GameOver>>,
}

impl Client {
    fn end(&mut self, how: io::Result<GameOver>) {
        self.search = None;
        self.over.get_or_insert(how);
    }

    /// Ends the game because the connection is lost. The last line that meant nothing may say why, and is named.
    fn lose(&mut self, error: io::Error) {
        let error = match self.unread.take() {
            Some(line) => io::Error::new(error.kind(), format!("{error} after the line {}", quoted(&line))),
            None => error,
        };
        self.end(Err(error));
    }

    /// Remembers a line that means nothing; if one of them begins like a move, then that one.
    fn ignore(&mut self, line: String) {
        let is_move = |line: &str| line.trim_start().starts_with("move");
        if !line.trim().is_empty() && (is_move(&line) || !self.unread.as_deref().is_some_and(is_move)) {
            self.unread = Some(line);
        }
    }

    /// The time left until the answer has to be sent, zero if the search has ended; `None` out of the own turn.
    fn time_left(&self) -> Option<Duration> {
        let latest = self.turn?;
        let ended = self.search.as_ref().is_none_or(Search::is_over);
        Some(if ended { Duration::ZERO } else { latest.saturating_duration_since(Instant::now()) })
    }

    fn hear(&mut self, line: FromMonitor, moment: Instant) {
        match line {
            FromMonitor::Hello(side) if self.side.is_none() => {
                self.side = Some(side);
                self.say(|| format!("plays {}", Position::side_word(side)));
                // The game has not begun, but what it begins with is known.
                self.search = self.thinker.ponder(&self.position);
                if let Some(search) = &self.search {
                    search.end_at(Instant::now() + LONGEST_PRELUDE);
                }
                self.send(&[FromAgent::Name(self.name.clone()), FromAgent::Ready]);
            }
            FromMonitor::Timeslice(milliseconds) => {
                self.slice = Duration::from_millis(milliseconds);
                self.reserve.slice_is_told(moment);
            }
            FromMonitor::Begin if self.side.is_some() && !self.begun => {
                self.begun = true;
                self.unread = None;
                if self.is_own_turn() {
                    return self.begin_turn(moment);
                }
                let likely = self.search.take().map(|search| search.answer().mv);
                self.ponder(likely);
            }
            FromMonitor::Move(stops) => self.heard = Some(stops),
            FromMonitor::Done if self.begun && !self.is_own_turn() => self.opponent_is_done(moment),
            FromMonitor::Winner(winner, reason) => self.end(Ok(GameOver { winner, reason })),
            FromMonitor::Hello(_) | FromMonitor::Begin | FromMonitor::Done => {}
        }
    }

    fn is_own_turn(&self) -> bool {
        Some(self.position.side_to_move()) == self.side
    }

    fn opponent_is_done(&mut self, moment: Instant) {
        let (stops, unread) = (self.heard.take(), self.unread.take());
        let Some(stops) = stops else {
            // Without it the board is not known any more, and to wait would be in vain.
            if let Some(line) = unread {
                let reason = format!("the opponent's move cannot be read: {}", quoted(&line));
                self.end(Err(io::Error::new(io::ErrorKind::InvalidData, reason)));
            }
            return;
        };
        let mv = match self.position.play_over(&stops) {
            Ok(mv) => mv,
            // The monitor will say who has won, or name another move.
            Err(reason) => {
                log(&format!("the opponent's move is not legal here: {reason}"));
                return;
            }
        };
        self.position.play(mv);
        self.learn_delay(moment);
        let guessed = self.expected.take() == Some(mv);
        self.say(|| format!("opponent {}{}", spelled(&stops), if guessed { ", as expected" } else { "" }));
        if !guessed {
            self.search = None;
        }
        self.begin_turn(moment);
    }

    /// Learns from the lines of the opponent's turn how late the monitor is.
    fn learn_delay(&mut self, moment: Instant) {
        let before = self.reserve.thinking_time(self.slice);
        self.reserve.turn_begins(moment);
        let (delay, thinking) = (self.reserve.delay(), self.reserve.thinking_time(self.slice));
        if thinking < before {
            let kept = self.slice.saturating_sub(thinking);
            self.say(|| format!("monitor {} ms late, reserve {} ms", delay.as_millis(), kept.as_millis()));
        }
    }

    /// Goes on with the search under way, which is of this position, if there is one.
    fn begin_turn(&mut self, moment: Instant) {
        if self.position.outcome().is_some() {
            self.search = None;
            return;
        }
        let no_choice = self.position.legal_moves().len() == 1;
        match &self.search {
            // A search that ended while the opponent was thinking tells no more.
            Some(search) if no_choice || search.is_settled() => return self.answer(),
            _ => {}
        }
        let known = self.search.take().map(|search| search.answer());
        let search = self.thinker.answer(&self.position, known);
        let end = moment + self.reserve.thinking_time(self.slice);
        search.end_at(end);
        self.search = Some(search);
        if no_choice {
            return self.answer();
        }
        self.turn = Some(end + PATIENCE_WITH_SEARCH);
    }

    /// Sends the best move found, and thinks on.
    fn answer(&mut self) {
        self.turn = None;
        let Some(search) = self.search.take() else { return };
        let answer = search.answer();
        drop(search);
        let stops = self.position.stops(answer.mv);
        self.send(&[FromAgent::Move(stops.clone()), FromAgent::Done]);
        self.reserve.turn_is_sent(Instant::now());
        self.say(|| {
            let (score, depth) = (describe(answer.score), answer.depth);
            format!("{} score {score} depth {depth} nodes {}", spelled(&stops), answer.nodes)
        });
        self.position.play(answer.mv);
        self.ponder(answer.reply);
    }

    /// Thinks about the position after the reply that is expected, or that looks best if none is.
    fn ponder(&mut self, reply: Option<Move>) {
        self.expected = None;
        if self.position.outcome().is_some() {
            return;
        }
        let legal = reply.filter(|&reply| self.position.is_legal(reply));
        let reply = legal.unwrap_or_else(|| at_sight(&self.position).mv);
        let mut after = self.position.clone();
        after.play(reply);
        if after.outcome().is_none() {
            self.search = self.thinker.ponder(&after);
            self.expected = Some(reply);
        }
    }

    fn send(&mut self, lines: &[FromAgent]) {
        let text: String = lines.iter().map(FromAgent::line).collect();
        match self.stream.write_all(text.as_bytes()) {
            // The monitor may have ended the game already; its last word is still to be read.
            Err(error) if !is_closed(&error) => self.end(Err(error)),
            _ => {}
        }
    }

    fn say(&self, text: impl FnOnce() -> String) {
        if self.verbose {
            log(&text());
        }
    }
}

fn spelled(stops: &[Point]) -> String {
    stops.iter().map(|&stop| monitor_name(stop)).collect::<Vec<_>>().join(" ")
}

/// A line from outside, in quotes and escaped, as part of a message on one line.
fn quoted(line: &str) -> String {
    format!("'{}'", line.escape_default())
}

/// Writes a line on standard error. That nobody reads it is no reason to end a game.
fn log(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted
    )
}
