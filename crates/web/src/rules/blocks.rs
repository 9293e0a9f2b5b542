//! The blocks of code of a rules page, and the boards that they show.

use engine::{Drawing, Explain, Protocol, RuleSet};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// The kinds of code blocks on a rules page.
pub(super) enum Block<G> {
    /// Text alone.
    Text,
    /// An input file.
    Input(G),
    /// A board, and words for it.
    Board(Drawing, &'static str),
}

/// The boards that the blocks of a page may show, each as text and drawn.
pub(super) struct Blocks<G>(Vec<(String, Drawing, &'static str)>, std::marker::PhantomData<G>);

impl<G: Explain> Blocks<G> {
    /// The boards of a page: the start, the positions of its input files, and those after the moves
    /// of its output files, each of which follows its input file.
    pub(super) fn of(markdown: &str) -> Self {
        let mut boards = Vec::new();
        let mut add = |position: &G, drawing: Option<Drawing>, mv, words| {
            boards.extend(drawing.map(|drawing| (plain(&position.picture(mv)), drawing, words)));
        };
        let start = G::start(G::Rules::AGENT);
        add(&start, start.drawing(None), None, "The start");
        let mut last: Option<G> = None;
        for code in codes(markdown) {
            if let Some(position) = read::<G>(&code) {
                add(&position, position.drawing(None), None, "This board");
                last = Some(position);
            } else if let Some((before, mv)) =
                last.as_ref().and_then(|before| Some((before, before.read_move(&code).ok()?)))
            {
                let after = before.after(mv);
                add(
                    &after,
                    after.drawing(Some((before, mv))),
                    Some(mv),
                    "The board after the move",
                );
            }
        }
        Blocks(boards, std::marker::PhantomData)
    }

    /// The kind of a block.
    pub(super) fn what(&self, code: &str) -> Block<G> {
        if let Some(position) = read::<G>(code) {
            return Block::Input(position);
        }
        let text = plain(code);
        // A page may leave out the last line of a picture, such as the sums of Squirrels.
        let lines = text.lines().count();
        let is_of =
            |picture: &str| picture.starts_with(&text) && picture.lines().count() <= lines + 1;
        let known = self.0.iter().find(|(picture, ..)| lines > 1 && is_of(picture));
        known.map_or(Block::Text, |(_, drawing, words)| Block::Board(drawing.clone(), words))
    }
}

/// The blocks of code of a page.
fn codes(markdown: &str) -> Vec<String> {
    let (mut codes, mut is_code) = (Vec::<String>::new(), false);
    for event in Parser::new(markdown) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => {
                is_code = true;
                codes.push(String::new());
            }
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Text(text) if is_code => {
                codes.last_mut().expect("a block has begun").push_str(&text)
            }
            _ => {}
        }
    }
    codes
}

fn read<G: Protocol>(code: &str) -> Option<G> {
    Some(G::read_task(code, G::Rules::AGENT).ok()?.position)
}

/// A board as text without the blanks around and between its symbols, which a page may set
/// otherwise.
fn plain(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
