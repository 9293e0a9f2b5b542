//! The puzzle of Foxes and Geese: bodies of requests, parted by zero bytes, and the moves in them;
//! and answers, as the client reads them.
#![no_main]

use engine::{Game, Protocol};
use foxgeese::Position;
use foxgeese::puzzle::{Answer, Request};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut position = Position::initial();
    for body in data.split(|&byte| byte == 0) {
        let body = String::from_utf8_lossy(body);
        for urlencoded in [false, true] {
            match Request::read(&body, urlencoded) {
                Ok(request) => {
                    assert_eq!(Request::read(&request.urlencoded(), true).as_ref(), Ok(&request));
                    if let Ok(mv) = position.read_move(&request.geese)
                        && position.outcome().is_none()
                    {
                        assert!(position.is_legal(mv));
                        position.play(mv);
                    }
                }
                Err(reason) => assert!(!reason.contains(char::is_control)),
            }
        }
        if let Some(answer) = Answer::read(&body) {
            assert_eq!(Answer::read(&answer.write("\r\n")), Some(answer));
        }
    }
});
