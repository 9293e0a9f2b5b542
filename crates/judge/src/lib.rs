//! The judge: checks, counts and shows; plays and grades programs that live by files and clocks. The program is
//! [`run`]; what reads untrusted texts is there for fuzzers as well.

mod check;
mod contest;
mod count;
mod games;
mod grade;
mod interrupt;
mod monitor;
mod pgn;
mod plain;
mod player;
mod progress;
mod ratings;
pub mod record;
mod referee;
mod replay;
mod schedule;
mod serve;
mod soak;
mod standings;
mod standstill;
mod tournament;
mod tune;

use anyhow::Result;
use check::Verdict;
use clap::{ArgGroup, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Checks positions and moves, plays matches and tournaments, and grades programs, for the games of Menagerie.
#[derive(Parser)]
#[command(
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

#[derive(Subcommand)]
enum Command {
    /// List the games: name, title, words of the sides, rule sets
    Games {
        /// Only their names
        #[arg(long)]
        names: bool,
    },
    /// Check a move: exit code 0 and the board after it, or 1 and the reason why it is refused
    Check {
        /// The game
        #[arg(value_parser = games::name_parser())]
        game: String,
        /// The input file: the position
        input: PathBuf,
        /// The output file: the move
        output: PathBuf,
        /// The rule set to refuse by; the most permissive one unless given
        #[arg(long, value_name = "NAME")]
        rules: Option<String>,
    },
    /// Count the lines of moves from a position, depth by depth
    Perft {
        /// The game
        #[arg(value_parser = games::name_parser())]
        game: String,
        /// The deepest count, in plies
        #[arg(short, long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=64))]
        depth: u32,
        /// The position, an input file; the start of the game unless given
        #[arg(short, long, value_name = "FILE")]
        input: Option<PathBuf>,
        /// The rule set; the judge's most permissive one unless given
        #[arg(long, value_name = "NAME")]
        rules: Option<String>,
    },
    /// Draw a position with coordinates and list its legal moves
    Show {
        /// The game
        #[arg(value_parser = games::name_parser())]
        game: String,
        /// The input file: the position
        input: PathBuf,
        /// The rule set; the judge's most permissive one unless given
        #[arg(long, value_name = "NAME")]
        rules: Option<String>,
    },
    /// Play a match of two engines: pairs of games from the same opening, with sides swapped
    #[command(after_help = match_help())]
    Match {
        #[command(flatten)]
        contest: contest::Contest,
    },
    /// Play a tournament of two or more engines, each meeting in pairs of games
    #[command(after_help = tournament_help())]
    Tournament {
        #[command(flatten)]
        contest: contest::Contest,
        #[command(flatten)]
        only: contest::TournamentOnly,
    },
    /// Grade an agent: single positions and games against plain minimax, a score, and why points were lost
    #[command(after_help = grade_help())]
    Grade(grade::GradeOptions),
    /// Grade a directory of submissions, each in a directory of its own; a table and a CSV file
    #[command(after_help = "\
Example: judge grade-all --game halma submissions --cmd 'python3 homework.py' --csv grades.csv --reports reports
A submission that is not run by that command has a file `command` with its own, such as: java -jar agent.jar")]
    GradeAll(grade::ClassOptions),
    /// Grade homework by cases: folders with input.txt and the files expected beside it, all of which have to be right
    #[command(after_help = "\
Examples:
  judge grade-cases cases --engine cmd='python3 homework.py'
  judge grade-cases cases --engine engine=squirrels --time 5 --json
Line ends, blank lines at the end and a byte-order mark do not count.
Exit code: 0 all cases right, or as many as --fail-under asks for; 1 fewer; 2 the program cannot be run; 130 interrupted.")]
    GradeCases(grade::CaseOptions),
    /// Join the records of a tournament's parts and print the table
    Merge {
        /// The records
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Write the joined record to this file
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Print the table of a record
    Table {
        /// The record
        file: PathBuf,
        /// Write the games in a form that rating tools such as Ordo read
        #[arg(long, value_name = "FILE")]
        pgn: Option<PathBuf>,
    },
    /// Turn records into a page for a browser, or print their games as text
    #[command(group = ArgGroup::new("form").args(["html", "text"]).required(true), after_help = "\
Examples:
  judge replay class.jsonl --html class.html
  judge replay class.jsonl --text --game 3 | less")]
    Replay {
        /// The records
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Write one self-contained page to this file
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
        /// Print the games
        #[arg(long)]
        text: bool,
        /// Only these games, by number
        #[arg(long, value_name = "NUMBER", value_delimiter = ',')]
        game: Vec<u32>,
    },
    /// Run games of FoxGame between agents that connect over TCP
    #[command(after_help = monitor::EXAMPLE)]
    Monitor(monitor::MonitorOptions),
    /// Show a running match in the terminal, from the record that it writes
    Watch {
        /// The record
        file: PathBuf,
        /// Show it once, and leave
        #[arg(long)]
        once: bool,
    },
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
    /// Fit an engine's numbers by games of two versions of it against each other
    #[command(after_help = tune::EXAMPLE)]
    Tune(tune::TuneOptions),
    /// Run a player for the judge
    #[command(hide = true)]
    Supervise,
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
        player::spec::keys_of_matches()
    )
}

fn grade_help() -> String {
    format!(
        "\
{}

Exit code: 0 graded; 1 graded, fewer points than --fail-under; 2 the agent cannot be run; 130 interrupted.

Examples:
  judge grade --game halma --engine cmd='python3 homework.py'
  judge grade --game halma --engine engine=halma --report gradescope -o results.json",
        player::spec::keys_of_gradings()
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
        player::spec::keys_of_matches()
    )
}

/// The whole run of the judge's process.
#[must_use]
pub fn run() -> ExitCode {
    let matches = CommandLine::command().get_matches();
    let line = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let code = match obey(line.command, &matches) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    };
    player::seat::remove_scratch();
    code
}

