//! Tests of the report formats with a made-up grading.

use super::*;
use crate::grade::result::{GradedTest, TestOutcome};
use crate::grade::scheme::file::Visibility;
use arena::record::{End, FaultRecord};
use arena::result::Termination;
use serde_json::Value;

fn grade() -> Grade {
    let fault = FaultRecord {
        player: 1,
        input: "SINGLE\nWHITE\n1\n".to_string(),
        board: "board\n".to_string(),
        output: Some("J <&\"> \u{1b}[2J".to_string()),
        legal: vec!["1,1-2,2".to_string()],
        legal_count: 3,
        stderr: "Traceback".to_string(),
        cpu: 0.5,
        wall: 0.75,
        ..Default::default()
    };
    let end = End {
        game: 1,
        players: ["a", "b"].map(String::from),
        winner: Some(0),
        termination: Termination::IllegalMove,
        reason: "WHITE (ply 1): output.txt <bad>".to_string(),
        cpu: [0.0, 0.5],
        fault: Some(fault),
        ..End::default()
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
    let good =
        End { winner: Some(1), termination: Termination::Normal, fault: None, ..end.clone() };
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
    let text = write(&grade(), ReportFormat::Text);
    for part in
        ["Score: 1 of 2", "illegal move", "SINGLE", "J <&\">", "1,1-2,2 and 2 more", "Traceback"]
    {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "what a player wrote must not reach the terminal raw");
}

#[test]
fn a_gradescope_report_has_a_score_for_each_test() {
    let value: Value = serde_json::from_str(&write(&grade(), ReportFormat::Gradescope)).unwrap();
    assert_eq!(value["score"], 1.0);
    assert_eq!(value["tests"][0]["score"], 0.0);
    assert_eq!(value["tests"][0]["status"], "failed");
    assert_eq!(value["tests"][1]["status"], "passed");
    assert!(value["tests"][0]["output"].as_str().unwrap().contains("Legal moves"));
}
