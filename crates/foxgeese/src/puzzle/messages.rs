//! Requests and answers as text: one `name: value` a line, or `application/x-www-form-urlencoded`
//! for servers that expect it.

use engine::protocol::quote;
use form_urlencoded::{Serializer, parse};

/// The largest size of a message in bytes.
pub const MOST_BYTES: usize = 16 << 10;

/// A request, sent by the geese's side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The token that identifies the client.
    pub token: String,
    /// Whether a new game begins.
    pub start: bool,
    /// The geese's move, such as `bl`.
    pub geese: String,
}

/// An answer, sent by the foxes' side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The number of moves that the geese have made.
    pub moves: Option<u32>,
    /// The foxes' move, such as `Yll`.
    pub foxes: Option<String>,
    /// The picture of the position in base64, for information.
    pub field: Option<String>,
    /// The end of the game: the secret if the geese have won, a phrase otherwise.
    pub end: Option<String>,
    /// A message for people.
    pub message: Option<String>,
}

impl Request {
    /// The fields by name, in the order in which they are sent.
    fn pairs(&self) -> Vec<(&'static str, &str)> {
        let mut pairs = vec![("token", self.token.as_str())];
        if self.start {
            pairs.push(("start", "1"));
        }
        pairs.push(("geese", &self.geese));
        pairs
    }

    /// Writes the body as lines of `name: value`.
    pub fn plain(&self) -> String {
        self.pairs().into_iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
    }

    /// Writes the body as `application/x-www-form-urlencoded`.
    pub fn urlencoded(&self) -> String {
        Serializer::new(String::new()).extend_pairs(self.pairs()).finish()
    }

    /// Parses a body of either form. The error says what is wrong.
    pub fn read(body: &str, urlencoded: bool) -> Result<Request, String> {
        let pairs: Vec<(String, String)> = if urlencoded {
            parse(body.as_bytes()).into_owned().collect()
        } else {
            parse_lines(body)?
        };
        let mut request = Request::default();
        for (name, value) in pairs {
            match name.as_str() {
                "token" => request.token = value,
                "geese" => request.geese = value,
                "start" => request.start = value != "0",
                _ => return Err(format!("unknown name {}", quote(&name))),
            }
        }
        Ok(request)
    }
}

impl Answer {
    /// Writes the body as lines of `name: value` with these line ends.
    pub fn write(&self, line_end: &str) -> String {
        let pairs = [
            ("moves", &self.moves.map(|moves| moves.to_string())),
            ("foxes", &self.foxes),
            ("field", &self.field),
            ("end", &self.end),
            ("message", &self.message),
        ];
        let line = |(name, value): (_, &Option<String>)| {
            Some(format!("{name}: {}{line_end}", value.as_ref()?))
        };
        pairs.into_iter().filter_map(line).collect()
    }

    /// Parses a body; `None` if it is not an answer.
    pub fn read(body: &str) -> Option<Answer> {
        Answer::read_with_rest(body).0
    }

    /// Parses a body leniently. Also returns the lines that were not understood, with their numbers
    /// from 1. The answer is `None` if there is neither `moves` nor `foxes` nor `end`. Of several
    /// lines with one name the first counts. An empty value counts as missing.
    pub fn read_with_rest(body: &str) -> (Option<Answer>, Vec<(usize, &str)>) {
        let mut answer = Answer::default();
        let mut unread = Vec::new();
        // The name and the last line of a value that can continue in the next line.
        let mut unfinished: Option<(String, &str)> = None;
        for (index, line) in body.lines().enumerate() {
            let line = line.trim_matches(is_blank);
            let understood = match (line.split_once(':'), unfinished.take()) {
                _ if line.is_empty() => true,
                (Some((name, value)), _) => {
                    let name = name.trim_matches(is_blank).to_ascii_lowercase();
                    let value = value.trim_matches(is_blank);
                    let understood = answer.set_field(&name, value);
                    unfinished = understood.then_some((name, value));
                    understood
                }
                (None, Some((name, piece))) if continues_value(&name, piece, line) => {
                    if let Some(value) = answer.text_field(&name) {
                        value.get_or_insert_default().push_str(line);
                    }
                    unfinished = Some((name, line));
                    true
                }
                (None, _) => false,
            };
            if !understood {
                unread.push((index + 1, line));
            }
        }
        let is_answer = answer.moves.is_some() || answer.foxes.is_some() || answer.end.is_some();
        (is_answer.then_some(answer), unread)
    }

