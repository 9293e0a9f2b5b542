//! The pairing of agents: each agent in the queue gets a role, and two ready agents of different
//! roles play.

use super::accept::{self, AcceptedAgent};
use super::queue::QueueSlot;
use super::roles::{AssignedRole, Roles};
use crate::connection::{AgentConnection, CLOSE_TIMEOUT, HANDSHAKE_TIMEOUT};
use anyhow::{Context, Result};
use engine::{Protocol, Side};
use foxgame::Position;
use http_server::listen::listen;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two checks of waiting agents and of ^C.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The agents that wait for a game.
pub(super) struct Pairing {
    /// The address that the monitor listens on.
    pub address: SocketAddr,
    roles: Roles,
    arrivals: Receiver<ReadyAgent>,
    /// The agents that wait for an opponent, in the order of their arrivals.
    ready: Vec<ReadyAgent>,
}

struct ReadyAgent {
    agent: AgentConnection,
    role: AssignedRole,
    /// The slot in the queue, which the agent keeps until its game begins.
    _slot: QueueSlot,
}

impl Pairing {
    /// Listens on an address and starts to accept agents.
    pub(super) fn listen(address: &str, port: u16) -> Result<Pairing> {
        let found = (address, port).to_socket_addrs().ok();
        let found = found.and_then(|found| found.min_by_key(SocketAddr::is_ipv6));
        let found = found.with_context(|| format!("--bind: no address {address:?} was found"))?;
        let (listener, address) = listen(found)?;
        let roles = Roles::default();
        let (sender, arrivals) = channel();
        let shared = roles.clone();
        let on_agent = move |agent| {
            let (roles, sender) = (shared.clone(), sender.clone());
            // If no thread can be spawned, dropping the agent closes its connection.
            let _ = thread::Builder::new().spawn(move || prepare(agent, &roles, &sender));
        };
        thread::spawn(move || {
            accept::accept_agents(listener, on_agent)
                .map_err(|error| eprintln!("the monitor accepts no connections: {error}"))
        });
        Ok(Pairing { address, roles, arrivals, ready: Vec::new() })
    }

    /// Waits for a ready agent of each role. Returns `None` if `give_up` returns true before.
    pub(super) fn next_pair(
        &mut self,
        mut give_up: impl FnMut() -> bool,
    ) -> Option<[AgentConnection; 2]> {
        loop {
            self.ready.retain_mut(|one| {
                let is_connected = one.agent.discard_pending();
                if !is_connected {
                    let side = Position::side_word(one.role.side);
                    eprintln!("{side} disconnected before the game began");
                }
                is_connected
            });
            let first = |side| self.ready.iter().position(|one| one.role.side == side);
            if let [Some(fox), Some(sheep)] = Side::BOTH.map(first) {
                let later = self.ready.remove(fox.max(sheep));
                let earlier = self.ready.remove(fox.min(sheep));
                let [fox, sheep] = if fox < sheep { [earlier, later] } else { [later, earlier] };
                self.roles.begin_game([fox.role, sheep.role]);
                return Some([fox.agent, sheep.agent]);
            }
            match self.arrivals.recv_timeout(POLL_INTERVAL) {
                Ok(ready) => self.ready.push(ready),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if give_up() => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Frees both roles after a game.
    pub(super) fn end_game(&self) {
        self.roles.end_game();
    }
}

/// Prepares an agent for a game and sends it to `arrivals`, or refuses it.
fn prepare(agent: AcceptedAgent, roles: &Roles, arrivals: &Sender<ReadyAgent>) {
    let AcceptedAgent { stream, lines, partial, slot } = agent;
    let prepared = AgentConnection::new(stream, lines, partial).and_then(|mut agent| {
        match assign_role(&mut agent, roles, &slot) {
            Ok(role) => Ok(ReadyAgent { agent, role, _slot: slot }),
            Err(error) => {
                // The slot of an evicted agent is free before its connection has been closed.
                let _slot = Some(slot).filter(|slot| !slot.is_evicted());
                agent.close(Instant::now() + CLOSE_TIMEOUT);
                Err(error)
            }
        }
    });
    match prepared {
        Ok(ready) => drop(arrivals.send(ready)),
        Err(error) => eprintln!("refused: {error:#}"),
    }
}

/// Reads the handshake of an agent, assigns it a role when one is free, and waits until the agent
/// is ready.
fn assign_role(
    agent: &mut AgentConnection,
    roles: &Roles,
    slot: &QueueSlot,
) -> Result<AssignedRole> {
    let preference = agent.hello(Instant::now() + HANDSHAKE_TIMEOUT)?;
    let name = agent.name.clone();
    let on_wait = || eprintln!("{name} waits: both roles are taken");
    let role = roles.assign(preference, on_wait, || agent.process_pending())?;
    slot.set_unready(Instant::now());
    agent.assign_role(role.side, Instant::now() + HANDSHAKE_TIMEOUT, || slot.is_evicted())?;
    slot.set_ready();
    role.set_ready();
    Ok(role)
}
