//! Advice for faults, chosen by words of the reason or of the program's standard error.

use anygame::AnyGame;
use anygame::game::{GameFiles, Interface};
use arena::result::{Fault, Reason, Termination};
use engine::Remedy;

/// A hint about a program that has answered nothing.
pub(crate) const OTHER_TASK: &str =
    " It answers none: perhaps it is for another homework or another form of the input.";

const PROGRAM: &str = "homework.py";
const NO_NUMPY_NAME: &str = "module 'numpy' has no attribute";
/// Words of Python's own that an older numpy had as well, as `np.int`.
const NUMPY_NAMES: [&str; 6] = ["int", "float", "bool", "object", "str", "complex"];
/// Words of a line about a file that cannot be opened, in small letters.
const NOT_OPENED: [&str; 13] = [
    "no such file",
    "filenotfound",
    "nosuchfile",
    "enoent",
    "denied",
    "cannot open",
    "can't open",
    "could not open",
    "unable to open",
    "failed to open",
    "not found",
    "not exist",
    "read-only",
];
/// Words on the standard error of a crashed program, and the advice. The first match counts.
const CRASHES: &[(&[&str], &str)] = &[
    (
        &["RecursionError", "StackOverflowError"],
        "the search calls itself without end: give it a depth, and stop it where the game is over",
    ),
    (&["No module named 'skimage"], "that module is missing here: its package is scikit-image"),
    (&["No module named 'sklearn"], "that module is missing here: its package is scikit-learn"),
    (
        &["No module named 'cv2"],
        "that module is missing here: its package is opencv-python-headless",
    ),
    (&["No module named 'PIL"], "that module is missing here: its package is pillow"),
    (
        &["was removed in the NumPy 2.0 release", NO_NUMPY_NAME],
        "it needs an older numpy: write np.inf and float for the name in the last line, or install a numpy below 2, and \
         below 1.24 for np.float",
    ),
    (
        &["No module named"],
        "that module is missing here: install it if the course allows it, do without it, or hand it in beside the program",
    ),
    (&["Permission denied: 'input"], "open input.txt for reading"),
    (
        &[GameFiles::USUAL.input],
        "read 'input.txt' without a directory: it is in the directory where the program starts",
    ),
    (
        &["/output.txt"],
        "open 'output.txt' without a directory: graders let a program write only in its own directory",
    ),
    (
        &["can't open file"],
        "the program's file is not found: give its path as seen from here, or its directory with --dir",
    ),
    (
        &["Could not find or load main class"],
        "spell the class as its file is named, capital letters too; where its file is in another directory, name that with --dir: \
         --cmd 'java -cp . Main' --dir DIRECTORY",
    ),
    (
        &["EOFError"],
        "the program reads from the keyboard (input()), where a grader writes nothing: read the file input.txt",
    ),
    (&["Unable to access jarfile"], "the jar is not found: give its path as seen from here"),
    (
        &["UnsupportedClassVersionError"],
        "compile with --release 8 or the like: this Java is older than the compiler's",
    ),
    (
        &[
            "FileNotFoundError",
            "FileNotFoundException",
            "NoSuchFileException",
            "No such file or directory",
        ],
        "a file is missing: if the program writes it in an earlier turn, test whether it is there, since before the \
     first turn it is not; if it is the program's own, give its directory with --dir (--dir . for the current \
         one), and hand it in beside the program",
    ),
    (
        &[
            "name resolution",
            "Network is unreachable",
            "UnknownHostException",
            "URLError",
            "ConnectionRefusedError",
        ],
        "a program has no network when it is graded: put what it needs into files beside it",
    ),
    (
        &["has no attribute 'clock'"],
        "it needs a Python older than 3.8, which has no time.clock() any more: use time.process_time(), the CPU time",
    ),
    (
        &[
            "Missing parentheses in call to 'print'",
            "Missing parentheses in call to 'exec'",
            "parameters cannot be parenthesized",
            "multiple exception types must be parenthesized",
            "leading zeros in decimal",
            "has no attribute 'iteritems'",
            "has no attribute 'has_key'",
            "has no attribute 'maxint'",
            "invalid mode: 'rU'",
            "'map' object is not subscriptable",
            "object of type 'map' has no len()",
            "name 'raw_input' is not defined",
            "name 'xrange' is not defined",
            "name 'unicode' is not defined",
        ],
        "it needs Python 2, and this is Python 3: put it right by `2to3 -w homework.py`, or by hand",
    ),
    (
        &["SyntaxError"],
        "the program does not even start: run it by hand; the last lines name the place",
    ),
    (
        &["invalid literal for int()"],
        "a number of the input is no whole number: read the seconds in line 3 with float()",
    ),
    (
        &["NumberFormatException"],
        "read the seconds in line 3 with Double.parseDouble, and trim() each line",
    ),
    (&["could not convert string to float"], "read line 3 alone as the seconds, and strip() it"),
    (
        &["from an empty sequence", "iterable argument is empty", "arg is an empty sequence"],
        "a list of moves is empty, though this position has legal moves: compare the program's moves with those below, and \
     check that it plays this game",
    ),
    (&["MemoryError", "OutOfMemoryError"], "the program uses more memory than graders allow"),
    (
        &["= lines["],
        "a line of the input is missing for the program: the lines of input.txt end with a line feed alone, so split them by \
         splitlines()",
    ),
    (
        &["IndexError"],
        "an index left the board: look at the line that the traceback names, and test squares before use",
    ),
    (
        &["ArrayIndexOutOfBounds"],
        "an index left the board: look at the line that is named, and test squares before use",
    ),
];

