//! The page with the rules of the game, what programs may do, and those to begin with.

use super::access::{Refusal, Result, Viewer};
use super::app::Shared;
use super::layout;
use anygame::GameClock;
use anygame::game::Keep;
use arena::keys::Keys;
use arena::plain::counted;
use arena::terms::{LimitRule, Openings};
use axum::extract::{Path, State};
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

pub(super) async fn rules(viewer: Viewer, State(app): State<Shared>) -> Result<Markup> {
    viewer.check_ladder(&app)?;
    let (config, game) = (&app.config, app.config.game);
    let anybody = Keys::parse(["engine=reference:random"])?.or(&config.each).engine(game)?;
    let (seconds, time) = match anybody.clock {
        GameClock::Game(seconds) => (seconds, "all moves of a game"),
        GameClock::Single(seconds) => (seconds, "each move"),
    };
    let stays = match game.interface.files.keep {
        Keep::All => "all other files".to_string(),
        Keep::Only(names) => names.join(", "),
    };
    let begins = match config.openings {
        Openings::Start => "at the start".to_string(),
        Openings::Random(plies) => {
            format!("after {}", counted(plies, "random move", "random moves"))
        }
        Openings::Directory(_) => "at a position of the staff".to_string(),
    };
    let languages = intake::language_names(config.uploads.languages.as_deref())?.join(", ");
    let (bounds, uploads) = (&config.bounds, &config.uploads);
    let body = html! {
        ul {
            li { "Clock: " (seconds) " s of CPU time for " (time) "." }
            li { "A program is started anew for each move. It finds " code { (game.interface.files.input) } " and leaves " code { (game.interface.files.output) }
                ". What stays from move to move of a game: " (if stays.is_empty() { "no other file" } else { &stays }) "." }
            li { "A game begins " (begins) ". After " (config.max_plies) " moves of both sides "
                (match config.at_limit { LimitRule::Draw => "it is a draw.", LimitRule::Time => "the side with more time left wins." }) }
            li { "Limits: " (bounds.memory_mib) " MiB of memory, " (bounds.disk_mib) " MiB of files, " (bounds.processes) " processes and threads, no network." }
            li { "Hand in a source or an archive of at most " (uploads.mib) " MiB, " (uploads.a_day) " times a day. Languages: " (languages) "." }
            @if !game.starters.is_empty() { li { "Programs to begin with:"
                @for (name, _) in game.starters { " " a href=(format!("/rules/{name}")) { (name) } } } }
        }
        (PreEscaped(markdown(game.rules_page.unwrap_or("Ask the staff for the rules."))))
    };
    layout::page(&app, &viewer, &format!("{}: rules", game.title), &body).await
}

/// Returns a page of rules without its title as HTML. Markup in it stays text.
fn markdown(page: &str) -> String {
    let (first, rest) = page.split_once('\n').unwrap_or((page, ""));
    let text = if first.starts_with("# ") { rest } else { page };
    let html = |html: &'static str| Event::Html(html.into());
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).flat_map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => vec![Event::Text(text)],
        // What scrolls can be reached by the keyboard.
        Event::Start(Tag::CodeBlock(_)) => vec![html("<pre tabindex=\"0\">")],
        Event::End(TagEnd::CodeBlock) => vec![html("</pre>")],
        Event::Start(Tag::Table(_)) => vec![html("<div class=\"wide\" tabindex=\"0\">"), event],
        Event::End(TagEnd::Table) => vec![event, html("</div>")],
        event => vec![event],
    });
    let mut out = String::new();
    pulldown_cmark::html::push_html(&mut out, events);
    out
}

pub(super) async fn starter(
    viewer: Viewer,
    State(app): State<Shared>,
    Path(file): Path<String>,
) -> Result<Response> {
    viewer.check_ladder(&app)?;
    let starter = app.config.game.starters.iter().find(|(name, _)| *name == file);
    let (name, text) = *starter.ok_or(Refusal::NotFound)?;
    Ok(layout::attachment("text/plain; charset=utf-8", name, text))
}

#[cfg(test)]
#[test]
fn rules_have_no_title_and_markup_in_them_is_text() {
    let html = markdown("# Go\n\nA <b>stone</b>.\n\n    . X\n\n|a|\n|-|\n|b|\n\n<script>\n");
    let parts =
        ["<p>A &lt;b&gt;stone", "<pre tabindex=\"0\">. X\n</pre>", "&lt;script&gt;", "<td>b</td>"];
    assert!(parts.iter().all(|part| html.contains(part)) && !html.contains("Go"), "{html}");
}
