//! Access: the person or worker behind a request, and whether the request is allowed.

use super::app::{App, SIGN_IN, Shared};
use super::document::plain_page;
use crate::clock::now;
use crate::connections::client_address;
use crate::disk::is_of_full_disk;
use crate::store::{CredentialKind, GameRow, LadderRow, Person, Role, SubmissionRow};
use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_server::hosts::{Hosts, Sender};
use maud::{Markup, html};
use std::borrow::Cow;
use std::net::{IpAddr, SocketAddr};

const COOKIE_NAME: &str = "league";
/// What a request gets.
pub(super) type Result<T, E = Refusal> = std::result::Result<T, E>;

/// Why a request is refused.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// There is no such thing, or nobody may know that there is.
    NotFound,
    /// Nobody has signed in.
    SignIn,
    /// Somebody has signed in who may not do this.
    Forbidden(Cow<'static, str>),
    /// The request is wrong, or comes at the wrong time; the reason for people.
    Bad(String),
    TooMany(String),
    /// A body came too slowly.
    Slow,
    Failed(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Refusal {
    fn from(error: E) -> Refusal {
        Refusal::Failed(error.into())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let signs_in = matches!(self, Refusal::SignIn);
        if let Refusal::Failed(error) = &self {
            eprintln!("a request failed: {error:#}");
        }
        let (status, title, text) = match self {
            Refusal::NotFound => (StatusCode::NOT_FOUND, "Not found", "There is no such page.".to_string()),
            Refusal::SignIn => (
                StatusCode::UNAUTHORIZED,
                "Please sign in",
                "Open the link that your teacher gave you. It works once; ask for a new one if it was used.".to_string(),
            ),
            Refusal::Forbidden(why) => (StatusCode::FORBIDDEN, "Not allowed", why.into_owned()),
            Refusal::Bad(why) => (StatusCode::UNPROCESSABLE_ENTITY, "This did not work", why),
            Refusal::TooMany(why) => (StatusCode::TOO_MANY_REQUESTS, "Too many", why),
            Refusal::Slow => (
                StatusCode::REQUEST_TIMEOUT,
                "Too slow",
                "This came too slowly, and was not taken.".to_string(),
            ),
            Refusal::Failed(error) if is_of_full_disk(&error) => (
                StatusCode::INSUFFICIENT_STORAGE,
                "The disk is full",
                "The disk of the league is full, and this was not kept. Try again when the staff has made room.".to_string(),
            ),
            Refusal::Failed(_) => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "The server failed",
                "Nothing that was confirmed is lost; try again.".to_string(),
            ),
        };
        let mut response = (status, alert(title, &text)).into_response();
        if signs_in {
            response.extensions_mut().insert(SignsIn);
        }
        response
    }
}

fn alert(title: &str, text: &str) -> Markup {
    plain_page(title, &html! { p role="alert" { (text) } })
}

/// Marks an answer that asks to sign in: [`guard`] adds the link for the school's accounts.
#[derive(Clone)]
struct SignsIn;

/// The sender of a request: a person who has signed in, or nobody.
#[derive(Clone, Debug)]
pub(crate) struct Viewer {
    pub person: Option<Person>,
    /// Whether a script asks, with a token.
    pub by_script: bool,
}

impl Viewer {
    /// Returns whether everything is shown.
    pub(crate) fn is_staff(&self) -> bool {
        self.person.as_ref().is_some_and(Person::is_staff)
    }

    /// Refuses people who have not signed in, unless the ladder is public.
    pub(crate) fn check_ladder(&self, app: &App) -> Result<()> {
        let sees = app.config.public_ladder || self.person.is_some();
        sees.then_some(()).ok_or(Refusal::SignIn)
    }

    pub(crate) fn sees_names(&self, app: &App) -> bool {
        self.person.is_some() || !app.config.pseudonyms
    }

    /// Returns the name of a player as the viewer sees it.
    pub(crate) fn name(&self, app: &App, entrant: i64, name: &str) -> String {
        let is_baseline = app.config.baselines.iter().any(|baseline| baseline.name == name);
        if self.sees_names(app) || is_baseline {
            return name.to_string();
        }
        format!("Player {entrant}")
    }

    /// Returns games with the names that the viewer sees.
    pub(crate) fn renamed(&self, app: &App, mut games: Vec<GameRow>) -> Vec<GameRow> {
        for game in &mut games {
            game.first_name = self.name(app, game.first_entrant, &game.first_name);
            game.second_name = self.name(app, game.second_entrant, &game.second_name);
        }
        games
    }

    /// Returns the ladder with the names that the viewer sees.
    pub(crate) async fn ladder(&self, app: &App) -> Result<Vec<LadderRow>> {
        let mut rows = app.store.ladder().await?;
        for row in &mut rows {
            row.name = self.name(app, row.entrant, &row.name);
        }
        Ok(rows)
    }

    pub(crate) fn is_teacher(&self) -> bool {
        self.person.as_ref().is_some_and(|person| person.role == Role::Teacher)
    }

    pub(crate) fn plays_for(&self, entrant: i64) -> bool {
        self.person.as_ref().is_some_and(|person| person.entrant == Some(entrant))
    }

    /// Returns whether the viewer sees what only an entrant and the staff see.
    pub(crate) fn sees_all_of(&self, entrant: i64) -> bool {
        self.is_staff() || self.plays_for(entrant)
    }
}

impl FromRequestParts<Shared> for Viewer {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Viewer> {
        let now = now();
        let (kind, secret) = match (bearer(&parts.headers), cookie(&parts.headers)) {
            (Some(token), _) => (CredentialKind::Token, token),
            (None, Some(session)) => (CredentialKind::Session, session),
            (None, None) => return Ok(Viewer { person: None, by_script: false }),
        };
        let person = app.store.bearer(kind, secret, now).await?;
        if person.is_none() {
            let refusal = failed(app, request_address(app, parts), secret, Refusal::SignIn);
            if kind == CredentialKind::Token || matches!(refusal, Refusal::TooMany(_)) {
                return Err(refusal);
            }
        }
        Ok(Viewer { person, by_script: kind == CredentialKind::Token })
    }
}

pub(crate) struct SignedIn(pub Person, pub Viewer);

impl FromRequestParts<Shared> for SignedIn {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<SignedIn> {
        let viewer = Viewer::from_request_parts(parts, app).await?;
        let person = viewer.person.clone().ok_or(Refusal::SignIn)?;
        Ok(SignedIn(person, viewer))
    }
}

/// A member of the staff, who sees everything.
pub(crate) struct Staff(pub Viewer);

impl FromRequestParts<Shared> for Staff {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Staff> {
        let SignedIn(person, viewer) = SignedIn::from_request_parts(parts, app).await?;
        let why = "This page is for the staff of the course.";
        person.is_staff().then_some(Staff(viewer)).ok_or(Refusal::Forbidden(why.into()))
    }
}

pub(super) struct ClientAddress(pub IpAddr);

impl FromRequestParts<Shared> for ClientAddress {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<ClientAddress> {
        Ok(ClientAddress(request_address(app, parts)))
    }
}

/// A teacher, who changes everything.
pub(crate) struct Teacher(pub Person);

impl FromRequestParts<Shared> for Teacher {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Teacher> {
        let SignedIn(person, _) = SignedIn::from_request_parts(parts, app).await?;
        match person.role {
            Role::Teacher => Ok(Teacher(person)),
            _ => Err(Refusal::Forbidden("Only a teacher may do this.".into())),
        }
    }
}

/// Counts a secret that is not good, and returns why it is refused: as given, or because there were
/// too many.
pub(super) fn failed(app: &App, address: IpAddr, secret: &str, why: Refusal) -> Refusal {
    if app.attempts.are_too_many(address, secret, now()) {
        return Refusal::TooMany("Too many failed attempts to sign in; wait a minute.".into());
    }
    why
}

/// Returns the token of a script.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ").map(str::trim)
}