    /// The text field with this name.
    fn text_field(&mut self, name: &str) -> Option<&mut Option<String>> {
        match name {
            "foxes" => Some(&mut self.foxes),
            "field" => Some(&mut self.field),
            "end" => Some(&mut self.end),
            "message" => Some(&mut self.message),
            _ => None,
        }
    }

    /// Sets a field. Returns whether the field is known, was not set before, and accepts the value.
    fn set_field(&mut self, name: &str, value: &str) -> bool {
        if name == "moves" {
            let free = self.moves.is_none();
            self.moves = self.moves.or(value.parse().ok());
            return free && (self.moves.is_some() || value.is_empty());
        }
        match self.text_field(name) {
            Some(field @ None) => {
                *field = (!value.is_empty()).then(|| value.to_string());
                true
            }
            _ => false,
        }
    }
}

/// The shortest line, in characters, after which a text that looks like base64 is assumed to go on:
/// no common width of wrapped base64 is smaller.
const LEAST_WRAPPED: usize = 60;

/// Whether a line without a name continues a field, whose last line is `piece`.
fn continues_value(name: &str, piece: &str, line: &str) -> bool {
    let base64 = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=-_".contains(&byte))
    };
    let full = base64(piece) && piece.len() >= LEAST_WRAPPED && line.len() <= piece.len();
    base64(line) && (name == "field" || full && name != "moves")
}

/// Whether a character is white space or a byte-order mark.
fn is_blank(symbol: char) -> bool {
    symbol.is_whitespace() || symbol == '\u{feff}'
}

/// Parses lines of `name: value`. Empty lines are skipped.
fn parse_lines(body: &str) -> Result<Vec<(String, String)>, String> {
    let pair = |line: &str| match line.split_once(':') {
        Some((name, value)) => Ok((name.trim().to_ascii_lowercase(), value.trim().to_string())),
        None => Err(format!("expected 'name: value', found {}", quote(line))),
    };
    body.lines().filter(|line| !line.trim().is_empty()).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_have_two_forms() {
        let request = Request { token: "a+b/c=&: x".into(), start: true, geese: "du".into() };
        assert_eq!(request.plain(), "token: a+b/c=&: x\nstart: 1\ngeese: du\n");
        assert_eq!(request.urlencoded(), "token=a%2Bb%2Fc%3D%26%3A+x&start=1&geese=du");
        for text in ["geese du", "goose: du"] {
            assert!(Request::read(text, false).is_err());
        }
    }

    #[test]
    fn other_texts_are_not_answers() {
        assert_eq!(Answer::read("end: game is lost\r\n").unwrap().end.unwrap(), "game is lost");
        assert_eq!(Answer::read("foxes: Xu\n").unwrap().foxes.unwrap(), "Xu");
        for text in
            ["", "error: bad token", "<html>", "moves: many\n", "foxes: \nend:\n", "unknown token"]
        {
            assert_eq!(Answer::read(text), None, "{text}");
        }
    }

    #[test]
    fn wrapped_base64_is_put_together_and_other_lines_are_left_over() {
        let long = "QUJD".repeat(16);
        let body = format!(
            "\u{feff}\r\nfield:\r\nIA==\r\nIAo=\r\nBoard: IA==\r\nIAo=\r\n\u{feff}foxes : Xu\r\n\
             foxes: Yl\r\nend: {long}\r\nQQ==\r\nmessage: bye\r\nbye\r\n"
        );
        let (answer, unread) = Answer::read_with_rest(&body);
        let answer = answer.unwrap();
        assert_eq!(answer.field.as_deref(), Some("IA==IAo="));
        assert_eq!((answer.foxes.as_deref(), answer.moves), (Some("Xu"), None));
        assert_eq!(answer.end, Some(long + "QQ=="));
        assert_eq!(answer.message.as_deref(), Some("bye"));
        assert_eq!(unread, [(5, "Board: IA=="), (6, "IAo="), (8, "foxes: Yl"), (12, "bye")]);
    }
}
