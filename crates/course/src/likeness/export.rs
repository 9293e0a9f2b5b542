//! Hands sources over to other programs that compare them: JPlag and Dolos.

use super::program::{Program, Source};
use crate::zip_file::write_zip;
use anyhow::{Context, Result, ensure};
use intake::spreadsheet::row;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes the sources of each program into a folder of its own, as JPlag takes them.
pub(super) fn jplag(directory: &Path, programs: &[Program]) -> Result<()> {
    let within = || format!("--jplag {}", directory.display());
    let is_empty = |found: fs::ReadDir| found.count() == 0;
    ensure!(
        fs::read_dir(directory).map_or(true, is_empty),
        "{}: expected no folder or an empty one",
        within()
    );
    for program in programs {
        for Source { path, text, .. } in &program.sources {
            let to = directory.join(program.folder()).join(path);
            fs::create_dir_all(to.parent().unwrap_or(directory)).with_context(within)?;
            fs::write(&to, text).with_context(within)?;
        }
    }
    Ok(())
}

pub(super) fn dolos(path: &Path, programs: &[Program]) -> Result<()> {
    let mut table = row(["filename", "full_name", "label", "created_at"])?;
    let mut files = Vec::new();
    for program in programs {
        for source in &program.sources {
            let name = format!("{}/{}", program.folder(), source.path.display());
            table += &row([&name, &program.name, &program.class, &time(source.changed)])?;
            files.push((name, source.text.clone().into_bytes(), false));
        }
    }
    files.insert(0, ("info.csv".to_string(), table.into_bytes(), false));
    write_zip(path, &files, None)
}

/// As `2026-02-28 09:05:00 +0000`, by Howard Hinnant's "chrono-Compatible Low-Level Date
/// Algorithms".
fn time(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    format!(
        "{year}-{month:02}-{day:02} {:02}:{:02}:{:02} +0000",
        second / 3_600,
        second / 60 % 60,
        second % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_are_those_of_the_calendar() {
        let at = |seconds| time(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01 00:00:00 +0000");
        assert_eq!(at(951_827_696), "2000-02-29 12:34:56 +0000");
        assert_eq!(at(1_772_323_199), "2026-02-28 23:59:59 +0000");
    }
}
