//! The command line of the program `league`.

use crate::backup;
use crate::clock::{DAY, now};
use crate::config::{self, Config};
use crate::likeness;
use crate::place::LeaguePlace;
use crate::roster;
use crate::serve::{self, ServeOptions};
use crate::store::{CredentialKind, LeagueStore, Person, Setting};
use crate::submit::{SubmitOptions, submit};
use crate::work::{self, WorkerOptions};
use anygame::AnyGame;
use anyhow::{Context, Result, bail};
use arena::rules_program;
use clap::{Args, CommandFactory, Parser, Subcommand};
use files::write_atomically;
use intake::sheet::Sheet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use terminal::games::{self, find, name_parser};
use terminal::output::print;
use terminal::program;

/// Runs a course's standing competition: students hand in programs, which are compiled and tried in
/// the sandbox and play day and night; a ladder and all games on pages.
#[derive(Parser)]
#[command(
    name = "league",
    version,
    after_help = "\
docs/league.md is the manual, with examples.
Exit code: 0 done; 1 `check` found something wrong, or the program of `submit` does not play; 2 a file or the command line is bad."
)]
struct CommandLine {
    #[command(subcommand)]
    command: LeagueCommand,
}

#[derive(Subcommand)]
enum LeagueCommand {
    /// Make a league: a directory with its settings, league.toml
    Init(InitOptions),
    /// Serve a league: its pages, and workers that check programs and play games
    Serve(ServeOptions),
    /// Start further workers for a league, on this machine or another one
    Worker(WorkerOptions),
    /// Print a new token for the workers of another machine
    Token(TokenOptions),
    /// Hand in a program, and print the report of its check; exit code 1 if it does not play
    Submit(SubmitOptions),
    /// Add the people of a roster, and print a one-time link for each as CSV
    People(PeopleOptions),
    /// Print a new one-time link for somebody
    Link(LinkOptions),
    /// Write all of a league into a tar archive, also while it is served
    Backup(BackupOptions),
    /// Unpack a backup into a new directory
    Restore(BackupOptions),
    /// Check that database and files fit together; exit code 1 if they do not
    Check(LeaguePlace),
    /// List the pairs of programs on the ladder that share most text: a hint for a human, never a
    /// verdict
    Likeness(LeaguePlace),
    /// Write the records of all games into one file, which all commands of the judge read
    Records(RecordsOptions),
}

#[derive(Args)]
struct InitOptions {
    /// The directory to make
    directory: PathBuf,

    /// The game, or the folder of a game of your own
    #[arg(long, value_parser = name_parser())]
    game: String,

    /// The title on the pages
    #[arg(long)]
    title: String,
}

#[derive(Args)]
struct LinksOptions {
    #[command(flatten)]
    place: LeaguePlace,

    /// The address of the server, which links begin with [default: that of league.toml, or the one
    /// that the server listens on]
    #[arg(long)]
    address: Option<String>,
}

impl LinksOptions {
    async fn link(&self, store: &LeagueStore, person: &Person, config: &Config) -> Result<String> {
        let known = config.address.as_ref().map(|(address, _)| address.clone());
        let served = store.setting(Setting::Served).await?;
        let address = self.address.clone().or(known).or(served);
        let address = address.unwrap_or_else(|| "http://127.0.0.1:8300".to_string());
        let secret = store.new_link(person.id, now()).await?;
        Ok(format!("{}/enter/{secret}", address.trim_end_matches('/')))
    }
}

#[derive(Args)]
struct PeopleOptions {
    #[command(flatten)]
    links: LinksOptions,

    /// A CSV file with the columns id, name, team, role (the last two may be missing), or the
    /// roster of Canvas, Moodle or Gradescope
    roster: PathBuf,
}

#[derive(Args)]
struct LinkOptions {
    #[command(flatten)]
    links: LinksOptions,

    /// The login of the roster
    login: String,
}

#[derive(Args)]
struct TokenOptions {
    #[command(flatten)]
    place: LeaguePlace,

    /// The name of the machine
    machine: String,
}

#[derive(Args)]
struct BackupOptions {
    /// The league's directory
    directory: PathBuf,

    /// The file
    file: PathBuf,
}

#[derive(Args)]
struct RecordsOptions {
    #[command(flatten)]
    place: LeaguePlace,

    /// The file
    file: PathBuf,
}

/// Returns the description of the command line for these games, for manual pages and shell
/// completions. Call it at most once in a process, and not together with [`run`].
pub fn command_line(games: Vec<AnyGame>) -> clap::Command {
    games::set(games);
    CommandLine::command()
}

