//! Limits on what one person does at the same time, so that nobody takes the whole server.

use clock::lock;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The number of activities of each person that are going on, by the id of the person.
#[derive(Clone, Default)]
pub(crate) struct Busy(Arc<Mutex<HashMap<i64, usize>>>);

/// One activity of a person, such as an upload; it counts until this value is dropped.
pub(super) struct Doing {
    busy: Busy,
    person: i64,
}

impl Busy {
    /// Begins an activity of a person. Returns `None` if `most` of them are going on already.
    pub(super) fn begin(&self, person: i64, most: usize) -> Option<Doing> {
        let mut all = lock(&self.0);
        let count = all.entry(person).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Doing { busy: self.clone(), person })
    }
}

impl Drop for Doing {
    fn drop(&mut self) {
        let mut all = lock(&self.busy.0);
        if let Some(count) = all.get_mut(&self.person) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.person);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_does_so_many_things_at_once() {
        let busy = Busy::default();
        let one = busy.begin(1, 2);
        let two = busy.begin(1, 2);
        assert!(
            one.is_some()
                && two.is_some()
                && busy.begin(1, 2).is_none()
                && busy.begin(2, 2).is_some()
        );
        drop(one);
        assert!(busy.begin(1, 2).is_some());
        drop(two);
        assert!(busy.0.lock().unwrap().is_empty());
    }
}
