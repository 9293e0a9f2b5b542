//! Tests of damaged records: they are refused with the line or read, and never taken for another
//! game's.

use crate::common::run;
use arena::record::Record;
use proptest::prelude::*;
use std::sync::LazyLock;
use testing::{Folder, assert_has, events, folder};

const MATCH: &str = "match --game wolves --games 2 --max-plies 4 --engine engine=reference:greedy --engine \
                     engine=reference:random --record";

static WHOLE: LazyLock<String> = LazyLock::new(|| {
    let directory = folder();
    run(&directory, &format!("{MATCH} record --seed 1"), 0);
    directory.read("record")
});

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    #[test]
    fn a_damaged_record_is_refused_with_its_line_or_read(
        cuts in proptest::collection::vec((0.0..1.0, 0_usize..30, "[ -~\n]{0,4}"), 0..4),
        moved in proptest::option::of((0.0..1.0, 0.0..1.0)),
    ) {
        let mut lines: Vec<&str> = WHOLE.split_inclusive('\n').collect();
        if let Some((from, to)) = moved {
            let index = |place: f64| (place * lines.len() as f64) as usize;
            let line = lines[index(from)];
            lines.insert(index(to), line);
        }
        let mut text = lines.concat();
        for (place, length, put) in cuts {
            let at = (place * text.len() as f64) as usize;
            let end = (at + length).min(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(end) {
                text.replace_range(at..end, &put);
            }
        }
        match Record::parse(&text) {
            Ok(record) => prop_assert!(record.games.iter().all(|(number, game)| game.end.game == *number)),
            // A text whose first line is damaged may be anything.
            Err(error) => {
                let told = format!("{error:#}");
                let is_none = WHOLE.lines().next() != text.lines().next() && told.starts_with("expected a record of games");
                prop_assert!(told.starts_with("line ") || is_none, "{told}");
            }
        }
    }

    #[test]
    fn any_text_is_no_record(text in "(?s).{0,200}") {
        prop_assert!(Record::parse(&text).is_err());
    }
}

#[test]
fn a_record_is_replaced_only_by_overwrite_and_only_if_it_is_one() {
    let place = folder();
    let played = |words: &str, code| run(&place, &format!("{MATCH} {words}"), code).stderr;
    played("games.jsonl --seed 1", 0);
    let told = played("games.jsonl", 2);
    let advice = "games.jsonl: the file exists: judge match --resume games.jsonl continues it, --overwrite replaces it\n";
    assert_eq!(told, advice);
    run(&place, "match --resume games.jsonl", 0);
    played("games.jsonl --seed 2 --overwrite", 0);
    assert_eq!(Record::read(&place.join("games.jsonl")).unwrap().header.seed, 2);
    place.write("homework.py", "print()\n");
    assert_has(
        played("homework.py --overwrite", 2),
        ["--overwrite replaces records of games only"],
    );
    assert_eq!(place.read("homework.py"), "print()\n");
}

#[test]
fn a_match_draws_its_seed_keeps_it_and_tells_it() {
    let place = folder();
    let [one, other] = ["one", "other"].map(|record| {
        let told = run(&place, &format!("{MATCH} {record}"), 0).stderr;
        let seed = Record::read(&place.join(record)).unwrap().header.seed;
        assert_has(told, [&format!("seed {seed}, drawn for dice, cards and openings")]);
        seed
    });
    assert!(one != other && one.max(other) < 1 << 53);
    run(&place, &format!("{MATCH} again --seed {one}"), 0);
    let start = |record: &str| events(place.join(record))[1]["opening"].to_string();
    assert_eq!(start("again"), start("one"));
}
