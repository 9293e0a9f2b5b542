//! The page of a game: its end, the evidence of a fault for whoever was at fault, replay, analysis.

use super::access::{Refusal, Result, SignedIn, Viewer};
use super::app::{App, Shared};
use super::layout;
use crate::clock::now;
use crate::records::{first_line, lines_of, public_reason, record_of, text_of};
use crate::store::{AnalysisOrder, GameRow, GamesAsked, JobKind};
use anyhow::Context;
use arena::plain::counted;
use arena::record::{FaultRecord, Record};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::HeaderName;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Redirect, Response};
use futures_util::{StreamExt, stream};
use maud::{Markup, html};
use tokio::sync::{OwnedSemaphorePermit, SemaphorePermit};

/// The replay has script and style within its page, and reaches nothing of the league.
const REPLAY_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
                             form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts";

const ANALYSES_A_DAY: i64 = 20;

async fn visible(app: &App, viewer: &Viewer, id: i64) -> Result<GameRow> {
    if viewer.person.is_none() {
        return Err(Refusal::SignIn);
    }
    let game = app.store.game(id).await?.ok_or(Refusal::NotFound)?;
    let is_own = viewer.sees_all_of(game.first_entrant) || viewer.sees_all_of(game.second_entrant);
    if is_own || app.config.replays {
        Ok(game)
    } else {
        Err(Refusal::Forbidden("Only its players see this game.".into()))
    }
}

