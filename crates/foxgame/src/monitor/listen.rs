//! Low-latency reading of lines from a socket. The kernel may wake a thread milliseconds late when
//! the processor that it slept on is busy. Therefore several threads wait on different processors,
//! and the first one awake reads.

use super::wire::Lines;
use clock::lock;
use clock::priority::{be_prompt_at, places};
use std::io::{self, ErrorKind, Read};
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

/// An event on a stream of lines.
#[derive(Debug)]
pub enum StreamEvent {
    /// A line without its line end, and the moment when it was read.
    Line(String, Instant),
    /// The end of the stream: the peer closed the connection, or it broke.
    End(io::Error),
}

/// Spawns threads that read lines from a stream and call `on_event` with each, once and in order,
/// until `on_event` returns `Break` or the stream ends. Nothing else may read from the stream;
/// `lines` holds the part of a line that has been read from it before.
///
/// # Errors
/// If the stream's handle cannot be duplicated for the threads.
pub fn listen(
    stream: &TcpStream,
    lines: Lines,
    on_event: impl FnMut(StreamEvent) -> ControlFlow<()> + Send + 'static,
) -> io::Result<()> {
    let reader = Arc::new(SharedReader {
        reads: AtomicU64::new(0),
        state: Mutex::new(ReaderState {
            stream: stream.try_clone()?,
            lines,
            on_event,
            over: false,
        }),
    });
    for place in 0..places() {
        let (reader, stream) = (reader.clone(), stream.try_clone()?);
        thread::spawn(move || {
            be_prompt_at(place);
            while reader.wait_and_read(&stream).is_continue() {}
        });
    }
    Ok(())
}

struct SharedReader<F> {
    /// The number of reads from the stream so far.
    reads: AtomicU64,
    state: Mutex<ReaderState<F>>,
}

struct ReaderState<F> {
    stream: TcpStream,
    lines: Lines,
    on_event: F,
    over: bool,
}

impl<F: FnMut(StreamEvent) -> ControlFlow<()>> SharedReader<F> {
    /// Waits until the stream can be read, and reads from it unless another thread was faster.
    fn wait_and_read(&self, stream: &TcpStream) -> ControlFlow<()> {
        let seen = self.reads.load(Acquire);
        let waiting = stream.peek(&mut [0]);
        let mut state = lock(&self.state);
        if state.over {
            return ControlFlow::Break(());
        }
        // Without a read since before the wait, the bytes that ended it are still there.
        if self.reads.load(Acquire) != seen {
            return ControlFlow::Continue(());
        }
        let flow = match waiting {
            Ok(_) => state.read(),
            Err(error) => state.fail(error),
        };
        state.over = flow.is_break();
        self.reads.store(seen + 1, Release);
        flow
    }
}

impl<F: FnMut(StreamEvent) -> ControlFlow<()>> ReaderState<F> {
    fn read(&mut self) -> ControlFlow<()> {
        let mut bytes = [0; 4_096];
        let moment = Instant::now();
        let on_event = &mut self.on_event;
        match self.stream.read(&mut bytes) {
            Ok(0) => {
                self.fail(io::Error::new(ErrorKind::UnexpectedEof, "the connection was closed"))
            }
            Ok(count) => {
                self.lines.push(&bytes[..count], |line| on_event(StreamEvent::Line(line, moment)))
            }
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: io::Error) -> ControlFlow<()> {
        if error.kind() == ErrorKind::Interrupted {
            return ControlFlow::Continue(());
        }
        let _ = (self.on_event)(StreamEvent::End(error));
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
        let receiver = listener.accept().unwrap().0;
        let (sender, events) = channel();
        listen(&receiver, Lines::default(), move |event| {
            let _ = sender.send(event);
            ControlFlow::Continue(())
        })
        .unwrap();
        for number in 0..2_000 {
            // Some lines arrive in pieces, some together.
            let text = format!("line {number}\n");
            let (one, other) = text.split_at(number % 6);
            speaker.write_all(one.as_bytes()).unwrap();
            speaker.write_all(other.as_bytes()).unwrap();
        }
        speaker.write_all(b"without end").unwrap();
        drop(speaker);
        for number in 0..2_000 {
            let StreamEvent::Line(line, _) = events.recv().unwrap() else { panic!("{number}") };
            assert_eq!(line, format!("line {number}"));
        }
        assert!(matches!(events.recv().unwrap(), StreamEvent::End(_)));
        assert!(events.recv().is_err(), "the threads have gone");
    }
}
