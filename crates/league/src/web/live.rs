//! The live page: games that are being played, and jobs that wait.

use super::access::{Refusal, Result, Viewer};
use super::app::{App, Shared};
use super::layout;
use crate::clock::{ago, now};
use crate::store::RunningJob;
use crate::worker::LivePosition;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

const NEWEST: i64 = 20;

fn games(running: &[RunningJob]) -> Vec<(i64, LivePosition)> {
    let pairs = running.iter().filter(|job| job.kind == "pair");
    pairs.filter_map(|job| Some((job.id, serde_json::from_str(&job.progress).ok()?))).collect()
}

/// Whether somebody sees the moves of games that are being played, as on the page of a game.
fn sees_moves(app: &App, viewer: &Viewer) -> bool {
    viewer.person.is_some() && app.config.replays || viewer.is_staff()
}

/// Returns the games that are being played, with their boards for whoever sees them.
pub(super) async fn playing_now(app: &App, viewer: &Viewer) -> Result<Markup> {
    if !viewer.sees_names(app) {
        return Ok(html! {});
    }
    Ok(figures(&games(&app.store.running().await?), app.config.game.sides, sees_moves(app, viewer)))
}

fn figures(playing: &[(i64, LivePosition)], sides: [&str; 2], sees_moves: bool) -> Markup {
    html! {
        @for (job, game) in playing {
            figure {
                @if sees_moves {
                    img src=(format!("/live/{job}?{}", game.plies)) width="320" height="320"
                        alt=(format!("The board after {} moves", game.plies));
                }
                figcaption {
                    (sides[0]) " " (game.names[0]) " against " (sides[1]) " " (game.names[1]) ", move " (game.plies)
                    @if sees_moves && !game.last.is_empty() { ": " (game.last) }
                }
            }
        }
    }
}

pub(super) async fn live(viewer: Viewer, State(app): State<Shared>) -> Result<Markup> {
    viewer.check_ladder(&app)?;
    let running = app.store.running().await?;
    // Their names are those of the record.
    let playing = if viewer.sees_names(&app) { games(&running) } else { Vec::new() };
    let (counts, newest) = (app.store.job_counts().await?, app.store.newest_games(NEWEST).await?);
    let newest = viewer.renamed(&app, newest);
    let (sides, now) = (app.config.game.sides, now());
    let sees_moves = sees_moves(&app, &viewer);
    let body = html! {
        div data-fresh="2000" {
            p {
                "Checks: " (running.iter().filter(|job| job.kind == "check").count()) " under way, " (counts.checks) " waiting. "
                "Pairs of games: " (playing.len()) " under way, " (counts.pairs) " that were asked for, waiting."
            }
            div.boards { (figures(&playing, sides, sees_moves)) }
            h2 { "Newest results" }
            (layout::table("Newest results", &["Game", sides[0], sides[1], "Result", "How", "When"], &html! {
                @for game in &newest {
                    tr {
                        td { (layout::game(game.id)) }
                        td.name { (layout::player(game.first_entrant, &game.first_name)) " " small.soft { "v" (game.first_number) } }
                        td.name { (layout::player(game.second_entrant, &game.second_name)) " " small.soft { "v" (game.second_number) } }
                        td { @match game.winner { None => "draw", Some(side) => { (sides[usize::from(side != 0)]) " wins" } } }
                        td { (game.termination) }
                        td { (ago(game.ended, now)) }
                    }
                }
            }))
        }
    };
    layout::page(&app, &viewer, "Live", &body).await
}

pub(super) async fn board(
    viewer: Viewer,
    State(app): State<Shared>,
    Path(job): Path<i64>,
) -> Result<Response> {
    if viewer.person.is_none() {
        return Err(Refusal::SignIn);
    }
    if !sees_moves(&app, &viewer) {
        return Err(Refusal::Forbidden("Only the staff sees these games.".into()));
    }
    let games = games(&app.store.running().await?);
    let (_, game) = games.into_iter().find(|(id, _)| *id == job).ok_or(Refusal::NotFound)?;
    let config = &app.config;
    let task = config
        .game
        .rules
        .restore(&game.position, Some(config.rules))?
        .map_err(anygame::built_in::own_input)?;
    let drawing = task.position.drawing().ok_or(Refusal::NotFound)?;
    let picture = boards::picture(&drawing, &config.game.sides, None);
    let policy = "default-src 'none'; style-src 'unsafe-inline'";
    Ok(([(CONTENT_TYPE, "image/svg+xml"), (CONTENT_SECURITY_POLICY, policy)], picture)
        .into_response())
}
