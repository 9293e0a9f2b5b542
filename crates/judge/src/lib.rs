//! The judge: a command line that checks moves, plays matches and tournaments, and grades programs.
//! [`run`] is the whole program; [`command_line`] describes its options.

mod analyse;
mod check;
mod doctor;
mod help;
mod league;
mod perft;
mod pgn;
mod position;
mod rerun;
mod rules_test;
mod sandbox_check;
mod solve;
mod tournament;

pub use anygame::AnyGame;
use course::{autograder, class, grade, homework_test, likeness};
use homework::Assignment;
use intake::try_command;
use monitor::server as monitor;
use pages::replay;
use play::puzzle;
use terminal::keys_help::{keys_of_gradings, keys_of_matches};
use terminal::{games, program, rules};

use analyse::AnalyseOptions;
use anygame::game::Checked;
use anyhow::Result;
use check::{CheckOptions, ShowOptions};
use clap::{ArgGroup, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use pages::replay::ReplayOptions;
use pages::replay::watch::WatchOptions;
use perft::PerftOptions;
use std::process::ExitCode;
use terminal::output::print;
use tournament::records::{MergeOptions, TableOptions};
use tournament::{MatchOptions, TournamentOptions};

/// Checks positions and moves, plays matches and tournaments, and grades programs, for the games of
/// Menagerie.
#[derive(Parser)]
#[command(
    name = "judge",
    version,
    after_help = "\
Examples:
  judge check halma input.txt output.txt
  judge perft halma --depth 4
  judge show halma inputs/halma/start.txt
  judge match --game halma --engine cmd='python3 homework.py' name=mine --engine engine=reference:minimax:2
  judge match --game ./little-go --engine cmd='python3 my_player3.py' --engine engine=reference:mcts:100
Exit code: 0 success; 1 the move is refused; 2 a file or the command line is bad; 130 interrupted."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Args)]
struct GamesOptions {
    /// Print only the names
    #[arg(long)]
    names: bool,
    /// Folders of games of your own [default: the games of this judge]
    folders: Vec<String>,
}

#[derive(Subcommand)]
enum Command {
    /// List the games: name, title, names of the sides, rule sets
    Games(GamesOptions),
    /// Check a move: exit code 0 and the board after it, or 1 and the reason why it is refused
    Check(CheckOptions),
    /// Count the sequences of moves from a position, for each depth (perft)
    Perft(PerftOptions),
    /// Draw a position with coordinates and list its legal moves
    Show(ShowOptions),
    /// Try a program before it is handed in: ten positions, two games, and advice on faults
    #[command(after_help = try_command::EXAMPLE)]
    Try(try_command::TryOptions),
    /// Print the rules of a game: board, moves, files, an example; or one section of them
    #[command(after_help = "\
Examples:
  judge rules halma | less
  judge rules halma 'Addendum, rule 2'")]
    Rules(rules::RulesOptions),
    /// Test the rules of a game of your own: random games, files, and what goes wrong
    #[command(after_help = rules_test::EXAMPLE)]
    RulesTest(rules_test::RulesTestOptions),
    /// Find the result of every position of a small game of your own, for points and analyses
    #[command(after_help = "\
Examples:
  judge solve ./tic-tac-toe
  judge solve ./my-game --most 5000000
The table is the file solved.txt in the folder: docs/own-game.md.
Exit code: 0 done; 2 there are too many positions, or the rules fail; 130 interrupted.")]
    Solve(solve::SolveOptions),
    /// Test a homework of your own: its files, its checker, and the staff's solutions
    #[command(after_help = homework_test::EXAMPLE)]
    HomeworkTest(homework_test::HomeworkTestOptions),
    /// Play a match of two engines: pairs of games from the same opening, with sides swapped
    #[command(after_help = match_help())]
    Match(MatchOptions),
    /// Play a tournament of two or more engines, with pairs of games between each two
    #[command(after_help = tournament_help())]
    Tournament(TournamentOptions),
    /// Grade an agent by single positions and by games against plain minimax: a score, and the
    /// reasons for lost points
    #[command(after_help = grade_help())]
    Grade(grade::GradeOptions),
    /// Grade all submissions of a class, one in each directory: a table, a CSV file, reports, a
    /// page of the class
    #[command(after_help = "\
Examples:
  judge grade-all --game halma class --csv grades.csv --page class.html --concurrency 2
  judge grade-all --game halma submissions --cmd 'python3 homework.py' --csv grades.csv --reports reports --resume
The first directory was made by judge intake. In other directories --cmd runs all submissions, or with --own-commands the line in
the submission's file `command` does. docs/grading.md describes the schemes, the record and grading on several machines.
Exit code: 0 all submissions are graded; 2 a file or the command line is bad; 130 interrupted.")]
    GradeAll(class::ClassOptions),
    /// Tell which programs of a class are alike, in their texts and in their moves
    #[command(after_help = "Examples:
  judge likeness class --game halma --given starters/halma --beside ../2025/class
  judge likeness class --game halma --positions 0        # texts alone
Programs are alike, and why is not known: look at both before you say more (docs/likeness.md).
Exit code: 0 done; 2 a file or the command line is bad; 130 interrupted.")]
    Likeness(likeness::LikenessOptions),
    /// Prepare the submissions of a class: from the download of a course system to one folder for
    /// each student, ready to run
    #[command(after_help = intake::EXAMPLE)]
    Intake(intake::IntakeOptions),
    /// Make an autograder for Gradescope, for repositories on GitHub or for make: one zip file with all that it
    /// needs
    #[command(after_help = autograder::EXAMPLE)]
    Autograder(autograder::AutograderOptions),
    /// Grade one submission on a platform and always write a results.json; the zip file of judge
    /// autograder runs this command
    Autograde(autograder::AutogradeOptions),
    /// Grade homework by cases: folders with input.txt and the expected files, all of which have to
    /// be right
    #[command(after_help = "\
Examples:
  judge grade-cases cases --engine cmd='python3 homework.py'
  judge grade-cases cases --engine engine=squirrels --time 5 --json
The comparison ignores line ends, blank lines at the end and a byte-order mark.
Exit code: 0 all cases are right, or as many as --fail-under requires; 1 fewer; 2 the program cannot be run; 130 interrupted.")]
    GradeCases(grade::CaseOptions),
    /// Join the records of the parts of a tournament or class; for a tournament, print the table
    Merge(MergeOptions),
    /// Print the table of a record
    Table(TableOptions),
    /// Print a position of a record as the input file of the player to move
    #[command(after_help = position::EXAMPLE)]
    Position(position::PositionOptions),
    /// Run a turn of a recorded game again, as it was: its input, output, standard error and verdict
    #[command(after_help = rerun::EXAMPLE)]
    Rerun(rerun::RerunOptions),
    /// Analyse recorded games: the cost of each move, better moves, and the moves that lost games
    #[command(after_help = analyse::EXAMPLE)]
    Analyse(AnalyseOptions),
    /// Write the games of records as a page for a browser, or print them as text
    #[command(group = ArgGroup::new("form").args(["html", "text"]).required(true), after_help = "\
Examples:
  judge replay class.jsonl --html class.html
  judge replay class.jsonl --text --game 3 | less")]
    Replay(ReplayOptions),
    /// Play against the agents in a browser on this machine
    #[command(after_help = play::EXAMPLE)]
    Play(play::PlayOptions),
    /// Run games of FoxGame between agents that connect over TCP
    #[command(after_help = monitor::EXAMPLE)]
    Monitor(monitor::MonitorOptions),
    /// Show a running match in the terminal, by reading the record that it writes
    Watch(WatchOptions),
    /// Serve the puzzle of Foxes and Geese over HTTP: the server plays the foxes
    #[command(after_help = "\
Examples:
  judge puzzle --foxes search:8
  judge puzzle --token 'a+b/c'
  foxgeese --server http://127.0.0.1:8239/ --token 'a+b/c' --verbose
Without --token the second line of standard output has the command that plays against the server, with a token that is new at each
start. docs/foxgeese.md tells the rest. ^C ends the server.")]
    Puzzle(puzzle::PuzzleOptions),
    /// Run a league: students hand in programs, which play day and night; a ladder and all games on
    /// pages
    #[command(
        disable_help_flag = true,
        after_help = "judge league --help lists the commands of the program league."
    )]
    League(league::LeagueOptions),
    /// Test the sandbox of players by attempts to break out: which succeed, which layers are
    /// missing, and the remedies
    #[command(after_help = "\
