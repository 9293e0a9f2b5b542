//! Measures what helping threads gain in time to depth. The threads of one search over one table take turns, 128 nodes
//! each, so that the nodes are the same on every machine, however busy; what counts is the work of the thread that is the first to
//! finish the depth. Their CPU time has many changes of threads in it, which threads that run freely do not make: of those the
//! mean of the threads counts, as if each had had the machine to itself as long as the others.
//!
//!     cargo run --release -p menagerie-foxgame --example threads -- depth 15 2 4
//!     cargo run --release -p menagerie-foxgame --example threads -- mean 12 2 24
//!     cargo run --release -p menagerie-foxgame --example threads -- free 12 2 24
//!     cargo run --release -p menagerie-foxgame --example threads -- rate 1000000
//!
//! The first is depth 15 with 2 and with 4 threads on four positions of `inputs/`; the second the geometric mean at depth 12 with 2
//! threads over 24 positions of quick play; the third the same with threads that run freely; the fourth the CPU time of a node with a million of them
//! in each thread, at once.

use engine::search::{Control, Limits, Mode, NoControl, Report, Searcher, Table};
use engine::{Game, OneRuleSet, Protocol, split_mix};
use foxgame::{Evaluation, Move, Position};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex};

/// The way in which the threads of a search run.
#[derive(Clone, Copy, PartialEq)]
enum Pace {
    /// One after the other, some nodes each.
    InTurn,
    /// As the machine runs them.
    Freely,
}

/// Whose turn it is to search.
struct Turnstile {
    pace: Pace,
    turn: Mutex<usize>,
    changed: Condvar,
    threads: usize,
    over: AtomicBool,
}

impl Turnstile {
    fn wait_for(&self, own: usize) {
        if self.pace == Pace::Freely {
            return;
        }
        let mut turn = self.turn.lock().unwrap();
        while *turn != own && !self.over.load(Relaxed) {
            turn = self.changed.wait(turn).unwrap();
        }
    }

    fn pass_on(&self) {
        if self.pace == Pace::Freely {
            return;
        }
        let mut turn = self.turn.lock().unwrap();
        *turn = (*turn + 1) % self.threads;
        self.changed.notify_all();
    }
}

struct InTurn<'a> {
    turnstile: &'a Turnstile,
    own: usize,
    /// The depth that one of the threads has to finish.
    depth: u32,
}

impl Control<Move> for InTurn<'_> {
    fn stop_now(&mut self) -> bool {
        self.turnstile.pass_on();
        self.turnstile.wait_for(self.own);
        self.turnstile.over.load(Relaxed)
    }

    fn stop_after(&mut self, report: &Report<Move>) -> bool {
        report.depth >= self.depth || self.turnstile.over.load(Relaxed)
    }
}

