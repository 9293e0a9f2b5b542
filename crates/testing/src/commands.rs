//! Commands that run to their end, and what they print.

use std::process::Command;

/// What a command has printed.
#[derive(Debug)]
pub struct Printed {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Printed {
    /// Fails where one of the parts is missing in both streams.
    #[track_caller]
    pub fn has<const N: usize>(self, parts: [&str; N]) -> Printed {
        assert_has(format!("{}{}", self.stdout, self.stderr), parts);
        self
    }

    /// Fails where one of the parts is in one of the streams.
    #[track_caller]
    pub fn lacks<const N: usize>(self, parts: [&str; N]) -> Printed {
        assert_lacks(format!("{}{}", self.stdout, self.stderr), parts);
        self
    }
}

/// The words of a command: several, or one text that is split as a shell splits it.
pub trait Words {
    /// Returns them.
    fn words(self) -> Vec<String>;
}

impl Words for &str {
    fn words(self) -> Vec<String> {
        shlex::split(self).unwrap_or_else(|| panic!("a quote is not closed: {self}"))
    }
}

impl Words for &String {
    fn words(self) -> Vec<String> {
        self.as_str().words()
    }
}

impl<S: AsRef<str>> Words for &[S] {
    fn words(self) -> Vec<String> {
        self.iter().map(|word| word.as_ref().to_string()).collect()
    }
}

impl<S: AsRef<str>> Words for &Vec<S> {
    fn words(self) -> Vec<String> {
        self.as_slice().words()
    }
}

impl<S: AsRef<str>, const N: usize> Words for &[S; N] {
    fn words(self) -> Vec<String> {
        self.as_slice().words()
    }
}

/// Runs a command with these words after its own, and expects its exit code.
#[track_caller]
pub fn run(command: &mut Command, words: impl Words, code: i32) -> Printed {
    let words = words.words();
    let output = command.args(&words).output().unwrap();
    let printed = Printed { stdout: text(&output.stdout), stderr: text(&output.stderr) };
    assert_eq!(output.status.code(), Some(code), "{words:?}\n{}{}", printed.stdout, printed.stderr);
    printed
}

/// A text for messages and comparisons.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Fails where one of the parts is missing in a text, and shows both.
#[track_caller]
pub fn assert_has<const N: usize>(text: impl AsRef<str>, parts: [&str; N]) {
    let text = text.as_ref();
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

/// Fails where one of the parts is in a text, and shows both.
#[track_caller]
pub fn assert_lacks<const N: usize>(text: impl AsRef<str>, parts: [&str; N]) {
    let text = text.as_ref();
    for part in parts {
        assert!(!text.contains(part), "{part:?} is in\n{text}");
    }
}
