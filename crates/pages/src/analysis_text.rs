//! The analysis of a game as plain text.

use crate::frames::{Frame, frames};
use crate::summary::{GameVerdict, HASTY, SideVerdict, Turned, verdict};
use anygame::AnyGame;
use anyhow::Result;
use arena::analysis::better::{Better, LISTED};
use arena::analysis::finding::Finding;
pub(crate) use arena::analysis::text::cost;
use arena::analysis::text::percent;
use arena::plain::{counted, shown};
use arena::record::{GameRecord, Header};
use arena::replayed::ReplayedGame;
use engine::score::describe;
use std::fmt::Write;
use terminal::standings::aligned;

/// A game's analysis as text: a table of the shown sides and their costliest moves, each with the
/// command that prints its position if `file` is the record's path.
pub fn game(
    any_game: &AnyGame,
    header: &Header,
    record: &GameRecord,
    shown_sides: [bool; 2],
    file: Option<&str>,
) -> Result<String> {
    let replayed = ReplayedGame::of(any_game, header, &record.start.opening, &record.moves)?;
    let frames = frames(&replayed, &record.moves)?;
    let sides = any_game.sides;
    let verdict = verdict(header, (sides, any_game.curve), &record.moves, &record.end);
    let end = &record.end;
    let players =
        [0, 1].map(|side: usize| format!("{} {}", sides[side], shown(&record.start.players[side])));
    let result = end.winner.map_or("a draw".to_string(), |winner| format!("{} won", sides[winner]));
    let mut text = format!(
        "Game {}: {}, {}: {result} ({}: {}), {}\n",
        end.game,
        players[0],
        players[1],
        end.termination,
        shown(&end.reason),
        counted(end.plies, "ply", "plies")
    );
    text.push_str(&table(&verdict, &players, shown_sides));
    let turned = match (verdict.turned, end.winner) {
        (Some(Turned::With(index)), _) => {
            format!("The game turned for good with {}.\n", numbered(&frames[index + 1]))
        }
        (Some(Turned::Never), Some(winner)) => format!(
            "No move turned the game: {} was ahead at each of the opponent's moves.\n",
            sides[winner]
        ),
        (Some(Turned::Unknown), Some(winner)) if verdict.sides[1 - winner].moves == 0 => format!(
            "The turning move is found from the moves of {}, which are not analysed.\n",
            sides[1 - winner]
        ),
        _ => String::new(),
    };
    text += &turned;
    for side in [0, 1].into_iter().filter(|&side| shown_sides[side]) {
        text += &side_text(&players[side], &verdict.sides[side], &frames, (file, end.game));
    }
    text.push('\n');
    Ok(text)
}

fn table(verdict: &GameVerdict, players: &[String; 2], shown_sides: [bool; 2]) -> String {
    let headings = ["", "Moves", "Accuracy", "Inaccuracies", "Mistakes", "Blunders"];
    let mut rows = vec![headings.map(String::from).to_vec()];
    for side in [0, 1].into_iter().filter(|&side| shown_sides[side]) {
        let SideVerdict { moves, accuracy, marks, .. } = &verdict.sides[side];
        let accuracy =
            accuracy.map_or("no figure".to_string(), |accuracy| format!("{accuracy:.0} %"));
        let mut row = vec![players[side].clone(), moves.to_string(), accuracy];
        row.extend(marks.map(|count| count.to_string()));
        rows.push(row);
    }
    aligned(&rows, &[0])
}

fn numbered(frame: &Frame) -> String {
    frame.mv.as_ref().map_or(String::new(), |mv| format!("{}. {} {}", mv.ply + 1, mv.side, mv.mv))
}

fn side_text(
    player: &str,
    side: &SideVerdict,
    frames: &[Frame],
    (file, game): (Option<&str>, u32),
) -> String {
    let mut text = String::new();
    if let Some((first, count)) = side.unfinished {
        let moves = match count {
            1 => "its last move".to_string(),
            _ => format!("its last {count} moves all"),
        };
        let _ = writeln!(
            text,
            "{player} was winning from move {} and did not finish: {moves} kept a proven win.",
            first + 1
        );
    }
    if let Some(shortened) = &side.resistance {
        text += &resistance_text(player, shortened, frames);
    } else if side.costliest.is_empty() && side.moves > 0 {
        let _ = writeln!(
            text,
            "{player} made no move that costs anything, as far as the search can see."
        );
    } else if !side.costliest.is_empty() {
        let _ = writeln!(text, "The costliest moves of {player}:");
    }
    for &index in &side.costliest {
        let frame = &frames[index + 1];
        let Some(mv) = &frame.mv else { continue };
        let Some(finding) = &mv.analysis else { continue };
        let _ = writeln!(text, "  {}: {}", numbered(frame), cost(finding));
        if let Some(better) = &frame.better {
            text.push_str(&alternative(better, finding));
        }
        if let Some(file) = file {
            let ply = mv.ply + 1;
            let command = format!("judge position {file} --game {game} --ply {ply}");
            let _ = writeln!(text, "      position: {command}");
        }
    }
    if let Some((hasty, left)) = side.unused {
        let moves = counted(hasty, "move", "moves");
        let _ = writeln!(
            text,
            "{player} made {moves} in {HASTY} s or less, with {left:.1} s left at the end."
        );
    }
    text
}

/// What a side could do that was lost before its first move.
fn resistance_text(player: &str, shortened: &[usize], frames: &[Frame]) -> String {
    let mut text = format!("{player} was lost before its first move, with best play of both. ");
    if shortened.is_empty() {
        return text + "No move made the end come sooner, as far as the search can see.\n";
    }
    text += "It could have held out longer:\n";
    for &index in shortened {
        let frame = &frames[index + 1];
        let Some(finding) = frame.mv.as_ref().and_then(|mv| mv.analysis.as_deref()) else {
            continue;
        };
        let Some([best, played]) = finding.resistance() else { continue };
        let longer = frame.better.as_ref().map_or(String::new(), |better| {
            let line = better.line.iter().take(LISTED).map(|step| step.mv.as_str());
            format!(", with {}", line.collect::<Vec<_>>().join(" | "))
        });
        let plies = counted(best, "ply", "plies");
        let _ = writeln!(
            text,
            "  {}: the end is {played} plies away; it could be {plies}{longer}",
            numbered(frame)
        );
    }
    text
}

/// What follows a move in a list: its cost and a better one if it is marked, or else the chances.
pub(crate) fn caption(frame: &Frame, finding: &Finding) -> String {
    let better = frame.better.as_ref().and_then(|better| better.line.first());
    match (finding.mark, better) {
        (Some(_), Some(better)) => format!("; {}; better: {}", cost(finding), better.mv),
        _ => format!("; winning chances after it: {} %", percent(finding.chance)),
    }
}

fn alternative(better: &Better, finding: &Finding) -> String {
    let line: Vec<&str> = better.line.iter().take(LISTED).map(|step| step.mv.as_str()).collect();
    let mut text = format!("      better: {}", line.join(" | "));
    if let (Some(best), Some(score)) = (finding.best_score, finding.score) {
        let _ = write!(text, " (score {} instead of {})", describe(best), describe(score));
    }
    text.push('\n');
    if let Some(reply) = better.reply() {
        let _ = writeln!(text, "      the reply to the move played: {reply}");
    }
    if !better.why.is_empty() {
        let _ = writeln!(text, "      why: {}", better.why.join("; "));
    }
    text
}
