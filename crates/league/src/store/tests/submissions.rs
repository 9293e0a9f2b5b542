use super::super::{
    CheckResult, GameRow, GamesAsked, LadderLimits, LadderRow, LeagueStore, Meeting,
};
use super::place::{
    FROZEN, NOW, PLAYS, TestStore, active, check, end_check, end_pair, enrol, enrol_all, hand_in,
    is_well, lease_check, lease_pair, log, next_job, person, play_pair, played, players, state,
    submit, verdict,
};

pub(super) async fn the_newest_that_plays_is_active(store: TestStore) {
    let entrant = enrol(&store, "s").await;
    let first = submit(&store, entrant, NOW, true).await;
    assert_eq!(active(&store, entrant.0).await, Some(first));
    submit(&store, entrant, NOW, false).await;
    assert_eq!(active(&store, entrant.0).await, Some(first), "the second does not play");
    let older = hand_in(&store, entrant, NOW, false).await;
    let newer = hand_in(&store, entrant, NOW, false).await;
    let one = lease_check(&store, older, NOW).await;
    let two = lease_check(&store, newer, NOW).await;
    end_check(&store, &two, newer, true).await;
    end_check(&store, &one, older, true).await;
    assert_eq!(active(&store, entrant.0).await, Some(newer));
    store.activate(first, Some(entrant.1), NOW).await.unwrap();
    assert_eq!(active(&store, entrant.0).await, Some(first), "as its student wants it");
    assert!(store.activate(first + 1, None, NOW).await.is_err(), "it does not play");
    assert!(store.activate(99, None, NOW).await.is_err(), "there is none");
    let rows = store.submissions_of(entrant.0).await.unwrap();
    assert!(rows.iter().map(|row| row.number).eq([4, 3, 2, 1]));
}

pub(super) async fn a_withdrawn_one_stays_withdrawn_when_its_check_ends(store: TestStore) {
    let entrant = enrol(&store, "s").await;
    let first = submit(&store, entrant, NOW, true).await;
    let second = hand_in(&store, entrant, NOW, false).await;
    let lease = lease_check(&store, second, NOW).await;
    store.withdraw(second, entrant.1, NOW).await.unwrap();
    end_check(&store, &lease, second, true).await;
    assert_eq!(state(&store, second).await, "withdrawn");
    assert_eq!(active(&store, entrant.0).await, Some(first));
    // A game that somebody ordered of it waits, and ends with it.
    let baseline = store.set_baseline("baseline: one", "{}", NOW).await.unwrap();
    let pair = (first, baseline);
    assert!(store.order_challenge(pair, entrant.1, (NOW, 5), (NOW, 7)).await.unwrap());
    store.withdraw(first, entrant.1, NOW).await.unwrap();
    assert_eq!(store.job_counts().await.unwrap().pairs, 0);
    store.keep_baselines(&[]).await.unwrap();
    assert_eq!(active(&store, entrant.0).await, None);
    assert!(store.ladder().await.unwrap().is_empty());
    assert!(store.activate(first, None, NOW).await.is_err());
}

pub(super) async fn what_comes_after_the_freeze_plays_later(store: TestStore) {
    let entrant = enrol(&store, "s").await;
    submit(&store, entrant, NOW, true).await;
    let before = hand_in(&store, entrant, NOW + 1, false).await;
    store.freeze(None, NOW + 2).await.unwrap();
    check(&store, before, NOW + 9, true).await;
    assert_eq!(active(&store, entrant.0).await, Some(before), "it came before the freeze");
    let after = submit(&store, entrant, NOW + 3, true).await;
    assert_eq!(state(&store, after).await, "plays");
    assert_eq!(active(&store, entrant.0).await, Some(before), "it came after the freeze");
    store.go_on(entrant.1, NOW + 4).await.unwrap();
    store.activate(after, None, NOW + 4).await.unwrap();
    assert_eq!(active(&store, entrant.0).await, Some(after));
}

