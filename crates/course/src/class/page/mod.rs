//! The page of a class, and a folder beside it with each report and each lost game.

mod histogram;

use crate::grade::report;
use crate::grade::result::{Grade, GradedTest};
use anyhow::Result;
use arena::record::Record;
use homework::number;
use maud::{Markup, html};
use pages::markup::{self, address, table};
use pages::replay;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use terminal::output::make_folder;
use terminal::output::write_file;

pub(crate) struct ClassPage<'a> {
    pub path: &'a Path,
    pub title: &'a str,
    pub scheme: &'a str,
    /// The games; none of a homework.
    pub record: Option<&'a Record>,
    /// The part about programs that are alike.
    pub alike: Markup,
}

const REPORTS: &str = "reports";
const GAMES: &str = "games";

struct PageEntry<'a> {
    grade: &'a Grade,
    report: String,
    /// The address of the lost games, if there are any.
    games: Option<String>,
}

impl ClassPage<'_> {
    /// Writes the page and the files beside it. Each grade comes with the stem of its files' names.
    pub(crate) fn write(&self, grades: &[(String, Grade)]) -> Result<()> {
        let folder = self.folder();
        for part in [REPORTS].into_iter().chain(self.record.map(|_| GAMES)) {
            make_folder(&folder.join(part))?;
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let mut entries = Vec::new();
        for (stem, grade) in grades {
            let lost: Vec<u32> =
                grade.lost().filter(|item| item.end().is_some()).map(|item| item.game).collect();
            let file = format!("{stem}.html");
            if let Some(record) = self.record.filter(|_| !lost.is_empty()) {
                let page = replay::page_of(record, &grade.agent, &lost)?;
                write_file(&folder.join(GAMES).join(&file), &page)?;
            }
            let games = |parts: &[&str]| (!lost.is_empty()).then(|| address(parts));
            let page = report::page(grade, games(&["..", GAMES, &file]).as_deref());
            write_file(&folder.join(REPORTS).join(&file), &page)?;
            let report = address(&[&name, REPORTS, &file]);
            entries.push(PageEntry { grade, report, games: games(&[&name, GAMES, &file]) });
        }
        write_file(self.path, &self.page(&entries))
    }

    /// `class-pages` beside `class.html`.
    fn folder(&self) -> PathBuf {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        self.path.with_file_name(format!("{stem}-pages"))
    }

    fn page(&self, entries: &[PageEntry]) -> String {
        let mut ranked: Vec<&PageEntry> = entries.iter().collect();
        let points = |entry: &PageEntry| entry.grade.points().0;
        ranked.sort_by(|one, other| one.grade.agent.cmp(&other.grade.agent));
        ranked.sort_by(|one, other| points(other).total_cmp(&points(one)));
        let most = entries.iter().map(|entry| entry.grade.most).fold(0.0, f64::max);
        let all: Vec<f64> = ranked.iter().map(|entry| points(entry)).collect();
        let body = html! {
            h1 { (self.title) ": " (entries.len()) " submissions" }
            (summary(entries, &all, most))
            h2 { "Ranking" }
            (ranking(&ranked))
            h2 { "Submissions by points" }
            (histogram::histogram(&all, most))
            h2 { "Tests" }
            p.soft { "Means are of all submissions; one that was not run has no points." }
            (tests(entries))
            h2 { "Tests by submissions" }
            p.soft {
                "Points"
                @if self.record.is_some() { "; a lost test links to the end of its game" }
                "."
            }
            (matrix(&ranked))
            (for_teacher(&ranked))
            (self.alike)
            p.soft { "Scheme: " (self.scheme) }
        };
        markup::page(&format!("{}: a class", self.title), &body)
    }
}

/// The figures of the whole class; `points` are sorted.
fn summary(entries: &[PageEntry], points: &[f64], most: f64) -> Markup {
    let count = points.len().max(1);
    let mean = points.iter().sum::<f64>() / count as f64;
    let median =
        (points.get((count - 1) / 2).unwrap_or(&0.0) + points.get(count / 2).unwrap_or(&0.0)) / 2.0;
    let not_run = entries.iter().filter(|entry| entry.grade.not_run.is_some()).count();
    let cpu = entries.iter().map(|entry| entry.grade.cpu()).sum::<f64>() + 0.0;
    let (verb, them) =
        if not_run == 1 { ("was", "its report says") } else { ("were", "their reports say") };
    html! {
        p {
            (number(most)) " points in all; "
            (format_args!("mean {mean:.1}, median {}; {cpu:.0} s of CPU by all programs.", number(median)))
        }
        @if not_run > 0 {
            p.missing { (not_run) " " (verb) " not run at all: " (them) " what is missing." }
        }
    }
}

