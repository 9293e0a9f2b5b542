//! Plays random games by the rules of a game of this process and by those of a folder at the same
//! time, and compares moves, input files, verdicts on output files, and ends: `compare_rules NAME
//! RULES FOLDER GAMES PLIES ANSWERS`. For the tests of programs of rules; moves are compared by
//! their kind, first and last square. Exit code 0: nothing differs.

use anygame::{AnyGame, Position};
use arena::replayed::Played;
use engine::{TimeControl, Violation};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

const CLOCK: Duration = Duration::from_millis(7_250);
/// Texts besides moves that are made of legal ones.
const ODD: [&str; 8] =
    ["", "\n", "E", "J 1,1", "E 1,1 2,2 3,3", "E 0,0 1,1\nE 1,1 2,2", "hello", "E 99,0 0,0"];

fn main() -> ExitCode {
    if let Some(code) = sandbox::own_command() {
        return code;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [name, rules, folder, games, plies, answers] = &words[..] else {
        panic!("NAME RULES FOLDER GAMES PLIES ANSWERS")
    };
    let [games, plies, answers] = [games, plies, answers].map(|text| text.parse::<u32>().unwrap());
    let mut compared = Compared {
        built_in: games::all().into_iter().find(|game| game.name == name).unwrap(),
        own: *arena::rules_program::load(Path::new(folder)).unwrap(),
        positions: 0,
        moves: 0,
        answers: 0,
        ends: 0,
    };
    for game in 0..games {
        compared.game(u64::from(game), rules, plies, answers.div_ceil(games));
    }
    let Compared { positions, moves, answers, ends, .. } = compared;
    println!(
        "{games} games, {positions} positions, {moves} moves, {answers} answers, {ends} ends: 0 differ"
    );
    ExitCode::SUCCESS
}

struct Compared {
    built_in: AnyGame,
    own: AnyGame,
    positions: u32,
    moves: u32,
    answers: u32,
    ends: u32,
}

/// The kind, the first and the last square of a move.
fn ends_of(mv: &str) -> String {
    let words: Vec<&str> = mv.split(['\n', ';', ' ']).filter(|word| !word.is_empty()).collect();
    match words[..] {
        [kind, first, .., last] => format!("{kind} {first} {last}"),
        _ => mv.trim().to_string(),
    }
}

fn by_ends(position: &Position) -> BTreeMap<String, String> {
    position.legal_moves().into_iter().map(|mv| (ends_of(&mv.output), mv.output)).collect()
}

/// The winner, once the game is over, and the side to move.
fn state(game: &AnyGame, position: &Position) -> (Option<Option<&'static str>>, &'static str) {
    let winner =
        position.outcome().map(|outcome| outcome.winner().map(|side| game.side_word(side)));
    (winner, game.side_word(position.side_to_move()))
}

impl Compared {
    fn game(&mut self, seed: u64, rules: &str, plies: u32, answers: u32) {
        let mut random = StdRng::seed_from_u64(seed);
        let mut one = self.built_in.rules.start(Some(rules)).unwrap();
        let mut other = self.own.rules.start(None).unwrap();
        // Random games seldom come to an end, and positions near it are of interest.
        let hurry = random.random_ratio(1, 2);
        for ply in 0..plies {
            let at = format!("after {ply} plies of game {seed}\n{}", one.picture());
            let found = state(&self.built_in, &one);
            assert_eq!(found, state(&self.own, &other), "the end or the side {at}");
            if found.0.is_some() {
                self.ends += 1;
                return;
            }
            self.positions += 1;
            let [file, other_file] =
                [&one, &other].map(|position| position.input(TimeControl::Game, CLOCK).unwrap());
            assert_eq!(file, other_file, "the input file {at}");
            let [moves, other_moves] = [by_ends(&one), by_ends(&other)];
            assert!(moves.keys().eq(other_moves.keys()), "moves {at}: {moves:?} {other_moves:?}");
            self.moves += moves.len() as u32;
            // A refused answer takes a new process of the rules.
            if ply % (plies / answers).max(1) == 0 {
                self.answer([&one, &other], &moves, &mut random);
            }
            let greedy = hurry && random.random_ratio(4, 5);
            let chosen = match one.greedy().unwrap().filter(|_| greedy) {
                Some(code) => ends_of(&one.move_of(code).unwrap().output),
                None => {
                    let names: Vec<&String> = moves.keys().collect();
                    (*names.choose(&mut random).unwrap()).clone()
                }
            };
            one = Played::of(&one, &moves[&chosen]).unwrap().position;
            other = Played::of(&other, &other_moves[&chosen]).unwrap().position;
        }
    }

    /// Compares what both say of an output file: a legal move, a changed one, or another text.
    fn answer(
        &mut self,
        positions: [&Position; 2],
        moves: &BTreeMap<String, String>,
        random: &mut StdRng,
    ) {
        let legal: Vec<&String> = moves.values().collect();
        let mut text = (*legal.choose(random).unwrap()).clone();
        match random.random_range(0..4) {
            0 => {}
            1 => {
                let digits = text.char_indices().filter(|(_, c)| c.is_ascii_digit());
                let digits: Vec<usize> = digits.map(|(at, _)| at).collect();
                if let Some(&at) = digits.choose(random) {
                    text.replace_range(at..=at, &random.random_range(0..10u32).to_string());
                }
            }
            2 => text = text.replacen(['E', 'J'], if random.random() { "E" } else { "J" }, 1),
            _ => text = (*ODD.choose(random).unwrap()).to_string(),
        }
        let [one, other] = positions.map(|position| match position.read_move(&text).unwrap() {
            Ok(mv) => ends_of(&mv.output),
            Err(Violation::Format { line, .. }) => format!("malformed in line {line}"),
            Err(Violation::Illegal(_)) => "illegal".to_string(),
        });
        assert_eq!(one, other, "the output file {text:?}\n{}", positions[0].picture());
        self.answers += 1;
    }
}
