//! Elo from results. A match of two is rated by its pairs of games (pentanomial, as fastchess does
//! it); tournaments and leagues by one fit of all strengths to all games, whose errors take the
//! games of a pair as one observation.

use crate::cholesky::Cholesky;
use crate::plain::{key_and_value, number};
use anyhow::{Result, bail};
use std::f64::consts::{LN_10, SQRT_2};

/// Half of a 95 % interval, in standard errors.
const Z_95: f64 = 1.959_963_984_540_054;

/// Normalized Elo of a score one standard deviation of a game above one half.
const NORMALIZED: f64 = 800.0 / LN_10;

/// Counts of pairs of games with 0, 1/2, 1, 3/2 and 2 points.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs(pub [f64; 5]);

/// The scores of pairs, from 0 to 1.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

fn weighted(weights: &[f64; 5], value: impl Fn(f64) -> f64) -> f64 {
    weights.iter().zip(SCORES).map(|(weight, score)| weight * value(score)).sum()
}

/// Figures of a match, infinite for one-sided results. Without a spread of results, what depends on
/// it is NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Elo difference by the logistic model.
    pub elo: f64,
    /// Half the 95 % interval.
    pub elo_error: f64,
    /// The score above one half in standard deviations of a game.
    pub normalized: f64,
    /// Half its 95 % interval.
    pub normalized_error: f64,
    /// Likelihood of superiority, from 0 to 1.
    pub superiority: f64,
}

impl Pairs {
    /// The number of pairs.
    pub fn total(&self) -> f64 {
        self.0.iter().sum()
    }

    /// All figures; `None` without pairs.
    pub fn estimate(&self) -> Option<Estimate> {
        let total = self.total();
        if total <= 0.0 {
            return None;
        }
        let mean = weighted(&self.0, |score| score) / total;
        let variance = weighted(&self.0, |score| (score - mean).powi(2)) / total;
        let deviation = (variance / total).sqrt();
        let (margin, above_half) = (Z_95 * deviation, mean - 0.5);
        let known = |figure: f64| if variance > 1e-12 { figure } else { f64::NAN };
        let [normalized, superiority] = if above_half == 0.0 {
            [0.0, 0.5]
        } else {
            let in_games = above_half / (2.0 * variance).sqrt();
            [in_games * NORMALIZED, normal(above_half / deviation)].map(known)
        };
        Some(Estimate {
            elo: elo_of_score(mean),
            elo_error: known((elo_of_score(mean + margin) - elo_of_score(mean - margin)) / 2.0),
            normalized,
            normalized_error: Z_95 * NORMALIZED / (2.0 * total).sqrt(),
            superiority,
        })
    }
}

fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

fn normal(x: f64) -> f64 {
    libm::erfc(-x / SQRT_2) / 2.0
}

/// Wald's sequential probability ratio test about a match, in normalized Elo (Van den Bergh,
/// "Comments on normalized Elo") or logistic Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference in Elo under the hypothesis H0.
    pub elo0: f64,
    /// The difference in Elo under the hypothesis H1.
    pub elo1: f64,
    /// The probability of accepting H1 although H0 is true.
    pub alpha: f64,
    /// The probability of accepting H0 although H1 is true.
    pub beta: f64,
    /// Logistic instead of normalized Elo.
    pub logistic: bool,
}

/// The state of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtVerdict {
    /// Neither hypothesis is accepted yet.
    Open,
    /// H0 is accepted: the difference is `elo0` or less.
    H0,
    /// H1 is accepted: the difference is `elo1` or more.
    H1,
}

