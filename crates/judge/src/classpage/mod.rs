//! The page of a class: one file for a browser with the ranking, a histogram, and a table of tests by submissions, and
//! beside it a folder with each report and each lost game.

mod histogram;

use crate::grade::report;
use crate::grade::result::{Grade, Item, number};
use crate::markup::{self, address, escaped, row, table};
use crate::replay;
use anyhow::{Context, Result};
use arena::record::Record;
use engine::agent::files::write_atomically;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The page of a class, and where it is.
pub(crate) struct ClassPage<'a> {
    /// The file.
    pub path: &'a Path,
    /// The game, for people.
    pub title: &'a str,
    /// The scheme, in words.
    pub scheme: &'a str,
    /// All games.
    pub record: &'a Record,
}

/// The folders beside the page.
const REPORTS: &str = "reports";
const GAMES: &str = "games";

/// A submission on the page.
struct Entry<'a> {
    grade: &'a Grade,
    /// The address of its report.
    report: String,
    /// The address of its lost games, if it has any.
    games: Option<String>,
}

impl ClassPage<'_> {
    /// Writes the page and what it leads to. `grades` have the beginning of a file's name each.
    pub(crate) fn write(&self, grades: &[(String, Grade)]) -> Result<()> {
        let folder = self.folder();
        for part in [REPORTS, GAMES] {
            let part = folder.join(part);
            std::fs::create_dir_all(&part).with_context(|| format!("{}: cannot be made", part.display()))?;
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let mut entries = Vec::new();
        for (stem, grade) in grades {
            let lost: Vec<u32> = grade.lost().filter(|item| item.end().is_some()).map(|item| item.game).collect();
            let file = format!("{stem}.html");
            if !lost.is_empty() {
                write_to(&folder.join(GAMES).join(&file), &replay::page_of(self.record, &grade.agent, &lost)?)?;
            }
            let games = |parts: &[&str]| (!lost.is_empty()).then(|| address(parts));
            let from_report = games(&["..", GAMES, &file]);
            write_to(&folder.join(REPORTS).join(&file), &report::page(grade, from_report.as_deref()))?;
            let report = address(&[&name, REPORTS, &file]);
            entries.push(Entry { grade, report, games: games(&[&name, GAMES, &file]) });
        }
        write_to(self.path, &self.page(&entries))
    }

    /// The folder beside the page: `class-pages` beside `class.html`.
    fn folder(&self) -> PathBuf {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        self.path.with_file_name(format!("{stem}-pages"))
    }

    fn page(&self, entries: &[Entry]) -> String {
        let mut ranked: Vec<&Entry> = entries.iter().collect();
        let points = |entry: &Entry| entry.grade.points().0;
        ranked.sort_by(|one, other| {
            points(other).total_cmp(&points(one)).then_with(|| one.grade.agent.cmp(&other.grade.agent))
        });
        let most = entries.iter().map(|entry| entry.grade.most).fold(0.0, f64::max);
        let all: Vec<f64> = ranked.iter().map(|entry| points(entry)).collect();
        let mut body = format!("<h1>{}: {} submissions</h1>\n", escaped(self.title), entries.len());
        body += &summary(entries, &all, most);
        let _ = write!(body, "<h2>Ranking</h2>\n{}", ranking(&ranked));
        let _ = write!(body, "<h2>How many got how much</h2>\n{}", histogram::histogram(&all, most));
        let _ = write!(body, "<h2>Tests</h2>\n{}", tests(entries));
        let _ = write!(
            body,
            "<h2>Tests by submissions</h2>\n<p class=\"soft\">Points; a lost test leads to its game, at the end of it.</p>\n{}",
            matrix(&ranked)
        );
        let _ = writeln!(body, "<p class=\"soft\">Scheme: {}</p>", escaped(self.scheme));
        markup::page(&format!("{}: a class", self.title), &body)
    }
}

fn write_to(path: &Path, text: &str) -> Result<()> {
    write_atomically(path, text).with_context(|| format!("{}: cannot be written", path.display()))
}

/// The figures of the whole class; `points` are in order.
fn summary(entries: &[Entry], points: &[f64], most: f64) -> String {
    let count = points.len().max(1);
    let mean = points.iter().sum::<f64>() / count as f64;
    let median = (points.get((count - 1) / 2).unwrap_or(&0.0) + points.get(count / 2).unwrap_or(&0.0)) / 2.0;
    let not_run = entries.iter().filter(|entry| entry.grade.not_run.is_some()).count();
    let cpu: f64 = entries.iter().map(|entry| entry.grade.cpu()).sum();
    let mut text = format!(
        "<p>{} points to be had; mean {mean:.1}, median {}; {cpu:.0} s of CPU by all programs.</p>\n",
        number(most),
        number(median)
    );
    if not_run > 0 {
        let (verb, them) = if not_run == 1 { ("was", "its report says") } else { ("were", "their reports say") };
        let _ = writeln!(text, "<p class=\"missing\">{not_run} {verb} not run at all: {them} what is missing.</p>");
    }
    text
}

