//! Where agents come in: each is given a role when one is free, and handed over when it is ready.

use super::connection::{Connection, HANDSHAKE};
use anyhow::{Context, Result};
use engine::Side;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// So many agents may stand in line.
const MOST_VISITORS: usize = 32;
/// How often to look after agents that wait, and for ^C.
const PAUSE: Duration = Duration::from_millis(100);

/// Which roles are taken, and how many agents stand in line.
#[derive(Default)]
struct Roles {
    taken: [bool; 2],
    visitors: usize,
}

type Shared = Arc<(Mutex<Roles>, Condvar)>;

/// The door of a monitor.
pub struct Lobby {
    /// Where it listens.
    pub address: SocketAddr,
    roles: Shared,
    ready: Receiver<(Side, Connection)>,
}

impl Lobby {
    /// Opens the door.
    pub fn open(address: &str, port: u16) -> Result<Lobby> {
        let listener =
            TcpListener::bind((address, port)).with_context(|| format!("{address}:{port}: cannot be listened on"))?;
        let address = listener.local_addr()?;
        let roles = Shared::default();
        let (sender, ready) = channel();
        let shared = roles.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else {
                    // Out of file handles, perhaps: others may be closed soon.
                    thread::sleep(PAUSE);
                    continue;
                };
                let mut now = lock(&shared);
                // One visitor too many finds the door closed.
                if now.visitors < MOST_VISITORS {
                    now.visitors += 1;
                    let (shared, sender) = (shared.clone(), sender.clone());
                    thread::spawn(move || visit(stream, &shared, &sender));
                }
            }
        });
        Ok(Lobby { address, roles, ready })
    }

    /// Waits for an agent of each role; `None` if `give_up` says so first.
    pub fn pair(&self, mut give_up: impl FnMut() -> bool) -> Option<[Connection; 2]> {
        let mut seats: [Option<Connection>; 2] = [None, None];
        loop {
            for side in Side::BOTH {
                if seats[side.index()].as_mut().is_some_and(|agent| !agent.is_there()) {
                    eprintln!("{} left before the game began", foxgame_word(side));
                    seats[side.index()] = None;
                    self.free(side);
                }
            }
            seats = match seats {
                [Some(fox), Some(sheep)] => return Some([fox, sheep]),
                seats => seats,
            };
            match self.ready.recv_timeout(PAUSE) {
                Ok((side, agent)) => seats[side.index()] = Some(agent),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if give_up() => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// A role may be given again.
    pub fn free(&self, side: Side) {
        lock(&self.roles).taken[side.index()] = false;
        self.roles.1.notify_all();
    }
}

fn foxgame_word(side: Side) -> &'static str {
    <foxgame::Position as engine::Protocol>::side_word(side)
}

fn lock(shared: &Shared) -> std::sync::MutexGuard<'_, Roles> {
    shared.0.lock().unwrap_or_else(PoisonError::into_inner)
}

fn visit(stream: TcpStream, shared: &Shared, ready: &Sender<(Side, Connection)>) {
    let seated = seat(stream, shared);
    lock(shared).visitors -= 1;
    match seated {
        Ok(seated) => drop(ready.send(seated)),
        Err(error) => eprintln!("turned away: {error:#}"),
    }
}

fn seat(stream: TcpStream, shared: &Shared) -> Result<(Side, Connection)> {
    let mut agent = Connection::new(stream)?;
    let wish = agent.hello(Instant::now() + HANDSHAKE)?;
    let side = take_role(shared, wish);
    match agent.welcome(side, Instant::now() + HANDSHAKE) {
        Ok(()) => Ok((side, agent)),
        Err(error) => {
            lock(shared).taken[side.index()] = false;
            shared.1.notify_all();
            Err(error)
        }
    }
}

/// The wish if it is free, else the free one; waits until there is one.
fn take_role(shared: &Shared, wish: Option<Side>) -> Side {
    let mut roles = lock(shared);
    loop {
        let free = |side: &Side| !roles.taken[side.index()];
        if let Some(side) = wish.filter(free).or_else(|| Side::BOTH.into_iter().find(free)) {
            roles.taken[side.index()] = true;
            return side;
        }
        roles = shared.1.wait(roles).unwrap_or_else(PoisonError::into_inner);
    }
}
