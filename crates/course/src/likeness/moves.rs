//! Programs that answer alike: a pair is told when it agrees far beyond what the class does.

use std::collections::HashMap;

/// A program's move in each position; `None` where it left no legal one, or another one again.
pub type Answers = Vec<Option<String>>;

/// The part of the answers that may be equal in a position that tells something.
const MOST_EQUAL: f64 = 0.5;
/// That a position needs.
const LEAST_ANSWERS: usize = 3;
/// That a pair needs.
pub(super) const LEAST_COMMON: usize = 20;
/// The least part of equal answers of a pair that is told, and the least number of errors by which
/// it agrees more than expected.
const TOLD: (f64, f64) = (0.5, 5.5);
/// The standard deviation of a normal distribution with a median absolute deviation of 1.
const NORMAL: f64 = 1.4826;

/// How far two programs agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// The indices of the programs, the smaller one first.
    pub programs: [usize; 2],
    /// The positions that tell something, in which both have an answer.
    pub common: usize,
    /// The positions in which both have the same answer, the rarest answer first.
    pub same: Vec<usize>,
    /// The log-odds of the same answer, as far as each agrees with the others.
    pub expected: f64,
    /// The standard error of these log-odds: that of the sample, or of the class if it is larger.
    pub error: f64,
}

impl Agreement {
    /// The part of the common positions with the same answer.
    pub fn share(&self) -> f64 {
        self.same.len() as f64 / self.common.max(1) as f64
    }

    /// The log-odds of the same answer.
    fn log_odds(&self) -> f64 {
        let same = self.same.len() as f64;
        ((same + 0.5) / (self.common as f64 - same + 0.5)).ln()
    }

    /// The share that is expected, less an error, as it is, and more an error.
    pub fn expected_shares(&self) -> [f64; 3] {
        [-self.error, 0.0, self.error].map(|error| share_of(self.expected + error))
    }

    /// By how many errors the two agree more than expected.
    pub fn errors(&self) -> f64 {
        (self.log_odds() - self.expected) / self.error
    }

    /// Whether the pair is worth a teacher's look.
    pub fn is_told(&self) -> bool {
        self.share() >= TOLD.0 && self.errors() >= TOLD.1
    }
}

