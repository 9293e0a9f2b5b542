use engine::{Game, Side};
use std::collections::{HashMap, HashSet, VecDeque};
use wolves::rules::*;
use wolves::table::Tables;
use wolves::value::Value;
fn canon(p: &Position) -> (u32, u32) {
    (0..8).map(|s| { let q = p.image(s); (q.wolves(), q.sheep()) }).min().unwrap()
}
fn main() {
    let t = Tables::new("tables".into(), |e| eprintln!("{e}"));
    let d = |p: &Position| match t.value(p).unwrap() { Value::Win { side: Side::Second, plies } => plies, v => panic!("{v:?}") };
    let win = |p: &Position| match t.value(p).unwrap() { Value::Win { side: Side::Second, plies } => Some(plies), _ => None };
    for slack in [0u32, 1, 1000] {
      for lifo in [false, true] {
        let start = Position::layout(Layout::Figure1);
        let mut seen_w: HashSet<(u32, u32)> = HashSet::new();
        let mut policy: HashMap<(u32, u32), Play> = HashMap::new();
        let mut queue = VecDeque::from([start]);
        seen_w.insert(canon(&start));
        while let Some(w) = if lifo { queue.pop_back() } else { queue.pop_front() } {
            let dw = d(&w);
            for p in w.legal_moves() {
                let mut s = w;
                s.play(p);
                if policy.contains_key(&canon(&s)) { continue; }
                let ds = d(&s);
                let mut best: Option<(u32, u32, Play, Position)> = None;
                for q in s.legal_moves() {
                    let mut n = s;
                    n.play(q);
                    let Some(dn) = win(&n) else { continue };
                    if dn + 1 > (ds + 2 * slack).min(dw - 1) { continue; }
                    let seen = n.outcome().is_some() || seen_w.contains(&canon(&n));
                    let key = (if seen { 0 } else { 1 + n.legal_moves().len() as u32 }, dn);
                    if best.as_ref().is_none_or(|b| key < (b.0, b.1)) { best = Some((key.0, key.1, q, n)); }
                }
                let b = best.unwrap();
                policy.insert(canon(&s), b.2);
                if b.3.outcome().is_none() && seen_w.insert(canon(&b.3)) { queue.push_back(b.3); }
            }
        }
        let mut by = [0; 16];
        for k in policy.keys() { by[k.1.count_ones() as usize] += 1; }
        println!("slack {slack} lifo {lifo}: W {} S {} by sheep {by:?}", seen_w.len(), policy.len());
      }
    }
}
