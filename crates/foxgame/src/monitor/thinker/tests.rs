//! Tests of the search threads.

use super::*;
use engine::Protocol;

#[test]
fn the_deeper_answer_is_kept_and_of_two_as_deep_the_first_thread_s() {
    let position = Position::initial();
    let moves = position.legal_moves();
    let job = Job::new(&position, &one_ply_move(&position));
    let found = |number: usize, depth, leads| {
        let best = moves[number];
        publish(&job, &Report { best, score: 0, depth, nodes: 1, line: vec![best], proven: false }, leads);
        moves.iter().position(|&mv| mv == job.answer.load(&position).mv).unwrap()
    };
    assert_eq!(found(1, 3, true), 1);
    assert_eq!(found(2, 3, false), 1);
    assert_eq!(found(2, 4, false), 2);
    assert_eq!(found(3, 3, true), 2);
    assert_eq!(found(3, 4, true), 3);
    assert_eq!(found(4, 0, true), 3, "an iteration that was not finished");
}

#[test]
fn a_search_of_several_threads_that_has_proven_a_win_says_so_once_it_is_over() {
    let task = include_str!("../../../../../inputs/foxgame/few-sheep.txt");
    let position = Position::read_task(task, engine::OneRuleSet).unwrap().position;
    let (sender, finished) = channel();
    let mut thinker = Thinker::new(3, 1 << 20, false, Evaluation::default(), move || {
        let _ = sender.send(());
    });
    let search = thinker.answer(&position, None);
    finished.recv().unwrap();
    let answer = search.answer();
    assert!(search.is_over() && search.is_settled() && position.is_legal(answer.mv));
    assert!(engine::score::distance_to_end(answer.score).is_some(), "{answer:?}");
}
