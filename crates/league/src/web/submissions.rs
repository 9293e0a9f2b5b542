//! Handing in, the report of a check while it is written, and choosing the version that plays.

use super::access::{ClientAddress, Refusal, Result, SignedIn, Viewer, visible_submission};
use super::app::{App, FORM_BYTES, Shared};
use super::layout;
use super::pace::Pace;
use super::players::unrated_with;
use crate::clock::now;
use crate::files::Stored;
use crate::secret::hash;
use crate::store::{JobKind, NewSubmission, Person, Role, SubmissionRow};
use arena::plain::counted;
use axum::extract::multipart::MultipartError;
use axum::extract::{Multipart, Path, State};
use axum::http::header::{ACCEPT, CONTENT_LENGTH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Json};
use maud::{Markup, html};

const CLOSED: &str = "Uploads and choices are closed: the last games are being played.";
const MOST_NAME: usize = 80;
/// Bytes of an upload that are read without a place. Hardly a program is larger.
const SMALL: usize = 128 << 10;

/// Takes in a program. Scripts get JSON, browsers the page of the submission.
pub(super) async fn hand_in(
    SignedIn(person, _): SignedIn,
    ClientAddress(address): ClientAddress,
    Extension(pace): Extension<Pace>,
    State(app): State<Shared>,
    headers: HeaderMap,
    mut form: Multipart,
) -> Result<Response> {
    // The deadline is for the beginning: what others send at the same time costs nobody anything.
    let received = now();
    let entrant = entrant_of(&person)?;
    let length =
        headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > (app.config.uploads.mib << 20) + FORM_BYTES as u64) {
        return Err(too_large(&app));
    }
    if app.store.closing().await?.is_some() {
        return Err(Refusal::Bad(CLOSED.into()));
    }
    // Before anything is read: what is refused must not fill the disk.
    let (a_day, today) = (app.config.uploads.a_day, app.config.day_of(received));
    if app.store.submissions_since(entrant, today).await? >= i64::from(a_day) {
        return Err(too_many(a_day));
    }
    let Some(_uploading) = app.uploading.begin(person.id) else {
        return Err(Refusal::TooMany("Wait until your other uploads have arrived.".into()));
    };
    let (mut name, mut bytes, mut place) = (String::new(), Vec::new(), None);
    let broken = |error: MultipartError| Refusal::Bad(error.body_text());
    while let Some(mut field) = form.next_field().await.map_err(broken)? {
        if field.name() != Some("program") || !name.is_empty() {
            continue;
        }
        name = file_name(field.file_name().unwrap_or_default());
        while let Some(chunk) = field.chunk().await.map_err(broken)? {
            let length = bytes.len() + chunk.len();
            if length as u64 > app.config.uploads.mib << 20 {
                return Err(too_large(&app));
            }
            if length > SMALL && place.is_none() {
                place = Some(app.places.take(person.id, address).await?);
                pace.takes_place();
            }
            bytes.extend_from_slice(&chunk);
        }
    }
    if bytes.is_empty() {
        return Err(Refusal::Bad(
            "Choose a file: a zip or the source of a program, in the field 'program'.".into(),
        ));
    }
    let (digest, length) = (hash(&bytes), bytes.len() as u64);
    // The file comes first: whatever was confirmed can be read.
    app.files.put(Stored::Upload(&digest), bytes).await?;
    let new = NewSubmission {
        entrant,
        person: Some(person.id),
        received,
        late: app.config.is_late(received, app.store.own_deadline(entrant).await?),
        file_name: &name,
        bytes: length,
        digest: &digest,
    };
    let kept = app.store.receive(&new, today, a_day).await?;
    let (id, number) = kept.ok_or_else(|| too_many(a_day))?;
    let address = format!("/submissions/{id}");
    let is_of_browser = headers
        .get(ACCEPT)
        .is_some_and(|accept| accept.to_str().unwrap_or_default().contains("text/html"));
    if is_of_browser {
        return Ok(Redirect::to(&address).into_response());
    }
    let answer = serde_json::json!({ "submission": id, "number": number, "sha256": digest, "address": address });
    Ok((StatusCode::CREATED, Json(answer)).into_response())
}

fn entrant_of(person: &Person) -> Result<i64> {
    let why = "Only students hand in programs.";
    person.entrant.ok_or_else(|| Refusal::Forbidden(why.into()))
}

fn too_large(app: &App) -> Refusal {
    Refusal::Bad(format!("The file is larger than {} MiB.", app.config.uploads.mib))
}

fn too_many(a_day: u32) -> Refusal {
    Refusal::TooMany(format!(
        "You have handed in {a_day} programs today; tomorrow you may hand in more."
    ))
}

