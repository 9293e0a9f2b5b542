//! `league submit`: hands in a program from the command line, and prints the report of its check.

use crate::http::Client;
use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Deserialize;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;
use terminal::output::print;

const LOOK: Duration = Duration::from_millis(700);

#[derive(Args)]
pub(crate) struct SubmitOptions {
    /// A zip, or the one source file of a program
    file: PathBuf,

    /// The address of the league, such as https://league.school.example
    #[arg(long, env = "LEAGUE_SERVER", value_name = "ADDRESS")]
    server: String,

    /// A token from the page `Account`
    #[arg(long, env = "LEAGUE_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    token: String,
}

#[derive(Deserialize)]
struct Accepted {
    submission: i64,
    number: i64,
    address: String,
}

/// Hands in, waits for the check and prints its report. Returns the exit code: 1 if the program
/// does not play.
pub(crate) fn submit(options: &SubmitOptions) -> Result<u8> {
    let name = options.file.display();
    let bytes = std::fs::read(&options.file).with_context(|| format!("{name}: cannot be read"))?;
    let client = Client::new(&options.server, &options.token)?;
    let file_name = options.file.file_name().unwrap_or_default().to_string_lossy();
    let answer = client.upload("/submissions", &file_name, &bytes)?;
    let accepted: Accepted = serde_json::from_str(&answer).context("the answer of the server")?;
    let page = format!("{}{}", options.server.trim_end_matches('/'), accepted.address);
    print(&format!("version {} was handed in: {page}\n", accepted.number));
    let path = format!("/submissions/{}/report.json", accepted.submission);
    let mut shown = String::new();
    loop {
        let report: CheckReport =
            serde_json::from_slice(&client.get(&path)?).context("the answer of the server")?;
        // A report grows at its end, but for the line that tells how many checks come first.
        match report.text.strip_prefix(&shown) {
            Some(more) => print(more),
            None => print(&report.text),
        }
        shown = report.text;
        match report.state.as_str() {
            "waiting" => thread::sleep(LOOK),
            "plays" => return Ok(0),
            "refused" => return Ok(1),
            state => bail!("the submission is {state}: {page}"),
        }
    }
}

#[derive(Deserialize)]
struct CheckReport {
    state: String,
    text: String,
}
