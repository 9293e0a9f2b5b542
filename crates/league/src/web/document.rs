//! The frame of a page.

use arena::plain::shown;
use maud::{DOCTYPE, Markup, html};
use pages::markup::visible;

pub(super) fn plain_page(title: &str, body: &Markup) -> Markup {
    document(title, &html! { main { h1 { (title) } (body) p { a href="/" { "To the ladder" } } } })
}

/// Returns a page with a title and a body, in which invisible characters are visible.
pub(super) fn document(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (shown(title)) }
                link rel="stylesheet" href="/static/league.css";
                script src="/static/league.js" defer {}
            }
            body { (visible(body)) }
        }
    }
}
