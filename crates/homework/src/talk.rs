//! A program that talks with the checker.
//!
//! Each side runs in a box of its own, and within its own time. The verdict follows Kattis: a
//! checker that fails has not judged; a checker that refuses before the program has ended decides;
//! else the program's own failure does, and then the checker.

use crate::case::{Case, CaseResult};
use crate::checker::{Checker, RIGHT, quoted};
use crate::homework::Homework;
use crate::run::{judged, too_late};
use anyhow::Result;
use arena::player::case::{CaseRun, Talked};
use arena::player::exit::Program;
use arena::terms::Bounds;
use std::time::Duration;

impl Homework {
    /// The result has no name. Errors: as of a run on a case without a conversation.
    pub(crate) fn talk(
        &self,
        checker: &Checker,
        case: &Case,
        program: &Program,
        bounds: &Bounds,
        clock: Duration,
    ) -> Result<CaseResult> {
        let mut player = self.player(program, bounds)?;
        // The input is the checker's.
        for (name, file) in case.finds.iter().skip(1).filter(|_| self.is_package()) {
            player.lay(name, Some(file.read()?));
        }
        if !case.arguments.is_empty() {
            player.start_by(format!("exec \"$0\" \"$@\"{}", quoted(&case.arguments)));
        }
        let talker = match checker.talker(case) {
            Ok(talker) => talker,
            Err(error) => return Ok(judged(Err(error))),
        };
        let time = checker.time();
        let Talked { run, of_judge, is_program_first, is_too_long, conversation } =
            player.talk(clock, (&talker, time), self.output_limit, RIGHT)?;
        let CaseRun { cpu, wall, memory, lost, timed_out, mut fault, said, .. } = run;
        let (seconds, used_up) = (clock.as_secs_f64(), cpu > clock.as_secs_f64() || timed_out);
        let mut result = CaseResult::default();
        if is_too_long {
            (result.too_long, result.unanswered) = (true, true);
            result.wrong = Some(self.too_long("what it wrote"));
            fault = None;
        } else {
            result = judged(checker.judgement(&talker, &of_judge, &case.scores));
            if !is_program_first && result.wrong.is_some() {
                fault = None;
            } else if result.unjudged.is_none() && (used_up || lost || fault.is_some()) {
                let waited = timed_out && cpu < seconds / 2.0;
                let why = if cpu > seconds {
                    too_late(cpu, seconds)
                } else {
                    fault.clone().unwrap_or_default()
                };
                let flush = if waited { "; does it flush what it writes?" } else { "" };
                result.wrong = Some(why + flush);
                (result.score, result.unanswered) = (0.0, true);
            }
        }
        let used_up = used_up && result.unanswered;
        Ok(CaseResult { cpu, wall, memory, used_up, said, fault, conversation, ..result })
    }
}
