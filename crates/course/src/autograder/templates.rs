//! The scripts and configuration files in the zip.

/// Runs when the platform builds its image.
pub(super) fn setup_script(packages: &str) -> String {
    format!(
        r#"#!/bin/sh
# Runs once, when the platform builds its image: installs the compilers and interpreters that are missing.
packages=""
for package in {packages}; do
    case $package in
        default-jdk-headless) program=javac ;;
        nodejs) program=node ;;
        *) program=$package ;;
    esac
    command -v "$program" > /dev/null || packages="$packages $package"
done
if [ -n "$packages" ]; then
    apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages ||
        echo "not installed:$packages; submissions in these languages get a report that says so" >&2
fi
chmod +x "${{AUTOGRADER_ROOT:-/autograder}}"/source/judge
exit 0
"#
    )
}

/// Runs for every submission, and always leaves a results.json.
pub(super) const RUN_SCRIPT: &str = r#"#!/bin/sh
# Runs for every submission. AUTOGRADER_ROOT replaces the platform's root directory, for trials.
root=${AUTOGRADER_ROOT:-/autograder}
results=$root/results/results.json
mkdir -p "$root/results"
"$root/source/judge" autograde --config "$root/source/autograder.toml" \
    --submission "$root/submission" --results "$results"
code=$?
if [ ! -s "$results" ]; then
    printf '{"score": 0, "output": "The judge itself could not run (exit code %s). Your program is not the cause: tell your teacher.", "visibility": "visible", "tests": []}\n' "$code" > "$results"
fi
exit 0
"#;

pub(super) const MAKEFILE: &str = "\
# make grade           grades the submission in this folder
# make grade DIR=ann   grades the submission in ann
DIR ?= .

.PHONY: grade
grade:
\t@chmod +x .grader/judge
\t@.grader/judge autograde --config .grader/autograder.toml --submission $(DIR) --results results.json
";

pub(super) fn workflow(packages: &str, timeout: u64) -> String {
    let minutes = timeout.div_ceil(60) + 5;
    format!(
        r#"# Grades every push with the judge and the scheme in .grader. Everyone who can push can change both: for grades that
# count, the teacher grades once more.
name: GitHub Classroom Workflow
on: [push, workflow_dispatch]
permissions:
  contents: read
jobs:
  grade:
    runs-on: ubuntu-latest
    timeout-minutes: {minutes}
    steps:
      - uses: actions/checkout@v4
      - name: Install languages
        run: sudo apt-get update && sudo apt-get install -y --no-install-recommends {packages}
      - name: Grade
        run: |
          chmod +x .grader/judge
          .grader/judge autograde --config .grader/autograder.toml --submission . --results "$RUNNER_TEMP/results.json" \
            | tee -a "$GITHUB_STEP_SUMMARY"
"#
    )
}