pub(super) async fn one_that_plays_no_more_leaves_the_ladder(store: TestStore) {
    let entrant = enrol(&store, "s").await;
    let id = submit(&store, entrant, NOW, true).await;
    store.check_again(id, entrant.1, NOW).await.unwrap();
    check(&store, id, NOW, false).await;
    assert!(store.ladder().await.unwrap().is_empty());
    // Two orders before it begins are one check. One that comes later is a check too many, and no
    // harm.
    store.check_again(id, entrant.1, NOW).await.unwrap();
    store.check_again(id, entrant.1, NOW).await.unwrap();
    let lease = lease_check(&store, id, NOW).await;
    assert!(next_job(&store, &FROZEN, NOW).await.is_none());
    store.check_again(id, entrant.1, NOW).await.unwrap();
    end_check(&store, &lease, id, true).await;
    check(&store, id, NOW, false).await;
    assert_eq!(active(&store, entrant.0).await, Some(id));
}

pub(super) async fn a_check_again_takes_no_chosen_ones_place(store: TestStore) {
    let entrant = enrol(&store, "s").await;
    let second = submit(&store, entrant, NOW, true).await;
    let fourth = submit(&store, entrant, NOW + 1, true).await;
    store.activate(second, None, NOW + 2).await.unwrap();
    store.check_again(fourth, entrant.1, NOW + 3).await.unwrap();
    check(&store, fourth, NOW + 3, true).await;
    assert_eq!(active(&store, entrant.0).await, Some(second), "the student chose it");
    // A submission that is refused at first, and then plays, is the newest.
    let fifth = submit(&store, entrant, NOW + 4, false).await;
    store.check_again(fifth, entrant.1, NOW + 5).await.unwrap();
    check(&store, fifth, NOW + 5, true).await;
    assert_eq!(active(&store, entrant.0).await, Some(fifth));
}

pub(super) async fn late_ones_never_play(store: TestStore) {
    let entrant = enrol(&store, "s").await;
    let late = hand_in(&store, entrant, NOW, true).await;
    check(&store, late, NOW, true).await;
    assert_eq!(state(&store, late).await, "plays");
    assert_eq!(active(&store, entrant.0).await, None);
}

fn line(row: &LadderRow) -> String {
    let LadderRow {
        submission, rating, deviation, games, wins, draws, paused, provisional, ..
    } = row;
    format!("{submission}: {rating} {deviation} {games} {wins} {draws} {paused:?} {provisional}")
}

/// Plays pairs of the ladder, of which the stronger player wins both games, or wins one and draws
/// one against the next.
async fn play_by_strength(store: &LeagueStore, pairs: usize, strength: impl Fn(i64) -> i64) {
    for _ in 0..pairs {
        let lease = lease_pair(store, &PLAYS, NOW).await;
        let mut result = played(&lease, true);
        for (half, game) in (0..).zip(&mut result.games) {
            let [first, second] = game.players.map(&strength);
            game.winner = (half < (first - second).abs()).then_some(usize::from(first < second));
        }
        end_pair(store, &lease, &result, NOW).await;
    }
}

pub(super) async fn a_new_version_has_no_place_before_it_has_played(store: TestStore) {
    let ids = players(&store, 6).await;
    play_by_strength(&store, 90, |id| -id).await;
    let order = |ladder: &[LadderRow]| ladder.iter().map(|row| row.submission).collect::<Vec<_>>();
    let before = store.ladder().await.unwrap();
    assert_eq!(order(&before), ids);
    assert!(before.iter().all(|row| !row.provisional), "{before:?}");
    assert_eq!(before[0].trail.split(' ').count(), 24);
    // Three of them hand in again, the best one and the two before the last.
    let mut new = Vec::new();
    for at in [0, 3, 4] {
        let person = store.person_by_login(&format!("s{at}")).await.unwrap().unwrap();
        new.push(submit(&store, (before[at].entrant, person.id), NOW, true).await);
    }
    let after = store.ladder().await.unwrap();
    assert_eq!(order(&after), [ids[1], ids[2], ids[5], new[0], new[1], new[2]]);
    assert!(after[..3].iter().all(|row| !row.provisional), "{after:?}");
    for row in &after[3..] {
        assert!(row.provisional && row.games == 0 && row.rating == 1500.0, "{row:?}");
        assert!(row.deviation > 2.0 * before[0].deviation, "{row:?}");
    }
    // The one before has its own games again when it is chosen.
    store.activate(ids[0], None, NOW).await.unwrap();
    assert_eq!(line(&store.ladder().await.unwrap()[0]), line(&before[0]));
    // The new ones come first in the queue, and have a place by their own games.
    let strong = |id: i64| if id == new[1] { 0 } else { -id };
    play_by_strength(&store, 30, strong).await;
    let ladder = store.ladder().await.unwrap();
    assert!(ladder.iter().all(|row| !row.provisional), "{ladder:?}");
    assert_eq!(ladder[0].submission, new[1]);
}

