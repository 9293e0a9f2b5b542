//! Tests of replay pages in a real browser, and of replays as text.

use crate::common::{run, script};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use testing::{
    Folder, NewFolder, assert_has, assert_lacks, folder, policy_hash, repository, works,
};

fn record() -> NewFolder {
    let place = folder();
    let late = repository("crates/judge/tests/late");
    let late = late.display();
    let words = format!(
        "match --seed 1 --game halma --games 4 --max-plies 40 --openings 'dir:{late}' --each time=50 --engine name=one \
         engine=reference:alphabeta:2 --engine 'name=</script><b>two' engine=reference:random --record record"
    );
    run(&place, &words, 0);
    run(&place, "replay record --html page.html", 0);
    place
}

/// Notes what the page's policy refuses, in the document.
const GUARD: &str = r##"<script nonce="guard">
document.addEventListener("securitypolicyviolation", event => {
  const out = document.createElement("pre");
  out.className = "refused"; out.textContent = `[${event.effectiveDirective}]`;
  document.body.append(out);
});
</script>"##;

/// Markup that an attacker might inject into a page.
const STRANGER: &str = r##"<script>document.body.dataset.stranger = "ran"</script>
<p style="position: fixed" id="stranger">...</p><img alt="" src="http://127.0.0.1:1/picture">"##;

/// Lets the script of this test run, and none of a stranger's.
fn admit_guard(page: &Path) {
    let html = fs::read_to_string(page).unwrap();
    let (head, rest) = html.split_once("script-src ").expect("a policy for scripts");
    let (policy, rest) = rest.split_once("\">").unwrap();
    let rest = rest.replace("</body>", &format!("{STRANGER}</body>"));
    fs::write(page, format!("{head}script-src 'nonce-guard' {policy}\">{GUARD}{rest}")).unwrap();
}

#[test]
fn the_page_s_policy_lets_its_own_script_and_style_in_and_nothing_else() {
    let place = record();
    let html = place.read("page.html");
    let within = |open: &str, close: &str| {
        let parts: Vec<&str> = html.split(open).collect();
        assert_eq!(parts.len(), 2, "one {open} in the page");
        parts[1].split_once(close).unwrap().0.to_string()
    };
    let [script, style] = [within("<script>", "</script>"), within("<style>", "</style>")]
        .map(|text| policy_hash(&text));
    let policy = within("<meta http-equiv=\"Content-Security-Policy\" content=\"", "\">");
    let expected = format!(
        "default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'"
    );
    assert_eq!(policy, expected);
    // A policy holds for what comes after it, and none of hashes lets these in.
    assert!(html.find("Content-Security-Policy") < html.find("<style>"));
    assert_lacks(&html, [" style=", " onclick=", " onload=", "javascript:"]);
}

#[test]
#[ignore = "needs chromium"]
fn a_browser_runs_nothing_in_the_page_that_is_not_the_page_s_own() {
    let place = record();
    let page = place.join("page.html");
    admit_guard(&page);
    let document = browse(&page);
    assert!(document.contains("aria-current=\"true\">"), "the page's own script ran: {document}");
    assert_lacks(&document, ["data-stranger"]);
    let refused: Vec<&str> = document.split("<pre class=\"refused\">").skip(1).collect();
    let mut refused: Vec<&str> = refused.iter().filter_map(|part| part.split('<').next()).collect();
    refused.sort_unstable();
    assert_eq!(refused, ["[img-src]", "[script-src-elem]", "[style-src-attr]"]);
}

fn browse(page: &Path) -> String {
    let browser =
        ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| works(name));
    let browser = browser.expect("there is no browser here: install chromium");
    let words = format!(
        "60 {browser} --headless --no-sandbox --disable-gpu --virtual-time-budget=5000 --dump-dom \
         --user-data-dir={} file://{}",
        page.with_extension("profile").display(),
        page.display()
    );
    testing::run(&mut Command::new("timeout"), &words, 0).stdout
}

#[test]
fn each_turn_s_standard_error_is_on_the_page_and_in_the_text_if_asked_for() {
    let place = folder();
    let noisy = script(
        &*place,
        "noisy.sh",
        r"printf 'depth 3 </script><b>\033[31m\tred\n' >&2; yes x | head -c 12000 | tr -d '\n' >&2; PLAY",
    );
    let words = format!(
        "match --seed 1 --game halma --games 2 --max-plies 4 --each time=50 --keep 9000 --engine name=noisy '{noisy}' \
         --engine engine=reference:random --record record"
    );
    run(&place, &words, 0);
    let line = r"depth 3 </script><b>\u{1b}[31m  red";
    run(&place, "replay record --html page.html", 0);
    let html = place.read("page.html");
    let data = html.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: Value = serde_json::from_str(data).unwrap();
    let positions = data[0]["games"][0]["positions"].as_array().unwrap();
    for (at, position) in positions.iter().enumerate() {
        let said = position["stderr"].as_str();
        // The first position has no player before it.
        let side = position["side"].as_u64().filter(|_| at > 0);
        let player = side.map(|side| &data[0]["games"][0]["players"][side as usize]);
        assert_eq!(said.is_some(), player.is_some_and(|player| player == "noisy"));
        if let Some(said) = said {
            assert!(said.starts_with(line) && said.len() < 4_100, "{said}");
            assert_has(said, [" bytes ...]\nxxx"]);
        }
    }
    let told = run(&place, "replay record --text --stderr", 0).stdout;
    assert_eq!(told.matches(&format!("\n    | {line}\n")).count(), 4, "{told}");
    run(&place, "replay record --text", 0).lacks(["red"]);
}

#[test]
fn text_has_a_line_for_each_move_of_chosen_games_and_boards_if_asked_for() {
    let place = record();
    run(&place, "analyse record --nodes 50 --record analysed", 0);
    for name in ["record", "analysed"] {
        let told = run(&place, &format!("replay --text {name} --game 1"), 0).stdout;
        let plies = testing::ends(place.join("record"))[0]["plies"].as_u64().unwrap() as usize;
        let opening = usize::from(told.contains("\nOpening: "));
        // Players, moves, the end and an empty line.
        assert_eq!(told.lines().count(), plies + opening + 3, "{told}");
        let words = format!("replay --text --boards {name} --game 1");
        let boards = run(&place, &words, 0).stdout;
        assert!(boards.lines().count() > (plies + 1) * 16, "{boards}");
        told.lines().for_each(|line| assert_has(&boards, [line]));
    }
    run(&place, "replay record --html page.html --boards", 2);
    let all = run(&place, "replay --text record", 0).stdout;
    let one = run(&place, "replay --text record --game 3", 0).stdout;
    assert_eq!((all.matches("Game ").count(), one.matches("Game ").count()), (4, 1));
    assert!(one.starts_with("Game 3: ") && all.contains(&one) && one.contains("normal: "));
    run(&place, "replay --text record --game 9", 2);
}

#[test]
fn watch_shows_the_board_and_the_standings() {
    let place = record();
    run(&place, "watch record", 0).has(["4 of 4 games over, 0 running", "Rank", "15"]);
    // In the middle of a game: what is there so far.
    let record = place.read("record");
    place.write("begun", record.split_inclusive('\n').take(6).collect::<String>());
    run(&place, "watch --once begun", 0).has(["0 of 4 games over, 1 running", "4. "]);
    place.write("torn", &record[..record.len() / 2]);
    run(&place, "watch --once torn", 0);
}
