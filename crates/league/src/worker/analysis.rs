//! Analyses the two games of a pair, as `judge analyse` does.

use super::Worker;
use crate::files::Stored;
use crate::records::{public_reason, text_of};
use anyhow::{Context, Result, bail};
use arena::analysis::finding::Effort;
use arena::record::Record;
use arena::replayed::analyse_game;
use pages::analysis_text;
use terminal::interrupt;

/// The number of nodes to search for each position.
const NODES: u64 = 5_000;

impl Worker {
    pub(super) fn analyse(&self, pair: i64) -> Result<([String; 2], Vec<u8>)> {
        let bytes = self.jobs.get(Stored::Record(pair))?;
        let mut record = Record::parse(std::str::from_utf8(&bytes)?)?;
        let mut texts = [String::new(), String::new()];
        for (number, text) in (1..).zip(&mut texts) {
            let game = record
                .games
                .get_mut(&number)
                .with_context(|| format!("pair {pair} has no game {number}"))?;
            analyse_game(
                self.config.game,
                &record.header,
                game,
                [true, true],
                Effort::Nodes(NODES),
                interrupt::asked,
            )?;
            let mut public = record.games[&number].clone();
            if let Some(fault) = &public.end.fault {
                public.end.reason =
                    public_reason(self.config.game, fault.player, public.end.termination);
            }
            *text =
                analysis_text::game(self.config.game, &record.header, &public, [true, true], None)?;
        }
        if interrupt::asked() {
            bail!("interrupted");
        }
        Ok((texts, text_of(record)?))
    }
}
