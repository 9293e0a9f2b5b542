//! The page of a player: versions, rating over time, games, faults; and challenges.

use super::access::{Refusal, Result, SignedIn, Viewer, visible_submission};
use super::app::{App, Shared};
use super::ladder::percent_won;
use super::{layout, svg};
use crate::clock::{Millis, ago, now};
use crate::rating::margin;
use crate::store::{GameRow, GamesAsked, LadderRow, Meeting};
use arena::plain::counted;
use axum::extract::{Path, Query, State};
use axum::response::Redirect;
use axum::{Form, Json};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;

const GAMES: i64 = 50;

#[derive(Deserialize)]
pub(super) struct GamesQuery {
    before: Option<i64>,
    against: Option<i64>,
    faults: Option<String>,
}

impl GamesQuery {
    fn asked(&self) -> GamesAsked {
        let GamesQuery { before, against, ref faults } = *self;
        GamesAsked { before, against, own_faults: faults.is_some() }
    }

    /// The address of older games than this one, of those that are listed.
    fn older(&self, id: i64, game: i64) -> String {
        let against = self.against.map_or(String::new(), |other| format!("&against={other}"));
        let faults = if self.faults.is_some() { "&faults=own" } else { "" };
        format!("/players/{id}?before={game}{against}{faults}")
    }
}

pub(super) async fn player(
    viewer: Viewer,
    State(app): State<Shared>,
    Path(id): Path<i64>,
    Query(query): Query<GamesQuery>,
) -> Result<Markup> {
    viewer.check_ladder(&app)?;
    let (name, active) = app.store.entrant(id).await?.ok_or(Refusal::NotFound)?;
    let ladder = app.store.ladder().await?;
    // There is no submission 0.
    let active = active.unwrap_or_default();
    let history = app.store.rating_history(active).await?;
    let mut opponents = app.store.by_opponent(active).await?;
    for opponent in &mut opponents {
        opponent.name = viewer.name(&app, opponent.entrant, &opponent.name);
    }
    let name = viewer.name(&app, id, &name);
    let games = app.store.games_of(id, query.asked(), GAMES).await?;
    let games = viewer.renamed(&app, games);
    let now = now();
    let other = match query.against {
        Some(other) => app.store.entrant(other).await?.map(|(name, _)| (other, name)),
        None => None,
    };
    let other = other.map(|(other, found)| (other, viewer.name(&app, other, &found)));
    let meetings = match &other {
        Some((other, _)) => app.store.meetings_of(id, *other).await?,
        None => Vec::new(),
    };
    let sides = app.config.game.sides;
    let body = html! {
        @if let Some(row) = ladder.iter().find(|row| row.entrant == id) {
            p {
                @if row.provisional { "No place yet, provisional rating " } @else { "Place " strong { (row.place) } " of " (ladder.len()) ", rating " }
                strong { (format!("{:.0}", row.rating)) }
                (format!(" ± {:.0}", margin(row.deviation))) ", " (counted(row.games, "game", "games")) @if row.games > 0 { ", " (percent_won(row)) " of the points" }
                @if row.kind != "baseline" { ", version " (row.number) }
                @if !row.language.is_empty() { ", " (row.language) }
            }
            @if let Some(why) = &row.paused { p.bad { (why) } }
            @if viewer.person.as_ref().is_some_and(|person| person.entrant.is_some_and(|own| own != id)) {
                (layout::button("/challenges", "Challenge: two games", &[("opponent", &id.to_string())]))
                @if row.kind != "baseline" { " " (unrated_with(id, "Ask for two unrated games")) }
            }
        } @else { p { "No program of this player is on the ladder." } }
        @if viewer.is_staff() { (deadline_of(&app, &viewer, id).await?) }
        h2 { "Rating" }
        (svg::plot(&history))
        @if !opponents.is_empty() {
            h2 { "By opponent" }
            (layout::table("By opponent", &["Opponent", "#Games", "#Points", "#Won"], &html! {
                @for opponent in &opponents {
                    tr.mine[viewer.plays_for(opponent.entrant)] {
                        td.name { (layout::player(opponent.entrant, &opponent.name)) }
                        td.figure { a href=(format!("/players/{id}?against={}#games", opponent.entrant)) { (opponent.games) } }
                        td.figure { (opponent.score) }
                        td.figure { (format!("{:.0} %", 100.0 * opponent.score / opponent.games as f64)) }
                    }
                }
            }))
        }
        h2 id="games" {
            @if query.faults.is_some() { "Games lost by own faults" } @else { "Games" }
            @if let Some((other, name)) = &other { " against " (layout::player(*other, name)) }
        }
        @if !meetings.is_empty() { (by_version(&meetings, sides)) }
        @if query.faults.is_some() || other.is_some() { p { a href=(format!("/players/{id}#games")) { "All games" } } }
        @else if viewer.sees_all_of(id) { p { a href=(format!("/players/{id}?faults=own#games")) { "Own faults of all games" } } }
        @if games.is_empty() { p { "None yet." } } @else {
            (layout::table("Games", &["Game", "#Version", "Opponent", "Side", "Result", "How", "#Moves", "#CPU s", "When"], &html! {
                @for game in &games {
                    (line(game, id, sides, (now, viewer.sees_all_of(id))))
                    @if query.faults.is_some() && viewer.sees_all_of(id) {
                        tr { td {} td.said colspan="8" { (arena::plain::shown(&game.reason)) } }
                    }
                }
            }))
            @if viewer.sees_all_of(id) {
                p { a href=(format!("/players/{id}/record.jsonl")) { "All games as one record" } " for " code { "judge replay" } ", " code { "judge table" } " and " code { "judge analyse" } }
            }
            @if games.len() == GAMES as usize {
                p { a href=(query.older(id, games[games.len() - 1].id)) { "Older games" } }
            }
        }
    };
    layout::page(&app, &viewer, &name, &body).await
}

