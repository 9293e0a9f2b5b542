//! Programs that answer alike: a pair is told when it agrees far beyond what the class does, on the
//! same boards or on boards that a symmetry of the game turns.

use engine::Symmetry;
use std::collections::{BTreeMap, HashMap};

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
    /// What turns the boards of the second program, so that it is compared with the first.
    pub symmetry: Symmetry,
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

/// The positions of a comparison, and what turns them.
pub struct Boards<'a> {
    /// What turns the boards of the second program of each pair.
    pub symmetry: Symmetry,
    /// For each position the one on the turned board, if it is there.
    pub images: &'a [Option<usize>],
    /// For each position the number of what it is an image of.
    pub orbits: &'a [usize],
}

/// Returns how far each two programs agree, the most surprising pair first. `turned` has the answers
/// on the turned boards, as moves on the boards of `answers`. A pair is expected to agree as far as
/// both do with the others: the sum of the medians of each with all others, less the median of all,
/// in log-odds.
pub fn agreements(answers: &[Answers], turned: &[Answers], boards: &Boards) -> Vec<Agreement> {
    let counts = counts(answers);
    let mut pairs = Vec::new();
    let (mut squares, mut variances) = (0.0, 0.0);
    for (one, mine) in answers.iter().enumerate() {
        for (other, theirs) in turned.iter().enumerate().skip(one + 1) {
            let (mut common, mut same) = (0, Vec::new());
            // The positions of each orbit, and those with the same answer.
            let mut orbits: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
            for (position, &orbit) in boards.orbits.iter().enumerate() {
                let telling = |at: usize| counts.get(at)?.as_ref();
                let (Some(counts), Some(_), Some(Some(mine)), Some(Some(theirs))) = (
                    telling(position),
                    boards.images[position].and_then(telling),
                    mine.get(position),
                    theirs.get(position),
                ) else {
                    continue;
                };
                common += 1;
                if mine == theirs {
                    same.push((counts[mine.as_str()], position));
                }
                let [all, equal] = orbits.entry(orbit).or_default();
                *all += 1.0;
                *equal += f64::from(u8::from(mine == theirs));
            }
            if common >= LEAST_COMMON {
                let share = same.len() as f64 / common as f64;
                let orbits: Vec<_> = orbits.into_values().collect();
                let (of_orbits, of_positions) = cluster_squares(&orbits, share);
                squares += of_orbits;
                variances += of_positions;
                same.sort_unstable();
                let same = same.into_iter().map(|(_, position)| position).collect();
                let (programs, symmetry) = ([one, other], boards.symmetry);
                pairs.push(Agreement {
                    programs,
                    symmetry,
                    common,
                    same,
                    expected: 0.0,
                    error: 0.0,
                });
            }
        }
    }
    // The design effect of samples in clusters: images of one position are not independent.
    let effect = if variances > 0.0 { (squares / variances).max(1.0) } else { 1.0 };
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
        let variance = pair.common as f64 * share * (1.0 - share) / effect;
        pair.error = variance.sqrt().recip().max(spread);
    }
    pairs.sort_by(|one, other| other.errors().total_cmp(&one.errors()));
    pairs
}

/// The squares by which orbits, each with its positions and those with the same answer, differ from
/// a share of same answers; and what they would be if all positions were independent.
fn cluster_squares(orbits: &[[f64; 2]], share: f64) -> (f64, f64) {
    let square = |[all, equal]: &[f64; 2]| (equal - share * all).powi(2);
    let positions: f64 = orbits.iter().map(|[all, _]| all).sum();
    (orbits.iter().map(square).sum(), positions * share * (1.0 - share))
}

