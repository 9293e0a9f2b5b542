//! The lines of the monitor protocol. Lines are written in one exact form. A monitor's lines are
//! parsed leniently, an agent's lines as strictly as the course's monitor parses them.

use crate::board::Point;
use crate::parse_move::legal_move_over;
use crate::rules::{Move, Position};
use engine::protocol::quote;
use engine::{Protocol, Side};
use std::ops::ControlFlow;

/// The default port of monitors.
pub const PORT: u16 = 6000;

/// The length in bytes from which on a line is read as empty; the protocol's lines are far shorter.
pub const LONGEST_LINE: usize = 1_024;

/// A line that an agent sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromAgent {
    /// `hello`, with the role that the agent asks for.
    Hello(Option<Side>),
    /// `name TEXT`.
    Name(String),
    /// `ready`: the agent is ready for the game to begin.
    Ready,
    /// `move`, with every stop of the move, at least two.
    Move(Vec<Point>),
    /// `done`: the agent's turn is over.
    Done,
}

/// A line that a monitor sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromMonitor {
    /// `hello`, with the role granted.
    Hello(Side),
    /// `timeslice`, with the milliseconds for each turn from now on.
    Timeslice(u64),
    /// `begin`: the game begins, with FOX to move.
    Begin,
    /// `move`, with every stop of the opponent's move.
    Move(Vec<Point>),
    /// `done`: it is the receiver's turn.
    Done,
    /// `winner`: the game is over, with the side that won (`None` for a draw) and the reason.
    Winner(Option<Side>, String),
}

/// Parses a role: `FOX` or `SHEEP` in any case, or a non-empty prefix of it.
pub fn role(word: &str) -> Option<Side> {
    let upper = word.to_ascii_uppercase();
    Side::BOTH
        .into_iter()
        .find(|&side| !upper.is_empty() && Position::side_word(side).starts_with(&upper))
}

impl FromAgent {
    /// Parses a line without its end; `None` if it is none of the protocol. During an agent's turn
    /// more lines count as a move: see [`read_move`].
    pub fn read(line: &str) -> Option<FromAgent> {
        let (word, rest) = split(line);
        match word {
            "hello" if rest.is_empty() => Some(FromAgent::Hello(None)),
            "hello" => {
                let side = Side::BOTH.into_iter().find(|&side| Position::side_word(side) == rest);
                side.map(|side| FromAgent::Hello(Some(side)))
            }
            "name" if !rest.is_empty() => Some(FromAgent::Name(rest.to_string())),
            "ready" => Some(FromAgent::Ready),
            "move" => read_move(line).ok().map(FromAgent::Move),
            "done" => Some(FromAgent::Done),
            _ => None,
        }
    }

    /// The line with its line feed.
    pub fn line(&self) -> String {
        match self {
            FromAgent::Hello(None) => "hello\n".to_string(),
            FromAgent::Hello(Some(side)) => format!("hello {}\n", Position::side_word(*side)),
            FromAgent::Name(name) => format!("name {name}\n"),
            FromAgent::Ready => "ready\n".to_string(),
            FromAgent::Move(stops) => move_line(stops),
            FromAgent::Done => "done\n".to_string(),
        }
    }
}

impl FromMonitor {
    /// Parses a line without its end; `None` if it is none of the protocol.
    pub fn read(line: &str) -> Option<FromMonitor> {
        let (word, rest) = split(line);
        match word {
            "hello" => role(rest).map(FromMonitor::Hello),
            "timeslice" => split(rest).0.parse().ok().map(FromMonitor::Timeslice),
            "begin" => Some(FromMonitor::Begin),
            "move" => stops(rest).map(FromMonitor::Move),
            "done" => Some(FromMonitor::Done),
            "winner" => {
                let (winner, reason) = split(rest);
                let reason = reason.strip_prefix("reason:").unwrap_or(reason).trim_start();
                // The game is over even if the winner cannot be parsed.
                Some(FromMonitor::Winner(role(winner), reason.to_string()))
            }
            _ => None,
        }
    }

    /// The line with its line feed.
    pub fn line(&self) -> String {
        match self {
            FromMonitor::Hello(side) => format!("hello {}\n", Position::side_word(*side)),
            FromMonitor::Timeslice(milliseconds) => format!("timeslice {milliseconds}\n"),
            FromMonitor::Begin => "begin\n".to_string(),
            FromMonitor::Move(stops) => move_line(stops),
            FromMonitor::Done => "done\n".to_string(),
            FromMonitor::Winner(winner, reason) => {
                format!("winner {} reason: {reason}\n", winner.map_or("NONE", Position::side_word))
            }
        }
    }
}

