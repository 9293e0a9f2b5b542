//! Elo from results. A match of two is rated by its pairs of games (pentanomial, as fastchess does it); a tournament by
//! maximum likelihood, with errors that take the games of a pair as one observation.

use crate::cholesky::Cholesky;
use std::f64::consts::LN_10;

/// Half the width of a 95 % interval, in standard errors.
const Z_95: f64 = 1.959_963_984_540_054;

/// The normalized Elo of one unit of "score above one half, in standard deviations of a game".
const NORMALIZED: f64 = 800.0 / LN_10;

/// Counts of results, from worst to best: loss, draw, win for games; 0, 1/2, 1, 3/2, 2 points for pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts<const N: usize>(pub [f64; N]);

/// The results of pairs.
pub type Pairs = Counts<5>;
/// The results of single games.
pub type Games = Counts<3>;

/// Figures of a match. Elo differences are infinite for one-sided results. If all results are alike they have no
/// spread, and the figures that depend on it are NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Elo difference by the logistic model.
    pub elo: f64,
    /// Half the 95 % interval.
    pub elo_error: f64,
    /// Normalized Elo: the score above one half in standard deviations of a game.
    pub normalized: f64,
    /// Half its 95 % interval.
    pub normalized_error: f64,
    /// Likelihood of superiority, from 0 to 1.
    pub superiority: f64,
}

impl<const N: usize> Counts<N> {
    /// The number of results.
    pub fn total(&self) -> f64 {
        self.0.iter().sum()
    }

    /// Games in one observation: 1 or 2.
    fn games(&self) -> f64 {
        if N == 5 { 2.0 } else { 1.0 }
    }

    /// The score of a result, from 0 to 1.
    fn value(index: usize) -> f64 {
        index as f64 / (N - 1) as f64
    }

    /// Mean score, from 0 to 1, and the variance of one observation.
    pub fn mean_and_variance(&self) -> (f64, f64) {
        let total = self.total();
        let mean = (0..N).map(|index| self.0[index] * Self::value(index)).sum::<f64>() / total;
        let variance = (0..N).map(|index| self.0[index] * (Self::value(index) - mean).powi(2)).sum::<f64>() / total;
        (mean, variance)
    }

    /// All figures; `None` without results.
    pub fn estimate(&self) -> Option<Estimate> {
        let total = self.total();
        if total <= 0.0 {
            return None;
        }
        let (mean, variance) = self.mean_and_variance();
        let deviation = (variance / total).sqrt();
        let margin = Z_95 * deviation;
        let above_half = mean - 0.5;
        let spread = (variance * self.games()).sqrt();
        let known = |figure: f64| if variance > 1e-12 { figure } else { f64::NAN };
        Some(Estimate {
            elo: elo_of_score(mean),
            elo_error: known((elo_of_score(mean + margin) - elo_of_score(mean - margin)) / 2.0),
            normalized: if above_half == 0.0 { 0.0 } else { known(above_half / spread * NORMALIZED) },
            normalized_error: Z_95 * NORMALIZED / (total * self.games()).sqrt(),
            superiority: if above_half == 0.0 { 0.5 } else { known(normal(above_half / deviation)) },
        })
    }
}

