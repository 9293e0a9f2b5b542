//! The real binary in a game whose monitor reads late: what it keeps back of its slices.

mod table;

use engine::Game;
use foxgame::Position;
use foxgame::monitor::wire::FromAgent;
use std::thread::sleep;
use std::time::Duration;
use table::Table;

/// Plays a few turns as a monitor that reads each answer so late; the delays and the reserves in milliseconds that the agent
/// tells of.
fn told(arguments: &[&str], slice: u64, delay: Duration) -> Vec<[u64; 2]> {
    let mut table = Table::seat(&[&["-r", "FOX", "--verbose", "--hash", "1"], arguments].concat());
    assert_eq!(table.hear(), "hello FOX\n");
    table.say("hello FOX\n");
    assert_eq!([table.hear(), table.hear()], ["name menagerie\n", "ready\n"]);
    table.say(&format!("timeslice {slice}\nbegin\n"));
    let mut position = Position::initial();
    for _ in 0..3 {
        table.takes_turn(&mut position);
        sleep(delay);
        table.say(&format!("timeslice {slice}\n"));
        let mv = position.legal_moves()[0];
        let words = FromAgent::Move(position.stops(mv)).line();
        position.play(mv);
        table.say(&format!("timeslice {slice}\n{words}done\n"));
    }
    table.takes_turn(&mut position);
    table.say("winner FOX reason: enough\n");
    let output = table.leaves();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let number = |word: Option<&str>| word.unwrap().parse().unwrap();
    let figures = |line: &str| {
        let mut words = line.strip_prefix("monitor ")?.split(' ');
        Some([number(words.next()), number(words.nth(3))])
    };
    text.lines().filter_map(figures).collect()
}

#[test]
fn more_is_kept_back_where_the_monitor_reads_late() {
    for (slice, delay) in [(250, 60), (600, 200)] {
        let told = told(&[], slice, Duration::from_millis(delay));
        let [late, reserve] = told[0];
        assert!(late >= delay && (reserve > delay || reserve >= slice * 3 / 4), "{told:?}");
    }
}

#[test]
fn a_quarter_of_the_slice_is_left_however_late_the_monitor_reads() {
    let told = told(&[], 100, Duration::from_millis(500));
    assert!(told[0][0] >= 500 && told.iter().all(|&[_, reserve]| reserve == 75), "{told:?}");
}

#[test]
fn the_reserve_asked_for_is_what_is_kept_back_until_the_monitor_is_later() {
    let told = told(&["--reserve", "40"], 400, Duration::from_millis(100));
    assert!(told[0][0] >= 100 && told[0][1] > 110, "{told:?}");
}
