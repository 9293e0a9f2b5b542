//! `lab term`: a simulated term of a league, against the real server over HTTP: students hand in,
//! workers play, people watch, and processes are killed. At the end it checks that nothing is lost
//! and nothing counts twice.

mod client;
mod course;
mod drawn;
mod findings;
mod options;
mod server;
mod state;

pub(crate) use options::{EXAMPLE, TermOptions};

use anyhow::{Context, Result, ensure};
use arena::random::{self, Purpose};
use client::Client;
use course::Course;
use drawn::DrawnWorker;
use findings::Findings;
use options::Play;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use server::Server;
use state::{Confirmed, Term};
use std::path::PathBuf;
use std::process::{Child, ExitCode};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};
use terminal::output::print;

/// Runs `lab term`.
pub(crate) fn run(options: &TermOptions) -> Result<ExitCode> {
    ensure!(
        options.students > 0 && options.uploads >= options.students + options.rush,
        "--uploads: expected more"
    );
    let seed = options.seed.unwrap_or_else(rand::random);
    eprintln!("seed {seed}");
    let mut numbers = (0..).map(|number| random::generator(seed, Purpose::Question, number));
    let mut random = || numbers.next().expect("endless");
    let course = Course::new(options.students, options.uploads, options.spread, &mut random())?;
    let temporary = tempfile::tempdir()?;
    let directory = options.directory.clone().unwrap_or_else(|| temporary.path().join("league"));
    let server = Server::new(&directory, options.database.as_deref(), 0)?;
    let (cookies, token) = people(&server, &course, temporary.path())?;
    let term = Term {
        server: &server,
        course: &course,
        target: options.games,
        games: Default::default(),
        next: Default::default(),
        over: Default::default(),
        watched: Default::default(),
        confirmed: Default::default(),
        turns: course.students.iter().map(|_| Default::default()).collect(),
        drawn: Default::default(),
        times: Default::default(),
        complaints: Default::default(),
    };
    let start = Instant::now();
    let template = drawn::template(seed)?;
    let mut findings = Findings::new(options, seed);
    thread::scope(|scope| -> Result<()> {
        let _guard = EndGuard(&term);
        for number in 0..options.watchers {
            let (term, cookie, random) =
                (&term, &cookies[1 + number as usize % course.students.len()], random());
            scope.spawn(move || watch(term, cookie, random));
        }
        let mut processes = Vec::new();
        for number in 1..=options.workers {
            match options.play {
                Play::Drawn => {
                    let (name, random) = (format!("drawn {number}"), random());
                    let (term, token, template) = (&term, &token, &template);
                    scope.spawn(move || DrawnWorker { term, name, token, template, random }.run());
                }
                Play::Real => {
                    processes.push(server.start_workers(&token, &cache(temporary.path(), number))?)
                }
            }
        }
        let processes = WorkerProcesses(processes, temporary.path().to_path_buf(), token.clone());
        let (random, term) = (random(), &term);
        let faults = scope.spawn(move || faults(term, processes, options, random));
        for _ in 0..8 {
            let cookies = &cookies;
            scope.spawn(move || hand_in(term, cookies, options));
        }
        play_on(term, options, &cookies[0], &mut findings)?;
        let killed =
            faults.join().map_err(|_| anyhow::anyhow!("the faults ended with a panic"))??;
        findings.killed(killed);
        Ok(())
    })?;
    let wall = start.elapsed();
    findings.check(&term, &cookies[0], temporary.path(), options)?;
    print(&findings.text(&term, wall));
    Ok(ExitCode::from(u8::from(findings.are_bad())))
}

/// Ends all threads of a term when it is dropped.
struct EndGuard<'a>(&'a Term<'a>);

impl Drop for EndGuard<'_> {
    fn drop(&mut self) {
        self.0.watched.store(true, Relaxed);
        self.0.over.store(true, Relaxed);
        self.0.next.store(u64::MAX / 2, Relaxed);
    }
}