/// The Elo difference for an expected score.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// The expected score for an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The distribution function of the standard normal.
fn normal(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

/// The sequential probability ratio test of two hypotheses about a match (Wald), in normalized Elo (Van den Bergh,
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
pub enum Verdict {
    /// Neither hypothesis is accepted yet.
    Open,
    /// H0 is accepted: the difference is `elo0` or less.
    H0,
    /// H1 is accepted: the difference is `elo1` or more.
    H1,
}

impl Sprt {
    /// Reads `elo0=0 elo1=10 alpha=0.05 beta=0.05 model=normalized`; alpha, beta and model may be missing.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> anyhow::Result<Sprt> {
        let (mut elo0, mut elo1, mut alpha, mut beta, mut logistic) = (None, None, 0.05, 0.05, false);
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let number = || match value.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(number),
                _ => Err(anyhow::anyhow!("--sprt: {key}: expected a number, found '{value}'")),
            };
            match key {
                "elo0" => elo0 = Some(number()?),
                "elo1" => elo1 = Some(number()?),
                "alpha" => alpha = number()?,
                "beta" => beta = number()?,
                "model" if value == "normalized" || value == "logistic" => logistic = value == "logistic",
                "model" => anyhow::bail!("--sprt: model: expected normalized or logistic, found '{value}'"),
                _ => anyhow::bail!("--sprt: no such key '{key}'; there are elo0, elo1, alpha, beta, model"),
            }
        }
        match (elo0, elo1) {
            (Some(elo0), Some(elo1)) if elo0 < elo1 && alpha > 0.0 && beta > 0.0 && alpha < 0.5 && beta < 0.5 => {
                Ok(Sprt { elo0, elo1, alpha, beta, logistic })
            }
            _ => anyhow::bail!("--sprt: expected elo0=A elo1=B with A below B, alpha and beta between 0 and 0.5"),
        }
    }

    /// The bounds of the log-likelihood ratio: H0 at or below the first, H1 at or above the second.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0.
    pub fn ratio<const N: usize>(&self, counts: &Counts<N>) -> f64 {
        // A result with zero observations would exclude every hypothesis under which it is possible.
        let counts = Counts(counts.0.map(|count| if count == 0.0 { 1e-3 } else { count }));
        let total = counts.total();
        let seen = counts.0.map(|count| count / total);
        let values: [f64; N] = std::array::from_fn(Counts::<N>::value);
        let fit = |elo: f64| {
            if self.logistic {
                let score = score_of_elo(elo);
                most_likely(&seen, &values.map(|value| value - score))
            } else {
                most_likely_at(&seen, &values, elo / NORMALIZED * counts.games().sqrt())
            }
        };
        let (fit0, fit1) = (fit(self.elo0), fit(self.elo1));
        total * (0..N).map(|index| seen[index] * (fit1[index] / fit0[index]).ln()).sum::<f64>()
    }

    /// The state of the test at a log-likelihood ratio.
    pub fn verdict(&self, ratio: f64) -> Verdict {
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            Verdict::H1
        } else if ratio <= lower {
            Verdict::H0
        } else {
            Verdict::Open
        }
    }
}

/// The distribution closest to the one seen under which `values` have the mean 0 (empirical likelihood: the weights are
/// `seen / (1 + x value)`, with the one `x` that makes the mean 0).
fn most_likely<const N: usize>(seen: &[f64; N], values: &[f64; N]) -> [f64; N] {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return *seen;
    }
    let mean = |x: f64| (0..N).map(|index| seen[index] * values[index] / (1.0 + x * values[index])).sum::<f64>();
    // Between these bounds all weights are positive, and the mean falls from plus to minus infinity.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if mean(middle) > 0.0 { low = middle } else { high = middle }
    }
    let x = (low + high) / 2.0;
    std::array::from_fn(|index| seen[index] / (1.0 + x * values[index]))
}

/// Like [`most_likely`], with the mean `t` standard deviations above one half: solves the condition linearized around
/// the last solution, until the solution no longer changes.
fn most_likely_at<const N: usize>(seen: &[f64; N], values: &[f64; N], t: f64) -> [f64; N] {
    let mut fit = [1.0 / N as f64; N];
    for _ in 0..100 {
        let mean: f64 = (0..N).map(|index| fit[index] * values[index]).sum();
        let deviation = (0..N).map(|index| fit[index] * (values[index] - mean).powi(2)).sum::<f64>().sqrt();
        let linear =
            values.map(|value| value - 0.5 - t * deviation * (1.0 + ((mean - value) / deviation).powi(2)) / 2.0);
        let next = most_likely(seen, &linear);
        let change = (0..N).map(|index| (next[index] - fit[index]).abs()).fold(0.0, f64::max);
        fit = next;
        if change < 1e-12 {
            break;
        }
    }
    fit
}

/// The result of a cluster of games between two players, usually a pair: `score` points of the first in `games`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cluster {
    /// The indices of the players.
    pub players: [usize; 2],
    /// Points of the first: 1 for a win, 1/2 for a draw.
    pub score: f64,
    /// The number of games in the cluster.
    pub games: f64,
}

