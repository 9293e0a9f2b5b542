//! The assignment of roles to agents (docs/foxgame.md, "Roles").

use clock::{lock, unpoisoned};
use engine::Side;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The time for which a role stays exclusive to the agents that it is assigned to, who share it.
const EXCLUSIVE_TIME: Duration = Duration::from_millis(250);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The two roles of the next game, shared by the threads of all agents.
#[derive(Clone, Default)]
pub(super) struct Roles {
    shared: Arc<(Mutex<RoleTable>, Condvar)>,
}

pub(super) struct AssignedRole {
    roles: Roles,
    number: u64,
    pub side: Side,
}

#[derive(Default)]
struct RoleTable {
    /// Whether a game is running. No role is assigned until its end.
    is_playing: bool,
    /// The agents without a role, in the order of their arrival.
    waiting: Vec<Waiting>,
    assigned: Vec<Assignment>,
    last: u64,
}

struct Waiting {
    number: u64,
    preference: Option<Side>,
    is_ready: bool,
}

struct Assignment {
    number: u64,
    side: Side,
    since: Instant,
    is_ready: bool,
}

impl Roles {
    /// Waits for a role. Meanwhile `is_ready` is called repeatedly and returns whether the agent is
    /// ready; its error ends the wait. `on_wait` is called once if no role is free at once.
    pub(super) fn assign<E>(
        &self,
        preference: Option<Side>,
        on_wait: impl FnOnce(),
        mut is_ready: impl FnMut() -> Result<bool, E>,
    ) -> Result<AssignedRole, E> {
        let ready = is_ready()?;
        let mut table = self.lock();
        let number = table.join(preference, ready);
        let mut on_wait = Some(on_wait);
        loop {
            let now = Instant::now();
            self.assign_and_notify(&mut table, now);
            if let Some(assigned) = table.assigned.iter().find(|one| one.number == number) {
                return Ok(AssignedRole { roles: self.clone(), number, side: assigned.side });
            }
            drop(table);
            if let Some(on_wait) = on_wait.take() {
                on_wait();
            }
            let ready = is_ready();
            table = self.lock();
            match ready {
                Err(error) => {
                    table.leave(number);
                    self.assign_and_notify(&mut table, Instant::now());
                    return Err(error);
                }
                Ok(ready) => {
                    let waiting = table.waiting.iter_mut().find(|one| one.number == number);
                    waiting.into_iter().for_each(|one| one.is_ready = ready);
                }
            }
            let release = table.next_release(now);
            let pause = release.map_or(POLL_INTERVAL, |at| {
                at.saturating_duration_since(Instant::now()).min(POLL_INTERVAL)
            });
            let is_waiting =
                |table: &mut RoleTable| table.assigned.iter().all(|one| one.number != number);
            table = unpoisoned(self.shared.1.wait_timeout_while(table, pause, is_waiting)).0;
        }
    }

    /// Begins a game of two ready agents.
    pub(super) fn begin_game(&self, players: [AssignedRole; 2]) {
        self.lock().is_playing = true;
        drop(players);
    }

    /// Ends the game. Both roles become free at the same moment.
    pub(super) fn end_game(&self) {
        let mut table = self.lock();
        table.is_playing = false;
        self.assign_and_notify(&mut table, Instant::now());
    }

