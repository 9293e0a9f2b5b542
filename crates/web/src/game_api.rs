//! The functions with which a page plays a game. They take texts and return JSON and keep no state. Positions are passed as
//! input files and moves as output files, so that the page can save, link or pass them to a program unchanged.

use crate::drawing;
use engine::clock::Clock;
use engine::drawing::{PieceKind, Symbols};
use engine::score::{WIN_BOUND, describe};
use engine::search;
use engine::think::{Algorithm, Report, Settings, think_observed};
use engine::{Explain, Outcome, RuleSet, Side, Task, TimeControl};
use serde_json::{Value, json};
use std::time::Duration;

/// The limits of a search that a page asks for. Of `nodes`, `depth`, `clock` and `seconds` the first one given counts.
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

/// The default size of the transposition table, in MiB: large enough for a minute of search, small enough for a telephone.
const HASH_MIB: u32 = 32;
/// The default thinking time, in seconds.
const SECONDS: f64 = 1.0;
/// The longest thinking time or clock that a request may give, in seconds.
const MOST_SECONDS: f64 = 1e6;

/// The description of a game: names, sides, rule sets, and the curve of winning chances.
pub fn game<G: Explain>() -> Value {
    let rules: Vec<&str> = G::Rules::ALL.iter().map(|(name, _)| *name).collect();
    let curve = G::curve();
    json!({
        "name": G::NAME,
        "title": G::TITLE,
        "sides": G::SIDES,
        "rules": rules,
        "agentRules": G::Rules::AGENT.name(),
        "judgeRules": G::Rules::JUDGE.name(),
        "plyLimit": G::PLY_LIMIT,
        "curve": { "points": curve.points, "first": curve.first },
        "winBound": WIN_BOUND,
        "first": G::start(G::Rules::AGENT).side_to_move().index(),
        "symbols": G::SYMBOLS.map(symbols),
    })
}

/// The symbols of the game's input files, for the editor.
fn symbols(symbols: Symbols) -> Value {
    let piece = |kind: &PieceKind| json!({ "name": kind.name, "side": kind.side.index(), "symbols": kind.symbols, "distinct": kind.distinct });
    let pieces: Vec<Value> = symbols.pieces.iter().map(piece).collect();
    json!({ "stride": symbols.stride, "empty": symbols.empty.to_string(), "pieces": pieces })
}

/// The input file of the starting position, with a clock of `seconds` for the game.
///
/// # Errors
/// If there is no such rule set, or `seconds` is out of range.
pub fn start<G: Explain>(rules: &str, seconds: f64) -> Result<String, String> {
    let clock = duration(seconds)?;
    let position = G::start(rule_set::<G>(rules)?);
    Ok(G::write_task(&Task { position, control: TimeControl::Game, clock }))
}

/// Describes the position of an input file: the board to draw, the side to move, the result if the game is over, and every
/// legal move with its output file, its description and its path of places, which begins with the piece that moves.
///
/// # Errors
/// If the text is not an input file. The message begins with the line at fault.
pub fn look<G: Explain>(input: &str, rules: &str) -> Result<Value, String> {
    let task = read::<G>(input, rules)?;
    let position = &task.position;
    let side = position.side_to_move();
    let outcome = position.outcome();
    let moves = if outcome.is_some() { Vec::new() } else { position.legal_moves() };
    let moves = moves.into_iter().map(|mv| {
        let mut after = position.clone();
        after.play(mv);
        let path = after.drawing(Some((position, mv))).map(|drawing| drawing.path).unwrap_or_default();
        json!({
            "output": position.write_move(mv),
            "text": position.describe_move(mv),
            "path": path,
            "disputed": position.is_disputed(mv),
        })
    });
    let moves: Vec<Value> = moves.collect();
    let drawn = position.drawing(None);
    Ok(json!({
        "side": side.index(),
        "control": task.control.word(),
        "clock": task.clock.as_secs_f64(),
        "picture": position.picture(None),
        "board": drawn.as_ref().map(drawing::board),
        "position": drawn.as_ref().map(drawing::position),
        "over": outcome.map(|outcome| outcome_json(position, outcome)),
        "measures": Side::BOTH.map(|side| measure(position, side)),
        "moves": moves,
    }))
}

