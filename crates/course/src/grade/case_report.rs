//! The report of a program on the cases of a homework, as text and as JSON.

use super::case_runs::CaseRuns;
use super::points::number;
use arena::plain::shown;
use homework::{Case, CaseResult, Homework, Points};
use serde_json::{Value, json};

/// The most lines of a case's input that are shown, and the most letters of each.
const LINES: usize = 20;
const WIDTH: usize = 100;

/// What a report is made of.
pub(crate) struct CaseReport<'a> {
    /// The homework.
    pub homework: &'a Homework,
    /// The results.
    pub run: &'a CaseRuns,
    /// The name of the program.
    pub agent: &'a str,
    /// The sandbox layers around the program.
    pub layers: Option<&'a str>,
    /// Notes on the submission.
    pub notes: &'a [String],
}

impl CaseReport<'_> {
    /// Returns the report as text.
    pub(crate) fn text(&self) -> String {
        let Homework { title, cases, is_plain, .. } = self.homework;
        let mut text = self.notes.iter().fold(String::new(), |text, note| text + note + "\n");
        text += &format!("{title}: {}\n", self.agent);
        for (case, result) in cases.iter().zip(&self.run.results) {
            let CaseResult { name, cpu, wrong, unjudged, remark, .. } = result;
            let how = match (unjudged, wrong) {
                (Some(why), _) => format!("NOT JUDGED  {why}"),
                (None, Some(wrong)) => format!("WRONG  {wrong}"),
                (None, None) if remark.is_empty() => "right".to_string(),
                (None, None) => format!("right  {remark}"),
            };
            match is_plain {
                true => text += &format!("  {name:<32} {cpu:>7.2} s  {how}\n"),
                false => {
                    let (points, most) = self.homework.points_of(case, result);
                    let points = format!("{} of {}", number(points), number(most));
                    text += &format!("  {name:<24} {cpu:>7.2} s  {points:>12}  {how}\n");
                }
            }
            if wrong.is_some() {
                text += &evidence(case, result);
            }
        }
        let (right, count) = (self.run.right(), cases.len());
        let percent = self.percent();
        if *is_plain {
            text += &format!("{right} of {count} cases right: {percent:.1} %\n");
        } else {
            let Points { points, most, groups } = self.homework.points(&self.run.results);
            for (group, points) in self.homework.groups.iter().zip(groups) {
                let hint = group.hint.as_ref().map_or(String::new(), |hint| format!("  {hint}"));
                let (name, most) = (&group.name, number(group.points));
                text += &format!("Group {name}: {} of {most} points{hint}\n", number(points));
            }
            let (points, most) = (number(points), number(most));
            text += &format!("{points} of {most} points, {right} of {count} cases right\n");
        }
        let layers =
            self.layers.map(|layers| format!("Sandbox layers around the program: {layers}\n"));
        text += &layers.unwrap_or_default();
        if let Some(why) = &self.run.stopped {
            text += &format!("Not run: {}, after {why}\n", count - self.run.results.len());
        }
        text
    }

    fn percent(&self) -> f64 {
        100.0 * self.run.right() as f64 / self.homework.cases.len() as f64
    }

    /// Returns the report as JSON.
    pub(crate) fn json(&self) -> String {
        let Homework { title, cases, is_plain, .. } = self.homework;
        let case = |(case, result): (&Case, &CaseResult)| {
            let CaseResult { name, cpu, wrong, .. } = result;
            let mut value =
                json!({ "case": name, "cpu": cpu, "right": wrong.is_none(), "wrong": wrong });
            if wrong.is_some() && !case.is_secret {
                value["input"] = json!(beginning_of_input(case));
            }
            if !is_plain {
                let (points, most) = self.homework.points_of(case, result);
                value["points"] = json!(points);
                value["of"] = json!(most);
                value["remark"] = json!(result.remark);
                value["hint"] = json!(case.hint);
                value["secret"] = json!(case.is_secret);
                value["line"] = json!(result.marked.as_ref().map(|(line, _)| line));
                value["unjudged"] = json!(result.unjudged);
            }
            value
        };
        let list: Vec<Value> = cases.iter().zip(&self.run.results).map(case).collect();
        let mut report = json!({
            "game": title, "agent": self.agent, "cases": list, "right": self.run.right(),
            "count": cases.len(), "percent": self.percent(), "layers": self.layers,
            "notes": self.notes,
        });
        if !is_plain {
            let Points { points, most, groups } = self.homework.points(&self.run.results);
            let groups = self.homework.groups.iter().zip(groups).map(
                |(group, points)| json!({ "group": group.name, "points": points, "of": group.points }),
            );
            report["points"] = json!(points);
            report["of"] = json!(most);
            report["groups"] = groups.collect();
            report["not_run"] = json!(self.run.stopped);
        }
        format!("{report:#}\n")
    }
}

/// Returns what a student needs to see why a case is wrong: the line that differs, and the input, or
/// the hint of a secret case.
fn evidence(case: &Case, result: &CaseResult) -> String {
    let mut text = String::new();
    if let Some((line, column)) = &result.marked {
        let begin = column.saturating_sub(WIDTH / 2);
        let part: String = line.chars().skip(begin).take(WIDTH).collect();
        text += &format!("      found: {}\n", shown(&part));
        text += &format!("             {}^\n", " ".repeat(column - begin));
    }
    if let Some(hint) = &case.hint {
        text += &format!("      hint: {}\n", shown(hint));
    }
    if case.is_secret {
        return text;
    }
    let Some((name, _)) = case.finds.first() else { return text };
    text += &format!("      {name}:\n");
    text.extend(beginning_of_input(case).iter().map(|line| format!("      | {line}\n")));
    text
}

/// Returns the first lines of a case's input, as plain text.
fn beginning_of_input(case: &Case) -> Vec<String> {
    let input = case.input().unwrap_or_default();
    let line = |line: &str| {
        let part: String = line.chars().take(WIDTH).collect();
        shown(&part) + if part.len() < line.len() { " ..." } else { "" }
    };
    let more = input.lines().count().saturating_sub(LINES);
    let more = (more > 0).then(|| format!("({more} more lines)"));
    input.lines().take(LINES).map(line).chain(more).collect()
}
