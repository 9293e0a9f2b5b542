//! Pages of the staff.

use super::access::{Refusal, Result, Staff, Teacher, Viewer, visible_submission};
use super::app::{App, Shared};
use super::{layout, submissions};
use crate::clock::{HOUR, ago, now};
use crate::files::Stored;
use crate::rating::margin;
use crate::store::{LINK_DAYS, LadderRow, Person, Role, Setting};
use arena::plain::counted;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{Redirect, Response};
use intake::spreadsheet::row;
use maud::{Markup, html};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};

const LOG: i64 = 500;
/// The newest games, by which the pace of games is told.
const PACE: i64 = 200;

pub(super) async fn overview(Staff(viewer): Staff, State(app): State<Shared>) -> Result<Markup> {
    let people = app.store.people().await?;
    let ladder: HashMap<i64, LadderRow> =
        app.store.ladder().await?.into_iter().map(|row| (row.entrant, row)).collect();
    let newest = app.store.newest_submissions().await?;
    let students: Vec<_> =
        people.iter().filter(|(person, _)| person.role == Role::Student).collect();
    let entrant = |person: &Person| person.entrant.unwrap_or_default();
    let (with, without): (Vec<i64>, Vec<i64>) = students
        .iter()
        .map(|(person, _)| entrant(person))
        .partition(|entrant| newest.contains_key(entrant));
    let without = without.len();
    let not_playing = with.iter().filter(|entrant| !ladder.contains_key(entrant)).count();
    let paused = ladder.values().filter(|row| row.paused.is_some()).count();
    let provisional = ladder.values().filter(|row| row.provisional).count();
    let counts = app.store.job_counts().await?;
    let questions = app.store.questions().await?;
    let is_teacher = viewer.is_teacher();
    let frozen = app.store.frozen().await?.is_some();
    let closing = app.store.closing().await?.is_some();
    let body = html! {
        @if let Some(why) = app.disks.fullness() { p.bad role="alert" { "No jobs are begun: " (why) "." } }
        p {
            (counted(students.len(), "student", "students")) ": " strong { (without) } " without a program, " strong { (not_playing) } " without one that plays. Paused programs: "
            strong { (paused) } ". " (counted(app.store.game_count().await?, "game", "games")) ". Jobs: " (counted(counts.checks, "check waits", "checks wait")) ", " (counts.running)
            " under way, " (counts.delayed) " to be begun again later, because a machine failed (see the log). Disk: " (app.disks.rooms().join("; ")) "."
        }
        @if !questions.is_empty() {
            p { "Students ask to look again at: "
                @for question in &questions {
                    a href=(format!("/submissions/{}", question.submission)) { (question.player) " v" (question.number) } " (" (ago(question.at, now())) ") "
                }
            }
        }
        p { a href="/staff/audit" { "Log" } " · " a href="/staff/jobs" { "Jobs" } " · Export: "
            @for form in ["plain", "canvas", "moodle", "gradescope"] { a href=(format!("/staff/export?form={form}")) { (form) } " " }
            "· " a href="/final" { "Table of the final" } }
        @if is_teacher {
            div.boards {
                @if !frozen {
                    form.box method="post" action="/staff/freeze" {
                        input type="hidden" name="frozen" value=(if closing { "no" } else { "closing" });
                        span { @if closing { "Uploads and choices are closed; the ladder is frozen when all are known. " }
                               @else { "Closing ends uploads and choices; games go on until each rating is known, then the ladder is frozen and places stand. " }
                               (time_until_known(&app).await?) }
                        div { button { (if closing { "Open again" } else { "Close" }) } }
                    }
                }
                form.box method="post" action="/staff/freeze" {
                    input type="hidden" name="frozen" value=(if frozen { "no" } else { "yes" });
                    span { @if frozen { "The ladder is frozen: no new games but challenges of baselines, unrated ones and the final, which change neither ratings nor places. " }
                           @else { "Freezing stops the ladder; programs that play stay what they are. " }
                           (counted(provisional, "program has", "programs have")) " a provisional rating, and so no place." }
                    div { button { (if frozen { "Go on" } else { "Freeze" }) } }
                }
                form.box method="post" action="/staff/message" {
                    label { "Message on all pages" input name="text" maxlength="500"; }
                    div { button { "Set, or remove if empty" } }
                }
                form.box method="post" action="/staff/final" {
                    label { "Players of the final, from the top (without those that are paused)" input name="players" type="number" min="2" max="64" value="8" required; }
                    label { "Pairs of games for each two" input name="pairs" type="number" min="1" max="20" value="2" required; }
                    div { button { "Play the final" } }
                }
                form.box method="post" action="/staff/final/reset" {
                    span { "A final that was ordered too early can be reset: its games no longer count for it, those that wait are not played." }
                    div { button { "Reset the final" } }
                }
            }
        }
        h2 { "People" }
        (layout::table("People", &["Name", "Login", "Role", "Player", "#Versions", "Newest", "#Rating", "#Games", ""], &html! {
            @for (person, player) in &people {
                @let row = ladder.get(&entrant(person));
                @let last = newest.get(&entrant(person));
                tr {
                    td.name { (person.name) }
                    td { (person.login) }
                    td { (person.role.word()) }
                    td.name { @if let (Some(name), Some(id)) = (player, person.entrant) { (layout::player(id, name)) } }
                    td.figure { @if let Some(last) = last { (last.number) } }
                    td { @if let Some(last) = last { a href=(format!("/submissions/{}", last.id)) { (submissions::state(last)) } } @else if person.role == Role::Student { span.bad { "nothing" } } }
                    td.figure { @if let Some(row) = row { (format!("{:.0}", row.rating)) } }
                    td.figure { @if let Some(row) = row { (row.games) @if row.paused.is_some() { " " span.bad { "paused" } } } }
                    td { @if is_teacher { (layout::button("/staff/links", "New link", &[("login", &person.login)])) } }
                }
            }
        }))
    };
    layout::page(&app, &viewer, "Staff", &body).await
}