impl Sprt {
    /// Reads `elo0=0 elo1=10 alpha=0.05 beta=0.05 model=normalized`; the last three have defaults.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Sprt> {
        let (mut elo0, mut elo1, mut alpha, mut beta, mut logistic) =
            (None, None, 0.05, 0.05, false);
        for word in words {
            let (key, value) = key_and_value("--sprt", word)?;
            let number = || number::<f64>("--sprt", key, value);
            match key {
                "elo0" => elo0 = Some(number()?),
                "elo1" => elo1 = Some(number()?),
                "alpha" => alpha = number()?,
                "beta" => beta = number()?,
                "model" if value == "normalized" || value == "logistic" => {
                    logistic = value == "logistic"
                }
                "model" => {
                    bail!("--sprt: model: expected normalized or logistic, found '{value}'")
                }
                _ => bail!("--sprt: no such key '{key}'; there are elo0, elo1, alpha, beta, model"),
            }
        }
        let are_small = [alpha, beta].iter().all(|&chance| chance > 0.0 && chance < 0.5);
        match (elo0, elo1) {
            (Some(elo0), Some(elo1))
                if elo1 - elo0 > 0.0 && (elo1 - elo0).is_finite() && are_small =>
            {
                Ok(Sprt { elo0, elo1, alpha, beta, logistic })
            }
            _ => bail!(
                "--sprt: expected elo0=A elo1=B with A below B, alpha and beta between 0 and 0.5"
            ),
        }
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0.
    pub fn ratio(&self, pairs: &Pairs) -> f64 {
        // A result that never occurred would exclude every hypothesis under which it is possible.
        let pairs = Pairs(pairs.0.map(|count| if count == 0.0 { 1e-3 } else { count }));
        let total = pairs.total();
        let seen = pairs.0.map(|count| count / total);
        let [fit0, fit1] = [self.elo0, self.elo1].map(|elo| {
            if self.logistic {
                most_likely(&seen, &SCORES.map(|score| score - score_of_elo(elo)))
            } else {
                most_likely_at(&seen, elo / NORMALIZED * SQRT_2)
            }
        });
        total * (0..5).map(|index| seen[index] * (fit1[index] / fit0[index]).ln()).sum::<f64>()
    }

    /// The state of the test at a log-likelihood ratio.
    pub fn verdict(&self, ratio: f64) -> SprtVerdict {
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            SprtVerdict::H1
        } else if ratio <= lower {
            SprtVerdict::H0
        } else {
            SprtVerdict::Open
        }
    }
}

/// The distribution closest to the one seen under which `values` have the mean 0 (empirical
/// likelihood: the weights are `seen / (1 + x value)`).
fn most_likely(seen: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return *seen;
    }
    let mean = |x: f64| {
        let parts = seen.iter().zip(values).map(|(seen, value)| seen * value / (1.0 + x * value));
        parts.sum::<f64>()
    };
    // Between these bounds all weights are positive, and the mean falls from plus to minus
    // infinity.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if mean(middle) > 0.0 { low = middle } else { high = middle }
    }
    let x = (low + high) / 2.0;
    std::array::from_fn(|index| seen[index] / (1.0 + x * values[index]))
}

/// Like [`most_likely`], with the mean `t` standard deviations above one half, by repeated
/// linearization.
fn most_likely_at(seen: &[f64; 5], t: f64) -> [f64; 5] {
    let mut fit = [0.2; 5];
    for _ in 0..100 {
        let mean = weighted(&fit, |score| score);
        let deviation = weighted(&fit, |score| (score - mean).powi(2)).sqrt();
        let linear = SCORES.map(|score| {
            score - 0.5 - t * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0
        });
        let next = most_likely(seen, &linear);
        let change = next.iter().zip(fit).map(|(next, fit)| (next - fit).abs()).fold(0.0, f64::max);
        fit = next;
        if change < 1e-12 {
            break;
        }
    }
    fit
}

/// Games between two players that count as one observation, such as a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cluster {
    /// The indices of the players.
    pub players: [usize; 2],
    /// Points of the first: 1 for a win, 1/2 for a draw.
    pub score: f64,
    /// The number of games in the cluster.
    pub games: f64,
}

/// What is known of each player before its first game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prior {
    /// Draws against a player of strength 0.
    pub draws: f64,
    /// The inverse variance of a normal distribution of strengths around 0.
    pub certainty: f64,
}

/// Points of Elo for one natural unit of strength, a factor of e in the odds.
pub const ELO: f64 = 400.0 / LN_10;

