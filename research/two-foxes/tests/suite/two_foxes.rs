//! Tests of the program: counts of every layer against a slow solver, the same files whatever
//! computes them, resumption, limits, checks, and the census.

use crate::slow_solver::{self, Counts};
use engine::{Advice, Game};
use foxgame::board::{BOARD, Board, PointSet};
use foxgame::endings::index::Layer;
use foxgame::rules::{Position, SHEEP};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use two_foxes::wins::Wins;

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_two-foxes"));
    command.args(arguments).arg("--out").arg(directory);
    command
}

fn solve(directory: &Path, arguments: &[&str]) -> String {
    let output = command(directory, arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn refused(directory: &Path, arguments: &[&str], code: i32) -> String {
    let Output { status, stdout, stderr } = command(directory, arguments).output().unwrap();
    assert_eq!(status.code(), Some(code), "{}{}", text(&stdout), text(&stderr));
    text(&stderr)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Returns the counts of the layers that were printed.
fn printed(output: &str) -> BTreeMap<(u32, u32), Counts> {
    let line = |line: &str| {
        let numbers: Vec<u64> =
            line.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let &[sheep, sum, _, positions, fox_won, fox_neither, sheep_won, sheep_neither, ..] =
            &numbers[..]
        else {
            return None;
        };
        let counts =
            Counts { positions, won: [fox_won, sheep_won], neither: [fox_neither, sheep_neither] };
        Some(((sheep as u32, sum as u32), counts))
    };
    output.lines().filter_map(line).collect()
}

/// Returns the bytes of the files in a directory, by their names, without what was being written
/// when a process was killed.
fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let file =
        |entry: fs::DirEntry| (PathBuf::from(entry.file_name()), fs::read(entry.path()).unwrap());
    let all = fs::read_dir(directory).unwrap().map(|entry| file(entry.unwrap()));
    all.filter(|(name, _)| name.extension().is_none_or(|extension| extension != "tmp")).collect()
}

#[test]
fn many_sheep_are_counted_as_by_a_slow_solver() {
    let directory = tempfile::tempdir().unwrap();
    // All flocks of 29, 30 and 31 sheep; chains of two jumps lead from 31 to 29.
    let found = printed(&solve(directory.path(), &["--floor", "29", "--sheep", "31"]));
    assert_eq!(found, slow_solver::solve(29, 31, 999));
    let neither: u64 = found.values().map(|counts| counts.neither[0] + counts.neither[1]).sum();
    assert!(
        found.len() == 23 + 19 + 13 && neither > 0,
        "{} layers, {neither} positions that neither side wins",
        found.len()
    );
}

#[test]
fn few_sheep_are_counted_as_by_a_slow_solver() {
    let directory = tempfile::tempdir().unwrap();
    // The most advanced flocks of 9 and 10 sheep: no move leads out of them. With nine, a capture
    // can leave a draw.
    let found =
        printed(&solve(directory.path(), &["--floor", "9", "--sheep", "10", "--layers", "1"]));
    assert_eq!(found, slow_solver::solve(9, 10, 11));
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), [(9, 9), (9, 10), (9, 11), (10, 11)]);
}

#[test]
fn the_files_do_not_depend_on_instructions_threads_or_memory() {
    let ways: [&[&str]; 3] = [
        &["--threads", "1"],
        &["--threads", "2", "--portable"],
        &["--threads", "3", "--memory-gib", "1"],
    ];
    let made = ways.map(|way| {
        let directory = tempfile::tempdir().unwrap();
        solve(directory.path(), &[&["--floor", "30", "--sheep", "31", "--keep"], way].concat());
        files(directory.path())
    });
    assert_eq!(made[0].len(), 19 + 13);
    assert!(made[0] == made[1] && made[0] == made[2]);
}

