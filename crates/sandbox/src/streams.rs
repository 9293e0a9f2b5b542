//! Output of a program: the first and the last bytes of a stream of any length.

use std::io::{self, Read};

pub(crate) struct Stream<R> {
    source: Option<R>,
    keep: usize,
    head: Vec<u8>,
    tail: Vec<u8>,
    total: u64,
}

/// How much is read at a time.
pub(crate) const PIECE: usize = 1 << 16;

impl<R: Read> Stream<R> {
    pub(crate) fn new(source: Option<R>, keep: usize) -> Stream<R> {
        Stream { source, keep, head: Vec::new(), tail: Vec::new(), total: 0 }
    }

    pub(crate) fn source(&self) -> Option<&R> {
        self.source.as_ref()
    }

    /// Reads one piece. Whether more may be available at once.
    pub(crate) fn take_in(&mut self) -> bool {
        let Some(source) = &mut self.source else { return false };
        let mut buffer = [0; PIECE];
        match source.read(&mut buffer) {
            Ok(0) => self.source = None,
            Ok(count) => {
                self.add(&buffer[..count]);
                return true;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return true,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => self.source = None,
        }
        false
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let to_head = bytes.len().min((self.keep / 2).saturating_sub(self.head.len()));
        self.head.extend_from_slice(&bytes[..to_head]);
        self.tail.extend_from_slice(&bytes[to_head..]);
        let excess = self.tail.len().saturating_sub(self.keep - self.keep / 2);
        self.tail.drain(..excess);
    }

    /// The text so far; what comes from now on is another.
    pub(crate) fn taken(&mut self) -> String {
        let text = self.text();
        (self.head, self.tail, self.total) = (Vec::new(), Vec::new(), 0);
        text
    }

    /// The kept bytes, with a note of how many are left out between them.
    pub(crate) fn text(&self) -> String {
        let left_out = self.total - (self.head.len() + self.tail.len()) as u64;
        let gap =
            if left_out == 0 { String::new() } else { format!("\n[... {left_out} bytes ...]\n") };
        let whole = [&self.head[..], gap.as_bytes(), &self.tail[..]].concat();
        String::from_utf8_lossy(&whole).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_and_the_end_of_a_long_stream_are_kept() {
        let mut stream = Stream::new(Some(&b"0123456789"[..]), 4);
        while stream.take_in() {}
        assert_eq!(stream.text(), "01\n[... 6 bytes ...]\n89");
        let mut stream = Stream::new(Some(&b"0123"[..]), 4);
        while stream.take_in() {}
        assert_eq!(stream.taken(), "0123");
        stream.add(b"45");
        assert_eq!((stream.taken(), stream.text()), ("45".to_string(), String::new()));
    }
}