/// Words in the reason of a refusal, and the advice. A game's own ([`engine::Examine::REMEDIES`])
/// come first.
const REFUSALS: &[(&str, &str)] = &[
    ("'s turn", "play the side that line 2 of input.txt names, each time anew"),
    (
        "no piece on",
        "move a piece that is there: read the board from this input.txt, and index it as rows[y][x]",
    ),
    ("is occupied", "a move ends on an empty square: test it before you write the move"),
    (
        "two squares from",
        "a jump goes over one neighbour to the square right behind it; a longer way is a chain of lines",
    ),
    (
        "is not next to",
        "a step goes to one of the squares around; a move that goes further is a jump, J",
    ),
    (
        "to jump over",
        "a jump needs a piece on the square between; without one there is only the step, E",
    ),
    (
        "a step stands alone",
        "one turn is one step, or one chain of jumps: write no line after a step",
    ),
    ("the last one ended", "each jump begins where the one before ended: write the chain in order"),
    ("an empty file", "write the move before the program ends, and close the file"),
    (
        "is longer than",
        "one move is a few lines: open the file with 'w', not 'a', and write no log into it",
    ),
    ("is not a file", "output.txt has to be a plain file"),
];

/// Returns whether the reason names the broken rule, so that the cause is no slip in the format.
pub(super) fn names_its_rule(reason: &str, remedies: &[Remedy]) -> bool {
    remedies.iter().any(|remedy| remedy.names_rule && reason.contains(remedy.reason))
}

/// Words of advice that is about the games of this process.
const OF_OUR_GAMES: [&str; 6] =
    ["line 2", "line 3", "rows[y][x]", "jump", "a step", "left the board"];

/// Returns advice, if there is more to say than the fault's reason.
pub(super) fn advice(fault: &Fault, stderr: &str, game: &AnyGame) -> Option<String> {
    let GameFiles { input, output, .. } = game.interface.files;
    let stderr =
        stderr.replace(input, GameFiles::USUAL.input).replace(output, GameFiles::USUAL.output);
    let talking = game.interface.talks.then(|| advice_on_talk(fault, &stderr, &game.interface));
    let found = talking.flatten().or_else(|| usual_advice(fault, &stderr, game.remedies)).filter(
        |advice| {
            // Programs that stay running have no such files.
            !game.interface.talks || !advice.contains("put.txt")
        },
    );
    let fits = |advice: &String| {
        !game.is_own() || !OF_OUR_GAMES.iter().any(|words| advice.contains(words))
    };
    let program =
        game.interface.programs.iter().find(|name| name.ends_with(".py")).unwrap_or(&PROGRAM);
    found
        .filter(fits)
        .map(|advice| game.interface.files.named_in(&advice).replace(PROGRAM, program))
}

/// Whether a line says that a file cannot be opened. Lines of the source, which tracebacks show
/// indented, say nothing.
fn is_not_opened(stderr: &str, file: &str) -> bool {
    stderr.lines().any(|line| {
        let small = line.to_lowercase();
        line.contains(file)
            && !line.starts_with(char::is_whitespace)
            && NOT_OPENED.iter().any(|words| small.contains(words))
    })
}

