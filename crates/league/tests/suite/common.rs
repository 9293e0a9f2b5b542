use std::process::Command;

testing::commands!(league, env!("CARGO_BIN_EXE_league"));

/// Fails where players get no namespaces of their own.
#[track_caller]
pub(crate) fn needs_namespaces() {
    let words = ["--user", "--map-root-user", "--mount", "--pid", "--net", "--fork", "true"];
    let are_there =
        Command::new("unshare").args(words).status().is_ok_and(|status| status.success());
    assert!(are_there, "this test needs namespaces, see `judge sandbox`; leave it out with --skip");
}
