//! Shared parts of the tests: they run the commands of this crate as they are in the judge, by
//! `examples/grader.rs`, and players against them.

testing::commands!(judge, testing::example(env!("CARGO_PKG_NAME"), "grader"));
testing::gradings!(testing::example(env!("CARGO_PKG_NAME"), "player"));
