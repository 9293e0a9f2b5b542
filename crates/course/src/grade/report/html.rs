//! The report as a web page.

use super::evidence::evidence;
use crate::grade::result::{Grade, GradedTest};
use engine::Drawing;
use homework::number;
use maud::{Markup, html};
use pages::markup::{self, table};
use pages::position::{Positions, legal_places};

fn headings(grade: &Grade) -> [(&'static str, &'static str); 7] {
    [
        ("test", "figure"),
        ("what", ""),
        ("points", ""),
        ("of", "figure"),
        ("CPU s", "figure"),
        (if grade.is_of_cases() { "MiB" } else { "plies" }, "figure"),
        ("how", ""),
    ]
}

pub(crate) fn page(grade: &Grade, games: Option<&str>) -> String {
    let (points, most) = grade.points();
    let mut boards = Positions::default();
    let rows = html! { @for item in &grade.tests { (test_row(item, games)) } };
    let body = html! {
        h1 { (grade.agent) ": " (number(points)) " of " (number(most)) " points" }
        p { (grade.headline()) }
        @if let Some(not_run) = &grade.not_run {
            div.missing {
                p { "The program was not run:" }
                pre tabindex="0" { (not_run.why) }
                p { "To fix it: " (not_run.remedy) }
            }
        }
        @for note in &grade.notes { p { (note) } }
        @if !grade.tests.is_empty() { (table("Tests", &headings(grade), &rows)) }
        @if let Some(bonus) = &grade.bonus { p { "Bonus: " (number(bonus.points)) " for " (bonus.words) } }
        @for item in grade.lost() {
            h2 id={ "test-" (item.number) } {
                (item.number) ". " (item.name) ": " (number(item.points)) " of " (number(item.most))
            }
            @if let Some(link) = replay(item, games) { p { (link) } }
            @if let Some(board) = &item.board { (position(&mut boards, item, board)) }
            @if let Some(times) = item.times() { (times.plot()) }
            pre tabindex="0" { (evidence(grade, item, item.board.is_none()).trim_end()) }
        }
        @if let Some(layers) = &grade.sandbox_layers { p.soft { "Sandbox layers around the agent: " (layers) } }
    };
    markup::page(&format!("{}: {}", grade.title, grade.agent), &body)
}

/// The position in which a program lost, with the places that its output names and those of legal
/// moves.
fn position(boards: &mut Positions, item: &GradedTest, board: &Drawing) -> Markup {
    let played = item.kept().and_then(|kept| kept.played.as_deref());
    let output = played.or(item.fault().and_then(|fault| fault.output.as_deref()));
    let which = if played.is_some() || item.fault().is_some() { "The" } else { "The last" };
    let label = format!("{which} position of test {}, and what the output names", item.number);
    let (marked, of) = match played {
        None => legal_places(&item.legal, output, board),
        Some(_) => (
            legal_places(&item.legal, None, board).0,
            "where the moves begin that keep the result; red: the move played",
        ),
    };
    let arrows = item.thoughts().arrows(board);
    html! {
        (boards.draw(board, output, &marked, &arrows, &label))
        @if !marked.is_empty() { p.soft { "Green: " (of) "." } }
        @if !arrows.is_empty() { p.soft { "Blue: the moves that the program weighed." } }
    }
}

fn test_row(item: &GradedTest, games: Option<&str>) -> Markup {
    html! {
        tr {
            td.figure { (item.number) }
            td.what { (item.name) }
            td.(shade(item)) { (number(item.points)) }
            td.figure { (number(item.most)) }
            td.figure { (format_args!("{:.2}", item.cpu())) }
            td.figure { (item.size().0) }
            td.what {
                @if item.is_full() {
                    "ok" @if let Some(case) = item.case() { " " (case.result.remark) }
                } @else {
                    a href={ "#test-" (item.number) } { (item.verdict()) }
                    @if let Some(link) = replay(item, games) { ", " (link) }
                }
            }
        }
    }
}

/// The CSS class of a cell with points.
pub(crate) fn shade(item: &GradedTest) -> &'static str {
    if item.is_full() {
        "full"
    } else if item.points > 0.0 {
        "part"
    } else {
        "none"
    }
}

/// A link to the end of a test's game in the page of games.
fn replay(item: &GradedTest, games: Option<&str>) -> Option<Markup> {
    let games = games.filter(|_| item.end().is_some())?;
    Some(html! { a href={ (games) "#" (item.game) "/" (item.plies()) } { "the game" } })
}
