//! The search for the whole strategy: depth first over the stages and every board that each of them can end with.

use super::Win;
use super::board::{distance, each_reply, mirrored_if};
use super::known::{Known, move_key};
use super::stage::{Effort, Found, StageSearch};
use super::wins::Wins;
use foxgeese::board::Board;
use foxgeese::moves::Move;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;

/// The progress of a search.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// For each open stage, the first one first: the number of its ends that are proven, and of all its ends.
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

/// A function called after each stage searched with what is known and the progress. The search stops if it returns
/// false.
pub(crate) type GoOn<'a> = dyn FnMut(&Known, &dyn Fn() -> Progress) -> bool + 'a;

/// The number of stages tried from one board with one effort.
const TRIES: usize = 12;

/// The result of looking for a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The win is found.
    Won,
    /// No win is found with the efforts of this level.
    GivenUp,
    /// The search was stopped.
    Stopped,
}

/// A search for a strategy, stage by stage.
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
    go_on: &'a mut GoOn<'a>,
}

impl<'a> Stages<'a> {
    /// Creates a search that starts from what is known and tries each stage of a level with one of the level's efforts
    /// after the other.
    pub(crate) fn new(known: Known, efforts: &'a dyn Fn(u8) -> Vec<Effort>, go_on: &'a mut GoOn<'a>) -> Stages<'a> {
        Stages {
            known,
            search: StageSearch::new(22),
            efforts,
            stages: 0,
            last_stage: u64::MAX,
            open: Vec::new(),
            line: Vec::new(),
            go_on,
        }
    }

    /// Looks for a win with the efforts of a level and in at most `stages` stages. A board that fails is given up only if
    /// all of its stages were searched.
    pub(crate) fn prove_within(&mut self, board: Board, level: u8, stages: u64) -> bool {
        self.last_stage = self.stages + stages;
        let answer = self.prove(board, level);
        self.last_stage = u64::MAX;
        answer == Answer::Won
    }

    /// Looks for a win of the flock, which is to move, with the efforts of a level. Everything found is in
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

    /// Searches for a stage and proves every board that it can end with; returns `None` if there is no stage.
    fn try_stage(&mut self, board: Board, level: u8, effort: Effort) -> Option<Answer> {
        if self.stages >= self.last_stage {
            return Some(Answer::Stopped);
        }
        self.stages += 1;
        let found = self.search.run(board, &self.known, effort);
        let Stages { known, search, stages, open, line, go_on, .. } = self;
        let progress = || Progress {
            open: open.clone(),
            line: line.clone(),
            stages: *stages,
            nodes: search.total_nodes,
            wins: known.wins.len(),
            dead: known.dead.len(),
        };
        if !go_on(known, &progress) {
            return Some(Answer::Stopped);
        }
        let found = found?;
        let mut walk = Walk { known: &self.known, found: &found, seen: HashSet::new(), inside: vec![], ends: vec![] };
        walk.follow(board);
        let (inside, mut ends) = (walk.inside, walk.ends);
        // The ends that are farthest from the goal come first, to fail early.
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

    /// Keeps a win all of whose replies are known to be won. If its line is too long for an entry of [`Wins`], its
    /// move is banned instead. Returns whether the board is now known to be won.
    fn keep(&mut self, board: Board, mv: Move) -> bool {
        let known = &mut self.known;
        let (packed, image) = board.canonical();
        let moves = known.wins.moves_after(board, mv).expect("every reply of a kept win is known");
        let win = Win { moves, mv };
        if moves > Wins::MOST_MOVES {
            known.banned.insert(move_key(packed, mirrored_if(image, mv)));
            return false;
        }
        known.wins.insert(board, win);
        true
    }
}

/// A walk along the boards of a stage.
struct Walk<'a> {
    known: &'a Known,
    found: &'a Found,
    seen: HashSet<u64>,
    /// The boards inside the stage with the flock's move, each after the boards that it leads to.
    inside: Vec<(Board, Move)>,
    /// The boards that the stage ends with.
    ends: Vec<Board>,
}

impl Walk<'_> {
    fn follow(&mut self, board: Board) {
        let (packed, image) = board.canonical();
        if self.known.wins.moves(packed).is_some() || !self.seen.insert(packed) {
            return;
        }
        let Some(&(_, mv)) = self.found.get(&packed) else {
            self.ends.push(board);
            return;
        };
        let mv = mirrored_if(image, mv);
        each_reply(board.after_goose(mv), |next| self.follow(next));
        self.inside.push((board, mv));
    }
}
