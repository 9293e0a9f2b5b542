//! The judge: checks, counts and shows; plays and grades programs that live by files and clocks. The program is
//! [`run`]; what reads untrusted texts is there for fuzzers as well.

#[cfg(not(target_os = "linux"))]
compile_error!(
    "the judge runs on Linux alone: it watches players by pidfd_open, prctl and /proc/self/exe. \
     The agents, solve and bench build without it: cargo build --release -p menagerie-halma"
);

mod analyse;
mod autograder;
mod check;
mod classpage;
mod doctor;
mod games;
mod grade;
mod inputs;
mod intake;
mod interrupt;
mod learn;
mod markup;
mod monitor;
mod names;
mod output;
mod perft;
mod pgn;
mod play;
mod position;
mod preflight;
mod progress;
mod replay;
mod rules;
mod sandbox;
mod serve;
mod settings;
mod soak;
mod spreadsheet;
mod standings;
mod submission;
mod toml_text;
mod tournament;
mod tune;
mod walls;

pub use games::{Game, menagerie};

use analyse::AnalyseOptions;
use anyhow::Result;
use arena::player::keys::{keys_of_gradings, keys_of_matches};
use arena::player::scratch::remove_scratch;
use check::{CheckOptions, ShowOptions, Verdict};
use clap::{ArgGroup, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use output::print;
use perft::PerftOptions;
use replay::ReplayOptions;
use replay::watch::WatchOptions;
use std::process::ExitCode;
use system::sandbox::probes::PROBE;
use system::sandbox::survey::TRIAL;
use system::supervise::SUPERVISE;
use tournament::records::{MergeOptions, TableOptions};
use tournament::{MatchOptions, TournamentOptions};

/// Checks positions and moves, plays matches and tournaments, and grades programs, for the games of Menagerie.
#[derive(Parser)]
#[command(
    name = "judge",
    version,
    after_help = "\
Examples:
  judge check halma input.txt output.txt --rules addendum
  judge perft halma --depth 4
  judge show halma inputs/halma/start.txt
  judge match --game halma --engine cmd='python3 homework.py' name=mine --engine engine=reference:minimax:2
Exit code: 0 all is well; 1 the move is refused; 2 a file or the command line is bad; 130 interrupted."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

/// Options of `judge games`.
#[derive(Args)]
struct GamesOptions {
    /// Only their names
    #[arg(long)]
    names: bool,
}

#[derive(Subcommand)]
enum Command {
    /// List the games: name, title, words of the sides, rule sets
    Games(GamesOptions),
    /// Check a move: exit code 0 and the board after it, or 1 and the reason why it is refused
    Check(CheckOptions),
    /// Count the lines of moves from a position, depth by depth
    Perft(PerftOptions),
    /// Draw a position with coordinates and list its legal moves
    Show(ShowOptions),
    /// Try a program before it is handed in: ten positions, two games, and what to mend
    #[command(after_help = preflight::EXAMPLE)]
    Try(preflight::TryOptions),
    /// Print the rules of a game: board, moves, files, an example; or one section of them
    #[command(after_help = "\
Examples:
  judge rules halma | less
  judge rules halma 'Addendum, rule 2'")]
    Rules(rules::RulesOptions),
    /// Play a match of two engines: pairs of games from the same opening, with sides swapped
    #[command(after_help = match_help())]
    Match(MatchOptions),
    /// Play a tournament of two or more engines, each meeting in pairs of games
    #[command(after_help = tournament_help())]
    Tournament(TournamentOptions),
    /// Grade an agent: single positions and games against plain minimax, a score, and why points were lost
    #[command(after_help = grade_help())]
    Grade(grade::GradeOptions),
    /// Grade a directory of submissions, each in a directory of its own: a table, a CSV file, reports, a page of the class
    #[command(after_help = "\
Examples:
  judge grade-all --game halma class --csv grades.csv --page class.html --concurrency 2
  judge grade-all --game halma submissions --cmd 'python3 homework.py' --csv grades.csv --reports reports --resume
The first is a class that judge intake has taken in. In a plain directory all submissions are run by --cmd, or with
--own-commands each by the line in its file `command`, such as: java -jar agent.jar
Everything that happens stands in the record beside the CSV file: --resume goes on from it, also after kill -9.
docs/grading.md has the schemes, the record and what to do on several machines.
Exit code: 0 all are graded; 2 a file or the command line is bad; 130 interrupted.")]
    GradeAll(grade::ClassOptions),
    /// Take a class in: from the download of a course system to a folder a student that is ready to be played
    #[command(after_help = intake::EXAMPLE)]
    Intake(intake::IntakeOptions),
    /// Make an autograder for Gradescope, GitHub Classroom or make: one zip with everything
    #[command(after_help = autograder::EXAMPLE)]
    Autograder(autograder::AutograderOptions),
    /// Grade one submission as a platform does, with a results.json in any case; the zip of judge autograder runs it
    Autograde(autograder::AutogradeOptions),
    /// Grade homework by cases: folders with input.txt and the files expected beside it, all of which have to be right
    #[command(after_help = "\
Examples:
  judge grade-cases cases --engine cmd='python3 homework.py'
  judge grade-cases cases --engine engine=squirrels --time 5 --json
Line ends, blank lines at the end and a byte-order mark do not count.
Exit code: 0 all cases right, or as many as --fail-under asks for; 1 fewer; 2 the program cannot be run; 130 interrupted.")]
    GradeCases(grade::CaseOptions),
    /// Join the records of the parts of a tournament or class; of a tournament, print the table
    Merge(MergeOptions),
    /// Print the table of a record
    Table(TableOptions),
    /// Print a position out of a record, as the input file that its player saw
    #[command(after_help = position::EXAMPLE)]
    Position(position::PositionOptions),
    /// Say what each move of recorded games was worth, what was better, and where games were lost
    #[command(after_help = analyse::EXAMPLE)]
    Analyse(AnalyseOptions),
    /// Turn records into a page for a browser, or print their games as text
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
    /// Show a running match in the terminal, from the record that it writes
    Watch(WatchOptions),
    /// Serve the puzzle of Foxes and Geese over HTTP: the server plays the foxes
    #[command(after_help = "\
Examples:
  judge puzzle --foxes search:8
  foxgeese --server http://127.0.0.1:8239/ --token menagerie --verbose
The first line of standard output says where it listens. ^C ends it.")]
    Puzzle(serve::puzzle::PuzzleOptions),
    /// Ask the agents of the games for answers to random positions under short clocks, and check every one
    #[command(after_help = soak::EXAMPLE)]
    Soak(soak::SoakOptions),
    /// Try the walls around players, one by one: which hold here, why others do not, and what helps
    #[command(after_help = "\
Exit code: 0 all hold; 1 --sandbox required would refuse, or something went through; 2 nothing can be tried.")]
    Sandbox(sandbox::SandboxOptions),
    /// Say what this machine has for grading: version, walls, agents, languages, disk, cores, in ten lines
    #[command(after_help = doctor::EXAMPLE)]
    Doctor(doctor::DoctorOptions),
    /// Fit an engine's numbers by games of two versions of it against each other
    #[command(after_help = tune::EXAMPLE)]
    Tune(tune::TuneOptions),
    /// Learn an evaluation from the agent's own games
    #[command(after_help = learn::EXAMPLE)]
    Learn(learn::LearnOptions),
}

fn match_help() -> String {
    format!(
        "\
{}

Result words: normal, time forfeit, illegal move, bad format, no output, crash, stall, disk quota, draw by move limit,
time left at move limit.
^C once: running games are finished; twice: stop now. With --record nothing is lost: --resume goes on.

Examples:
  judge match --game halma --engine cmd='python3 homework.py' name=mine --engine engine=halma name=ours \\
    --each time=100 --games 10 --concurrency 2 --openings random:4 --seed 7
  judge match --game halma --engine engine=halma name=new args='--nodes 20000' \\
    --engine cmd='old/halma --nodes 20000' name=old --games 400 --sprt elo0=0 elo1=10",
        keys_of_matches()
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
        keys_of_gradings()
    )
}

fn tournament_help() -> String {
    format!(
        "\
{}

Examples:
  judge tournament --config class.toml --record class.jsonl --concurrency 4
  judge tournament --resume class.jsonl --concurrency 4
  judge tournament --config class.toml --shard 3/16 --record part-3.jsonl
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
        keys_of_matches()
    )
}

/// The command line of the judge for these games, for its manual pages and for shells that complete it. To be asked once a
/// process, and not beside [`run`].
#[must_use]
pub fn command_line(games: Vec<Game>) -> clap::Command {
    names::set(games.iter().map(|game| game.arena.name).collect());
    games::set(games);
    CommandLine::command()
}

/// The run of a process that the judge has started from its own program, if this is one.
fn own_use() -> Option<ExitCode> {
    match std::env::args().nth(1)?.as_str() {
        SUPERVISE => Some(system::supervise::run()),
        TRIAL => Some(ExitCode::SUCCESS),
        PROBE => Some(system::sandbox::probes::run(&std::env::args().skip(2).collect::<Vec<_>>())),
        _ => None,
    }
}

/// The whole run of a judge's process, for these games.
#[must_use]
pub fn run(games: Vec<Game>) -> ExitCode {
    // The judge's own uses of its program, every turn of a player among them, need nothing of what follows.
    if let Some(code) = own_use() {
        return code;
    }
    let matches = command_line(games).get_matches();
    let line = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let code = obey(line.command, &matches).unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::from(2)
    });
    remove_scratch();
    code
}