/// For each pair the comparison that says most: that of the same boards if it is told, or that by
/// the most errors. The most surprising pair comes first.
pub fn most_telling(comparisons: Vec<Vec<Agreement>>) -> Vec<Agreement> {
    let mut best: HashMap<[usize; 2], Agreement> = HashMap::new();
    let weight = |pair: &Agreement| {
        (pair.is_told() && pair.symmetry == Symmetry::None, pair.is_told(), pair.errors())
    };
    for pair in comparisons.into_iter().flatten() {
        match best.get(&pair.programs) {
            Some(known) if weight(known) >= weight(&pair) => {}
            _ => drop(best.insert(pair.programs, pair)),
        }
    }
    let mut best: Vec<Agreement> = best.into_values().collect();
    best.sort_by(|one, other| {
        other.errors().total_cmp(&one.errors()).then(one.programs.cmp(&other.programs))
    });
    best
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

    /// On the same boards, none of which is an image of another one.
    fn agreements(answers: &[Answers]) -> Vec<Agreement> {
        let all: Vec<usize> = (0..answers[0].len()).collect();
        let images: Vec<_> = all.iter().copied().map(Some).collect();
        let boards = Boards { symmetry: Symmetry::None, images: &images, orbits: &all };
        super::agreements(answers, answers, &boards)
    }

    fn told(answers: &[Answers]) -> Vec<[usize; 2]> {
        let pairs = agreements(answers);
        pairs.iter().filter(|pair| pair.is_told()).map(|pair| pair.programs).collect()
    }

    /// Answers on the mirrored boards, which are those beside, as moves on the boards themselves.
    fn mirrored(answers: &[Answers]) -> Vec<Answers> {
        let back = |mv: &String| (9 - mv.parse::<i32>().unwrap()).to_string();
        let of = |its: &Answers| {
            (0..its.len()).map(|position| its[position ^ 1].as_ref().map(back)).collect()
        };
        answers.iter().map(of).collect()
    }

    fn all_comparisons(answers: &[Answers]) -> Vec<Agreement> {
        let same: Vec<_> = (0..answers[0].len()).map(Some).collect();
        let images: Vec<_> = (0..same.len()).map(|position| Some(position ^ 1)).collect();
        let orbits: Vec<usize> = (0..same.len()).map(|position| position / 2).collect();
        let boards = |symmetry, images| Boards { symmetry, images, orbits: &orbits };
        let plain = super::agreements(answers, answers, &boards(Symmetry::None, &same));
        let turned = mirrored(answers);
        let mirror = super::agreements(answers, &turned, &boards(Symmetry::LeftRight, &images));
        most_telling(vec![plain, mirror])
    }

    #[test]
    fn a_copy_that_plays_on_the_mirrored_board_is_told_as_one_and_nobody_else() {
        let strengths: Vec<u64> = (0..20).map(|program| 3 * program).collect();
        let mut answers = class(&strengths, 150);
        let copy = mirrored(&answers[4..5]).remove(0);
        answers.push(copy);
        let pairs = all_comparisons(&answers);
        let alike: Vec<_> = pairs.iter().filter(|pair| pair.is_told()).collect();
        let found: Vec<_> = alike.iter().map(|pair| (pair.programs, pair.symmetry)).collect();
        assert_eq!(found, [([4, 20], Symmetry::LeftRight)]);
        assert_eq!(alike[0].same.len(), alike[0].common);
        assert!(told(&answers).is_empty(), "not on the same boards");
    }

    #[test]
    fn images_that_are_answered_alike_count_as_one_sample() {
        let effect = |orbits: &[[f64; 2]]| {
            let (squares, variance) = cluster_squares(orbits, 0.5);
            squares / variance
        };
        assert_eq!(effect(&[[1.0, 1.0], [1.0, 0.0]]), 1.0, "no images");
        assert_eq!(effect(&[[2.0, 2.0], [2.0, 0.0]]), 2.0, "two images of each, always alike");
        assert_eq!(effect(&[[2.0, 1.0], [2.0, 1.0]]), 0.0, "never alike");
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
            let (same, expected, symmetry) = ((0..same).collect(), -1.0, Symmetry::None);
            Agreement { programs: [0, 1], symmetry, common: 100, same, expected, error }
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