/// Draws a board set up by hand, of which the rules may have no position: the cells of the starting position with these
/// owners and letters of pieces, both as [`drawing::position`] returns them.
///
/// # Errors
/// If the game has no drawing, there is no such rule set, or a text has the wrong length.
pub fn sketch<G: Explain>(rules: &str, owners: &str, letters: &str, texts: &[String]) -> Result<Value, String> {
    let mut drawn = G::start(rule_set::<G>(rules)?).drawing(None).ok_or("this game has no drawing")?;
    let (owners, letters): (Vec<char>, Vec<char>) = (owners.chars().collect(), letters.chars().collect());
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

/// Draws a position as an SVG document. With `output`, the move that led to it is marked.
///
/// # Errors
/// If a text cannot be parsed, the rules refuse the move, or the game has no drawing.
pub fn picture<G: Explain>(input: &str, rules: &str, output: Option<&str>) -> Result<String, String> {
    let before = read::<G>(input, rules)?.position;
    let drawn = match output {
        None => before.drawing(None),
        Some(output) => {
            let mv = before.read_move(output).map_err(|violation| violation.to_string())?;
            let mut position = before.clone();
            position.play(mv);
            position.drawing(Some((&before, mv)))
        }
    };
    let drawn = drawn.ok_or("this game has no drawing")?;
    Ok(boards::picture(&drawn, &G::SIDES, None))
}

/// Plays a move, given as an output file. Returns the position to draw with the move's path, the result if the game is
/// over, and the input file of the next turn with the clock unchanged; `input` is null if the game is over, because not
/// every such position can be written as an input file.
///
/// # Errors
/// If a text cannot be parsed, or the rules refuse the move.
pub fn play<G: Explain>(input: &str, rules: &str, output: &str) -> Result<Value, String> {
    let task = read::<G>(input, rules)?;
    let before = &task.position;
    if before.outcome().is_some() {
        return Err("the game is over".to_string());
    }
    let mv = before.read_move(output).map_err(|violation| violation.to_string())?;
    let mut position = before.clone();
    position.play(mv);
    let drawn = position.drawing(Some((before, mv)));
    let over = position.outcome().map(|outcome| outcome_json(&position, outcome));
    Ok(json!({
        "over": over,
        "text": before.describe_move(mv),
        "side": before.side_to_move().index(),
        "position": drawn.as_ref().map(drawing::position),
        "picture": position.picture(Some(mv)),
        "input": over.is_none().then(|| G::write_task(&Task { position, control: task.control, clock: task.clock })),
    }))
}

/// Chooses a move as the game's agent does. `tell` is called with every finished iteration, and stops the search by
/// returning `false`.
///
/// # Errors
/// If a text cannot be parsed, the request is invalid, or the game is over.
pub fn think<G: Explain>(
    input: &str,
    rules: &str,
    request: &Request,
    clock: &dyn Clock,
    tell: &mut dyn FnMut(Value) -> bool,
) -> Result<Value, String> {
    let mut task = read::<G>(input, rules)?;
    if task.position.outcome().is_some() || task.position.legal_moves().is_empty() {
        return Err("the game is over: there is nothing to choose".to_string());
    }
    let settings = settings::<G>(request)?;
    if settings.timed() {
        (task.control, task.clock) = match request.clock {
            Some(left) => (TimeControl::Game, duration(left)?),
            None => (TimeControl::Single, duration(request.seconds.unwrap_or(SECONDS))?),
        };
    }
    // An exact solver may take longer than a search by nodes or of a plain algorithm.
    let known = if settings.timed() { proven_json(&task.position) } else { Value::Null };
    let mut callback = IterationCallback { position: &task.position, known: &known, tell, stopped: false };
    let report = think_observed(&task, &settings, clock, &mut callback);
    Ok(answer(&task.position, &report, &known))
}

fn settings<G: Explain>(request: &Request) -> Result<Settings<G::Own>, String> {
    let algorithm = match request.algorithm.as_deref() {
        None => Algorithm::Iterative,
        Some(name) => {
            let known = Algorithm::NAMES.iter().find(|(known, ..)| *known == name);
            known.map(|(.., algorithm)| *algorithm).ok_or_else(|| format!("no algorithm named '{name}'"))?
        }
    };
    let depth = if request.nodes.is_none() { request.depth } else { None };
    if depth.is_some_and(|depth| depth == 0 || depth >= search::MAX_PLY) {
        return Err(format!("depth: expected 1 to {}", search::MAX_PLY - 1));
    }
    let hash_mib = Some(request.hash.unwrap_or(HASH_MIB).clamp(1, 256));
    Ok(Settings { algorithm, depth, nodes: request.nodes, hash_mib, ..Settings::default() })
}

/// Passes the iterations of a search to a callback.
struct IterationCallback<'a, G> {
    position: &'a G,
    /// The proven result, which counts for more than the search's.
    known: &'a Value,
    tell: &'a mut dyn FnMut(Value) -> bool,
    stopped: bool,
}