pub(super) async fn a_frozen_ladder_stands_still(store: TestStore) {
    let ids = players(&store, 3).await;
    let baseline = store.set_baseline("baseline: one", "{}", NOW).await.unwrap();
    play_by_strength(&store, 30, |id| -id).await;
    let running = lease_pair(&store, &PLAYS, NOW).await;
    store.freeze(None, NOW + 10).await.unwrap();
    let frozen = store.ladder().await.unwrap();
    let lines = |ladder: &[LadderRow]| ladder.iter().map(line).collect::<Vec<_>>();
    // A pair that was being played, five challenges of a baseline, which the best program loses by
    // faults, and the final.
    let person = person(&store, "s0").await;
    // The clock is set back meanwhile, and somebody presses the button again.
    end_pair(&store, &running, &played(&running, true), NOW - 11).await;
    store.freeze(Some(person), NOW + 12).await.unwrap();
    assert_eq!(store.frozen().await.unwrap(), Some(NOW + 10));
    let times = (NOW - 12, 7);
    for _ in 0..5 {
        let pair = (ids[0], baseline);
        assert!(store.order_challenge(pair, person, (NOW, 5), times).await.unwrap());
    }
    let pairs = [(ids[0], ids[1]), (ids[1], ids[2])];
    assert!(store.order_final(&pairs, person, times).await.unwrap());
    while let Some(lease) = next_job(&store, &FROZEN, NOW + 13).await {
        let mut result = played(&lease, true);
        for game in &mut result.games {
            let best = game.players.iter().position(|&id| id == ids[0] || id == ids[1]).unwrap();
            (game.winner, game.blamed) = (Some(1 - best), Some(best));
        }
        end_pair(&store, &lease, &result, NOW + 14).await;
    }
    assert_eq!(store.game_count().await.unwrap(), 60 + 2 + 10 + 4);
    for process in [&*store, &store.open().await] {
        assert_eq!(lines(&process.ladder().await.unwrap()), lines(&frozen));
        let met = process.meetings_now().await.unwrap();
        assert_eq!(met.iter().map(|&(.., games, _)| games).sum::<i64>(), 60);
        let met = process.by_opponent(ids[0]).await.unwrap();
        let games = frozen.iter().find(|row| row.submission == ids[0]).unwrap().games;
        assert_eq!(met.iter().map(|met| met.games).sum::<i64>(), games);
    }
    // A reset final stays closed, whatever the clock says.
    store.reset_final(person, NOW + 100).await.unwrap();
    assert!(store.final_games().await.unwrap().is_empty());
    assert!(store.order_final(&pairs, person, times).await.unwrap());
    assert!(!store.order_final(&pairs, person, times).await.unwrap());
    assert_eq!(store.final_waiting().await.unwrap(), 2);
    store.go_on(person, NOW).await.unwrap();
    let after = store.ladder().await.unwrap();
    assert_eq!(after.iter().map(|row| row.games).sum::<i64>(), 2 * 76);
    assert_ne!(lines(&after), lines(&frozen));
    is_well(&store).await;
}

pub(super) async fn a_program_that_repeats_a_line_has_the_rating_of_its_mean_score(
    store: TestStore,
) {
    let ids = players(&store, 2).await;
    for pair in 0..40 {
        let lease = lease_pair(&store, &PLAYS, NOW).await;
        let mut result = played(&lease, true);
        for game in &mut result.games {
            let best = usize::from(game.players[0] != ids[0]);
            let crashes = pair % 10 == 0;
            game.blamed = crashes.then_some(best);
            game.winner = Some(if crashes { 1 - best } else { best });
            game.opening = Some(1);
            game.moves = Some(if crashes { pair } else { 100 });
        }
        end_pair(&store, &lease, &result, NOW).await;
    }
    let ladder = store.ladder().await.unwrap();
    // Nine wins to a loss by two different games, beside the prior.
    assert_eq!((ladder[0].submission, ladder[0].games, ladder[0].wins), (ids[0], 80, 72));
    assert!(ladder[0].rating > 1650.0 && ladder[0].deviation > 110.0, "{ladder:?}");
    assert!(ladder.iter().all(|row| row.provisional), "{ladder:?}");
}

