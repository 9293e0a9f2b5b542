#![allow(missing_docs)]
use foxgeese::{Position, Evaluation}; use engine::*; use engine::search::*; use std::time::Instant;
fn main(){
  let a: Vec<u32> = std::env::args().skip(2).map(|a| a.parse().unwrap()).collect();
  let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
  for block in text.split("\n\n") {
    let mut p = Position::read_task(&format!("SINGLE\nGEESE\n1\nMOVES 0\n{}", block), OneRuleSet).unwrap().position;
    let t=Instant::now();
    let mut s=[0,1].map(|_| Searcher::new(Evaluation, Mode::Selective, 64<<20));
    let mut line=String::new();
    while p.outcome().is_none() {
      let i=p.side_to_move().index();
      let r=s[i].run(&p, Limits{depth:a[i],..Limits::default()}, &mut NoControl).unwrap();
      line += &format!("{} ", p.describe_play(r.best));
      if p.moves_made()%10==9 && i==1 { line += &format!("[{}] ", r.score); if a.len()>2 { line += &format!("\n{}", p.plain_picture()); } }
      p.play(r.best);
    }
    println!("{:?} moves {} geese {} {:.1}s {}", p.outcome(), p.moves_made(), p.board().geese.count_ones(), t.elapsed().as_secs_f64(), line);
  }
}
