//! The agent's modes `--explain` and `--state`, which do not write an output file.

use crate::course::{BoardFileName, read_board, rows_and_columns, write_board};
use crate::explain;
use crate::options::Extra;
use crate::rules::{Position, SHEEP, WOLVES};
use engine::agent::{CpuClock, Options};
use engine::protocol::OneRuleSet;
use engine::{Game, Protocol, Task, TimeControl, think};
use files::{read_input, write_atomically};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// The CPU time for a move on a board file, which states no clock.
const STATE_CLOCK: Duration = Duration::from_secs(1);

/// Runs the mode that the options select; `None` if they select none. An error is one line.
pub(crate) fn run(options: &Options, extra: &Extra) -> Option<Result<(), String>> {
    match &extra.state {
        Some(file) => Some(state(file, options, extra)),
        None if extra.explain => Some(input(options).and_then(|position| print_worths(&position, options, extra))),
        None => None,
    }
}

fn read(file: &Path) -> Result<String, String> {
    read_input(file).map_err(|error| format!("{}: cannot read the position: {error}", file.display()))
}

fn input(options: &Options) -> Result<Position, String> {
    let task = Position::read_task(&read(&options.input)?, OneRuleSet);
    task.map(|task| task.position).map_err(|error| format!("{}:{error}", options.input.display()))
}

fn print(text: &str) -> Result<(), String> {
    let mut stdout = std::io::stdout().lock();
    let printed = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    printed.map_err(|error| format!("standard output: {error}"))
}

fn print_worths(position: &Position, options: &Options, extra: &Extra) -> Result<(), String> {
    let settings = options.settings(extra.sources());
    let limits = (!settings.timed()).then(|| settings.limits());
    print(&explain::explain(position, settings.own.oracle(), limits))
}

/// Makes a move on a board file of the course, or explains its moves.
fn state(file: &Path, options: &Options, extra: &Extra) -> Result<(), String> {
    let numbered = BoardFileName::parse(file);
    let side = match (extra.side.as_deref(), &numbered) {
        (Some("wolves"), _) => WOLVES,
        (Some(_), _) => SHEEP,
        (None, Some(numbered)) => numbered.side(),
        (None, None) => {
            return Err(format!("{}: the name has no number such as state_4.txt; give --side", file.display()));
        }
    };
    let position = read_board(&read(file)?, side).map_err(|error| format!("{}:{error}", file.display()))?;
    if extra.explain {
        return print_worths(&position, options, extra);
    }
    let Some(numbered) = numbered else {
        return Err(format!("{}: the name has no number such as state_4.txt to follow", file.display()));
    };
    let task = Task { position, control: TimeControl::Single, clock: STATE_CLOCK };
    let mv = think(&task, &options.settings(extra.sources()), &CpuClock).best;
    let mut next = position;
    next.play(mv);
    let written = write_atomically(&numbered.next, &write_board(&next));
    written.map_err(|error| format!("{}: cannot write the board: {error}", numbered.next.display()))?;
    let [from_row, from_column, to_row, to_column] = rows_and_columns(mv);
    print(&format!("{from_row} {from_column} {to_row} {to_column}\n"))
}
