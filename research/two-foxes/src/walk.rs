//! SHEEP's win from the start, walked by the rules that agents play by: every move of FOX, one
//! reply of SHEEP to each.
//!
//! A step ahead is preferred: it can never be taken back. Among several the one to a flock that the
//! walk has come to already, then the one to the flock with the fewest sets of foxes against which
//! SHEEP does not win: so the walk stays small. Where only sideways steps win, the reply is one
//! after which the fewest further sideways steps are needed before a step ahead wins, whatever FOX
//! does. That number falls with each of them, so that the walk has no circle and ends.
//!
//! **The deadlock rule** lets a side lose that makes a board come back, whoever is to move. A step
//! ahead makes a board that was never there. A sideways step could make one that FOX's move had
//! made before, from where SHEEP went on by sideways steps as well. Such pairs of positions are
//! counted: without any the win holds by the whole rules. A board that FOX makes come back loses
//! for FOX.

use super::check::{Value, fox_to_move, not_won};
use super::store::{Store, sheep_and_sum};
use anyhow::{Result, bail, ensure};
use engine::Game;
use foxgame::board::{Board, PointSet};
use foxgame::endings::index::{code, mirror, profile};
use foxgame::rules::{FOX, Position, SHEEP};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use terminal::interrupt;

/// The most sideways steps in a row that are looked for.
const MOST_SIDEWAYS: u8 = 60;

/// Returns a board's layer.
fn place(board: Board) -> Place {
    sheep_and_sum(profile(board.sheep))
}

/// Returns a board or its mirror image, always the same one of the two.
fn canonical(board: Board) -> Board {
    let image = Board { foxes: mirror(board.foxes), sheep: mirror(board.sheep) };
    if (image.sheep.bits(), image.foxes.bits()) < (board.sheep.bits(), board.foxes.bits()) {
        image
    } else {
        board
    }
}

/// Returns the sheep of a board or of its mirror image, always the same of the two.
fn flock(board: Board) -> PointSet {
    canonical(Board { foxes: PointSet::EMPTY, sheep: board.sheep }).sheep
}

/// Returns the different positions after each move.
fn after_moves(position: &Position) -> Vec<Position> {
    let mut seen = HashSet::new();
    let mut list = Vec::new();
    for mv in position.legal_moves() {
        let after = Position::new(position.board(), position.side_to_move()).after(mv);
        if seen.insert(after.board()) {
            list.push(Position::new(after.board(), after.side_to_move()));
        }
    }
    list
}

/// A move of SHEEP that answers a move of FOX.
#[derive(Clone, Copy, Debug)]
struct Reply {
    /// The board after it.
    board: Board,
    /// Sideways steps that SHEEP needs from here on, this one included, before it steps ahead; 0
    /// for a step ahead.
    sideways: u8,
    /// Whether it ends the game.
    ends: bool,
}

/// The sideways steps that positions of a layer need: at most the first number, and more than the
/// second.
type Needs = HashMap<Board, (u8, i16)>;

/// A layer: the number of sheep and the sum of their rows. The walk comes to smaller ones only.
type Place = (u32, u32);

/// The counts of the walk in a layer.
#[derive(Default)]
struct Reached {
    /// With FOX to move.
    fox: HashSet<Board>,
    /// With SHEEP to move after captures.
    sheep: HashSet<Board>,
    /// The flocks that SHEEP's steps ahead lead to.
    flocks: HashSet<PointSet>,
}

/// The state of a walk, which visits the largest layer first.
struct Walker<'a> {
    store: &'a Store,
    needs: Needs,
    layers: BTreeMap<Place, Reached>,
    most: usize,
    totals: Totals,
}

/// The counts of a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Positions with FOX to move; mirror images count once.
    pub positions: usize,
    /// Positions with SHEEP to move, each with a reply.
    pub replies: usize,
    /// Replies that are sideways steps.
    pub sideways: usize,
    /// The most sideways steps in a row.
    pub in_a_row: u8,
    /// Sideways steps onto a board from which SHEEP might have come by sideways steps.
    pub doubtful: usize,
}

