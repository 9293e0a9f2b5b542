//! `judge grade-all --lms`: late marks from a course system, and points back to it.

use super::csv::GradeLine;
use super::students::Student;
use crate::grade_book::{CourseSystem, GradeBook, Groups};
use anyhow::{Context, Result, anyhow, bail};
use arena::plain::{counted, shown};
use clap::{Args, ValueEnum};
use homework::{Lateness, number};
use intake::sheet::{Sheet, field};
use intake::spreadsheet::unguarded;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Options of `judge grade-all` about the course system.
#[derive(Args)]
pub(crate) struct CourseSystemOptions {
    /// Fill the points into a grade book that the course system has exported: canvas, moodle,
    /// gradescope, blackboard or brightspace, and the file. Writes NAME-graded.csv beside it, with
    /// the points and all else unchanged
    #[arg(long, num_args = 2, value_names = ["SYSTEM", "GRADEBOOK"])]
    lms: Vec<String>,

    /// The heading of the column to fill, or a part of it [default: the only one of an assignment]
    #[arg(long, value_name = "HEADING", requires = "lms")]
    lms_column: Option<String>,

    /// Groups: a CSV file with a submission and its members in each line [default: by the names of
    /// the folders]
    #[arg(long, value_name = "FILE", requires = "lms")]
    groups: Option<PathBuf>,

    /// How late submissions came: a CSV file with the columns submission (or folder) and late, such
    /// as 26:14:03, 1 day or late
    #[arg(long, value_name = "FILE")]
    late: Option<PathBuf>,
}

pub(super) struct CourseSystemFiles {
    book: Option<GradeBook>,
    groups: Groups,
    late: BTreeMap<String, Option<Lateness>>,
}

const MOST_SHOWN: usize = 5;

impl CourseSystemOptions {
    /// Reads all files, so that errors come before the first game.
    pub(super) fn read(&self) -> Result<CourseSystemFiles> {
        let book = match &self.lms[..] {
            [system, path] => {
                let system = CourseSystem::from_str(system, true).map_err(|_| {
                    anyhow!("--lms: expected canvas, moodle, gradescope, blackboard or brightspace, found '{system}'")
                })?;
                Some(GradeBook::read(system, Path::new(path), self.lms_column.as_deref())?)
            }
            _ => None,
        };
        let groups = self.groups.as_deref().map(Groups::read).transpose()?.unwrap_or_default();
        let late = self.late.as_deref().map(read_late).transpose()?.unwrap_or_default();
        Ok(CourseSystemFiles { book, groups, late })
    }
}

impl CourseSystemFiles {
    /// Notes how late each submission came: by the list, or else by the grade book or the intake.
    /// `counts_late`: the scheme or the homework takes points off.
    pub(super) fn note_lateness(
        &mut self,
        students: &mut [Student],
        counts_late: bool,
    ) -> Result<()> {
        for student in students.iter().filter(|student| !student.members.is_empty()) {
            self.groups.add_team(&student.name, &student.members);
        }
        if let Some(name) =
            self.late.keys().find(|name| !students.iter().any(|student| student.name == **name))
        {
            bail!("--late: no submission is called '{name}'; the names are those of the folders");
        }
        let roster = self.book.as_ref().map(|book| (book, book.roster()));
        // With the number of students who have them.
        let mut not_understood: BTreeMap<String, u32> = BTreeMap::new();
        for student in &mut *students {
            let in_book = roster.as_ref().and_then(|(book, roster)| {
                let rows = roster.rows_of(&student.name, &student.id, &self.groups).ok()?;
                rows.into_iter().find_map(|row| {
                    let unknown = |words| *not_understood.entry(words).or_default() += 1;
                    book.lateness(row).map_err(unknown).ok().flatten()
                })
            });
            student.lateness = match self.late.get(&student.name) {
                Some(lateness) => *lateness,
                None => in_book.or(student.lateness),
            };
        }
        let late = students.iter().filter(|student| student.lateness.is_some()).count();
        if !counts_late && late > 0 {
            eprintln!(
                "{} late, and no points are taken off: a table [late] in the scheme or the homework says how many",
                counted(late, "submission is", "submissions are")
            );
        }
        if counts_late && !not_understood.is_empty() {
            eprintln!(
                "--lms: not understood, so that these submissions count as in time; --late FILE says how late they came:"
            );
            for (words, students) in not_understood.iter().take(MOST_SHOWN) {
                eprintln!("  {} ({})", shown(words), counted(*students, "student", "students"));
            }
            if not_understood.len() > MOST_SHOWN {
                eprintln!("  and {} more", not_understood.len() - MOST_SHOWN);
            }
        }
        Ok(())
    }

