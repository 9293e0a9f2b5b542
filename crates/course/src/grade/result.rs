//! The results of a grading.

use super::scheme::file::Visibility;
use super::scheme::plan::Baseline;
use anygame::AnyGame;
use arena::plain::counted;
use arena::player::exit::scarcity;
use arena::proofs::Proof;
use arena::record::{End, FaultRecord};
use arena::result::Termination;
use boards::Thoughts;
use engine::{Drawing, Side};
use homework::{CaseResult, CaseRuns, LateCut, number};
use pages::game_plot::MoveTimes;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) struct GradedTest {
    pub number: u32,
    /// Its number in the record.
    pub game: u32,
    pub name: String,
    pub points: f64,
    pub most: f64,
    pub done: FinishedTest,
    pub side: Side,
    /// The section of the rules which the agent broke, with its heading; empty if it broke none.
    pub rule: String,
    /// The position of the agent's fault, or the last one of a game that it did not win.
    pub board: Option<Drawing>,
    /// The legal moves there, as output files.
    pub legal: Vec<String>,
    pub visibility: Visibility,
    /// One move from a position.
    pub single: bool,
    pub proof: Option<Arc<Proof>>,
    /// The number of an earlier test with the same game.
    pub same_as: Option<u32>,
}

#[derive(Clone)]
pub(crate) struct FinishedTest {
    pub outcome: TestOutcome,
    pub wall: f64,
    /// A checksum of the moves; 0 if no game was played.
    pub line: u64,
    pub analysis: Option<String>,
    pub sandbox_layers: Option<String>,
    /// The end of a game without a fault that was not won.
    pub last_board: Option<Drawing>,
    /// If the points are for that.
    pub kept: Option<Kept>,
    pub times: Option<MoveTimes>,
    /// If the test is a homework.
    pub cases: Option<Arc<CaseRuns>>,
}

/// How much of what it had an agent kept by its moves, from 0 to 1.
#[derive(Clone)]
pub(crate) struct Kept {
    pub share: f64,
    /// For a part below 1.
    pub word: &'static str,
    /// On one line: a result or chances, kept or given away.
    pub reason: String,
    /// The move of a proven position, as an output file, and what the program wrote to standard
    /// error.
    pub played: Option<String>,
    pub said: String,
    /// In per cent, `None` if too few moves count, and what others reach; if the points are for it.
    pub accuracy: Option<(Option<f64>, Baseline)>,
}

impl FinishedTest {
    pub(crate) fn unplayed(word: &'static str, reason: String) -> FinishedTest {
        let outcome = TestOutcome::Unplayed { word, reason };
        FinishedTest {
            outcome,
            wall: 0.0,
            line: 0,
            analysis: None,
            sandbox_layers: None,
            last_board: None,
            kept: None,
            times: None,
            cases: None,
        }
    }

