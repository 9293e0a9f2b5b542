//! Messages between the judge and the supervision of a box that runs. The judge says when a turn
//! begins and ends, or only asks; each message is answered with what the box has used. A report,
//! which is text, may come in place of an answer, which begins with a zero byte.

use crate::job::{TurnLimits, Used};
use nix::sys::socket::{MsgFlags, recv};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// The length of an answer: a zero byte and two durations in nanoseconds.
pub(super) const ANSWER_LENGTH: usize = 17;
/// The length of a message: its kind and two limits in seconds, the second one infinite if there is
/// none.
const MESSAGE_LENGTH: usize = 17;
const TURN: u8 = b'T';
const QUESTION: u8 = b'?';

/// Sends a message: limits for a turn that begins now, or a question alone. Waits for the answer
/// until the given moment; `None` if there is none, as after the end of the box.
pub(super) fn ask(
    mut socket: &UnixStream,
    limits: Option<TurnLimits>,
    until: Instant,
) -> Option<Used> {
    let mut answer = [0; ANSWER_LENGTH];
    // Answers that came too late for their questions.
    let look = MsgFlags::MSG_PEEK | MsgFlags::MSG_DONTWAIT;
    while recv(socket.as_raw_fd(), &mut answer, look) == Ok(ANSWER_LENGTH) && answer[0] == 0 {
        socket.read_exact(&mut answer).ok()?;
    }
    let kind = if limits.is_some() { TURN } else { QUESTION };
    let TurnLimits { wall, cpu } = limits.unwrap_or(TurnLimits::NONE);
    socket.write_all(&[&[kind][..], &wall.to_le_bytes(), &cpu.to_le_bytes()].concat()).ok()?;
    let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
    socket.set_read_timeout(Some(left)).ok()?;
    let first = recv(socket.as_raw_fd(), &mut answer[..1], MsgFlags::MSG_PEEK).ok()?;
    if first == 0 || answer[0] != 0 {
        return None;
    }
    socket.read_exact(&mut answer).ok()?;
    let nanoseconds = |at| u64::from_le_bytes(std::array::from_fn(|byte| answer[at + byte]));
    let [cpu, waited] = [1, 9].map(nanoseconds).map(Duration::from_nanos);
    Some(Used { cpu, waited })
}

/// A supervisor's connection to the judge.
pub(crate) fn judge() -> io::Result<UnixStream> {
    Ok(UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Reads a message; `None` if the judge is gone.
pub(super) fn read(judge: &mut UnixStream) -> Option<Option<TurnLimits>> {
    let mut message = [0; MESSAGE_LENGTH];
    judge.read_exact(&mut message).ok()?;
    let number = |at| f64::from_le_bytes(std::array::from_fn(|byte| message[at + byte]));
    Some((message[0] == TURN).then(|| TurnLimits { wall: number(1), cpu: number(9) }))
}

/// Answers a message. If that fails, the judge is gone, which the next message shows.
pub(super) fn answer(judge: &mut UnixStream, used: Used) {
    let nanoseconds = [used.cpu, used.waited].map(|time| (time.as_nanos() as u64).to_le_bytes());
    let _ = judge.write_all(&[&[0][..], &nanoseconds.concat()].concat());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_that_comes_in_place_of_an_answer_is_left_whole() {
        let (judge, mut supervisor) = UnixStream::pair().unwrap();
        answer(&mut supervisor, Used::default());
        supervisor.write_all(b"{\"exit_code\":1}").unwrap();
        let soon = Instant::now() + Duration::from_secs(60);
        assert_eq!(ask(&judge, None, soon), None);
        let mut report = [0; 15];
        (&judge).read_exact(&mut report).unwrap();
        assert_eq!(&report, b"{\"exit_code\":1}");
        let used = Used { cpu: Duration::from_millis(7), waited: Duration::from_secs(9) };
        let limits = TurnLimits { wall: 2.5, cpu: f64::INFINITY };
        // The question above has not been answered.
        let expected = [None, Some(limits), None];
        let supervision = std::thread::spawn(move || {
            expected.map(|_| {
                let told = read(&mut supervisor);
                answer(&mut supervisor, used);
                told
            })
        });
        assert_eq!(ask(&judge, Some(limits), soon), Some(used));
        assert_eq!(ask(&judge, None, soon), Some(used));
        assert_eq!(supervision.join().unwrap(), expected.map(Some));
    }
}
