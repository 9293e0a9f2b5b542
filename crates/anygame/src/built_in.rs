//! Games whose rules are the traits of the engine.

use crate::game::{Answer, AnyGame, Checked, FromInput, Interface, Rules};
use crate::position::{AnyMove, AnyPosition, AnyTask, Position};
use analysis::better::{Better, better};
use analysis::finding::{Effort, Finding};
use analysis::position::analyse;
use anyhow::{Context, Result, anyhow, ensure};
use engine::clock::Clock;
use engine::drawing::Place;
use engine::explain::Count;
use engine::protocol::{InputError, Violation};
use engine::search;
use engine::search::Observer;
use engine::think::{Report, Settings, moves_for_every_grader, think_observed};
use engine::verdict::standing;
use engine::{
    Drawing, Examine, Explain, Outcome, Proven, RuleSet, Side, Task, TimeControl, Verdict,
};
use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;
#[cfg(not(target_arch = "wasm32"))]
use {
    crate::position::ANY_CLOCK,
    analysis::position::{RatedMove, rate_moves},
    engine::perft,
    engine::score::Score,
    engine::search::Knowledge,
    engine::think::default_knowledge,
};

/// The rules of a game of this process.
#[derive(Debug)]
pub struct BuiltIn<G>(PhantomData<fn() -> G>);

impl<G: Explain> BuiltIn<G> {
    /// These rules.
    pub const RULES: &'static dyn Rules = &BuiltIn::<G>(PhantomData);
}

impl AnyGame {
    /// A game of this process.
    pub fn of<G: Examine>() -> AnyGame {
        AnyGame {
            sides: G::SIDES,
            first: G::start(G::Rules::JUDGE).side_to_move(),
            ply_limit: G::PLY_LIMIT,
            agent_rules: G::Rules::AGENT.name(),
            curve: Some(G::curve()),
            no_accuracy: G::NO_ACCURACY,
            symmetries: G::SYMMETRIES,
            symbols: G::SYMBOLS,
            rules_page: G::RULES_PAGE,
            test_positions: G::TEST_POSITIONS,
            remedies: G::REMEDIES,
            scheme: G::SCHEME,
            starters: G::STARTERS,
            interface: Interface { adapters: G::ADAPTERS, ..Interface::default() },
            ..AnyGame::bare(G::NAME, G::TITLE, BuiltIn::<G>::RULES)
        }
    }
}

fn rule_set<R: RuleSet>(name: Option<&str>) -> Result<R> {
    let Some(name) = name else { return Ok(R::JUDGE) };
    R::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = R::ALL.iter().map(|(known, _)| *known).collect();
        anyhow!("--rules: expected {}, found '{name}'", names.join(" or "))
    })
}

/// The error for an input file of this process that its game cannot read.
pub fn own_input(error: InputError) -> anyhow::Error {
    anyhow!("the judge's own input file, line {error}")
}

