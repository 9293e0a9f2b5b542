//! What to do about a fault, by what is said about it.

use arena::result::{Fault, Termination};

/// Words on the standard error of a crash, and what to do about them. The first that is there counts.
const CRASHES: &[(&str, &str)] = &[
    ("RecursionError", "the search calls itself without end: give it a depth, and stop it where the game is over"),
    ("StackOverflowError", "the search calls itself without end: give it a depth, and stop it where the game is over"),
    ("No module named", "graders have the standard library alone: do without that module, or hand it in with --dir"),
    ("Permission denied: 'input", "open input.txt for reading"),
    ("input.txt", "read 'input.txt' without a directory: it lies in the directory that the program is started in"),
    ("/output.txt", "open 'output.txt' without a directory: graders let a program write in its own directory alone"),
    (
        "can't open file",
        "the program's file is not found: give its path as seen from here, or its directory with --dir",
    ),
    ("Could not find or load main class", "give the directory of the classes: --cmd 'java -cp DIRECTORY Main'"),
    ("Unable to access jarfile", "the jar is not found: give its path as seen from here"),
    ("UnsupportedClassVersionError", "compile with --release 8 or the like: this Java is older than the compiler's"),
    ("SyntaxError", "the program does not even start: run it by hand, and mind that this is Python 3"),
    ("invalid literal for int()", "a number of the input is no whole number: read the seconds in line 3 with float()"),
    ("NumberFormatException", "read the seconds in line 3 with Double.parseDouble, and trim() each line"),
    ("could not convert string to float", "read line 3 alone as the seconds, and strip() it"),
    ("MemoryError", "it asks for more memory than graders give"),
    ("OutOfMemoryError", "it asks for more memory than graders give"),
    ("IndexError", "an index left the board: look at the line that the traceback names, and test squares before use"),
    ("ArrayIndexOutOfBounds", "an index left the board: look at the line that is named, and test squares before use"),
];

/// Words in the reason of a refused move or file, and what to do about them.
const REFUSALS: &[(&str, &str)] = &[
    (
        "addendum, rule 2",
        "while a piece is in your camp, look for moves out of it first, and allow only those if there are any",
    ),
    ("addendum, rule 1", "leave out moves that begin outside your camp and end inside it"),
    ("may not leave the opposing camp", "leave out moves that begin in the opposing camp and end outside it"),
    ("must be taken", "list the chains of both foxes, and keep only those that take the most geese"),
    ("geese never step down", "leave out steps of geese downwards"),
    ("sheep do not go back", "leave out steps of sheep back down the board"),
    ("no line joins", "diagonal lines are there only where x + y is even"),
    ("'s turn", "play the side that line 2 of input.txt names, each time anew"),
    ("no piece on", "move a piece that is there: read the board from this input.txt, and index it as rows[y][x]"),
    ("is occupied", "a move ends on an empty square: test it before you write the move"),
    (
        "two squares from",
        "a jump goes over one neighbour to the square right behind it; a longer way is a chain of lines",
    ),
    ("is not next to", "a step goes to one of the squares around: what goes further is a jump, J"),
    ("to jump over", "a jump needs a piece on the square between; without one there is only the step, E"),
    ("where it began", "leave out chains that end where they began"),
    ("a step stands alone", "one turn is one step, or one chain of jumps: write no line after a step"),
    ("the last one ended", "each jump begins where the one before ended: write the chain in order"),
    ("an empty file", "write the move before the program ends, and close the file"),
    ("is longer than", "one move is a few lines: open the file with 'w', not 'a', and write no log into it"),
    ("is not a file", "output.txt has to be a plain file"),
];

/// Parts of reasons that name the very rule that a move breaks: no slip in writing it has to be looked for.
const RULES: [&str; 4] = ["addendum", "may not leave", "must be taken", "where it began"];

/// Whether the reason of a refusal names the very rule that the move breaks.
pub(super) fn names_its_rule(reason: &str) -> bool {
    RULES.iter().any(|words| reason.contains(words))
}

/// What to do about a fault, if more can be said than the fault's own reason.
pub(super) fn advice(fault: &Fault, stderr: &str) -> Option<String> {
    let by_words = |table: &[(&str, &'static str)], text: &str| {
        table.iter().find(|(words, _)| text.contains(words)).map(|(_, mend)| (*mend).to_string())
    };
    match fault.termination {
        Termination::Crash => by_words(CRASHES, stderr).or_else(|| {
            let native = fault.reason.contains("segmentation fault").then_some(
                "an address outside the program's memory: an index off the board, or a search without end; \
                 compile with -g -fsanitize=address to see where",
            );
            Some(native.unwrap_or("the last lines below say where it stopped; run it by hand on that input.txt").to_string())
        }),
        Termination::Stall => {
            Some("it never ended: an endless loop, a wait for input, or a search that looks at no clock".to_string())
        }
        Termination::TimeForfeit => Some(
            "line 3 of input.txt is the CPU time in seconds: measure it (time.process_time() in Python, clock() in C), \
             stop the search well before, and keep a move ready"
                .to_string(),
        ),
        Termination::NoOutput => {
            Some("write the move into 'output.txt' in the directory that the program is started in".to_string())
        }
        Termination::DiskQuota => Some("it writes without end: write output.txt alone".to_string()),
        Termination::BadFormat | Termination::IllegalMove => by_words(REFUSALS, &fault.reason).or_else(|| {
            (fault.termination == Termination::BadFormat)
                .then(|| "leave only the move in output.txt, in the form that the rules show".to_string())
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_known_by_its_last_words() {
        let advice_on = |stderr| advice(&Fault::new(Termination::Crash, "exit code 1"), stderr).unwrap();
        assert!(advice_on("RecursionError: maximum recursion depth exceeded").contains("give it a depth"));
        assert!(advice_on("ModuleNotFoundError: No module named 'numpy'").contains("standard library"));
        assert!(advice_on("ValueError: invalid literal for int() with base 10: '2.5'").contains("float()"));
        assert!(advice_on("who knows").contains("run it by hand"));
    }
}
