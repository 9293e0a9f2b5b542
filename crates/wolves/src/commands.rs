//! The agent's own options, and its modes `--explain` and `--state`.

use crate::course::{BoardFileName, read_board, rows_and_columns, side_after, write_board};
use crate::explain;
use crate::oracle::Sources;
use crate::rules::{Position, SHEEP, WOLVES};
use clap::Args;
use clap::builder::PossibleValuesParser;
use engine::agent::{CpuClock, Options};
use engine::protocol::OneRuleSet;
use engine::{Game, Protocol, Side, Task, TimeControl, think};
use files::{read_input, write_atomically};
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The CPU time for a move on a board file, which states no clock.
const STATE_CLOCK: Duration = Duration::from_secs(1);

/// The options of this game besides the common ones.
#[derive(Args, Clone, Debug, Default)]
pub struct Extra {
    /// The directory of the exact tables [default: $MENAGERIE_TABLES, or tables/ beside the
    /// program]
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,

    /// Print what each legal move is worth instead of leaving one: the move, win, draw or loss, and
    /// the plies that are then left with best play (- for a draw, ? where only the result is
    /// known), or estimate and a score
    #[arg(long)]
    pub explain: bool,

    /// Play on the course's own board file, NAME_N.txt: print START_ROW START_COL END_ROW END_COL,
    /// and leave the board after the move in NAME_(N+1).txt, which must not be there yet; CPU time
    /// 1 s unless --depth or --nodes say otherwise
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,

    /// The side to move of the board file [default: wolves for N = 0, else the side that has not
    /// moved since NAME_(N-1).txt; where that does not lie beside it, the side has to be given]
    #[arg(long, value_name = "SIDE", requires = "state", value_parser = PossibleValuesParser::new(["wolves", "sheep"]))]
    pub side: Option<String>,
}

impl Extra {
    /// The settings that these options stand for.
    pub fn sources(&self) -> Sources {
        Sources { tables: self.tables.clone(), ..Sources::default() }
    }
}

/// Runs the mode that the options select, if any. An error is one line.
pub(crate) fn run(options: &Options, extra: &Extra) -> Option<Result<(), String>> {
    if let Some(file) = &extra.state {
        return Some(state(file, options, extra));
    }
    let explain = |position| print_worths(&position, options, extra);
    extra.explain.then(|| input(options).and_then(explain))
}

fn read(file: &Path) -> Result<String, String> {
    read_input(file)
        .map_err(|error| format!("{}: cannot read the position: {error}", file.display()))
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
    let unnumbered =
        |end| format!("{}: the name has no number such as state_4.txt{end}", file.display());
    let text = read(file)?;
    let board =
        |side| read_board(&text, side).map_err(|error| format!("{}:{error}", file.display()));
    let given = extra.side.as_deref().map(|side| if side == "wolves" { WOLVES } else { SHEEP });
    board(given.unwrap_or(WOLVES))?;
    let side = match (given, &numbered) {
        (Some(side), _) => side,
        (None, Some(numbered)) => side_of(file, &text, numbered)?,
        (None, None) => return Err(unnumbered("; give --side")),
    };
    let position = board(side)?;
    if extra.explain {
        return print_worths(&position, options, extra);
    }
    let next = numbered.ok_or_else(|| unnumbered(" to follow"))?.next;
    let failed = |why: &dyn Display| format!("{}: {why}", next.display());
    if next.symlink_metadata().is_ok() {
        return Err(failed(&"is there already, and is never overwritten; remove it first"));
    }
    let task = Task { position, control: TimeControl::Single, clock: STATE_CLOCK };
    let mv = think(&task, &options.settings(extra.sources()), &CpuClock).best;
    write_atomically(&next, &write_board(&position.after(mv)))
        .map_err(|error| failed(&format!("cannot write the board: {error}")))?;
    let [from_row, from_column, to_row, to_column] = rows_and_columns(mv);
    print(&format!("{from_row} {from_column} {to_row} {to_column}\n"))
}

/// Finds the side to move by the board before, and names it on standard error.
fn side_of(file: &Path, text: &str, numbered: &BoardFileName) -> Result<Side, String> {
    let file = file.display();
    let (side, why) = if let Some(before) = &numbered.before {
        let name = before.file_name().unwrap_or_default().to_string_lossy();
        let before = read_input(before).unwrap_or_default();
        let side = side_after(&before, text).ok_or_else(|| {
            format!("{file}: give --side: the number does not say who moves, and no {name} that leads here lies beside it")
        })?;
        (side, format!("{} moved since {name}", Position::side_word(side.other()).to_lowercase()))
    } else {
        (WOLVES, "the start of a game".to_string())
    };
    let word = Position::side_word(side).to_lowercase();
    // A closed standard error does not keep the move from being made.
    let _ = writeln!(std::io::stderr(), "{file}: {word} to move: {why}");
    Ok(side)
}
