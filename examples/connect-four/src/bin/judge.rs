//! A judge that knows Connect Four.
fn main() -> std::process::ExitCode {
    judge::run(vec![judge::Game::of::<connect_four::Position>()])
}
