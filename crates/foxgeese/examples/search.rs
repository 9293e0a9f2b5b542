#![allow(missing_docs)]
use foxgeese::{board::Board, prove::{proof_number::Prover, strategy_search::*}};
use std::time::Instant;
fn main(){
  let a: Vec<u64> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
  let e = Effort { leaf_nodes: a[0], width: a[1] as usize, guide_depth: a[2] as u32 };
  let t=Instant::now();
  let mut last = 0.0; let mut n=0u64;
  let mut progress = |p: &Prover, path: &[u64]| { n+=1; let s=t.elapsed().as_secs_f64(); if s-last>5.0 { last=s; println!("{s:.0}s opened {n} depth {} wins {} nodes {}", path.len(), p.wins.len(), p.total_nodes); if std::env::var("SHOW").is_ok() { for d in [path.len()/2, path.len().saturating_sub(2)] { if d<path.len() { println!("depth {d}\n{}", foxgeese::Position::lettered(Board::unpack(path[d]).unwrap(), engine::Side::First, 0).plain_picture()); } } } } };
  let mut s = StrategySearch::new(Prover::new(22), e, &mut progress);
  let r = s.prove(Board::START, a[3] as u8);
  println!("{:?} {:.1}s wins {} nodes {}", r, t.elapsed().as_secs_f64(), s.prover.wins.len(), s.prover.total_nodes);
}
