//! The plan of a grading: the tests of a scheme, with positions, opponents, clocks and points.

use super::file::{BonusRule, Games, Margin, Positions, Reach, SchemeFile, Visibility};
use anygame::{AnyGame, GameClock};
use anyhow::{Context, Result, bail};
use arena::keys::reference;
use arena::openings::{middle_position, random_opening};
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::proofs::{Proof, draw};
use arena::random::{self, Purpose};
use arena::record::{End, Header, VERSION};
use arena::referee::GameOrder;
use arena::terms::{Bounds, LimitRule, Opening, Shape};
use engine::Side;
use homework::LateRule;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

#[derive(Clone)]
pub(crate) struct Test {
    /// From 1.
    pub number: u32,
    pub name: String,
    pub side: Side,
    pub most: f64,
    pub visibility: Visibility,
    /// One move from a position.
    pub single: bool,
    moves_first: bool,
    from_start: bool,
    pub opening: Opening,
    /// The opponent's first moves that it plays at random.
    random_moves: u32,
    pub clock: GameClock,
    pub opponent: EngineSpec,
    /// For a win, or a legal move in time.
    win: f64,
    draw: f64,
    reach: Vec<Reach>,
    margin: Option<Margin>,
    /// The share of the points against the opponent that counts as all of them.
    pub full: f64,
    /// If a move has to keep it.
    pub proof: Option<Arc<Proof>>,
    /// If the points are for accuracy: that in per cent that gets none, or 0 if it is random play's.
    pub least: Option<f64>,
}

/// A mean accuracy and its standard error, 0 if there is none, in per cent.
#[derive(Clone, Copy)]
pub(crate) struct Mean(pub f64, pub f64);

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = if self.1 > 0.0 { format!(" ± {:.1}", self.1) } else { String::new() };
        write!(f, "{:.1}{error} %", self.0)
    }
}

/// The accuracy of random and of greedy play, if a game of it has one.
#[derive(Clone, Copy)]
pub(crate) struct Baseline {
    pub random: Mean,
    pub greedy: Option<Mean>,
}

/// Baselines by side and opponent.
pub(crate) type Baselines = BTreeMap<(usize, String), Baseline>;

/// A grading without the graded agents.
pub(crate) struct GradingPlan {
    pub game: &'static AnyGame,
    pub tests: Vec<Test>,
    /// Everything that affects points, in words.
    pub words: String,
    /// Of everything that affects points but the rule for late submissions.
    pub digest: String,
    /// Of what is played: the points can be counted anew.
    pub games_digest: String,
    pub bonus: Option<BonusRule>,
    pub late: Option<LateRule>,
    pub bounds: Bounds,
    /// The versions that grade, if the scheme names some.
    pub graded_with: Option<String>,
    /// What random and greedy play reach in the tests of accuracy.
    pub baselines: OnceLock<Baselines>,
    /// The seed, if it was drawn for this run.
    pub drawn: Option<u64>,
    seed: u64,
    rules: Option<String>,
    max_plies: u32,
    at_limit: LimitRule,
}