/// Returns the header that sets the session's cookie for some seconds.
pub(super) fn set_cookie(app: &App, session: &str, seconds: i64) -> String {
    let secure = if app.behind_proxy { "; Secure" } else { "" };
    format!("{COOKIE_NAME}={session}; HttpOnly; SameSite=Lax; Path=/; Max-Age={seconds}{secure}")
}

/// Returns the secret of the session's cookie.
pub(super) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let texts = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies =
        texts.flat_map(|text| text.split(';')).filter_map(|one| one.trim().split_once('='));
    cookies.find(|(name, _)| *name == COOKIE_NAME).map(|(_, value)| value)
}

pub(super) fn request_address(app: &App, parts: &Parts) -> IpAddr {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(SocketAddr::from(([0, 0, 0, 0], 0)), |info| info.0);
    client_address(app.behind_proxy, &parts.headers, peer)
}

/// Refuses requests for other hosts, and requests from pages of other servers that would change
/// something.
pub(super) async fn guard(State(app): State<Shared>, request: Request, next: Next) -> Response {
    if let Some(reason) = app.hosts.foreign_host(&request) {
        return Refusal::Bad(reason).into_response();
    }
    let headers = request.headers();
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    // A page of another server cannot set this header.
    let by_script = bearer(headers).is_some() && cookie(headers).is_none();
    if changes && !by_script && !is_from_here(&app.hosts, &request) {
        return Refusal::Forbidden("This form was not sent from a page of this server.".into())
            .into_response();
    }
    let mut response = next.run(request).await;
    // The words of the framework are for programmers.
    let is_text = |kind| kind == "text/plain; charset=utf-8";
    if response.status().is_client_error()
        && response.headers().get(CONTENT_TYPE).is_some_and(is_text)
    {
        let why = "The form or the address is wrong, or too long. Go back, and try again.";
        response = (response.status(), alert("This did not work", why)).into_response();
    }
    if let (Some(SignsIn), Some(proxy)) = (response.extensions().get(), &app.config.proxy_sign_in) {
        let body = html! {
            p { a href=(SIGN_IN) { (proxy.button) } }
            p role="alert" { "You may as well open the link that your teacher gave you. It works once." }
        };
        response = (StatusCode::UNAUTHORIZED, plain_page("Please sign in", &body)).into_response();
    }
    response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Browsers that do not say where a form comes from are not believed.
fn is_from_here(hosts: &Hosts, request: &Request) -> bool {
    match request.headers().get("sec-fetch-site") {
        Some(site) => site == "same-origin",
        None => hosts.sender(request) == Sender::Own,
    }
}

pub(super) async fn no_such_page() -> Refusal {
    Refusal::NotFound
}

/// Returns a submission that the viewer may see.
pub(super) async fn visible_submission(
    app: &App,
    viewer: &Viewer,
    id: i64,
) -> Result<SubmissionRow> {
    let submission = app.store.submission(id).await?;
    if viewer.person.is_none() {
        return Err(Refusal::SignIn);
    }
    // Others do not learn whether there is such a submission.
    submission.filter(|submission| viewer.sees_all_of(submission.entrant)).ok_or(Refusal::NotFound)
}
