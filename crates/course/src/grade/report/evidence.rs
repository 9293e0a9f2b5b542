//! The evidence of a lost test, which every report for people shows.

use crate::grade::result::{Grade, GradedTest};
use arena::plain::{counted, shown};
use std::fmt::Write;

/// Streams of so few lines are shown in every test, even if they are the same.
const SHORT: usize = 3;

const MOST_LISTED: usize = 12;

/// Returns the evidence of a lost test. A long stream that is the same in several tests is shown
/// once. `boards`: with the position as text.
pub(super) fn evidence(grade: &Grade, item: &GradedTest, boards: bool) -> String {
    let said = format!("{}: {}", item.verdict(), shown(item.reason()));
    let mut text = said.strip_suffix(": ").unwrap_or(&said).to_string() + "\n";
    let mut lost_before = grade.lost().take_while(|before| before.number < item.number);
    match lost_before.find(|before| before.rule == item.rule) {
        _ if item.rule.is_empty() => {}
        Some(before) => {
            let _ = writeln!(text, "The rule is that of test {}.", before.number);
        }
        None => {
            let _ = writeln!(text, "The rule, {}", indented(&item.rule).trim_start());
        }
    }
    if let Some(analysis) = &item.done.analysis {
        let _ = writeln!(text, "The agent's moves:\n{}", indented(analysis.trim_end()));
    }
    if let Some(case) = item.case() {
        text += &case.evidence;
    }
    let Some(end) = item.end() else { return text };
    if let Some(times) = item.times() {
        text += &format!("{}\n", times.words());
    }
    let Some(fault) = item.fault() else {
        if let Some(proof) = &item.proof {
            if boards {
                let _ = writeln!(text, "The position:\n{}", indented(&proof.position.picture()));
            }
            return text;
        }
        let _ = writeln!(
            text,
            "The game had {}; CPU used: {:.2} s.",
            counted(end.plies, "ply", "plies"),
            item.cpu()
        );
        if let Some(board) = end.board.as_ref().filter(|_| boards) {
            let _ = writeln!(text, "The last board:\n{}", indented(board));
        }
        return text;
    };
    let _ = writeln!(
        text,
        "The turn took {:.2} s of CPU and {:.2} s of wall time.",
        fault.cpu, fault.wall
    );
    let _ = writeln!(text, "input.txt:\n{}", indented(&fault.input));
    if boards {
        let _ = writeln!(text, "The board:\n{}", indented(&fault.board));
    }
    match &fault.output {
        Some(output) if output.is_empty() => text.push_str("output.txt: empty\n"),
        Some(output) => {
            let _ = writeln!(text, "output.txt:\n{}", indented(output));
        }
        None => text.push_str("output.txt: missing or unreadable\n"),
    }
    let listed = &fault.legal[..fault.legal.len().min(MOST_LISTED)];
    let more = fault.legal_count.saturating_sub(listed.len());
    let more = match more {
        0 => String::new(),
        _ if boards => format!(" and {more} more"),
        _ => format!(" and {more} more, which the board shows"),
    };
    let _ = writeln!(text, "Legal moves ({}): {}{more}", fault.legal_count, listed.join("  "));
    let before = grade.lost().take_while(|before| before.number < item.number);
    let before: Vec<_> =
        before.filter_map(|before| Some((before.number, before.fault()?))).collect();
    let is_long = |stream: &str| stream.lines().count() > SHORT;
    for (name, stream, same) in [
        (
            "Standard output",
            &fault.stdout,
            before.iter().find(|(_, other)| other.stdout == fault.stdout),
        ),
        (
            "Standard error",
            &fault.stderr,
            before.iter().find(|(_, other)| other.stderr == fault.stderr),
        ),
    ] {
        match same {
            _ if stream.is_empty() => {}
            Some((number, _)) if is_long(stream) => {
                let _ = writeln!(text, "{name}: the same as in test {number}");
            }
            _ => {
                let _ = writeln!(text, "{name}:\n{}", indented(stream));
            }
        }
    }
    text
}

/// Indents and escapes each line; ends without a line end.
pub(super) fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("    {}", shown(line))).collect();
    lines.join("\n")
}
