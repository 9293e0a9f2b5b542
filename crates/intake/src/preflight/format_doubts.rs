use engine::protocol::{BYTE_ORDER_MARK, quote};

/// Returns what a stricter grader might refuse in the output file of a legal move, and how to fix
/// it. `legal` are the correct output files.
pub fn format_doubts(output: &str, legal: &[String]) -> Vec<String> {
    let bare = output.strip_prefix(BYTE_ORDER_MARK);
    let text = bare.unwrap_or(output).replace('\r', "");
    let is_odd = |line: &str| {
        line.starts_with([' ', '\t']) || line.trim_end().contains("  ") || line.contains('\t')
    };
    let doubts = [
        (bare.is_some(), "begins with a byte-order mark: write output.txt as plain ASCII"),
        (
            output.contains('\r'),
            "lines end with CR LF: write LF alone (in Python: open('output.txt', 'w', newline='\\n'))",
        ),
        (
            !text.is_empty() && !text.ends_with('\n'),
            "no line end after the last line: write '\\n' at the end of output.txt",
        ),
        (
            text.ends_with("\n\n"),
            "blank lines at the end: one '\\n' is enough (Python's print adds one itself)",
        ),
        (
            text.lines().any(|line| line.ends_with([' ', '\t'])),
            "blanks at the end of a line: remove them (in Python: line.rstrip())",
        ),
        (
            text.lines().any(is_odd),
            "more than one blank, or a tab, between two words: write one blank",
        ),
    ];
    let raised = doubts.into_iter().filter(|(is_raised, _)| *is_raised);
    let mut found: Vec<String> = raised.map(|(_, doubt)| doubt.to_string()).collect();
    let expected =
        |symbol: char| symbol.is_whitespace() || legal.iter().any(|text| text.contains(symbol));
    if let Some(symbol) = text.chars().find(|&symbol| !expected(symbol)) {
        let symbol = quote(&symbol.to_string());
        found.push(format!("{symbol} is in no output file that the rules allow"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_bytes_raise_no_doubt_and_others_are_named() {
        let legal = ["E 1,2 1,3\n".to_string()];
        assert!(format_doubts("E 1,2 1,3\n", &legal).is_empty());
        for (output, words) in [
            ("E 1,2 1,3", "no line end"),
            ("E 1,2 1,3\r\n", "CR LF"),
            ("E 1,2 1,3\n\n", "blank lines at the end"),
            ("E 1,2 1,3 \n", "at the end of a line"),
            ("E 1,2  1,3\n", "more than one blank"),
            ("E\t1,2 1,3\n", "a tab"),
            ("\u{feff}E 1,2 1,3\n", "byte-order mark"),
            ("E +1,2 1,3\n", "'+' is in no output"),
        ] {
            let found = format_doubts(output, &legal);
            assert!(
                matches!(&found[..], [doubt] if doubt.contains(words)),
                "{output:?}: {found:?}"
            );
        }
    }
}
