//! The documents as HTML, for systems that show no Markdown.

use super::pack::Tree;
use anyhow::Result;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

const STYLE: &str = "body { max-width: 50em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 sans-serif; } \
    pre { overflow-x: auto; padding: .7em; } pre, code { background: #f2f2f0; font-size: 14px; } \
    table { border-collapse: collapse; } td, th { border: 1px solid #ccc; padding: .3em .6em; text-align: left; } \
    img { max-width: 100%; } \
    @media (prefers-color-scheme: dark) { body { background: #1c1c1a; color: #e8e8e4; } a { color: #8ab4f8; } \
    pre, code { background: #2b2b28; } }";

/// Adds an HTML page beside each page in Markdown.
pub(super) fn add(tree: &mut Tree) -> Result<()> {
    for (path, text) in tree.texts(".md") {
        let page = page(&text);
        tree.add(&with_html_ending(&path), page.into_bytes(), false);
    }
    Ok(())
}

/// Returns a text in Markdown as a whole HTML page. Links to other pages lead to their HTML, and
/// sections have the names that links use.
fn page(text: &str) -> String {
    let mut events: Vec<Event> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    let mut title = String::new();
    for at in 0..events.len() {
        match &mut events[at] {
            Event::Start(Tag::Heading { .. }) => {
                let heading = heading(&events[at + 1..]);
                if title.is_empty() {
                    title.clone_from(&heading);
                }
                if let Event::Start(Tag::Heading { id, .. }) = &mut events[at] {
                    *id = Some(CowStr::from(section_name(&heading)));
                }
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                *dest_url = CowStr::from(with_html_ending(dest_url))
            }
            _ => {}
        }
    }
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n\
        <body>\n{body}</body>\n</html>\n"
    )
}

/// The text of a heading that begins before these events.
fn heading(events: &[Event]) -> String {
    let inner = events.iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    inner
        .filter_map(|event| {
            if let Event::Text(text) | Event::Code(text) = event { Some(&**text) } else { None }
        })
        .collect()
}

/// The name of a section in links.
fn section_name(heading: &str) -> String {
    let signs = heading.to_lowercase();
    let kept = signs.chars().filter(|sign| sign.is_alphanumeric() || "_- ".contains(*sign));
    kept.map(|sign| if sign == ' ' { '-' } else { sign }).collect()
}

/// A path or link to a page in Markdown, with the ending of HTML. Addresses are left as they are.
fn with_html_ending(link: &str) -> String {
    let (path, section) = link
        .split_once('#')
        .map_or((link, String::new()), |(path, name)| (path, format!("#{name}")));
    match path.strip_suffix(".md") {
        Some(path) if !link.contains("://") => format!("{path}.html{section}"),
        _ => link.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_named_sections_and_links_to_html() {
        let page = page(
            "# Installing & more\n\n[a](b.md#c-d), [e](https://f.md), [g](#h)\n\n## Windows `and` macOS\n",
        );
        for part in [
            "<title>Installing &amp; more</title>",
            "href=\"b.html#c-d\"",
            "href=\"https://f.md\"",
            "href=\"#h\"",
            "<h2 id=\"windows-and-macos\">",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
}
