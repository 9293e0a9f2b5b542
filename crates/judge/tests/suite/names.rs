//! Tests of submissions whose folders have any name that a file system takes: each is graded, and
//! told apart in the terminal, the CSV file and the reports.

use crate::common::{agent, run, script};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;
use testing::{Folder, Printed, assert_has, folder};

/// One position, for one point.
const SHORT: &str = "--singles 1 --games 0";

#[track_caller]
fn grade(place: &Path, options: &str, code: i32) -> Printed {
    let words =
        "grade-all --game halma class --csv grades.csv --reports reports --cmd 'sh play.sh'";
    run(place, &format!("{words} {options}"), code)
}

fn graded(place: &Path) -> Vec<String> {
    place.read("grades.csv").lines().skip(1).map(String::from).collect()
}

/// Whether a terminal, a browser or a spreadsheet would obey a character, or not show it.
fn is_obeyed(c: char) -> bool {
    let is_hidden = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}' | '\u{feff}' | '\u{3164}');
    c != '\n' && c.is_control() || is_hidden
}

#[test]
fn no_name_is_obeyed_hidden_or_taken_for_another_one() {
    let place = folder();
    let long =
        [vec![b'a'; 255], [vec![b'a'; 254], vec![b'b']].concat(), vec![0xff; 255], vec![b'a'; 200]];
    let told_apart: [&[u8]; 6] =
        [b"jos\xe9", b"jos\xe8", br"jos\xe9", "josé".as_bytes(), b"o'neil", b"o\"neil"];
    let obeyed = [
        "\u{1b}[2Jeve",
        "new\nline",
        "\ttab",
        "\rreturn",
        "a\u{202e}txt.exe",
        "a\u{2066}b",
        "zero\u{200b}width",
        "nothing\u{3164}",
        "\u{301}accent",
        "blank ",
        " blank",
        "c1\u{9b}2J",
        "=1+1",
        "'=1+1",
        "@sum",
        "\u{ff1d}1+1",
        "\u{61c}=1",
        "ann;=1+1",
    ];
    let names = long.iter().map(Vec::as_slice).chain(told_apart);
    let names: Vec<&[u8]> = names.chain(obeyed.map(str::as_bytes)).collect();
    for name in &names {
        place.join("class").join(OsStr::from_bytes(name)).write("play.sh", "exit 1");
    }
    let Printed { stdout: table, stderr: told } = grade(&place, SHORT, 0);
    let (csv, lines) = (place.read("grades.csv"), graded(&place));
    let of = |begin: &str, text: &str| text.lines().filter(|line| line.starts_with(begin)).count();
    for name in [r"jos\xe8", r"jos\xe9", r"jos\\xe9", "josé", "o'neil", "o\"neil"] {
        assert_eq!(told.matches(&format!("{name} (")).count(), 1, "{name}: {told}");
        assert_eq!(of(&format!("{name} "), &table), 1, "{name}: {table}");
        let field = if name.contains('"') { "\"o\"\"neil\"" } else { name };
        assert_eq!(of(&format!("{field},0,1,"), &csv), 1, "{csv}");
        let report = place.read(format!("reports/{name}.txt"));
        assert!(
            report.starts_with(&format!("Halma (16 x 16): {name}: 0 of 1 points; ")),
            "{report}"
        );
    }
    let reports = place.join("reports").entries();
    let reports: Vec<String> =
        reports.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let heads: BTreeSet<&str> = reports.iter().map(|text| text.lines().next().unwrap()).collect();
    assert_eq!(heads.len(), names.len(), "{heads:#?}");
    for text in [&table, &told, &csv].into_iter().chain(&reports) {
        assert!(!text.contains(is_obeyed), "{text:?}");
    }
    assert_eq!(lines.iter().collect::<BTreeSet<_>>().len(), names.len(), "{lines:#?}");
    let is_formula = |line: &String| line.starts_with(['=', '+', '-', '@', '\t', '\r', ' ']);
    assert!(!lines.iter().any(is_formula), "{lines:#?}");
    for part in [
        r"a\u{202e}txt.exe,",
        r"\ttab,",
        r"\u{301}accent,",
        r"blank\u{20},",
        "'=1+1,",
        "''=1+1,",
        "'\u{ff1d}1+1,",
        "\"ann;=1+1\",",
    ] {
        assert_eq!(of(part, &csv), 1, "{part}: {csv}");
    }
    // Each is found again: a spreadsheet's changes to the CSV file do not matter, as `--resume`
    // reads the record.
    place.write("grades.csv", format!("\u{feff}{}", csv.trim_end().replace('\n', "\r\n")));
    let again = grade(&place, &format!("{SHORT} --resume"), 0);
    assert_eq!((again.stderr, again.stdout), (String::new(), table));
    assert_eq!(place.read("grades.csv"), csv);
}

