use super::super::jobs::{LEASE_TIME, pause_after};
use super::super::{AnalysisOrder, GamesAsked, JobKind, LadderLimits, Lease, PlayedPair, Work};
use super::place::{
    FROZEN, NOW, PLAYS, TestStore, check, end_analysis, end_check, end_pair, enrol, enrol_all,
    finish, give_back, hand_in, is_well, lease_check, lease_pair, log, next_job, person, play_pair,
    played, players, state, submit, verdict,
};
use crate::clock::DAY;
use std::collections::HashMap;

pub(super) async fn a_lease_that_was_lost_counts_for_nothing(store: TestStore) {
    players(&store, 2).await;
    let slow = lease_pair(&store, &PLAYS, NOW).await;
    let later = NOW + LEASE_TIME + 1;
    let quick = lease_pair(&store, &FROZEN, later).await;
    assert_eq!(quick.job, slow.job);
    assert_ne!(quick.token, slow.token);
    assert!(!store.heartbeat(slow.job, &slow.token, "still here", later).await.unwrap());
    assert!(store.leased(slow.job, &slow.token).await.unwrap().is_none());
    let is_refused = async |lease: &Lease| {
        assert!(!finish(&store, lease, &played(lease, true), later).await);
    };
    is_refused(&slow).await;
    give_back(&store, &slow, "no", later).await;
    store.release(slow.job, &slow.token).await.unwrap();
    assert_eq!(store.game_count().await.unwrap(), 0);
    end_pair(&store, &quick, &played(&quick, true), later).await;
    is_refused(&slow).await;
    is_refused(&quick).await;
    assert!(!store.heartbeat(quick.job, &quick.token, "", later).await.unwrap());
    assert_eq!(store.game_count().await.unwrap(), 2);
    assert_eq!(store.played_pairs().await.unwrap().len(), 1);
    is_well(&store).await;
    // The same for a check and an analysis.
    let entrant = enrol(&store, "late").await;
    let id = hand_in(&store, entrant, later, false).await;
    let slow = lease_check(&store, id, later).await;
    let quick = lease_check(&store, id, later + LEASE_TIME + 1).await;
    assert!(!store.finish_check(slow.job, &slow.token, id, &verdict(true)).await.unwrap());
    assert_eq!(state(&store, id).await, "waiting");
    end_check(&store, &quick, id, false).await;
    assert!(!store.finish_check(quick.job, &quick.token, id, &verdict(true)).await.unwrap());
    assert_eq!(state(&store, id).await, "refused");
    let pair = store.played_pairs().await.unwrap()[0];
    for _ in 0..2 {
        let ordered = store.order_analysis(pair, entrant.1, (NOW, 20), later).await.unwrap();
        assert_eq!(ordered, AnalysisOrder::Ordered);
    }
    let lease = next_job(&store, &FROZEN, later).await.unwrap();
    assert!(matches!(lease.work, Work::Analysis { pair: of } if of == pair));
    assert!(next_job(&store, &FROZEN, later).await.is_none(), "ordered once");
    let texts = Default::default();
    assert!(!store.finish_analysis(lease.job, "forged", pair, &texts).await.unwrap());
    end_analysis(&store, &lease, pair).await;
    let games = store.newest_games(9).await.unwrap();
    assert_eq!([0, 1].map(|at| games[at].analysis.clone().unwrap()), ["two", "one"]);
}

pub(super) async fn an_expired_lease_is_given_out_again(store: TestStore) {
    let entrant = enrol(&store, "s").await;
    let id = hand_in(&store, entrant, NOW, false).await;
    let lease = lease_check(&store, id, NOW).await;
    assert!(next_job(&store, &FROZEN, NOW + LEASE_TIME).await.is_none());
    for minute in 1..=20 {
        let now = NOW + minute * LEASE_TIME;
        assert!(store.heartbeat(lease.job, &lease.token, "at work", now).await.unwrap());
        assert!(next_job(&store, &FROZEN, now).await.is_none());
    }
    assert_eq!(store.job_of(JobKind::Check, id).await.unwrap().unwrap().1, "at work");
    assert_eq!(store.job_counts().await.unwrap().running, 1);
    lease_check(&store, id, NOW + 21 * LEASE_TIME + 1).await;
}

