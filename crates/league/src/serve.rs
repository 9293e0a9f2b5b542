//! `league serve`: the web server and the workers of this machine.

use crate::clock::now;
use crate::config::Config;
use crate::connections::{self, ConnectionBounds};
use crate::disk::{Disks, is_of_full_disk};
use crate::files::LeagueFiles;
use crate::place::LeaguePlace;
use crate::store::{LeagueStore, Setting};
use crate::web::{App, RECORDS, routes, serve_metrics};
use crate::work::{asked_to_end, cores, start_workers};
use crate::worker::{JobSource, LocalJobs, Programs, Worker};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use http_server::hosts::{HostOptions, Hosts};
use sandbox::system::raise_open_files;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use terminal::interrupt;
use terminal::output::print;
use terminal::sandbox_layers::admit_strangers;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

#[derive(Args)]
pub(crate) struct ServeOptions {
    #[command(flatten)]
    place: LeaguePlace,

    /// The port; 0 for any free port
    #[arg(long, value_name = "PORT", default_value_t = 8300)]
    port: u16,

    /// The address to listen on; others than the loopback address need a reverse proxy with TLS
    /// before them
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,

    /// A reverse proxy with TLS passes requests on to the server (docs/league.md)
    #[arg(long)]
    behind_proxy: bool,

    #[command(flatten)]
    hosts: HostOptions,

    /// Workers of this machine, instead of those of league.toml [default: the number of cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..=4096))]
    workers: Option<u32>,

    /// Serve figures for Prometheus on this port of the loopback address
    #[arg(long, value_name = "PORT")]
    metrics: Option<u16>,
}

const LOOK: Duration = Duration::from_secs(5);

pub(crate) fn serve(options: &ServeOptions) -> Result<()> {
    let config = Arc::new(Config::read(&options.place.directory)?);
    if config.proxy_sign_in.is_some() && !options.behind_proxy {
        bail!("[proxy-sign-in]: needs the option --behind-proxy");
    }
    let count = options.workers.or(config.ladder.workers).unwrap_or_else(cores) as usize;
    // `sandbox = "off"` in the settings is the agreement.
    admit_strangers(&config.bounds, true, count)?;
    interrupt::catch()?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let stop = Arc::new(AtomicBool::new(false));
    let cache = options.place.directory.join("cache");
    let disks = Arc::new(Disks::of([options.place.directory.clone(), cache.clone()]));
    let (app, listener) = runtime.block_on(async {
        let store = options.place.open().await?;
        let files = LeagueFiles::open(&options.place.directory)?;
        let started = match files.try_out() {
            Ok(()) => set_baselines(&store, &config).await,
            failed => failed,
        };
        match started {
            Err(error) if is_of_full_disk(&error) => {
                eprintln!("the disk is full: pages are shown, and nothing is kept: {error:#}");
                let (store, config) = (store.clone(), Arc::clone(&config));
                tokio::spawn(async move {
                    while set_baselines(&store, &config).await.is_err() {
                        tokio::time::sleep(LOOK).await;
                    }
                });
            }
            started => started?,
        }
        let address = SocketAddr::new(options.bind, options.port);
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}"))?;
        let mut names = options.hosts.clone();
        if let Some((_, host)) = &config.address {
            names.names.push(host.parse().map_err(|why| anyhow!("address: {why}"))?);
        }
        let hosts = Hosts::new(options.bind, &names);
        let app = App {
            jobs: LocalJobs {
                config: Arc::clone(&config),
                store,
                files,
                disks: Arc::clone(&disks),
                workers: count,
                runtime: Handle::current(),
            },
            settings: Config::text(&options.place.directory)?,
            hosts,
            behind_proxy: options.behind_proxy,
            attempts: Default::default(),
            places: Default::default(),
            uploading: Default::default(),
            records: Semaphore::new(RECORDS),
            reading: Default::default(),
        };
        anyhow::Ok((Arc::new(app), listener))
    })?;
    let served = format!("http://{}", listener.local_addr()?);
    if let Err(error) = runtime.block_on(app.store.set(Setting::Served, Some(&served))) {
        eprintln!("links will have another port: {error:#}");
    }
    print(&format!("listening on {served}/\n"));
    if let Some(port) = options.metrics {
        let address = runtime.block_on(serve_metrics(Arc::clone(&app), port))?;
        print(&format!("figures on http://{address}/metrics\n"));
    }
    let jobs = Arc::new(app.jobs.clone()) as Arc<dyn JobSource>;
    let programs = Arc::new(Programs::open(cache)?);
    let stops = Arc::clone(&stop);
    let worker = Worker { name: String::new(), config, jobs, programs, disks, stop: stops };
    let workers = start_workers(&worker, count)?;
    let bounds = ConnectionBounds::of(raise_open_files(), count);
    let behind = options.behind_proxy;
    runtime.block_on(connections::serve(listener, routes(app), bounds, behind, asked_to_end()));
    stop.store(true, Ordering::Relaxed);
    workers.into_iter().for_each(|worker| drop(worker.join()));
    Ok(())
}

async fn set_baselines(store: &LeagueStore, config: &Config) -> Result<()> {
    let mut names = Vec::new();
    for baseline in &config.baselines {
        store.set_baseline(&baseline.name, &serde_json::to_string(baseline)?, now()).await?;
        names.push(baseline.name.clone());
    }
    store.keep_baselines(&names).await
}