/// Returns the games of two players by their versions and the side of the first.
fn by_version(meetings: &[Meeting], sides: [&str; 2]) -> Markup {
    let headings = [
        "#Version",
        "#Against",
        "Side",
        "#Games",
        "#Points",
        "#Own faults",
        "#Faults of the other",
    ];
    layout::table(
        "By version",
        &headings,
        &html! {
            @for met in meetings {
                tr {
                    td.figure { "v" (met.version) }
                    td.figure { "v" (met.other) }
                    td { (sides[usize::from(met.side == 1)]) }
                    td.figure { (met.games) }
                    td.figure { (met.score) }
                    td.figure { (met.own_faults) }
                    td.figure { (met.other_faults) }
                }
            }
        },
    )
}

pub(super) fn unrated_with(opponent: i64, label: &str) -> Markup {
    layout::button("/challenges", label, &[("opponent", &opponent.to_string()), ("unrated", "yes")])
}

/// Returns the deadline of a player's own for the staff, with the form that changes it for
/// teachers.
async fn deadline_of(app: &App, viewer: &Viewer, entrant: i64) -> Result<Markup> {
    let own = app.store.own_deadline(entrant).await?;
    let until = own.map(|own| app.config.shown(own));
    Ok(html! {
        @if let Some(until) = &until { p { "Its own deadline: " strong { (until) } } }
        @if viewer.is_teacher() && app.config.deadline.is_some() {
            form.box method="post" action=(format!("/staff/players/{entrant}/deadline")) {
                label { "An own deadline, later than that of the league, or nothing: 2026-12-10T23:59"
                    input name="until" maxlength="60" value=[until.map(|until| until.replace(' ', "T"))]; }
                div { button { "Set" } }
            }
        }
    })
}

/// The reason of a fault may quote what the program wrote, and is for those who see all of the
/// player.
fn line(game: &GameRow, own: i64, sides: [&str; 2], (now, sees_all): (i64, bool)) -> Markup {
    let is_first = game.first_entrant == own;
    let first = (game.first_entrant, &game.first_name, game.first_number, game.first_cpu);
    let second = (game.second_entrant, &game.second_name, game.second_number, game.second_cpu);
    let ((.., number, cpu), (opponent, name, other, _)) =
        if is_first { (first, second) } else { (second, first) };
    let side = usize::from(!is_first);
    html! {
        tr {
            td { (layout::game(game.id)) }
            td.figure { "v" (number) }
            td.name { (layout::player(opponent, name)) " " small.soft { "v" (other) } }
            td { (sides[side]) }
            td { (result(game, side as i64)) }
            td { (game.termination) @if game.blamed == Some(side as i64) { " " span.bad title=[sees_all.then(|| arena::plain::shown(&game.reason))] { "own fault" } } }
            td.figure { (game.plies) }
            td.figure { (format!("{cpu:.2}")) }
            td { (ago(game.ended, now)) @if game.why != "ladder" { ", " (game.why) } }
        }
    }
}

