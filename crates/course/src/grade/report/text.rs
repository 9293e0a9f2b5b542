//! The report as text.

use super::evidence::{evidence, indented};
use crate::grade::points::number;
use crate::grade::result::Grade;
use std::fmt::Write;

pub(super) fn text(grade: &Grade) -> String {
    let mut text = format!("{}\n\n", grade.headline());
    if let Some(not_run) = &grade.not_run {
        let _ = writeln!(
            text,
            "The program was not run:\n{}\n\nTo fix it: {}",
            indented(&not_run.why),
            not_run.remedy
        );
    }
    grade.notes.iter().for_each(|note| {
        let _ = writeln!(text, "{note}");
    });
    for item in &grade.tests {
        let remark = item.case().map_or("", |case| &case.result.remark);
        let mark = if item.is_full() { format!("ok  {remark}") } else { item.verdict() };
        let (size, unit) = item.size();
        let (points, most) = (number(item.points), number(item.most));
        let _ = writeln!(
            text,
            "{:>3}  {:<40} {points:>4} of {most:<3} {:>8.2} s CPU  {size:>4} {unit:<5}  {}",
            item.number,
            item.name,
            item.cpu(),
            mark.trim_end()
        );
    }
    if let Some(bonus) = &grade.bonus {
        let _ = writeln!(text, "     bonus: {} for {}", number(bonus.points), bonus.words);
    }
    if grade.lost().next().is_some() {
        text.push_str("\nLost points, and why:\n");
    }
    for item in grade.lost() {
        let (points, most) = (number(item.points), number(item.most));
        let _ = writeln!(
            text,
            "\n{}. {}: {points} of {most}\n{}",
            item.number,
            item.name,
            evidence(grade, item, true)
        );
    }
    let (points, most) = grade.points();
    let (points, most) = (number(points), number(most));
    let _ = writeln!(
        text,
        "\nScore: {points} of {most} in {:.0} s ({:.0} s of CPU by the agent)",
        grade.wall,
        grade.cpu()
    );
    if let Some(layers) = &grade.sandbox_layers {
        let _ = writeln!(text, "Sandbox layers around the agent: {layers}");
    }
    text
}
