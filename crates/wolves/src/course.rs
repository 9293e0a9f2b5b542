//! The course's own board files (`wolves --help` and docs/wolves.md).

use crate::board::{SIZE, Square};
use crate::protocol::from_cells;
use crate::rules::{Move, Position, SHEEP, WOLVES};
use engine::protocol::{Lines, quote};
use engine::{Game, InputError, Side};
use std::path::{Path, PathBuf};

/// Parses a board of 5 lines with 5 digits each, separated by commas: 0 empty, 1 sheep, 2 wolf. Any
/// text, without panic.
pub fn read_board(text: &str, side: Side) -> Result<Position, InputError> {
    let expected = "5 digits 0, 1 or 2 separated by commas";
    let mut lines = Lines::new(text);
    let mut rows = Vec::with_capacity(SIZE);
    for _ in 0..SIZE {
        let line = lines.next_line(expected)?;
        let cells = line.split(',').map(|digit| match digit.trim() {
            "0" => Some(None),
            "1" => Some(Some(SHEEP)),
            "2" => Some(Some(WOLVES)),
            _ => None,
        });
        let cells = cells.collect::<Option<Vec<_>>>().filter(|cells| cells.len() == SIZE);
        rows.push(cells.ok_or_else(|| lines.error(expected, quote(line)))?);
    }
    lines.end()?;
    from_cells(&rows, side, 1)
}

/// A position as a board file.
pub fn write_board(position: &Position) -> String {
    let digit = |square: Square| match square {
        _ if position.wolves().contains(square) => "2",
        _ if position.sheep().contains(square) => "1",
        _ => "0",
    };
    let row = |y| (0..SIZE).map(|x| digit(Square::new(x, y))).collect::<Vec<_>>().join(",") + "\n";
    (0..SIZE).map(row).collect()
}

/// A move as the course writes it: start row, start column, end row, end column.
pub fn rows_and_columns(mv: Move) -> [usize; 4] {
    [mv.from.y(), mv.from.x(), mv.to.y(), mv.to.x()]
}

/// The side to move on a board that one move makes of the board before it.
pub fn side_after(before: &str, now: &str) -> Option<Side> {
    let now = write_board(&read_board(now, WOLVES).ok()?);
    Side::BOTH.into_iter().find_map(|side| {
        let before = read_board(before, side).ok()?;
        let leads_here = |mv: &Move| write_board(&before.after(*mv)) == now;
        before.legal_moves().iter().any(leads_here).then(|| side.other())
    })
}

/// The parsed name of a board file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardFileName {
    /// The number of this board. It does not say which side moves: in recorded games of the
    /// course's engine wolves move on odd numbers as well.
    pub number: u64,
    /// The file of the board before; `None` for the start.
    pub before: Option<PathBuf>,
    /// The file of the board after the next move.
    pub next: PathBuf,
}

impl BoardFileName {
    /// Parses a name such as `round0/state_4.txt`: the number stands between the last `_` and the
    /// first `.` after it, or the end.
    pub fn parse(path: &Path) -> Option<BoardFileName> {
        let name = path.file_name()?.to_str()?;
        let (stem, rest) = name.rsplit_once('_')?;
        let digits = rest.find('.').unwrap_or(rest.len());
        let (number, ending) = rest.split_at(digits);
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number: u64 = number.parse().ok()?;
        let place = |number: u64| path.with_file_name(format!("{stem}_{number}{ending}"));
        let before = number.checked_sub(1).map(place);
        Some(BoardFileName { number, before, next: place(number.checked_add(1)?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURE_1: &str = "1,1,1,1,1\n1,1,1,1,1\n0,0,0,0,0\n0,0,0,0,0\n0,2,0,2,0\n";

    #[test]
    fn bad_boards_name_their_line() {
        let cases = [
            ("", "1: expected 5 digits 0, 1 or 2 separated by commas, found the end of the file"),
            (
                "1,1,1,1,1\n1,1,3,1,1\n",
                "2: expected 5 digits 0, 1 or 2 separated by commas, found '1,1,3,1,1'",
            ),
            ("1,1,1,1,1\n1,1,1,1\n", "2: expected 5 digits"),
            (&"0,0,0,0,0\n".repeat(5), "1: expected 1 to 3 wolves, found 0"),
            (&FIGURE_1.replace("1,1,1,1,1", "1,0,0,0,0"), "1: expected a position to play"),
            (&format!("{FIGURE_1}x"), "6: "),
        ];
        for (text, message) in cases {
            let error = read_board(text, WOLVES).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn the_side_to_move_is_the_one_that_did_not_move_last() {
        // Wolves move on an odd number, as the course's engine counts.
        let third = "0,1,1,1,1\n1,1,1,1,1\n1,0,0,0,0\n0,0,0,0,0\n0,2,0,2,0\n";
        let fourth = "0,1,1,1,1\r\n1,1,1,1,1\r\n1,0,0,0,0\r\n0,0,0,0,0\r\n0,2,2,0,0\r\n";
        assert_eq!(side_after(third, fourth), Some(SHEEP));
        let fifth = "0,1,1,1,1\n1,0,1,1,1\n1,1,0,0,0\n0,0,0,0,0\n0,2,2,0,0\n";
        assert_eq!(side_after(fourth, fifth), Some(WOLVES));
        for (before, now) in [(third, fifth), (third, third), ("", third), (third, "1,1")] {
            assert_eq!(side_after(before, now), None, "{before} {now}");
        }
    }

    #[test]
    fn file_names_carry_the_number_of_the_board() {
        let found = BoardFileName::parse(Path::new("round0/state_9.txt"));
        let [before, next] = ["round0/state_8.txt", "round0/state_10.txt"].map(PathBuf::from);
        assert_eq!(found, Some(BoardFileName { number: 9, before: Some(before), next }));
        assert_eq!(BoardFileName::parse(Path::new("state_0")).unwrap().next, Path::new("state_1"));
        for name in [
            "board.txt",
            "state_.txt",
            "state_x.txt",
            "state_-1.txt",
            "state_99999999999999999999.txt",
            "..",
        ] {
            assert_eq!(BoardFileName::parse(Path::new(name)), None, "{name}");
        }
    }
}
