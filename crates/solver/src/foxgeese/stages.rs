//! The search for the whole strategy, stage by stage: depth first, over every board that a stage can end with.

use super::known::Known;
use super::shorten::moves_after;
use super::stage::{Effort, Found, StageSearch, distance};
use super::won::{MOST_KEPT, Win};
use foxgeese::board::Board;
use foxgeese::moves::Move;
use std::collections::HashSet;
use std::fmt;

/// The progress of a search.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// The stages entered and not yet left, the first one first: ends proven, and ends in all.
    pub open: Vec<(usize, usize)>,
    /// The boards that these stages begin with.
    pub line: Vec<Board>,
    /// The number of stages searched.
    pub stages: u64,
    /// The nodes of all searches.
    pub nodes: u64,
    /// The number of won positions known.
    pub wins: usize,
    /// The number of boards given up.
    pub dead: usize,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { open, stages, nodes, wins, dead, .. } = self;
        write!(f, "{wins} won positions, {stages} stages searched, {nodes} nodes, {dead} boards given up; ")?;
        write!(f, "{} stages deep, ends proven:", open.len())?;
        open.iter().try_for_each(|(proven, all)| write!(f, " {proven}/{all}"))
    }
}

/// A listener to the search: hears, after each stage searched, what is known and how far the search has come, and says
/// whether to go on.
pub(crate) type Tell<'a> = dyn FnMut(&Known, &dyn Fn() -> Progress) -> bool + 'a;

/// The number of stages tried from one board with one effort.
const TRIES: usize = 12;

/// The outcome of looking for a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The win is found.
    Won,
    /// No win is found with the efforts of this level.
    GivenUp,
    /// The search was told to stop.
    Stopped,
}

/// The search's state.
pub(crate) struct Stages<'a> {
    /// The won positions and the boards given up so far.
    pub known: Known,
    search: StageSearch,
    efforts: &'a dyn Fn(u8) -> Vec<Effort>,
    stages: u64,
    /// The number of stages after which none is begun.
    last_stage: u64,
    open: Vec<(usize, usize)>,
    line: Vec<Board>,
    tell: &'a mut Tell<'a>,
}

impl<'a> Stages<'a> {
    /// A search from what is known that tries each stage of a level with one effort after the other, and calls `tell` after
    /// each stage searched.
    pub(crate) fn new(known: Known, efforts: &'a dyn Fn(u8) -> Vec<Effort>, tell: &'a mut Tell<'a>) -> Stages<'a> {
        Stages {
            known,
            search: StageSearch::new(22),
            efforts,
            stages: 0,
            last_stage: u64::MAX,
            open: Vec::new(),
            line: Vec::new(),
            tell,
        }
    }

    /// Looks for a win with the efforts of a level and in at most `stages` stages. A board that fails is given up
    /// only if all of its stages were searched.
    pub(crate) fn prove_within(&mut self, board: Board, level: u8, stages: u64) -> bool {
        self.last_stage = self.stages + stages;
        let answer = self.prove(board, level);
        self.last_stage = u64::MAX;
        answer == Answer::Won
    }

    /// Looks for a win of the geese, who are to move, with the efforts of a level. All that is found is in
    /// [`Stages::known`].
    pub(crate) fn prove(&mut self, board: Board, level: u8) -> Answer {
        let packed = board.canonical().0;
        if self.known.wins.moves(packed).is_some() {
            return Answer::Won;
        }
        if self.known.is_dead(packed, level) {
            return Answer::GivenUp;
        }
        for effort in (self.efforts)(level) {
            for _ in 0..TRIES {
                match self.try_stage(board, level, effort) {
                    Some(Answer::GivenUp) => {}
                    Some(answer) => return answer,
                    None => break,
                }
            }
        }
        self.known.dead.insert(packed, level);
        Answer::GivenUp
    }

    /// Finds a stage, and proves all that it can end with; `None` if there is no stage.
    fn try_stage(&mut self, board: Board, level: u8, effort: Effort) -> Option<Answer> {
        if self.stages >= self.last_stage {
            return Some(Answer::Stopped);
        }
        self.stages += 1;
        let found = self.search.run(board, &self.known, effort);
        let Stages { known, search, stages, open, line, tell, .. } = self;
        let progress = || Progress {
            open: open.clone(),
            line: line.clone(),
            stages: *stages,
            nodes: search.total_nodes,
            wins: known.wins.len(),
            dead: known.dead.len(),
        };
        if !tell(known, &progress) {
            return Some(Answer::Stopped);
        }
        let found = found?;
        let mut walk = Walk { known: &self.known, found: &found, seen: HashSet::new(), inside: vec![], ends: vec![] };
        walk.follow(board);
        let (inside, mut ends) = (walk.inside, walk.ends);
        // The ends that look worst come first, to fail early.
        ends.sort_by_key(|end| std::cmp::Reverse(distance(*end, end.region())));
        self.open.push((0, ends.len()));
        self.line.push(board);
        let mut answer = Answer::Won;
        for end in ends {
            answer = self.prove(end, level);
            if answer != Answer::Won {
                break;
            }
            self.open.last_mut().expect("this stage is open").0 += 1;
        }
        self.open.pop();
        self.line.pop();
        if answer == Answer::Won && !inside.into_iter().all(|(board, mv)| self.keep(board, mv)) {
            answer = Answer::GivenUp;
        }
        Some(answer)
    }

    /// Keeps a win all of whose replies are known to be won, unless its line is too long to be written down. Whether it is
    /// kept.
    fn keep(&mut self, board: Board, mv: Move) -> bool {
        let moves = moves_after(&self.known.wins, board, mv).expect("every reply of a kept win is known");
        let kept = moves <= MOST_KEPT;
        if kept {
            self.known.wins.insert(board, Win { moves, mv });
        }
        kept
    }
}

/// A walk along a stage's way, which collects the boards on it, those near its end first, and the boards it ends with.
struct Walk<'a> {
    known: &'a Known,
    found: &'a Found,
    seen: HashSet<u64>,
    inside: Vec<(Board, Move)>,
    ends: Vec<Board>,
}

impl Walk<'_> {
    fn follow(&mut self, board: Board) {
        let (packed, mirrored) = board.canonical();
        if self.known.wins.moves(packed).is_some() || !self.seen.insert(packed) {
            return;
        }
        let Some(&(_, mv)) = self.found.get(&packed) else {
            self.ends.push(board);
            return;
        };
        let mv = if mirrored { mv.mirrored() } else { mv };
        let after = board.after_goose(mv);
        if !after.square_is_full() && !after.foxes_are_blocked() {
            after.each_fox_move(|reply| self.follow(after.after_fox(reply)));
        }
        self.inside.push((board, mv));
    }
}