impl<G: Explain> search::Observer<G::Move> for IterationCallback<'_, G> {
    fn iteration(&mut self, report: &search::Report<G::Move>) {
        self.stopped |= !(self.tell)(with_proof(search_json(self.position, report), self.known));
    }

    fn wants_stop(&mut self) -> bool {
        self.stopped
    }
}

/// Replaces the expected result of a search by the proven one, if there is one.
fn with_proof(mut value: Value, known: &Value) -> Value {
    if known["proven"] == json!(true) {
        value["expected"] = known["expected"].clone();
        value["proven"] = json!(true);
    }
    value
}

fn answer<G: Explain>(position: &G, report: &Report<G::Move>, known: &Value) -> Value {
    let search = report.search.as_ref();
    let mut value = search.map_or_else(|| proven_json(position), |report| search_json(position, report));
    value = with_proof(value, known);
    value["output"] = json!(position.write_move(report.best));
    value["text"] = json!(position.describe_move(report.best));
    value["advice"] = json!(report.advice);
    value
}

/// The proven expected result of the side to move, from a table, a stored strategy or an exact solver. Null if none is
/// known, or the game is over.
///
/// # Errors
/// If a text cannot be parsed.
pub fn truth<G: Explain>(input: &str, rules: &str) -> Result<Value, String> {
    let position = read::<G>(input, rules)?.position;
    let known = if position.outcome().is_some() { json!({}) } else { proven_json(&position) };
    Ok(if known["proven"] == json!(true) { known } else { Value::Null })
}

/// The proven expected result of the side to move without a search; an empty object if none is known.
fn proven_json<G: Explain>(position: &G) -> Value {
    let Some(proven) = G::proven(position) else { return json!({}) };
    let expected = match proven.outcome.winner() {
        None => 0.5,
        Some(winner) if winner == position.side_to_move() => 1.0,
        Some(_) => 0.0,
    };
    json!({ "expected": expected, "proven": true })
}

/// The result of a search: the score for the side to move as a number and as text, its expected result, and the principal
/// variation.
fn search_json<G: Explain>(position: &G, report: &search::Report<G::Move>) -> Value {
    let mut at = position.clone();
    let mut line = Vec::new();
    for &mv in &report.line {
        line.push(
            json!({ "text": at.describe_move(mv), "output": at.write_move(mv), "side": at.side_to_move().index() }),
        );
        at.play(mv);
    }
    let curve = G::curve();
    json!({
        "depth": report.depth,
        "score": report.score,
        "says": describe(report.score),
        "expected": curve.expected(curve.levelled(report.score, report.depth), position.side_to_move()),
        "nodes": report.nodes,
        "proven": report.proven,
        "line": line,
    })
}

/// A side's own count: the first one or, if that one measures the other side, the first of which this side wants
/// more. Null if the game counts nothing.
fn measure<G: Explain>(position: &G, side: Side) -> Value {
    let (own, others) = (G::counts(position, side), G::counts(position, side.other()));
    let Some(first) = own.first() else { return Value::Null };
    let is_others = others.first().is_some_and(|other| other.what == first.what && other.more_is_better);
    let better = own.iter().find(|count| count.more_is_better);
    let count = better.filter(|_| is_others && !first.more_is_better).unwrap_or(first);
    json!({ "what": count.what, "number": count.number })
}

fn outcome_json<G: Explain>(position: &G, outcome: Outcome) -> Value {
    let points = || {
        let [one, other] = Side::BOTH.map(|side| G::counts(position, side).into_iter().next());
        let (one, other) = (one?, other?);
        Some(format!("{} to {} {}", one.number.max(other.number), one.number.min(other.number), one.what))
    };
    let why = position.why_over().or_else(|| matches!(outcome, Outcome::Margin(_)).then(points).flatten());
    json!({ "winner": outcome.winner().map(Side::index), "why": why })
}

pub(crate) fn read<G: Explain>(input: &str, rules: &str) -> Result<Task<G>, String> {
    G::read_task(input, rule_set::<G>(rules)?).map_err(|error| format!("line {error}"))
}

