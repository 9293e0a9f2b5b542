//! Tests for records of earlier versions.

use super::*;
use crate::keys::Keys;
use crate::player::spec::EngineSpec;
use anygame::AnyGame;

impl Header {
    /// One pair of games from the start, each of at most nine plies.
    pub(crate) fn of_a_short_run(game: &str, engines: Vec<EngineSpec>) -> Header {
        Header {
            version: VERSION,
            game: game.to_string(),
            engines,
            pairs: 1,
            seed: 1,
            max_plies: 9,
            ..Header::default()
        }
    }
}

#[test]
fn records_of_version_1_stay_readable_with_their_words_and_their_scores_of_wins() {
    let game = AnyGame::of::<halma::Position>();
    let engine = |name: &str| {
        let words = ["engine=reference:random".to_string(), format!("name={name}")];
        Keys::parse(words.iter().map(String::as_str)).unwrap().engine(&game).unwrap()
    };
    let header = Header::of_a_short_run("halma", vec![engine("a"), engine("b")]);
    let header = Event::Header(Header { version: 1, ..header });
    let header = serde_json::to_string(&header).unwrap();
    let line = |ply: u32, score: i32| {
        format!(
            r#"{{"event":"play","game":1,"ply":{ply},"side":"WHITE","play":"a","output":"a","cpu":0,"wall":0,"score":{score}}}"#
        )
    };
    let lines = [
        header,
        r#"{"event":"start","game":1,"players":["a","b"],"opening":"","line":[]}"#.to_string(),
        line(0, 12),
        line(1, 31_995),
        line(2, -31_990),
        r#"{"event":"end","game":1,"players":["a","b"],"winner":null,"termination":"legal play","reason":"","plies":3,"cpu":[0,0]}"#.to_string(),
    ];
    let record = Record::parse(&(lines.join("\n") + "\n")).unwrap();
    let game = &record.games[&1];
    assert_eq!(game.end.termination, Termination::LegalMove);
    assert_eq!(game.moves[0].mv, "a");
    let scores = game.moves.iter().filter_map(|mv| mv.score).map(engine::score::describe);
    assert_eq!(scores.collect::<Vec<_>>(), ["+12", "win in 5", "loss in 10"]);
    // Scores of wins are put on today's scale once.
    let directory = tempfile::tempdir().unwrap();
    let joined = directory.path().join("joined");
    record.write(&joined).unwrap();
    assert_eq!(Record::read(&joined).unwrap(), record);
    assert!(record.check_resumable().is_err());
}
