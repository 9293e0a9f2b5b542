//! The page of pairs that are alike, for teachers alone: lines that match, and rare moves that both
//! play.

use super::moves::{Agreement, Answers, counts};
use super::program::{Program, Source};
use crate::grade::scheme::plan::GradingPlan;
use anyhow::Result;
use arena::plain::shown;
use arena::terms::restored;
use engine::Symmetry;
use maud::{Markup, html};
use pages::markup;
use pages::position::Positions;
use std::collections::BTreeSet;

/// For each pair.
const MOST_POSITIONS: usize = 4;
/// Shown beside a matching line.
const AROUND: usize = 2;

pub(super) struct Told {
    pub programs: [usize; 2],
    pub how: Vec<String>,
    pub moves: Option<Agreement>,
}

pub(super) fn page(
    title: &str,
    plan: Option<&GradingPlan>,
    programs: &[Program],
    answers: &[Answers],
    told: &[Told],
) -> Result<String> {
    let mut boards = Positions::default();
    let mut sections = Vec::new();
    for pair in told {
        let [one, other] = pair.programs.map(|index| &programs[index]);
        let moves = plan.zip(pair.moves.as_ref());
        let moves = moves.map(|(plan, pair)| rare_moves(plan, answers, pair, &mut boards));
        sections.push(html! {
            h2 { (shown(&one.name)) " and " (shown(&other.name)) }
            p { "Alike: " (pair.how.join("; ")) "." }
            (moves.transpose()?.unwrap_or_default())
            @let parts = [sources(one, other), sources(other, one)];
            @if parts.iter().any(Option::is_some) {
                div.pair {
                    @for (program, part) in [one, other].into_iter().zip(parts) {
                        div { p { b { (shown(&program.name)) } } (part.unwrap_or_default()) }
                    }
                }
            } @else { p.soft { "No lines match." } }
        });
    }
    let body = html! {
        h1 { (title) ": programs that are alike" }
        p { "For teachers alone. Programs are alike, and why is not known: one lecture or one book can be the reason. Look at both \
            before you say more." }
        @for section in &sections { (section) }
        @if sections.is_empty() { p { "No two programs are alike beyond the class." } }
    };
    Ok(markup::page(&format!("{title}: programs that are alike"), &body))
}

/// The positions in which both play the same rare move, the rarest first.
fn rare_moves(
    plan: &GradingPlan,
    answers: &[Answers],
    pair: &Agreement,
    boards: &mut Positions,
) -> Result<Markup> {
    let counts = counts(answers);
    let mut positions = Vec::new();
    for &at in pair.same.iter().take(MOST_POSITIONS) {
        let (Some(mv), Some(count)) = (answers[pair.programs[0]][at].as_deref(), &counts[at])
        else {
            continue;
        };
        let position = restored(plan.game, &plan.tests[at].opening.input, None)?.position;
        let all: usize = count.values().sum();
        let others = match count[mv].saturating_sub(2) {
            0 => format!("no other of {all} programs"),
            others => format!("{others} of the other {}", all - 2),
        };
        let side = plan.game.side_word(position.side_to_move());
        let both = match pair.symmetry {
            Symmetry::None => format!("both play {mv}"),
            turned => {
                format!(
                    "the first plays {mv}, and the second the same on the board turned ({})",
                    turned.name()
                )
            }
        };
        let words = format!("Position {}, {side} to move: {both}, and {others}", at + 1);
        positions.push(html! {
            div {
                p { (words) }
                @match position.drawing() {
                    Some(drawing) => (boards.draw(&drawing, Some(mv), &[], &[], &words)),
                    None => pre { (position.picture()) },
                }
            }
        });
    }
    Ok(html! { div.rare { @for position in positions { (position) } } })
}

/// The lines that match another program, marked, with those beside them; `None` if there are none.
fn sources(program: &Program, other: &Program) -> Option<Markup> {
    let parts: Vec<Markup> = program
        .sources
        .iter()
        .filter_map(|Source { path, text, .. }| {
            let same = program.text.lines_shared(&other.text, path, text);
            let near = |line: &usize| line.saturating_sub(AROUND)..=line + AROUND;
            let near: BTreeSet<usize> = same.iter().flat_map(near).collect();
            let lines = text.lines().enumerate().filter(|(number, _)| near.contains(number));
            (!same.is_empty()).then(|| {
                html! {
                    p.soft { (shown(&path.display().to_string())) }
                    pre tabindex="0" {
                        @for (number, line) in lines {
                            @if number > 0 && !near.contains(&(number - 1)) { "    ...\n" }
                            (format!("{:>4}  ", number + 1))
                            @if same.contains(&number) { mark { (line) } } @else { (line) }
                            "\n"
                        }
                    }
                }
            })
        })
        .collect();
    (!parts.is_empty()).then(|| html! { @for part in &parts { (part) } })
}
