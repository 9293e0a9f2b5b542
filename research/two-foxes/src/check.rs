//! The check of random positions by the rules that agents play by: the value of each must follow
//! from those after FOX's move and SHEEP's reply. The moves are those of [`foxgame::rules`], one
//! position at a time.

use super::class::{HELD, WON};
use super::extent::Extent;
use super::fox_sets::get;
use super::store::Store;
use crate::layer_files::Kind;
use crate::one_way::{DIRECTIONS, winning_move, wins_after_steps};
use crate::pairs::{bit, words};
use anyhow::{Error, Result};
use engine::Game;
use foxgame::board::{BOARD, Board, POINTS, PointSet};
use foxgame::endings::index::{Layer, mirror, profile};
use foxgame::rules::{FOX, Position, SHEEP};
use progress::Bar;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use terminal::interrupt;

/// The largest number of wrong positions that are printed.
const SHOWN: u64 = 5;

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    /// FOX wins by force.
    Lost,
    /// Neither side does.
    Neither,
    /// SHEEP wins by force.
    Won,
}

/// Returns the stored value of a board with FOX to move: where only wins are stored, whatever is
/// not won is called lost. Stuck foxes may be on the board.
///
/// # Errors
/// The layer's file is missing or damaged.
pub(crate) fn fox_to_move(store: &Store, board: Board) -> Result<Value> {
    let points = POINTS - board.sheep.len() as usize;
    let values = store.values(Kind::Fox, profile(board.sheep), words(points))?;
    let place = values.class.place(board.sheep);
    let bit = bit(board, place.mirrored);
    let has = |which| {
        let mut word = [0; 5];
        let found = values.of(place.number, which);
        word[..found.len()].copy_from_slice(found);
        get::<5>(&word, bit)
    };
    Ok(if has(WON) {
        Value::Won
    } else if store.question.sets > HELD && has(HELD) {
        Value::Neither
    } else {
        Value::Lost
    })
}

/// Returns the number of sets of two foxes for which SHEEP does not win with this flock and FOX to
/// move.
///
/// # Errors
/// The layer's file is missing or damaged.
pub(crate) fn not_won(store: &Store, sheep: PointSet) -> Result<u32> {
    let points = POINTS - sheep.len() as usize;
    let values = store.values(Kind::Fox, profile(sheep), words(points))?;
    let won = values.of(values.class.place(sheep).number, WON);
    Ok((points * (points + 1) / 2) as u32 - won.iter().map(|word| word.count_ones()).sum::<u32>())
}

/// Checks about so many random positions, spread over all layers by their size, the smallest flocks
/// first. Returns the number of wrong ones.
///
/// # Errors
/// A layer's file is missing or damaged. Captures ask for the layers of one sheep less, which
/// `--keep` keeps.
pub(crate) fn check(store: &Store, extent: Extent, positions: u64, seed: u64) -> Result<u64> {
    let layers = || {
        extent.sheep().flat_map(|sheep| extent.sums(sheep).map(move |sum| Layer::new(sheep, sum)))
    };
    let total: usize = layers().map(|layer| layer.len()).sum();
    let mut random = StdRng::seed_from_u64(seed);
    let (mut checked, mut wrong, mut seen) = (0u64, 0, [0u64; 3]);
    let mut due = 0.0;
    let bar = Bar::new(positions, "positions");
    for layer in layers() {
        for class in layer.classes() {
            bar.set(checked);
            if interrupt::asked() {
                break;
            }
            due += positions as f64 * class.len() as f64 / total as f64;
            while (checked as f64) < due.min(positions as f64) {
                checked += 1;
                let sheep = class.sheep(random.random_range(0..class.len()));
                let sheep = if random.random::<bool>() { mirror(sheep) } else { sheep };
                let empty: Vec<_> = (BOARD - sheep).into_iter().collect();
                let [one, other] = [(); 2].map(|()| empty[random.random_range(0..empty.len())]);
                let board = Board { foxes: PointSet::one(one).with(other), sheep };
                let stored = fox_to_move(store, board)?;
                seen[stored as usize] += 1;
                let mut expected = follows(store, extent.floor, board)?;
                if store.question.sets == 1 && expected == Value::Neither {
                    expected = Value::Lost;
                }
                if stored != expected {
                    if wrong < SHOWN {
                        bar.around(|| {
                            eprintln!(
                                "wrong: {board:?}, FOX to move: {stored:?} is stored, {expected:?} follows"
                            );
                        });
                    }
                    wrong += 1;
                }
            }
        }
    }
    bar.finish();
    if interrupt::asked() {
        println!("stopped by ^C: the larger flocks are not checked");
    }
    println!(
        "{checked} random positions checked by the rules (seed {seed}; {} {}, neither {}, SHEEP wins {}), {wrong} wrong",
        if store.question.sets == 1 { "SHEEP does not win" } else { "FOX wins" },
        seen[0],
        seen[1],
        seen[2]
    );
    Ok(wrong)
}

/// Returns the value of a finished game, by the floor.
fn finished(position: &Position, floor: u32) -> Option<Value> {
    if position.board().sheep.len() < floor && floor > foxgame::rules::LEAST_SHEEP {
        return Some(Value::Lost);
    }
    position.outcome().map(|outcome| match outcome.winner() {
        Some(SHEEP) => Value::Won,
        Some(_) => Value::Lost,
        None => Value::Neither,
    })
}

/// Returns the value, with FOX to move, that follows from the stored values after FOX's move and
/// SHEEP's reply.
fn follows(store: &Store, floor: u32, mut board: Board) -> Result<Value> {
    board.foxes -= board.stuck_foxes();
    let position = Position::new(board, FOX);
    if let Some(value) = finished(&position, floor) {
        return Ok(value);
    }
    if store.question.one_way && !wins_one_way(store, &position)? {
        return Ok(Value::Lost);
    }
    let mut worst = Value::Won;
    // In layers of one way only captures are left, after which SHEEP chooses its direction anew.
    for mv in position
        .legal_moves()
        .into_iter()
        .filter(|mv| !(store.question.one_way && mv.captured.is_empty()))
    {
        let after = position.after(mv);
        let value = match finished(&after, floor) {
            Some(value) => value,
            None => best_reply(store, floor, &after)?,
        };
        worst = worst.min(value);
        if worst == Value::Lost {
            break;
        }
    }
    Ok(worst)
}

/// Returns whether SHEEP wins in one of the directions, whatever FOX does. With FOX to move its
/// captures are left out.
fn wins_one_way(store: &Store, position: &Position) -> Result<bool> {
    let mut is_won =
        |after: &Position| Ok::<_, Error>(fox_to_move(store, after.board())? == Value::Won);
    for direction in &DIRECTIONS {
        let most = direction.steps_left(position.board().sheep);
        let wins = if position.side_to_move() == SHEEP {
            winning_move(&mut position.clone(), direction, most, &mut is_won)?.is_some()
        } else {
            wins_after_steps(&mut position.clone(), direction, most, &mut is_won)?
        };
        if wins {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the value, with SHEEP to move, that follows from the stored values after its moves.
fn best_reply(store: &Store, floor: u32, position: &Position) -> Result<Value> {
    if store.question.one_way {
        return Ok(if wins_one_way(store, position)? { Value::Won } else { Value::Lost });
    }
    let mut best = Value::Lost;
    for mv in position.legal_moves() {
        let after = position.after(mv);
        let value = match finished(&after, floor) {
            Some(value) => value,
            None => fox_to_move(store, after.board())?,
        };
        best = best.max(value);
        if best == Value::Won {
            break;
        }
    }
    Ok(best)
}
