//! The arguments of the default validator, which compares words.

use crate::right::{Compared, Unit};
use anyhow::{Context, Result, bail};
use arena::plain;
use std::path::Path;

/// What these arguments ask for. Errors name the case.
pub(super) fn compared(arguments: &[String], input: &Path) -> Result<Compared> {
    let within = || format!("{}: the arguments of the default validator", input.display());
    let mut compared = Compared { ignores_case: true, ..Compared::TOKENS };
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let mut number = || {
            let number = words.next().and_then(|word| word.parse::<f64>().ok());
            let number = number.filter(|number| number.is_finite() && *number >= 0.0);
            number.with_context(|| format!("{word}: expected a number")).with_context(within)
        };
        match word {
            "case_sensitive" => compared.ignores_case = false,
            "space_change_sensitive" => compared.counts_blanks = true,
            "float_absolute_tolerance" => compared.absolute = number()?,
            "float_relative_tolerance" => compared.relative = number()?,
            "float_tolerance" => {
                compared.absolute = number()?;
                compared.relative = compared.absolute;
            }
            _ => bail!("{}: '{}' is unknown", within(), plain::shown(word)),
        }
        if word.starts_with("float_") {
            compared.by = Unit::Numbers;
        }
    }
    Ok(compared)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_right(arguments: &str, expected: &str, found: &str) -> bool {
        let words: Vec<_> = arguments.split_whitespace().map(str::to_string).collect();
        let compared = compared(&words, Path::new("1.in")).unwrap();
        compared.difference("f", expected.as_bytes(), found.as_bytes()).is_none()
    }

    #[test]
    fn a_word_is_a_number_only_where_a_tolerance_is_given() {
        for (arguments, expected, found, right) in [
            ("", "0.0314", "3.14000000e-2", false),
            ("float_tolerance 0", "0.0314", "3.14000000e-2", true),
            ("", "7", "07", false),
            ("", "7", "+7", false),
            ("", "0", "-0", false),
            ("float_tolerance 1e-9", "7", "07", true),
            ("float_tolerance 1e-9", "7", "+7.0", true),
            ("float_tolerance 1e-9", "0", "-0", true),
            ("float_tolerance 1e-9", "100000", "1e5", true),
            ("float_tolerance 1e-9", "1", "nan", false),
            ("float_tolerance 1e-9", "1", "inf", false),
            ("float_tolerance 1e-9", "1", "one", false),
            ("float_tolerance 1e-9", "one", "1", false),
            ("float_tolerance 1e-9", "NaN", "nan", true),
            // Either tolerance is enough.
            ("float_absolute_tolerance 0.1", "1000", "1000.2", false),
            ("float_absolute_tolerance 0.1 float_relative_tolerance 1e-3", "1000", "1000.2", true),
            ("float_relative_tolerance 1e-3", "0", "1e-9", false),
            ("float_tolerance 1e-3", "-1000", "-1001", true),
        ] {
            assert_eq!(is_right(arguments, expected, found), right, "{arguments}: {found}");
        }
    }

    #[test]
    fn capital_letters_and_white_space_count_where_they_shall() {
        for (arguments, expected, found, right) in [
            ("", "Yes  1\n", " yes\n1", true),
            ("case_sensitive", "Yes 1\n", "yes 1\n", false),
            ("space_change_sensitive", "Yes 1\n", "yes 1\n", true),
            ("space_change_sensitive", "Yes 1\n", "yes  1\n", false),
            ("space_change_sensitive", "Yes 1\n", "yes\t1\n", false),
            ("space_change_sensitive", "Yes 1\n", "yes 1", false),
            ("space_change_sensitive", "Yes 1\n", "yes 1\n\n", false),
            ("space_change_sensitive", "Yes 1\n", " yes 1\n", false),
            ("space_change_sensitive float_tolerance 1e-3", "a 1\n", "a 1.0001\n", true),
            ("space_change_sensitive float_tolerance 1e-3", "a 1\n", "a  1.0001\n", false),
        ] {
            assert_eq!(is_right(arguments, expected, found), right, "{arguments}: {found:?}");
        }
    }

    #[test]
    fn an_unknown_argument_is_an_error() {
        for (arguments, why) in [
            ("float_tolerence 1e-6", "'float_tolerence' is unknown"),
            ("float_tolerance", "float_tolerance: expected a number"),
            ("float_tolerance nan", "float_tolerance: expected a number"),
            ("float_tolerance -1", "float_tolerance: expected a number"),
        ] {
            let words: Vec<_> = arguments.split_whitespace().map(str::to_string).collect();
            let error = format!("{:#}", compared(&words, Path::new("1.in")).unwrap_err());
            assert!(error.starts_with("1.in: ") && error.ends_with(why), "{error}");
        }
    }
}
