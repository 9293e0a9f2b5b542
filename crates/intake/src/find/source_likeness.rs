//! Programs whose texts are alike. Winnowing (Schleimer, Wilkerson, Aiken: "Winnowing: local
//! algorithms for document fingerprinting", SIGMOD 2003): a program is a sequence of tokens, in
//! which all names are alike and all numbers are alike; the fingerprints are the smallest hashes of
//! runs of tokens in each window. A fingerprint weighs by the square of its inverse document
//! frequency, as in the cosine of two vectors of tf-idf (Salton, Buckley 1988): what all programs
//! have, such as a starter, weighs nothing, and what a ring of copies has weighs much.

use crate::find::recode::source_text;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

const RUN: usize = 16;
/// A shared text of `RUN + WINDOW - 1` tokens is always found.
const WINDOW: usize = 8;
/// A smaller class is weighed like one of so many programs.
const SMALL_CLASS: usize = 12;
/// The weight that a program needs to be compared: that of so many fingerprints of its own.
const LEAST: f64 = 10.0;
const SOURCES: [&str; 14] =
    ["c", "cc", "cpp", "cs", "cxx", "go", "h", "hpp", "java", "js", "kt", "pl", "py", "rs"];

/// The sources of a program.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// The hashes of the bytes and of the tokens of each file.
    files: BTreeSet<(u64, u64)>,
    prints: HashSet<u64>,
}

/// Whether two texts are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sameness {
    /// They share some text.
    Part,
    /// Only names, blanks and comments differ.
    Tokens,
    /// They have the same bytes.
    Bytes,
}

/// Two programs and how much text they share.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The indices of the programs, the smaller one first.
    pub programs: [usize; 2],
    /// Whether the texts are the same.
    pub same: Sameness,
    /// The shared part of the weight of the smaller one's fingerprints, from 0 to 1.
    pub shared: f64,
    /// The number of shared fingerprints.
    pub count: usize,
}

impl Text {
    /// Adds a file, by its name, if it is a source.
    pub fn add(&mut self, path: &Path, bytes: &[u8]) {
        let Some(extension) = source_extension(path) else { return };
        let Tokens { tokens, numbers, .. } = tokens(&source_text(bytes), extension);
        if tokens.is_empty() {
            return;
        }
        self.files.insert((hash_of(bytes), hash_of(&(&tokens, numbers))));
        let hashes: Vec<u64> = tokens.windows(RUN).map(hash_of).collect();
        self.prints
            .extend(hashes.windows(WINDOW).filter_map(|window| window.iter().min().copied()));
    }

    /// Whether one of the files has these bytes.
    pub fn has_file(&self, bytes: &[u8]) -> bool {
        let hash = hash_of(bytes);
        self.files.iter().any(|&(known, _)| known == hash)
    }

    /// Whether there are sources with enough tokens to be compared with others.
    pub fn has_runs(&self) -> bool {
        !self.prints.is_empty()
    }

    /// The lines of a file, from 0, that belong to runs of tokens which the other text has, too.
    pub fn lines_shared(&self, other: &Text, path: &Path, source: &str) -> BTreeSet<usize> {
        let Some(extension) = source_extension(path) else { return BTreeSet::new() };
        let Tokens { tokens, lines, .. } = tokens(source, extension);
        let is_shared = |run: &[char]| {
            let hash = hash_of(run);
            self.prints.contains(&hash) && other.prints.contains(&hash)
        };
        let runs = tokens.windows(RUN).enumerate().filter(|(_, run)| is_shared(run));
        runs.flat_map(|(at, _)| lines[at..at + RUN].iter().copied()).collect()
    }

    fn tokens(&self) -> BTreeSet<u64> {
        self.files.iter().map(|&(_, tokens)| tokens).collect()
    }

    /// Takes out what is in another text, such as what a teacher has handed out.
    pub fn remove(&mut self, given: &Text) {
        let given_tokens = given.tokens();
        self.files.retain(|(_, tokens)| !given_tokens.contains(tokens));
        self.prints.retain(|print| !given.prints.contains(print));
    }
}

