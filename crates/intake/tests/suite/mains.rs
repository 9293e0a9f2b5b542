//! Which of several sources is the program.

use crate::judge;
use std::path::Path;
use testing::intake::{said, submission};
use testing::{Folder, assert_has, folder};

/// A module whose function writes the answer to both cases, and nothing by itself.
const ANSWER: &str = "def answer():\n    text = open('input.txt').read()\n    \
                      open('next_state.txt', 'w').write(text)\n";
const HOMEWORK: &str = "--game squirrels --homework cases";

fn write_cases(place: &Path) {
    for number in [2, 3] {
        place.write(format!("cases/case{number}/input.txt"), format!("{number}\n"));
        place.write(format!("cases/case{number}/next_state.txt"), format!("{number}\n"));
    }
}

/// A student, the files of the hand-in, and what the table has to say.
type HandIn<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str);

/// Takes in students with these files, and expects the command of each.
#[track_caller]
fn are_started(options: &str, code: i32, students: &[HandIn]) {
    let place = folder();
    write_cases(&place);
    for (student, files, _) in students {
        files.iter().for_each(|(name, text)| {
            place.write(format!("made/{student}/{name}"), text);
        });
    }
    place.write("scheme.toml", "programs = [\"task7*.py\", \"*.java\"]\n");
    let words = format!("intake made --out class {options}");
    testing::run(&mut judge(&place), &words, code);
    for (student, _, command) in students {
        let found = submission(&place, student);
        let (begin, told) = (found["command"].as_str().unwrap(), said(&found));
        assert!(begin.starts_with(command), "{student}: {begin}: {told}");
    }
}

#[test]
fn a_source_that_another_one_imports_never_wins_over_it() {
    let answer = ANSWER.replace("def answer():\n    ", "").replace("\n    ", "\n");
    let [plain, from] =
        ["import player\nplayer.answer()\n", "from player import answer\nanswer()\n"];
    let hidden = ANSWER.replace("'input.txt'", "'in' + 'put.txt'");
    are_started(
        HOMEWORK,
        0,
        &[
            ("plain", &[("zz.py", plain), ("player.py", ANSWER)], "python3 zz.py"),
            ("from", &[("zz.py", from), ("player.py", &hidden)], "python3 zz.py"),
            // The name of a function is no import of a module, and a circle is none of its parts.
            (
                "circle",
                &[
                    ("agent.py", &format!("import rules\n{answer}")),
                    ("rules.py", "def wins():\n    import agent\n    from zz import main\n"),
                    ("main.txt", ""),
                ],
                "python3 agent.py",
            ),
        ],
    );
}

#[test]
fn generated_sources_and_copies_below_are_no_programs() {
    let answer = ANSWER.replace("def answer():\n    ", "").replace("\n    ", "\n");
    let c = "#include <stdio.h>\nint main(void) { FILE *in = fopen(\"input.txt\", \"r\"); \
             FILE *out = fopen(\"next_state.txt\", \"w\"); int n; \
             if (fscanf(in, \"%d\", &n) == 1) fprintf(out, \"%d\\n\", n); return 0; }\n";
    let other = "int main(void) { return 1; }\n";
    are_started(
        HOMEWORK,
        0,
        &[
            (
                "cmake",
                &[
                    ("deep/below/solve.c", c),
                    ("build/CMakeFiles/3.25.1/CompilerIdC/CMakeCCompilerId.c", other),
                    ("CMakeCCompilerId.c", other),
                    ("cmake-build-debug/main.c", other),
                    ("build/main.c", other),
                ],
                "./homework",
            ),
            (
                "copies",
                &[
                    ("hw7.py", &answer),
                    ("old/hw 7 copy.py", "print()\n"),
                    ("old/hw7 (1).py", "open('input.txt'); open('next_state.txt')\n"),
                    ("old/Copy of hw7.py", "open('input.txt'); open('next_state.txt')\n"),
                ],
                "python3 hw7.py",
            ),
        ],
    );
}

#[test]
fn a_scheme_names_programs_and_a_guess_is_tried_against_the_others() {
    let answer = ANSWER.replace("def answer():\n    ", "").replace("\n    ", "\n");
    let files = &[("task7_ann.py", &*answer), ("main.py", "open('input.txt')\n")][..];
    are_started(
        &format!("{HOMEWORK} --scheme scheme.toml"),
        0,
        &[
            ("named", files, "python3 task7_ann.py"),
            (
                "several",
                &[
                    ("task7.py", "import task7_player\ntask7_player.answer()\n"),
                    ("task7_player.py", ANSWER),
                ],
                "python3 task7.py",
            ),
        ],
    );
    let place = folder();
    write_cases(&place);
    place.write("made/ann/main.py", "print('a draft')\n");
    place.write("made/ann/solve.py", &*answer);
    place.write("made/bob/homework.py", "raise SystemExit('expected nine rows')\n");
    intake_cases(&place, 1);
    let ann = submission(&place, "ann");
    assert_eq!(ann["command"].as_str(), Some("python3 solve.py"));
    let evidence = "tried: `python3 main.py`: 0 of 2 right";
    assert_has(said(&ann), [evidence, "`python3 solve.py`: 2 of 2 right", "gets more right"]);
    let hint = "2 cases: It answers none: perhaps it is for another homework";
    assert_has(said(&submission(&place, "bob")), [hint]);
    let cmd = "try --game squirrels --homework cases --dir made/bob --cmd 'python3 homework.py'";
    let told = testing::run(&mut judge(&place), cmd, 1).stdout;
    assert_has(told, ["0 of 2 cases that you may know are right. It answers none: perhaps"]);
    place.write("scheme.toml", "programs = [\"a/b.py\"]\n");
    let words = format!("intake made {HOMEWORK} --out other --scheme scheme.toml");
    let told = testing::run(&mut judge(&place), &words, 2).stderr;
    assert_has(told, ["programs: expected the name of a file, such as hw1*.py, found 'a/b.py'"]);
}

fn intake_cases(place: &Path, code: i32) {
    testing::run(&mut judge(place), &format!("intake made {HOMEWORK} --out class"), code);
}

#[test]
fn where_programs_talk_what_reads_standard_input_is_the_program() {
    let place = folder();
    let game = testing::repository("examples/rules/one-card");
    testing::copy(&game, place.join("game"));
    let toml = place.read("game/game.toml");
    place.write("game/game.toml", format!("programs-talk = \"lines\"\n{toml}"));
    let talker = "import sys\nfor line in sys.stdin:\n    print(line)\n";
    let reader = "open('input.txt').read()\nopen('output.txt', 'w')\n";
    place.write("made/ann/zz.py", talker);
    place.write("made/ann/player.py", reader);
    let words = "intake made --game ./game --out class";
    let output = judge(&place).args(words.split(' ')).output().unwrap();
    let found = submission(&place, "ann");
    assert_eq!(found["command"].as_str(), Some("python3 zz.py"), "{output:?}");
    assert_has(said(&found), ["it alone leads to standard input"]);
}
