//! The web server of a league: pages for people, and the same routes for scripts with a token. A
//! handler that needs the sender of a request takes a type of [`access`].

mod access;
mod account;
mod app;
mod attempts;
mod document;
mod games;
mod ladder;
mod layout;
mod live;
mod metrics;
mod pace;
mod places;
mod players;
mod queue;
mod remarks;
mod rules;
mod staff;
mod submissions;
mod svg;
mod workers;

pub(crate) use app::App;
pub(crate) use metrics::serve_metrics;

use app::{FORM_BYTES, Shared};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post, put};
use std::sync::Arc;
use std::time::Duration;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;

const MESSAGE_BYTES: usize = 1 << 20;
const WORKER_FILE_BYTES: usize = 512 << 20;
const REQUEST_TIME: Duration = Duration::from_secs(120);

/// Replays cost CPU time, which players on the same machine need.
pub(crate) const RECORDS: usize = 2;

/// Pages load nothing but style and script of this server, and are shown in no frame of others.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
                      frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'";

pub(crate) fn routes(app: Shared) -> Router {
    let upload_bytes =
        usize::try_from(app.config.uploads.mib << 20).unwrap_or(usize::MAX) + FORM_BYTES;
    Router::new()
        .route("/", get(ladder::ladder))
        .route("/ladder.csv", get(ladder::csv))
        .route("/table", get(ladder::each_against_each))
        .route("/rules", get(rules::rules))
        .route("/rules/{file}", get(rules::starter))
        .route("/enter/{link}", get(account::enter_page).post(account::enter))
        .route(app::SIGN_IN, get(account::sign_in))
        .route("/leave", post(account::leave))
        .route("/account", get(account::account))
        .route("/feed/{secret}", get(account::feed))
        .route("/account/tokens", post(account::new_token))
        .route("/account/tokens/end", post(account::end_token))
        .route("/mine", get(submissions::mine))
        .route(
            "/submissions",
            post(submissions::hand_in).layer(DefaultBodyLimit::max(upload_bytes)),
        )
        .route("/submissions/{id}", get(submissions::submission))
        .route("/submissions/{id}/report.json", get(submissions::report))
        .route("/submissions/{id}/activate", post(submissions::activate))
        .route("/submissions/{id}/upload", get(staff::download))
        .route("/submissions/{id}/test", post(players::test_games))
        .route("/submissions/{id}/remarks", post(remarks::write))
        .route("/players/{id}", get(players::player))
        .route("/players/{id}/games.json", get(players::games_json))
        .route("/players/{id}/record.jsonl", get(games::all_games))
        .route("/challenges", post(players::challenge))
        .route("/games/{id}", get(games::game))
        .route("/games/{id}/replay", get(games::replay))
        .route("/games/{id}/record.jsonl", get(games::record))
        .route("/games/{id}/analyse", post(games::analyse))
        .route("/live", get(live::live))
        .route("/live/{job}", get(live::board))
        .route("/final", get(staff::final_table))
        .route("/staff", get(staff::overview))
        .route("/staff/audit", get(staff::audit))
        .route("/staff/export", get(staff::export))
        .route("/staff/freeze", post(staff::freeze))
        .route("/staff/message", post(staff::message))
        .route("/staff/final", post(staff::order_final))
        .route("/staff/final/reset", post(staff::reset_final))
        .route("/staff/links", post(staff::new_link))
        .route("/staff/jobs", get(queue::jobs))
        .route("/staff/jobs/{id}/cancel", post(queue::cancel))
        .route("/staff/check-all", post(queue::check_all))
        .route("/staff/players/{id}/deadline", post(staff::own_deadline))
        .route("/staff/submissions/{id}/withdraw", post(staff::withdraw))
        .route("/staff/submissions/{id}/check", post(staff::check_again))
        .route("/worker/settings", get(workers::settings))
        .route("/worker/lease", post(workers::lease))
        .route("/worker/room", post(workers::room))
        .route(
            "/worker/jobs/{job}",
            post(workers::message).layer(DefaultBodyLimit::max(MESSAGE_BYTES)),
        )
        .route(
            "/worker/jobs/{job}/{kind}/{name}",
            put(workers::put).layer(DefaultBodyLimit::max(WORKER_FILE_BYTES)),
        )
        .route("/worker/files/{kind}/{name}", get(workers::get))
        .route("/static/league.css", get(layout::style))
        .route("/static/league.js", get(layout::script))
        // Browsers ask for it.
        .route("/favicon.ico", get(|| async { axum::http::StatusCode::NO_CONTENT }))
        .route("/healthz", get(|| async { "ok\n" }))
        .layer(TimeoutLayer::with_status_code(
            axum::http::StatusCode::REQUEST_TIMEOUT,
            REQUEST_TIME,
        ))
        .layer(CompressionLayer::new())
        .fallback(access::no_such_page)
        .layer(DefaultBodyLimit::max(FORM_BYTES))
        .layer(from_fn_with_state(Arc::clone(&app), pace::keep_pace))
        .layer(from_fn_with_state(Arc::clone(&app), access::guard))
        .layer(from_fn(headers))
        .with_state(app)
}

/// Adds the headers that every answer has, where the handler has not set them.
async fn headers(
    request: axum::extract::Request,
    next: axum::middleware::Next,
) -> axum::response::Response {
    let mut response = next.run(request).await;
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "same-origin"),
    ] {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
