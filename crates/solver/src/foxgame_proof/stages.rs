//! The search for the whole strategy, stage by stage: depth first, over every board that a stage can end with.

use super::board::{after_sheep, canonical, each_reply, mirrored};
use super::known::{Known, step_key};
use super::repeat::brings_back;
use super::stage::{Effort, Found, StageSearch, distance};
use super::won::{MOST_STEPS, Win};
use foxgame::board::Board;
use foxgame::rules::Move;
use std::cmp::Reverse;
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
pub(crate) type Tell<'a> = dyn FnMut(&Known, Progress) -> bool + 'a;

/// The number of stages tried from one board at one level.
const TRIES: usize = 12;

/// The outcome of looking for a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The win is found.
    Won,
    /// No win is found with the effort of this level.
    GivenUp,
    /// The search was told to stop.
    Stopped,
}

/// The search's state.
pub(crate) struct Stages<'a> {
    /// The won positions and the boards given up so far.
    pub known: Known,
    search: StageSearch,
    effort: &'a dyn Fn(u8) -> Effort,
    stages: u64,
    open: Vec<(usize, usize)>,
    line: Vec<Board>,
    tell: &'a mut Tell<'a>,
}

impl<'a> Stages<'a> {
    /// A search from what is known, with an effort for each level.
    pub(crate) fn new(known: Known, effort: &'a dyn Fn(u8) -> Effort, tell: &'a mut Tell<'a>) -> Stages<'a> {
        Stages { known, search: StageSearch::new(22), effort, stages: 0, open: Vec::new(), line: Vec::new(), tell }
    }

    /// Looks for a win of SHEEP, who is to move, with the effort of a level. All that is found is in [`Stages::known`].
    pub(crate) fn prove(&mut self, board: Board, level: u8) -> Answer {
        let packed = canonical(board).0;
        if self.known.wins.moves(packed).is_some() {
            return Answer::Won;
        }
        if self.known.dead.get(&packed).is_some_and(|&given_up| given_up >= level) {
            return Answer::GivenUp;
        }
        for _ in 0..TRIES {
            match self.try_stage(board, level) {
                Some(Answer::GivenUp) => {}
                Some(answer) => return answer,
                None => break,
            }
        }
        self.known.dead.insert(packed, level);
        Answer::GivenUp
    }

    /// Finds a stage, and proves all that it can end with; `None` if there is no stage.
    fn try_stage(&mut self, board: Board, level: u8) -> Option<Answer> {
        self.stages += 1;
        let found = self.search.run(board, &self.known, (self.effort)(level));
        let progress = Progress {
            open: self.open.clone(),
            line: self.line.clone(),
            stages: self.stages,
            nodes: self.search.total_nodes,
            wins: self.known.wins.len(),
            dead: self.known.dead.len(),
        };
        if !(self.tell)(&self.known, progress) {
            return Some(Answer::Stopped);
        }
        let found = found?;
        let mut walk = Walk { known: &self.known, found: &found, seen: HashSet::new(), inside: vec![], ends: vec![] };
        walk.follow(board);
        let (inside, mut ends) = (walk.inside, walk.ends);
        // The ends that look worst come first, to fail early.
        ends.sort_by_cached_key(|&end| Reverse(distance(end)));
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

    /// Keeps a win all of whose replies are known to be won, unless a line could bring back a board or is too long: then
    /// its step is banned. Whether the board is known to be won.
    fn keep(&mut self, board: Board, mv: Move) -> bool {
        let known = &mut self.known;
        let (packed, image) = canonical(board);
        if known.wins.moves(packed).is_some() {
            return true;
        }
        let mut most = 0;
        each_reply(after_sheep(board, mv), |next| {
            let win = known.wins.get(next);
            most = most.max(win.expect("every reply of a kept win is known").moves);
        });
        let win = Win { moves: most + 1, mv };
        if win.moves > MOST_STEPS || brings_back(&known.wins, board, win) {
            known.banned.insert(step_key(packed, if image { mirrored(mv) } else { mv }));
            return false;
        }
        known.wins.insert(board, win);
        true
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
        let (packed, image) = canonical(board);
        if self.known.wins.moves(packed).is_some() || !self.seen.insert(packed) {
            return;
        }
        let Some(&(_, mv)) = self.found.get(&packed) else {
            self.ends.push(board);
            return;
        };
        let mv = if image { mirrored(mv) } else { mv };
        each_reply(after_sheep(board, mv), |next| self.follow(next));
        self.inside.push((board, mv));
    }
}
