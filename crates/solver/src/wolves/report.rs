//! The answers to the course's questions, computed from the tables.

use anyhow::{Context, Result};
use engine::Advice;
use engine::search::{Limits, Mode, NoControl, Searcher};
use engine::{Game, Outcome, Protocol, Side};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::path::Path;
use wolves::advice::advise;
use wolves::explain::explain;
use wolves::index::{Dense, Layer};
use wolves::oracle::Oracle;
use wolves::rules::{Layout, Move, Position, SHEEP, SHEEP_LOST, WOLVES};
use wolves::table::Tablebase;
use wolves::{Evaluation, Value, paper};

/// The number of games against each opponent.
const GAMES: u32 = 100;
/// The number of plies after which a game is a draw (wolves.md).
const PLIES: u32 = 200;
/// The most sheep in random positions. They are drawn from the layers of 2 wolves.
const MOST_SHEEP: u32 = 10;

/// The starting layouts of the questions, with their names in the report.
const LAYOUTS: [(&str, Layout); 3] = [
    ("figure 1 (2 wolves, 10 sheep)", Layout::Figure1),
    ("question 2a (3 wolves, 15 sheep)", Layout::Question2a),
    ("question 2b (2 wolves, 12 sheep)", Layout::Question2b),
];

/// Prints the answers to all questions.
pub(crate) fn print(directory: &Path, positions: u64, seed: u64) -> Result<()> {
    let tables = Tablebase::new(directory.to_owned(), |error| eprintln!("{error}"));
    let oracle = Oracle::new(Some(directory));
    for (name, layout) in LAYOUTS {
        let start = Position::layout(layout);
        match tables.value(&start) {
            None => println!("{name}: there is no table\n"),
            Some(value) => {
                println!("{name}, wolves to move: {value:?}\n{}", explain(&start, &oracle, None));
                best_line(&tables, start)?;
            }
        }
    }
    let layers: Vec<_> = (SHEEP_LOST + 1..=MOST_SHEEP).map(|sheep| with_sets(Layer::new(2, sheep))).collect();
    print_mistakes(&tables, &oracle, &layers, positions, seed)?;
    games(&tables, seed)?;
    drawn_games(&tables, &oracle, &layers, seed)
}

/// Returns the value of a position; an error if its table is missing or damaged.
fn value(tables: &Tablebase, position: &Position) -> Result<Value> {
    tables.value(position).context("a table is missing or refused")
}

/// Returns the position after a move.
fn after(position: &Position, mv: Move) -> Position {
    let mut next = *position;
    next.play(mv);
    next
}

/// Returns the moves that lead to the value of the position, distance included.
fn best_moves(tables: &Tablebase, position: &Position) -> Result<Vec<Move>> {
    let current = value(tables, position)?;
    let mut best = Vec::new();
    for mv in position.legal_moves() {
        if value(tables, &after(position, mv))?.before() == current {
            best.push(mv);
        }
    }
    Ok(best)
}

/// Prints a line of best play with the number of best moves at each turn; prints nothing if the position is drawn.
fn best_line(tables: &Tablebase, mut position: Position) -> Result<()> {
    if value(tables, &position)? == Value::Draw {
        return Ok(());
    }
    let (mut line, mut choices) = (String::new(), [Vec::new(), Vec::new()]);
    while position.outcome().is_none() {
        let best = best_moves(tables, &position)?;
        let side = position.side_to_move().index();
        choices[side].push(format!("{}/{}", best.len(), position.legal_moves().len()));
        line.push_str(&format!("{} ", position.describe_move(best[0])));
        position.play(best[0]);
    }
    println!("a line of best play: {line}\n{}", position.picture(None));
    println!("best moves of all moves along it, wolves: {}\nsheep: {}\n", choices[0].join(" "), choices[1].join(" "));
    Ok(())
}

/// A layer with the sheep set of each rank.
type LayerWithSets = (Layer, Vec<Dense>);

fn with_sets(layer: Layer) -> LayerWithSets {
    let sets = layer.ranking.sets();
    (layer, sets)
}

/// Returns a random unfinished position of 2 wolves; all stored positions are equally likely.
fn random_position(layers: &[LayerWithSets], side: Side, random: &mut StdRng) -> Position {
    let total: usize = layers.iter().map(|(layer, _)| layer.positions()).sum();
    loop {
        let mut number = random.random_range(0..total);
        for (layer, sets) in layers {
            if number < layer.positions() {
                let position = layer.position(number, sets, side);
                if position.outcome().is_none() {
                    return position;
                }
                break;
            }
            number -= layer.positions();
        }
    }
}

