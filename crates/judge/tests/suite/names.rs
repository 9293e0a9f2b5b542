//! Tests of submissions whose folders have any name that a file system takes: each is graded, and
//! told apart in the terminal, the CSV file and the reports. Gradings by two schemes are not mixed.

use crate::common::{agent, run, script};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use testing::{Folder, Printed, assert_has, assert_lacks, folder};

/// One position, for one point.
const SHORT: &str = "--singles 1 --games 0";

/// Grades submissions of these names, all alike.
fn grade(place: &Path, names: &[&[u8]], options: &str) -> Printed {
    for name in names {
        let folder = place.join("class").join(OsStr::from_bytes(name));
        fs::create_dir_all(&folder).unwrap();
        script(&folder, "play.sh", "echo 'I \u{202e}am\u{9b}2J lost' >&2; exit 1");
    }
    grade_again(place, &format!("{SHORT} {options}"), 0)
}

#[track_caller]
fn grade_again(place: &Path, options: &str, code: i32) -> Printed {
    let words =
        "grade-all --game halma class --csv grades.csv --reports reports --cmd 'sh play.sh'";
    run(place, &format!("{words} {options}"), code)
}

/// The CSV file's lines without the first.
fn graded(place: &Path) -> Vec<String> {
    place.read("grades.csv").lines().skip(1).map(String::from).collect()
}

#[test]
fn names_that_are_no_text_are_told_apart_everywhere() {
    let place = folder();
    let names: [&[u8]; 6] =
        [b"jos\xe9", b"jos\xe8", br"jos\xe9", "josé".as_bytes(), b"o'neil", b"o\"neil"];
    let output = grade(&place, &names, "");
    let shown = [r"jos\xe8", r"jos\xe9", r"jos\\xe9", "josé", "o'neil", "o\"neil"];
    let (told, table) = (output.stderr, output.stdout);
    let csv = graded(&place);
    assert_eq!(csv.len(), 6, "{csv:#?}");
    for name in shown {
        assert_eq!(told.matches(&format!("{name} (")).count(), 1, "{name}: {told}");
        assert_eq!(
            table.lines().filter(|line| line.starts_with(&format!("{name} "))).count(),
            1,
            "{name}: {table}"
        );
        let field = if name.contains('"') { "\"o\"\"neil\"" } else { name };
        assert_eq!(
            csv.iter().filter(|line| line.starts_with(&format!("{field},0,1,"))).count(),
            1,
            "{csv:#?}"
        );
        let report = place.read(format!("reports/{name}.txt"));
        assert!(
            report.starts_with(&format!("Halma (16 x 16): {name}: 0 of 1 points; ")),
            "{report}"
        );
    }
    assert_eq!(place.join("reports").entries().len(), 6);
    // Each is found again.
    let again = grade(&place, &[], "--resume");
    assert!(again.stderr.is_empty(), "{}", again.stderr);
    assert_eq!(graded(&place), csv);
}

#[test]
fn nothing_in_a_name_is_obeyed_or_hidden_by_a_terminal_or_a_spreadsheet() {
    let place = folder();
    let names = [
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
    let bytes: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
    let output = grade(&place, &bytes, "");
    let csv = place.read("grades.csv");
    let mut texts = vec![output.stderr, output.stdout, csv.clone()];
    texts.extend(
        place.join("reports").entries().iter().map(|file| fs::read_to_string(file).unwrap()),
    );
    assert_eq!(texts.len(), 3 + names.len());
    let obeyed = |c: char| c != '\n' && c.is_control();
    for text in &texts {
        assert!(!text.contains(obeyed), "{text:?}");
        assert!(!text.contains(['\u{202e}', '\u{2066}', '\u{200b}', '\u{3164}']), "{text:?}");
    }
    let lines = graded(&place);
    assert_eq!(lines.iter().collect::<BTreeSet<_>>().len(), names.len(), "{lines:#?}");
    assert!(
        !lines.iter().any(|line| line.starts_with(['=', '+', '-', '@', '\t', '\r', ' '])),
        "{lines:#?}"
    );
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
        assert!(lines.iter().any(|line| line.starts_with(part)), "{part}: {lines:#?}");
    }
    // A spreadsheet's changes to the CSV file do not matter: `--resume` reads the record.
    place.write("grades.csv", format!("\u{feff}{}", csv.trim_end().replace('\n', "\r\n")));
    let again = grade(&place, &[], "--resume");
    assert!(again.stderr.is_empty(), "{}", again.stderr);
    assert_eq!(place.read("grades.csv"), csv);
    assert_eq!(again.stdout, texts[1]);
}

