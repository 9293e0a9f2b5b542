//! Reads source texts: words without comments, interpreters, and classes of Java.

use crate::find::languages::Comments;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;

const MAX_BYTES: u64 = 1 << 20;

/// Reads the beginning of a file; one that cannot be read counts as empty.
pub(crate) fn read_beginning(path: &Path) -> String {
    let mut bytes = Vec::new();
    let _ = File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the words and the other characters of a text without comments. A quoted string is one
/// word.
pub(crate) fn words(text: &str, comments: Comments) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        let length = match first {
            _ if comments == Comments::C && rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            _ if comments == Comments::C && rest.starts_with("/*") => {
                rest = &rest[rest[2..].find("*/").map_or(rest.len(), |end| end + 4)..];
                continue;
            }
            '#' if comments == Comments::Hash => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            '"' => quoted_length(rest),
            _ if is_word(first) => rest.find(|character| !is_word(character)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        if !first.is_whitespace() {
            words.push(&rest[..length]);
        }
        rest = &rest[length..];
    }
    words
}

/// Returns the words that may be names of other sources: in a language whose files are named after
/// classes all words but texts, in others those of lines that import, since modules often have
/// names of variables.
pub(crate) fn mentioned(text: &str, comments: Comments, classes: bool) -> BTreeSet<OsString> {
    const IMPORTS: [&str; 6] = ["import", "execfile", "include", "require", "from", "mod "];
    let imports = |line: &&str| IMPORTS.iter().any(|word| line.contains(word));
    let naming: Vec<&str> = match classes {
        true => words(text, comments).into_iter().filter(|word| !word.starts_with('"')).collect(),
        false => text.lines().filter(imports).flat_map(|line| words(line, comments)).collect(),
    };
    let stem = |word: &str| Path::new(word.trim_matches('"')).file_stem().map(OsString::from);
    naming.into_iter().filter_map(stem).collect()
}

/// Splits a line, up to its comment, into what stands before a string and the string's contents,
/// empty where the string does not end on the line; the last piece has no string.
pub(crate) fn pieces<'t>(line: &'t str, comment: &str) -> Vec<(&'t str, Option<&'t str>)> {
    let (mut rest, mut pieces) = (line, Vec::new());
    loop {
        let code = rest.split(comment).next().unwrap_or_default();
        let Some(start) = code.find(['"', '\'']) else {
            pieces.push((code, None));
            return pieces;
        };
        let (quote, after) = rest[start..].split_at(1);
        let (inside, next) = after.split_once(quote).unwrap_or_default();
        pieces.push((&rest[..start], Some(inside)));
        rest = next;
    }
}

/// Returns the length of the string at the beginning; 1 if it does not end on the line.
fn quoted_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'\n' => return 1,
            b'"' if !escaped => return at + 1,
            _ => escaped = byte == b'\\' && !escaped,
        }
    }
    1
}

/// Returns whether a text has these words one after the other.
pub(crate) fn has(text: &[&str], wanted: &str) -> bool {
    let wanted = words(wanted, Comments::None);
    !wanted.is_empty() && text.windows(wanted.len()).any(|window| window == wanted)
}

/// Returns the interpreter of a script, such as `python2.7` for `#!/usr/bin/env python2.7 -u`.
pub(crate) fn shebang(text: &str) -> Option<&str> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_whitespace();
    let first = words.next()?.rsplit('/').next()?;
    if first == "env" {
        words.find(|word| !word.starts_with('-') && !word.contains('='))
    } else {
        Some(first)
    }
}