#[test]
fn a_run_that_was_killed_goes_on_to_the_same_files() {
    let [whole, killed] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let arguments = ["--floor", "9", "--sheep", "10", "--layers", "3", "--keep"];
    let counts = printed(&solve(whole.path(), &arguments));
    let mut child = command(killed.path(), &arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = killed.path().join("foxgame-9-09-011-fox.layer");
    while !begun.exists() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let _ = child.kill();
    child.wait().unwrap();
    // A layer in the middle must be missing, even if the run ended before it was killed.
    let _ = fs::remove_file(killed.path().join("foxgame-9-10-012-fox.layer"));
    let _ = fs::remove_file(killed.path().join("foxgame-9-09-013-landed.layer"));
    let again = printed(&solve(killed.path(), &arguments));
    assert!(again.iter().all(|(layer, found)| counts[layer] == *found));
    assert!(files(whole.path()) == files(killed.path()));
}

#[test]
fn parts_make_the_files_of_one_process_even_if_one_of_them_is_killed() {
    let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let arguments = ["--floor", "9", "--sheep", "10", "--layers", "3", "--threads", "1"];
    let counts = printed(&solve(whole.path(), &arguments));
    let spawn = |part: &str| {
        command(parts.path(), &[&arguments[..], &["--part", part]].concat())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let first = spawn("1/3");
    let mut killed = spawn("2/3");
    let begun = parts.path().join("foxgame-9-09-009-fox.part-2-of-3");
    while !begun.exists() {
        std::thread::yield_now();
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let outputs =
        [first, spawn("2/3"), spawn("3/3")].map(|child| child.wait_with_output().unwrap());
    assert!(outputs.iter().all(|output| output.status.success()), "{outputs:?}");
    assert_eq!(printed(&text(&outputs[0].stdout)), counts);
    assert!(files(whole.path()) == files(parts.path()));

    for part in ["0/2", "3/2", "2"] {
        assert!(
            refused(parts.path(), &[&arguments[..], &["--part", part]].concat(), 2)
                .contains("such as 1/4")
        );
    }
}

#[test]
fn only_what_the_next_flocks_need_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["--floor", "29", "--sheep", "31"];
    let first = solve(directory.path(), &arguments);
    let names = |directory: &Path| -> Vec<String> {
        files(directory).keys().map(|name| name.display().to_string()).collect()
    };
    assert!(
        names(directory.path())
            .iter()
            .all(|name| name.starts_with("foxgame-29-31-") && name.ends_with("-fox.layer"))
    );
    // Nothing is computed again, and the counts of the largest flocks are shown.
    let again = solve(directory.path(), &arguments);
    assert_eq!(again.matches("solved before").count(), 13, "{again}");
    assert!(printed(&again).iter().all(|(layer, counts)| printed(&first)[layer] == *counts));
}

#[test]
fn random_positions_follow_by_the_rules_and_wrong_ones_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["--floor", "9", "--sheep", "10", "--layers", "2", "--keep"];
    solve(directory.path(), &arguments);
    let check = [&arguments[..], &["--check-layers", "3000"]].concat();
    let output = solve(directory.path(), &check);
    assert!(output.contains("3000 random positions") && output.contains(" 0 wrong"), "{output}");
    // A valid file with the values of another floor: there fewer sheep are a win of FOX.
    let other = tempfile::tempdir().unwrap();
    solve(other.path(), &["--floor", "10", "--sheep", "10", "--layers", "2"]);
    let [ours, theirs] = [(directory.path(), 9), (other.path(), 10)]
        .map(|(directory, floor)| directory.join(format!("foxgame-{floor}-10-012-fox.layer")));
    let subject = tables::Subject { name: "foxgame fox", numbers: [10, 12, 10, 0x202] };
    let classes = Layer::new(10, 12).classes().len();
    let table = tables::TableFile::open_with_rest(&theirs, &subject, &[8 * (6 + classes)]).unwrap();
    let subject = tables::Subject { numbers: [10, 12, 9, 0x202], ..subject };
    tables::write(&ours, &subject, &[table.array(0).unwrap(), table.array(1).unwrap()]).unwrap();
    let output = refused(directory.path(), &check, 1);
    assert!(output.contains("wrong: "), "{output}");
}

#[test]
fn wins_alone_are_the_same_wins() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["--floor", "30", "--sheep", "31", "--keep"];
    let mut counts = printed(&solve(directory.path(), &arguments));
    counts.values_mut().for_each(|counts| counts.neither = [0; 2]);
    let won_only = [&arguments[..], &["--won-only"]].concat();
    assert_eq!(printed(&solve(directory.path(), &won_only)), counts);
    let output = solve(directory.path(), &[&won_only[..], &["--check-layers", "3000"]].concat());
    assert!(output.contains("SHEEP does not win ") && output.contains(" 0 wrong"), "{output}");
}