/// The longest step in [`fit`]. If no difference changes by more than 1, each step raises the
/// likelihood (Bach 2010, "Self-concordant analysis for logistic regression").
const LONGEST_STEP: f64 = 0.5;
const LAST_STEP: f64 = 1e-10;
/// The most steps of Newton's method, and of conjugate gradients for each.
const STEPS: (u32, u32) = (10_000, 300);

/// The most likely strengths in natural units (Zermelo 1929; Bradley and Terry 1952; a draw is half
/// a win), unique up to a shift, by Newton's method. Conjugate gradients solve its equations, so
/// that the time grows with the clusters and not with the square of the players.
pub fn fit(mut strengths: Vec<f64>, clusters: &[Cluster], prior: Prior) -> Vec<f64> {
    for _ in 0..STEPS.0 {
        let step = Slopes::at(&strengths, clusters, prior).newton_step(clusters);
        let longest = step.iter().fold(0.0f64, |longest, change| longest.max(change.abs()));
        let factor = if longest > LONGEST_STEP { LONGEST_STEP / longest } else { 1.0 };
        strengths.iter_mut().zip(&step).for_each(|(strength, change)| *strength += factor * change);
        if longest < LAST_STEP {
            break;
        }
    }
    strengths
}

/// The variance of each strength around the mean of all, given a normal prior: the diagonal of the
/// inverse information.
pub fn variances(strengths: &[f64], clusters: &[Cluster], prior: Prior) -> Vec<f64> {
    let count = strengths.len();
    let Some(information) = factored(strengths, clusters, prior) else {
        return vec![f64::NAN; count];
    };
    // What is left of a shift of all strengths, see `factored`.
    let shift = 1.0 / (count as f64 * (prior.certainty + count as f64));
    information.inverse_diagonal().into_iter().map(|variance| (variance - shift).max(0.0)).collect()
}

/// Derivatives of the log-likelihood by the strengths.
struct Slopes {
    slopes: Vec<f64>,
    information: Vec<f64>,
    /// What each cluster tells of the difference of its players.
    weights: Vec<f64>,
}

impl Slopes {
    fn at(strengths: &[f64], clusters: &[Cluster], prior: Prior) -> Slopes {
        let (mut slopes, mut information) = (Vec::new(), Vec::new());
        for &strength in strengths {
            let even = logistic(strength);
            slopes.push(prior.draws * (0.5 - even) - prior.certainty * strength);
            information.push(prior.draws * even * (1.0 - even) + prior.certainty);
        }
        let mut weights = Vec::new();
        for cluster in clusters {
            let ([one, other], expected) = (cluster.players, expected(strengths, cluster));
            let surprise = cluster.score - cluster.games * expected;
            let weight = cluster.games * expected * (1.0 - expected);
            slopes[one] += surprise;
            slopes[other] -= surprise;
            information[one] += weight;
            information[other] += weight;
            weights.push(weight);
        }
        Slopes { slopes, information, weights }
    }

    /// Solves `information * step = slopes` by conjugate gradients with the diagonal as
    /// preconditioner. A solution cut short still raises the likelihood.
    fn newton_step(&self, clusters: &[Cluster]) -> Vec<f64> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let scaled = |residual: &[f64]| -> Vec<f64> {
            let parts = residual.iter().zip(&self.information);
            parts.map(|(part, known)| if *known > 0.0 { part / known } else { 0.0 }).collect()
        };
        let mut step = vec![0.0; self.slopes.len()];
        let mut residual = self.slopes.clone();
        let mut direction = scaled(&residual);
        let mut size = dot(&residual, &direction);
        let least = 1e-20 * size;
        for _ in 0..STEPS.1 {
            if size <= least {
                break;
            }
            let mut image: Vec<f64> =
                direction.iter().zip(&self.information).map(|(a, b)| a * b).collect();
            for (cluster, weight) in clusters.iter().zip(&self.weights) {
                let [one, other] = cluster.players;
                image[one] -= weight * direction[other];
                image[other] -= weight * direction[one];
            }
            let length = size / dot(&direction, &image);
            if !length.is_finite() {
                break;
            }
            for at in 0..step.len() {
                step[at] += length * direction[at];
                residual[at] -= length * image[at];
            }
            let next = scaled(&residual);
            let after = dot(&residual, &next);
            direction
                .iter_mut()
                .zip(&next)
                .for_each(|(part, next)| *part = next + after / size * *part);
            size = after;
        }
        step
    }
}

