//! What can be seen of the game while it is played: the terminal's picture, and the browser's data.

use crate::output::print;
use arena::record::Event;
use engine::{Game, Protocol};
use foxgame::Position;
use serde_json::{Value, json};
use std::io::{IsTerminal, stdout};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use web::drawing;

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
    /// The number of the game; 0 before the first.
    game: u32,
    /// The moves of the game, each with the position after it.
    moves: Vec<Value>,
    data: Value,
}

impl Live {
    /// The view before the first game. `terminal`: draw each position on standard output.
    pub(super) fn new(terminal: bool) -> Live {
        let position = Position::initial();
        let players = Default::default();
        let mut view = View { position, players, version: 0, game: 0, moves: Vec::new(), data: Value::Null };
        view.update(None, "waiting for agents".to_string());
        Live { view: Arc::new(Mutex::new(view)), terminal }
    }

    /// Shows an event of the game.
    pub(super) fn show(&self, event: &Event) {
        let mut view = self.lock();
        let text = match event {
            Event::Header(_) | Event::Entry(_) | Event::Attempt(_) | Event::Result(_) => return,
            Event::Start(start) => {
                view.position = Position::initial();
                view.players.clone_from(&start.players);
                view.game = start.game;
                view.moves.clear();
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
                let (position, sheep) = (view.data["position"].clone(), view.data["sheep"].clone());
                let move_made = json!({ "side": record.side, "ms": ms.round(), "position": position, "sheep": sheep });
                view.moves.push(move_made);
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

    /// The data of the page, for one who has so many moves of this game: the state, and the moves that are missing.
    pub(super) fn data(&self, game: u32, moves: usize) -> String {
        let view = self.lock();
        let had = if game == view.game { moves } else { 0 };
        let mut data = view.data.clone();
        data["game"] = json!(view.game);
        data["moves"] = json!(view.moves.get(had..).unwrap_or_default());
        data["start"] = Position::initial().drawing(None).as_ref().map_or(Value::Null, drawing::position);
        data.to_string()
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
            "board": drawing::board(&drawing),
            "position": drawing::position(&drawing),
            "over": false,
        });
    }
}