#[test]
fn damaged_files_and_narrow_limits_are_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    solve(directory.path(), &["--floor", "30", "--sheep", "30"]);
    let path = directory.path().join("foxgame-30-30-085-fox.layer");
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, &bytes).unwrap();
    fs::remove_file(directory.path().join("foxgame-30-30-086-fox.layer")).unwrap();
    let message = refused(directory.path(), &["--floor", "30", "--sheep", "30"], 2);
    assert!(
        message.contains("foxgame-30-30-085-fox.layer") && message.contains("damaged"),
        "{message}"
    );

    let empty = tempfile::tempdir().unwrap();
    let message = refused(empty.path(), &["--floor", "30", "--sheep", "30", "--disk-gb", "0"], 2);
    assert!(message.contains("--disk-gb"), "{message}");
    let message =
        refused(empty.path(), &["--floor", "16", "--memory-gib", "1", "--threads", "64"], 2);
    assert!(message.contains("--memory-gib"), "{message}");
    let message = refused(empty.path(), &["--floor", "21", "--sheep", "20"], 2);
    assert!(message.contains("--sheep 20"), "{message}");
}

#[test]
fn the_census_counts_every_placement_and_solves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let output = solve(directory.path(), &["--floor", "9", "--census"]);
    for (sheep, placements) in [(9, "38567100"), (16, "1166803110"), (20, "573166440")] {
        assert!(output.contains(&format!("{sheep}  {placements}  ")), "{output}");
    }
    assert!(files(directory.path()).is_empty());
}

#[test]
fn a_win_is_walked_by_the_rules() {
    let directory = tempfile::tempdir().unwrap();
    solve(
        directory.path(),
        &["--floor", "9", "--sheep", "10", "--layers", "4", "--won-only", "--keep"],
    );
    let file = directory.path().join("input.txt");
    let walk = |rows: &str, most: &str| {
        fs::write(&file, format!("SINGLE\nFOX\n1\n{rows}")).unwrap();
        let from = file.to_str().unwrap();
        let arguments =
            ["--floor", "9", "--sheep", "10", "--won-only", "--walk", most, "--from", from];
        command(directory.path(), &arguments).output().unwrap()
    };
    // Ten sheep, of which FOX can take one at most: they fill the pen.
    let won = "##S.S##\n##SSS##\nS.S.SS.\n.S.....\nF.....F\n##...##\n##...##\n";
    let output = walk(won, "1000000");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let last = text(&output.stdout).lines().last().unwrap().to_string();
    assert!(
        last.starts_with("SHEEP wins: ")
            && last.ends_with("; 0 onto a board that may have been there"),
        "{last}"
    );
    let few = walk(won, "3");
    assert_eq!(text(&few.stderr), "the walk has more than 3 positions\n");
    let open = "##S.S##\n##SSS##\nSFSFSS.\n.S.....\n.......\n##...##\n##...##\n";
    let refused = walk(open, "1000");
    assert_eq!(
        (refused.status.code(), text(&refused.stderr)),
        (Some(2), "SHEEP does not win by these layers\n".into())
    );
}

#[test]
fn steps_in_one_direction_win_less_and_what_they_win_is_won() {
    let [all, one_way] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let arguments = ["--floor", "29", "--sheep", "31", "--won-only", "--keep"];
    let all = printed(&solve(all.path(), &arguments));
    let fewer = printed(&solve(one_way.path(), &[&arguments[..], &["--one-way"]].concat()));
    let won = |counts: &BTreeMap<_, Counts>| counts.values().map(|layer| layer.won[0]).sum::<u64>();
    assert!(fewer.iter().all(
        |(layer, found)| found.won[0] <= all[layer].won[0] && found.won[1] <= all[layer].won[1]
    ));
    assert!(0 < won(&fewer) && won(&fewer) < won(&all), "{} {}", won(&fewer), won(&all));
    let checked = solve(
        one_way.path(),
        &[&arguments[..5], &["--one-way", "--check-layers", "20000"]].concat(),
    );
    assert!(checked.contains(", 0 wrong"), "{checked}");
}