#[test]
fn what_a_player_says_is_shown_in_reports_and_not_obeyed() {
    let place = folder();
    for (form, file, part) in [
        ("text", "ann.txt", r"I \u{202e}am\u{9b}2J lost"),
        ("html", "ann.html", r"I \u{202e}am\u{9b}2J lost"),
        ("json", "ann.json", r"I \u202eam\u009b2J lost"),
        ("gradescope", "ann.json", r"I \\u{202e}am\\u{9b}2J lost"),
    ] {
        for file in ["grades.csv", "grades.jsonl"] {
            let _ = fs::remove_file(place.join(file));
        }
        grade(&place, &[b"ann"], &format!("--report {form}"));
        let report = fs::read_to_string(place.join("reports").join(file)).unwrap();
        assert!(
            report.contains(part) && !report.contains(['\u{202e}', '\u{9b}']),
            "{form}: {report}"
        );
    }
}

/// The characters of a text that a terminal or a browser obeys or does not show.
fn obeyed(text: &str) -> Vec<char> {
    let is_hidden = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}' | '\u{feff}');
    text.chars().filter(|&c| c != '\n' && c.is_control() || is_hidden(c)).collect()
}

#[test]
fn what_a_player_writes_is_not_obeyed_by_pages_of_games_or_by_a_terminal() {
    let place = folder();
    let nasty = "\u{202e}\u{2066}\u{200f}\u{61c}\u{200b}\u{1b}[31m\u{9b}2J";
    place.make("class/ann");
    script(
        place.join("class/ann"),
        "play.sh",
        &format!("echo 'I {nasty}lost' >&2; echo 'E 1,1 {nasty}2,2' > output.txt"),
    );
    let grade = "grade-all --game halma class --singles 1 --games 1 --csv grades.csv --page class.html --reports reports \
                 --report html --cmd 'sh play.sh'";
    let output = run(&place, grade, 0);
    let mut texts = vec![output.stdout, output.stderr];
    let games = "match --game halma --games 2 --record games.jsonl --pgn games.pgn --engine engine=reference:random \
                 name=A --engine 'cmd=sh class/ann/play.sh' name=ann";
    let output = run(&place, games, 0);
    texts.extend([output.stdout, output.stderr]);
    // A record that somebody else has made may have any names.
    let record = place.read("games.jsonl");
    assert_has(&record, ["\"ann\""]);
    place.write("games.jsonl", record.replace("\"ann\"", "\"ann \u{202e}\\u001b[2J\""));
    for words in [
        "replay games.jsonl --text --boards --stderr",
        "replay games.jsonl --html games.html",
        "watch games.jsonl --once",
        "analyse games.jsonl --nodes 10",
    ] {
        let output = run(&place, words, 0);
        texts.extend([output.stdout, output.stderr]);
    }
    let (mut pages, mut folders) = (Vec::new(), vec![place.to_owned()]);
    while let Some(folder) = folders.pop() {
        let (inner, found): (Vec<_>, Vec<_>) =
            folder.entries().into_iter().partition(|path| path.is_dir());
        folders.extend(inner);
        pages.extend(found.into_iter().filter(|path| {
            path.extension()
                .is_some_and(|end| ["html", "csv", "pgn"].iter().any(|kind| end == *kind))
        }));
    }
    assert!(pages.len() >= 5, "{pages:?}");
    texts.extend(pages.iter().map(|path| fs::read_to_string(path).unwrap()));
    assert!(texts.iter().filter(|text| text.contains(r"\u{202e}")).count() >= 5, "{texts:#?}");
    for text in &texts {
        assert!(obeyed(text).is_empty(), "{:?} in {text}", obeyed(text));
    }
}