/// Returns advice for a program that stays running, if that is what it has to know.
fn advice_on_talk(fault: &Fault, stderr: &str, interface: &Interface) -> Option<String> {
    let has_file = || is_not_opened(stderr, GameFiles::USUAL.input);
    if let Some(function) = interface.function_name() {
        let found = match fault.termination {
            Termination::Crash if has_file() => {
                format!("read no file: {function}() gets the task as its arguments")
            }
            Termination::BadFormat => format!("return the move alone from {function}()"),
            _ => return None,
        };
        return Some(found);
    }
    let reason = fault.reason.own_words();
    let found = match fault.termination {
        Termination::Crash if has_file() => {
            "read the task from standard input, up to the empty line: there is no input file"
        }
        Termination::Crash if reason.contains("ended without an answer") => {
            "the program ended, and has to stay running: read a task from standard input up to the \
             empty line, print the move and an empty line, flush, and read the next task, until the \
             input ends"
        }
        Termination::Crash if stderr.contains("EOFError") => {
            "the input ends after the last task: end the program there"
        }
        Termination::Stall => {
            "no whole answer came: print an empty line after the move and flush, in Python \
             print(move, end=\"\\n\\n\", flush=True); read a task up to its empty line alone, since \
             the input does not end there; or the program computes without end"
        }
        Termination::BadFormat => {
            "print one move and an empty line for each task, and all else to standard error"
        }
        _ => return None,
    };
    Some(found.to_string())
}

/// The number of the signal on Linux and macOS.
const SEGMENTATION_FAULT: i32 = 11;

