//! Tests of the list: what takes a game's name for the name of a folder, a package or a file finds
//! it there.

use engine::Playable;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A game: its name, its title, the name of its crate, and the names of its stores.
struct Listed(&'static str, &'static str, &'static str, Vec<&'static str>);

fn listed<G: Playable>(crate_name: &'static str) -> Listed {
    Listed(G::NAME, G::TITLE, crate_name, G::STORES.iter().map(|store| store.name).collect())
}

macro_rules! all_listed {
    ($($game:ident,)*) => { [$(listed::<games::$game::Position>(stringify!($game))),*] };
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn a_game_has_the_name_of_its_folder_its_package_and_its_agent() {
    for Listed(name, _, crate_name, _) in games::each_game!(all_listed) {
        assert_eq!(name.replace('-', "_"), crate_name);
        let manifest = root().join("crates").join(name).join("Cargo.toml");
        let text = fs::read_to_string(manifest).unwrap();
        assert!(text.starts_with(&format!("[package]\nname = \"{name}\"\n")), "{name}");
        assert!(text.contains(&format!("[[bin]]\nname = \"{name}\"\n")), "{name}");
    }
}

#[test]
fn what_a_game_has_stored_lies_in_its_folder_data() {
    for Listed(name, _, _, stores) in games::each_game!(all_listed) {
        let data = fs::read_dir(root().join("crates").join(name).join("data"));
        let files = data
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let stored: BTreeSet<String> =
            files.filter_map(|file| file.strip_suffix(".bin").map(String::from)).collect();
        assert_eq!(stored, stores.into_iter().map(String::from).collect(), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn scripts_have_the_same_list() {
    let script = |words: &[&str]| {
        let output =
            std::process::Command::new(root().join("scripts/games")).args(words).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let list = games::each_game!(all_listed);
    let names: String = list.iter().map(|Listed(name, ..)| format!("{name}\n")).collect();
    assert_eq!(script(&[]), names);
    let titles: String =
        list.iter().map(|Listed(name, title, ..)| format!("{name} {title}\n")).collect();
    assert_eq!(script(&["--titles"]), titles);
}
