//! `league likeness`: the pairs of programs that share most text, as a hint for a human.
//!
//! Winnowing (Schleimer, Wilkerson, Aiken: "Winnowing: local algorithms for document
//! fingerprinting", SIGMOD 2003): a program is a sequence of tokens, in which all names are alike
//! and all numbers are alike; the fingerprints are the smallest hashes of runs of tokens in each
//! window. Text that many programs share, such as a starter, does not count.

use crate::config::Config;
use crate::files::{LeagueFiles, Stored};
use crate::place::LeaguePlace;
use anyhow::Result;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::io::Read;

/// Tokens of a run.
const RUN: usize = 16;
/// Runs of a window: a shared text of `RUN + WINDOW - 1` tokens is always found.
const WINDOW: usize = 8;
/// The part of the programs that may share a fingerprint before it counts as a common one, and the
/// least number of them.
const COMMON: (f64, usize) = (0.1, 4);
/// Fingerprints that a program needs so that something can be said about it.
const LEAST: usize = 10;
/// The largest source that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;
/// The most pairs that are listed.
const MOST_PAIRS: usize = 20;
/// Extensions of sources.
const SOURCES: [&str; 14] =
    ["c", "cc", "cpp", "cs", "cxx", "go", "h", "hpp", "java", "js", "kt", "pl", "py", "rs"];

/// Two programs and how much they share.
#[derive(Debug, PartialEq)]
pub(crate) struct Pair {
    pub players: [String; 2],
    /// The shared part of the smaller one's fingerprints, from 0 to 1.
    pub shared: f64,
    pub count: usize,
}

/// Returns the pairs of active programs that share most, the closest first.
pub(crate) async fn likeness(place: &LeaguePlace) -> Result<Vec<Pair>> {
    Config::read(&place.directory)?;
    let store = place.open().await?;
    let files = LeagueFiles::open(&place.directory)?;
    let mut programs = Vec::new();
    for row in store.ladder().await?.into_iter().filter(|row| row.kind != "baseline") {
        let archive = files.get(Stored::Program(row.submission)).await?;
        programs.push((row.name, fingerprints(&sources(&archive)?)));
    }
    let mut pairs = closest(&programs);
    pairs.truncate(MOST_PAIRS);
    Ok(pairs)
}

/// Returns the text of all sources of a program.
fn sources(archive: &[u8]) -> Result<String> {
    let mut text = String::new();
    for entry in tar::Archive::new(archive).entries()? {
        let entry = entry?;
        let path = entry.path()?.into_owned();
        let extension =
            path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if SOURCES.contains(&extension) {
            let mut bytes = Vec::new();
            entry.take(MOST_BYTES).read_to_end(&mut bytes)?;
            text += &String::from_utf8_lossy(&bytes);
            text.push('\n');
        }
    }
    Ok(text)
}

/// Returns the tokens of a source: names are `n`, numbers are `0`, everything else is a character.
/// Comments are tokens as well.
fn tokens(text: &str) -> Vec<char> {
    let mut tokens = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(first) = characters.next() {
        if first.is_whitespace() {
            continue;
        }
        let token = match first {
            _ if first.is_alphabetic() || first == '_' => 'n',
            _ if first.is_ascii_digit() => '0',
            _ => first,
        };
        if token == 'n' || token == '0' {
            while characters.next_if(|next| next.is_alphanumeric() || *next == '_').is_some() {}
        }
        tokens.push(token);
    }
    tokens
}

/// Returns the fingerprints of a source.
fn fingerprints(text: &str) -> HashSet<u64> {
    let tokens = tokens(text);
    let hash = |run: &[char]| {
        let digest = Sha256::digest(run.iter().collect::<String>());
        u64::from_le_bytes(digest[..8].try_into().expect("eight bytes"))
    };
    let hashes: Vec<u64> = tokens.windows(RUN).map(hash).collect();
    hashes.windows(WINDOW).filter_map(|window| window.iter().min().copied()).collect()
}

/// Returns the pairs of programs with common fingerprints, the closest first.
fn closest(programs: &[(String, HashSet<u64>)]) -> Vec<Pair> {
    let mut owners: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, (_, prints)) in programs.iter().enumerate() {
        prints.iter().for_each(|&print| owners.entry(print).or_default().push(index));
    }
    let most = ((programs.len() as f64 * COMMON.0) as usize).max(COMMON.1);
    let mut own = vec![0; programs.len()];
    let mut shared: HashMap<[usize; 2], usize> = HashMap::new();
    for owners in owners.values().filter(|owners| owners.len() < most) {
        for (at, &one) in owners.iter().enumerate() {
            own[one] += 1;
            owners[at + 1..].iter().for_each(|&other| {
                *shared.entry([one.min(other), one.max(other)]).or_default() += 1
            });
        }
    }
    let mut pairs: Vec<Pair> = shared
        .into_iter()
        .filter(|([one, other], _)| own[*one].min(own[*other]) >= LEAST)
        .map(|([one, other], count)| Pair {
            players: [programs[one].0.clone(), programs[other].0.clone()],
            shared: count as f64 / own[one].min(own[other]) as f64,
            count,
        })
        .collect();
    pairs.sort_by(|one, other| {
        other.shared.total_cmp(&one.shared).then_with(|| one.players.cmp(&other.players))
    });
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source of loops that depends on a number.
    fn source(seed: u32) -> String {
        let mut text = String::new();
        let mut state = seed.wrapping_mul(2_654_435_769);
        for _ in 0..200 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let operators = [
                "+", "-", "*", "/", "<", ">", "==", "%", "&", "|", "(", ")", "[", "]", ";", "{",
                "}",
            ];
            text +=
                &format!("name{state} {} ", operators[(state >> 16) as usize % operators.len()]);
        }
        text
    }

    #[test]
    fn a_copy_with_other_names_is_found_and_what_all_share_is_not() {
        let starter = source(1);
        let mut programs: Vec<(String, HashSet<u64>)> = (0..12)
            .map(|number| {
                (
                    format!("player {number}"),
                    fingerprints(&(starter.clone() + &source(100 + number))),
                )
            })
            .collect();
        let copy = (starter + &source(103)).replace("name", "other");
        programs.push(("copy".to_string(), fingerprints(&copy)));
        let pairs = closest(&programs);
        assert_eq!(pairs[0].players, ["player 3".to_string(), "copy".to_string()]);
        assert!(pairs[0].shared > 0.9, "{pairs:?}");
        assert!(pairs[1..].iter().all(|pair| pair.shared < 0.3), "{pairs:?}");
    }

    #[test]
    fn names_and_numbers_are_alike() {
        assert_eq!(tokens("int x1 = 42 + y_2; // z").iter().collect::<String>(), "nn=0+n;//n");
        assert!(fingerprints("x = 1").is_empty());
    }
}
