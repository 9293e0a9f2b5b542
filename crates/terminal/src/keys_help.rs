//! Help on the keys of `--engine` and `--each`, which [`arena::keys`] reads.

use anygame::AnyGame;
use arena::keys::DEFAULT_GAME_CLOCK;
use arena::player::protocol::PlayerProtocol;

/// Help text on the keys, for matches and tournaments of these games.
pub fn keys_of_matches(games: &[AnyGame]) -> String {
    keys(games, &format!(" [default: {DEFAULT_GAME_CLOCK}, unless st= is given]"))
}

/// Help text on the keys, for gradings.
pub fn keys_of_gradings(games: &[AnyGame]) -> String {
    keys(games, "") + "\nThe clocks are the scheme's: time= and st= do not alter them."
}

fn keys(games: &[AnyGame], default_time: &str) -> String {
    let protocols = games.iter().flat_map(|game| {
        PlayerProtocol::all(&game.interface).map(|protocol| (game.name, protocol))
    });
    let protocols: String = protocols
        .map(|(game, PlayerProtocol { name, help, .. })| {
            let indented: String =
                help.iter().map(|line| format!("\n                    {line}")).collect();
            format!("\n                  {name}, for {game}:{indented}")
        })
        .collect();
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
  proto=NAME      file (the default): the program reads and writes files{protocols}
  margin=SECONDS  CPU time beyond the clock that is forgiven [default: 0]"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPOKEN: PlayerProtocol = PlayerProtocol {
        name: "spoken",
        help: &["its program says its moves aloud"],
        refusal: |_, _| None,
        player: |_, _, _| unreachable!("nobody plays"),
    };

    #[test]
    fn the_help_names_the_protocols_that_games_have() {
        let plain = AnyGame::of::<games::halma::Position>();
        let help = keys_of_matches(&[plain]);
        assert!(help.contains("reads and writes files\n  margin="), "{help}");
        let mut own = plain;
        own.interface.protocols = &[&SPOKEN];
        let help = keys_of_gradings(&[plain, own]);
        assert!(
            help.contains(
                "\n                  spoken, for halma:\n                    its program says"
            ),
            "{help}"
        );
        assert!(help.lines().all(|line| line.len() <= 100), "{help}");
    }
}
