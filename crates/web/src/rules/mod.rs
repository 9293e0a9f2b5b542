//! The pages of rules for people, made from `docs/rules/GAME.md`. What stands there as a text is
//! shown as a board as well: an input file, which can be played from; the board of such a position;
//! the board after the move of an output file. Sections have boards of their own besides these
//! ([`FIGURES`]).

mod blocks;

use blocks::{Block, Blocks};
use boards::escape;
use engine::{Drawing, Explain, Protocol, RuleSet};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// The section from which on a page is for people who write programs: it is closed at first.
const PROGRAMS: &str = "For programs";

/// The HTML template of a page.
const PAGE: &str = include_str!("page.html");

/// The page of a game's rules. `markdown` is its text, `games` the names and titles of all games
/// with such a page.
pub fn page<G: Explain>(markdown: &str, games: &[(&str, &str)]) -> String {
    let mut text = Text::<G> {
        blocks: Blocks::of(markdown),
        out: Vec::new(),
        section: String::new(),
        boards: 0,
    };
    let mut sections = String::new();
    let mut is_for_programs = false;
    let mut events = Parser::new_ext(markdown, Options::ENABLE_TABLES);
    while let Some(event) = events.next() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented | CodeBlockKind::Fenced(_))) => {
                let code: String =
                    inside(&mut events, |event| matches!(event, Event::End(TagEnd::CodeBlock)));
                text.block(&code);
            }
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => {
                text.figures();
                let title =
                    inside(&mut events, |event| matches!(event, Event::End(TagEnd::Heading(_))));
                let (id, title) = (slug(&title), escape(&title));
                let heading = format!("<h2 id=\"{id}\">{title}</h2>");
                if title == PROGRAMS {
                    text.html(format!("<details><summary>{heading}</summary>"));
                } else {
                    text.html(heading);
                }
                if !is_for_programs {
                    sections += &format!("<a href=\"#{id}\">{title}</a> ");
                }
                is_for_programs |= title == PROGRAMS;
                text.section = title;
            }
            Event::Start(Tag::Table(_)) => {
                text.html("<div class=\"wide\" tabindex=\"0\">".to_string());
                text.out.push(event);
            }
            Event::End(TagEnd::Table) => {
                text.out.push(event);
                text.html("</div>".to_string());
            }
            other => text.out.push(other),
        }
    }
    text.figures();
    if is_for_programs {
        text.html("</details>".to_string());
    }
    let mut body = String::new();
    html::push_html(&mut body, text.out.into_iter());
    let others = games.iter().filter(|(name, _)| *name != G::NAME);
    let others: String = others
        .map(|(name, title)| format!("<a href=\"{name}.html\">{}</a> ", escape(title)))
        .collect();
    let fields = [
        ("{TITLE}", escape(short_title(G::TITLE))),
        ("{GAME}", G::NAME.to_string()),
        ("{RULES}", G::Rules::AGENT.name().to_string()),
        ("{OTHERS}", others),
        ("{SECTIONS}", sections),
        ("{TEXT}", body),
    ];
    fields.iter().fold(PAGE.to_string(), |page, (field, value)| page.replace(field, value))
}

/// A game's title without what stands in brackets.
pub fn short_title(title: &str) -> &str {
    title.split(" (").next().unwrap_or(title)
}

/// The text of the events up to an end.
fn inside<'a>(
    events: &mut impl Iterator<Item = Event<'a>>,
    is_end: impl Fn(&Event<'a>) -> bool,
) -> String {
    let mut text = String::new();
    for event in events.take_while(|event| !is_end(event)) {
        if let Event::Text(part) | Event::Code(part) = event {
            text.push_str(&part);
        }
    }
    text
}

/// The name of a section in an address.
fn slug(title: &str) -> String {
    let plain = title.to_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
    plain.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// The body of a page under construction.
struct Text<'a, G: Protocol> {
    blocks: Blocks<G>,
    out: Vec<Event<'a>>,
    /// The section that the text is in.
    section: String,
    /// The number of boards so far. The first one has the pieces that all use.
    boards: usize,
}

