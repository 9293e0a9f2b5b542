//! The report of a program on the cases of a homework. A homework without a `homework.toml` has a
//! text and a JSON of its own; all other reports are those of a grading.

use super::report::{ReportFormat, write};
use super::result::{
    CaseOutcome, FinishedTest, Grade, GradedTest, LEFT_OUT, NotRun, TestOutcome, UNFINISHED,
};
use super::scheme::file::Visibility;
use arena::plain::shown;
use engine::Side;
use homework::{Case, CaseResult, CaseRuns, Count, Homework, number};
use serde_json::{Value, json};

/// How much of a case's input is shown, and of each line.
const LINES: usize = 20;
const WIDTH: usize = 100;

pub(crate) struct CaseReport<'a> {
    pub homework: &'a Homework,
    pub run: &'a CaseRuns,
    pub agent: &'a str,
    pub layers: Option<&'a str>,
    pub notes: &'a [String],
    pub not_run: Option<&'a NotRun>,
}

impl CaseReport<'_> {
    pub(crate) fn write(&self, format: ReportFormat) -> String {
        self.plain(format).unwrap_or_else(|| write(&self.grade(), format))
    }

    /// The report of a homework that has one of its own.
    pub(crate) fn plain(&self, format: ReportFormat) -> Option<String> {
        match format {
            _ if !self.homework.is_plain() => None,
            ReportFormat::Text => Some(self.text()),
            ReportFormat::Json => Some(self.json()),
            _ => None,
        }
    }

    /// Returns the results as a grading, whose tests are the cases.
    pub(crate) fn grade(&self) -> Grade {
        let (homework, results) = (self.homework, &self.run.results);
        let points = homework.points(results);
        let mut notes = self.notes.to_vec();
        let mut tests = Vec::new();
        if self.not_run.is_none() {
            let (right, count) = (self.run.right(), homework.cases.len());
            notes.push(format!("{right} of {count} cases right"));
            for (group, points) in homework.groups.iter().zip(&points.groups) {
                let hint = group.hint.as_ref().map_or(String::new(), |hint| format!("  {hint}"));
                let (name, most) = (&group.name, number(group.points));
                notes.push(format!("Group {name}: {} of {most} points{hint}", number(*points)));
            }
            let cases = homework.cases.iter().zip(&points.cases).zip(1..);
            tests.extend(cases.map(|((case, points), number)| self.test(case, *points, number)));
        }
        Grade {
            title: homework.title.clone(),
            agent: self.agent.to_string(),
            sandbox_layers: self.layers.map(str::to_string),
            tests,
            most: points.most,
            not_run: self.not_run.cloned(),
            notes,
            wall: self.run.wall,
            ..Grade::default()
        }
    }

    fn test(&self, case: &Case, (points, most): (f64, f64), number: u32) -> GradedTest {
        let outcome = match self.run.results.get(number as usize - 1) {
            Some(result) => self.outcome(case, result, points >= most),
            None => {
                let (word, reason) = match &self.run.stopped {
                    Some(why) => (LEFT_OUT, format!("not run, after {why}")),
                    None => (UNFINISHED, "the time was over before this case".to_string()),
                };
                TestOutcome::Unplayed { word, reason }
            }
        };
        GradedTest {
            number,
            game: 0,
            name: format!("case {}", case.name),
            points,
            most,
            done: FinishedTest { outcome, ..FinishedTest::unplayed("", String::new()) },
            side: Side::First,
            rule: String::new(),
            board: None,
            legal: Vec::new(),
            visibility: Visibility::Visible,
            single: true,
            proof: None,
            same_as: None,
        }
    }

    fn outcome(&self, case: &Case, result: &CaseResult, is_full: bool) -> TestOutcome {
        let told = self.homework.told(case, result);
        let mut reason = told.wrong.clone().unwrap_or_else(|| told.remark.clone());
        let word = match result {
            CaseResult { unjudged: Some(_), .. } => {
                reason = told.unjudged.clone().unwrap_or_default();
                "not judged"
            }
            CaseResult { used_up: true, wrong: Some(_), .. } => "too slow",
            CaseResult { too_long: true, .. } => "too long",
            CaseResult { unanswered: true, fault: Some(_), .. } => "crash",
            CaseResult { unanswered: true, .. } => "no output",
            CaseResult { wrong: Some(_), .. } => "wrong",
            CaseResult { score, .. } if *score < 1.0 => "a part of the points",
            _ if is_full => "right",
            _ => {
                if let Some(group) = case.group.map(|group| &self.homework.groups[group]) {
                    let how = match group.count {
                        Count::AllOrNothing => "counts if all its cases are right",
                        _ => "counts by its worst case",
                    };
                    reason = format!("right, but the group {} {how}", group.name);
                }
                "another case of the group"
            }
        };
        let is_lost = result.wrong.is_some();
        let evidence = if is_lost { evidence(case, &told) } else { String::new() };
        let result = told;
        TestOutcome::Case(Box::new(CaseOutcome { result, word, reason, evidence }))
    }

    /// Without a `homework.toml`.
    fn text(&self) -> String {
        let Homework { title, cases, .. } = self.homework;
        let mut text = self.notes.iter().fold(String::new(), |text, note| text + note + "\n");
        let (right, count, agent) = (self.run.right(), cases.len(), self.agent);
        if let Some(NotRun { why, remedy }) = self.not_run {
            return format!("{text}{agent}: 0 of {count} cases right\nNot run: {why}\n{remedy}\n");
        }
        text += &format!("{title}: {agent}\n");
        for (case, result) in cases.iter().zip(&self.run.results) {
            let CaseResult { name, cpu, wrong, unjudged, .. } = result;
            let how = match (unjudged, wrong) {
                (Some(why), _) => format!("NOT JUDGED  {why}"),
                (None, Some(wrong)) => format!("WRONG  {wrong}"),
                (None, None) => "right".to_string(),
            };
            text += &format!("  {name:<32} {cpu:>7.2} s  {how}\n");
            if wrong.is_some() {
                text += &evidence(case, result);
            }
        }
        text += &format!("{right} of {count} cases right: {:.1} %\n", self.percent());
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

    /// Without a `homework.toml`.
    fn json(&self) -> String {
        let case = |(case, result): (&Case, &CaseResult)| {
            let CaseResult { name, cpu, wrong, .. } = result;
            let mut value =
                json!({ "case": name, "cpu": cpu, "right": wrong.is_none(), "wrong": wrong });
            if wrong.is_some() {
                value["input"] = json!(beginning_of_input(case));
            }
            value
        };
        let Homework { title, cases, .. } = self.homework;
        let mut report = json!({
            "game": title, "agent": self.agent, "right": self.run.right(), "count": cases.len(),
            "notes": self.notes,
        });
        if let Some(NotRun { why, remedy }) = self.not_run {
            (report["not_run"], report["remedy"]) = (json!(why), json!(remedy));
        } else {
            let list: Vec<Value> = cases.iter().zip(&self.run.results).map(case).collect();
            report["cases"] = json!(list);
            (report["percent"], report["layers"]) = (json!(self.percent()), json!(self.layers));
        }
        format!("{report:#}\n")
    }
}

/// Shows why a case is wrong: the line that differs, and the input, or the hint of a secret case.
fn evidence(case: &Case, result: &CaseResult) -> String {
    let mut text = String::new();
    if let Some((line, column)) = &result.marked {
        let begin = column.saturating_sub(WIDTH / 2);
        let part: String = line.chars().skip(begin).take(WIDTH).collect();
        text += &format!("    found: {}\n", shown(&part));
        text += &format!("           {}^\n", " ".repeat(column - begin));
    }
    if let Some(hint) = &case.hint {
        text += &format!("    hint: {}\n", shown(hint));
    }
    if !result.conversation.is_empty() {
        text += "    what was said:\n";
        text.extend(result.conversation.lines().map(|line| format!("    | {line}\n")));
    }
    if case.is_secret {
        return text;
    }
    let Some((name, _)) = case.finds.first() else { return text };
    text += &format!("    {name}:\n");
    text.extend(beginning_of_input(case).iter().map(|line| format!("    | {line}\n")));
    text
}

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
