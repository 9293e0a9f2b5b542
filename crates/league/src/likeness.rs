//! `league likeness`: the pairs of programs that share most text, as a hint for a human.

use crate::files::{LeagueFiles, Stored};
use crate::place::LeaguePlace;
use anyhow::Result;
use intake::source_likeness::{Pair, Text, closest};
use std::io::Read;

const MOST_BYTES: u64 = 1 << 20;
const MOST_PAIRS: usize = 20;

pub(crate) async fn likeness(place: &LeaguePlace) -> Result<Vec<([String; 2], Pair)>> {
    let store = place.open().await?;
    let files = LeagueFiles::open(&place.directory)?;
    let (mut names, mut texts) = (Vec::new(), Vec::new());
    for row in store.ladder().await?.into_iter().filter(|row| row.kind != "baseline") {
        let archive = files.get(Stored::Program(row.submission)).await?;
        names.push(row.name);
        texts.push(sources(&archive)?);
    }
    let pairs = closest(&texts.iter().collect::<Vec<_>>()).into_iter().take(MOST_PAIRS);
    Ok(pairs.map(|pair| (pair.programs.map(|index| names[index].clone()), pair)).collect())
}

fn sources(archive: &[u8]) -> Result<Text> {
    let mut text = Text::default();
    for entry in tar::Archive::new(archive).entries()? {
        let entry = entry?;
        let path = entry.path()?.into_owned();
        let mut bytes = Vec::new();
        entry.take(MOST_BYTES).read_to_end(&mut bytes)?;
        text.add(&path, &bytes);
    }
    Ok(text)
}
