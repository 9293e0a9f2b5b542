//! The evidence of a lost test, which every report for people shows.

use crate::grade::result::{Grade, GradedTest};
use arena::plain::{counted, shown};
use arena::record::FaultRecord;

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
        Some(before) => text += &format!("The rule is that of test {}.\n", before.number),
        None => text += &format!("The rule, {}\n", indented(&item.rule).trim_start()),
    }
    let part = |heading: &str, part: &str| format!("{heading}:\n{}\n", indented(part));
    if let Some(analysis) = &item.done.analysis {
        text += &part("The agent's moves", analysis.trim_end());
    }
    if let Some(case) = item.case() {
        text += &case.evidence;
    }
    let Some(end) = item.end() else { return text };
    if let Some(times) = item.times() {
        text += &format!("{}\n", times.words());
    }
    let thoughts = item.thoughts().words();
    if !thoughts.is_empty() {
        text += &format!("Its thoughts: {}\n", shown(&thoughts));
    }
    let Some(fault) = item.fault() else {
        if let Some(proof) = &item.proof {
            if boards {
                text += &part("The position", &proof.position.picture());
            }
            return text;
        }
        let plies = counted(end.plies, "ply", "plies");
        text += &format!("The game had {plies}; CPU used: {:.2} s.\n", item.cpu());
        if let Some(board) = end.board.as_ref().filter(|_| boards) {
            text += &part("The last board", board);
        }
        return text;
    };
    let (cpu, wall) = (fault.cpu, fault.wall);
    text += &format!("The turn took {cpu:.2} s of CPU and {wall:.2} s of wall time.\n");
    text += &part("input.txt", &fault.input);
    if boards {
        text += &part("The board", &fault.board);
    }
    text += &match fault.output.as_deref() {
        Some("") => "output.txt: empty\n".to_string(),
        Some(output) => part("output.txt", output),
        None => "output.txt: missing or unreadable\n".to_string(),
    };
    let listed = &fault.legal[..fault.legal.len().min(MOST_LISTED)];
    let more = match fault.legal_count.saturating_sub(listed.len()) {
        0 => String::new(),
        more if boards => format!(" and {more} more"),
        more => format!(" and {more} more, which the board shows"),
    };
    text += &format!("Legal moves ({}): {}{more}\n", fault.legal_count, listed.join("  "));
    for (name, of) in STREAMS {
        let stream = of(fault);
        let is_long = stream.lines().count() > SHORT;
        let mut lost_before = grade.lost().take_while(|before| before.number < item.number);
        let same =
            lost_before.find(|before| before.fault().is_some_and(|other| of(other) == stream));
        text += &match same {
            _ if stream.is_empty() => continue,
            Some(before) if is_long => format!("{name}: the same as in test {}\n", before.number),
            _ => part(name, stream),
        };
    }
    text
}

type Stream = fn(&FaultRecord) -> &str;

const STREAMS: [(&str, Stream); 2] =
    [("Standard output", |fault| &fault.stdout), ("Standard error", |fault| &fault.stderr)];

/// Indents and escapes each line; ends without a line end.
pub(super) fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("    {}", shown(line))).collect();
    lines.join("\n")
}
