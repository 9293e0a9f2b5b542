//! The promises of the database, tested alike on SQLite and on a real PostgreSQL.

mod jobs;
mod order;
mod people;
mod place;
mod races;
mod server;
mod submissions;

/// Makes a test of each function for each database.
macro_rules! on_both {
    ($($module:ident: $($name:ident)*;)*) => {
        mod sqlite { $(mod $module { $(
            #[test]
            fn $name() {
                super::super::place::on(false, super::super::$module::$name);
            }
        )* })* }
        mod postgres { $(mod $module { $(
            #[test]
            #[ignore = "needs postgresql"]
            fn $name() {
                super::super::place::on(true, super::super::$module::$name);
            }
        )* })* }
    };
}

#[test]
fn pages_read_no_table_whole() {
    place::on(false, submissions::no_page_reads_a_table_whole);
}

/// Databases keep these sums, and are not opened where one differs.
#[test]
fn changes_of_tables_stay_as_they_are() {
    let later = [[0x2a, 0xae, 0x69, 0x18], [0x4f, 0x8a, 0x8a, 0xbd], [0x54, 0x27, 0xe3, 0xe2]];
    for (tables, first) in
        [(super::SQLITE, [0x16, 0xfc, 0x5d, 0x74]), (super::POSTGRES, [0x77, 0x44, 0xfb, 0x96])]
    {
        let migrator = super::migrator(&tables);
        let sums: Vec<_> = migrator.iter().map(|change| &change.checksum[..4]).collect();
        assert_eq!(sums, [&[first], &later[..]].concat());
    }
}

on_both! {
    jobs: a_lease_that_was_lost_counts_for_nothing an_expired_lease_is_given_out_again a_clock_that_is_set_back_blocks_nothing
        a_machine_that_fails_is_tried_again_for_ever
        a_job_that_ends_its_workers_comes_back_more_and_more_seldom a_machine_that_fails_at_one_program_lets_the_others_play
        checks_go_in_turn_by_entrant analyses_come_last_and_are_limited
        a_worker_that_ends_in_order_costs_nothing games_between_versions_of_a_player_are_unrated
        unrated_games_of_two_players_need_both a_slow_program_keeps_to_its_share_from_the_first_minute
        games_without_a_winner_and_people_have_no_value_there a_cancelled_job_counts_nothing pauses_after_faults_and_their_end the_own_check_finds_what_does_not_fit;
    order: the_ladder_comes_near_the_true_order;
    people: secrets_are_good_for_one_thing_and_until_they_expire a_roster_that_is_read_again_changes_and_adds names_meet_in_one_league
        settings_are_set_and_removed a_question_is_open_until_the_staff_answers the_oldest_session_ends_for_a_new_one;
    races: no_job_is_leased_twice no_pair_of_the_ladder_exceeds_its_share a_pair_counts_once_whoever_says_so_at_the_same_time
        results_at_the_same_time_lose_no_game uploads_at_the_same_time_keep_the_limit_and_their_numbers
        a_link_is_used_once_by_two_browsers challenges_at_the_same_time_keep_the_limit an_analysis_is_ordered_once_at_the_same_time
        two_servers_that_start_make_the_tables_once;
    submissions: the_newest_that_plays_is_active a_withdrawn_one_stays_withdrawn_when_its_check_ends
        what_comes_after_the_freeze_plays_later one_that_plays_no_more_leaves_the_ladder a_check_again_takes_no_chosen_ones_place late_ones_never_play
        a_new_version_has_no_place_before_it_has_played a_frozen_ladder_stands_still
        a_program_that_repeats_a_line_has_the_rating_of_its_mean_score equal_programs_have_one_rating games_of_two_players_by_version_and_side
        a_closing_period_ends_when_all_are_known         a_database_of_the_first_tables_is_opened_with_its_games baselines_come_and_go baselines_alone_play_until_they_are_known;
}
