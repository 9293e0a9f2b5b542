//! Every route with every role: what each may do, as a table.

use super::place::{Ask, League, ROSTER, SHORT};

const SOURCE: &str = include_str!("../../src/web/mod.rs");

/// Who asks. Ann hands in, Bea is in her team, Dov is another student; scripts of Ann and of a
/// worker have tokens. Nobody else's secrets are good for anything: no cookie, a session that has
/// expired, a forged one, a forged token.
const ROLES: [&str; 10] = [
    "nobody",
    "expired session",
    "forged session",
    "forged token",
    "Ann",
    "Bea",
    "Ann's token",
    "Dov",
    "Tia",
    "Teo",
];
const NO_MOVE: &[u8] = b"print('no move')\n";
const FIRST_OUT: usize = 4;

/// The routes, a line each: method, path, and the status for whoever has not signed in, for Ann (and
/// her team and token), for another student, an assistant, a teacher, and a worker's token; then the
/// body, if there is one. With `replays = false` and `public-ladder = false`. PLAYS is a submission
/// of Ann's, WAITS another one, GAME a game between her and Cem, A and C their players, NONE nothing.
const TABLE: &str = r#"
GET / 401 200 200 200 200 401
GET /ladder.csv 401 200 200 200 200 401
GET /table 401 200 200 200 200 401
GET /rules 401 200 200 200 200 401
GET /rules/agent.py 401 200 200 200 200 401
GET /enter/none 422 422 422 422 422 422
POST /enter/none 422 422 422 422 422 422
GET /account 401 200 200 200 200 401
GET /feed/none 404 404 404 404 404 404
POST /account/tokens 401 200 200 200 200 401 label=x
POST /account/tokens/end 401 303 303 303 303 401 label=none
GET /mine 401 200 200 403 403 401
POST /submissions 401 201 201 403 403 401 FILE
GET /submissions/PLAYS 401 200 404 200 200 401
GET /submissions/WAITS/report.json 401 200 404 200 200 401
POST /submissions/PLAYS/activate 401 303 404 403 303 401
POST /submissions/PLAYS/remarks 401 303 404 303 303 401 text=x
GET /players/A 401 200 200 200 200 401
POST /challenges 401 303 422 422 422 401 opponent=C
GET /games/GAME 401 200 403 200 200 401
GET /games/GAME/replay 401 200 403 200 200 401
GET /games/GAME/record.jsonl 401 200 403 200 200 401
POST /games/GAME/analyse 401 303 403 303 303 401
GET /live 401 200 200 200 200 401
GET /live/999999 401 403 403 404 404 401
GET /final 401 200 200 200 200 401
GET /staff 401 403 403 200 200 401
GET /staff/audit 401 403 403 200 200 401
GET /staff/export?form=canvas 401 403 403 200 200 401
POST /staff/freeze 401 403 403 403 303 401 frozen=no
POST /staff/message 401 403 403 403 303 401 text=
# Not frozen: refused, also for who may.
POST /staff/final 401 403 403 403 422 401 players=2&pairs=1
POST /staff/final/reset 401 403 403 403 303 401
GET /staff/jobs 401 403 403 200 200 401
POST /staff/jobs/999999/cancel 401 403 403 403 404 401
POST /staff/check-all 401 403 403 403 303 401
POST /staff/players/A/deadline 401 403 403 403 303 401 until=
POST /staff/links 401 403 403 403 200 401 login=dov
POST /staff/submissions/WAITS/withdraw 401 403 403 403 303 401
POST /staff/submissions/WAITS/check 401 403 403 403 303 401
GET /submissions/PLAYS/upload 401 200 404 200 200 401
POST /submissions/PLAYS/test 401 422 404 422 422 401
GET /players/A/games.json 401 200 200 200 200 401
GET /players/A/record.jsonl 401 200 403 200 200 401
GET /worker/settings 401 401 401 401 401 200
POST /worker/lease 401 401 401 401 401 200 {"worker":"w"}
POST /worker/room 401 401 401 401 401 204 {"worker":"w","why":null}
# A worker without the secret of a lease.
POST /worker/jobs/1 401 401 401 401 401 422 "Release"
PUT /worker/jobs/1/programs/PLAYS 401 401 401 401 401 422
GET /worker/files/programs/PLAYS 401 401 401 401 401 200
GET /static/league.css 200 200 200 200 200 200
GET /static/league.js 200 200 200 200 200 200
GET /favicon.ico 204 204 204 204 204 204
GET /healthz 200 200 200 200 200 200
# The settings name no proxy that signs people in.
GET /sign-in 404 404 404 404 404 404
# It ends the session, and comes last.
POST /leave 303 303 303 303 303 303
"#;

