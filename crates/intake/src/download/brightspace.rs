//! The names of files and folders in Brightspace's downloads: `12345-678 - Jane Doe - Oct 1, 2026
//! 1104 AM - homework.py`.

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileName<'a> {
    /// The numbers of the student and of the assignment.
    pub id: &'a str,
    pub student: &'a str,
    /// The time, as text that has the order of times.
    pub time: String,
    /// The name of the student's file; empty for a folder.
    pub file: &'a str,
}

/// Whether a part of a name is a number, such as a student's.
pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

const BETWEEN: &str = " - ";

impl FileName<'_> {
    pub(crate) fn read(name: &str) -> Option<FileName<'_>> {
        let (id, rest) = name.split_once(BETWEEN)?;
        id.split_once('-').filter(|(student, of)| is_number(student) && is_number(of))?;
        // The names of students and files may have the sign, too: the first time decides.
        rest.match_indices(BETWEEN).find_map(|(place, _)| {
            let (student, after) = (&rest[..place], &rest[place + BETWEEN.len()..]);
            let (time, file) = after.split_once(BETWEEN).unwrap_or((after, ""));
            Some(FileName { id, student, time: sortable(time)?, file })
        })
    }
}

/// The beginnings of the names of months, in English, German and French.
const MONTHS: [&[&str]; 12] = [
    &["jan"],
    &["feb", "fév"],
    &["mar", "mär"],
    &["apr", "avr"],
    &["may", "mai"],
    &["jun", "juin"],
    &["jul", "juil"],
    &["aug", "aoû"],
    &["sep"],
    &["oct", "okt"],
    &["nov"],
    &["dec", "dez", "déc"],
];

/// Returns a time such as `Oct 1, 2026 1104 AM` or `1 October, 2026 11:04` as `2026-10-01 1104`.
fn sortable(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split([' ', ',', '\u{202f}', '\u{a0}']).filter(|word| !word.is_empty()).collect();
    let (half, words) = match words.split_last()? {
        (&"am", rest) => (Some(0), rest),
        (&"pm", rest) => (Some(12), rest),
        _ => (None, &words[..]),
    };
    let [one, other, year, time] = words else { return None };
    let month_of = |word: &str| {
        let begins = |names: &&[&str]| names.iter().any(|name| word.starts_with(name));
        MONTHS.iter().position(begins).map(|index| index + 1)
    };
    let (day, month) =
        month_of(one).map(|month| (other, month)).or_else(|| Some((one, month_of(other)?)))?;
    let day: u32 = day.trim_end_matches('.').parse().ok().filter(|day| (1..=31).contains(day))?;
    let year: u32 = year.parse().ok().filter(|year| (1990..10_000).contains(year))?;
    let time: u32 = time.replace(':', "").parse().ok()?;
    let (hour, minute) = (time / 100, time % 100);
    let hour = half.map_or(hour, |half| hour % 12 + half);
    (hour < 24 && minute < 60).then(|| format!("{year}-{month:02}-{day:02} {hour:02}{minute:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_and_folders_are_read() {
        let of = |student, time: &str, file| {
            Some(FileName { id: "12-678", student, time: time.to_string(), file })
        };
        for (name, expected) in [
            (
                "12-678 - Jane Doe - Oct 1, 2026 1104 AM - homework.py",
                of("Jane Doe", "2026-10-01 1104", "homework.py"),
            ),
            ("12-678 - Jane Doe - 1 October, 2026 1204 AM", of("Jane Doe", "2026-10-01 0004", "")),
            (
                "12-678 - A - B - Dez 31., 2026 23:59 - x - y.py",
                of("A - B", "2026-12-31 2359", "x - y.py"),
            ),
            (
                "12-678 - Jane Doe - May 1, 2026 1259 PM - a.py",
                of("Jane Doe", "2026-05-01 1259", "a.py"),
            ),
            ("12 - Jane Doe - Oct 1, 2026 1104 AM - a.py", None),
            ("12-678 - Jane Doe - homework.py", None),
            ("12-678 - Jane Doe - Oct 1, 2026 2504 - homework.py", None),
        ] {
            assert_eq!(FileName::read(name), expected, "{name}");
        }
    }
}
