//! Messages between the judge and the supervision of a box that runs. The judge says when a turn
//! begins and ends, or only asks; each message is answered with what the box has used, the end of a
//! turn also with what the program wrote to standard error. A report, which is text, may come in
//! place of an answer, which begins with a zero byte.

use crate::job::{TurnLimits, Used};
use nix::sys::socket::{MsgFlags, recv};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// The length of an answer before its text: a zero byte, two durations in nanoseconds, and the
/// length of the text.
const ANSWER_LENGTH: usize = 25;
/// The length of a message: its kind and two limits in seconds, the second one infinite if there is
/// none.
const MESSAGE_LENGTH: usize = 17;

/// What the judge says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Message {
    /// A turn with these limits begins.
    Begin(TurnLimits),
    /// The turn is over: no limits from now on.
    End,
    /// A question alone.
    Question,
}

impl Message {
    /// The limits from now on, if they change.
    pub(super) fn limits(self) -> Option<TurnLimits> {
        match self {
            Message::Begin(limits) => Some(limits),
            Message::End => Some(TurnLimits::NONE),
            Message::Question => None,
        }
    }
}

/// Sends a message and waits for the answer until the given moment: what was used, and at the end
/// of a turn the text of standard error. `None` if there is no answer, as after the end of the box.
pub(super) fn ask(
    mut socket: &UnixStream,
    message: Message,
    until: Instant,
) -> Option<(Used, String)> {
    let mut answer = [0; ANSWER_LENGTH];
    // Answers that came too late for their questions.
    let look = MsgFlags::MSG_PEEK | MsgFlags::MSG_DONTWAIT;
    while recv(socket.as_raw_fd(), &mut answer, look) == Ok(ANSWER_LENGTH) && answer[0] == 0 {
        read_answer(&mut socket)?;
    }
    let kind = match message {
        Message::Begin(_) => b'T',
        Message::End => b'E',
        Message::Question => b'?',
    };
    let TurnLimits { wall, cpu } = message.limits().unwrap_or(TurnLimits::NONE);
    socket.write_all(&[&[kind][..], &wall.to_le_bytes(), &cpu.to_le_bytes()].concat()).ok()?;
    let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
    socket.set_read_timeout(Some(left)).ok()?;
    let first = recv(socket.as_raw_fd(), &mut answer[..1], MsgFlags::MSG_PEEK).ok()?;
    if first == 0 || answer[0] != 0 {
        return None;
    }
    read_answer(&mut socket)
}

/// Reads an answer, with its zero byte.
pub(super) fn read_answer(from: &mut impl Read) -> Option<(Used, String)> {
    let mut answer = [0; ANSWER_LENGTH];
    from.read_exact(&mut answer).ok()?;
    let number = |at| u64::from_le_bytes(std::array::from_fn(|byte| answer[at + byte]));
    let [cpu, waited] = [1, 9].map(number).map(Duration::from_nanos);
    let mut text = Vec::new();
    from.take(number(17)).read_to_end(&mut text).ok()?;
    Some((Used { cpu, waited }, String::from_utf8_lossy(&text).into_owned()))
}

/// A supervisor's connection to the judge.
pub(crate) fn judge() -> io::Result<UnixStream> {
    Ok(UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Reads a message; `None` if the judge is gone.
pub(super) fn read(judge: &mut UnixStream) -> Option<Message> {
    let mut message = [0; MESSAGE_LENGTH];
    judge.read_exact(&mut message).ok()?;
    let number = |at| f64::from_le_bytes(std::array::from_fn(|byte| message[at + byte]));
    Some(match message[0] {
        b'T' => Message::Begin(TurnLimits { wall: number(1), cpu: number(9) }),
        b'E' => Message::End,
        _ => Message::Question,
    })
}

/// Answers a message. If that fails, the judge is gone, which the next message shows.
pub(super) fn answer(judge: &mut UnixStream, used: Used, text: &str) {
    let [cpu, waited] = [used.cpu, used.waited].map(|time| time.as_nanos() as u64);
    let numbers = [cpu, waited, text.len() as u64].map(u64::to_le_bytes);
    let _ = judge.write_all(&[&[0][..], &numbers.concat(), text.as_bytes()].concat());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_that_comes_in_place_of_an_answer_is_left_whole() {
        let (judge, mut supervisor) = UnixStream::pair().unwrap();
        answer(&mut supervisor, Used::default(), "late");
        supervisor.write_all(b"{\"exit_code\":1}").unwrap();
        let soon = Instant::now() + Duration::from_secs(60);
        assert_eq!(ask(&judge, Message::Question, soon), None);
        let mut report = [0; 15];
        (&judge).read_exact(&mut report).unwrap();
        assert_eq!(&report, b"{\"exit_code\":1}");
        let used = Used { cpu: Duration::from_millis(7), waited: Duration::from_secs(9) };
        let limits = TurnLimits { wall: 2.5, cpu: f64::INFINITY };
        // The question above has not been answered.
        let expected = [Message::Question, Message::Begin(limits), Message::Question, Message::End];
        let supervision = std::thread::spawn(move || {
            expected.map(|_| {
                let told = read(&mut supervisor);
                answer(&mut supervisor, used, "said");
                told
            })
        });
        for message in &expected[1..] {
            assert_eq!(ask(&judge, *message, soon), Some((used, "said".to_string())));
        }
        assert_eq!(supervision.join().unwrap(), expected.map(Some));
    }
}