/// Parses the line that an agent sends as its move, exactly as strictly as the course's monitor:
/// the first word is ignored, and at least two points follow, with one blank before each. Returns
/// the stops of the move, or what is wrong with the line.
pub fn read_move(line: &str) -> Result<Vec<Point>, String> {
    let mut words = line.trim_end_matches([' ', '\r', '\n']).split(' ');
    words.next();
    let stops = words.map(|word| match by_monitor_name(word) {
        Some(stop) => Ok(stop),
        None if word.is_empty() => Err("two blanks in a row".to_string()),
        None => Err(format!("{} is no point of the board", quote(word))),
    });
    let stops = stops.collect::<Result<Vec<Point>, String>>()?;
    if stops.len() < 2 { Err("a move has two points at least".to_string()) } else { Ok(stops) }
}

fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) =
        line.split_once(|symbol: char| symbol.is_ascii_whitespace()).unwrap_or((line, ""));
    (word, rest.trim())
}

/// Parses at least two points `x,y`, from 1, with any white space between them.
fn stops(text: &str) -> Option<Vec<Point>> {
    let stops = text.split_whitespace().map(by_monitor_name).collect::<Option<Vec<Point>>>()?;
    (stops.len() >= 2).then_some(stops)
}

/// Parses a point `x,y`, from 1, with an optional trailing comma. The numbers may have a plus sign,
/// as in `+3,1`.
fn by_monitor_name(text: &str) -> Option<Point> {
    let number = |digits: &str| {
        digits.parse::<usize>().ok().filter(|value| (1..=7).contains(value)).map(|value| value - 1)
    };
    let (x, y) = text.strip_suffix(',').unwrap_or(text).split_once(',')?;
    Point::new(number(x)?, number(y)?)
}

/// A point as `x,y`, both from 1.
pub fn monitor_name(point: Point) -> String {
    format!("{},{}", point.x() + 1, point.y() + 1)
}

fn move_line(stops: &[Point]) -> String {
    format!("move {}\n", stops_text(stops))
}

/// The stops of a move, with a blank between them.
pub(super) fn stops_text(stops: &[Point]) -> String {
    stops.iter().map(|&stop| monitor_name(stop)).collect::<Vec<_>>().join(" ")
}

impl Position {
    /// All stops of a legal move, its start and its end included.
    pub fn stops(&self, mv: Move) -> Vec<Point> {
        self.board().stops(mv)
    }

    /// The legal move over the given stops, or the reason why there is none.
    pub fn play_over(&self, stops: &[Point]) -> Result<Move, String> {
        let &[from, next, ref rest @ ..] = stops else {
            return Err("a move has two points at least".to_string());
        };
        let jumps = !rest.is_empty() || !from.neighbours().contains(next);
        legal_move_over(self, stops, jumps, monitor_name).map_err(|(_, reason)| reason)
    }
}

/// A splitter of incoming bytes into lines, which end with LF or CRLF. Lines of [`LONGEST_LINE`]
/// bytes or more are read as empty, so that memory is bounded; bytes that are not UTF-8 are
/// replaced.
#[derive(Default)]
pub struct Lines {
    line: Vec<u8>,
    too_long: bool,
}

