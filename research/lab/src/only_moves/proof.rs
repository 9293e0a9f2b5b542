//! Proofs by full-width search: a score counts only where the search has followed every line to the
//! end of the game.

use super::sources::Source;
use engine::score::distance_to_end;
use engine::search::{Limits, Mode, Observer, Report, Score, Searcher};
use engine::think::default_knowledge;
use engine::{Game, Playable};

/// The nodes after which a proof is given up.
const MOST_NODES: u64 = 400_000;
/// The nodes of the selective search that decides whether a proof is tried.
const GLANCE: Limits = Limits { depth: 64, nodes: 4_000 };

/// A search that proves results.
pub(crate) struct Prover<G: Playable> {
    searcher: Searcher<G, G::Knowledge>,
    /// The search of [`Prover::looks_decided`].
    glance: Searcher<G, G::Knowledge>,
}

/// The only move of a position.
pub(crate) struct OnlyMove<M> {
    /// The move.
    pub(crate) mv: M,
    /// The result that it keeps, with the length of the game or the margin, for the side to move.
    pub(crate) score: Score,
    /// The nodes after which the search from the position holds to this move.
    pub(crate) nodes: u64,
}

/// Notes from how many nodes on a search holds to its best move.
#[derive(Default)]
struct Settled<M> {
    best: Option<M>,
    nodes: u64,
}

impl<M: Copy + PartialEq> Observer<M> for Settled<M> {
    fn iteration(&mut self, report: &Report<M>) {
        if self.best != Some(report.best) {
            *self = Settled { best: Some(report.best), nodes: report.nodes };
        }
    }
}

impl<G: Source> Prover<G> {
    pub(crate) fn new() -> Self {
        let searcher = |mode, table| Searcher::new(default_knowledge::<G>(), mode, table);
        Prover {
            searcher: searcher(Mode::FullWidth, 4 << 20),
            glance: searcher(Mode::Selective, 1 << 20),
        }
    }

    /// The proven result of a position for the side to move, with the best move: a winning one that
    /// is quickest, or a losing one that lasts longest. `None` if the game is over, or nothing is
    /// proven.
    pub(crate) fn result(&mut self, position: &G, among: &[G::Move]) -> Option<(G::Move, Score)> {
        let report = self.searcher.run_among(position, among, Self::limits(), &mut ())?;
        report.proven.then_some((report.best, report.score))
    }

    /// The position that ends the game by best play of both sides; `None` if a proof does not reach
    /// it.
    pub(crate) fn end(&mut self, position: &G) -> Option<G> {
        let mut here = position.clone();
        while !is_over(&here) {
            let (mv, _) = self.result(&here, &here.legal_moves())?;
            here.play(mv);
        }
        Some(here)
    }

    const fn limits() -> Limits {
        Limits { depth: G::DEPTH, nodes: MOST_NODES }
    }

    /// The best move of a position among some by a search of `plies` plies, and the proven result,
    /// if there is one: without one nobody wins by force within these plies. `None` if the search
    /// takes too many nodes.
    fn holds(
        &mut self,
        position: &G,
        among: &[G::Move],
        plies: u32,
    ) -> Option<(G::Move, Option<Score>)> {
        let limits = Limits { depth: plies, nodes: MOST_NODES };
        let report = self.searcher.run_among(position, among, limits, &mut ())?;
        (report.proven || report.depth >= plies)
            .then_some((report.best, report.proven.then_some(report.score)))
    }

    /// The only move of a position: it wins, and every other move loses or, by the game's exact
    /// tables, draws. With [`Source::IN_TIME`] another move may also come to nothing: no win within
    /// one move more.
    pub(crate) fn only_move(&mut self, position: &G) -> Option<OnlyMove<G::Move>> {
        let mut moves = position.legal_moves();
        let by_tables =
            if moves.len() < 2 { Some(false) } else { Self::by_tables(position, &moves) };
        if by_tables == Some(false) {
            return None;
        }
        if by_tables.is_none() && !self.looks_decided(position, &moves) {
            return None;
        }
        let mut settled = Settled { best: None, nodes: 0 };
        let report = self.searcher.run(position, Self::limits(), &mut settled)?;
        if !report.proven || report.score <= 0 {
            return None;
        }
        moves.retain(|&mv| mv != report.best);
        let is_only = match distance_to_end(report.score) {
            Some(plies) if G::IN_TIME => {
                self.holds(position, &moves, plies + 2)?.1.is_none_or(|score| score < 0)
            }
            _ => by_tables == Some(true) || self.result(position, &moves)?.1 < 0,
        };
        is_only.then_some(OnlyMove { mv: report.best, score: report.score, nodes: settled.nodes })
    }

