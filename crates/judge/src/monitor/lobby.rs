//! Where agents come in: each is given a role when one is free, and handed over when it is ready.

use super::connection::{Connection, FAREWELL, HANDSHAKE};
use super::door::{self, Caller};
use super::roles::Roles;
use anyhow::{Context, Result};
use engine::Side;
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two looks after waiting agents and ^C.
const PAUSE: Duration = Duration::from_millis(100);

/// The room behind a monitor's door.
pub(super) struct Lobby {
    /// The address that the monitor listens on.
    pub address: SocketAddr,
    roles: Roles,
    ready: Receiver<(Side, Connection)>,
}

impl Lobby {
    /// Opens the door.
    pub(super) fn open(address: &str, port: u16) -> Result<Lobby> {
        let listener =
            TcpListener::bind((address, port)).with_context(|| format!("{address}:{port}: cannot be listened on"))?;
        let address = listener.local_addr()?;
        let roles = Roles::default();
        let (sender, ready) = channel();
        let shared = roles.clone();
        let enter = move |caller| {
            let (roles, sender) = (shared.clone(), sender.clone());
            // One that no thread can be had for finds the door closed.
            let _ = thread::Builder::new().spawn(move || visit(caller, &roles, &sender));
        };
        thread::spawn(move || door::keep(listener, enter).map_err(|error| eprintln!("nobody is let in: {error}")));
        Ok(Lobby { address, roles, ready })
    }

    /// Waits for an agent of each role; `None` if `give_up` says so first.
    pub(super) fn pair(&self, mut give_up: impl FnMut() -> bool) -> Option<[Connection; 2]> {
        let mut agents: [Option<Connection>; 2] = [None, None];
        loop {
            for side in Side::BOTH {
                if agents[side.index()].as_mut().is_some_and(|agent| !agent.is_there()) {
                    agents[side.index()] = None;
                    self.roles.free(&[side]);
                    eprintln!("{} left before the game began", foxgame_word(side));
                }
            }
            agents = match agents {
                [Some(fox), Some(sheep)] => return Some([fox, sheep]),
                agents => agents,
            };
            match self.ready.recv_timeout(PAUSE) {
                Ok((side, agent)) => agents[side.index()] = Some(agent),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if give_up() => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Gives both roles back, when a game is over.
    pub(super) fn free(&self) {
        self.roles.free(&Side::BOTH);
    }
}

fn foxgame_word(side: Side) -> &'static str {
    <foxgame::Position as engine::Protocol>::side_word(side)
}

fn visit(caller: Caller, roles: &Roles, ready: &Sender<(Side, Connection)>) {
    let Caller { stream, said, beginning, place } = caller;
    let entered = Connection::new(stream, said, beginning).and_then(|mut agent| match give_role(&mut agent, roles) {
        Ok(side) => Ok((side, agent)),
        Err(error) => {
            agent.see_off(Instant::now() + FAREWELL);
            Err(error)
        }
    });
    drop(place);
    match entered {
        Ok(entered) => drop(ready.send(entered)),
        Err(error) => eprintln!("turned away: {error:#}"),
    }
}

/// Hears the agent out, and gives it a role when one is free.
fn give_role(agent: &mut Connection, roles: &Roles) -> Result<Side> {
    let wish = agent.hello(Instant::now() + HANDSHAKE)?;
    let name = agent.name.clone();
    let side = roles.take(wish, || eprintln!("{name} waits: both roles are taken"), || agent.attend())?;
    agent.welcome(side, Instant::now() + HANDSHAKE).inspect_err(|_| roles.free(&[side]))?;
    Ok(side)
}