#[test]
fn names_as_long_as_a_file_system_takes_have_reports_of_their_own() {
    let place = folder();
    let long =
        [vec![b'a'; 255], [vec![b'a'; 254], vec![b'b']].concat(), vec![0xff; 255], vec![b'a'; 200]];
    grade(&place, &long.iter().map(Vec::as_slice).collect::<Vec<_>>(), "");
    let lines: BTreeSet<String> = graded(&place).into_iter().collect();
    assert_eq!(lines.len(), 4);
    let reports = place.join("reports").entries();
    let heads: BTreeSet<String> = reports
        .iter()
        .map(|file| fs::read_to_string(file).unwrap().lines().next().unwrap().to_string())
        .collect();
    assert_eq!(heads.len(), 4, "{reports:?}");
}

#[test]
fn a_class_is_not_graded_by_two_schemes_in_one_file() {
    let place = folder();
    let usual = "game=halma scheme=own singles=1 games=0 seed=1 max-plies=300 at-limit=draw rules=base memory=4096";
    let own = run(&place, "grade --game halma --scheme-show", 0).stdout;
    let other = |name: &str, line: &str| place.write(name, format!("{line}\n{own}"));
    other("seed.toml", "seed = 2");
    other("rules.toml", "rules = 'addendum'");
    other("limit.toml", "at-limit = 'time'");
    place.write("clock.toml", own.replace("clock = 30", "clock = 31"));
    grade(&place, &[b"ann"], "");
    let before = graded(&place);
    assert!(before[0].contains(&format!(",{usual},")), "{before:?}");
    place.make("class/bob");
    for (options, here) in [
        ("--singles 3", "singles=3"),
        ("--scheme seed.toml", "seed=2"),
        ("--scheme clock.toml", "scheme=clock.toml"),
        ("--scheme rules.toml", "rules=addendum"),
        ("--scheme limit.toml", "at-limit=time"),
        ("--memory 99", "memory=99"),
    ] {
        let kept = SHORT
            .split(" --")
            .filter(|option| !option.contains(&options[2..options.find(' ').unwrap()]));
        let kept: Vec<String> =
            kept.map(|option| format!("--{}", option.trim_start_matches("--"))).collect();
        let told = grade_again(&place, &format!("{} {options} --resume", kept.join(" ")), 2);
        let told = told.stderr;
        assert!(told.starts_with("grades.jsonl: graded by another scheme"), "{told}");
        assert_has(&told, [usual, here]);
        assert_eq!(graded(&place), before, "nothing is graded or written");
        assert_eq!(place.join("reports").entries().len(), 1);
    }
    // Machines may differ in what does not bear on points.
    grade_again(&place, &format!("{SHORT} --wall-margin 20 --concurrency 2 --resume"), 0);
    assert_eq!(graded(&place).len(), 2);
    let file = place.read("grades.csv");
    assert_eq!(file.matches(usual).count(), 2, "{file}");
}

#[test]
fn a_csv_file_is_not_written_over_unless_its_record_is_gone_on_with() {
    let place = folder();
    place.make("class/ann");
    place.write("grades.csv", "mine");
    for (options, part) in [("", "is there already"), ("--resume", "no record grades.jsonl")] {
        let told = grade_again(&place, &format!("{SHORT} {options}"), 2).stderr;
        assert!(told.starts_with("grades.csv: ") && told.contains(part), "{told}");
        assert_eq!(place.read("grades.csv"), "mine");
    }
    fs::remove_file(place.join("grades.csv")).unwrap();
    grade_again(&place, SHORT, 0);
    fs::remove_file(place.join("grades.csv")).unwrap();
    let told = grade_again(&place, SHORT, 2).stderr;
    assert!(told.starts_with("grades.jsonl: is there already"), "{told}");
}