impl GradingPlan {
    pub(crate) fn new(
        game: &'static AnyGame,
        data: &SchemeFile,
        bounds: Bounds,
        words: String,
    ) -> Result<GradingPlan> {
        let seed = data.seed.unwrap_or_else(random::drawn);
        let mut plan = GradingPlan {
            game,
            tests: Vec::new(),
            words,
            digest: String::new(),
            games_digest: String::new(),
            bonus: data.bonus.clone(),
            late: data.late.clone(),
            bounds,
            graded_with: None,
            baselines: OnceLock::new(),
            drawn: None,
            seed,
            rules: data.rules.clone(),
            max_plies: data.max_plies.unwrap_or(game.ply_limit),
            at_limit: data.at_limit.unwrap_or_default(),
        };
        plan.digest = plan.digest_of(data)?;
        plan.games_digest = plan.digest_of(&data.without_points())?;
        // The opponent of a single position never has a turn.
        let idle_opponent = data.all_games().flat_map(|group| group.reference.names()).next();
        let idle_opponent = idle_opponent.map_or("random", String::as_str);
        // The counts go on over all groups, so that no two groups have the same positions or
        // openings.
        let (mut positions, mut games) = (0, 0);
        for group in &data.positions {
            for index in 0..group.count {
                let part = (f64::from(index) + 0.5) / f64::from(group.count);
                let seed = random::derived(seed, Purpose::Position, positions + index);
                let opening = middle_position(game, part, seed)?;
                let side = opening.side_to_move(game)?;
                let name = format!("position {} ({})", positions + index + 1, game.side_word(side));
                plan.add_position(group, name, (opening, side), idle_opponent, None)?;
            }
            positions += group.count;
        }
        let proofs = proofs(game, seed, data)?;
        if !proofs.is_empty() {
            let inputs: String =
                proofs.iter().map(|(_, proof)| proof.opening.input.as_str()).collect();
            plan.note(&format!("proofs={}", digest(&inputs)));
        }
        for (index, (group, proof)) in proofs.into_iter().enumerate() {
            let name = format!(
                "proof {} ({}): {}, {} of {} moves",
                index + 1,
                game.side_word(proof.side),
                proof.result,
                proof.kept().count(),
                proof.moves.len()
            );
            let place = (proof.opening.clone(), proof.side);
            plan.add_position(group, name, place, idle_opponent, Some(Arc::new(proof)))?;
        }
        let several = data.all_games().flat_map(|group| group.reference.names()).count() > 1;
        for (place, group) in data.all_games().enumerate() {
            let is_accuracy = place >= data.games.len();
            for name in group.reference.names() {
                for index in 0..group.count {
                    let mut test = plan.game_test(group, name, index, games + index, several)?;
                    if is_accuracy {
                        test.name = format!("accuracy in {}", test.name);
                        test.least = Some(group.least);
                    }
                    plan.add(test);
                }
                games += group.count;
            }
        }
        Ok(plan)
    }

    /// A game against a reference, the `index`-th against it and the `count`-th of all: the first
    /// two begin at the start, the others after random plies, so that no two are alike. Where
    /// programs may count moves in files, the opponent plays these plies at random.
    fn game_test(
        &self,
        group: &Games,
        opponent: &str,
        index: u32,
        count: u32,
        several: bool,
    ) -> Result<Test> {
        let varied = if index < 2 { 0 } else { group.random_plies };
        let plies = if self.game.may_count_moves() { 0 } else { varied };
        let seed = random::derived(self.seed, Purpose::Opening, count);
        let is_it = |side: &Side| group.side.as_deref() == Some(self.game.side_word(*side));
        let one = Side::BOTH.into_iter().find(is_it);
        // Both games of a pair have the same dice and cards.
        let first_of_pair = if one.is_some() { count } else { count - index % 2 };
        let dice = random::derived(self.seed, Purpose::Opening, first_of_pair);
        let opening = random_opening(self.game, plies, seed, dice)?;
        let mover = opening.side_to_move(self.game)?;
        let in_turn = if index.is_multiple_of(2) { mover } else { mover.other() };
        let side = one.unwrap_or(in_turn);
        let when = if side == mover { "first" } else { "second" };
        let clock = group.agents_clock()?;
        let against = if several { format!(" against {opponent}") } else { String::new() };
        Ok(Test {
            number: 0,
            name: format!(
                "game {}{against} as {}, moving {when}",
                count + 1,
                self.game.side_word(side)
            ),
            side,
            most: group.most(),
            visibility: group.visibility,
            single: false,
            moves_first: side == mover,
            from_start: plies == 0,
            opening,
            random_moves: varied - plies,
            clock,
            opponent: reference(self.game, opponent, clock)?,
            win: group.points,
            draw: group.points * group.draw,
            reach: group.reach.clone(),
            margin: group.margin.clone(),
            full: group.full.unwrap_or(1.0),
            proof: None,
            least: None,
        })
    }