pub(super) async fn a_clock_that_is_set_back_blocks_nothing(store: TestStore) {
    let entrant = enrol(&store, "s").await;
    // The clock was a year ahead when this came, was begun, and was given back.
    let ahead = NOW + 365 * DAY;
    let given = hand_in(&store, entrant, ahead, false).await;
    let lease = lease_check(&store, given, ahead).await;
    give_back(&store, &lease, "no disk", ahead).await;
    let begun = hand_in(&store, entrant, ahead, false).await;
    lease_check(&store, begun, ahead).await;
    let waits = hand_in(&store, entrant, ahead, false).await;
    for id in [given, begun, waits] {
        let lease = lease_check(&store, id, NOW).await;
        assert!(store.heartbeat(lease.job, &lease.token, "", NOW + 1).await.unwrap());
        end_check(&store, &lease, id, true).await;
    }
    players(&store, 2).await;
    play_pair(&store, &PLAYS, ahead, true).await;
    play_pair(&store, &PLAYS, NOW, true).await;
    is_well(&store).await;
}

pub(super) async fn a_machine_that_fails_is_tried_again_for_ever(store: TestStore) {
    let entrant = enrol(&store, "s").await;
    let id = hand_in(&store, entrant, NOW, false).await;
    let mut now = NOW;
    let mut pauses = Vec::new();
    for attempt in 1..=40 {
        let lease = lease_check(&store, id, now).await;
        give_back(&store, &lease, &format!("the disk is full {attempt}"), now).await;
        assert_eq!(state(&store, id).await, "waiting", "as its page says");
        let pause = pause_after(attempt);
        assert!(next_job(&store, &FROZEN, now + pause - 1).await.is_none(), "there is a pause");
        pauses.push(pause / 1_000);
        now += pause;
    }
    assert_eq!(pauses[..6], [30, 60, 120, 240, 480, 600]);
    assert!(pauses[6..].iter().all(|&pause| pause == 600), "{pauses:?}");
    assert_eq!(store.job_counts().await.unwrap().delayed, 1);
    let mut failed = log(&store).await;
    failed.retain(|line| line.starts_with("-: the machine failed: "));
    assert_eq!(failed.len(), 6, "the 1st, 2nd, 4th, 8th, 16th and 32nd time: {failed:#?}");
    assert!(failed[0].contains("the disk is full 1") && failed[5].contains("attempt 32"));
    let lease = lease_check(&store, id, now).await;
    give_back(&store, &lease, "no", now).await;
    store.check_again(id, entrant.1, now).await.unwrap();
    check(&store, id, now, true).await;
    assert_eq!(state(&store, id).await, "plays");
    assert!(next_job(&store, &FROZEN, now + DAY).await.is_none(), "there is one check");
}

pub(super) async fn a_job_that_ends_its_workers_comes_back_more_and_more_seldom(store: TestStore) {
    players(&store, 2).await;
    let first = lease_pair(&store, &PLAYS, NOW).await;
    let mut now = NOW;
    // Some times cost nothing: somebody started the machine anew.
    for _ in 0..3 {
        now += LEASE_TIME + 1;
        assert_eq!(lease_pair(&store, &FROZEN, now).await.job, first.job);
    }
    for time in 1..20 {
        now += LEASE_TIME + 1;
        assert!(next_job(&store, &FROZEN, now).await.is_none());
        now += pause_after(time);
        assert_eq!(lease_pair(&store, &FROZEN, now).await.job, first.job);
    }
    assert_eq!(log(&store).await.join("\n").matches("the worker vanished").count(), 5);
}

