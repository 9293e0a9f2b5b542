//! Tests of which of several sources is a student's program.

use crate::{assert_students, intake, run};
use std::fs;
use std::path::Path;
use testing::intake::{said, submission};
use testing::{Folder, assert_has, assert_lacks, folder};

/// Stand-ins for what the course of Little-Go hands out.
const KIT: [(&str, &str); 4] = [
    ("host.py", "import sys\nif __name__ == '__main__':\n    sys.exit(0)\n"),
    ("read.py", "def readInput(path='input.txt'):\n    return open(path).read().split('\\n')\n"),
    (
        "write.py",
        "def writeOutput(result, path='output.txt'):\n    open(path, 'w').write(result)\n",
    ),
    (
        "random_player.py",
        "import host\nfrom read import readInput\nfrom write import writeOutput\n\
         if __name__ == '__main__':\n    readInput()\n    writeOutput('PASS')\n",
    ),
];

const PLAIN: &str =
    "read = open('input.txt').read()\nf = open('output.txt', 'w')\nf.write('2,2')\nf.close()\n";

const WITH_KIT: &str =
    "from read import readInput\nfrom write import writeOutput\nreadInput()\nwriteOutput('2,2')\n";

fn write(place: &Path, folder: &str, files: &[(&str, &str)]) {
    files.iter().for_each(|(name, source)| place.join(folder).write(name, source));
}

/// Copies the folder of Little-Go, with a line more in its `game.toml`.
fn little_go(place: &Path, line: &str) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/rules/little-go");
    place.make("go");
    fs::copy(from.join("rules.py"), place.join("go/rules.py")).unwrap();
    let toml = from.read("game.toml");
    place.write("go/game.toml", format!("{line}\n{toml}"));
}

/// Takes `made` in, and expects each student's command, and words that are said of the submission.
#[track_caller]
fn are_taken(place: &Path, options: &[&str], code: i32, expected: &[(&str, &str, &str)]) {
    let words = [&["intake", "made", "--game", "./go", "--out", "class"], options].concat();
    println!("{}", run(place, &words, code).stdout);
    for (student, command, part) in expected {
        let found = submission(place, student);
        let own = found.get("command").map_or("", |own| own.as_str().unwrap());
        assert!(own == *command && said(&found).contains(part), "{student}: {part}: {found}");
    }
}

/// A module whose function `name` plays.
fn playing(name: &str) -> String {
    format!("def {name}():\n    {}\n", PLAIN.trim_end().replace('\n', "\n    "))
}

#[test]
fn a_source_that_opens_the_files_of_a_turn_is_the_program_and_not_a_starter_with_a_main_function() {
    let place = folder();
    little_go(&place, "");
    write(&place, "made/mini", &KIT);
    write(&place, "made/mini", &[("MiniGO.py", PLAIN)]);
    let parts = "import my_files\nif __name__ == '__main__':\n    my_files.play()\n";
    write(
        &place,
        "made/parts",
        &[("go.py", parts), ("my_files.py", &playing("play")), ("tries.py", "my_files = 3\n")],
    );
    let why = "MiniGO.py is used as my_player3.py, of 5 sources: by a rule of thumb, since it alone names the input file and the \
               output file itself (call the program my_player3.py if it is another one)";
    let leads = "of 3 sources: it alone leads to input.txt and output.txt";
    let expected = [("mini", "python3 MiniGO.py", why), ("parts", "python3 go.py", leads)];
    are_taken(&place, &[], 0, &expected);
}

#[test]
fn what_a_teacher_has_handed_out_is_no_students_program() {
    let place = folder();
    little_go(&place, "given = [\"host.py\", \"Random_Player.py\", \"kit\"]");
    write(&place, "go/kit", &KIT[1..]);
    write(&place, "go/kit", &[("my_player3.py", "# your program\n")]);
    let edited = ("random_player.py", "if __name__ == '__main__': pass\n");
    for (student, own) in [
        ("mini", &[("MiniGO.py", PLAIN)][..]),
        ("own", &[("strategy.py", WITH_KIT)]),
        ("edited", &[edited, ("zz.py", WITH_KIT)]),
        ("frame", &[("my_player3.py", WITH_KIT)]),
    ] {
        write(&place, &format!("made/{student}"), &KIT);
        write(&place, &format!("made/{student}"), own);
    }
    // The frame as it was handed out, and a copy of a starter under another name, with other line
    // ends.
    let copy = KIT[3].1.replace('\n', "\r\n");
    write(&place, "made/nothing", &[("my_player3.py", "# your program\n"), ("my_bot.py", &copy)]);
    let beside = "MiniGO.py is used as my_player3.py; handed out: host.py, random_player.py, read.py, write.py";
    let nothing = "no program besides the files that were handed out: my_bot.py, my_player3.py";
    let expected = [
        ("mini", "python3 MiniGO.py", beside),
        ("own", "python3 strategy.py", ""),
        ("edited", "python3 zz.py", ""),
        ("frame", "python3 my_player3.py", ""),
        ("nothing", "", nothing),
    ];
    are_taken(&place, &[], 1, &expected);
    for (student, ..) in expected {
        assert_lacks(said(&submission(&place, student)), ["rule of thumb"]);
    }
    // The same without a line in game.toml, by an option.
    fs::remove_dir_all(place.join("class")).unwrap();
    fs::rename(place.join("go/kit"), place.join("kit")).unwrap();
    write(&place, "kit", &KIT[..1]);
    little_go(&place, "");
    are_taken(&place, &["--given", "kit"], 1, &expected);
    run(&place, "intake made --game ./go --out class --given nowhere", 2);
    little_go(&place, "given = [\"../host.py\"]");
    let output = run(&place, "intake made --game ./go --out class", 2);
    assert_has(&output.stderr, ["given: expected a name, or a path in the folder"]);
}

