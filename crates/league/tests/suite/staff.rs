//! What the staff does for single students: deadlines of their own, remarks and answers, points in
//! the exports.

use super::place::{League, ROSTER, SHORT};
use testing::{assert_has, assert_lacks};

#[test]
fn a_deadline_of_a_students_own_makes_what_came_before_it_punctual() {
    let deadline = ("# deadline = \"2026-12-10T23:59\"", "deadline = \"2020-12-10T23:59\"");
    let league = League::served(&[SHORT, &[deadline]].concat(), ROSTER, "0");
    let [cem, dov, teo] = league.sign_ins(["cem", "dov", "teo"]);
    let late = |id: i64| league.sql(&format!("SELECT late FROM submission WHERE id = {id}"));
    let [one, other] = [&cem, &dov].map(|session| league.hand_in(session, "a.py", b"print()"));
    assert_eq!([late(one), late(other)], ["1", "1"]);
    let path = format!("/staff/players/{}/deadline", league.player("Cem"));
    let set = |until: &str| league.post(&teo, &path, &format!("until={until}"));
    set("soon").says(422, "expected a time such as");
    assert_eq!(set("2999-01-01T12:00").status, 303);
    // What came before is punctual now, and so is what comes; those of others stay what they are.
    let next = league.hand_in(&cem, "a.py", b"print(1)");
    assert_eq!([late(one), late(next), late(other)], ["0", "0", "1"]);
    let mine = league.get(&cem, "/mine").text();
    assert_has(&mine, ["Your own deadline", "hand in until 2999-01-01 12:00 (your own deadline)"]);
    assert_eq!(set("").status, 303);
    assert_eq!([late(one), late(next), late(other)], ["1", "1", "1"]);
    assert_eq!(late(league.hand_in(&cem, "a.py", b"print(2)")), "1");
    let log = league.get(&teo, "/staff/audit").text();
    assert_has(&log, ["set a deadline", "Cem: 2999-01-01 12:00", "Cem: none"]);
}

#[test]
fn a_student_asks_to_look_again_and_is_answered() {
    let league = League::served(SHORT, ROSTER, "0");
    let [ann, bea, dov, tia, teo] = league.sign_ins(["ann", "bea", "dov", "tia", "teo"]);
    let id = league.hand_in(&ann, "a.py", b"print()");
    let report = league.get(&ann, &format!("/submissions/{id}/report.json"));
    assert_eq!(report.json()["text"], "Waiting; 0 checks come first.\n");
    let page = |session: &str| league.get(session, &format!("/submissions/{id}"));
    let write = |session: &str, form: &str| {
        league.post(session, &format!("/submissions/{id}/remarks"), form).status
    };
    let asks = || league.get(&tia, "/staff").text().contains("ask to look again");
    assert!(!asks());
    assert_eq!(write(&ann, "text=%3Cb%3EIt+played+yesterday%3C%2Fb%3E&asks=yes"), 303);
    // Her team reads it, nobody else knows of it, and words are needed.
    assert!(asks());
    page(&bea).says(200, "&lt;b&gt;It played yesterday");
    let refused = [page(&dov).status, write(&dov, "text=hello"), write(&ann, "text=+")];
    assert_eq!(refused, [404, 404, 422]);
    assert_eq!(write(&tia, "text=I+ask+Teo"), 303);
    assert!(asks(), "an assistant changes nothing");
    assert_eq!(write(&teo, "text=Your+file+was+empty"), 303);
    assert!(!asks() && page(&ann).text().contains("Your file was empty"));
    assert_eq!(write(&bea, "text=thanks"), 303);
    assert!(!asks(), "a word without the request is none");
    assert_eq!(write(&bea, "text=and+now&asks=yes"), 303);
    assert!(asks());
    for _ in 0..46 {
        assert_eq!(write(&bea, "text=x"), 303);
    }
    assert_eq!([0; 3].map(|_| write(&bea, "text=x")), [303, 303, 429]);
}

#[test]
fn exports_have_the_points_of_the_settings() {
    let points = ("# [points]", "[points]\nbest = [[0.5, 1.5]]");
    let mut league = League::served(&[SHORT, &[points]].concat(), ROSTER, "0");
    let teo = league.sign_in("teo");
    let export = |form: &str| league.get(&teo, &format!("/staff/export?form={form}")).text();
    assert_has(export("moodle"), ["\ncem,Cem,0\n"]);
    assert_has(export("plain"), ["name,login,player,place,rating,margin,games,won,points,state"]);
    league.kill();
    league.change(&[("best = [[0.5, 1.5]]", "above = { \"gready\" = 2 }")]);
    let said = league.command(&["serve", "course"], 2);
    assert_has(&said, ["points: above: no baseline 'gready'"]);
}

