//! The files of a game: input text to a [`Task`], a move to output text and back, with errors that name their line.

use crate::drawing::Drawing;
use crate::game::{Game, Side};
use std::fmt::{self, Debug};
use std::time::Duration;

/// What a clock is for: line 1 of every input file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// `SINGLE`: the time is for this one move.
    Single,
    /// `GAME`: the time is for the whole rest of the game.
    Game,
}

impl TimeControl {
    /// The word in the file.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            TimeControl::Single => "SINGLE",
            TimeControl::Game => "GAME",
        }
    }
}

/// A question to an agent, as an input file asks it: a position, whose side to move is to play, and a clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Task<G> {
    /// The position to play from. Not finished.
    pub position: G,
    /// What the clock is for.
    pub control: TimeControl,
    /// CPU time left.
    pub clock: Duration,
}

/// The rule sets that a game knows, by the names that `--rules` takes.
pub trait RuleSet: Copy + Eq + Debug + Send + Sync + 'static {
    /// Every rule set with its name.
    const ALL: &'static [(&'static str, Self)];
    /// The one that agents play by unless told otherwise: legal for every grader.
    const AGENT: Self;
    /// The one that the judge refuses by unless told otherwise: the most permissive.
    const JUDGE: Self;

    /// The rule set's name.
    #[must_use]
    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, rules)| *rules == self).map_or("?", |(name, _)| name)
    }

    /// The rule set of a name.
    #[must_use]
    fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, rules)| *rules)
    }
}

/// For games with one set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneRuleSet;

impl RuleSet for OneRuleSet {
    const ALL: &'static [(&'static str, Self)] = &[("standard", OneRuleSet)];
    const AGENT: Self = OneRuleSet;
    const JUDGE: Self = OneRuleSet;
}

/// Why an input text is refused. Displayed as `LINE: expected ..., found ...`, to be put behind a file name and a colon.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: expected {expected}, found {found}")]
pub struct InputError {
    /// The line, counted from 1.
    pub line: usize,
    /// What should stand there.
    pub expected: String,
    /// What stands there, shortened and with unprintable characters escaped.
    pub found: String,
}

impl InputError {
    /// An error at a line. `found` is taken as it is; see [`quote`] for text from the file.
    pub fn new(line: usize, expected: impl Into<String>, found: impl Into<String>) -> InputError {
        InputError { line, expected: expected.into(), found: found.into() }
    }
}

/// Why an output text is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// The text does not have the form of a move.
    Format {
        /// The line, counted from 1.
        line: usize,
        /// What should stand there, and what does.
        message: String,
    },
    /// The text names a move that the rules do not allow here, and why.
    Illegal(String),
}

impl Violation {
    /// A badly formed line.
    pub fn format(line: usize, message: impl Into<String>) -> Violation {
        Violation::Format { line, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::Format { line, message } => write!(f, "line {line}: {message}"),
            Violation::Illegal(reason) => write!(f, "illegal move: {reason}"),
        }
    }
}

impl std::error::Error for Violation {}

/// A game's files and words.
pub trait Protocol: Game {
    /// The game's name on command lines, in lower case.
    const NAME: &'static str;
    /// The game's name for people.
    const TITLE: &'static str;
    /// The words for the two sides in the files, [`Side::First`] first.
    const SIDES: [&'static str; 2];
    /// Plies after which a referee calls a game a draw, unless told otherwise.
    const PLY_LIMIT: u32 = 300;
    /// The rule sets.
    type Rules: RuleSet;

    /// The position that games start from.
    fn start(rules: Self::Rules) -> Self;

    /// Reads an input file. Takes any bytes, never panics.
    fn read_task(text: &str, rules: Self::Rules) -> Result<Task<Self>, InputError>;

    /// Writes the input file that [`Protocol::read_task`] reads as this task.
    fn write_task(task: &Task<Self>) -> String;

    /// The output file for a legal move.
    fn write_move(&self, mv: Self::Move) -> String;

    /// Reads an output file: the legal move that it names. Takes any bytes, never panics, and refuses only what no
    /// reading of the rules allows.
    fn read_move(&self, text: &str) -> Result<Self::Move, Violation>;

    /// The move on one line, for people.
    fn describe_move(&self, mv: Self::Move) -> String {
        self.write_move(mv).trim_end().replace('\n', "; ")
    }

    /// The board for people, best with coordinates; several lines, each ended. The squares that `last`, the move that
    /// led here, touched may be marked. By default the board's lines as an input file has them.
    fn picture(&self, last: Option<Self::Move>) -> String {
        let _ = last;
        board_text(self)
    }

    /// The board for a replay page; `last` is the position before the last move, and that move. `None` where a game has
    /// no drawing: viewers then show [`Protocol::picture`]. By default a grid of the symbols that an input file has for
    /// the board, if its lines are equally long ([`Drawing::of_text`]), with the cells marked that the last move altered.
    fn drawing(&self, last: Option<(&Self, Self::Move)>) -> Option<Drawing> {
        let drawing = Drawing::of_text(&board_text(self), Self::SIDES)?;
        let before = last.and_then(|(before, _)| Drawing::of_text(&board_text(before), Self::SIDES));
        Some(match before {
            Some(before) => drawing.with_changes_since(&before),
            None => drawing,
        })
    }

    /// Why a finished game ended as it did, in a few words such as `no sheep can move`; `None` while it goes on, and where
    /// the result says it all.
    fn why_over(&self) -> Option<String> {
        None
    }

    /// Whether some graders might refuse this legal move. An agent makes such a move only when there is no other.
    fn is_disputed(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }

    /// The word for a side in this game's files.
    #[must_use]
    fn side_word(side: Side) -> &'static str {
        Self::SIDES[side.index()]
    }
}