    fn assign_and_notify(&self, table: &mut RoleTable, now: Instant) {
        if table.assign_free(now) {
            self.shared.1.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, RoleTable> {
        lock(&self.shared.0)
    }
}

impl AssignedRole {
    pub(super) fn set_ready(&self) {
        let mut table = self.roles.lock();
        let assigned = table.assigned.iter_mut().find(|one| one.number == self.number);
        assigned.into_iter().for_each(|one| one.is_ready = true);
    }
}

impl Drop for AssignedRole {
    fn drop(&mut self) {
        let mut table = self.roles.lock();
        table.leave(self.number);
        self.roles.assign_and_notify(&mut table, Instant::now());
    }
}

impl RoleTable {
    fn join(&mut self, preference: Option<Side>, is_ready: bool) -> u64 {
        self.last += 1;
        self.waiting.push(Waiting { number: self.last, preference, is_ready });
        self.last
    }

    fn leave(&mut self, number: u64) {
        self.waiting.retain(|one| one.number != number);
        self.assigned.retain(|one| one.number != number);
    }

    /// Assigns roles to waiting agents while any role can be assigned. Returns whether any was.
    fn assign_free(&mut self, now: Instant) -> bool {
        let mut any = false;
        while let Some((index, side)) = self.next(now) {
            let Waiting { number, is_ready, .. } = self.waiting.remove(index);
            self.assigned.push(Assignment { number, side, since: now, is_ready });
            any = true;
        }
        any
    }

    /// The index of the next waiting agent that gets a role, and the role.
    fn next(&self, now: Instant) -> Option<(usize, Side)> {
        if self.is_playing {
            return None;
        }
        let is_free = |side: Side, _: &Waiting| self.assigned.iter().all(|one| one.side != side);
        let is_released = |side: Side, one: &Waiting| {
            let [to_ready, to_all] = self.releases(side);
            let mut releases = to_ready.filter(|_| one.is_ready).into_iter().chain(to_all);
            !self.has_ready(side) && releases.any(|at| at <= now)
        };
        // An agent that prefers the other role gets a released one only if a ready agent has the
        // other role.
        self.find(is_free, |_| true)
            .or_else(|| self.find(is_released, |side| self.has_ready(side.other())))
    }

    /// The first waiting agent for which `fits` returns true, with the role: one that prefers the
    /// role, or else one without a preference, or else, if `others_too` allows it, one that prefers
    /// the other role. Ready agents come first.
    fn find(
        &self,
        fits: impl Fn(Side, &Waiting) -> bool,
        others_too: impl Fn(Side) -> bool,
    ) -> Option<(usize, Side)> {
        for suits in [
            |preference, side, _| preference == Some(side),
            |preference: Option<Side>, _, _| preference.is_none(),
            |_, _, others| others,
        ] {
            for side in Side::BOTH {
                let others = others_too(side);
                let first = |ready_only: bool| {
                    self.waiting.iter().position(|one| {
                        suits(one.preference, side, others)
                            && fits(side, one)
                            && (one.is_ready || !ready_only)
                    })
                };
                if let Some(index) = first(true).or_else(|| first(false)) {
                    return Some((index, side));
                }
            }
        }
        None
    }

    fn has_ready(&self, side: Side) -> bool {
        self.assigned.iter().any(|one| one.side == side && one.is_ready)
    }

    /// The times from which a role without a ready agent is assigned to the next ready agent, and
    /// to any agent. Both are `None` if the role is not assigned.
    fn releases(&self, side: Side) -> [Option<Instant>; 2] {
        let since = || self.assigned.iter().filter(|one| one.side == side).map(|one| one.since);
        let share = EXCLUSIVE_TIME / u32::try_from(since().count().max(1)).unwrap_or(u32::MAX);
        [since().min().map(|first| first + EXCLUSIVE_TIME), since().max().map(|last| last + share)]
    }

    /// The next time after `now` at which a role is released to another agent.
    fn next_release(&self, now: Instant) -> Option<Instant> {
        let unreleased =
            Side::BOTH.into_iter().filter(|side| !self.is_playing && !self.has_ready(*side));
        unreleased.flat_map(|side| self.releases(side)).flatten().filter(|at| *at > now).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOX: Option<Side> = Some(foxgame::rules::FOX);
    const SHEEP: Option<Side> = Some(foxgame::rules::SHEEP);

    /// The assigned roles with the numbers of their agents, which count from 1.
    fn assigned(table: &RoleTable) -> Vec<(u64, Option<Side>)> {
        table.assigned.iter().map(|one| (one.number, Some(one.side))).collect()
    }

    #[test]
    fn agents_that_prefer_a_role_come_first() {
        // The preferences in the order of arrival, and who gets FOX and SHEEP.
        let cases: [(&[Option<Side>], [u64; 2]); 6] = [
            (&[FOX, FOX, SHEEP], [1, 3]),
            (&[SHEEP, SHEEP, FOX, FOX], [3, 1]),
            (&[None, FOX, SHEEP], [2, 3]),
            (&[FOX, FOX, None], [1, 3]),
            (&[None, None, FOX], [3, 1]),
            (&[SHEEP, SHEEP], [2, 1]),
        ];
        for (preferences, [fox, sheep]) in cases {
            let mut table = RoleTable::default();
            preferences.iter().for_each(|&preference| _ = table.join(preference, false));
            table.assign_free(Instant::now());
            let mut found = assigned(&table);
            found.sort_by_key(|one| one.1 == SHEEP);
            assert_eq!(found, [(fox, FOX), (sheep, SHEEP)], "{preferences:?}");
        }
    }

    #[test]
    fn an_unready_agent_has_its_role_alone_for_a_limited_time() {
        let (mut table, start) = (RoleTable::default(), Instant::now());
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        table.join(FOX, false);
        table.join(FOX, false);
        (0..8).for_each(|_| _ = table.join(SHEEP, false));
        assert!(table.assign_free(start));
        assert_eq!(assigned(&table), [(1, FOX), (3, SHEEP)]);
        assert!(!table.assign_free(after(249)));
        assert_eq!(
            (table.next_release(start), table.next_release(after(250))),
            (Some(after(250)), None)
        );
        assert!(table.assign_free(after(250)));
        assert_eq!(assigned(&table)[2..], [(2, FOX), (4, SHEEP)]);
        // No other agent prefers FOX. Those that prefer SHEEP wait for it, each time shorter.
        assert!(!table.assign_free(after(374)) && table.assign_free(after(375)));
        assert!(!table.assign_free(after(458)) && table.assign_free(after(459)));
        assert_eq!(assigned(&table)[4..], [(5, SHEEP), (6, SHEEP)]);
        // Once a SHEEP is ready, the role is assigned no more, and the other agents may get FOX.
        table.assigned[1].is_ready = true;
        assert!(table.assign_free(after(5_000)));
        assert_eq!(assigned(&table)[6..], [(7, FOX)]);
        assert!(!table.assign_free(after(5_000)));
        table.is_playing = true;
        assert!(!table.assign_free(after(9_000)) && table.next_release(start).is_none());
    }

    #[test]
    fn ready_agents_come_before_unready_ones() {
        let (mut table, start) = (RoleTable::default(), Instant::now());
        for preference in [FOX, SHEEP, FOX, SHEEP, None] {
            table.join(preference, false);
        }
        table.assign_free(start);
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        table.assign_free(after(250));
        assert_eq!(assigned(&table), [(1, FOX), (2, SHEEP), (3, FOX), (4, SHEEP)]);
        for preference in [SHEEP, FOX, FOX] {
            table.join(preference, true);
        }
        // The time of the first assignment counts, however recent the last one is.
        assert!(table.assign_free(after(251)));
        assert_eq!(assigned(&table)[4..], [(7, FOX), (6, SHEEP)]);
        assert!(!table.assign_free(after(1_000)), "both roles are taken");
    }

    #[test]
    fn a_new_assignment_is_exclusive_even_against_ready_agents() {
        let (mut table, start) = (RoleTable::default(), Instant::now());
        table.join(FOX, false);
        table.assign_free(start);
        table.join(SHEEP, true);
        table.join(FOX, true);
        table.assign_free(start);
        assert_eq!(assigned(&table), [(1, FOX), (2, SHEEP)]);
        assert!(
            !table.assign_free(start + EXCLUSIVE_TIME / 2)
                && table.assign_free(start + EXCLUSIVE_TIME)
        );
        assert_eq!(assigned(&table)[2..], [(3, FOX)]);
    }

    #[test]
    fn a_role_given_up_is_assigned_to_the_next_agent() {
        let roles = Roles::default();
        let assign =
            |preference| roles.assign(preference, || (), || Ok::<bool, ()>(true)).ok().unwrap();
        let [fox, sheep] = [assign(FOX), assign(FOX)];
        assert_eq!((Some(fox.side), Some(sheep.side)), (FOX, SHEEP));
        let mut fox = Some(fox);
        let mut times = 0;
        let given_up = roles.assign(
            FOX,
            || (),
            || {
                times += 1;
                if times == 1 {
                    return Ok(true);
                }
                // The agent gets the role at the moment at which it gives up waiting.
                drop(fox.take());
                Err(())
            },
        );
        assert!(given_up.is_err() && times == 2);
        let fox = assign(None);
        assert_eq!(Some(fox.side), FOX);
        roles.begin_game([fox, sheep]);
        assert!(roles.lock().waiting.is_empty() && roles.lock().assigned.is_empty());
        roles.end_game();
        assert_eq!(Some(assign(SHEEP).side), SHEEP);
    }
}
