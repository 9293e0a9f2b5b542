//! Players that run at the same time get disjoint shares of the processors, where there are enough.

use clock::priority;
use std::cell::RefCell;

thread_local! {
    /// Of this thread; empty for all processors.
    static SHARE: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Keeps this thread, one of `of` workers, and its players on a share of the processors; with fewer
/// processors than workers all share all.
pub fn take_share(worker: usize, of: usize) {
    let all = priority::processors();
    let size = all.len() / of.max(1);
    if of > 1 && size > 0 {
        keep(all[worker * size..(worker + 1) * size].to_vec());
    }
}

/// Keeps this thread and its players on the first processor of its share.
pub fn take_one() {
    keep(share().into_iter().take(1).collect());
}

fn keep(share: Vec<usize>) {
    priority::stay_on(&share);
    SHARE.set(share);
}

/// The processors of this thread's players; empty if the system does not say.
pub fn share() -> Vec<usize> {
    let own = SHARE.with_borrow(Vec::clone);
    if own.is_empty() { priority::processors() } else { own }
}

/// The half of this thread's share for a side of a game; all of it if it is a single processor.
pub fn half(side: usize) -> Vec<usize> {
    let share = share();
    let (first, second) = share.split_at(share.len() / 2);
    match (side, first.is_empty()) {
        (_, true) => share,
        (0, _) => first.to_vec(),
        _ => second.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_get_disjoint_shares_where_there_are_enough_processors() {
        let all = priority::processors();
        for workers in 1..=all.len() + 1 {
            let shares: Vec<Vec<usize>> = (0..workers)
                .map(|worker| {
                    std::thread::spawn(move || (take_share(worker, workers), share()).1)
                        .join()
                        .unwrap()
                })
                .collect();
            if workers > all.len() {
                assert!(shares.iter().all(|share| *share == all), "{shares:?}");
                continue;
            }
            let mut taken: Vec<usize> = shares.concat();
            taken.sort_unstable();
            taken.dedup();
            assert_eq!(taken.len(), workers * (all.len() / workers), "{shares:?}");
        }
    }

    #[test]
    fn two_players_of_a_game_get_halves_of_a_share() {
        let halves = |share: Vec<usize>| {
            SHARE.set(share);
            [half(0), half(1)]
        };
        assert_eq!(halves(vec![3, 4, 7]), [vec![3], vec![4, 7]]);
        assert_eq!(halves(vec![5]), [vec![5], vec![5]]);
    }
}
