//! What `judge play` adds to the page: programs of the command line as players (`--engine`), and a
//! game of somebody's own (`--game ./folder`). The page names a program by its number: commands and
//! folders come from the command line alone.

use crate::own_game::{self, Question};
use anygame::{AnyGame, AnyTask};
use anyhow::{Context, Result, anyhow, bail, ensure};
use arena::keys::{DEFAULT_GAME_CLOCK, Keys, reference};
use arena::player::protocol::player_of;
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::player::{Charged, Player, Turn, turn_of};
use arena::terms::Bounds;
use boards::Thoughts;
use engine::TimeControl;
use intake::preflight::remedy;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;
use tokio::sync::oneshot;

/// The most players that are kept, each with the files that its program keeps between turns.
const MOST_PLAYERS: usize = 8;
const LEAST_CLOCK: f64 = 1e-6;

#[derive(Deserialize)]
struct TurnRequest {
    /// The page's name of the game that is played, whose programs have directories of their own.
    session: String,
    game: String,
    rules: String,
    /// The number of the program on the command line, from 0.
    engine: usize,
    /// The position as the page has it. Its clock does not count.
    input: String,
    /// The seconds that are left on the program's clock; none before its first turn.
    left: Option<f64>,
}

type Asked = (TurnRequest, oneshot::Sender<Result<Value>>);

/// The programs of the command line.
pub(super) struct Bench {
    /// The programs, and the game of somebody's own, as JSON for the page.
    pub listed: Value,
    pub own: Option<&'static AnyGame>,
    requests: std::sync::Mutex<Sender<Asked>>,
}