fn usual_advice(fault: &Fault, stderr: &str, remedies: &[Remedy]) -> Option<String> {
    let reason = fault.reason.own_words();
    if fault.termination == Termination::Crash
        && let Some((_, after)) = stderr.split_once(NO_NUMPY_NAME)
        && let Some(name) = NUMPY_NAMES.iter().find(|name| after.starts_with(&format!(" '{name}'")))
    {
        return Some(format!(
            "it needs an older numpy: write {name} for np.{name}, or install a numpy below 1.24"
        ));
    }
    let says = |word: &str| match word.contains("put.txt") {
        true => is_not_opened(stderr, word),
        false => stderr.contains(word),
    };
    let crash = || CRASHES.iter().find(|(words, _)| words.iter().any(|word| says(word)));
    let found = match fault.termination {
        Termination::Crash => match crash() {
            Some((_, advice)) => advice,
            None if fault
                .reason
                .exit()
                .is_some_and(|exit| exit.signal == Some(SEGMENTATION_FAULT)) =>
            {
                "an address outside the program's memory: an index off the board, or a search without end; \
                 compile with -g -fsanitize=address to see where"
            }
            None => {
                "the last lines below say where the program stopped; run it by hand on that input.txt"
            }
        },
        Termination::Stall if matches!(fault.reason, Reason::Stall { slept: true, .. }) => {
            "the program waits without computing (sleep, a lock, input, a network): think or answer at once instead"
        }
        Termination::Stall => {
            "the program never ended: an endless loop, a wait for input, or a search that checks no clock"
        }
        Termination::TimeForfeit => {
            "line 3 of input.txt is the CPU time in seconds: measure it (time.process_time() in Python, clock() in C), \
             stop the search well before, and keep a move ready"
        }
        Termination::NoOutput => {
            "write the move into 'output.txt' in the directory where the program starts"
        }
        Termination::DiskQuota => "the program writes without end: write only output.txt",
        Termination::BadFormat | Termination::IllegalMove => {
            let own = remedies.iter().find(|remedy| reason.contains(remedy.reason));
            let refusal = || REFUSALS.iter().find(|(words, _)| reason.contains(words));
            let usual = "leave only the move in output.txt, in the form that the rules show";
            own.map(|remedy| remedy.advice)
                .or_else(|| refusal().map(|(_, advice)| *advice))
                .or((fault.termination == Termination::BadFormat).then_some(usual))?
        }
        _ => return None,
    };
    Some(found.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::result::Exit;
    use engine::Violation;

    #[test]
    fn what_a_program_writes_chooses_no_advice_on_its_exit_and_move() {
        let advice = |termination, reason| usual_advice(&Fault::new(termination, reason), "", &[]);
        for (code, signal, part) in [(Some(1), None, "by hand"), (None, Some(11), "an address")] {
            let reason = Reason::Exit(Exit { code, signal }, "'segmentation fault'".to_string());
            assert!(advice(Termination::Crash, reason).unwrap().contains(part));
        }
        let (violation, text) = (Violation::Illegal("no".into()), "is occupied".to_string());
        let reason = Reason::NoMove { file: "output.txt", violation, text, exit: None };
        assert_eq!(advice(Termination::IllegalMove, reason), None);
    }

    #[test]
    fn a_program_that_sleeps_is_told_from_one_that_computes_without_end() {
        let advice_on = |slept| {
            let reason = Reason::Stall { slept, words: "no answer; it slept for a day".into() };
            usual_advice(&Fault::new(Termination::Stall, reason), "", &[]).unwrap()
        };
        assert!(advice_on(false).contains("an endless loop"));
        assert!(advice_on(true).contains("waits without computing"));
    }

    #[test]
    fn the_words_of_a_crash_choose_the_advice() {
        for (stderr, part) in [
            ("RecursionError: maximum recursion depth exceeded", "give it a depth"),
            ("ModuleNotFoundError: No module named 'numpy'", "is missing here"),
            ("ModuleNotFoundError: No module named 'skimage.measure'", "scikit-image"),
            ("AttributeError: `np.NINF` was removed in the NumPy 2.0 release. Use", "below 2"),
            ("AttributeError: module 'numpy' has no attribute 'float'.", "below 1.24"),
            ("ValueError: invalid literal for int() with base 10: '2.5'", "float()"),
            ("[Errno 2] No such file or directory: 'weights.json'", "--dir ."),
            ("[Errno 2] No such file or directory: '../input.txt'", "input.txt"),
            (
                "Error: ENOENT: no such file or directory, open '/x/input.txt'",
                "without a directory",
            ),
            ("    side = open('input.txt').read()[9]\nIndexError: string", "an index left"),
            ("    open('/output.txt', 'w').write(1)\nTypeError: write()", "run it by hand"),
            (
                "AttributeError: module 'numpy' has no attribute 'int'.\n`np.int` was",
                "write int for",
            ),
            ("[Errno -3] Temporary failure in name resolution>", "no network"),
            ("AttributeError: module 'time' has no attribute 'clock'", "a Python older than 3.8"),
            ("SyntaxError: Function parameters cannot be parenthesized", "needs Python 2"),
            ("SyntaxError: invalid syntax", "does not even start"),
            ("    side = lines[1][0]\nIndexError: list index out of range", "splitlines()"),
            ("IndexError: list index out of range", "an index left the board"),
            ("EOFError: EOF when reading a line", "read the file input.txt"),
            ("No such file or directory: 'memory.pkl'", "before the first turn it is not"),
            ("who knows", "run it by hand"),
        ] {
            let fault = Fault::new(Termination::Crash, "exit code 1");
            let advice = usual_advice(&fault, stderr, &[]).unwrap();
            assert!(advice.contains(part), "{stderr}: {advice}");
        }
    }
    #[test]
    fn a_program_that_stays_running_is_told_of_lines_and_of_no_file() {
        let talks = Interface { talks: true, ..Interface::default() };
        let asked = Interface { function: Some("agent(observation)"), ..talks };
        let stall = || Reason::Stall { slept: false, words: "no answer within 6.0 s".into() };
        let no_file = "FileNotFoundError: [Errno 2] No such file or directory: 'input.txt'";
        let own = "ValueError: no idea";
        let ended = || Reason::Words("ended without an answer (exit code 0)".into());
        for (interface, termination, reason, stderr, part) in [
            (talks, Termination::Stall, stall(), "", Some("flush=True")),
            (talks, Termination::Crash, ended(), "", Some("has to stay running")),
            (talks, Termination::Crash, "exit code 1".into(), no_file, Some("standard input")),
            (talks, Termination::Crash, "exit code 1".into(), own, None),
            (talks, Termination::BadFormat, "wrote a line".into(), "", Some("one move and an")),
            (asked, Termination::Crash, "exit code 1".into(), no_file, Some("agent() gets")),
            (asked, Termination::Stall, stall(), "", None),
        ] {
            let found = advice_on_talk(&Fault::new(termination, reason), stderr, &interface);
            let is_right = found.as_deref().zip(part).is_some_and(|(it, part)| it.contains(part));
            assert!(is_right || found.is_none() && part.is_none(), "{found:?}, not {part:?}");
        }
    }
}