/// The counts of a player's mistakes.
#[derive(Default)]
struct Mistakes {
    /// The number of positions in which some move gives away the result.
    chances: u64,
    /// The number of positions in which the player's move gave away the result.
    dropped: u64,
    /// The number of positions in which the player's move kept the result, but was not the quickest win or the slowest loss.
    longer: u64,
}

impl Mistakes {
    /// Counts a move of the player in a position.
    fn add(&mut self, tables: &Tablebase, position: &Position, mv: Move) -> Result<()> {
        let side = position.side_to_move();
        let current = value(tables, position)?;
        let mut results = Vec::new();
        for mv in position.legal_moves() {
            results.push(value(tables, &after(position, mv))?.result_for(side));
        }
        self.chances += u64::from(results.iter().any(|&result| result < current.result_for(side)));
        let reached = value(tables, &after(position, mv))?;
        if reached.result_for(side) < current.result_for(side) {
            self.dropped += 1;
        } else if reached.before() != current {
            self.longer += 1;
        }
        Ok(())
    }
}

/// Returns our agent's move: by its knowledge, and by a search of `nodes` nodes if that leaves a choice.
fn our_move(position: &Position, oracle: &Oracle, nodes: u64) -> Move {
    let moves = match advise(position, oracle) {
        Advice::Move(mv, _) => return mv,
        Advice::Among(moves) => moves,
        Advice::Nothing | Advice::Plan(_) => position.legal_moves(),
    };
    let limits = Limits { nodes, ..Limits::default() };
    let report = Searcher::new(Evaluation, Mode::Selective, 1 << 20)
        .run_among(position, &moves, limits, &mut NoControl)
        .expect("the game goes on");
    report.best
}

/// Prints the mistakes of our agent, with and without tables, and of the paper's agent in random positions.
fn print_mistakes(
    tables: &Tablebase,
    oracle: &Oracle,
    layers: &[LayerWithSets],
    positions: u64,
    seed: u64,
) -> Result<()> {
    let stored = Oracle::without_tables();
    println!("{positions} random positions of 2 wolves and 3 to {MOST_SHEEP} sheep for each side (seed {seed}):");
    for side in Side::BOTH {
        let mut random = StdRng::seed_from_u64(seed);
        let [mut with_tables, mut without, mut of_paper] =
            [Mistakes::default(), Mistakes::default(), Mistakes::default()];
        for number in 0..positions {
            let position = random_position(layers, side, &mut random);
            with_tables.add(tables, &position, our_move(&position, oracle, 2_000))?;
            without.add(tables, &position, our_move(&position, &stored, 2_000))?;
            of_paper.add(tables, &position, paper::play(&position, number).0)?;
        }
        println!("{}: a move that gives away the result exists in {}", Position::side_word(side), with_tables.chances);
        for (name, mistakes) in
            [("our agent with tables", with_tables), ("our agent without", without), ("the paper's agent", of_paper)]
        {
            let Mistakes { dropped, longer, .. } = mistakes;
            println!("  {name}: gave it away in {dropped}, kept it in another length than the best in {longer}");
        }
    }
    println!();
    Ok(())
}

/// A player of the wolves: its name and the function that chooses its moves.
type Wolves<'a> = (&'a str, Box<dyn FnMut(&Position, &mut StdRng) -> Result<Move> + 'a>);