pub(super) async fn a_machine_that_fails_at_one_program_lets_the_others_play(store: TestStore) {
    let ids = players(&store, 6).await;
    let narrow = LadderLimits { running: 1, ..PLAYS };
    let mut counted = 0;
    for _ in 0..60 {
        let Some(lease) = next_job(&store, &narrow, NOW).await else { break };
        let Work::Pair { players, .. } = &lease.work else { panic!("{lease:?}") };
        if players.iter().any(|player| player.submission == ids[0]) {
            give_back(&store, &lease, "its program cannot be read", NOW).await;
        } else {
            counted += 1;
            end_pair(&store, &lease, &played(&lease, true), NOW).await;
        }
    }
    assert!(counted > 50, "{counted}");
    assert_eq!(store.job_counts().await.unwrap().delayed, 3);
    store.withdraw(ids[0], enrol(&store, "p").await.1, NOW).await.unwrap();
    assert_eq!(store.job_counts().await.unwrap().delayed, 0);
    is_well(&store).await;
}

pub(super) async fn checks_go_in_turn_by_entrant(store: TestStore) {
    let [one, two, honest] = enrol_all(&store, ["one", "two", "honest"]).await;
    let mut owners = HashMap::new();
    for number in 0..20 {
        for entrant in [one, two] {
            owners.insert(hand_in(&store, entrant, NOW + number, false).await, entrant.0);
        }
    }
    let mut now = NOW + 100;
    let take = async |now: i64| match next_job(&store, &FROZEN, now).await.unwrap() {
        lease @ Lease { work: Work::Check { submission, .. }, .. } => (lease, submission),
        lease => panic!("{lease:?}"),
    };
    let finish = async |(lease, id): (Lease, i64)| end_check(&store, &lease, id, false).await;
    let mut running = vec![take(now).await, take(now + 1).await];
    let mine = hand_in(&store, honest, now, false).await;
    owners.insert(mine, honest.0);
    // 38 wait that came before. The next worker that is free has the honest one's.
    finish(running.remove(0)).await;
    let next = take(now + 2).await;
    assert_eq!(next.1, mine);
    running.push(next);
    let again = hand_in(&store, honest, now, false).await;
    owners.insert(again, honest.0);
    let mut order = Vec::new();
    while !running.is_empty() {
        now += 10;
        finish(running.remove(0)).await;
        if order.len() < 6 {
            let next = take(now).await;
            order.push(owners[&next.1]);
            running.push(next);
        }
    }
    assert!(order[..3].contains(&honest.0), "{order:?}");
    let count = |entrant: i64| order.iter().filter(|&&of| of == entrant).count();
    assert!(count(one.0) >= 2 && count(two.0) >= 2, "{order:?}");
}

pub(super) async fn analyses_come_last_and_are_limited(store: TestStore) {
    let ids = players(&store, 8).await;
    for _ in 0..60 {
        play_pair(&store, &PLAYS, NOW, true).await;
    }
    let people = enrol_all(&store, ["p", "q", "r", "t"]).await;
    let mut answers = Vec::new();
    for (number, pair) in store.played_pairs().await.unwrap().into_iter().enumerate() {
        let person = people[number / 16].1;
        for _ in 0..3 {
            answers.push(store.order_analysis(pair, person, (NOW, 15), NOW + 1).await.unwrap());
        }
    }
    let count = |answer| answers.iter().filter(|&&one| one == answer).count();
    // 15 of the first three people, 5 of the last: three times each, since the second time makes
    // none.
    let counts =
        [AnalysisOrder::Ordered, AnalysisOrder::TooManyOfPerson, AnalysisOrder::TooManyWait]
            .map(count);
    assert_eq!(counts, [3 * 50, 3 * 3, 3 * 7]);
    assert_eq!(log(&store).await.join("\n").matches("asked for an analysis").count(), 50);
    assert!(
        store.order_challenge((ids[4], ids[5]), people[0].1, (NOW, 5), (NOW + 2, 7)).await.unwrap()
    );
    store
        .order_final(&[(ids[0], ids[1]), (ids[2], ids[3])], people[0].1, (NOW + 2, 7))
        .await
        .unwrap();
    let check = hand_in(&store, people[0], NOW + 2, false).await;
    lease_check(&store, check, NOW + 3).await;
    for first in [ids[0], ids[2], ids[4]] {
        let lease = lease_pair(&store, &FROZEN, NOW + 3).await;
        assert!(
            matches!(&lease.work, Work::Pair { players, .. } if players[0].submission == first),
            "the final is first"
        );
    }
    // The ladder has no end: analyses and its pairs take turns.
    let mut kinds = String::new();
    for _ in 0..8 {
        let lease = next_job(&store, &PLAYS, NOW + 4).await.unwrap();
        kinds.push(if matches!(lease.work, Work::Pair { .. }) { 'p' } else { 'a' });
        if let Work::Analysis { pair } = lease.work {
            end_analysis(&store, &lease, pair).await;
        } else {
            end_pair(&store, &lease, &played(&lease, true), NOW).await;
        }
    }
    assert!(kinds == "apapapap" || kinds == "papapapa", "{kinds}");
    for _ in 0..46 {
        let lease = next_job(&store, &FROZEN, NOW + 5).await.unwrap();
        assert!(matches!(lease.work, Work::Analysis { .. }));
    }
    assert!(next_job(&store, &FROZEN, NOW + 5).await.is_none());
}

