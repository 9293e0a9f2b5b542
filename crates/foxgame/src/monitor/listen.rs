//! Listening to a peer whose lines must not wait. A sleeping thread may be woken milliseconds late when the processor
//! that it slept on is taken; two that sleep on different processors hardly ever are. The first that wakes reads.

use super::wire::Lines;
use std::io::{self, ErrorKind, Read};
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;
use system::priority::{be_prompt_at, places};

/// A piece of what comes in on a stream.
#[derive(Debug)]
pub enum Heard {
    /// A line without its end, and the moment it was read.
    Line(String, Instant),
    /// The end of the stream: the peer hung up, or the connection broke.
    End(io::Error),
}

/// Hands everything that comes in on a stream to `hear`, in order and once, from threads of its own, until `hear` returns
/// `Break` or the stream has ended. Nothing else may read from the stream.
///
/// # Errors
/// If the stream cannot be shared with the threads.
pub fn listen(stream: &TcpStream, hear: impl FnMut(Heard) -> ControlFlow<()> + Send + 'static) -> io::Result<()> {
    listen_after(stream, Lines::default(), hear)
}

/// Listens as [`listen`] does to a stream that has been read from before: `lines` has the beginning of a line that was
/// read of it.
///
/// # Errors
/// If the stream cannot be shared with the threads.
pub fn listen_after(
    stream: &TcpStream,
    lines: Lines,
    hear: impl FnMut(Heard) -> ControlFlow<()> + Send + 'static,
) -> io::Result<()> {
    let ear = Arc::new(Ear {
        reads: AtomicU64::new(0),
        inner: Mutex::new(Inner { stream: stream.try_clone()?, lines, hear, over: false }),
    });
    for place in 0..places() {
        let (ear, stream) = (ear.clone(), stream.try_clone()?);
        thread::spawn(move || {
            be_prompt_at(place);
            while ear.attend(&stream).is_continue() {}
        });
    }
    Ok(())
}

struct Ear<F> {
    /// The number of times that something was taken from the stream.
    reads: AtomicU64,
    inner: Mutex<Inner<F>>,
}

struct Inner<F> {
    stream: TcpStream,
    lines: Lines,
    hear: F,
    over: bool,
}

impl<F: FnMut(Heard) -> ControlFlow<()>> Ear<F> {
    /// Waits until there is something to read, and reads it unless another thread was faster.
    fn attend(&self, stream: &TcpStream) -> ControlFlow<()> {
        let seen = self.reads.load(Acquire);
        let waiting = stream.peek(&mut [0]);
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.over {
            return ControlFlow::Break(());
        }
        // If nothing was taken since before the wait, what ended it is still there, and reading does not wait.
        if self.reads.load(Acquire) != seen {
            return ControlFlow::Continue(());
        }
        let flow = match waiting {
            Ok(_) => inner.read(),
            Err(error) => inner.fail(error),
        };
        inner.over = flow.is_break();
        self.reads.store(seen + 1, Release);
        flow
    }
}

impl<F: FnMut(Heard) -> ControlFlow<()>> Inner<F> {
    fn read(&mut self) -> ControlFlow<()> {
        let mut bytes = [0; 4_096];
        let moment = Instant::now();
        let hear = &mut self.hear;
        match self.stream.read(&mut bytes) {
            Ok(0) => self.fail(io::Error::new(ErrorKind::UnexpectedEof, "the connection was closed")),
            Ok(count) => self.lines.push(&bytes[..count], |line| hear(Heard::Line(line, moment))),
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: io::Error) -> ControlFlow<()> {
        if error.kind() == ErrorKind::Interrupted {
            return ControlFlow::Continue(());
        }
        let _ = (self.hear)(Heard::End(error));
        ControlFlow::Break(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::TcpListener;
    use std::sync::mpsc::channel;

    #[test]
    fn every_line_is_heard_once_and_in_order_and_then_the_end() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut speaker = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        speaker.set_nodelay(true).unwrap();
        let ears = listener.accept().unwrap().0;
        let (sender, heard) = channel();
        listen(&ears, move |heard| {
            let _ = sender.send(heard);
            ControlFlow::Continue(())
        })
        .unwrap();
        for number in 0..2_000 {
            // Some lines come in pieces, some together.
            let text = format!("line {number}\n");
            let (one, other) = text.split_at(number % 6);
            speaker.write_all(one.as_bytes()).unwrap();
            speaker.write_all(other.as_bytes()).unwrap();
        }
        speaker.write_all(b"without end").unwrap();
        drop(speaker);
        for number in 0..2_000 {
            let Heard::Line(line, _) = heard.recv().unwrap() else { panic!("{number}") };
            assert_eq!(line, format!("line {number}"));
        }
        assert!(matches!(heard.recv().unwrap(), Heard::End(_)));
        assert!(heard.recv().is_err(), "the threads have gone");
    }
}