/// A player's rating, relative to the mean of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo.
    pub elo: f64,
    /// Half the 95 % interval; NaN where results are too few or too one-sided.
    pub error: f64,
}

/// Maximum-likelihood ratings (Bradley and Terry; a draw is half a win) with mean 0, and whether they need an
/// assumption: where some players won everything, each player is given one draw against an average player.
pub fn ratings(players: usize, clusters: &[Cluster]) -> (Vec<Rating>, bool) {
    let mut won = vec![vec![0.0; players]; players];
    for cluster in clusters {
        let [one, other] = cluster.players;
        won[one][other] += cluster.score;
        won[other][one] += cluster.games - cluster.score;
    }
    let assumed = !connected(&won);
    let prior = if assumed { 1.0 } else { 0.0 };
    let mut strength = vec![1.0f64; players];
    for _ in 0..20_000 {
        let mut change = 0.0f64;
        for player in 0..players {
            let mut points = prior / 2.0;
            let mut weight = prior / (strength[player] + 1.0);
            for other in (0..players).filter(|&other| other != player) {
                points += won[player][other];
                weight += (won[player][other] + won[other][player]) / (strength[player] + strength[other]);
            }
            if weight > 0.0 {
                let next = points / weight;
                change = change.max((next / strength[player]).ln().abs());
                strength[player] = next;
            }
        }
        let mean = (strength.iter().map(|value| value.ln()).sum::<f64>() / players as f64).exp();
        strength.iter_mut().for_each(|value| *value /= mean);
        if change < 1e-12 {
            break;
        }
    }
    let scale = 400.0 / LN_10;
    let errors = errors(&strength, clusters, prior);
    let one_sided = |player: usize| {
        let lost: f64 = (0..players).map(|other| won[other][player]).sum();
        won[player].iter().sum::<f64>() == 0.0 || lost == 0.0
    };
    let rating = |player: usize| Rating {
        elo: strength[player].ln() * scale,
        error: if one_sided(player) || errors[player] < 1e-9 { f64::NAN } else { errors[player] * scale },
    };
    ((0..players).map(rating).collect(), assumed)
}

/// Whether the graph of points taken is strongly connected: each player has a path of points to each other.
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

/// Half 95 % intervals in natural units, by the sandwich estimator: the inverse information around the variance of the
/// clusters' results.
fn errors(strength: &[f64], clusters: &[Cluster], prior: f64) -> Vec<f64> {
    let count = strength.len();
    // The mean is fixed at 0: adding a constant to every entry makes the information invertible and changes nothing
    // else. Of the symmetric matrix only the lower triangle is kept.
    let at = |row: usize, column: usize| row * (row + 1) / 2 + column;
    let mut information = vec![1.0; count * (count + 1) / 2];
    for cluster in clusters {
        let [one, other] = cluster.players;
        let weight = cluster.games * expected(strength, cluster) * (1.0 - expected(strength, cluster));
        information[at(one, one)] += weight;
        information[at(other, other)] += weight;
        information[at(one.max(other), one.min(other))] -= weight;
    }
    for player in 0..count {
        information[at(player, player)] += prior * strength[player] / (strength[player] + 1.0).powi(2);
    }
    let Some(information) = Cholesky::new(information, count) else { return vec![f64::NAN; count] };
    let error = |player: usize| {
        let unit: Vec<f64> = (0..count).map(|other| f64::from(u8::from(other == player))).collect();
        let influence = information.solve(&unit);
        let variance = clusters.iter().map(|cluster| {
            let [one, other] = cluster.players;
            let surprise = cluster.score - cluster.games * expected(strength, cluster);
            (surprise * (influence[one] - influence[other])).powi(2)
        });
        Z_95 * variance.sum::<f64>().sqrt()
    };
    (0..count).map(error).collect()
}

/// The expected score of a cluster's first player in a game.
fn expected(strength: &[f64], cluster: &Cluster) -> f64 {
    let [one, other] = cluster.players.map(|player| strength[player]);
    one / (one + other)
}

#[cfg(test)]
mod tests;