impl Pair {
    /// Says what the two have in common.
    pub fn how(&self) -> String {
        match self.same {
            Sameness::Bytes => "the same files".to_string(),
            Sameness::Tokens => "the same but for names, blanks and comments".to_string(),
            Sameness::Part => format!(
                "{:.0} % of what the smaller one has, weighed by how few have it ({} places)",
                100.0 * self.shared,
                self.count
            ),
        }
    }
}

fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the extension of a source; `None` for other files.
pub fn source_extension(path: &Path) -> Option<&str> {
    path.extension()?.to_str().filter(|known| SOURCES.contains(known))
}

#[derive(Default)]
struct Tokens {
    /// Names are `n`, numbers `0`, everything else a character. Comments are no tokens.
    tokens: Vec<char>,
    lines: Vec<usize>,
    numbers: Vec<String>,
}

fn tokens(text: &str, extension: &str) -> Tokens {
    let comments: &[(&str, &str)] = match extension {
        "py" => &[("#", "\n"), ("\"\"\"", "\"\"\""), ("'''", "'''")],
        "pl" => &[("#", "\n")],
        _ => &[("//", "\n"), ("/*", "*/")],
    };
    let (mut found, mut line) = (Tokens::default(), 0);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some((begin, end)) = comments.iter().find(|(begin, _)| rest.starts_with(begin)) {
            let after = &rest[begin.len()..];
            let length = after.find(end).map_or(after.len(), |at| at + end.len());
            line += after[..length].matches('\n').count();
            rest = &after[length..];
            continue;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let token = match first {
            _ if first.is_whitespace() => None,
            _ if first.is_ascii_digit() => Some('0'),
            _ if is_word(first) => Some('n'),
            _ => Some(first),
        };
        found.tokens.extend(token);
        found.lines.extend(token.map(|_| line));
        line += usize::from(first == '\n');
        if first.is_ascii_digit() {
            found.numbers.push(rest[..length].to_string());
        }
        rest = &rest[length..];
    }
    found
}

/// The programs that have each fingerprint.
fn owners(programs: &[&Text]) -> HashMap<u64, Vec<usize>> {
    let mut owners: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, text) in programs.iter().enumerate() {
        text.prints.iter().for_each(|&print| owners.entry(print).or_default().push(index));
    }
    owners
}

/// Counts the fingerprints of several programs, and those that most of the programs have.
pub fn common(programs: &[&Text]) -> (usize, usize) {
    let owners = owners(programs);
    let shared = owners.values().filter(|owners| owners.len() > 1);
    let most = owners.values().filter(|owners| owners.len() > (programs.len() / 2).max(1));
    (shared.count(), most.count())
}

/// Returns the pairs of programs with something in common, the closest first.
pub fn closest(programs: &[&Text]) -> Vec<Pair> {
    let all = programs.len().max(SMALL_CLASS) as f64;
    let mut own = vec![0.0; programs.len()];
    let mut shared: HashMap<[usize; 2], (f64, usize)> = HashMap::new();
    for owners in owners(programs).values() {
        let weight = ((all / owners.len() as f64).ln() / all.ln()).powi(2);
        for (at, &one) in owners.iter().enumerate() {
            own[one] += weight;
            for &other in &owners[at + 1..] {
                let (sum, count) = shared.entry([one, other]).or_default();
                (*sum, *count) = (*sum + weight, *count + 1);
            }
        }
    }
    let mut pairs = Vec::new();
    for (one, text) in programs.iter().enumerate() {
        for (other, with) in programs.iter().enumerate().skip(one + 1) {
            let same = match () {
                () if text.files.is_empty() => Sameness::Part,
                () if text.files == with.files => Sameness::Bytes,
                () if text.tokens() == with.tokens() => Sameness::Tokens,
                () => Sameness::Part,
            };
            let (weight, count) = shared.get(&[one, other]).copied().unwrap_or_default();
            let least = f64::min(own[one], own[other]);
            let part = if least < LEAST { 0.0 } else { weight / least };
            if same != Sameness::Part || part > 0.0 {
                pairs.push(Pair { programs: [one, other], same, shared: part, count });
            }
        }
    }
    pairs.sort_by(|one, other| other.same.cmp(&one.same).then(other.shared.total_cmp(&one.shared)));
    pairs
}

