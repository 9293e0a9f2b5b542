//! The report as text.

use super::evidence::{evidence, indented};
use crate::grade::result::{Grade, NotRun};
use homework::number;

pub(super) fn text(grade: &Grade) -> String {
    let mut text = format!("{}\n\n", grade.headline());
    if let Some(NotRun { why, remedy }) = &grade.not_run {
        let why = indented(why);
        text += &format!("The program was not run:\n{why}\n\nTo fix it: {remedy}\n");
    }
    grade.notes.iter().for_each(|note| text += &format!("{note}\n"));
    for item in &grade.tests {
        let remark = item.case().map_or("", |case| &case.result.remark);
        let mark = if item.is_full() { format!("ok  {remark}") } else { item.verdict() };
        let (size, unit) = item.size();
        let (points, most) = (number(item.points), number(item.most));
        text += &format!(
            "{:>3}  {:<40} {points:>4} of {most:<3} {:>8.2} s CPU  {size:>4} {unit:<5}  {}\n",
            item.number,
            item.name,
            item.cpu(),
            mark.trim_end()
        );
    }
    if let Some(bonus) = &grade.bonus {
        text += &format!("     bonus: {} for {}\n", number(bonus.points), bonus.words);
    }
    if grade.lost().next().is_some() {
        text += "\nLost points, and why:\n";
    }
    for item in grade.lost() {
        let (points, most, why) =
            (number(item.points), number(item.most), evidence(grade, item, true));
        text += &format!("\n{}. {}: {points} of {most}\n{why}\n", item.number, item.name);
    }
    let (points, most) = grade.points();
    let (points, most, wall, cpu) = (number(points), number(most), grade.wall, grade.cpu());
    text +=
        &format!("\nScore: {points} of {most} in {wall:.0} s ({cpu:.0} s of CPU by the agent)\n");
    if let Some(layers) = &grade.sandbox_layers {
        text += &format!("Sandbox layers around the agent: {layers}\n");
    }
    text
}