#[test]
fn a_choice_among_several_sources_by_a_rule_of_thumb_is_told_as_one() {
    let place = folder();
    let first = "open('output.txt', 'w').write('E 14,11 13,10\\n')\n";
    let main = format!("if __name__ == '__main__':\n    {first}");
    write(&place, "made/ann", &[("player_mcts.py", &main)]);
    for number in 1..15 {
        write(&place, "made/ann", &[(&format!("try{number}.py"), "depth = 3\n")]);
    }
    // A variable of another source is no mention of a module.
    write(&place, "made/bob", &[("player.py", first), ("other.py", "player = 1\n")]);
    let why = "player_mcts.py is used as homework3.py, of 15 sources: by a rule of thumb, since it alone has a main function (call the \
               program homework3.py if it is another one)";
    let usual =
        "player.py is used as homework3.py, of 2 sources: by a rule of thumb, since main programs";
    assert_has(intake(&place, "made", "", 0).stdout, [why, usual]);
}

#[test]
fn a_program_is_tried_again_when_the_module_that_it_lacked_is_there() {
    let place = folder();
    little_go(&place, "");
    place.make("modules");
    let program = format!("import lately_installed\n{PLAIN}");
    write(&place, "made/ann", &[("my_player3.py", &program)]);
    write(&place, "made/bob", &[("my_player3.py", PLAIN)]);
    let modules = place.join("modules");
    let env = format!("PYTHONPATH={}", modules.display());
    let options = ["--env", &env, "--read-only", modules.to_str().unwrap()];
    for _ in 0..2 {
        are_taken(&place, &options, 1, &[]);
        assert_students(&place, &[("ann", "does-not-play", ""), ("bob", "ready", "")]);
    }
    let before = submission(&place, "ann")["digest"].to_string();
    place.write("modules/lately_installed.py", "");
    are_taken(&place, &options, 0, &[]);
    assert_students(&place, &[("ann", "ready", ""), ("bob", "ready", "")]);
    // A grading that goes on takes it for another submission.
    assert_ne!(submission(&place, "ann")["digest"].to_string(), before);
    let words = [&["intake", "made", "--game", "./go", "--out", "class"], &options[..]].concat();
    assert_has(run(&place, &words, 0).stdout, ["2 unchanged"]);
}

#[test]
fn a_package_that_lies_a_folder_deeper_is_found_by_trying() {
    let place = folder();
    little_go(&place, "");
    let main = ("my_player3.py", "from go_api import main\nmain()\n");
    let package = playing("main");
    let parts = [("__init__.py", "from .play import main"), ("play.py", &package)];
    write(&place, "made/ann", &[main]);
    write(&place, "made/ann/go-api/go_api", &parts);
    write(&place, "made/bob/src", &[main]);
    write(&place, "made/bob/lib", &[("go_api.py", &package)]);
    // What is found without it is left alone.
    write(&place, "made/cid", &[main, ("go_api.py", &package)]);
    write(&place, "made/cid/old", &[("go_api.py", "def main():\n    pass\n")]);
    let command = "python3 my_player3.py";
    let copied = ": copied beside the program, which imports it";
    let from = format!("./go-api{copied}");
    let expected = [("ann", command, &*from), ("bob", command, copied), ("cid", command, "")];
    are_taken(&place, &[], 0, &expected);
    assert_eq!(submission(&place, "cid")["state"].as_str(), Some("ready"));
}

#[test]
#[ignore = "needs g++"]
fn names_that_a_game_asks_for_say_the_standard_of_cpp() {
    let place = folder();
    little_go(&place, "");
    let source = "#include <fstream>\nint main() { std::ofstream(\"output.txt\") << \"2,2\"; }\n";
    for (student, name, language) in
        [("ann", "my_player11.cpp", "C++11"), ("bob", "my_player.cpp", "C++")]
    {
        write(&place, &format!("made/{student}"), &[(name, source)]);
        are_taken(&place, &[], 0, &[]);
        assert_eq!(submission(&place, student)["language"].as_str(), Some(language));
    }
}
