//! The functions with which a page plays a game. They take texts and return JSON and keep no state.
//! Positions are passed as stored texts ([`AnyPosition::stored`]), which are input files but for
//! games whose rules are a program, and moves by their names, so that the page can save or link
//! them.

use crate::drawing;
use anygame::{AnyGame, AnyMove, AnyPosition, AnyTask, Board, Position};
use engine::clock::Clock;
use engine::drawing::{PieceKind, Symbols};
use engine::explain::Count;
use engine::score::{WIN_BOUND, describe};
use engine::search;
use engine::think::{Algorithm, Settings};
use engine::{Side, TimeControl};
use serde_json::{Value, json};
use std::time::Duration;

/// The limits of a search that a page asks for. Of `nodes`, `depth`, `clock` and `seconds` the
/// first one given counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The number of nodes to search.
    pub nodes: Option<u64>,
    /// The depth to search, in plies.
    pub depth: Option<u32>,
    /// The thinking time for this move, in seconds.
    pub seconds: Option<f64>,
    /// The seconds that the side has left for the rest of the game. The agent divides them itself.
    pub clock: Option<f64>,
    /// The size of the transposition table, in MiB.
    pub hash: Option<u32>,
    /// A plain algorithm in place of the agent's search: `greedy`, `minimax` or `alphabeta`.
    pub algorithm: Option<String>,
}

/// The default size of the transposition table, in MiB: large enough for a minute of search, small
/// enough for a telephone.
const HASH_MIB: u32 = 32;
/// The default thinking time, in seconds.
const SECONDS: f64 = 1.0;
/// The longest thinking time or clock that a request may give, in seconds.
const MOST_SECONDS: f64 = 1e6;

/// The description of a game: names, sides, rule sets, and the curve of winning chances.
pub fn game(game: &AnyGame) -> Value {
    let curve = game.curve.map(|curve| json!({ "points": curve.points, "first": curve.first }));
    json!({
        "name": game.name,
        "title": game.title,
        "sides": game.sides,
        "rules": game.rules.rule_sets(),
        "agentRules": game.agent_rules,
        "judgeRules": game.rules.check_rules(None).ok(),
        "plyLimit": game.ply_limit,
        "curve": curve,
        "winBound": WIN_BOUND,
        "first": game.first.index(),
        "symbols": game.symbols.map(symbols),
    })
}

/// The symbols of the game's input files, for the editor.
fn symbols(symbols: Symbols) -> Value {
    let piece = |kind: &PieceKind| json!({ "name": kind.name, "side": kind.side.index(), "symbols": kind.symbols, "distinct": kind.distinct });
    let pieces: Vec<Value> = symbols.pieces.iter().map(piece).collect();
    json!({ "stride": symbols.stride, "empty": symbols.empty.to_string(), "pieces": pieces })
}

/// The error of a game as text.
pub(crate) fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The input file of the starting position, with a clock of `seconds` for the game.
///
/// # Errors
/// If there is no such rule set, or `seconds` is out of range.
pub fn start(game: &AnyGame, rules: &str, seconds: f64) -> Result<String, String> {
    let clock = duration(seconds)?;
    game.rules
        .start(Some(rules))
        .and_then(|position| position.stored(TimeControl::Game, clock))
        .map_err(words)
}

/// Describes the position of an input file: the board to draw, the side to move, the result if the
/// game is over, and every legal move with its output file, its description and its path of places,
/// which begins with the piece that moves.
///
/// # Errors
/// If the text is not an input file. The message begins with the line at fault.
pub fn look(game: &AnyGame, input: &str, rules: &str) -> Result<Value, String> {
    let AnyTask { position, control, clock, .. } = read(game, input, rules)?;
    let moves = if position.outcome().is_some() { Vec::new() } else { position.legal_moves() };
    let moves: Vec<Value> = moves
        .into_iter()
        .map(|AnyMove { code, output, described }| {
            let path = position.path_and_changes(code).unwrap_or_default().0;
            json!({ "output": output, "text": described, "path": path, "disputed": position.is_disputed(code) })
        })
        .collect();
    let Board { picture, drawing } = position.board();
    Ok(json!({
        "side": position.side_to_move().index(),
        "control": control.word(),
        "clock": clock.as_secs_f64(),
        "picture": picture,
        "board": drawing.as_ref().map(drawing::board),
        "position": drawing.as_ref().map(drawing::position),
        "over": outcome_json(&*position),
        "counted": position.counted_moves(),
        "measures": Side::BOTH.map(|side| measure(&position.counts(), side)),
        "moves": moves,
    }))
}

