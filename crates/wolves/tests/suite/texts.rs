//! Property tests of the course's board files with arbitrary contents and names.

use engine::{Game, Side};
use proptest::prelude::*;
use std::path::Path;
use wolves::course::{BoardFileName, read_board, write_board};

proptest! {
    #[test]
    fn a_board_is_read_as_it_is_written_or_refused_with_a_line(
        rows in proptest::collection::vec("[0112](,[00112]){3,5}[ \r]{0,2}", 4..7),
        junk in "(?s).{0,80}",
        wolves_move in any::<bool>(),
    ) {
        let side = Side::BOTH[usize::from(wolves_move)];
        for text in [rows.join("\n"), rows.join("\n") + &junk, junk] {
            match read_board(&text, side) {
                Ok(position) => {
                    prop_assert_eq!(position.outcome(), None);
                    prop_assert_eq!(read_board(&write_board(&position), side), Ok(position));
                }
                Err(error) => {
                    prop_assert!(error.line >= 1 && error.line <= text.split('\n').count() + 1, "{}", error);
                    prop_assert!(!error.to_string().contains(char::is_control));
                }
            }
        }
    }

    #[test]
    fn a_file_name_has_a_next_one_or_no_number(name in "[a-z_0-9./]{0,30}", anything in "(?s).{0,30}") {
        for name in [name, anything] {
            if let Some(numbered) = BoardFileName::parse(Path::new(&name)) {
                let next = BoardFileName::parse(&numbered.next).map(|next| next.number);
                // The largest number has no successor, so its file name is not accepted.
                let expected = numbered.number.checked_add(1).filter(|&next| next < u64::MAX);
                prop_assert!(next == expected, "{name}");
            }
        }
    }
}