impl<G: Explain> Rules for BuiltIn<G> {
    fn rule_sets(&'static self) -> Vec<&'static str> {
        G::Rules::ALL.iter().map(|(name, _)| *name).collect()
    }

    fn check_rules(&'static self, name: Option<&str>) -> Result<&'static str> {
        rule_set::<G::Rules>(name).map(RuleSet::name)
    }

    fn start(&'static self, rules: Option<&str>) -> Result<Position> {
        let rules = rule_set(rules)?;
        Ok(position(G::start(rules), rules))
    }

    fn restore(&'static self, stored: &str, rules: Option<&str>) -> Result<FromInput<AnyTask>> {
        self.read_task(stored, rules)
    }

    fn read_task(&'static self, input: &str, rules: Option<&str>) -> Result<FromInput<AnyTask>> {
        let rules = rule_set(rules)?;
        let task = G::read_task(input, rules);
        Ok(task.map(|task| AnyTask::new(position(task.position, rules), task.control, task.clock)))
    }

    fn check(&'static self, answer: &Answer, rules: Option<&str>) -> Result<FromInput<Checked>> {
        let rules = rule_set(rules)?;
        let verdict = Verdict::<G>::of(answer.input, answer.output, rules);
        Ok(verdict.map(|verdict| {
            let text = verdict.words(answer.file);
            let legal = verdict.found.ok().map(|mv| verdict.before.encode(mv));
            Checked { before: position(verdict.before, rules), legal, text }
        }))
    }
}

/// A position of this process, without the moves that led to it.
pub fn position<G: Explain>(position: G, rules: G::Rules) -> Position {
    Arc::new(Typed { position, rules, last: None })
}

/// A move of a position of this process.
pub fn move_of<G: Explain>(position: &G, mv: G::Move) -> AnyMove {
    AnyMove {
        code: position.encode(mv),
        output: position.write_move(mv),
        described: position.describe_move(mv),
    }
}

struct Typed<G: Explain> {
    position: G,
    rules: G::Rules,
    last: Option<(Arc<Typed<G>>, G::Move)>,
}

impl<G: Explain> Drop for Typed<G> {
    /// One by one: the default recursion would overflow the stack after a long game.
    fn drop(&mut self) {
        let mut last = self.last.take();
        while let Some(mut before) = last.and_then(|(before, _)| Arc::into_inner(before)) {
            last = before.last.take();
        }
    }
}

impl<G: Explain> Typed<G> {
    fn last_move(&self) -> Option<(&G, G::Move)> {
        self.last.as_ref().map(|(before, mv)| (&before.position, *mv))
    }

    fn encoded(&self, moves: Vec<G::Move>) -> Vec<u32> {
        moves.into_iter().map(|mv| self.position.encode(mv)).collect()
    }

    fn legal(&self, code: u32) -> Result<G::Move> {
        self.position.decode(code).with_context(|| format!("{code} is the code of no legal move"))
    }
}

fn codes<G: Explain>(position: &G, line: &[G::Move]) -> Vec<u32> {
    let mut at = position.clone();
    let code = |&mv: &G::Move| {
        let code = at.encode(mv);
        at.play(mv);
        code
    };
    line.iter().map(code).collect()
}

/// The report of a search with codes of moves.
pub fn coded<G: Explain>(position: &G, report: &search::Report<G::Move>) -> search::Report<u32> {
    let &search::Report { best, score, depth, nodes, proven, ref line } = report;
    search::Report {
        best: position.encode(best),
        score,
        depth,
        nodes,
        line: codes(position, line),
        proven,
    }
}

/// Passes on what a search tells, with codes of moves.
struct Coded<'a, G> {
    position: &'a G,
    observer: &'a mut dyn Observer<u32>,
}

impl<G: Explain> Observer<G::Move> for Coded<'_, G> {
    fn iteration(&mut self, report: &search::Report<G::Move>) {
        self.observer.iteration(&coded(self.position, report));
    }

    fn wants_stop(&mut self) -> bool {
        self.observer.wants_stop()
    }

    fn smaller_table(&mut self, asked: usize, had: usize) {
        self.observer.smaller_table(asked, had);
    }
}

/// The last plies of perft, which are counted without asking whether to stop.
#[cfg(not(target_arch = "wasm32"))]
const PERFT_STEP: u32 = 3;

#[cfg(not(target_arch = "wasm32"))]
fn perft_until<G: Explain>(position: &mut G, depth: u32, stop: &dyn Fn() -> bool) -> u64 {
    if depth <= PERFT_STEP {
        return perft(position, depth);
    }
    let mut lines = 0;
    for mv in position.legal_moves() {
        if stop() {
            break;
        }
        let paths = position.perft_weight(mv);
        let undo = position.play(mv);
        lines += paths * perft_until(position, depth - 1, stop);
        position.undo(mv, undo);
    }
    lines
}

impl<G: Explain> AnyPosition for Typed<G> {
    fn as_any(&self) -> &dyn Any {
        &self.position
    }

    fn game(&self) -> &str {
        G::NAME
    }

