//! Tests of the endgame tables in play, with made-up tables: a table's value is trusted only as far
//! as the rules and the earlier boards allow.

use engine::conformance::AgentUnderTest;
use engine::{Advice, Game, Protocol, Side};
use foxgame::board::{Board, Point, PointSet};
use foxgame::endings::advice::{advise, proven};
use foxgame::endings::code::{Codes, bytes, place};
use foxgame::endings::index::Layer;
use foxgame::endings::index::mirror;
use foxgame::endings::store::Endings;
use foxgame::endings::table::{LayerTable, entry, file, key, subject};
use foxgame::monitor::thinker::Thinker;
use foxgame::rules::{FOX, Move, SHEEP};
use foxgame::{Evaluation, Position};
use std::fs;
use std::path::Path;

/// A task with nine sheep and one distant fox, SHEEP to move.
const INPUT: &str = "\
SINGLE
SHEEP
0.05
##.F.##
##...##
.......
.......
.SSS.SS
##.S.##
##SSS##
";

fn position() -> Position {
    Position::read_task(INPUT, engine::OneRuleSet).unwrap().position
}

fn endings(directory: &Path) -> &'static Endings {
    Box::leak(Box::new(Endings::new(directory.to_owned(), |error| panic!("{error}"))))
}

/// The sum of the sheep's rows.
fn rows(board: Board) -> u32 {
    board.sheep.into_iter().map(|sheep| sheep.y() as u32).sum()
}

/// Writes the table of the layer of the boards' flocks. Each board gets its side to move and its
/// distance to the end of the leg; all other positions are undecided.
fn write(directory: &Path, boards: &[(Board, Side, u8)]) {
    let (sheep, sum) = (boards[0].0.sheep.len(), rows(boards[0].0));
    let layer = Layer::new(sheep, sum);
    let length = bytes(sheep);
    let mut codes = [(); 2].map(|()| vec![0; length * layer.len()]);
    let mut long = Vec::new();
    for &(board, side, plies) in boards {
        let found = layer.place(board.sheep);
        let fox = board.foxes.into_iter().next().unwrap();
        let (flock, fox) =
            if found.mirrored { (mirror(board.sheep), fox.mirrored()) } else { (board.sheep, fox) };
        let bytes = &mut codes[side.index()][length * found.number..][..length];
        let mut here = Codes::read(bytes);
        if here.set(place(flock, fox), plies) {
            long.push((key(found.number, side, place(flock, fox)), plies));
        }
        bytes.copy_from_slice(&here.0[..length]);
    }
    long.sort_unstable();
    let long: Vec<u8> = long.into_iter().flat_map(|(key, plies)| entry(key, plies)).collect();
    let arrays = [&codes[0][..], &codes[1], &long];
    tables::write(&file(directory, sheep, sum), &subject(sheep, sum), &arrays).unwrap();
}

fn point(text: &str) -> Point {
    text.parse().unwrap()
}

#[test]
fn a_step_ahead_that_wins_by_the_tables_is_played_in_files_and_with_a_monitor() {
    let directory = tempfile::tempdir().unwrap();
    let root = position();
    // Moves that a search would hardly choose, and that are not the first of the move list.
    for mv in [Move::step(point("6,4"), point("6,3")), Move::step(point("3,5"), point("4,4"))] {
        write(directory.path(), &[(root.board(), SHEEP, 1)]);
        write(directory.path(), &[(root.after(mv).board(), FOX, 2)]);
        let endings = endings(directory.path());
        let advice = Advice::Move(mv, "known: won, leg of 1 plies".to_string());
        assert_eq!(advise(&root, endings), advice);
        assert_eq!(proven(&root, endings), Some((SHEEP, Some(mv))));
        let evaluation = Evaluation { endings: Some(endings) };
        let mut thinker = Thinker::new(1, 1 << 20, false, evaluation, || ());
        let search = thinker.answer(&root, None);
        // The search ends by itself, because the table's result leaves nothing to search.
        while !search.is_over() {
            std::thread::yield_now();
        }
        assert_eq!((search.answer().mv, search.is_settled()), (mv, true));
        let agent = AgentUnderTest::new(env!("CARGO_BIN_EXE_foxgame"), INPUT);
        let tables = directory.path().to_str().unwrap();
        assert_eq!(agent.answer(INPUT, &["--tables", tables]), root.write_move(mv));
    }
}

