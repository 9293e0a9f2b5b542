//! Writes the manual pages and shell completions of all programs. It is a separate program, so that
//! the agents do not contain code that only an installation needs.

use anyhow::{Context, Result};
use clap::{Command, Parser};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use engine::Agent;
use engine::agent::command_line;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use terminal::output::write_file;

/// Writes manual pages and completions of options for the agents, judge, solve and league.
#[derive(Parser)]
#[command(
    name = "manuals",
    version,
    after_help = "\
Example: manuals share
leaves share/man/man1/halma.1, share/bash-completion/completions/halma, share/zsh/site-functions/_halma,
share/fish/vendor_completions.d/halma.fish and so on: the places where they are looked for below /usr/local. PowerShell looks nowhere:
share/powershell/completions/halma.ps1 is run by a line in its profile.
Exit code: 0 written; 2 a file cannot be written."
)]
struct CommandLine {
    /// The directory to write to; files of the same names are overwritten
    directory: PathBuf,
}

/// The shells, each with the folder for its completions below `share/`. All but PowerShell look
/// there by themselves.
const SHELLS: [(Shell, &str); 4] = [
    (Shell::Bash, "bash-completion/completions"),
    (Shell::Zsh, "zsh/site-functions"),
    (Shell::Fish, "fish/vendor_completions.d"),
    (Shell::PowerShell, "powershell/completions"),
];

fn main() -> ExitCode {
    terminal::program::run(games::all(), |line: CommandLine| {
        write_all(&line.directory)?;
        Ok(ExitCode::SUCCESS)
    })
}

fn agent<A: Agent>() -> Command {
    command_line::<A>().bin_name(A::NAME)
}

fn programs() -> Vec<Command> {
    macro_rules! agents {
        ($($game:ident,)*) => { vec![$(agent::<games::$game::Position>()),*] };
    }
    let mut programs = games::each_game!(agents);
    programs.push(judge::command_line(games::all()).bin_name("judge"));
    programs.push(solver::command_line().bin_name("solve"));
    #[cfg(target_os = "linux")]
    programs.push(league::command_line(games::all()).bin_name("league"));
    programs
}

fn write_all(directory: &Path) -> Result<()> {
    for mut program in programs() {
        let name = program.get_name().to_string();
        program.build();
        write_manual(&directory.join("man/man1"), &program, &name)?;
        for (shell, folder) in SHELLS {
            let mut text = Vec::new();
            generate(shell, &mut program, &name, &mut text);
            let file = match shell {
                Shell::Zsh => format!("_{name}"),
                Shell::Fish => format!("{name}.fish"),
                Shell::PowerShell => format!("{name}.ps1"),
                _ => name.clone(),
            };
            write(&directory.join(folder), &file, text)?;
        }
    }
    Ok(())
}

/// Writes the manual page of a program, and one for each of its visible subcommands.
fn write_manual(folder: &Path, program: &Command, name: &str) -> Result<()> {
    let mut text = Vec::new();
    // The page has no date, so that builds are reproducible.
    let page = Man::new(program.clone())
        .title(name)
        .source(format!("menagerie {}", env!("CARGO_PKG_VERSION")));
    page.render(&mut text)?;
    write(folder, &format!("{name}.1"), text)?;
    let is_shown = |command: &&Command| command.get_name() != "help" && !command.is_hide_set();
    for command in program.get_subcommands().filter(is_shown) {
        write_manual(folder, command, &format!("{name}-{}", command.get_name()))?;
    }
    Ok(())
}

/// Writes a file, and makes its folder.
fn write(folder: &Path, file: &str, text: Vec<u8>) -> Result<()> {
    let path = folder.join(file);
    fs::create_dir_all(folder).with_context(|| format!("{}: cannot be written", path.display()))?;
    write_file(&path, &String::from_utf8(text)?)
}