/// Writes to standard output. A reader that has seen enough ends the program quietly.
fn print(text: &str) {
    let mut stdout = std::io::stdout().lock();
    if let Err(error) = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        if error.kind() != ErrorKind::BrokenPipe {
            eprintln!("standard output: {error}");
        }
        player::seat::remove_scratch();
        std::process::exit(i32::from(error.kind() != ErrorKind::BrokenPipe) * 2);
    }
}

/// The words of each `--engine`, which the derived struct has only all together.
fn engine_words(matches: &ArgMatches) -> Vec<Vec<String>> {
    let (_, matches) = matches.subcommand().expect("a subcommand is required");
    let occurrences = matches.get_occurrences::<String>("engine").into_iter().flatten();
    occurrences.map(|words| words.cloned().collect()).collect()
}

fn obey(command: Command, matches: &ArgMatches) -> Result<ExitCode> {
    // The name parser lets only names of the list through.
    const LISTED: &str = "the game is in the list";
    match command {
        Command::Games { names } => print(&games::list(names)),
        Command::Check { game, input, output, rules } => {
            let verdict = games::visit(&game, check::Check { input, output, rules }).expect(LISTED)?;
            match verdict {
                Verdict::Legal(text) => print(&text),
                Verdict::Refused(reason) => {
                    print(&reason);
                    return Ok(ExitCode::from(1));
                }
            }
        }
        Command::Perft { game, depth, input, rules } => {
            games::visit(&game, count::Perft { depth, input, rules }).expect(LISTED)?;
        }
        Command::Match { contest } => return contest::contest(&contest, None, &engine_words(matches)),
        Command::Tournament { contest, only } => {
            return contest::contest(&contest, Some(&only), &engine_words(matches));
        }
        Command::Grade(options) => return Ok(ExitCode::from(grade::grade(&options)?)),
        Command::GradeAll(options) => return Ok(ExitCode::from(grade::grade_class(&options)?)),
        Command::GradeCases(options) => return Ok(ExitCode::from(grade::grade_cases(&options)?)),
        Command::Merge { files, output } => contest::merge(&files, output.as_deref())?,
        Command::Table { file, pgn } => contest::table(&file, pgn.as_deref())?,
        Command::Replay { files, html, text: _, game } => match html {
            Some(page) => replay::html(&files, &game, &page)?,
            None => replay::text(&files, &game)?,
        },
        Command::Watch { file, once } => replay::watch::watch(&file, once)?,
        Command::Puzzle(options) => serve::puzzle::serve(&options)?,
        Command::Monitor(options) => return monitor::monitor(&options),
        Command::Soak(options) => return soak::soak(&options),
        Command::Tune(options) => return tune::tune(&options),
        Command::Supervise => return Ok(player::supervise::run()),
        Command::Show { game, input, rules } => {
            print(&games::visit(&game, check::Show { input, rules }).expect(LISTED)?);
        }
    }
    Ok(ExitCode::SUCCESS)
}