impl Bench {
    /// The programs of these `key=value` arguments, for each of `games` that they can play.
    pub(super) fn new(
        games: &[&'static AnyGame],
        engines: &[Vec<String>],
        bounds: Bounds,
    ) -> Result<Bench> {
        let own = games.iter().copied().find(|game| game.is_own());
        if let Some(game) = own {
            let is_together = game.rules.start(None)?.second_half()?.is_some();
            ensure!(!is_together, "{}: the page plays no moves at the same time", game.name);
        }
        let mut specs: BTreeMap<&'static str, Vec<EngineSpec>> = BTreeMap::new();
        for game in games {
            let keys = engines
                .iter()
                .map(|words| Keys::parse(words.iter().map(String::as_str))?.engine(game));
            match keys.collect::<Result<Vec<EngineSpec>>>() {
                Ok(found) => {
                    let more = own.map(references).transpose()?.unwrap_or_default();
                    specs.insert(game.key, found.into_iter().chain(more).collect());
                }
                Err(error) if games.len() == 1 => return Err(error),
                Err(_) => {}
            }
        }
        let Some(first) = specs.values().next() else {
            bail!("--engine: no game has such a player; with --game GAME the judge says why");
        };
        for spec in first {
            ensure!(
                !matches!(spec.kind, PlayerKind::Protocol { .. }),
                "engine '{}': on the page, programs read and write files: proto= is not possible",
                spec.name
            );
        }
        let listed = |spec: &EngineSpec| {
            let command = match &spec.kind {
                PlayerKind::Files { command, .. } => command.join(" "),
                _ => "a player of the judge".to_string(),
            };
            json!({ "name": spec.name, "command": command })
        };
        let engines: Vec<Value> = first.iter().map(listed).collect();
        let names: Vec<_> = specs.keys().collect();
        let listed =
            json!({ "games": names, "engines": engines, "own": own.map(own_game::listed) });
        let games: Vec<&'static AnyGame> =
            games.iter().copied().filter(|game| specs.contains_key(game.key)).collect();
        let (requests, asked) = channel::<Asked>();
        std::thread::spawn(move || {
            let mut players = Players { games, specs, bounds, kept: Vec::new() };
            for (request, answer) in asked {
                // A page that has gone does not read its answer.
                let _ = answer.send(players.play(&request));
            }
        });
        Ok(Bench { listed, own, requests: std::sync::Mutex::new(requests) })
    }

    pub(super) async fn tell(&self, question: &[u8]) -> Result<Value> {
        let question: Question = serde_json::from_slice(question)?;
        let game = self.own.context("the page plays the games of the judge alone")?;
        let (answer, told) = oneshot::channel();
        // A thread for each: the next move does not wait for a hint that is still sought.
        std::thread::spawn(move || {
            let _ = answer.send(own_game::answer(game, &question));
        });
        told.await.map_err(|_| gone())?
    }

    pub(super) async fn ask(&self, request: &[u8]) -> Result<Value> {
        let request: TurnRequest = serde_json::from_slice(request)?;
        let (answer, told) = oneshot::channel();
        clock::lock(&self.requests).send((request, answer)).map_err(|_| gone())?;
        told.await.map_err(|_| gone())?
    }
}

/// The reference players of a game of somebody's own, which has no levels.
fn references(game: &'static AnyGame) -> Result<Vec<EngineSpec>> {
    let thinks: &[&str] =
        if game.has_estimate()? { &["greedy", "minimax:2"] } else { &["mcts:50"] };
    let own = game.interface.opponents.iter().map(|opponent| opponent.name);
    let clock = game.interface.clock.unwrap_or(anygame::GameClock::Game(DEFAULT_GAME_CLOCK));
    let names = ["random"].iter().chain(thinks).copied().chain(own);
    names.map(|name| reference(game, name, clock)).collect()
}

fn gone() -> anyhow::Error {
    anyhow!("the thread of the programs has ended")
}

/// The page's game, the program, and the side.
type Seat = (String, usize, usize);

struct Players {
    games: Vec<&'static AnyGame>,
    specs: BTreeMap<&'static str, Vec<EngineSpec>>,
    bounds: Bounds,
    /// The players that keep their processes; that of the last turn comes last.
    kept: Vec<(Seat, Box<dyn Player>)>,
}

impl Players {
    fn play(&mut self, request: &TurnRequest) -> Result<Value> {
        let TurnRequest { session, game, rules, engine, input, left } = request;
        let game = *self
            .games
            .iter()
            .find(|known| known.key == game)
            .with_context(|| format!("the programs do not play {game}"))?;
        let spec = self.specs[game.key].get(*engine).context("no such program")?.clone();
        let task = game
            .rules
            .restore(input, Some(rules))?
            .map_err(|error| anyhow!("the position: line {error}"))?;
        ensure!(task.position.outcome().is_none(), "the game is over");
        let (control, full) = (spec.clock.control(), spec.clock.length().as_secs_f64());
        let clock = left.filter(|_| control == TimeControl::Game).unwrap_or(full);
        ensure!(clock.is_finite() && clock <= full, "left: expected at most {full} seconds");
        let clock = Duration::from_secs_f64(clock.max(LEAST_CLOCK));
        let task = AnyTask { control, clock, others: clock, ..task };
        let side = task.position.side_to_move();
        let seat = (session.clone(), *engine, side.index());
        let mut player = if let Some(at) = self.kept.iter().position(|(kept, _)| *kept == seat) {
            self.kept.remove(at).1
        } else {
            let mut player = player_of(game, &spec, &self.bounds, side.index() as u64)?;
            player.begin(&task.position, side)?;
            player
        };
        let answer = turn_of(&mut *player, &task);
        self.kept.push((seat, player));
        if self.kept.len() > MOST_PLAYERS {
            self.kept.remove(0);
        }
        told(game, &task, &spec, answer?)
    }
}

fn told(game: &AnyGame, task: &AnyTask, spec: &EngineSpec, turn: Turn) -> Result<Value> {
    let Charged { answer, left } = turn.charge(task.control, task.clock, spec.margin);
    let thoughts = Thoughts::of(&turn.traces.stderr);
    let mut value = json!({
        "cpu": turn.cpu.as_secs_f64(),
        "wall": turn.wall.as_secs_f64(),
        "clock": task.clock.as_secs_f64(),
        "left": left.map(|left| left.as_secs_f64()),
        "file": turn.traces.output,
        "stdout": turn.traces.stdout,
        "stderr": turn.traces.stderr,
        "thought": thoughts.words(),
        "thoughts": task.position.drawing().map(|drawing| thoughts.arrows(&drawing)),
        "score": turn.traces.score,
        "note": turn.traces.note,
        "machine": turn.traces.scarcity,
    });
    match answer {
        Ok(mv) => value["output"] = json!(mv.output),
        Err(fault) => {
            value["fault"] = json!({
                "word": fault.termination.word(),
                "reason": fault.reason.to_string(),
                "remedy": remedy(game, &*task.position, &fault, &turn.traces),
            });
        }
    }
    Ok(value)
}
