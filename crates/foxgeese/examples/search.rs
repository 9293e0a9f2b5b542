#![allow(missing_docs)]
use foxgeese::{board::Board, prove::{proof_number::Prover, strategy_search::*}};
use std::time::Instant;
fn main(){
  let a: Vec<u64> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
  let e = Effort { leaf_nodes: a[0], width: a[1] as usize, guide_depth: a[2] as u32 };
  let t=Instant::now();
  let mut last = 0.0; let mut n=0u64;
  let mut progress = |p: &Prover, depth: usize| { n+=1; let s=t.elapsed().as_secs_f64(); if s-last>5.0 { last=s; println!("{s:.0}s opened {n} depth {depth} wins {} nodes {}", p.wins.len(), p.total_nodes);} };
  let mut s = StrategySearch::new(Prover::new(22), e, &mut progress);
  let r = s.prove(Board::START, a[3] as u8);
  println!("{:?} {:.1}s wins {} nodes {}", r, t.elapsed().as_secs_f64(), s.prover.wins.len(), s.prover.total_nodes);
}