    /// Fills the points into the grade book, and says what it did. `most` are the points of the
    /// scheme. Returns whether every submission has its rows.
    pub(super) fn fill(
        mut self,
        lines: &[GradeLine],
        students: &[Student],
        most: f64,
    ) -> Result<bool> {
        let Some(book) = &mut self.book else { return Ok(true) };
        let roster = book.roster();
        let mut owners: BTreeMap<usize, Vec<&GradeLine>> = BTreeMap::new();
        let mut problems = Vec::new();
        for line in lines {
            let name = &line.submission;
            let student = students.iter().find(|student| student.name == *name);
            let id = student.map_or("", |student| &student.id);
            if book.system == CourseSystem::Canvas
                && !self.groups.has_named(name)
                && roster.is_known_by_number_alone(name, id)
            {
                eprintln!(
                    "{name}: only the number {id} is in the grade book. If this is a group, the number is that of \
                     one member: --groups FILE names all (Canvas's list of the groups, or lines as below)"
                );
            }
            match roster.rows_of(name, id, &self.groups) {
                Ok(rows) => rows.iter().for_each(|row| owners.entry(*row).or_default().push(line)),
                Err(why) => problems.push(format!("{name}: {why}")),
            }
        }
        let mut filled = 0;
        for (row, owners) in owners {
            let names: Vec<&str> = owners.iter().map(|line| &*line.submission).collect();
            let all = names.join(" and ");
            let worth = |line: &GradeLine| line.points.parse().unwrap_or(0.0);
            let best =
                owners.iter().max_by(|one, other| f64::total_cmp(&worth(one), &worth(other)));
            let is_told = names.iter().any(|name| self.groups.has_named(name));
            if let Some(best) = best.filter(|_| owners.len() == 1 || is_told) {
                let GradeLine { submission, points, .. } = best;
                book.fill(row, points);
                filled += 1;
                if owners.len() > 1 {
                    eprintln!(
                        "{all} are of one student, by --groups: the {points} points of {submission} count"
                    );
                }
            } else {
                problems.push(format!("{all} are submissions of one student"));
            }
        }
        book.write()?;
        let rest = roster.people.saturating_sub(filled);
        eprintln!(
            "{}: {filled} students have their points, and {rest} are as they were",
            book.target().display()
        );
        if let Some(theirs) = book.most.filter(|theirs| *theirs != most) {
            let (theirs, own) = (number(theirs), number(most));
            eprintln!(
                "the grade book has {theirs} points for it, and the scheme {own}: the points are the scheme's"
            );
        }
        if !problems.is_empty() {
            eprintln!(
                "not in the grade book (--groups FILE says who is who, with lines such as: folder,Ann Berg):"
            );
            problems.iter().for_each(|problem| eprintln!("  {problem}"));
        }
        Ok(problems.is_empty())
    }
}

fn read_late(path: &Path) -> Result<BTreeMap<String, Option<Lateness>>> {
    let sheet = Sheet::read(path)?;
    let who = sheet.column(&["submission", "folder"]);
    let (who, late) = who.zip(sheet.column(&["late"])).with_context(|| {
        format!("{}:1: expected the columns submission (or folder) and late", sheet.name)
    })?;
    let lateness = |row| {
        let lateness = Lateness::parse(field(row, late)).with_context(|| sheet.place(row))?;
        Ok((unguarded(field(row, who)).to_string(), lateness))
    };
    sheet.below().iter().map(lateness).collect()
}
