//! The client side of a monitor game: connects, keeps the position, sends each answer before its
//! time slice ends.

use super::listen::{StreamEvent, listen};
use super::reserve::Reserve;
use super::thinker::{Search, Thinker, one_ply_move};
use super::wire::{FromAgent, FromMonitor, monitor_name};
use crate::board::Point;
use crate::endings::store::Endings;
use crate::evaluate::Evaluation;
use crate::rules::{Move, Position};
use clock::priority::{be_prompt_at, leave_the_first_place, places, processors};
use clock::{lock, unpoisoned};
use engine::score::describe;
use engine::{Game, Protocol, Side};
use std::io::{self, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// The settings of a client.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The host that the monitor runs on.
    pub host: String,
    /// The port that the monitor listens on.
    pub port: u16,
    /// The side to ask for; `None` for either.
    pub role: Option<Side>,
    /// The player's name to send, on one line.
    pub name: String,
    /// The number of threads that search.
    pub threads: usize,
    /// The size of the transposition table in bytes.
    pub hash_bytes: usize,
    /// Whether to ponder, that is to search on the opponent's time.
    pub ponder: bool,
    /// The endgame tables, if any.
    pub endings: Option<&'static Endings>,
    /// The part of each time slice to keep in reserve; `None` for the default of [`Reserve`].
    pub reserve: Option<Duration>,
    /// The time for which to keep trying to connect.
    pub connect_timeout: Duration,
    /// Whether to log the game on standard error.
    pub verbose: bool,
}

/// The time slice assumed until the monitor sends `timeslice`.
const FIRST_SLICE: Duration = Duration::from_millis(100);
/// The grace period after a search's deadline. If the search has not ended by then, its best move
/// so far is sent.
const SEARCH_GRACE: Duration = Duration::from_millis(1);
/// The time between two wake-ups before the game and in the opponent's turn, which show how late
/// this machine wakes threads.
const WAKE_UP_PAUSE: Duration = Duration::from_millis(10);
/// The likely delay of a wake-up from which on the threads that search leave a processor to those
/// that talk to the monitor.
const CROWDED: Duration = Duration::from_millis(5);
/// The longest search of the starting position before the game begins.
const LONGEST_SEARCH_BEFORE_GAME: Duration = Duration::from_secs(5);
/// The pause between two attempts to connect.
const CONNECT_PAUSE: Duration = Duration::from_millis(100);

/// The monitor's verdict at the end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOver {
    /// The side that won; `None` for a draw.
    pub winner: Option<Side>,
    /// The reason, as the monitor sent it.
    pub reason: String,
}

/// The client's state, shared by the threads that read lines and the timer threads. There are
/// several threads of each kind, on different processors, and the first one awake acts, because a
/// single thread might be woken too late.
struct Shared {
    client: Mutex<Client>,
    /// Wakes the timer threads after a change of the client's state.
    changed: Arc<Condvar>,
}

/// Connects to the monitor and plays one game to its end.
///
/// # Errors
/// If the connection cannot be made or is lost before the end of the game, or the opponent's move
/// cannot be parsed.
pub fn play(settings: &Settings) -> io::Result<GameOver> {
    let changed = Arc::new(Condvar::new());
    let ended = changed.clone();
    let finished = move || ended.notify_all();
    let think = || {
        // From their start on the threads that think leave a processor to those that talk to the
        // monitor.
        if settings.threads < processors().len() {
            leave_the_first_place();
        }
        let evaluation = Evaluation::knowing(settings.endings);
        Thinker::new(settings.threads, settings.hash_bytes, settings.ponder, evaluation, finished)
    };
    let thinker = thread::scope(|scope| scope.spawn(think).join())
        .unwrap_or_else(|panic| resume_unwind(panic));
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
        kept: Duration::ZERO,
        opponent_stops: None,
        unread: None,
        thinker,
        search: None,
        turn: None,
        wake_up: Some(Instant::now() + WAKE_UP_PAUSE),
        expected: None,
        over: None,
    };
    client.send(&[FromAgent::Hello(settings.role)]);
    let shared = Arc::new(Shared { client: Mutex::new(client), changed });
    let reading = shared.clone();
    listen(&stream, move |event| reading.on_event(event))?;
    // Not on the program's first thread: see `be_prompt_at`.
    thread::scope(|scope| {
        for place in 0..places() {
            let shared = &shared;
            scope.spawn(move || shared.run_timer(place));
        }
    });
    let over = shared.lock().over.take();
    over.expect("time is kept until the game is over")
}