Exit code: 0 all attempts failed; 1 --sandbox required would refuse, or an attempt succeeded; 2 no attempt can be made.")]
    Sandbox(sandbox_check::SandboxOptions),
    /// Report in ten lines what this machine has for grading: version, sandbox, agents, languages,
    /// disk, cores
    #[command(after_help = doctor::EXAMPLE)]
    Doctor(doctor::DoctorOptions),
}

fn match_help() -> String {
    format!(
        "\
{}

Terminations: normal, time forfeit, illegal move, bad format, no output, crash, stall, disk quota, draw by move limit,
time left at move limit.
^C once: running games are finished; twice: stop now. With --record all finished games are kept, and --resume continues.

Examples:
  judge match --game halma --engine cmd='python3 homework.py' name=mine --engine engine=halma name=ours \\
    --each time=100 --games 10 --concurrency 2 --openings random:4 --seed 7
  judge match --game halma --engine engine=halma name=new args='--nodes 20000' \\
    --engine cmd='old/halma --nodes 20000' name=old --games 400 --sprt elo0=0 elo1=10",
        keys_of_matches(games::all())
    )
}

fn grade_help() -> String {
    format!(
        "\
{}

Exit code: 0 graded; 1 graded, fewer points than --fail-under; 2 the agent cannot be run; 130 interrupted.

Examples:
  judge grade --game halma --engine cmd='python3 homework.py'
  judge grade --game halma --engine engine=halma --report gradescope -o results.json
  judge grade --game halma --scheme-show > scheme.toml
  judge grade --game halma --scheme scheme.toml --engine cmd='python3 homework.py' --report html -o report.html",
        keys_of_gradings(games::all())
    )
}

