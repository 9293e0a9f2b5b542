//! The frame of a page.

use maud::{Markup, html};
use pages::markup::{frame, visible};

pub(super) fn plain_page(title: &str, body: &Markup) -> Markup {
    document(title, &html! { main { h1 { (title) } (body) p { a href="/" { "To the ladder" } } } })
}

/// Returns a page with a title and a body, in which invisible characters are visible.
pub(super) fn document(title: &str, body: &Markup) -> Markup {
    let head = html! {
        link rel="stylesheet" href="/static/league.css";
        script src="/static/league.js" defer {}
    };
    frame(title, None, &head, &visible(body))
}