pub(crate) fn reads_arguments(text: &str) -> bool {
    let index = |name: &str| {
        text.match_indices(name).any(|(place, _)| !text[place + name.len()..].starts_with(']'))
    };
    index("argv[")
        || index("args[")
        || ["argparse", "optparse", "getopt"].iter().any(|word| text.contains(word))
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct JavaSource {
    /// The package, such as `a.b`; empty if there is none.
    pub package: String,
    pub public: Option<String>,
    pub main: Option<String>,
}

impl JavaSource {
    pub(crate) fn class(&self, path: &Path) -> String {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let class = self.main.as_ref().or(self.public.as_ref());
        let class = class.map_or(&*stem, String::as_str);
        if self.package.is_empty() {
            class.to_string()
        } else {
            format!("{}.{class}", self.package)
        }
    }

    pub(crate) fn read(text: &str) -> JavaSource {
        let words = words(text, Comments::C);
        let mut found = JavaSource::default();
        let (mut depth, mut last) = (0, None);
        for (at, &word) in words.iter().enumerate() {
            match word {
                "{" => depth += 1,
                "}" => depth -= 1,
                "package" if depth == 0 => {
                    let name = words[at + 1..].iter().take_while(|word| **word != ";");
                    // A package becomes a path: only letters, digits and underscores are allowed.
                    let package: String = name.copied().collect();
                    if package.split('.').all(is_name) {
                        found.package = package;
                    }
                }
                "class" | "interface" | "enum" | "record" if depth == 0 => {
                    let Some(name) = words.get(at + 1).filter(|name| is_name(name)) else {
                        continue;
                    };
                    let before = &words[at.saturating_sub(3)..at];
                    if before.contains(&"public") {
                        found.public = Some((*name).to_string());
                    }
                    last = Some((*name).to_string());
                }
                "main"
                    if words.get(at + 1) == Some(&"(")
                        && words[..at].last() == Some(&"void")
                        && depth == 1 =>
                {
                    found.main = last.clone();
                }
                _ => {}
            }
        }
        found
    }
}

fn is_name(word: &str) -> bool {
    const LONGEST: usize = 100;
    let is_letter = |character: char| character.is_alphanumeric() || character == '_';
    !word.is_empty() && word.len() <= LONGEST && word.chars().all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whatever_stands_between_them_and_not_in_comments() {
        let has = |text, comments, wanted| has(&words(text, comments), wanted);
        assert!(has("int\nmain  (void)", Comments::C, "main ("));
        assert!(!has("// int main()\n/* main() */ int domain();", Comments::C, "main ("));
        assert!(!has("puts(\"main()\");", Comments::C, "main ("));
        assert!(has("int main() /* unfinished", Comments::C, "main ("));
        assert!(has("if __name__=='__main__': # run", Comments::Hash, "__name__"));
        assert!(!has("# __name__", Comments::Hash, "__name__"));
        assert!(!has("", Comments::None, "x"));
        assert_eq!(words("a \"b \\\" c\" é\"", Comments::C), ["a", "\"b \\\" c\"", "é", "\""]);
    }

    #[test]
    fn the_interpreter_of_a_script_is_found() {
        assert_eq!(shebang("#!/usr/bin/env python2\nx"), Some("python2"));
        assert_eq!(shebang("#! /usr/bin/python2.7 -u"), Some("python2.7"));
        assert_eq!(shebang("#!/usr/bin/env -S A=1 python3 -u"), Some("python3"));
        assert_eq!(shebang("import x"), None);
        assert_eq!(shebang("#!"), None);
    }

    #[test]
    fn the_classes_of_a_java_source_are_found() {
        let read = |text| JavaSource::read(text);
        let source = "package edu.hw;\nimport java.util.*;\n// class Wrong\nclass Helper { void main(int x) {} }\n\
                      public final class Agent { class In {} public static void main(String[] a) {} }";
        let found = read(source);
        assert_eq!((found.package.as_str(), found.public.as_deref()), ("edu.hw", Some("Agent")));
        assert_eq!(found.main.as_deref(), Some("Agent"));
        assert_eq!(
            read("class homework { static void main(String... a) {} }").main.as_deref(),
            Some("homework")
        );
        assert_eq!(read("interface A {}"), JavaSource::default());
        assert_eq!(read("class"), JavaSource::default());
        for name in ["\"../../x\"", "/", "..", &"x".repeat(101)] {
            let source = format!("package {name};\npublic class {name} {{ void main() {{}} }}");
            assert_eq!(JavaSource::read(&source), JavaSource::default(), "{source}");
        }
    }
}
