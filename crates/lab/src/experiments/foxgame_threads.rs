//! `lab foxgame-threads`: measures the speedup in time to depth of a search on several threads.
//!
//! Unless they run freely, the threads, which share one transposition table, take turns of 128 nodes each, so that the node
//! counts are the same on every machine. The result is the work of the thread that finishes the depth first. Its CPU time
//! includes many context switches, which free-running threads do not have: there the result is the mean over the threads.

use clap::{Args, Subcommand};
use engine::search::{Control, Limits, Mode, NoControl, Report, Searcher, TranspositionTable};
use engine::{Game, OneRuleSet, Protocol, split_mix};
use foxgame::{Evaluation, Move, Position};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex};

/// Examples for the help text.
pub(crate) const EXAMPLE: &str = "\
Examples:
  lab foxgame-threads depth 15 2 4
  lab foxgame-threads mean 12 2 24
  lab foxgame-threads free 12 2 24
  lab foxgame-threads rate 1000000";

/// Options of `lab foxgame-threads`.
#[derive(Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    figure: Figure,
}

/// The figure to measure.
#[derive(Subcommand)]
enum Figure {
    /// Measure the speedup on each of four positions of inputs/foxgame, by threads that take turns
    Depth {
        /// The depth in plies
        depth: u32,
        /// Numbers of threads
        threads: Vec<usize>,
    },
    /// Print the geometric mean of the speedup over positions of quick games, by threads that take turns
    Mean(Sample),
    /// Print the geometric mean of the speedup over positions of quick games, by threads that run freely
    Free(Sample),
    /// Measure the CPU time for each node: of one thread, of two that search alone, and of two that search together
    Rate {
        /// Nodes of each thread
        nodes: u64,
    },
}

/// The sample of positions.
#[derive(Args)]
struct Sample {
    /// The depth in plies
    depth: u32,
    /// The number of threads
    threads: usize,
    /// The number of positions
    positions: u64,
}

/// The scheduling of a search's threads.
#[derive(Clone, Copy, PartialEq)]
enum Pace {
    /// The threads take turns of a fixed number of nodes.
    InTurn,
    /// The operating system schedules the threads.
    Freely,
}

/// The round-robin token: the number of the thread whose turn it is to search.
struct RoundRobin {
    pace: Pace,
    turn: Mutex<usize>,
    changed: Condvar,
    threads: usize,
    over: AtomicBool,
}

impl RoundRobin {
    /// Waits for the turn of a thread.
    fn wait_for(&self, own: usize) {
        if self.pace == Pace::Freely {
            return;
        }
        let mut turn = self.turn.lock().unwrap();
        while *turn != own && !self.over.load(Relaxed) {
            turn = self.changed.wait(turn).unwrap();
        }
    }

    /// Gives the turn to the next thread.
    fn pass_on(&self) {
        if self.pace == Pace::Freely {
            return;
        }
        let mut turn = self.turn.lock().unwrap();
        *turn = (*turn + 1) % self.threads;
        self.changed.notify_all();
    }
}

/// The control of a search that takes turns.
struct TurnControl<'a> {
    round_robin: &'a RoundRobin,
    own: usize,
    /// The depth that one of the threads has to finish.
    depth: u32,
}

impl Control<Move> for TurnControl<'_> {
    fn stop_now(&mut self) -> bool {
        self.round_robin.pass_on();
        self.round_robin.wait_for(self.own);
        self.round_robin.over.load(Relaxed)
    }

    fn stop_after(&mut self, report: &Report<Move>) -> bool {
        report.depth >= self.depth || self.round_robin.over.load(Relaxed)
    }
}

/// Measures the nodes and seconds of CPU time until one of the threads has finished a depth: those of that thread if they
/// take turns, the mean over all threads if they run freely.
fn work_to(position: &Position, depth: u32, threads: usize, pace: Pace) -> (f64, f64) {
    let table = Arc::new(TranspositionTable::new(64 << 20));
    let (turn, over) = (Mutex::new(0), AtomicBool::new(false));
    let round_robin = RoundRobin { pace, turn, changed: Condvar::new(), threads, over };
    let search = |own: usize, mut searcher: Searcher<Position, Evaluation>| {
        round_robin.wait_for(own);
        let mut control = TurnControl { round_robin: &round_robin, own, depth };
        let before = clock::cpu::thread_time();
        let report = searcher.run(position, Limits::default(), &mut control).expect("not finished");
        let seconds = (clock::cpu::thread_time() - before).as_secs_f64();
        round_robin.over.store(true, Relaxed);
        round_robin.pass_on();
        (report.proven || report.depth >= depth, report.nodes as f64, seconds)
    };
    std::thread::scope(|scope| {
        let search = &search;
        let group = Searcher::for_threads(&Evaluation::default(), Mode::Selective, &table, threads).into_iter();
        let running: Vec<_> = group.enumerate().map(|(own, one)| scope.spawn(move || search(own, one))).collect();
        let work: Vec<_> = running.into_iter().map(|one| one.join().expect("a search does not panic")).collect();
        match pace {
            Pace::InTurn => {
                let finished =
                    work.iter().filter(|(is_first, ..)| *is_first).map(|&(_, nodes, seconds)| (nodes, seconds));
                finished.min_by(|one, other| one.0.total_cmp(&other.0)).expect("one is the first")
            }
            Pace::Freely => {
                let share = 1.0 / threads as f64;
                work.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.1 * share, sum.1 + one.2 * share))
            }
        }
    })
}

