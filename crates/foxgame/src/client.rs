//! The agent in a game that a monitor runs.

use crate::promptness::be_prompt;
use crate::rules::{Play, Position};
use crate::thinker::{Search, Thinker, thinking_time};
use crate::wire::{FromAgent, FromMonitor, read_line};
use engine::score::describe;
use engine::{Game, Protocol, Side};
use std::io::{self, BufReader, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// What a client is told on the command line.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The monitor's host.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The side to ask for; any if none.
    pub role: Option<Side>,
    /// The name to give, on one line.
    pub name: String,
    /// Threads of the search.
    pub threads: usize,
    /// The size of the transposition table in bytes.
    pub hash_bytes: usize,
    /// Whether to think on the opponent's time.
    pub ponder: bool,
    /// How long to try to connect.
    pub patience: Duration,
    /// Whether to tell about the game on standard error.
    pub verbose: bool,
}

/// The slice until the monitor names one.
const FIRST_SLICE: Duration = Duration::from_millis(100);
/// If the search has not come back so long after its deadline, its best play so far is sent without waiting for it.
const PATIENCE_WITH_SEARCH: Duration = Duration::from_millis(1);
/// Between attempts to connect.
const PAUSE: Duration = Duration::from_millis(100);

/// How a game that came to its end ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOver {
    /// The side that won; `None` for a draw.
    pub winner: Option<Side>,
    /// The monitor's reason.
    pub reason: String,
}

enum Event {
    /// A line that means something, and when it came.
    Line(FromMonitor, Instant),
    /// The stream has ended.
    Lost(io::Error),
    /// The search of this number has ended.
    Finished(u64),
}

/// Plays one game. An error means that the connection could not be made or was lost before the end.
pub fn play(settings: &Settings) -> io::Result<GameOver> {
    be_prompt();
    let stream = connect(settings)?;
    stream.set_nodelay(true)?;
    let (sender, events) = channel();
    let reader = stream.try_clone()?;
    let lines = sender.clone();
    thread::spawn(move || read_events(reader, &lines));
    let mut client = Client {
        settings,
        stream,
        sender,
        position: Position::initial(),
        side: None,
        begun: false,
        slice: FIRST_SLICE,
        heard: None,
        thinker: Thinker::new(settings.threads, settings.hash_bytes),
        search: None,
        number: 0,
        turn: None,
        expected: None,
    };
    client.send(&[FromAgent::Hello(settings.role)])?;
    client.follow(&events)
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

fn read_events(stream: TcpStream, events: &Sender<Event>) {
    let mut stream = BufReader::new(stream);
    loop {
        let event = match read_line(&mut stream) {
            Ok(Some(line)) => match FromMonitor::read(&line) {
                Some(line) => Event::Line(line, Instant::now()),
                None => continue,
            },
            Ok(None) => Event::Lost(io::Error::new(io::ErrorKind::UnexpectedEof, "the monitor closed the connection")),
            Err(error) => Event::Lost(error),
        };
        let last = matches!(event, Event::Lost(_) | Event::Line(FromMonitor::Winner(..), _));
        if events.send(event).is_err() || last {
            return;
        }
    }
}

struct Client<'a> {
    settings: &'a Settings,
    stream: TcpStream,
    sender: Sender<Event>,
    position: Position,
    side: Option<Side>,
    begun: bool,
    slice: Duration,
    /// The opponent's play, until its turn is done.
    heard: Option<Vec<crate::board::Point>>,
    thinker: Thinker,
    search: Option<Search>,
    /// The number of the search that runs.
    number: u64,
    /// When the answer has to be sent at the latest, in the own turn.
    turn: Option<Instant>,
    /// The opponent's play that the search under way expects.
    expected: Option<Play>,
}