impl Shared {
    /// Locks the client. A poisoned lock is used all the same: a panic of another thread must not
    /// make the answer late.
    fn lock(&self) -> MutexGuard<'_, Client> {
        lock(&self.client)
    }

    /// Passes a line, or the end of the connection, to the client.
    fn on_event(&self, event: StreamEvent) -> ControlFlow<()> {
        let mut client = self.lock();
        client.measure_wake_up();
        match event {
            StreamEvent::Line(line, moment) => match FromMonitor::read(&line) {
                Some(line) => client.on_line(line, moment),
                None => client.on_unknown_line(line),
            },
            StreamEvent::End(error) => client.on_disconnect(error),
        }
        self.changed.notify_all();
        if client.over.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Runs a timer thread: sends each answer when its search ends or its time is up, until the
    /// game is over.
    fn run_timer(&self, place: usize) {
        be_prompt_at(place);
        let mut client = self.lock();
        while client.over.is_none() {
            client = match client.time_left() {
                None => unpoisoned(self.changed.wait(client)),
                Some(Duration::ZERO) => {
                    if client.turn.is_some() {
                        client.answer();
                    }
                    client.measure_wake_up();
                    client
                }
                Some(left) => unpoisoned(self.changed.wait_timeout(client, left)).0,
            };
        }
        self.changed.notify_all();
    }
}

fn connect(settings: &Settings) -> io::Result<TcpStream> {
    let give_up = Instant::now() + settings.connect_timeout;
    loop {
        let address =
            (settings.host.as_str(), settings.port).to_socket_addrs()?.collect::<Vec<_>>();
        match TcpStream::connect(&address[..]) {
            Ok(stream) => return Ok(stream),
            Err(error) if Instant::now() + CONNECT_PAUSE > give_up => return Err(error),
            Err(_) => thread::sleep(CONNECT_PAUSE),
        }
    }
}

/// The state of one game at a monitor.
struct Client {
    name: String,
    verbose: bool,
    stream: TcpStream,
    position: Position,
    side: Option<Side>,
    begun: bool,
    slice: Duration,
    reserve: Reserve,
    /// The reserve of the last turn.
    kept: Duration,
    /// The stops of the opponent's move, until its turn is done.
    opponent_stops: Option<Vec<Point>>,
    /// A line of the opponent's turn that could not be parsed. It may have been the opponent's
    /// move.
    unread: Option<String>,
    thinker: Thinker,
    /// The running search: for the own turn, or pondering.
    search: Option<Search>,
    /// The latest moment to send the answer; `None` during the opponent's turn.
    turn: Option<Instant>,
    /// The next wake-up before the game or in the opponent's turn; `None` in the own turn.
    wake_up: Option<Instant>,
    /// The opponent's move that the pondering search assumes.
    expected: Option<Move>,
    /// The end of the game, or the error that cut it short.
    over: Option<io::Result<GameOver>>,
}

impl Client {
    fn end(&mut self, how: io::Result<GameOver>) {
        self.search = None;
        self.over.get_or_insert(how);
    }

    /// Ends the game because the connection is lost. The error quotes the last line that could not
    /// be parsed, which may say why.
    fn on_disconnect(&mut self, error: io::Error) {
        let error = match self.unread.take() {
            Some(line) => {
                io::Error::new(error.kind(), format!("{error} after the line {}", quoted(&line)))
            }
            None => error,
        };
        self.end(Err(error));
    }