impl Walker<'_> {
    fn is_won(&self, position: &Position) -> Result<bool> {
        match position.outcome() {
            Some(outcome) => Ok(outcome.winner() == Some(SHEEP)),
            None => Ok(fox_to_move(self.store, position.board())? == Value::Won),
        }
    }

    /// Returns whether SHEEP, to move, can step ahead in at most so many of its moves and win,
    /// whatever FOX does.
    fn is_forced(&mut self, position: &Position, sheep: u32, most: u8) -> Result<bool> {
        if let Some(outcome) = position.outcome() {
            return Ok(outcome.winner() == Some(SHEEP));
        }
        // SHEEP can afford every capture of FOX: the value of the position before says so.
        if position.board().sheep.len() < sheep {
            return Ok(true);
        }
        let key = canonical(position.board());
        if let Some(&(enough, short)) = self.needs.get(&key) {
            if most >= enough {
                return Ok(true);
            }
            if i16::from(most) <= short {
                return Ok(false);
            }
        }
        let replies = after_moves(position);
        let here = place(position.board()).1;
        let mut forced = false;
        for reply in replies
            .iter()
            .filter(|reply| place(reply.board()).1 < here || reply.outcome().is_some())
        {
            forced = forced || self.is_won(reply)?;
        }
        if forced {
            self.needs.insert(key, (0, -1));
            return Ok(true);
        }
        if most > 0 {
            for reply in replies
                .iter()
                .filter(|reply| place(reply.board()).1 == here && reply.outcome().is_none())
            {
                if self.is_won(reply)? && self.all_forced(reply, most - 1)? {
                    forced = true;
                    break;
                }
            }
        }
        let known = self.needs.entry(key).or_insert((u8::MAX, -1));
        if forced {
            known.0 = known.0.min(most);
        } else {
            known.1 = known.1.max(i16::from(most));
        }
        Ok(forced)
    }

    fn all_forced(&mut self, position: &Position, most: u8) -> Result<bool> {
        let sheep = position.board().sheep.len();
        for after in after_moves(position) {
            if !self.is_forced(&after, sheep, most)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns SHEEP's reply.
    fn reply(&mut self, position: &Position) -> Result<Reply> {
        let here = place(position.board()).1;
        let replies = after_moves(position);
        let mut best: Option<((bool, bool, u32, u64), Reply)> = None;
        for reply in &replies {
            let ends = reply.outcome().is_some();
            if (place(reply.board()).1 < here || ends) && self.is_won(reply)? {
                let board = reply.board();
                let (flock, known) = (flock(board), self.layers.get(&place(board)));
                let is_new = !known.is_some_and(|known| known.flocks.contains(&flock));
                let losses = if ends { 0 } else { not_won(self.store, board.sheep)? };
                let order = (!ends, is_new, losses, flock.bits());
                if best.as_ref().is_none_or(|(least, _)| order < *least) {
                    best = Some((order, Reply { board, sideways: 0, ends }));
                }
            }
        }
        if let Some((_, reply)) = best {
            return Ok(reply);
        }
        for most in 0..MOST_SIDEWAYS {
            for reply in replies
                .iter()
                .filter(|reply| place(reply.board()).1 == here && reply.outcome().is_none())
            {
                if self.is_won(reply)? && self.all_forced(reply, most)? {
                    return Ok(Reply { board: reply.board(), sideways: most + 1, ends: false });
                }
            }
        }
        bail!("no winning reply to {:?}, though its value says that there is one", position.board())
    }

    /// Adds the position after a reply. Returns it if it is new.
    fn come_to(&mut self, reply: Reply) -> Option<Board> {
        if reply.ends {
            return None;
        }
        let (board, known) =
            (canonical(reply.board), self.layers.entry(place(reply.board)).or_default());
        if reply.sideways == 0 {
            known.flocks.insert(flock(board));
        }
        known.fox.insert(board).then_some(board)
    }

    /// Returns the positions with SHEEP to move after FOX's moves, if they are of the same layer;
    /// others are kept for later.
    fn after_fox(&mut self, board: Board) -> Result<Vec<Board>> {
        self.totals.positions += 1;
        ensure!(
            self.totals.positions <= self.most,
            "the walk has more than {} positions",
            self.most
        );
        let mut here = Vec::new();
        for after in after_moves(&Position::new(board, FOX)) {
            let key = canonical(after.board());
            match after.outcome() {
                Some(outcome) => {
                    ensure!(outcome.winner() == Some(SHEEP), "FOX does not lose after {board:?}")
                }
                None if key.sheep.len() == board.sheep.len() => here.push(key),
                None => {
                    self.layers.entry(place(key)).or_default().sheep.insert(key);
                }
            }
        }
        Ok(here)
    }

    /// Walks through a layer, and prints a line for it.
    fn layer(&mut self, place: Place) -> Result<()> {
        self.needs.clear();
        let mut replies: HashMap<Board, Reply> = HashMap::new();
        let known = self.layers.entry(place).or_default();
        let mut asked: Vec<Board> = std::mem::take(&mut known.sheep).into_iter().collect();
        let mut open: Vec<Board> = known.fox.iter().copied().collect();
        while !(asked.is_empty() && open.is_empty()) {
            if interrupt::asked() {
                bail!("stopped by ^C; a walk begins at the start again");
            }
            // By classes, which are unpacked as a whole.
            asked.sort_unstable_by_key(|board| {
                (code(profile(board.sheep)), board.sheep.bits(), board.foxes.bits())
            });
            for board in asked.drain(..) {
                let Entry::Vacant(vacant) = replies.entry(board) else { continue };
                let reply = *vacant.insert(self.reply(&Position::new(board, SHEEP))?);
                open.extend(self.come_to(reply).filter(|_| reply.sideways > 0));
            }
            for board in open.drain(..) {
                asked.extend(self.after_fox(board)?);
            }
        }
        let sideways: Vec<&Reply> = replies.values().filter(|reply| reply.sideways > 0).collect();
        let in_a_row = sideways.iter().map(|reply| reply.sideways).max().unwrap_or(0);
        let before = |reply: &&&Reply| {
            let other = replies.get(&canonical(reply.board));
            other.is_some_and(|other| other.sideways > reply.sideways)
        };
        let doubtful = sideways.iter().filter(before).count();
        self.totals.replies += replies.len();
        self.totals.sideways += sideways.len();
        self.totals.in_a_row = self.totals.in_a_row.max(in_a_row);
        self.totals.doubtful += doubtful;
        let known = self.layers.remove(&place).unwrap_or_default();
        println!(
            "{}  {}  {}  {}  {}  {}  {in_a_row}  {doubtful}",
            place.0,
            place.1,
            known.flocks.len(),
            known.fox.len(),
            replies.len(),
            sideways.len(),
        );
        Ok(())
    }
}

/// Walks SHEEP's win from a board with FOX to move, and prints what it comes to, layer by layer.
///
/// # Errors
/// A layer's file is missing or damaged, SHEEP does not win, a move of FOX has no reply that wins,
/// or there are more than `most` positions with FOX to move.
pub(crate) fn walk(store: &Store, start: Board, most: usize) -> Result<Totals> {
    ensure!(fox_to_move(store, start)? == Value::Won, "SHEEP does not win by these layers");
    let mut walker = Walker {
        store,
        needs: Needs::new(),
        layers: BTreeMap::new(),
        most,
        totals: Totals::default(),
    };
    walker.layers.entry(place(start)).or_default().fox.insert(canonical(start));
    println!(
        "Sheep, rows, flocks; positions with FOX to move; with SHEEP to move, of these a sideways step; the most in a row; \
         onto a board that may have been there."
    );
    while let Some((&place, _)) = walker.layers.last_key_value() {
        walker.layer(place)?;
    }
    let Totals { positions, replies, sideways, in_a_row, doubtful } = walker.totals;
    println!(
        "SHEEP wins: {positions} positions with FOX to move, {replies} replies, {sideways} of them sideways, at most {in_a_row} in a row; \
         {doubtful} onto a board that may have been there"
    );
    Ok(walker.totals)
}
