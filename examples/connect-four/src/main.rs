//! The Connect Four agent.
fn main() -> std::process::ExitCode {
    engine::agent::run::<connect_four::Position>()
}
