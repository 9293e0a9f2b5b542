//! The page of a game: how it ended and why, the evidence of a fault for whoever was at fault, the
//! replay, the analysis.

use super::access::{Refusal, SignedIn, Viewer};
use super::app::{App, Shared};
use super::busy::Doing;
use super::layout;
use crate::clock::now;
use crate::files::Stored;
use crate::store::{AnalysisOrder, GameRow, JobKind};
use anyhow::Context;
use arena::plain::counted;
use arena::record::{FaultRecord, Record};
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Redirect, Response};
use maud::{Markup, html};
use tokio::sync::SemaphorePermit;

/// The replay has script and style within its page, and is as a page of nobody: it reaches nothing
/// of the league.
const REPLAY_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
                             form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts";

/// Records that a person waits for at the same time.
const MOST_READ: usize = 4;
/// Analyses that a person may ask for in a day.
const ANALYSES_A_DAY: i64 = 20;

/// Returns a game that the viewer may see.
async fn visible(app: &App, viewer: &Viewer, id: i64) -> Result<GameRow, Refusal> {
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

/// Returns a game that the viewer may see, and the record of its pair. Only so many records are used
/// at the same time, and each person waits for a few: their turn lasts until the value is dropped.
async fn opened<'a>(
    app: &'a App,
    viewer: &Viewer,
    id: i64,
) -> Result<(GameRow, Record, (Doing, SemaphorePermit<'a>)), Refusal> {
    let game = visible(app, viewer, id).await?;
    let person = viewer.person.as_ref().map_or(0, |person| person.id);
    let reading = app.reading.begin(person, MOST_READ);
    let reading =
        reading.ok_or_else(|| Refusal::TooMany("Wait until your other pages have come.".into()))?;
    let turn = (reading, app.records.acquire().await?);
    let record = record_for(app, viewer, &game).await?;
    Ok((game, record, turn))
}

/// Returns the record of a game's pair, without what programs of others said.
async fn record_for(app: &App, viewer: &Viewer, game: &GameRow) -> Result<Record, Refusal> {
    let bytes = app.files.get(Stored::Record(game.pair)).await?;
    let mut record = Record::parse(std::str::from_utf8(&bytes)?)?;
    for played in record.games.values_mut() {
        let entrants =
            [(&game.first_name, game.first_entrant), (&game.second_name, game.second_entrant)];
        let sees = |name: &str| {
            let is_of = |known: &str| known == name || game.first_entrant == game.second_entrant;
            entrants.iter().any(|(known, entrant)| is_of(known) && viewer.sees_all_of(*entrant))
        };
        let sees = [sees(&played.start.players[0]), sees(&played.start.players[1])];
        for mv in &mut played.moves {
            if !sees[usize::from(mv.side != app.config.game.sides[0])] {
                mv.stdout.clear();
                mv.stderr.clear();
                mv.note = None;
                // Score and depth are read from the standard error of the program.
                mv.score = None;
                mv.depth = None;
            }
        }
        if let Some(fault) = played.end.fault.as_mut().filter(|fault| !sees[fault.player]) {
            fault.stdout.clear();
            fault.stderr.clear();
            fault.output = None;
            // The reason may quote what the program said.
            played.end.reason = format!(
                "{} lost by a fault: {}",
                app.config.game.sides[fault.player], played.end.termination
            );
        }
    }
    Ok(record)
}

/// Shows a game.
pub(super) async fn game(
    viewer: Viewer,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Markup, Refusal> {
    let (game, record, _turn) = opened(&app, &viewer, id).await?;
    let number = u32::try_from(game.half)?;
    let end = &record.games.get(&number).context("a game without a record")?.end;
    let sides = app.config.game.sides;
    let analysis = match (&game.analysis, app.store.job_of(JobKind::Analysis, game.pair).await?) {
        (Some(text), _) => html! { pre tabindex="0" { (text) } },
        (None, Some((state, ..))) if state == "waiting" || state == "leased" => {
            html! { div data-fresh="2000" { p { "The game is being analysed." } } }
        }
        _ if viewer.person.is_some() => html! {
            p { "What each move was worth, and the moves that decided the game: "
                (layout::button(&format!("/games/{id}/analyse"), "Analyse", &[])) }
        },
        _ => html! {},
    };
    let player = |side: usize, entrant: i64, (name, number): (&str, i64), cpu: f64| {
        html! {
            (sides[side]) " " a href=(format!("/players/{entrant}")) { (name) } (format!(" v{number} ({cpu:.2} s of CPU)"))
        }
    };
    let body = html! {
        p {
            (player(0, game.first_entrant, (&game.first_name, game.first_number), game.first_cpu)) " against "
            (player(1, game.second_entrant, (&game.second_name, game.second_number), game.second_cpu)) ", " (app.config.shown(game.ended))
            ", " (game.why) ", " (counted(game.plies, "move", "moves"))
        }
        p { strong { @match game.winner { None => "Draw", Some(0) => { (game.first_name) " wins" }, Some(_) => { (game.second_name) " wins" } } ": " (arena::plain::shown(&end.reason)) } @if !end.reason.ends_with(&game.termination) { " (" (game.termination) ")" } }
        iframe src=(format!("/games/{id}/replay#{number}")) title="Replay of the game" {}
        p { a href=(format!("/games/{id}/replay#{number}")) { "The replay on a page of its own" } ", "
            a href=(format!("/games/{id}/record.jsonl")) { "the record" } " for " code { "judge replay" } " and " code { "judge analyse" } }
        p.faint { "Seed " (game.seed) ": with both programs, in the order of game 1 of the record, "
            code { "judge match --seed " (game.seed) " --openings " (app.config.openings) " --games 2" } " plays the pair again." }
        @if let Some(fault) = end.fault.as_ref().filter(|fault| viewer.sees_all_of([game.first_entrant, game.second_entrant][fault.player])) {
            (evidence(fault, sides))
        }
        h2 { "Analysis" }
        (analysis)
    };
    layout::page(&app, &viewer, &format!("Game {id}"), &body).await
}

/// Returns the evidence of a fault.
fn evidence(fault: &FaultRecord, sides: [&str; 2]) -> Markup {
    let text = |text: &str| text.lines().map(arena::plain::shown).collect::<Vec<_>>().join("\n");
    html! {
        details open {
            summary { "The fault of " (sides[fault.player]) (format!(", after {:.2} s of CPU and {:.2} s of wall time", fault.cpu, fault.wall)) }
            h2 { "input.txt" }
            pre tabindex="0" { (text(&fault.input)) }
            @if let Some(output) = &fault.output { h2 { "output.txt" } pre tabindex="0" { (text(output)) } }
            @if !fault.stderr.trim().is_empty() { h2 { "Standard error" } pre tabindex="0" { (text(&fault.stderr)) } }
            h2 { "Board" }
            pre tabindex="0" { (text(&fault.board)) }
            p { "Legal moves (" (fault.legal_count) "): " (fault.legal.join("; ")) }
        }
    }
}

/// Answers with the replay, a page with a policy of its own.
pub(super) async fn replay(
    viewer: Viewer,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Response, Refusal> {
    let (game, record, _turn) = opened(&app, &viewer, id).await?;
    let number = u32::try_from(game.half)?;
    // A page with boards for each move takes a while to make.
    let page =
        tokio::task::spawn_blocking(move || pages::replay::page_of(&record, "league", &[number]))
            .await??;
    Ok(([(CONTENT_SECURITY_POLICY, REPLAY_POLICY)], Html(page)).into_response())
}

/// Answers with the record of both games of the pair.
pub(super) async fn record(
    viewer: Viewer,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Response, Refusal> {
    let (_, record, _turn) = opened(&app, &viewer, id).await?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("record.jsonl");
    record.write(&path)?;
    Ok(([(CONTENT_TYPE, "application/jsonl; charset=utf-8")], std::fs::read(path)?).into_response())
}

/// Orders the analysis of a game.
pub(super) async fn analyse(
    SignedIn(person): SignedIn,
    viewer: Viewer,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Redirect, Refusal> {
    let game = visible(&app, &viewer, id).await?;
    if game.analysis.is_none() {
        let now = now();
        let today = (app.config.day_of(now), ANALYSES_A_DAY);
        match app.store.order_analysis(game.pair, person.id, today, now).await? {
            AnalysisOrder::Ordered => {}
            AnalysisOrder::TooManyOfPerson => {
                return Err(Refusal::TooMany(format!(
                    "You have asked for {ANALYSES_A_DAY} analyses today; tomorrow you may ask for more."
                )));
            }
            AnalysisOrder::TooManyWait => {
                return Err(Refusal::TooMany(
                    "Many analyses wait already; try again later.".into(),
                ));
            }
        }
    }
    Ok(Redirect::to(&format!("/games/{id}")))
}