impl<G: Explain> Text<'_, G> {
    fn html(&mut self, html: String) {
        self.out.push(Event::Html(html.into()));
    }

    /// Adds a block of code: as text, as a board, or as both.
    fn block(&mut self, code: &str) {
        let plain = format!("<pre tabindex=\"0\">{}</pre>\n", escape(code));
        let html = match self.blocks.what(code) {
            Block::Text => plain,
            Block::Input(position) => {
                let board = self.board(&position.drawing(None).unwrap_or_default());
                format!(
                    "<div class=\"beside\">{plain}{}</div>\n",
                    figure(&board, "The same on the board", Some(code))
                )
            }
            // The text has signs for what the move changed, which the words around it name.
            Block::Board(drawing, words) if !drawing.path.is_empty() => {
                format!(
                    "<div class=\"beside\">{plain}{}</div>\n",
                    figure(&self.board(&drawing), words, None)
                )
            }
            Block::Board(drawing, words) => figure(&self.board(&drawing), words, None),
        };
        self.html(html);
    }

    /// The boards of the section that ends.
    fn figures(&mut self) {
        let section = std::mem::take(&mut self.section);
        for (_, _, caption, input) in
            FIGURES.iter().filter(|(game, of, ..)| *game == G::NAME && *of == section)
        {
            let task =
                G::read_task(input, G::Rules::AGENT).expect("the test of the figures reads them");
            let board = self.board(&task.position.drawing(None).unwrap_or_default());
            self.html(figure(&board, caption, Some(input)));
        }
    }

    /// A board as SVG in a page.
    fn board(&mut self, drawing: &Drawing) -> String {
        let ground = boards::ground(drawing);
        let shared = if self.boards == 0 {
            0
        } else {
            ground.find("</defs>").map_or(0, |at| at + "</defs>".len())
        };
        self.boards += 1;
        let way = if drawing.path.len() > 1 {
            format!("<g class=\"way\">{}</g>", boards::way(&drawing.path))
        } else {
            String::new()
        };
        format!(
            "<svg class=\"menagerie-board\" viewBox=\"{}\" aria-hidden=\"true\"><g class=\"ground\">{}</g><g class=\"marks\">{}</g>\
             <g class=\"pieces\">{}</g><g class=\"ways\">{way}</g></svg>",
            boards::view_box(drawing),
            &ground[shared..],
            boards::marks(drawing),
            boards::cells(drawing).concat(),
        )
    }
}

/// A board with words below it; one with an input file can be played on.
fn figure(board: &str, caption: &str, input: Option<&str>) -> String {
    let input = input.map_or(String::new(), |input| format!(" data-input=\"{}\"", escape(input)));
    format!(
        "<figure{input}><div class=\"small-board\">{board}</div><figcaption>{}</figcaption></figure>\n",
        escape(caption)
    )
}

/// The boards that sections of the rules have beside their texts, in the order of the pages: game,
/// section, caption, input file.
const FIGURES: &[(&str, &str, &str, &str)] = &[
    (
        "halma",
        "Jumps",
        "White is to move. The piece on 12,8 can jump three times in a row, over pieces of both colours, and may stop after each jump.",
        "SINGLE\nWHITE\n10\n................\n................\n................\n................\n.......W........\n.........B......\n................\n...........B....\n............W...\n................\n................\n...B............\n................\n................\n................\n................\n",
    ),
    (
        "wolves",
        "Eating",
        "The wolf at 2,4 can eat the sheep at 2,2 and 0,4. The sheep at 3,4 is right beside it, and safe.",
        "SINGLE\nWOLVES\n10\nSS.SS\n.W...\n..S.S\n.....\nS.WS.\n",
    ),
    (
        "wolves",
        "Winning",
        "Sheep are to move, and a step to 3,4 shuts both wolves in.",
        "SINGLE\nSHEEP\n10\nWS..S\nS..S.\n..S..\n...SS\nS.S.W\n",
    ),
    (
        "squirrels",
        "Raid and Sneak",
        "X is to move. C2 touches B2, a piece of X: a Raid that turns D2 and C1. E5 touches none: a Sneak.",
        "SINGLE\nX\n10\n20 16 1 32 30\n20 12 2 11 8\n28 48 9 1 1\n20 12 10 6 2\n25 30 23 21 10\n**O**\n*X*O*\n*****\n*****\nX****\n",
    ),
    (
        "foxgame",
        "Lines",
        "One fox stands where diagonals lead to all sides, one where none does. Press them.",
        "SINGLE\nFOX\n10\n##...##\n##...##\n...F...\n....F..\nSS...SS\n##SSS##\n##SSS##\n",
    ),
    (
        "foxgame",
        "Foxes",
        "The fox can jump twice, over 3,3 and over 4,4, or stop after the first jump.",
        "SINGLE\nFOX\n10\n##...##\n##...##\n...F...\n...S...\nSS..S.S\n##SSS##\n##SS.##\n",
    ),
    (
        "foxgeese",
        "Forced captures",
        "X could take one goose, Y can take two: only the chain of Y is allowed.",
        "SINGLE\nFOXES\n10\nMOVES 9\n    - - -\n    - - -\n- - X a - - -\n- Y b - - - -\nc - - d e f g\n    h i j\n    k l -\n",
    ),
];