    fn rules(&self) -> &'static str {
        self.rules.name()
    }

    fn is_same(&self, other: &dyn AnyPosition) -> bool {
        other.as_any().downcast_ref::<G>() == Some(&self.position)
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn last(&self) -> Option<(Position, u32)> {
        let (before, mv) = self.last.as_ref()?;
        Some((Arc::clone(before) as Position, before.position.encode(*mv)))
    }

    fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn why_over(&self) -> Option<String> {
        self.position.why_over()
    }

    fn counted_moves(&self) -> Option<(u32, u32)> {
        self.position.counted_moves()
    }

    fn standing(&self) -> String {
        standing(&self.position)
    }

    fn picture(&self) -> String {
        self.position.picture(None)
    }

    fn marked_picture(&self) -> String {
        self.position.picture(self.last_move().map(|(_, mv)| mv))
    }

    fn drawing(&self) -> Option<Drawing> {
        self.position.drawing(self.last_move())
    }

    fn counts(&self) -> [Vec<Count>; 2] {
        Side::BOTH.map(|side| G::counts(&self.position, side))
    }

    fn codes(&self) -> Vec<u32> {
        if self.position.outcome().is_some() {
            return Vec::new();
        }
        self.encoded(self.position.legal_moves())
    }

    fn undisputed(&self) -> Vec<u32> {
        self.encoded(moves_for_every_grader(&self.position))
    }

    fn is_disputed(&self, code: u32) -> bool {
        self.position.decode(code).is_some_and(|mv| self.position.is_disputed(mv))
    }

    fn move_of(&self, code: u32) -> Option<AnyMove> {
        self.position.decode(code).map(|mv| move_of(&self.position, mv))
    }

    fn legal_moves(&self) -> Vec<AnyMove> {
        self.position.legal_moves().into_iter().map(|mv| move_of(&self.position, mv)).collect()
    }

    fn code_of(&self, name: &str) -> Result<u32> {
        let mv = self.position.read_move(name).map_err(|violation| anyhow!("{violation}"))?;
        Ok(self.position.encode(mv))
    }

    fn read_move(&self, output: &str) -> Result<Result<AnyMove, Violation>> {
        Ok(self.position.read_move(output).map(|mv| move_of(&self.position, mv)))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn same_move(&self, other: &dyn AnyPosition, code: u32) -> Result<AnyMove> {
        let other = other.as_any().downcast_ref::<G>();
        let mv = other.and_then(|other| other.decode(code));
        let mv = mv.filter(|&mv| self.position.is_legal(mv));
        mv.map(|mv| move_of(&self.position, mv)).context("a move of another position")
    }

    fn path_and_changes(&self, code: u32) -> Option<(Vec<Place>, Vec<Place>)> {
        let mv = self.position.decode(code)?;
        let drawing = self.position.after(mv).drawing(Some((&self.position, mv)));
        drawing.map(|Drawing { path, changed, .. }| (path, changed))
    }

    fn play(self: Arc<Self>, code: u32) -> Result<Position> {
        let mv = self.legal(code)?;
        Ok(Arc::new(Typed {
            position: self.position.after(mv),
            rules: self.rules,
            last: Some((self, mv)),
        }))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn turned(&self, symmetry: engine::Symmetry) -> Option<Position> {
        Some(position(self.position.turned(symmetry), self.rules))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn by_agents_rules(&self) -> Result<Position> {
        let input = self.input_beside(TimeControl::Game, ANY_CLOCK, ANY_CLOCK)?;
        let rules = G::Rules::AGENT;
        Ok(position(G::read_task(&input, rules).map_err(own_input)?.position, rules))
    }

    fn input_beside(&self, control: TimeControl, clock: Duration, _: Duration) -> Result<String> {
        Ok(G::write_task(&Task { position: self.position.clone(), control, clock }))
    }

    fn stored(&self, control: TimeControl, clock: Duration) -> Result<String> {
        self.input_beside(control, clock, clock)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn perft(&self, depth: u32, stop: &dyn Fn() -> bool) -> Result<u64> {
        Ok(perft_until(&mut self.position.clone(), depth, stop))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn greedy(&self) -> Result<Option<u32>> {
        let knowledge = default_knowledge::<G>();
        let found =
            engine::reference::greedy(&self.position, |position| knowledge.evaluate(position));
        Ok(found.best.map(|mv| self.position.encode(mv)))
    }

    fn think(
        &self,
        (control, left): (TimeControl, Duration),
        settings: &Settings,
        clock: &dyn Clock,
        observer: &mut dyn Observer<u32>,
    ) -> Result<Report<u32>> {
        ensure!(self.position.outcome().is_none(), "the game is over: there is nothing to choose");
        let &Settings { algorithm, depth, nodes, hash_mib, full_width, charges, own: () } =
            settings;
        let own = G::Own::default();
        let settings = Settings { algorithm, depth, nodes, hash_mib, full_width, charges, own };
        let task = Task { position: self.position.clone(), control, clock: left };
        let mut observer = Coded { position: &self.position, observer };
        let report = think_observed(&task, &settings, clock, &mut observer);
        let best = self.position.encode(report.best);
        let search = report.search.as_ref().map(|found| coded(&self.position, found));
        // The moves after the best are those of one side alone, and have no codes here.
        Ok(Report { best, advice: report.advice, search, later: Vec::new() })
    }

    fn proven(&self) -> Option<Proven<u32>> {
        let Proven { outcome, plies, best, source } = G::proven(&self.position)?;
        Some(Proven { outcome, plies, best: best.map(|mv| self.position.encode(mv)), source })
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn rate_moves(&self, effort: Effort, clock: &dyn Clock) -> Result<(Vec<RatedMove<u32>>, u32)> {
        let (rated, depth) = rate_moves(&self.position, effort, clock);
        let coded = rated.into_iter().map(|RatedMove { mv, score, chance, truth }| RatedMove {
            mv: self.position.encode(mv),
            score,
            chance,
            truth,
        });
        Ok((coded.collect(), depth))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn evaluation_parts(&self) -> Vec<(&'static str, Score)> {
        G::evaluation_parts(&G::as_searched(&self.position))
    }

    fn analyse(&self, code: u32, effort: Effort, clock: &dyn Clock) -> Result<Finding> {
        Ok(analyse(&self.position, self.legal(code)?, effort, clock))
    }

    fn better(&self, code: u32, finding: &Finding) -> Option<Better> {
        better(&self.position, self.position.decode(code)?, finding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{alpha_beta, minimax};
    use engine::Game;
    use engine::clock::NoClock;
    use engine::think::{Algorithm, think};
    use foxgame::Position as FoxGame;
    use halma::Position as Halma;

    fn own<G: Explain>(position: &Position) -> &G {
        position.as_any().downcast_ref().unwrap()
    }

    fn agrees<G: Examine>(plies: u32) {
        let mut position = AnyGame::of::<G>().rules.start(None).unwrap();
        let start = position.clone();
        for _ in 0..plies {
            let typed: &G = own(&position);
            let moves: Vec<AnyMove> =
                typed.legal_moves().into_iter().map(|mv| move_of(typed, mv)).collect();
            assert_eq!(position.legal_moves(), moves);
            assert_eq!(position.codes(), moves.iter().map(|mv| mv.code).collect::<Vec<_>>());
            for mv in &moves {
                assert_eq!(position.move_of(mv.code).as_ref(), Some(mv));
                assert_eq!(position.code_of(&mv.output).unwrap(), mv.code);
            }
            let Some(mv) = moves.get(moves.len() / 3) else { break };
            let after = position.clone().play(mv.code).unwrap();
            let (before, code) = after.last().unwrap();
            assert!(before.is_same(&*position) && code == mv.code && !after.is_same(&*position));
            position = after;
        }
        let first =
            std::iter::successors(Some(position), |at| at.last().map(|(before, _)| before)).last();
        assert!(first.unwrap().is_same(&*start));
        assert!(start.clone().play(u32::MAX).is_err());
        assert_eq!(start.perft(4, &|| false).unwrap(), perft(&mut own::<G>(&start).clone(), 4));
    }

    #[test]
    fn a_position_of_unknown_type_says_what_its_game_says() {
        agrees::<Halma>(40);
        agrees::<FoxGame>(40);
    }

    #[test]
    fn plain_searches_of_unknown_type_choose_what_plain_minimax_chooses() {
        let knowledge = default_knowledge::<FoxGame>();
        let value = |position: &Position| f64::from(knowledge.evaluate(own::<FoxGame>(position)));
        // Small enough for every value of the evaluation, so that the order stays.
        let share = |position: &Position| 0.5 + value(position) / 1e6;
        let shares = |leaves: Vec<Position>| Ok(leaves.iter().map(share).collect());
        let (algorithm, depth) = (Algorithm::Minimax, Some(2));
        let mut position = AnyGame::of::<FoxGame>().rules.start(None).unwrap();
        for _ in 0..12 {
            let settings = Settings { algorithm, depth, ..Settings::default() };
            let (control, clock) = (TimeControl::Single, ANY_CLOCK);
            let thought = position.think((control, clock), &settings, &NoClock, &mut ()).unwrap();
            let task = Task { position: own::<FoxGame>(&position).clone(), control, clock };
            let settings = Settings { algorithm, depth, ..Settings::default() };
            let typed = think(&task, &settings, &NoClock);
            assert_eq!(thought.best, task.position.encode(typed.best));
            let (best, found) = alpha_beta(&position, 2, &|position| Ok(value(position))).unwrap();
            let tree = minimax(&position, 2, 7, &shares, &|| Ok(())).unwrap();
            assert_eq!((best, tree.line[0]), (thought.best, thought.best));
            assert_eq!(found, f64::from(thought.search.unwrap().score));
            position = position.play(thought.best).unwrap();
        }
    }
}