#[derive(Clone, Copy)]
struct Row {
    method: &'static str,
    path: &'static str,
    statuses: [u16; 6],
    body: &'static str,
}

fn table() -> Vec<Row> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &'static str| {
        let words: Vec<&str> = line.split(' ').collect();
        let statuses = std::array::from_fn(|at| words[at + 2].parse().unwrap());
        let body = words.get(8).copied().unwrap_or_default();
        Row { method: words[0], path: words[1], statuses, body }
    };
    lines.map(row).collect()
}

/// Whether a path is one of a route, in which words in braces stand for any.
fn is_of(path: &str, route: &str) -> bool {
    let path = path.split('?').next().unwrap();
    path.split('/').count() == route.split('/').count()
        && path.split('/').zip(route.split('/')).all(|(word, of)| word == of || of.starts_with('{'))
}

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn every_route_has_a_row() {
    let mut routes = Vec::new();
    for segment in SOURCE.split(".route(").skip(1) {
        let path = match segment.split_once(',').unwrap().0 {
            "app::SIGN_IN" => "/sign-in",
            text => text.trim().trim_matches('"'),
        };
        let handlers = segment.split(".layer(").next().unwrap();
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
            if handlers.contains(&format!("{}(", method.to_lowercase())) {
                routes.push((method, path));
            }
        }
    }
    assert!(routes.len() > 30 && !SOURCE.contains("any("), "{routes:?}");
    let rows = table();
    for (method, route) in &routes {
        let of = rows.iter().filter(|row| row.method == *method && is_of(row.path, route));
        assert_eq!(of.count(), 1, "{method} {route}: each route of the server has one row");
    }
    assert_eq!(rows.len(), routes.len());
}

