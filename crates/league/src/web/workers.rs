//! Requests of workers on other machines. A worker reads the files of its work and, while it has
//! the lease, leaves its results.

use super::access::{Refusal, Result, bearer, failed, request_address};
use super::app::{App, Shared};
use crate::clock::now;
use crate::files::Stored;
use crate::worker::{JobMessage, JobSource, LEASE_HEADER, LeaseRequest, LocalJobs, RoomNote};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

pub(super) struct RemoteWorker(String);

impl FromRequestParts<Shared> for RemoteWorker {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<RemoteWorker> {
        let token = bearer(&parts.headers).ok_or(Refusal::SignIn)?;
        let label = app.store.worker(token, now()).await?.map(RemoteWorker);
        label.ok_or_else(|| failed(app, request_address(app, parts), token, Refusal::SignIn))
    }
}

pub(super) async fn settings(_: RemoteWorker, State(app): State<Shared>) -> String {
    app.settings.clone()
}

pub(super) async fn lease(
    worker: RemoteWorker,
    State(app): State<Shared>,
    Json(request): Json<LeaseRequest>,
) -> Result<Response> {
    let name = name_of(&worker, &request.worker);
    let lease = blocking(&app, move |jobs| jobs.lease(&name)).await?;
    Ok(match lease {
        Some(lease) => Json(lease).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

pub(super) async fn room(
    worker: RemoteWorker,
    State(app): State<Shared>,
    Json(note): Json<RoomNote>,
) -> Result<StatusCode> {
    let name = name_of(&worker, &note.worker);
    let why = note.why.map(|why| arena::plain::shown(&why).chars().take(300).collect::<String>());
    blocking(&app, move |jobs| jobs.note_room(&name, why.as_deref())).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn name_of(machine: &RemoteWorker, worker: &str) -> String {
    format!("{}/{worker}", machine.0)
        .chars()
        .filter(|&c| arena::plain::is_plain(c))
        .take(100)
        .collect()
}

/// Takes what a worker says of its job. Answers whether the lease is still held.
pub(super) async fn message(
    _: RemoteWorker,
    State(app): State<Shared>,
    Path(job): Path<i64>,
    headers: HeaderMap,
    Json(message): Json<JobMessage>,
) -> Result<Json<bool>> {
    let lease = (job, lease_token(&headers)?);
    Ok(Json(app.jobs.tell(lease, &message).await?))
}

/// Answers with a file that a worker needs: `uploads/DIGEST`, `programs/SUBMISSION` or
/// `records/PAIR`.
pub(super) async fn get(
    _: RemoteWorker,
    State(app): State<Shared>,
    Path((kind, name)): Path<(String, String)>,
) -> Result<Vec<u8>> {
    Ok(app.files.get(stored(&kind, &name)?).await?)
}

/// Keeps a file that a worker has made: the program of the submission that it checks, or the record
/// of its pair.
pub(super) async fn put(
    _: RemoteWorker,
    State(app): State<Shared>,
    Path((job, kind, name)): Path<(i64, String, String)>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<()> {
    let file = stored(&kind, &name)?;
    let work = app.store.leased(job, lease_token(&headers)?).await?;
    let is_own = match (file, work) {
        (Stored::Program(submission), Some((kind, subject))) => {
            kind == "check" && subject == submission
        }
        (Stored::Record(pair), Some((kind, subject))) => kind != "check" && subject == pair,
        _ => false,
    };
    if !is_own {
        return Err(Refusal::Forbidden("This lease has ended, or is one of other work.".into()));
    }
    app.files.put(file, bytes.to_vec()).await?;
    Ok(())
}

fn stored<'a>(kind: &str, name: &'a str) -> Result<Stored<'a>> {
    let number = || name.parse().map_err(|_| Refusal::NotFound);
    match kind {
        "uploads" if name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            Ok(Stored::Upload(name))
        }
        "programs" => Ok(Stored::Program(number()?)),
        "records" => Ok(Stored::Record(number()?)),
        _ => Err(Refusal::NotFound),
    }
}

fn lease_token(headers: &HeaderMap) -> Result<&str> {
    let token = headers.get(LEASE_HEADER).and_then(|token| token.to_str().ok());
    token.ok_or_else(|| Refusal::Bad(format!("Expected the header {LEASE_HEADER}.")))
}

async fn blocking<T: Send + 'static>(
    app: &App,
    ask: impl FnOnce(&LocalJobs) -> anyhow::Result<T> + Send + 'static,
) -> Result<T> {
    let jobs = app.jobs.clone();
    Ok(tokio::task::spawn_blocking(move || ask(&jobs)).await??)
}
