//! Shared parts of the tests: they run the commands of this crate as they are in the judge, by
//! `examples/submissions.rs`.

testing::commands!(judge, testing::example(env!("CARGO_PKG_NAME"), "submissions"));
