//! The shared parts of pages: frame, navigation, style, script.

use super::access::{Result, Viewer};
use super::app::{App, SIGN_IN};
use super::document::document;
use crate::store::Setting;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, HOST};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use pages::markup::{self, STYLE};

pub(super) async fn style() -> impl IntoResponse {
    (
        [(CONTENT_TYPE, "text/css; charset=utf-8"), (CACHE_CONTROL, "max-age=600")],
        [STYLE, include_str!("league.css")].concat(),
    )
}

pub(super) async fn script() -> impl IntoResponse {
    (
        [(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "max-age=600")],
        include_str!("league.js"),
    )
}

pub(super) async fn page(app: &App, viewer: &Viewer, title: &str, body: &Markup) -> Result<Markup> {
    let message = app.store.setting(Setting::Message).await?;
    let frozen = app.store.frozen().await?;
    let closing = app.store.closing().await?;
    let person = viewer.person.as_ref();
    let own = match person.and_then(|person| person.entrant) {
        Some(entrant) => app.store.own_deadline(entrant).await?,
        None => None,
    };
    let league_s = app.config.deadline_with(None);
    let own = app.config.deadline_with(own).filter(|&until| Some(until) != league_s);
    Ok(document(
        &format!("{title} - {}", app.config.title),
        &html! {
            header {
                a.title href="/" { (app.config.title) }
                nav aria-label="Pages" {
                    a href="/" { "Ladder" }
                    a href="/live" { "Live" }
                    a href="/rules" { "Rules" }
                    @if person.is_some_and(|person| person.entrant.is_some()) { a href="/mine" { "My programs" } }
                    @if viewer.is_staff() { a href="/staff" { "Staff" } }
                    @if let Some(person) = person { a href="/account" { (person.name) } }
                    @else if let Some(proxy) = &app.config.proxy_sign_in { a href=(SIGN_IN) { (proxy.button) } }
                }
            }
            main {
                @if let Some(text) = message { p.notice { (text) } }
                @if let Some(since) = closing {
                    p.notice {
                        "Uploads and choices have been closed since " (app.config.shown(since))
                        ". Games go on until each rating is within ± " (app.config.ladder.within) ", then places stand."
                    }
                }
                @if let Some(since) = frozen {
                    p.notice { "The ladder has been frozen since " (app.config.shown(since)) "." }
                }
                h1 { (title) }
                (body)
            }
            footer {
                (app.config.game.title) ", rules: " (app.config.rules)
                @if let Some(own) = own { ", hand in until " (app.config.shown(own)) " (your own deadline)" }
                @else if let Some(deadline) = &app.config.deadline {
                    ", hand in until " (deadline.strftime("%Y-%m-%d %H:%M %Z").to_string())
                }
            }
        },
    ))
}

pub(super) fn player(entrant: i64, name: &str) -> Markup {
    html! { a href=(format!("/players/{entrant}")) { (name) } }
}

pub(super) fn game(id: i64) -> Markup {
    html! { a href=(format!("/games/{id}")) { (id) } }
}

/// Returns a file to be saved, which is no page.
pub(super) fn attachment(kind: &str, name: &str, bytes: impl IntoResponse) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(CONTENT_TYPE, kind.to_string()), (CONTENT_DISPOSITION, disposition)], bytes).into_response()
}

/// Returns the address of the league: that of its settings, or the one under which it was asked.
pub(super) fn address_of(app: &App, headers: &HeaderMap) -> String {
    let asked = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("127.0.0.1");
    app.config
        .address
        .as_ref()
        .map_or_else(|| format!("http://{asked}"), |(address, _)| address.clone())
}

pub(super) fn button(action: &str, label: &str, fields: &[(&str, &str)]) -> Markup {
    html! {
        form.inline method="post" action=(action) {
            @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
            button { (label) }
        }
    }
}

/// Returns a table. Headings of numbers begin with `#`; a column of buttons has none.
pub(super) fn table(label: &str, headings: &[&str], rows: &Markup) -> Markup {
    let headings = headings.iter().map(|heading| match heading.strip_prefix('#') {
        Some("") => ("#", "figure"),
        Some(number) => (number, "figure"),
        None => (*heading, ""),
    });
    markup::table(label, &headings.collect::<Vec<_>>(), rows)
}