/// Returns the last part of a file's name as a plain file name.
fn file_name(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = arena::plain::name(last.as_ref()).replace(['\\', '/'], "%");
    // The extension at the end says what the file is.
    let name = &plain[plain.ceil_char_boundary(plain.len().saturating_sub(MOST_NAME))..];
    let before = if name.is_empty() || name.starts_with('.') { "upload" } else { "" };
    format!("{before}{name}")
}

pub(super) async fn mine(
    SignedIn(person, viewer): SignedIn,
    State(app): State<Shared>,
) -> Result<Markup> {
    let entrant = entrant_of(&person)?;
    let (name, active) = app.store.entrant(entrant).await?.ok_or(Refusal::NotFound)?;
    let submissions = app.store.submissions_of(entrant).await?;
    let standings = app.store.standings().await?;
    let is_frozen = app.store.frozen().await?.is_some();
    let now = now();
    let today = app.config.day_of(now);
    let used = submissions.iter().filter(|submission| submission.received >= today).count();
    let left = (app.config.uploads.a_day as usize).saturating_sub(used);
    let own_deadline = app.store.own_deadline(entrant).await?;
    let is_closing = app.store.closing().await?.is_some();
    let may_choose = !is_frozen && !is_closing && !app.config.is_late(now, own_deadline);
    let queue = match active {
        Some(active) => Some(app.store.queue(active).await?),
        None => None,
    };
    let requests = app.store.requests(entrant, now).await?;
    let body = html! {
        @for (asking, name, _, other) in &requests {
            p.notice {
                @if *asking == entrant { "You have asked " (other) " for two unrated games." }
                @else { (name) " asks for two unrated games: " (unrated_with(*asking, "Play them")) }
            }
        }
        form.box method="post" action="/submissions" enctype="multipart/form-data" data-drop data-most=(app.config.uploads.mib) {
            label {
                span { "Hand in a program: a zip, or its one source file, of " (app.config.uploads.mib) " MiB at most. Drop it here, or choose it." }
                input type="file" name="program" required;
            }
            @if is_frozen { span { "The ladder is frozen: what you hand in now is checked and kept, but takes no place on it. When it goes on, you can let it play." } }
            @if let Some(own) = own_deadline { span { "Your own deadline: " strong { (app.config.shown(own)) } } }
            div { button { "Hand in" } " " span.soft { (left) " more today" } }
        }
        @if let (false, Some((before, playing))) = (is_frozen, queue) {
            p data-fresh="5000" {
                @if playing { "Your program is playing now: " a href="/live" { "live" } ". " }
                @else if before == 0 { "Your next game is the next one of the ladder, unless your program is paused. " }
                @else { "Your next game comes after those of " (counted(before, "program", "programs")) " of which less is known, unless your program is paused. " }
            }
        }
        h2 { "Versions of " (layout::player(entrant, &name)) }
        @if submissions.is_empty() { p { "Nothing yet." } } @else {
            (layout::table("Versions", &["#", "Handed in", "File", "State", "#Rating", "#Games", ""], &html! {
                @for submission in &submissions {
                    @let standing = standings.of(submission.id);
                    tr.mine[active == Some(submission.id)] {
                        td.figure { a href=(format!("/submissions/{}", submission.id)) { (submission.number) } }
                        td { (app.config.shown(submission.received)) @if submission.late == 1 { " " span.bad { "late" } } }
                        td.name { (submission.file_name) }
                        td { (state(submission)) @if active == Some(submission.id) { " " strong.good { "active" } } }
                        td.figure { @if standing.games > 0 { (format!("{:.0}", standing.rating)) } }
                        td.figure { (standing.games) }
                        td { @if may_choose && may_play(submission, active) {
                            (layout::button(&format!("/submissions/{}/activate", submission.id), "Let it play", &[]))
                        } }
                    }
                }
            }))
        }
    };
    layout::page(&app, &viewer, "My programs", &body).await
}

fn may_play(submission: &SubmissionRow, active: Option<i64>) -> bool {
    submission.state == "plays"
        && submission.late == 0
        && (active != Some(submission.id) || submission.paused.is_some())
}

pub(super) fn state(submission: &SubmissionRow) -> Markup {
    html! {
        @match submission.state.as_str() {
            "waiting" => "is being checked",
            "plays" => span.good { (submission.verdict) },
            "refused" => span.bad { (submission.verdict) },
            _ => span.bad { "withdrawn by the staff" },
        }
        @if let Some(why) = &submission.paused { "; " span.bad { (why) } }
    }
}