pub(super) async fn equal_programs_have_one_rating(store: TestStore) {
    let ids = players(&store, 4).await;
    let equal = async |entrant: (i64, i64)| {
        let id = hand_in(&store, entrant, NOW, false).await;
        let lease = lease_check(&store, id, NOW).await;
        let result = CheckResult { program: "digest".into(), ..verdict(true) };
        assert!(store.finish_check(lease.job, &lease.token, id, &result).await.unwrap());
        id
    };
    let entrants = enrol_all(&store, ["twin", "other"]).await;
    let mut versions = Vec::new();
    for _ in 0..5 {
        versions.push(equal(entrants[0]).await);
        play_by_strength(&store, 4, |id| -id).await;
    }
    let ladder = store.ladder().await.unwrap();
    let standings = store.standings().await.unwrap();
    let own = |id: i64| standings.of(id);
    assert!(own(versions[0]).games > 2 && own(ids[0]).rating != own(versions[0]).rating);
    assert!(versions.iter().all(|&id| own(id) == own(versions[0])), "{ladder:?}");
    // The same of another player; the two play no game of the ladder against each other.
    let copy = equal(entrants[1]).await;
    let [one, other] = [versions[4], copy];
    for _ in 0..60 {
        let lease = lease_pair(&store, &PLAYS, NOW).await;
        let result = played(&lease, true);
        assert!(![[one, other], [other, one]].contains(&result.games[0].players));
        end_pair(&store, &lease, &result, NOW).await;
    }
    let ladder = store.open().await.ladder().await.unwrap();
    let row = |id| line(ladder.iter().find(|row| row.submission == id).unwrap());
    assert_eq!(row(one).split_once(": ").unwrap().1, row(other).split_once(": ").unwrap().1);
    let place = |id| ladder.iter().find(|row| row.submission == id).unwrap().place;
    assert!(place(one) == place(other) && place(one) > 0, "{ladder:?}");
}

pub(super) async fn games_of_two_players_by_version_and_side(store: TestStore) {
    players(&store, 3).await;
    let mut faults = 0;
    for pair in 0..30 {
        let lease = lease_pair(&store, &PLAYS, NOW).await;
        let mut result = played(&lease, true);
        // Every fifth pair, the player with the smallest number loses both games by a fault.
        for game in result.games.iter_mut().filter(|_| pair % 5 == 0) {
            let side = usize::from(game.players[0] > game.players[1]);
            (game.blamed, game.winner) = (Some(side), Some(1 - side));
        }
        faults += if pair % 5 == 0 { 2 } else { 0 };
        end_pair(&store, &lease, &result, NOW).await;
    }
    let entrants: Vec<i64> = store.ladder().await.unwrap().iter().map(|row| row.entrant).collect();
    let (mut games, mut own) = (0, 0);
    for &one in &entrants {
        let lost = GamesAsked { own_faults: true, ..GamesAsked::default() };
        let lost = store.games_of(one, lost, 99).await.unwrap();
        let is_own = |game: &&GameRow| match game.blamed {
            Some(side) => [game.first_entrant, game.second_entrant][side as usize] == one,
            None => false,
        };
        assert_eq!(lost.iter().filter(is_own).count(), lost.len());
        own += lost.len();
        for &other in entrants.iter().filter(|&&other| other != one) {
            let against = GamesAsked { against: Some(other), ..GamesAsked::default() };
            let listed = store.games_of(one, against, 99).await.unwrap();
            let met = store.meetings_of(one, other).await.unwrap();
            assert!(met.iter().map(|met| (met.version, met.other, met.side)).is_sorted());
            assert_eq!(met.iter().map(|met| met.games as usize).sum::<usize>(), listed.len());
            let back = store.meetings_of(other, one).await.unwrap();
            let faults = |met: &[Meeting]| -> [i64; 2] {
                [
                    met.iter().map(|met| met.own_faults).sum(),
                    met.iter().map(|met| met.other_faults).sum(),
                ]
            };
            let (here, there) = (faults(&met), faults(&back));
            assert_eq!(here, [there[1], there[0]]);
            let points = |met: &[Meeting]| met.iter().map(|met| met.score).sum::<f64>();
            assert_eq!(points(&met) + points(&back), listed.len() as f64);
            games += listed.len();
        }
    }
    assert_eq!((games, own), (2 * 60, faults));
}

