//! Small packages, one for each feature.

use crate::case::{CaseResult, Scores};
use crate::homework::Homework;
use crate::package::{Expectations, Found};
use crate::right::Unit;
use std::fs;

const NEW: &str = "problem_format_version: 2025-09\nname: x\ntype: ";
const OLD: &str = "name: x\ntype: ";
/// The cases of most packages: a sample, and two in each of two groups.
const CASES: [&str; 5] = ["sample/1", "secret/a/1", "secret/a/2", "secret/b/1", "secret/b/2"];

/// Reads a package with this `problem.yaml`, these cases, and these files in `data` or above it.
fn read(yaml: &str, cases: &[&str], files: &[(&str, &str)]) -> Result<Homework, String> {
    let place = tempfile::tempdir().unwrap();
    let data =
        cases.iter().flat_map(|case| [(format!("{case}.in"), "1"), (format!("{case}.ans"), "2")]);
    let further = files.iter().map(|(path, text)| (path.to_string(), *text));
    for (path, text) in data.chain(further).chain([("../problem.yaml".to_string(), yaml)]) {
        let path = match path.strip_prefix("../") {
            Some(path) => place.path().join(path),
            None => place.path().join("data").join(path),
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    Homework::read(place.path())
        .map_err(|error| format!("{error:#}").replace(&format!("{}/", place.path().display()), ""))
}

/// Results of which these cases are wrong; the others have this score.
fn results(homework: &Homework, wrong: &[&str], score: f64) -> Vec<CaseResult> {
    let result = |name: &String| match wrong.contains(&name.as_str()) {
        true => CaseResult { wrong: Some("wrong".to_string()), ..CaseResult::default() },
        false => CaseResult { score, ..CaseResult::default() },
    };
    homework.cases.iter().map(|case| result(&case.name)).collect()
}

fn points(homework: &Homework, wrong: &[&str]) -> (f64, f64) {
    let points = homework.points(&results(homework, wrong, 1.0));
    (points.points, points.most)
}

#[test]
fn groups_of_2025_09_have_all_or_nothing_unless_they_say_otherwise() {
    let scoring = format!("{NEW}scoring\n");
    for (a, of_secret, wrong, expected) in [
        ("max_score: 30\n", "", "secret-a-1", (70.0, 100.0)),
        ("{max_score: 30, score_aggregation: sum}", "", "secret-a-1", (85.0, 100.0)),
        ("{max_score: 30, score_aggregation: min}", "", "secret-a-1", (70.0, 100.0)),
        ("max_score: 30\n", "score_aggregation: pass-fail", "secret-a-1", (0.0, 100.0)),
        ("max_score: 30\n", "score_aggregation: min", "secret-a-1", (0.0, 30.0)),
        ("max_score: 30\n", "score_aggregation: min", "", (30.0, 30.0)),
        // The sample adds nothing.
        ("max_score: 30\n", "", "sample-1", (100.0, 100.0)),
    ] {
        let files = [
            ("secret/test_group.yaml", of_secret),
            ("secret/a/test_group.yaml", a),
            ("secret/b/test_group.yaml", "max_score: 70\n"),
        ];
        let homework = read(&scoring, &CASES, &files).unwrap();
        assert_eq!(points(&homework, &[wrong]), expected, "{a} {of_secret} {wrong}");
    }
    let homework = read(&scoring, &["secret/1", "secret/2"], &[]).unwrap();
    assert_eq!(points(&homework, &["secret-1"]), (50.0, 100.0));
}

#[test]
fn groups_of_older_formats_count_as_their_files_say() {
    let scoring = format!("{OLD}scoring\n");
    let goes_on = "on_reject: continue\ngrader_flags: sum\n";
    for (root, a, b, wrong, expected) in [
        // Points that a file names without a range count once, whatever the number of cases.
        (goes_on, "accept_score: 10\n", "accept_score: 20\n", "", (30.0, 30.0)),
        (goes_on, "accept_score: 10\n", "accept_score: 20\n", "secret-a-1", (20.0, 30.0)),
        // With a range that has room for each case, they count for each.
        (goes_on, "{accept_score: 10, range: 0 20}", "accept_score: 20\n", "", (40.0, 40.0)),
        (
            goes_on,
            "{accept_score: 10, range: 0 20}",
            "accept_score: 5\n",
            "secret-a-1",
            (15.0, 25.0),
        ),
        (goes_on, "{accept_score: 10, grader_flags: sum}", "accept_score: 5\n", "", (25.0, 25.0)),
        // A range without an end is none.
        (goes_on, "{accept_score: 10, range: -inf +inf}", "accept_score: 5\n", "", (15.0, 15.0)),
        // A rejected case rejects its group.
        (
            goes_on,
            "{accept_score: 10, range: 0 20, on_reject: break}",
            "accept_score: 5\n",
            "secret-a-1",
            (5.0, 25.0),
        ),
        // A rejected group rejects all, which is the default.
        (
            "grader_flags: sum\n",
            "accept_score: 10\n",
            "accept_score: 20\n",
            "secret-a-1",
            (0.0, 30.0),
        ),
        (
            "{grader_flags: avg, on_reject: continue}",
            "accept_score: 10",
            "accept_score: 20",
            "",
            (15.0, 15.0),
        ),
        (
            "{grader_flags: min, on_reject: continue}",
            "accept_score: 10",
            "accept_score: 20",
            "",
            (10.0, 10.0),
        ),
        (
            "{grader_flags: min, on_reject: continue}",
            "accept_score: 10",
            "accept_score: 20",
            "secret-b-2",
            (0.0, 10.0),
        ),
        // The best case decides.
        (
            "on_reject: continue\n",
            "{accept_score: 9, grader_flags: max}",
            "accept_score: 1",
            "secret-a-1",
            (10.0, 10.0),
        ),
        (
            goes_on,
            "{accept_score: 9, grader_flags: max, on_reject: break}",
            "accept_score: 1",
            "secret-a-1",
            (1.0, 10.0),
        ),
        (
            "on_reject: continue\n",
            "scoring: {score: 30, aggregation: min}",
            "accept_score: 5",
            "secret-b-2",
            (30.0, 35.0),
        ),
    ] {
        let files =
            [("testdata.yaml", root), ("secret/a/testdata.yaml", a), ("secret/b/testdata.yaml", b)];
        let homework = read(&scoring, &CASES, &files).unwrap();
        assert_eq!(points(&homework, &[wrong]), expected, "{root} {a} {b} {wrong}");
    }
    // Groups within groups are sums; a folder without settings has those of the folder above.
    let nested = ["secret/c/d/1", "secret/c/d/2", "secret/c/e/1"];
    let files = [
        ("testdata.yaml", goes_on),
        ("secret/c/testdata.yaml", "{accept_score: 7, grader_flags: sum}"),
        ("secret/c/e/1.files/table.txt", "12"),
    ];
    let homework = read(&scoring, &nested, &files).unwrap();
    assert_eq!(points(&homework, &["secret-c-d-1"]), (14.0, 21.0));
    let groups: Vec<_> = homework.groups.iter().map(|one| (&*one.name, one.points)).collect();
    assert_eq!(groups, [("c-d", 14.0), ("c-e", 7.0)]);
    assert_eq!(homework.cases[2].finds[1].0, "table.txt");
    // The sample counts where its own file gives it points.
    let sample = |root| {
        let files = [("testdata.yaml", root), ("sample/testdata.yaml", "accept_score: 3\n")];
        points(&read(&scoring, &["sample/1", "secret/1"], &files).unwrap(), &[])
    };
    assert_eq!(sample("on_reject: continue\n"), (4.0, 4.0));
    assert_eq!(sample("{on_reject: continue, grader_flags: ignore_sample}"), (1.0, 1.0));
}

#[test]
fn a_validator_may_give_any_points_of_the_range() {
    let validator = ("../output_validators/v.py", "");
    let yaml = format!("{OLD}scoring\nvalidation: custom score\n");
    let files = |settings| {
        [validator, ("testdata.yaml", "on_reject: continue"), ("secret/testdata.yaml", settings)]
    };
    let cases = ["secret/1", "secret/2"];
    let homework = read(&yaml, &cases, &files("range: 0 100\n")).unwrap();
    assert_eq!(homework.cases[0].scores, Scores::Of { whole: 50.0, most: 100.0 });
    assert_eq!(homework.points(&results(&homework, &[], 0.25)).points, 25.0);
    assert_eq!(homework.points(&results(&homework, &["secret-1"], 1.5)).points, 75.0);
    // After a rejected case nothing of the group counts.
    let homework = read(&yaml, &cases, &files("{range: 0 100, on_reject: break}")).unwrap();
    assert_eq!(homework.points(&results(&homework, &["secret-1"], 1.5)).points, 0.0);
    let homework = read(&yaml, &cases, &files("{range: 0 100, grader_flags: min}")).unwrap();
    assert_eq!(homework.cases[0].scores, Scores::Of { whole: 100.0, most: 100.0 });
    let settings = "{max_score: 40, output_validator_args: [-v]}";
    let new = [("../output_validator/v.py", ""), ("secret/test_group.yaml", settings)];
    let homework = read(&format!("{NEW}scoring\n"), &cases, &new).unwrap();
    assert_eq!(homework.cases[0].of_checker, ["-v"]);
    assert!(homework.has_checker());
    assert_eq!(homework.cases[0].scores, Scores::Of { whole: 20.0, most: 20.0 });
}

#[test]
fn a_case_has_the_arguments_of_its_own_file_or_of_the_folders_above() {
    let files = [
        ("test_group.yaml", "output_validator_args: [float_tolerance, 1e-2]\n"),
        (
            "secret/a/test_group.yaml",
            "output_validator_args:\n  - case_sensitive\nargs: ['{{K}} {{L.x}}']\n",
        ),
        ("secret/a/2.yaml", "{args: [], output_validator_args: [], hint: look}"),
    ];
    let limits = "limits: {time_limit: 1.5, memory: 64, output: 3}\nconstants:\n  K: 5\n  L: {value: 1, x: one}\n";
    let homework = read(&format!("{NEW}pass-fail\n{limits}"), &CASES, &files).unwrap();
    let by = homework.cases.iter().map(|case| {
        let compared = &homework.compared[case.compared.unwrap()];
        (compared.by, compared.ignores_case, case.arguments.join("|"))
    });
    let numbers = (Unit::Numbers, true, String::new());
    let a = (Unit::Tokens, false, "5 one".to_string());
    let of_a2 = (Unit::Tokens, true, String::new());
    assert_eq!(by.collect::<Vec<_>>(), [numbers.clone(), a, of_a2, numbers.clone(), numbers]);
    assert_eq!(homework.cases[2].hint.as_deref(), Some("look"));
    assert_eq!((homework.output_limit, homework.memory_limit), (3 << 20, Some(64)));
    assert_eq!(homework.cases[0].time, Some(1.5));
    assert!(!homework.lacks_time() && homework.folder.is_absolute());
    assert!(homework.title == "x" && !homework.name.is_empty());
    assert!(homework.leaves == ["output.txt"] && homework.standard);
    let homework =
        read(&format!("{OLD}pass-fail\nvalidator_flags: case_sensitive\n"), &CASES, &[]).unwrap();
    assert!(!homework.compared[homework.cases[0].compared.unwrap()].ignores_case);
    assert_eq!((homework.time_after(0.01), homework.time_after(0.3)), (1.0, 2.0));
    for (yaml, text, time) in [
        ("", "2.5\n", Some(2.5)),
        ("", "soon", None),
        ("limits: {time_limit: 4}\n", "2", Some(4.0)),
    ] {
        let yaml = format!("{OLD}pass-fail\n{yaml}");
        let homework = read(&yaml, &CASES, &[("../.timelimit", text)]).unwrap();
        assert_eq!((homework.cases[0].time, homework.lacks_time()), (time, time.is_none()));
    }
}

#[test]
fn files_are_included_by_language_with_the_values_of_constants() {
    let place = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = place.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for path in ["data/secret/1.in", "data/secret/1.ans", "include/default/data.txt"] {
        write(path, "{{K}}");
    }
    write("include/python3/more/data.py", "K = {{K}}");
    write("problem.yaml", &format!("{NEW}pass-fail\nconstants: {{K: 5}}\n"));
    let read = || Homework::read(place.path()).unwrap();
    let homework = read();
    for (program, path, text) in [
        ("a.PY", "more/data.py", "K = 5"),
        ("a.cpp", "data.txt", "5"),
        ("no-ending", "data.txt", "5"),
    ] {
        let included = homework.included(&[program.into()]).unwrap();
        assert_eq!(included, [(path.to_string(), text.into())], "{program}");
    }
    let digest = homework.digests("").unwrap();
    write("include/python3/more/data.py", "K = {{K}} + 1");
    assert_ne!(read().digests("").unwrap(), digest);
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let scoring = format!("{NEW}scoring\n");
    let older = format!("{OLD}scoring\n");
    for (yaml, file, words) in [
        (
            &format!("{NEW}\n  - pass-fail\n  - interactive\n"),
            ("", ""),
            "no folder output_validators",
        ),
        (
            &format!("{NEW}pass-fail multi-pass\n"),
            ("", ""),
            "problem.yaml:3: type: multi-pass problems",
        ),
        (&format!("{NEW}hard\n"), ("", ""), "'hard' is not supported"),
        (
            &format!("{NEW}pass-fail\nlimits:\n  memori: 3\n"),
            ("", ""),
            "problem.yaml:5: unknown key 'memori'",
        ),
        (
            &format!("{NEW}pass-fail\nlimits: {{memory: x}}\n"),
            ("", ""),
            "problem.yaml:4: expected whole MiB",
        ),
        (
            &format!("{NEW}pass-fail\n"),
            ("secret/test_group.yaml", "max_score: 3"),
            "test_group.yaml:1: points are for",
        ),
        (&format!("{NEW}pass-fail\n"), ("secret/a/1.args", ""), "files .args are not supported"),
        (
            &scoring,
            ("secret/test_group.yaml", "max_score: unbounded"),
            "unbounded scores are not supported",
        ),
        (
            &scoring,
            ("secret/a/test_group.yaml", "max_score: 3"),
            "b: a folder without test_group.yaml beside groups",
        ),
        (
            &scoring,
            ("secret/test_group.yaml", "require_pass: sample"),
            "yaml:1: require_pass is not supported",
        ),
        (
            &scoring,
            ("secret/test_group.yaml", "static_validation_score: 3"),
            "a validator of sources is not",
        ),
        (&older, ("testdata.yaml", "grader_flags: best"), "testdata.yaml:1: best is not supported"),
        (
            &older,
            ("secret/testdata.yaml", "grader_flags: max"),
            "secret: max is supported of cases",
        ),
        (&older, ("testdata.yaml", "on_rejct: break"), "unknown key 'on_rejct'"),
        (&older, ("secret/a/1.yaml", "arg: [-x]"), "secret/a/1.yaml:1: unknown key 'arg'"),
        (&older, ("secret/a/3.in", "3"), "no file a/3.ans"),
        (&older, ("testdata.yaml", "reject_score: 1"), "reject_score: only 0 is supported"),
        (
            &older,
            ("testdata.yaml", "grader_flags: always_accept"),
            "with on_reject: continue alone",
        ),
        (
            &older,
            ("secret/a/testdata.yaml", "range: 3"),
            "testdata.yaml:1: range: expected two numbers",
        ),
        (&older, ("secret/a/testdata.yaml", "range: 5 3"), "range: expected two numbers"),
        (&older, ("secret/a/testdata.yaml", "range: 0 2e6"), "range: expected two numbers"),
        (
            &format!("{OLD}scoring\ngrading: {{objective: min}}\n"),
            ("", ""),
            "objective: only max is supported",
        ),
        (
            &format!("problem_format_version: 2031-01\n{OLD}scoring\n"),
            ("", ""),
            "the format 2031-01 is not supported",
        ),
    ] {
        let files: Vec<_> = [file].into_iter().filter(|(path, _)| !path.is_empty()).collect();
        let error = read(yaml, &CASES, &files).unwrap_err();
        assert!(error.contains(words), "{words}: {error}");
    }
}

fn expectations(yaml: &str, submissions: &str) -> (Homework, Expectations) {
    let place = tempfile::tempdir().unwrap();
    let homework = read(yaml, &CASES, &[]).unwrap();
    // The package is gone: only the file is read again.
    let homework = Homework { folder: place.path().to_owned(), ..homework };
    fs::create_dir(place.path().join("submissions")).unwrap();
    fs::write(place.path().join("submissions/submissions.yaml"), submissions).unwrap();
    let all = Expectations::read(&homework).unwrap().unwrap();
    (homework, all)
}

/// The results of a program, a letter for each case: right, wrong, slow, crash, nothing, long.
fn ran(homework: &Homework, letters: &str) -> crate::CaseRuns {
    let mut runs = crate::CaseRuns { results: results(homework, &[], 1.0), ..Default::default() };
    for (result, letter) in runs.results.iter_mut().zip(letters.chars()) {
        result.wrong = (letter != 'r').then(|| "wrong".to_string());
        result.score = f64::from(letter == 'r');
        (result.used_up, result.is_blank) = (letter == 's', letter == 'n');
        result.too_long = letter == 'l';
        result.fault = (letter == 'c').then(|| "a crash".to_string());
    }
    runs
}

#[test]
fn what_authors_say_is_compared_with_what_is_found() {
    let (old, new) = (format!("{OLD}pass-fail\n"), format!("{NEW}pass-fail\n"));
    let scoring = format!("{NEW}scoring\n");
    for (yaml, path, source, letters, difference) in [
        (&old, "accepted/a.py", "", "rrrrr", None),
        (&old, "accepted/a.py", "", "rrrrw", Some("case secret-b-2 gets wrong answer: wrong")),
        (&old, "wrong_answer/a.py", "", "rwrrr", None),
        (&old, "wrong_answer/a.py", "", "rrrrr", Some("no case gets wrong answer")),
        // The first case that is not right decides in older formats, in others all cases do.
        (&old, "wrong_answer/a.py", "", "rwrrs", None),
        (&new, "wrong_answer/a.py", "", "rwrrs", Some("case secret-b-2 gets too slow: wrong")),
        (&old, "time_limit_exceeded/a.py", "", "rwrrs", None),
        (&new, "brute_force/a.py", "", "rrcrs", None),
        (&old, "rejected/a.py", "", "rrrcr", None),
        (&old, "run_time_error/a.py", "", "rwrcr", None),
        (&old, "mixed/a.py", "# @EXPECTED_RESULTS@: TIMELIMIT, RUN_TIME_ERROR\n", "rscrr", None),
        (&old, "mixed/a.py", "/* @EXPECTED_RESULTS@: NO-OUTPUT */\n", "rnrrr", None),
        (
            &old,
            "mixed/a.py",
            "# @EXPECTED_RESULTS@: NO-OUTPUT\n",
            "rwrrr",
            Some("it gets wrong answer"),
        ),
        (&old, "mixed/a.js", "// @EXPECTED_RESULTS@: COMPILER-ERROR\n", "crrrr", None),
        (&old, "mixed/a.py", "# @EXPECTED_SCORE@: CORRECT\n", "rrrrr", None),
        (&old, "mixed/a.py", "# @EXPECTED_SCORE@: CORRECT", "rwrrr", Some("it gets wrong answer")),
        (
            &old,
            "mixed/a.js",
            "// @EXPECTED_RESULTS@: COMPILER-ERROR\n",
            "wrrrr",
            Some("it gets wrong answer"),
        ),
        (&new, "time_limit_exceeded/a.c", "", "rrlrr", None),
        (&old, "accepted/a.c", "", "rrlrr", Some("case secret-a-2 gets output too long: wrong")),
        (&old, "mixed/a.py", "# @EXPECTED_SCORE@: 0\n", "rrrrr", Some("it gets 1 points")),
        (&old, "mixed/a.py", "", "wscnr", None),
        (&scoring, "mixed/a.py", "# @EXPECTED_SCORE@: 75.000000000\n", "rrwrr", None),
        (&scoring, "partially_accepted/a.py", "", "rrwrr", None),
        (
            &scoring,
            "partially_accepted/a.py",
            "",
            "rrrrr",
            Some("it gets 100 points, and no part of them"),
        ),
        (
            &scoring,
            "partially_accepted/a.py",
            "",
            "wwwww",
            Some("it gets 0 points, and no part of them"),
        ),
    ] {
        let (homework, all) = expectations(yaml, "");
        let expected = all.of(path, &[source.to_string()]).unwrap();
        let found = expected.difference(&homework, &ran(&homework, letters));
        assert_eq!(found.as_deref(), difference, "{path} {source} {letters}");
        assert_eq!(expected.said().is_empty(), path.starts_with("mixed") && source.is_empty());
    }
    let (_, all) = expectations(&old, "");
    let unknown = all.of("mixed/a.py", &["@EXPECTED_RESULTS@: FINE".to_string()]).unwrap_err();
    assert_eq!(unknown.to_string(), "the verdict 'FINE' is unknown");
    let compiler =
        all.of("mixed/a.c", &["@EXPECTED_RESULTS@: COMPILER-ERROR".to_string()]).unwrap();
    assert!(compiler.takes_compiler_error());
    assert_eq!(Found::of_program(&ran(&expectations(&old, "").0, "rsrrc")), Found::TimeLimit);
}

#[test]
fn submissions_yaml_has_rules_for_programs_and_cases() {
    let rules = "\
accepted: {permitted: [AC, WA]}\n\
tries/*.{py,cpp}:\n  permitted: [AC, WA]\n  secret/a:\n    required: [WA]\n  secret/{b}/*:\n    permitted: [AC]\n\
tries/points.c:\n  score: [0, 0.5]\n\
tries/says.c: {message: none}\n";
    let (mut homework, all) = expectations(&format!("{NEW}pass-fail\n"), rules);
    for (index, case) in homework.cases.iter_mut().enumerate() {
        let path = homework.folder.join("data").join(format!("{}.in", CASES[index]));
        case.finds[0].1.path = path;
    }
    for (path, letters, difference) in [
        ("accepted/a.py", "rwrrr", None),
        ("accepted/a.py", "srrrr", Some("case sample-1 gets too slow: wrong")),
        ("tries/a.py", "rwrrr", None),
        ("tries/a.cpp", "rrrrr", Some("no case gets wrong answer")),
        ("tries/a.cpp", "rwrwr", Some("case secret-b-1 gets wrong answer: wrong")),
        ("tries/a.java", "sssss", None),
        ("tries/below/a.py", "sssss", None),
        ("tries/points.c", "wrrrr", None),
        ("tries/points.c", "rrrrr", Some("it gets 1 points")),
        ("tries/says.c", "rrrrr", Some("the validator says 'none' of no case")),
    ] {
        let expected = all.of(path, &[]).unwrap();
        let found = expected.difference(&homework, &ran(&homework, letters));
        assert_eq!(found.as_deref(), difference, "{path} {letters}");
    }
}
