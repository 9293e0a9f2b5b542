//! The line of standard error that gives the reason for a crash.

use crate::plain::shown;

const MOST_CHARACTERS: usize = 160;

pub(crate) fn crash_reason(stderr: &str) -> String {
    line_with_the_reason(stderr)
        .map_or(String::new(), |line| format!(", last words: {}", quoted(&line)))
}

/// Most languages print the reason last; Java, Node, Go and Rust print a stack trace after it, and
/// command lines a hint.
fn line_with_the_reason(stderr: &str) -> Option<String> {
    let lines: Vec<&str> =
        stderr.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).collect();
    // Java's innermost cause is the last one.
    let last = |start: &str| lines.iter().rposition(|line| line.trim_start().starts_with(start));
    let first = |start: &str| lines.iter().position(|line| line.starts_with(start));
    let at = |index: usize| Some(lines[index].trim().to_string());
    let after = |index: usize| lines.get(index + 1).map_or("", |line| line.trim());
    if let Some(index) = last("Caused by: ").or_else(|| last("Exception in thread ")) {
        return at(index);
    }
    let panicked = |line: &&str| line.starts_with("thread '") && line.contains(" panicked at ");
    if let Some(index) = lines.iter().rposition(panicked) {
        // The message is on the line after the location.
        let (_, place) = lines[index].split_once(" panicked at ")?;
        let message = Some(after(index)).filter(|line| !is_noise(line)).unwrap_or_default();
        return Some(format!("panicked at {}: {message}", place.trim_end_matches(':')));
    }
    if let Some(index) = last("terminate called after throwing") {
        let what = Some(after(index)).filter(|line| line.starts_with("what():"));
        return Some(format!("{} {}", lines[index].trim(), what.unwrap_or_default()).trim().into());
    }
    // A Python traceback ends with the reason, which may have several lines: the first unindented
    // one.
    if let Some(start) = last("Traceback (most recent call last)") {
        let mut unindented =
            lines[start + 1..].iter().filter(|line| !line.starts_with(char::is_whitespace));
        // After a gap the stream may go on in the middle of a line.
        let has_gap = lines[start..].iter().any(|line| is_gap(line));
        let reason =
            if has_gap { unindented.rfind(|line| !is_gap(line)) } else { unindented.next() };
        return reason.map(|line| line.to_string()).or_else(|| at(lines.len() - 1));
    }
    let starts = ["panic: ", "fatal error: ", "Unhandled exception", "error: ", "Error: "];
    if let Some(index) = starts.into_iter().find_map(first) {
        return at(index);
    }
    if lines.iter().any(|line| line.trim_start().starts_with("at ")) {
        // A Node error: a word that ends with "Error", before the stack trace.
        let is_error = |line: &&&str| {
            line.split([':', ' ']).next().is_some_and(|word| word.ends_with("Error"))
        };
        if let Some(line) = lines.iter().find(is_error) {
            return Some(line.to_string());
        }
    }
    let told = lines.iter().rev().find(|line| !is_noise(line)).or(lines.last())?;
    Some(told.trim().to_string())
}

fn is_gap(line: &str) -> bool {
    line.starts_with("[... ") && line.ends_with(" bytes ...]")
}

/// Stack frames, hints and versions, which follow a reason.
fn is_noise(line: &str) -> bool {
    const BEGINNINGS: [&str; 12] = [
        "at ",
        "from ",
        "...",
        "... ",
        "note: ",
        "For more information",
        "Usage: ",
        "Node.js v",
        "goroutine ",
        "stack backtrace",
        "Aborted",
        "Segmentation fault",
    ];
    let words = line.trim_start();
    is_gap(line)
        || BEGINNINGS.iter().any(|beginning| words.starts_with(beginning))
        || !words.is_empty() && words.chars().all(|symbol| "^~ {}".contains(symbol))
}

fn quoted(line: &str) -> String {
    let short: String = line.chars().take(MOST_CHARACTERS).collect();
    let more = if line.chars().nth(MOST_CHARACTERS).is_some() { "..." } else { "" };
    format!("'{}{more}'", shown(&short).replace('\'', "\\'"))
}

