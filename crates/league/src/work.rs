//! `judge league worker`: workers of another machine, or more of them on this one.

use crate::config::Config;
use crate::files::Files;
use crate::store::Store;
use crate::worker::{Board, LocalBoard, Worker, programs};
use anyhow::Result;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{self, JoinHandle};
use terminal::interrupt;
use terminal::layers::{announce_to_processes, check_sandbox_for_strangers};
use terminal::output::print;

/// Options of `judge league worker`.
#[derive(Args)]
pub(crate) struct WorkerOptions {
    /// The league's directory, on a disk that all machines share
    directory: PathBuf,

    /// The database, as for `serve`; several machines need PostgreSQL
    #[arg(long, value_name = "URL")]
    database: Option<String>,

    /// Workers [default: the number of cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=4096))]
    workers: Option<u32>,

    /// Where programs are unpacked, on a disk of this machine [default: a folder of the league's directory]
    #[arg(long, value_name = "DIRECTORY")]
    cache: Option<PathBuf>,
}

/// Works until the process is asked to end.
pub(crate) fn work(options: &WorkerOptions) -> Result<()> {
    let config = Arc::new(Config::read(&options.directory)?);
    check_sandbox_for_strangers(&config.bounds)?;
    announce_to_processes(&config.bounds)?;
    interrupt::catch()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let store = runtime.block_on(Store::open(&options.directory, options.database.as_deref()))?;
    let count = options.workers.unwrap_or_else(cores) as usize;
    let board = LocalBoard {
        config: Arc::clone(&config),
        store,
        files: Files::open(&options.directory)?,
        workers: count,
        runtime: runtime.handle().clone(),
    };
    let cache = options.cache.clone().unwrap_or_else(|| options.directory.join("cache"));
    let workers = start_workers(&cache, &config, &(Arc::new(board) as Arc<dyn Board>), count, &Arc::default())?;
    print(&format!("{count} workers\n"));
    workers.into_iter().for_each(|worker| drop(worker.join()));
    Ok(())
}

/// Returns the number of cores.
pub(crate) fn cores() -> u32 {
    u32::try_from(thread::available_parallelism().map_or(1, usize::from)).unwrap_or(1)
}

/// Starts workers, which end when the process is asked to or `stop` is set. Programs are unpacked in the folder `cache`.
pub(crate) fn start_workers(
    cache: &Path,
    config: &Arc<Config>,
    board: &Arc<dyn Board>,
    count: usize,
    stop: &Arc<AtomicBool>,
) -> Result<Vec<JoinHandle<()>>> {
    let programs = programs(cache.to_path_buf())?;
    let mut threads = Vec::new();
    for number in 1..=count {
        let worker = Worker {
            name: format!("{}-{number}", std::process::id()),
            config: Arc::clone(config),
            board: Arc::clone(board),
            programs: Arc::clone(&programs),
            stop: Arc::clone(stop),
        };
        threads.push(thread::Builder::new().name(format!("worker {number}")).spawn(move || worker.run())?);
    }
    Ok(threads)
}
