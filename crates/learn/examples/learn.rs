//! Learns Halma's tables: DIRECTORY ITERATIONS GAMES NODES PAIRS JOBS.
use learn::course::{Course, Plan, learn};
struct Eye;
impl Course for Eye {
    fn progress(&self, what: &str, done: usize, of: usize) {
        if done % 100 == 0 {
            eprintln!("{what} {done}/{of}");
        }
    }
    fn line(&self, text: &str) {
        println!("{text}");
    }
    fn interrupted(&self) -> bool {
        std::path::Path::new("/tmp/learn-stop").exists()
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n = |i: usize| a[i].parse::<usize>().unwrap();
    let plan = Plan {
        iterations: n(2) as u32,
        games: n(3),
        nodes: n(4) as u64,
        pool: n(7) as u32,
        pairs: n(5),
        match_nodes: 10_000,
        jobs: n(6),
        seed: 1,
    };
    println!("{:?}", learn(&learn::halma_tables::HalmaTables, &plan, std::path::Path::new(&a[1]), &Eye));
}