impl Client<'_> {
    fn follow(&mut self, events: &Receiver<Event>) -> io::Result<GameOver> {
        loop {
            let event = match self.turn {
                Some(latest) => match events.recv_timeout(latest.saturating_duration_since(Instant::now())) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => unreachable!("the client has a sender itself"),
                },
                None => Some(events.recv().expect("the client has a sender itself")),
            };
            match event {
                None => self.answer()?,
                Some(Event::Finished(number)) if number == self.number && self.turn.is_some() => self.answer()?,
                Some(Event::Finished(_)) => {}
                Some(Event::Lost(error)) => return Err(error),
                Some(Event::Line(FromMonitor::Winner(winner, reason), _)) => return Ok(GameOver { winner, reason }),
                Some(Event::Line(line, moment)) => self.hear(line, moment)?,
            }
        }
    }

    fn hear(&mut self, line: FromMonitor, moment: Instant) -> io::Result<()> {
        match line {
            FromMonitor::Hello(side) if self.side.is_none() => {
                self.side = Some(side);
                self.say(|| format!("plays {}", Position::side_word(side)));
                // The game has not begun, but what it begins with is known.
                if self.settings.ponder {
                    self.start_search();
                }
                self.send(&[FromAgent::Name(self.settings.name.clone()), FromAgent::Ready])
            }
            FromMonitor::Timeslice(milliseconds) => {
                self.slice = Duration::from_millis(milliseconds);
                Ok(())
            }
            FromMonitor::Begin if self.side.is_some() && !self.begun => {
                self.begun = true;
                if self.is_own_turn() {
                    return self.begin_turn(moment);
                }
                let likely = self.search.take().map(|search| search.answer().play);
                self.ponder(likely);
                Ok(())
            }
            FromMonitor::Move(stops) => {
                self.heard = Some(stops);
                Ok(())
            }
            FromMonitor::Done if self.begun && !self.is_own_turn() => self.opponent_is_done(moment),
            FromMonitor::Hello(_) | FromMonitor::Begin | FromMonitor::Done | FromMonitor::Winner(..) => Ok(()),
        }
    }

    fn is_own_turn(&self) -> bool {
        Some(self.position.side_to_move()) == self.side
    }

    fn opponent_is_done(&mut self, moment: Instant) -> io::Result<()> {
        let Some(stops) = self.heard.take() else { return Ok(()) };
        let play = match self.position.play_over(&stops) {
            Ok(play) => play,
            // The monitor will say who has won, or name another play.
            Err(reason) => {
                eprintln!("the opponent's play is not legal here: {reason}");
                return Ok(());
            }
        };
        self.position.play(play);
        let guessed = self.expected.take() == Some(play);
        self.say(|| format!("opponent {}{}", self.spelled(&stops), if guessed { ", as expected" } else { "" }));
        if !guessed {
            self.search = None;
        }
        self.begin_turn(moment)
    }

    fn begin_turn(&mut self, moment: Instant) -> io::Result<()> {
        if self.position.outcome().is_some() {
            self.search = None;
            return Ok(());
        }
        let end = moment + thinking_time(self.slice);
        self.turn = Some(end + PATIENCE_WITH_SEARCH);
        let plays = self.position.legal_moves();
        if self.search.is_none() {
            self.start_search();
        }
        let Some(search) = &self.search else { return Ok(()) };
        search.end_at(if plays.len() == 1 { moment } else { end });
        // A search that ended while the opponent was thinking tells no more.
        if search.is_over() || plays.len() == 1 { self.answer() } else { Ok(()) }
    }

    fn start_search(&mut self) {
        self.number += 1;
        let (number, sender) = (self.number, self.sender.clone());
        // When the game is over nobody listens any more.
        let finished = move || drop(sender.send(Event::Finished(number)));
        self.search = Some(self.thinker.start(&self.position, finished));
    }

    /// Sends the best play found, and thinks on.
    fn answer(&mut self) -> io::Result<()> {
        self.turn = None;
        let Some(search) = self.search.take() else { return Ok(()) };
        let answer = search.answer();
        drop(search);
        let stops = self.position.stops(answer.play);
        self.send(&[FromAgent::Move(stops.clone()), FromAgent::Done])?;
        self.say(|| {
            let (score, depth) = (describe(answer.score), answer.depth);
            format!("{} score {score} depth {depth} nodes {}", self.spelled(&stops), answer.nodes)
        });
        self.position.play(answer.play);
        self.ponder(answer.reply);
        Ok(())
    }

    /// Thinks about the position after the reply that is expected.
    fn ponder(&mut self, reply: Option<Play>) {
        self.expected = None;
        let Some(reply) = reply.filter(|&reply| self.settings.ponder && self.position.is_legal(reply)) else { return };
        let undo = self.position.play(reply);
        if self.position.outcome().is_none() && !self.position.legal_moves().is_empty() {
            self.start_search();
            self.expected = Some(reply);
        }
        self.position.undo(reply, undo);
    }

    fn send(&mut self, lines: &[FromAgent]) -> io::Result<()> {
        let text: String = lines.iter().map(FromAgent::line).collect();
        match self.stream.write_all(text.as_bytes()) {
            // The monitor may have ended the game already; its last word is still to be read.
            Err(error) if self.begun && is_closed(&error) => Ok(()),
            other => other,
        }
    }

    fn spelled(&self, stops: &[crate::board::Point]) -> String {
        stops.iter().map(|&stop| crate::wire::monitor_name(stop)).collect::<Vec<_>>().join(" ")
    }

    fn say(&self, text: impl FnOnce() -> String) {
        if self.settings.verbose {
            eprintln!("{}", text());
        }
    }
}

fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted
    )
}