/// Several programs of which each is alike to another one.
#[derive(Debug, PartialEq)]
pub struct Ring {
    /// The indices of the programs, in increasing order.
    pub programs: Vec<usize>,
    /// The one that has most in common with the others.
    pub centre: usize,
}

/// Returns the rings of three programs or more that these pairs make, the largest first.
pub fn rings(pairs: &[&Pair]) -> Vec<Ring> {
    let mut rings: Vec<BTreeSet<usize>> = Vec::new();
    for pair in pairs {
        let mut joined = BTreeSet::from(pair.programs);
        rings.retain(|ring| {
            let is_apart = ring.is_disjoint(&BTreeSet::from(pair.programs));
            if !is_apart {
                joined.extend(ring);
            }
            is_apart
        });
        rings.push(joined);
    }
    rings.retain(|ring| ring.len() > 2);
    rings.sort_by_key(|ring| (usize::MAX - ring.len(), ring.first().copied()));
    let weight = |one: usize| -> f64 {
        let own = pairs.iter().filter(|pair| pair.programs.contains(&one));
        own.map(|pair| if pair.same == Sameness::Part { pair.shared } else { 1.0 }).sum()
    };
    let ring = |ring: BTreeSet<usize>| {
        let by_weight = |one: &usize, other: &usize| weight(*one).total_cmp(&weight(*other));
        // Of several the first one.
        let centre = ring.iter().rev().copied().max_by(by_weight).unwrap_or_default();
        Ring { programs: ring.into_iter().collect(), centre }
    };
    rings.into_iter().map(ring).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(seed: u32) -> String {
        let mut text = String::new();
        let mut state = seed.wrapping_mul(2_654_435_769);
        for _ in 0..200 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let operators = "+-*/<>=%&|()[];{}";
            let operator = operators.as_bytes()[(state >> 16) as usize % operators.len()] as char;
            text += &format!("name{state} {operator} ");
        }
        text
    }

    fn text(source: &str) -> Text {
        let mut text = Text::default();
        text.add(Path::new("homework.py"), source.as_bytes());
        text
    }

    #[test]
    fn a_copy_with_other_names_is_found_and_what_all_share_is_not() {
        let starter = source(1);
        let mut programs: Vec<Text> =
            (0..12).map(|number| text(&(starter.clone() + &source(100 + number)))).collect();
        programs.push(text(&(starter + &source(103) + "+ 1").replace("name", "other")));
        let pairs = closest(&programs.iter().collect::<Vec<_>>());
        assert_eq!((pairs[0].programs, pairs[0].same), ([3, 12], Sameness::Part));
        assert!(pairs[0].shared > 0.9, "{pairs:?}");
        assert!(pairs[1..].iter().all(|pair| pair.shared < 0.3), "{pairs:?}");
    }

    /// Words of a program of its own, of which the copies of a ring change a part.
    fn lines(seed: u32, count: u32) -> Vec<String> {
        (0..count).map(|line| source(seed * 1_000 + line)[..120].to_string() + "\n").collect()
    }

    /// A class of forty with the starter of all in each text; of four rings of these sizes each copy
    /// has a fifth of its lines of its own, and another order of its parts.
    #[test]
    fn rings_of_any_size_are_found_with_their_centre_and_nobody_else() {
        let starter = lines(1, 30).concat();
        for sizes in [[2, 3, 4, 8], [5, 6, 7, 2]] {
            let (mut programs, mut expected) = (Vec::new(), Vec::new());
            for (ring, &size) in sizes.iter().enumerate() {
                let base = lines(10 + ring as u32, 60);
                expected.push((programs.len()..programs.len() + size).collect::<Vec<_>>());
                for copy in 0..size as u32 {
                    let mut own = base.clone();
                    if copy > 0 {
                        let changed = lines(100 + ring as u32 * 10 + copy, 12);
                        let at = 6 * copy as usize;
                        own.splice(at..at + 12, changed);
                        own.rotate_left(20);
                    }
                    programs.push(text(&(starter.clone() + &own.concat())));
                }
            }
            let single = programs.len() as u32..40;
            programs.extend(
                single.map(|one| text(&(starter.clone() + &lines(300 + one, 60).concat()))),
            );
            let texts: Vec<&Text> = programs.iter().collect();
            let pairs = closest(&texts);
            let told: Vec<&Pair> = pairs.iter().filter(|pair| pair.shared >= 0.3).collect();
            let in_a_ring = |pair: &&Pair| {
                expected.iter().any(|ring| pair.programs.iter().all(|one| ring.contains(one)))
            };
            let wanted: usize = sizes.iter().map(|size| size * (size - 1) / 2).sum();
            let right = told.iter().filter(|pair| in_a_ring(pair)).count();
            assert_eq!((told.len(), right), (wanted, wanted), "{sizes:?}");
            let mut larger: Vec<_> = expected.into_iter().filter(|ring| ring.len() > 2).collect();
            larger.sort_by_key(|ring| usize::MAX - ring.len());
            let found = rings(&told);
            assert_eq!(found.iter().map(|ring| ring.programs.clone()).collect::<Vec<_>>(), larger);
            // Who has nothing changed stands in the middle.
            assert!(found.iter().all(|ring| ring.centre == ring.programs[0]), "{found:?}");
            let (shared, most) = common(&texts);
            assert!(0 < most && most < shared, "{most} of {shared}");
        }
    }

    #[test]
    fn a_starter_with_a_changed_comment_is_still_the_starter() {
        let given = text(&format!("# the starter\n{}", source(1)));
        let changed = |comment: &str| {
            let mut changed = text(&format!("# {comment}\n{}", source(1)));
            changed.remove(&given);
            changed
        };
        let [one, other] = ["of Ann", "of Ann"].map(changed);
        assert_eq!(closest(&[&one, &other]), []);
    }

    #[test]
    fn small_programs_are_the_same_by_their_bytes_or_by_their_tokens() {
        let programs = [
            "x = 1 # one\n",
            "x = 1 # one\n",
            "\n\"\"\"Words.\"\"\"\ncount=1",
            "x = 2\n",
            "",
            "# nothing\n",
        ];
        let programs = programs.map(text);
        let found = closest(&programs.iter().collect::<Vec<_>>());
        let found: Vec<_> = found.iter().map(|pair| (pair.programs, pair.same)).collect();
        let tokens = Sameness::Tokens;
        assert_eq!(found, [([0, 1], Sameness::Bytes), ([0, 2], tokens), ([1, 2], tokens)]);
    }

    #[test]
    fn what_was_handed_out_does_not_count() {
        let given = text(&source(1));
        let mut programs =
            [text(&(source(1) + &source(2))), text(&(source(1) + &source(3))), text(&source(1))];
        programs.iter_mut().for_each(|text| text.remove(&given));
        let pairs = closest(&programs.iter().collect::<Vec<_>>());
        assert!(pairs.iter().all(|pair| pair.shared < 0.2), "{pairs:?}");
    }

    #[test]
    fn shared_lines_are_those_of_both_whatever_stands_between() {
        let shared: Vec<String> = (0..12).map(|n| format!("v{n} = w[{n}] * ({n} - k)\n")).collect();
        let one = format!("# head\nimport this\n{}", shared.concat());
        let other = format!("# a\n\n# b\n{}print(x)\n", shared.concat().replace('v', "name"));
        let lines = text(&one).lines_shared(&text(&other), Path::new("a.py"), &one);
        assert_eq!(lines, (2..14).collect());
        let lines = text(&other).lines_shared(&text(&one), Path::new("a.py"), &other);
        assert_eq!(lines, (3..15).collect());
    }

    #[test]
    fn names_and_numbers_are_alike_and_comments_are_left_out() {
        let said = |text, extension| tokens(text, extension).tokens.iter().collect::<String>();
        assert_eq!(said("int x1 = 42 + y_2; // z\n/* a\nb */c", "c"), "nn=0+n;n");
        assert_eq!(said("x = 'a' # b\n'''\nc'''\ny", "py"), "n='n'n");
    }
}