/// Measures the nanoseconds of CPU time for each node in each of several concurrent threads, which search together or
/// independently.
fn rate(position: &Position, nodes: u64, threads: usize, together: bool) -> Vec<u64> {
    let group = |size| {
        Searcher::for_threads(
            &Evaluation::default(),
            Mode::Selective,
            &Arc::new(TranspositionTable::new(64 << 20)),
            size,
        )
    };
    let searchers = if together { group(threads) } else { (0..threads).flat_map(|_| group(1)).collect() };
    let search = |mut searcher: Searcher<Position, Evaluation>| {
        let before = clock::cpu::thread_time();
        searcher.run(position, Limits { nodes, ..Limits::default() }, &mut NoControl);
        (clock::cpu::thread_time() - before).as_nanos() as u64 / nodes
    };
    std::thread::scope(|scope| {
        let search = &search;
        let running: Vec<_> = searchers.into_iter().map(|searcher| scope.spawn(move || search(searcher))).collect();
        running.into_iter().map(|thread| thread.join().expect("a search does not panic")).collect()
    })
}

/// Returns four positions of inputs/foxgame.
fn named_positions() -> [Position; 4] {
    let texts = [
        include_str!("../../../../inputs/foxgame/middle-17.txt"),
        include_str!("../../../../inputs/foxgame/middle-30.txt"),
        include_str!("../../../../inputs/foxgame/middle-47.txt"),
        include_str!("../../../../inputs/foxgame/middle-60.txt"),
    ];
    texts.map(|text| Position::read_task(text, OneRuleSet).expect("a position").position)
}

/// Returns a position from a quick game, determined by the seed.
fn quick_game_position(seed: u64) -> Position {
    let mut position = Position::initial();
    let mut searcher = Searcher::new(Evaluation::default(), Mode::Selective, 1 << 20);
    for ply in 0..6 + seed * 3 % 60 {
        let moves = position.legal_moves();
        let mv = if ply < 6 {
            moves[(split_mix(seed << 8 | ply) % moves.len() as u64) as usize]
        } else {
            searcher.run(&position, Limits { nodes: 500, ..Limits::default() }, &mut NoControl).expect("not over").best
        };
        let undo = position.play(mv);
        if position.outcome().is_some() {
            position.undo(mv, undo);
            break;
        }
    }
    position
}

/// Returns the speedups of several threads over one thread: by nodes, and by CPU time.
fn gains(alone: (f64, f64), group: (f64, f64)) -> [f64; 2] {
    [alone.0 / group.0, alone.1 / group.1]
}

/// Prints the geometric mean of the speedups over many positions.
fn mean(&Sample { depth, threads, positions }: &Sample, pace: Pace) {
    let mut sums = [0.0; 2];
    for seed in 0..positions {
        let position = quick_game_position(seed);
        let [alone, group] =
            [(1, Pace::Freely), (threads, pace)].map(|(threads, pace)| work_to(&position, depth, threads, pace));
        let gains = gains(alone, group);
        sums.iter_mut().zip(gains).for_each(|(sum, gain)| *sum += gain.ln());
    }
    let [nodes, cpu] = sums.map(|sum| (sum / positions as f64).exp());
    println!(
        "{threads} threads: by nodes {nodes:.2}, by CPU time {cpu:.2} times faster, mean of {positions} positions"
    );
}

/// Prints the speedups of several threads on each of the named positions.
fn speedups(depth: u32, groups: &[usize]) {
    for position in named_positions() {
        let alone = work_to(&position, depth, 1, Pace::Freely);
        println!("1 thread: {} nodes, {:.2} s", alone.0, alone.1);
        for &threads in groups {
            let group = work_to(&position, depth, threads, Pace::InTurn);
            let [nodes, cpu] = gains(alone, group);
            println!("{threads} threads: {} nodes, by nodes {nodes:.2}, by CPU time {cpu:.2} times faster", group.0);
        }
    }
}

/// Runs `lab foxgame-threads`.
pub(crate) fn run(options: &Options) {
    match &options.figure {
        Figure::Depth { depth, threads } => speedups(*depth, threads),
        Figure::Mean(sample) => mean(sample, Pace::InTurn),
        Figure::Free(sample) => mean(sample, Pace::Freely),
        &Figure::Rate { nodes } => {
            let position = Position::initial();
            let [alone, apart, together] =
                [(1, true), (2, false), (2, true)].map(|(threads, one)| rate(&position, nodes, threads, one));
            println!("ns of CPU a node: alone {alone:?}, each for itself {apart:?}, together {together:?}");
        }
    }
}
