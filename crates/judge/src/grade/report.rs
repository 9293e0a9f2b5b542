//! The forms of a grading's report.

use super::result::{Grade, Item, verdict};
use anyhow::Result;
use arena::plain::{is_plain, shown};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    /// Text for people
    Text,
    /// JSON for programs
    Json,
    /// Gradescope's results.json
    Gradescope,
    /// JUnit XML
    Junit,
}

/// Writes a report.
pub(super) fn write(grade: &Grade, form: Form) -> Result<String> {
    Ok(match form {
        Form::Text => text(grade),
        Form::Json => pretty(&json(grade)),
        Form::Gradescope => pretty(&gradescope(grade)),
        Form::Junit => junit(grade).to_string()?,
    })
}

fn pretty(value: &Value) -> String {
    // The same text to programs; escape codes and turned letters do not reach a terminal.
    let mut text = String::new();
    for character in format!("{value:#}\n").chars() {
        if character == '\n' || is_plain(character) {
            text.push(character);
        } else {
            character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| text += &format!("\\u{unit:04x}"));
        }
    }
    text
}

fn lost(grade: &Grade) -> impl Iterator<Item = &Item> {
    grade.items.iter().filter(|item| item.points < item.most)
}

/// The evidence of a lost test: why it was lost, with the position, the output and the legal moves.
fn evidence(item: &Item) -> String {
    let end = &item.end;
    let mut text = format!("{}: {}\n{}", verdict(item), shown(&end.reason), item.rule);
    if let Some(analysis) = &item.analysis {
        let _ = writeln!(text, "The agent's moves:\n{}", indented(analysis.trim_end()));
    }
    let Some(fault) = end.fault.as_ref().filter(|fault| fault.player == item.side.index()) else {
        let _ = writeln!(text, "The game had {} plies; CPU used: {:.2} s.", end.plies, end.cpu[item.side.index()]);
        if let Some(board) = &end.board {
            let _ = writeln!(text, "The last board:\n{}", indented(board));
        }
        return text;
    };
    let _ = writeln!(text, "The turn took {:.2} s of CPU and {:.2} s of wall time.", fault.cpu, fault.wall);
    let _ = writeln!(text, "input.txt:\n{}", indented(&fault.input));
    let _ = writeln!(text, "The board:\n{}", indented(&fault.board));
    match &fault.output {
        Some(output) if output.is_empty() => text.push_str("output.txt: empty\n"),
        Some(output) => {
            let _ = writeln!(text, "output.txt:\n{}", indented(output));
        }
        None => text.push_str("output.txt: none that can be read\n"),
    }
    let more = fault.legal_count.saturating_sub(fault.legal.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let _ = writeln!(text, "Legal moves ({}): {}{more}", fault.legal_count, fault.legal.join("  "));
    for (name, stream) in [("Standard output", &fault.stdout), ("Standard error", &fault.stderr)] {
        if !stream.is_empty() {
            let _ = writeln!(text, "{name}:\n{}", indented(stream));
        }
    }
    text
}

/// The text with four blanks before each line, what is not plain escaped, and no line end at the end.
fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("    {}", shown(line))).collect();
    lines.join("\n")
}

fn text(grade: &Grade) -> String {
    let mut text = format!("{}: {}\n\n", grade.title, grade.agent);
    for item in &grade.items {
        let mark = if item.points < item.most { verdict(item) } else { "ok".to_string() };
        let cpu = item.end.cpu[item.side.index()];
        let _ = writeln!(
            text,
            "{:>3}  {:<40} {:>4} of {:<3} {:>8.2} s CPU  {:>4} plies  {mark}",
            item.number, item.name, item.points, item.most, cpu, item.end.plies
        );
    }
    if lost(grade).next().is_some() {
        text.push_str("\nWhat was lost, and why:\n");
    }
    for item in lost(grade) {
        let _ =
            writeln!(text, "\n{}. {}: {} of {}\n{}", item.number, item.name, item.points, item.most, evidence(item));
    }
    let (points, most) = grade.points();
    let _ =
        writeln!(text, "\nScore: {points} of {most} in {:.0} s ({:.0} s of CPU by the agent)", grade.wall, grade.cpu());
    if let Some(walls) = &grade.walls {
        let _ = writeln!(text, "Walls around the agent: {walls}");
    }
    text
}

fn json(grade: &Grade) -> Value {
    let (points, most) = grade.points();
    let tests: Vec<Value> = grade
        .items
        .iter()
        .map(|item| {
            json!({
                "number": item.number,
                "name": item.name,
                "points": item.points,
                "max": item.most,
                "termination": item.end.termination,
                "reason": item.end.reason,
                "plies": item.end.plies,
                "cpu": item.end.cpu[item.side.index()],
                "wall": item.wall,
                "analysis": item.analysis,
                "fault": item.end.fault.as_ref().filter(|fault| fault.player == item.side.index()),
            })
        })
        .collect();
    json!({
        "game": grade.title,
        "agent": grade.agent,
        "walls": grade.walls,
        "score": points,
        "max": most,
        "cpu": grade.cpu(),
        "wall": grade.wall,
        "tests": tests,
    })
}