    /// Remembers a line that could not be parsed. A line that begins like a move is not replaced by
    /// other lines.
    fn on_unknown_line(&mut self, line: String) {
        let is_move = |line: &str| line.trim_start().starts_with("move");
        if !line.trim().is_empty()
            && (is_move(&line) || !self.unread.as_deref().is_some_and(is_move))
        {
            self.unread = Some(line);
        }
    }

    /// The time left until the answer has to be sent, zero if the search has ended, or until the
    /// next wake-up; `None` if there is nothing to wait for.
    fn time_left(&self) -> Option<Duration> {
        let ended = self.turn.is_some() && self.search.as_ref().is_none_or(Search::is_over);
        let due = self.turn.or(self.wake_up)?;
        Some(if ended { Duration::ZERO } else { due.saturating_duration_since(Instant::now()) })
    }

    /// Tells the reserve how late this process noticed that a wake-up was due, if one was. Lines
    /// are read by the same kind of threads, so that one that has just been read may have waited as
    /// long.
    fn measure_wake_up(&mut self) {
        let now = Instant::now();
        if let Some(due) = self.wake_up.filter(|due| *due <= now) {
            self.reserve.woken(due, now);
            self.wake_up = Some(now + WAKE_UP_PAUSE);
        }
    }

    fn on_line(&mut self, line: FromMonitor, moment: Instant) {
        match line {
            FromMonitor::Hello(side) if self.side.is_none() => {
                self.side = Some(side);
                self.log_if_verbose(|| format!("plays {}", Position::side_word(side)));
                // The starting position is known before the game begins, and can be searched
                // already.
                self.search = self.thinker.ponder(&self.position);
                if let Some(search) = &self.search {
                    search.end_at(Instant::now() + LONGEST_SEARCH_BEFORE_GAME);
                }
                self.send(&[FromAgent::Name(self.name.clone()), FromAgent::Ready]);
            }
            FromMonitor::Timeslice(milliseconds) => {
                self.slice = Duration::from_millis(milliseconds);
                self.reserve.timeslice_received(moment);
            }
            FromMonitor::Begin if self.side.is_some() && !self.begun => {
                self.begun = true;
                self.unread = None;
                if self.is_own_turn() {
                    return self.begin_turn(moment);
                }
                self.wake_up = Some(Instant::now() + WAKE_UP_PAUSE);
                let likely = self.search.take().map(|search| search.answer().mv);
                self.ponder(likely);
            }
            FromMonitor::Move(stops) => self.opponent_stops = Some(stops),
            FromMonitor::Done if self.begun && !self.is_own_turn() => self.on_opponent_done(moment),
            FromMonitor::Winner(winner, reason) => self.end(Ok(GameOver { winner, reason })),
            FromMonitor::Hello(_) | FromMonitor::Begin | FromMonitor::Done => {}
        }
    }

    fn is_own_turn(&self) -> bool {
        Some(self.position.side_to_move()) == self.side
    }

    fn on_opponent_done(&mut self, moment: Instant) {
        let (stops, unread) = (self.opponent_stops.take(), self.unread.take());
        let Some(stops) = stops else {
            // Without the opponent's move the board is unknown, and the game cannot go on.
            if let Some(line) = unread {
                let reason = format!("the opponent's move cannot be read: {}", quoted(&line));
                self.end(Err(io::Error::new(io::ErrorKind::InvalidData, reason)));
            }
            return;
        };
        let mv = match self.position.play_over(&stops) {
            Ok(mv) => mv,
            // The monitor decides: it ends the game, or sends another move.
            Err(reason) => {
                log(&format!("the opponent's move is not legal here: {reason}"));
                return;
            }
        };
        self.position.play(mv);
        self.update_reserve(moment);
        let guessed = self.expected.take() == Some(mv);
        self.log_if_verbose(|| {
            format!("opponent {}{}", stops_text(&stops), if guessed { ", as expected" } else { "" })
        });
        if !guessed {
            self.search = None;
        }
        self.begin_turn(moment);
    }