pub(super) async fn no_page_reads_a_table_whole(store: TestStore) {
    players(&store, 2).await;
    let steps = store.plans().await.unwrap();
    // A partial index has those rows alone that are asked for.
    let whole = |step: &&String| step.starts_with("SCAN ") && !step.contains(" INDEX ");
    let whole: Vec<_> = steps.iter().filter(whole).collect();
    assert!(whole.is_empty() && steps.len() > 5, "{steps:#?}");
}

pub(super) async fn a_closing_period_ends_when_all_are_known(store: TestStore) {
    let ids = players(&store, 4).await;
    let person = person(&store, "s0").await;
    store.close(person, NOW).await.unwrap();
    store.close(person, NOW + 5).await.unwrap();
    assert_eq!(store.closing().await.unwrap(), Some(NOW));
    let limits = LadderLimits { closing: Some(150.0), ..PLAYS };
    let mut pairs = 0;
    // A program that loses all its games holds nobody up.
    while let Some(lease) = next_job(&store, &limits, NOW).await {
        let mut result = played(&lease, true);
        for game in &mut result.games {
            let last = game.players.iter().position(|&id| id == ids[3]);
            game.winner = last.map(|last| 1 - last);
        }
        end_pair(&store, &lease, &result, NOW).await;
        pairs += 1;
        assert!(store.frozen().await.unwrap().is_none() && pairs < 200, "{pairs}");
    }
    assert!(pairs > 20, "{pairs}");
    let frozen = [store.frozen().await.unwrap(), store.closing().await.unwrap()];
    assert_eq!(frozen, [Some(NOW), None]);
    assert!(store.unknown(150.0).await.unwrap().is_empty());
    assert!(store.ladder().await.unwrap().iter().all(|row| !row.provisional));
    store.close(person, NOW).await.unwrap();
    assert_eq!(store.closing().await.unwrap(), None);
    store.go_on(person, NOW).await.unwrap();
    assert_eq!(log(&store).await.iter().filter(|line| line.contains("closed uploads")).count(), 1);
}

pub(super) async fn a_database_of_the_first_tables_is_opened_with_its_games(store: TestStore) {
    players(&store, 3).await;
    play_by_strength(&store, 30, |id| -id).await;
    let lines = |ladder: Vec<LadderRow>| ladder.iter().map(line).collect::<Vec<_>>();
    let before = lines(store.open().await.ladder().await.unwrap());
    store.make_old().await;
    let opened = store.open().await;
    assert_eq!(lines(opened.ladder().await.unwrap()), before);
    play_pair(&opened, &PLAYS, NOW, true).await;
    is_well(&opened).await;
}

pub(super) async fn baselines_alone_play_until_they_are_known(store: TestStore) {
    for name in ["baseline: one", "baseline: two", "baseline: three"] {
        store.set_baseline(name, "{}", NOW).await.unwrap();
    }
    let mut pairs = 0;
    while let Some(lease) = next_job(&store, &PLAYS, NOW).await {
        end_pair(&store, &lease, &played(&lease, false), NOW).await;
        pairs += 1;
        assert!(pairs < 1000, "they play without end");
    }
    assert!(pairs > 10, "{pairs}");
    let entrant = enrol(&store, "s").await;
    let id = submit(&store, entrant, NOW, true).await;
    for _ in 0..200 {
        play_pair(&store, &PLAYS, NOW, false).await;
    }
    assert_eq!(store.standings().await.unwrap().of(id).games, 400);
}

pub(super) async fn baselines_come_and_go(store: TestStore) {
    let one = store.set_baseline("baseline: one", "{\"a\":1}", NOW).await.unwrap();
    assert_eq!(store.set_baseline("baseline: one", "{\"a\":1}", NOW).await.unwrap(), one);
    store.set_baseline("baseline: two", "{}", NOW).await.unwrap();
    let changed = store.set_baseline("baseline: one", "{\"a\":2}", NOW).await.unwrap();
    assert_ne!(changed, one, "another player");
    assert_eq!(store.ladder().await.unwrap().len(), 2);
    lease_pair(&store, &PLAYS, NOW).await;
    store.keep_baselines(&["baseline: two".to_string()]).await.unwrap();
    assert_eq!(store.ladder().await.unwrap().len(), 1);
    assert!(store.stored_submissions().await.unwrap().is_empty());
    store.set_baseline("baseline: one", "{\"a\":2}", NOW).await.unwrap();
    assert_eq!(store.ladder().await.unwrap().len(), 2, "and comes back");
}
