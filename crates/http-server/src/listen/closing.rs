//! Replies to connections that are closed without being served.

use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy, sink};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// The time for which a refused connection is still read. Closing a socket with unread data resets the connection, and a
/// reset may discard the reply.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);
/// The bytes that are read from a refused connection at most.
const MAX_CLOSE_BYTES: u64 = 64 << 10;
/// The maximum number of refused connections that are read at a time. Beyond it a connection is closed at once, and its reply may
/// get lost.
const MAX_CLOSING: usize = 64;

/// The replies to connections that are closed without being served, limited in number.
pub struct ClosingReplies(Semaphore);

impl ClosingReplies {
    /// Returns a state without closing connections.
    pub(super) fn new() -> ClosingReplies {
        ClosingReplies(Semaphore::new(MAX_CLOSING))
    }

    /// Sends a text that says why the connection is not served, and closes the connection.
    pub async fn send(&self, mut stream: TcpStream, text: &str) {
        let Ok(_permit) = self.0.try_acquire() else {
            let _ = stream.try_write(text.as_bytes());
            return;
        };
        let close = async {
            stream.write_all(text.as_bytes()).await?;
            stream.shutdown().await?;
            copy(&mut stream.take(MAX_CLOSE_BYTES), &mut sink()).await
        };
        let _ = timeout(CLOSE_TIMEOUT, close).await;
    }
}
