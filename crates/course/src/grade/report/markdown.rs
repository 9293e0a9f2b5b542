//! The report as Markdown. Texts of programs stand in blocks that they cannot end, or with their punctuation escaped.

use super::evidence::evidence;
use crate::grade::points::number;
use crate::grade::result::Grade;
use std::fmt::Write;

/// Returns a report as Markdown.
pub(super) fn markdown(grade: &Grade) -> String {
    let (points, most) = grade.points();
    let mut text = format!("{}\n\n", escaped(&grade.headline()));
    if let Some(not_run) = &grade.not_run {
        let _ = writeln!(
            text,
            "The program was not run:\n\n{}\nTo fix it: {}\n",
            block(&not_run.why),
            escaped(&not_run.remedy)
        );
    }
    grade.notes.iter().for_each(|note| {
        let _ = writeln!(text, "{}\n", escaped(note));
    });
    if !grade.tests.is_empty() {
        text.push_str("| test | what | points | of | CPU s | plies | how |\n|---:|---|---:|---:|---:|---:|---|\n");
    }
    for item in &grade.tests {
        let mark = if item.is_full() { "ok".to_string() } else { item.verdict() };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {:.2} | {} | {mark} |",
            item.number,
            escaped(&item.name),
            number(item.points),
            number(item.most),
            item.cpu(),
            item.plies()
        );
    }
    if let Some(bonus) = &grade.bonus {
        let _ = writeln!(text, "\nBonus: {} for {}", number(bonus.points), bonus.words);
    }
    for item in grade.lost() {
        let _ = writeln!(
            text,
            "\n## {}. {}: {} of {}\n",
            item.number,
            escaped(&item.name),
            number(item.points),
            number(item.most)
        );
        text += &block(evidence(grade, item, true).trim_end());
    }
    let _ =
        writeln!(text, "\nScore: {} of {}, {:.0} s of CPU by the agent.", number(points), number(most), grade.cpu());
    if let Some(layers) = &grade.sandbox_layers {
        let _ = writeln!(text, "\nSandbox layers around the agent: {}", escaped(layers));
    }
    text
}

/// Escapes the markup in a text. Markdown allows a backslash before any punctuation.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for symbol in arena::plain::shown(text).chars() {
        if "\\`*_{}[]<>()#+-.!|~&".contains(symbol) && !".-()".contains(symbol) {
            out.push('\\');
        }
        out.push(symbol);
    }
    out
}

/// Returns lines as a code block with fences longer than any run of backticks in them.
fn block(text: &str) -> String {
    let longest = text.split(|symbol| symbol != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let lines: Vec<String> = text.lines().map(arena::plain::shown).collect();
    format!("{fence}\n{}\n{fence}\n", lines.join("\n"))
}