pub(super) async fn a_worker_that_ends_in_order_costs_nothing(store: TestStore) {
    let entrant = enrol(&store, "s").await;
    let id = hand_in(&store, entrant, NOW, false).await;
    for _ in 0..12 {
        let lease = lease_check(&store, id, NOW).await;
        store.release(lease.job, &lease.token).await.unwrap();
    }
    check(&store, id, NOW, true).await;
}

pub(super) async fn games_without_a_winner_and_people_have_no_value_there(store: TestStore) {
    players(&store, 2).await;
    let lease = lease_pair(&store, &PLAYS, NOW).await;
    let mut result = played(&lease, false);
    result.games[1].winner = Some(0);
    result.games[1].blamed = Some(1);
    end_pair(&store, &lease, &result, NOW).await;
    let games = store.newest_games(9).await.unwrap();
    assert_eq!((games[1].winner, games[1].blamed, games[1].analysis.clone()), (None, None, None));
    assert_eq!((games[0].winner, games[0].blamed), (Some(0), Some(1)));
    assert_eq!(
        (games[1].first_cpu, games[1].second_cpu, games[1].plies, games[1].ended),
        (0.5, 0.25, 12, NOW)
    );
    let ladder = store.ladder().await.unwrap();
    assert!(
        ladder.iter().all(|row| row.paused.is_none() && row.games == 2 && row.draws == 1),
        "{ladder:?}"
    );
    assert_eq!(store.rating_history(ladder[0].submission).await.unwrap().len(), 2);
    store.note(NOW, None, "nobody", "did it").await.unwrap();
    assert_eq!(log(&store).await.last().unwrap(), "-: nobody: did it");
}

pub(super) async fn pauses_after_faults_and_their_end(store: TestStore) {
    let ids = players(&store, 2).await;
    for _ in 0..2 {
        let lease = lease_pair(&store, &PLAYS, NOW).await;
        let mut result = played(&lease, true);
        for game in &mut result.games {
            let bad = game.players.iter().position(|&id| id == ids[0]).unwrap();
            (game.winner, game.blamed) = (Some(1 - bad), Some(bad));
        }
        let rules = (NOW, 3, 8.0);
        assert!(store.finish_pair(lease.job, &lease.token, &result, rules).await.unwrap());
    }
    // The third fault pauses, and the fourth game was the last.
    let paused = async |id: i64| store.submission(id).await.unwrap().unwrap().paused;
    assert!(paused(ids[0]).await.unwrap().contains("4 games") && paused(ids[1]).await.is_none());
    assert!(next_job(&store, &PLAYS, NOW).await.is_none(), "one alone has nobody to meet");
    store.activate(ids[0], None, NOW).await.unwrap();
    lease_pair(&store, &PLAYS, NOW).await;
}

