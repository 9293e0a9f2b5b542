//! The ladder.

use super::access::{Result, Viewer};
use super::app::Shared;
use super::layout;
use super::svg::{self, sparkline};
use crate::rating::{PROVISIONAL, margin};
use crate::store::LadderRow;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use intake::spreadsheet::row;
use maud::{Markup, html};
use std::collections::HashMap;

pub(super) async fn ladder(viewer: Viewer, State(app): State<Shared>) -> Result<Markup> {
    viewer.check_ladder(&app)?;
    let rows = viewer.ladder(&app).await?;
    let rated: Vec<f64> =
        rows.iter().filter(|row| !row.provisional).map(|row| row.rating).collect();
    let own = rows.iter().find(|row| viewer.plays_for(row.entrant) && !row.provisional);
    let own = own.map(|row| row.rating);
    let body = html! {
        @if rows.iter().all(|row| row.kind == "baseline") {
            p { "Nobody has handed in a program that plays yet." }
        }
        // Only the boards come anew, from the live page: it costs the server a quarter of a long
        // ladder.
        div.boards.now data-fresh="3000" data-from="/live" data-part=".boards" { (super::live::playing_now(&app, &viewer).await?) }
        (layout::table("Ladder", &["#", "Player", "#Rating", "#±", "Last games", "#Games", "#Won", "Language"], &html! {
            @for row in &rows { (line(row, &viewer)) }
        }))
        (svg::histogram(&rated, own))
        p.soft {
            "400 points more are ten wins to a loss. The rating lies within ± of the number with a probability of 95 %. "
            (format!("The rating of a new version is provisional while ± is above {PROVISIONAL}: it has no place yet, and stands below the others. Equal programs have one rating, and equal ratings share a place. "))
            a href="/table" { "Each against each" } ". " a href="/ladder.csv" { "As CSV" } "."
        }
    };
    layout::page(&app, &viewer, "Ladder", &body).await
}

fn line(row: &LadderRow, viewer: &Viewer) -> Markup {
    let margin = margin(row.deviation);
    html! {
        tr.mine[viewer.plays_for(row.entrant)] {
            td.figure { @if !row.provisional { (row.place) } }
            td.name {
                (layout::player(row.entrant, &row.name))
                @if row.kind != "baseline" { " " small.soft { "v" (row.number) } }
                @if row.paused.is_some() { " " small.bad { "paused" } }
            }
            td.figure { (format!("{:.0}", row.rating)) @if row.provisional { " " small.soft { "provisional" } } }
            td.figure { (format!("{margin:.0}")) }
            td { (sparkline(&row.trail)) }
            td.figure { (row.games) }
            td.figure { (percent_won(row)) }
            td { (row.language) }
        }
    }
}

/// Returns the share of points, draws as half, or nothing without games.
pub(super) fn percent_won(row: &LadderRow) -> String {
    if row.games == 0 {
        return String::new();
    }
    format!("{:.0} %", 100.0 * (row.wins as f64 + 0.5 * row.draws as f64) / row.games as f64)
}

/// Players in the table of each against each, from the top of the ladder.
const CROSSTABLE: usize = 20;

pub(super) async fn each_against_each(viewer: Viewer, State(app): State<Shared>) -> Result<Markup> {
    viewer.check_ladder(&app)?;
    let mut rows = viewer.ladder(&app).await?;
    rows.truncate(CROSSTABLE);
    let mut met: HashMap<(i64, i64), (i64, f64)> = HashMap::new();
    for (first, second, games, points) in app.store.meetings_now().await? {
        for (key, points) in [((first, second), points), ((second, first), games as f64 - points)] {
            let (all, score) = met.entry(key).or_default();
            (*all, *score) = (*all + games, *score + points);
        }
    }
    let numbers: Vec<String> = (1..=rows.len()).map(|place| format!("#{place}")).collect();
    let headings: Vec<&str> =
        ["#", "Player"].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    let body = html! {
        p { "Points of the first " (rows.len()) " players of the ladder against each other, of so many games; a draw is half a point. "
            "Only games of the versions that play now count here." }
        (layout::table("Each against each", &headings, &html! {
            @for (place, row) in (1..).zip(&rows) {
                tr.mine[viewer.plays_for(row.entrant)] {
                    td.figure { (place) }
                    td.name { (layout::player(row.entrant, &row.name)) }
                    @for other in &rows {
                        td.figure { @match met.get(&(row.submission, other.submission)) {
                            Some((games, score)) => { (score) "/" (games) }
                            None if row.submission == other.submission => { span.soft { "-" } }
                            None => {}
                        } }
                    }
                }
            }
        }))
    };
    layout::page(&app, &viewer, "Each against each", &body).await
}

pub(super) async fn csv(viewer: Viewer, State(app): State<Shared>) -> Result<Response> {
    viewer.check_ladder(&app)?;
    let mut text =
        row(["place", "player", "kind", "version", "rating", "margin", "games", "wins", "draws"])?;
    for line in viewer.ladder(&app).await? {
        let LadderRow { name, kind, number, rating, games, wins, draws, place, .. } = &line;
        let margin = margin(line.deviation);
        text += &row([
            &if line.provisional { String::new() } else { place.to_string() },
            name,
            kind,
            &number.to_string(),
            &format!("{rating:.1}"),
            &format!("{margin:.1}"),
            &games.to_string(),
            &wins.to_string(),
            &draws.to_string(),
        ])?;
    }
    Ok(([(CONTENT_TYPE, "text/csv; charset=utf-8")], text).into_response())
}
