//! The place of a league: its directory and its database, as options of commands.

use crate::config::Config;
use crate::store::{self, LeagueStore};
use anyhow::{Result, bail};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct LeaguePlace {
    /// The league's directory
    pub directory: PathBuf,

    /// A PostgreSQL database instead of the file in the directory, such as
    /// postgres://league@localhost/league
    #[arg(long, value_name = "URL")]
    pub database: Option<String>,
}

impl LeaguePlace {
    /// A league with its database in its directory.
    pub(crate) fn of(directory: &Path) -> LeaguePlace {
        LeaguePlace { directory: directory.to_path_buf(), database: None }
    }

    /// Opens the database of a league whose settings can be read.
    pub(crate) async fn open(&self) -> Result<LeagueStore> {
        Config::read(&self.directory)?;
        LeagueStore::open(&self.directory, self.database.as_deref()).await
    }

    /// As [`LeaguePlace::open`], for a database that is there.
    ///
    /// # Errors
    /// There is none in the directory.
    pub(crate) async fn open_existing(&self) -> Result<LeagueStore> {
        Config::read(&self.directory)?;
        let file = self.directory.join(store::FILE);
        if self.database.is_none() && !file.is_file() {
            let name = file.display();
            bail!(
                "{name}: there is no database; if the league is served with --database, pg_dump and a copy of its files are its backup"
            );
        }
        self.open().await
    }
}
