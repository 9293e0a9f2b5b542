//! Signing in and out, and the tokens of scripts.

use super::access::{ClientAddress, Refusal, Result, SignedIn, cookie, failed, set_cookie};
use super::app::{App, Shared};
use super::document::plain_page;
use super::layout;
use crate::clock::{DAY, now};
use crate::secret::hash;
use crate::store::{CredentialKind, News};
use arena::plain::shown;
use axum::Form;
use axum::extract::{ConnectInfo, Path, State};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_TYPE, REFERRER_POLICY, SET_COOKIE};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use std::net::SocketAddr;

const SESSION_DAYS: i64 = 120;
const TOKEN_DAYS: i64 = 365;
const MOST_NEWS: i64 = 50;
const MOST_TOKENS: usize = 20;

const USED: &str = "This link was used, or has expired. If this browser has signed in, go on to the ladder; otherwise ask your teacher for a new one.";

/// Asks whoever opens a one-time link to sign in. Programs that look at links in messages do not
/// use it up.
pub(super) async fn enter_page(
    ClientAddress(address): ClientAddress,
    State(app): State<Shared>,
    Path(link): Path<String>,
) -> Result<Response> {
    if app.store.bearer(CredentialKind::Link, &link, now()).await?.is_none() {
        return Err(failed(&app, address, &link, Refusal::Bad(USED.into())));
    }
    let page = plain_page(
        "Sign in",
        &html! {
            p { "This link signs you in once, in this browser, for " (SESSION_DAYS) " days." }
            form method="post" action=(format!("/enter/{link}")) { button { "Sign in" } }
        },
    );
    Ok(([(REFERRER_POLICY, "no-referrer")], page).into_response())
}

pub(super) async fn enter(
    ClientAddress(address): ClientAddress,
    State(app): State<Shared>,
    Path(link): Path<String>,
) -> Result<Response> {
    let now = now();
    let Some(session) = app.store.redeem_link(&link, now, now + SESSION_DAYS * DAY).await? else {
        return Err(failed(&app, address, &link, Refusal::Bad(USED.into())));
    };
    Ok(begun(&app, &session))
}

fn begun(app: &App, session: &str) -> Response {
    let cookie = set_cookie(app, session, SESSION_DAYS * DAY / 1000);
    ([(SET_COOKIE, cookie)], Redirect::to("/")).into_response()
}