/// The mark that some editors put before every UTF-8 text that they save. Nobody sees it, and it says nothing.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text without a [`BYTE_ORDER_MARK`] at its beginning.
#[must_use]
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Reads an input text line by line. Line ends may be LF or CRLF, blanks at the end of a line do not count, and neither do
/// blank lines at the end of the text or a byte-order mark at its beginning.
pub struct Lines<'a> {
    lines: Vec<&'a str>,
    next: usize,
}

impl<'a> Lines<'a> {
    /// Splits a text.
    #[must_use]
    pub fn new(text: &'a str) -> Lines<'a> {
        let mut lines: Vec<&str> = without_mark(text).split('\n').map(trim_end).collect();
        while lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        Lines { lines, next: 0 }
    }

    /// The number of the line that [`Lines::next_line`] would give, counted from 1.
    #[must_use]
    pub fn number(&self) -> usize {
        self.next + 1
    }

    /// The number of lines that are left.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.lines.len() - self.next
    }

    /// The next line; an error that says what was expected if there is none.
    pub fn next_line(&mut self, expected: &str) -> Result<&'a str, InputError> {
        let Some(line) = self.lines.get(self.next) else {
            return Err(InputError::new(self.number(), expected, "the end of the file"));
        };
        self.next += 1;
        Ok(line)
    }

    /// An error about the line last given.
    #[must_use]
    pub fn error(&self, expected: impl Into<String>, found: impl Into<String>) -> InputError {
        InputError::new(self.next, expected, found)
    }

    /// Reads a line that must be one of these words; gives its index.
    pub fn word(&mut self, words: &[&str]) -> Result<usize, InputError> {
        let expected = words.join(" or ");
        let line = self.next_line(&expected)?;
        words.iter().position(|word| *word == line).ok_or_else(|| self.error(expected, quote(line)))
    }

    /// Reads a line that must be a positive decimal number of seconds.
    pub fn seconds(&mut self) -> Result<Duration, InputError> {
        const EXPECTED: &str = "a positive number of seconds such as 30 or 6.5";
        let line = self.next_line(EXPECTED)?;
        positive_decimal(line).ok_or_else(|| self.error(EXPECTED, quote(line)))
    }

    /// The first three lines of every input file: time control, side to move, clock.
    pub fn header(&mut self, sides: [&str; 2]) -> Result<(TimeControl, Side, Duration), InputError> {
        let control = [TimeControl::Single, TimeControl::Game][self.word(&["SINGLE", "GAME"])?];
        let side = Side::BOTH[self.word(&sides)?];
        Ok((control, side, self.seconds()?))
    }

    /// Reads a line that must have exactly `width` characters, each known to `symbol`; `what` describes it.
    pub fn row<T>(
        &mut self,
        width: usize,
        what: &str,
        mut symbol: impl FnMut(char) -> Option<T>,
    ) -> Result<Vec<T>, InputError> {
        let line = self.next_line(what)?;
        let mut row = Vec::with_capacity(width);
        for (index, character) in line.chars().enumerate().take(width + 1) {
            match symbol(character) {
                Some(value) if index < width => row.push(value),
                Some(_) => {
                    return Err(self.error(what, format!("{} symbols", line.chars().count())));
                }
                None => {
                    let found = format!("{} in column {}", quote(&character.to_string()), index + 1);
                    return Err(self.error(what, found));
                }
            }
        }
        if row.len() < width {
            return Err(self.error(what, format!("{} symbols", row.len())));
        }
        Ok(row)
    }

    /// Checks that no other line follows.
    pub fn end(&mut self) -> Result<(), InputError> {
        match self.lines.get(self.next) {
            None => Ok(()),
            Some(line) => Err(InputError::new(self.number(), "the end of the file", quote(line))),
        }
    }
}