struct Filled {
    league: League,
    sessions: Vec<(&'static str, String)>,
    token: String,
    worker: String,
    words: Vec<(&'static str, String)>,
}

fn filled(changes: &[(&str, &str)]) -> Filled {
    let mut league = League::new(&[SHORT, changes].concat(), ROSTER);
    league.serve(&["--workers", "2", "--behind-proxy"]);
    let logins = ["ann", "bea", "cem", "dov", "tia", "teo"];
    let sessions: Vec<_> = logins.into_iter().map(|login| (login, league.sign_in(login))).collect();
    let session =
        |login: &str| sessions.iter().find(|(known, _)| *known == login).unwrap().1.clone();
    let plays = league.hand_in_starter(&session("ann"));
    league.hand_in_starter(&session("cem"));
    league.wait_for_games(2);
    // Nothing that the table asks for is done while it is asked.
    league.serve(&["--workers", "0", "--behind-proxy"]);
    let waits = league.hand_in(&session("ann"), "second.py", NO_MOVE);
    let page = league.post(&session("ann"), "/account/tokens", "label=scripts");
    let token = page.between("<pre>", "</pre>");
    let worker = league.worker_token();
    let page = league.post(&session("teo"), "/staff/links", "login=ann");
    league.links.insert("expired".to_string(), page.between("/enter/", "<"));
    league.sql("UPDATE credential SET created = 7 WHERE kind = 'session'");
    let old = league.sign_in("expired");
    league.sql("UPDATE credential SET expires = 1 WHERE kind = 'session' AND created <> 7");
    let words = vec![
        ("PLAYS", plays.to_string()),
        ("WAITS", waits.to_string()),
        ("GAME", league.sql("SELECT MIN(id) FROM game")),
        ("/A", format!("/{}", league.player("The A"))),
        ("=C", format!("={}", league.player("Cem"))),
    ];
    let mut sessions = sessions;
    sessions.push(("expired", old));
    Filled { league, sessions, token, worker, words }
}

impl Filled {
    fn session(&self, login: &str) -> &str {
        &self.sessions.iter().find(|(known, _)| *known == login).unwrap().1
    }

    fn ask(&self, row: &Row, number: usize) -> Ask {
        let fill = |text: &str| {
            self.words
                .iter()
                .fold(text.to_string(), |text, (word, value)| text.replace(word, value))
        };
        // Each has an address of their own: attempts that fail do not add up.
        let ask = self
            .league
            .ask(row.method, &fill(row.path))
            .with("X-Forwarded-For", &format!("10.{}.{}.1", number / 250, number % 250));
        let ask = match row.body {
            "FILE" => ask.file("hw.py", NO_MOVE),
            json if json.starts_with(['{', '"']) => ask.json(json),
            form => ask.form(&fill(form)),
        };
        ask.sent_from_here()
    }

    fn ask_as(&self, role: &str, ask: Ask) -> Ask {
        match role {
            "nobody" => ask,
            "expired session" => ask.session(self.session("expired")),
            "forged session" => ask.session("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
            "forged token" => ask.token("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
            "Ann's token" => ask.without("Origin").token(&self.token),
            "worker" => ask.without("Origin").token(&self.worker),
            name => ask.session(self.session(&name.to_lowercase())),
        }
    }

    /// Asks for everything as everybody, and returns what was not as expected.
    fn wrong(&self, table: &[Row]) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut number = 0;
        for row in table {
            let [out, own, other, assistant, teacher, worker] = &row.statuses;
            let request = format!("{} {}", row.method, row.path);
            for (at, role) in ROLES.into_iter().chain(["worker"]).enumerate() {
                let expected = match role {
                    // A token makes no tokens.
                    "Ann's token" if row.path == "/account/tokens" => &403,
                    "Ann" | "Bea" | "Ann's token" => own,
                    "Dov" => other,
                    "Tia" => assistant,
                    "Teo" => teacher,
                    "worker" => worker,
                    _ => out,
                };
                number += 1;
                let answer = self.ask_as(role, self.ask(row, number)).send();
                // Whoever has no right token gets nothing, also where nobody needs one.
                let refused = role == "forged token" && answer.status == 401;
                if answer.status != *expected && !refused {
                    let text = format!("found {}: {}", answer.status, answer.text());
                    wrong.push(format!("{role}: {request}: expected {expected}, {text}"));
                }
                for (name, value) in
                    [("x-content-type-options", "nosniff"), ("content-security-policy", "")]
                {
                    if !answer.header(name).is_some_and(|found| found.contains(value)) {
                        wrong.push(format!("{role}: {request}: no header {name}"));
                    }
                }
                if at < FIRST_OUT && *out == 401 && answer.text().contains("Ann") {
                    wrong.push(format!("{role}: {request}: names somebody"));
                }
            }
        }
        wrong
    }
}

#[test]
#[ignore = "takes minutes of games; make test-league runs it"]
fn nobody_gets_what_is_not_theirs() {
    let filled = filled(&[("replays = true", "replays = false")]);
    let wrong = filled.wrong(&table());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Whoever has left is out, in this browser; scripts go on.
    let league = &filled.league;
    assert_eq!(league.get(filled.session("dov"), "/account").status, 401);
    assert_eq!(league.ask("GET", "/account").token(&filled.token).send().status, 200);
}