    /// Updates the reserve from the lines of the opponent's turn, which show the monitor's delays,
    /// and logs it if it has grown.
    fn update_reserve(&mut self, moment: Instant) {
        self.reserve.opponent_done(moment);
        if self.reserve.delays()[1] >= CROWDED {
            self.thinker.make_room();
        }
        let kept = self.slice.saturating_sub(self.reserve.thinking_time(self.slice));
        if kept > self.kept {
            let [monitor, own] = self.reserve.delays().map(|delay| delay.as_millis());
            let kept = kept.as_millis();
            self.log_if_verbose(|| {
                format!("monitor {monitor} ms late, reserve {kept} ms, own threads {own} ms late")
            });
        }
        self.kept = kept;
    }

    /// Begins the search for the own turn. If pondering has searched this very position, its answer
    /// is the starting point.
    fn begin_turn(&mut self, moment: Instant) {
        self.wake_up = None;
        if self.position.outcome().is_some() {
            self.search = None;
            return;
        }
        let no_choice = self.position.legal_moves().len() == 1;
        match &self.search {
            // There is one legal move, or pondering has nothing left to find.
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
        self.turn = Some(end + SEARCH_GRACE);
    }

    /// Sends the best move found, and begins to ponder.
    fn answer(&mut self) {
        let due = self.turn.take();
        let Some(search) = self.search.take() else { return };
        let answer = search.answer();
        drop(search);
        if let Some(due) = due {
            self.reserve.woken(due, Instant::now());
        }
        self.wake_up = Some(Instant::now() + WAKE_UP_PAUSE);
        let stops = self.position.stops(answer.mv);
        // The monitor may have the lines before this thread runs again.
        let sent = Instant::now();
        self.send(&[FromAgent::Move(stops.clone()), FromAgent::Done]);
        self.reserve.move_sent(sent);
        self.log_if_verbose(|| {
            let (score, depth) = (describe(answer.score), answer.depth);
            format!("{} score {score} depth {depth} nodes {}", stops_text(&stops), answer.nodes)
        });
        self.position.play(answer.mv);
        self.ponder(answer.reply);
    }

    /// Ponders the position after the expected reply, or after the reply that looks best if none is
    /// expected.
    fn ponder(&mut self, reply: Option<Move>) {
        self.expected = None;
        if self.position.outcome().is_some() {
            return;
        }
        let legal = reply.filter(|&reply| self.position.is_legal(reply));
        let reply = legal.unwrap_or_else(|| one_ply_move(&self.position).mv);
        let after = self.position.after(reply);
        if after.outcome().is_none() {
            self.search = self.thinker.ponder(&after);
            self.expected = Some(reply);
        }
    }

    fn send(&mut self, lines: &[FromAgent]) {
        let text: String = lines.iter().map(FromAgent::line).collect();
        match self.stream.write_all(text.as_bytes()) {
            // The monitor may have closed the connection after the end of the game; its last line
            // is still to be read.
            Err(error) if !is_closed(&error) => self.end(Err(error)),
            _ => {}
        }
    }

    fn log_if_verbose(&self, text: impl FnOnce() -> String) {
        if self.verbose {
            log(&text());
        }
    }
}

/// Formats stops in the monitor's coordinates.
fn stops_text(stops: &[Point]) -> String {
    stops.iter().map(|&stop| monitor_name(stop)).collect::<Vec<_>>().join(" ")
}

/// A received line in quotes, with control characters escaped, for use in a one-line message.
fn quoted(line: &str) -> String {
    format!("'{}'", line.escape_default())
}

/// Writes a line on standard error. A failure to write is ignored: it must not end the game.
fn log(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
    )
}
