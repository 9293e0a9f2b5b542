//! The files of a game: an input file becomes a [`Task`], a move becomes an output file and is read
//! back.

use crate::drawing::{CellValues, Drawing, Place, Spelling, Symbols};
use crate::game::{Game, Side};
use crate::symmetry::Symmetry;
use std::fmt::{self, Debug};
use std::time::Duration;

/// The purpose of the clock, stated in line 1 of every input file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// `SINGLE`: the time is for one move.
    Single,
    /// `GAME`: the time is for the rest of the game.
    Game,
}

impl TimeControl {
    /// The keyword in the file.
    pub const fn word(self) -> &'static str {
        match self {
            TimeControl::Single => "SINGLE",
            TimeControl::Game => "GAME",
        }
    }
}

/// The content of an input file: a position whose side to move is to play, and a clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Task<G> {
    /// The position to play from, which is not finished.
    pub position: G,
    /// The purpose of the clock.
    pub control: TimeControl,
    /// The CPU time left.
    pub clock: Duration,
}

impl<G> Task<G> {
    /// The task of a single move within a second, for uses that only the position bears on.
    pub fn single(position: G) -> Task<G> {
        Task { position, control: TimeControl::Single, clock: Duration::from_secs(1) }
    }
}

/// The rule sets of a game, by the names of `--rules`.
pub trait RuleSet: Copy + Eq + Debug + Send + Sync + 'static {
    /// All rule sets with their names.
    const ALL: &'static [(&'static str, Self)];
    /// The default rule set of agents: its moves are legal for every grader.
    const AGENT: Self;
    /// The default rule set of the judge: the most permissive one.
    const JUDGE: Self;

    /// The rule set's name.
    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, rules)| *rules == self).map_or("?", |(name, _)| name)
    }

    /// The rule set with this name.
    fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, rules)| *rules)
    }
}

/// The rule set of games that have only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneRuleSet;

impl RuleSet for OneRuleSet {
    const ALL: &'static [(&'static str, Self)] = &[("standard", OneRuleSet)];
    const AGENT: Self = OneRuleSet;
    const JUDGE: Self = OneRuleSet;
}

/// An error in an input file, displayed as `LINE: expected ..., found ...`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {}", self.reason())]
pub struct InputError {
    /// The line number, counted from 1.
    pub line: usize,
    /// The expected content.
    pub expected: String,
    /// The content found, shortened and escaped. Empty if `expected` is the whole reason.
    pub found: String,
}

impl InputError {
    /// An error at a line. `found` is used as it is; apply [`quote`] to text from the file.
    pub fn new(line: usize, expected: impl Into<String>, found: impl Into<String>) -> InputError {
        InputError { line, expected: expected.into(), found: found.into() }
    }

    /// An error at a line for a reason of any form.
    pub fn because(line: usize, reason: impl Into<String>) -> InputError {
        InputError { line, expected: reason.into(), found: String::new() }
    }

    fn reason(&self) -> String {
        if self.found.is_empty() {
            self.expected.clone()
        } else {
            format!("expected {}, found {}", self.expected, self.found)
        }
    }
}

/// The reason why an output file is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// The text is malformed.
    Format {
        /// The line number, counted from 1.
        line: usize,
        /// What was expected and found.
        message: String,
    },
    /// The text names a move that the rules do not allow, for this reason.
    Illegal(String),
}

impl Violation {
    /// The violation for a malformed line.
    pub fn format(line: usize, message: impl Into<String>) -> Violation {
        Violation::Format { line, message: message.into() }
    }
}

