//! `league worker`: workers of another machine, or more of them on this one.

use crate::config::Config;
use crate::disk::Disks;
use crate::files::LeagueFiles;
use crate::http::Client;
use crate::place::LeaguePlace;
use crate::worker::{JobSource, LocalJobs, Programs, RemoteJobs, Worker};
use anyhow::{Result, bail};
use arena::player::sandbox_layers::layers;
use arena::processors::take_share;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use terminal::interrupt;
use terminal::output::print;
use terminal::sandbox_layers::admit_strangers;
use tokio::signal::unix::{SignalKind, signal};

#[derive(Args)]
#[command(override_usage = "league worker [OPTIONS] <DIRECTORY>
       league worker [OPTIONS] --server <ADDRESS> --token <TOKEN>")]
pub(crate) struct WorkerOptions {
    #[command(flatten)]
    place: Option<LeaguePlace>,

    /// The address of the league's server, instead of its directory
    #[arg(
        long,
        value_name = "ADDRESS",
        conflicts_with_all = ["directory", "database"],
        requires = "token"
    )]
    server: Option<String>,

    /// A token of `league token`
    #[arg(long, env = "LEAGUE_WORKER_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    token: Option<String>,

    /// Workers [default: the number of cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=4096))]
    workers: Option<u32>,

    /// Where programs are unpacked, on a disk of this machine [default: a folder of the league's
    /// directory, or a temporary one]
    #[arg(long, value_name = "DIRECTORY")]
    cache: Option<PathBuf>,
}

pub(crate) fn work(options: &WorkerOptions) -> Result<()> {
    let count = options.workers.unwrap_or_else(cores) as usize;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let temporary = tempfile::tempdir()?;
    let cache = |own: PathBuf| options.cache.clone().unwrap_or(own);
    let (config, jobs, cache, disks): (_, Arc<dyn JobSource>, _, _) =
        match (&options.place, &options.server) {
            (Some(place), _) => {
                let directory = &place.directory;
                let config = Arc::new(Config::read(directory)?);
                let store = runtime.block_on(place.open())?;
                let (files, runtime) = (LeagueFiles::open(directory)?, runtime.handle().clone());
                let cache = cache(directory.join("cache"));
                let disks = Arc::new(Disks::of([directory.clone(), cache.clone()]));
                let (of, on) = (Arc::clone(&config), Arc::clone(&disks));
                let jobs =
                    LocalJobs { config: of, store, files, disks: on, workers: count, runtime };
                (config, Arc::new(jobs), cache, disks)
            }
            (None, server) => {
                let text = |option: &Option<String>| option.clone().unwrap_or_default();
                let client = Client::new(&text(server), &text(&options.token))?;
                let settings = String::from_utf8(client.get("/worker/settings")?)?;
                let config = Arc::new(Config::parse("the settings of the league", &settings)?);
                let cache = cache(temporary.path().to_path_buf());
                let disks = Arc::new(Disks::of([cache.clone()]));
                (config, Arc::new(RemoteJobs(client)), cache, disks)
            }
        };
    // `sandbox = "off"` in the settings is the agreement.
    admit_strangers(&config.bounds, true, count)?;
    interrupt::catch()?;
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    runtime.spawn(async move {
        asked_to_end().await;
        asked.store(true, Ordering::Relaxed);
    });
    let programs = Arc::new(Programs::open(cache)?);
    let worker = Worker { name: String::new(), config, jobs, programs, disks, stop };
    let workers = start_workers(&worker, count)?;
    print(&format!("{count} workers\n"));
    workers.into_iter().for_each(|worker| drop(worker.join()));
    Ok(())
}

/// Returns when the process is asked to end: by ^C, or by SIGTERM.
pub(crate) async fn asked_to_end() {
    let Ok(mut terminate) = signal(SignalKind::terminate()) else { return };
    let interrupted = async {
        while !interrupt::asked() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::select! {
        _ = terminate.recv() => (),
        () = interrupted => (),
    }
}

pub(crate) fn cores() -> u32 {
    u32::try_from(thread::available_parallelism().map_or(1, usize::from)).unwrap_or(1)
}

/// Starts workers like this one, each with a name and a share of the processors.
pub(crate) fn start_workers(like: &Worker, count: usize) -> Result<Vec<JoinHandle<()>>> {
    let config = &like.config;
    if count > 0 && config.proxy_sign_in.is_some() && !layers(&config.bounds)?.namespaces {
        bail!(
            "[proxy-sign-in]: programs could ask this server as if they were the proxy, since this machine gives them no network of \
             their own (see `judge sandbox`); serve with --workers 0, and start workers on another machine"
        );
    }
    let start = |number| {
        let worker = Worker { name: format!("{}-{number}", std::process::id()), ..like.clone() };
        let thread = thread::Builder::new().name(format!("worker {number}"));
        Ok(thread.spawn(move || {
            take_share(number - 1, count);
            worker.run();
        })?)
    };
    (1..=count).map(start).collect()
}
