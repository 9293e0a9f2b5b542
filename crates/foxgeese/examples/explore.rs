#![allow(missing_docs)]
use foxgeese::{Position, Evaluation, prove::proof_number::Prover};
use engine::search::*; use engine::*;
use std::time::Instant;
// play out: geese depth 7 vs foxes depth 7, then try df-pn at every position
fn main(){
  let limit: u64 = std::env::args().nth(1).map_or(300_000, |a| a.parse().unwrap());
  let mut p = Position::initial();
  let mut s = Searcher::new(Evaluation, Mode::Selective, 64<<20);
  let mut line=vec![];
  while p.outcome().is_none() {
    if p.side_to_move()==Side::First { line.push(p.clone()); }
    let r = s.run(&p, Limits{depth: 7, ..Limits::default()}, &mut NoControl).unwrap();
    p.play(r.best);
  }
  println!("game: {} moves, {:?} geese {}", p.moves_made(), p.outcome(), p.board().geese.count_ones());
  for q in line.iter().rev() {
    let mut prover = Prover::new(22);
    let t=Instant::now();
    let w = prover.prove(q.board(), limit);
    println!("move {} {:?} nodes {} wins {} {:.2}s", q.moves_made(), w.map(|w|w.moves), prover.total_nodes, prover.wins.len(), t.elapsed().as_secs_f64());
  }
}
