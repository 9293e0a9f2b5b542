//! Runs the commands of this crate by `examples/grader.rs`, and players against them.

testing::commands!(judge, testing::example(env!("CARGO_PKG_NAME"), "grader"));
testing::gradings!(testing::example(env!("CARGO_PKG_NAME"), "player"));
