//! What a program tells of its own thoughts on standard error: lines `move MOVE WEIGHT` for moves
//! that it weighed, and `note WORDS`.

use crate::{aim, mentioned};
use engine::Drawing;

/// The moves of one turn that are shown.
const MOST_MOVES: usize = 8;

/// The thoughts of one turn.
#[derive(Debug, Default, PartialEq)]
pub struct Thoughts {
    /// Moves in the program's words, and their weights, the greatest first.
    moves: Vec<(String, f64)>,
    notes: Vec<String>,
}

impl Thoughts {
    /// Reads the thoughts in what a program wrote to standard error. Other lines are left out.
    pub fn of(stderr: &str) -> Thoughts {
        let mut thoughts = Thoughts::default();
        for line in stderr.lines().map(str::trim) {
            if let Some(note) = line.strip_prefix("note ") {
                thoughts.notes.push(note.trim().to_string());
            } else if let Some((mv, weight)) =
                line.strip_prefix("move ").and_then(|rest| rest.rsplit_once(' '))
            {
                let weight = weight.parse().ok().filter(|weight: &f64| weight.is_finite());
                thoughts.moves.extend(weight.map(|weight| (mv.trim().to_string(), weight)));
            }
        }
        thoughts.moves.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        thoughts.moves.truncate(MOST_MOVES);
        thoughts
    }

    /// The thoughts on one line; empty if there are none.
    pub fn words(&self) -> String {
        let moves = self.moves.iter().map(|(mv, weight)| format!("{mv} {weight}"));
        moves.chain(self.notes.iter().cloned()).collect::<Vec<_>>().join("; ")
    }

    /// The arrows of the moves whose places a board has, over the position before them: the class
    /// that says how strong each is, and its SVG.
    pub fn arrows(&self, drawing: &Drawing) -> Vec<(String, String)> {
        let ways = self.moves.iter().map(|(mv, _)| aim(&mentioned(mv, drawing)));
        let arrows = self.strengths().map(|strength| format!("thought strength-{strength}"));
        arrows.zip(ways).filter(|(_, way)| !way.is_empty()).collect()
    }

    /// How strong each move's arrow is, from 1 to 4.
    fn strengths(&self) -> impl Iterator<Item = u8> {
        let weight = |at: Option<&(String, f64)>| at.map_or(0.0, |(_, weight)| *weight);
        let (most, least) = (weight(self.moves.first()), weight(self.moves.last()));
        let part =
            move |weight: f64| if most > least { (weight - least) / (most - least) } else { 1.0 };
        self.moves.iter().map(move |(_, weight)| 1 + (3.0 * part(*weight)).round() as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_moves_and_notes_are_thoughts_and_others_are_not() {
        let said = "depth 3 score 12\nmove E 1,4 1,3 0.2\n move 2,2-2,3  0.7\nmove A1\nmove B2 nan\n\
                    moved 3\nnote in time trouble\nnotes: none\nmove x -1e2";
        let thoughts = Thoughts::of(said);
        assert_eq!(thoughts.words(), "2,2-2,3 0.7; E 1,4 1,3 0.2; x -100; in time trouble");
        assert_eq!(thoughts.strengths().collect::<Vec<_>>(), [4, 4, 1]);
        let arrows = thoughts.arrows(&Drawing::new(3, 5));
        assert_eq!(arrows.len(), 2, "x is on no board");
        assert_eq!(arrows[0], ("thought strength-4".to_string(), aim(&[(2, 2), (2, 3)])));
        assert_eq!(Thoughts::of("move a 1\nmove b 1").strengths().collect::<Vec<_>>(), [4, 4]);
        assert_eq!(Thoughts::of("a traceback\n").words(), "");
        assert_eq!(Thoughts::of(&"move a 1\n".repeat(99)).moves.len(), MOST_MOVES);
    }
}
