//! Linear equations whose matrix is symmetric and positive definite, by the Cholesky decomposition.

/// With less of a diagonal element left, the matrix is positive definite by rounding errors only.
const LEAST_PIVOT: f64 = 1e-13;

/// A lower triangle that gives a matrix with its transpose. Its functions are `inline`, and so are
/// optimised as the crate that uses them: in tests this crate is not.
#[derive(Clone, Debug)]
pub struct Cholesky {
    rows: Vec<f64>,
    count: usize,
}

impl Cholesky {
    /// Decomposes a matrix, given by its lower triangle of `count` rows; `None` if it is not
    /// positive definite.
    #[inline]
    pub fn new(lower_triangle: Vec<f64>, count: usize) -> Option<Cholesky> {
        assert_eq!(lower_triangle.len(), count * (count + 1) / 2);
        let mut rows = lower_triangle;
        for i in 0..count {
            let (above, row) = rows.split_at_mut(i * (i + 1) / 2);
            for j in 0..i {
                let other = &above[j * (j + 1) / 2..][..=j];
                row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
            }
            let pivot = row[i] - dot(&row[..i], &row[..i]);
            if pivot.is_nan() || pivot <= LEAST_PIVOT * row[i] {
                return None;
            }
            row[i] = pivot.sqrt();
        }
        Some(Cholesky { rows, count })
    }

    /// Solves the equations with this right side.
    #[inline]
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        assert_eq!(right.len(), self.count);
        let row = |i: usize| &self.rows[i * (i + 1) / 2..][..=i];
        let mut solution = right.to_vec();
        for i in 0..self.count {
            solution[i] = (solution[i] - dot(&row(i)[..i], &solution[..i])) / row(i)[i];
        }
        for i in (0..self.count).rev() {
            let value = solution[i] / row(i)[i];
            solution[i] = value;
            solution[..i]
                .iter_mut()
                .zip(row(i))
                .for_each(|(above, factor)| *above -= factor * value);
        }
        solution
    }

    /// Returns the diagonal of the inverse matrix.
    #[inline]
    pub fn inverse_diagonal(&self) -> Vec<f64> {
        let mut column = vec![0.0; self.count];
        let squares = |first: usize| {
            // A column of the inverse triangle, whose entries above `first` are 0.
            for i in first..self.count {
                let row = &self.rows[i * (i + 1) / 2..][..=i];
                let unit = if i == first { 1.0 } else { 0.0 };
                column[i] = (unit - dot(&row[first..i], &column[first..i])) / row[i];
            }
            dot(&column[first..], &column[first..])
        };
        (0..self.count).map(squares).collect()
    }
}

/// Four sums at a time: a single one would wait for each addition.
#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 4];
    for (a, b) in a.zip(b) {
        (0..4).for_each(|at| sums[at] += a[at] * b[at]);
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: &[f64], expected: &[f64]) {
        let near =
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-9);
        assert!(found.len() == expected.len() && near, "{found:?} for {expected:?}");
    }

    #[test]
    fn known_equations_are_solved() {
        // The textbook's matrix, with the factor 2 0 0, 6 1 0, -8 5 3.
        let lower = vec![4.0, 12.0, 37.0, -16.0, -43.0, 98.0];
        let factor = Cholesky::new(lower, 3).unwrap();
        close(&factor.rows, &[2.0, 6.0, 1.0, -8.0, 5.0, 3.0]);
        close(&factor.solve(&[-20.0, -43.0, 192.0]), &[1.0, 2.0, 3.0]);
        // The columns of the inverse of a Hilbert matrix.
        let hilbert =
            Cholesky::new(vec![1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0], 3)
                .unwrap();
        close(&hilbert.solve(&[1.0, 0.0, 0.0]), &[9.0, -36.0, 30.0]);
        close(&hilbert.solve(&[0.0, 0.0, 1.0]), &[30.0, -180.0, 180.0]);
        close(&hilbert.inverse_diagonal(), &[9.0, 192.0, 180.0]);
    }

    #[test]
    fn matrices_that_are_not_positive_definite_are_refused() {
        for lower in [
            vec![1.0, 1.0, 1.0],
            vec![1.0, 2.0, 1.0],
            vec![0.0, 0.0, 1.0],
            vec![f64::NAN, 0.0, 1.0],
        ] {
            assert!(Cholesky::new(lower.clone(), 2).is_none(), "{lower:?}");
        }
        assert!(Cholesky::new(Vec::new(), 0).unwrap().solve(&[]).is_empty());
    }
}
