//! Whether the bytes of an output file are what graders expect, where the judge is more patient.

use engine::protocol::{BYTE_ORDER_MARK, quote};

/// What a strict grader might refuse about the output file of a legal move, and how to mend it. `legal` are the output
/// files of all legal moves as they should be.
pub(super) fn doubts(output: &str, legal: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let text = output.strip_prefix(BYTE_ORDER_MARK).unwrap_or(output);
    if text.len() < output.len() {
        found.push("begins with a byte-order mark: write output.txt as plain ASCII".to_string());
    }
    if text.contains('\r') {
        found.push(
            "lines end with CR LF: write LF alone (in Python: open('output.txt', 'w', newline='\\n'))".to_string(),
        );
    }
    let text = text.replace('\r', "");
    if !text.is_empty() && !text.ends_with('\n') {
        found.push("no line end after the last line: write '\\n' at the end of output.txt".to_string());
    }
    if text.ends_with("\n\n") {
        found.push("blank lines at the end: one '\\n' is enough (print adds one of its own)".to_string());
    }
    if text.lines().any(|line| line.ends_with([' ', '\t'])) {
        found.push("blanks at the end of a line: take them away (in Python: line.rstrip())".to_string());
    }
    if text.lines().any(|line| line.starts_with([' ', '\t']) || line.trim_end().contains("  ") || line.contains('\t')) {
        found.push("more than one blank, or a tab, between the parts: write one blank".to_string());
    }
    let expected = |symbol: char| symbol.is_whitespace() || legal.iter().any(|text| text.contains(symbol));
    if let Some(symbol) = text.chars().find(|&symbol| !expected(symbol)) {
        found.push(format!("{} is in no output file as the rules have it", quote(&symbol.to_string())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_the_rules_are_beyond_doubt_and_others_are_named() {
        let legal = ["E 1,2 1,3\n".to_string()];
        assert!(doubts("E 1,2 1,3\n", &legal).is_empty());
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
            let found = doubts(output, &legal);
            assert!(matches!(&found[..], [doubt] if doubt.contains(words)), "{output:?}: {found:?}");
        }
    }
}
