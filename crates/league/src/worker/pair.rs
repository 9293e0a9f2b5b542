//! Plays a pair of games: the same opening, with sides swapped.

use super::{Progress, Worker};
use crate::records::append;
use crate::store::{PlayedGame, PlayedPair, PlayerOrder};
use anygame::Position;
use anyhow::{Context, Result, bail};
use arena::keys::Keys;
use arena::openings::Book;
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::record::{Event, Header, VERSION};
use arena::referee::GameOrder;
use arena::referee::play_game;
use arena::replayed::Played;
use arena::terms::Openings;
use engine::{Side, TimeControl};
use intake::runtime::Runtimes;
use intake::submission::{State, Submission};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::time::Duration;
use terminal::interrupt;

/// The position of a game that is being played, as a heartbeat has it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct LivePosition {
    pub names: [String; 2],
    pub plies: u32,
    /// The position ([`anygame::AnyPosition::stored`]).
    pub position: String,
    pub last: String,
}

impl Worker {
    pub(super) fn play_pair(
        &self,
        pair: i64,
        seed: i64,
        players: &[PlayerOrder; 2],
        progress: &Progress,
    ) -> Result<(PlayedPair, Vec<u8>)> {
        let config = &self.config;
        let engines = [self.engine(&players[0])?, self.engine(&players[1])?];
        let seed = seed.cast_unsigned();
        // As in the first pair of a match with this seed. Of the files of a directory, the seed
        // chooses one.
        let round = match config.openings {
            Openings::Directory(_) => seed as u32,
            _ => 0,
        };
        let opening = Book::open(config.game, &config.openings, seed)?.opening(round)?;
        let first = opening.side_to_move(config.game)?;
        let mut record = Vec::new();
        append(&mut record, &Event::Header(self.header(&engines, seed)))?;
        let mut games = Vec::new();
        for half in [1, 2] {
            let by_side = if (first == Side::First) == (half == 1) { [0, 1] } else { [1, 0] };
            let order = GameOrder {
                game: half,
                engines: by_side.map(|at: usize| engines[at].clone()),
                opening: opening.clone(),
                rules: Some(config.rules.to_string()),
                single: false,
                max_plies: config.max_plies,
                at_limit: config.at_limit,
                bounds: config.bounds.clone(),
                seed: arena::random::derived(seed, arena::random::Purpose::Players, half),
                random_moves: 0,
                adjudication: Default::default(),
            };
            let submissions = by_side.map(|at| players[at].submission);
            games.push(self.play(&order, submissions, &mut record, progress)?);
        }
        let games: [PlayedGame; 2] = games.try_into().expect("two games");
        // An interpreter that went while the pair was played costs nobody a game.
        if games.iter().any(|game| game.blamed.is_some()) {
            players.iter().try_for_each(|player| self.engine(player).map(drop))?;
        }
        Ok((PlayedPair { pair, games }, record))
    }

    fn play(
        &self,
        order: &GameOrder,
        players: [i64; 2],
        record: &mut Vec<u8>,
        progress: &Progress,
    ) -> Result<PlayedGame> {
        let config = &self.config;
        let names = order.engines.each_ref().map(|engine| engine.name.clone());
        let mut live = LivePosition { names, ..LivePosition::default() };
        let mut position: Option<Position> = None;
        let mut wall = [0.0; 2];
        // The positions say the moves, whatever the programs wrote them like.
        let (mut moves, mut opening) = (Sha256::new(), None);
        let end = play_game(config.game, order, &mut |event| {
            match &event {
                Event::Start(start) => {
                    let task = config.game.rules.restore(&start.opening, Some(config.rules))?;
                    let task = task.map_err(anygame::built_in::own_input)?;
                    live.position.clone_from(&start.opening);
                    moves.update(&live.position);
                    opening = number_of(moves.clone());
                    position = Some(task.position);
                }
                Event::Move(mv) => {
                    wall[usize::from(mv.side != config.game.sides[0])] += mv.wall;
                    let before = position.take().context("a move before the start")?;
                    let played =
                        Played::of(&before, &mv.output).context("a move of the referee")?;
                    live.plies = mv.ply + 1;
                    live.last = format!("{} {}", mv.side, played.mv.described);
                    live.position =
                        played.position.stored(TimeControl::Game, Duration::from_secs(1))?;
                    moves.update(&live.position);
                    position = Some(played.position);
                }
                Event::End(end) => {
                    if let Some(fault) = &end.fault {
                        wall[fault.player] += fault.wall;
                    }
                }
                _ => {}
            }
            append(record, &event)?;
            progress.say(serde_json::to_string(&live)?);
            if progress.is_lost() || interrupt::asked() || self.should_stop() {
                bail!("stopped");
            }
            Ok(())
        })?;
        Ok(PlayedGame {
            players,
            winner: end.winner,
            blamed: end.fault.as_ref().map(|fault| fault.player),
            termination: end.termination.word().to_string(),
            reason: end.reason,
            plies: end.plies,
            cpu: end.cpu,
            wall,
            moves: number_of(moves),
            opening,
        })
    }

    fn engine(&self, player: &PlayerOrder) -> Result<EngineSpec> {
        if player.baseline {
            let known = self.config.baselines.iter().find(|known| known.name == player.name);
            let why = || format!("'{}' is no baseline of the settings", player.name);
            return known.cloned().with_context(why);
        }
        let folder = self.programs.folder(&*self.jobs, player.submission)?;
        let submission = Submission {
            state: State::Ready,
            language: Some(player.language.clone()),
            command: Some(player.command.clone()),
            runtime: serde_json::from_str(&player.runtime).ok(),
            ..Submission::default()
        };
        // The machine is at fault: the pair is given back, and this or another worker plays it.
        if let Some(fault) = Runtimes::new(&self.config.bounds).fault(&submission, &folder) {
            bail!("the program of submission {} cannot be run: {fault}", player.submission);
        }
        let keys = Keys::of_submission(player.command.clone(), folder, &player.name, true);
        keys.or(&self.config.each).engine(self.config.game)
    }

    /// Returns the header of the record. It names the players, and says nothing of their programs.
    fn header(&self, engines: &[EngineSpec; 2], seed: u64) -> Header {
        let config = &self.config;
        let without_program = |engine: &EngineSpec| match engine.kind {
            PlayerKind::Files { .. } | PlayerKind::Protocol { .. } => {
                let kind =
                    PlayerKind::Files { command: Vec::new(), directory: None, own_command: true };
                EngineSpec { kind, ..engine.clone() }
            }
            _ => engine.clone(),
        };
        Header {
            version: VERSION,
            game: config.game.key.to_string(),
            rules: Some(config.rules.to_string()),
            engines: engines.iter().map(without_program).collect(),
            pairs: 1,
            openings: config.openings.clone(),
            seed,
            max_plies: config.max_plies,
            at_limit: config.at_limit,
            bounds: config.bounds.clone(),
            own: config.game.in_records.cloned(),
            ..Header::default()
        }
    }
}

/// Returns the first 64 bits of a digest.
fn number_of(digest: Sha256) -> Option<i64> {
    digest.finalize().first_chunk().map(|bytes| i64::from_be_bytes(*bytes))
}
