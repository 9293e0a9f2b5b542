//! The client side of a monitor game: connects, keeps the position, sends each answer before its
//! time slice ends.

use super::command_line::Settings;
use super::listen::{StreamEvent, listen};
use super::reserve::Reserve;
use super::thinker::{Search, Thinker, one_ply_move};
use super::wire::{FromAgent, FromMonitor, Lines, stops_text};
use crate::board::Point;
use crate::evaluate::Evaluation;
use crate::rules::{Move, Position};
use clap::Parser;
use clock::priority::{be_prompt_at, leave_the_first_place, places, processors};
use clock::{lock, unpoisoned};
use engine::score::describe;
use engine::{Game, Protocol, Side};
use std::io::{self, Write};
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// The time slice assumed until the monitor sends `timeslice`.
const FIRST_SLICE: Duration = Duration::from_millis(100);
/// The time after a search's deadline at which its best move so far is sent, if it has not ended.
const SEARCH_GRACE: Duration = Duration::from_millis(1);
/// The time between two wake-ups, which show how late this machine wakes threads.
const WAKE_UP_PAUSE: Duration = Duration::from_millis(10);
/// The likely delay of a wake-up from which on the threads that search make room.
const CROWDED: Duration = Duration::from_millis(5);
/// The longest search of the starting position before the game begins.
const LONGEST_SEARCH_BEFORE_GAME: Duration = Duration::from_secs(5);
/// The pause between two attempts to connect.
const CONNECT_PAUSE: Duration = Duration::from_millis(100);
/// The exit code if the connection could not be made or was lost, or the opponent's move could not
/// be parsed.
const LOST: u8 = 3;

/// Runs the agent in the monitor mode: parses the command line, plays one game, and prints how it
/// ended.
pub fn run() -> ExitCode {
    let settings = Settings::parse();
    match play(&settings) {
        Ok(over) => {
            // A failure to print is ignored: the game has ended.
            let _ = writeln!(io::stdout(), "{over}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}:{}: {error}", settings.address, settings.port);
            ExitCode::from(LOST)
        }
    }
}

/// The client's state, shared by the threads that read lines and the timer threads. There are
/// several threads of each kind, on different processors, and the first one awake acts, because a
/// single thread might be woken too late.
struct Shared {
    client: Mutex<Client>,
    /// Wakes the timer threads after a change of the client's state.
    changed: Arc<Condvar>,
}

/// Connects to the monitor and plays one game to its end. Returns the line about it. An error means
/// that the connection cannot be made or was lost, or that the opponent's move cannot be parsed.
fn play(settings: &Settings) -> io::Result<String> {
    let changed = Arc::new(Condvar::new());
    let ended = changed.clone();
    let finished = move || ended.notify_all();
    let threads = settings.threads();
    let evaluation = Evaluation { endings: settings.extra.sources().endings };
    let think = || {
        // From their start on the threads that think leave a processor to those that talk to the
        // monitor.
        if threads < processors().len() {
            leave_the_first_place();
        }
        let hash_bytes = (settings.hash as usize) << 20;
        Thinker::new(threads, hash_bytes, !settings.no_ponder, evaluation, finished)
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
        reserve: Reserve::new(settings.reserve.map(|ms| Duration::from_millis(ms.into()))),
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
    listen(&stream, Lines::default(), move |event| reading.on_event(event))?;
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
    /// Locks the client, also after a panic of another thread.
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
    let give_up = Instant::now() + Duration::from_secs(settings.wait.into());
    loop {
        match TcpStream::connect((settings.address.as_str(), settings.port)) {
            Err(_) if Instant::now() + CONNECT_PAUSE <= give_up => thread::sleep(CONNECT_PAUSE),
            result => return result,
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
    /// A line of the opponent's turn that could not be parsed; it may have been the move.
    unread: Option<String>,
    thinker: Thinker,
    /// The running search, for the own turn or pondering.
    search: Option<Search>,
    /// The latest moment to send the answer; `None` during the opponent's turn.
    turn: Option<Instant>,
    /// The next wake-up before the game or in the opponent's turn; `None` in the own turn.
    wake_up: Option<Instant>,
    /// The opponent's move that the pondering search assumes.
    expected: Option<Move>,
    /// The line about the end of the game, or the error that cut it short.
    over: Option<io::Result<String>>,
}

impl Client {
    fn end(&mut self, how: io::Result<String>) {
        self.search = None;
        self.over.get_or_insert(how);
    }

    /// Ends the game because the connection is lost. The error quotes the last line that could not
    /// be parsed, which may say why.
    fn on_disconnect(&mut self, error: io::Error) {
        let last = self.unread.take();
        let last = last.map_or(String::new(), |line| format!(" after the line {}", quoted(&line)));
        self.end(Err(io::Error::new(error.kind(), format!("{error}{last}"))));
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

    /// Tells the reserve how late this process noticed that a wake-up was due, if one was. A line
    /// that has just been read may have waited as long.
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
                // The starting position can be searched before the game begins.
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
            FromMonitor::Winner(winner, reason) => {
                let winner = winner.map_or("NONE", Position::side_word);
                self.end(Ok(format!("winner {winner} reason: {reason}")));
            }
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
            Err(reason) => return log(&format!("the opponent's move is not legal here: {reason}")),
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

    /// Begins the search for the own turn, from pondering's answer if it has searched this position.
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

    /// Ponders the position after the expected reply, or else after the one that looks best.
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
            // The monitor may have closed the connection after the end of the game.
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

/// A received line in quotes, with control characters escaped.
fn quoted(line: &str) -> String {
    format!("'{}'", line.escape_default())
}

/// Writes a line on standard error. A failure must not end the game.
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