/// Signs in whom the trusted proxy names. No other page looks at the proxy's header.
pub(super) async fn sign_in(
    State(app): State<Shared>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Result<Response> {
    let proxy = app.config.proxy_sign_in.as_ref().ok_or(Refusal::NotFound)?;
    let login = match proxy.names(&headers, peer.ip())[..] {
        [name] => Ok(String::from_utf8_lossy(name.as_bytes())),
        [] => Err(
            "The school's sign-in did not say who you are. Your teacher can give you a one-time link.",
        ),
        _ => Err(
            "This request names more than one person, and signs in nobody: your browser sends a header that only the school's sign-in may send.",
        ),
    };
    let login = login.map_err(|why| Refusal::Forbidden(why.into()))?;
    let person = app.store.person_by_login(&login).await?.ok_or_else(|| {
        let login = shown(&login);
        let why = format!(
            "Your account is '{login}', which is not on the roster of this league. Ask your teacher to add it, or for a one-time link."
        );
        Refusal::Forbidden(why.into())
    })?;
    let now = now();
    let session = app.store.new_session(person.id, now, now + SESSION_DAYS * DAY).await?;
    Ok(begun(&app, &session))
}

pub(super) async fn leave(State(app): State<Shared>, headers: HeaderMap) -> Result<Response> {
    if let Some(session) = cookie(&headers) {
        app.store.forget_secret(session).await?;
    }
    Ok(([(SET_COOKIE, set_cookie(&app, "", 0))], Redirect::to("/")).into_response())
}

pub(super) async fn account(
    SignedIn(person, viewer): SignedIn,
    State(app): State<Shared>,
) -> Result<Markup> {
    let tokens = app.store.tokens(person.id).await?;
    let rows = html! {
        @for (label, created) in &tokens {
            tr { td.name { (label) } td { (app.config.shown(*created)) }
                td { (layout::button("/account/tokens/end", "End", &[("label", label)])) } }
        }
    };
    let body = html! {
        p { "Login " strong { (person.login) } ", " (person.role.word()) ". " (layout::button("/leave", "Sign out", &[])) }
        h2 { "Tokens" }
        p { "A script hands in with a token: " code { "curl -F program=@hw.zip -H 'Authorization: Bearer TOKEN' ADDRESS/submissions" }
            ". A feed reader shows your news: checks, remarks, requests, and games that were asked for." }
        @if !tokens.is_empty() { (layout::table("Tokens", &["Name", "Made", ""], &rows)) }
        form.box method="post" action="/account/tokens" {
            label { "Name of a new token" input name="label" required maxlength="60"; }
            label.check { input type="checkbox" name="feed" value="yes"; span { "For a feed reader: it reads news, and nothing else" } }
            div { button { "Make a token" } }
        }
    };
    layout::page(&app, &viewer, "Account", &body).await
}

#[derive(Deserialize)]
pub(super) struct TokenForm {
    label: String,
    feed: Option<String>,
}

pub(super) async fn new_token(
    SignedIn(person, viewer): SignedIn,
    State(app): State<Shared>,
    headers: HeaderMap,
    Form(form): Form<TokenForm>,
) -> Result<Markup> {
    if viewer.by_script {
        return Err(Refusal::Forbidden("A token makes no tokens: sign in with a browser.".into()));
    }
    let label: String = shown(form.label.trim()).chars().take(60).collect();
    if label.is_empty() {
        return Err(Refusal::Bad("Give the token a name.".into()));
    }
    if app.store.tokens(person.id).await?.len() >= MOST_TOKENS {
        return Err(Refusal::TooMany(format!(
            "There are {MOST_TOKENS} tokens already; end one first."
        )));
    }
    let now = now();
    let times = (now, now + TOKEN_DAYS * DAY);
    let (kind, before) = match form.feed {
        Some(_) => (CredentialKind::Feed, layout::address_of(&app, &headers) + "/feed/"),
        None => (CredentialKind::Token, String::new()),
    };
    let token = app.store.new_credential(kind, Some(person.id), &label, times).await?;
    let body = html! {
        p { "The token " strong { (label) } ", which is shown this once:" }
        pre { (before) (token) }
        p { a href="/account" { "Back" } }
    };
    layout::page(&app, &viewer, "New token", &body).await
}

pub(super) async fn end_token(
    SignedIn(person, _): SignedIn,
    State(app): State<Shared>,
    Form(form): Form<TokenForm>,
) -> Result<Redirect> {
    app.store.forget_tokens(person.id, &form.label).await?;
    Ok(Redirect::to("/account"))
}

/// Answers with the news of a person as an Atom feed (RFC 4287).
pub(super) async fn feed(
    ClientAddress(address): ClientAddress,
    State(app): State<Shared>,
    headers: HeaderMap,
    Path(secret): Path<String>,
) -> Result<Response> {
    let now = now();
    let person = app.store.bearer(CredentialKind::Feed, &secret, now).await?;
    let person = person.ok_or_else(|| failed(&app, address, &secret, Refusal::NotFound))?;
    let news = app.store.news(&person, MOST_NEWS).await?;
    let address = layout::address_of(&app, &headers);
    let time = |at| jiff::Timestamp::from_millisecond(at).unwrap_or_default().to_string();
    // In XML every element has an end.
    let feed = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"))
        feed xmlns="http://www.w3.org/2005/Atom" {
            title { (shown(&app.config.title)) }
            id { (address) "/account#" (person.id) }
            link href=(address) {}
            updated { (time(news.first().map_or(now, |one| one.at))) }
            author { name { (shown(&app.config.title)) } }
            @for News { at, page, text } in &news {
                entry {
                    title { (shown(text)) }
                    id { (address) (page) "#" (&hash(format!("{at} {text}"))[..16]) }
                    link href=(format!("{address}{page}")) {}
                    updated { (time(*at)) }
                }
            }
        }
    };
    Ok(([(CONTENT_TYPE, "application/atom+xml; charset=utf-8")], feed.0).into_response())
}