impl From<InputError> for Violation {
    fn from(error: InputError) -> Violation {
        Violation::format(error.line, error.reason())
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

/// The files of a game, and its texts for people.
pub trait Protocol: Game {
    /// The game's name on command lines, in lower case.
    const NAME: &'static str;
    /// The game's name for people.
    const TITLE: &'static str;
    /// The names of the two sides in the files, [`Side::First`] first.
    const SIDES: [&'static str; 2];
    /// The default number of plies after which a referee declares a draw.
    const PLY_LIMIT: u32 = 300;
    /// The symbols of the board in an input file; `None` if positions cannot be edited by them.
    const SYMBOLS: Option<Symbols> = None;
    /// The encoding of moves as numbers; `None` if the game has no environments for learners.
    const SPELLING: Option<Spelling> = None;
    /// The symmetries of the rules, a group with the identity first.
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::None];
    /// The game's rule sets.
    type Rules: RuleSet;

    /// The starting position.
    fn start(rules: Self::Rules) -> Self;

    /// Parses an input file: any text, without panic.
    fn read_task(text: &str, rules: Self::Rules) -> Result<Task<Self>, InputError>;

    /// Formats a task as the input file that [`Protocol::read_task`] reads back.
    fn write_task(task: &Task<Self>) -> String;

    /// Formats a legal move as an output file.
    fn write_move(&self, mv: Self::Move) -> String;

    /// Parses an output file: any text, without panic. It refuses only what no reading of the rules
    /// allows.
    fn read_move(&self, text: &str) -> Result<Self::Move, Violation>;

    /// Formats a move on one line for people.
    fn describe_move(&self, mv: Self::Move) -> String {
        self.write_move(mv).trim_end().replace('\n', "; ")
    }

    /// Formats the board for people: several lines, each ended by a newline. The squares touched by
    /// `last`, the move that led to the position, may be marked. By default the board as in an
    /// input file.
    fn picture(&self, last: Option<Self::Move>) -> String {
        let _ = last;
        board_text(self)
    }

    /// Describes the board for viewers; `last` is the position before the last move, and that move.
    /// `None` if the game has no drawing: viewers then show [`Protocol::picture`].
    ///
    /// By default a grid of the symbols in an input file ([`Drawing::of_text`]), with the cells
    /// marked that the last move changed.
    fn drawing(&self, last: Option<(&Self, Self::Move)>) -> Option<Drawing> {
        let of = |position| Drawing::of_text(&board_text(position), Self::SIDES);
        let drawing = of(self)?;
        Some(match last.and_then(|(before, _)| of(before)) {
            Some(before) => drawing.with_changes_since(&before),
            None => drawing,
        })
    }

    /// Calls a function with the place and the owner of every piece. The default asks
    /// [`Protocol::drawing`], which is slow for learners: they ask for millions of boards.
    fn each_placed(&self, visit: &mut dyn FnMut(Place, Side)) {
        let drawing = self.drawing(None).unwrap_or_default();
        for (index, cell) in drawing.cells.iter().enumerate() {
            if let Some((owner, _)) = cell.piece {
                visit((index % drawing.width, index / drawing.width), owner);
            }
        }
    }

    /// Every place that a legal move touches, from its start to its end; empty for a pass.
    fn path(&self, mv: Self::Move) -> Vec<Place> {
        let after = self.after(mv);
        after.drawing(Some((self, mv))).map(|drawing| drawing.path).unwrap_or_default()
    }

    /// The values of the cells in points, for learners; `None` in games without such values.
    fn cell_values(&self) -> Option<CellValues> {
        None
    }

    /// The number of moves that the rules have counted so far, and that at which they end the game,
    /// for learners; `None` in games without such a count.
    fn counted_moves(&self) -> Option<(u32, u32)> {
        None
    }

    /// The reason why a finished game ended as it did, such as `no piece can move`; `None` while
    /// the game goes on, and where the result needs no explanation.
    fn why_over(&self) -> Option<String> {
        None
    }

    /// Whether some graders might refuse this legal move. An agent plays it only if there is no
    /// other.
    fn is_disputed(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }

    /// The position on the board that one of [`Protocol::SYMMETRIES`] turns.
    #[must_use]
    fn turned(&self, symmetry: Symmetry) -> Self {
        debug_assert_eq!(symmetry, Symmetry::None);
        self.clone()
    }

    /// The move on the turned board that does what a legal move does on this one.
    fn turned_move(&self, mv: Self::Move, symmetry: Symmetry) -> Option<Self::Move> {
        let (turned, after) = (self.turned(symmetry), self.after(mv).turned(symmetry));
        turned.legal_moves().into_iter().find(|&other| turned.after(other) == after)
    }

    /// The name of a side in this game's files.
    fn side_word(side: Side) -> &'static str {
        Self::SIDES[side.index()]
    }
}

/// The byte-order mark that some editors write at the start of a file. It is ignored.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text without a [`BYTE_ORDER_MARK`] at its start.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// A reader of a file's lines. Line ends may be LF or CRLF; blanks at the end of a line, blank
/// lines at the end of the file and a byte-order mark at its start are ignored.
pub struct Lines<'a> {
    lines: Vec<&'a str>,
    next: usize,
}