/// The legal moves that lose the game at once, as a list of `[output, why]`.
///
/// # Errors
/// See [`look`].
pub fn losing(game: &AnyGame, input: &str, rules: &str) -> Result<Value, String> {
    let position = read(game, input, rules)?.position;
    let mut losing = Vec::new();
    for code in position.codes() {
        let after = position.clone().play(code).map_err(words)?;
        let winner = after.outcome().and_then(|outcome| outcome.winner());
        if let Some(mv) =
            position.move_of(code).filter(|_| winner == Some(position.side_to_move().other()))
        {
            losing.push(json!([mv.output, after.why_over()]));
        }
    }
    Ok(Value::Array(losing))
}

/// Draws a board set up by hand, of which the rules may have no position: the cells of the starting
/// position with these owners and letters of pieces, both as [`drawing::position`] returns them.
///
/// # Errors
/// If the game has no drawing, there is no such rule set, or a text has the wrong length.
pub fn sketch(
    game: &AnyGame,
    rules: &str,
    owners: &str,
    letters: &str,
    texts: &[String],
) -> Result<Value, String> {
    let start = game.rules.start(Some(rules)).map_err(words)?;
    let mut drawn = start.drawing().ok_or(NO_DRAWING)?;
    let (owners, letters): (Vec<char>, Vec<char>) =
        (owners.chars().collect(), letters.chars().collect());
    if owners.len() != drawn.cells.len() || letters.len() != drawn.cells.len() {
        return Err(format!("expected {} cells", drawn.cells.len()));
    }
    for (at, cell) in drawn.cells.iter_mut().enumerate() {
        cell.piece = match owners[at] {
            '0' => Some((Side::First, letters[at])),
            '1' => Some((Side::Second, letters[at])),
            _ => None,
        };
        if let Some(text) = texts.get(at) {
            cell.text.clone_from(text);
        }
    }
    Ok(drawing::position(&drawn))
}

const NO_DRAWING: &str = "this game has no drawing";

/// The legal move of this name or output file, and the position after it.
pub(crate) fn play_move(before: &Position, output: &str) -> Result<(AnyMove, Position), String> {
    if before.outcome().is_some() {
        return Err("the game is over".to_string());
    }
    let named = before.code_of(output).ok().and_then(|code| before.move_of(code));
    let mv = named.map_or_else(|| before.read_move(output).map_err(words)?.map_err(words), Ok)?;
    let after = before.clone().play(mv.code).map_err(words)?;
    Ok((mv, after))
}

/// Draws a position as an SVG document. With `output`, the move that led to it is marked.
///
/// # Errors
/// If a text cannot be parsed, the rules refuse the move, or the game has no drawing.
pub fn picture(
    game: &AnyGame,
    input: &str,
    rules: &str,
    output: Option<&str>,
) -> Result<String, String> {
    let before = read(game, input, rules)?.position;
    let position = output
        .map_or(Ok(before.clone()), |output| play_move(&before, output).map(|(_, after)| after))?;
    Ok(boards::picture(&position.drawing().ok_or(NO_DRAWING)?, &game.sides, None))
}

/// Plays a move, given as an output file. Returns the position to draw with the move's path, the
/// result if the game is over, and the input file of the next turn with the clock unchanged;
/// `input` is null if the game is over, because not every such position can be written as an input
/// file.
///
/// # Errors
/// If a text cannot be parsed, or the rules refuse the move.
pub fn play(game: &AnyGame, input: &str, rules: &str, output: &str) -> Result<Value, String> {
    let AnyTask { position: before, control, clock, .. } = read(game, input, rules)?;
    let (mv, position) = play_move(&before, output)?;
    let Board { picture, drawing } = position.board();
    let next = position
        .outcome()
        .is_none()
        .then(|| position.stored(control, clock))
        .transpose()
        .map_err(words)?;
    Ok(json!({
        "over": outcome_json(&*position),
        "text": mv.described,
        "side": before.side_to_move().index(),
        "position": drawing.as_ref().map(drawing::position),
        "picture": picture,
        "input": next,
    }))
}

