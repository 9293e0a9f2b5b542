#![allow(missing_docs)]
use foxgeese::{Position, Evaluation}; use engine::*; use engine::search::*;
fn main(){
  let mut seed=1u64;
  let mut s=Searcher::new(Evaluation, Mode::Selective, 16<<20);
  let mut out=vec![];
  for game in 0..30 {
    let mut p=Position::initial();
    while p.outcome().is_none() {
      seed+=1; let r=split_mix(seed);
      if p.moves_made()==(9 + game%8) as u8 && p.side_to_move()==Side::First { out.push(p.plain_picture()); break; }
      let plays=p.legal_moves();
      let play = if p.side_to_move()==Side::Second && r%4==0 { plays[(r>>8) as usize%plays.len()] } else { s.run(&p, Limits{depth:6+(r>>20) as u32%2,..Limits::default()}, &mut NoControl).unwrap().best };
      p.play(play);
    }
  }
  print!("{}", out.join("\n"));
}