pub(super) async fn audit(Staff(viewer): Staff, State(app): State<Shared>) -> Result<Markup> {
    let lines = app.store.audit(LOG).await?;
    let body = layout::table(
        "Log",
        &["When", "Who", "What", "Details"],
        &html! {
            @for line in &lines {
                tr {
                    td { (app.config.shown(line.at)) }
                    td { (line.who.as_deref().unwrap_or("the league")) }
                    td { (line.action) }
                    td.name { (line.detail) }
                }
            }
        },
    );
    layout::page(&app, &viewer, "Log", &body).await
}

/// Says how many games it takes until all ratings are known, and how long at the pace of the last
/// games. A game counts for two programs.
async fn time_until_known(app: &App) -> Result<String> {
    let within = app.config.ladder.within;
    let unknown = app.store.unknown(within).await?;
    let games = (unknown.values().sum::<f64>() / 2.0).ceil();
    let told = format!(
        "{} above ± {within}: at least {games:.0} more games",
        counted(unknown.len(), "program has a rating", "programs have ratings")
    );
    Ok(match app.store.newest_since(PACE).await? {
        (Some(first), played) if games > 0.0 => {
            let hours = (now() - first).max(1) as f64 / HOUR as f64;
            let pace = played as f64 / hours;
            format!("{told}, {:.1} hours at the last {pace:.0} games an hour.", games / pace)
        }
        _ => format!("{told}."),
    })
}

#[derive(Deserialize)]
pub(super) struct FreezeForm {
    frozen: String,
}

pub(super) async fn freeze(
    Teacher(person): Teacher,
    State(app): State<Shared>,
    Form(form): Form<FreezeForm>,
) -> Result<Redirect> {
    let now = now();
    match form.frozen.as_str() {
        "yes" => app.store.freeze(Some(person.id), now).await?,
        "closing" => app.store.close(person.id, now).await?,
        _ => app.store.go_on(person.id, now).await?,
    }
    Ok(Redirect::to("/staff"))
}

#[derive(Deserialize)]
pub(super) struct MessageForm {
    text: String,
}

pub(super) async fn message(
    Teacher(person): Teacher,
    State(app): State<Shared>,
    Form(form): Form<MessageForm>,
) -> Result<Redirect> {
    let text: String = form.text.trim().chars().take(500).collect();
    app.store.set(Setting::Message, (!text.is_empty()).then_some(text.as_str())).await?;
    app.store.note(now(), Some(person.id), "set the message", &text).await?;
    Ok(Redirect::to("/staff"))
}

#[derive(Deserialize)]
pub(super) struct LinkForm {
    login: String,
}

pub(super) async fn new_link(
    Teacher(teacher): Teacher,
    viewer: Viewer,
    State(app): State<Shared>,
    headers: HeaderMap,
    Form(form): Form<LinkForm>,
) -> Result<Markup> {
    let person = app.store.person_by_login(&form.login).await?.ok_or(Refusal::NotFound)?;
    let now = now();
    let link = app.store.new_link(person.id, now).await?;
    app.store.note(now, Some(teacher.id), "made a link", &person.login).await?;
    let body = html! {
        p { "A link for " strong { (person.name) } ", shown this once. It signs in once, within " (LINK_DAYS) " days:" }
        pre { (layout::address_of(&app, &headers)) "/enter/" (link) }
    };
    layout::page(&app, &viewer, "New link", &body).await
}