#[test]
fn links_carry_the_address_and_the_port_that_were_asked() {
    let league = League::served(SHORT, ROSTER, "0");
    let teo = league.sign_in("teo");
    let beginning = format!("http://{}/enter/", league.address());
    league.post(&teo, "/staff/links", "login=cem").says(200, &beginning);
    let mut words = vec!["link", "course", "cem"];
    assert!(league.command(&words, 0).starts_with(&beginning));
    words.extend(["--address", "https://league.example:9443/"]);
    assert!(league.command(&words, 0).starts_with("https://league.example:9443/enter/"));
}

#[test]
fn the_page_of_ones_own_programs_has_requests_and_says_what_a_freeze_means() {
    let league = League::served(SHORT, ROSTER, "0");
    let [ann, cem, teo] = league.sign_ins(["ann", "cem", "teo"]);
    let mine = |session: &str| league.get(session, "/mine").text();
    let frozen = "what you hand in now is checked and kept, but takes no place on it";
    assert_lacks(mine(&ann), [frozen]);
    let [one, other] = [&ann, &cem].map(|session| league.hand_in(session, "a.py", b"print()"));
    // As if both had been found to play.
    for id in [one, other] {
        league.let_play(id);
    }
    let ask = |session: &str, of: &str| {
        let form = format!("opponent={}&unrated=yes", league.player(of));
        league.post(session, "/challenges", &form).says(303, "");
    };
    ask(&ann, "Cem");
    assert_has(mine(&ann), ["You have asked Cem for two unrated games"]);
    assert_has(mine(&cem), ["The A asks for two unrated games", "Play them"]);
    ask(&cem, "The A");
    assert_lacks(mine(&cem), ["asks for"]);
    assert_eq!(league.sql("SELECT reason, state FROM pair"), "unrated|open");
    let press = |form: &str| league.post(&teo, "/staff/freeze", form).says(303, "");
    press("frozen=closing");
    let closed = "Uploads and choices are closed";
    league.upload(&ann, "a.py", b"print()").send().says(422, closed);
    league.post(&ann, &format!("/submissions/{one}/activate"), "").says(422, closed);
    let opponent = format!("opponent={}", league.player("Cem"));
    league.post(&ann, "/challenges", &opponent).says(422, "closing");
    assert_has(mine(&cem), ["Games go on until each rating is within ± 60"]);
    let staff = || league.get(&teo, "/staff").text();
    assert_has(staff(), ["2 programs have ratings above ± 60: at least 129 more games."]);
    press("frozen=no");
    press("frozen=yes");
    assert_has(mine(&ann), [frozen]);
    // Pressed again, it changes nothing.
    let since = || league.sql("SELECT key, value FROM setting WHERE key LIKE 'frozen%'");
    let before = since();
    press("frozen=yes");
    press("frozen=closing");
    assert_eq!(since(), before);
    assert_has(staff(), ["Go on"]);
}

#[test]
fn a_public_ladder_may_have_numbers_in_place_of_names() {
    let public = ("public-ladder = false", "public-ladder = true\npseudonyms = true");
    let league = League::served(&[SHORT, &[public]].concat(), ROSTER, "0");
    let ann = league.sign_in("ann");
    let id = league.hand_in(&ann, "a.py", b"print()");
    league.let_play(id);
    let player = league.player("The A");
    for path in ["/", "/ladder.csv", "/table", &format!("/players/{player}")] {
        assert_lacks(league.ask("GET", path).send().text(), ["The A"]);
        assert_has(league.ask("GET", path).send().text(), [&format!("Player {player}")]);
        assert_has(league.get(&ann, path).text(), ["The A"]);
    }
    for (path, status) in [("/live", 200), ("/final", 200), ("/mine", 401), ("/games/1", 401)] {
        assert_eq!(league.ask("GET", path).send().status, status, "{path}");
    }
    league.get(&ann, &format!("/submissions/{id}/upload")).says(200, "print()");
    let games = league.get(&ann, &format!("/players/{player}/games.json"));
    assert_eq!(games.json(), serde_json::json!([]));
    let test = league.post(&ann, &format!("/submissions/{id}/test"), "");
    test.says(422, "Two of your own versions");
}
