//! The view of the running game: its text in the terminal, and its data for the page in a browser.

use arena::plain;
use arena::record::Event;
use clock::lock;
use engine::{Drawing, Game, Protocol};
use foxgame::Position;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard};
use terminal::output::print_anew;
use web::drawing;

/// A view of the running game. Clones share its state.
#[derive(Clone)]
pub(super) struct LiveView {
    state: Arc<Mutex<ViewState>>,
    terminal: bool,
}

struct ViewState {
    position: Position,
    players: [String; 2],
    version: u64,
    /// The number of the game; 0 before the first.
    game: u32,
    /// The moves of the game, each with the position after it.
    moves: Vec<Value>,
    /// The data of the page without its moves.
    data: Value,
}

impl LiveView {
    pub(super) fn new(terminal: bool) -> LiveView {
        let mut state = ViewState {
            position: Position::initial(),
            players: Default::default(),
            version: 0,
            game: 0,
            moves: Vec::new(),
            data: Value::Null,
        };
        state.update(None, "waiting for agents".to_string());
        LiveView { state: Arc::new(Mutex::new(state)), terminal }
    }

    /// Updates the view by an event of a record, and draws it.
    pub(super) fn show(&self, event: &Event) {
        let mut state = self.lock();
        let text = match event {
            Event::Start(start) => {
                state.position = Position::initial();
                state.players.clone_from(&start.players);
                state.game = start.game;
                state.moves.clear();
                state.update(None, format!("game {} begins", start.game));
                state.position.picture(None)
            }
            Event::Move(record) => {
                let Ok(mv) = state.position.read_move(&record.output) else { return };
                let before = state.position.clone();
                state.position.play(mv);
                let ms = record.wall * 1e3;
                let caption =
                    format!("{}. {} {} ({ms:.0} ms)", record.ply + 1, record.side, record.mv);
                state.update(Some((&before, mv)), caption);
                let made = json!({
                    "side": record.side,
                    "ms": ms.round(),
                    "position": state.data["position"],
                    "sheep": state.data["sheep"],
                });
                state.moves.push(made);
                state.position.picture(Some(mv))
            }
            Event::End(end) => {
                let winner = end.winner.map_or("a draw", |index| Position::SIDES[index]);
                let caption =
                    format!("game {}: {winner}: {} ({})", end.game, end.termination, end.reason);
                state.data["over"] = json!(true);
                state.version += 1;
                state.data["version"] = json!(state.version);
                state.data["caption"] = json!(caption);
                String::new()
            }
            _ => return,
        };
        if self.terminal {
            let sheep = state.position.board().sheep.len();
            let [fox, flock] = &state.players;
            let caption = state.data["caption"].as_str().unwrap_or_default();
            print_anew(&format!("FOX {fox}, SHEEP {flock}: {sheep} sheep\n{text}{caption}\n"));
        }
    }

    /// The data of the page as JSON, without the first `moves` moves of game `game`, which the page
    /// has already.
    pub(super) fn data(&self, game: u32, moves: usize) -> String {
        let state = self.lock();
        let known_moves = if game == state.game { moves } else { 0 };
        let mut data = state.data.clone();
        data["game"] = json!(state.game);
        data["moves"] = json!(state.moves.get(known_moves..).unwrap_or_default());
        data["start"] =
            drawn(&Position::initial(), None).as_ref().map_or(Value::Null, drawing::position);
        plain::json(&mut data);
        data.to_string()
    }

    fn lock(&self) -> MutexGuard<'_, ViewState> {
        lock(&self.state)
    }
}

/// The drawing of a position with the coordinates of the protocol, which count from 1.
fn drawn(position: &Position, last: Option<(&Position, foxgame::Move)>) -> Option<Drawing> {
    let mut drawing = position.drawing(last)?;
    drawing.columns = (1..=drawing.width).map(|column| column.to_string()).collect();
    drawing.rows = (1..=drawing.height).map(|row| row.to_string()).collect();
    Some(drawing)
}

impl ViewState {
    /// Renders the present position into the data, with the last move and the position before it.
    fn update(&mut self, last: Option<(&Position, foxgame::Move)>, caption: String) {
        self.version += 1;
        let Some(drawing) = drawn(&self.position, last) else { return };
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