pub(super) async fn the_own_check_finds_what_does_not_fit(store: TestStore) {
    players(&store, 2).await;
    play_pair(&store, &PLAYS, NOW, true).await;
    is_well(&store).await;
    for (statement, part) in [
        ("DELETE FROM game WHERE half = 2", "do not have two games"),
        ("UPDATE pair SET state = 'open'", "pairs that are not done"),
        ("UPDATE entrant SET active = (SELECT MAX(id) FROM submission)", "somebody else's"),
    ] {
        sqlx::query(statement).execute(&store.write).await.unwrap();
        let found = store.faults().await.unwrap();
        assert!(found.iter().any(|line| line.contains(part)), "{statement}: {found:?}");
    }
    if store.postgres {
        let refused = store.copy_to("copy".as_ref()).await.unwrap_err();
        assert!(refused.to_string().contains("pg_dump"));
    }
}

pub(super) async fn a_cancelled_job_counts_nothing(store: TestStore) {
    let ids = players(&store, 2).await;
    let person = person(&store, "s0").await;
    assert!(store.order_challenge((ids[0], ids[1]), person, (NOW, 5), (NOW, 7)).await.unwrap());
    let open = store.open_jobs(9).await.unwrap();
    assert_eq!(open.len(), 1, "{open:?}");
    assert_eq!((&*open[0].kind, &*open[0].state), ("pair", "waiting"));
    assert_eq!((&*open[0].one, &*open[0].other), ("Name of s0", "Name of s1"));
    let lease = lease_pair(&store, &PLAYS, NOW).await;
    assert!(store.cancel(lease.job, person, NOW).await.unwrap());
    assert!(!finish(&store, &lease, &played(&lease, true), NOW).await);
    assert!(!store.cancel(lease.job, person, NOW).await.unwrap(), "it is over");
    assert_eq!(
        (store.game_count().await.unwrap(), store.open_jobs(9).await.unwrap().len()),
        (0, 0)
    );
    is_well(&store).await;
    // The ladder goes on, and only pairs of the versions that play now stand in its table.
    play_pair(&store, &PLAYS, NOW, true).await;
    let met = store.meetings_now().await.unwrap();
    assert_eq!(met.iter().map(|row| row.2).collect::<Vec<_>>(), [1, 1]);
    let opponents = store.by_opponent(ids[0]).await.unwrap();
    assert_eq!((opponents.len(), opponents[0].games), (1, 2));
    let history = store.rating_history(ids[0]).await.unwrap();
    assert_eq!(history.iter().map(|game| game.score).sum::<f64>(), opponents[0].score);
}

/// Two workers and six programs, one of which takes a minute for its turns of a game. Each program
/// may have a quarter of the workers.
pub(super) async fn a_slow_program_keeps_to_its_share_from_the_first_minute(store: TestStore) {
    let slow = players(&store, 6).await[0];
    let limits = LadderLimits { running: 1, share: 0.5, ..PLAYS };
    let mut workers: [(i64, Option<(Lease, PlayedPair)>); 2] = [(NOW, None), (NOW, None)];
    let (mut its_turns, mut its_games, mut others) = (0.0, 0, 0);
    loop {
        let at = usize::from(workers[1].0 < workers[0].0);
        let now = workers[at].0;
        let minutes = (now - NOW) as f64 / 60_000.0;
        // Whatever it owes: the pair that is being played, and half a minute.
        assert!(its_turns <= 30.0 * minutes + 150.0, "{its_turns} s in {minutes} minutes");
        if minutes > 24.0 {
            break;
        }
        if let Some((lease, result)) = workers[at].1.take() {
            let end = (now, 10, limits.share);
            assert!(store.finish_pair(lease.job, &lease.token, &result, end).await.unwrap());
        }
        if let (_, Some((lease, _))) = &workers[1 - at] {
            assert!(store.heartbeat(lease.job, &lease.token, "", now).await.unwrap());
        }
        let Some(lease) = next_job(&store, &limits, now).await else {
            workers[at].0 += 5_000;
            continue;
        };
        let mut result = played(&lease, true);
        let mut took = 0.0;
        for game in &mut result.games {
            game.wall = game.players.map(|player| if player == slow { 60.0 } else { 5.0 });
            took += game.wall[0] + game.wall[1];
        }
        if took > 100.0 {
            (its_turns, its_games) = (its_turns + 120.0, its_games + 2);
        } else {
            others += 2;
        }
        workers[at] = (now + (took * 1000.0) as i64, Some((lease, result)));
    }
    assert!(its_games >= 10 && others > 15 * its_games, "{its_games} and {others}");
    is_well(&store).await;
}

