//! The listener to a search, and the control that stops a search by its time budget or its listener.

use crate::clock::{Budget, Clock};
use crate::search::{Control, Report};

/// An observer of a search that may show its iterations and may stop it.
pub trait Listener<M> {
    /// Called after each finished iteration.
    fn iteration(&mut self, report: &Report<M>) {
        let _ = report;
    }

    /// Returns `true` to stop the search at once, with the best move found so far. Polled every few hundred nodes.
    fn wants_stop(&mut self) -> bool {
        false
    }

    /// Called before a search, or an exact solution, whose table is smaller than the settings or the defaults ask for,
    /// because so much memory cannot be had. The sizes are in bytes.
    fn smaller_table(&mut self, asked: usize, had: usize) {
        let _ = (asked, had);
    }

    /// Whether the process ends after this search. The searcher's memory is then not freed: the system reclaims it as a
    /// whole, which costs less.
    fn is_last(&self) -> bool {
        false
    }
}

impl<M> Listener<M> for () {}

/// The factor by which the instability falls with each iteration that keeps the best move.
const INSTABILITY_DECAY: f64 = 0.6;

/// A [`Control`] that stops a search by its time budget or its listener.
pub(crate) struct BudgetControl<'a, M, L> {
    clock: &'a dyn Clock,
    budget: Option<Budget>,
    listener: &'a mut L,
    best: Option<M>,
    /// The instability of the best move: 1 when it has just changed, falling towards 0 with each iteration that keeps
    /// it.
    instability: f64,
}

impl<'a, M, L> BudgetControl<'a, M, L> {
    pub(crate) fn new(clock: &'a dyn Clock, budget: Option<Budget>, listener: &'a mut L) -> BudgetControl<'a, M, L> {
        BudgetControl { clock, budget, listener, best: None, instability: 1.0 }
    }
}

impl<M: Copy + PartialEq, L: Listener<M>> Control<M> for BudgetControl<'_, M, L> {
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
