//! Simultaneous perturbation stochastic approximation (Spall 1992, with the gains of Spall 1998): moves all parameters at
//! once, each up or down at random, and after a pair of games moves all of them a step towards the version that scored
//! more.

use anyhow::{Result, anyhow, bail};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The exponent by which the steps of the values shrink with the pairs played, as Spall recommends.
const ALPHA: f64 = 0.602;
/// The exponent by which the perturbations shrink with the pairs played, as Spall recommends.
const GAMMA: f64 = 0.101;
/// The stability constant, as a share of all pairs: it makes the first steps smaller.
const STABILITY: f64 = 0.1;

/// A parameter to tune.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Parameter {
    /// The engine's name for the parameter.
    pub name: String,
    /// The start value.
    pub start: f64,
    /// The least value.
    pub least: f64,
    /// The largest value.
    pub most: f64,
    /// How far the last pair moves the value up and down; the first pairs move it about twice as far.
    pub step: f64,
}

impl FromStr for Parameter {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Parameter> {
        let expected = || anyhow!("expected NAME=START,LEAST,MOST,STEP in whole numbers, found '{text}'");
        let (name, numbers) = text.split_once('=').ok_or_else(expected)?;
        let numbers: Vec<i32> = numbers.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| expected())?;
        let [start, least, most, step] = numbers[..] else { return Err(expected()) };
        if name.is_empty() || name.contains(|letter: char| letter.is_whitespace() || letter == ',') {
            return Err(expected());
        }
        if !(least <= start && start <= most) || step < 1 {
            bail!("{name}: expected LEAST <= START <= MOST and a STEP of at least 1, found '{text}'");
        }
        let [start, least, most, step] = [start, least, most, step].map(f64::from);
        Ok(Parameter { name: name.to_string(), start, least, most, step })
    }
}

/// The plan of a run. The same plan gives the same versions after the same results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SpsaPlan {
    /// The parameters to tune.
    pub parameters: Vec<Parameter>,
    /// The number of pairs of games, over which the steps shrink.
    pub pairs: u32,
    /// The step of a value after the last pair, in units of its `step`: two wins move it by twice this rate.
    pub rate: f64,
    /// The seed of the directions.
    pub seed: u64,
}

/// The two versions of the parameters for a pair of games.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpsaTrial {
    /// The two versions: the values moved one way, and the other way.
    pub versions: [Vec<i32>; 2],
    /// For each value, its change for each point that the first version scores more than the second.
    gains: Vec<f64>,
}

impl SpsaPlan {
    /// Returns the start values.
    pub(super) fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// Returns the versions for a pair, numbered from 0.
    pub(super) fn trial(&self, values: &[f64], pair: u32) -> SpsaTrial {
        let (done, all) = (f64::from(pair) + 1.0, f64::from(self.pairs));
        let hold = STABILITY * all;
        let mut random = engine::split_mix(self.seed ^ engine::split_mix(u64::from(pair)));
        let mut trial = SpsaTrial { versions: [Vec::new(), Vec::new()], gains: Vec::new() };
        for (parameter, &value) in self.parameters.iter().zip(values) {
            random = engine::split_mix(random);
            let direction = if random & 1 == 0 { 1.0 } else { -1.0 };
            let spread = parameter.step * (all / done).powf(GAMMA);
            let gain = self.rate * parameter.step.powi(2) * ((hold + all) / (hold + done)).powf(ALPHA) / spread;
            for (version, sign) in trial.versions.iter_mut().zip([1.0, -1.0]) {
                let moved = value + sign * direction * spread;
                version.push(moved.clamp(parameter.least, parameter.most).round() as i32);
            }
            trial.gains.push(gain * direction);
        }
        trial
    }

    /// Returns the values after a pair. `points` are those of the first version minus those of the second, from -2 to 2.
    pub(super) fn step(&self, values: &[f64], trial: &SpsaTrial, points: f64) -> Vec<f64> {
        let moved = values.iter().zip(&trial.gains).map(|(value, gain)| value + gain * points);
        moved.zip(&self.parameters).map(|(value, parameter)| value.clamp(parameter.least, parameter.most)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(pairs: u32) -> SpsaPlan {
        let parameters = ["a=10,0,100,8", "b=90,0,100,8"].map(|text| text.parse().unwrap());
        SpsaPlan { parameters: parameters.into(), pairs, rate: 0.1, seed: 1 }
    }

    #[test]
    fn values_find_the_strongest_version_through_noisy_results() {
        let plan = plan(4_000);
        // The strongest version is (60, 30); chance decides between versions of nearly equal strength.
        let strength =
            |version: &[i32]| -(f64::from(version[0] - 60).powi(2) + f64::from(version[1] - 30).powi(2)) / 400.0;
        let mut values = plan.start();
        let mut random = 7;
        for pair in 0..plan.pairs {
            let trial = plan.trial(&values, pair);
            random = engine::split_mix(random);
            let chance = (random >> 11) as f64 / (1_u64 << 53) as f64;
            let expected = 1.0 / (1.0 + (strength(&trial.versions[1]) - strength(&trial.versions[0])).exp());
            values = plan.step(&values, &trial, if chance < expected { 2.0 } else { -2.0 });
        }
        assert!((values[0] - 60.0).abs() < 8.0 && (values[1] - 30.0).abs() < 8.0, "{values:?}");
    }

    #[test]
    fn no_version_leaves_the_bounds() {
        let plan = plan(10);
        for pair in 0..10 {
            let trial = plan.trial(&[0.0, 100.0], pair);
            assert!(trial.versions.iter().flatten().all(|value| (0..=100).contains(value)));
            let stepped = plan.step(&[0.0, 100.0], &trial, 2.0);
            assert!(stepped.iter().all(|value| (0.0..=100.0).contains(value)));
        }
    }

    #[test]
    fn a_bad_parameter_is_refused_with_what_was_expected() {
        for text in ["a", "a=1,2", "a=1,2,3,4,5", "=1,0,2,1", "a=x,0,2,1", "a=5,0,2,1", "a=1,0,2,0"] {
            let error = text.parse::<Parameter>().unwrap_err().to_string();
            assert!(error.contains("expected"), "{text}: {error}");
        }
    }
}
