//! Ridge regression by normal equations (Hoerl and Kennard 1970), with additional penalties on sums
//! of coefficients.

use crate::learn::model::Term;
use arena::cholesky::Cholesky;

/// The sums over observations that make up the normal equations.
pub(crate) struct NormalEquations {
    count: usize,
    /// The lower triangle of the products of features, row by row.
    products: Vec<f64>,
    targets: Vec<f64>,
}

impl NormalEquations {
    /// Returns empty normal equations for `count` coefficients.
    pub(crate) fn new(count: usize) -> NormalEquations {
        NormalEquations {
            count,
            products: vec![0.0; count * (count + 1) / 2],
            targets: vec![0.0; count],
        }
    }

    /// Adds an observation: its terms, each coefficient at most once and in ascending order, and
    /// the target of their sum.
    pub(crate) fn add(&mut self, terms: &[Term], target: f64) {
        for (index, &(row, factor)) in terms.iter().enumerate() {
            self.targets[row] += factor * target;
            let products = &mut self.products[row * (row + 1) / 2..][..=row];
            for &(column, other) in &terms[..=index] {
                products[column] += factor * other;
            }
        }
    }

    /// Solves the least-squares problem with a penalty of `ridge` on the square of each coefficient
    /// and a weighted penalty on the square of each tie's sum. `None` if the solution is not
    /// determined.
    pub(crate) fn solve(&self, ridge: f64, ties: &[(f64, Vec<Term>)]) -> Option<Vec<f64>> {
        let at = |row: usize, column: usize| row * (row + 1) / 2 + column;
        let mut matrix = self.products.clone();
        (0..self.count).for_each(|row| matrix[at(row, row)] += ridge);
        for (weight, terms) in ties {
            for &(row, factor) in terms {
                for &(column, other) in terms.iter().filter(|&&(column, _)| column <= row) {
                    matrix[at(row, column)] += weight * factor * other;
                }
            }
        }
        Some(Cholesky::new(matrix, self.count)?.solve(&self.targets))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_sums_are_found_again() {
        let mut sums = NormalEquations::new(3);
        for step in 0..20 {
            let (x, y) = (f64::from(step % 5), f64::from(step % 3));
            sums.add(&[(0, x), (1, y), (2, 1.0)], 2.0 * x - 3.0 * y + 0.5);
        }
        let found = sums.solve(1e-9, &[]).unwrap();
        for (found, expected) in found.iter().zip([2.0, -3.0, 0.5]) {
            assert!((found - expected).abs() < 1e-6, "{found} for {expected}");
        }
    }

    #[test]
    fn ties_pull_together_and_the_ridge_to_zero() {
        let mut sums = NormalEquations::new(2);
        sums.add(&[(0, 1.0)], 4.0);
        let tied = sums.solve(1e-9, &[(1e6, vec![(0, 1.0), (1, -1.0)])]).unwrap();
        assert!((tied[0] - 4.0).abs() < 1e-3 && (tied[1] - 4.0).abs() < 1e-3, "{tied:?}");
        let small = sums.solve(1.0, &[]).unwrap();
        assert!((small[0] - 2.0).abs() < 1e-9 && small[1].abs() < 1e-9, "{small:?}");
    }
}
