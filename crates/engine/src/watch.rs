//! What ends a search: its budget, and whoever listens to it.

use crate::clock::{Budget, Clock};
use crate::search::{Control, Report};

/// A listener to a search: it may show the iterations, and may end the search.
pub trait Listener<M> {
    /// Called after each finished iteration.
    fn iteration(&mut self, report: &Report<M>) {
        let _ = report;
    }

    /// Asked every few hundred nodes: `true` ends the thinking at once, with the best move found so far.
    fn wants_stop(&mut self) -> bool {
        false
    }

    /// Whether the process ends after this thinking: the system then takes the search's memory back as a whole, which costs
    /// less than to give it back piece by piece.
    fn is_last(&self) -> bool {
        false
    }
}

impl<M> Listener<M> for () {}

/// By how much the instability falls with each iteration that keeps the best move.
const INSTABILITY_DECAY: f64 = 0.6;

/// Keeps a search to its budget and its listener.
pub(crate) struct Watch<'a, M, L> {
    clock: &'a dyn Clock,
    budget: Option<Budget>,
    listener: &'a mut L,
    best: Option<M>,
    /// The instability of the best move: 1 when it has just changed, nearer to 0 with each iteration that keeps it.
    instability: f64,
}

impl<'a, M, L> Watch<'a, M, L> {
    pub(crate) fn new(clock: &'a dyn Clock, budget: Option<Budget>, listener: &'a mut L) -> Watch<'a, M, L> {
        Watch { clock, budget, listener, best: None, instability: 1.0 }
    }
}

impl<M: Copy + PartialEq, L: Listener<M>> Control<M> for Watch<'_, M, L> {
    fn stop_now(&mut self) -> bool {
        self.budget.is_some_and(|budget| self.clock.used() >= budget.hard) || self.listener.wants_stop()
    }

    fn stop_after(&mut self, report: &Report<M>) -> bool {
        self.instability = if self.best == Some(report.best) { self.instability * INSTABILITY_DECAY } else { 1.0 };
        self.best = Some(report.best);
        self.listener.iteration(report);
        self.budget.is_some_and(|budget| budget.stop_after(self.clock.used(), self.instability))
    }
}
