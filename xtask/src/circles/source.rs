//! The names in a source file: its imports, the paths in its code, and the items that it defines.

use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// The segments of a path: `crate::a::B`.
pub(super) type SourcePath = Vec<String>;

/// An item of a `use` declaration.
pub(super) struct Import {
    /// The path of the item.
    pub(super) path: SourcePath,
    /// The name that the item has in this file.
    pub(super) name: String,
    /// `pub use`: the file hands the item on.
    pub(super) is_public: bool,
}

/// The names in the code of a file, without its test modules.
#[derive(Default)]
pub(super) struct Source {
    /// The items of all `use` declarations.
    pub(super) imports: Vec<Import>,
    /// All paths of two and more segments elsewhere in the code.
    pub(super) paths: Vec<SourcePath>,
    /// All words of the code outside of `use` declarations, without names of called macros.
    pub(super) words: BTreeSet<String>,
    /// The names of the items that the file defines.
    pub(super) defined: BTreeSet<String>,
}

const ITEM_KEYWORDS: [&str; 8] =
    ["fn", "struct", "enum", "trait", "type", "const", "static", "union"];

impl Source {
    /// Reads a file. Errors: the text is no Rust.
    pub(super) fn read(text: &str) -> Result<Source> {
        let tokens: TokenStream = text.parse().map_err(|error| anyhow!("{error}"))?;
        let mut source = Source::default();
        source.add(tokens, 0);
        Ok(source)
    }

    /// Adds a part of the code that stands in `depth` modules of this file.
    fn add(&mut self, tokens: TokenStream, depth: usize) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let word = |index: usize| tokens.get(index).and_then(ident);
        let sign = |index: usize, sign: char| is_sign(tokens.get(index), sign);
        let mut at = 0;
        while at < tokens.len() {
            if let Some(end) = test_module(&tokens, at) {
                at = end;
                continue;
            }
            let Some(first) = word(at) else {
                if let TokenTree::Group(group) = &tokens[at] {
                    self.add(group.stream(), depth);
                }
                at += 1;
                continue;
            };
            match (first.as_str(), word(at + 1)) {
                ("use", _) if !sign(at + 1, '<') => {
                    let end =
                        (at..tokens.len()).find(|&index| sign(index, ';')).unwrap_or(tokens.len());
                    let is_public = at > 0
                        && (word(at - 1).is_some_and(|word| word == "pub")
                            || is_restricted(&tokens[..at]));
                    let mut found = Vec::new();
                    read_use(&tokens[at + 1..end], &[], &mut found);
                    let imports = found.into_iter().map(|(path, name)| Import {
                        path: seen_from(path, depth),
                        name,
                        is_public,
                    });
                    self.imports.extend(imports);
                    at = end;
                    continue;
                }
                ("mod", Some(_)) if sign(at + 2, ';') => {
                    at += 3;
                    continue;
                }
                ("mod", Some(_)) => {
                    if let Some(TokenTree::Group(group)) = tokens.get(at + 2) {
                        self.add(group.stream(), depth + 1);
                    }
                    at += 3;
                    continue;
                }
                ("macro_rules", None) => self.defined.extend(word(at + 2)),
                (keyword, Some(name)) if ITEM_KEYWORDS.contains(&keyword) => {
                    self.defined.insert(name);
                }
                _ => {}
            }
            let mut path = vec![first];
            while sign(at + 1, ':') && sign(at + 2, ':') {
                let Some(next) = word(at + 3) else { break };
                path.push(next);
                at += 3;
            }
            let last = path.len() - 1;
            let named = if sign(at + 1, '!') { &path[..last] } else { &path[..] };
            self.words.extend(named.iter().cloned());
            if path.len() > 1 {
                self.paths.push(seen_from(path, depth));
            }
            at += 1;
        }
    }
}

fn ident(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

fn is_sign(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

/// Whether the tokens end with `pub(...)`.
fn is_restricted(before: &[TokenTree]) -> bool {
    match before {
        [.., public, TokenTree::Group(group)] => {
            group.delimiter() == Delimiter::Parenthesis
                && ident(public).is_some_and(|word| word == "pub")
        }
        _ => false,
    }
}

/// The end of the test module that begins at this token: `#[cfg(test)] mod tests { ... }`, also
/// with `all(test, ...)`.
fn test_module(tokens: &[TokenTree], at: usize) -> Option<usize> {
    let [hash, TokenTree::Group(attribute), module, _, TokenTree::Group(_), ..] = &tokens[at..]
    else {
        return None;
    };
    let condition: String = attribute.stream().to_string().split_whitespace().collect();
    let is_test = condition.starts_with("cfg(test") || condition.starts_with("cfg(all(test");
    (is_sign(Some(hash), '#') && is_test && ident(module).is_some_and(|word| word == "mod"))
        .then_some(at + 5)
}

/// Adds the items of a `use` tree, with the names that they get.
fn read_use(tree: &[TokenTree], before: &[String], found: &mut Vec<(SourcePath, String)>) {
    let mut path = before.to_vec();
    for (index, token) in tree.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                for part in
                    inner.split(|token| is_sign(Some(token), ',')).filter(|part| !part.is_empty())
                {
                    read_use(part, &path, found);
                }
                return;
            }
            TokenTree::Ident(word) if word == "as" => {
                found.push((path, tree.get(index + 1).and_then(ident).unwrap_or_default()));
                return;
            }
            TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
            TokenTree::Ident(word) => path.push(word.to_string()),
            _ if is_sign(Some(token), '*') => path.push("*".to_string()),
            _ => {}
        }
    }
    let name = path.last().cloned().unwrap_or_default();
    found.push((path, name));
}

/// A path in a module of the file, seen from the file itself: the module's parent is the file.
fn seen_from(mut path: SourcePath, depth: usize) -> SourcePath {
    let parents = path.iter().take_while(|word| *word == "super").count().min(depth);
    path[..parents].fill("self".to_string());
    path
}