pub(crate) fn rule_set<G: Explain>(name: &str) -> Result<G::Rules, String> {
    G::Rules::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = G::Rules::ALL.iter().map(|(name, _)| *name).collect();
        format!("no rule set of the name '{name}': {}", known.join(", "))
    })
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
    use engine::clock::NoClock;
    use foxgame::Position as FoxGame;
    use foxgeese::Position as FoxGeese;
    use halma::Position as Halma;

    fn nodes(nodes: u64) -> Request {
        Request { nodes: Some(nodes), ..Request::default() }
    }

    fn chosen<G: Explain>(input: &str, rules: &str, request: &Request) -> Result<Value, String> {
        think::<G>(input, rules, request, &NoClock, &mut |_| true)
    }

    #[test]
    fn each_side_has_a_measure_of_its_own() {
        fn measures<G: Explain>(rules: &str) -> [String; 2] {
            let seen = look::<G>(&start::<G>(rules, 20.0).unwrap(), rules).unwrap();
            [0, 1].map(|side| {
                format!("{} {}", seen["measures"][side]["number"], seen["measures"][side]["what"].as_str().unwrap())
            })
        }
        assert_eq!(measures::<FoxGame>("standard"), ["2 foxes left", "20 sheep left"]);
        let [geese, foxes] = measures::<FoxGeese>("standard");
        assert!(foxes.ends_with("cells that the foxes can reach") && geese.ends_with("geese left"), "{foxes}, {geese}");
        let [black, white] = measures::<Halma>("base");
        assert!(black.starts_with(char::is_numeric) && black == white, "{black}, {white}");
    }

    #[test]
    fn a_page_plays_a_game_by_the_moves_that_it_is_shown() {
        let mut input = start::<FoxGame>("standard", 20.0).unwrap();
        let mut plies = 0;
        loop {
            let seen = look::<FoxGame>(&input, "standard").unwrap();
            assert!(seen["over"].is_null());
            let moves = seen["moves"].as_array().unwrap();
            let mv = &moves[plies * 7 % moves.len()];
            let owners = seen["position"]["owners"].as_str().unwrap();
            let [x, y] = [0, 1].map(|at| mv["path"][0][at].as_u64().unwrap() as usize);
            assert_eq!(owners.as_bytes()[y * 7 + x], b'0' + seen["side"].as_u64().unwrap() as u8, "{mv}");
            let played = play::<FoxGame>(&input, "standard", mv["output"].as_str().unwrap()).unwrap();
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
        let input = start::<Halma>("base", 10.0).unwrap();
        let mut told = Vec::new();
        let answer = think::<Halma>(&input, "base", &nodes(20_000), &NoClock, &mut |iteration| {
            told.push(iteration["depth"].as_u64().unwrap());
            true
        });
        let answer = answer.unwrap();
        assert!(told.len() > 1 && told.is_sorted(), "{told:?}");
        assert_eq!(answer["line"][0]["output"], answer["output"]);
        assert!((0.01..0.99).contains(&answer["expected"].as_f64().unwrap()), "{answer}");
        assert_eq!(chosen::<Halma>(&input, "base", &nodes(20_000)).unwrap(), answer);
        let stopped = think::<Halma>(&input, "base", &nodes(100_000_000), &NoClock, &mut |_| false).unwrap();
        assert!(stopped["nodes"].as_u64().unwrap() < 10_000, "{stopped}");
        assert!(play::<Halma>(&input, "base", stopped["output"].as_str().unwrap()).is_ok());
    }

    #[test]
    fn a_move_from_a_proof_comes_with_its_result() {
        let input = start::<FoxGeese>("standard", 10.0).unwrap();
        let answer =
            chosen::<FoxGeese>(&input, "standard", &Request { seconds: Some(1.0), ..Request::default() }).unwrap();
        assert!(answer["advice"].is_string(), "{answer}");
        assert_eq!((&answer["expected"], &answer["proven"]), (&json!(1.0), &json!(true)));
        assert_eq!(truth::<FoxGeese>(&input, "standard").unwrap()["expected"], 1.0);
        assert!(truth::<FoxGame>(&start::<FoxGame>("standard", 10.0).unwrap(), "standard").unwrap().is_null());
    }

    #[test]
    fn what_makes_no_sense_is_refused_in_words() {
        let input = start::<Halma>("base", 10.0).unwrap();
        let refused = |result: Result<Value, String>, said: &str| {
            let error = result.unwrap_err();
            assert!(error.contains(said), "{error}");
        };
        refused(look::<Halma>("SINGLE\nGREEN\n", "base"), "line 2: expected");
        refused(look::<Halma>(&input, "chess"), "no rule set of the name 'chess': ");
        refused(play::<Halma>(&input, "base", "E 0,0 5,5\n"), "illegal move: ");
        refused(play::<Halma>(&input, "base", "up"), "line 1: ");
        refused(chosen::<Halma>(&input, "base", &Request { depth: Some(0), ..Request::default() }), "depth: ");
        let own = Request { algorithm: Some("magic".to_string()), ..Request::default() };
        refused(chosen::<Halma>(&input, "base", &own), "no algorithm named 'magic'");
        refused(chosen::<Halma>(&input, "base", &Request { seconds: Some(-1.0), ..Request::default() }), "seconds");
        assert!(start::<Halma>("base", f64::NAN).is_err());
    }
}