#[derive(Deserialize)]
pub(super) struct DeadlineForm {
    /// A time as in the settings, or nothing.
    until: String,
}

pub(super) async fn own_deadline(
    Teacher(person): Teacher,
    State(app): State<Shared>,
    Path(id): Path<i64>,
    Form(form): Form<DeadlineForm>,
) -> Result<Redirect> {
    let (name, _) = app.store.entrant(id).await?.ok_or(Refusal::NotFound)?;
    let text = form.until.trim();
    let until = (!text.is_empty()).then(|| app.config.time(text)).transpose();
    let until = until.map_err(|error| Refusal::Bad(format!("{error:#}")))?;
    let shown = until.map_or_else(|| "none".to_string(), |until| app.config.shown(until));
    let detail = format!("{name}: {shown}");
    let deadlines = (until, app.config.deadline_with(until));
    app.store.set_own_deadline(id, deadlines, (person.id, &detail), now()).await?;
    Ok(Redirect::to(&format!("/players/{id}")))
}

pub(super) async fn withdraw(
    Teacher(person): Teacher,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Redirect> {
    app.store.submission(id).await?.ok_or(Refusal::NotFound)?;
    app.store.withdraw(id, person.id, now()).await?;
    Ok(Redirect::to(&format!("/submissions/{id}")))
}

pub(super) async fn check_again(
    Teacher(person): Teacher,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Redirect> {
    app.store.submission(id).await?.ok_or(Refusal::NotFound)?;
    app.store.check_again(id, person.id, now()).await?;
    Ok(Redirect::to(&format!("/submissions/{id}")))
}

pub(super) async fn download(
    viewer: Viewer,
    State(app): State<Shared>,
    Path(id): Path<i64>,
) -> Result<Response> {
    let submission = visible_submission(&app, &viewer, id).await?;
    if submission.digest.is_empty() {
        return Err(Refusal::NotFound);
    }
    let bytes = app.files.get(Stored::Upload(&submission.digest)).await?;
    let is_special = |c: char| !c.is_ascii_alphanumeric() && !"._-".contains(c);
    let name = submission.file_name.replace(is_special, "_");
    Ok(layout::attachment("application/octet-stream", &format!("{id}-{name}"), bytes))
}

#[derive(Deserialize)]
pub(super) struct FinalForm {
    players: usize,
    pairs: usize,
}

pub(super) async fn order_final(
    Teacher(person): Teacher,
    State(app): State<Shared>,
    Form(form): Form<FinalForm>,
) -> Result<Redirect> {
    if !(2..=64).contains(&form.players) || !(1..=20).contains(&form.pairs) {
        return Err(Refusal::Bad("Expected 2 to 64 players and 1 to 20 pairs.".into()));
    }
    if app.store.frozen().await?.is_none() {
        return Err(Refusal::Bad("Freeze the ladder first: until then its order changes.".into()));
    }
    let ladder = app.store.ladder().await?;
    let playing = ladder.iter().filter(|row| row.kind != "baseline" && row.paused.is_none());
    let best: Vec<i64> = playing.map(|row| row.submission).take(form.players).collect();
    if best.len() < 2 {
        return Err(Refusal::Bad(
            "A final needs two players on the ladder. Baselines and paused programs do not play in it.".into(),
        ));
    }
    let mut pairs = Vec::new();
    for round in 0..form.pairs {
        for (at, &one) in best.iter().enumerate() {
            for &other in &best[at + 1..] {
                pairs.push(if round % 2 == 0 { (one, other) } else { (other, one) });
            }
        }
    }
    let now = now();
    let seed = app.config.pair_seed();
    if !app.store.order_final(&pairs, person.id, (now, seed)).await? {
        return Err(Refusal::Bad(
            "There is a final already. Reset it first: its games then no longer count.".into(),
        ));
    }
    let detail = format!("{} players, {} pairs of games", best.len(), pairs.len());
    app.store.note(now, Some(person.id), "ordered the final", &detail).await?;
    Ok(Redirect::to("/final"))
}

pub(super) async fn reset_final(
    Teacher(person): Teacher,
    State(app): State<Shared>,
) -> Result<Redirect> {
    app.store.reset_final(person.id, now()).await?;
    Ok(Redirect::to("/staff"))
}

pub(super) async fn final_table(viewer: Viewer, State(app): State<Shared>) -> Result<Markup> {
    viewer.check_ladder(&app)?;
    let games = viewer.renamed(&app, app.store.final_games().await?);
    let mut table: BTreeMap<i64, (String, f64, usize, usize)> = BTreeMap::new();
    for game in &games {
        for (side, entrant, name) in
            [(0, game.first_entrant, &game.first_name), (1, game.second_entrant, &game.second_name)]
        {
            let row = table.entry(entrant).or_insert_with(|| (name.clone(), 0.0, 0, 0));
            row.1 += game.winner.map_or(0.5, |winner| if winner == side { 1.0 } else { 0.0 });
            row.2 += 1;
            row.3 += usize::from(game.blamed == Some(side));
        }
    }
    let mut rows: Vec<_> = table.into_iter().collect();
    rows.sort_by(|(_, one), (_, other)| other.1.total_cmp(&one.1));
    let waiting = app.store.final_waiting().await?;
    let body = html! {
        @if waiting > 0 { p { "The final is being played: " (counted(waiting, "pair of games has", "pairs of games have")) " not ended yet." } }
        @if rows.is_empty() { @if waiting == 0 { p { "The final has not been played." } } } @else {
            (layout::table("Final", &["#", "Player", "#Points", "#Games", "#Own faults"], &html! {
                @for (entrant, (name, points, games, faults)) in &rows {
                    tr.mine[viewer.plays_for(*entrant)] {
                        // Equal points share a place.
                        td.figure { (1 + rows.iter().filter(|(_, other)| other.1 > *points).count()) }
                        td.name { (layout::player(*entrant, name)) }
                        td.figure { (points) } td.figure { (games) } td.figure { (faults) }
                    }
                }
            }))
        }
    };
    layout::page(&app, &viewer, "Final", &body).await
}

#[derive(Deserialize)]
pub(super) struct ExportQuery {
    form: Option<String>,
}

pub(super) async fn export(
    _: Staff,
    State(app): State<Shared>,
    Query(query): Query<ExportQuery>,
) -> Result<Response> {
    let form = query.form.as_deref().unwrap_or("plain");
    let text = exported(&app, form).await?;
    Ok(layout::attachment("text/csv; charset=utf-8", &format!("league-{form}.csv"), text))
}

async fn exported(app: &App, form: &str) -> Result<String> {
    let ladder = app.store.ladder().await?;
    let (title, points) = (app.config.title.as_str(), &app.config.points);
    let people = app.store.people().await?;
    let students = || people.iter().filter(|(person, _)| person.role == Role::Student);
    let class = students().filter_map(|(person, _)| person.entrant).collect::<HashSet<i64>>().len();
    let mut text = match form {
        "canvas" => row(["Student", "ID", "SIS User ID", "SIS Login ID", "Section", title])?,
        "moodle" => row(["Username", "Full name", title])?,
        "gradescope" => row(["Name", "SID", "Total Score"])?,
        "plain" => row([
            "name", "login", "player", "place", "rating", "margin", "games", "won", "points",
            "state",
        ])?,
        _ => return Err(Refusal::Bad("Expected plain, canvas, moodle or gradescope.".into())),
    };
    for (person, player) in students() {
        let row_of = ladder.iter().find(|row| Some(row.entrant) == person.entrant);
        let figure = |figure: &dyn Fn(&LadderRow) -> String| row_of.map(figure).unwrap_or_default();
        let (name, login) = (person.name.as_str(), person.login.as_str());
        let provisional = row_of.is_some_and(|row| row.provisional);
        let place = row_of.filter(|row| !row.provisional).map(|row| row.place.to_string());
        let rating = figure(&|row| format!("{:.0}", row.rating));
        let given = if points.are_given() {
            points.of(person.entrant, &ladder, class).to_string()
        } else {
            String::new()
        };
        let result = match points.are_given() {
            true => &given,
            false if provisional => "",
            false => &rating,
        };
        text += &match form {
            "canvas" => row([name, "", "", login, "", result])?,
            "moodle" => row([login, name, result])?,
            "gradescope" => row([name, login, result])?,
            _ => row([
                name,
                login,
                player.as_deref().unwrap_or_default(),
                &place.unwrap_or_default(),
                &rating,
                &figure(&|row| format!("{:.0}", margin(row.deviation))),
                &figure(&|row| row.games.to_string()),
                &figure(&|row| (row.wins as f64 + 0.5 * row.draws as f64).to_string()),
                &given,
                match row_of {
                    Some(_) if provisional => "provisional",
                    Some(_) => "plays",
                    None => "no program that plays",
                },
            ])?,
        };
    }
    Ok(text)
}
