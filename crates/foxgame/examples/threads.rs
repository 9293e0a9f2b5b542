//! Measures what threads of one search gain: the nodes that the first of them visits until it has searched to a depth. The threads
//! take turns, a hundred nodes each, so that the figures are the same on every machine, however busy.
//!
//!     cargo run --release -p menagerie-foxgame --example threads -- 14 2 4
//!
//! is depth 14 with one thread, with 2 and with 4, on the four positions named in the source.

use engine::search::{Company, Control, Limits, Mode, Report, Searcher, Table};
use engine::{Game, OneRuleSet, Protocol};
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
}

impl Control<Move> for InTurn<'_> {
    fn stop_now(&mut self) -> bool {
        self.turnstile.pass_on();
        self.turnstile.wait_for(self.own);
        self.turnstile.over.load(Relaxed)
    }

    fn stop_after(&mut self, _: &Report<Move>) -> bool {
        self.turnstile.over.load(Relaxed)
    }
}

/// How helpers differ from the first thread.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// By the order of the moves at the root.
    Order,
    /// They leave the moves that others look at for later.
    Shares,
}

fn nodes_to(position: &Position, depth: u32, threads: usize, way: Way) -> u64 {
    let table = Arc::new(Table::new(64 << 20));
    let company = Arc::new(Company::default());
    let turnstile = Turnstile { turn: Mutex::new(0), changed: Condvar::new(), threads, over: AtomicBool::new(false) };
    let search = |own: usize, depth: u32| {
        turnstile.wait_for(own);
        let mut searcher = Searcher::with_table(Evaluation::default(), Mode::Selective, table.clone());
        if way == Way::Shares && threads > 1 {
            searcher = searcher.in_company(company.clone());
        }
        let mut moves = position.legal_moves();
        if way == Way::Order {
            let by = own % moves.len();
            moves.rotate_left(by);
        }
        let limits = Limits { depth, ..Limits::default() };
        searcher.run_among(position, &moves, limits, &mut InTurn { turnstile: &turnstile, own })
    };
    std::thread::scope(|scope| {
        for own in 1..threads {
            let search = &search;
            scope.spawn(move || search(own, Limits::default().depth));
        }
        let report = search(0, depth).expect("the position is not finished");
        turnstile.over.store(true, Relaxed);
        turnstile.pass_on();
        report.nodes
    })
}

fn main() {
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let Some((&depth, crews)) = numbers.split_first() else {
        eprintln!("usage: threads DEPTH THREADS...");
        std::process::exit(2);
    };
    let positions = [
        include_str!("../../../inputs/foxgame/middle-17.txt"),
        include_str!("../../../inputs/foxgame/middle-30.txt"),
        include_str!("../../../inputs/foxgame/middle-60.txt"),
        include_str!("../../../inputs/foxgame/middle-47.txt"),
    ];
    for text in positions {
        let position = Position::read_task(text, OneRuleSet).expect("a position").position;
        let alone = nodes_to(&position, depth, 1, Way::Order);
        println!("1 thread: {alone} nodes");
        for &threads in crews {
            for (way, name) in [(Way::Order, "root order"), (Way::Shares, "shares")] {
                let nodes = nodes_to(&position, depth, threads as usize, way);
                println!("{threads} threads, {name}: {nodes} nodes, {:.2} times faster", alone as f64 / nodes as f64);
            }
        }
    }
}