/// Chooses a move as the game's agent does. `tell` is called with every finished iteration, and
/// stops the search by returning `false`.
///
/// # Errors
/// If a text cannot be parsed, the request is invalid, or the game is over.
pub fn think(
    game: &AnyGame,
    input: &str,
    rules: &str,
    request: &Request,
    clock: &dyn Clock,
    tell: &mut dyn FnMut(Value) -> bool,
) -> Result<Value, String> {
    let AnyTask { position, mut control, clock: mut left, .. } = read(game, input, rules)?;
    if position.codes().is_empty() {
        return Err("the game is over: there is nothing to choose".to_string());
    }
    let settings = settings(request)?;
    if settings.timed() {
        (control, left) = match request.clock {
            Some(left) => (TimeControl::Game, duration(left)?),
            None => (TimeControl::Single, duration(request.seconds.unwrap_or(SECONDS))?),
        };
    }
    // An exact solver may take longer than a search by nodes or of a plain algorithm.
    let known = if settings.timed() { proven_json(&*position) } else { Value::Null };
    let told = Told { game, position: &position, known: &known };
    let mut callback = IterationCallback { told: &told, tell, stopped: false };
    let report = position.think((control, left), &settings, clock, &mut callback).map_err(words)?;
    let search = report.search.as_ref();
    let mut value = search
        .map_or_else(|| told.with_proof(proven_json(&*position)), |report| told.search(report));
    let best = position.move_of(report.best).ok_or("no legal move")?;
    value["output"] = json!(best.output);
    value["text"] = json!(best.described);
    value["advice"] = json!(report.advice);
    Ok(value)
}

fn settings(request: &Request) -> Result<Settings, String> {
    let algorithm = match request.algorithm.as_deref() {
        None => Algorithm::Iterative,
        Some(name) => {
            let known = Algorithm::NAMES.iter().find(|(known, ..)| *known == name);
            known
                .map(|(.., algorithm)| *algorithm)
                .ok_or_else(|| format!("no algorithm named '{name}'"))?
        }
    };
    let depth = if request.nodes.is_none() { request.depth } else { None };
    if depth.is_some_and(|depth| depth == 0 || depth >= search::MAX_PLY) {
        return Err(format!("depth: expected 1 to {}", search::MAX_PLY - 1));
    }
    let hash_mib = Some(request.hash.unwrap_or(HASH_MIB).clamp(1, 256));
    Ok(Settings { algorithm, depth, nodes: request.nodes, hash_mib, ..Settings::default() })
}

/// What a page is told of a search.
struct Told<'a> {
    game: &'a AnyGame,
    position: &'a Position,
    /// The proven result, which counts for more than the search's.
    known: &'a Value,
}

impl Told<'_> {
    /// The result of a search: the score for the side to move as a number and as text, its expected
    /// result, and the principal variation.
    fn search(&self, report: &search::Report<u32>) -> Value {
        let mut at = self.position.clone();
        let mut line = Vec::new();
        for &code in &report.line {
            // A search may allow the opponent more than the rules do.
            let Some(mv) = at.move_of(code) else { break };
            line.push(json!({ "text": mv.described, "output": mv.output, "side": at.side_to_move().index() }));
            let Ok(after) = at.play(code) else { break };
            at = after;
        }
        self.with_proof(json!({
            "depth": report.depth,
            "score": report.score,
            "says": describe(report.score),
            "expected": self.game.expected(report, self.position.side_to_move()),
            "nodes": report.nodes,
            "proven": report.proven,
            "line": line,
        }))
    }

    /// Replaces the expected result of a search by the proven one, if there is one.
    fn with_proof(&self, mut value: Value) -> Value {
        if self.known["proven"] == json!(true) {
            value["expected"] = self.known["expected"].clone();
            value["proven"] = json!(true);
        }
        value
    }
}

/// Passes the iterations of a search to a callback.
struct IterationCallback<'a> {
    told: &'a Told<'a>,
    tell: &'a mut dyn FnMut(Value) -> bool,
    stopped: bool,
}

impl search::Observer<u32> for IterationCallback<'_> {
    fn iteration(&mut self, report: &search::Report<u32>) {
        self.stopped |= !(self.tell)(self.told.search(report));
    }

    fn wants_stop(&mut self) -> bool {
        self.stopped
    }
}

