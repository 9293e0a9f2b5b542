//! An analysed game in words, for people.

use crate::games::Game;
use crate::replay::frames::Frame;
use crate::standings::aligned;
use analysis::better::Better;
use analysis::finding::Finding;
pub(crate) use analysis::words::cost;
use analysis::words::percent;
use anyhow::Result;
use arena::analysis::verdict::{HASTY, SideVerdict, Verdict, verdict};
use arena::plain::shown;
use arena::record::{GameRecord, Header};
use engine::score::describe;
use std::fmt::Write;

/// Moves of a line that are printed.
const LINE: usize = 6;

/// The verdict on a game: a table of both sides, and of each side that is asked for its costliest moves. `file` is the
/// record, for the commands that print positions out of it.
pub(crate) fn game(
    known: &Game,
    header: &Header,
    record: &GameRecord,
    shown_sides: [bool; 2],
    file: Option<&str>,
) -> Result<String> {
    let frames = (known.frames)(header, &record.start.opening, &record.moves)?;
    let words = known.arena.sides;
    let verdict = verdict(header, words, &record.moves, Some(&record.end));
    let end = &record.end;
    let players = [0, 1].map(|side: usize| format!("{} {}", words[side], shown(&record.start.players[side])));
    let result = end.winner.map_or("a draw".to_string(), |winner| format!("{} won", words[winner]));
    let mut text = format!(
        "Game {}: {}, {}: {result} ({}: {}), {} plies\n",
        end.game,
        players[0],
        players[1],
        end.termination,
        shown(&end.reason),
        end.plies
    );
    text.push_str(&table(&verdict, &players, shown_sides));
    if let Some(index) = verdict.turned {
        let _ = writeln!(text, "The game turned for good with {}.", numbered(&frames[index + 1]));
    }
    for side in [0, 1].into_iter().filter(|&side| shown_sides[side]) {
        text.push_str(&side_s_story(&players[side], &verdict.sides[side], &frames, (file, end.game)));
    }
    text.push('\n');
    Ok(text)
}

fn table(verdict: &Verdict, players: &[String; 2], shown_sides: [bool; 2]) -> String {
    let mut rows = vec![["", "Moves", "Accuracy", "Inaccuracies", "Mistakes", "Blunders"].map(String::from).to_vec()];
    for side in [0, 1].into_iter().filter(|&side| shown_sides[side]) {
        let SideVerdict { moves, accuracy, marks, .. } = &verdict.sides[side];
        let accuracy = accuracy.map_or("-".to_string(), |accuracy| format!("{accuracy:.0} %"));
        let mut row = vec![players[side].clone(), moves.to_string(), accuracy];
        row.extend(marks.map(|count| count.to_string()));
        rows.push(row);
    }
    aligned(&rows, &[0])
}

/// A move with its number and side.
fn numbered(frame: &Frame) -> String {
    frame.mv.as_ref().map_or(String::new(), |mv| format!("{}. {} {}", mv.ply + 1, mv.side, mv.mv))
}

fn side_s_story(player: &str, side: &SideVerdict, frames: &[Frame], (file, game): (Option<&str>, u32)) -> String {
    let mut text = String::new();
    if side.costliest.is_empty() && side.moves > 0 {
        let _ = writeln!(text, "{player} gave nothing away that the search can see.");
    } else if !side.costliest.is_empty() {
        let _ = writeln!(text, "The costliest moves of {player}:");
    }
    for &index in &side.costliest {
        let frame = &frames[index + 1];
        let Some((mv, finding)) = frame.mv.as_ref().and_then(|mv| Some((mv, mv.analysis.as_deref()?))) else {
            continue;
        };
        let _ = writeln!(text, "  {}: {}", numbered(frame), cost(finding));
        if let Some(better) = &frame.better {
            text.push_str(&alternative(better, finding));
        }
        if let Some(file) = file {
            let _ = writeln!(text, "      position: judge position {file} --game {game} --ply {}", mv.ply);
        }
    }
    if let Some((hasty, left)) = side.unused {
        let moves = if hasty == 1 { "1 move".to_string() } else { format!("{hasty} moves") };
        let _ = writeln!(text, "{player} made {moves} in {HASTY} s or less, with {left:.1} s left at the end.");
    }
    if let Some(ply) = side.ran_out {
        let _ = writeln!(text, "The clock of {player} ran out at move {ply}.");
    }
    text
}

/// A line about a move for those who watch: its mark and cost, or the chances after it.
pub(crate) fn caption(frame: &Frame, finding: &Finding) -> String {
    let better = frame.better.as_ref().and_then(|better| better.line.first());
    match (finding.mark, better) {
        (Some(_), Some(better)) => format!("   {}; better: {}\n", cost(finding), better.mv),
        _ => format!("   winning chances after it: {} %\n", percent(finding.chance)),
    }
}

/// The better line, its score, and why it is better.
fn alternative(better: &Better, finding: &Finding) -> String {
    let line: Vec<&str> = better.line.iter().take(LINE).map(|step| step.mv.as_str()).collect();
    let mut text = format!("      better: {}", line.join(" | "));
    if let (Some(best), Some(score)) = (finding.best_score, finding.score) {
        let _ = write!(text, " (score {} instead of {})", describe(best), describe(score));
    }
    text.push('\n');
    if let Some(reply) = &better.reply {
        let _ = writeln!(text, "      the reply to the move played: {reply}");
    }
    if !better.why.is_empty() {
        let _ = writeln!(text, "      why: {}", better.why.join("; "));
    }
    text
}
