//! What people write and programs say, on pages: as text, and in no file as a formula.

use super::place::{League, ROSTER, SHORT, SHORT_CHECKS, starter, wait};
use testing::{assert_has, assert_lacks};

const NASTY: &str = "<script>alert(1)</script><img src=x onerror=alert(2)>'\"&amp;{{7*7}}";
const NASTY_FORM: &str =
    "%3Cscript%3Ealert(1)%3C/script%3E%3Cimg+src=x+onerror=alert(2)%3E%27%22%26amp;";

/// Whether a page has what is no text.
fn runs(page: &str) -> bool {
    ["<script>alert", "<img src=x"].iter().any(|part| page.contains(part))
}

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn names_and_words_are_text_on_every_page() {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let roster = format!(
        "id,name,team,role\nann,{0},{1},\ncem,{2},,\ntia,{0},,assistant\nteo,{0},,teacher\n",
        quoted(NASTY),
        quoted(&format!("team {NASTY}")),
        quoted(&format!("=1+1 {NASTY}")),
    );
    let mut league = League::of_game(
        "halma",
        &format!("course {NASTY}"),
        &[SHORT, SHORT_CHECKS].concat(),
        &roster,
    );
    league.serve(&["--workers", "2"]);
    let [ann, cem, tia, teo] = league.sign_ins(["ann", "cem", "tia", "teo"]);
    assert_eq!(league.post(&teo, "/staff/message", &format!("text={NASTY_FORM}")).status, 303);
    league.post(&ann, "/account/tokens", &format!("label={NASTY_FORM}"));
    // A program that says it all, with a control character: on both streams and in the file that
    // nobody else reads. It plays its first moves, and all of a check, whose clock is shorter.
    let says = format!(
        "import os, sys\nsays = {NASTY:?} + 'word-of-ann\\0\\x1b[31m'\nprint(says)\nprint(says, file=sys.stderr)\n\
        if float(open('input.txt').read().split()[2]) > 50 and os.path.exists('playdata.txt'):\n    open('output.txt', 'w').write(says)\n    sys.exit(3)\n\
        open('playdata.txt', 'w').write('x')\n"
    );
    let name = "<script>alert(1)<img src=x onerror=alert(2)>.py";
    let talks = league.hand_in(&ann, name, (says + &starter()).as_bytes());
    let fails =
        league.hand_in(&ann, "homework.c", format!("#error {NASTY}\nint main( {{}}\n").as_bytes());
    let silent = league.hand_in(&ann, name, format!("raise SystemExit({NASTY:?})\n").as_bytes());
    league.hand_in_starter(&cem);
    let states = [talks, fails, silent].map(|id| league.checked(&ann, id));
    assert_eq!(states[0].0, "plays", "{}", states[0].1);
    assert!(!states[0].1.contains(['\0', '\x1b']), "{}", states[0].1);
    assert!(states[1..].iter().all(|(state, _)| state == "refused"), "{states:?}");
    league.wait_for_games(2);
    let game = league.sql("SELECT MIN(id) FROM game WHERE blamed IS NOT NULL");
    league.post(&cem, &format!("/games/{game}/analyse"), "");
    wait("the analysis", || {
        !league.sql(&format!("SELECT analysis FROM game WHERE id = {game}")).contains("None")
    });
    let entrants = league.sql("SELECT id FROM entrant");
    let pages =
        "/ /account /mine /live /final /staff /staff/audit /nothing /enter/%3Cscript%3Ealert(1)";
    let mut pages: Vec<String> = pages.split(' ').map(String::from).collect();
    pages.extend([talks, fails, silent].map(|id| format!("/submissions/{id}")));
    pages.extend(entrants.lines().map(|id| format!("/players/{id}")));
    pages.extend([format!("/games/{game}"), format!("/games/{game}/replay")]);
    let mut seen = 0;
    for path in &pages {
        for session in [&ann, &cem, &tia, &teo] {
            let answer = league.get(session, path);
            assert!(!runs(&answer.text()), "{path}: {}", answer.text());
            seen += usize::from(answer.text().contains("&lt;script&gt;"));
            let policy = answer.header("content-security-policy").unwrap();
            assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
            if path.ends_with("/replay") {
                assert_has(policy, ["sandbox allow-scripts"]);
                assert_lacks(policy, ["same-origin"]);
            } else {
                assert_lacks(policy, ["unsafe"]);
            }
        }
    }
    assert!(seen > 30, "{seen}");
    // What a program has said is shown to its own player and to the staff.
    let of_game = |session: &str| -> String {
        let paths = ["", "/replay", "/record.jsonl"].map(|end| format!("/games/{game}{end}"));
        paths.iter().map(|path| league.get(session, path).text()).collect()
    };
    assert!([&ann, &tia, &teo].iter().all(|session| of_game(session).contains("word-of-ann")));
    assert_has(of_game(&cem), ["lost by a fault"]);
    let live = league.get(&cem, "/live").text();
    assert_lacks(of_game(&cem) + &live, ["word-of-ann", "onerror=alert(2)>.py"]);
    what_is_not_html_says_so(&league, &teo, talks, &game);
}