/// The submissions by points; those with the same points share a place.
fn ranking(ranked: &[&Entry]) -> String {
    const CLASSES: [(&str, &str); 7] = [
        ("place", "figure"),
        ("submission", "name"),
        ("points", "figure"),
        ("CPU s", "figure"),
        ("lost by", "what"),
        ("what cost most", "why"),
        ("games", "link"),
    ];
    let mut rows = String::new();
    let mut place = (0, f64::NAN);
    for (index, Entry { grade, report, games }) in ranked.iter().enumerate() {
        let points = grade.points().0;
        if points != place.1 {
            place = (index + 1, points);
        }
        let lost_by = if grade.not_run.is_some() { "not run".to_string() } else { grade.lost_by() };
        let games = games.as_ref().map_or(String::new(), |games| format!("<a href=\"{games}\">lost games</a>"));
        let cells = [
            place.0.to_string(),
            format!("<a href=\"{report}\">{}</a>", escaped(&grade.agent)),
            number(points),
            format!("{:.1}", grade.cpu()),
            escaped(&lost_by),
            escaped(&grade.costliest().unwrap_or_default()),
            games,
        ];
        rows += &row(&cells, &CLASSES.map(|(_, class)| class));
    }
    table("Ranking", &CLASSES, &rows)
}

/// What became of each test in the whole class, those that all failed marked.
fn tests(entries: &[Entry]) -> String {
    let run: Vec<&Grade> = entries.iter().map(|entry| entry.grade).filter(|grade| !grade.items.is_empty()).collect();
    let Some(first) = run.first() else { return "<p>No submission was run.</p>\n".to_string() };
    let mut rows = String::new();
    for (index, test) in first.items.iter().enumerate() {
        let items: Vec<&Item> = run.iter().filter_map(|grade| grade.items.get(index)).collect();
        let full = items.iter().filter(|item| item.is_full()).count();
        let none = items.iter().filter(|item| item.points <= 0.0 && !item.is_full()).count();
        let mean = items.iter().map(|item| item.points).sum::<f64>() / items.len() as f64;
        let how = match (full, none) {
            (full, _) if full == items.len() => "all passed",
            (_, none) if none == items.len() => "all failed",
            _ => "",
        };
        let class = if how == "all failed" { "none" } else { "figure" };
        let cells = [
            test.number.to_string(),
            escaped(&test.name),
            format!("{mean:.2} of {}", number(test.most)),
            full.to_string(),
            (items.len() - full - none).to_string(),
            none.to_string(),
            how.to_string(),
            escaped(&commonest(&items)),
        ];
        rows += &row(&cells, &["figure", "what", "figure", "figure", "figure", class, "", "what"]);
    }
    let headings = [
        ("test", "figure"),
        ("what", ""),
        ("mean", "figure"),
        ("full", "figure"),
        ("part", "figure"),
        ("none", "figure"),
        ("", ""),
        ("mostly lost by", ""),
    ];
    table("Tests", &headings, &rows)
}

/// The commonest way in which a test was lost.
fn commonest(items: &[&Item]) -> String {
    let mut counts = std::collections::BTreeMap::<String, u32>::new();
    items.iter().filter(|item| !item.is_full()).for_each(|item| *counts.entry(item.verdict()).or_default() += 1);
    counts
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .map_or(String::new(), |(word, count)| format!("{word} ({count})"))
}

/// The table of tests by submissions.
fn matrix(ranked: &[&Entry]) -> String {
    let Some(first) = ranked.iter().find(|entry| !entry.grade.items.is_empty()) else { return String::new() };
    let mut headings = vec![("submission".to_string(), "")];
    headings.extend(first.grade.items.iter().map(|item| {
        let name = escaped(&item.name);
        (format!("<span title=\"{name}\">{}</span>", item.number), "figure")
    }));
    let mut rows = String::new();
    for Entry { grade, report, games } in ranked {
        let mut cells = vec![format!("<a href=\"{report}\">{}</a>", escaped(&grade.agent))];
        let mut classes = vec!["name"];
        for item in &grade.items {
            let points = number(item.points);
            let told = escaped(&format!("{}, {}: {}", item.name, grade.agent, item.verdict()));
            cells.push(match games.as_ref().filter(|_| !item.is_full() && item.end().is_some()) {
                Some(games) => format!(
                    "<a href=\"{games}#{}/{}\" title=\"{told}\" aria-label=\"{points}: {told}\">{points}</a>",
                    item.game,
                    item.plies()
                ),
                None => points,
            });
            classes.push(report::shade(item));
        }
        if grade.items.is_empty() {
            let count = first.grade.items.len();
            rows += &format!(
                "<tr><td class=\"name\">{}</td><td class=\"none\" colspan=\"{count}\">not run</td></tr>\n",
                cells[0]
            );
        } else {
            rows += &row(&cells, &classes);
        }
    }
    table("Tests by submissions", &headings, &rows)
}