/// The words of each `--engine`, which the derived struct has only all together.
fn engine_words(matches: &ArgMatches) -> Vec<Vec<String>> {
    let (_, matches) = matches.subcommand().expect("a subcommand is required");
    let occurrences = matches.get_occurrences::<String>("engine").into_iter().flatten();
    occurrences.map(|words| words.cloned().collect()).collect()
}

fn obey(command: Command, matches: &ArgMatches) -> Result<ExitCode> {
    let done = |result: Result<()>| result.map(|()| ExitCode::SUCCESS);
    match command {
        Command::Games(options) => {
            print(&games::list(options.names));
            Ok(ExitCode::SUCCESS)
        }
        Command::Check(options) => match (games::find(&options.game)?.check)(&options)? {
            Verdict::Legal(text) => {
                print(&text);
                Ok(ExitCode::SUCCESS)
            }
            Verdict::Refused(reason) => {
                let pointer = rules::pointer(&options.game, reason.lines().next().unwrap_or_default());
                print(&(reason + &pointer));
                Ok(ExitCode::from(1))
            }
        },
        Command::Perft(options) => done((games::find(&options.game)?.perft)(&options)),
        Command::Show(options) => {
            print(&(games::find(&options.game)?.show)(&options)?);
            Ok(ExitCode::SUCCESS)
        }
        Command::Try(options) => preflight::preflight(&options),
        Command::Rules(options) => done(rules::rules(&options)),
        Command::Match(options) => tournament::play_match(&options, &engine_words(matches)),
        Command::Tournament(options) => tournament::play_tournament(&options, &engine_words(matches)),
        Command::Grade(options) => grade::grade(&options).map(ExitCode::from),
        Command::GradeAll(options) => grade::grade_class(&options).map(ExitCode::from),
        Command::Intake(options) => intake::intake(&options).map(ExitCode::from),
        Command::Autograder(options) => autograder::autograder(&options).map(ExitCode::from),
        Command::Autograde(options) => autograder::autograde(&options).map(ExitCode::from),
        Command::GradeCases(options) => grade::grade_cases(&options).map(ExitCode::from),
        Command::Merge(options) => done(tournament::records::merge(&options)),
        Command::Table(options) => done(tournament::records::table(&options)),
        Command::Position(options) => done(position::position(&options)),
        Command::Analyse(options) => analyse::analyse(&options),
        Command::Replay(options) => done(replay::replay(&options)),
        Command::Play(options) => done(play::play(&options)),
        Command::Watch(options) => done(replay::watch::watch(&options)),
        Command::Puzzle(options) => done(serve::puzzle::serve(&options)),
        Command::Monitor(options) => monitor::monitor(&options),
        Command::Soak(options) => soak::soak(&options),
        Command::Sandbox(options) => sandbox::sandbox(&options).map(ExitCode::from),
        Command::Doctor(options) => doctor::doctor(&options).map(ExitCode::from),
        Command::Tune(options) => tune::tune(&options),
        Command::Learn(options) => learn::run(&options),
    }
}