/// Returns a game that the viewer may see, and the record of its pair. Few records are used at the
/// same time: the turn lasts until the value is dropped.
async fn opened<'a>(
    app: &'a App,
    viewer: &Viewer,
    id: i64,
) -> Result<(GameRow, Record, (OwnedSemaphorePermit, SemaphorePermit<'a>))> {
    let game = visible(app, viewer, id).await?;
    let turn = (reading(app, viewer)?, app.records.acquire().await?);
    let record = record_for(app, viewer, &game).await?;
    Ok((game, record, turn))
}

fn reading(app: &App, viewer: &Viewer) -> Result<OwnedSemaphorePermit> {
    let person = viewer.person.as_ref().map_or(0, |person| person.id);
    let reading = app.reading.begin(person);
    reading.ok_or_else(|| Refusal::TooMany("Wait until your other pages have come.".into()))
}

/// Returns the record of a game's pair, without what programs of others said.
async fn record_for(app: &App, viewer: &Viewer, game: &GameRow) -> anyhow::Result<Record> {
    let mut record = record_of(&app.files, game.pair).await?;
    for played in record.games.values_mut() {
        // Versions of one player have their numbers in their names.
        let own_game = game.first_entrant == game.second_entrant;
        let sees = played.start.players.each_ref().map(|name| {
            let is_seen =
                |known, entrant| (own_game || name == known) && viewer.sees_all_of(entrant);
            is_seen(&game.first_name, game.first_entrant)
                || is_seen(&game.second_name, game.second_entrant)
        });
        for mv in &mut played.moves {
            if !sees[usize::from(mv.side != app.config.game.sides[0])] {
                mv.stdout.clear();
                mv.stderr.clear();
                // Score and depth are read from the standard error of the program.
                (mv.note, mv.score, mv.depth) = (None, None, None);
            }
        }
        if let Some(fault) = played.end.fault.as_mut().filter(|fault| !sees[fault.player]) {
            fault.stdout.clear();
            fault.stderr.clear();
            fault.output = None;
            played.end.reason =
                public_reason(app.config.game, fault.player, played.end.termination);
        }
    }
    Ok(record)
}

pub(super) async fn game(
    viewer: Viewer,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Markup> {
    let (game, record, _turn) = opened(&app, &viewer, id).await?;
    let number = u32::try_from(game.half)?;
    let end = &record.games.get(&number).context("a game without a record")?.end;
    let sides = app.config.game.sides;
    let analysis = match (&game.analysis, app.store.job_of(JobKind::Analysis, game.pair).await?) {
        (Some(text), _) => html! { pre tabindex="0" { (text) } },
        (None, Some((state, ..))) if state == "waiting" || state == "leased" => {
            html! { div data-fresh="2000" { p { "The game is being analysed." } } }
        }
        _ => html! {
            p { "What each move was worth, and the moves that decided the game: "
                (layout::button(&format!("/games/{id}/analyse"), "Analyse", &[])) }
        },
    };
    let player = |side: usize, entrant: i64, (name, number): (&str, i64), cpu: f64| {
        html! {
            (sides[side]) " " (layout::player(entrant, name)) (format!(" v{number} ({cpu:.2} s of CPU)"))
        }
    };
    let body = html! {
        p {
            (player(0, game.first_entrant, (&game.first_name, game.first_number), game.first_cpu)) " against "
            (player(1, game.second_entrant, (&game.second_name, game.second_number), game.second_cpu)) ", " (app.config.shown(game.ended))
            ", " (game.why) ", " (counted(game.plies, "move", "moves"))
        }
        p { strong { @match game.winner { None => "Draw", Some(0) => { (game.first_name) " wins" }, Some(_) => { (game.second_name) " wins" } } ": " (end.reason) } " (" (game.termination) ")" }
        iframe src=(format!("/games/{id}/replay#{number}")) title="Replay of the game" {}
        p { a href=(format!("/games/{id}/replay#{number}")) { "The replay on a page of its own" } ", "
            a href=(format!("/games/{id}/record.jsonl")) { "the record" } " for " code { "judge replay" } " and " code { "judge analyse" } }
        p.soft { "Seed " (game.seed) ": with both programs, in the order of game 1 of the record, "
            code { "judge match --seed " (game.seed) " --openings " (app.config.openings) " --games 2" } " plays the pair again." }
        @if let Some(fault) = end.fault.as_ref().filter(|fault| viewer.sees_all_of([game.first_entrant, game.second_entrant][fault.player])) {
            (evidence(fault, sides))
        }
        h2 { "Analysis" }
        (analysis)
    };
    layout::page(&app, &viewer, &format!("Game {id}"), &body).await
}

fn evidence(fault: &FaultRecord, sides: [&str; 2]) -> Markup {
    html! {
        details open {
            summary { "The fault of " (sides[fault.player]) (format!(", after {:.2} s of CPU and {:.2} s of wall time", fault.cpu, fault.wall)) }
            h2 { "input.txt" }
            pre tabindex="0" { (fault.input) }
            @if let Some(output) = &fault.output { h2 { "output.txt" } pre tabindex="0" { (output) } }
            @if !fault.stderr.trim().is_empty() { h2 { "Standard error" } pre tabindex="0" { (fault.stderr) } }
            h2 { "Board" }
            pre tabindex="0" { (fault.board) }
            p { "Legal moves (" (fault.legal_count) "): " (fault.legal.join("; ")) }
        }
    }
}

pub(super) async fn replay(
    viewer: Viewer,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Response> {
    let (game, record, _turn) = opened(&app, &viewer, id).await?;
    let number = u32::try_from(game.half)?;
    // A page with boards for each move takes a while to make.
    let page =
        tokio::task::spawn_blocking(move || pages::replay::page_of(&record, "league", &[number]))
            .await??;
    Ok(([(CONTENT_SECURITY_POLICY, REPLAY_POLICY)], Html(page)).into_response())
}

const JSON_LINES: (HeaderName, &str) = (CONTENT_TYPE, "application/jsonl; charset=utf-8");

pub(super) async fn record(
    viewer: Viewer,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Response> {
    let (_, record, _turn) = opened(&app, &viewer, id).await?;
    Ok(([JSON_LINES], text_of(record)?).into_response())
}

/// Answers with one record of all games of a player, for the player and the staff.
pub(super) async fn all_games(
    SignedIn(_, viewer): SignedIn,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Response> {
    if !viewer.sees_all_of(id) {
        return Err(Refusal::Forbidden("All games as one record are for their player.".into()));
    }
    let waits = reading(&app, &viewer)?;
    let mut games = app.store.games_of(id, GamesAsked::default(), i64::MAX).await?;
    games.retain(|game| game.half == 1);
    if games.is_empty() {
        return Err(Refusal::Bad("There are no games yet.".into()));
    }
    let pairs: Vec<i64> = games.iter().map(|game| game.pair).collect();
    let first = first_line(&app.files, &pairs).await?;
    // A pair at a time: all of them take more memory than a server has to have.
    let rest = stream::try_unfold((app, viewer, games, waits), |mut state| async move {
        let (app, viewer, games, _) = &mut state;
        let Some(game) = games.pop() else { return anyhow::Ok(None) };
        let turn = app.records.acquire().await?;
        let lines = lines_of(game.pair, record_for(app, viewer, &game).await?)?;
        drop(turn);
        Ok(Some((lines, state)))
    });
    let lines = stream::once(std::future::ready(Ok(first))).chain(rest);
    Ok(([JSON_LINES], Body::from_stream(lines)).into_response())
}

pub(super) async fn analyse(
    SignedIn(person, viewer): SignedIn,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Redirect> {
    let game = visible(&app, &viewer, id).await?;
    if game.analysis.is_none() {
        let now = now();
        let today = (app.config.day_of(now), ANALYSES_A_DAY);
        let why = match app.store.order_analysis(game.pair, person.id, today, now).await? {
            AnalysisOrder::Ordered => None,
            AnalysisOrder::TooManyOfPerson => Some(format!(
                "You have asked for {ANALYSES_A_DAY} analyses today; tomorrow you may ask for more."
            )),
            AnalysisOrder::TooManyWait => Some("Many analyses wait already; try later.".into()),
        };
        if let Some(why) = why {
            return Err(Refusal::TooMany(why));
        }
    }
    Ok(Redirect::to(&format!("/games/{id}")))
}
