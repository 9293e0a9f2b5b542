//! Plays games between searches of different selective options, at fixed numbers of nodes: the same bytes on every machine.
//!
//!     cargo run --release -p menagerie-foxgame --example selective -- 100 1 5000 500 'today; late=3/1/1/1.25' 'today; errs=10'
//!
//! plays every FOX of the first list against every SHEEP of the second one from 100 random openings of seed 1, FOX with
//! 5,000 nodes a move and SHEEP with 500.

use engine::search::{Knowledge, LateMoves, LatePruning, Limits, Mode, NoControl, Score, Searcher, Selectivity};
use engine::{Game, Side};
use foxgame::rules::{FOX, SHEEP};
use foxgame::{Evaluation, Move, Position, Style};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A player: today's, with what its words alter.
#[derive(Clone, Debug)]
struct Player {
    name: String,
    selectivity: Option<Selectivity>,
    /// One move in so many is random; 0 for none.
    errs: u32,
    /// A style with its plies, in place of the search.
    style: Option<(Style, u32)>,
    /// The factor of the nodes.
    share: f64,
}

const USAGE: &str = "usage: selective OPENINGS SEED FOX_NODES SHEEP_NODES FOXES FLOCKS, with lists of players separated by ;\n\
    words of a player: today, late=DEPTH/MOVES/BASE/DIVISOR, prune=DEPTH/BASE/FACTOR, none, errs=N, share=X, style=NAME/PLIES";

impl Player {
    fn read(text: &str, side: Side) -> Option<Player> {
        let today = Evaluation::default().selectivity(side);
        let mut player = Player { name: text.trim().to_string(), selectivity: None, errs: 0, style: None, share: 1.0 };
        let mut options = today;
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let numbers: Vec<f32> = value.split('/').filter_map(|number| number.parse().ok()).collect();
            let late = || match numbers[..] {
                [depth, moves, base, divisor] => {
                    Some(LateMoves { least_depth: depth as u32, full_moves: moves as usize, base, divisor })
                }
                _ => None,
            };
            match key {
                "today" => {}
                "none" => options = Selectivity::NONE,
                "late" => options.late_moves = late(),
                "style" => {
                    player.style =
                        Some((Style::named(value.split('/').next()?)?, value.split('/').nth(1)?.parse().ok()?))
                }
                "prune" => {
                    let &[depth, base, factor] = &numbers[..] else { return None };
                    options.late_pruning =
                        Some(LatePruning { most_depth: depth as u32, base: base as usize, factor: factor as usize });
                }
                "errs" => player.errs = *numbers.first()? as u32,
                "share" => player.share = f64::from(*numbers.first()?),
                _ => return None,
            }
        }
        player.selectivity = (options != today).then_some(options);
        Some(player)
    }
}

/// The agent's knowledge with other selective options.
#[derive(Clone)]
struct Variant {
    inner: Evaluation,
    selectivity: Option<Selectivity>,
}

impl Knowledge<Position> for Variant {
    fn evaluate(&self, position: &Position) -> Score {
        self.inner.evaluate(position)
    }

    fn order(&self, position: &Position, mv: Move) -> i32 {
        self.inner.order(position, mv)
    }

    fn noisy(&self, position: &Position, out: &mut Vec<Move>) {
        self.inner.noisy(position, out);
    }

    fn selectivity(&self, searches: Side) -> Selectivity {
        self.selectivity.unwrap_or_else(|| self.inner.selectivity(searches))
    }
}

fn opening(random: &mut StdRng) -> Position {
    loop {
        let mut position = Position::initial();
        for _ in 0..random.random_range(2..12) {
            let moves = position.legal_moves();
            if !moves.is_empty() {
                position.play(moves[random.random_range(0..moves.len())]);
            }
        }
        if position.outcome().is_none() && position.board().sheep.len() > 17 {
            return position;
        }
    }
}

/// One game; the points of FOX: 1, 0.5 or 0.
fn game(start: &Position, players: [&Player; 2], nodes: [u64; 2], seed: u64) -> f64 {
    let mut random = StdRng::seed_from_u64(seed);
    let mut searchers = players.map(|player| {
        let knowledge = Variant { inner: Evaluation::default(), selectivity: player.selectivity };
        Searcher::new(knowledge, Mode::Selective, 4 << 20)
    });
    let mut position = start.clone();
    while position.outcome().is_none() {
        let side = position.side_to_move();
        let player = players[side.index()];
        if player.errs > 0 && random.random_range(0..player.errs) == 0 {
            let moves = position.legal_moves();
            position.play(moves[random.random_range(0..moves.len())]);
            continue;
        }
        if let Some((style, plies)) = player.style {
            position.play(style.play(&position, plies).expect("not over").0);
            continue;
        }
        let limits = Limits { nodes: (nodes[side.index()] as f64 * player.share) as u64, ..Limits::default() };
        let report = searchers[side.index()].run(&position, limits, &mut NoControl).expect("not over");
        position.play(report.best);
    }
    match position.outcome().expect("over").winner() {
        Some(FOX) => 1.0,
        Some(SHEEP) => 0.0,
        None => 0.5,
    }
}

/// Mean and standard error, in percent.
fn mean(points: &[f64]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = points.iter().sum::<f64>() / count;
    let variance = points.iter().map(|point| (point - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (100.0 * mean, 100.0 * (variance / count).sqrt())
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| words.get(index).and_then(|word| word.parse::<u64>().ok());
    let list = |index: usize, side| {
        words.get(index)?.split(';').map(|text| Player::read(text, side)).collect::<Option<Vec<_>>>()
    };
    let (Some(openings), Some(seed), Some(fox), Some(sheep), Some(foxes), Some(flocks)) =
        (number(0), number(1), number(2), number(3), list(4, FOX), list(5, SHEEP))
    else {
        eprintln!("{USAGE}");
        std::process::exit(2);
    };
    let mut points = vec![vec![Vec::new(); flocks.len()]; foxes.len()];
    for number in 0..openings {
        let seed = seed << 32 | number;
        let start = opening(&mut StdRng::seed_from_u64(seed));
        for (row, first) in foxes.iter().enumerate() {
            for (column, second) in flocks.iter().enumerate() {
                points[row][column].push(game(&start, [first, second], [fox, sheep], seed));
            }
        }
        if number % 50 == 49 || number + 1 == openings {
            println!("{} openings", number + 1);
            for (row, first) in foxes.iter().enumerate() {
                for (column, second) in flocks.iter().enumerate() {
                    let (score, error) = mean(&points[row][column]);
                    let versus = |other: &[f64]| {
                        let pairs: Vec<f64> =
                            points[row][column].iter().zip(other).map(|(new, old)| new - old).collect();
                        let (gain, error) = mean(&pairs);
                        format!("{gain:+.1} ± {error:.1}")
                    };
                    println!(
                        "FOX {:28} v SHEEP {:28} {score:5.1} % ± {error:.1}; to the first FOX {}, to the first SHEEP {}",
                        first.name,
                        second.name,
                        versus(&points[0][column]),
                        versus(&points[row][0])
                    );
                }
            }
        }
    }
}