/// Runs the program for these games, with the arguments of the process, and returns the exit code.
pub fn run(games: Vec<AnyGame>) -> ExitCode {
    program::run(games, |line: CommandLine| dispatch(&line.command).map(ExitCode::from))
}

fn dispatch(command: &LeagueCommand) -> Result<u8> {
    match command {
        LeagueCommand::Init(options) => init(options)?,
        LeagueCommand::Serve(options) => serve::serve(options)?,
        LeagueCommand::Worker(options) => work::work(options)?,
        LeagueCommand::People(options) => people(options)?,
        LeagueCommand::Link(options) => link(options)?,
        LeagueCommand::Token(options) => token(options)?,
        LeagueCommand::Submit(options) => return submit(options),
        LeagueCommand::Backup(options) => wait(backup::backup(&options.directory, &options.file))?,
        LeagueCommand::Restore(options) => {
            wait(backup::restore(&options.file, &options.directory))?
        }
        LeagueCommand::Check(options) => return check(options),
        LeagueCommand::Likeness(options) => likeness(options)?,
        LeagueCommand::Records(options) => wait(backup::records(&options.place, &options.file))?,
    }
    Ok(0)
}

fn wait<T>(command: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(command)
}

fn init(options: &InitOptions) -> Result<()> {
    let game = find(&options.game)?;
    let directory = options.directory.display();
    let path = options.directory.join(config::FILE);
    if path.exists() {
        bail!("{}: there is a league already", path.display());
    }
    // Other users of the machine must not read uploads.
    backup::make_private(&options.directory)?;
    let text = config::new_file(game, &options.title);
    if let Some(folder) = game.interface.folder {
        let to = options.directory.join(config::GAME_FOLDER);
        copy_game(folder, &to)
            .with_context(|| format!("{}: cannot be copied", folder.display()))?;
    }
    Config::parse(&path.display().to_string(), &text)?;
    write_atomically(&path, &text)
        .with_context(|| format!("{}: cannot be written", path.display()))?;
    print(&format!(
        "{}: change the settings as you like, then:\n  league people {directory} roster.csv\n  league serve {directory}\n",
        path.display()
    ));
    Ok(())
}

fn copy_game(from: &Path, to: &Path) -> io::Result<()> {
    for file in rules_program::files(from)? {
        let to = to.join(&file);
        fs::create_dir_all(to.parent().unwrap_or(&to))?;
        fs::copy(from.join(file), to)?;
    }
    Ok(())
}

fn people(options: &PeopleOptions) -> Result<()> {
    let config = Config::read(&options.links.place.directory)?;
    let roster = roster::read(&Sheet::read(&options.roster)?)?;
    wait(async {
        let store = options.links.place.open().await?;
        let added = store.add_people(&roster).await?;
        print(&intake::spreadsheet::row(["login", "name", "role", "link"])?);
        for person in &added {
            let link = options.links.link(&store, person, &config).await?;
            print(&intake::spreadsheet::row([
                &person.login,
                &person.name,
                person.role.word(),
                &link,
            ])?);
        }
        store.note(now(), None, "read a roster", &format!("{} people", added.len())).await
    })
}

fn link(options: &LinkOptions) -> Result<()> {
    let config = Config::read(&options.links.place.directory)?;
    wait(async {
        let store = options.links.place.open().await?;
        let person = store.person_by_login(&options.login).await?;
        let person =
            person.with_context(|| format!("no person with the login '{}'", options.login))?;
        print(&format!("{}\n", options.links.link(&store, &person, &config).await?));
        Ok(())
    })
}

fn token(options: &TokenOptions) -> Result<()> {
    wait(async {
        let store = options.place.open().await?;
        let (now, label) = (now(), arena::plain::shown(&options.machine));
        let token = store
            .new_credential(CredentialKind::Worker, None, &label, (now, now + 365 * DAY))
            .await?;
        store.note(now, None, "made a token for workers", &label).await?;
        print(&format!("{token}\n"));
        Ok(())
    })
}

fn likeness(place: &LeaguePlace) -> Result<()> {
    let pairs = wait(likeness::likeness(place))?;
    if pairs.is_empty() {
        print("no two programs share anything that others do not\n");
    }
    for ([one, other], pair) in pairs {
        print(&format!("{}: {one} and {other}\n", pair.how()));
    }
    Ok(())
}

fn check(place: &LeaguePlace) -> Result<u8> {
    let faults = wait(backup::faults(place))?;
    for fault in &faults {
        print(&format!("{fault}\n"));
    }
    if faults.is_empty() {
        print("all is well\n");
    }
    Ok(u8::from(!faults.is_empty()))
}