#[test]
fn a_scheme_that_makes_no_sense_costs_no_submission_its_points() {
    let place = folder();
    place.make("class/ann");
    for (lines, part) in [
        ("rules = 'chess'", "--rules: expected base or addendum"),
        ("[[games]]\ncount = 1\nclock = 1\nreference = 'magic'", "no reference player"),
    ] {
        place.write("scheme.toml", format!("game = 'halma'\n{lines}\n"));
        let told = grade_again(&place, "--scheme scheme.toml", 2).stderr;
        assert!(told.contains(part), "{told}");
        assert!(!place.join("grades.csv").exists());
    }
}

#[test]
fn cases_of_any_names_are_told_apart_and_their_files_found() {
    let place = folder();
    for name in [&b"case\xe8"[..], b"case\xe9", "a\u{202e}b".as_bytes()] {
        let case = place.join("cases").join(OsStr::from_bytes(name));
        fs::create_dir_all(&case).unwrap();
        case.write("input.txt", "1\n");
        fs::write(case.join(OsStr::from_bytes(b"answer\xe9.txt")), "2\n").unwrap();
    }
    let player = script(&place, "player", r"printf '2\n' > $(printf 'answer\351.txt')");
    let words = format!("grade-cases cases --game halma --engine name=agent '{player}'");
    let output = run(&place, &words, 0);
    let told = output.stdout;
    assert_has(&told, ["3 of 3 cases right"]);
    for told in [told, output.stderr] {
        assert!(
            [r"case\xe8", r"case\xe9", r"a\u{202e}b"].iter().all(|name| told.contains(name)),
            "{told}"
        );
        assert!(!told.contains('\u{202e}'), "{told}");
    }
}

#[test]
fn a_command_that_is_no_text_or_never_ends_is_the_submission_s_own_loss() {
    let place = folder();
    for name in ["endless", "raw", "marked", "waiting"] {
        fs::create_dir_all(place.join("class").join(name)).unwrap();
    }
    std::os::unix::fs::symlink("/dev/zero", place.join("class/endless/command")).unwrap();
    let fifo =
        std::process::Command::new("mkfifo").arg(place.join("class/waiting/command")).status();
    assert!(fifo.unwrap().success());
    place.write("class/raw/command", "\"\u{1b}[2Jrun\nit\"");
    place.write("class/marked/command", "\u{feff}true\r\n");
    let words = format!("grade-all --game halma class --own-commands --csv grades.csv {SHORT}");
    let output = run(&place, &words, 0);
    let lines = graded(&place);
    assert!(lines[0].contains("not run: ") && lines[0].contains("command"), "{lines:#?}");
    assert!(lines[1].starts_with("marked,0,1,") && lines[1].contains("1 no output"), "{lines:#?}");
    assert!(
        lines[2].contains(r"not run: ") && lines[2].contains(r"\u{1b}[2Jrun\nit"),
        "{lines:#?}"
    );
    assert!(lines[3].contains("not run: the file `command` is not a file"), "{lines:#?}");
    assert_lacks(output.stdout, ["\u{1b}"]);
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
            let printed = run(&folder, &words, 0);
            printed.stdout + &printed.stderr
        };
        let (command, quoted) =
            (format!("sh play.sh {}", agent()), folder.join("play.sh").display().to_string());
        let quoted = format!("sh '{}' {}", quoted.replace('\'', "'\\''"), agent());
        for command in [&command, &quoted] {
            assert_has(run("try --game halma --plies 4 --cmd", command), ["All is well"]);
        }
        let engine = format!("cmd={command}");
        run("grade --game halma --singles 2 --games 0 --engine", &engine);
        let games =
            "match --game halma --games 2 --max-plies 4 --engine engine=reference:random --engine";
        assert_lacks(run(games, &engine), ["crash"]);
    }
}
