//! The functions by which the tests of a package run its own programs, whose paths only they know.

/// Makes the functions that run a package's program.
#[macro_export]
macro_rules! commands {
    ($name:ident, $program:expr) => {
        /// The program, run in a directory.
        pub(crate) fn $name(directory: impl AsRef<std::path::Path>) -> std::process::Command {
            let mut command = std::process::Command::new($program);
            command.current_dir(directory);
            command
        }

        /// Runs the program in a directory, and expects its exit code.
        #[track_caller]
        pub(crate) fn run(
            directory: impl AsRef<std::path::Path>,
            words: impl $crate::Words,
            code: i32,
        ) -> $crate::Printed {
            $crate::run(&mut $name(directory), words, code)
        }

        /// Takes a source in, into `class`.
        #[track_caller]
        #[allow(dead_code, reason = "not all packages take submissions in")]
        pub(crate) fn intake(
            directory: impl AsRef<std::path::Path>,
            source: &str,
            options: impl $crate::Words,
            code: i32,
        ) -> $crate::Printed {
            $crate::intake::intake(&mut $name(directory), source, options, code)
        }
    };
}

/// Makes the functions of [`gradings`](mod@crate::gradings) for a package's agent for Halma.
#[macro_export]
macro_rules! gradings {
    ($agent:expr) => {
        /// The path of an agent for Halma.
        pub(crate) fn agent() -> String {
            $agent
        }

        /// A shell script as a player's command.
        pub(crate) fn script(
            directory: impl AsRef<std::path::Path>,
            name: &str,
            lines: &str,
        ) -> String {
            $crate::gradings::script(&agent(), directory, name, lines)
        }

        /// Adds a student whose program is a script to `class`.
        pub(crate) fn student(directory: impl AsRef<std::path::Path>, name: &str, lines: &str) {
            $crate::gradings::script(
                &agent(),
                directory.as_ref().join("class").join(name),
                "play.sh",
                lines,
            );
        }

        /// The words of a grading of `class`, where `play.sh` runs a submission.
        pub(crate) fn words(options: &str) -> Vec<String> {
            $crate::gradings::words(&agent(), options)
        }

        /// Grades `class`.
        #[track_caller]
        pub(crate) fn grade(
            directory: impl AsRef<std::path::Path>,
            options: &str,
            code: i32,
        ) -> $crate::Printed {
            run(directory, &words(options), code)
        }
    };
}
