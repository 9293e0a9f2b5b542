//! A report as a page for a browser.

use super::evidence::evidence;
use crate::grade::result::{Grade, Item, number};
use crate::markup::{self, escaped, escaped_lines, row, table};
use std::fmt::Write;

const HEADINGS: [(&str, &str); 7] = [
    ("test", "figure"),
    ("what", ""),
    ("points", ""),
    ("of", "figure"),
    ("CPU s", "figure"),
    ("plies", "figure"),
    ("how", ""),
];

/// A report as a page. `games` is the address of the page where its lost games can be seen.
pub(super) fn page(grade: &Grade, games: Option<&str>) -> String {
    let (points, most) = grade.points();
    let mut body = format!(
        "<h1>{}: {} of {} points</h1>\n<p>{}</p>\n",
        escaped(&grade.agent),
        number(points),
        number(most),
        escaped(&grade.headline())
    );
    if let Some(not_run) = &grade.not_run {
        let _ = writeln!(
            body,
            "<div class=\"missing\"><p>It was not run:</p><pre tabindex=\"0\">{}</pre><p>To mend it: {}</p></div>",
            escaped_lines(&not_run.why),
            escaped(&not_run.remedy)
        );
    }
    for note in &grade.notes {
        let _ = writeln!(body, "<p>{}</p>", escaped(note));
    }
    if !grade.items.is_empty() {
        let rows: String = grade.items.iter().map(|item| line(item, games)).collect();
        body += &table("Tests", &HEADINGS, &rows);
    }
    if let Some(bonus) = &grade.bonus {
        let _ = writeln!(body, "<p>Bonus: {} for {}</p>", number(bonus.points), escaped(&bonus.told));
    }
    for item in grade.lost() {
        let (points, most) = (number(item.points), number(item.most));
        let _ = write!(
            body,
            "<h2 id=\"test-{0}\">{0}. {1}: {points} of {most}</h2>\n{2}<pre tabindex=\"0\">{3}</pre>\n",
            item.number,
            escaped(&item.name),
            games.and_then(|games| replay(item, games)).map_or(String::new(), |link| format!("<p>{link}</p>\n")),
            escaped_lines(evidence(grade, item).trim_end())
        );
    }
    if let Some(walls) = &grade.walls {
        let _ = writeln!(body, "<p class=\"soft\">Walls around the agent: {}</p>", escaped(walls));
    }
    markup::page(&format!("{}: {}", grade.title, grade.agent), &body)
}

/// A test in the table.
fn line(item: &Item, games: Option<&str>) -> String {
    let class = shade(item);
    let how = if item.is_full() {
        "ok".to_string()
    } else {
        let link = games.and_then(|games| replay(item, games)).map_or(String::new(), |link| format!(", {link}"));
        format!("<a href=\"#test-{}\">{}</a>{link}", item.number, escaped(&item.verdict()))
    };
    let cells = [
        item.number.to_string(),
        escaped(&item.name),
        number(item.points),
        number(item.most),
        format!("{:.2}", item.cpu()),
        item.plies().to_string(),
        how,
    ];
    row(&cells, &["figure", "what", class, "figure", "figure", "figure", "what"])
}

/// The class of a cell with points.
pub(crate) fn shade(item: &Item) -> &'static str {
    if item.is_full() {
        "full"
    } else if item.points > 0.0 {
        "part"
    } else {
        "none"
    }
}

/// A link to the end of a test's game in a page of games; none if it was never played.
fn replay(item: &Item, games: &str) -> Option<String> {
    item.end()?;
    Some(format!("<a href=\"{games}#{}/{}\">the game</a>", item.game, item.plies()))
}