pub(super) async fn games_between_versions_of_a_player_are_unrated(store: TestStore) {
    let entrant = enrol(&store, "s").await;
    let one = submit(&store, entrant, NOW, true).await;
    let other = submit(&store, entrant, NOW, true).await;
    let order =
        async || store.order_challenge((other, one), entrant.1, (NOW, 1), (NOW, 7)).await.unwrap();
    assert!(order().await && !order().await, "they count as challenges of the day");
    let lease = lease_pair(&store, &FROZEN, NOW).await;
    let Work::Pair { players, seed, .. } = &lease.work else { panic!() };
    assert_eq!((players[0].name.as_str(), *seed), ("Name of s v2", 8));
    end_pair(&store, &lease, &played(&lease, true), NOW).await;
    let games = store.games_of(entrant.0, GamesAsked::default(), 9).await.unwrap();
    let shown = [0, 1].map(|at| (&*games[at].why, games[at].first_number, games[at].second_number));
    assert_eq!(shown, [("unrated", 1, 2), ("unrated", 2, 1)]);
    let row = store.ladder().await.unwrap().remove(0);
    assert_eq!((row.games, row.rating, row.trail.as_str()), (0, 1500.0, ""));
    assert!(store.rating_history(one).await.unwrap().is_empty());
    is_well(&store).await;
}

pub(super) async fn unrated_games_of_two_players_need_both(store: TestStore) {
    players(&store, 2).await;
    let [one, two] = store.ladder().await.unwrap().try_into().unwrap();
    let first = person(&store, "s0").await;
    let second = store.person_by_login("s1").await.unwrap().unwrap();
    let (day, times) = ((NOW, 1), (NOW, 7));
    for _ in 0..2 {
        assert!(store.ask_unrated([&one, &two], first, day, times).await.unwrap());
    }
    assert_eq!(store.job_counts().await.unwrap().pairs, 0);
    let asked = store.requests(two.entrant, NOW + 6 * DAY).await.unwrap();
    let name = "Name of s0".to_string();
    assert_eq!(asked, [(one.entrant, name, two.entrant, "Name of s1".to_string())]);
    assert!(store.requests(one.entrant, NOW + 8 * DAY).await.unwrap().is_empty());
    let pair = (one.submission, two.submission);
    let again = store.order_challenge(pair, first, day, times).await.unwrap();
    assert!(!again, "it is the challenge of the day");
    let has = async |part: &str| {
        let news = store.news(&second, 9).await.unwrap();
        assert!(news.iter().any(|one| format!("{} {}", one.page, one.text) == part), "{news:?}");
    };
    has("/mine Name of s0 asks for two unrated games").await;
    has(&format!("/submissions/{} Version 1: it plays", two.submission)).await;
    // Whoever agrees may have asked for others today.
    assert!(store.ask_unrated([&two, &one], second.id, (NOW, 0), times).await.unwrap());
    assert!(store.requests(one.entrant, NOW).await.unwrap().is_empty());
    play_pair(&store, &FROZEN, NOW + 2, true).await;
    assert!(store.ladder().await.unwrap().iter().all(|row| row.games == 0));
    has("/games/1 unrated: Name of s1 against Name of s0, Name of s1 wins").await;
    is_well(&store).await;
}
