//! Scales clocks so that a grading ends before the platform's time limit.

use crate::grade::scheme::file::SchemeFile;
use homework::Homework;

/// The share of the platform's CPU time for the clocks of programs. References, compilers and
/// program starts need the rest.
const PROGRAMS_SHARE: f64 = 0.6;
const MOVES_OF_A_GAME: f64 = 60.0;
/// Clocks below this share of the scheme's are too short for programs that start slowly.
const SHORT: f64 = 0.05;

#[derive(Debug, PartialEq)]
pub(super) struct ClockPlan {
    /// The factor for all clocks, at most 1.
    pub share: f64,
    /// Wall seconds beyond its clock that a turn may take: a program with half of its share of the
    /// processors still uses up its clock before.
    pub wall_margin: f64,
    pub note: String,
}

/// Plans the clocks for a time limit and a number of processors, of which a grading uses at most
/// one.
pub(super) fn plan_clocks(scheme: &SchemeFile, timeout: u64, cpus: f64) -> ClockPlan {
    let cpus = cpus.min(1.0);
    let positions =
        scheme.all_positions().map(|group| (f64::from(group.count) * group.clock, group.clock));
    let games = scheme.all_games().map(|group| {
        let game =
            group.clock.unwrap_or_else(|| group.turn_clock.unwrap_or_default() * MOVES_OF_A_GAME);
        let clock = group.clock.or(group.turn_clock).unwrap_or_default();
        (f64::from(group.count) * group.reference.names().len() as f64 * game, clock)
    });
    let (whole, longest) = positions
        .chain(games)
        .fold((0.0, 0.0_f64), |(whole, longest), (all, clock)| (whole + all, longest.max(clock)));
    let share = (timeout as f64 * cpus * PROGRAMS_SHARE / f64::max(whole, 1e-9)).min(1.0);
    let processors =
        if cpus < 1.0 { format!(" and gives it {cpus:.2} of a processor") } else { String::new() };
    let mut note = if share < 1.0 {
        format!(
            "clocks are {} % of the scheme's: the platform ends a grading after {timeout} s{processors}, and by the \
             scheme's own clocks the program alone might take {whole:.0} s",
            (share * 1000.0).round() / 10.0
        )
    } else {
        format!(
            "clocks are the scheme's own: the program takes {whole:.0} s at most, the platform allows {timeout} s{processors}"
        )
    };
    if share < SHORT {
        note += "; that is short for programs that start slowly: allow more time or processors, or ask for fewer tests";
    }
    ClockPlan { share, wall_margin: wall_margin(longest * share, cpus), note }
}

/// Plans the clocks of a homework: its cases keep their own.
pub(super) fn homework_clocks(
    homework: &Homework,
    case_time: f64,
    timeout: u64,
    cpus: f64,
) -> ClockPlan {
    let cpus = cpus.min(1.0);
    let times = homework.cases.iter().map(|case| case.time.unwrap_or(case_time));
    let longest = times.fold(0.0, f64::max);
    let whole = homework.most_time(case_time);
    let mut note = format!(
        "cases have their own time: the program takes {whole:.0} s at most, the platform allows \
         {timeout} s"
    );
    if whole > timeout as f64 * cpus * PROGRAMS_SHARE {
        note += "; cases that are not done by then get no points: allow more time or processors, \
                 or less time for the cases";
    }
    ClockPlan { share: 1.0, wall_margin: wall_margin(longest, cpus), note }
}

fn wall_margin(longest: f64, cpus: f64) -> f64 {
    10.0 + longest * (2.0 / cpus - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scheme(text: &str) -> SchemeFile {
        SchemeFile::parse("s", &format!("game = \"halma\"\n{text}"), &games::all()[0]).unwrap()
    }

    #[test]
    fn clocks_are_scaled_to_the_platforms_limit_and_the_note_says_so() {
        // 300 s, 900 s and 180 s.
        let games = scheme(
            "[[positions]]\ncount = 10\nclock = 30\n[[games]]\ncount = 9\nclock = 100\nreference = \"greedy\"\n\
             [[games]]\ncount = 2\nturn-clock = 1.5\nreference = \"greedy\"\n",
        );
        let ladder = scheme(
            "[[games]]\ncount = 4\nreference = [\"greedy\", \"minimax:2\", \"alphabeta:3\"]\nclock = 10\n",
        );
        let scheme = &games;
        for (scheme, timeout, cpus, share, wall_margin, words) in [
            (scheme, 10_000, 4.0, 1.0, 110.0, "the scheme's own"),
            (scheme, 230, 1.0, 0.1, 20.0, "clocks are 10 % of"),
            (scheme, 230, 1.0, 0.1, 20.0, "might take 1380 s"),
            (scheme, 230, 0.5, 0.05, 25.0, "0.50 of a processor"),
            (scheme, 60, 0.5, 18.0 / 1380.0, 10.0 + 5400.0 / 1380.0, "is short"),
            // Each reference has its games.
            (&ladder, 100, 1.0, 0.5, 15.0, "might take 120 s"),
        ] {
            let plan = plan_clocks(scheme, timeout, cpus);
            let near = |one: f64, other: f64| (one - other).abs() < 1e-9;
            assert!(near(plan.share, share) && near(plan.wall_margin, wall_margin), "{plan:?}");
            assert!(plan.note.contains(words), "{plan:?}");
        }
        let mut scaled = games.clone();
        scaled.scale_clocks(0.1);
        let clocks = (scaled.positions[0].clock, scaled.games[1].turn_clock);
        assert_eq!(clocks, (3.0, Some(0.15)));
    }
}