/// Checks that no browser takes a file for a page, and that no spreadsheet calculates.
fn what_is_not_html_says_so(league: &League, teacher: &str, submission: i64, game: &str) {
    for (path, kind) in [
        (format!("/submissions/{submission}/report.json"), "application/json"),
        (format!("/games/{game}/record.jsonl"), "application/jsonl"),
        ("/ladder.csv".to_string(), "text/csv"),
        ("/staff/export".to_string(), "text/csv"),
        (format!("/submissions/{submission}/upload"), "application/octet-stream"),
    ] {
        let answer = league.get(teacher, &path);
        assert_has(answer.header("content-type").unwrap(), [kind]);
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    let upload = league.get(teacher, &format!("/submissions/{submission}/upload"));
    let disposition = upload.header("content-disposition").unwrap();
    assert_has(disposition, ["attachment; filename=\""]);
    assert_lacks(disposition, ["<"]);
    for form in ["plain", "canvas", "moodle", "gradescope"] {
        let text = league.get(teacher, &format!("/staff/export?form={form}")).text();
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        for row in rows.records().map(Result::unwrap) {
            assert!(row.iter().all(|cell| !cell.starts_with(['=', '+', '@'])), "{form}: {row:?}");
        }
    }
    assert_eq!(league.get(teacher, "/staff/export?form=x").status, 422);
}

#[test]
fn the_rules_are_on_a_page_and_news_in_a_feed() {
    let league = League::served(SHORT, ROSTER, "0");
    let [ann, teo] = league.sign_ins(["ann", "teo"]);
    let rules = league.get(&ann, "/rules").text();
    let clock = "60 s of CPU time for all moves of a game";
    assert_has(&rules, [clock, "After 4 moves", "Python, C++", "agent.cpp", "<h2>Jumps</h2>"]);
    assert_eq!(league.get(&ann, "/rules/agent.py").text(), starter());
    let secret = league.post(&ann, "/account/tokens", "label=news&feed=yes").between("/feed/", "<");
    let feed = || league.ask("GET", &format!("/feed/{secret}")).send();
    let id = league.hand_in(&ann, "a.py", b"print()");
    league.post(&teo, &format!("/submissions/{id}/remarks"), "text=Why+%3Cb%3E%0C");
    league.post(&teo, "/staff/message", "text=No+class+today");
    assert_eq!(feed().header("content-type"), Some("application/atom+xml; charset=utf-8"));
    let page = format!("http://{}/submissions/{id}\"></link>", league.address());
    let said = ["Teo: Why &lt;b&gt;", "The staff set the message: No class today", &page];
    assert_has(feed().text(), said);
    assert_eq!(league.get(&secret, "/mine").status, 401);
    assert_eq!(league.ask("GET", "/mine").token(&secret).send().status, 401);
    assert_eq!(league.post(&ann, "/account/tokens/end", "label=news").status, 303);
    assert_eq!(feed().status, 404);
}

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn the_freeze_and_the_final_are_what_they_say() {
    let roster = "id,name,role\nann,Ann,\ncem,Cem,\ndov,Dov,\nteo,Teo,teacher\n";
    let league = League::served(SHORT, roster, "2");
    let [ann, cem, dov, teo] = league.sign_ins(["ann", "cem", "dov", "teo"]);
    let staff = |path: &str, form: &str| league.post(&teo, path, form).status;
    let first = league.hand_in_starter(&ann);
    for session in [&cem, &dov] {
        league.hand_in_starter(session);
    }
    league.wait_for_games(2);
    assert_eq!(staff("/staff/freeze", "frozen=yes"), 303);
    wait("the end of what was being played", || {
        league.sql("SELECT COUNT(*) FROM job WHERE state = 'leased'") == "0"
    });
    let games = league.games();
    let second = league.hand_in_starter(&ann);
    let active = || league.sql("SELECT active FROM entrant WHERE name = 'Ann'");
    assert_eq!(active(), first.to_string());
    let activate =
        |session: &str| league.post(session, &format!("/submissions/{second}/activate"), "");
    activate(&ann).says(422, "frozen");
    let opponent = format!("opponent={}", league.player("Cem"));
    league.post(&ann, "/challenges", &opponent).says(422, "frozen");
    assert_eq!(league.games(), games, "the ladder stands still");
    for (players, pairs) in [("1", 1), ("65", 1), ("8", 21), ("x", 1)] {
        let form = format!("players={players}&pairs={pairs}");
        assert_eq!(staff("/staff/final", &form), 422, "{form}");
    }
    assert_eq!(staff("/staff/final", "players=8&pairs=2"), 303);
    league.wait_for_games(games + 12);
    let page = || league.get(&dov, "/final").text();
    assert_has(page(), ["Ann", "Cem", "Dov"]);
    let finals =
        "SELECT COUNT(*) FROM game JOIN pair ON pair.id = game.pair WHERE pair.reason = 'final'";
    assert_eq!(league.sql(finals), "12");
    let again = league.post(&teo, "/staff/final", "players=8&pairs=2");
    again.says(422, "There is a final already");
    assert_eq!(staff("/staff/final/reset", ""), 303);
    assert_has(page(), ["has not been played"]);
    assert_eq!(staff("/staff/final", "players=2&pairs=1"), 303);
    league.wait_for_games(games + 14);
    assert_eq!(page().matches("/players/").count(), 2);
    assert_eq!(staff("/staff/freeze", "frozen=no"), 303);
    assert_eq!(activate(&ann).status, 303);
    assert_eq!(active(), second.to_string());
    league.sql("DELETE FROM job WHERE kind = 'check'");
    assert_eq!(staff("/staff/check-all", ""), 303);
    assert_eq!(league.sql("SELECT COUNT(*) FROM job WHERE kind = 'check'"), "3");
    let log = league.get(&teo, "/staff/audit").text();
    assert_has(&log, ["froze the ladder", "let the ladder go on", "activated"]);
    assert_has(&log, ["ordered the final", "reset the final"]);
    league.is_well();
}
