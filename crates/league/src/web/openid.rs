//! Signing in by OpenID Connect: to the provider and back.

use super::access::{ClientAddress, Refusal, SignInAttempt, cookie_named, set_cookie};
use super::account::signed_in;
use super::app::Shared;
use crate::openid::{Failure, OpenId, SIGN_IN_TIME};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::http::header::{REFERRER_POLICY, SET_COOKIE};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use serde::Deserialize;
use std::sync::Arc;

/// The cookie that binds a sign-in to its browser, and the path below which it is sent.
const COOKIE: [&str; 2] = ["league-openid", "/openid"];

/// Sends a browser to the provider.
pub(super) async fn start(
    ClientAddress(address): ClientAddress,
    State(app): State<Shared>,
) -> Result<Response, Refusal> {
    let start = match ask(&app, move |openid| openid.begin(address)).await? {
        Ok(start) => start,
        // It was the account server's fault, or that of the settings.
        Err(failure) => return Err(refusal(failure)),
    };
    let cookie = set_cookie(COOKIE, &start.secret, SIGN_IN_TIME / 1000, app.proxy.behind);
    Ok(([(SET_COOKIE, cookie)], Redirect::to(&start.address)).into_response())
}

/// What a browser brings from the provider.
#[derive(Deserialize)]
pub(super) struct Answer {
    state: Option<String>,
    code: Option<String>,
    error: Option<String>,
    error_description: Option<String>,
}

/// Signs in whom the provider names, if they are on the roster.
pub(super) async fn answer(
    attempt: SignInAttempt,
    State(app): State<Shared>,
    Query(answer): Query<Answer>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let secret = cookie_named(&headers, COOKIE[0]).unwrap_or_default().to_string();
    let state = answer.state.unwrap_or_default();
    let words = [answer.error.clone(), answer.error_description].into_iter().flatten().collect::<Vec<_>>().join(": ");
    let code = match answer.code {
        Some(code) if answer.error.is_none() => Ok(code),
        _ => Err(words),
    };
    let brought = secret.clone();
    let login = match ask(&app, move |openid| openid.finish(&secret, &state, code)).await? {
        Ok(login) => login,
        Err(failure) => return Err(attempt.refused(&app, &brought, refusal(failure))),
    };
    let Some(person) = app.store.person_by_login(&login).await? else {
        let why = format!(
            "Your account is '{}', which is not on the roster of this league. Ask your teacher to add it, or for a one-time link.",
            arena::plain::shown(&login)
        );
        return Err(attempt.refused(&app, &brought, Refusal::NotOnRoster(why)));
    };
    let session = signed_in(&app, &person).await?;
    let cookies = [(SET_COOKIE, session), (SET_COOKIE, set_cookie(COOKIE, "", 0, app.proxy.behind))];
    Ok(([(REFERRER_POLICY, "no-referrer")], AppendHeaders(cookies), Redirect::to("/")).into_response())
}

/// Asks the provider, on a thread that may wait. There is no such page in a league without one.
async fn ask<T: Send + 'static>(
    app: &Shared,
    ask: impl FnOnce(&OpenId) -> Result<T, Failure> + Send + 'static,
) -> Result<Result<T, Failure>, Refusal> {
    let openid = Arc::clone(app.openid.as_ref().ok_or(Refusal::NotFound)?);
    let _permit = app.asking.acquire().await?;
    Ok(tokio::task::spawn_blocking(move || ask(&openid)).await?)
}

/// Says why a sign-in fails, and what to do.
fn refusal(failure: Failure) -> Refusal {
    match failure {
        Failure::NotBegun => Refusal::Bad(
            "This sign-in was not begun in this browser, took more than ten minutes, or has ended already. Begin again."
                .to_string(),
        ),
        Failure::Refused(words) => {
            let words: String = arena::plain::shown(&words).chars().take(300).collect();
            Refusal::Bad(format!("The account server did not sign you in: {words}"))
        }
        Failure::NoLogin(why) => Refusal::NotOnRoster(format!("{} Ask your teacher for a one-time link.", arena::plain::shown(&why))),
        Failure::Provider(error) => Refusal::Elsewhere(error),
    }
}