/// Nodes and seconds of CPU time until one of the threads has finished a depth: of that one if they take turns, by the mean of
/// all if they run freely.
fn work_to(position: &Position, depth: u32, threads: usize, pace: Pace) -> (f64, f64) {
    let table = Arc::new(Table::new(64 << 20));
    let (turn, over) = (Mutex::new(0), AtomicBool::new(false));
    let turnstile = Turnstile { pace, turn, changed: Condvar::new(), threads, over };
    let search = |own: usize, mut searcher: Searcher<Position, Evaluation>| {
        turnstile.wait_for(own);
        let mut control = InTurn { turnstile: &turnstile, own, depth };
        let before = system::cpu::thread_time();
        let report = searcher.run(position, Limits::default(), &mut control).expect("not finished");
        let seconds = (system::cpu::thread_time() - before).as_secs_f64();
        turnstile.over.store(true, Relaxed);
        turnstile.pass_on();
        (report.proven || report.depth >= depth, report.nodes as f64, seconds)
    };
    std::thread::scope(|scope| {
        let search = &search;
        let crew = Searcher::crew(&Evaluation::default(), Mode::Selective, &table, threads).into_iter();
        let running: Vec<_> = crew.enumerate().map(|(own, one)| scope.spawn(move || search(own, one))).collect();
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

/// Nanoseconds of CPU time that a node takes in each of some threads that search at once, together or each for itself.
fn rate(position: &Position, nodes: u64, threads: usize, together: bool) -> Vec<u64> {
    let crew = |size| Searcher::crew(&Evaluation::default(), Mode::Selective, &Arc::new(Table::new(64 << 20)), size);
    let searchers = if together { crew(threads) } else { (0..threads).flat_map(|_| crew(1)).collect() };
    let search = |mut searcher: Searcher<Position, Evaluation>| {
        let before = system::cpu::thread_time();
        searcher.run(position, Limits { nodes, ..Limits::default() }, &mut NoControl);
        (system::cpu::thread_time() - before).as_nanos() as u64 / nodes
    };
    std::thread::scope(|scope| {
        let search = &search;
        let running: Vec<_> = searchers.into_iter().map(|searcher| scope.spawn(move || search(searcher))).collect();
        running.into_iter().map(|thread| thread.join().expect("a search does not panic")).collect()
    })
}

fn named_positions() -> [Position; 4] {
    let texts = [
        include_str!("../../../inputs/foxgame/middle-17.txt"),
        include_str!("../../../inputs/foxgame/middle-30.txt"),
        include_str!("../../../inputs/foxgame/middle-47.txt"),
        include_str!("../../../inputs/foxgame/middle-60.txt"),
    ];
    texts.map(|text| Position::read_task(text, OneRuleSet).expect("a position").position)
}

/// A position after some plies of quick play, the same for the same seed.
fn some_position(seed: u64) -> Position {
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

/// How many times less work a crew has to do than one thread: by nodes, and by CPU time.
fn gains(alone: (f64, f64), crew: (f64, f64)) -> [f64; 2] {
    [alone.0 / crew.0, alone.1 / crew.1]
}

/// The gains over many positions, by the geometric mean.
fn mean(depth: u32, threads: usize, count: u64, pace: Pace) {
    let mut sums = [0.0; 2];
    for seed in 0..count {
        let position = some_position(seed);
        let [alone, crew] =
            [(1, Pace::Freely), (threads, pace)].map(|(threads, pace)| work_to(&position, depth, threads, pace));
        let gains = gains(alone, crew);
        sums.iter_mut().zip(gains).for_each(|(sum, gain)| *sum += gain.ln());
    }
    let [nodes, cpu] = sums.map(|sum| (sum / count as f64).exp());
    println!("{threads} threads: by nodes {nodes:.2}, by CPU time {cpu:.2} times faster, mean of {count} positions");
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    match (words.first().map(String::as_str), &numbers[..]) {
        (Some("depth"), &[depth, ref crews @ ..]) => {
            for position in named_positions() {
                let alone = work_to(&position, depth as u32, 1, Pace::Freely);
                println!("1 thread: {} nodes, {:.2} s", alone.0, alone.1);
                for &threads in crews {
                    let crew = work_to(&position, depth as u32, threads as usize, Pace::InTurn);
                    let [nodes, cpu] = gains(alone, crew);
                    println!(
                        "{threads} threads: {} nodes, by nodes {nodes:.2}, by CPU time {cpu:.2} times faster",
                        crew.0
                    );
                }
            }
        }
        (Some("mean"), &[depth, threads, count]) => mean(depth as u32, threads as usize, count, Pace::InTurn),
        (Some("free"), &[depth, threads, count]) => mean(depth as u32, threads as usize, count, Pace::Freely),
        (Some("rate"), &[nodes]) => {
            let position = Position::initial();
            let [alone, apart, together] =
                [(1, true), (2, false), (2, true)].map(|(threads, one)| rate(&position, nodes, threads, one));
            println!("ns of CPU a node: alone {alone:?}, each for itself {apart:?}, together {together:?}");
        }
        _ => {
            eprintln!(
                "usage: threads depth DEPTH THREADS..., threads mean DEPTH THREADS POSITIONS, threads free (the same), or threads rate NODES"
            );
            std::process::exit(2);
        }
    }
}