/// The processes of workers, the folder of their caches, and their token.
struct WorkerProcesses(Vec<Child>, PathBuf, String);

impl Drop for WorkerProcesses {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn cache(folder: &std::path::Path, number: u32) -> PathBuf {
    folder.join(format!("cache-{number}"))
}

/// Reads the roster in, and signs everybody in. Returns the cookies, the teacher's first, and a
/// token for workers.
fn people(
    server: &Server,
    course: &Course,
    folder: &std::path::Path,
) -> Result<(Vec<String>, String)> {
    let roster = folder.join("roster.csv");
    std::fs::write(&roster, course.roster())?;
    let links =
        server.league(&["people"], &[roster.to_str().context("a folder that is not UTF-8")?])?;
    let client = Client::new(&server.address);
    let mut cookies = Vec::new();
    for line in links.lines().skip(1) {
        let link = line.rsplit(',').next().unwrap_or_default();
        let path = link
            .find("/enter/")
            .map(|at| &link[at..])
            .with_context(|| format!("no link: {line}"))?;
        cookies.push(client.sign_in(path.trim_end_matches('"'))?);
    }
    ensure!(cookies.len() == course.students.len() + 1, "{} links", cookies.len());
    let token = server.league(&["token"], &["lab"])?.trim().to_string();
    Ok((cookies, token))
}

/// Hands in one upload after another: in step with the games at first, then those of the rush
/// within a minute.
fn hand_in(term: &Term, cookies: &[String], options: &TermOptions) {
    let client = Client::new(&term.server.address);
    let before_rush = options.uploads - options.rush;
    loop {
        let number = term.next.fetch_add(1, Relaxed) as usize;
        let Some(upload) = term.course.uploads.get(number) else { return };
        // A student of the first round hands in at once.
        let due = |games: u64| {
            number < options.students || {
                let part = number.min(before_rush) as f64 / before_rush as f64;
                games as f64 >= part * options.games as f64 / 2.0
            }
        };
        while !due(term.games.load(Relaxed)) && !term.over.load(Relaxed) {
            thread::sleep(Duration::from_millis(50));
        }
        if number >= before_rush {
            // Eight threads: 200 in a minute are one in 2.4 s for each.
            thread::sleep(Duration::from_secs_f64(8.0 * 60.0 / options.rush as f64 * 0.9));
        }
        // A student hands in one program at a time.
        let _turn = term.turns[upload.student].lock().unwrap_or_else(PoisonError::into_inner);
        while !term.over.load(Relaxed) {
            match client.upload(&cookies[1 + upload.student], &upload.file, &upload.bytes) {
                Ok((201, body)) => {
                    let answer: serde_json::Value =
                        serde_json::from_slice(&body).unwrap_or_default();
                    let field = |name: &str| answer[name].as_u64().unwrap_or_default();
                    let confirmed = Confirmed {
                        submission: field("submission"),
                        number: field("number"),
                        upload: number,
                    };
                    term.confirmed.lock().unwrap_or_else(PoisonError::into_inner).push(confirmed);
                    break;
                }
                Ok((status, _)) => term
                    .complain(&format!("an upload: status {status}"), &anyhow::anyhow!("refused")),
                Err(error) => term.complain("an upload", &error),
            }
            // Not confirmed: the student tries again.
            thread::sleep(Duration::from_millis(300));
        }
    }
}

/// Loads a page every other second until the term is over, as the browser of somebody who watches
/// does.
fn watch(term: &Term, cookie: &str, mut random: ChaCha8Rng) {
    let client = Client::new(&term.server.address);
    while !term.watched.load(Relaxed) {
        thread::sleep(Duration::from_millis(random.random_range(1_000..3_000)));
        let games = term.games.load(Relaxed);
        let page = match random.random_range(0..10) {
            0..3 => 0,
            3..6 => 1,
            6..8 if games > 0 => 2,
            _ => 3,
        };
        let path = match page {
            0 => "/".to_string(),
            // The baselines come first.
            1 => format!("/players/{}", random.random_range(1..=term.course.students.len())),
            2 => format!("/games/{}", random.random_range(1..=games)),
            _ => "/live".to_string(),
        };
        let start = Instant::now();
        match client.page(cookie, &path) {
            Ok((200, _)) => {
                let time = start.elapsed().as_secs_f64() * 1_000.0;
                let quarter = (4 * games / term.target.max(1)).min(3) as usize;
                term.times
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .0
                    .push((page, quarter, time));
            }
            Ok((status, _)) => {
                term.complain(&format!("a watcher: status {status}"), &anyhow::anyhow!("{path}"))
            }
            Err(error) => term.complain("a watcher", &error),
        }
    }
}

/// Waits until enough games are played, and takes notes at each quarter; then freezes the ladder,
/// and waits until all jobs are done.
fn play_on(
    term: &Term,
    options: &TermOptions,
    teacher: &str,
    findings: &mut Findings,
) -> Result<()> {
    let client = Client::new(&term.server.address);
    let figure = |name: &str| term.server.figure(&client, name);
    let mut last = 0;
    findings.quarter(term, 0);
    loop {
        thread::sleep(Duration::from_millis(500));
        let Ok(games) = figure("league_games_total") else { continue };
        let quarter = |games: u64| (4 * games / options.games.max(1)).min(4);
        let is_new_quarter = quarter(games) > quarter(last);
        if is_new_quarter {
            findings.quarter(term, games);
        }
        last = games;
        term.games.store(games, Relaxed);
        let all_handed_in =
            term.confirmed.lock().unwrap_or_else(PoisonError::into_inner).len() == options.uploads;
        if games >= options.games && all_handed_in {
            break;
        }
    }
    term.watched.store(true, Relaxed);
    loop {
        match client.form(teacher, "/staff/freeze", &[("frozen", "yes")]) {
            Ok(303) => break,
            other => term.complain("the teacher", &anyhow::anyhow!("freeze: {other:?}")),
        }
        thread::sleep(Duration::from_millis(300));
    }
    // A job whose worker has vanished is given to another one after a minute.
    for _ in 0..600 {
        thread::sleep(Duration::from_millis(500));
        let open = ["league_checks_waiting", "league_pairs_waiting", "league_jobs_running"]
            .map(|name| figure(name).ok());
        if open.into_iter().map(|count| count.unwrap_or(1)).sum::<u64>() == 0 {
            break;
        }
    }
    term.over.store(true, Relaxed);
    Ok(())
}

/// Kills the server or a worker at random moments. Returns the number of kills of each.
fn faults(
    term: &Term,
    mut workers: WorkerProcesses,
    options: &TermOptions,
    mut random: ChaCha8Rng,
) -> Result<[u32; 2]> {
    let mut killed = [0; 2];
    while !term.over.load(Relaxed) {
        let pause = Duration::from_secs_f64(options.kill_pause * random.random::<f64>());
        let until = Instant::now() + pause;
        while Instant::now() < until && !term.over.load(Relaxed) {
            thread::sleep(Duration::from_millis(20));
        }
        if killed[0] + killed[1] >= options.kills || term.watched.load(Relaxed) {
            continue;
        }
        let count = workers.0.len();
        if count > 0 && random.random_ratio(1, 2) {
            let at = random.random_range(0..count);
            workers.0[at].kill()?;
            workers.0[at].wait()?;
            workers.0[at] =
                term.server.start_workers(&workers.2, &cache(&workers.1, at as u32 + 1))?;
            killed[1] += 1;
        } else {
            term.server.kill_and_restart(Duration::from_secs_f64(0.5 * random.random::<f64>()))?;
            killed[0] += 1;
        }
    }
    Ok(killed)
}
