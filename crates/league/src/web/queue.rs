//! The jobs of the league for the staff.

use super::access::{Refusal, Result, Staff, Teacher};
use super::app::Shared;
use super::layout;
use crate::clock::{ago, now};
use axum::extract::{Path, State};
use axum::response::Redirect;
use maud::{Markup, html};

const MOST: i64 = 500;

pub(super) async fn jobs(Staff(viewer): Staff, State(app): State<Shared>) -> Result<Markup> {
    let (jobs, now) = (app.store.open_jobs(MOST).await?, now());
    let is_teacher = viewer.is_teacher();
    let body = html! {
        p { "A cancelled pair of games is not played, and a cancelled analysis can be asked for again. The check of a program is ended by withdrawing it." }
        @if is_teacher { p { "After a change of the settings or of the machine: " (layout::button("/staff/check-all", "Check all programs that play again", &[])) } }
        @if jobs.is_empty() { p { "Nothing waits." } } @else {
            (layout::table("Jobs", &["Job", "Players", "State", "Ordered", ""], &html! {
                @for job in &jobs {
                    tr {
                        td { (job.kind) }
                        td.name { (job.one) @if !job.other.is_empty() { " against " (job.other) } }
                        td { @if job.state == "leased" { "is being done by " (job.worker) } @else { "waits" }
                             @if !job.note.is_empty() { ": " (arena::plain::shown(&job.note)) } }
                        td { (ago(job.created, now)) }
                        td { @if is_teacher && job.kind != "check" { (layout::button(&format!("/staff/jobs/{}/cancel", job.id), "Cancel", &[])) } }
                    }
                }
            }))
        }
    };
    layout::page(&app, &viewer, "Jobs", &body).await
}

pub(super) async fn cancel(
    Teacher(person): Teacher,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Redirect> {
    if app.store.cancel(id, person.id, now()).await? {
        Ok(Redirect::to("/staff/jobs"))
    } else {
        Err(Refusal::NotFound)
    }
}

pub(super) async fn check_all(
    Teacher(person): Teacher,
    State(app): State<Shared>,
) -> Result<Redirect> {
    for row in app.store.ladder().await?.iter().filter(|row| row.kind != "baseline") {
        app.store.check_again(row.submission, person.id, now()).await?;
    }
    Ok(Redirect::to("/staff/jobs"))
}
