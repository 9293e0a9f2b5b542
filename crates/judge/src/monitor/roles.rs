//! Who plays what: roles are dealt to those who wait for one, so that as many as can be get the one they asked for.

use engine::Side;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The two roles of the next game, and those who wait for one.
#[derive(Clone, Default)]
pub(super) struct Roles {
    shared: Arc<(Mutex<Table>, Condvar)>,
}

#[derive(Default)]
struct Table {
    taken: [bool; 2],
    /// Those who wait, in the order in which they came.
    waiting: Vec<Waiting>,
    /// The number of the next one.
    next: u64,
}

struct Waiting {
    number: u64,
    wish: Option<Side>,
    granted: Option<Side>,
}

/// The time between two looks after somebody who waits.
const PAUSE: Duration = Duration::from_millis(100);

impl Roles {
    /// Takes the role that is wished for if it is free, else the other one; waits until one is free, and meanwhile
    /// calls `attend` now and then, whose error ends the wait. `has_to_wait` is called first if there is none at once.
    pub(super) fn take<E>(
        &self,
        wish: Option<Side>,
        has_to_wait: impl FnOnce(),
        mut attend: impl FnMut() -> Result<(), E>,
    ) -> Result<Side, E> {
        let mut table = self.lock();
        let number = table.join(wish);
        self.deal(&mut table);
        let mut has_to_wait = Some(has_to_wait);
        loop {
            if let Some(side) = table.leave_with_role(number) {
                return Ok(side);
            }
            drop(table);
            if let Some(has_to_wait) = has_to_wait.take() {
                has_to_wait();
            }
            let attended = attend();
            table = self.lock();
            if let Err(error) = attended {
                if let Some(side) = table.leave(number) {
                    table.taken[side.index()] = false;
                    self.deal(&mut table);
                }
                return Err(error);
            }
            let nothing_yet = |table: &mut Table| table.granted(number).is_none();
            let waited = self.shared.1.wait_timeout_while(table, PAUSE, nothing_yet);
            table = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Gives roles back so that they may be taken again, all of them at the same moment: agents that wait for one of
    /// them get it before those that would rather have another.
    pub(super) fn free(&self, sides: &[Side]) {
        let mut table = self.lock();
        sides.iter().for_each(|side| table.taken[side.index()] = false);
        self.deal(&mut table);
    }

    fn deal(&self, table: &mut Table) {
        table.deal();
        self.shared.1.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn join(&mut self, wish: Option<Side>) -> u64 {
        self.next += 1;
        self.waiting.push(Waiting { number: self.next, wish, granted: None });
        self.next
    }

    fn granted(&self, number: u64) -> Option<Side> {
        self.waiting.iter().find(|waiting| waiting.number == number)?.granted
    }

    fn leave_with_role(&mut self, number: u64) -> Option<Side> {
        self.granted(number).and_then(|_| self.leave(number))
    }

    /// Ends the wait of a number; gives the role that was granted meanwhile.
    fn leave(&mut self, number: u64) -> Option<Side> {
        let index = self.waiting.iter().position(|waiting| waiting.number == number)?;
        self.waiting.remove(index).granted
    }

    /// Grants the free roles: to those who asked for them, then to those who take any, then to the others.
    fn deal(&mut self) {
        for suits in [|wish, side| wish == Some(side), |wish: Option<Side>, _| wish.is_none(), |_, _| true] {
            for side in Side::BOTH.into_iter().filter(|side| !self.taken[side.index()]).collect::<Vec<_>>() {
                let first = self.waiting.iter_mut().find(|one| one.granted.is_none() && suits(one.wish, side));
                if let Some(first) = first {
                    first.granted = Some(side);
                    self.taken[side.index()] = true;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foxgame::rules::{FOX, SHEEP};

    /// The roles that those who wait are granted in a deal of both, in the order in which they came.
    fn dealt(wishes: &[Option<Side>]) -> Vec<Option<Side>> {
        let mut table = Table::default();
        for &wish in wishes {
            table.join(wish);
        }
        table.deal();
        table.waiting.iter().map(|waiting| waiting.granted).collect()
    }

    #[test]
    fn whoever_asked_for_a_role_goes_before_those_who_did_not() {
        const FOX: Option<Side> = Some(foxgame::rules::FOX);
        const SHEEP: Option<Side> = Some(foxgame::rules::SHEEP);
        assert_eq!(dealt(&[FOX, FOX, SHEEP]), [FOX, None, SHEEP]);
        assert_eq!(dealt(&[SHEEP, SHEEP, FOX, FOX]), [SHEEP, None, FOX, None]);
        assert_eq!(dealt(&[None, FOX, SHEEP]), [None, FOX, SHEEP]);
        assert_eq!(dealt(&[FOX, FOX, None]), [FOX, None, SHEEP]);
        assert_eq!(dealt(&[None, None, FOX]), [SHEEP, None, FOX]);
        assert_eq!(dealt(&[SHEEP, SHEEP]), [SHEEP, FOX]);
        assert_eq!(dealt(&[FOX]), [FOX]);
    }

    #[test]
    fn whoever_leaves_gives_back_what_was_granted() {
        let roles = Roles::default();
        let patient = || Ok::<(), ()>(());
        assert_eq!(roles.take(Some(FOX), || (), patient), Ok(FOX));
        assert_eq!(roles.take(Some(FOX), || (), patient), Ok(SHEEP));
        let mut times = 0;
        let gone = roles.take(
            Some(FOX),
            || (),
            || {
                times += 1;
                // It is granted in the very moment in which it leaves.
                roles.free(&[FOX]);
                Err(())
            },
        );
        assert_eq!((gone, times), (Err(()), 1));
        assert_eq!(roles.take(None, || (), patient), Ok(FOX));
        assert!(roles.lock().waiting.is_empty());
    }
}