#[test]
fn what_a_player_writes_is_not_obeyed_by_reports_pages_or_a_terminal() {
    let place = folder();
    let nasty = "\u{202e}am\u{9b}2J\u{2066}\u{200f}\u{61c}\u{200b}\u{1b}[31m";
    let lines = format!("echo 'I {nasty}lost' >&2; echo 'E 1,1 {nasty}2,2' > output.txt");
    script(place.join("class/ann"), "play.sh", &lines);
    let mut texts = Vec::new();
    let mut show = |words: &str| {
        let Printed { stdout, stderr } = run(&place, words, 0);
        texts.extend([stdout, stderr]);
    };
    for (form, file, part) in [
        ("text", "ann.txt", r"I \u{202e}am\u{9b}2J"),
        ("html", "ann.html", r"I \u{202e}am\u{9b}2J"),
        ("json", "ann.json", r"I \u202eam\u009b2J"),
        ("gradescope", "ann.json", r"I \\u{202e}am\\u{9b}2J"),
    ] {
        show(&format!(
            "grade-all --game halma class --singles 1 --games 1 --csv grades.csv --page class.html --cmd 'sh play.sh' \
             --resume --reports {form} --report {form}"
        ));
        let report = place.join(form).read(file);
        assert!(report.contains(part) && !report.contains(is_obeyed), "{form}: {report}");
    }
    // A folder of that name is not the program.
    place.write("sh/notes.txt", "");
    show(
        "match --game halma --games 2 --record games.jsonl --pgn games.pgn --engine engine=reference:random \
         name=A --engine 'cmd=sh class/ann/play.sh' name=ann",
    );
    // A record that somebody else has made may have any names.
    place.edit("games.jsonl", "\"ann\"", "\"ann \u{202e}\\u001b[2J\"");
    for words in [
        "replay games.jsonl --text --boards --stderr",
        "replay games.jsonl --html games.html",
        "watch games.jsonl --once",
        "analyse games.jsonl --nodes 10",
    ] {
        show(words);
    }
    let (mut pages, mut folders) = (0, vec![place.to_owned()]);
    while let Some(folder) = folders.pop() {
        for path in folder.entries() {
            let kind = path.extension().and_then(OsStr::to_str);
            if path.is_dir() {
                folders.push(path);
            } else if kind.is_some_and(|kind| ["html", "csv", "pgn"].contains(&kind)) {
                texts.push(fs::read_to_string(path).unwrap());
                pages += 1;
            }
        }
    }
    assert!(pages >= 5, "{pages}");
    assert!(texts.iter().filter(|text| text.contains(r"\u{202e}")).count() >= 5, "{texts:#?}");
    texts.iter().for_each(|text| assert!(!text.contains(is_obeyed), "{text:?}"));
}

#[test]
fn a_csv_file_is_not_written_over_unless_its_record_is_gone_on_with() {
    let place = folder();
    place.make("class/ann");
    let refused = |options: &str, words: &str| {
        let told = grade(&place, &format!("{SHORT} {options}"), 2).stderr;
        assert!(told.starts_with(words), "{told}");
    };
    place.write("grades.csv", "mine");
    refused("", "grades.csv: is there already");
    refused("--resume", "grades.csv: there is no record grades.jsonl");
    assert_eq!(place.read("grades.csv"), "mine");
    place.remove("grades.csv");
    grade(&place, SHORT, 0);
    place.remove("grades.csv");
    refused("", "grades.jsonl: is there already");
}

#[test]
fn cases_of_any_names_are_told_apart_and_their_files_found() {
    let place = folder();
    for name in [&b"case\xe8"[..], b"case\xe9", "a\u{202e}b".as_bytes()] {
        let case = place.join("cases").join(OsStr::from_bytes(name));
        case.write("input.txt", "1\n");
        case.write(OsStr::from_bytes(b"answer\xe9.txt"), "2\n");
    }
    let player = script(&place, "player", r"printf '2\n' > $(printf 'answer\351.txt')");
    let words = format!("grade-cases cases --game halma --engine name=agent '{player}'");
    let output = run(&place, &words, 0).has(["3 of 3 cases right"]).lacks(["\u{202e}"]);
    for told in [output.stdout, output.stderr] {
        assert_has(told, [r"case\xe8", r"case\xe9", r"a\u{202e}b"]);
    }
}

#[test]
fn a_command_that_is_no_text_or_never_ends_is_the_submission_s_own_loss() {
    let place = folder();
    let class = place.join("class");
    class.make("endless");
    class.make("waiting");
    std::os::unix::fs::symlink("/dev/zero", class.join("endless/command")).unwrap();
    assert!(Command::new("mkfifo").arg(class.join("waiting/command")).status().unwrap().success());
    class.write("raw/command", "\"\u{1b}[2Jrun\nit\"");
    class.write("marked/command", "\u{feff}true\r\n");
    let words = format!("grade-all --game halma class --own-commands --csv grades.csv {SHORT}");
    run(&place, &words, 0).lacks(["\u{1b}"]);
    let lines = graded(&place);
    assert_has(&lines[0], ["not run: ", "command"]);
    assert!(lines[1].starts_with("marked,0,1,") && lines[1].contains("1 no output"), "{lines:#?}");
    assert_has(&lines[2], ["not run: ", r"\u{1b}[2Jrun\nit"]);
    assert_has(&lines[3], ["not run: the file `command` is not a file"]);
}

#[test]
fn a_program_is_found_in_folders_with_blanks_and_signs() {
    let place = folder();
    for name in ["hw2 (1)", "with blank (1)=x", "O'Neil & \"Co\"; a,b:c"] {
        // The part of the name before its first blank or quote is a folder too: a command line that
        // is split there finds it.
        place.make(name.split([' ', '\'']).next().unwrap());
        let folder = place.join(name);
        script(&folder, "play.sh", "PLAY");
        let run = |words: &str, command: &str| {
            let words: Vec<&str> = words.split(' ').chain([command]).collect();
            run(&folder, &words, 0)
        };
        let command = format!("sh play.sh {}", agent());
        let quoted = folder.join("play.sh").display().to_string().replace('\'', "'\\''");
        let quoted = format!("sh '{quoted}' {}", agent());
        run("try --game halma --plies 4 --cmd", &quoted).has(["All is well"]);
        let engine = format!("cmd={command}");
        run("grade --game halma --singles 2 --games 0 --engine", &engine);
        let games =
            "match --game halma --games 2 --max-plies 4 --engine engine=reference:random --engine";
        run(games, &engine).lacks(["crash"]);
    }
}
