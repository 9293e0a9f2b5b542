//! A league on PostgreSQL with workers of its own, of other processes and by HTTP; one vanishes.

use super::place::{League, ROSTER, Running, SHORT, own_starter, wait};
use std::process::Command;

#[path = "../../src/store/tests/server.rs"]
mod server;

#[test]
#[ignore = "needs postgresql; make test-league runs it"]
fn workers_on_postgresql_share_the_work_and_one_may_vanish() {
    let url = server::server().new_database();
    let count = |statement: &str| -> String {
        let output = Command::new("psql").args(["-At", "-c", statement, &url]).output().unwrap();
        assert!(output.status.success(), "{}", testing::text(&output.stderr));
        testing::text(&output.stdout).trim().to_string()
    };
    let mut league = League::new(SHORT, "id,name\nx,X\n");
    league.enrol_by(&["people", "course", "roster.csv", "--database", &url], ROSTER);
    league.serve(&["--workers", "1", "--database", &url]);
    let token =
        league.command(&["token", "course", "cluster", "--database", &url], 0).trim().to_string();
    let server = format!("http://{}", league.address());
    let place = league.directory.to_path_buf();
    let by_http = Running::league(
        &place,
        &["worker", "--server", &server, "--token", &token, "--workers", "1"],
    );
    let by_database =
        Running::league(&place, &["worker", "course", "--database", &url, "--workers", "1"]);
    let [ann, cem, dov] = league.sign_ins(["ann", "cem", "dov"]);
    // As long as a program waits to be checked, each worker has one in hand. Of games it may have
    // none: so few players are one pair at a time.
    let mut sessions = [&ann, &cem, &dov].into_iter().cycle();
    let mut handed_in = Vec::new();
    wait("a second job of the cluster", || {
        if count("SELECT COUNT(*) FROM job WHERE kind = 'check' AND state = 'waiting'") == "0" {
            let session = sessions.next().unwrap();
            handed_in.push((
                session,
                league.hand_in(session, "homework.py", own_starter(session).as_bytes()),
            ));
        }
        count(
            "SELECT COUNT(*) FILTER (WHERE state = 'done') > 0 AND COUNT(*) FILTER (WHERE state = 'leased') = 1 FROM job
            WHERE worker LIKE 'cluster/%'",
        ) == "t"
    });
    drop(by_http);
    let games = || count("SELECT COUNT(*) FROM game").parse::<i64>().unwrap();
    let stopped = games();
    for (session, id) in handed_in {
        let (state, report) = league.checked(session, id);
        assert_eq!(state, "plays", "{report}");
    }
    wait("more games", || games() >= stopped + 16);
    wait("no job of the cluster", || {
        count("SELECT COUNT(*) FROM job WHERE state = 'leased' AND worker LIKE 'cluster/%'") == "0"
    });
    assert_ne!(
        count("SELECT COUNT(*) FROM job WHERE state = 'done' AND worker LIKE 'cluster/%'"),
        "0"
    );
    drop(by_database);
    league.kill();
    assert_eq!(league.command(&["check", "course", "--database", &url], 0), "all is well\n");
}
