//! Tests of the reserve that the agent's binary keeps when the monitor reads late.

use crate::monitor_stub::MonitorStub;
use foxgame::Position;
use std::thread::sleep;
use std::time::Duration;

/// Plays a few turns, and calls `pause` before each move of SHEEP. Returns the delays and reserves,
/// in milliseconds, that the agent logs.
fn told(arguments: &[&str], slice: u64, pause: impl Fn(&mut MonitorStub)) -> Vec<[u64; 2]> {
    let arguments = [&["--verbose", "--hash", "1"], arguments].concat();
    let mut monitor = MonitorStub::at_play("FOX", &arguments, slice);
    let mut position = Position::initial();
    for _ in 0..3 {
        monitor.play_agent_turn(&mut position);
        pause(&mut monitor);
        monitor.play_first_move(&mut position, slice);
    }
    monitor.play_agent_turn(&mut position);
    let text = monitor.end();
    let number = |word: Option<&str>| word.unwrap().parse().unwrap();
    let figures = |line: &str| {
        let mut words = line.strip_prefix("monitor ")?.split(' ');
        Some([number(words.next()), number(words.nth(3))])
    };
    text.lines().filter_map(figures).collect()
}

#[test]
fn more_is_kept_back_where_the_monitor_reads_late() {
    let arguments: [&[&str]; 2] = [&[], &["--reserve", "40"]];
    for arguments in arguments {
        let told = told(arguments, 600, |monitor| {
            sleep(Duration::from_millis(200));
            monitor.send("timeslice 600\n");
        });
        assert!(told[0][0] >= 200 && told[0][1] > 200, "{told:?}");
    }
}

#[test]
fn more_is_kept_back_where_the_machine_does_not_let_the_agent_run() {
    // One `timeslice` a turn says nothing of the monitor, so that all that is late is the agent.
    let told = told(&[], 2_000, |monitor| monitor.stop_agent(Duration::from_millis(300)));
    assert!(told[0][0] == 0 && told[0][1] >= 300, "{told:?}");
}

/// Asserts that the thread which has run for longest, a searching one, may not use the processor on
/// which a thread reads and another keeps the time.
#[cfg(target_os = "linux")]
fn assert_that_room_is_made(mut threads: Vec<(u64, Vec<usize>)>) {
    threads.sort_unstable();
    let (_, thinking) = threads.last().unwrap();
    let talking = threads
        .iter()
        .filter(|(_, processors)| matches!(processors[..], [one] if !thinking.contains(&one)));
    // The program's first thread may run anywhere. A single processor is shared by all.
    let everywhere = threads.iter().map(|(_, processors)| processors.len()).max().unwrap();
    assert!(everywhere == 1 || thinking.len() == everywhere - 1, "{threads:?}");
    assert!(everywhere == 1 || talking.count() >= 2, "{threads:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn no_thread_searches_on_the_processor_of_those_that_talk_to_the_monitor() {
    told(&["--threads", "1"], 300, |monitor| assert_that_room_is_made(monitor.threads()));
}

#[test]
#[cfg(target_os = "linux")]
fn threads_on_all_processors_make_room_once_the_machine_wakes_threads_late() {
    let threads = std::thread::available_parallelism().unwrap().to_string();
    let turn = std::cell::Cell::new(0);
    told(&["--threads", &threads], 300, |monitor| {
        match turn.get() {
            0 => monitor.stop_agent(Duration::from_millis(100)),
            1 => {
                // The threads that search on the opponent's time begin now.
                sleep(Duration::from_millis(100));
                assert_that_room_is_made(monitor.threads());
            }
            _ => {}
        }
        turn.set(turn.get() + 1);
    });
}