/// Lines before the board of every input file: time control, side to move, clock.
const HEADER_LINES: usize = 3;

/// The board's lines as an input file has them, each ended.
fn board_text<P: Protocol>(position: &P) -> String {
    let task = Task { position: position.clone(), control: TimeControl::Single, clock: Duration::from_secs(1) };
    P::write_task(&task).lines().skip(HEADER_LINES).map(|line| format!("{line}\n")).collect()
}

/// The first three lines of an input file.
#[must_use]
pub fn write_header<G: Protocol>(task: &Task<G>) -> String {
    let side = G::side_word(task.position.side_to_move());
    format!("{}\n{side}\n{}\n", task.control.word(), seconds(task.clock))
}

/// A number of seconds as the files have it: plain decimals, at least one, down to the nanosecond.
#[must_use]
pub fn seconds(time: Duration) -> String {
    let digits = format!("{}.{:09}", time.as_secs(), time.subsec_nanos());
    let short = digits.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.to_string() }
}

/// The longest clock in seconds: those beyond thirty years are all the same.
const LONGEST_CLOCK: u64 = 1_000_000_000;

/// The time that plain decimals name, down to the nanosecond, and at least one; `None` for 0 and for other texts.
fn positive_decimal(text: &str) -> Option<Duration> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = || whole.bytes().chain(part.bytes());
    if !digits().all(|byte| byte.is_ascii_digit()) || digits().all(|byte| byte == b'0') {
        return None;
    }
    let value = |total: u64, digit: u8| total.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    let seconds = whole.bytes().fold(0, value).min(LONGEST_CLOCK);
    let nanos = part.bytes().chain(std::iter::repeat(b'0')).take(9).fold(0, value);
    let time = Duration::from_secs(seconds) + Duration::from_nanos(nanos);
    Some(time.clamp(Duration::from_nanos(1), Duration::from_secs(LONGEST_CLOCK)))
}

fn trim_end(line: &str) -> &str {
    line.trim_end_matches([' ', '\t', '\r'])
}

/// A piece of untrusted text for a message of one line: in quotes, escaped, shortened to 40 characters.
#[must_use]
pub fn quote(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).flat_map(char::escape_default).collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    if text.is_empty() { "an empty line".to_string() } else { format!("'{short}'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_read_and_written_alike() {
        for text in ["0.01", "30.0", "6.6", "100.0", "0.000000001"] {
            assert_eq!(seconds(Lines::new(text).seconds().unwrap()), text);
        }
        for (text, nanos) in
            [("5.", 5_000_000_000), (".5", 500_000_000), ("007.25", 7_250_000_000), ("0.12345678999", 123_456_789)]
        {
            assert_eq!(Lines::new(text).seconds().unwrap(), Duration::from_nanos(nanos), "{text}");
        }
        for text in ["", "0", "0.0", "-1", "+1", "1e3", "inf", "NaN", "1,5", "1 2", ".", "1.2.3", "0x10", "٣"] {
            assert!(Lines::new(text).seconds().is_err(), "{text}");
        }
        assert!(Lines::new(&"9".repeat(400)).seconds().is_ok());
        let shortest = Lines::new("0.0000000000001").seconds().unwrap();
        assert_eq!(seconds(shortest), "0.000000001");
    }

    #[test]
    fn line_ends_and_trailing_blanks_do_not_count_but_leading_ones_do() {
        let mut lines = Lines::new("SINGLE \r\nB\t\r\n3\r\n\r\n \n");
        assert!(lines.header(["W", "B"]).is_ok());
        assert!(lines.end().is_ok());
        let mut lines = Lines::new("\u{feff}SINGLE\r\n\u{feff}B\r\n3\r\n");
        assert_eq!(lines.header(["W", "B"]).unwrap_err().to_string(), "2: expected W or B, found '\\u{feff}B'");
        assert_eq!(Lines::new(" SINGLE").word(&["SINGLE"]).unwrap_err().found, "' SINGLE'");
    }

    #[test]
    fn errors_stay_on_one_line_whatever_the_text() {
        let text = "\u{0}\u{1b}[2J\u{2028}x".repeat(50);
        let error = Lines::new(&text).word(&["SINGLE", "GAME"]).unwrap_err().to_string();
        assert!(error.len() < 500 && error.chars().all(|c| !c.is_control()), "{error}");
    }
}
