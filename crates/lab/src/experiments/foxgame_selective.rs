//! `lab foxgame-selective`: plays matches between FoxGame's searches with different selective options or weights, at fixed
//! numbers of nodes. The output is the same on every machine.

use anyhow::{Context, Result, anyhow};
use clap::Args;
use engine::search::{Knowledge, LateMoves, LatePruning, Limits, Mode, NoControl, Score, Searcher, Selectivity};
use engine::{Game, Side};
use foxgame::feature::Weights;
use foxgame::rules::{FOX, SHEEP};
use foxgame::{Evaluation, Move, Position, Style, weights};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// An example for the help text.
pub(crate) const EXAMPLE: &str = "\
A player is described by words with spaces between them:
  today                          the agent with its usual options
  none                           no selective options
  late=DEPTH/MOVES/BASE/DIVISOR  late-move reductions from DEPTH on, after MOVES moves
  prune=DEPTH/BASE/FACTOR        late-move pruning up to DEPTH
  weights=FILE                   other weights, such as a version of lab learn --game foxgame
  share=X                        X times the nodes
  errs=N                         one move in N is random
  style=NAME/PLIES               a plain style (wall, rush, edge) that searches PLIES plies
Example:
  lab foxgame-selective 100 1 5000 500 'today; late=3/1/1/1.25' 'today; errs=10'";

/// Options of `lab foxgame-selective`.
#[derive(Args)]
pub(crate) struct Options {
    /// The number of random openings; every pairing plays one game from each
    openings: u64,

    /// The seed of the openings
    seed: u64,

    /// FOX's nodes for each move
    fox_nodes: u64,

    /// SHEEP's nodes for each move
    sheep_nodes: u64,

    /// Players of FOX, separated by ;
    foxes: String,

    /// Players of SHEEP, separated by ;
    flocks: String,
}

/// A player: the agent with the changes that its description lists.
#[derive(Clone, Debug)]
struct Player {
    name: String,
    /// The agent's evaluation, or one with other weights.
    evaluation: Evaluation,
    selectivity: Option<Selectivity>,
    /// One move in `errs` is random; 0 for none.
    errs: u32,
    /// A plain style and its depth in plies, in place of the search.
    style: Option<(Style, u32)>,
    /// The factor on the number of nodes.
    share: f64,
}

impl Player {
    /// Reads the description of a player, such as `late=3/1/1/1.25 share=10`.
    fn read(text: &str, side: Side) -> Result<Player> {
        let name = text.trim().to_string();
        let evaluation = Evaluation::default();
        let mut player = Player { name, evaluation, selectivity: None, errs: 0, style: None, share: 1.0 };
        let usual = evaluation.selectivity(side);
        let mut options = usual;
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            if key == "weights" {
                player.evaluation = Evaluation::with(read_weights(value)?);
            } else {
                player
                    .apply(key, value, &mut options)
                    .with_context(|| format!("'{word}' describes no player; lab foxgame-selective --help"))?;
            }
        }
        player.selectivity = (options != usual).then_some(options);
        Ok(player)
    }

    /// Applies one word of a description; `None` if it is not valid.
    fn apply(&mut self, key: &str, value: &str, options: &mut Selectivity) -> Option<()> {
        let numbers: Vec<f32> = value.split('/').filter_map(|number| number.parse().ok()).collect();
        match key {
            "today" => {}
            "none" => *options = Selectivity::NONE,
            "late" => {
                let &[depth, moves, base, divisor] = &numbers[..] else { return None };
                options.late_moves =
                    Some(LateMoves { least_depth: depth as u32, full_moves: moves as usize, base, divisor });
            }
            "prune" => {
                let &[depth, base, factor] = &numbers[..] else { return None };
                options.late_pruning =
                    Some(LatePruning { most_depth: depth as u32, base: base as usize, factor: factor as usize });
            }
            "style" => {
                let (style, plies) = value.split_once('/')?;
                self.style = Some((Style::named(style)?, plies.parse().ok()?));
            }
            "errs" => self.errs = *numbers.first()? as u32,
            "share" => self.share = f64::from(*numbers.first()?),
            _ => return None,
        }
        Some(())
    }
}

/// Reads a file of weights, such as a version of `lab learn --game foxgame`. The weights are leaked, since an evaluation
/// keeps a reference to them.
fn read_weights(file: &str) -> Result<&'static Weights> {
    let text = std::fs::read_to_string(file).with_context(|| file.to_string())?;
    Ok(Box::leak(Box::new(weights::read(&text).map_err(|error| anyhow!("{file}: {error}"))?)))
}

/// The agent's evaluation with other selective options.
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

/// Plays a random opening that leaves more than 17 sheep.
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

/// Plays one game and returns FOX's points: 1, 0.5 or 0.
fn game(start: &Position, players: [&Player; 2], nodes: [u64; 2], seed: u64) -> f64 {
    let mut random = StdRng::seed_from_u64(seed);
    let mut searchers = players.map(|player| {
        let knowledge = Variant { inner: player.evaluation, selectivity: player.selectivity };
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

/// Returns the mean and its standard error, in percent.
fn mean(points: &[f64]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = points.iter().sum::<f64>() / count;
    let variance = points.iter().map(|point| (point - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (100.0 * mean, 100.0 * (variance / count).sqrt())
}

/// Runs `lab foxgame-selective`, and prints FOX's points after every 50 openings and at the end.
pub(crate) fn run(options: &Options) -> Result<()> {
    let &Options { openings, seed, fox_nodes, sheep_nodes, .. } = options;
    let list = |text: &str, side| text.split(';').map(|player| Player::read(player, side)).collect::<Result<Vec<_>>>();
    let (foxes, flocks) = (list(&options.foxes, FOX)?, list(&options.flocks, SHEEP)?);
    let mut points = vec![vec![Vec::new(); flocks.len()]; foxes.len()];
    for number in 0..openings {
        let seed = seed << 32 | number;
        let start = opening(&mut StdRng::seed_from_u64(seed));
        for (row, first) in foxes.iter().enumerate() {
            for (column, second) in flocks.iter().enumerate() {
                points[row][column].push(game(&start, [first, second], [fox_nodes, sheep_nodes], seed));
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
    Ok(())
}
