fn main(){ let mut p=foxgeese::Position::initial(); for d in 1..=8 { println!("{d} {}", engine::perft(&mut p,d)); } }
