//! A judge that knows Connect Four.
fn main() -> std::process::ExitCode {
    judge::run(vec![judge::AnyGame::of::<connect_four::Position>()])
}