/// A player's rating, relative to the mean of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo.
    pub elo: f64,
    /// Half the 95 % interval; NaN where results are too few or too one-sided.
    pub error: f64,
}

/// The ratings of a tournament by [`fit`], with mean 0, and whether they need an assumption: one
/// draw of each player with an average one, where some players won everything.
pub fn ratings(players: usize, clusters: &[Cluster]) -> (Vec<Rating>, bool) {
    let mut won = vec![vec![0.0; players]; players];
    for cluster in clusters {
        let [one, other] = cluster.players;
        won[one][other] += cluster.score;
        won[other][one] += cluster.games - cluster.score;
    }
    let assumed = !connected(&won);
    let prior = Prior { draws: if assumed { 1.0 } else { 0.0 }, certainty: 0.0 };
    let strengths = fit(vec![0.0; players], clusters, prior);
    let mean = strengths.iter().sum::<f64>() / players as f64;
    let errors = errors(&strengths, clusters, prior);
    let one_sided = |player: usize| {
        let lost: f64 = (0..players).map(|other| won[other][player]).sum();
        won[player].iter().sum::<f64>() == 0.0 || lost == 0.0
    };
    let rating = |player: usize| Rating {
        elo: (strengths[player] - mean) * ELO,
        error: if one_sided(player) || errors[player] < 1e-9 {
            f64::NAN
        } else {
            errors[player] * ELO
        },
    };
    ((0..players).map(rating).collect(), assumed)
}

/// Whether each player has a path of points to each other.
fn connected(won: &[Vec<f64>]) -> bool {
    let reach = |forward: bool| {
        let mut seen = vec![false; won.len()];
        let mut waiting = vec![0];
        while let Some(player) = waiting.pop() {
            if !std::mem::replace(&mut seen[player], true) {
                waiting.extend((0..won.len()).filter(|&other| {
                    let points = if forward { won[player][other] } else { won[other][player] };
                    points > 0.0 && !seen[other]
                }));
            }
        }
        seen.into_iter().all(|seen| seen)
    };
    won.is_empty() || reach(true) && reach(false)
}

/// The information in a form that can be inverted: 1 in every entry fixes the mean of all, and
/// changes nothing else.
fn factored(strengths: &[f64], clusters: &[Cluster], prior: Prior) -> Option<Cholesky> {
    let count = strengths.len();
    let at = |row: usize, column: usize| row * (row + 1) / 2 + column;
    let mut matrix = vec![1.0; count * (count + 1) / 2];
    let slopes = Slopes::at(strengths, clusters, prior);
    for (player, information) in slopes.information.iter().enumerate() {
        matrix[at(player, player)] += information;
    }
    for (cluster, weight) in clusters.iter().zip(&slopes.weights) {
        let [one, other] = cluster.players;
        matrix[at(one.max(other), one.min(other))] -= weight;
    }
    Cholesky::new(matrix, count)
}

fn errors(strengths: &[f64], clusters: &[Cluster], prior: Prior) -> Vec<f64> {
    let count = strengths.len();
    let Some(information) = factored(strengths, clusters, prior) else {
        return vec![f64::NAN; count];
    };
    let error = |player: usize| {
        let unit: Vec<f64> = (0..count).map(|other| f64::from(u8::from(other == player))).collect();
        let influence = information.solve(&unit);
        let variance = clusters.iter().map(|cluster| {
            let [one, other] = cluster.players;
            let surprise = cluster.score - cluster.games * expected(strengths, cluster);
            (surprise * (influence[one] - influence[other])).powi(2)
        });
        Z_95 * variance.sum::<f64>().sqrt()
    };
    (0..count).map(error).collect()
}

fn expected(strengths: &[f64], cluster: &Cluster) -> f64 {
    let [one, other] = cluster.players.map(|player| strengths[player]);
    logistic(one - other)
}

/// The chance of a win for a difference in strength.
pub fn logistic(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

#[cfg(test)]
mod tests;