fn tournament_help() -> String {
    format!(
        "\
{}

Examples:
  judge tournament --config class.toml --record class.jsonl --concurrency 4
  judge tournament --resume class.jsonl --concurrency 4
  judge tournament --config class.toml --seed 20817 --shard 3/16 --record part-3.jsonl
  judge tournament --game halma --from class --shape swiss --games 2 --record class.jsonl --page class.html
A file class.toml:
  game = \"halma\"
  games = 10
  openings = \"random:4\"
  each = {{ time = 100 }}
  [[engine]]
  name = \"baseline\"
  engine = \"reference:minimax:2\"
  [[engine]]
  name = \"ann\"
  dir = \"submissions/ann\"
  cmd = \"python3 homework.py\"",
        keys_of_matches(games::all())
    )
}

/// Returns the description of the judge's command line for these games, for manual pages and shell
/// completions. Call it at most once in a process, and not together with [`run`].
pub fn command_line(games: Vec<AnyGame>) -> clap::Command {
    games::set(games);
    help::grouped(CommandLine::command())
}

/// Runs the judge for these games, with the arguments of the process, and returns the exit code.
pub fn run(games: Vec<AnyGame>) -> ExitCode {
    let command = || help::grouped(CommandLine::command());
    program::run_command(games, command, |matches| {
        let command_line =
            CommandLine::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
        dispatch(command_line.command, matches)
    })
}

/// Returns the arguments of each `--engine`. The derived struct has only one list of them all.
fn engine_arguments(matches: &ArgMatches) -> Vec<Vec<String>> {
    let (_, matches) = matches.subcommand().expect("a subcommand is required");
    let occurrences = matches.get_occurrences::<String>("engine").into_iter().flatten();
    occurrences.map(|words| words.cloned().collect()).collect()
}

fn dispatch(command: Command, matches: &ArgMatches) -> Result<ExitCode> {
    let done = |result: Result<()>| result.map(|()| ExitCode::SUCCESS);
    match command {
        Command::Games(options) => {
            done(games::list(options.names, &options.folders).map(|list| print(&list)))
        }
        Command::Check(options) => {
            if let Assignment::Homework(homework) = games::find_assignment(&options.game.game)? {
                let is_right = check::check_homework(&homework, &options)?;
                return Ok(ExitCode::from(u8::from(!is_right)));
            }
            let Checked { legal, text, .. } = check::check(&options)?;
            print(&text);
            if legal.is_some() {
                return Ok(ExitCode::SUCCESS);
            }
            print(&rules::pointer(&options.game.game, text.lines().next().unwrap_or_default()));
            Ok(ExitCode::from(1))
        }
        Command::Perft(options) => done(perft::perft(&options)),
        Command::Show(options) => done(check::show(&options).map(|text| print(&text))),
        Command::Try(options) => try_command::preflight(&options),
        Command::RulesTest(options) => rules_test::rules_test(&options),
        Command::Solve(options) => solve::solve_folder(&options),
        Command::HomeworkTest(options) => {
            homework_test::homework_test(&options).map(ExitCode::from)
        }
        Command::Rules(options) => done(rules::rules(&options)),
        Command::Match(options) => tournament::play(&options, None, &engine_arguments(matches)),
        Command::Tournament(options) => {
            tournament::play(&options.games, Some(&options), &engine_arguments(matches))
        }
        Command::Grade(options) => grade::grade(&options).map(ExitCode::from),
        Command::GradeAll(options) => class::grade_class(&options).map(ExitCode::from),
        Command::Likeness(options) => likeness::likeness(&options),
        Command::Intake(options) => intake::intake(&options).map(ExitCode::from),
        Command::Autograder(options) => autograder::autograder(&options).map(ExitCode::from),
        Command::Autograde(options) => autograder::autograde(&options).map(ExitCode::from),
        Command::GradeCases(options) => grade::grade_cases(&options).map(ExitCode::from),
        Command::Merge(options) => done(tournament::records::merge(&options)),
        Command::Table(options) => done(tournament::records::table(&options)),
        Command::Rerun(options) => done(rerun::rerun(&options)),
        Command::Position(options) => done(position::position(&options)),
        Command::Analyse(options) => analyse::analyse(&options),
        Command::Replay(options) => done(replay::replay(&options)),
        Command::Play(options) => done(play::play(&options, &engine_arguments(matches))),
        Command::Watch(options) => done(replay::watch::watch(&options)),
        Command::Puzzle(options) => done(puzzle::serve(&options)),
        Command::Monitor(options) => monitor::monitor(&options),
        Command::League(options) => league::league(&options),
        Command::Sandbox(options) => sandbox_check::sandbox(&options).map(ExitCode::from),
        Command::Doctor(options) => doctor::doctor(&options).map(ExitCode::from),
    }
}
