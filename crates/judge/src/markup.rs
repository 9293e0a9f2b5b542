//! Pages for a browser that are one file: nothing in them is asked of a network, nothing runs, and what others wrote is
//! escaped.

use arena::plain::shown;
use std::fmt::{Display, Write};

const STYLE: &str = include_str!("markup.css");
/// The hash of the style, as the policy of a page writes it; after a change of the style, tests/class.rs says the new one.
const HASH: &str = "sha256-GxwMlJlZeCoOaWzJtORpfOND9jTyrmSKv7z1Dg9muJE=";

/// Text that others chose, for a page: what is not plain escaped, and what is markup as well.
pub(crate) fn escaped(text: &str) -> String {
    with_entities(&shown(text))
}

/// Lines that others chose, for a page; their ends stay.
pub(crate) fn escaped_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(escaped).collect();
    lines.join("\n")
}

fn with_entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for symbol in text.chars() {
        match symbol {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(symbol),
        }
    }
    out
}

/// A path of files as an address beside the page: every byte that an address does not have as itself is `%xx`.
pub(crate) fn address(parts: &[&str]) -> String {
    let mut out = String::new();
    for part in parts {
        if !out.is_empty() {
            out.push('/');
        }
        for byte in part.bytes() {
            if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                out.push(char::from(byte));
            } else {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    // A first part with a colon would be taken for a scheme; it is escaped above.
    out
}

/// A whole page around its body.
pub(crate) fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{HASH}'; base-uri 'none'; \
         form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(title)
    )
}

/// A row of a table's body. The cells are markup already; `classes` has a class for each, or nothing.
pub(crate) fn row(cells: &[String], classes: &[&str]) -> String {
    let mut out = String::from("<tr>");
    for (index, cell) in cells.iter().enumerate() {
        match classes.get(index).copied().unwrap_or_default() {
            "" => out += &format!("<td>{cell}</td>"),
            class => out += &format!("<td class=\"{class}\">{cell}</td>"),
        }
    }
    out + "</tr>\n"
}

/// A table in a frame that scrolls by itself where the page is narrow. The headings are markup already, each with the class
/// of the cells below it.
pub(crate) fn table(label: &str, headings: &[(impl Display, &str)], rows: &str) -> String {
    let mut head = String::new();
    for (heading, class) in headings {
        let class = if *class == "figure" { " class=\"figure\"" } else { "" };
        let _ = write!(head, "<th scope=\"col\"{class}>{heading}</th>");
    }
    let label = escaped(label);
    format!(
        "<div class=\"wide\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\"><table>\n<thead><tr>{head}</tr></thead>\n\
         <tbody>\n{rows}</tbody></table></div>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_others_wrote_is_markup_or_leads_elsewhere() {
        assert_eq!(escaped("<b>\"'&\u{202e}"), "&lt;b&gt;&quot;&#39;&amp;\\u{202e}");
        assert_eq!(escaped_lines("<a>\r\n\t<b>"), "&lt;a&gt;\n\\t&lt;b&gt;");
        assert_eq!(address(&["a b", "jos\u{e9}#?%:.html"]), "a%20b/jos%C3%A9%23%3F%25%3A.html");
        let page = page("</title><script>", "");
        assert!(!page.contains("<script>") && !page.contains("src="));
    }
}