fn ranking(ranked: &[&PageEntry]) -> Markup {
    let headings = [
        ("place", "figure"),
        ("submission", ""),
        ("points", "figure"),
        ("CPU s", "figure"),
        ("lost by", ""),
        ("what cost most", ""),
    ];
    let has_games = ranked.iter().any(|entry| entry.games.is_some());
    let headings: Vec<_> = headings.into_iter().chain(has_games.then_some(("games", ""))).collect();
    let mut place = (0, f64::NAN);
    let rows = html! {
        @for (index, PageEntry { grade, report, games }) in ranked.iter().enumerate() {
            @let points = grade.points().0;
            @let () = if points != place.1 { place = (index + 1, points) };
            tr {
                td.figure { (place.0) }
                td.name { a href=(report) { (grade.agent) } }
                td.figure { (number(points)) }
                td.figure { (format_args!("{:.1}", grade.cpu())) }
                td.what { @if grade.not_run.is_some() { "not run" } @else { (grade.lost_by()) } }
                td.why { (grade.costliest().unwrap_or_default()) }
                @if has_games {
                    td.link { @if let Some(games) = games { a href=(games) { "lost games" } } }
                }
            }
        }
    };
    table("Ranking", &headings, &rows)
}

/// The tests with their results in the whole class.
fn tests(entries: &[PageEntry]) -> Markup {
    let run: Vec<&Grade> =
        entries.iter().map(|entry| entry.grade).filter(|grade| !grade.tests.is_empty()).collect();
    let Some(first) = run.first() else { return html! { p { "No submission was run." } } };
    let rows = html! {
        @for (index, test) in first.tests.iter().enumerate() {
            @let items: Vec<&GradedTest> = run.iter().filter_map(|grade| grade.tests.get(index)).collect();
            @let full = items.iter().filter(|item| item.is_full()).count();
            @let part = items.iter().filter(|item| item.points > 0.0 && !item.is_full()).count();
            @let none = entries.len() - full - part;
            @let mean = items.iter().map(|item| item.points).sum::<f64>() / entries.len() as f64;
            @let all_failed = none == entries.len();
            tr {
                td.figure { (test.number) }
                td.what { (test.name) }
                td.figure { (format_args!("{mean:.2} of {}", number(test.most))) }
                td.figure { (full) }
                td.figure { (part) }
                td.(if all_failed { "none" } else { "figure" }) { (none) }
                td { @if full == entries.len() { "all passed" } @else if all_failed { "all failed" } }
                td.what { (most_frequent_verdict(&items)) }
            }
        }
    };
    let headings = [
        ("test", "figure"),
        ("what", ""),
        ("mean", "figure"),
        ("full", "figure"),
        ("part", "figure"),
        ("none", "figure"),
        ("everybody", ""),
        ("mostly lost by", ""),
    ];
    table("Tests", &headings, &rows)
}

fn most_frequent_verdict(items: &[&GradedTest]) -> String {
    let mut counts = BTreeMap::<String, u32>::new();
    for item in items.iter().filter(|item| !item.is_full()) {
        *counts.entry(item.verdict()).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    most.map_or(String::new(), |(word, count)| format!("{word} ({count})"))
}

fn matrix(ranked: &[&PageEntry]) -> Markup {
    let Some(first) = ranked.iter().find(|entry| !entry.grade.tests.is_empty()) else {
        return html! {};
    };
    let tests = &first.grade.tests;
    let mut headings = vec![(html! { "submission" }, "")];
    headings.extend(
        tests.iter().map(|item| (html! { span title=(item.name) { (item.number) } }, "figure")),
    );
    let rows = html! {
        @for PageEntry { grade, report, games } in ranked {
            tr {
                td.name { a href=(report) { (grade.agent) } }
                @if grade.tests.is_empty() { td.none colspan=(tests.len()) { "not run" } }
                @for item in &grade.tests {
                    td.(report::shade(item)) { (points_with_link(item, &grade.agent, games.as_deref())) }
                }
            }
        }
    };
    table("Tests by submissions", &headings, &rows)
}

fn for_teacher(ranked: &[&PageEntry]) -> Markup {
    let mut said = Vec::new();
    for grade in ranked.iter().map(|entry| entry.grade) {
        for (test, case) in grade.tests.iter().filter_map(|test| Some((test, test.case()?))) {
            let words = &case.result.for_teacher;
            said.extend((!words.is_empty()).then_some((&grade.agent, &test.name, words)));
        }
    }
    if said.is_empty() {
        return html! {};
    }
    let rows = html! {
        @for (agent, case, words) in said {
            tr { td.name { (agent) } td.what { (case) } td.why { (words) } }
        }
    };
    let headings = [("submission", ""), ("case", ""), ("words", "")];
    html! {
        h2 { "The checker's words for the teacher" }
        p.soft { "No report has them." }
        (table("The checker's words for the teacher", &headings, &rows))
    }
}

/// The points of a test, for a lost one with a link to the end of its game.
fn points_with_link(item: &GradedTest, agent: &str, games: Option<&str>) -> Markup {
    let points = number(item.points);
    let Some(games) = games.filter(|_| !item.is_full() && item.end().is_some()) else {
        return html! { (points) };
    };
    let label = format!("{}, {agent}: {}", item.name, item.verdict());
    html! {
        a href={ (games) "#" (item.game) "/" (item.plies()) } title=(label) aria-label={ (points) ": " (label) } { (points) }
    }
}
