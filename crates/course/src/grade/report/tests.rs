//! Tests of the report formats with a made-up grading.

use super::junit::xml;
use super::*;
use crate::grade::result::{GradedTest, TestOutcome};
use crate::grade::scheme::file::Visibility;
use arena::plain::is_plain;
use arena::record::{End, FaultRecord};
use arena::result::Termination;
use quick_junit::Report;
use serde_json::Value;

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
        waited: 0.0,
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
        waited: [0.0; 2],
        board: None,
        fault: Some(fault),
    };
    let item = |number, points, end: End| GradedTest {
        number,
        game: number,
        name: format!("test {number}"),
        points,
        most: 1.0,
        outcome: TestOutcome::Over(Box::new(end)),
        side: engine::Side::Second,
        wall: 1.0,
        rule: String::new(),
        analysis: None,
        board: None,
        visibility: Visibility::Visible,
    };
    let good = End { winner: Some(1), termination: Termination::Normal, fault: None, ..end.clone() };
    Grade {
        title: "Halma",
        agent: "b".to_string(),
        sandbox_layers: None,
        tests: vec![item(1, 0.0, end), item(2, 1.0, good)],
        most: 2.0,
        bonus: None,
        late: None,
        not_run: None,
        notes: Vec::new(),
        wall: 2.0,
    }
}

#[test]
fn a_text_report_shows_position_output_and_legal_moves() {
    let text = write(&grade(), ReportFormat::Text).unwrap();
    for part in ["Score: 1 of 2", "illegal move", "SINGLE", "J <&\">", "1,1-2,2 and 2 more", "Traceback"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "what a player wrote must not reach the terminal raw");
}

#[test]
fn a_gradescope_report_has_a_score_for_each_test() {
    let value: Value = serde_json::from_str(&write(&grade(), ReportFormat::Gradescope).unwrap()).unwrap();
    assert_eq!(value["score"], 1.0);
    assert_eq!(value["tests"][0]["score"], 0.0);
    assert_eq!(value["tests"][0]["status"], "failed");
    assert_eq!(value["tests"][1]["status"], "passed");
    assert!(value["tests"][0]["output"].as_str().unwrap().contains("Legal moves"));
}

#[test]
fn a_junit_report_is_well_formed_whatever_the_player_wrote() {
    let mut grade = grade();
    let text = write(&grade, ReportFormat::Junit).unwrap();
    assert!(text.contains("&lt;bad&gt;") && !text.contains("<bad>") && !text.contains('\u{1b}'));
    for said in ["", "]]> & &amp; \"'", "\u{fffe}\u{ffff}\0\u{1b}[31m\u{9b}31m\u{202e}\r\u{7f}", "</testcase>"] {
        grade.agent = said.to_string();
        grade.tests[0].name = said.to_string();
        let TestOutcome::Over(end) = &mut grade.tests[0].outcome else { panic!() };
        end.reason = said.to_string();
        end.fault.as_mut().unwrap().stderr = format!("{said}\n\t");
        let text = write(&grade, ReportFormat::Junit).unwrap();
        assert!(text.chars().all(|character| character == '\n' || character == '\t' || is_plain(character)), "{text}");
        let read = Report::deserialize_from_str(&text).unwrap();
        assert_eq!((read.tests, read.failures, read.errors), (2, 1, 0));
        assert_eq!(read.test_suites[0].test_cases[0].classname.as_deref(), Some(xml(said).as_str()));
        assert_eq!(read.to_string().unwrap(), text);
    }
}
