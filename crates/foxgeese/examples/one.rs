#![allow(missing_docs)]
use foxgeese::{Position, prove::proof_number::Prover}; use engine::*; use std::time::Instant;
fn main(){
  let limit: u64 = std::env::args().nth(2).map_or(300_000, |a| a.parse().unwrap());
  let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
  let (mut solved, mut total) = (0, 0);
  for block in text.split("\n\n") {
    let p = Position::read_task(&format!("SINGLE\nGEESE\n1\nMOVES 0\n{}", block), OneRuleSet).unwrap().position;
    let mut prover = Prover::new(23);
    let t=Instant::now();
    let w = prover.prove(p.board(), limit);
     if w.is_some() { solved += 1; } total += prover.total_nodes; if std::env::var("Q").is_err() { println!("{:?} nodes {} wins {} {:.2}s", w.map(|w|w.moves), prover.total_nodes, prover.wins.len(), t.elapsed().as_secs_f64()); }
  }
  println!("solved {solved} nodes {total}");
}