fn share_of(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// How often each answer was given in a position; `None` where few have one, or most the same.
pub fn counts(answers: &[Answers]) -> Vec<Option<HashMap<&str, usize>>> {
    let positions = answers.iter().map(Vec::len).max().unwrap_or_default();
    let count = |position: usize| {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for answer in answers.iter().filter_map(|answers| answers.get(position)?.as_deref()) {
            *counts.entry(answer).or_default() += 1;
        }
        let (all, most) = (counts.values().sum::<usize>(), counts.values().max().copied()?);
        (all >= LEAST_ANSWERS && most as f64 <= MOST_EQUAL * all as f64).then_some(counts)
    };
    (0..positions).map(count).collect()
}

/// Returns how far each two programs agree, the most surprising pair first. A pair is expected to
/// agree as far as both do with the others: the sum of the medians of each with all others, less
/// the median of all, in log-odds.
pub fn agreements(answers: &[Answers]) -> Vec<Agreement> {
    let counts = counts(answers);
    let mut pairs = Vec::new();
    for (one, mine) in answers.iter().enumerate() {
        for (other, theirs) in answers.iter().enumerate().skip(one + 1) {
            let (mut common, mut same) = (0, Vec::new());
            for (position, counts) in counts.iter().enumerate() {
                let (Some(counts), Some(Some(mine)), Some(Some(theirs))) =
                    (counts, mine.get(position), theirs.get(position))
                else {
                    continue;
                };
                common += 1;
                if mine == theirs {
                    same.push((counts[mine.as_str()], position));
                }
            }
            if common >= LEAST_COMMON {
                same.sort_unstable();
                let same = same.into_iter().map(|(_, position)| position).collect();
                let programs = [one, other];
                pairs.push(Agreement { programs, common, same, expected: 0.0, error: 0.0 });
            }
        }
    }
    let all = median(pairs.iter().map(Agreement::log_odds));
    let with = |program: usize| {
        let its = pairs.iter().filter(|pair| pair.programs.contains(&program));
        median(its.map(Agreement::log_odds))
    };
    let usual: Vec<f64> = (0..answers.len()).map(with).collect();
    for pair in &mut pairs {
        let [one, other] = pair.programs.map(|program| usual[program]);
        pair.expected = one + other - all;
    }
    let spread = NORMAL * median(pairs.iter().map(|pair| (pair.log_odds() - pair.expected).abs()));
    for pair in &mut pairs {
        let share = share_of(pair.expected);
        pair.error = (pair.common as f64 * share * (1.0 - share)).sqrt().recip().max(spread);
    }
    pairs.sort_by(|one, other| other.errors().total_cmp(&one.errors()));
    pairs
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    let (low, high) = (numbers.len().saturating_sub(1) / 2, numbers.len() / 2);
    match numbers.get(low).zip(numbers.get(high)) {
        Some((low, high)) => (low + high) / 2.0,
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::random::{Purpose, derived};

    /// In each position one of ten moves, of which a program takes the best with its own
    /// probability, in per cent.
    fn class(strengths: &[u64], positions: u64) -> Vec<Answers> {
        let answer = |program: usize, strength: u64, position: u64| {
            let number = derived(program as u64, Purpose::Question, position);
            if number % 100 < strength { 0 } else { number / 100 % 10 }
        };
        let answers = |(program, &strength): (usize, &u64)| {
            (0..positions)
                .map(|position| Some(answer(program, strength, position).to_string()))
                .collect()
        };
        strengths.iter().enumerate().map(answers).collect()
    }

    fn told(answers: &[Answers]) -> Vec<[usize; 2]> {
        let pairs = agreements(answers);
        pairs.iter().filter(|pair| pair.is_told()).map(|pair| pair.programs).collect()
    }

    #[test]
    fn nobody_is_told_in_a_class_of_weak_and_strong_programs() {
        let strengths: Vec<u64> = (0..40).map(|program| 2 * program % 70).collect();
        let answers = class(&strengths, 200);
        assert!(told(&answers).is_empty(), "{:?}", &agreements(&answers)[..3]);
    }

    #[test]
    fn a_program_that_nearly_always_answers_as_another_is_told() {
        let strengths: Vec<u64> = (0..20).map(|program| 3 * program).collect();
        let mut answers = class(&strengths, 150);
        let mut alike = answers[4].clone();
        for position in (0..150).step_by(7) {
            alike[position] = Some("x".to_string());
        }
        answers.push(alike);
        assert_eq!(told(&answers), [[4, 20]]);
        let pair = &agreements(&answers)[0];
        assert!(pair.common > 100 && pair.same.len() < pair.common, "{pair:?}");
        assert!(pair.share() > 0.8 && pair.expected_shares()[1] < 0.4, "{pair:?}");
    }

    #[test]
    fn the_errors_of_a_pair_are_those_of_its_log_odds() {
        let pair = |same: usize, error| {
            let (same, expected) = ((0..same).collect(), -1.0);
            Agreement { programs: [0, 1], common: 100, same, expected, error }
        };
        // (ln(98.5 / 2.5) + 1) / 0.8, and 1 / (1 + e) with an error of 0.8 to both sides.
        assert!((pair(98, 0.8).errors() - 5.842).abs() < 0.001);
        let shares = pair(98, 0.8).expected_shares().map(|share| (1000.0 * share).round());
        assert_eq!(shares, [142.0, 269.0, 450.0]);
        assert!(pair(98, 0.8).is_told() && pair(60, 0.25).is_told());
        assert!(!pair(97, 0.81).is_told() && !pair(100, 1.2).is_told());
        assert!(!pair(49, 0.1).is_told(), "less than half");
    }

    #[test]
    fn positions_that_most_answer_alike_and_programs_with_few_answers_tell_nothing() {
        let mut answers = class(&[100, 100, 100, 10, 10], 100);
        assert!(counts(&answers).iter().all(Option::is_none), "most play the best move");
        assert!(agreements(&answers).is_empty());
        answers = class(&[0; 6], 100);
        answers[5].truncate(LEAST_COMMON - 1);
        assert!(agreements(&answers).iter().all(|pair| pair.programs[1] != 5));
    }
}