    /// Whether a short selective search sees a win near enough for a proof, and that without its
    /// move the game is lost. It saves proofs that fail, which cost a hundred times as much, and
    /// says nothing of games that are won by points.
    fn looks_decided(&mut self, position: &G, moves: &[G::Move]) -> bool {
        if G::UNIT == "points" {
            return true;
        }
        let near = |score| distance_to_end(score).is_some_and(|plies| plies <= G::DEPTH);
        let Some(best) = self.glance.run(position, GLANCE, &mut ()) else { return false };
        if best.score <= 0 || !near(best.score) {
            return false;
        }
        let others: Vec<G::Move> = moves.iter().copied().filter(|&mv| mv != best.best).collect();
        let Some(other) = self.glance.run_among(position, &others, GLANCE, &mut ()) else {
            return false;
        };
        if G::IN_TIME {
            other.score <= 0 || distance_to_end(other.score).is_none()
        } else {
            other.score < 0
        }
    }

    /// Whether the game's exact tables say that one move wins and no other: they answer at once.
    /// `None` if they do not have a position.
    fn by_tables(position: &G, moves: &[G::Move]) -> Option<bool> {
        let side = position.side_to_move();
        let mut winning = 0;
        for &mv in moves {
            let after = position.after(mv);
            let outcome =
                after.outcome().or_else(|| G::proven(&after).map(|known| known.outcome))?;
            winning += usize::from(outcome.winner() == Some(side));
        }
        Some(winning == 1)
    }

    /// The best answer to a move that does not win, and what it comes to; no answer if the move has
    /// ended the game. `best` is the score of the move that wins.
    pub(crate) fn refutation(
        &mut self,
        position: &G,
        mv: G::Move,
        best: Score,
    ) -> Option<(Option<G::Move>, Refuted)> {
        let after = position.after(mv);
        if let Some(outcome) = after.outcome() {
            return (outcome.winner() == Some(after.side_to_move()))
                .then_some((None, Refuted::Lost(0)));
        }
        if let Some(plies) = distance_to_end(best).filter(|_| G::IN_TIME) {
            return match self.holds(&after, &after.legal_moves(), plies + 1)? {
                (reply, None) => Some((Some(reply), Refuted::NotInTime)),
                (reply, Some(score)) => {
                    (score > 0).then_some((Some(reply), Refuted::Lost(amount(score))))
                }
            };
        }
        if let Some((reply, score)) = self.result(&after, &after.legal_moves()) {
            return (score > 0).then_some((Some(reply), Refuted::Lost(amount(score))));
        }
        let known = G::proven(&after)?;
        let refuted =
            if known.outcome.winner().is_some() { Refuted::LostLater } else { Refuted::Drawn };
        Some((Some(known.best?), refuted))
    }
}

/// The proven result of a move that does not win.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Refuted {
    /// A loss, proven by search, in the unit of the game's file.
    Lost(u32),
    /// A loss by the exact tables, farther away than a search sees.
    LostLater,
    /// A draw by the exact tables.
    Drawn,
    /// No win after the answer within as many plies as the right move takes.
    NotInTime,
}

/// A result in the unit of the game's file: plies to the end, or points.
pub(crate) fn amount(score: Score) -> u32 {
    distance_to_end(score).unwrap_or(score.unsigned_abs())
}

/// Whether a position is the end of a game.
pub(crate) fn is_over<G: Game>(position: &G) -> bool {
    position.outcome().is_some()
}