impl<'a> Lines<'a> {
    /// Splits a text into lines.
    pub fn new(text: &'a str) -> Lines<'a> {
        let mut lines: Vec<&str> = without_mark(text)
            .split('\n')
            .map(|line| line.trim_end_matches([' ', '\t', '\r']))
            .collect();
        while lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        Lines { lines, next: 0 }
    }

    /// The number, from 1, of the line that [`Lines::next_line`] returns next.
    pub fn number(&self) -> usize {
        self.next + 1
    }

    /// The number of lines left.
    pub fn remaining(&self) -> usize {
        self.lines.len() - self.next
    }

    /// The next line; at the end of the file an error with what was expected.
    pub fn next_line(&mut self, expected: &str) -> Result<&'a str, InputError> {
        let Some(line) = self.lines.get(self.next) else {
            return Err(InputError::new(self.number(), expected, "the end of the file"));
        };
        self.next += 1;
        Ok(line)
    }

    /// An error at the last line returned.
    pub fn error(&self, expected: impl Into<String>, found: impl Into<String>) -> InputError {
        InputError::new(self.next, expected, found)
    }

    /// Parses a line that must be one of these keywords, and returns its index.
    pub fn word(&mut self, words: &[&str]) -> Result<usize, InputError> {
        let expected = words.join(" or ");
        let line = self.next_line(&expected)?;
        words.iter().position(|word| *word == line).ok_or_else(|| self.error(expected, quote(line)))
    }

    /// Parses a positive decimal number of seconds, with an exponent or a plus sign where a
    /// language prints them (Java: `4.3E-4`). Times beyond thirty years are cut.
    pub fn seconds(&mut self) -> Result<Duration, InputError> {
        const EXPECTED: &str = "a positive number of seconds such as 30 or 6.5";
        let line = self.next_line(EXPECTED)?;
        let nanoseconds = nanoseconds(line).ok_or_else(|| self.error(EXPECTED, quote(line)))?;
        Ok(Duration::from_nanos(nanoseconds))
    }

    /// Parses the first three lines of every input file: time control, side to move, clock.
    pub fn header(
        &mut self,
        sides: [&str; 2],
    ) -> Result<(TimeControl, Side, Duration), InputError> {
        let control = [TimeControl::Single, TimeControl::Game][self.word(&["SINGLE", "GAME"])?];
        let side = Side::BOTH[self.word(&sides)?];
        Ok((control, side, self.seconds()?))
    }

    /// Parses a line of `width` characters, each of which `symbol` must accept; `what` describes
    /// the line in errors.
    pub fn row<T>(
        &mut self,
        width: usize,
        what: &str,
        mut symbol: impl FnMut(char) -> Option<T>,
    ) -> Result<Vec<T>, InputError> {
        let line = self.next_line(what)?;
        let mut row = Vec::with_capacity(width);
        for (index, character) in line.chars().enumerate().take(width + 1) {
            row.push(symbol(character).ok_or_else(|| {
                let found = quote(&character.to_string());
                self.error(what, format!("{found} in column {}", index + 1))
            })?);
        }
        if row.len() != width {
            return Err(self.error(what, format!("{} symbols", line.chars().count())));
        }
        Ok(row)
    }

    /// Checks that no line with a text is left.
    pub fn end(&mut self) -> Result<(), InputError> {
        let mut left = self.lines[self.next..].iter().zip(self.number()..);
        match left.find(|(line, _)| !line.is_empty()) {
            None => Ok(()),
            Some((line, number)) => {
                Err(InputError::new(number, "the end of the file", quote(line)))
            }
        }
    }
}

/// The lines before the board in an input file: time control, side to move, clock.
const HEADER_LINES: usize = 3;

/// Formats the board as in an input file, each line ended by a newline.
fn board_text<P: Protocol>(position: &P) -> String {
    let task = Task::single(position.clone());
    P::write_task(&task).lines().skip(HEADER_LINES).map(|line| format!("{line}\n")).collect()
}

/// Formats the first three lines of an input file.
pub fn write_header<G: Protocol>(task: &Task<G>) -> String {
    let side = G::side_word(task.position.side_to_move());
    format!("{}\n{side}\n{}\n", task.control.word(), seconds(task.clock))
}