/// Plays games from figure 1 and prints their results: our agent as sheep, without tables, against each kind of wolves,
/// and the paper's agent against itself.
fn games(tables: &Tablebase, seed: u64) -> Result<()> {
    let any = |moves: &[Move], random: &mut StdRng| moves[random.random_range(0..moves.len())];
    let opponents: [Wolves; 4] = [
        ("random moves", Box::new(move |position, random| Ok(any(&position.legal_moves(), random)))),
        ("the paper's agent", Box::new(|position, random| Ok(paper::play(position, random.random()).0))),
        ("the longest defence, from the tables", {
            Box::new(move |position, random| Ok(any(&best_moves(tables, position)?, random)))
        }),
        ("our search alone, 1,000 to 100,000 nodes", {
            Box::new(|position, random| {
                Ok(our_move(position, &Oracle::finished_games_only(), random.random_range(1_000..=100_000)))
            })
        }),
    ];
    println!("{GAMES} games each from figure 1, our agent as sheep, without tables (seed {seed}):");
    let stored = Oracle::without_tables();
    for (name, mut wolves) in opponents {
        let mut random = StdRng::seed_from_u64(seed);
        let (mut won, mut longest) = (0, 0);
        for _ in 0..GAMES {
            let mut position = Position::layout(Layout::Figure1);
            let mut plies = 0;
            while position.outcome().is_none() && plies < PLIES {
                let mv = match position.side_to_move() {
                    WOLVES => wolves(&position, &mut random)?,
                    SHEEP => our_move(&position, &stored, 2_000),
                };
                position.play(mv);
                plies += 1;
            }
            won += u32::from(position.outcome() == Some(Outcome::Win(SHEEP)));
            longest = longest.max(plies);
        }
        println!("  {name}: {won} won, the longest in {longest} plies");
    }
    paper_against_itself(tables, seed)
}

/// Plays games from random drawn positions against weak opponents and prints their results, to compare our agent, which
/// sets traps, with a player that makes any move that keeps the draw.
fn drawn_games(tables: &Tablebase, oracle: &Oracle, layers: &[LayerWithSets], seed: u64) -> Result<()> {
    println!("\n{GAMES} games of at most {PLIES} plies from drawn positions for each side (seed {seed}):");
    for side in Side::BOTH {
        for opponent in ["random moves", "the paper's agent"] {
            let mut won = [0; 2];
            for (sets_traps, won) in [true, false].into_iter().zip(&mut won) {
                let mut random = StdRng::seed_from_u64(seed);
                for _ in 0..GAMES {
                    let mut position = random_position(layers, side, &mut random);
                    while value(tables, &position)? != Value::Draw {
                        position = random_position(layers, side, &mut random);
                    }
                    // Both kinds of play get the same positions and the same random numbers.
                    let mut chance = StdRng::seed_from_u64(random.random());
                    for _ in 0..PLIES {
                        if position.outcome().is_some() {
                            break;
                        }
                        let mv = if position.side_to_move() == side {
                            match value(tables, &position)? {
                                Value::Draw if !sets_traps => {
                                    let best = best_moves(tables, &position)?;
                                    best[chance.random_range(0..best.len())]
                                }
                                _ => our_move(&position, oracle, 2_000),
                            }
                        } else if opponent == "random moves" {
                            let moves = position.legal_moves();
                            moves[chance.random_range(0..moves.len())]
                        } else {
                            paper::play(&position, chance.random()).0
                        };
                        position.play(mv);
                    }
                    *won += u32::from(position.outcome() == Some(Outcome::Win(side)));
                }
            }
            println!(
                "  {} against {opponent}: setting traps wins {}, any move that keeps the draw {}",
                Position::side_word(side),
                won[0],
                won[1]
            );
        }
    }
    Ok(())
}

/// Plays games of the paper's agent against itself from figure 1 and prints their results and its mistakes.
fn paper_against_itself(tables: &Tablebase, seed: u64) -> Result<()> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut moves = [0u64; 2];
    let mut mistakes = [Mistakes::default(), Mistakes::default()];
    let mut results = [0u32; 3];
    for _ in 0..GAMES {
        let mut position = Position::layout(Layout::Figure1);
        let mut plies = 0;
        while position.outcome().is_none() && plies < PLIES {
            let side = position.side_to_move().index();
            let mv = paper::play(&position, random.random()).0;
            moves[side] += 1;
            mistakes[side].add(tables, &position, mv)?;
            position.play(mv);
            plies += 1;
        }
        results[match position.outcome().and_then(Outcome::winner) {
            Some(side) => side.index(),
            None => 2,
        }] += 1;
    }
    println!(
        "the paper's agent against itself, {GAMES} games of at most {PLIES} plies: wolves won {}, sheep {}, drawn {}",
        results[0], results[1], results[2]
    );
    for side in Side::BOTH {
        let Mistakes { chances, dropped, .. } = mistakes[side.index()];
        println!(
            "  {}: {} moves, {chances} with a chance to give the result away, given away {dropped} times",
            Position::side_word(side),
            moves[side.index()]
        );
    }
    Ok(())
}
