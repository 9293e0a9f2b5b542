//! The connections to the monitor: each is read until its line `hello` or `ready`, and waits for a
//! slot in the queue (docs/foxgame.md, "The queue").

use super::queue::{MAX_QUEUED, Queue, QueueAdmission, QueueSlot};
use crate::connection::{HANDSHAKE_TIMEOUT, refusal_line, starts_handshake};
use foxgame::monitor::wire::{FromAgent, Lines};
use http_server::listen::{ClosingReplies, Listener, Phase, Slot};
use std::future::poll_fn;
use std::io;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

/// The maximum number of connections that have not sent `hello` or `ready`.
const MAX_SILENT: usize = 128;
/// The maximum number of connections that wait for a slot in the queue.
const MAX_BEFORE_QUEUE: usize = 128;
/// The time between two requests for a slot in the queue.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// The pause between two reads from a connection, which limits the CPU time that it can use.
const READ_PAUSE: Duration = Duration::from_millis(1);
/// The reason given to a connection whose slot is needed for another one.
const OTHERS: &str = "others have come, and you have not said hello";

/// An agent that has sent `hello` or `ready` and has a slot in the queue.
pub(super) struct AcceptedAgent {
    /// The stream, in blocking mode.
    pub stream: std::net::TcpStream,
    /// The complete lines that have been read and have an effect.
    pub lines: Vec<String>,
    /// The beginning of the next line.
    pub partial: Lines,
    pub slot: QueueSlot,
}

/// Accepts connections until the process ends. `on_agent` gets each agent that has a slot, and must
/// not block.
pub(super) fn accept_agents(
    listener: Listener,
    on_agent: impl Fn(AcceptedAgent) + Send + Sync + 'static,
) -> anyhow::Result<()> {
    let acceptor = Arc::new(Acceptor {
        before_queue: Queue::new(MAX_BEFORE_QUEUE),
        waiting: AtomicUsize::new(0),
        next_in_order: tokio::sync::Mutex::new(()),
        queue: Queue::new(MAX_QUEUED),
        on_agent: Box::new(on_agent),
    });
    listener.serve(MAX_SILENT, refusal_line(OTHERS), move |stream, slot, closing| {
        let acceptor = Arc::clone(&acceptor);
        async move { acceptor.admit_or_refuse(stream, slot, &closing).await }
    })
}

/// The connections that have sent `hello` or `ready` and have no slot in the queue yet.
struct Acceptor {
    /// Limits the connections that wait.
    before_queue: Queue,
    /// The number of connections that wait.
    waiting: AtomicUsize,
    /// The lock of the one waiting connection that may ask for a slot. It is fair, so that slots
    /// are given in order.
    next_in_order: tokio::sync::Mutex<()>,
    queue: Queue,
    on_agent: Box<dyn Fn(AcceptedAgent) + Send + Sync>,
}

impl Acceptor {
    /// Reads the first lines of a connection, and passes it on with a slot in the queue, or refuses
    /// it.
    async fn admit_or_refuse(&self, stream: TcpStream, silent: Slot, closing: &ClosingReplies) {
        let Ok(address) = stream.peer_addr() else { return };
        let first_lines = first_lines(&stream, &silent).await;
        drop(silent);
        let (lines, partial) = match first_lines {
            Ok(first_lines) => first_lines,
            Err(NoHandshake::Evicted) => return closing.send(stream, &refusal_line(OTHERS)).await,
            Err(NoHandshake::TimedOut) => {
                return eprintln!("refused: {address} did not send hello in time");
            }
            Err(NoHandshake::Closed) => return,
        };
        match self.slot(address.ip()).await {
            Err(reason) => closing.send(stream, &refusal_line(&reason)).await,
            Ok(slot) => {
                if let Ok(stream) = stream.into_std()
                    && stream.set_nonblocking(false).is_ok()
                {
                    (self.on_agent)(AcceptedAgent { stream, lines, partial, slot });
                }
            }
        }
    }

    /// Waits for a slot in the queue, in the order of the calls. The error is the reason that the
    /// agent is told.
    async fn slot(&self, address: IpAddr) -> Result<QueueSlot, String> {
        let _before_queue = match self.before_queue.acquire(address, 1, Instant::now()) {
            QueueAdmission::Slot(slot) => slot,
            QueueAdmission::Wait => return Err("others have come; come again later".to_string()),
            QueueAdmission::Full(reason) => return Err(reason),
        };
        self.waiting.fetch_add(1, Relaxed);
        let slot = async {
            let _next_in_order = self.next_in_order.lock().await;
            loop {
                match self.queue.acquire(address, self.waiting.load(Relaxed), Instant::now()) {
                    QueueAdmission::Slot(slot) => return Ok(slot),
                    QueueAdmission::Full(reason) => return Err(reason),
                    QueueAdmission::Wait => sleep(POLL_INTERVAL).await,
                }
            }
        }
        .await;
        self.waiting.fetch_sub(1, Relaxed);
        slot
    }
}

/// The reason why a connection did not send `hello` or `ready`.
enum NoHandshake {
    /// The slot of the connection was needed for another one.
    Evicted,
    TimedOut,
    Closed,
}

/// Waits for the first lines and the beginning of the next one. Lines that have arrived count before
/// an eviction.
async fn first_lines(stream: &TcpStream, slot: &Slot) -> Result<(Vec<String>, Lines), NoHandshake> {
    let mut phases = slot.phases();
    let mut lines = pin!(timeout(HANDSHAKE_TIMEOUT, read_first_lines(stream)));
    let mut evicted = pin!(phases.wait_for(|phase| *phase == Phase::Evicted));
    poll_fn(|context| match lines.as_mut().poll(context) {
        Poll::Ready(Ok(lines)) => Poll::Ready(lines.ok_or(NoHandshake::Closed)),
        Poll::Ready(Err(_)) => Poll::Ready(Err(NoHandshake::TimedOut)),
        Poll::Pending => evicted.as_mut().poll(context).map(|_| Err(NoHandshake::Evicted)),
    })
    .await
}

/// Reads the lines up to `hello` or `ready`, and those that arrive with it. Of the lines before it
/// only the last name is kept. Returns `None` if the stream ends.
async fn read_first_lines(stream: &TcpStream) -> Option<(Vec<String>, Lines)> {
    let (mut lines, mut partial, mut has_handshake) = (Vec::new(), Lines::default(), false);
    let mut bytes = [0; 4_096];
    loop {
        let count = read(stream, &mut bytes).await;
        if count == 0 {
            return None;
        }
        let _ = partial.push(&bytes[..count], |line| {
            has_handshake |= starts_handshake(&line);
            if has_handshake {
                lines.push(line);
            } else if let Some(FromAgent::Name(_)) = FromAgent::read(&line) {
                lines = vec![line];
            }
            ControlFlow::Continue(())
        });
        if has_handshake {
            return Some((lines, partial));
        }
        sleep(READ_PAUSE).await;
    }
}

/// Reads bytes and returns their number, 0 at the end of the stream.
async fn read(stream: &TcpStream, bytes: &mut [u8]) -> usize {
    loop {
        if stream.readable().await.is_err() {
            return 0;
        }
        match stream.try_read(bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            result => return result.unwrap_or(0),
        }
    }
}