/// The first and last `most` bytes of a stream, with a note of how many are left out, here or by
/// the supervisor.
pub fn shortened(stream: String, most: usize) -> String {
    if stream.len() <= most {
        return stream;
    }
    let (head, gap, tail) = parted(&stream).unwrap_or_else(|| {
        let middle = stream.floor_char_boundary(stream.len() / 2);
        (&stream[..middle], 0, &stream[middle..])
    });
    let kept = &head[..head.floor_char_boundary(most / 2)];
    let end = &tail[tail.ceil_char_boundary(tail.len().saturating_sub(most - most / 2))..];
    let left_out = gap + (head.len() - kept.len() + tail.len() - end.len()) as u64;
    if left_out == 0 { stream } else { format!("{kept}\n[... {left_out} bytes ...]\n{end}") }
}

/// The parts of a stream before and after the supervisor's note of left-out bytes, and their
/// number.
fn parted(stream: &str) -> Option<(&str, u64, &str)> {
    let (head, rest) = stream.split_once("\n[... ")?;
    let (count, tail) = rest.split_once(" bytes ...]\n")?;
    Some((head, count.parse().ok()?, tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_found_wherever_a_language_says_it() {
        for (stderr, reason) in [
            ("it was the cat\n", "it was the cat"),
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 1\n\nDuring handling of \
                 another exception:\n\nTraceback (most recent call last):\n  File \"a.py\", line 2, in g\nValueError: \
                 two\nlines of it\n",
                "ValueError: two",
            ),
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 2, in f\n    g()\n[... 123688 bytes ...]\nn g\n    \
                 f()\nRecursionError: too deep\n",
                "RecursionError: too deep",
            ),
            (
                "  File \"a.py\", line 1\n    def f(\n         ^\nSyntaxError: '(' was never closed\n",
                "SyntaxError: \\'(\\' was never closed",
            ),
            (
                "Exception in thread \"main\" java.lang.Error: no\n\tat A.play(A.java:12)\n\tat A.main(A.java:3)\n",
                "Exception in thread \"main\" java.lang.Error: no",
            ),
            (
                "Exception in thread \"main\" java.lang.Error\nCaused by: java.lang.Exception: no board\n\tat \
                 A.<clinit>(A.java:3)\n\t... 1 more\n",
                "Caused by: java.lang.Exception: no board",
            ),
            (
                "/x/a.js:3\n  board.map(f)\n        ^\n\nTypeError: board is undefined\n    at Object.<anonymous> \
                 (/x/a.js:3:9)\n    at node:internal/main:28:49\n\nNode.js v20.19.2\n",
                "TypeError: board is undefined",
            ),
            (
                "thread 'main' (77) panicked at src/main.rs:4:10:\nno board\nnote: run with `RUST_BACKTRACE=1`\n",
                "panicked at src/main.rs:4:10: no board",
            ),
            (
                "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector\n",
                "terminate called after throwing an instance of \\'std::out_of_range\\' what():  vector",
            ),
            (
                "error: unexpected argument found\n\nUsage: halma [OPTIONS]\n\nFor more information, try '--help'.\n",
                "error: unexpected argument found",
            ),
            ("panic: out of range\n\ngoroutine 1 [running]:\nmain.main()\n", "panic: out of range"),
            (
                "a.rb:3:in `f': no board (RuntimeError)\n\tfrom a.rb:9:in `<main>'\n",
                "a.rb:3:in `f\\': no board (RuntimeError)",
            ),
            ("\tat nowhere\n", "at nowhere"),
            ("\u{1b}[31mred\n", "\\u{1b}[31mred"),
        ] {
            assert_eq!(crash_reason(stderr), format!(", last words: '{reason}'"), "{stderr}");
        }
        assert_eq!(crash_reason("\n  \n"), "");
        for (stream, short) in [
            ("0123456789", "01\n[... 6 bytes ...]\n89"),
            ("0123", "0123"),
            ("012\n[... 90 bytes ...]\n678", "01\n[... 92 bytes ...]\n78"),
            ("0\n[... 90 bytes ...]\n1", "0\n[... 90 bytes ...]\n1"),
        ] {
            assert_eq!(shortened(stream.to_string(), 4), short);
        }
        let long = "x".repeat(500);
        assert_eq!(crash_reason(&long), format!(", last words: '{}...'", "x".repeat(160)));
    }
}