/// The proven expected result of the side to move, from a table, a stored strategy or an exact
/// solver. Null if none is known, or the game is over.
///
/// # Errors
/// If a text cannot be parsed.
pub fn truth(game: &AnyGame, input: &str, rules: &str) -> Result<Value, String> {
    let position = read(game, input, rules)?.position;
    let known = if position.outcome().is_some() { json!({}) } else { proven_json(&*position) };
    Ok(if known["proven"] == json!(true) { known } else { Value::Null })
}

/// The proven expected result of the side to move without a search; an empty object if none is
/// known.
fn proven_json(position: &dyn AnyPosition) -> Value {
    let Some(proven) = position.proven() else { return json!({}) };
    let expected = match proven.winner() {
        None => 0.5,
        Some(winner) if winner == position.side_to_move() => 1.0,
        Some(_) => 0.0,
    };
    json!({ "expected": expected, "proven": true })
}

/// A side's own count: the first one or, if that one measures the other side, the first of which
/// this side wants more. Null if the game counts nothing.
fn measure(counts: &[Vec<Count>; 2], side: Side) -> Value {
    let (own, others) = (&counts[side.index()], &counts[side.other().index()]);
    let Some(first) = own.first() else { return Value::Null };
    let is_others =
        others.first().is_some_and(|other| other.what == first.what && other.more_is_better);
    let better = own.iter().find(|count| count.more_is_better);
    let count = better.filter(|_| is_others && !first.more_is_better).unwrap_or(first);
    json!({ "what": count.what, "number": count.number })
}

/// The result of a finished game, with its reason or else the first count of which both sides want
/// more; null while it goes on.
fn outcome_json(position: &dyn AnyPosition) -> Value {
    let Some(outcome) = position.outcome() else { return Value::Null };
    let counts = || {
        let [one, other] = position.counts();
        let one = one.into_iter().find(|count| count.more_is_better)?;
        let other =
            other.into_iter().find(|count| count.more_is_better && count.what == one.what)?;
        let (more, less) = (one.number.max(other.number), one.number.min(other.number));
        Some(format!("{more} to {less} {}", one.what))
    };
    let why = position.why_over().or_else(counts);
    json!({ "winner": outcome.winner().map(Side::index), "why": why })
}

/// The position of a text, and its clock.
///
/// # Errors
/// If the text is none, or there is no such rule set.
pub fn read(game: &AnyGame, input: &str, rules: &str) -> Result<AnyTask, String> {
    let known = game.rules.rule_sets();
    if !known.contains(&rules) {
        return Err(format!("no rule set of the name '{rules}': {}", known.join(", ")));
    }
    game.rules.restore(input, Some(rules)).map_err(words)?.map_err(|error| format!("line {error}"))
}

