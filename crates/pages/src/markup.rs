//! HTML pages in one file, without network requests.

use arena::plain::{lines, shown};
use base64::{Engine, prelude::BASE64_STANDARD};
use maud::{DOCTYPE, Markup, PreEscaped, Render, html};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The style of all pages but replays.
pub const STYLE: &str = include_str!("markup.css");

/// A path as a URL relative to the page; all but unreserved characters (RFC 3986) are
/// percent-encoded.
pub fn address(parts: &[&str]) -> String {
    let mut out = String::new();
    for part in parts {
        if !out.is_empty() {
            out.push('/');
        }
        for byte in part.bytes() {
            // A colon is encoded as well: in the first part it would end a scheme.
            if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                out.push(char::from(byte));
            } else {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// A page without scripts, with the style of boards if it has any.
pub fn page(title: &str, body: &Markup) -> String {
    let boards = if body.0.contains("menagerie-board") { boards::STYLE } else { "" };
    document(title, &format!("{STYLE}{boards}"), "", &html! { main { (body) } })
}

/// Markup with visible escapes for invisible characters but line feeds.
pub fn visible(markup: &Markup) -> Markup {
    PreEscaped(lines(&markup.0))
}

/// The frame of a page: `head` ends its head, after the policy if the page brings one.
pub fn frame(title: &str, policy: Option<&str>, head: &Markup, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                @if let Some(policy) = policy {
                    meta http-equiv="Content-Security-Policy" content=(policy);
                }
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (shown(title)) }
                (head)
            }
            body { (body) }
        }
    }
}

/// A page whose security policy allows its own style and script alone. Invisible characters are
/// visible.
pub(crate) fn document(title: &str, style: &str, script: &str, body: &Markup) -> String {
    let hash = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
    let scripts =
        if script.is_empty() { String::new() } else { format!("script-src {}; ", hash(script)) };
    let styles = hash(style);
    let policy = format!(
        "default-src 'none'; {scripts}style-src {styles}; base-uri 'none'; form-action 'none'"
    );
    let body = html! {
        (visible(body))
        @if !script.is_empty() { script { (PreEscaped(script)) } }
    };
    frame(title, Some(&policy), &html! { style { (PreEscaped(style)) } }, &body).into_string()
}

/// A table that scrolls on a narrow page. Each heading has the class of its cells; a column of
/// buttons has an empty one.
pub fn table(label: &str, headings: &[(impl Render, &str)], rows: &Markup) -> Markup {
    html! {
        div.wide role="region" aria-label=(label) tabindex="0" {
            table {
                thead { tr { @for (heading, class) in headings {
                    @let heading = heading.render();
                    @if heading.0.is_empty() { td {} } @else {
                        th scope="col" class=[(*class == "figure").then_some("figure")] { (heading) }
                    }
                } } }
                tbody { (rows) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untrusted_text_is_neither_markup_nor_a_foreign_address() {
        assert_eq!(address(&["a b", "jos\u{e9}#?%:.html"]), "a%20b/jos%C3%A9%23%3F%25%3A.html");
        let nasty = "</title><script>\"&\u{202e}";
        let page = page(
            nasty,
            &table(nasty, &[(nasty, "")], &html! { tr { td title=(nasty) { (nasty) } } }),
        );
        assert_eq!(
            page.matches("&lt;/title&gt;&lt;script&gt;&quot;&amp;\\u{202e}").count(),
            5,
            "{page}"
        );
        assert!(!page.contains("<script") && !page.contains("src="));
    }
}
