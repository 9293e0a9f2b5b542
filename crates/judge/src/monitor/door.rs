//! The door of a monitor: everybody who connects stands here until a line says `hello` or `ready`, on one thread however
//! many they are. Silent ones make room for others, and those that have to go are sent the reason.

use super::connection::{FAREWELL, HANDSHAKE, introduces, refusal};
use super::places::{Place, Places};
use foxgame::monitor::wire::{FromAgent, Lines};
use std::collections::HashMap;
use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, Shutdown, TcpListener};
use std::ops::ControlFlow;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{sleep, timeout};

/// Connections that may stand at the door and say nothing. One more, and one of them has to go.
pub(super) const MOST_SILENT: usize = 128;
/// Connections at a time that are waited for until they have read why they were sent away.
const MOST_LEAVING: usize = 64;
/// A pause before more is taken from a connection that sends much and says nothing.
const PAUSE_IN_NOISE: Duration = Duration::from_millis(1);
/// A pause when there are no file handles.
const PAUSE_WITHOUT_HANDLES: Duration = Duration::from_millis(100);

/// An agent that has said `hello` or `ready` and has a place in the line.
pub(super) struct Caller {
    /// The connection, on which reading and writing wait.
    pub stream: std::net::TcpStream,
    /// The lines that matter of those that came so far.
    pub said: Vec<String>,
    /// The beginning of the next line.
    pub beginning: Lines,
    /// The place in the line.
    pub place: Place,
}

/// Lets agents in that connect, until the process ends: `enter` is called with each that has a place, and must not wait.
pub(super) fn keep(listener: TcpListener, enter: impl Fn(Caller) + Send + Sync + 'static) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let door = Arc::new(Door {
            silent: Mutex::default(),
            leaving: Semaphore::new(MOST_LEAVING),
            places: Places::default(),
            enter: Box::new(enter),
        });
        for number in 0.. {
            match listener.accept().await {
                Ok((stream, address)) => door.receive(number, stream, address.ip().to_canonical()),
                Err(_) => {
                    // Out of file handles, perhaps: the silent ones hold some.
                    door.make_room();
                    sleep(PAUSE_WITHOUT_HANDLES).await;
                }
            }
        }
        Ok(())
    })
}

struct Door {
    /// The connections that have said nothing yet, by numbers in the order of their coming. One that is taken out has
    /// to go.
    silent: Mutex<HashMap<u64, (IpAddr, oneshot::Sender<()>)>>,
    leaving: Semaphore,
    places: Places,
    enter: Box<dyn Fn(Caller) + Send + Sync>,
}

/// Lines that matter, and the beginning of the next.
type Words = (Vec<String>, Lines);

impl Door {
    fn receive(self: &Arc<Door>, number: u64, stream: TcpStream, address: IpAddr) {
        if self.lock().len() >= MOST_SILENT {
            self.make_room();
        }
        let (stays, sent_away) = oneshot::channel();
        self.lock().insert(number, (address, stays));
        let door = Arc::clone(self);
        tokio::spawn(async move {
            let words = first_words(&stream, sent_away).await;
            door.lock().remove(&number);
            // One that breaks off meanwhile hurts only itself.
            let _ = door.answer(stream, address, words).await;
        });
    }

    /// Closes one connection that has said nothing: of the address that most of them have, the first that came.
    fn make_room(&self) {
        let mut silent = self.lock();
        let mut crowds: HashMap<IpAddr, usize> = HashMap::new();
        silent.values().for_each(|(address, _)| *crowds.entry(*address).or_default() += 1);
        let first = silent.iter().max_by_key(|(number, (address, _))| (crowds[address], std::cmp::Reverse(**number)));
        if let Some(first) = first.map(|(&number, _)| number) {
            silent.remove(&first);
        }
    }

    /// Lets a connection in, or sends it away.
    async fn answer(&self, stream: TcpStream, address: IpAddr, words: Result<Words, Silence>) -> io::Result<()> {
        let (said, beginning) = match words {
            Ok(words) => words,
            Err(Silence::SentAway) => {
                return self.send_away(stream, "others have come, and you have not said hello").await;
            }
            Err(Silence::TooLong) => {
                eprintln!("turned away: {} keeps silent", stream.peer_addr()?);
                return Ok(());
            }
            Err(Silence::Over) => return Ok(()),
        };
        match self.places.take(address) {
            Err(reason) => self.send_away(stream, &reason).await,
            Ok(place) => {
                let stream = stream.into_std()?;
                stream.set_nonblocking(false)?;
                (self.enter)(Caller { stream, said, beginning, place });
                Ok(())
            }
        }
    }

    /// Tells a connection why it is closed, and waits a moment for the other end to hang up: a stream that is closed
    /// with something unread in it would take the word with it.
    async fn send_away(&self, stream: TcpStream, reason: &str) -> io::Result<()> {
        stream.writable().await?;
        stream.try_write(refusal(reason).as_bytes())?;
        let stream = stream.into_std()?;
        stream.shutdown(Shutdown::Write)?;
        let Ok(_leaving) = self.leaving.try_acquire() else { return Ok(()) };
        let stream = TcpStream::from_std(stream)?;
        let mut bytes = [0; 4_096];
        let hung_up = async {
            while read(&stream, &mut bytes).await > 0 {
                sleep(PAUSE_IN_NOISE).await;
            }
        };
        let _ = timeout(FAREWELL, hung_up).await;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, (IpAddr, oneshot::Sender<()>)>> {
        self.silent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reason why a connection said nothing.
enum Silence {
    /// The place was needed for others.
    SentAway,
    /// The time for the first words had passed.
    TooLong,
    /// The other end hung up.
    Over,
}

/// Waits for the first words, unless the connection is sent away before. What was said in time counts.
async fn first_words(stream: &TcpStream, sent_away: oneshot::Receiver<()>) -> Result<Words, Silence> {
    let mut words = pin!(timeout(HANDSHAKE, words(stream)));
    let mut sent_away = pin!(sent_away);
    poll_fn(|context| match words.as_mut().poll(context) {
        Poll::Ready(Ok(words)) => Poll::Ready(words.ok_or(Silence::Over)),
        Poll::Ready(Err(_)) => Poll::Ready(Err(Silence::TooLong)),
        Poll::Pending => sent_away.as_mut().poll(context).map(|_| Err(Silence::SentAway)),
    })
    .await
}

/// The lines up to the first that says `hello` or `ready`, and those that came with it; `None` if nothing more will
/// come. Of lines before it only the last name is kept.
async fn words(stream: &TcpStream) -> Option<Words> {
    let (mut said, mut beginning, mut introduced) = (Vec::new(), Lines::default(), false);
    let mut bytes = [0; 4_096];
    loop {
        let count = read(stream, &mut bytes).await;
        if count == 0 {
            return None;
        }
        let _ = beginning.push(&bytes[..count], |line| {
            introduced |= introduces(&line);
            if introduced {
                said.push(line);
            } else if let Some(FromAgent::Name(_)) = FromAgent::read(&line) {
                said = vec![line];
            }
            ControlFlow::Continue(())
        });
        if introduced {
            return Some((said, beginning));
        }
        sleep(PAUSE_IN_NOISE).await;
    }
}

/// Reads bytes; gives their number, 0 if nothing more will come.
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