/// Plays random moves of FOX against the advice of layers, from a board with SHEEP to move that
/// they win. Returns the number of moves of SHEEP.
fn play_out(wins: &Wins, board: Board, random: &mut StdRng) -> u32 {
    let mut position = Position::new(board, SHEEP);
    let mut moves = 0;
    while position.outcome().is_none() {
        let advised = wins.advise(&position, &|_| true);
        let mv = match (position.side_to_move() == SHEEP, advised) {
            (true, Advice::Move(mv, _)) => mv,
            (false, Advice::Nothing) => {
                let list = position.legal_moves();
                list[random.random_range(0..list.len())]
            }
            (_, other) => panic!("{position:?}: {other:?}"),
        };
        moves += u32::from(position.side_to_move() == SHEEP);
        position.play(mv);
    }
    assert_eq!(position.outcome().unwrap().winner(), Some(SHEEP), "{board:?}");
    moves
}

#[test]
fn an_agent_with_layers_wins_what_they_win() {
    let directory = tempfile::tempdir().unwrap();
    solve(
        directory.path(),
        &["--floor", "9", "--sheep", "10", "--layers", "8", "--won-only", "--one-way", "--keep"],
    );
    let wins = Wins::new(directory.path().to_owned(), |error| panic!("{error}"));
    let mut random = StdRng::seed_from_u64(7);
    let (mut won, mut others, mut longest, mut unread) = (0, 0, 0, 0);
    let layers: Vec<Layer> =
        (9..=10).flat_map(|sheep| (9..=18).map(move |sum| Layer::new(sheep, sum))).collect();
    while won < 300 {
        let layer = &layers[random.random_range(0..layers.len())];
        // Eleven is the least sum of rows of ten sheep.
        if layer.is_empty() || layer.sum > 7 + layer.sheep {
            continue;
        }
        let sheep = layer.sheep(random.random_range(0..layer.len()));
        let empty: Vec<_> = (BOARD - sheep).into_iter().collect();
        let [one, other] = [(); 2].map(|()| empty[random.random_range(0..empty.len())]);
        let board = Board { foxes: PointSet::one(one).with(other), sheep };
        let position = Position::new(board, SHEEP);
        if position.outcome().is_some() {
            continue;
        }
        match wins.advise(&position, &|_| true) {
            Advice::Move(..) => {
                won += 1;
                // Where the clock leaves no time, nothing is read: only the end of the game is
                // seen.
                match wins.advise(&position, &|_| false) {
                    Advice::Nothing => unread += 1,
                    Advice::Move(mv, _) => {
                        let after = position.after(mv);
                        assert!(after.outcome().is_some());
                    }
                    Advice::Among(_) | Advice::Plan(_) => {
                        panic!("a board is known without its layer")
                    }
                }
                longest = longest.max(play_out(&wins, board, &mut random));
            }
            Advice::Nothing | Advice::Plan(_) => others += 1,
            // Moves to boards that are won, but whose steps would go in the other direction.
            Advice::Among(moves) => {
                others += 1;
                for mv in moves {
                    let after = position.after(mv);
                    let escapes = wins.advise(&after, &|_| true);
                    assert!(
                        after.outcome().is_some() || matches!(escapes, Advice::Nothing),
                        "{position:?}: {mv:?}"
                    );
                }
            }
        }
    }
    assert!(
        others > 300 && longest > 3 && unread > 200,
        "{others} others, at most {longest} moves, {unread} unread"
    );
    // Without layers nothing is known.
    let nowhere = Wins::new(directory.path().join("missing"), |error| panic!("{error}"));
    assert!(matches!(nowhere.advise(&Position::initial(), &|_| true), Advice::Nothing));
}
