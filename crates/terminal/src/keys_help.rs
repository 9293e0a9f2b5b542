//! Help on the keys of `--engine` and `--each`, which [`arena::keys`] reads.

use arena::AnyGame;
use arena::keys::DEFAULT_GAME_CLOCK;

/// Help text on the keys, for matches and tournaments of these games.
pub fn keys_of_matches(games: &[AnyGame]) -> String {
    keys(games, &format!(" [default: {DEFAULT_GAME_CLOCK}, unless st= is given]"))
}

/// Help text on the keys, for gradings.
pub fn keys_of_gradings(games: &[AnyGame]) -> String {
    keys(games, "") + "\nThe clocks are the scheme's: time= and st= do not alter them."
}

/// Help text on the keys. `default_time` follows the description of `time=`.
fn keys(games: &[AnyGame], default_time: &str) -> String {
    let with_monitor: Vec<&str> =
        games.iter().filter(|game| game.protocols.contains(&"monitor")).map(|game| game.name).collect();
    let monitors = if with_monitor.is_empty() { String::new() } else { format!(" ({})", with_monitor.join(", ")) };
    format!(
        "\
Keys of --engine and --each:
  cmd=COMMAND     the program and its arguments, run in a scratch directory of its own
  engine=NAME     instead of cmd: the game's agent by the game's name, or a reference player
                  inside the judge: reference:random, reference:greedy, reference:minimax:N,
                  reference:alphabeta:N (N plies), reference:mcts:N (N random games a move)
  args=ARGUMENTS  more arguments for the program
  dir=DIRECTORY   copied into the scratch directory before each game; the command runs there
  name=NAME       the name in tables
  time=SECONDS    CPU time for the whole game (GAME input files){default_time}
  st=SECONDS      CPU time for each move (SINGLE input files)
  proto=KIND      file (the default), or monitor, for games with one{monitors}: the program plays
                  over TCP, started with -a HOST -p PORT -r ROLE -n NAME; st= is wall time then,
                  and 5 % more is forgiven
  margin=SECONDS  CPU time beyond the clock that is forgiven [default: 0]"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_the_games_with_a_monitor() {
        let plain = AnyGame::of::<games::halma::Position>();
        let help = keys_of_matches(&[plain]);
        assert!(help.contains("for games with one: the program"), "{help}");
        let own = AnyGame { protocols: &["monitor"], ..plain };
        let help = keys_of_gradings(&[plain, own]);
        assert!(help.contains("for games with one (halma): "), "{help}");
        assert!(help.lines().all(|line| line.len() <= 100), "{help}");
    }
}