fn duration(seconds: f64) -> Result<Duration, String> {
    if seconds > 0.0 && seconds <= MOST_SECONDS {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("expected seconds above 0".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Examine;
    use engine::clock::NoClock;
    use foxgame::Position as FoxGame;
    use foxgeese::Position as FoxGeese;
    use halma::Position as Halma;

    fn nodes(nodes: u64) -> Request {
        Request { nodes: Some(nodes), ..Request::default() }
    }

    fn of<G: Examine>() -> AnyGame {
        AnyGame::of::<G>()
    }

    fn chosen(
        game: &AnyGame,
        input: &str,
        rules: &str,
        request: &Request,
    ) -> Result<Value, String> {
        think(game, input, rules, request, &NoClock, &mut |_| true)
    }

    #[test]
    fn each_side_has_a_measure_of_its_own() {
        fn measures(game: &AnyGame, rules: &str) -> [String; 2] {
            let seen = look(game, &start(game, rules, 20.0).unwrap(), rules).unwrap();
            [0, 1].map(|side| {
                format!(
                    "{} {}",
                    seen["measures"][side]["number"],
                    seen["measures"][side]["what"].as_str().unwrap()
                )
            })
        }
        assert_eq!(measures(&of::<FoxGame>(), "standard"), ["2 foxes left", "20 sheep left"]);
        let [geese, foxes] = measures(&of::<FoxGeese>(), "standard");
        assert!(
            foxes.ends_with("cells that the foxes can reach") && geese.ends_with("geese left"),
            "{foxes}, {geese}"
        );
        let [black, white] = measures(&of::<Halma>(), "base");
        assert!(black.starts_with(char::is_numeric) && black == white, "{black}, {white}");
    }

    #[test]
    fn a_page_plays_a_game_by_the_moves_that_it_is_shown() {
        let mut input = start(&of::<FoxGame>(), "standard", 20.0).unwrap();
        let mut plies = 0;
        loop {
            let seen = look(&of::<FoxGame>(), &input, "standard").unwrap();
            assert!(seen["over"].is_null());
            let moves = seen["moves"].as_array().unwrap();
            let mv = &moves[plies * 7 % moves.len()];
            let owners = seen["position"]["owners"].as_str().unwrap();
            let [x, y] = [0, 1].map(|at| mv["path"][0][at].as_u64().unwrap() as usize);
            assert_eq!(
                owners.as_bytes()[y * 7 + x],
                b'0' + seen["side"].as_u64().unwrap() as u8,
                "{mv}"
            );
            let played =
                play(&of::<FoxGame>(), &input, "standard", mv["output"].as_str().unwrap()).unwrap();
            assert_eq!(played["text"], mv["text"]);
            let Some(next) = played["input"].as_str() else {
                assert!(!played["over"]["why"].as_str().unwrap().is_empty(), "{played}");
                break;
            };
            input = next.to_string();
            plies += 1;
            assert!(plies < 600, "no end");
        }
    }

    #[test]
    fn thinking_gives_the_move_of_the_same_nodes_and_tells_of_each_iteration() {
        let input = start(&of::<Halma>(), "base", 10.0).unwrap();
        let mut told = Vec::new();
        let answer =
            think(&of::<Halma>(), &input, "base", &nodes(20_000), &NoClock, &mut |iteration| {
                told.push(iteration["depth"].as_u64().unwrap());
                true
            });
        let answer = answer.unwrap();
        assert!(told.len() > 1 && told.is_sorted(), "{told:?}");
        assert_eq!(answer["line"][0]["output"], answer["output"]);
        assert!((0.01..0.99).contains(&answer["expected"].as_f64().unwrap()), "{answer}");
        assert_eq!(chosen(&of::<Halma>(), &input, "base", &nodes(20_000)).unwrap(), answer);
        let stopped =
            think(&of::<Halma>(), &input, "base", &nodes(100_000_000), &NoClock, &mut |_| false)
                .unwrap();
        assert!(stopped["nodes"].as_u64().unwrap() < 10_000, "{stopped}");
        assert!(play(&of::<Halma>(), &input, "base", stopped["output"].as_str().unwrap()).is_ok());
    }

    #[test]
    fn a_move_from_a_proof_comes_with_its_result() {
        let input = start(&of::<FoxGeese>(), "standard", 10.0).unwrap();
        let answer = chosen(
            &of::<FoxGeese>(),
            &input,
            "standard",
            &Request { seconds: Some(1.0), ..Request::default() },
        )
        .unwrap();
        assert!(answer["advice"].is_string(), "{answer}");
        assert_eq!((&answer["expected"], &answer["proven"]), (&json!(1.0), &json!(true)));
        assert_eq!(truth(&of::<FoxGeese>(), &input, "standard").unwrap()["expected"], 1.0);
        assert!(
            truth(
                &of::<FoxGame>(),
                &start(&of::<FoxGame>(), "standard", 10.0).unwrap(),
                "standard"
            )
            .unwrap()
            .is_null()
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused_in_words() {
        let input = start(&of::<Halma>(), "base", 10.0).unwrap();
        let refused = |result: Result<Value, String>, said: &str| {
            let error = result.unwrap_err();
            assert!(error.contains(said), "{error}");
        };
        refused(look(&of::<Halma>(), "SINGLE\nGREEN\n", "base"), "line 2: expected");
        refused(look(&of::<Halma>(), &input, "chess"), "no rule set of the name 'chess': ");
        refused(play(&of::<Halma>(), &input, "base", "E 0,0 5,5\n"), "illegal move: ");
        refused(play(&of::<Halma>(), &input, "base", "up"), "line 1: ");
        refused(
            chosen(
                &of::<Halma>(),
                &input,
                "base",
                &Request { depth: Some(0), ..Request::default() },
            ),
            "depth: ",
        );
        let own = Request { algorithm: Some("magic".to_string()), ..Request::default() };
        refused(chosen(&of::<Halma>(), &input, "base", &own), "no algorithm named 'magic'");
        refused(
            chosen(
                &of::<Halma>(),
                &input,
                "base",
                &Request { seconds: Some(-1.0), ..Request::default() },
            ),
            "seconds",
        );
        assert!(start(&of::<Halma>(), "base", f64::NAN).is_err());
    }
}