/// Formats a number of seconds as in the files: to the nanosecond, with at least one digit after the
/// point.
pub fn seconds(time: Duration) -> String {
    let digits = format!("{}.{:09}", time.as_secs(), time.subsec_nanos());
    let short = digits.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.to_string() }
}

/// Quotes untrusted text for a one-line message: escaped, and shortened to 40 characters.
pub fn quote(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).flat_map(char::escape_default).collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    if text.is_empty() { "an empty line".to_string() } else { format!("'{short}'") }
}

/// Parses a positive decimal number of seconds into nanoseconds, from 1 to 10^18. Rust's parser of
/// numbers with fractions would take 14 kB of each module of the page.
fn nanoseconds(text: &str) -> Option<u64> {
    const MOST: u128 = 1_000_000_000_000_000_000;
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let number = number.strip_prefix('+').unwrap_or(number);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = whole.bytes().chain(fraction.bytes());
    let first_power = whole.len() as i64 - 1 + i64::from(exponent) + 9;
    let (mut nanoseconds, mut is_positive) = (0, false);
    for (place, digit) in digits.enumerate() {
        let digit = u128::from(char::from(digit).to_digit(10)?);
        is_positive |= digit > 0;
        nanoseconds += match first_power - place as i64 {
            power @ 0..=18 => digit * 10_u128.pow(power as u32),
            19.. => digit * MOST,
            _ => 0,
        };
    }
    is_positive.then(|| nanoseconds.clamp(1, MOST) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_read_and_written_alike() {
        for text in ["0.01", "30.0", "6.6", "100.0", "0.000000001"] {
            assert_eq!(seconds(Lines::new(text).seconds().unwrap()), text);
        }
        for (text, nanos) in [
            ("5.", 5_000_000_000),
            (".5", 500_000_000),
            ("007.25", 7_250_000_000),
            ("0.12345678949", 123_456_789),
            ("1e0", 1_000_000_000),
            ("4.3E-4", 430_000),
            ("+1.0", 1_000_000_000),
            ("1.5e+1", 15_000_000_000),
            ("1E-9", 1),
            ("1e-300", 1),
            ("0.00000000025e10", 2_500_000_000),
            ("1e300", 1_000_000_000_000_000_000),
            (&"9".repeat(400), 1_000_000_000_000_000_000),
        ] {
            assert_eq!(Lines::new(text).seconds().unwrap(), Duration::from_nanos(nanos), "{text}");
        }
        let odd = [
            "", "0", "0.0", "-1", "inf", "NaN", "1,5", "1 2", ".", "1.2.3", "0x10", "٣", "1e",
            "e5", "1e1.5", "++1", "0e9", "1e--2",
        ];
        for text in odd {
            assert!(Lines::new(text).seconds().is_err(), "{text}");
        }
    }

    #[test]
    fn line_ends_and_trailing_blanks_do_not_count_but_leading_ones_do() {
        let mut lines = Lines::new("SINGLE \r\nB\t\r\n3\r\n\r\n \n");
        assert!(lines.header(["W", "B"]).is_ok());
        assert!(lines.end().is_ok());
        let mut lines = Lines::new("SINGLE\n\n \nstray\n");
        assert!(lines.word(&["SINGLE"]).is_ok());
        assert_eq!(
            lines.end().unwrap_err().to_string(),
            "4: expected the end of the file, found 'stray'"
        );
        let mut lines = Lines::new("\u{feff}SINGLE\r\n\u{feff}B\r\n3\r\n");
        assert_eq!(
            lines.header(["W", "B"]).unwrap_err().to_string(),
            "2: expected W or B, found '\\u{feff}B'"
        );
        assert_eq!(Lines::new(" SINGLE").word(&["SINGLE"]).unwrap_err().found, "' SINGLE'");
    }

    #[test]
    fn errors_stay_on_one_line_whatever_the_text() {
        let text = "\u{0}\u{1b}[2J\u{2028}x".repeat(50);
        let error = Lines::new(&text).word(&["SINGLE", "GAME"]).unwrap_err().to_string();
        assert!(error.len() < 500 && error.chars().all(|c| !c.is_control()), "{error}");
    }
}
