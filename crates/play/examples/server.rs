//! The servers of this crate as a program of their own, with the options that they have in the
//! judge: what the tests start and talk to.

use clap::Parser;
use play::PlayOptions;
use play::puzzle::PuzzleOptions;
use std::process::ExitCode;

#[derive(Parser)]
enum Server {
    /// The page of all games
    Play(PlayOptions),
    /// The puzzle of Foxes and Geese
    Puzzle(PuzzleOptions),
}

fn main() -> ExitCode {
    terminal::program::run(Vec::new(), |server| {
        match server {
            Server::Play(options) => play::play(&options, &[]),
            Server::Puzzle(options) => play::puzzle::serve(&options),
        }?;
        Ok(ExitCode::SUCCESS)
    })
}
