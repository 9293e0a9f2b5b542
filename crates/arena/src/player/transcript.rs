//! What two programs have said to each other, cut to a length that people read.

use crate::plain;
use std::collections::VecDeque;

/// The lines that are kept from the beginning, and from the end.
const LINES: usize = 30;
/// The bytes that are kept of a line.
const WIDTH: usize = 100;

/// The lines of a conversation, by who said them.
#[derive(Default)]
pub(super) struct Transcript {
    first: Vec<(usize, Vec<u8>)>,
    last: VecDeque<(usize, Vec<u8>)>,
    left_out: u64,
    /// The lines that have not ended, and their lengths.
    open: [(Vec<u8>, usize); 2],
}

impl Transcript {
    /// Adds bytes that the side with this number, 0 or 1, has written.
    pub(super) fn add(&mut self, side: usize, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (line, length) = &mut self.open[side];
            let text = piece.strip_suffix(b"\n").unwrap_or(piece);
            line.extend_from_slice(&text[..text.len().min(WIDTH - line.len())]);
            *length += text.len();
            if text.len() < piece.len() {
                self.end_line(side);
            }
        }
    }

    fn end_line(&mut self, side: usize) {
        let (mut line, length) = std::mem::take(&mut self.open[side]);
        if length > line.len() {
            line.extend_from_slice(b" ...");
        }
        if self.first.len() < LINES {
            self.first.push((side, line));
            return;
        }
        self.last.push_back((side, line));
        if self.last.len() > LINES {
            self.last.pop_front();
            self.left_out += 1;
        }
    }

    /// The text, a line for each line, after the name of the side.
    pub(super) fn text(mut self, names: [&str; 2]) -> String {
        for side in [0, 1] {
            if self.open[side].1 > 0 {
                self.end_line(side);
            }
        }
        let text = |(side, line): &(usize, Vec<u8>)| {
            format!("{}: {}\n", names[*side], plain::shown(&String::from_utf8_lossy(line)))
        };
        let gap = (self.left_out > 0).then(|| format!("({} more lines)\n", self.left_out));
        self.first.iter().map(text).chain(gap).chain(self.last.iter().map(text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_and_the_end_are_kept_and_long_lines_are_cut() {
        let mut transcript = Transcript::default();
        transcript.add(0, b"is it ");
        transcript.add(1, b"yes\n");
        transcript.add(0, b"5?\n\n");
        for number in 0..100 {
            transcript.add(1, format!("{number}\n").as_bytes());
        }
        transcript.add(0, &[b'x'; 300]);
        let text = transcript.text(["a", "b"]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..4], ["b: yes", "a: is it 5?", "a: ", "b: 0"]);
        assert_eq!(lines[LINES..LINES + 2], ["(44 more lines)", "b: 71"]);
        assert_eq!(lines[lines.len() - 1], format!("a: {} ...", "x".repeat(WIDTH)));
    }
}