/// Shows a submission with the report of its check, which the script updates while it is written.
pub(super) async fn submission(
    viewer: Viewer,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Markup> {
    let submission = visible_submission(&app, &viewer, id).await?;
    let is_waiting = submission.state == "waiting";
    let active = app.store.entrant(submission.entrant).await?.and_then(|(_, active)| active);
    let is_spare = submission.state == "plays" && active.is_some_and(|active| active != id);
    let body = html! {
        p {
            "By " (layout::player(submission.entrant, &submission.name)) ", "
            (app.config.shown(submission.received)) ", " (submission.file_name) ", " (counted(submission.bytes, "byte", "bytes"))
            @if submission.late == 1 { ", " span.bad { "after the deadline" } }
        }
        p { strong { (state(&submission)) } }
        @if viewer.is_staff() {
            p {
                (layout::button(&format!("/staff/submissions/{id}/check"), "Check again", &[])) " "
                (layout::button(&format!("/staff/submissions/{id}/withdraw"), "Withdraw", &[])) " "
                @if submission.state == "plays" { (layout::button(&format!("/submissions/{id}/activate"), "Let it play", &[])) " " }
            }
        }
        p { a href=(format!("/submissions/{id}/upload")) { "Download" }
            @if is_spare && viewer.plays_for(submission.entrant) {
                " " (layout::button(&format!("/submissions/{id}/test"), "Two unrated games against the version that plays", &[]))
            }
        }
        h2 { "Report" }
        @if is_waiting {
            div data-fresh="1000" aria-live="polite" { pre tabindex="0" { (waiting_report(&app, id).await?) } }
            noscript { p { "Load this page again to see more." } }
        } @else {
            pre tabindex="0" { (submission.report) }
        }
        (super::remarks::remarks(&app, &viewer, id).await?)
        p.soft { "SHA-256 " (submission.digest) }
    };
    layout::page(&app, &viewer, &format!("Version {}", submission.number), &body).await
}

async fn waiting_report(app: &App, id: i64) -> Result<String> {
    Ok(match app.store.job_of(JobKind::Check, id).await? {
        Some((state, progress, ..)) if state == "leased" => progress,
        Some((_, _, note, attempts)) if attempts > 0 => {
            let why =
                if note.is_empty() { "a worker vanished" } else { note.trim_end_matches('.') };
            format!(
                "The check was interrupted by a fault of the machine, and will begin again: {why}.\n"
            )
        }
        _ => {
            let before = app.store.checks_before(id).await?;
            format!("Waiting; {} first.\n", counted(before, "check comes", "checks come"))
        }
    })
}

/// Answers with the state and the report, as far as it is written, for scripts.
pub(super) async fn report(
    viewer: Viewer,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Json<serde_json::Value>> {
    let submission = visible_submission(&app, &viewer, id).await?;
    let text = if submission.state == "waiting" {
        waiting_report(&app, id).await?
    } else {
        submission.report
    };
    Ok(Json(serde_json::json!({ "state": submission.state, "text": text })))
}

/// Lets a version play. Students choose among their own before the deadline, unless the ladder is
/// frozen.
pub(super) async fn activate(
    SignedIn(person, viewer): SignedIn,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Redirect> {
    let submission = visible_submission(&app, &viewer, id).await?;
    let now = now();
    if person.role != Role::Teacher {
        if !viewer.plays_for(submission.entrant) {
            return Err(Refusal::Forbidden("Only a teacher may do this.".into()));
        }
        if app.config.is_late(now, app.store.own_deadline(submission.entrant).await?)
            || submission.late == 1
        {
            return Err(Refusal::Bad("The deadline has passed.".into()));
        }
        if app.store.closing().await?.is_some() {
            return Err(Refusal::Bad(CLOSED.into()));
        }
        if app.store.frozen().await?.is_some() {
            return Err(Refusal::Bad("The ladder is frozen.".into()));
        }
    }
    if submission.state != "plays" {
        return Err(Refusal::Bad("This version does not play.".into()));
    }
    app.store.activate(id, Some(person.id), now).await?;
    Ok(Redirect::to(&format!("/submissions/{id}")))
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn names_of_files_are_plain_and_lead_nowhere() {
        for (sent, kept) in [
            ("hw.zip", "hw.zip"),
            ("../../etc/passwd", "passwd"),
            ("C:\\x\\homework.py", "homework.py"),
            ("..", "upload.."),
            ("", "upload"),
            (".bashrc", "upload.bashrc"),
            ("a\u{202e}b.py", "a%u{202e}b.py"),
            ("a\0b", "a%u{0}b"),
        ] {
            assert_eq!(file_name(sent), kept);
        }
        let long = file_name(&("x".repeat(300) + ".java"));
        assert!(long.len() == 80 && long.ends_with(".java"));
        let wide = file_name(&("\u{1f98a}".repeat(90) + ".py"));
        assert!((76..=80).contains(&wide.len()) && wide.ends_with("\u{1f98a}.py"), "{wide}");
    }
}
