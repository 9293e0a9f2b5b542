//! Tests of the choice of a move: the knowledge that it searches with.

use crate::heap::{Heap, Mistake};
use engine::clock::NoClock;
use engine::search::{Knowledge, Observer, Score};
use engine::think::{Algorithm, BetterSearch, LimitKind, Plan, Settings, think, think_observed};
use engine::{Advice, Ask, InputError, OneRuleSet, Playable, Protocol, Side, Task, Violation};
use std::cell::RefCell;

thread_local! {
    /// The kinds of limit that knowledge for [`Heap`] was made for, one for each call.
    static MADE: RefCell<Vec<LimitKind>> = const { RefCell::new(Vec::new()) };
    /// The advice for [`Heap`].
    static ADVICE: RefCell<Option<Plan<u8>>> = const { RefCell::new(None) };
}

impl Protocol for Heap {
    const NAME: &'static str = "heap";
    const TITLE: &'static str = "The heap of matches";
    const SIDES: [&'static str; 2] = ["LEFT", "RIGHT"];
    type Rules = OneRuleSet;

    fn start(_: OneRuleSet) -> Heap {
        Heap::new(18, Side::First, Mistake::None)
    }

    fn read_task(_: &str, _: OneRuleSet) -> Result<Task<Heap>, InputError> {
        unreachable!("no text is read")
    }

    fn write_task(_: &Task<Heap>) -> String {
        unreachable!("no text is written")
    }

    fn write_move(&self, taken: u8) -> String {
        taken.to_string()
    }

    fn read_move(&self, _: &str) -> Result<u8, Violation> {
        unreachable!("no text is read")
    }
}

#[derive(Clone, Default)]
pub(crate) struct NoEstimate;

impl Knowledge<Heap> for NoEstimate {
    fn evaluate(&self, _: &Heap) -> Score {
        0
    }
}

impl Playable for Heap {
    type Knowledge = NoEstimate;
    type Own = ();

    fn knowledge((): &(), limit: LimitKind) -> NoEstimate {
        MADE.with_borrow_mut(|made| made.push(limit));
        NoEstimate
    }

    fn advise(_: &Ask<Heap>) -> Advice<u8> {
        ADVICE.with_borrow(|advice| advice.clone().map_or(Advice::Nothing, Advice::Plan))
    }
}

#[test]
fn the_knowledge_of_a_search_is_made_once_and_for_what_limits_the_search() {
    let task = Task::single(Heap::start(OneRuleSet));
    let timed = Settings::default();
    for (settings, expected) in [
        (timed.clone(), LimitKind::Clock),
        (Settings::with_nodes(10_000), LimitKind::Count),
        (Settings { depth: Some(18), ..timed.clone() }, LimitKind::Count),
        (Settings { full_width: true, ..timed.clone() }, LimitKind::Count),
        (Settings { algorithm: Algorithm::Greedy, ..timed }, LimitKind::Count),
    ] {
        MADE.take();
        think(&task, &settings, &NoClock);
        assert_eq!(MADE.take(), [expected], "{settings:?}");
    }
}

/// The sizes of tables that a search asked for and could not get.
struct Refused(Vec<usize>);

impl Observer<u8> for Refused {
    fn smaller_table(&mut self, asked: usize, had: usize) {
        assert!(had < asked);
        self.0.push(asked);
    }
}

#[test]
#[cfg(all(target_pointer_width = "64", not(miri)))]
fn an_observer_hears_of_a_table_that_cannot_be_had_and_the_move_is_the_same() {
    let task = Task::single(Heap::start(OneRuleSet));
    let found = [64, 1 << 30].map(|hash| {
        let settings = Settings { hash_mib: Some(hash), ..Settings::with_nodes(2_000) };
        let mut refused = Refused(vec![]);
        let best = think_observed(&task, &settings, &NoClock, &mut refused).best;
        (best, refused.0)
    });
    assert_eq!(found, [(2, vec![]), (2, vec![1 << 50])]);
}

/// Thinks about a heap of so many matches with a plan to take one each time, unless a search of
/// these moves counts.
fn with_plan(matches: u8, unless: Option<BetterSearch<u8>>, depth: u32) -> (u8, Vec<u8>, bool) {
    let task = Task::single(Heap::new(matches, Side::First, Mistake::None));
    ADVICE.set(Some(Plan { moves: vec![1, 1, 1], why: "one each time".into(), unless }));
    let report = think(&task, &Settings { depth: Some(depth), ..Settings::default() }, &NoClock);
    ADVICE.set(None);
    assert!(report.advice.is_some() != report.search.is_some());
    (report.best, report.later, report.search.is_some())
}

#[test]
fn a_plan_is_followed_unless_a_search_is_deep_enough_or_proves_a_win() {
    let search = |depth| Some(BetterSearch { among: vec![1, 2, 3], depth });
    // Of 6 matches 2 are to be taken, which leaves 4; a search of 3 plies proves it, one of 2 does
    // not.
    assert_eq!(with_plan(6, None, 3), (1, vec![1, 1], false));
    assert_eq!(with_plan(6, search(u32::MAX), 3), (2, vec![], true));
    assert_eq!(with_plan(6, search(u32::MAX), 2), (1, vec![1, 1], false));
    assert!(with_plan(6, search(2), 2).2);
    // Of 8 matches every number loses: a proof of that is none to play by.
    assert_eq!(with_plan(8, search(u32::MAX), 8), (1, vec![1, 1], false));
    // The search chooses among the moves that it is given.
    assert_ne!(with_plan(6, Some(BetterSearch { among: vec![1, 3], depth: 2 }), 2).0, 2);
}