    fn add_position(
        &mut self,
        group: &Positions,
        name: String,
        (opening, side): (Opening, Side),
        opponent: &str,
        proof: Option<Arc<Proof>>,
    ) -> Result<()> {
        let clock = GameClock::Single(group.clock);
        self.add(Test {
            number: 0,
            name,
            side,
            most: group.points,
            visibility: group.visibility,
            single: true,
            moves_first: true,
            from_start: false,
            opening,
            random_moves: 0,
            clock,
            opponent: reference(self.game, opponent, clock)?,
            win: group.points,
            draw: 0.0,
            reach: Vec::new(),
            margin: None,
            full: 1.0,
            proof,
            least: None,
        });
        Ok(())
    }

    fn add(&mut self, test: Test) {
        let number = self.tests.len() as u32 + 1;
        self.tests.push(Test { number, ..test });
    }

    /// The digest of a scheme and of the settings that affect points. The rule for late submissions
    /// may change when all tests are done.
    fn digest_of(&self, data: &SchemeFile) -> Result<String> {
        let data = SchemeFile {
            seed: Some(self.seed),
            max_plies: Some(self.max_plies),
            at_limit: Some(self.at_limit),
            rules: Some(self.game.rules.check_rules(self.rules.as_deref())?.to_string()),
            late: None,
            environment: None,
            programs: Vec::new(),
            ..data.clone()
        };
        let text = serde_json::to_string(&data).context("the scheme cannot be written")?;
        Ok(digest(format!("{text} memory={}", self.bounds.memory_mib)))
    }

    pub(crate) fn note(&mut self, words: &str) {
        self.words = format!("{} {words}", self.words);
        for digest in [&mut self.digest, &mut self.games_digest] {
            *digest = self::digest(format!("{digest} {words}"));
        }
    }

    /// Checks that a player can play all tests: one on FoxGame's monitor knows only the start of a
    /// game and a clock for each move.
    pub(crate) fn check_player(&self, player: &EngineSpec) -> Result<()> {
        let PlayerKind::Protocol { .. } = player.kind else { return Ok(()) };
        let cannot = |test: &&Test| !test.from_start || !matches!(test.clock, GameClock::Single(_));
        let wrong = match self.tests.iter().find(cannot) {
            Some(test) if test.single => "single positions",
            Some(test) if !test.from_start => "random plies before its games",
            Some(_) => "a clock for the whole game",
            None if self.bonus.is_some() => "a tournament of the best",
            None => return Ok(()),
        };
        bail!(
            "{} speaks the monitor's protocol, which has games from the start with a clock for each move alone; the scheme has {wrong}: \
             give --scheme schemes/foxgame-monitor.toml, or one like it",
            player.name
        )
    }

    pub(crate) fn most(&self) -> f64 {
        self.tests.iter().map(|test| test.most).sum()
    }

    /// Returns what this many programs have before them, and how long that takes at most.
    pub(crate) fn announcement(&self, concurrency: usize, programs: usize) -> String {
        let clock = |test: &Test| match test.clock {
            GameClock::Single(seconds) if !test.single => {
                seconds * f64::from(self.max_plies.div_ceil(2))
            }
            GameClock::Single(seconds) | GameClock::Game(seconds) => seconds,
        };
        let positions = self.tests.iter().filter(|test| test.single).count();
        let tests = format!("{positions} positions and {} games", self.tests.len() - positions);
        let seconds = self.tests.iter().map(clock).sum::<f64>() * programs as f64;
        let most = (seconds / 60.0 / concurrency as f64).max(1.0);
        if programs == 1 {
            return format!(
                "{tests}: {most:.0} min if the program uses all of its clocks, less if it plays \
                 faster, and what the opponents need"
            );
        }
        format!(
            "{programs} submissions with {tests} each, {concurrency} at a time: {most:.0} min if \
             all use all of their clocks, less if they play faster, and what the opponents need"
        )
    }