impl Lines {
    /// Takes the next bytes and calls `each` with every line that they complete, without its end,
    /// until `each` returns `Break`.
    pub fn push(
        &mut self,
        mut bytes: &[u8],
        mut each: impl FnMut(String) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        while let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            self.keep(&bytes[..end]);
            bytes = &bytes[end + 1..];
            let text = String::from_utf8_lossy(&self.line).trim_end_matches('\r').to_string();
            (self.line, self.too_long) = (Vec::new(), false);
            each(text)?;
        }
        self.keep(bytes);
        ControlFlow::Continue(())
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.too_long |= self.line.len() + bytes.len() >= LONGEST_LINE;
        if self.too_long {
            self.line.clear();
        } else {
            self.line.extend_from_slice(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{FOX, SHEEP};

    fn point(x: usize, y: usize) -> Point {
        Point::new(x, y).unwrap()
    }

    #[test]
    fn lines_are_written_as_the_rules_page_has_them() {
        let stops = vec![point(2, 0), point(4, 2), point(2, 2)];
        let agent = [
            (FromAgent::Hello(None), "hello\n"),
            (FromAgent::Hello(Some(FOX)), "hello FOX\n"),
            (FromAgent::Hello(Some(SHEEP)), "hello SHEEP\n"),
            (FromAgent::Name("Reineke".into()), "name Reineke\n"),
            (FromAgent::Ready, "ready\n"),
            (FromAgent::Move(stops.clone()), "move 3,1 5,3 3,3\n"),
            (FromAgent::Done, "done\n"),
        ];
        for (line, text) in agent {
            assert_eq!(line.line(), text);
            assert_eq!(FromAgent::read(text), Some(line));
        }
        let monitor = [
            (FromMonitor::Hello(SHEEP), "hello SHEEP\n"),
            (FromMonitor::Timeslice(500), "timeslice 500\n"),
            (FromMonitor::Begin, "begin\n"),
            (FromMonitor::Move(stops), "move 3,1 5,3 3,3\n"),
            (FromMonitor::Done, "done\n"),
            (FromMonitor::Winner(Some(FOX), "few".into()), "winner FOX reason: few\n"),
            (FromMonitor::Winner(None, "both".into()), "winner NONE reason: both\n"),
        ];
        for (line, text) in monitor {
            assert_eq!(line.line(), text);
            assert_eq!(FromMonitor::read(text), Some(line));
        }
    }

    #[test]
    fn lines_are_read_with_trailing_commas_and_carriage_returns() {
        let expected = Some(FromMonitor::Move(vec![point(2, 0), point(3, 0)]));
        for text in ["move 3,1 4,1", "move 3,1, 4,1,\r", "  move  3,1\t4,1 \r"] {
            assert_eq!(FromMonitor::read(text), expected, "{text:?}");
        }
        assert_eq!(FromMonitor::read("timeslice 500 ms\r"), Some(FromMonitor::Timeslice(500)));
        assert_eq!(FromMonitor::read("winner"), Some(FromMonitor::Winner(None, String::new())));
        for text in ["", "Begin?", "move 3,1", "move 0,1 1,1", "move 3,1,1 4,1", "timeslice -5"] {
            assert_eq!(FromMonitor::read(text), None, "{text:?}");
        }
        assert_eq!(["s", "Fox", "foxes", ""].map(role), [Some(SHEEP), Some(FOX), None, None]);
    }

    #[test]
    fn an_agent_s_move_is_read_as_strictly_as_the_course_s_monitor_does() {
        let stops = vec![point(2, 0), point(2, 1)];
        for line in [
            "move 3,1 3,2",
            "move 3,1, 3,2,\r",
            "play 3,1 3,2",
            " 3,1 3,2",
            "move +3,1 3,+2",
            "x 3,1 3,2  ",
        ] {
            assert_eq!(read_move(line).as_ref(), Ok(&stops), "{line:?}");
        }
        for line in [
            "",
            " ",
            "move",
            "move 3,1",
            "3,1 3,2",
            "move 3,1  3,2",
            "move 3,1\t3,2",
            "move  3,1 3,2",
            "move\t3,1 3,2",
            "move 3,1 3,2,,",
            "move 3,1 3,2 x",
            "move -3,1 3,2",
            "move ++3,1 3,2",
            "move 2,10 3,2",
            "move 3,1 3",
            "move +,1 3,2",
        ] {
            assert!(read_move(line).is_err_and(|why| !why.is_empty()), "{line:?}");
            assert_eq!(FromAgent::read(line), None, "{line:?}");
        }
        for line in ["hello fox", "hello F", "hello Sheep", "hello FOX SHEEP"] {
            assert_eq!(FromAgent::read(line), None, "{line:?}");
        }
    }

    #[test]
    fn lines_without_end_are_not_kept() {
        let text = [vec![b'x'; 3 * LONGEST_LINE], b"\r\nready\r\n\xff\nhel".to_vec()].concat();
        for size in [1, 7, 64, 10_000] {
            let (mut lines, mut found) = (Lines::default(), Vec::new());
            for part in text.chunks(size) {
                let _ = lines.push(part, |line| {
                    found.push(line);
                    ControlFlow::Continue(())
                });
            }
            assert_eq!(found, ["", "ready", "\u{fffd}"]);
        }
    }
}
