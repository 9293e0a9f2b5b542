//! Tests of the messages between the puzzle server and its client, with arbitrary content.

use foxgeese::puzzle::{Answer, Request};
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_request_is_read_as_it_is_sent(token in "\\S{1,20}", start in any::<bool>(), geese in "[a-t][udlr]{0,3}") {
        let request = Request { token, start, geese };
        prop_assert_eq!(Request::read(&request.urlencoded(), true), Ok(request.clone()));
        prop_assert_eq!(Request::read(&request.plain(), false), Ok(request.clone()));
        prop_assert_eq!(Request::read(&request.plain().replace('\n', "\r\n"), false), Ok(request));
    }

    #[test]
    fn any_body_is_a_request_or_refused_in_one_line(
        lines in proptest::collection::vec("(token|start|geese|goose|TOKEN)? ?[:=&%]?.{0,20}", 0..6),
        anything in "(?s).{0,100}",
    ) {
        for body in [lines.join("\n"), lines.join("&"), anything] {
            for urlencoded in [false, true] {
                match Request::read(&body, urlencoded) {
                    Ok(request) => prop_assert_eq!(Request::read(&request.urlencoded(), true), Ok(request)),
                    Err(reason) => prop_assert!(!reason.contains(char::is_control), "{reason:?}"),
                }
            }
        }
    }

    #[test]
    fn any_answer_is_read_again_as_it_was_understood(
        lines in proptest::collection::vec("(moves|foxes|field|end|message|x)?[:]?[ 0-9a-zA-Z=]{0,12}", 0..6),
        wrapped in proptest::collection::vec("\u{feff}?(moves: 1|field:|foxes: |end: |x: )?[0-9a-zA-Z+/]{0,80}=?", 0..6),
        anything in "(?s).{0,100}",
    ) {
        for body in [lines.join("\r\n"), wrapped.join("\n"), anything] {
            if let Some(answer) = Answer::read(&body) {
                prop_assert_eq!(Answer::read(&answer.write("\r\n")), Some(answer.clone()));
                prop_assert_eq!(Answer::read(&answer.write("\n")), Some(answer));
            }
        }
    }
}
