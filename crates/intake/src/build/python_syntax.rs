//! Decides by the grammar whether a source is written in Python 2: the interpreters parse it, in
//! the sandbox, without running it.

use crate::build::tools::{Tools, run_tool};
use crate::find::languages::Language;
use crate::find::source_text::{pieces, read_beginning};
use anyhow::Result;
use std::path::{Path, PathBuf};

/// A program in both versions of Python that parses the files of its arguments.
const PARSER: &str = r#"
import sys
for name in sys.argv[1:]:
    try:
        compile(open(name, "rb").read(), name, "exec", 0, True)
    except (SyntaxError, ValueError, TypeError):
        error = sys.exc_info()[1]
        message = str(getattr(error, "msg", error))
        if any(ord(letter) > 126 for letter in message):
            message = "invalid syntax"
        print("syntax\t%d\t%s\t%s" % (getattr(error, "lineno", 0) or 0, message, name))
        break
"#;

/// The name of the language.
pub(crate) const PYTHON_2: &str = "Python 2";

pub(crate) struct SyntaxError {
    /// The source and the number of the line.
    place: String,
    /// The error in Python's words.
    message: String,
    line: String,
}

/// Returns the first error that a version of Python finds in these sources.
pub(crate) fn syntax_error<'a>(
    tools: &Tools,
    language: &Language,
    program: &Path,
    sources: impl Iterator<Item = &'a PathBuf>,
) -> Result<Option<SyntaxError>> {
    let mut command: Vec<String> = language.needs.iter().take(1).cloned().collect();
    command.extend(["-c".to_string(), PARSER.to_string()]);
    command.extend(sources.map(|path| format!("./{}", path.display())));
    let said = run_tool(&command, Some(program), &tools.bounds(language)?)?.said;
    let Some(found) = said.lines().find_map(|line| line.strip_prefix("syntax\t")) else {
        return Ok(None);
    };
    let mut parts = found.splitn(3, '\t');
    let mut part = || parts.next().unwrap_or_default();
    let (number, message, name) = (part(), part(), part().trim_start_matches("./"));
    let text = read_beginning(&program.join(name));
    let line = text.lines().nth(number.parse::<usize>().unwrap_or(0).max(1) - 1);
    let line = line.unwrap_or_default().trim().chars().take(80).collect();
    Ok(Some(SyntaxError { place: format!("{name}:{number}"), message: message.to_string(), line }))
}

impl SyntaxError {
    pub(crate) fn shown(&self) -> String {
        arena::plain::shown(&format!("{}: `{}`", self.place, self.line))
    }

    /// Returns what in the line is Python 2 alone; `None` for a mere slip.
    pub(crate) fn of_python_2(&self) -> Option<&'static str> {
        const TUPLE: &str = "a tuple among the parameters";
        let pieces = pieces(&self.line, "#");
        let line = pieces.iter().map(|(outside, _)| *outside).collect::<Vec<_>>().join("''");
        let says = |words: &str| self.message.contains(words);
        let begins = |word: &str| line.split_whitespace().next() == Some(word);
        let has_comma = line.contains(',') && !line.contains('(');
        let mut tokens = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let has_long = tokens.any(|word| {
            word.starts_with(|first: char| first.is_ascii_digit()) && word.ends_with(['L', 'l'])
        });
        let facts = [
            ("the statement print", says("in call to 'print'")),
            ("the statement exec", says("in call to 'exec'")),
            ("the operator <>", line.contains("<>")),
            ("a value in backquotes", line.contains('`')),
            ("`except A, b`", begins("except") && has_comma),
            ("`except A, b`", says("exception types must be parenthesized")),
            ("`raise A, b`", begins("raise") && has_comma),
            (TUPLE, says("parenthesized") && self.message.to_lowercase().contains("parameter")),
            (TUPLE, begins("def") && (line.contains("((") || line.contains(", ("))),
            (TUPLE, line.contains("lambda (") || line.contains("lambda(")),
            ("an octal number such as 0777", says("leading zeros")),
            ("a long number such as 10L", has_long),
            ("a string such as ur''", line.contains("ur''")),
            ("tabs mixed with blanks", says("tabs and spaces")),
        ];
        facts.into_iter().find(|(_, holds)| *holds).map(|(fact, _)| fact)
    }
}

/// Whether a source has syntax that Python 2 lacks.
pub(crate) fn is_python_3_alone(text: &str) -> bool {
    let is_of_3 = |line: &str| {
        let pieces = pieces(line, "#");
        let code = pieces.iter().map(|(outside, _)| *outside).collect::<Vec<_>>().join("''");
        let mut strings = pieces.iter().filter(|(_, inside)| inside.is_some());
        let has_form = strings.any(|(outside, _)| {
            let word = outside.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_');
            matches!(word.into_iter().next(), Some("f" | "F" | "rf" | "fr"))
        });
        let first = code.split_whitespace().next().unwrap_or_default();
        let options = [" end=", ",end=", " flush=", ",flush=", " sep=", " file=", ",file="];
        has_form
            || matches!(first, "nonlocal" | "async")
            || [":=", "yield from "].iter().any(|words| code.contains(words))
            || first == "def" && code.contains("->")
            || first.starts_with("print(") && options.iter().any(|words| code.contains(words))
    };
    text.lines().any(is_of_3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_that_python_2_lacks_is_told_from_what_both_have() {
        for (line, expected) in [
            ("print(f'{x},{y}')", true),
            ("def play(board: list) -> str:", true),
            ("print(move, end='')", true),
            ("    nonlocal best", true),
            ("if (n := len(moves)):", true),
            ("print('f', x)  # f''", false),
            ("print('end=', x)", false),
            ("elf = 'x'; print(x)", false),
            ("import numpy as np", false),
        ] {
            assert_eq!(is_python_3_alone(&format!("import sys\n{line}\n")), expected, "{line}");
        }
    }

    #[test]
    fn what_is_python_2_alone_is_told_from_slips() {
        let syntax = "invalid syntax";
        for (message, line, expected) in [
            (syntax, "if L[0] <> \"1\": pass", Some("the operator <>")),
            (syntax, "if L[0] == \"<>\" pass", None),
            ("Missing parentheses in call to 'print'.", "print 'a'", Some("the statement print")),
            (syntax, "except IOError, e:", Some("`except A, b`")),
            (
                "multiple exception types must be parenthesized",
                "except IOError, e:",
                Some("`except A, b`"),
            ),
            (syntax, "except (IOError, OSError) e:", None),
            (syntax, "raise ValueError, 'no'", Some("`raise A, b`")),
            (syntax, "def move((a, b), c):", Some("a tuple among the parameters")),
            (
                "Function parameters cannot be parenthesized",
                "def f(c, (a)):",
                Some("a tuple among the parameters"),
            ),
            ("invalid decimal literal", "x = 10L", Some("a long number such as 10L")),
            (syntax, "print x  # `y`", None),
            (syntax, "s = `x`", Some("a value in backquotes")),
            ("inconsistent use of tabs and spaces", "x = 1", Some("tabs mixed with blanks")),
            ("expected ':'", "if x", None),
            (syntax, "def f(a b):", None),
        ] {
            let (place, message, line) = (String::new(), message.to_string(), line.to_string());
            let error = SyntaxError { place, message, line };
            assert_eq!(error.of_python_2(), expected, "{}: {}", error.message, error.line);
        }
    }
}
