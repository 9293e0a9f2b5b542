//! Kendall's rank correlation.

/// Returns Kendall's tau between two rankings (Kendall 1938): the share of pairs in the same order, less that of the others.
pub(super) fn tau(pairs: &[(f64, f64)]) -> f64 {
    let mut sum = 0;
    for (at, one) in pairs.iter().enumerate() {
        for other in &pairs[..at] {
            let product = (one.0 - other.0) * (one.1 - other.1);
            sum += i64::from(product > 0.0) - i64::from(product < 0.0);
        }
    }
    let count = pairs.len() as f64;
    sum as f64 / (count * (count - 1.0) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::tau;

    #[test]
    fn orders_agree_or_not() {
        let order = |other: [f64; 4]| tau(&[1.0, 2.0, 3.0, 4.0].into_iter().zip(other).collect::<Vec<_>>());
        assert_eq!(order([1.0, 5.0, 6.0, 7.0]), 1.0);
        assert_eq!(order([4.0, 3.0, 2.0, 1.0]), -1.0);
        assert_eq!(order([2.0, 1.0, 3.0, 4.0]), 4.0 / 6.0);
    }
}