fn result(game: &GameRow, side: i64) -> Markup {
    html! {
        @match game.winner {
            None => "draw",
            Some(winner) if winner == side => span.good { "won" },
            Some(_) => span.bad { "lost" },
        }
    }
}

pub(super) async fn games_json(
    viewer: Viewer,
    State(app): State<Shared>,
    Path(id): Path<i64>,
    Query(query): Query<GamesQuery>,
) -> Result<Json<serde_json::Value>> {
    viewer.check_ladder(&app)?;
    let games = app.store.games_of(id, query.asked(), GAMES).await?;
    let game = |game: GameRow| {
        json!({
            "game": game.id, "pair": game.pair, "why": game.why, "seed": game.seed,
            "players": [game.first_name, game.second_name],
            "versions": [game.first_number, game.second_number],
            "winner": game.winner, "blamed": game.blamed, "termination": game.termination,
            "plies": game.plies, "cpu": [game.first_cpu, game.second_cpu], "ended": game.ended,
        })
    };
    Ok(Json(viewer.renamed(&app, games).into_iter().map(game).collect()))
}

/// Orders two unrated games between an own version and the one that plays.
pub(super) async fn test_games(
    SignedIn(person, viewer): SignedIn,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Redirect> {
    let version = visible_submission(&app, &viewer, id).await?;
    let (_, active) = app.store.entrant(version.entrant).await?.ok_or(Refusal::NotFound)?;
    let active = active.filter(|&active| {
        active != id && version.state == "plays" && person.entrant == Some(version.entrant)
    });
    let why = "Two of your own versions that play are needed.";
    let active = active.ok_or_else(|| Refusal::Bad(why.into()))?;
    let (person, today, times) = order_of(&app, person.id);
    allowed(&app, app.store.order_challenge((active, id), person, today, times).await?)?;
    Ok(Redirect::to("/live"))
}

#[derive(Deserialize)]
pub(super) struct ChallengeForm {
    opponent: i64,
    unrated: Option<String>,
}

/// Orders two games against another player, or asks for two unrated ones.
pub(super) async fn challenge(
    SignedIn(person, _): SignedIn,
    State(app): State<Shared>,
    Form(form): Form<ChallengeForm>,
) -> Result<Redirect> {
    let ladder = app.store.ladder().await?;
    let own = ladder.iter().find(|row| Some(row.entrant) == person.entrant && row.paused.is_none());
    let own = own.ok_or_else(|| Refusal::Bad("You need a program on the ladder first.".into()))?;
    // A baseline agrees to nothing.
    let may_meet = |row: &&LadderRow| {
        row.entrant != own.entrant && (form.unrated.is_none() || row.kind != "baseline")
    };
    let other = ladder.iter().find(|row| row.entrant == form.opponent).filter(may_meet);
    let other =
        other.ok_or_else(|| Refusal::Bad("There is no such player on the ladder.".into()))?;
    let (person, today, times) = order_of(&app, person.id);
    if form.unrated.is_some() {
        allowed(&app, app.store.ask_unrated([own, other], person, today, times).await?)?;
        return Ok(Redirect::to("/mine"));
    }
    let is_open = app.store.frozen().await?.or(app.store.closing().await?).is_none();
    if !is_open && other.kind != "baseline" {
        return Err(Refusal::Bad(
            "The ladder is frozen or closing; only baselines can be challenged.".into(),
        ));
    }
    let players = (own.submission, other.submission);
    allowed(&app, app.store.order_challenge(players, person, today, times).await?)?;
    Ok(Redirect::to("/live"))
}

/// Returns what an order of games notes: who asks, the limit since the beginning of the day, time
/// and seed.
fn order_of(app: &App, person: i64) -> (i64, (Millis, u32), (Millis, i64)) {
    let now = now();
    let today = (app.config.day_of(now), app.config.ladder.challenges_a_day);
    (person, today, (now, app.config.pair_seed()))
}

/// Refuses a person who has asked for as many games today as may be.
fn allowed(app: &App, is_allowed: bool) -> Result<()> {
    let a_day = app.config.ladder.challenges_a_day;
    let why =
        || format!("You have asked for {a_day} challenges today; tomorrow you may ask for more.");
    is_allowed.then_some(()).ok_or_else(|| Refusal::TooMany(why()))
}