    pub(crate) fn of_cases(runs: CaseRuns) -> FinishedTest {
        let wall = runs.wall;
        let unplayed = FinishedTest::unplayed("", String::new());
        FinishedTest { wall, cases: Some(Arc::new(runs)), ..unplayed }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum TestOutcome {
    Over(Box<End>),
    Case(Box<CaseOutcome>),
    Unplayed {
        /// Such as `not played`.
        word: &'static str,
        reason: String,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct CaseOutcome {
    pub result: CaseResult,
    /// Such as `wrong`.
    pub word: &'static str,
    /// The fault of the answer, or a remark of the checker.
    pub reason: String,
    /// Why it is wrong, as indented lines.
    pub evidence: String,
}

/// Left out after several crashes.
pub(crate) const LEFT_OUT: &str = "not played";
/// In a report of a grading that goes on.
pub(crate) const UNFINISHED: &str = "no time left";

impl GradedTest {
    /// The end of the test's game, if it was played.
    pub(crate) fn end(&self) -> Option<&End> {
        match &self.done.outcome {
            TestOutcome::Over(end) => Some(end),
            _ => None,
        }
    }

    /// The agent's own fault.
    pub(crate) fn fault(&self) -> Option<&FaultRecord> {
        self.end()?.fault.as_ref().filter(|fault| fault.player == self.side.index())
    }

    pub(crate) fn times(&self) -> Option<&MoveTimes> {
        self.done.times.as_ref().filter(|times| times.turns.len() > 1)
    }

    /// What the agent kept, if the points are for that and it made no fault.
    pub(crate) fn kept(&self) -> Option<&Kept> {
        self.done.kept.as_ref().filter(|_| self.fault().is_none())
    }

    /// The program's thoughts in the position that is shown.
    pub(crate) fn thoughts(&self) -> Thoughts {
        let said = self.kept().map(|kept| &kept.said);
        Thoughts::of(said.or(self.fault().map(|fault| &fault.stderr)).map_or("", String::as_str))
    }

    pub(crate) fn reason(&self) -> &str {
        match &self.done.outcome {
            TestOutcome::Over(end) => self.kept().map_or(&end.reason, |kept| &kept.reason),
            TestOutcome::Case(case) => &case.reason,
            TestOutcome::Unplayed { reason, .. } => reason,
        }
    }

    pub(crate) fn case(&self) -> Option<&CaseOutcome> {
        match &self.done.outcome {
            TestOutcome::Case(case) => Some(case),
            _ => None,
        }
    }

    pub(crate) fn cpu(&self) -> f64 {
        let of_case = self.case().map_or(0.0, |case| case.result.cpu);
        self.end().map_or(of_case, |end| end.cpu[self.side.index()])
    }

    /// Seconds for which the agent was kept waiting for a processor.
    pub(crate) fn waited(&self) -> f64 {
        self.end().map_or(0.0, |end| end.waited[self.side.index()])
    }

    pub(crate) fn plies(&self) -> u32 {
        self.end().map_or(0, |end| end.plies)
    }

    pub(crate) fn word(&self) -> &str {
        match &self.done.outcome {
            TestOutcome::Over(end) => end.termination.word(),
            TestOutcome::Case(case) => case.word,
            TestOutcome::Unplayed { word, .. } => word,
        }
    }

    /// How a test was lost: the word of a fault, or the result of the game.
    pub(crate) fn verdict(&self) -> String {
        if let Some(kept) = self.kept() {
            return kept.word.to_string();
        }
        let Some(end) = self.end() else { return self.word().to_string() };
        let how = match (end.termination, end.winner) {
            (Termination::Normal, Some(side)) if side == self.side.index() => "won",
            (Termination::Normal, Some(_)) => "lost",
            (Termination::Normal, None) => "drew",
            (other, _) => return other.to_string(),
        };
        format!("{how} the game")
    }

    /// The number of plies, or the memory of a case, and its unit.
    pub(crate) fn size(&self) -> (u64, &'static str) {
        match (self.case(), self.plies()) {
            (Some(case), _) => (case.result.memory.div_ceil(1 << 20), "MiB"),
            (None, 1) => (1, "ply"),
            (None, plies) => (u64::from(plies), "plies"),
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.points >= self.most
    }
}

#[derive(Default)]
pub(crate) struct Grade {
    pub title: String,
    pub agent: String,
    /// None if the agent is no process.
    pub sandbox_layers: Option<String>,
    /// By number; empty if the agent cannot be run.
    pub tests: Vec<GradedTest>,
    pub most: f64,
    pub bonus: Option<PlaceBonus>,
    pub late: Option<LateCut>,
    pub not_run: Option<NotRun>,
    pub notes: Vec<String>,
    /// Wall seconds.
    pub wall: f64,
}

/// The bonus for a place in the tournament of the best.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlaceBonus {
    pub points: f64,
    /// The place and the result, in words.
    pub words: String,
}

/// Why an agent cannot be run.
#[derive(Clone, Debug, PartialEq)]
pub struct NotRun {
    /// The reason.
    pub why: String,
    /// How to fix it.
    pub remedy: String,
}

impl Grade {
    /// The points with the bonus and without what was taken off, and the most points.
    pub(crate) fn points(&self) -> (f64, f64) {
        let bonus = self.bonus.as_ref().map_or(0.0, |bonus| bonus.points);
        let late = self.late.as_ref().map_or(0.0, |late| late.points);
        (self.tests.iter().map(|item| item.points).sum::<f64>() + bonus - late, self.most)
    }

    pub(crate) fn take_off(&mut self, cut: LateCut) {
        self.notes.push(format!("Late: {}", cut.words));
        self.late = Some(cut);
    }

    pub(crate) fn cpu(&self) -> f64 {
        self.tests.iter().map(GradedTest::cpu).sum::<f64>() + 0.0
    }

    pub(crate) fn waited(&self) -> f64 {
        self.tests.iter().map(GradedTest::waited).sum()
    }

    /// Returns what a student is told: tests that are not visible are one, which has their points.
    pub(crate) fn without_hidden(mut self) -> Grade {
        let tests = std::mem::take(&mut self.tests).into_iter();
        let (shown, hidden): (Vec<_>, Vec<_>) =
            tests.partition(|test| test.visibility.is_visible());
        self.tests = shown;
        let (count, points) = (hidden.len(), hidden.iter().map(|test| test.points).sum());
        let most = hidden.iter().map(|test| test.most).sum();
        self.tests.extend(hidden.into_iter().next().map(|first| GradedTest {
            name: counted(count, "hidden test", "hidden tests"),
            points,
            most,
            done: FinishedTest::unplayed("hidden", "the scheme hides what these tests are".into()),
            rule: String::new(),
            board: None,
            legal: Vec::new(),
            proof: None,
            same_as: None,
            ..first
        }));
        self
    }

    /// Notes a machine that was short of processors, games that are the same as others, and a
    /// program that plays whole games without a fault and fails in single positions alone, as one
    /// that counts moves in a file does.
    pub(crate) fn note_machine_and_games(&mut self, game: &AnyGame) {
        let words = scarcity(self.cpu(), self.waited());
        self.notes.extend(words.map(|words| format!("Busy machine: {words}")));
        let repeat = |test: &GradedTest| Some(format!("{} (as {})", test.number, test.same_as?));
        let repeats: Vec<String> = self.tests.iter().filter_map(repeat).collect();
        if !repeats.is_empty() {
            self.notes.push(format!(
                "Equal games count once: {} of the {} tests repeat earlier ones, and count as the mean of the different games \
                 against the same opponent: {}",
                repeats.len(),
                self.tests.len(),
                repeats.join(", ")
            ));
        }
        let count = |is: fn(&GradedTest) -> bool| self.tests.iter().filter(|test| is(test)).count();
        let games = count(|test| !test.single && test.end().is_some());
        let failed = count(|test| test.single && test.fault().is_some());
        let failed_games = count(|test| !test.single && test.fault().is_some());
        if game.may_count_moves() && failed > 0 && games > 0 && failed_games == 0 {
            self.notes.push(format!(
                "The program plays its {games} games from the start without a fault, and fails in {failed} single positions out of the \
                 middle of a game: it may count moves in a file of its own, which is not there in a position."
            ));
        }
    }

    /// Whether the tests are cases of a homework.
    pub(crate) fn is_of_cases(&self) -> bool {
        self.tests.iter().any(|test| test.case().is_some())
    }

    pub(crate) fn lost(&self) -> impl Iterator<Item = &GradedTest> {
        self.tests.iter().filter(|item| !item.is_full())
    }

    /// The numbers of lost tests by verdict: `2 crash, 1 stall`.
    pub(crate) fn lost_by(&self) -> String {
        let mut lost: BTreeMap<String, u32> = BTreeMap::new();
        self.lost().for_each(|item| *lost.entry(item.verdict()).or_default() += 1);
        let lost = lost.iter().map(|(word, count)| format!("{count} {word}"));
        lost.collect::<Vec<_>>().join(", ")
    }

    /// The reason that cost the most points.
    pub(crate) fn costliest(&self) -> Option<String> {
        if let Some(NotRun { why, .. }) = &self.not_run {
            return Some(format!("it was not run: {}", why.lines().next().unwrap_or_default()));
        }
        let mut groups: BTreeMap<String, (f64, Vec<&GradedTest>)> = BTreeMap::new();
        for item in self.lost() {
            // The crashes before a test that was left out are the cause of its loss.
            let left_out = item.verdict() == LEFT_OUT;
            let cause = self.tests.iter().rev().find(|before| {
                left_out && before.number < item.number && before.verdict() != LEFT_OUT
            });
            let group = groups.entry(cause.unwrap_or(item).verdict()).or_default();
            group.0 += item.most - item.points;
            group.1.push(item);
        }
        // Of verdicts with the same cost, the first one by name.
        let (word, (points, items)) =
            groups.into_iter().rev().max_by(|one, other| one.1.0.total_cmp(&other.1.0))?;
        let first = items.iter().find(|item| item.verdict() == word).or(items.first())?;
        let (points, tests) = (number(points), counted(items.len(), "test", "tests"));
        Some(format!("{word}, {points} points in {tests} ({})", first.reason()))
    }

    /// The points and the reason that cost the most.
    pub(crate) fn headline(&self) -> String {
        let (points, most) = self.points();
        let (title, agent, points, most) = (&self.title, &self.agent, number(points), number(most));
        let lead = if self.not_run.is_some() { "; " } else { "; most lost points: " };
        let why = self.costliest().map_or(String::new(), |why| format!("{lead}{why}"));
        format!("{title}: {agent}: {points} of {most} points{why}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::openings::random_opening;
    use arena::terms::restored;

    /// A test that was not played: its points, the most, and the word for why.
    fn test(number: u32, points: f64, most: f64, word: &'static str) -> GradedTest {
        GradedTest {
            number,
            game: number,
            name: format!("test {number}"),
            points,
            most,
            done: FinishedTest::unplayed(word, format!("reason {number}")),
            side: Side::First,
            rule: String::new(),
            board: None,
            legal: Vec::new(),
            visibility: Visibility::default(),
            single: true,
            proof: None,
            same_as: None,
        }
    }

    fn grade(tests: Vec<GradedTest>) -> Grade {
        let most = tests.iter().map(|test| test.most).sum();
        Grade {
            title: "Halma".to_string(),
            agent: "ann".to_string(),
            tests,
            most,
            ..Grade::default()
        }
    }

    #[test]
    fn points_are_those_of_the_tests_with_the_bonus_and_without_what_is_taken_off() {
        let mut grade = grade(vec![test(1, 2.5, 3.0, "a"), test(2, 1.0, 1.0, "a")]);
        assert_eq!(grade.points(), (3.5, 4.0));
        grade.bonus = Some(PlaceBonus { points: 2.0, words: "place 1".to_string() });
        grade.take_off(LateCut { points: 0.25, words: "0.25 points off".to_string() });
        assert_eq!(grade.points(), (5.25, 4.0));
        assert_eq!(grade.notes, ["Late: 0.25 points off"]);
        assert_eq!((grade.lost_by(), grade.lost().count()), ("1 a".to_string(), 1));
        assert!(!grade.tests[0].is_full() && grade.tests[1].is_full());
        assert!(!grade.is_of_cases());
        assert_eq!((grade.cpu(), grade.waited()), (0.0, 0.0));
        assert_eq!(grade.tests[0].size(), (0, "plies"));
    }

    #[test]
    fn tests_that_are_not_visible_are_told_as_one_with_their_points() {
        let mut tests: Vec<GradedTest> =
            (1..5).map(|number| test(number, f64::from(number), 5.0, "a")).collect();
        (tests[1].visibility, tests[1].same_as) = (Visibility::Hidden, Some(1));
        let game = AnyGame::of::<halma::Position>();
        let opening = random_opening(&game, 0, 1, 1).unwrap();
        let position = restored(&game, &opening.input, None).unwrap().position;
        let (side, result, source, moves) = (Side::First, String::new(), "", Vec::new());
        let proof = Proof { opening, side, position, result, source, moves };
        tests[1].proof = Some(Arc::new(proof));
        (tests[1].rule, tests[1].legal) = ("rule".to_string(), vec!["move".to_string()]);
        tests[3].visibility = Visibility::Hidden;
        for test in &mut tests {
            let (word, reason, said) = ("a", String::new(), "note mine".to_string());
            test.done.kept =
                Some(Kept { share: 0.5, word, reason, played: None, said, accuracy: None });
        }
        let told = grade(tests).without_hidden();
        let thoughts = told.tests.iter().map(|test| test.thoughts().words());
        assert!(thoughts.eq(["mine", "mine", ""]), "a hidden test tells no thoughts");
        let shown: Vec<_> = told
            .tests
            .iter()
            .map(|test| (&*test.name, test.points, test.most, test.word()))
            .collect();
        let hidden = ("2 hidden tests", 6.0, 10.0, "hidden");
        assert_eq!(shown, [("test 1", 1.0, 5.0, "a"), ("test 3", 3.0, 5.0, "a"), hidden]);
        assert_eq!(told.points(), (10.0, 20.0));
        let hidden = &told.tests[2];
        assert!(hidden.rule.is_empty() && hidden.legal.is_empty());
        assert!(hidden.same_as.is_none() && hidden.proof.is_none());
    }

    #[test]
    fn the_reason_that_cost_the_most_points_is_told_first() {
        let costliest = |tests: &[(f64, &'static str)]| {
            let tests = tests.iter().zip(1..);
            let tests = tests.map(|(&(points, word), number)| test(number, points, 4.0, word));
            grade(tests.collect()).headline()
        };
        let lead = "Halma: ann:";
        assert_eq!(costliest(&[(4.0, "a"), (4.0, "b")]), format!("{lead} 8 of 8 points"));
        let found = costliest(&[(3.0, "a"), (4.0, "a"), (1.0, "b"), (2.0, "a")]);
        let why = "most lost points: a, 3 points in 2 tests (reason 1)";
        // Of equal costs the first by name.
        assert_eq!(found, format!("{lead} 10 of 16 points; {why}"));
        let found = costliest(&[(3.5, "a"), (2.0, "b"), (1.5, "b")]);
        let why = "most lost points: b, 4.5 points in 2 tests (reason 2)";
        assert_eq!(found, format!("{lead} 7 of 12 points; {why}"));
        // What was left out was lost by what came before it.
        let found = costliest(&[(1.0, "stall"), (1.5, "crash"), (0.0, LEFT_OUT), (0.0, LEFT_OUT)]);
        let why = "most lost points: crash, 10.5 points in 3 tests (reason 2)";
        assert_eq!(found, format!("{lead} 2.5 of 16 points; {why}"));
        let mut none = Grade { most: 8.0, ..grade(Vec::new()) };
        let (why, remedy) = ("no program\nat all".to_string(), String::new());
        none.not_run = Some(NotRun { why, remedy });
        assert_eq!(none.headline(), format!("{lead} 0 of 8 points; it was not run: no program"));
    }
    /// A game as the second side that was over so.
    fn played(
        termination: Termination,
        winner: Option<usize>,
        fault_of: Option<usize>,
    ) -> GradedTest {
        let fault = fault_of.map(|player| FaultRecord { player, ..FaultRecord::default() });
        let (cpu, waited) = ([0.5, 1.0], [0.25, 3.0]);
        let end = End { termination, winner, fault, cpu, waited, plies: 2, ..End::default() };
        let mut test = test(1, 0.0, 1.0, "");
        (test.side, test.single) = (Side::Second, false);
        test.done.outcome = TestOutcome::Over(Box::new(end));
        test
    }

    #[test]
    fn a_game_has_its_verdict_and_the_figures_of_its_side() {
        for (termination, winner, fault_of, verdict) in [
            (Termination::Normal, Some(1), None, "won the game"),
            (Termination::Normal, Some(0), None, "lost the game"),
            (Termination::Normal, None, None, "drew the game"),
            (Termination::DrawByMoveLimit, None, None, "draw by move limit"),
            (Termination::Crash, Some(0), Some(1), "crash"),
        ] {
            let test = played(termination, winner, fault_of);
            assert_eq!((&*test.verdict(), test.fault().is_some()), (verdict, fault_of.is_some()));
            assert_eq!((test.cpu(), test.waited(), test.size()), (1.0, 3.0, (2, "plies")));
        }
        assert!(played(Termination::Crash, Some(1), Some(0)).fault().is_none(), "the opponent's");
    }

    #[test]
    fn a_busy_machine_and_equal_games_are_noted() {
        let draw = || played(Termination::Normal, None, None);
        let again = GradedTest { number: 2, same_as: Some(1), ..draw() };
        // Programs cannot count moves in a game that comes with the judge.
        let failed = GradedTest { single: true, ..played(Termination::Crash, Some(0), Some(1)) };
        let mut grade = grade(vec![draw(), again, failed]);
        assert_eq!((grade.cpu(), grade.waited()), (3.0, 9.0));
        grade.note_machine_and_games(&AnyGame::of::<halma::Position>());
        let begins =
            ["Busy machine: the machine gave it 25 % ", "Equal games count once: 1 of the 3 "];
        let mut notes = grade.notes.iter().zip(begins);
        assert!(notes.all(|(note, begin)| note.starts_with(begin)), "{:?}", grade.notes);
        assert!(grade.notes.len() == 2 && grade.notes[1].ends_with(": 2 (as 1)"));
    }
}
