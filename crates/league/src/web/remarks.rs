//! Remarks on a submission: of the staff for its players, and of players who ask the staff to look
//! again.

use super::access::{Refusal, Result, SignedIn, Viewer, visible_submission};
use super::app::{App, Shared};
use crate::clock::now;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::Redirect;
use maud::{Markup, html};
use serde::Deserialize;

const MOST_CHARACTERS: usize = 2_000;
const A_DAY: i64 = 50;

pub(super) async fn remarks(app: &App, viewer: &Viewer, submission: i64) -> Result<Markup> {
    let remarks = app.store.remarks(submission).await?;
    Ok(html! {
        h2 { "Remarks" }
        @for remark in &remarks {
            div.remark {
                p.soft { (remark.who) ", " (app.config.shown(remark.at)) @if remark.asks == 1 { ": " strong { "please look again" } } }
                p.said { (remark.text) }
            }
        }
        form.box method="post" action=(format!("/submissions/{submission}/remarks")) {
            label {
                @if viewer.is_staff() { "To the players of this program" } @else { "To the staff" }
                textarea name="text" rows="3" maxlength=(MOST_CHARACTERS) required {}
            }
            @if !viewer.is_staff() {
                label.check { input type="checkbox" name="asks" value="yes"; span { "Please look at this program again" } }
            }
            div { button { "Write" } }
        }
    })
}

#[derive(Deserialize)]
pub(super) struct RemarkForm {
    text: String,
    asks: Option<String>,
}

pub(super) async fn write(
    SignedIn(person, viewer): SignedIn,
    State(app): State<Shared>,
    Path(id): Path<i64>,
    Form(form): Form<RemarkForm>,
) -> Result<Redirect> {
    let submission = visible_submission(&app, &viewer, id).await?;
    let text: String = form.text.trim().chars().take(MOST_CHARACTERS).collect();
    if text.is_empty() {
        return Err(Refusal::Bad("A remark needs words.".into()));
    }
    let now = now();
    if app.store.remarks_since(person.id, app.config.day_of(now)).await? >= A_DAY {
        return Err(Refusal::TooMany(format!(
            "You have written {A_DAY} remarks today; tomorrow you may write more."
        )));
    }
    let asks = !person.is_staff() && form.asks.is_some();
    app.store.remark(submission.id, person.id, (&text, asks), now).await?;
    Ok(Redirect::to(&format!("/submissions/{id}")))
}