    pub(crate) fn header(&self) -> Header {
        let mut engines: Vec<EngineSpec> = Vec::new();
        for Test { opponent, .. } in &self.tests {
            if !engines.iter().any(|engine| engine.name == opponent.name) {
                engines.push(opponent.clone());
            }
        }
        Header {
            version: VERSION,
            game: self.game.key.to_string(),
            rules: self.rules.clone(),
            engines,
            shape: Shape::Gauntlet,
            seed: self.seed,
            max_plies: self.max_plies,
            at_limit: self.at_limit,
            bounds: self.bounds.clone(),
            own: self.game.in_records.cloned(),
            ..Header::default()
        }
    }

    /// The game of a test for an agent. Its random choices depend only on the test.
    pub(crate) fn order(&self, test: &Test, agent: &EngineSpec, game: u32) -> GameOrder {
        let agent = EngineSpec { clock: test.clock, ..agent.clone() };
        let mut opponent = test.opponent.clone();
        if opponent.name == agent.name {
            opponent.name = format!("reference {}", opponent.name);
        }
        let engines = if test.side == Side::First { [agent, opponent] } else { [opponent, agent] };
        GameOrder {
            game,
            engines,
            opening: test.opening.clone(),
            rules: self.rules.clone(),
            single: test.single,
            max_plies: self.max_plies,
            at_limit: self.at_limit,
            bounds: self.bounds.clone(),
            seed: random::derived(self.seed, Purpose::Players, test.number),
            random_moves: test.random_moves,
            adjudication: Default::default(),
        }
    }
}

/// Draws the positions with a proven result: those first of which many moves keep it.
fn proofs<'a>(
    game: &AnyGame,
    seed: u64,
    data: &'a SchemeFile,
) -> Result<Vec<(&'a Positions, Proof)>> {
    let mut found: Vec<(&Positions, Proof)> = Vec::new();
    if !data.proofs.is_empty() && !game.rules.has_proofs()? {
        bail!(
            "[[proofs]]: no result of {} is proven: judge solve {} solves it",
            game.title,
            game.key
        );
    }
    for group in &data.proofs {
        let begin = found.len();
        for _ in 0..group.count {
            let seed = random::derived(seed, Purpose::Proof, found.len() as u64);
            let is_new = |opening: &Opening| {
                found.iter().all(|(_, known)| known.opening.input != opening.input)
            };
            let Some(proof) = draw(game, seed, group.kept, is_new)? else {
                bail!(
                    "[[proofs]]: expected {} positions in which at most {} of the moves keep a proven result, found {}: raise kept",
                    group.count,
                    group.kept,
                    found.len() - begin
                );
            };
            found.push((group, proof));
        }
        let part = |proof: &Proof| proof.kept().count() as f64 / proof.moves.len() as f64;
        found[begin..].sort_by(|(_, one), (_, other)| part(other).total_cmp(&part(one)));
    }
    Ok(found)
}

pub(crate) fn digest(text: impl AsRef<[u8]>) -> String {
    format!("{:08x}", crc32fast::hash(text.as_ref()))
}

impl Test {
    /// The agent's side, and the opponent.
    pub(crate) fn played_by(&self) -> (usize, String) {
        (self.side.index(), self.opponent.name.clone())
    }

    pub(crate) fn points(&self, end: &End) -> f64 {
        let won = end.winner == Some(self.side.index());
        let by_result = match end.winner {
            _ if self.single && end.fault.is_some() => 0.0,
            _ if self.single || won => self.win,
            Some(_) => 0.0,
            None => self.draw,
        };
        let moves = if self.moves_first { end.plies.div_ceil(2) } else { end.plies / 2 };
        let reached = |step: &&Reach| won || moves >= step.moves;
        let by_moves: f64 = self.reach.iter().filter(reached).map(|step| step.points).sum();
        let points = f64::from(end.points.unwrap_or(0));
        let ahead = if self.side == Side::First { points } else { -points };
        let margin = self.margin.as_ref();
        let by_margin = margin.map_or(0.0, |margin| (ahead * margin.each).clamp(0.0, margin.most));
        by_result + by_moves + by_margin
    }
}
