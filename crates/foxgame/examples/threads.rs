//! Measures what threads of one search gain: the nodes that each visits until one of them has searched to a depth. The threads
//! take turns, some hundred nodes each, so that the figures are the same on every machine, however busy.
//!
//!     cargo run --release -p menagerie-foxgame --example threads -- 14 2 4
//!
//! is depth 14 with one thread, with 2 and with 4, on the four positions named in the source.

use engine::search::{Control, Limits, Mode, NoControl, Report, Searcher, Table};
use engine::{Game, OneRuleSet, Protocol, split_mix};
use foxgame::{Evaluation, Move, Position};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex};

/// Whose turn it is to search.
struct Turnstile {
    turn: Mutex<usize>,
    changed: Condvar,
    threads: usize,
    over: AtomicBool,
}

impl Turnstile {
    fn wait_for(&self, own: usize) {
        let mut turn = self.turn.lock().unwrap();
        while *turn != own && !self.over.load(Relaxed) {
            turn = self.changed.wait(turn).unwrap();
        }
    }

    fn pass_on(&self) {
        let mut turn = self.turn.lock().unwrap();
        *turn = (*turn + 1) % self.threads;
        self.changed.notify_all();
    }
}

struct InTurn<'a> {
    turnstile: &'a Turnstile,
    own: usize,
    /// The depth that one of the threads has to reach.
    depth: u32,
    polls: u32,
}

impl Control<Move> for InTurn<'_> {
    fn stop_now(&mut self) -> bool {
        self.polls += 1;
        if self.polls.is_multiple_of(16) {
            self.turnstile.pass_on();
            self.turnstile.wait_for(self.own);
        }
        self.turnstile.over.load(Relaxed)
    }

    fn stop_after(&mut self, report: &Report<Move>) -> bool {
        report.depth >= self.depth || self.turnstile.over.load(Relaxed)
    }
}

/// How helpers differ from the first thread.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// By the order of the moves at the root.
    Order,
    /// Every second of them leaves out the odd depths besides.
    Ahead,
}

fn nodes_to(position: &Position, depth: u32, threads: usize, way: Way) -> (u64, f64) {
    let table = Arc::new(Table::new(64 << 20));
    let turnstile = Turnstile { turn: Mutex::new(0), changed: Condvar::new(), threads, over: AtomicBool::new(false) };
    let search = |own: usize| {
        turnstile.wait_for(own);
        let mut searcher = Searcher::with_table(Evaluation::default(), Mode::Selective, table.clone());
        let mut moves = position.legal_moves();
        let by = own % moves.len();
        moves.rotate_left(by);
        if way == Way::Ahead && own % 2 == 1 {
            searcher = searcher.ahead();
        }
        let before = system::cpu::thread_time();
        let mut control = InTurn { turnstile: &turnstile, own, depth, polls: 0 };
        let report = searcher
            .run_among(position, &moves, Limits::default(), &mut control)
            .expect("the position is not finished");
        let found = (
            if report.proven { depth } else { report.depth },
            (report.nodes, (system::cpu::thread_time() - before).as_secs_f64()),
        );
        turnstile.over.store(true, Relaxed);
        turnstile.pass_on();
        found
    };
    std::thread::scope(|scope| {
        let mut helpers = Vec::new();
        for own in 1..threads {
            let search = &search;
            helpers.push(scope.spawn(move || search(own)));
        }
        let own = search(0);
        let helped = helpers.into_iter().map(|helper| helper.join().expect("a search does not panic"));
        helped
            .chain([own])
            .filter(|&(depth_found, _)| depth_found >= depth)
            .map(|(_, cost)| cost)
            .min_by_key(|cost| cost.0)
            .expect("one is first")
    })
}

/// Nanoseconds of CPU time that a node takes in each of some threads that search at once, over one table or each over its own.
fn rate(position: &Position, nodes: u64, threads: usize, one_table: bool) -> Vec<u64> {
    let table = Arc::new(Table::new(64 << 20));
    let search = |own: usize| {
        let table = if one_table { table.clone() } else { Arc::new(Table::new(64 << 20)) };
        let mut searcher = Searcher::with_table(Evaluation::default(), Mode::Selective, table);
        let mut moves = position.legal_moves();
        moves.rotate_left(own);
        let before = system::cpu::thread_time();
        searcher.run_among(position, &moves, Limits { nodes, ..Limits::default() }, &mut NoControl);
        (system::cpu::thread_time() - before).as_nanos() as u64 / nodes
    };
    std::thread::scope(|scope| {
        let search = &search;
        let running: Vec<_> = (0..threads).map(|own| scope.spawn(move || search(own))).collect();
        running.into_iter().map(|thread| thread.join().expect("a search does not panic")).collect()
    })
}

const WAYS: [(Way, &str); 2] = [(Way::Order, "root order"), (Way::Ahead, "ahead")];

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

/// The mean gains over many positions, by the geometric mean.
fn many(count: u64, depth: u32, threads: usize) {
    let mut sums = [[0.0; 2]; WAYS.len()];
    for seed in 0..count {
        let position = some_position(seed);
        let alone = nodes_to(&position, depth, 1, Way::Order);
        for (sum, (way, _)) in sums.iter_mut().zip(WAYS) {
            let crew = nodes_to(&position, depth, threads, way);
            sum[0] += (alone.0 as f64 / crew.0 as f64).ln();
            sum[1] += (alone.1 / crew.1).ln();
        }
    }
    for (sum, (_, name)) in sums.into_iter().zip(WAYS) {
        let [nodes, cpu] = sum.map(|sum: f64| (sum / count as f64).exp());
        println!("{threads} threads, {name}: by nodes {nodes:.2}, by CPU time {cpu:.2} times faster, mean of {count}");
    }
}

fn main() {
    if let [word, rest @ ..] = &std::env::args().skip(1).collect::<Vec<_>>()[..]
        && word == "many"
    {
        let [count, depth, threads] = [0, 1, 2].map(|index: usize| rest[index].parse::<u64>().expect("a number"));
        return many(count, depth as u32, threads as usize);
    }
    if let [word, nodes] = &std::env::args().skip(1).collect::<Vec<_>>()[..]
        && word == "rate"
    {
        let nodes = nodes.parse().expect("a number of nodes");
        for _ in 0..3 {
            let position = Position::initial();
            let [alone, apart, together] =
                [(1, true), (2, false), (2, true)].map(|(threads, one)| rate(&position, nodes, threads, one));
            println!("ns of CPU a node: alone {alone:?}, a table each {apart:?}, one table {together:?}");
        }
        return;
    }
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let Some((&depth, crews)) = numbers.split_first() else {
        eprintln!("usage: threads DEPTH THREADS...");
        std::process::exit(2);
    };
    for position in named_positions() {
        let alone = nodes_to(&position, depth, 1, Way::Order);
        println!("1 thread: {} nodes, {:.2} s", alone.0, alone.1);
        for &threads in crews {
            for (way, name) in WAYS {
                let crew = nodes_to(&position, depth, threads as usize, way);
                let gains = [alone.0 as f64 / crew.0 as f64, alone.1 / crew.1];
                println!(
                    "{threads} threads, {name}: {} nodes, by nodes {:.2}, by CPU time {:.2} times faster",
                    crew.0, gains[0], gains[1]
                );
            }
        }
    }
}
