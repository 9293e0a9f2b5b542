//! The rules of a game as its program tells them.

use super::position::{ProgramPosition, ProgramRules, STANDARD_RULES};
use anygame::game::{Answer, Checked, FromInput, Rules};
use anygame::{AnyMove, AnyTask, Position};
use anyhow::{Result, bail};
use std::time::Duration;

/// For a text that tells no clock.
const UNTOLD_CLOCK: Duration = Duration::from_secs(1);

impl Rules for ProgramRules {
    fn rule_sets(&'static self) -> Vec<&'static str> {
        vec![STANDARD_RULES]
    }

    fn check_rules(&'static self, name: Option<&str>) -> Result<&'static str> {
        if let Some(name) = name.filter(|name| *name != STANDARD_RULES) {
            bail!("--rules: expected {STANDARD_RULES}, found '{name}'");
        }
        Ok(STANDARD_RULES)
    }

    fn start(&'static self, rules: Option<&str>) -> Result<Position> {
        self.check_rules(rules)?;
        self.position(self.program.start(None)?, None)
    }

    fn start_of(&'static self, rules: Option<&str>, number: u64) -> Result<Position> {
        self.check_rules(rules)?;
        // A number that every reader of JSON takes.
        self.position(self.program.start(Some((number >> 33) as u32))?, None)
    }

    fn restore(&'static self, stored: &str, rules: Option<&str>) -> Result<FromInput<AnyTask>> {
        self.check_rules(rules)?;
        let position = self.position(stored.to_string(), None)?;
        Ok(Ok(AnyTask::new(position, self.control, UNTOLD_CLOCK)))
    }

    fn read_task(&'static self, input: &str, rules: Option<&str>) -> Result<FromInput<AnyTask>> {
        self.check_rules(rules)?;
        let name = &self.program.name;
        let (state, clock) = match self.program.position(input)? {
            None => bail!(
                "the rules of {name} read no input files (their program does not know 'position')"
            ),
            Some(Err(error)) => return Ok(Err(error)),
            Some(Ok(shown)) => shown,
        };
        let clock = clock
            .filter(|&seconds| seconds > 0.0 && seconds < 1e9)
            .map_or(UNTOLD_CLOCK, Duration::from_secs_f64);
        Ok(Ok(AnyTask::new(self.position(state, None)?, self.control, clock)))
    }

    fn confirm(&'static self, turns: &[(Position, Option<String>)]) -> Result<()> {
        let anew = self.program.anew();
        let mut next: Option<&str> = None;
        // The end comes first: what goes wrong after many requests has the fewest before it.
        for (position, output) in turns.iter().rev() {
            let Some(position) = position.as_any().downcast_ref::<ProgramPosition>() else {
                continue;
            };
            position.confirm(&anew)?;
            if let Some((output, mv)) = output.as_deref().zip(next) {
                anew.confirm_read(&position.state, output, &Ok(mv.to_string()))?;
            }
            next = position.last_move();
        }
        Ok(())
    }

    fn has_proofs(&'static self) -> Result<bool> {
        self.solved().map(|solved| solved.is_some())
    }

    fn check(&'static self, answer: &Answer, rules: Option<&str>) -> Result<FromInput<Checked>> {
        let task = match self.read_task(answer.input, rules)? {
            Ok(task) => task,
            Err(error) => return Ok(Err(error)),
        };
        let before = task.position;
        let found = before.read_move(answer.output)?;
        let text = match &found {
            Err(violation) => format!("{}: {violation}\n", answer.file),
            Ok(AnyMove { code, described, .. }) => {
                let side = self.sides[before.side_to_move().index()];
                let after = before.clone().play(*code)?;
                format!("{side} plays {described}\n{}{}", after.picture(), after.standing())
            }
        };
        Ok(Ok(Checked { before, legal: found.ok().map(|mv| mv.code), text }))
    }
}
