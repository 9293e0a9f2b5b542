//! `judge merge`, which joins records, and `judge table`, which prints the table of a record.

use super::times;
use crate::pgn;
use anyhow::{Result, anyhow, bail};
use arena::record::{End, Record};
use arena::tournament::count;
use clap::Args;
use course::class::{is_class, merge as merge_classes};
use std::path::PathBuf;
use terminal::games::game_of;
use terminal::output::print;
use terminal::standings;

#[derive(Args)]
pub(crate) struct MergeOptions {
    /// The records
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write the joined record to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct TableOptions {
    /// The record
    file: PathBuf,
    /// Write the results of the games as PGN tags, for rating tools such as Ordo
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Print as well what CPU time the players used: a move's mean and most, and shares of the clock
    #[arg(long)]
    times: bool,
}

pub(crate) fn merge(options: &MergeOptions) -> Result<()> {
    let MergeOptions { files, output } = options;
    if is_class(&files[0]) {
        print(&merge_classes(files, output.as_deref())?);
        return Ok(());
    }
    let mut joined: Option<Record> = None;
    for path in files {
        let mut record = Record::read(path)?;
        record.header.shard = None;
        match &mut joined {
            None => joined = Some(record),
            Some(all) if all.header == record.header => {
                for (number, game) in record.games {
                    all.games.entry(number).or_insert(game);
                }
            }
            Some(all) => {
                let (name, first) = (path.display(), files[0].display());
                let seeds = [record.header.seed, all.header.seed];
                if seeds[0] != seeds[1] {
                    bail!(
                        "{name}: a part of another tournament than {first}: it has seed {}, and that one seed {}; \
                         give all parts the same --seed",
                        seeds[0],
                        seeds[1]
                    );
                }
                bail!("{name}: a part of another tournament than {first}")
            }
        }
    }
    let record = joined.ok_or_else(|| anyhow!("expected at least one record"))?;
    if let Some(path) = output {
        record.write(path)?;
    }
    let ends: Vec<End> = record.ends().cloned().collect();
    let game = game_of(&record)?;
    let expected = count(&record.header, game.first);
    print(&standings::table(game, &record.header, &ends));
    if ends.len() < expected {
        eprintln!("{} of {expected} games are missing", expected - ends.len());
    }
    Ok(())
}

pub(crate) fn table(options: &TableOptions) -> Result<()> {
    let record = Record::read(&options.file)?;
    let game = game_of(&record)?;
    let ends: Vec<End> = record.ends().cloned().collect();
    if record.header.engines.len() == 2 {
        print(&standings::summary(game, &record.header, &ends, None));
    }
    print(&standings::table(game, &record.header, &ends));
    if options.times {
        print(&format!("\n{}", times::table(game, &record)));
    }
    if let Some(path) = &options.pgn {
        pgn::write(path, game, &record.header, &ends)?;
    }
    Ok(())
}
