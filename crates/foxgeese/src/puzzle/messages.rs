//! Requests and answers as texts: one `name: value` a line, or a form for servers that want one.

use form_urlencoded::{Serializer, parse};

/// No message is longer, in bytes.
pub const LONGEST: usize = 16 << 10;

/// What the geese's side sends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Who asks.
    pub token: String,
    /// Begin a new game.
    pub start: bool,
    /// The geese's play, such as `bl`.
    pub geese: String,
}

/// What the foxes' side answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Plays of the geese so far.
    pub moves: Option<u32>,
    /// The foxes' play, such as `Yll`.
    pub foxes: Option<String>,
    /// The picture, base64.
    pub field: Option<String>,
    /// The game is over: the secret, one word, after a win of the geese; a phrase otherwise.
    pub end: Option<String>,
    /// Something for people.
    pub message: Option<String>,
}

impl Request {
    /// The names and values, in the order in which they are sent.
    fn pairs(&self) -> Vec<(&'static str, &str)> {
        let mut pairs = vec![("token", self.token.as_str())];
        if self.start {
            pairs.push(("start", "1"));
        }
        pairs.push(("geese", &self.geese));
        pairs
    }

    /// The body, one `name: value` a line.
    #[must_use]
    pub fn plain(&self) -> String {
        self.pairs().into_iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
    }

    /// The body as `application/x-www-form-urlencoded`.
    #[must_use]
    pub fn urlencoded(&self) -> String {
        Serializer::new(String::new()).extend_pairs(self.pairs()).finish()
    }

    /// Reads a body of either form. An error says what is wrong.
    pub fn read(body: &str, urlencoded: bool) -> Result<Request, String> {
        let pairs: Vec<(String, String)> = if urlencoded {
            parse(body.as_bytes()).map(|(name, value)| (name.into_owned(), value.into_owned())).collect()
        } else {
            lines(body)?
        };
        let mut request = Request::default();
        for (name, value) in pairs {
            match name.as_str() {
                "token" => request.token = value,
                "geese" => request.geese = value,
                "start" => request.start = value != "0",
                _ => return Err(format!("unknown name {}", engine::protocol::quote(&name))),
            }
        }
        Ok(request)
    }
}

impl Answer {
    /// The body, one `name: value` a line, with these line ends.
    #[must_use]
    pub fn write(&self, line_end: &str) -> String {
        let moves = self.moves.map(|moves| moves.to_string());
        let pairs = [
            ("moves", &moves),
            ("foxes", &self.foxes),
            ("field", &self.field),
            ("end", &self.end),
            ("message", &self.message),
        ];
        let lines = pairs.into_iter().filter_map(|(name, value)| value.as_ref().map(|value| (name, value)));
        lines.map(|(name, value)| format!("{name}: {value}{line_end}")).collect()
    }

    /// Reads a body; `None` if it is not an answer but some other text.
    #[must_use]
    pub fn read(body: &str) -> Option<Answer> {
        let mut answer = Answer::default();
        for (name, value) in lines(body).ok()? {
            match name.as_str() {
                "moves" => answer.moves = Some(value.parse().ok()?),
                "foxes" => answer.foxes = Some(value),
                "field" => answer.field = Some(value),
                "end" => answer.end = Some(value),
                "message" => answer.message = Some(value),
                _ => return None,
            }
        }
        (answer.moves.is_some() || answer.end.is_some()).then_some(answer)
    }
}

/// The lines' names and values; empty lines are left out.
fn lines(body: &str) -> Result<Vec<(String, String)>, String> {
    let lines = body.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| match line.split_once(':') {
            Some((name, value)) => Ok((name.trim().to_ascii_lowercase(), value.trim().to_string())),
            None => Err(format!("expected 'name: value', found {}", engine::protocol::quote(line))),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_back_in_both_forms() {
        let request = Request { token: "a+b/c=&: x".into(), start: true, geese: "du".into() };
        assert_eq!(request.plain(), "token: a+b/c=&: x\nstart: 1\ngeese: du\n");
        assert_eq!(request.urlencoded(), "token=a%2Bb%2Fc%3D%26%3A+x&start=1&geese=du");
        assert_eq!(Request::read(&request.plain(), false), Ok(request.clone()));
        assert_eq!(Request::read(&request.plain().replace('\n', "\r\n"), false), Ok(request.clone()));
        assert_eq!(Request::read(&request.urlencoded(), true), Ok(request));
        assert!(Request::read("geese du", false).is_err() && Request::read("goose: du", false).is_err());
    }

    #[test]
    fn answers_are_read_back_and_other_texts_are_not_answers() {
        let answer =
            Answer { moves: Some(2), foxes: Some("Yll".into()), field: Some("IA==".into()), ..Answer::default() };
        for line_end in ["\n", "\r\n"] {
            assert_eq!(Answer::read(&answer.write(line_end)), Some(answer.clone()));
        }
        assert_eq!(Answer::read("end: game is lost\r\n").unwrap().end.unwrap(), "game is lost");
        for text in ["", "error: bad token", "<html>", "moves: many\n", "foxes: Xu\n", "unknown token"] {
            assert_eq!(Answer::read(text), None, "{text}");
        }
    }
}