#[test]
fn a_line_that_an_earlier_board_bars_is_not_believed() {
    let directory = tempfile::tempdir().unwrap();
    let root = position();
    // By the tables a sideways step wins: after every step of the fox, a step ahead ends the leg.
    let aside = Move::step(point("1,4"), point("0,4"));
    let reply = root.after(aside);
    let mut boards = vec![(root.board(), SHEEP, 3), (reply.board(), FOX, 2)];
    let mut ahead = Vec::new();
    for mv in reply.legal_moves() {
        let next = reply.after(mv);
        boards.push((next.board(), SHEEP, 1));
        ahead.push((next.after(Move::step(point("0,4"), point("0,3"))).board(), FOX, 2));
    }
    write(directory.path(), &boards);
    write(directory.path(), &ahead);
    let endings = endings(directory.path());
    assert_eq!(
        advise(&root, endings),
        Advice::Move(aside, "known: won, leg of 3 plies".to_string())
    );
    let barred = Position::with_history(vec![reply.board()], root.board(), SHEEP);
    assert_eq!(advise(&barred, endings), Advice::Nothing);
    assert_eq!(proven(&root, endings), Some((SHEEP, Some(aside))));
    assert_eq!(proven(&reply, endings), Some((SHEEP, None)));
    assert_eq!(proven(&barred, endings), None);
    // In a lost position the tables advise nothing; in an undecided one, all moves that do not
    // lose.
    assert_eq!(advise(&reply, endings), Advice::Nothing);
    let other = root.after(Move::step(point("5,4"), point("4,4")));
    let Advice::Among(kept) = advise(&Position::new(other.board(), SHEEP), endings) else {
        panic!("neither side wins")
    };
    assert_eq!(kept.len(), Position::new(other.board(), SHEEP).legal_moves().len());
}

#[test]
fn plies_too_many_for_a_code_come_from_the_list() {
    let directory = tempfile::tempdir().unwrap();
    let root = position().board();
    let foxes = [
        ("2,0", FOX, 40),
        ("3,0", SHEEP, 13),
        ("3,1", FOX, 14),
        ("3,2", SHEEP, 201),
        ("6,2", FOX, 12),
    ];
    let boards: Vec<_> = foxes
        .into_iter()
        .map(|(fox, side, plies)| (Board { foxes: PointSet::one(point(fox)), ..root }, side, plies))
        .collect();
    write(directory.path(), &boards);
    let table = LayerTable::open(directory.path(), 9, rows(root)).unwrap();
    for &(board, side, plies) in &boards {
        let fox = board.foxes.into_iter().next().unwrap();
        assert_eq!(table.value(board.sheep, fox, side).unwrap().unwrap().plies, plies);
        let image = table.value(mirror(board.sheep), fox.mirrored(), side).unwrap();
        assert_eq!(image.unwrap().plies, plies);
        assert_eq!(table.value(board.sheep, fox, side.other()).unwrap(), None);
    }
}

#[test]
fn missing_and_damaged_tables_are_named_and_done_without() {
    let directory = tempfile::tempdir().unwrap();
    let agent = AgentUnderTest::new(env!("CARGO_BIN_EXE_foxgame"), INPUT);
    let plain = agent.answer(INPUT, &["--nodes", "2000"]);
    let does_without = |tables: &str, complaint: &str| {
        let (kept, run) = agent.run(INPUT, &["--nodes", "2000", "--tables", tables]);
        let told = run.stderr.contains(complaint) && run.stderr.lines().count() == 1;
        assert!(told, "{}", run.stderr);
        assert_eq!(fs::read_to_string(kept.path().join("output.txt")).unwrap(), plain);
    };
    does_without("nowhere", "nowhere: there are no tables");

    let root = position();
    write(directory.path(), &[(root.board(), SHEEP, 1)]);
    let path = file(directory.path(), 9, rows(root.board()));
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    does_without(directory.path().to_str().unwrap(), "damaged");
}