/// The form that Gradescope's documentation calls "autograder output": scores of the single tests add up to the whole.
fn gradescope(grade: &Grade) -> Value {
    let (points, _) = grade.points();
    let tests: Vec<Value> = grade
        .items
        .iter()
        .map(|item| {
            let passed = item.points >= item.most;
            let output = if passed { item.end.reason.clone() } else { evidence(item) };
            json!({
                "number": item.number.to_string(),
                "name": item.name,
                "name_format": "text",
                "score": item.points,
                "max_score": item.most,
                "status": if passed { "passed" } else { "failed" },
                "output": output,
                "output_format": "text",
                "visibility": "visible",
            })
        })
        .collect();
    json!({
        "score": points,
        "execution_time": grade.wall.round() as u64,
        "output": format!("{}: {}", grade.title, grade.agent),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    })
}

fn junit(grade: &Grade) -> Report {
    let time = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or_default();
    let mut suite = TestSuite::new(xml(grade.title));
    suite.set_time(time(grade.wall));
    for item in &grade.items {
        let mut status = TestCaseStatus::success();
        if item.points < item.most {
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status
                .set_message(xml(&item.end.reason))
                .set_type(xml(&verdict(item)))
                .set_description(xml(evidence(item).trim_end()));
        }
        let mut case = TestCase::new(xml(&item.name), status);
        case.set_classname(xml(&grade.agent)).set_time(time(item.wall));
        suite.add_test_case(case);
    }
    let mut report = Report::unnamed();
    report.set_time(time(grade.wall)).add_test_suite(suite);
    report
}

/// Text for XML, which does not have all characters: those that are not plain are escaped. Markup is the library's affair.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => out.push(character),
            _ if character.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            _ if is_plain(character) => out.push(character),
            _ => out.extend(character.escape_unicode()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::record::{End, FaultRecord};
    use arena::result::Termination;

    fn grade() -> Grade {
        let fault = FaultRecord {
            player: 1,
            input: "SINGLE\nWHITE\n1\n".to_string(),
            board: "board\n".to_string(),
            output: Some("J <&\"> \u{1b}[2J".to_string()),
            legal: vec!["1,1-2,2".to_string()],
            legal_count: 3,
            stdout: String::new(),
            stderr: "Traceback".to_string(),
            cpu: 0.5,
            wall: 0.75,
        };
        let end = End {
            game: 1,
            players: ["a", "b"].map(String::from),
            winner: Some(0),
            points: None,
            termination: Termination::IllegalMove,
            reason: "WHITE (ply 1): output.txt <bad>".to_string(),
            plies: 0,
            cpu: [0.0, 0.5],
            board: None,
            fault: Some(fault),
        };
        let item = |number, points, end: End| Item {
            number,
            name: format!("test {number}"),
            points,
            most: 1.0,
            end,
            side: engine::Side::Second,
            wall: 1.0,
            rule: String::new(),
            analysis: None,
        };
        let good = End { winner: Some(1), termination: Termination::Normal, fault: None, ..end.clone() };
        Grade {
            title: "Halma",
            agent: "b".to_string(),
            walls: None,
            items: vec![item(1, 0.0, end), item(2, 1.0, good)],
            wall: 2.0,
        }
    }

    #[test]
    fn a_text_report_shows_position_output_and_legal_moves() {
        let text = write(&grade(), Form::Text).unwrap();
        for part in ["Score: 1 of 2", "illegal move", "SINGLE", "J <&\">", "1,1-2,2 and 2 more", "Traceback"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        assert!(!text.contains('\u{1b}'), "what a player wrote must not reach the terminal raw");
    }

    #[test]
    fn a_gradescope_report_has_a_score_a_test() {
        let value: Value = serde_json::from_str(&write(&grade(), Form::Gradescope).unwrap()).unwrap();
        assert_eq!(value["score"], 1.0);
        assert_eq!(value["tests"][0]["score"], 0.0);
        assert_eq!(value["tests"][0]["status"], "failed");
        assert_eq!(value["tests"][1]["status"], "passed");
        assert!(value["tests"][0]["output"].as_str().unwrap().contains("Legal moves"));
    }

    #[test]
    fn a_junit_report_is_well_formed_whatever_the_player_wrote() {
        let mut grade = grade();
        let text = write(&grade, Form::Junit).unwrap();
        assert!(text.contains("&lt;bad&gt;") && !text.contains("<bad>") && !text.contains('\u{1b}'));
        for said in ["", "]]> & &amp; \"'", "\u{fffe}\u{ffff}\0\u{1b}[31m\u{9b}31m\u{202e}\r\u{7f}", "</testcase>"] {
            grade.agent = said.to_string();
            grade.items[0].name = said.to_string();
            grade.items[0].end.reason = said.to_string();
            grade.items[0].end.fault.as_mut().unwrap().stderr = format!("{said}\n\t");
            let text = write(&grade, Form::Junit).unwrap();
            assert!(
                text.chars().all(|character| character == '\n' || character == '\t' || is_plain(character)),
                "{text}"
            );
            let read = Report::deserialize_from_str(&text).unwrap();
            assert_eq!((read.tests, read.failures, read.errors), (2, 1, 0));
            assert_eq!(read.test_suites[0].test_cases[0].classname.as_deref(), Some(xml(said).as_str()));
            assert_eq!(read.to_string().unwrap(), text);
        }
    }
}
