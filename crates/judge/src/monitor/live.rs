//! What can be seen of the game while it is played: the terminal's picture, and the browser's data.

use crate::output::print;
use crate::replay::page;
use arena::record::Event;
use engine::{Game, Protocol};
use foxgame::Position;
use serde_json::{Value, json};
use std::io::{IsTerminal, stdout};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The state that viewers share.
#[derive(Clone)]
pub(super) struct Live {
    view: Arc<Mutex<View>>,
    terminal: bool,
}

struct View {
    position: Position,
    players: [String; 2],
    /// The number of changes so far.
    version: u64,
    data: Value,
}

impl Live {
    /// The view before the first game. `terminal`: draw each position on standard output.
    pub(super) fn new(terminal: bool) -> Live {
        let position = Position::initial();
        let mut view = View { position, players: Default::default(), version: 0, data: Value::Null };
        view.update(None, "waiting for agents".to_string());
        Live { view: Arc::new(Mutex::new(view)), terminal }
    }

    /// Shows an event of the game.
    pub(super) fn show(&self, event: &Event) {
        let mut view = self.lock();
        let text = match event {
            Event::Header(_) => return,
            Event::Start(start) => {
                view.position = Position::initial();
                view.players.clone_from(&start.players);
                view.update(None, format!("game {} begins", start.game));
                view.position.picture(None)
            }
            Event::Move(record) => {
                let Ok(mv) = view.position.read_move(&record.output) else { return };
                let before = view.position.clone();
                view.position.play(mv);
                let ms = record.wall * 1e3;
                let caption = format!("{}. {} {} ({ms:.0} ms)", record.ply + 1, record.side, record.mv);
                view.update(Some((&before, mv)), caption);
                view.position.picture(Some(mv))
            }
            Event::End(end) => {
                let winner = end.winner.map_or("a draw", |index| Position::SIDES[index]);
                let caption = format!("game {}: {winner}: {} ({})", end.game, end.termination, end.reason);
                view.data["over"] = json!(true);
                view.version += 1;
                view.data["version"] = json!(view.version);
                view.data["caption"] = json!(caption);
                String::new()
            }
        };
        if self.terminal {
            // Home, and clear what is below: no flicker, and nothing of this in files.
            let clear = if stdout().is_terminal() { "\u{1b}[H\u{1b}[J" } else { "" };
            let sheep = view.position.board().sheep.len();
            let [fox, flock] = &view.players;
            let caption = view.data["caption"].as_str().unwrap_or_default();
            print(&format!("{clear}FOX {fox}, SHEEP {flock}: {sheep} sheep\n{text}{caption}\n"));
        }
    }

    /// The data of the page.
    pub(super) fn data(&self) -> String {
        self.lock().data.to_string()
    }

    fn lock(&self) -> MutexGuard<'_, View> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl View {
    fn update(&mut self, last: Option<(&Position, foxgame::Move)>, caption: String) {
        self.version += 1;
        let Some(drawing) = self.position.drawing(last) else { return };
        let board = self.position.board();
        self.data = json!({
            "version": self.version,
            "players": self.players,
            "caption": caption,
            "sheep": board.sheep.len(),
            "turn": Position::side_word(self.position.side_to_move()),
            "board": page::board(&drawing),
            "position": page::position(&drawing),
            "over": false,
        });
    }
}
