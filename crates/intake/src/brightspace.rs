//! The names of files in Brightspace's downloads: `12345-678 - Jane Doe - Oct 1, 2026 1104 AM -
//! homework.py`, or the same as a folder, without the file.

/// The parts of the name of a file or a folder.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileName<'a> {
    /// The numbers of the student and of the assignment.
    pub id: &'a str,
    /// The name of the student.
    pub student: &'a str,
    /// The time of the attempt, as text that has the order of times.
    pub time: String,
    /// The name of the student's file; empty for a folder.
    pub file: &'a str,
}

/// The text between two parts of a name.
const BETWEEN: &str = " - ";

impl FileName<'_> {
    /// Reads a name; `None` if it has another form.
    pub(crate) fn read(name: &str) -> Option<FileName<'_>> {
        let (id, rest) = name.split_once(BETWEEN)?;
        let is_number =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        id.split_once('-')
            .filter(|(student, assignment)| is_number(student) && is_number(assignment))?;
        // The names of students and files may have the sign, too: the first part that is a time
        // decides.
        rest.match_indices(BETWEEN).find_map(|(place, _)| {
            let (student, after) = (&rest[..place], &rest[place + BETWEEN.len()..]);
            let (time, file) = after.split_once(BETWEEN).unwrap_or((after, ""));
            Some(FileName { id, student, time: sortable(time)?, file })
        })
    }
}

/// The beginnings of the names of months, in English, German and French.
const MONTHS: [(&str, u32); 22] = [
    ("jan", 1),
    ("feb", 2),
    ("fév", 2),
    ("mar", 3),
    ("mär", 3),
    ("apr", 4),
    ("avr", 4),
    ("may", 5),
    ("mai", 5),
    ("jun", 6),
    ("juin", 6),
    ("jul", 7),
    ("juil", 7),
    ("aug", 8),
    ("aoû", 8),
    ("sep", 9),
    ("oct", 10),
    ("okt", 10),
    ("nov", 11),
    ("dec", 12),
    ("dez", 12),
    ("déc", 12),
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
        MONTHS.iter().find(|(name, _)| word.starts_with(name)).map(|(_, month)| *month)
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
        let read =
            |name| FileName::read(name).map(|name| (name.id, name.student, name.time, name.file));
        let of = |student, time: &str, file| Some(("12-678", student, time.to_string(), file));
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
            assert_eq!(read(name), expected, "{name}");
        }
    }
}
